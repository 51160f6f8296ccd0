# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges of positions: they check whether a position is possible, played or set up by hand as JSON.

The order of the checks is fields and types, the table, the length of every column, the agenda, the decks, then the
pieces, so that a game's own judge may index columns safely. Every refusal names the place.

Each game's folder has a module of its name here, which judges its pieces; where there is much to say of planned
segments, one more: `eclipse_agenda`, `rex_agenda`.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import TYPE_CHECKING, Any

from engine.core.agenda import Item, State
from engine.core.cards import SEALS, Decks
from engine.core.errors import Refusal
from engine.core.position import POSITION_VERSION, load_state
from engine.core.sections import SectionError

if TYPE_CHECKING:
    from engine.core.registry import GameSpec

__all__ = ["judge", "judge_of", "load_position"]

ARGUMENTS: dict[str, tuple[type, ...]] = {"int": (int,), "Seat": (int,), "str": (str,)}
"""By annotation, the types of a rule's argument in an agenda item."""


def judge(spec: GameSpec, g: Any) -> Refusal | None:
    """Return the first fault of a position between segments, None if there is none or the game has no judge."""
    module = judge_of(spec)
    found: Refusal | None = None if module is None else import_module(module).judge(g, spec.segments)
    return found


def judge_of(spec: GameSpec) -> str | None:
    """Return the module with ``judge(g, segments)``, which returns the first fault of a position between segments: the
    one here with the name of the game's folder, or ``judge`` in the package of another's game. None without one."""
    parts = next(iter(spec.segments.values())).__module__.split(".")
    if parts[:2] == ["engine", "testing"]:
        return ".".join(parts)
    module = f"engine.testing.judges.{parts[1]}" if parts[0] == "engine" else f"{parts[0]}.judge"
    return module if find_spec(module) is not None else None


def load_position(spec: GameSpec, data: object) -> State | Refusal:
    """Return the state of a position file if it is possible, else a Refusal with path and values (``seats.discs.1``,
    17, 16)."""
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
        or judge(spec, state)
        or state
    )


def _judge_lengths(spec: GameSpec, state: State) -> Refusal | None:
    """Check that columns are as long as the game's own setup makes them for this table."""
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
    """Check that an item has the arguments of its rule, with the types of the annotations, and that ``seat`` is a
    seat."""
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
    """True if a stored seal has a valid handle, seat and choice, and a fallback that this choice allows."""
    match row:
        case [int(index), int(seat), str(choose), str(fallback)] if 0 <= index < made and 0 <= seat < seats:
            try:
                asked = spec.words.value(json.loads(choose))
                return asked.seat == seat and asked.validate(None, spec.words.value(json.loads(fallback))) is None
            except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
                return False
    return False
