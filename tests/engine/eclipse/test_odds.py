"""The chances of battles against counting by hand and against battles of the rules themselves."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from arena import TERRANS, Arena
from volume import seeds

from engine.core.dealer import Dealer, HashDice
from engine.core.inputs import Answer, Outcome
from engine.core.match import Match
from engine.core.waits import Roll
from engine.eclipse.blueprints import ship_stats
from engine.eclipse.combat.dice import aim_by_rule, picks_for
from engine.eclipse.combat.odds import ONE, Group, Odds, TooLongError, by_hits_left, odds
from engine.eclipse.combat.order import acted_bit, present
from engine.eclipse.combat.strike import Assign, Target, foes
from engine.eclipse.species import has_effect
from engine.eclipse.state import NOBODY, Eclipse, ship_kind
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, MISSILES, NOTHING, SHIELD, Stats
from engine.eclipse.terms import ANCIENT, CRUISER, INTERCEPTOR, PIECES

DAMAGE = (1, 2, 3, 4)


def ship(**values: int) -> Stats:
    """Stats by name; ``yellow`` … ``red`` are cannons, ``missiles`` yellow ones."""
    places = {"initiative": INITIATIVE, "computer": COMPUTER, "shield": SHIELD, "hull": HULL, "missiles": MISSILES}
    places |= {colour: CANNONS + at for at, colour in enumerate(("yellow", "orange", "blue", "red"))}
    can = list(NOTHING)
    for name, value in values.items():
        can[places[name]] = value
    return tuple(can)


def group(can: Stats, count: int = 1, kind: int = INTERCEPTOR, **more: Any) -> Group:
    return Group(kind, can, (0,) * count, **more)


def near(value: int, wanted: Fraction) -> bool:
    return abs(Fraction(value, ONE) - wanted) < Fraction(1, 10**15)


def test_two_ships_that_shoot_alike_by_hand() -> None:
    """The defender hits first with 1 in 6: it wins 6 of 11 battles, after 36/11 rounds' worth of shots."""
    found = odds([group(ship(yellow=1))], [group(ship(yellow=1))], DAMAGE)
    assert near(found.defender_wins, Fraction(6, 11))
    assert near(found.attacker_wins, Fraction(5, 11))
    assert near(found.rounds, Fraction(36, 11))
    assert found.exact


def test_chances_add_up_to_one() -> None:
    found = odds(
        [group(ship(yellow=2, hull=1, computer=1), 2, CRUISER), group(ship(yellow=1), 3)],
        [group(ship(yellow=2, hull=1, computer=1, initiative=2), 2, ANCIENT, by_rule=True)],
        DAMAGE,
    )
    assert near(found.attacker_wins + found.defender_wins + found.neither, Fraction(1))


def test_a_limit_of_work_changes_no_chance_and_ends_what_takes_more() -> None:
    attacker, defender = [group(ship(yellow=2, hull=1), 3, CRUISER)], [group(ship(yellow=1), 3)]
    found = odds(attacker, defender, DAMAGE)
    assert odds(attacker, defender, DAMAGE, most=100_000) == found
    with pytest.raises(TooLongError):
        odds(attacker, defender, DAMAGE, most=100)


def test_missiles_fire_once_before_the_first_round() -> None:
    """A missile that hits half of the time and no cannon on either side: else the attacker is destroyed."""
    found = odds([group(ship(missiles=1, computer=2))], [group(ship())], DAMAGE)
    assert near(found.attacker_wins, Fraction(1, 2))
    assert near(found.defender_wins, Fraction(1, 2))
    assert found.rounds == 0


def test_hull_absorbs_as_much_as_it_says() -> None:
    sure = ship(yellow=1, computer=4)
    one_hit = odds([group(sure)], [group(ship())], DAMAGE)
    two_hits = odds([group(sure)], [group(ship(hull=1))], DAMAGE)
    assert near(one_hit.rounds, Fraction(6, 5))
    assert near(two_hits.rounds, Fraction(12, 5))


def test_damage_taken_before_counts() -> None:
    hurt = Group(CRUISER, ship(hull=1), (1,))
    found = odds([group(ship(yellow=1, computer=4))], [hurt], DAMAGE)
    assert near(found.rounds, Fraction(6, 5))


def test_a_splitter_shares_the_damage_of_red_dice() -> None:
    shooter = ship(red=1, computer=4)
    whole = odds([group(shooter)], [group(ship(), 4)], DAMAGE)
    split = odds([group(shooter, splitter=True)], [group(ship(), 4)], DAMAGE)
    assert near(whole.rounds, Fraction(24, 5))
    assert near(split.rounds, Fraction(6, 5))


def test_survivors_are_counted_by_group() -> None:
    found = odds([group(ship(yellow=1), 2)], [group(ship())], DAMAGE)
    assert found.survivors == ((2 * found.attacker_wins,), (0,))


def test_a_large_battle_converges() -> None:
    found = odds(
        [group(ship(yellow=1, hull=1, computer=1), 8), group(ship(orange=2, hull=2, computer=2), 4, CRUISER)],
        [group(ship(yellow=4, hull=7, computer=2), 1, 6, by_rule=True)],
        DAMAGE,
    )
    assert abs(ONE - found.attacker_wins - found.defender_wins) < ONE // 10**6


# Against the rules


def groups(g: Eclipse, sector: str, owner: int) -> list[Group]:
    """The ships of one owner in a sector."""
    tile = g.const.sector_index[sector]
    found: dict[int, list[int]] = {}
    for number in present(g, tile)[owner]:
        found.setdefault(ship_kind(g, number), []).append(g.ships.damage[number])
    splitter = owner != NOBODY and has_effect(g, owner, "antimatter-splitter")
    return [
        Group(kind, ship_stats(g, owner, kind), tuple(damage), owner == NOBODY, splitter)
        for kind, damage in sorted(found.items())
    ]


def focused(match: Match, ask: Assign) -> tuple[Target, ...]:
    """A player's answer under the assumption of the odds."""
    targets = foes(match.g, match.g.const.sector_index[ask.sector], ask.foe)
    order = sorted(range(len(targets)), key=lambda at: by_hits_left(targets[at]))
    computer = ship_stats(match.g, ask.seat, PIECES.index(ask.ship))[COMPUTER]
    aims = [order[aim] if aim >= 0 else -1 for aim in aim_by_rule(ask.shots, computer, [targets[at] for at in order])]
    picks = picks_for(ask.shots, computer, targets, aims)
    return tuple(Target(PIECES[kind], damage) for kind, damage in picks)


def fought(arena: Arena, sector: str, dice: HashDice) -> bool:
    """One battle by the rules; whether the attacker, seat 0, is left over."""
    arena.begin(["battle", arena.tile(sector)])
    match, dealer = arena.match, Dealer(dice)
    while not match.over:
        if isinstance(match.pending, Roll):
            match.apply(Outcome(dice(match.pending.sides)))
            continue
        ask = match.pending
        if isinstance(ask, Assign):
            match.apply(Answer(ask.seat, focused(match, ask)))
        else:
            given = dealer.outcome(match, lambda match, seat, choose: match.caretaker(seat))
            match.apply(given or Answer(match.owing()[0], match.caretaker(match.owing()[0])))
    here = present(match.g, arena.tile(sector))
    assert len(here) == 1
    return 0 in here


SETTINGS: dict[str, tuple[int, Mapping[str, int], Mapping[str, int], tuple[tuple[int, str, int, str], ...]]] = {
    "cruisers against an Ancient": (NOBODY, {"cruiser": 2}, {"ancient": 1}, ()),
    "mixed fleets": (1, {"interceptor": 2, "cruiser": 1}, {"cruiser": 1, "interceptor": 1}, ()),
    "missiles and plasma": (
        1,
        {"cruiser": 2},
        {"dreadnought": 1},
        ((0, "cruiser", 0, "plasma-missile"), (1, "dreadnought", 0, "plasma-cannon"), (0, "cruiser", 3, "hull")),
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_battles_of_the_rules_agree(name: str) -> None:
    """The share of wins lies within four standard deviations of the odds."""
    foe, mine, theirs, parts = SETTINGS[name]
    battles, wins = len(seeds(200)), 0
    dice, arena = HashDice(f"odds {name}"), Arena(*TERRANS[:2])
    for seat, kind, slot, part in parts:
        arena.part(seat, kind, slot, part)
    before = arena.ships(foe, "102", **theirs).ships(0, "102", **mine).g
    expected = odds(groups(before, "102", 0), groups(before, "102", foe), DAMAGE)
    for _ in range(battles):
        arena.g = before.copy()
        wins += fought(arena, "102", dice)
    assert isinstance(expected, Odds)
    chance = Fraction(expected.attacker_wins, ONE)
    assert (Fraction(wins, battles) - chance) ** 2 <= 16 * chance * (1 - chance) / battles, (wins, float(chance))


def test_types_that_have_acted_wait_for_the_next_round() -> None:
    """The defender has fired and missed: now it is as if the other had the first shot."""
    sides = [group(ship(yellow=1))], [group(ship(yellow=1))]
    found = odds(*sides, DAMAGE, round=1, acted=acted_bit(attacking=False, kind=INTERCEPTOR))
    assert near(found.attacker_wins, Fraction(6, 11))
    assert near(found.defender_wins, Fraction(5, 11))


def test_missiles_fire_in_the_volley_alone() -> None:
    sides = [group(ship(missiles=1, computer=4))], [group(ship(yellow=1))]
    assert near(odds(*sides, DAMAGE).attacker_wins, Fraction(5, 6))
    assert not odds(*sides, DAMAGE, round=1).attacker_wins
