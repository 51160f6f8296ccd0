# SPDX-License-Identifier: GPL-3.0-or-later
"""The meaning of an option of Eclipse, beyond its notation and its price."""

from __future__ import annotations

from functools import partial
from typing import Any

from client.games.eclipse.show.boards import tile_value
from client.games.eclipse.show.fight import best_target, next_shot
from client.games.eclipse.show.map import joins, neighbours_text, tile_text
from client.games.eclipse.show.odds import battle_odds, standing
from client.games.eclipse.show.tech import gives, part_text
from client.games.eclipse.show.words import ROMAN, ships_text
from client.games.eclipse.wording import term
from client.games.eclipse.wording.options import OPTIONS
from client.show.battles import share_text, side_name
from client.show.pictures import Frame
from client.show.titles import stage_of, title_of
from client.system.texts import _
from client.words.sides import side_text
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.actions.explore import Lay, PlaceSector, Zone
from engine.eclipse.actions.influence import TRACK, Shift
from engine.eclipse.actions.move import Fly
from engine.eclipse.actions.research import Buy
from engine.eclipse.actions.upgrade import Place, Remove
from engine.eclipse.blueprints import parts_of, ship_stats
from engine.eclipse.catalog import ring
from engine.eclipse.combat.reputation import Keep
from engine.eclipse.combat.strike import Assign, Attack, Engage, Retreat, Target
from engine.eclipse.diplomacy import Exchange, Offer, related
from engine.eclipse.discovery import POINTS, STORE, TakeDiscovery
from engine.eclipse.free import Colonise, Swap, Trade
from engine.eclipse.setup import PickSpecies
from engine.eclipse.stats import HULL
from engine.eclipse.terms import ACTIONS, PIECES, REPUTATION_ONLY
from engine.eclipse.upkeep import Abandon


def aside(option: Value) -> bool:
    """True for options that do not answer the question but may be done at any time: trades, colony ships, offers."""
    return isinstance(option, Trade | Colonise | Swap | Offer)


def title(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> str:
    """The option in words."""
    more = {"where": _where(frame, ask.seat, option.place - 1)} if isinstance(option, Keep) else {}
    return title_of(frame, OPTIONS, partial(_named, frame), ask, stage_of(ask.word, so_far), False, option, more)


def _named(frame: Frame, name: str, id: str) -> str:
    if name in ("of", "to") and id == TRACK:
        return _("the track")
    return frame.display_names(id)


def hint(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> str:
    """The meaning of the option in a few words, "" if its notation is enough."""
    g = frame.g
    match option:
        case Zone(q, r):
            return _("ring {ring}, beside {sectors}").format(
                ring=ROMAN[ring(q, r)], sectors=neighbours_text(frame, (q, r))
            )
        case Lay(sector, turned) if isinstance(ask, PlaceSector):
            mask = g.const.wormholes[g.const.sector_index[sector]][turned]
            return joins(frame, mask, (ask.q, ask.r))
        case Fly(ship, _sector, to):
            return _there(frame, ask.seat, ship, to)
        case Buy(tech, _track):
            return gives(frame, g.const.technology_index[tech])
        case Place(ship, slot) | Remove(ship, slot):
            at = parts_of(g, ask.seat, PIECES.index(ship))[slot - 1]
            old = term(g.const.part_ids[at]) if at >= 0 else ""
            if isinstance(option, Remove):
                return old
            text = part_text(g.const.part_stats[g.const.part_index[option.part]])
            return text + (_(", instead of {part}").format(part=old) if old else "")
        case Target(ship, damage) if isinstance(ask, Assign):
            text = _sinks(frame, ask, ship_stats(g, ask.foe, PIECES.index(ship))[HULL], damage, so_far)
            return f"{text} {_('★ advised')}" if option == best_target(frame, ask, so_far) else text
        case Attack() if isinstance(ask, Engage):
            wins = dict(standing(frame, g.const.sector_index[ask.sector])).get(ask.seat)
            return "" if wins is None else _("wins {chance}").format(chance=share_text(wins))
        case Retreat(ship, sector) if isinstance(ask, Engage):
            return _("leaves for {sector} at its turn in the next round, if it is still there").format(sector=sector)
        case Offer() | Exchange():
            return _terms(frame, ask.seat, option)
        case Shift(of, to):
            return " → ".join(_points(frame, name) for name in (of, to))
        case Abandon(sector):
            return _points(frame, sector)
    return _word(frame, ask, option)


def _word(frame: Frame, ask: Choose[Any], option: Value) -> str:
    """The hint of an option that is a single word, or none."""
    g = frame.g
    if option is None:
        return "" if title(frame, ask, None, ()) else _("no")
    if isinstance(ask, PickSpecies) and isinstance(option, str):
        return species_text(frame, option)
    if isinstance(option, str) and option in ACTIONS and g is not None:
        discs = g.seats.discs[ask.seat]
        now, after = (-g.const.upkeep[max(0, discs - more)] for more in (0, 1))
        return _("upkeep {now} to {after}").format(now=now, after=after) if now != after else ""
    if isinstance(ask, TakeDiscovery):
        return {POINTS: _("keep the tile"), STORE: _("keep the part for later")}.get(str(option), "")
    return ""


def _sinks(frame: Frame, ask: Assign, hull: int, damage: int, so_far: tuple[Value, ...]) -> str:
    _number, (points, _face) = next_shot(frame.g, ask, so_far)
    left = _("hull {left}/{all}").format(left=hull - damage, all=hull)
    if damage + points > hull:
        return f"{left} → {_('SINKS')}"
    return f"{left} → {_('stays, {n} more to sink it').format(n=hull + 1 - damage - points)}"


def question(frame: Frame, ask: Choose[Any], so_far: tuple[Value, ...]) -> str:
    """The question for the next die of a roll, "" for other questions."""
    if not isinstance(ask, Assign):
        return ""
    number, (damage, face) = next_shot(frame.g, ask, so_far)
    return _("Die {n} of {all} shows {face}, damage {damage}: which ship of {foe} does it hit?").format(
        n=number + 1, all=len(ask.shots), face=face, damage=damage, foe=side_name(frame.names, ask.foe)
    )


def _there(frame: Frame, seat: int, ship: str, to: str) -> str:
    """The ships in a destination sector, and the chances of a battle there."""
    g = frame.g
    tile = g.const.sector_index[to]
    here = sectors.fleet(g).get(tile, {})
    foes = sectors.enemies(g, seat, tile)
    parts = []
    if foes:
        parts.append(_("battle with {ships}").format(ships=ships_text(g, foes)))
        chance = battle_odds(g, seat, PIECES.index(ship), tile)
        parts += [chance] if chance else []
    if seat in here:
        parts.append(_("yours there: {ships}").format(ships=ships_text(g, here[seat])))
    owner = g.sectors.owner[tile]
    if owner not in (seat, -1):
        parts.append(_("{name}'s sector").format(name=frame.names[owner]))
    for who in sorted({owner, *here} - {seat}):
        if who >= 0 and related(g, seat, who):
            parts.append(_("breaks relations with {name} and makes you the Traitor").format(name=frame.names[who]))
    return ", ".join([*parts, _points(frame, to)])


def _points(frame: Frame, sector: str) -> str:
    g = frame.g
    tile = g.const.sector_index.get(sector)
    return _("track") if tile is None else _("{n} vp").format(n=g.const.sector_vp[tile])


def _where(frame: Frame, seat: int, place: int) -> str:
    """Where a drawn reputation tile would lie: in a free place, or instead of another one."""
    g, old = frame.g, tile_value(frame, seat, place)
    text = _("instead of {n}").format(n=old) if old else _("in a free place")
    alone = g.const.reputation_spaces[g.seats.species[seat]][place] == REPUTATION_ONLY
    return text + (_(", where no ambassador fits") if alone else "")


def _terms(frame: Frame, seat: int, option: Offer | Exchange) -> str:
    partner = _("to {name}; ").format(name=frame.names[option.partner]) if isinstance(option, Offer) else ""
    text = partner + _("your cube of {resource}").format(resource=term(option.cube))
    if option.returned >= 0:
        text += _(", back goes {n}").format(n=tile_value(frame, seat, option.returned))
    return text


def species_text(frame: Frame, species: str) -> str:
    """The strengths of a species; then storage, trade, technologies, and additional activations of its actions."""
    g = frame.g
    number = g.const.species_index[species]
    row = g.const.species[number]
    more = ", ".join(
        f"{term(name)} {n}"
        for name, n, usual in zip(ACTIONS, g.const.activations[number], (1, 1, 2, 2, 3, 2), strict=True)
        if n != usual
    )
    parts = [
        term(species),
        f"$ {row.money} S {row.science} M {row.materials}",
        _("trade {n}:1").format(n=row.trade),
        ", ".join(map(term, row.technologies)),
        more,
    ]
    facts = "; ".join(part for part in parts if part)
    good_at = side_text(frame.g.table.game, species)
    return f"{good_at} {facts}" if good_at else facts


def discovery_text(frame: Frame, discovery: str) -> str:
    """The stats of a ship part on a discovery tile, "" for other tiles."""
    const = frame.g.const
    part = const.discovery_part[const.discovery_index[discovery]]
    return f"{term(discovery)}: {part_text(const.part_stats[part])}" if part >= 0 else ""


def drawn_tiles(frame: Frame) -> list[str]:
    """The sectors drawn for a zone."""
    g = frame.g
    return [tile_text(frame, tile) for tile, where in enumerate(g.sectors.where) if where == sectors.HELD]
