"""A match of the toy game, which waits in all eight ways, stands wherever its inputs lead, however it got there."""

from __future__ import annotations

import dataclasses
import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.agenda import Flow
from engine.core.cards import SEALS, Handle
from engine.core.dealer import Dealer, HashDice, play
from engine.core.errors import LocalError, Refusal
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.inputs import Answer, Notice, Outcome, input_plain, input_value
from engine.core.match import Match
from engine.core.outcomes import judge
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Reveal, Roll, Seal, Show, Shuffle, Together, Wait
from engine.testing.gamekit import same_for_every_hash_seed, some_table
from engine.testing.toy import TOY, Bid, Feast, Give, Sell, Turn
from engine.testing.toymatch import at, game, rich, same, toy

POLICIES = (1, 16, None)


@pytest.mark.parametrize("checkpoint", POLICIES)
@pytest.mark.parametrize("seats", TOY.seats)
def test_a_clone_equals_its_original_after_every_input(seats: int, checkpoint: int | None) -> None:
    match = toy(seats, checkpoint)
    for given_ in game(seats, 7):
        match.apply(given_)
        same(match.clone(), match)
        assert match.clone().dump() == match.dump()
    assert match.over


@given(st.integers(0, 10**6), st.integers(2, 4))
def test_digests_are_equal_at_every_height_for_all_policies(seed: int, seats: int) -> None:
    matches = [toy(seats, checkpoint) for checkpoint in POLICIES]
    for given_ in game(seats, seed):
        told = [match.apply(given_) for match in matches]
        assert told[0] == told[1] == told[2]
        assert len({match.digest() for match in matches}) == 1
        assert len({(match.height, match.tail) for match in matches}) == 1


@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from(POLICIES))
def test_a_dump_loads_to_the_same_and_both_step_on_alike(seed: int, where: int, checkpoint: int | None) -> None:
    inputs, match = game(2, seed), toy(2, checkpoint)
    for given_ in inputs[:where]:
        match.apply(given_)
    loaded = Match.load(TOY, match.dump())
    assert isinstance(loaded, Match)
    assert loaded.dump() == match.dump()
    for given_ in inputs[where : where + 9]:
        assert loaded.apply(given_) == match.apply(given_)
        same(loaded, match)
        assert loaded.dump() == match.dump()


def test_a_clone_lives_its_own_life() -> None:
    match, _ = at(Turn)
    before, clone = match.dump(), match.clone()
    seat = clone.owing()[0]
    clone.apply(Answer(seat, None))
    assert match.dump() == before
    assert clone.digest() != match.digest()


@given(st.binary(max_size=4), st.integers(0, 10**6), st.integers(0, 3))
def test_a_damaged_dump_is_refused(noise: bytes, where: int, how: int) -> None:
    data = DUMPED
    where %= len(data)
    bad = (data[:where] + noise + data[where + how :], data[:where], noise)[how % 3]
    if bad != data:
        refusal = Match.load(TOY, bad)
        assert isinstance(refusal, Refusal)
        assert refusal.code.startswith("dump/")


DUMPED = at(Together)[0].dump()


@given(st.data())
def test_a_forged_dump_is_refused_or_loads(data: st.DataObject) -> None:
    from hashlib import blake2b

    text = json.loads(DUMPED.split(b"\n")[0])
    key = data.draw(st.sampled_from(["rules", "checkpoint", "height", "base", "tail", "inbox", "digest", "version"]))
    lists = st.lists(st.integers() | st.text(max_size=2), max_size=3)
    odd = st.none() | st.integers(-2, 99) | st.text(max_size=3) | lists
    if key == "base" and data.draw(st.booleans()):
        section = data.draw(st.sampled_from(sorted(text["base"])))
        field = data.draw(st.sampled_from(sorted(text["base"][section])))
        text["base"][section][field] = data.draw(odd)
    else:
        text[key] = data.draw(odd)
    body = json.dumps(text).encode()
    loaded = Match.load(TOY, body + b"\n" + blake2b(body, digest_size=16).hexdigest().encode())
    assert isinstance(loaded, Refusal | Match)


def test_a_dump_of_other_rules_is_refused_by_name() -> None:
    newer = dataclasses.replace(TOY, rules_version=2)
    assert Match.load(newer, DUMPED) == Refusal("dump/version", "", ("2", "toy/1"))


def test_the_order_in_which_seats_answer_together_does_not_matter() -> None:
    match, _ = at(Together)
    answers = {seat: (Give("bread", 1), None) if match.g.farm.grain[seat] else (None,) for seat in match.owing()}
    ends = []
    for order in permutations(answers):
        trial = match.clone()
        told: list[Event] = []
        for step, seat in enumerate(order, 1):
            assert trial.digest() == match.digest(), "what is in the inbox does not count yet"
            same(trial.clone(), trial)
            told = trial.apply(Answer(seat, answers[seat]))
            assert bool(told) == (step == len(order))
        ends.append((trial.digest(), trial.dump(), tuple(map(str, told))))
    assert len(set(ends)) == 1


def test_a_seat_answers_together_once() -> None:
    match, _ = at(Together)
    match.apply(Answer(Seat(1), (None,)))
    assert match.owing() == (0, 2)
    assert match.check(Answer(Seat(1), (None,))) == Refusal("answer/not-asked", "", (0, 2))
    loaded = Match.load(TOY, match.dump())
    assert isinstance(loaded, Match)
    same(loaded, match)


def test_a_notice_takes_effect_at_the_next_segment_border() -> None:
    match, _ = at(Turn)
    assert match.owing() == (0,)
    for other in (None, 16):
        assert toy(checkpoint=other).digest() == toy().digest()
    before = match.digest()
    assert match.apply(Notice("vacated", Seat(1))) == []
    assert match.digest() != before
    assert not match.g.farm.gone[1]
    same(match.clone(), match)
    told = match.apply(Answer(Seat(0), None))
    assert [event.id for event in told] == ["toy/gone"]
    assert match.g.farm.gone[1]
    assert match.owing() == (2,)
    assert match.g.flow.notices == []
    same(match.clone(), match)


def test_a_notice_in_the_middle_of_answers_together_waits_too() -> None:
    match, _ = at(Together)
    match.apply(Answer(Seat(0), (None,)))
    match.apply(Notice("vacated", Seat(2)))
    assert match.owing() == (1, 2)
    same(match.clone(), match)
    loaded = Match.load(TOY, match.dump())
    assert isinstance(loaded, Match)
    same(loaded, match)
    assert match.check(Notice("vacated", Seat(3))) == Refusal("notice/seat", "", (3, 3))


def test_what_a_notice_plans_runs_next_and_in_order() -> None:
    def notice(g: Any, kind: str, seat: Seat) -> None:
        g.then(["turn", int(seat)])

    spec = dataclasses.replace(TOY, notice=notice)
    match = Match(spec, at(Turn)[0].segment_start())
    for seat in (2, 1):
        match.apply(Notice("vacated", Seat(seat)))
    match.apply(Answer(Seat(0), None))
    assert [match.g.flow.now, *match.g.flow.agenda[:3]] == [["turn", 2], ["turn", 1], ["turn", 1], ["turn", 2]]
    assert match.g.flow.cursor == 0
    same(match.clone(), match)


def test_an_aside_runs_the_same_segment_again() -> None:
    match = rich()
    match.apply(Answer(Seat(0), Sell(2)))
    assert match.g.flow.now == ["turn", 0]
    assert match.tail == 0
    assert (match.g.farm.grain[0], match.g.farm.coins[0]) == (3, 7)
    match.apply(Answer(Seat(0), None))
    assert match.g.flow.now == ["turn", 1]


def test_segments_added_before_again_run_first() -> None:
    ran: list[str] = []

    def first(g: Any) -> Rule[Any]:
        answer = yield from ask(Bid(Seat(0), 3))
        ran.append(f"first {answer}")
        if answer:
            g.then(["second", 1], ["second", 2])
            g.then(["second", 3])
            return g.again()
        g.then(["second", 9])
        return None

    def second(g: Any, n: int) -> Rule[None]:
        ran.append(f"second {n}")
        yield from ask(Roll((), "nothing"))

    spec = dataclasses.replace(TOY, segments={"first": first, "second": second})
    state = TOY.setup(some_table(TOY, 2, 0))
    state.flow = Flow.starting(["first"], ["second", 4])
    match = Match(spec, state)
    match.apply(Answer(Seat(0), 2))
    assert ran == ["first 2", "second 1", "second 2", "second 3"]
    assert match.g.flow.now == ["first"]
    ran.clear()
    match.apply(Answer(Seat(0), 0))
    assert ran == ["first 0", "second 9", "second 4"]
    assert match.over
    assert match.check(Answer(Seat(0), 0)) == Refusal("game/over")
    assert match.check(Notice("vacated", Seat(0))) == Refusal("game/over")
    same(match.clone(), match)


def test_only_numbers_and_texts_may_stand_in_the_agenda() -> None:
    match, _ = at(Turn)
    with pytest.raises(LocalError, match="may not stand in the agenda"):
        match.g.then(["turn", None])
    with pytest.raises(LocalError, match="may not stand in the agenda"):
        match.g.then(["turn", True])


def test_a_batch_is_taken_whole_or_not_at_all() -> None:
    match = rich()
    before = match.dump()
    assert match.batch(0, []) == Refusal("batch/empty")
    assert match.batch(0, [Sell(1), Sell(1), Sell(4)]) == Refusal("sell/too-little", "2", (3, 4))
    assert match.batch(0, [Sell(1), None, None]) == Refusal("batch/too-long", "2")
    assert match.batch(1, [None]) == Refusal("answer/not-asked", "0", (0,))
    assert match.dump() == before
    one_by_one = match.clone()
    told = match.batch(0, [Sell(1), Sell(2), None])
    assert isinstance(told, list)
    assert told == [event for value in (Sell(1), Sell(2), None) for event in one_by_one.apply(Answer(Seat(0), value))]
    same(match, one_by_one)
    assert match.dump() == one_by_one.dump()


def test_a_batch_may_not_go_past_what_others_answer() -> None:
    match, _ = at(Together)
    assert match.batch(0, [(None,), (None,)]) == Refusal("batch/too-long", "1")
    assert match.inbox == {}
    assert match.batch(0, [(None,)]) == []
    assert match.inbox == {0: (None,)}


def test_events_told_before_the_first_input_come_with_it_even_to_a_batch() -> None:
    match = rich()
    match.g.tell("toy/peeked", seat=9)
    told = match.clone().batch(0, [Sell(1), None])
    assert isinstance(told, list)
    assert [event.id for event in told] == ["toy/peeked", "toy/sold"]


def test_a_position_is_the_start_of_the_running_segment() -> None:
    match, _ = at(Shuffle, skip=1)
    assert match.g.flow.now[0] == "turn"
    assert match.tail == 1
    start = match.segment_start()
    assert isinstance(Match(TOY, start).pending, Turn)
    assert match.clone_at(match.tail).dump() == match.clone().dump()
    assert match.clone_at(0).height == match.height - 1


def test_undo_does_not_count_notices_as_height() -> None:
    match, _ = at(Shuffle, skip=1)
    match.apply(Notice("vacated", Seat(2)))
    assert match.tail == 2
    assert match.clone_at(0).height == match.height - 1


@pytest.mark.parametrize(
    ("wait", "value", "code"),
    [
        (Roll((6, 4), "t"), (6, 5), "outcome/die"),
        (Roll((6, 4), "t"), (6,), "outcome/dice-count"),
        (Roll((6,), "t"), (True,), "outcome/die"),
        (Roll((6,), "t"), None, "outcome/dice-count"),
        (Reveal((Handle("lots", 1),), "t"), (), "outcome/card-count"),
        (Reveal((Handle("lots", 1),), "t"), ([1],), "outcome/card"),
        (Reveal((Handle(SEALS, 1),), "t"), (1,), "outcome/card"),
        (Shuffle("lots", (1,), "t"), (1,), "outcome/not-empty"),
        (Show((Handle("lots", 1),), Seat(0)), (), "outcome/not-empty"),
        (Bid(Seat(0), 2), (1,), "outcome/not-asked"),
    ],
)
def test_an_outcome_has_the_shape_that_its_wait_needs(wait: Wait[Any], value: Any, code: str) -> None:
    refusal = judge(wait, Outcome(value))
    assert refusal is not None
    assert refusal.code == code


def test_asking_nobody_gives_nothing_at_once() -> None:
    cases: list[tuple[Wait[Any], object]] = [
        (Together({}), {}),
        (Seal({}), {}),
        (Reveal((), "t"), {}),
        (Roll((), "t"), ()),
    ]
    for wait, empty in cases:
        with pytest.raises(StopIteration) as stop:
            next(ask(wait))
        assert stop.value.value == empty


@given(st.integers(0, 10**6))
def test_inputs_come_back_from_their_plain_form(seed: int) -> None:
    for given_ in game(2, seed):
        assert input_value(TOY.words, json.loads(json.dumps(input_plain(given_)))) == given_


def test_staged_answers_are_judged_stage_by_stage() -> None:
    match = rich(3)
    feast = Feast(Seat(0))
    for value, refusal in (
        ((Give("bread", 2), Give("bread", 2)), Refusal("answer/not-an-option", "1")),
        ((Give("bread", 2),), Refusal("answer/incomplete", "1")),
        ((None, None), Refusal("answer/not-an-option", "1")),
        (None, Refusal("answer/not-staged")),
        ((Give("bread", 2), Give("porridge", 1), None), None),
    ):
        assert feast.validate(match.g, value) == refusal


def test_an_illegal_input_is_a_local_error_and_changes_nothing() -> None:
    match = rich()
    before = match.dump()
    with pytest.raises(LocalError, match="sell/too-little"):
        match.apply(Answer(Seat(0), Sell(6)))
    with pytest.raises(LocalError, match="not-asked"):
        match.apply(Outcome((1,)))
    assert match.dump() == before


def test_a_hash_seed_changes_no_digest() -> None:
    digests = same_for_every_hash_seed(
        "from engine.testing.toymatch import game, toy\n"
        "match = toy(4)\n"
        "for given in game(4, 11): match.apply(given); print(match.digest().hex())"
    )
    assert digests.count("\n") > 60


def test_dice_follow_from_their_seed_and_are_fair() -> None:
    one, other = HashDice("a"), HashDice("a")
    assert one((6,) * 50) == other((6,) * 50)
    assert HashDice("b")((6,) * 50) != HashDice("a")((6,) * 50)
    counts = [0] * 6
    for face in HashDice("fair")((6,) * 6000):
        counts[face - 1] += 1
    assert sum((count - 1000) ** 2 for count in counts) / 1000 < 20.5  # chi-square, 5 degrees, 0.1 %


def test_playing_stops_at_an_illegal_answer() -> None:
    def wrong(match: Match, seat: int, ask_: Choose[Any]) -> Value:
        return "nonsense"

    with pytest.raises(LocalError, match="illegal input"):
        for _ in play(at(Turn)[0], Dealer(HashDice(1)), wrong):
            pass
