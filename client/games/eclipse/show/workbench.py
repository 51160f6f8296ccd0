# SPDX-License-Identifier: GPL-3.0-or-later
"""The ships of an upgrade: as sheets, where each slot has the parts for it, and as workbenches, where each part has its
slots and is shown on the ship."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, TypeAlias

from client.games.eclipse.show.seatboard import brief, ship
from client.games.eclipse.show.tech import part_text
from client.games.eclipse.show.words import dice_text, figures
from client.games.eclipse.wording import term
from client.show.battles import share_text
from client.show.document import Bench, Block, Cell, Document, Fitting, Note, Pick, Sheet, Ships, TextTable
from client.show.pictures import Frame
from client.show.styled import owner_style
from client.system.texts import _
from client.words import refusal_text
from engine.core.errors import Refusal
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse.actions.activation import Stop
from engine.eclipse.actions.upgrade import Place, Remove, Upgrade, blueprints, shown
from engine.eclipse.blueprints import npc_stats, stats, stats_with
from engine.eclipse.combat.dice import FACES, hits
from engine.eclipse.state import NOBODY, SLOTS, Eclipse
from engine.eclipse.stats import CANNONS, COMPUTER, SHIELD, Stats
from engine.eclipse.terms import ANCIENT, GCDS, PIECES, PLAYER_SHIPS

__all__ = ["Listed", "hit_chance", "sheets", "workbenches"]

Listed: TypeAlias = Sequence[tuple[int, Any]]
"""Options, each with its index."""


# Slots ---------------------------------------------------------------------------------------------------------------


def sheets(frame: Frame, seat: int, picks: Listed, so_far: Sequence[Any]) -> Iterator[Sheet]:
    """Each ship with its slots; equal slots share the picks of the first one. picks: what can be placed or removed."""
    g: Eclipse = frame.g
    board = _after(g, seat, so_far)
    for kind in PLAYER_SHIPS:
        own = [(at, pick) for at, pick in picks if pick.ship == PIECES[kind]]
        if own:
            drawn = ship(frame, seat, kind, term(PIECES[kind]), board[kind], part_text)
            cells = tuple(_slots(frame, seat, kind, board[kind], drawn.slots, own))
            told = _told(stats_with(g.const, g.seats.species[seat], kind, tuple(board[kind])))
            yield Sheet(drawn.title, told, cells=cells, id=PIECES[kind])


def _slots(
    frame: Frame, seat: int, kind: int, tiles: Sequence[int], cells: Sequence[Cell], picks: Listed
) -> Iterator[Cell]:
    g, first = frame.g, dict[tuple[int, int], int]()
    printed = g.const.printed[g.seats.species[seat]][kind]
    beside = any(pick.slot == SLOTS for _at, pick in picks) and not tiles[SLOTS - 1]
    for at, cell in enumerate([*cells, Cell(f"{SLOTS} {_('empty')}")] if beside else cells):
        slot = at if at < len(printed) else SLOTS - 1
        same = first.setdefault((printed[slot] if slot < len(printed) else -2, tiles[slot]), slot)
        here = [(index, pick) for index, pick in picks if pick.slot == same + 1]
        yield replace(cell, picks=tuple(_pick(g, seat, kind, tiles, *each) for each in here))


def _pick(g: Eclipse, seat: int, kind: int, tiles: Sequence[int], at: int, pick: Place | Remove) -> Pick:
    """The effect of a pick, and the ship's stats after it."""
    if isinstance(pick, Remove):
        return Pick(at, _("Take it off"))
    part = g.const.part_index[pick.part]
    after = *tiles[: pick.slot - 1], part + 1, *tiles[pick.slot :]
    can = stats_with(g.const, g.seats.species[seat], kind, after)
    return Pick(at, f"{term(pick.part)}: {part_text(g.const.part_stats[part])}", _told(can))


def _told(can: Stats) -> str:
    return ", ".join([*figures(can), _("dice {dice}").format(dice=dice_text(can))])


# Parts ---------------------------------------------------------------------------------------------------------------


def workbenches(frame: Frame, ask: Choose[Any], so_far: tuple[Value, ...]) -> Sequence[Bench]:
    """A bench for each ship if the question is an upgrade, else ()."""
    if not isinstance(ask, Upgrade):
        return ()
    return [
        Bench(
            term(PIECES[ship]),
            partial(_fittings, frame, ask.seat, ship, ask, so_far),
            partial(_with, frame, ask.seat, ship, so_far),
        )
        for ship in PLAYER_SHIPS
    ]


def _fittings(frame: Frame, seat: int, ship: int, ask: Upgrade, so_far: tuple[Value, ...]) -> Sequence[Fitting]:
    """The parts that fit, what can be taken off, then the other parts: those at hand first."""
    g, name = frame.g, PIECES[ship]
    options = ask.options(g, frame.view.lens, so_far)
    refused = dict(ask.refused(g, frame.view.lens, so_far))
    slots = _after(g, seat, so_far)[ship]
    fits, besides, other = list[Fitting](), list[Fitting](), list[tuple[bool, Fitting]]()
    for part, row in enumerate(g.const.parts):
        about = brief(g.const.part_stats[part])
        legal = [each for each in options if isinstance(each, Place) and (each.ship, each.part) == (name, row.id)]
        legal.sort(key=lambda each: shown(g, seat, ship, slots, each.slot - 1) >= 0)  # empty slots first
        if legal:
            fits.append(
                Fitting(term(row.id), about, tuple((each, _slot(g, seat, ship, slots, each)) for each in legal))
            )
        else:
            missing = _missing(g, seat, part)
            reason = missing or _misfit(frame, PIECES[ship], row.id, refused)
            other.append((bool(missing), Fitting(term(row.id), about, (), reason)))
    for each in options:
        if isinstance(each, Remove) and each.ship == name:
            off = _("Take off: {part}").format(part=term(g.const.part_ids[shown(g, seat, ship, slots, each.slot - 1)]))
            besides.append(Fitting(off, "", ((each, _slot(g, seat, ship, slots, each)),)))
        elif isinstance(each, Stop):
            besides.append(Fitting(_("Upgrade nothing more"), "", ((each, ""),)))
    return (*fits, *besides, *(each for _missing, each in sorted(other, key=itemgetter(0))))


def _after(g: Eclipse, seat: int, so_far: Sequence[Any]) -> list[list[int]]:
    """The tiles of the seat's blueprints after these picks."""
    board = blueprints(g, seat)
    for done in so_far:
        match done:
            case Remove(ship, slot):
                board[PIECES.index(ship)][slot - 1] = 0
            case Place(ship, slot, part):
                board[PIECES.index(ship)][slot - 1] = g.const.part_index[part] + 1
    return board


def _slot(g: Eclipse, seat: int, ship: int, slots: Sequence[int], option: Place | Remove) -> str:
    """A slot with the part on it."""
    if option.slot == SLOTS:
        return _("beside the grid")
    part = shown(g, seat, ship, slots, option.slot - 1)
    held = term(g.const.part_ids[part]) if part >= 0 else _("empty")
    return _("slot {n}: {part}").format(n=option.slot, part=held)


def _missing(g: Eclipse, seat: int, part: int) -> str:
    """What the seat has not got for a part, "" if it may use it."""
    needs = g.const.part_technology[part]
    if g.const.ancient[part]:
        return "" if g.seats.parts[seat, part] else _("no such discovery")
    return "" if needs == NOBODY or g.seats.techs[seat, needs] else _("technology missing")


def _misfit(frame: Frame, ship: str, part: str, refused: Mapping[Value, Refusal]) -> str:
    """Why a part fits nowhere on a ship, by the slot that lacks the least."""
    found = [
        refusal
        for place, refusal in refused.items()
        if isinstance(place, Place) and (place.ship, place.part) == (ship, part)
    ]
    short = [refusal.detail[1] for refusal in found if refusal.code == "upgrade/energy"]
    if short:
        return _("energy {n} short").format(n=min(map(int, short)))
    if any(refusal.code == "upgrade/no-drive" for refusal in found):
        return _("no drive left")
    return refusal_text(found[0], frame.display_names) if found else _("it is there already")


def _with(frame: Frame, seat: int, kind: int, so_far: tuple[Value, ...], option: Value) -> Document:
    """The ship with an option taken: its parts and figures, then the chance that one of its dice hits each enemy."""
    g: Eclipse = frame.g
    tiles = _after(g, seat, so_far if option is None else (*so_far, option))[kind]
    can = stats_with(g.const, g.seats.species[seat], kind, tuple(tiles))
    return [Ships([ship(frame, seat, kind, term(PIECES[kind]), tiles, brief)]), _hits(frame, seat, can)]


def _hits(frame: Frame, seat: int, can: Stats) -> Block:
    """The chance of one die to hit each kind of enemy ship, by owner."""
    g: Eclipse = frame.g
    if not any(can[CANNONS:]):
        return Note(_("no weapons: it hits nothing"), "faint")
    kinds = [kind for kind in range(ANCIENT, GCDS + 1) if g.const.npc_stats[kind]]  # not in every edition
    enemies = [(_("neutral"), NOBODY, [(kind, npc_stats(g, kind)) for kind in kinds])]
    for other in range(g.table.seats):
        if other != seat and g.seats.species[other] >= 0:
            ships = [(kind, stats(g, other, kind)) for kind in PLAYER_SHIPS]
            enemies.append((frame.names[other], other, ships))
    rows = []
    for name, owner, ships in enemies:
        each = [f"{term(PIECES[kind])} {share_text(hit_chance(can, foe))}" for kind, foe in ships]
        same = {hit_chance(can, foe) for _kind, foe in ships}
        told = f"{_('all')} {share_text(same.pop())}" if len(same) == 1 else ", ".join(each)
        rows.append((Cell(name, look=owner_style(owner)), Cell(told)))
    return TextTable((Cell(_("one die hits"), look="title"),), rows)


def hit_chance(can: Stats, foe: Stats) -> float:
    """The chance that one die of a ship hits another ship."""
    return sum(hits(face, can[COMPUTER], foe[SHIELD]) for face in range(1, FACES + 1)) / FACES
