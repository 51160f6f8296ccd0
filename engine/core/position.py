"""Positions as editable JSON: set up by hand for tests, puzzles and bug reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.agenda import State
from engine.core.errors import Refusal
from engine.core.sections import SectionError

if TYPE_CHECKING:
    from engine.core.registry import GameSpec

__all__ = ["dump_position", "load_position", "load_state"]

POSITION_VERSION = 1


def dump_position(spec: GameSpec, state: State) -> dict[str, Any]:
    return {"position": POSITION_VERSION, "rules": spec.rules_id, **state.dump()}


def load_state(spec: GameSpec, data: object) -> State:
    """The state of dumped sections; raises SectionError naming section, field and value."""
    if type(data) is not dict:
        raise SectionError("", "expected an object of sections")
    kinds = spec.state.kinds
    for name in (*kinds, *data):
        if name not in data:
            raise SectionError(name, "is missing")
        if name not in kinds:
            raise SectionError(str(name), "is not a section")
    sections = {}
    for name, kind in kinds.items():
        try:
            sections[name] = kind.load(data[name])
        except SectionError as problem:
            raise SectionError(f"{name}.{problem.path}".rstrip("."), problem.problem) from None
    return spec.state(spec.const(sections["table"]), **sections)  # type: ignore[arg-type]


def load_position(spec: GameSpec, data: object) -> State | Refusal:
    """The state of a position file, judged by the game; a Refusal names path and value (``seats.discs.1``, 17 of 16)."""
    if type(data) is not dict:
        return Refusal("position/not-an-object")
    sections = dict(data)
    head = (sections.pop("position", None), sections.pop("rules", None))
    if head != (POSITION_VERSION, spec.rules_id):
        return Refusal("position/version", "rules", tuple(map(str, head)))
    try:
        state = load_state(spec, sections)
    except SectionError as problem:
        return Refusal("position/malformed", problem.path, (problem.problem,))
    for item in (state.flow.now, *state.flow.agenda):
        if (not item and item is not state.flow.now) or (item and item[0] not in spec.segments):
            return Refusal("position/agenda", "flow.agenda", tuple(item))
    return spec.check(state) or state
