"""Taking back a height at which secrets are being opened: what has been said there, nobody forgets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import Given, GivenAnswer, HandleRef, Kind, Pending, TableRefusal
from p2p.lockstep.pacts import Pact
from p2p.lockstep.votes import judge_pact
from p2p.testing.hostile_silence import Reticent, reticent
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from seeds.deckkeys import read_shares
from seeds.group import sub, total
from seeds.sealeddeck import SealedDecks

TOP: HandleRef = ("bag", 0)
SILENT = 1
READER = 2


class Flipping(TestMachine):
    """A bag is mixed, then seat 0 answers 0, and its top card is turned up for all, or 1, and it is dealt to READER.
    Then it answers without end."""

    def pending(self) -> Pending | None:
        match self.state.get("phase"):
            case None:
                return super().pending()
            case 0:
                return Pending("reveal", handles=(TOP,), tag="open")
            case 1:
                return Pending("deal", (READER,), deck="bag", handles=(TOP,))
        return Pending("choose", (0,))

    def check(self, given: Given) -> TableRefusal | None:
        return None

    def apply(self, given: Given) -> Sequence[object]:
        phase = self.state.get("phase")
        self.state["phase"] = given.value if isinstance(given, GivenAnswer) and phase == "asked" else "asked"
        return []


def seats_of(machine: TestMachine, withheld: str) -> DirectTable:
    """Three members with sealed cards, of whom one keeps back what is withheld."""
    table = DirectTable([[0], [1], [2]], 6, machine=machine, options={"draws": "sealed"})
    kinds: list[type[Lockstep]] = [Lockstep, reticent(withheld), Lockstep]
    table.peers = [
        member(table.genesis, keys, machine.clone(), kind=kind)
        for keys, kind in zip(table.keys, kinds, strict=True)
    ]  # fmt: skip
    table.start()
    return table


def speaks_again(table: DirectTable) -> None:
    silent = table.peers[SILENT]
    assert isinstance(silent, Reticent)
    type(silent).withheld = frozenset()


def step_of(table: DirectTable) -> tuple[Kind | str, int]:
    position = table.peers[0].position
    return position.step.kind, position.height


def refused(table: DirectTable, to: int) -> None:
    """A takeback that does not say it goes across secrets is proposed behind a program's back: the others refuse it."""
    silent, stood = table.peers[SILENT], step_of(table)
    pact = Pact("takeback", stood[1], silent.position.head, (), [to, False])
    silent.signing.say("pact", pact.body())
    silent.advance()
    table.settle()
    for number, peer in enumerate(table.peers):
        own = peer.propose("takeback", (), [to, False])
        assert own is not None
        assert own.code == "pact/across-secrets"
        advice = judge_pact(peer.reading, pact, peer.position.members)
        assert advice is not None
        assert advice.code == "pact/across-secrets"
        assert number == SILENT or not peer.ballots.signed(pact, peer.position.members[number])
    assert silent.ballots.dead(pact, silent.position.members)
    assert step_of(table) == stood


def agreed(table: DirectTable, to: int) -> None:
    """All members take back, and know that it goes across secrets."""
    assert table.peers[0].propose("takeback", (), [to, True]) is None
    table.settle()
    for peer in table.peers[1:]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()


def decks_of(peer: Lockstep) -> SealedDecks:
    decks = peer.position.chance.decks
    assert decks is not None
    return decks


def opened_by_the_log(table: DirectTable) -> bool:
    """Whether the shares that stand in the log open the top card with no secret."""
    decks = decks_of(table.peers[0])
    (pair,) = decks.lying[TOP].pairs
    values = {}
    for entry in table.log_of("share"):
        match entry.body:
            case [bytes(), said]:
                shares = read_shares(said, 1)
                assert shares is not None
                values[entry.author] = shares.values[0]
    return sub(pair.sealed[1], total(values.values())) in decks.points


def test_a_bid_is_not_taken_back_while_bids_are_opened_unless_all_agree_to_forget_them() -> None:
    """Who keeps its own opening back has seen the others' bids, and would bid again."""
    table = seats_of(TestMachine(3, 1), "reveal")
    while step_of(table)[0] != "seal":
        assert table.step()
    to = step_of(table)[1]
    for seat, bid in enumerate((4, 0, 2)):
        assert table.peers[seat].answer(seat, [bid]) is None
    table.settle()
    assert step_of(table) == ("reveal", to + 1)
    assert len(table.log_of("reveal")) == 2, "two bids are open, the third is not"
    refused(table, to)
    assert step_of(table) == ("reveal", to + 1)
    agreed(table, to)
    assert step_of(table)[1] > to + 1


@pytest.mark.parametrize(("kind", "withheld"), [("deal", "share"), ("deal", "remask")])
def test_a_card_on_its_way_to_one_member_is_not_taken_back_unless_all_agree_to_forget_it(
    kind: str, withheld: str
) -> None:
    table = seats_of(TestMachine(3, 1), withheld)
    assert step_of(table)[0] == kind
    assert table.peers[0].position.secrets_since(step_of(table)[1] - 1)
    refused(table, step_of(table)[1] - 1)


def test_a_roll_is_not_taken_back_while_it_is_open_unless_all_agree_to_forget_it() -> None:
    """Between two, who opens last knows the faces before the other does, and would have others rolled."""
    table = DirectTable([[0], [1]], 6, options={"draws": "sealed"})
    table.peers[SILENT] = member(table.genesis, table.keys[SILENT], TestMachine(2, 1), kind=reticent("open"))
    table.start()
    table.play()
    kind, height = step_of(table)
    assert kind == "roll"
    refused(table, height - 1)
    speaks_again(table)
    table.peers[SILENT].go_on()
    table.settle()
    assert step_of(table) == ("seal", height + 1)
    assert not table.peers[0].position.secrets_since(height), "all have seen the faces, and can say no"


def test_answers_below_an_opening_under_way_are_behind_it_and_answers_after_it_are_not() -> None:
    table = seats_of(Flipping(3, 1), "share")
    asked = step_of(table)[1]
    assert not table.peers[0].position.secrets_since(asked)
    assert table.peers[0].answer(0, [0]) is None
    table.settle()
    assert table.peers[0].position.secrets_since(asked)
    speaks_again(table)
    table.peers[SILENT].go_on()
    table.settle()
    after = step_of(table)
    assert after[0] == "choose"
    assert table.peers[0].position.secrets_since(asked)
    assert not table.peers[0].position.secrets_since(after[1])


def test_an_opening_that_a_pact_ended_was_one_all_the_same() -> None:
    """The height at which openings were said is behind the table, and their authors have said them."""
    table = seats_of(TestMachine(3, 1), "reveal")
    while step_of(table)[0] != "seal":
        assert table.step()
    for seat in range(3):
        assert table.peers[seat].answer(seat, [1]) is None
    table.settle()
    kind, height = step_of(table)
    assert kind == "reveal"
    assert table.peers[0].propose("absent", [table.keys[SILENT].key.public]) is None
    table.settle()
    assert table.peers[2].sign(table.peers[2].votes()[0].pact.id) is None
    table.settle()
    assert table.peers[0].position.past[height].members == table.peers[0].position.past[0].members
    assert step_of(table)[1] > height
    assert table.peers[0].position.history.secrets_since(height)


def test_a_card_whose_turning_up_was_taken_back_is_dealt_under_new_keys() -> None:
    """All shares but one stood in the log; with the last one, given for a deal, everybody could read what the reader
    alone is thought to know. So the deck is dealt anew, and the reader alone knows its card."""
    table = seats_of(Flipping(3, 1), "share")
    asked = step_of(table)[1]
    assert table.peers[0].answer(0, [0]) is None
    table.settle()
    assert step_of(table) == ("reveal", asked + 1)
    assert not opened_by_the_log(table)
    refused(table, asked)
    agreed(table, asked)
    assert step_of(table)[0] == "choose"
    speaks_again(table)
    assert table.peers[0].answer(0, [1]) is None
    table.peers[SILENT].go_on()
    table.settle()
    assert step_of(table)[0] == "choose"
    assert len({peer.position.head for peer in table.peers}) == 1
    assert {peer.position.chance.ring.generation for peer in table.peers if peer.position.chance.ring} == {1}
    assert {decks_of(peer).lying[TOP].known for peer in table.peers} == {None}
    (look,) = table.peers[READER].position.chance.looks
    assert look.seat == READER
    assert [card for _, card in look.cards] != [None]
    assert not any(peer.faults for peer in table.peers)


def test_a_card_that_was_turned_up_for_all_and_taken_back_lies_unknown_among_the_others_again() -> None:
    table = seats_of(Flipping(3, 1), "share")
    speaks_again(table)
    asked = step_of(table)[1]
    assert table.peers[0].answer(0, [0]) is None
    table.settle()
    (seen,) = {decks_of(peer).lying[TOP].known for peer in table.peers}
    assert seen is not None
    agreed(table, asked)
    assert step_of(table)[0] == "choose"
    assert table.peers[0].answer(0, [1]) is None
    table.settle()
    assert {card.known for peer in table.peers for card in decks_of(peer).lying.values()} == {None}
    assert len({peer.position.head for peer in table.peers}) == 1
    (look,) = table.peers[READER].position.chance.looks
    assert [card for _, card in look.cards] != [None]
