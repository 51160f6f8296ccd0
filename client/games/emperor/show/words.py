# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences that the pictures and hints of Galactic Emperor share: spaces, fleets, influence, cards."""

from __future__ import annotations

from collections.abc import Sequence

from client.games.emperor.reference.articles import tile_text
from client.games.emperor.wording import term
from client.show.pictures import Frame
from client.system.texts import _
from engine.core.sections import row_of
from engine.emperor import galaxy
from engine.emperor.state import EMPIRE_TOKEN, HOME, NOBODY, STARBASE_TOKEN, Emperor, ship_kind
from engine.emperor.terms import ALL_UNITS, DAMAGED, UNITS


def placed(g: Emperor, space: int) -> Sequence[int]:
    """The influence in a space, by seat."""
    return row_of(g.sectors.influence, space)


def space_text(frame: Frame, space: int) -> str:
    """The contents of a space in words."""
    g: Emperor = frame.g
    tile, owner = g.sectors.tile[space], g.sectors.owner[space]
    facts = [_("no tile")]
    if tile != NOBODY:
        facts = [f"{frame.display_names(g.const.tiles[tile].id)}. {tile_text(g.const.tiles[tile])}".rstrip(".")]
    if owner != NOBODY:
        tokens = {EMPIRE_TOKEN: "empire", STARBASE_TOKEN: "starbase", HOME: "starbase"}
        facts.append(f"{frame.names[owner]}: {term(tokens[g.sectors.token[space]])}")
    if g.sectors.food[space]:
        facts.append(_("food: {food}").format(food=g.sectors.food[space]))
    for seat in galaxy.ship_owners(g, space):
        kinds = [DAMAGED if g.ships.damage[ship] else ship_kind(ship) for ship in galaxy.fleet(g, seat, space)]
        facts.append(f"{frame.names[seat]}: {units_text([kinds.count(kind) for kind in ALL_UNITS])}")
    return "; ".join([*facts, *influence_text(frame, placed(g, space))])


def influence_text(frame: Frame, tokens: Sequence[int]) -> list[str]:
    """The influence of each seat in a place, in words."""
    shares = ", ".join(f"{name} {n}" for name, n in zip(frame.names, tokens, strict=True) if n)
    return [_("influence: {shares}").format(shares=shares)] if shares else []


def units_text(counts: Sequence[int]) -> str:
    """Units in words: “2 × fighter, cruiser”."""
    return ", ".join((f"{n} × " if n > 1 else "") + term(UNITS[kind]) for kind, n in enumerate(counts) if n)


def throne_text(frame: Frame) -> str:
    """The holder of the Throne; during a Regent, the influence there."""
    g: Emperor = frame.g
    if g.round.throne != NOBODY:
        return frame.names[g.round.throne]
    return "; ".join([_("up for grabs"), *influence_text(frame, g.seats.throne)])


def named_text(frame: Frame, id: str, text: str) -> str:
    """The text of a tile or card that is listed by its id, after its name from custom content if there is one."""
    return f"{frame.display_names.rows[id]}. {text}" if id in frame.display_names.rows else text
