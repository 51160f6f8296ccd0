# SPDX-License-Identifier: GPL-3.0-or-later
"""The troubles of a table: members out of reach, an older copy, a full disk, engines that differ.

A notice comes once; a trouble lasts from the notice that begins it to the notice that ends it. Each trouble has texts
on what is wrong, what is at stake, and what to do, and deeds: actions at the table that a screen offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from client.session import apart
from client.session.news import LoggedEvent
from client.show.document import Block, Cell, Document, Note, TextTable
from client.system.names import shown
from client.system.texts import N_, _
from client.table.notice_words import notice_text
from client.table.notices import (
    DiskFull,
    DiskReady,
    DivergenceFound,
    FaultProven,
    GameOver,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    Owes,
    OwnFeedConfirmed,
    Party,
    PeerStopped,
    Restoring,
    SplitFound,
    StateDiverged,
    StatesAgree,
    TableNotice,
    VoteNotice,
    VoteStage,
)
from client.words.ways import DO
from engine.core.dataclass import dataclass, field, replace

EVERY: Final = 1000
"""More fields than are told."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A deed against a trouble. deed: its id; text: what it will do here; given: its arguments, each with its name."""

    deed: str
    text: str
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableTrouble:
    """Something that is wrong now.

    Attributes:
        notice: the notice that began it.
        text: what is wrong.
        stake: what is at stake, "" for nothing.
        todo: what to do.
        deeds: the actions at the table against it.
        stops: why the table has stopped, in a few words, "" if it has not.
        ahead: True if it goes on without this member, whose program cannot follow.
        after: if engines differ, the step after which they do first, in words.
    """

    notice: Standing
    text: str
    stake: str = ""
    todo: str = ""
    deeds: Sequence[Remedy] = ()
    after: str = ""
    stops: str = ""
    ahead: bool = False


Standing: TypeAlias = (
    LinkChanged | Restoring | DiskFull | PeerStopped | FaultProven | Owes | StateDiverged | DivergenceFound | SplitFound
)
"""The notices that begin a trouble."""
Links: TypeAlias = Callable[[int], Sequence[bool]]
"""Whether each seat of a member, by its number, is linked; nothing of who is not present, who cannot be left out."""


class Troubles:
    """The troubles that have not ended.

    Attributes:
        standing: the notices that began them, the oldest first.
    """

    def __init__(self) -> None:
        self.standing: tuple[Standing, ...] = ()

    def heard(self, notice: TableNotice) -> None:
        """Process a notice: it may begin a trouble, replace an earlier one about the same subject, or end some."""
        self._keep(lambda each: not _ends(notice, each))
        if isinstance(notice, Standing) and not _good(notice):
            self._keep(lambda each: _about(each) != _about(notice))
            self.standing = (*self.standing, notice)

    def begun(self) -> None:
        """End the trouble of reading the log: the table goes on."""
        self._keep(lambda each: not isinstance(each, Restoring))

    def listed(
        self, links: Links = lambda _member: (True,), log: Sequence[LoggedEvent] = (), *, pair: bool = False
    ) -> list[TableTrouble]:
        """The troubles, the most urgent first. log: what happened in the game; pair: True if only one other member is
        present, whom no vote can leave out."""
        out = any(isinstance(each, PeerStopped) and each.why in OUT for each in self.standing)

        def rank(notice: Standing) -> int:
            """Where the others go on without this member, that comes first."""
            return -1 if out and isinstance(notice, PeerStopped) else ORDER.index(type(notice))

        urgent = sorted(apart.heads(self.standing), key=rank)
        found = [_trouble(notice, links, log, out=out, pair=pair) for notice in urgent]
        early = {"back"} if any(trouble.ahead for trouble in found) else set()
        return [replace(each, deeds=[deed for deed in each.deeds if deed.deed not in early]) for each in found]

    def moved(self) -> None:
        """End what was stated of the last move: the table has gone on."""
        self._keep(lambda each: not isinstance(each, Owes))

    def _keep(self, stays: Callable[[Standing], bool]) -> None:
        self.standing = tuple(filter(stays, self.standing))


ORDER: Final = (
    DivergenceFound,
    StateDiverged,
    SplitFound,
    FaultProven,
    DiskFull,
    PeerStopped,
    Restoring,
    Owes,
    LinkChanged,
)
"""The most urgent first."""
OUT: Final = ("lockstep/left-out", "lockstep/given-up", "lockstep/moved", "lockstep/left")
"""Why this peer is silent where the others go on without it."""


def _good(notice: Standing) -> bool:
    """True if the notice tells that no trouble is left."""
    match notice:
        case LinkChanged(LinkChange.UP | LinkChange.ANOTHER):
            return True
        case Restoring(done, total):
            return done >= total
    return False


def _about(notice: Standing) -> object:
    """The subject of a notice; a newer notice with the same subject replaces it."""
    return StateDiverged if isinstance(notice, DivergenceFound) else type(notice), _numbers(_members(notice))


def _members(notice: Standing) -> Sequence[Party]:
    match notice:
        case LinkChanged(members=members):
            return members
        case FaultProven(member) | Owes(member) | StateDiverged(member) | DivergenceFound(member):
            return (member,)
    return ()


def _numbers(members: Iterable[Party]) -> frozenset[int]:
    return frozenset(each.number for each in members)


def _ends(notice: TableNotice, stood: Standing) -> bool:
    match notice:
        case LinkChanged(LinkChange.UP, members):
            return isinstance(stood, LinkChanged) and not _numbers(members).isdisjoint(_numbers(stood.members))
        case DiskReady():
            return isinstance(stood, DiskFull)
        case OwnFeedConfirmed():
            return isinstance(stood, PeerStopped) and stood.why not in OUT
        case Restoring():
            return isinstance(stood, Restoring)
        case HistoryRewound():
            return isinstance(stood, StateDiverged | DivergenceFound | SplitFound)
        case StatesAgree(member):
            return isinstance(stood, StateDiverged | DivergenceFound) and stood.member.number == member.number
        case GameOver():
            return True
        case VoteNotice(VoteStage.AGREED):
            return _agreed(notice, stood)
    return False


def _agreed(pact: VoteNotice, stood: Standing) -> bool:
    match pact.kind:
        case "absent" | "gone" | "without" | "leave":
            return bool(_members(stood)) and _numbers(_members(stood)) <= _numbers(pact.out)
        case "back":
            return isinstance(stood, PeerStopped)
        case "takeback" | "repair":
            return isinstance(stood, StateDiverged | DivergenceFound)
    return False


# In words ------------------------------------------------------------------------------------------------------------

_LINKS: Final[Mapping[LinkChange, tuple[str, str]]] = {
    LinkChange.DOWN: (
        N_("The table waits when it is {name}'s turn; nobody loses anything."),
        N_("It reconnects by itself. If it takes too long, propose to go on without {name}, who may come back."),
    ),
    LinkChange.LEFT: (
        N_("The table waits when it is {name}'s turn; nobody loses anything."),
        N_("It goes on when {name} resumes it. If it takes too long, propose to go on without {name}."),
    ),
    LinkChange.FINISHED: ("", N_("Nothing has to be done now.")),
    LinkChange.ALONE: (
        N_("Whatever you send is kept and passed on as soon as somebody is in reach."),
        N_("Wait, or leave and resume later: the table stays. To look at the network: {do:doctor}."),
    ),
}
_PAIR: Final[Mapping[LinkChange, str]] = {
    LinkChange.DOWN: N_("It reconnects by itself. Between two nobody can be left out, but you may go on alone."),
    LinkChange.LEFT: N_(
        "It goes on when {name} resumes it. Between two nobody can be left out, but you may go on alone."
    ),
}
_PAIR_FAULT: Final = N_(
    "Talk about it first: a faulty program can look the same. Between two nobody can be left out, but you may go on "
    "alone."
)
"""What to do where no vote can leave out the other one."""
_STOPPED: Final[Mapping[str, tuple[str, str]]] = {
    "lockstep/older-copy": (
        N_("To answer from this copy could contradict what you have signed already, which would look like cheating."),
        N_("Wait for a player who holds your newer entries; they come by themselves. Nothing has to be typed."),
    ),
    "lockstep/unconfirmed": (
        N_("To answer from an older copy could contradict what you have signed already."),
        N_("Wait for any other player. Only if you never played on from another copy: say that this is the newest."),
    ),
    "lockstep/elsewhere": (
        N_("Two machines that answer for one seat would sign two histories."),
        N_("Leave there, and this one goes on by itself; or leave here."),
    ),
    "lockstep/own-fault": (
        N_("Two entries that contradict each other convict your key: nothing that it signs counts any more."),
        N_("Leave here. The others can go on without you."),
    ),
    "lockstep/twin": (
        N_("Two machines that answer for one seat would sign two histories."),
        N_("Leave here, or on the other machine; then resume."),
    ),
    "lockstep/secret-lost": (
        N_("What was sealed with the lost secret cannot be opened by you; the others can, where the table allows it."),
        N_("Put a copy of your folder back that has the secret, or let the others go on without you."),
    ),
    "lockstep/left-out": (
        N_("A stand-in answers for you until you are let in again."),
        N_("Ask to be let in again; the others answer, and you play on from the next step."),
    ),
    "lockstep/given-up": (
        N_("Your hand went back to the decks; this seat cannot be yours again."),
        N_("Watch the game from here, or leave."),
    ),
    "lockstep/moved": (N_("What this copy has signed since counts for nothing."), N_("Play on where your new key is.")),
}
_TOLD: Final[Mapping[type, tuple[str, str]]] = {
    Restoring: ("", N_("Wait: nothing is asked before the log is read; other players see you when it is done.")),
    DiskFull: (
        N_("Nothing is lost, and nothing that you do is sent before it is on the disk."),
        N_("Make room on that disk; the game goes on by itself."),
    ),
    FaultProven: (
        N_("What {name} signed proves it to everybody; the game itself is not harmed."),
        N_("Go on without {name}, or talk about it first: a faulty program can look the same."),
    ),
    Owes: (
        N_("The signed statement says where the table stood; nobody is left out by it alone."),
        N_("If you are named, answer; else wait."),
    ),
    SplitFound: (
        N_("Two histories cannot both count; nobody has lost any entry."),
        N_("The programs look for the latest position that all agree on; if that takes long, go back by consent."),
    ),
    StateDiverged: (
        N_("Nobody lost anything and nobody cheated: the same steps led two programs to two positions."),
        N_("The values are being compared …"),
    ),
}
"""What is at stake and what to do."""
_UNCOMPARED: Final = N_("The values are compared when {name} is connected again, or by the next bundles by post.")


def _trouble(notice: Standing, links: Links, log: Sequence[LoggedEvent], *, out: bool, pair: bool) -> TableTrouble:
    """out: True if the others go on without this member; pair: as in `Troubles.listed`."""
    name = shown(", ".join(map(str, _members(notice))))
    stake, todo = (
        _(text).format(name=name, do=DO) if text else "" for text in _told(notice, links, out=out, pair=pair)
    )
    deeds = tuple(_deeds(notice, links, out=out, pair=pair))
    stops = _("there are two histories") if isinstance(notice, SplitFound) else ""
    stops = apart.stopping(notice) if isinstance(notice, StateDiverged | DivergenceFound) else stops
    return TableTrouble(
        notice, notice_text(notice, pair=pair), stake, todo, deeds, _after(notice, log), stops, out and bool(stops)
    )


def _after(notice: Standing, log: Sequence[LoggedEvent]) -> str:
    """The step after which engines differ first, with what happened in it."""
    if not isinstance(notice, DivergenceFound):
        return ""
    step = notice.height - 1
    moved = [each.text.removesuffix(".") for each in log if each.height == step and not each.undone]
    return f"#{step} {'; '.join(moved)}" if moved else ""


def doubtful(trouble: TableTrouble) -> bool:
    """True if steps, or what a member signed, are not as they should be."""
    match trouble.notice:
        case DivergenceFound() | FaultProven() | SplitFound() | StateDiverged() | PeerStopped("lockstep/own-fault"):
            return True
    return False


def stopped_text(trouble: TableTrouble) -> str:
    """The sentence that the table has stopped, or goes on without this program, and why."""
    if trouble.ahead:
        return _("The others go on, and this program cannot follow: {why}.").format(why=trouble.stops)
    return _("The table has stopped: {why}.").format(why=trouble.stops)


def trouble_document(trouble: TableTrouble, most: int = EVERY) -> Document:
    """What is wrong, the fields in which engines differ, what is at stake, and what to do. most: of the fields about as
    many are shown."""
    differs = trouble.notice if isinstance(trouble.notice, DivergenceFound) else None
    fields, why = ((), "") if differs is None else (differs.rows, apart.why(differs))
    left = len(fields) - most if len(fields) > most + 1 else 0
    parties = () if differs is None else differs.sides
    sides = " | ".join(_(" and ").join(shown(each.name) for each in side) for side in parties)
    found: list[Block] = [Note(trouble.text, "alarm")]
    if fields:
        heads = [Cell(name, look="faint") for name in (_("where"), _("here"), _("there"))]
        rows = ((row.path, row.mine, row.theirs) for row in fields[: len(fields) - left])
        found.append(TextTable(heads, [[Cell(shown(str(text))) for text in row] for row in rows]))
    texts = (
        (_("… {n} more in the report").format(n=left) if left else "", "faint"),
        (_("First after: {what}").format(what=trouble.after) if trouble.after else "", ""),
        (_("Why: {why}").format(why=why) if why else "", ""),
        (_("Who agrees: {sides}").format(sides=sides) if sides else "", "question"),
        (f"{_('At stake:')} {trouble.stake}" if trouble.stake else "", ""),
        (f"{_('To do:')} {trouble.todo}" if trouble.todo else "", ""),
    )
    return [*found, *(Note(text, look) for text, look in texts if text)]


def _told(notice: Standing, links: Links, *, out: bool, pair: bool) -> tuple[str, str]:
    match notice:
        case LinkChanged(change) if pair and change in _PAIR:
            return _LINKS[change][0], _PAIR[change]
        case FaultProven() if pair:
            return _TOLD[FaultProven][0], _PAIR_FAULT
        case DivergenceFound() | StateDiverged(how="own" | "unknown"):
            return _TOLD[StateDiverged][0], apart.todo(notice, out=out)
        case StateDiverged(member) if not any(links(member.number)):
            return _TOLD[StateDiverged][0], _UNCOMPARED
        case PeerStopped(why):
            return _STOPPED.get("lockstep/given-up" if why == "lockstep/left" else why, ("", ""))
        case LinkChanged(change):
            return _LINKS[change]
    return _TOLD[type(notice)]


def _deeds(notice: Standing, links: Links, *, out: bool, pair: bool) -> Sequence[Remedy]:
    match notice:
        case LinkChanged(LinkChange.DOWN | LinkChange.LEFT, (who,)) | FaultProven(who) if links(who.number):
            alone = Remedy("alone", _("go on alone, at a new table that names this one"))
            return (alone if pair else _without(who),)
        case PeerStopped("lockstep/unconfirmed"):
            return (Remedy("newest", _("say that this is your newest copy of the table")),)
        case PeerStopped("lockstep/left-out"):
            return (Remedy("back", _("ask to be let in again")),)
        case PeerStopped("lockstep/twin" | "lockstep/elsewhere" | "lockstep/own-fault"):
            return (Remedy("quit", _("leave the table here; it stays")),)
        case StateDiverged(member, repair_from=start) | DivergenceFound(member, repair_from=start):
            again = _("leave; starlock resume plays the log again and compares")
            if not apart.signed(notice) and apart.more(notice) <= 0:  # else the other side has to mend its program
                again = _("leave; starlock resume plays the log again and compares (advised)")
            deeds = [Remedy("quit", again)]
            if start is not None and not out:
                text = _("propose that all read on from step {n}, once the programs agree")
                deeds.append(Remedy("repair", text.format(n=start), {"height": start}))
            if links(member.number) and not pair and not out and apart.more(notice) >= 0:  # no larger side is left out
                deeds.append(_without(member))
            return deeds
    return ()


def _without(member: Party) -> Remedy:
    text = _("propose to go on without {name}").format(name=shown(member.name))
    return Remedy("absent", text, {"members": [member.number]})
