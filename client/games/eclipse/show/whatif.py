# SPDX-License-Identifier: GPL-3.0-or-later
"""What if: the odds of a hypothetical battle between ships as they are built at this table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from client.games.eclipse.show.fight import battle
from client.games.eclipse.show.odds import MOST, TOO_MANY, Groups, Stage, damage_of, fate, groups_of, stage_of
from client.games.eclipse.show.tech import part_text
from client.games.eclipse.show.words import ships_text_of
from client.games.eclipse.wording import term
from client.show.battles import Chance, Number, Supposed, both_sides, kinds_meant, share_text, side_name
from client.show.document import Document, Note
from client.show.pictures import Frame
from client.system.texts import _
from client.words import refusal_text
from engine.core.errors import Refusal
from engine.eclipse import sectors
from engine.eclipse.actions.upgrade import judge
from engine.eclipse.blueprints import parts_of, ship_stats
from engine.eclipse.combat.odds import Group
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.stats import CANNONS, COMPUTER, CONSUMPTION, DRIVE, HULL, INITIATIVE, MISSILES, PRODUCTION, SHIELD
from engine.eclipse.terms import ANCIENT, COLOURS, INTERCEPTOR, PIECES, PLAYER_SHIPS, SHIPS


class UnreadableError(Exception):
    """The typed text is not a side of a battle; the message says why."""


def whatif(frame: Frame) -> Document:
    """The odds of “2 cruiser vs ancient”, of the coming battles, or of the battle in the given sector."""
    said = both_sides(frame.words)
    if said is None:
        return battle(frame) if len(frame.words) < 2 else [Note(_help())]
    try:
        (attacker, ships), (defender, foes) = _side(frame, said[0], attacking=True), _side(frame, said[1])
    except UnreadableError as error:
        return [Note(str(error)), Note(_help())]
    if len(ships) + len(foes) > MOST:
        return [Note(_("That takes too long with more than {n} ships.").format(n=MOST))]
    mine, theirs = (groups_of(frame.g, owner, [(kind, 0) for kind in kinds])
                    for owner, kinds in ((attacker, ships), (defender, foes)))  # fmt: skip
    found = fate(mine, theirs, damage_of(frame.g))
    if found is None:
        return [Note(_(TOO_MANY))]
    text = _("{attacker} ({ships}) attacks {defender} ({foes}): wins {chance}, loses {other}.").format(
        attacker=side_name(frame.names, attacker, first=True),
        ships=ships_text_of(ships),
        defender=side_name(frame.names, defender),
        foes=ships_text_of(foes),
        chance=share_text(found.wins),
        other=share_text(1 - found.wins),
    )
    return [Note(text)]


def _help() -> str:
    return _(
        "For example: odds 2 cruiser vs ancient, or odds cruiser, 2 interceptor vs B dreadnought. "
        "A letter says whose ships."
    )


def _side(frame: Frame, words: Sequence[str], *, attacking: bool = False) -> tuple[int, list[int]]:
    """The owner and the kinds of ships in words: optionally a seat, then types, each after its number if that is more
    than one."""
    names = {kind: (PIECES[kind], term(PIECES[kind]).lower()) for kind in SHIPS}
    seat = frame.seat(words[0]) if words and len(words) > 1 and not kinds_meant(words[0], names) else None
    owner, ships, count = frame.view.seat if seat is None and attacking else NOBODY if seat is None else seat, [], 1
    for word in words if seat is None else words[1:]:
        if word.isascii() and word.isdecimal() and len(word) < 3:
            count = int(word)
            continue
        kinds = [kind for kind in kinds_meant(word, names) if kind in (*PLAYER_SHIPS, *_neutral(frame.g))]
        if len(kinds) != 1:
            raise UnreadableError(_("“{word}” is no type of ship.").format(word=word))
        ships += kinds * min(count, MOST + 1)
        if ships.count(kinds[0]) > (most := frame.g.const.supply[kinds[0]]):
            raise UnreadableError(_("There are {n} at most: {ship}.").format(n=most, ship=term(PIECES[kinds[0]])))
        count = 1
    if not ships:
        raise UnreadableError(_("A battle has ships on both sides."))
    neutral = {kind not in PLAYER_SHIPS for kind in ships}
    if neutral == {True, False}:
        raise UnreadableError(_("Ships of players and neutral ships do not fight side by side."))
    if neutral == {True} and attacking:
        raise UnreadableError(_("Neutral ships always defend."))
    if neutral == {False} and owner == NOBODY:
        raise UnreadableError(_("Whose ships? A letter or name goes before them."))
    return NOBODY if neutral == {True} else owner, ships


def _neutral(g: Eclipse) -> list[int]:
    return [kind for kind in SHIPS if g.const.npc_stats.get(kind)]


# Numbers to set ------------------------------------------------------------------------------------------------------

FIGURE: Final = 9
"""The greatest value of a ship's figure that can be set."""


def suppose(frame: Frame, space: str, numbers: Mapping[str, int]) -> Supposed:
    """The present battle, or that of a sector, with changed ships and figures."""
    g: Eclipse = frame.g
    stage = _stage(frame, space)
    counts: list[Number] = []
    parts: list[Number] = []
    figures: list[Number] = []
    groups: list[Groups] = []
    problem: Refusal | None = None
    for at, owner in enumerate(stage.sides):
        side = []
        aims = _aims(at, owner, numbers)
        for kind in PLAYER_SHIPS if owner != NOBODY else _neutral(g):
            damage = sorted(each for of, each in stage.ships[owner] if of == kind)
            count = _number(
                numbers, f"{at} {PIECES[kind]}", owner, term(PIECES[kind]), len(damage), g.const.supply[kind]
            )
            counts.append(count)
            if count.value:
                slots = [*_slots(frame, at, owner, kind, numbers)]
                built = _built(g, owner, kind, slots)
                if any(number.key in numbers for number in slots):
                    problem = problem or judge(kind, built[PRODUCTION] - built[CONSUMPTION], built[DRIVE])
                stats = [*_stats(at, owner, kind, numbers, [max(each, 0) for each in built])]
                parts += slots
                figures += [number for _place, number in stats]
                group = _group(g, owner, kind, [*damage, *[0] * count.value][: count.value], stats)
                side.append(replace(group, by_rule=bool(aims.value)))
        counts += [aims] if owner != NOBODY else []
        groups.append(tuple(side))
    chance = Chance(refusal_text(problem, frame.display_names)) if problem else _chance(stage, *groups)
    title = _("sector {sector}").format(sector=stage.sector) if stage.tile != NOBODY else _("any sector")
    return Supposed(title, [*counts, *parts, *figures], chance)


def _aims(at: int, owner: int, numbers: Mapping[str, int]) -> Number:
    """The targets of a side: a player's choice, or the rule of neutral ships, which always use it."""
    names = (_("the ship with the fewest hits left first"), _("the largest ship that it sinks first"))
    key, neutral = f"{at} targets", int(owner == NOBODY)
    return Number(key, owner, _("targets"), numbers.get(key, neutral), len(names) - 1, names)


def _slots(frame: Frame, at: int, owner: int, kind: int, numbers: Mapping[str, int]) -> Iterator[Number]:
    """The part in each slot of a ship's blueprint; none for neutral ships."""
    if owner == NOBODY:
        return
    g: Eclipse = frame.g
    const = g.const
    effects = [part_text(stats) for stats in const.part_stats]
    names = (_("empty"), *(f"{term(id)} ({text})" for id, text in zip(const.part_ids, effects, strict=True)))
    for slot, part in enumerate(parts_of(g, owner, kind)[: len(const.printed[g.seats.species[owner]][kind])]):
        key = f"{at} {PIECES[kind]} slot {slot}"
        text = _("{ship}: part {n}").format(ship=term(PIECES[kind]), n=slot + 1)
        yield Number(key, owner, text, numbers.get(key, part + 1), len(const.part_ids), names)


def _built(g: Eclipse, owner: int, kind: int, slots: Sequence[Number]) -> Sequence[int]:
    """The figures of a ship with these parts."""
    found = [*ship_stats(g, owner, kind)]
    for number, old in zip(slots, parts_of(g, owner, kind) if slots else (), strict=False):
        for part, sign in ((number.value - 1, 1), (old, -1)):
            for place, value in enumerate(g.const.part_stats[part]) if part >= 0 else ():
                found[place] += sign * value
    return found


def _chance(stage: Stage, mine: Groups, theirs: Groups) -> Chance:
    ships = sum(len(group.damage) for group in (*mine, *theirs))
    if ships > MOST:
        return Chance(_("That takes too long with more than {n} ships.").format(n=MOST))
    if not mine or not theirs:
        return Chance(_("if nobody retreats"), stage.shares(float(bool(mine))))
    found = fate(mine, theirs, damage_of(stage.g), stage.round, stage.acted)
    return Chance(_(TOO_MANY)) if found is None else Chance(_("if nobody retreats"), stage.shares(found.wins))


def _stage(frame: Frame, space: str) -> Stage:
    """The present battle; else that of a sector; else one of the seat's ships against the ships there."""
    g: Eclipse = frame.g
    tile = g.const.sector_index.get(space, NOBODY)
    if (stage := stage_of(g) or stage_of(g, tile)) is not None:
        return stage
    me = max(frame.view.seat, 0)
    foe = next((owner for owner in sectors.fleet(g).get(tile, {}) if owner != me), NOBODY)
    stage = Stage(g, tile, me, foe)
    for owner, usual in ((me, INTERCEPTOR), (foe, ANCIENT if foe == NOBODY else INTERCEPTOR)):
        stage.ships[owner] = stage.ships[owner] or [(usual, 0)]
    return stage


def _number(numbers: Mapping[str, int], key: str, owner: int, text: str, now: int, most: int) -> Number:
    return Number(key, owner, text, numbers.get(key, now), max(most, now))


def _stats(
    at: int, owner: int, kind: int, numbers: Mapping[str, int], now: Sequence[int]
) -> Iterator[tuple[int, Number]]:
    """Each figure of a ship type that matters in battle, by its index in the stats. now: the figures as built."""
    name = term(PIECES[kind])
    known = {INITIATIVE: _("initiative"), COMPUTER: _("computer"), SHIELD: _("shield"), HULL: _("hull")}
    for colour, of in enumerate(COLOURS):
        known[CANNONS + colour] = _("{colour} dice").format(colour=term(of))
        known[MISSILES + colour] = _("{colour} missile dice").format(colour=term(of))
    for place, text in known.items():
        yield place, _number(numbers, f"{at} {PIECES[kind]} {place}", owner, f"{name}: {text}", now[place], FIGURE)


def _group(g: Eclipse, owner: int, kind: int, damage: Sequence[int], figures: Sequence[tuple[int, Number]]) -> Group:
    """Ships of one type with these figures; no ship has more damage than it can take."""
    (group,) = groups_of(g, owner, [(kind, each) for each in damage])
    stats = list(group.stats)
    for place, number in figures:
        stats[place] = number.value
    taken = tuple(sorted(min(each, stats[HULL]) for each in damage))
    return Group(kind, tuple(stats), taken, group.by_rule, group.splitter)
