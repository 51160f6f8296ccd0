# SPDX-License-Identifier: GPL-3.0-or-later
"""The table options, and the catalogue that they select."""

from __future__ import annotations

from engine.core.agenda import Table
from engine.core.handicap import HANDICAP
from engine.core.registry import DICE, PATIENCE, Option
from engine.emperor.catalog import Catalog, build_catalog, standard
from engine.emperor.tables import Content

__all__ = ["OPTIONS", "catalog"]


def catalog(table: Table, content: Content | None = None) -> Catalog:
    """Return the catalogue of a settled table. ``content``: the table's own content."""
    return build_catalog(
        content or standard(table.rules),
        metal_hulls=table.options["ship-costs"] == "metal",
        jump_suns=table.options["suns"] == "jump",
        open_space=table.options["untiled"] == "open",
        always_bonuses=table.options["bonuses"] == "always",
    )


OPTIONS = (
    Option("ship-costs", "marks", "option/ship-costs", ("marks", "metal")),
    Option("suns", "impassable", "option/suns", ("impassable", "jump")),
    Option("untiled", "open", "option/untiled", ("open", "closed")),
    Option("bonuses", "document", "option/bonuses", ("document", "always")),
    Option("draws", "sealed", "option/draws", ("sealed", "open")),
    DICE,
    PATIENCE,
    HANDICAP,
)
"""Options of Galactic Emperor; ``help`` is a code that the client words."""
