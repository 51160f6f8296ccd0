"""What the client asks of a game to show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from client.draws import Drawing
from client.games import game_client, load
from client.show.battles import Battle, Supposed
from client.show.chart import Chart
from client.show.hexmap import Zoom
from client.show.sheets import Sheet
from client.show.styled import Glyphs, Line
from client.wording import PLAIN, DisplayNames
from engine.core.dataclass import dataclass, field
from engine.core.events import Event
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose

__all__ = ["BattleOdds", "Count", "Fights", "Frame", "Picture", "Pictures", "pictures"]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a picture is drawn of and for.

    Attributes:
        view: what the seat sees (`view.seat` is below 0 for somebody without a seat).
        names: of the seats, safe to show.
        words: what else was typed, such as a sector's number.
        width: columns at hand; called: what things are called at this table, else by the words of its game.
    """

    view: View
    names: Sequence[str]
    glyphs: Glyphs
    words: Sequence[str] = ()
    width: int = 80
    display_names: DisplayNames = PLAIN

    def __post_init__(self) -> None:
        """Take the words of the game where the table gives none."""
        if not self.display_names.game:
            object.__setattr__(self, "display_names", DisplayNames(self.view.g.table.game))

    @property
    def g(self) -> Any:
        """The state that is shown."""
        return self.view.g

    def letter(self, seat: int) -> str:
        """A seat's letter, `-` for nobody."""
        return chr(ord("A") + seat) if seat >= 0 else "-"

    def seat(self, word: str) -> int | None:
        """The seat that a word means: its letter, or the beginning of its name."""
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
        usage: what may follow its name.
        summary: English, marked for translation.
        sheet: the same as a sheet, None where it is text alone.
        title: of its tab beside a map, marked for translation, "" where it has none.
    """

    usage: str
    summary: str
    draw: Draw
    sheet: Callable[[Frame], Sequence[Sheet]] | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """A number of each seat at one moment, such as its ships, and what it belongs to, such as fleets."""

    chapter: str
    name: str
    by_seat: Sequence[int]


@dataclass(frozen=True, slots=True)
class BattleOdds:
    """The odds of one battle.

    Attributes:
        attacker, defender: seats, -1 for nobody's ships.
        wins, loses: how often the attacker and the defender win, from 0 to 1; what is left of 1 is nobody's.
    """

    attacker: int
    defender: int
    wins: float
    loses: float


@dataclass(frozen=True, slots=True)
class Fights:
    """How the battles of a game are told.

    Attributes:
        opens: the event that begins a battle, and its argument that names the space.
        belonging: the ids of the events that belong to it, or their first parts.
        forces: what each side has in a space, in words, by seat (-1 nobody's).
        odds: the chances of the battle that begins in a space, None where nobody can say.
        dice: True if dice decide them.
    """

    opens: tuple[str, str]
    belonging: frozenset[str]
    forces: Callable[[Frame, str], Sequence[tuple[int, str]]]
    odds: Callable[[Frame, str], BattleOdds | None] = lambda _frame, _space: None
    dice: bool = True


@dataclass(frozen=True, slots=True)
class Pictures:
    """All that can be shown of a game.

    Attributes:
        commands: by name.
        status: one line on how the seat stands.
        before: what to look at before an answer.
        hint: what an option means here, beyond its notation (`so_far`: the picks before it in a staged answer).
        aside: whether an option is something that may be done besides what is asked.
        seats: whether the numbers that may be picked now are seats.
        question: what is asked at this stage of an answer, or "" where the choice's own sentence says it.
        waive: the answer that declines a choice which comes again and again, None for any other.
        phase: what part of the game it is, within which `hold` answers like that.
        example: how answers may be shortened, for the help.
        outlook: what the position leads to for a seat, such as battles with their odds, shown with a draft before it is
            sent.
        lasting: options of a choice that comes back turn by turn, each with its letter, in the order in which they keep
            their numbers.
        opening: events that begin a new paragraph of what a seat does.
        sources: what points come from, by the part of a score.

    For screens with pictures and buttons: title: an option in words, "" where its notation says it; places: the spaces
    that an option names, in the order of its words, by the ids that `drawing` gives them; drawing: the map as SVG, ""
    where the game has none; figures: numbers to show beside a seat's name, each with its name; happened: the spaces
    that an event names, by the same ids; form: the sheet that a question is answered on, given its options, () where a
    list is as good; fight: the battle under way, given the events told last, None without one; advised: the option that
    is worked out to be the best, None where nothing can be worked out; growth: what counts in the game, to be compared
    over time; battles: how a game tells its battles, None where it has none; draws: what fell to single seats by
    chance, given the state and all events; fight_on: the answer of who fights on in the battle under way as is advised,
    () for any other question; suppose: the battle under way or in a space ("" for none), with the numbers that are set
    otherwise, None where the game has no odds; chance: what luck is in this game and what is not counted, marked for
    translation; chart: the map as text whose spaces have the same ids.
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
    happened: Callable[[Any, Event], Sequence[str]] = lambda _g, _event: ()
    form: Callable[[Frame, Choose[Any], Sequence[Value], tuple[Value, ...]], Sequence[Sheet]] = (
        lambda _frame, _choose, _options, _so_far: ()
    )
    fight: Callable[[Frame, Sequence[Event]], Battle | None] = lambda _frame, _events: None
    advised: Callable[[Frame, Choose[Any], tuple[Value, ...]], Value] = lambda _frame, _choose, _so_far: None
    fight_on: Callable[[Frame, Choose[Any]], Sequence[Value]] = lambda _frame, _choose: ()
    suppose: Callable[[Frame, str, Mapping[str, int]], Supposed | None] = lambda _frame, _space, _numbers: None
    growth: Callable[[Frame], Sequence[Count]] = lambda _frame: ()
    battles: Fights | None = None
    draws: Callable[[Any, Sequence[Event]], Sequence[Drawing]] = lambda _g, _events: ()
    chance: str = ""
    chart: Callable[[Frame, Zoom], Chart] = lambda _frame, _zoom: Chart()


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
