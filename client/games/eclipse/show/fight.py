# SPDX-License-Identifier: GPL-3.0-or-later
"""The ships in contested sectors, and the present battle in Eclipse: ships by initiative, rolled dice, advised targets,
and the chances before the roll, after it and in case of a retreat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from client.games.eclipse.show.odds import TOO_MANY, WORK, Fate, Stage, damage_of, groups_of, stage_of, standing
from client.games.eclipse.show.words import cannons_text, missiles_text
from client.games.eclipse.wording import term
from client.show.battles import Battle, Chance, Unit, Volley, document_of, side_name, units_table
from client.show.document import Document, Note, ShownDie, TextTable
from client.show.pictures import Frame
from client.system.texts import N_, _, ngettext
from engine.core.events import Event
from engine.core.values import Value
from engine.core.waits import Choose
from engine.eclipse import sectors
from engine.eclipse.blueprints import armed, ship_stats
from engine.eclipse.combat.dice import Shot
from engine.eclipse.combat.odds import escape
from engine.eclipse.combat.order import acted_bit, due, kinds, sides
from engine.eclipse.combat.strike import Assign, Attack, Engage, Retreat, Target, foes
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, MISSILES, SHIELD
from engine.eclipse.terms import PIECES

ROLLS: Final = 2
"""Number of rolls shown, the last ones."""
EXACT: Final = N_("Chances are exact, if nobody retreats and players sink the ship with the fewest hits left first.")
MANY: Final = 40
"""Most ways to assign hits among which the best is computed."""


def fight(frame: Frame, events: Sequence[Event]) -> Battle | None:
    """The present battle; None without one. events: the last events."""
    stage = stage_of(frame.g)
    if stage is None:
        return None
    here = [each for each in events if each.args.get("sector") == stage.sector]
    begun = max((at for at, each in enumerate(here) if each.id == "combat/battle"), default=-1)
    rolls = [at for at, each in enumerate(here) if at > begun and each.id == "combat/rolled"]
    round = _("missiles") if not stage.round else _("round {n}").format(n=stage.round)
    return Battle(
        _("Sector {sector}, {round}").format(sector=stage.sector, round=round),
        _course(frame, stage),
        units=units(frame, stage.tile, stage),
        volleys=tuple(_volley(frame, stage, here[at:]) for at in reversed(rolls[-ROLLS:])),
        chances=tuple(_chances(frame, stage)),
        notes=() if stage.fate() is None else (_(EXACT),),
        later=stage.later,
        place=stage.sector,
    )


def _course(frame: Frame, stage: Stage) -> str:
    """The order in which more than two sides of a sector fight, "" for two."""
    others = [owner for owner in reversed(sides(stage.g, stage.tile)) if owner not in stage.sides]
    attacker, defender = (side_name(frame.names, owner) for owner in stage.sides)
    pairs = [_("{attacker} attacks {defender}").format(attacker=attacker, defender=defender)]
    pairs += [_("then the winner fights {side}").format(side=side_name(frame.names, owner)) for owner in others]
    return "; ".join(pairs) if others else ""


def units(frame: Frame, tile: int, stage: Stage | None = None) -> TextTable | None:
    """Each kind of ship in a sector, by initiative. stage: the battle that is under way there."""
    heads = _("init"), _("dice"), _("comp"), _("shield"), _("hull"), _("ships left")
    return units_table(heads, _fighters(frame, tile, stage))


def _fighters(frame: Frame, tile: int, stage: Stage | None) -> Iterator[Unit]:
    """Each kind of ship in a sector, by initiative; in the missile volley of a battle first those that fire in it.
    stage: the battle that is under way there."""
    g, here = frame.g, sectors.fleet(frame.g).get(tile, {})
    now = None if stage is None else due(g, tile, *stage.sides, stage.round, stage.acted)
    owners = sides(g, tile) if stage is None else stage.sides[::-1]  # of equal ones the defender's fire first
    listed = [(owner, kind) for owner in owners for kind in kinds(g, tile, owner)]
    listed.sort(key=lambda each: -ship_stats(g, *each)[INITIATIVE])
    volleys = [(each, CANNONS, cannons_text) for each in listed]
    if stage is not None and not stage.round:
        missiles = [each for each in listed if armed(ship_stats(g, *each), MISSILES)]
        volleys = [*((each, MISSILES, missiles_text) for each in missiles), *volleys]
    for (owner, kind), weapons, dice in volleys:
        ships, can = [ship for ship in here[owner] if ship_kind(g, ship) == kind], ship_stats(g, owner, kind)
        fires = stage is None or (weapons == CANNONS) == bool(stage.round)
        turn = fires and now is not None and now[0] == owner and kind in now[1]
        has_fired = stage is not None and stage.acted & acted_bit(owner == stage.sides[0], kind)
        state = _leaves(g, ships) or (_("NOW") if turn else _("fired") if has_fired else "")
        left = _left_text([g.ships.damage[ship] for ship in ships], can[HULL] + 1)
        cells = str(can[INITIATIVE]), dice(can), f"{can[COMPUTER]:+}", f"{-can[SHIELD]:+}", str(can[HULL]), left
        name = f"{frame.letter(owner)} {len(ships)} × {term(PIECES[kind])}"
        yield owner, name, cells, turn, state if fires else ""


def _left_text(damage: Sequence[int], hits: int) -> str:
    """A sign for each ship, the hurt ones last with the hits that they still take: “■□ (1 of 2)”."""
    hurt = sorted(each for each in damage if each)
    signs = "■" * (len(damage) - len(hurt)) + "□" * len(hurt)
    told = ", ".join(_("{left} of {all}").format(left=hits - each, all=hits) for each in hurt)
    return f"{signs} ({told})" if hurt else signs


def _leaves(g: Eclipse, ships: Sequence[int]) -> str:
    leaving = {g.ships.leaving[ship] for ship in ships} - {NOBODY}
    return _("leaves for {sector}").format(sector=g.const.sector_ids[min(leaving)]) if leaving else ""


def _volley(frame: Frame, stage: Stage, rolled: Sequence[Event]) -> Volley:
    """A roll with the faces that hit. rolled: the roll and the events since."""
    args: Any = rolled[0].args
    side = side_name(frame.names, args["seat"], first=True)
    title = _("{side} rolls for {ship}").format(side=side, ship=term(args["ship"]))
    damage, thrown = stage.g.const.constants.dice_damage, _thrown(rolled)
    mixed = len({damage[colour] for colour, _face in thrown}) > 1
    dice = [ShownDie(face, colour, face >= args["needs"], damage[colour] * mixed) for colour, face in thrown]
    needs = _("needs {n}+").format(n=args["needs"])
    hits = _hits_text([damage[die.colour] for die in dice if die.hit])
    note = f"{needs} {_reason(stage, args['seat'], args['ship'])}".strip()
    return Volley(args["seat"], title, f"{note}; {hits}", tuple(dice), rolled[0])


def _thrown(rolled: Sequence[Event]) -> list[tuple[str, int]]:
    """Colour and face of each die of a roll as they lie after those that were rolled anew."""
    args: Any = rolled[0].args
    dice = [*zip(args["dice"], args["faces"], strict=True)]
    for each in rolled[1:]:
        if each.id == "combat/rolled":
            break
        again: Any = each.args
        if each.id == "combat/rerolled" and (again["colour"], again["face"]) in dice:
            dice[dice.index((again["colour"], again["face"]))] = again["colour"], again["now"]
    return dice


def _hits_text(damage: Sequence[int]) -> str:
    """The number of hits with the damage of each."""
    if not damage:
        return _("no hit")
    each = "/".join(str(points) for points in sorted({*damage}, reverse=True))
    return ngettext("{n} hit of {damage} damage", "{n} hits of {damage} damage each", len(damage)).format(
        n=len(damage), damage=each
    )


def _reason(stage: Stage, owner: int, ship: str) -> str:
    """The reason for the faces that hit: computer and shields."""
    if owner not in stage.sides:
        return ""
    foe = stage.sides[owner == stage.sides[0]]
    shields = {ship_stats(stage.g, foe, kind)[SHIELD] for kind in kinds(stage.g, stage.tile, foe)}
    computer = ship_stats(stage.g, owner, PIECES.index(ship))[COMPUTER]
    text = "/".join(f"{-each:+}" for each in sorted(shields))
    return _("(6 always, 1 never; computer {n:+}, shield {shield})").format(n=computer, shield=text or "0")


# Chances -------------------------------------------------------------------------------------------------------------


def _chances(frame: Frame, stage: Stage) -> Iterator[Chance]:
    """The chances before the roll, after the advised hits, and after a retreat, with the losses of the seat."""
    now = stage.fate()
    pending = frame.view.pending
    if now is None:
        yield Chance(_(TOO_MANY))
    else:
        assigns = isinstance(pending, Assign)
        text = _("before this roll") if assigns else _("if nobody retreats")
        yield Chance(f"{text}{_losses(frame, stage, now)}", stage.shares(now.wins))
    if isinstance(pending, Assign) and pending.sector == stage.sector:
        after = _after(stage, pending, advised(frame.g, pending))
        if after is not None:
            text = _("if advised")
            yield Chance(f"{text}{_losses(frame, stage, after)}", stage.shares(after.wins))
    if isinstance(pending, Engage) and pending.sector == stage.sector and stage.round:
        yield from _retreats(stage, pending)


def _losses(frame: Frame, stage: Stage, fate: Fate) -> str:
    """The ships that the seat loses on average, or the attacker if the seat is not in the battle."""
    seat = frame.view.seat
    side = stage.sides.index(seat) if seat >= 0 and seat in stage.sides else int(stage.sides[0] == NOBODY)
    owner = stage.sides[side]
    lost = len(stage.ships[owner]) - fate.left[side]
    return "; " + _("{side} loses {n:.1f} ships").format(side=side_name(frame.names, owner), n=lost)


def _retreats(stage: Stage, ask: Engage) -> Iterator[Chance]:
    """For each type of ship that may retreat, its destination and the mean number that escape."""
    ways: dict[str, list[str]] = {}
    for option in ask.options(stage.g):
        if isinstance(option, Retreat):
            ways.setdefault(option.ship, []).append(option.sector)
    for ship, sectors_ in ways.items():
        text = _("retreat to {sectors} with {ship}: it begins at their turn in the next round").format(
            ship=term(ship), sectors=", ".join(sectors_)
        )
        kind = PIECES.index(ship)
        saved = _saved(stage, ask.seat, kind)
        if saved is not None:
            count = sum(each == kind for each, _damage in stage.ships[ask.seat])
            text += "; " + _("{n:.1f} of {all} get away on average").format(n=saved, all=count)
        here = sectors.fleet(stage.g)[stage.tile][ask.seat]
        if all(ship_kind(stage.g, each) == kind or stage.g.ships.leaving[each] != NOBODY for each in here):
            text += "; " + _("no reputation tile for taking part")
        yield Chance(text)


def _saved(stage: Stage, seat: int, kind: int) -> float | None:
    """The mean number of ships of a type that escape if they begin to retreat now."""
    if stage.fate() is None or not all(stage.ships.values()):
        return None
    mine, theirs = (groups_of(stage.g, owner, stage.ships[owner]) for owner in stage.sides)
    return float(escape(mine, theirs, damage_of(stage.g), stage.acted, kind, attacking=seat == stage.sides[0]))


def _after(stage: Stage, ask: Assign, picks: tuple[Target, ...], most: int = WORK) -> Fate | None:
    """What is to be expected after these targets are hit; None if it takes more work than `most`."""
    g = stage.g
    targets = foes(g, stage.tile, ask.foe)
    taken = [0] * len(targets)
    for aim, (points, _face) in zip(ask.aims(g, picks), ask.shots, strict=True):
        if aim >= 0:
            taken[aim] += points
    left = [
        (target.kind, target.damage + points)
        for target, points in zip(targets, taken, strict=True)
        if target.damage + points <= target.hull
    ]
    acted = stage.acted | acted_bit(ask.seat == stage.sides[0], PIECES.index(ask.ship))
    return stage.fate({ask.foe: left}, acted, most)


def advised(g: Eclipse, ask: Assign, so_far: tuple[Target, ...] = ()) -> tuple[Target, ...]:
    """The picks with the best chance to win for the seat, of equal ones those that leave it the most ships, beginning
    with those made. If computing them takes too long, the choice of neutral ships."""
    stage = stage_of(g)
    plain = ask.caretaker(g)
    if stage is None or ask.seat not in stage.sides:
        return plain
    found = _ways(g, ask, so_far)
    if not found or len(found) > MANY or stage.fate() is None:
        return plain
    best = list[tuple[float, float, bool, tuple[Target, ...]]]()
    for picks in found:
        after = _after(stage, ask, picks, 2 * WORK // len(found))
        if after is None:
            return plain
        attacks = ask.seat == stage.sides[0]
        wins, left = (after.wins, after.left[0]) if attacks else (1 - after.wins, after.left[1])
        best.append((round(wins, 4), round(left, 4), picks == plain, picks))
    return max(best, key=lambda each: each[:3])[-1]


def best_target(frame: Frame, ask: Choose[Any], so_far: tuple[Value, ...]) -> Value:
    """The advised target of the next hit; None for other questions."""
    if not isinstance(ask, Assign) or frame.g.flow.now[:1] != ["strike"]:
        return None
    picks = advised(frame.g, ask, tuple(pick for pick in so_far if isinstance(pick, Target)))
    return picks[len(so_far)] if len(picks) > len(so_far) else None


def next_shot(g: Eclipse, ask: Assign, so_far: tuple[Value, ...]) -> tuple[int, Shot]:
    """The number of the die that the next pick is for, from 0, with its damage and face; the last one after all."""
    done = len(ask.aims(g, tuple(pick for pick in so_far if isinstance(pick, Target))))
    at = min(done, len(ask.shots) - 1)
    return at, ask.shots[at]


def fight_on(frame: Frame, ask: Choose[Any]) -> Sequence[Value]:
    """The answer of a player who fights on: attack, and hit the advised targets."""
    if isinstance(ask, Engage):
        return (Attack(ask.ships[0]),)
    if not isinstance(ask, Assign) or stage_of(frame.g) is None:
        return ()
    return (advised(frame.g, ask),)


def _ways(g: Eclipse, ask: Assign, so_far: tuple[Target, ...]) -> list[tuple[Target, ...]]:
    """The ways to assign the hits that begin with these picks, up to a few more than `MANY`."""
    found: list[tuple[Target, ...]] = []
    open_ = [so_far]
    while open_ and len(found) <= MANY:
        picks = open_.pop()
        options = ask.options(g, None, picks)
        if options:
            open_ += [(*picks, option) for option in reversed(options)]
        else:
            found.append(picks)
    return found


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
    shares, stage = standing(frame, tile), stage_of(frame.g, tile)
    ships = units(frame, tile)
    course = "" if stage is None else _course(frame, stage)
    title = _("Ships in sector {sector}").format(sector=frame.g.const.sector_ids[tile])
    chances = (Chance(_("if nobody retreats"), shares),) if shares else ()
    notes = () if ships else (_("  none").strip(),)
    return document_of(Battle(title, course, units=ships, chances=chances, notes=notes), frame.names)


def shots(ask: Assign) -> Note:
    """The dice that hit a target, the strongest first."""
    each = ", ".join(_("{damage} damage (shows {face})").format(damage=damage, face=face) for damage, face in ask.shots)
    return Note(_("Your hits: {hits}").format(hits=each))
