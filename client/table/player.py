# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface between a table and its players: the table asks, players answer. Bots answer by
`client.table.thinker`, so a player is asked for the seats of people alone.

Everything here runs on the trio thread. `Player.choose` runs in a task of its own for each seat that owes an answer,
and is cancelled when the answer is no longer needed (a take-back, a pact, the end); `tell` and `notice` return at once.

`client.fronts` lists the players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from client.table.notices import TableNotice
from engine.core.cards import Lens
from engine.core.dataclass import dataclass
from engine.core.errors import LocalError, Refusal
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose, Seal

if TYPE_CHECKING:  # it loads slowly
    from pathlib import Path

    from p2p.lockstep.account import RollReport, StepReport
    from p2p.lockstep.genesis import Genesis
    from p2p.lockstep.machine import RefusalLike
    from p2p.lockstep.voting import Vote


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a seat that owes an answer. `match` is the player's own copy of the game, to draft on (undo is
    another `match.clone()`). `height` identifies the wait at this table. `refusal` is why the last answer to the same
    wait was refused, None at the first time."""

    seat: int
    match: Match
    lens: Lens
    ask: Choose[Any]
    height: int
    refusal: RefusalLike | None = None

    @property
    def sealed(self) -> bool:
        """True for a secret choice, whose options depend on no state."""
        return isinstance(self.match.pending, Seal)

    def view(self) -> View:
        """The view of the seat on `match`, not a copy."""
        return self.match.view(self.ask.seat, self.lens, copy=False)


class LobbyControls(Protocol):
    """What a player may do before the table begins."""

    @property
    def examine(self) -> Callable[[Callable[[Sequence[str]], None]], None] | None:
        """Check the network; the callback gets the findings as lines after some seconds. None without a network."""

    @property
    def inviting(self) -> bool:
        """True for the inviter, who is asked about newcomers and can remove players."""

    @property
    def add_bot(self) -> Callable[..., bool] | None:
        """Let a bot of this machine take a free seat; False if that is not possible now. None for guests."""

    @property
    def change(self) -> Callable[[int, Mapping[str, str]], str] | None:
        """Offer the table with other seats and options; everybody has to be ready again. Returns why that is not
        possible, "" if it is. None for guests."""

    def ready(self, yes: bool) -> None:
        """State whether the table may begin."""

    def wish(self, word: str) -> None:
        """State what this player would like to play, by its id; empty for no wish. Wishes are not binding."""

    def say(self, text: str) -> RefusalLike | None:
        """Say something to all. Returns why nobody hears it, None if they do."""

    def remove(self, seat: int) -> None:
        """Remove the player from a seat; that player may ask again."""


class TableControls(Protocol):
    """What a player may do at the table besides answering, and what it may read but not change."""

    @property
    def genesis(self) -> Genesis: ...

    @property
    def match(self) -> Match:
        """The public game as it stands; another object after `rewound`. Copy it before drafting on it."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that people play here, without those of bots."""

    @property
    def height(self) -> int:
        """The height that is open now."""

    @property
    def history(self) -> Sequence[tuple[int, Sequence[Event]]]:
        """The events of the game since its beginning, by height, also those that were taken back."""

    def stands(self, height: int) -> bool:
        """True if what happened at this height has not been taken back."""

    def past(self, height: int) -> Match | None:
        """The public game as it was when this height opened; None where there was none, or it was taken back."""

    def rolls(self) -> Sequence[RollReport]:
        """Every roll of dice so far, with its commitments and seeds."""

    def seals(self) -> Mapping[int, str]:
        """The seats whose secret choice is sealed and not yet opened, or was just opened, each with the first letters
        of the id of its entry."""

    def answered(self, seat: int) -> tuple[int, int] | None:
        """The heights of the first and the last answer that a seat held here sent last, of those that were not taken
        back; None before any."""

    def steps(self, first: int) -> Mapping[int, StepReport]:
        """The signed entries of each resolved height from `first` on, with the running hash; empty where nothing is
        signed."""

    def deals(self) -> int:
        """How many times sealed cards were dealt."""

    def hands(self) -> Mapping[int, Mapping[str, int]]:
        """By seat, how many cards of each sealed deck it holds unopened; empty where decks are open."""

    @property
    def save(self) -> Callable[[], Path] | None:
        """Write the game so far to a .star file of this home, without the chat, and return its path. UserError if
        that fails. None where there is no log."""

    def held(self) -> Mapping[int, int]:
        """By seat of every other member: the height below which it is known to hold everything that is held here."""

    def lens(self, seat: int) -> Lens:
        """The card faces that a seat of a person here knows; none for any other seat."""

    def name(self, seat: int) -> str:
        """The name on a seat, safe to show."""

    def owing(self) -> Sequence[int]:
        """The seats that owe an answer."""

    def debts(self) -> Mapping[int, str]:
        """By seat, the kind of entry that keeps the table waiting; "sign" for a vote that this member must wait for.
        Seeds, openings and votes are owed by all people of a member."""

    def linked(self) -> Mapping[int, bool]:
        """By seat of every other member present: whether there is a link."""

    def members(self) -> Mapping[int, int]:
        """By seat, the number of its member, in the order of joining."""

    def ways(self) -> Mapping[int, str]:
        """By seat, also of members left out, but of none that was given up for good: "direct", "relay", "libp2p", the
        name of the member who relays, or empty without a link; "here" for the seats of this machine."""

    def votes(self) -> Sequence[Vote]:
        """The pacts that wait for this member's vote."""

    def proposer(self, pact: bytes) -> str:
        """The name of the member that proposed this pact."""

    def chat(self, text: str) -> RefusalLike | None: ...

    def secrets_since(self, height: int) -> bool:
        """True if something hidden was revealed at or above a height, so that a take-back has to name that."""

    def propose(
        self, kind: str, about: Sequence[int] = (), back_to: int | None = None, *, across: bool = False
    ) -> RefusalLike | None:
        """Propose `absent` or `gone` {about: numbers of members}, `takeback` {back_to: a height; across: True to take
        back reveals too}, `repair` {back_to: the height where programs differed}, `end` or `back` to the members, or
        `leave` for good."""

    def vote(self, pact: bytes, yes: bool) -> RefusalLike | None: ...

    def vouch(self) -> RefusalLike | None:
        """State that no newer entries of this member exist, for when no linked member can confirm it."""

    def claim(self, member: int) -> RefusalLike | None:
        """Sign that a member does not send what it owes, for tables where the others are too few to go on without
        it."""

    @property
    def examine(self) -> Callable[[Callable[[Sequence[str]], None]], None] | None:
        """Check the network; the callback gets the findings as lines after some seconds. None without a network."""

    @property
    def reach(self) -> Callable[[str], str] | None:
        """The text with the ticket by which members find this table again. None where that is not possible."""

    @property
    def alone(self) -> Callable[[Sequence[str]], None] | None:
        """Stop playing here, and go on alone at a new table that names this one; the words are options of `starlock
        resume`. None where that is not possible."""

    @property
    def leave(self) -> Callable[[], None]:
        """Stop playing here and now; the table stays and can be resumed."""


class Player(Protocol):
    """Plays one or more seats of a peer."""

    async def confirm(self, question: Callable[[], str]) -> bool:
        """Ask a yes-or-no question in the lobby. Cancelled when the answer is no longer needed.

        question: returns its text in the language in use, which may change while it is open.
        """

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        """Show lines in the lobby. told: returns them in the language in use, which may change while they are shown.
        plain: True for lines that a drawn lobby shows anyway."""

    def gather(self, controls: LobbyControls) -> None:
        """The lobby is open."""

    def sit(self, controls: TableControls) -> None:
        """The table begins, or goes on after a restart."""

    async def choose(self, asked: Asked) -> Sequence[Value]:
        """Consecutive answers of the seat, one or more; just one inside a Together or Seal."""

    def tell(self, height: int, events: Sequence[Event]) -> None:
        """A wait was resolved with these events."""

    def notice(self, notice: TableNotice) -> None:
        """Something other than an event of the game happened at the table."""


class Nobody:
    """A player of whom nothing is asked: a bot plays for the user, or a table is only updated or left."""

    async def confirm(self, question: Callable[[], str]) -> bool:
        return False

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None: ...

    def gather(self, controls: LobbyControls) -> None: ...

    def sit(self, controls: TableControls) -> None: ...

    async def choose(self, asked: Asked) -> Sequence[Value]:
        raise LocalError(f"seat {asked.seat} has no person to ask")

    def tell(self, height: int, events: Sequence[Event]) -> None: ...

    def notice(self, notice: TableNotice) -> None: ...


def seats_of(controls: TableControls, member: int) -> list[int]:
    """The seats of the member with this number, ascending."""
    return [seat for seat, number in controls.members().items() if number == member]


def refusal_of(given: RefusalLike) -> Refusal:
    """Convert a refusal of the table to one of the engine, for the wording tables."""
    detail = tuple(part if isinstance(part, int | str) else str(part) for part in given.detail)
    return Refusal(given.code, given.path, detail)
