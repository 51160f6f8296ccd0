"""The chances of battles of Galactic Emperor: exact for small ones, those of many battles fought for others."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from battle_scenes import emperor_fire

from client.games.emperor.show.odds import Side, chances
from client.games.emperor.show.pictures import PICTURES
from client.show.battles import share_text
from client.show.lines import lines
from client.show.pictures import Frame
from client.show.styled import ASCII, plain
from engine.core.cards import Lens
from engine.core.ids import Seat
from engine.core.match import Match
from engine.emperor import dice
from engine.emperor.combat import PHASES, Losses
from engine.emperor.roles.warlord import MoveShip, Ship
from engine.emperor.state import fleet_of, ship_kind
from engine.emperor.tables import Unit
from engine.emperor.terms import CRUISER, FIGHTER, UNITS
from engine.testing.gamekit import some_table, specs

BATTLES = 2000


@cache
def units() -> tuple[Unit, ...]:
    spec = specs()["emperor"]
    found: tuple[Unit, ...] = Match.new(spec, some_table(spec, 3, 0)).g.const.units
    return found


def fleet(fighters: int = 0, cruisers: int = 0, dreadnoughts: int = 0, empires: int = 0, starbases: int = 0) -> Side:
    return Side((fighters, cruisers, dreadnoughts, empires, starbases, 0))


def suffered(side: Side, counts: dice.Counts, hits: int) -> tuple[Side, dice.Counts]:
    landed = max(0, hits - side.shield)
    for pick in Losses(Seat(0), counts, min(landed, dice.capacity(counts))).caretaker(None):
        counts = dice.suffer(counts, UNITS.index(pick))
    return side._replace(shield=0 if hits else side.shield), counts


def test_a_battle_that_can_be_lost_is_never_certain() -> None:
    wins, loses = chances(units(), fleet(dreadnoughts=20), fleet(fighters=1))
    assert (share_text(wins), share_text(loses)) == (">99.99%", "<0.01%")


def fought(one: Side, other: Side, free: tuple[int, ...], random: Random) -> tuple[bool, bool]:
    """One battle, die by die; whether each side is left."""

    def hits(needs: tuple[int, ...]) -> int:
        return sum(random.randint(1, 6) >= least for least in needs)

    mine, theirs, phase = one.counts, other.counts, 0
    other, theirs = suffered(other, theirs, hits(free))
    while any(mine) and any(theirs):
        phase = 1 + phase % PHASES
        dealt = hits(dice.volley(mine, units(), phase, one.extra, one.better))
        taken = hits(dice.volley(theirs, units(), phase, other.extra, other.better))
        (other, theirs), (one, mine) = suffered(other, theirs, dealt), suffered(one, mine, taken)
    return any(mine), any(theirs)


def test_one_fighter_against_another_wins_two_times_in_five() -> None:
    """Each hits with a third: of five rounds in which anybody hits, in one both do."""
    assert chances(units(), fleet(1), fleet(1)) == pytest.approx((0.4, 0.4), abs=1e-5)


def test_free_fire_may_end_a_battle_before_it_begins() -> None:
    wins, loses = chances(units(), fleet(1), fleet(1), free=(5,))
    assert wins == pytest.approx(1 / 3 + 2 / 3 * 0.4, abs=1e-5)
    assert loses == pytest.approx(2 / 3 * 0.4, abs=1e-5)


@pytest.mark.parametrize(
    ("one", "other", "free"),
    [
        (fleet(2, 1), fleet(0, 0, 1), ()),
        (fleet(3)._replace(extra=FIGHTER), fleet(0, 1)._replace(shield=1), (5, 5)),
        (fleet(1, 2)._replace(better={CRUISER: 3}), fleet(1, 0, 0, 0, 1), ()),
    ],
)
def test_chances_are_those_of_battles_fought_die_by_die(one: Side, other: Side, free: tuple[int, ...]) -> None:
    random = Random(5)
    left = [fought(one, other, free, random) for _ in range(BATTLES)]
    wins, loses = chances(units(), one, other, free)
    assert wins == pytest.approx(left.count((True, False)) / BATTLES, abs=0.05)
    assert loses == pytest.approx(left.count((False, True)) / BATTLES, abs=0.05)


def test_odds_and_the_battle_are_told_in_words() -> None:
    match = Match.new(specs()["emperor"], some_table(specs()["emperor"], 3, 0))
    frame = Frame(match.view(Seat(0), Lens()), ["Anna", "Bob", "Carl"], ASCII)

    def told(picture: str, *words: str) -> str:
        return " ".join(plain(each) for each in PICTURES.documents.commands[picture].draw(replace(frame, words=words)))

    assert "1 × fighter against 1 × fighter: wins 40.0%, loses 40.0%" in told("odds", "fighter", "vs", "fighter")
    for words in ((), ("c5",), ("10", "fighter", "vs", "nothing"), ("vs",)):
        assert "For example" in told("odds", *words)
    assert told("battle") == "No battle is under way."


def test_who_may_retreat_reads_the_odds_before_the_question() -> None:
    front = emperor_fire(ASCII)
    ask = front.session.asking.draft.ask if front.session.asking.draft is not None else None
    assert ask is not None
    before = " ".join(plain(each) for each in lines(PICTURES.documents.before(front.session.frame(), ask), 80))
    assert "if Bob goes on" in before
    assert "if Bob goes on" in " ".join(map(plain, PICTURES.documents.commands["battle"].draw(front.session.frame())))
    assert "Bob: 1 × cruiser" in " ".join(map(plain, PICTURES.documents.commands["odds"].draw(front.session.frame())))


def test_a_ship_that_goes_where_another_stands_is_told_its_chance_before_and_after() -> None:
    spec = specs()["emperor"]
    match = Match.new(spec, some_table(spec, 3, 0))
    g, space = match.g, match.g.const.space_index["c3"]
    mine, other = (next(number for number in fleet_of(Seat(seat)) if ship_kind(number) == FIGHTER) for seat in (0, 1))
    g.ships.place[other] = space
    frame = Frame(match.view(Seat(0)), ("Ann", "Bob", "Carl"), ASCII)
    wins = chances(units(), fleet(fighters=1), fleet(fighters=1))[0]
    ask = MoveShip(Seat(0), 0)
    assert f"battle with Bob: you win {wins:.0%}" in PICTURES.questions.hint(
        frame, ask, "c3", (Ship(UNITS[FIGHTER], "c2"),)
    )
    assert PICTURES.documents.outlook(frame, 0) == []
    g.ships.place[mine] = space
    frame = Frame(match.view(Seat(0)), ("Ann", "Bob", "Carl"), ASCII)
    assert [plain(each) for each in lines(PICTURES.documents.outlook(frame, 0), 80)] == [
        f"Battle at c3 with Bob: you win {wins:.0%}"
    ]
