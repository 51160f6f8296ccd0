# SPDX-License-Identifier: GPL-3.0-or-later
"""The ships in contested sectors with their chances, also before a battle begins."""

from __future__ import annotations

from client.games.eclipse.show.fight import fighters
from client.games.eclipse.show.odds import standing
from client.show.battles import Battle, Chance, document_of
from client.show.document import Document, Note
from client.show.pictures import Frame
from client.system.texts import _
from engine.eclipse import sectors
from engine.eclipse.combat.strike import Assign


def battle(frame: Frame) -> Document:
    """The battle of the present question, the one in the given sector, or those in all contested ones."""
    g = frame.g
    name = " ".join(frame.words) or str(getattr(frame.view.ask, "sector", ""))
    tile = g.const.sector_index.get(name.zfill(3)) if name else None
    contested = [each for each, here in sorted(sectors.fleet(g).items()) if len(here) > 1] if tile is None else [tile]
    found = [block for each in contested for block in battle_at(frame, each)]
    return found or [Note(_("No sector has ships of two sides."))]


def battle_at(frame: Frame, tile: int) -> Document:
    """A line for each kind of ship of each side in a sector, by initiative; then the chances."""
    found = standing(frame, tile)
    shares = () if found is None else ((found[0], found[2]), (found[1], 1 - found[2]))
    heads, ships = fighters(frame, tile)
    sector = frame.g.const.sector_ids[tile]
    title = _("Ships in sector {sector}").format(sector=sector)
    chances = (Chance(_("if nobody retreats"), shares),) if shares else ()
    notes = () if ships else (_("  none").strip(),)
    return document_of(Battle(title, heads=heads, fighters=ships, chances=chances, notes=notes), frame.names)


def shots(ask: Assign) -> Note:
    """The dice that hit a target, the strongest first."""
    each = ", ".join(_("{damage} damage (shows {face})").format(damage=damage, face=face) for damage, face in ask.shots)
    return Note(_("Your hits: {hits}").format(hits=each))
