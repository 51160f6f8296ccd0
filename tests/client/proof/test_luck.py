"""Luck of the dice: figures by seat, and how unusual they are for fair dice."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded import finished

from client.commands.cli import main
from client.proof.audit import SavedGame, judged
from client.proof.luck import Luck, draws_of, hits_tail, luck, luck_lines, luck_text, tail
from client.proof.walk import WIDTH
from client.show.draws import dice_of, from_shuffles, from_stacks
from client.show.pictures import pictures
from client.table.machine import GameMachine
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.events import Event
from engine.core.match import Match
from engine.core.registry import game, settle_options
from p2p.log.starfile import read_star


@given(st.integers(1, 3), st.data())
def test_the_tail_is_the_share_of_all_throws_as_far_from_the_mean(dice: int, data: st.DataObject) -> None:
    pips = data.draw(st.integers(dice, 6 * dice))
    off = abs(2 * pips - 7 * dice)
    far = sum(abs(2 * sum(faces) - 7 * dice) >= off for faces in product(range(1, 7), repeat=dice))
    assert tail(dice, pips) == Fraction(far, 6**dice)


@pytest.mark.soak
def test_the_tail_of_four_dice_is_the_share_of_all_throws_as_far_from_the_mean() -> None:
    throws = [abs(2 * sum(faces) - 28) for faces in product(range(1, 7), repeat=4)]
    for pips in range(4, 25):
        assert tail(4, pips) == Fraction(sum(off >= abs(2 * pips - 28) for off in throws), 6**4)


@given(st.lists(st.integers(1, 5), max_size=4), st.data())
def test_the_tail_of_hits_is_the_share_of_all_throws_as_far_from_their_mean(
    chances: list[int], data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, len(chances)))
    off = abs(6 * hits - sum(chances))
    throws = list(product(range(6), repeat=len(chances)))
    landed = [sum(face < chance for face, chance in zip(throw, chances, strict=True)) for throw in throws]
    assert hits_tail(chances, hits) == Fraction(sum(abs(6 * n - sum(chances)) >= off for n in landed), len(throws))


def test_hits_count_dice_of_which_it_is_told_what_hits() -> None:
    events = [
        Event("combat/rolled", {"seat": 0, "dice": ("yellow", "red"), "faces": (6, 2), "needs": 5}),
        Event("combat/bombarded", {"seat": 0, "dice": ("yellow",), "faces": (6,)}),
    ]
    (found,) = luck(events, 1)
    assert (found.aimed, found.hits, found.hits_expected) == (2, 1, Fraction(2, 3))
    assert [(die.colour, die.hit) for event in events for die in dice_of(event)] == [
        ("yellow", True), ("red", False), ("yellow", None),
    ]  # fmt: skip


def test_draws_without_a_known_mean_are_compared_with_that_of_shuffles() -> None:
    (found,) = from_shuffles("thrown", [1, 0], [6, 0], lambda random: [random.randint(1, 6), 0], "")
    assert found.simulated
    assert 3.2 < found.expected < 3.8
    assert 0.1 < found.tail < 0.4  # those that end at 6, or also at 1


def test_what_has_happened_is_never_told_as_impossible_or_certain() -> None:
    (found,) = from_shuffles("thrown", [1, 0], [60, 0], lambda random: [random.randint(1, 6), 0], "")
    assert found.tail > 0
    for share, said in ((10**-9, "<0.01 times"), (0.5, "50 times"), (1 - 10**-9, ">99.99 times"), (1, "100 times")):
        assert f"farther {said} in 100." in luck_text(Luck(0, 40, 240, Fraction(share)), "Ana")


def test_draws_are_compared_with_all_shuffles_of_the_same_stacks() -> None:
    """A stack that is used up begins anew, in another order."""
    stacks = {"I": [1, 2, 2], "II": [4, 0]}
    drawn = [(0, "I", 2), (0, "I", 1), (1, "II", 4), (0, "II", 0), (1, "I", 2), (0, "I", 2), (0, "II", 4)]
    ones, twos = [*permutations(stacks["I"])], [*permutations(stacks["II"])]
    worths: list[list[int]] = [[], []]
    for one, again, two, anew in product(ones, ones, twos, twos):
        left = {"I": iter([*one, *again]), "II": iter([*two, *anew])}
        given = [(seat, next(left[stack])) for seat, stack, _value in drawn]
        for seat in (0, 1):
            worths[seat].append(sum(value for who, value in given if who == seat))
    found = from_stacks("sectors", drawn, stacks, 3, "")
    assert [(each.seat, each.number, each.worth, each.simulated) for each in found] == [
        (0, 5, 9, False),
        (1, 2, 6, False),
    ]
    for each in found:
        shuffled = worths[each.seat]
        assert each.expected == Fraction(sum(shuffled), len(shuffled))
        far = sum(abs(worth - each.expected) >= abs(each.worth - each.expected) for worth in shuffled)
        assert each.tail == Fraction(far, len(shuffled))


def test_without_dice_nothing_is_unusual() -> None:
    assert tail(0, 0) == 1
    assert "no dice" in luck_text(Luck(0, 0, 0, Fraction(1)), "Ana")


def test_dice_count_for_who_rolled_them() -> None:
    events = [
        Event("combat/rolled", {"seat": 0, "faces": (6, 6, 6)}),
        Event("combat/rolled", {"seat": -1, "faces": (1,)}),
        Event("warlord/rolled", {"seats": (1, 0), "dice": (2, 1), "phase": 1}),
        Event("supernova/rolled", {"faces": (6, 6)}),
    ]
    found = luck(events, 3)
    assert [(each.dice, each.pips) for each in found] == [(4, 19), (1, 2), (0, 0)]
    assert found[0].expected == 14


def test_what_is_unusual_is_said_without_accusing() -> None:
    lucky = Luck(0, 20, 120, tail(20, 120))
    assert "unusual, but not impossible" in luck_text(lucky, "Ana")
    assert "That is usual" in luck_text(Luck(0, 20, 70, tail(20, 70)), "Ana")


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (Fraction(1, 10), "usual: chance ends as far from it or farther 10 times in 100."),
        (Fraction(19, 200), "usual: chance ends as far from it or farther 9.5 times in 100."),
        (Fraction(1, 20), "usual: chance ends as far from it or farther 5.0 times in 100."),
        (Fraction(49, 1000), "unusual, but not impossible: chance ends as far from it or farther 4.9 times in 100."),
    ],
)
def test_below_one_in_twenty_is_unusual_and_below_one_in_ten_is_told_with_a_decimal(share: Fraction, said: str) -> None:
    assert luck_text(Luck(0, 20, 70, share), "Ana").endswith(f"That is {said}")


def test_the_command_tells_every_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.star"
    path.write_bytes(finished().star())
    assert main(["luck", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    seats = said["seats"]
    assert sum(seat["draws"] for seat in said["draws"]) > 4
    assert [seat["name"] for seat in seats] == ["Player 0", "Player 1"]
    assert all(0 <= seat["tail"] <= 1 for seat in seats)
    assert main(["luck", str(path)]) == 0
    told = capsys.readouterr().out
    assert "accuses nobody" in told
    assert max(map(len, told.splitlines())) <= WIDTH


def test_hits_of_the_emperors_dice_count_with_what_each_must_show() -> None:
    event = Event("warlord/rolled", {"seats": (1, 1, 0), "dice": (4, 3, 6), "phase": 1, "needs": (4, 4, 5)})
    assert [(each.aimed, each.hits) for each in luck([event], 2)] == [(1, 1), (2, 1)]


def test_reputation_is_told_once_the_game_is_over() -> None:
    machine = finished().peers[0].machine
    assert isinstance(machine, GameMachine)
    read = read_star(finished().star())
    found = judged(SavedGame(read.entries, read.texts))
    events = [each for each in found.events if isinstance(each, Event)]
    drawn = [each for each in pictures("eclipse2").counts.draws(machine.match.g, events) if each.kind == "reputation"]
    ended = {each.args["seat"]: each.args["value"] for each in events if each.id == "score/reputation"}
    assert [each.worth for each in drawn] == [ended[each.seat] for each in drawn]
    assert sum(each.number for each in drawn) == sum(
        int(str(each.args["tiles"])) for each in events if each.id == "reputation/drawn"
    )
    running = [each for each in events if not each.id.startswith("score/")]
    assert {each.kind for each in pictures("eclipse2").counts.draws(machine.match.g, running)} == {"sectors"}


def test_reputation_is_told_of_nobody_before_all_have_shown_theirs() -> None:
    """Who is eliminated shows its tiles while the others keep theirs face down."""
    spec = game("eclipse2")
    table = settle_options(spec, 3, {})
    assert isinstance(table, Table)
    g = Match.new(spec, table).g
    events = [Event("reputation/drawn", {"seat": seat, "tiles": 2}) for seat in range(3)]
    shown = [Event("score/reputation", {"seat": seat, "value": value}) for seat, value in enumerate((3, 0, 4))]
    of = pictures("eclipse2").counts.draws
    assert not any(of(g, [*events, *shown[:number]]) for number in range(3))
    found = of(g, [*events, *shown])
    assert [(each.seat, each.number, each.worth) for each in found] == [(0, 2, 3), (1, 2, 0), (2, 2, 4)]


def test_reputation_of_who_was_eliminated_is_what_it_showed() -> None:
    """Its tiles are in the bag again; none would be worth less than the least tile."""
    spec, found = game("eclipse2"), 0
    table = settle_options(spec, 2, {})
    assert isinstance(table, Table)
    for seed in range(40):
        match, dice = Match.new(spec, table), HashDice(seed)
        events = [event for _, told in play(match, Dealer(dice), at_random(dice)) for event in told]
        drawn = [each for each in draws_of(events, "eclipse2", match.g) if each.kind == "reputation" and each.worth]
        found += len([each for each in drawn if match.g.seats.out[each.seat]])
        assert all(each.expected >= 1 for each in drawn)
        if found >= 2:
            break
    assert found >= 2


@pytest.mark.parametrize("name", ["eclipse1", "eclipse2", "emperor", "rex"])
def test_each_game_says_what_its_luck_is(name: str) -> None:
    said = luck_lines([], ["Ana"], name, None)[-1]
    assert re.search(r"\b(neither|nothing|none)\b", said), said
