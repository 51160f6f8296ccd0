# SPDX-License-Identifier: GPL-3.0-or-later
"""Whoever lies about its state gets no new dice and no second choice by reading on, and a roll stays what all had
committed to. Where more than half undo one, the account lists it."""

from __future__ import annotations

import pytest
from repairtables import (
    Unrolled,
    counted,
    ended_alike,
    everybody_repairs,
    lied,
    read_on_at_a_roll,
    read_on_twice,
    rolls,
)

from p2p.lockstep.audit import audit
from p2p.lockstep.cuts import end_here
from p2p.lockstep.pacts import Pact
from p2p.lockstep.undone import undone
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value


@pytest.mark.parametrize("away", [0, 1, 5])
def test_who_lies_about_its_state_gets_no_new_dice_by_a_repair(away: int) -> None:
    """The dice fell, and one dislikes them: it signs something that does not fit, now and for later heights, and all
    agree to read on."""
    table = DirectTable([[0], [1], [2]], 6, 2, options={"draws": "open"})
    table.start()
    while table.peers[0].position.step.kind != "seal":
        assert table.step()
    fallen, at = rolls(table.peers[0]), table.peers[0].position.height
    lied(table, 2, {"kind": "answer", "body": [2, [99]]}, {"kind": "open", "body": [9], "height": at + away})
    assert [entry.author for entry in table.peers[0].reading.differing()] == [table.keys[2].key.public]
    everybody_repairs(table, at)
    for peer in table.peers:
        assert rolls(peer)[: len(fallen)] == fallen
        assert all(peer.position.history.stands(each.roll.height) for each in peer.position.chance.rolls)
    assert table.peers[0].position.step.kind in ("seal", "prepare")
    assert ended_alike(table)
    assert audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2)).problems == ()


def test_who_lies_about_its_state_gets_no_second_choice_by_a_repair() -> None:
    """A legal answer over a false state counts as it is; the second one that its author signs changes nothing."""
    table = DirectTable([[0], [1], [2]], 6, 1)
    table.start()
    while table.peers[0].position.step.kind != "together":
        assert table.step()
    at = table.peers[0].position.height
    (first, _) = lied(table, 2, {"kind": "answer", "body": [2, [4]]}, {"kind": "answer", "body": [2, [1]]})
    for peer in table.peers[:2]:
        assert peer.answer(peer.owing()[peer.me or b""][0], [3]) is None
        table.settle()
    everybody_repairs(table, at)
    assert {peer.position.height for peer in table.peers} != {at}
    given = [step.given for step in table.peers[0].position.history.steps() if step.height == at]
    assert [getattr(each, "value", None) for each in given] == [3, 3, 4]
    assert first.id in counted(table, table.peers[0])


def test_who_had_a_word_that_does_not_fit_has_no_second_choice_by_the_next_repair() -> None:
    """Void is what stands up to the end of the repair that it did not fit in. What its author says after that counts as
    any other word, and no account lists it."""
    table, first = read_on_twice([99])
    for peer in table.peers:
        assert peer.position.height > first.height
        given = [step.given for step in peer.position.history.steps() if step.height == first.height]
        assert [getattr(each, "value", None) for each in given] == [3, 4]
        assert [each.said.value for each in undone(peer)] == [99]
    assert ended_alike(table)


@pytest.mark.parametrize("silent", [{0, 1, 2}, {0, 1}, {1}])
def test_a_repair_ends_no_roll(silent: set[int]) -> None:
    """The roll stays what all had committed to."""
    fallen = Unrolled(silent)
    fallen.speak()
    table, at = read_on_at_a_roll(silent)
    table.speak()
    (faces,) = (each.faces for each in fallen.peers[0].position.chance.rolls if each.roll.height == at)
    for peer in table.peers:
        assert [each.faces for each in peer.position.chance.rolls if each.roll.height == at] == [faces]
    assert ended_alike(table)
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    assert [each.faces for each in found.rolls if each.height == at] == [faces]


def reached(table: DirectTable, kind: str) -> None:
    """Play to the next step of this kind."""
    while table.peers[0].position.step.kind != kind:
        assert table.step()


@pytest.mark.parametrize("before", [False, True])
def test_a_majority_that_has_named_another_state_can_read_on_from_there_later_and_the_account_lists_the_roll(
    before: bool,
) -> None:
    """Two of three say so of the height of a vote, after the roll that follows, which counts for nothing, or before it,
    and then all read on from there. Later they sign to read on without the third, up to a word that was said at that
    roll."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    reached(table, "together")
    position = table.peers[0].position
    at, head, state = position.height, position.head, position.state
    place = {"height": at, "head": head, "epoch": position.epoch, "kind": "answer"}
    for liar in (0, 1) if before else ():
        lied(table, liar, {**place, "body": [liar, [2]]})
    if before:
        everybody_repairs(table, at)
    reached(table, "seal")
    (fallen,) = (each for each in table.peers[2].position.chance.rolls if each.kind == "roll")
    for liar in () if before else (0, 1):
        lied(table, liar, {**place, "body": [liar, [2]]})
    reader, victim = table.peers[0], table.keys[2].key.public
    word = next(entry for entry in reader.feeds.feed(reader.me or b"") if entry.height == fallen.roll.height)
    terms: list[Value] = [state, [[word.author, word.seq, word.id]], reader.position.epoch + 1]
    pact = Pact("repair", at, head, (end_here(reader.reading, victim, at + 1),), terms)
    for peer in table.peers[:2]:
        peer.voting.too_late = lambda: None  # type: ignore[method-assign]
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    assert (fallen not in table.peers[2].position.chance.rolls) is before
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert before or not found.pacts
    assert not before or [(each.by, each.said.value) for each in found.undone if each.said.what == "roll"] == [
        ("repair", list(fallen.faces))
    ]
    voters = tuple(keys.key.public for keys in table.keys[:2])
    assert {each.voters for each in found.undone} == ({voters} if before else set())
