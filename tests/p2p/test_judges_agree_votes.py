"""All judges agree on votes: which of them count, and states that they end or repair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
import test_batch_voted
import test_pact_freed
import test_pact_freezes
import test_pact_rivals
import test_pact_undecided
import test_seat_handed_over
import test_seedless_dice
from agreement import NODE, Game, judged_by_all, packed, repacked
from judges import disagreements, game_of, simulated
from repairtables import read_on_at_a_roll, read_on_twice
from resigned import read_on, repaired, say
from test_lockstep_audit import left_alone
from volume import seeds

from p2p.testing import drifting
from p2p.testing.cheats import CheatTable
from p2p.testing.drifting import drifted, mended
from p2p.testing.hostile_voters import VOTERS
from p2p.testing.machine import TestMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.tables import DirectTable

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")


def test_all_judge_a_table_that_read_on_where_its_engines_differed_alike(tmp_path: Path) -> None:
    games = []
    for seats, drifter, step in ((2, 0, 3), (3, 2, 5)):
        table, drift = drifted(seats, drifter, step, draws="sealed")
        mended(table, drift, drifter)
        drifting.repaired(table)
        table.play()
        games.append(game_of(table.peers[0], table.keys[0].key.private, 1))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, None]


def test_all_judge_a_table_that_read_on_from_a_roll_or_twice_alike(tmp_path: Path) -> None:
    """At a roll nothing ends, and what somebody says after a word that does not fit counts."""
    rolled = read_on_at_a_roll({0, 1})[0]
    rolled.speak()
    games = [(read_on_at_a_roll({0, 1})[0], 2), (rolled, 2), (read_on_twice([1, 2])[0], 2)]
    found = judged_by_all(
        [game_of(made.peers[0], made.keys[0].key.private, rounds) for made, rounds in games], tmp_path
    )
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, None, None]


def test_all_judge_an_opening_after_a_false_one_within_a_repair_alike(tmp_path: Path) -> None:
    """A choice that was opened falsely stays closed, and its author owes it no more (8.7). One in another form opens
    nothing."""
    table = DirectTable([[seat] for seat in range(3)], 1, options={"draws": "sealed"})
    table.start()
    table.play()
    keys, whole = {one.key.public: one.key.private for one in table.keys}, [entry for entry, _ in table.log]
    number, opening = next((number, entry) for number, entry in enumerate(whole) if entry.kind == "reveal")
    others = [each for each in whole[number + 1 :] if (each.kind, each.height) == ("reveal", opening.height)]
    body: Any = opening.body
    [[deck, index, value, nonce]] = body
    games = []
    for false in ([deck, index, value, bytes(len(nonce))], [deck, index, value, nonce, None]):
        log = whole[:number]
        say(log, opening, keys[opening.author], state=bytes(16), body=[false])
        repaired(log, opening, log[-1:], sorted(keys), keys)
        for said in (opening, *others):
            say(log, said, keys[said.author])
        games.append(repacked(log, {}, table.keys[0].key.private, TestMachine(3, 1)))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == ["entry/not-asked", None]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in seeds(40, 2))])
def test_all_judge_alike_what_is_said_before_and_after_a_vote_to_read_on(
    seed: int, tmp_path: Path, tally: Callable[[str, int], None]
) -> None:
    """Over this state or another one, true and false, once or again."""
    random, members = Random(seed), 2 + seed % 3
    table = DirectTable([[seat] for seat in range(members)], seed, options={"draws": ("open", "sealed")[seed % 2]})
    table.start()
    table.play()
    keys, log = {one.key.public: one.key.private for one in table.keys}, [entry for entry, _ in table.log]
    logs = [read_on(log, keys, random) for _ in range(14)]
    games = [repacked(each, {}, table.keys[0].key.private, TestMachine(members, 1)) for each in logs]
    assert disagreements(judged_by_all(games, tmp_path)) == []
    tally(
        "logs judged alike by verify, the page's JavaScript and the second verifier, with votes to read on", len(games)
    )


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_all_claim_nothing_about_dice_where_one_member_is_left(draws: str, tmp_path: Path) -> None:
    table = left_alone(draws)
    found = judged_by_all([game_of(table.peers[0], table.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert "one-was-left" in found[0].theirs["shown"]["open"]


def test_all_pass_over_states_that_differ_at_a_height_that_all_have_ended(tmp_path: Path) -> None:
    table, _drift = drifted(3, 2, 5)
    height = table.peers[0].position.height
    assert table.peers[0].propose("end", (), "agreed") is None
    table.settle()
    for peer in table.peers:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    signed = {entry.state for entry, _ in table.log if (entry.height, entry.kind) == (height, "open")}
    assert len(signed) == 2
    found = judged_by_all([game_of(table.peers[0], table.keys[0].key.private, 1)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours == "result/other-state"  # that of the member whose program differs


def test_all_judge_alike_who_votes_at_a_height_after_it_has_asked_beyond_it_to_come_back(tmp_path: Path) -> None:
    table = test_pact_undecided.back_to_vote()
    games = [game_of(peer, keys.key.private, 2) for peer, keys in zip(table.peers, table.keys, strict=True)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found[1:3]] == [None, None]


def test_all_judge_alike_who_was_freed_from_a_vote_though_it_was_complete(tmp_path: Path) -> None:
    table, bound = test_pact_freed.bound_behind(told=True)
    test_pact_freed.freed(table)
    test_pact_freezes.returns(table, 1)
    table.play()
    test_pact_freezes.vote_on(table, "absent", test_pact_freezes.out(table, 1), (0, 2))
    table.play()
    games = [game_of(peer, keys.key.private, 2) for peer, keys in zip(table.peers, table.keys, strict=True)]
    members, hostile = ((0,), (1,), (2,), (3,)), {1: "Freer"}
    plans = [FaultPlan(members, rounds=2, delay=0.3, hostile=hostile) for _ in seeds(1)]
    games += [simulated(seed, plan, VOTERS) for seed, plan in enumerate(plans)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found[:3]] == [None, None, None]
    assert all(peer.ballots.dead(bound, peer.position.past[bound.at].members) for peer in table.peers)


def test_all_count_the_votes_of_who_has_come_back_from_what_others_have_freed_from(tmp_path: Path) -> None:
    table, _ = test_pact_freed.gone_on_alone()
    test_pact_freezes.vote_on(table, "absent", test_pact_freezes.out(table, 0), (1, 2, 3, 4))
    table.play()
    games = [game_of(peer, keys.key.private, 1) for peer, keys in list(zip(table.peers, table.keys, strict=True))[1:]]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None] * 4
    assert all(peer.position.over for peer in table.peers[1:])


def test_all_judge_alike_a_vote_that_was_freed_by_what_others_freed_from(tmp_path: Path) -> None:
    table, bound = test_pact_freed.bound_behind(told=True)
    first, second, third = table.peers
    free = test_pact_freed.freeing(bound, test_pact_freezes.key(table, 1))
    other = test_pact_freed.freeing(free, test_pact_freezes.key(table, 2))
    for peer, pact in ((first, free), (first, other), (third, free), (second, other)):
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    test_pact_freezes.returns(table, 1)
    members = first.position.past[bound.at].members
    assert [peer.ballots.effective(bound.at, bound.head, members) for peer in table.peers] == [(bound,)] * 3
    found = judged_by_all([game_of(first, table.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None]
    assert [pact.id for height in first.position.past for pact in first.reading.effected(height)] == [bound.id]


def test_all_count_the_first_of_two_votes_of_which_one_has_signed_both(tmp_path: Path) -> None:
    games = []
    for later in (0, 1):
        table, _ = test_pact_rivals.rivals(later)
        table.play()
        games.append(game_of(table.peers[0], table.keys[0].key.private, 2))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, None]


@pytest.mark.parametrize("left_out", [True, False], ids=["left out", "present"])
def test_all_skip_what_a_vote_has_overtaken_before_they_judge_any_of_it(left_out: bool, tmp_path: Path) -> None:
    """What was said twice in the other history, behind the end of a feed too, or at a later height there."""
    table = CheatTable([[0], [1], [2]], rounds=2)
    table.start()
    table.play_to("together")
    if left_out:
        table.cut_off.add(2)
        table.agree("absent", [2])
    first, author = table.peers[0], test_pact_freezes.key(table, 2)
    height, head = first.position.height, first.position.head
    for value, there, spoken in ((1, 0, bytes(32)), (2, 0, bytes(32)), (3, 1, bytes(32)), (4, 0, head)):
        seq, last = first.feeds.end(author)
        place = {"height": height + there, "head": spoken, "seq": seq + 1, "prev": last}
        table.say(2, "answer", [2, [value]], to=(0, 1), **place)
    for number in (0, 1):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    assert first.position.height > height
    found = judged_by_all([game_of(first, table.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None


@pytest.mark.parametrize("left_out", [False, True])
def test_all_say_that_nobody_chose_a_roll_only_where_no_vote_led_to_another_lock(
    left_out: bool, tmp_path: Path
) -> None:
    table = test_seedless_dice.voted(left_out=left_out)
    found = judged_by_all([game_of(table.peers[0], table.keys[0].key.private, 1)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None


def test_all_let_the_rest_of_a_batch_be_void_once_the_seat_has_passed_on(tmp_path: Path) -> None:
    table = test_seat_handed_over.handed_over_amid_a_batch()
    table.play()
    assert table.peers[1].position.over
    star = packed(table.peers[1], table.keys[1].key.private)
    found = judged_by_all([Game(star, test_seat_handed_over.Skipping(3, 2))], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None


def test_all_let_the_rest_of_a_batch_stand_though_a_vote_ends_the_feed_before_it(tmp_path: Path) -> None:
    tables = [test_batch_voted.ended_before_its_batch(kind) for kind in ("absent", "without", "moved")]
    for table in tables:
        table.cut_off.add(0)
        table.play()
    found = judged_by_all([game_of(each.peers[1], each.keys[1].key.private, 2) for each in tables], tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, None, None]
