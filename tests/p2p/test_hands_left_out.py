"""Who was left out, and had given its share of a card for somebody else by then, is dealt that card so that nobody else
reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement import NODE, Game, judged_by_all, packed
from judges import disagreements
from outsider import Outsider, listening
from sealedgame import Sealed

from p2p.testing.machine import ReaderMachine

ROUNDS, LEADER = 3, 2


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch) -> Outsider:
    return listening(monkeypatch)


class Choosing(Sealed):
    """The leader decides who is dealt the first card, and says the next seat. The caretaker of seat 2 says seat 2."""

    machine_kind = ReaderMachine

    def part(self) -> None:
        """The leader answers and shares that card, which the others hear only after they have left it out."""
        self.until_kind("choose", LEADER)
        self.cut_off.add(LEADER)
        assert self.peers[LEADER].answer(LEADER, [1]) is None
        self.settle()
        assert self.peers[LEADER].feeds.feed(self.key(LEADER))[-1].kind == "share"
        self.agree("absent", [LEADER])

    def let_back(self) -> None:
        self.rejoin(LEADER)
        assert self.peers[LEADER].propose("back") is None
        self.settle()
        for peer in self.here:
            for vote in peer.votes():
                if peer.me in vote.missing:
                    assert peer.sign(vote.pact.id) is None
        self.settle()


@pytest.mark.parametrize("members", [4, 5])
def test_a_card_that_is_dealt_to_who_was_left_out_is_read_by_nobody_else(outsider: Outsider, members: int) -> None:
    table = Choosing(members, rounds=ROUNDS)
    table.part()
    assert table.at.step.kind == "deal"
    assert list(table.here[0].owing()) == [table.key(LEADER)], "it masks the card anew before the others share it"
    assert outsider.read() == set()
    table.let_back()
    table.play()
    table.ended_alike()
    assert outsider.read() == set()


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
def test_all_judges_ask_the_mask_of_who_was_left_out(tmp_path: Path) -> None:
    table = Choosing(4, rounds=ROUNDS)
    table.part()
    table.let_back()
    table.play()
    star = packed(table.peers[0], table.keys[0].key.private)
    found = judged_by_all([Game(star, table.fresh)], tmp_path)
    assert [each.ours for each in found] == [None]
    assert disagreements(found) == []
