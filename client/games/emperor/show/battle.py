# SPDX-License-Identifier: GPL-3.0-or-later
"""Battles and their odds in words, for `battle` and `odds`, and hypothetical ones with other units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from client.games.emperor.show.fight import best_loss, fight, fight_on, first_phase
from client.games.emperor.show.odds import Side, chances, help_of, odds, side_of
from client.games.emperor.show.words import units_text
from client.games.emperor.wording import term
from client.show.battles import (
    Chance,
    Number,
    Supposed,
    both_sides,
    chances_of,
    document_of,
    kinds_meant,
    share_text,
    side_name,
)
from client.show.document import Document, Note
from client.show.pictures import Fights, Frame
from client.system.texts import _
from engine.core.ids import Seat
from engine.emperor import galaxy
from engine.emperor.combat import count
from engine.emperor.state import NOBODY, SHIELDS, TARGETING, Emperor
from engine.emperor.terms import CRUISER, FIGHTER, UNITS


def battle(frame: Frame) -> Document:
    """The units of both sides, the phases and the chances; the dice that were rolled stand in the log."""
    now = fight(frame, ())
    return [Note(_("No battle is under way."))] if now is None else document_of(now, frame.names)


def odds_told(frame: Frame) -> Document:
    """The odds of “2 fighter vs dreadnought”, of the present battle, or of one in a space."""
    said, space = both_sides(frame.words), "".join(frame.words[:1]).lower()
    if said is not None:
        sides = [*map(_counted, said)]
        return [Note(_what_if(frame, sides) if all(map(any, sides)) else _help())]
    g: Emperor = frame.g
    at = g.const.space_index.get(space, NOBODY)
    if g.battle.site == NOBODY and (at == NOBODY or not galaxy.foes(g, Seat(max(frame.view.seat, 0)), at)):
        return [Note(_help())]
    supposed = suppose(frame, space, {})
    units = [each for each in supposed.numbers if each.key[2:] in UNITS and each.value]
    shown = [f"{side_name(frame.names, each.owner)}: {each.value} × {each.text}" for each in units]
    return [*map(Note, [supposed.title, *shown]), *chances_of([supposed.chance], frame.names)]


def _counted(words: Sequence[str]) -> tuple[int, ...]:
    """Units in words, each kind after its number; nothing for a text that is not understood."""
    counts, number = [0] * len(UNITS), 1
    for word in words:
        if word.isascii() and word.isdecimal() and int(word) <= MOST:
            number = int(word)
            continue
        kinds = kinds_meant(word, {kind: (unit, term(unit).lower()) for kind, unit in enumerate(UNITS)})
        if len(kinds) != 1:
            return ()
        counts[kinds[0]], number = number, 1
    return tuple(counts)


def _what_if(frame: Frame, sides: Sequence[tuple[int, ...]]) -> str:
    wins, loses = chances(frame.g.const.units, Side(sides[0]), Side(sides[1]))
    said = [", ".join(f"{count} × {term(UNITS[kind])}" for kind, count in enumerate(side) if count) for side in sides]
    return _("{units} against {foes}: wins {chance}, loses {other}, if nobody retreats.").format(
        units=said[0], foes=said[1], chance=share_text(wins, 1), other=share_text(loses, 1)
    )


def _help() -> str:
    return _("For example: odds 2 fighter vs dreadnought, or odds c5 for the units in a space.")


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The ships and the token of each side in a space."""
    g: Emperor = frame.g
    at = g.const.space_index[space]
    sides = {*galaxy.ship_owners(g, at), g.sectors.owner[at]} - {NOBODY}
    return [(seat, units_text(count(g, seat, at))) for seat in sorted(sides)]


MOST: Final = 9
"""Most units of one kind."""


def suppose(frame: Frame, space: str, numbers: Mapping[str, int]) -> Supposed:
    """The present battle, or one between the seat and the units in a space, with some changed numbers."""
    g: Emperor = frame.g
    under_way = g.battle.site != NOBODY
    site = g.battle.site if under_way else g.const.space_index.get(space, NOBODY)
    me = max(frame.view.seat, 0)
    foes = galaxy.foes(g, Seat(me), site) if site != NOBODY else []
    there = me, foes[0] if foes else (me + 1) % g.table.seats
    owners = (g.battle.attacker, g.battle.defender) if under_way else there
    listed: list[Number] = []
    sides: list[Side] = []
    for at, owner in enumerate(owners):
        found = [*_numbers(frame, at, owner, site, numbers)]
        listed += found
        sides.append(_side(g, owner, {number.key[2:]: number.value for number in found}))
    wins, loses = chances(g.const.units, sides[0], sides[1], (), max(first_phase(frame), 1))
    shares = ((owners[0], wins), (owners[1], loses))
    name = g.const.spaces[site] if site != NOBODY else "-"
    return Supposed(_("space {space}").format(space=name), listed, Chance(_("if nobody retreats"), shares))


def _numbers(frame: Frame, at: int, owner: int, site: int, numbers: Mapping[str, int]) -> Iterator[Number]:
    """Units by kind, then their bonuses."""
    g: Emperor = frame.g
    now = count(g, owner, site) if site != NOBODY else (0,) * len(UNITS)
    now = now if any(now) else tuple(int(kind == FIGHTER) for kind in range(len(UNITS)))
    for kind, number in enumerate(now):
        key = f"{at} {UNITS[kind]}"
        yield Number(key, owner, term(UNITS[kind]), numbers.get(key, number), MOST)
    stands = side_of(g, owner) if g.battle.site != NOBODY else Side(now)
    for name, value, text in (
        ("shield", stands.shield, _("Deflector Shields: hits that they stop")),
        ("targeting", int(bool(stands.better)), _("Targeting Computers help the cruisers")),
    ):
        key = f"{at} {name}"
        most = help_of(g, SHIELDS) if name == "shield" else 1
        yield Number(key, owner, text, numbers.get(key, value), most)


def _side(g: Emperor, owner: int, values: Mapping[str, int]) -> Side:
    counts = tuple(values[name] for name in UNITS)
    better = {CRUISER: help_of(g, TARGETING)} if values["targeting"] else {}
    fights = g.battle.site != NOBODY and owner == g.battle.attacker
    return Side(counts, values["shield"], g.battle.extra if fights else NOBODY, better)


FIGHTS: Final = Fights(
    opens=("warlord/battle", "space"),
    retreat="retreat",
    belonging=frozenset(
        {
            *(
                f"warlord/{part}"
                for part in ("battle", "rolled", "shielded", "losses", "retreated", "both-gone", "won")
            ),
            *("technology/used", "technology/rerolled"),
        }
    ),
    forces=forces,
    odds=odds,
    dice=True,
    now=fight,
    advised=best_loss,
    fight_on=fight_on,
    suppose=suppose,
)
