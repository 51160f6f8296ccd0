"""Notices: what a table tells its players besides the events of the game, as a small set of frozen values.

Each has a `code`, a stable id that the log of `--log` names it by.  `client.table.notice_words` says them in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from engine.core.dataclass import dataclass, fields_of

if TYPE_CHECKING:  # it loads slowly
    from p2p.lockstep.report import Difference

__all__ = [
    "ChatSaid",
    "DiskFull",
    "DiskReady",
    "DivergenceFound",
    "EndUnseen",
    "FaultProven",
    "GameOver",
    "HistoryRewound",
    "LinkChange",
    "LinkChanged",
    "LobbyMember",
    "LobbyNearby",
    "LobbyNotice",
    "LobbyRoom",
    "LobbyTerms",
    "LobbyTicket",
    "LobbyWatcher",
    "Owes",
    "OwnFeedConfirmed",
    "PeerStopped",
    "Restoring",
    "SplitFound",
    "StateDiverged",
    "TableNotice",
    "VoteNotice",
    "VoteStage",
    "logged",
]


class LinkChange(Enum):
    """What happened to the links to somebody.

    Attributes:
        UP: there is one.
        ANOTHER: one took the place of another, and nothing was lost.
        DOWN: it is lost.
        LEFT: they left on purpose.
        FINISHED: they have the whole game and left.
        ALONE: there has been no link to anybody for a while.
    """

    UP = "up"
    ANOTHER = "another"
    DOWN = "down"
    LEFT = "left"
    FINISHED = "finished"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The links to members have changed.  reason: code of why one ended, "" otherwise."""

    change: LinkChange
    names: tuple[str, ...]
    reason: str = ""

    @property
    def code(self) -> str:
        return f"link/{self.change.value}"


@dataclass(frozen=True, slots=True)
class EndUnseen:
    """The game is over, and these members are not known to have seen so."""

    code: ClassVar = "late"
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """Somebody said something.  text: as it came; None for one that did not come along."""

    code: ClassVar = "chat"
    name: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Owes:
    """A member says that another one keeps the table waiting.  says: who says so."""

    code: ClassVar = "owes"
    name: str
    says: str


class VoteStage(Enum):
    """How far a proposal is."""

    OPEN = "open"
    REFUSED = "refused"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class VoteNotice:
    """A pact was proposed, refused or agreed on.

    Attributes:
        stage: which of these.
        kind: of the pact, such as "takeback".
        at: height at which it stands.
        out: names of the members that it is about.
        terms: of the pact, by its kind.
        name: who proposed or refused it; "" once it is agreed on.
        reason: code of why it was refused, "" otherwise.
    """

    stage: VoteStage
    kind: str
    at: int = 0
    out: tuple[str, ...] = ()
    terms: object = None
    name: str = ""
    reason: str = ""

    @property
    def code(self) -> str:
        return f"vote/{self.stage.value}"


@dataclass(frozen=True, slots=True)
class FaultProven:
    """A member has broken the protocol.  rule: code of the rule that was broken."""

    code: ClassVar = "fault"
    name: str
    rule: str


@dataclass(frozen=True, slots=True)
class StateDiverged:
    """The program of a member has computed another state at this height."""

    code: ClassVar = "diverged"
    name: str
    height: int


@dataclass(frozen=True, slots=True)
class DivergenceFound:
    """Where two engines differ.

    Attributes:
        name: of the member whose program differs.
        height: of the position that was compared.
        path, mine, theirs: the first place and both values; `path` names sections where no place is known.
        rows: the places to show, the first among them.
        count: of all places.
        file: the report that holds all of them.
        sides: names by the state that they have signed, the own side first.
    """

    code: ClassVar = "diverged/report"
    name: str
    height: int
    path: str
    mine: str
    theirs: str
    rows: tuple[Difference, ...]
    count: int
    file: Path
    sides: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SplitFound:
    """Members stand at different histories at this height."""

    code: ClassVar = "split"
    height: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HistoryRewound:
    """What was played from this height on does not count: others had agreed on something else."""

    code: ClassVar = "rewound"
    height: int


@dataclass(frozen=True, slots=True)
class PeerStopped:
    """This peer answers nothing for now.  why: code of the reason, such as "lockstep/twin"."""

    code: ClassVar = "stopped"
    why: str


@dataclass(frozen=True, slots=True)
class Restoring:
    """So many entries of the table's log have been read again."""

    code: ClassVar = "restoring"
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DiskFull:
    """There is no room on the disk of this file; the table waits."""

    code: ClassVar = "store/full"
    path: Path


@dataclass(frozen=True, slots=True)
class DiskReady:
    """There is room on the disk again."""

    code: ClassVar = "store/ready"


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game is over.  why: code of the reason, "" at its ordinary end."""

    code: ClassVar = "over"
    why: str = ""


@dataclass(frozen=True, slots=True)
class OwnFeedConfirmed:
    """This is the newest copy of the table.  back: own entries that came back from others."""

    code: ClassVar = "own-feed/confirmed"
    back: int


@dataclass(frozen=True, slots=True)
class LobbyTerms:
    """What is going to be played.  options: values by name."""

    code: ClassVar = "lobby/terms"
    game: str
    seats: int
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LobbyWatcher:
    """Somebody who follows without a seat.

    Attributes:
        words: of the identity, which two people compare aloud.
        way: "direct", "relay", "libp2p", the name of the friend who relays, or "" without a link from here.
        rtt: the round trip in milliseconds, None where it is not known.
    """

    words: str
    way: str = ""
    rtt: int | None = None


@dataclass(frozen=True, slots=True)
class LobbyMember:
    """Somebody who has taken seats.

    Attributes:
        name: as it came.
        seats: their numbers.
        mine: True for the own peer.
        words: of the identity, which two people compare aloud.
        way: "direct", "relay", "libp2p", the name of the friend who relays, or "" without a link from here.
        rtt: the round trip in milliseconds, None where it is not known.
        ready: True if they say that the table may begin.
        wish: what they would like to play, by its id, "" for nothing.
    """

    name: str
    seats: tuple[int, ...]
    mine: bool
    words: str = ""
    way: str = ""
    rtt: int | None = None
    ready: bool = False
    wish: str = ""


@dataclass(frozen=True, slots=True)
class LobbyRoom:
    """Who is there before the table begins.  free: seats that nobody has taken."""

    code: ClassVar = "lobby/room"
    members: tuple[LobbyMember, ...]
    free: int
    watching: tuple[LobbyWatcher, ...] = ()


@dataclass(frozen=True, slots=True)
class LobbyTicket:
    """The ticket by which others come."""

    code: ClassVar = "lobby/ticket"
    ticket: str


@dataclass(frozen=True, slots=True)
class LobbyNearby:
    """Which other tables are open on this network, each as one line."""

    code: ClassVar = "lobby/nearby"
    tables: tuple[str, ...]


LobbyNotice: TypeAlias = LobbyTerms | LobbyRoom | LobbyTicket | LobbyNearby
TableNotice: TypeAlias = (
    LinkChanged
    | EndUnseen
    | ChatSaid
    | Owes
    | VoteNotice
    | FaultProven
    | StateDiverged
    | DivergenceFound
    | SplitFound
    | HistoryRewound
    | PeerStopped
    | Restoring
    | DiskFull
    | DiskReady
    | GameOver
    | OwnFeedConfirmed
    | LobbyNotice
)


def logged(notice: TableNotice) -> Mapping[str, str]:
    """The values of a notice as texts, for the log."""
    values = {name: getattr(notice, name) for name in fields_of(type(notice))}
    return {name: _text(value) for name, value in values.items() if not isinstance(value, Enum)}


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) if all(isinstance(each, str) for each in value) else str(_plain(value))
    return str(value)


def _plain(value: object) -> object:
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
