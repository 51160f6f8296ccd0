# SPDX-License-Identifier: GPL-3.0-or-later
"""The description of a game for the rest of the program, and the list of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from engine.core.agenda import State, Table
from engine.core.cards import Claim, Handle
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
    "Side",
    "Tables",
    "by_rules",
    "game",
    "settle_options",
]

GAMES: dict[str, str] = {
    "eclipse2": "engine.eclipse.spec:ECLIPSE2",
    "eclipse1": "engine.eclipse.editions.first:ECLIPSE1",
    "emperor": "engine.emperor.spec:EMPEROR",
    "rex": "engine.rex.spec:REX",
}
"""Game id → module and name of its :class:`GameSpec`. A game is imported when it is first used. The client adds
those of installed packages."""


@dataclass(frozen=True, slots=True)
class Option:
    """A table option. ``values`` lists its values (None: free text checked by ``accepts``, which gets it with the
    number of seats, the values of all options and the version of the rules).

    The client words ``help``. ``conflicts`` names other options that must be at their default if this one is not.
    ``later``: True if the option is newer than the game. At its default it is left out of the table, so that older
    tables stay the same.
    """

    name: str
    default: str
    help: str
    values: tuple[str, ...] | None = None
    conflicts: tuple[str, ...] = ()
    later: bool = False
    accepts: Callable[[str, int, Mapping[str, str], int], Refusal | None] | None = None


DICE = Option("dice", "reveal", "option/dice", ("reveal", "lock"), later=True)
"""The source of the dice. No rule of a game reads it."""
PATIENCE = Option("patience", "1h", "option/patience", ("1m", "10m", "1h", "8h", "1d", "7d", "off"), later=True)
"""The time for one answer of a seat, after which the others may go on without it. No rule of a game reads it."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling where the documents are silent or contradict each other."""

    id: str
    question: str
    ruling: str
    source: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of the rules from one version to the next.

    ``version`` is the first with this change. Its rule tests ``g.rules >= version``.
    """

    version: int
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Score:
    """The result of one seat: ``total`` points, ``parts`` of it by stable name, ``rank`` from 1 (ties have equal
    ranks)."""

    seat: Seat
    total: int
    parts: tuple[tuple[str, int], ...]
    rank: int


@dataclass(frozen=True, slots=True)
class Side:
    """What a seat plays: the id of its species or faction, "" before it has one, and the seats that share its victory
    now."""

    faction: str
    allies: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Tables:
    """How a table may replace the content of a game.

    ``content`` returns the game's content at a version of the rules; its fields are the tables, and ``version`` says
    for which version a table's own content was made. ``rows`` maps an array of tables in a file to
    its field; all other keys of a file belong to the field ``rest``. ``replaced`` returns the game with other tables
    in plain form, or the game itself if they are equal; its text argument is the file in error messages. Raises
    ContentError if the tables do not fit together.
    """

    content: Callable[[int], Any]
    rest: str
    rows: Mapping[str, str]
    replaced: Callable[[GameSpec, Mapping[str, Any], str], GameSpec]


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game, as the generic parts need it.

    ``rules_version``: the version of the rules. A new table has the latest; :func:`by_rules` returns the same game
    with older ones, which its rules read as ``g.rules``. ``corrections``: the changes of each version after the first.
    ``content_id``: returns 16 bytes over the content that a table with its options uses.

    ``setup`` returns the first position, without dice, cards and events, which segments add. ``segments`` maps the
    name of an agenda item to its rule, or to a function if it has no waits, called with the state and the item's
    arguments. ``faces``: the face checks named by ``Reveal.play``, which return True if the card fits its play.
    ``tags``: every tag of its rolls and shuffles and every play of its reveals; members sign them, so no version of
    the rules changes one. ``notice`` applies a notice at the end of a segment. ``events`` lists event ids with the
    names of their arguments. ``state`` is the class that ``setup`` returns, or its base class if table options add
    sections. ``veil`` returns the columns by seat, such as ``seats.influence``, of which a seat now sees only its own
    number: all peers compute with them, but at the table they are private. ``tables``: how a table may replace its
    content, None if it may not. ``sides``: what each seat plays, () for a game without species or factions.
    ``claims``: what seats have claimed about hidden cards and can still be held to.
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
    tags: tuple[str, ...] = ()
    faces: Mapping[str, Callable[[Any, Handle, Plain], bool]] = field(default_factory=dict)
    notice: Callable[[Any, str, Seat], None] | None = None
    veil: Callable[[Any], tuple[str, ...]] = lambda g: ()
    tables: Tables | None = None
    sides: Callable[[Any], Sequence[Side]] = lambda g: ()
    claims: Callable[[Any], Sequence[Claim]] = lambda g: ()

    @property
    def rules_id(self) -> str:
        """Game id and version of its rules, such as ``eclipse2/1``, as in the genesis."""
        return f"{self.id}/{self.rules_version}"


def game(id: str) -> GameSpec:
    """Return the game with this id. Raises KeyError."""
    module, name = GAMES[id].split(":")
    spec: GameSpec = getattr(import_module(module), name)
    return spec


def by_rules(spec: GameSpec, rules: str) -> GameSpec | None:
    """Return the game with the rules of this id, such as ``eclipse2/1``, None for unknown ones."""
    if rules == spec.rules_id:
        return spec
    versions = (replace(spec, rules_version=version) for version in range(1, spec.rules_version))
    return next((older for older in versions if older.rules_id == rules), None)


def settle_options(spec: GameSpec, seats: int, given: Mapping[str, str]) -> Table | Refusal:
    """Return the table with the value or default of every option, or a Refusal that names the first wrong one."""
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
        problem = option.accepts(value, seats, settled, spec.rules_version) if option.accepts else None
        if problem is not None:
            return problem
        if value != option.default:
            for other in option.conflicts:
                if settled[other] != known[other].default:
                    return Refusal("table/option-conflict", name, (value, other, settled[other]))
    kept = {name: value for name, value in settled.items() if not (known[name].later and value == known[name].default)}
    return Table(spec.id, seats, kept, spec.rules_version)
