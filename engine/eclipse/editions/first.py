# SPDX-License-Identifier: GPL-3.0-or-later
"""Eclipse: New Dawn for the Galaxy, the first edition, with its own content and the rules of the second edition."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.dataclass import replace
from engine.core.errors import Refusal
from engine.core.handicap import HANDICAP
from engine.core.registry import DICE, PATIENCE, Option
from engine.eclipse.catalog import first
from engine.eclipse.editions.first_rulings import RULINGS
from engine.eclipse.options import FIRST, accepts_species
from engine.eclipse.spec import ECLIPSE2
from engine.eclipse.tables import FIRST_RULES

__all__ = ["ECLIPSE1", "OPTIONS", "RULINGS"]


def _accepts_species(value: str, seats: int, options: Mapping[str, str], version: int) -> Refusal | None:
    return accepts_species(first(version), value, seats)


OPTIONS = (
    Option("species", "pick", "option/species", accepts=_accepts_species),
    Option("draws", "sealed", "option/draws", ("sealed", "open")),
    DICE,
    PATIENCE,
    HANDICAP,
)
"""The table options of the first edition."""

ECLIPSE1 = replace(
    ECLIPSE2,
    id=FIRST,
    rules_version=FIRST_RULES,
    options=OPTIONS,
    rulings=RULINGS,
)
"""The first edition."""
