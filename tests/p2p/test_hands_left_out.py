"""Who was left out, and had given its share of a card for somebody else by then, is dealt that card so that nobody else
reads it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from agreement import NODE, Game, judged_by_all, packed
from judges import disagreements
from outsider import Outsider, listening
from sealedgame import Sealed

from p2p.lockstep.member_secrets import MemberSecrets
from p2p.testing.machine import ReaderMachine
from p2p.wire.entry import Entry

ROUNDS, LEADER, READER = 3, 2, 3


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch) -> Outsider:
    return listening(monkeypatch)


class Choosing(Sealed):
    """The leader decides who is dealt the first card, and says the next seat. The caretaker says the leader's own."""

    machine_kind = ReaderMachine

    def part(self) -> None:
        """The leader answers and shares that card once its reader has masked it. The others hear so only after they
        have left both out."""
        self.until_kind("choose", LEADER)
        self.cut_off |= {LEADER, READER}
        assert self.peers[LEADER].answer(LEADER, [1]) is None
        self.settle()
        assert self.said(LEADER)[-1].kind == "answer", "nobody shares a card before its reader has masked it"
        self.tell(LEADER, READER)
        self.tell(READER, LEADER)
        assert [self.said(LEADER)[-1].kind, self.said(READER)[-1].kind] == ["share", "remask"]
        self.agree("absent", [LEADER, READER])

    def said(self, number: int) -> Sequence[Entry]:
        return self.peers[number].feeds.feed(self.key(number))

    def tell(self, teller: int, hearer: int) -> None:
        for entry in self.said(teller):
            self.peers[hearer].feed(entry)
        self.settle()

    def let_back(self) -> None:
        for number in (LEADER, READER):
            self.rejoin(number)
            assert self.peers[number].propose("back") is None
            self.settle()
            for peer in self.here:
                for vote in peer.votes():
                    if peer.me in vote.missing:
                        assert peer.sign(vote.pact.id) is None
            self.settle()


def test_a_card_that_is_dealt_to_who_was_left_out_is_read_by_nobody_else(outsider: Outsider) -> None:
    table = Choosing(5, rounds=ROUNDS)
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
    table = Choosing(5, rounds=ROUNDS)
    table.part()
    table.let_back()
    table.play()
    star = packed(table.peers[0], table.keys[0].key.private)
    found = judged_by_all([Game(star, table.fresh)], tmp_path)
    assert [each.ours for each in found] == [None]
    assert disagreements(found) == []


def test_a_mask_in_another_history_is_made_of_other_numbers() -> None:
    secrets = MemberSecrets(bytes(32), bytes(32), bytes(32), {})
    places = [(epoch, height, bytes([head]) * 32) for epoch in (0, 1) for height in (2, 3) for head in (4, 5)]
    assert len({secrets.at("remask", *place).fresh() for place in places}) == len(places)
    assert secrets.at("remask", *places[0]).fresh() == secrets.at("remask", *places[0]).fresh()
