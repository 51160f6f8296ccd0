# SPDX-License-Identifier: GPL-3.0-or-later
"""The members that are known to have verified a step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

__all__ = ["verified_by"]


def verified_by(held: Mapping[str, int], mine: Collection[int], names: Sequence[str], height: int) -> Sequence[int]:
    """The seats whose members are known to hold a step and all earlier ones, ascending; every program verifies what it
    holds. held: as `TableControls.held` returns it; mine: the seats held here; names: of all seats."""
    return tuple(seat for seat, name in enumerate(names) if seat in mine or held.get(name, 0) > height)
