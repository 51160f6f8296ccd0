"""What stands in the way of a table now: who is out of reach, an older copy, a full disk, engines that differ.

Notices come once; a trouble stands from the notice that begins it to the one that ends it.  For each it is told what
is, what is at stake, and what to do; what can be done at the table is a deed that a screen offers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from client.names import shown
from client.player import TableNotice
from client.table.words import notice_text
from client.texts import N_, _
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # the network loads slowly
    from client.session.session import Session
    from p2p.lockstep.machine import RefusalLike

__all__ = ["Deed", "Difference", "Standing", "Trouble", "act", "begins", "heard", "troubles"]

Standing = Mapping[str, TableNotice]
"""The notices that stand, by what they are about."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to do about a trouble.  kind: `absent`, `takeback`, `newest`, `claim` or `leave`; names, height: as
    `TableControls.propose` takes them."""

    kind: str
    text: str
    names: Sequence[str] = ()
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two engines differ, with both values, safe to show."""

    path: str
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong now.

    Attributes:
        code: the notice that began it.
        text: what is.
        stake: what is at stake, "" where nothing is.
        todo: what to do.
        deeds: what can be done at the table.
        done: of `total` steps, where something goes on by itself.
        differences: where engines differ.
        sides: who agrees with whom where engines differ, the own side first.
    """

    code: str
    text: str
    stake: str = ""
    todo: str = ""
    deeds: Sequence[Deed] = ()
    done: int = 0
    total: int = 0
    differences: Sequence[Difference] = ()
    sides: Sequence[Sequence[str]] = ()


LINKS: Final = frozenset({"link/down", "link/left", "link/finished", "link/alone"})
ENDS: Final[Mapping[str, frozenset[str]]] = {
    "link/up": LINKS,
    "store/ready": frozenset({"store/full"}),
    "own-feed/confirmed": frozenset({"stopped"}),
}
"""Notices that end others."""
STANDS: Final = LINKS | {"restoring", "store/full", "stopped", "fault", "owes", "diverged", "diverged/report", "split"}


def heard(standing: Standing, notice: TableNotice) -> Standing:
    """What stands after a notice."""
    code, fields = notice.code, notice.fields
    ends = ENDS.get(code, frozenset())
    left = {key: each for key, each in standing.items() if each.code not in ends or not _same(each, notice)}
    if code == "vote/agreed":
        return _agreed(left, str(fields["kind"]), {*map(str, fields.get("out", ()))})
    if code == "rewound":
        return {key: each for key, each in left.items() if each.code not in ("diverged", "diverged/report", "split")}
    if code == "over":
        return {}
    if code not in STANDS or (code == "restoring" and fields["done"] >= fields["total"]):
        return {key: each for key, each in left.items() if not (code == each.code == "restoring")}
    return left | {_key(notice): notice}


def begins(standing: Standing) -> Standing:
    """What stands once the table goes on: its log is read."""
    return {key: each for key, each in standing.items() if each.code != "restoring"}


def _key(notice: TableNotice) -> str:
    """What a notice is about; a newer one about the same takes its place."""
    name = str(notice.fields.get("name", ""))
    family = "link" if notice.code in LINKS else notice.code.partition("/")[0]
    return f"{family} {name}".strip()


def _same(stood: TableNotice, now: TableNotice) -> bool:
    """True if a notice that ends others is about the same person, or about nobody."""
    names = {*str(stood.fields.get("name", "")).split(", ")}
    return "name" not in now.fields or str(now.fields["name"]) in names


def _agreed(standing: dict[str, TableNotice], kind: str, out: set[str]) -> Standing:
    """A pact ends what it was made for."""
    if kind in ("absent", "gone", "without"):
        return {key: each for key, each in standing.items() if str(each.fields.get("name", "")) not in out}
    if kind == "back":
        return {key: each for key, each in standing.items() if each.code != "stopped"}
    if kind == "takeback":
        return {key: each for key, each in standing.items() if not each.code.startswith("diverged")}
    return standing


# In words ------------------------------------------------------------------------------------------------------------

_TOLD: Final[Mapping[str, tuple[str, str]]] = {
    "restoring": (
        "",
        N_("Wait: nothing is asked before the log is read; other players see you when it is done."),
    ),
    "store/full": (
        N_("Nothing is lost, and nothing that you do is sent before it is on the disk."),
        N_("Make room on that disk; the game goes on by itself."),
    ),
    "link/down": (
        N_("The table waits when it is {name}'s turn; nobody loses anything."),
        N_("It reconnects by itself. If it takes too long, propose to go on without {name}, who may come back."),
    ),
    "link/left": (
        N_("The table waits when it is {name}'s turn; nobody loses anything."),
        N_("It goes on when {name} resumes it. If it takes too long, propose to go on without {name}."),
    ),
    "link/finished": ("", N_("Nothing has to be done now.")),
    "link/alone": (
        N_("Whatever you send is kept and passed on as soon as somebody is in reach."),
        N_("Wait, or leave and resume later: the table stays. F6 tells about links, :doctor about the network."),
    ),
    "stopped lockstep/older-copy": (
        N_("To answer from this copy could contradict what you have signed already, which would look like cheating."),
        N_("Wait for a player who holds your newer entries; they come by themselves. Nothing has to be typed."),
    ),
    "stopped lockstep/unconfirmed": (
        N_("To answer from an older copy could contradict what you have signed already."),
        N_("Wait for any other player. Only if you never played on from another copy: say that this is the newest."),
    ),
    "stopped lockstep/twin": (
        N_("Two machines that answer for one seat would sign two histories."),
        N_("Leave here, or on the other machine; then resume."),
    ),
    "stopped lockstep/secret-lost": (
        N_("What was sealed with the lost secret cannot be opened by you; the others can, where the table allows it."),
        N_("Put a copy of your folder back that has the secret, or let the others go on without you."),
    ),
    "stopped lockstep/left-out": (
        N_("A stand-in answers for you until you are let in again."),
        N_("The others are asked to let you in; nothing has to be done."),
    ),
    "fault": (
        N_("What {name} signed proves it to everybody; the game itself is not harmed."),
        N_("Go on without {name}, or talk about it first: a faulty program can look the same."),
    ),
    "owes": (
        N_("A table of two cannot go on without the other; the signed word says where it stood."),
        N_("If it is you who is named, answer; else wait."),
    ),
    "split": (
        N_("Two histories cannot both count; nobody has lost any entry."),
        N_("The programs look for the latest position that all agree on; if that takes long, go back by consent."),
    ),
    "diverged": (
        N_("Nobody lost anything and nobody cheated: the same moves led two programs to two positions."),
        N_("The values are being compared …"),
    ),
    "diverged/report": (
        N_("Nobody lost anything and nobody cheated: the same moves led two programs to two positions."),
        N_("Both sides should run the same version of starlock; then leave and resume, and the log is played again."),
    ),
}
"""By code, what is at stake and what to do."""


def troubles(standing: Standing, proposes: Callable[[str], bool] = lambda _name: True) -> list[Trouble]:
    """What stands, the most urgent first.  proposes: whether the person may propose to go on without that player."""
    found = [_trouble(notice, proposes) for notice in standing.values()]
    return sorted(found, key=lambda each: ORDER.index(each.code) if each.code in ORDER else len(ORDER))


ORDER: Final = ("diverged/report", "diverged", "split", "fault", "store/full", "stopped", "restoring", "owes")


def _trouble(notice: TableNotice, proposes: Callable[[str], bool]) -> Trouble:
    fields = notice.fields
    code = f"stopped {fields['code']}" if notice.code == "stopped" else notice.code
    stake, todo = _TOLD.get(code, ("", ""))
    name = shown(str(fields.get("name", "")))
    stake, todo = (_(text).format(name=name) if text else "" for text in (stake, todo))
    return Trouble(
        notice.code,
        notice_text(notice),
        stake,
        todo,
        deeds=tuple(_deeds(notice, proposes)),
        done=int(fields.get("done", 0)) if notice.code == "restoring" else 0,
        total=int(fields.get("total", 0)) if notice.code == "restoring" else 0,
        differences=tuple(_difference(row) for row in fields.get("rows", ())),
        sides=tuple(tuple(map(shown, side)) for side in fields.get("sides", ())),
    )


def _difference(row: Mapping[str, Any]) -> Difference:
    return Difference(*(shown(str(row[name])) for name in ("path", "mine", "theirs")))


def _deeds(notice: TableNotice, proposes: Callable[[str], bool]) -> Sequence[Deed]:
    fields = notice.fields
    name, height = str(fields.get("name", "")), fields.get("height")
    without = Deed("absent", _("propose to go on without {name}").format(name=shown(name)), (name,))
    match notice.code:
        case "link/down" | "link/left" | "fault" if proposes(name):
            return (without,)
        case "stopped" if fields["code"] == "lockstep/unconfirmed":
            return (Deed("newest", _("say that this is your newest copy of the table")),)
        case "stopped" if fields["code"] == "lockstep/twin":
            return (Deed("leave", _("leave the table here; it stays")),)
        case "diverged" | "diverged/report":
            back = _("propose that all go back to before move {n}").format(n=height)
            again = Deed("leave", _("leave; starlock resume plays the log again and compares"))
            return (
                again,
                Deed("takeback", back, height=height),
                *((without,) if proposes(name) else ()),
            )
    return ()


def act(session: Session, deed: Deed) -> RefusalLike | None:
    """Do what is to be done about a trouble."""
    controls = session.controls
    if controls is None or deed.kind == "leave":
        session.leave()
        return None
    if deed.kind == "newest":
        return controls.vouch()
    if deed.kind == "takeback" and deed.height is not None:
        return controls.propose("takeback", (), deed.height, across=controls.secrets_since(deed.height))
    return controls.propose(deed.kind, tuple(deed.names))
