"""Positions as editable JSON: set up by hand for tests, puzzles and bug reports.

A file is judged from the outside in, so that the game's own ``check`` may index columns without fear: fields and types,
the table, the length of every column, the agenda, the decks.  Every refusal names the place.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

from engine.core.agenda import Item, State, Table
from engine.core.cards import SEALS, Decks
from engine.core.errors import Refusal
from engine.core.sections import Section, SectionError

if TYPE_CHECKING:
    from engine.core.registry import GameSpec

__all__ = ["dump_position", "load_position", "load_state"]

S = TypeVar("S", bound=Section)

POSITION_VERSION = 1

ARGUMENTS: dict[str, tuple[type, ...]] = {"int": (int,), "Seat": (int,), "str": (str,)}
"""What an agenda item may hold for a rule's argument, by its annotation."""


def dump_position(spec: GameSpec, state: State) -> dict[str, Any]:
    """The position file of a state, as JSON-able data."""
    return {"position": POSITION_VERSION, "rules": spec.rules_id, **state.dump()}


def load_state(spec: GameSpec, data: object) -> State:
    """The state of dumped sections; raises SectionError naming section, field and value."""
    if type(data) is not dict:
        raise SectionError("", "expected an object of sections")
    if "table" not in data:
        raise SectionError("table", "is missing")
    table = _section(Table, "table", data["table"])
    _check_table(spec, table)
    state = type(spec.setup(table))
    kinds = state.kinds
    for name in (*kinds, *data):
        if name not in data:
            raise SectionError(name, "is missing")
        if name not in kinds:
            raise SectionError(str(name)[:80], "is not a section")
    sections: dict[str, Any] = {"table": table}
    for name, kind in kinds.items():
        if name != "table":
            sections[name] = _section(kind, name, data[name])
    return state(spec.const(table), **sections)


def _section(kind: type[S], name: str, data: object) -> S:
    try:
        return kind.load(data)
    except SectionError as problem:
        raise SectionError(f"{name}.{problem.path}".rstrip("."), problem.problem) from None


def load_position(spec: GameSpec, data: object) -> State | Refusal:
    """The state of a position file, judged by the game; a Refusal names path and value (``seats.discs.1``, 17, 16)."""
    if type(data) is not dict:
        return Refusal("position/not-an-object")
    sections = dict(data)
    head = (sections.pop("position", None), sections.pop("rules", None))
    if head != (POSITION_VERSION, spec.rules_id):
        return Refusal("position/version", "rules", tuple(str(part)[:40] for part in head))
    try:
        state = load_state(spec, sections)
    except SectionError as problem:
        return Refusal("position/malformed", problem.path, (problem.problem,))
    return (
        _judge_lengths(spec, state)
        or _judge_flow(spec, state)
        or _judge_decks(spec, state.decks, state.table.seats)
        or spec.check(state)
        or state
    )


def _check_table(spec: GameSpec, table: Table) -> None:
    """A table that could not have been agreed is refused before any content is built for it."""
    from engine.core.registry import settle_options

    if table.game != spec.id:
        raise SectionError("table.game", f"expected {spec.id}, got {table.game}"[:200])
    settled = settle_options(spec, table.seats, table.options)
    if isinstance(settled, Refusal):
        path = "table.seats" if settled.path == "seats" else f"table.options.{settled.path}"
        raise SectionError(path, str(settled)[:200])
    if table.rules != spec.rules_version:
        raise SectionError("table.rules", f"expected {spec.rules_version}, got {table.rules}"[:200])
    if settled.options != table.options:
        raise SectionError("table.options", f"missing {sorted(set(settled.options) - set(table.options))}"[:200])


def _judge_lengths(spec: GameSpec, state: State) -> Refusal | None:
    """Columns are indexed by seats, tiles, ships: as long as the game's own setup makes them for this table."""
    fresh = spec.setup(state.table)
    for name, kind in state.kinds.items():
        for field in kind.shapes:
            wanted, got = getattr(getattr(fresh, name), field), getattr(getattr(state, name), field)
            if isinstance(wanted, array) and len(wanted) != len(got):
                return Refusal("position/length", f"{name}.{field}", (len(got), len(wanted)))
    return None


def _judge_flow(spec: GameSpec, state: State) -> Refusal | None:
    flow = state.flow
    items = [(f"flow.agenda.{at}", item) for at, item in enumerate(flow.agenda)]
    for path, item in [("flow.now", flow.now), *items] if flow.now else items:
        if not item or item[0] not in spec.segments:
            return Refusal("position/agenda", path, tuple(item))
        refusal = _judge_arguments(spec.segments[str(item[0])], path, item, state.table.seats)
        if refusal is not None:
            return refusal
    if flow.cursor:
        return Refusal("position/cursor", "flow.cursor", (flow.cursor, 0))
    for at, notice in enumerate(flow.notices):
        if len(notice) != 2 or type(notice[0]) is not str or notice[1] not in range(state.table.seats):
            return Refusal("position/notice", f"flow.notices.{at}", tuple(notice))
    return None


def _judge_arguments(rule: Callable[..., Any], path: str, item: Item, seats: int) -> Refusal | None:
    """As many arguments as the rule takes, each a number or text as it says there; ``seat`` is a seat."""
    try:
        signature(rule).bind(None, *item[1:])
    except TypeError:
        return Refusal("position/agenda-arguments", path, tuple(item))
    _, *parameters = signature(rule).parameters.values()
    for at, value in enumerate(item[1:], 1):
        wanted = parameters[min(at, len(parameters)) - 1]
        kinds = ARGUMENTS.get(str(wanted.annotation), (int, str))
        if type(value) not in kinds or (wanted.name == "seat" and value not in range(seats)):
            return Refusal("position/agenda-arguments", f"{path}.{at}", (wanted.name, value))
    return None


def _judge_decks(spec: GameSpec, decks: Decks, seats: int) -> Refusal | None:
    for deck, made in decks.made.items():
        if made < 0:
            return Refusal("position/deck", f"decks.made.{deck}", (made,))
    for deck, order in decks.order.items():
        for at, index in enumerate(order):
            if not 0 <= index < decks.made.get(deck, 0) or index in order[:at]:
                return Refusal("position/deck", f"decks.order.{deck}.{at}", (index, decks.made.get(deck, 0)))
    for at, row in enumerate(decks.seals):
        if not _seal_stands(spec, row, decks.made.get(SEALS, 0), seats):
            return Refusal("position/seal", f"decks.seals.{at}", tuple(row))
    for at, row in enumerate(decks.claims):
        if [type(part) for part in row] != [int, int, str, *[str, int] * ((len(row) - 3) // 2)]:
            return Refusal("position/claim", f"decks.claims.{at}", tuple(row))
    return None


def _seal_stands(spec: GameSpec, row: list[int | str], made: int, seats: int) -> bool:
    """Whether a stored seal names a handle, a seat, a choice and a fallback that this choice allows."""
    match row:
        case [int(index), int(seat), str(choose), str(fallback)] if 0 <= index < made and 0 <= seat < seats:
            try:
                asked = spec.words.value(json.loads(choose))
                return asked.seat == seat and asked.validate(None, spec.words.value(json.loads(fallback))) is None
            except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
                return False
    return False
