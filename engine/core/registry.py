"""What a game is to the rest of the program, and the list of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from engine.core.agenda import State, Table
from engine.core.cards import Handle
from engine.core.dataclass import dataclass, field, replace
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.values import Plain, Vocabulary

__all__ = [
    "DICE",
    "GAMES",
    "PATIENCE",
    "Correction",
    "GameSpec",
    "Option",
    "Ruling",
    "Score",
    "Tables",
    "by_rules",
    "game",
    "settle_options",
]

GAMES: Mapping[str, str] = {
    "eclipse2": "engine.eclipse.spec:ECLIPSE2",
    "eclipse1": "engine.eclipse.editions.first:ECLIPSE1",
    "emperor": "engine.emperor.spec:EMPEROR",
    "rex": "engine.rex.spec:REX",
}
"""Game id → where its :class:`GameSpec` stands; a game is imported when it is first asked for."""


@dataclass(frozen=True, slots=True)
class Option:
    """A table option.  ``values`` lists what may be said (None: free text judged by ``accepts``,
    which gets it with the number of seats and the values of all options).

    The client words ``help``.
    ``conflicts`` names other options that must stand at their default when this one does not.
    ``later``: the game has been played without it; at its default it is left out of the table, which so stays the same.
    """

    name: str
    default: str
    help: str
    values: tuple[str, ...] | None = None
    conflicts: tuple[str, ...] = ()
    later: bool = False
    accepts: Callable[[str, int, Mapping[str, str]], Refusal | None] | None = None


DICE = Option("dice", "reveal", "option/dice", ("reveal", "lock"), later=True)
"""Where dice come from, which no rule of a game reads."""
PATIENCE = Option("patience", "1h", "option/patience", ("1m", "10m", "1h", "8h", "1d", "7d", "off"), later=True)
"""How long a seat may think about one answer until the others may go on without it; no rule of a game reads it."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What we play where the documents are silent or contradict each other."""

    id: str
    question: str
    ruling: str
    source: str


@dataclass(frozen=True, slots=True)
class Correction:
    """What a version of the rules plays otherwise than the one before it.

    ``version`` is the first that plays so: the rule asks ``g.rules >= version`` where it stands.
    """

    version: int
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Score:
    """One seat's result: ``total`` points, ``parts`` by stable name, ``rank`` from 1 (equal ranks share the place)."""

    seat: Seat
    total: int
    parts: tuple[tuple[str, int], ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Tables:
    """How a game lets a table bring its own content.

    ``content``: what the game plays; its fields are the tables.  ``rows`` maps an array of tables in a file to the
    field that holds it; every other key of a file stands in the field ``rest``.  ``replaced`` gives the given
    game with other tables in plain form, itself when they are its own; the text stands in error messages; ContentError
    when they do not fit together.
    """

    content: Callable[[], Any]
    rest: str
    rows: Mapping[str, str]
    replaced: Callable[[GameSpec, Mapping[str, Any], str], GameSpec]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game: everything the generic parts need.

    ``rules_version``: the rules by which its tables play.  A new table plays by the latest; :func:`by_rules` gives the
    same game by older ones, which its rules ask for as ``g.rules``.  ``corrections`` say what each version after the
    first changed.  ``content_id``: 16 bytes over the content as a table with its options plays it.

    ``setup`` makes the first position, without chance or events: what is drawn is drawn by segments.  ``segments``
    maps the name of an agenda item to its rule, called with the state and the item's arguments.  ``faces`` are the face
    checks named by ``Reveal.play``: True when the card fits its play.  ``notice`` applies a notice at a segment border.
    ``events`` lists event ids with the names of their arguments.  ``state`` is what ``setup`` makes, or its base where
    table options ask for more sections.
    ``veil`` names the columns by seat, such as ``seats.influence``, of which a seat sees its own number alone as things
    stand: all peers compute with them, but at the table they are private.  ``tables``: its content, for a game whose
    tables may bring their own.
    """

    id: str
    rules_version: int
    seats: range
    words: Vocabulary
    state: type[State]
    setup: Callable[[Table], State]
    const: Callable[[Table], Any]
    segments: Mapping[str, Callable[..., Any]]
    scores: Callable[[Any], Sequence[Score]]
    content_id: Callable[[Table], bytes]
    events: Mapping[str, tuple[str, ...]]
    options: tuple[Option, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    corrections: tuple[Correction, ...] = ()
    faces: Mapping[str, Callable[[Any, Handle, Plain], bool]] = field(default_factory=dict)
    notice: Callable[[Any, str, Seat], None] | None = None
    veil: Callable[[Any], tuple[str, ...]] = lambda g: ()
    tables: Tables | None = None

    @property
    def rules_id(self) -> str:
        """Game and version of its rules, e.g. ``eclipse2/1``; stands in the genesis."""
        return f"{self.id}/{self.rules_version}"


def game(id: str) -> GameSpec:
    """The game of that id; KeyError for an unknown one."""
    module, name = GAMES[id].split(":")
    spec: GameSpec = getattr(import_module(module), name)
    return spec


def by_rules(spec: GameSpec, rules: str) -> GameSpec | None:
    """The game by the rules of that id, such as ``eclipse2/1``; None for other ones."""
    if rules == spec.rules_id:
        return spec
    versions = (replace(spec, rules_version=version) for version in range(1, spec.rules_version))
    return next((older for older in versions if older.rules_id == rules), None)


def settle_options(spec: GameSpec, seats: int, given: Mapping[str, str]) -> Table | Refusal:
    """The agreed table: every option with its value or default; a Refusal names the first thing that does not fit."""
    if seats not in spec.seats:
        return Refusal("table/seats", "seats", (seats, spec.seats[0], spec.seats[-1]))
    known = {option.name: option for option in spec.options}
    for name in given:
        if name not in known:
            return Refusal("table/unknown-option", name, tuple(known))
    settled = {name: given.get(name, option.default) for name, option in known.items()}
    for name, option in known.items():
        value = settled[name]
        if option.values is not None and value not in option.values:
            return Refusal("table/option-value", name, (value, *option.values))
        problem = option.accepts(value, seats, settled) if option.accepts else None
        if problem is not None:
            return problem
        if value != option.default:
            for other in option.conflicts:
                if settled[other] != known[other].default:
                    return Refusal("table/option-conflict", name, (value, other, settled[other]))
    kept = {name: value for name, value in settled.items() if not (known[name].later and value == known[name].default)}
    return Table(spec.id, seats, kept, spec.rules_version)
