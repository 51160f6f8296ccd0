# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface by which the client draws a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from client.show.battles import Battle, Plan, Supposed
from client.show.chart import Chart
from client.show.draws import Drawing
from client.show.hexmap import Zoom
from client.show.sheets import Bench, Sheet, Shelf
from client.show.styled import Glyphs, Line
from client.system.registry import game_client, load
from client.words import PLAIN, DisplayNames
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

__all__ = ["WIDE", "BattleOdds", "Count", "Fights", "Frame", "Picture", "Pictures", "pictures"]

WIDE: Final = 110
"""From so many columns on, words are spelt out."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The input of a picture.

    Attributes:
        view: the view of the seat (`view.seat` is below 0 for a spectator).
        names: the names of the seats, safe to show.
        words: the typed arguments, such as a sector's number.
        width: available columns.
        display_names: the display names at this table, else those of its game.
        history: the events of the game by height, () where they are not at hand.
    """

    view: View
    names: Sequence[str]
    glyphs: Glyphs
    words: Sequence[str] = ()
    width: int = 80
    display_names: DisplayNames = PLAIN
    history: Sequence[tuple[int, Sequence[Event]]] = ()

    def __post_init__(self) -> None:
        """Use the display names of the game if the table gives none."""
        if not self.display_names.game:
            object.__setattr__(self, "display_names", DisplayNames(self.view.g.table.game))

    @property
    def g(self) -> Any:
        """The state that is shown."""
        return self.view.g

    def letter(self, seat: int) -> str:
        """A seat's letter, `-` for no seat."""
        return chr(ord("A") + seat) if seat >= 0 else "-"

    def seat(self, word: str) -> int | None:
        """The seat with this letter, or with a name that begins so."""
        for seat, name in enumerate(self.names):
            if word.upper() == self.letter(seat) or word.lower() == name.lower():
                return seat
        near = [seat for seat, name in enumerate(self.names) if name.lower().startswith(word.lower())]
        return near[0] if len(near) == 1 else None


Draw = Callable[[Frame], Sequence[Line]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A command that shows something.

    Attributes:
        usage: the arguments after its name.
        summary: English, marked for translation.
        sheet: the same picture as a sheet, None for text only.
        title: the title of its tab next to a map, marked for translation, "" for no tab.
    """

    usage: str
    summary: str
    draw: Draw
    sheet: Callable[[Frame], Sequence[Sheet]] | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of each seat at one moment, such as its ships, with its chapter, such as fleets."""

    chapter: str
    name: str
    by_seat: Sequence[int]


@dataclass(frozen=True, slots=True)
class BattleOdds:
    """The odds of one battle.

    Attributes:
        attacker, defender: seats, -1 for neutral ships.
        wins, loses: the probabilities that the attacker and the defender win; the rest of 1 is for no winner.
    """

    attacker: int
    defender: int
    wins: float
    loses: float


@dataclass(frozen=True, slots=True)
class Fights:
    """How to find the battles of a game in its events.

    Attributes:
        opens: the event that begins a battle, and its argument that names the space.
        belonging: the ids of its events, or their first parts.
        forces: the units of each side in a space, in words, by seat (-1 for neutral units).
        odds: the odds of the battle that begins in a space, None if they cannot be computed.
        dice: True if dice decide battles.
    """

    opens: tuple[str, str]
    belonging: frozenset[str]
    forces: Callable[[Frame, str], Sequence[tuple[int, str]]]
    odds: Callable[[Frame, str], BattleOdds | None] = lambda _frame, _space: None
    dice: bool = True


@dataclass(frozen=True, slots=True)
class Pictures:
    """Everything that can be shown of a game.

    Attributes:
        commands: the pictures by name.
        status: one line about the seat, in full words on a wide screen.
        before: lines to show before an answer.
        hint: the meaning of an option here, beyond its notation (`so_far`: the earlier picks of an answer in stages).
        aside: True for an option that does not answer the question but may be done at any time.
        seats: True if the numbers to pick from are seats.
        question: the question at this stage of an answer, "" for the choice's own sentence.
        waive: the answer that declines a recurring choice, None for any other choice.
        phase: the part of the game for which `hold` answers so.
        example: an example of shortened answers, for the help.
        outlook: the consequences of the position for a seat, such as battles with their odds, shown before a draft is
            sent.
        lasting: the options of a choice that recurs turn by turn, each with its letter, in the order of their lasting
            numbers.
        opening: events that begin a new paragraph of what a seat does.
        sources: the sources of points, by the part of a score.
        title: an option in words, "" if its notation is enough.
        places: the spaces that an option names, in the order of its words, by the ids of `drawing`.
        drawing: the map as SVG, "" if the game has none.
        figures: numbers to show next to a seat's name, each with its name.
        home: the space where the seat began, "" if there is none or not yet, by the same ids.
        happened: the spaces that an event names, by the same ids.
        form: the sheet for answering a question with these options, () if a list is as good.
        fight: the present battle, given the last events, None without one.
        advised: the option computed to be the best, None if none can be computed.
        growth: the numbers of the game to compare over time.
        battles: how to find the battles of the game in its events, None if it has none.
        draws: the random draws of single seats, given the state and all events.
        planned: a secret plan with what its owner has picked so far.
        fight_on: the advised answer in the present battle, () for any other question.
        suppose: the present battle, or the one in a space ("" for none), with changed numbers; None without odds.
        chance: a note about chance in this game and what is not counted, marked for translation.
        chart: the map as text; its spaces have the same ids.
        moment: the round and the part of it, in a few words.
        state: what all should know about a seat besides its figures, such as that it has passed; "" for nothing.
        seat_board: the parts of a seat's board, the same ones for every seat so that two boards can be compared; ()
            for no board.
        shelves: a line about how prices come about, and what can be bought, () for a game without.
        workbenches: the editor of a question about the parts of ships, () for any other question; None for a game
            without such parts.
        hands: in whose hands what was bought is.
    """

    commands: Mapping[str, Picture]
    status: Callable[[Frame], str]
    before: Callable[[Frame, Choose[Any]], Sequence[Line]]
    hint: Callable[[Frame, Choose[Any], Value, tuple[Value, ...]], str]
    aside: Callable[[Value], bool]
    seats: Callable[[Choose[Any], tuple[Value, ...]], bool] = lambda _choose, _so_far: False
    question: Callable[[Frame, Choose[Any], tuple[Value, ...]], str] = lambda _frame, _choose, _so_far: ""
    waive: Callable[[Choose[Any]], Value] = lambda _choose: None
    phase: Callable[[Any], object] = lambda _g: None
    example: str = ""
    opening: frozenset[str] = frozenset()
    sources: Mapping[str, str] = field(default_factory=dict)
    lasting: Callable[[Choose[Any]], Sequence[tuple[Value, str]]] = lambda _choose: ()
    outlook: Callable[[Frame, int], Sequence[Line]] = lambda _frame, _seat: ()
    title: Callable[[Frame, Choose[Any], Value, tuple[Value, ...]], str] = lambda _frame, _choose, _option, _so_far: ""
    places: Callable[[Frame, Choose[Any], Value, tuple[Value, ...]], Sequence[str]] = (
        lambda _frame, _choose, _option, _so_far: ()
    )
    drawing: Callable[[Frame], str] = lambda _frame: ""
    figures: Callable[[Frame, int], Sequence[tuple[str, int]]] = lambda _frame, _seat: ()
    home: Callable[[Frame], str] = lambda _frame: ""
    happened: Callable[[Any, Event], Sequence[str]] = lambda _g, _event: ()
    form: Callable[[Frame, Choose[Any], Sequence[Value], tuple[Value, ...]], Sequence[Sheet]] = (
        lambda _frame, _choose, _options, _so_far: ()
    )
    fight: Callable[[Frame, Sequence[Event]], Battle | None] = lambda _frame, _events: None
    advised: Callable[[Frame, Choose[Any], tuple[Value, ...]], Value] = lambda _frame, _choose, _so_far: None
    planned: Callable[[Frame, Choose[Any], Plan, tuple[Value, ...]], Plan] = lambda _frame, _choose, plan, _picks: plan
    fight_on: Callable[[Frame, Choose[Any]], Sequence[Value]] = lambda _frame, _choose: ()
    suppose: Callable[[Frame, str, Mapping[str, int]], Supposed | None] = lambda _frame, _space, _numbers: None
    growth: Callable[[Frame], Sequence[Count]] = lambda _frame: ()
    battles: Fights | None = None
    draws: Callable[[Any, Sequence[Event]], Sequence[Drawing]] = lambda _g, _events: ()
    chance: str = ""
    chart: Callable[[Frame, Zoom], Chart] = lambda _frame, _zoom: Chart()
    moment: Callable[[Frame], str] = lambda _frame: ""
    state: Callable[[Frame, int], str] = lambda _frame, _seat: ""
    seat_board: Callable[[Frame, int], Sequence[Sequence[Line]]] = lambda _frame, _seat: ()
    shelves: Callable[[Frame], tuple[str, Sequence[Shelf]]] = lambda _frame: ("", ())
    workbenches: Callable[[Frame, Choose[Any], tuple[Value, ...]], Sequence[Bench]] | None = None
    hands: Callable[[Frame], Sequence[Line]] = lambda _frame: ()

    def standing(self, frame: Frame) -> str:
        """One line about the moment and the seat."""
        return f" {frame.glyphs.walls[5]} ".join(filter(None, (self.moment(frame), self.status(frame))))


NONE: Final = Pictures(
    {},
    lambda _frame: "",
    lambda _frame, _choose: (),
    lambda _frame, _choose, _option, _so_far: "",
    lambda _option: False,
)


def pictures(game: str) -> Pictures:
    """The pictures of a game; empty ones for a game that has none."""
    place = game_client(game).pictures
    found: Pictures = load(place) if place else NONE
    return found
