# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle in Galactic Emperor: three phases of fire with the dice of each side, the rolls, and the chances
before a roll, after the advised losses, and if the attacker goes on or retreats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from client.games.emperor.show.odds import Side, chances, help_of, left, side_of
from client.games.emperor.wording import term
from client.show.battles import Battle, Chance, Unit, Volley, units_table
from client.show.document import Cell, ShownDie, TextTable
from client.show.draws import Die as Thrown
from client.show.draws import dice_of
from client.show.pictures import Frame
from client.show.styled import owner_style
from client.system.texts import _, ngettext
from engine.core.events import Event
from engine.core.values import Value
from engine.core.waits import Choose, Roll
from engine.emperor import combat, dice, galaxy
from engine.emperor.state import NOBODY, SHIELDS, TARGETING, Emperor
from engine.emperor.terms import ALL_UNITS, UNITS

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
