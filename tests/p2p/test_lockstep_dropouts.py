"""Sealed tables whose members vanish, come back, are replaced, crash or take back: hands stay with who holds them, dice
are never rolled again, and everybody who is there ends in the same place."""

from __future__ import annotations

from itertools import pairwise

import pytest
from sealedgame import Sealed, hand
from volume import GATE, VOLUME, gated

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.audit import audit
from p2p.lockstep.automatic import AutomaticEntries
from p2p.lockstep.effects import Agreed, Keep
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.machine import HandleRef
from p2p.lockstep.obstructing import OBSTRUCTING
from p2p.lockstep.pacts import Pact
from p2p.lockstep.replay import Problem
from p2p.testing.hostile_silence import Reticent, Withheld
from p2p.testing.tables import changed_cards, member, opened
from p2p.wire.codec import Value, decode, encode
from seeds.anew import DealingAnew
from seeds.sealeddeck import SealedDecks


def test_who_comes_back_while_cards_wait_takes_over_again_with_its_hand() -> None:
    table = Sealed(4)
    table.until_kind("together")
    held = hand(table.peers[3])
    assert held
    table.vanish(3)
    assert table.here[0].position.step.kind == "reveal"
    assert list(table.here[0].owing()) == [table.key(3)], "the cards wait for its share"
    table.rejoin(3)
    assert table.peers[3].propose("back") is None
    table.settle()
    for peer in table.peers[:3]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    assert table.key(3) in table.peers[0].position.members
    assert table.peers[3].position.chance.ring is not None
    assert table.peers[3].position.chance.ring.generation == 0, "absence touches no deck"
    before = len(table.log_of("answer"))
    table.play()
    table.ended_alike()
    assert any(entry.author == table.key(3) for entry in table.log_of("answer")[before:])
    assert opened(table.peers[0].position).items() >= held.items()


def test_survivors_keep_their_hands_when_one_is_gone() -> None:
    table = Sealed(4, rounds=1)
    table.until_kind("together")
    held = [hand(peer) for peer in table.peers]
    table.vanish(3)
    table.agree("gone", [3])
    assert table.happened("anew") == 1
    table.play()
    table.ended_alike()
    shown = opened(table.peers[0].position)
    for one in held[:3]:
        assert one
        assert shown.items() >= one.items()
    assert len(set(map(str, shown.values()))) == len(shown), "no card twice"


def test_who_refuses_three_times_to_give_up_another_can_be_left_out_and_the_game_goes_on() -> None:
    """The table waits for the cards of who has vanished, and one says each time that it is there."""
    table = Sealed(4)
    table.until_kind("together")
    table.vanish(3)
    table.play()
    first, second, refusing = table.here
    for _ in range(OBSTRUCTING):
        refused = first.propose("absent", [table.key(2)])
        assert refused is not None
        assert refused.code == "pact/owes-nothing"
        assert first.propose("gone", [table.key(3)]) is None
        table.settle()
        (vote,) = second.votes()
        assert second.sign(vote.pact.id) is None
        refusing.refuse(vote.pact.id, "pact/present")
        table.settle()
    assert first.propose("absent", [table.key(2)]) is None
    table.settle()
    assert second.sign(second.votes()[0].pact.id) is None
    table.settle()
    assert first.position.members == (first.me, second.me)
    table.agree("gone", [2, 3])
    table.play()
    assert all(peer.position.over and not peer.faults for peer in (first, second))


def test_who_vanishes_before_signing_that_another_is_gone_is_left_out_and_the_vote_held_anew() -> None:
    """Its signature was needed; who is gone is no member any more, so no `absent` could name them both."""
    table = Sealed(5)
    table.until_kind("together")
    table.vanish(4)
    table.play()
    assert table.at.step.kind != "over"
    table.cut_off.add(3)
    assert table.here[0].propose("gone", [table.key(4)]) is None
    everybody_signs(table)
    assert all(peer.voting.locks() for peer in table.here)
    assert table.here[0].propose("absent", [table.key(3)]) is None
    everybody_signs(table)
    assert not any(peer.voting.locks() for peer in table.here)
    table.play()
    assert table.here[0].propose("gone", [table.key(3), table.key(4)]) is None
    everybody_signs(table)
    table.play()
    assert table.at.over


def everybody_signs(table: Sealed) -> None:
    """Whoever may sign what is proposed does."""
    table.settle()
    for peer in table.here:
        for vote in peer.votes():
            if peer.me in vote.missing and vote.advice is None:
                assert peer.sign(vote.pact.id) is None
    table.settle()


def test_two_who_are_gone_at_once_are_dealt_out_together() -> None:
    table = Sealed(5)
    table.until_kind("together")
    held = [hand(peer) for peer in table.peers]
    table.vanish(3, 4)
    table.agree("gone", [3, 4])
    assert table.happened("anew") == 1
    table.play()
    table.ended_alike()
    for one in held[:3]:
        assert opened(table.peers[0].position).items() >= one.items()


@pytest.mark.parametrize("kind", gated(["share", "shuffle", "remask", "tag"], 1))
def test_a_second_quitter_while_the_deck_is_dealt_anew_is_left_out_as_well(kind: str) -> None:
    table = Sealed(5)
    table.until_kind("together")
    held = [hand(peer) for peer in table.peers]
    table.vanish(4)
    second = table.peers[3]
    assert isinstance(second, Reticent)
    second.withheld = frozenset({kind})
    table.agree("gone", [4])
    assert table.here[0].position.step.kind == "anew"
    assert table.here[0].debts() == {table.key(3): kind}
    table.vanish(3)
    assert table.here[0].position.step.kind == "anew", "the deck waits, and nothing of it is lost"
    table.agree("gone", [3])
    table.play()
    table.ended_alike()
    assert table.peers[0].position.chance.ring is not None
    assert table.peers[0].position.chance.ring.generation == 2
    for one in held[:3]:
        assert opened(table.peers[0].position).items() >= one.items()


class LeaversEntries(Withheld):
    """Does its part while a deck is dealt anew, whatever is withheld."""

    def give(self) -> bool:
        anew = self.reading.position.step.kind == "anew"
        return AutomaticEntries.give(self) if anew else super().give()


class Leaver(Reticent):
    """Keeps back what it withholds of the cards of the game, and does its part while a deck is dealt anew."""

    withholding = LeaversEntries


class Leaving(Sealed):
    """A table whose last members leave one after the other, each when the deck lies anew without the one before."""

    voice = Leaver

    def hold(self, *numbers: int) -> None:
        """The cards wait for these from now on."""
        for number in numbers:
            peer = self.peers[number]
            assert isinstance(peer, Leaver)
            peer.withheld = frozenset({"share", "remask"})

    def lose(self, number: int) -> None:
        self.vanish(number)
        self.agree("gone", [number])

    def hands_stayed(self, held: list[dict[HandleRef, Value]], stay: int) -> None:
        """What those who stay have read is what was opened, and the log says nothing else."""
        for number in range(stay):
            assert held[number]
            assert opened(self.peers[number].position).items() >= held[number].items()
            assert not changed_cards(self.peers[number].position)
        found = audit(self.peers[0].feeds.entries, lambda _: self.fresh.clone())
        assert found.ok, found.problems
        assert found.complete


@pytest.mark.parametrize(
    ("members", "leave"),
    gated([(4, 2), (5, 3), (5, 2), (6, 2), (6, 3), (6, 4)], 1),
)
def test_however_many_are_gone_one_after_the_other_those_who_stay_keep_their_hands(members: int, leave: int) -> None:
    """In the second round, when some cards of the bag were put back."""
    table, stay = Leaving(members), members - leave
    table.until_kind("choose", 1)
    held = [hand(peer) for peer in table.peers]
    table.hold(*range(stay, members))
    for number in reversed(range(stay, members)):
        table.lose(number)
    assert table.happened("anew") == leave
    table.play()
    table.ended_alike()
    table.hands_stayed(held, stay)


def test_who_was_absent_while_others_were_gone_finds_its_hand_when_it_is_back() -> None:
    table = Leaving(5)
    table.until_kind("choose", 1)
    held = [hand(peer) for peer in table.peers]
    table.hold(2, 3, 4)
    table.lose(4)
    table.vanish(2)
    assert isinstance(table.peers[2], Leaver)
    table.peers[2].withheld = frozenset()
    table.lose(3)
    assert list(table.here[0].owing()) == [table.key(2)], "the deck waits for who is only absent"
    assert table.happened("anew") == 1
    table.rejoin(2)
    assert table.peers[2].propose("back") is None
    everybody_signs(table)
    table.play()
    table.ended_alike()
    assert table.happened("anew") == 2
    table.hands_stayed(held, 3)


def test_an_audit_names_a_hand_that_may_have_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with programs that dealt without the shares of hands."""
    table = Leaving(4, rounds=1)
    table.until_kind("together")
    table.lose(3)
    table.play()
    table.ended_alike()
    handle = next(iter(hand(table.peers[1])))
    (height, deck) = table.at.chance.anew[0]
    entries = [entry for entry in table.peers[0].feeds.entries if entry.height <= height]
    assert audit(entries, lambda _: table.fresh.clone()).ok
    lay = DealingAnew.lay

    def careless(anew: DealingAnew, decks: SealedDecks) -> None:
        lay(anew, decks)
        decks.lying[handle].pairs[0].shares.clear()

    monkeypatch.setattr(DealingAnew, "lay", careless)
    found = audit(entries, lambda _: table.fresh.clone())
    detail = f"{deck} {handle[1]} of Player 1, height {height}"
    assert found.problems == (Problem(None, "anew/hand-changed", detail),)
    assert not found.proves


def test_a_new_key_takes_a_given_seat_and_the_decks_are_dealt_anew_for_it() -> None:
    table = Sealed(4)
    table.until_kind("together")
    held = [hand(peer) for peer in table.peers]
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    certificate = certify(SigningKey.from_seed(b"i" * 32), keys.key.public, table.genesis.table, "laptop")
    record = decode(encode(Member(certificate, (Row(3, "Newcomer"),), bytes(32)).record()))
    assert table.peers[3].propose("seat", (), [3, record]) is None
    everybody_signs(table)
    table.until(lambda: table.at.owner[3] == keys.key.public)
    table.cut_off = {3}
    late = member(table.genesis, keys, table.fresh.clone(), kind=Reticent)
    for entry in table.here[0].feeds.entries:
        late.take(entry)
    late.start(new=True)
    table.peers.append(late)
    table.seen.append([])
    table.settle()
    table.play()
    assert table.happened("anew") == 1
    table.ended_alike()
    assert table.peers[0].position.owner[3] == late.me
    assert any(entry.author == late.me for entry in table.log_of("answer"))
    assert late.position.chance.ring is not None
    assert late.me in late.position.chance.ring.members
    assert hand(late), "it is dealt cards of its own"
    for one in held[:3]:
        assert opened(table.peers[0].position).items() >= one.items()


# Going back ----------------------------------------------------------------------------------------------------------


def test_a_takeback_that_crosses_no_private_draw_leaves_every_card_where_it_is() -> None:
    table = Sealed(3)
    table.until_kind("choose")
    to, held = table.peers[0].position.height, [hand(peer) for peer in table.peers]
    table.until_kind("seal")
    table.agree("takeback", [], [to, False])
    assert [hand(peer) for peer in table.peers] == held
    assert table.peers[0].position.step.kind == "choose"
    table.play()
    table.ended_alike()
    for one in held:
        assert opened(table.peers[0].position).items() >= one.items()
    rolled = [rolled.roll.k for rolled in table.peers[0].position.chance.rolls]
    assert rolled == sorted(set(rolled))


def test_a_takeback_across_private_draws_mixes_what_was_drawn() -> None:
    """Who has seen the card that lay on top would know who draws it next."""
    table = Sealed(3)
    table.until_kind("choose")
    drawn = [hand(peer) for peer in table.peers]
    first, *_, last = (look.height for look in table.peers[0].position.chance.looks if look.height)
    assert first < last
    assert table.peers[0].propose("takeback", (), [first, False]) is not None
    table.agree("takeback", [], [first, True])
    table.until_kind("choose")
    assert table.happened("anew") == 1
    assert [hand(peer) for peer in table.peers] != drawn
    table.play()
    table.ended_alike()


def test_a_takeback_across_a_peek_leaves_hands_and_mixes_the_rest() -> None:
    table = Sealed(3)
    table.until_kind("choose")
    hands = {(handle, look.member) for look in table.at.chance.looks[:3] for handle, _ in look.cards}
    held = [hand(peer) for peer in table.peers]
    peek = table.peers[0].position.chance.looks[-1].height
    table.agree("takeback", [], [peek, True])
    table.play()
    assert table.happened("anew") == 1
    table.ended_alike()
    shown = opened(table.peers[0].position)
    for number, peer in enumerate(table.peers):
        own = {handle for handle, member in hands if member == peer.me}
        assert {handle: card for handle, card in held[number].items() if handle in own}.items() <= shown.items()


def test_nobody_goes_back_behind_a_deck_that_was_dealt_anew() -> None:
    table = Sealed(4)
    table.until_kind("together")
    to = table.peers[0].position.height - 1
    table.vanish(3)
    table.agree("gone", [3])
    position = table.here[0].position
    assert position.chance.dealt_since > to
    for peer in table.here:
        peer.signing.say("pact", Pact("takeback", position.height, position.head, (), [to, True]).body())
        peer.advance()
    table.settle()
    assert not table.here[0].voting.bound, "what cannot take effect binds nobody"
    table.play()
    table.ended_alike()
    assert not [e for e in table.seen[0] if isinstance(e, Agreed) and e.pact.kind == "takeback"]


# Crashes -------------------------------------------------------------------------------------------------------------


def test_a_restart_after_any_entry_says_the_same_again_in_shuffles_keys_and_decks_dealt_anew() -> None:
    """At a test table proofs take no chance of their own, so what is said again after a crash is the same entry."""
    table = Sealed(4, rounds=1)
    table.until_kind("together")
    table.vanish(3)
    table.agree("gone", [3])
    table.play()
    table.ended_alike()
    log = list(table.peers[0].feeds.entries)
    mine = {entry.seq: entry for entry in log if entry.author == table.key(0)}
    assert {"shuffle", "keys", "ok", "share", "remask", "tag"} <= {entry.kind for entry in mine.values()}
    ends = [at + 1 for at, (one, other) in enumerate(pairwise(log)) if table.key(0) in (one.author, other.author)]
    for end in ends[:: 3 if VOLUME == GATE else 1]:
        again = table.sit(0)
        again.restore([(entry, None) for entry in log[:end]])
        again.settled()
        again.start(new=True)
        for keep in again.settled():
            if isinstance(keep, Keep) and keep.is_own and keep.entry.kind not in ("result", "answer"):
                assert keep.entry.id == mine[keep.entry.seq].id, (end, keep.entry.kind)
        assert not again.faults


@pytest.mark.parametrize("kind", ["shuffle", "keys", "ok", "share", "partial", "reveal"])
def test_who_crashes_before_an_entry_of_this_kind_comes_back_and_the_game_goes_on(kind: str) -> None:
    table = Sealed(3, rounds=1, silent={1: kind})
    second = table.peers[1]
    table.play()
    assert table.key(1) in table.peers[0].owing() or kind == "partial"
    again = table.sit(1)
    again.restore([(entry, None) for entry in second.feeds.entries])
    table.peers[1] = again
    again.start(new=True)
    table.settle()
    table.play()
    table.ended_alike()
