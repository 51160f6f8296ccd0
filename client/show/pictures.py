# SPDX-License-Identifier: GPL-3.0-or-later
"""The interface by which the client draws a game."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Reversible, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from client.show.battles import Battle, Plan, Supposed
from client.show.document import Document, Sheet
from client.show.draws import Draws
from client.show.lines import ROWS, lines
from client.show.map import Map, parts
from client.show.styled import Glyphs, Line, owner_letter
from client.system.journal import Journal, no_log
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import _
from client.words import PLAIN, DisplayNames
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

Picks: TypeAlias = tuple[Value, ...]

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
        height: available rows for pictures in lines, 0 for any number.
        display_names: the display names at this table, else those of its game.
        history: the events of the game by height, without those taken back; () where they are not at hand.
    """

    view: View
    names: Sequence[str]
    glyphs: Glyphs
    words: Sequence[str] = ()
    width: int = 80
    display_names: DisplayNames = PLAIN
    history: Reversible[tuple[int, Sequence[Event]]] = ()
    height: int = ROWS

    def __post_init__(self) -> None:
        """Use the display names of the game if the table gives none."""
        if not self.display_names.game:
            object.__setattr__(self, "display_names", DisplayNames(self.view.g.table.game))

    @property
    def g(self) -> Any:
        return self.view.g

    def letter(self, seat: int) -> str:
        """A seat's letter, `-` for no seat."""
        return owner_letter(seat)

    def seat(self, word: str) -> int | None:
        """The seat with this letter, or with a name that begins so."""
        for seat, name in enumerate(self.names):
            if word.upper() == self.letter(seat) or word.lower() == name.lower():
                return seat
        near = [seat for seat, name in enumerate(self.names) if name.lower().startswith(word.lower())]
        return near[0] if len(near) == 1 else None


@dataclass(frozen=True, slots=True)
class Picture:
    """A command that shows something.

    Attributes:
        usage: the arguments after its name.
        summary: English, marked for translation.
        document: the blocks that it consists of.
        title: the title of its tab next to a map, marked for translation, "" for no tab.
    """

    usage: str
    summary: str
    document: Callable[[Frame], Document]
    title: str = ""

    def draw(self, frame: Frame) -> Sequence[Line]:
        return lines(self.document(frame), frame.width, frame.height)


@dataclass(frozen=True, slots=True)
class Documents:
    """What is drawn of a game.

    Attributes:
        commands: the pictures by name.
        goods: the picture of what can be bought or is held in the hand, by the name of its command.
        offers: the part of it that matters to the seat now; None for all of it.
        before: what to show before an answer.
        outlook: the consequences of the position for a seat, such as battles with their odds, shown before a draft is
            sent.
        form: the sheet for answering a question with these options, () if a list is as good.
        map: the map, without places if the game has none; its places have the ids of the spaces in options and events.
        spaces: the ids of all spaces that there are in the game.
        home: the space where the seat began, "" if there is none or not yet.
        status: one line about the seat, in full words on a wide screen.
        moment: the round and the part of it, in a few words.
        state: what all should know about a seat besides its figures, such as that it has passed; "" for nothing.
    """

    commands: Mapping[str, Picture] = field(default_factory=dict)
    goods: str = ""
    offers: Callable[[Frame], Document] | None = None
    before: Callable[[Frame, Choose[Any]], Document] = lambda _frame, _choose: ()
    outlook: Callable[[Frame, int], Document] = lambda _frame, _seat: ()
    form: Callable[[Frame, Choose[Any], Sequence[Value], Picks], Sequence[Sheet]] = (
        lambda _frame, _choose, _options, _so_far: ()
    )
    map: Callable[[Frame], Map] = lambda _frame: Map()
    spaces: Callable[[Any], Container[str]] = lambda _g: ()
    home: Callable[[Frame], str] = lambda _frame: ""
    status: Callable[[Frame], str] = lambda _frame: ""
    moment: Callable[[Frame], str] = lambda _frame: ""
    state: Callable[[Frame, int], str] = lambda _frame, _seat: ""

    def drawing(self, frame: Frame) -> str:
        """The map as SVG, "" if the game has none."""
        return "".join(parts(self.map(frame)))

    def happened(self, g: Any, event: Event) -> Sequence[str]:
        """The spaces that an event names."""
        known = self.spaces(g)
        return [value for value in event.args.values() if isinstance(value, str) and value in known]

    def wares(self, frame: Frame) -> Document:
        """The picture of what can be bought or is held in the hand, () for a game without."""
        return self.commands[self.goods].document(frame) if self.goods in self.commands else ()

    def offered(self, frame: Frame) -> Document:
        """The part of the wares that matters to the seat now."""
        return self.wares(frame) if self.offers is None else self.offers(frame)

    @property
    def whole(self) -> str:
        """The picture of the whole position: the map, else the first one; "" for a game without pictures."""
        return "map" if "map" in self.commands else next(iter(self.commands), "")

    def beside(self, frame: Frame) -> Mapping[str, Picture]:
        """The pictures that stand beside a drawn map, by title: those with a tab, without that of the signs on a map of
        text. Where no map is drawn, that of the whole position stands with them."""
        whole = "" if self.map(frame).label else self.whole
        shown = (each for name, each in self.commands.items() if name == whole or (each.title and name != "legend"))
        return {_(each.title or each.summary): each for each in shown}

    def standing(self, frame: Frame) -> str:
        """One line about the moment and the seat."""
        return f" {frame.glyphs.walls[5]} ".join(filter(None, (self.moment(frame), self.status(frame))))


@dataclass(frozen=True, slots=True)
class Questioning:
    """What the questions of a game and their options mean. `so_far`: the earlier picks of an answer in stages.

    Attributes:
        text: the question at this stage of an answer, "" for the choice's own sentence.
        title: an option in words, "" if its notation is enough.
        hint: the meaning of an option here, beyond its notation.
        places: the spaces that an option names, in the order of its words.
        aside: True for an option that does not answer the question but may be done at any time.
        seats: True if the numbers to pick from are seats.
        waive: the answer that declines a recurring choice, None for any other choice.
        lasting: the options of a choice that recurs turn by turn, each with its letter, in the order of their lasting
            numbers.
        phase: the part of the game for which `hold` answers so.
        opening: events that begin a new paragraph of what a seat does.
        amounts: fields of options that hold an amount.
        exchange: the option that exchanges one thing for another, by its word, "" if there is none.
        example: an example of shortened answers, for the help.
    """

    text: Callable[[Frame, Choose[Any], Picks], str] = lambda _frame, _choose, _so_far: ""
    title: Callable[[Frame, Choose[Any], Value, Picks], str] = lambda _frame, _choose, _option, _so_far: ""
    hint: Callable[[Frame, Choose[Any], Value, Picks], str] = lambda _frame, _choose, _option, _so_far: ""
    places: Callable[[Frame, Choose[Any], Value, Picks], Sequence[str]] = lambda _frame, _choose, _option, _so_far: ()
    aside: Callable[[Value], bool] = lambda _option: False
    seats: Callable[[Choose[Any], Picks], bool] = lambda _choose, _so_far: False
    waive: Callable[[Choose[Any]], Value] = lambda _choose: None
    lasting: Callable[[Choose[Any]], Sequence[tuple[Value, str]]] = lambda _choose: ()
    phase: Callable[[Any], object] = lambda _g: None
    opening: frozenset[str] = frozenset()
    amounts: frozenset[str] = frozenset()
    exchange: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class Fights:
    """The battles of a game: the present one, hypothetical ones, and how to find them in its events.

    Attributes:
        opens: the event that begins a battle, and its argument that names the space; ("", "") in a game without any.
        retreat: the option that leaves a battle, by its word, "" if there is none.
        belonging: the ids of its events, or their first parts.
        forces: the units of each side in a space, in words, by seat (-1 for neutral units).
        odds: the probability that each side (-1 for neutral ships) wins the battle that begins in a space, that of the
            attacker first; the rest of 1 is for no winner; () if it cannot be computed.
        dice: True if dice decide battles.
        phase: the event that begins a phase with several battles, "" if none has.
        now: the present battle, given the last events, None without one.
        planned: a secret plan with what its owner has picked so far.
        advised: the option computed to be the best, None if none can be computed.
        fight_on: the advised answer in the present battle, () for any other question.
        suppose: the present battle, or the one in a space ("" for none), with changed numbers; None without odds.
    """

    opens: tuple[str, str] = ("", "")
    retreat: str = ""
    belonging: frozenset[str] = frozenset()
    forces: Callable[[Frame, str], Sequence[tuple[int, str]]] = lambda _frame, _space: ()
    odds: Callable[[Frame, str], Sequence[tuple[int, float]]] = lambda _frame, _space: ()
    dice: bool = False
    phase: str = ""
    now: Callable[[Frame, Sequence[Event]], Battle | None] = lambda _frame, _events: None
    planned: Callable[[Frame, Choose[Any], Plan, Picks], Plan] = lambda _frame, _choose, plan, _picks: plan
    advised: Callable[[Frame, Choose[Any], Picks], Value] = lambda _frame, _choose, _so_far: None
    fight_on: Callable[[Frame, Choose[Any]], Sequence[Value]] = lambda _frame, _choose: ()
    suppose: Callable[[Frame, str, Mapping[str, int]], Supposed | None] = lambda _frame, _space, _numbers: None


@dataclass(frozen=True, slots=True)
class Count:
    """A number of each seat at one moment, such as its ships, with its chapter, such as fleets."""

    chapter: str
    name: str
    by_seat: Sequence[int]


@dataclass(frozen=True, slots=True)
class Counts:
    """What is counted in a game.

    Attributes:
        figures: numbers to show next to a seat's name, each with its name.
        growth: the numbers of the game to compare over time.
        sources: the sources of points, by the part of a score.
        draws: the random draws of single seats, given the state and all events.
        chance: a note about chance in this game and what is not counted, marked for translation.
    """

    figures: Callable[[Frame, int], Sequence[tuple[str, int]]] = lambda _frame, _seat: ()
    growth: Callable[[Frame], Sequence[Count]] = lambda _frame: ()
    sources: Mapping[str, str] = field(default_factory=dict)
    draws: Callable[[Any, Sequence[Event]], Sequence[Draws]] = lambda _g, _events: ()
    chance: str = ""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Everything that can be shown of a game."""

    documents: Documents = Documents()
    questions: Questioning = Questioning()
    fights: Fights = Fights()
    counts: Counts = Counts()


def pictures(game: str) -> Pictures:
    """The pictures of a game; empty ones for a game that has none."""
    place = game_client(game).pictures
    found: Pictures = load(place) if place else Pictures()
    return found


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wall:
    """Runs the drawing functions of a game. log: receives the faults."""

    log: Journal = no_log

    def drawn(self, draw: Callable[[], T], instead: T) -> T:
        """The drawing, or `instead` if drawing fails."""
        try:
            return draw()
        except Exception as error:  # noqa: BLE001  # a fault in a drawing must not end the table
            self.log("drawing/failed", error=repr(error))
            return instead
