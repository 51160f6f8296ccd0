# SPDX-License-Identifier: GPL-3.0-or-later
"""Battles of Galactic Emperor: the present one, with three phases of fire, the rolls, and the chances before a roll,
after the advised losses, and if the attacker goes on or retreats; odds in words, and what if units were others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from client.games.emperor.show.odds import Side, chances, help_of, left, side_of
from client.games.emperor.show.pieces import units_text
from client.games.emperor.wording import term
from client.show.battles import (
    Battle,
    Chance,
    Number,
    Supposed,
    Unit,
    Volley,
    both_sides,
    chances_of,
    document_of,
    kinds_meant,
    share_text,
    side_name,
    units_table,
)
from client.show.document import Cell, Document, Note, ShownDie, TextTable
from client.show.draws import Die as Thrown
from client.show.draws import dice_of
from client.show.pictures import Fights, Frame
from client.show.styled import owner_style
from client.system.texts import _, ngettext
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.values import Value
from engine.core.waits import Choose, Roll
from engine.emperor import combat, dice, galaxy
from engine.emperor.state import NOBODY, SHIELDS, TARGETING, Emperor
from engine.emperor.terms import ALL_UNITS, CRUISER, FIGHTER, UNITS

ROLLS: Final = 3
"""Number of rolls shown, the last ones."""


def fight(frame: Frame, events: Sequence[Event]) -> Battle | None:
    """The present battle; None without one. events: the last events."""
    g: Emperor = frame.g
    now = g.battle
    if now.site == NOBODY:
        return None
    place = g.const.spaces[now.site]
    first = max((at for at, each in enumerate(events) if each.id == "warlord/battle"), default=-1)
    here = first < 0 or events[first].args["space"] == place  # a draft may begin a battle after the last told one
    rolls = [at for at, each in enumerate(events) if here and at > first and each.id == "warlord/rolled"]
    phase = _phase(g)
    notes = [
        text.format(side=frame.names[now.helped[at]])
        for at, text in (
            (TARGETING, _("{side}: Targeting Computers help the cruisers")),
            (SHIELDS, _("{side}: Deflector Shields stop the first hit")),
        )
        if now.helped[at] != NOBODY
    ]
    notes.append(_("After each phase the attacker goes on or retreats."))
    return Battle(
        _("Space {space}: {attacker} against {defender}").format(
            space=place, attacker=frame.names[now.attacker], defender=frame.names[now.defender]
        ),
        units=units_table((_("fires in phase"), _("hits from")), _fighters(frame)),
        phases=_phases(frame, phase, over=isinstance(frame.view.pending, combat.Retreat)),
        volleys=tuple(group for at in reversed(rolls[-ROLLS:]) for group in _rolls(frame, events[at:])),
        chances=tuple(_chances(frame, phase, events)),
        notes=tuple(notes),
        place=place,
    )


def _phase(g: Emperor) -> int | None:
    """The present phase, 0 for the free fire of ships that warped; None between battles and phases."""
    match g.flow.now:
        case ["free-fire"]:
            return 0
        case ["fire", int(phase)]:
            return phase
    return None


def first_phase(frame: Frame) -> int:
    """The next phase of fire, 1 without a battle."""
    phase = _phase(frame.g)
    if phase is None:
        return 1
    pending = frame.view.pending
    return phase if isinstance(pending, Roll) and pending.tag == "fire" else 1 + phase % combat.PHASES


def _fighters(frame: Frame) -> Iterator[Unit]:
    g: Emperor = frame.g
    now = g.battle
    fires = None if isinstance(frame.view.pending, combat.Retreat) else _phase(g)
    for owner in (now.attacker, now.defender):
        for kind, count in enumerate(combat.count(g, owner, now.site)):
            if count:
                unit = g.const.units[kind]
                state = _("one more die") if kind == now.extra and owner == now.attacker else ""
                name = f"{frame.letter(owner)} {count} × {term(UNITS[kind])}"
                yield owner, name, (str(unit.phase), f"{unit.hits}+"), fires == unit.phase, state


def _phases(frame: Frame, now: int | None, *, over: bool) -> TextTable:
    """The free fire, if there is one, and the three phases; units lost in one do not fire in the next. over: True once
    the present phase has been fought."""
    g: Emperor = frame.g
    battle = g.battle
    both = (battle.attacker, battle.defender)
    rows = []
    for phase in range(0 if battle.warp else 1, combat.PHASES + 1):
        kinds = ", ".join(term(UNITS[kind]) for kind in ALL_UNITS if g.const.units[kind].phase == phase)
        name = _("Phase {n}: {kinds}").format(n=phase, kinds=kinds) if phase else _("Free fire of ships that warped")
        present = phase == now and not over
        mark = "▸" if present else " " if now is None or phase > now else "✓"
        sides = both if phase else both[:1]
        dice = (Cell(f"{frame.names[seat]} {_dice(g, seat, phase)}", look=owner_style(seat)) for seat in sides)
        rows.append((Cell(f"{mark} {name}", look="title" if present else ""), *dice))
    return TextTable((), rows)


def _dice(g: Emperor, seat: int, phase: int) -> str:
    """The dice of a side in a phase: “3 dice: 5+”, or “3 dice: 2 × 5+, 1 × 6+”."""
    wanted = sorted(combat.armed(g, seat, phase))
    if not wanted:
        return _("no dice")
    each = [f"{wanted.count(least)} × {least}+" for least in dict.fromkeys(wanted)]
    needs = ", ".join(each) if len(each) > 1 else f"{wanted[0]}+"
    return ngettext("{n} die: {needs}", "{n} dice: {needs}", len(wanted)).format(n=len(wanted), needs=needs)


def _rolls(frame: Frame, rolled: Sequence[Event]) -> Iterator[Volley]:
    """The rolled dice of each side. rolled: the roll and the events since."""
    phase = rolled[0].args["phase"]
    dice = _thrown(rolled)
    for seat in dict.fromkeys(each.seat for each in dice):
        faces = tuple(ShownDie(each.face, hit=each.hit) for each in dice if each.seat == seat)
        title = _("{side} rolls in phase {n}") if phase else _("{side} rolls in the free fire")
        hits = sum(bool(each.hit) for each in faces)
        note = ngettext("{n} hit", "{n} hits", hits).format(n=hits) if hits else _("no hit")
        yield Volley(seat, title.format(side=frame.names[seat], n=phase), note, faces, rolled[0])


def _thrown(rolled: Sequence[Event]) -> list[Thrown]:
    """The dice of a roll as they lie after those that were rolled anew. rolled: the roll and the events since."""
    faces = dice_of(rolled[0]) if rolled else []
    for each in rolled[1:]:
        if each.id == "warlord/rolled":
            break
        if each.id == "technology/rerolled":
            args: Any = each.args
            at = args["die"] - 1
            faces[at] = replace(faces[at], face=args["after"])
    return faces


# Chances -------------------------------------------------------------------------------------------------------------


def _chances(frame: Frame, phase: int | None, events: Sequence[Event]) -> Iterator[Chance]:
    """The chances before the next roll or retreat; while hits are being assigned, before their roll and after them."""
    g: Emperor = frame.g
    pending = frame.view.pending
    if phase is None or combat.decided(g):
        return
    following = 1 + phase % combat.PHASES
    if isinstance(pending, combat.Retreat):
        yield _chance(frame, _("if {name} goes on").format(name=frame.names[pending.seat]), following)
        yield Chance(_back_text(frame, pending.seat))
    elif isinstance(pending, Roll) and pending.tag == "fire":
        yield _chance(frame, _("if nobody retreats"), phase)
    else:
        at = max((at for at, each in enumerate(events) if each.id == "warlord/rolled"), default=len(events))
        rolled = events[at:]
        stopped = next((int(str(each.args["seat"])) for each in rolled if each.id == "warlord/shielded"), NOBODY)
        yield _chance(frame, _("before this roll"), phase, stopped)
        if isinstance(pending, combat.Losses) or hasattr(pending, "asks"):
            lost = {seat: _after(g, seat, rolled) for seat in (g.battle.attacker, g.battle.defender)}
            yield _chance(frame, _("if what is worth least is lost first"), following, counts=lost)


def _chance(
    frame: Frame, text: str, phase: int, stopped: int = NOBODY, counts: dict[int, dice.Counts] | None = None
) -> Chance:
    """The chances from a phase on.

    stopped: the seat whose shield the last roll has used.
    counts: the units of each side then.
    """
    g: Emperor = frame.g
    now = g.battle

    def side(seat: int) -> Side:
        stands = side_of(g, seat)
        shield = help_of(g, SHIELDS) if seat == stopped else stands.shield
        return stands._replace(shield=shield, counts=stands.counts if counts is None else counts[seat])

    free = combat.armed(g, now.attacker, 0) if phase == 0 else ()
    wins, loses = chances(g.const.units, side(now.attacker), side(now.defender), free, max(phase, 1))
    return Chance(text, ((now.attacker, wins), (now.defender, loses)))


def _after(g: Emperor, seat: int, rolled: Sequence[Event]) -> dice.Counts:
    """The units of a side after its caretaker has assigned the hits of the roll."""
    faces = _thrown(rolled)
    hits = sum(bool(die.hit) for die in faces if die.seat != seat)
    hits -= sum(
        int(str(each.args["hits"])) for each in rolled if each.id == "warlord/shielded" and each.args["seat"] == seat
    )
    return left(combat.count(g, seat, g.battle.site), max(hits, 0))


def _back_text(frame: Frame, seat: int) -> str:
    """The effect of a retreat: ships go back along the route that they came by."""
    g: Emperor = frame.g
    here = galaxy.fleet(g, seat, g.battle.site)
    back = sum(g.ships.came[ship] != NOBODY for ship in here)
    text = ngettext(
        "if {name} retreats: {n} of {all} ships goes back where it came from, repaired",
        "if {name} retreats: {n} of {all} ships go back where they came from, repaired",
        back,
    )
    return text.format(name=frame.names[seat], n=back, all=len(here))


def best_loss(frame: Frame, ask: Choose[Any], so_far: tuple[Value, ...]) -> Value:
    """The unit for the next hit with the least harm; None for other questions."""
    if not isinstance(ask, combat.Losses):
        return None
    picks = ask.caretaker(frame.g)
    return picks[len(so_far)] if picks[: len(so_far)] == so_far and len(picks) > len(so_far) else None


def fight_on(frame: Frame, ask: Choose[Any]) -> Sequence[Value]:
    """The answer of a player who fights on: no retreat."""
    return (None,) if isinstance(ask, combat.Retreat) else ()


# In words, and what if -----------------------------------------------------------------------------------------------


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


def odds(frame: Frame, space: str) -> Sequence[tuple[int, float]]:
    """The chances of the battle that has begun in a space; () without one."""
    now = frame.g.battle
    here = now.site == frame.g.const.space_index[space]
    return _chance(frame, "", 0 if now.warp else 1).shares if here else ()


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The ships and the token of each side in a space."""
    g: Emperor = frame.g
    at = g.const.space_index[space]
    sides = {*galaxy.ship_owners(g, at), g.sectors.owner[at]} - {NOBODY}
    return [(seat, units_text(combat.count(g, seat, at))) for seat in sorted(sides)]


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
    now = combat.count(g, owner, site) if site != NOBODY else (0,) * len(UNITS)
    now = now if any(now) else tuple(int(kind == FIGHTER) for kind in range(len(UNITS)))
    for kind, number in enumerate(now):
        key = f"{at} {UNITS[kind]}"
        yield Number(key, owner, term(UNITS[kind]), numbers.get(key, number), MOST)
    stands = side_of(g, owner) if g.battle.site != NOBODY else Side(now)
    for name, value, most, text in (
        ("shield", stands.shield, help_of(g, SHIELDS), _("Deflector Shields: hits that they stop")),
        ("targeting", int(bool(stands.better)), 1, _("Targeting Computers help the cruisers")),
    ):
        key = f"{at} {name}"
        yield Number(key, owner, text, numbers.get(key, value), most)


def _side(g: Emperor, owner: int, values: Mapping[str, int]) -> Side:
    counts = tuple(values[name] for name in UNITS)
    better = {CRUISER: help_of(g, TARGETING)} if values["targeting"] else {}
    fights = g.battle.site != NOBODY and owner == g.battle.attacker
    return Side(counts, values["shield"], g.battle.extra if fights else NOBODY, better)


TOLD: Final = frozenset({
    "warlord/battle", "warlord/rolled", "warlord/shielded", "warlord/losses", "warlord/retreated", "warlord/both-gone",
    "warlord/won", "technology/used", "technology/rerolled",
})  # fmt: skip
"""The events of battles."""

FIGHTS: Final = Fights(
    opens=("warlord/battle", "space"),
    retreat="retreat",
    belonging=TOLD,
    forces=forces,
    odds=odds,
    dice=True,
    now=fight,
    advised=best_loss,
    fight_on=fight_on,
    suppose=suppose,
)
