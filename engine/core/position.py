# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions as JSON, section by section, for dumps, reports and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from engine.core.agenda import State, Table
from engine.core.errors import Refusal
from engine.core.sections import Section, SectionError

if TYPE_CHECKING:
    from engine.core.registry import GameSpec

__all__ = ["dump_position", "load_state"]

S = TypeVar("S", bound=Section)

POSITION_VERSION = 1


def dump_position(spec: GameSpec, state: State) -> dict[str, Any]:
    """Return the position file of a state, as JSON-able data."""
    return {"position": POSITION_VERSION, "rules": spec.rules_id, **state.dump()}


def load_state(spec: GameSpec, data: object) -> State:
    """Return the state of dumped sections. Raises SectionError, which names section, field and value."""
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


def _check_table(spec: GameSpec, table: Table) -> None:
    """Check that a table could have been agreed, before content is built for it. Raises SectionError."""
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
