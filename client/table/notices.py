# SPDX-License-Identifier: GPL-3.0-or-later
"""Notices: what a table tells its players besides the events of the game, as frozen values.

Each has a `code`, its stable id in the log of `--log`. `client.table.notice_words` puts them into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

from client.table.lobby_notices import LobbyNotice
from engine.core.dataclass import dataclass, fields_of

if TYPE_CHECKING:  # it loads slowly
    from p2p.lockstep.report import Difference


@dataclass(frozen=True, slots=True)
class Party:
    """A member: its number at the table, in the order of joining, by which it is known (-1 for a spectator), and its
    name, which another one may have too."""

    number: int
    name: str

    def __str__(self) -> str:
        return self.name


class LinkChange(Enum):
    """A change of the links to a member.

    Attributes:
        UP: a link is up.
        ANOTHER: a link replaced another, and nothing was lost.
        DOWN: the link is lost.
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
    """The links to members have changed. reason: the code why one ended, "" otherwise."""

    change: LinkChange
    members: tuple[Party, ...]
    reason: str = ""

    @property
    def code(self) -> str:
        return f"link/{self.change.value}"


@dataclass(frozen=True, slots=True)
class EndUnseen:
    """The game is over, and these members are not known to have seen so."""

    code: ClassVar = "late"
    members: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """A chat message. text: as received; None if the text is missing."""

    code: ClassVar = "chat"
    name: str
    text: str | None


@dataclass(frozen=True, slots=True)
class OthersHeard:
    """Between two heights one of several has answered, others owe something else, or all have verified more steps."""

    code: ClassVar = "others/heard"


@dataclass(frozen=True, slots=True)
class Owes:
    """A member keeps the table waiting. says: the member that states it."""

    code: ClassVar = "owes"
    member: Party
    says: Party


class VoteStage(Enum):
    """The stage of a proposal.

    Attributes:
        OPEN: it was made.
        REFUSED: somebody declines it.
        PASSED: all whose word it needs have agreed, and it takes effect when the step ends that is open now.
        AGREED: it took effect.
    """

    OPEN = "open"
    REFUSED = "refused"
    PASSED = "passed"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class VoteNotice:
    """A pact was proposed, refused or agreed on.

    Attributes:
        stage: the stage.
        kind: the kind of the pact, such as "takeback".
        at: the height at which it was proposed; the open one of a pact that has passed.
        out: the members that it is about.
        terms: the terms of the pact, by its kind.
        by: the member that proposed or refused it; None once all have agreed.
        reason: the code why it was refused, "" otherwise.
    """

    stage: VoteStage
    kind: str
    at: int = 0
    out: tuple[Party, ...] = ()
    terms: object = None
    by: Party | None = None
    reason: str = ""

    @property
    def code(self) -> str:
        return f"vote/{self.stage.value}"


@dataclass(frozen=True, slots=True)
class FaultProven:
    """A member has broken the protocol. rule: the code of the broken rule."""

    code: ClassVar = "fault"
    member: Party
    rule: str


@dataclass(frozen=True, slots=True)
class StateDiverged:
    """The program of a member has computed another state at this height. how: "own" if it is an earlier run of this
    program, "unknown" if the values of the member cannot be had, "" otherwise. repair_from: the height from
    which all may read on once their programs agree, None if they may not."""

    code: ClassVar = "diverged"
    member: Party
    height: int
    how: Literal["", "own", "unknown"] = ""
    repair_from: int | None = None


@dataclass(frozen=True, slots=True)
class StatesAgree:
    """The program of a member agrees with this one again, or the position where they differed is taken back."""

    code: ClassVar = "diverged/over"
    member: Party


@dataclass(frozen=True, slots=True)
class Program:
    """What computes a state.

    Attributes:
        version, python: versions of starlock and of Python.
        rules: name and version of the rules.
        content: the beginning of the digest of the content.
        repeats: True if it gets the same state when it plays the log again.
    """

    version: str
    python: str
    rules: str
    content: str
    repeats: bool


@dataclass(frozen=True, slots=True)
class DivergenceFound:
    """Where two engines differ.

    Attributes:
        member: the member whose program differs.
        height: the height of the compared position.
        path, mine, theirs: the first differing field and both values; `path` names sections if no field is known, and
            is "" if nothing differs when both play the log again.
        rows: the fields to show, the first among them.
        count: the number of differing fields.
        file: the report that holds all of them.
        sides: members grouped by the state that they have signed, this peer's group first.
        here, there: what computes on both sides, None if it is not known.
        repair_from: as in `StateDiverged`.
    """

    code: ClassVar = "diverged/report"
    member: Party
    height: int
    path: str
    mine: str
    theirs: str
    rows: tuple[Difference, ...]
    count: int
    file: Path
    sides: tuple[tuple[Party, ...], ...]
    here: Program | None = None
    there: Program | None = None
    repair_from: int | None = None


@dataclass(frozen=True, slots=True)
class SplitFound:
    """Members have different histories at this height."""

    code: ClassVar = "split"
    height: int
    members: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class HistoryRewound:
    """Moves from this height on do not count, because other members had agreed on something else."""

    code: ClassVar = "rewound"
    height: int


@dataclass(frozen=True, slots=True)
class BotFailed:
    """A bot of this machine gave no answer, and the caretaker's was signed for it. why: a code, or a text of the
    system."""

    code: ClassVar = "bot/failed"
    name: str
    height: int
    why: str


@dataclass(frozen=True, slots=True)
class PeerStopped:
    """This peer gives no answers for now. why: the code of the reason, such as "lockstep/twin"."""

    code: ClassVar = "stopped"
    why: str


@dataclass(frozen=True, slots=True)
class Restoring:
    """Progress of reading the table's log: `done` entries of `total`."""

    code: ClassVar = "restoring"
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DiskFull:
    """The disk of this file is full; the table waits."""

    code: ClassVar = "store/full"
    path: Path


@dataclass(frozen=True, slots=True)
class DiskReady:
    """The disk has room again."""

    code: ClassVar = "store/ready"


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game is over. why: the code of the reason, "" for its ordinary end."""

    code: ClassVar = "over"
    why: str = ""


@dataclass(frozen=True, slots=True)
class OwnFeedConfirmed:
    """This is the newest copy of the table. recovered: how many own entries came back from others."""

    code: ClassVar = "own-feed/confirmed"
    recovered: int


@dataclass(frozen=True, slots=True)
class AnswerMade:
    """This home shows an answer to a ticket that leads nowhere. line: "" before it can be made, and from when it is not
    needed any more. asks: True while the address of this home outside may be typed."""

    code: ClassVar = "answer"
    line: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class MoveAsked:
    """These members were asked to let the new key of this home go on."""

    code: ClassVar = "home/move-asked"
    members: tuple[Party, ...]


TableNotice: TypeAlias = (
    LinkChanged
    | EndUnseen
    | OthersHeard
    | ChatSaid
    | Owes
    | VoteNotice
    | FaultProven
    | StateDiverged
    | StatesAgree
    | DivergenceFound
    | SplitFound
    | HistoryRewound
    | BotFailed
    | PeerStopped
    | Restoring
    | DiskFull
    | DiskReady
    | GameOver
    | MoveAsked
    | AnswerMade
    | OwnFeedConfirmed
    | LobbyNotice
)


NAMED: Final = {"member": "name", "members": "names"}


def logged(notice: TableNotice) -> Mapping[str, str]:
    """The values of a notice as texts, for the log; members by their names."""
    values = {name: getattr(notice, name) for name in fields_of(type(notice))}
    return {NAMED.get(name, name): _text(value) for name, value in values.items() if not isinstance(value, Enum)}


def _text(value: object) -> str:
    if isinstance(value, tuple):
        alone = all(isinstance(each, str | Party) for each in value)
        return ", ".join(map(str, value)) if alone else str(_plain(value))
    return str(value)


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value.name if isinstance(value, Party) else value
