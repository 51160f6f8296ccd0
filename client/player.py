"""What sits on a seat: a person at a terminal, or a bot.  The table at run time asks; players answer.

Everything here runs on the trio thread.  `Player.choose` is a task of its own for each seat that owes an answer, and is
cancelled when the answer is no longer wanted (a take-back, a pact, the end); `tell` and `notice` return at once.

`client.fronts` says which player is started for whom.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from client.notices import TableNotice
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.errors import Refusal
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose, Seal

if TYPE_CHECKING:  # it loads slowly
    from p2p.lockstep.account import RollReport
    from p2p.lockstep.genesis import Genesis
    from p2p.lockstep.machine import RefusalLike
    from p2p.lockstep.voting import Vote

__all__ = ["Asked", "LobbyControls", "Player", "TableControls"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A seat owes an answer.  `match` is a copy of the game of the player's own: a draft may run on it (undo is another
    `match.clone()`).  `height` names the wait at this table; after `refusal`, which tells why the last answer to the
    same wait was not taken, it is asked again."""

    seat: int
    match: Match
    lens: Lens
    ask: Choose[Any]
    height: int
    refusal: RefusalLike | None = None

    @property
    def sealed(self) -> bool:
        """True if this is a secret choice, whose options take no state."""
        return isinstance(self.match.pending, Seal)

    def view(self) -> View:
        """What the seat sees, not a copy: `match` is ours to change."""
        return self.match.view(self.ask.seat, self.lens, copy=False)


class LobbyControls(Protocol):
    """What a player may do before the table begins."""

    @property
    def examine(self) -> Callable[[Callable[[Sequence[str]], None]], None] | None:
        """Have the network looked at; what was found is told in lines after some seconds.  None without a network."""

    @property
    def inviting(self) -> bool:
        """True for who invites: newcomers are asked about, seats can be taken back."""

    @property
    def add_bot(self) -> Callable[[int], None] | None:
        """Let a bot take a free seat; None where none can be started."""

    def ready(self, yes: bool) -> None:
        """Say whether the table may begin."""

    def wish(self, word: str) -> None:
        """Say what I would like to play, by its id; empty for no wish.  It binds nobody."""

    def say(self, text: str) -> None:
        """Say something to all."""

    def remove(self, seat: int) -> None:
        """Send whoever sits there away; who may ask again."""


class TableControls(Protocol):
    """What a player may do at the table besides answering, and what it may look at (never change)."""

    @property
    def genesis(self) -> Genesis: ...

    @property
    def match(self) -> Match:
        """The public game as it stands; another object after `rewound`.  Copy it before drafting on it."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats held here."""

    @property
    def history(self) -> Sequence[tuple[int, Sequence[Event]]]:
        """What the game has told since its beginning, by height."""

    def stands(self, height: int) -> bool:
        """True if what happened at this height has not been taken back."""

    def past(self, height: int) -> Match | None:
        """The public game as it was when this height opened; None where there was none, or it was taken back."""

    def rolls(self) -> Sequence[RollReport]:
        """Every roll of dice so far, with who fixed and opened what."""

    def held(self) -> Mapping[str, int]:
        """Every other member by name: the height below which it is known to hold everything that is held here."""

    def lens(self, seat: int) -> Lens:
        """The faces that a seat held here knows."""

    def name(self, seat: int) -> str:
        """The name on a seat, safe to show."""

    def owing(self) -> Mapping[str, Sequence[int]]:
        """Who keeps the table waiting, by name, with the seats that owe an answer (none: dice, openings, and the words
        that are missing on a vote which binds this member)."""

    def debts(self) -> Mapping[str, str]:
        """The kind of entry that each of them owes, by name; "sign" for a word on a vote."""

    def linked(self) -> Mapping[str, bool]:
        """Every other member by name: whether there is a link."""

    def ways(self) -> Mapping[str, str]:
        """Every other member by name: "direct", "relay", "libp2p", the name of the member who passes everything on, or
        empty."""

    def votes(self) -> Sequence[Vote]:
        """The pacts that wait for my word."""

    def proposer(self, pact: bytes) -> str:
        """The name of who proposed this pact."""

    def chat(self, text: str) -> RefusalLike | None: ...

    def secrets_since(self, height: int) -> bool:
        """True if something hidden was shown at or above a height, so that a take-back has to say so."""

    def propose(
        self, kind: str, names: Sequence[str] = (), back_to: int | None = None, *, across: bool = False
    ) -> RefusalLike | None:
        """Propose `absent` {names}, `takeback` {back_to: a height; across: also across what was hidden and has been
        shown}, `end` or `back` to the members."""

    def vote(self, pact: bytes, yes: bool) -> RefusalLike | None: ...

    def vouch(self) -> RefusalLike | None:
        """Say that no newer entries of mine exist: where nobody is linked, nobody else can confirm it."""

    def claim(self, name: str) -> RefusalLike | None:
        """Sign that this member does not say what it owes, where the others are too few to go on without it."""

    @property
    def examine(self) -> Callable[[Callable[[Sequence[str]], None]], None] | None:
        """Have the network looked at; what was found is told in lines after some seconds.  None without a network."""

    @property
    def leave(self) -> Callable[[], None]:
        """Stop playing here and now; the table stays and can be resumed."""


class Player(Protocol):
    """One or more seats of a peer are played by this."""

    async def confirm(self, question: str) -> bool:
        """In the lobby, before the table begins: a question to be answered with yes or no.  Cancelled when it is no
        longer of interest."""

    def show(self, text: str, *, plain: bool = False) -> None:
        """In the lobby: lines to read.  plain: True for what a lobby that is drawn shows by itself."""

    def gather(self, controls: LobbyControls) -> None:
        """The lobby is open."""

    def sit(self, controls: TableControls) -> None:
        """The table begins, or goes on after a restart."""

    async def choose(self, asked: Asked) -> Sequence[Value]:
        """Consecutive answers of the seat, one or more; just one inside a Together or Seal."""

    def tell(self, height: int, events: Sequence[Event]) -> None:
        """A wait was resolved: what the game has to say."""

    def notice(self, notice: TableNotice) -> None:
        """Something happened at the table."""


def refusal_of(given: RefusalLike) -> Refusal:
    """A refusal of the table as one of the engine, for the wording tables."""
    detail = tuple(part if isinstance(part, int | str) else str(part) for part in given.detail)
    return Refusal(given.code, given.path, detail)
