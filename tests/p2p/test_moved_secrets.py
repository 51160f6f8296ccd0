"""What moves with a member that goes on with another table key, and what does not: its hand, its answers, rolls that it
owes, and cards that wait for it."""

from __future__ import annotations

import pytest
from movedtables import (
    NEW,
    OLD,
    SEED,
    agree_to_move,
    certificate,
    hand,
    key,
    machine,
    machine_of,
    move,
    propose,
    table,
    welcome,
    with_a_hand,
)

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.audit import audit
from p2p.lockstep.follower import Follower
from p2p.lockstep.machine import GivenAnswer, TableRefusal
from p2p.lockstep.pacts import moving_lobby
from p2p.testing.cheats import CheatTable
from p2p.testing.machine import TestMachine
from p2p.testing.tables import changed_cards, member
from p2p.wire.codec import decode, encode
from seeds.group import mul
from seeds.hashing import H
from seeds.sealedcards import opened


@pytest.mark.parametrize("kept", [True, False])
def test_who_has_the_old_secret_keeps_its_hand_and_without_it_the_hand_returns(kept: bool) -> None:
    made = with_a_hand()
    before, others = hand(made.peers[OLD], OLD), {seat: hand(made.peers[seat], seat) for seat in range(OLD)}
    new = move(made, TableKeys(NEW.key, made.keys[OLD].secret if kept else NEW.secret), kept=kept)
    while new.position.owner[OLD] != NEW.key.public:
        assert made.step()
    assert hand(new, OLD) == (before if kept else {})
    assert (["hand-returned", OLD] in machine(new).state["gone"]) is not kept
    made.play()
    assert new.position.over
    assert not any(changed_cards(peer.position) for number, peer in enumerate(made.peers) if number != OLD)
    assert not any(peer.faults for peer in made.peers)
    assert not new.position.chance.strayed
    assert all(others[seat].items() <= dict(made.peers[seat].position.chance.seen(seat)).items() for seat in others)
    assert audit(made.peers[0].hearing.log, machine_of).ok


@pytest.mark.parametrize("kept", [True, False])
def test_who_asks_to_move_knows_by_the_deck_keys_whether_its_secret_is_the_old_one(kept: bool) -> None:
    made = with_a_hand()
    new = member(made.genesis, TableKeys(NEW.key, made.keys[OLD].secret if kept else NEW.secret), TestMachine(4, 2))
    assert not new.position.chance.holds_secret(key(made)), "no deck key shows it yet"
    watcher = Follower(made.genesis, TestMachine(4, 2))
    for follower in (new, watcher):
        follower.restore([(entry, None) for entry in made.peers[0].feeds.entries])
    members = [keys.key.public for keys in made.keys]
    assert [new.position.chance.holds_secret(each) for each in members] == [False] * OLD + [kept]
    assert not any(watcher.position.chance.holds_secret(each) for each in members)


@pytest.mark.parametrize("kept", [False, True])
def test_nobody_but_who_moves_says_whether_its_hand_stays(kept: bool) -> None:
    """A friend could ask the others to return it, or to wait for a hand whose secret is lost."""
    made = table()
    refusal = propose(made, [certificate(made, kept=kept), not kept])
    assert isinstance(refusal, TableRefusal)
    assert refusal.code == "genesis/lobby"
    assert propose(made, [certificate(made, kept=kept), kept]) is None


@pytest.mark.parametrize("kind", ["together", "seal"])
def test_what_was_answered_before_stays_and_the_new_key_does_not_answer_again(kind: str) -> None:
    """Whoever asks to move to take an answer back gains nothing: the end of its feed holds it."""
    made = CheatTable(seed=SEED, rounds=2)
    made.start()
    made.play_to(kind)
    assert made.peers[OLD].answer(OLD, [4]) is None
    made.settle()
    said = made.peers[OLD].feeds.last(key(made))
    assert said is not None
    made.cut_off.add(OLD)
    new = move(made)
    height = said.height
    assert new.answer(OLD, [1]) is not None
    while made.peers[0].position.height == height:
        assert made.step()
    filled = [e for e in made.peers[0].hearing.log if e.height == height and e.kind in ("answer", "seal")]
    assert [entry.id for entry in filled if entry.author in (key(made), NEW.key.public)] == [said.id]
    assert made.peers[0].position.cut[key(made)].seq >= said.seq


def test_what_the_old_key_owes_when_it_moves_the_stand_in_gives() -> None:
    made = table("together")
    (first, *_) = made.peers
    height, owed = first.position.height, GivenAnswer(OLD, first.machine.caretaker(OLD))
    assert first.owing()[key(made)]
    new = move(made)
    while first.position.height == height:
        assert new.answer(OLD, [1]) is not None
        assert made.step()
    given = [step.given for step in first.position.history.steps() if step.height == height]
    assert [each for each in given if isinstance(each, GivenAnswer) and each.seat == OLD] == [owed]
    assert not [entry for entry in new.feeds.feed(NEW.key.public) if (entry.height, entry.kind) == (height, "answer")]


def withholding(holdings: list[list[int]]) -> CheatTable:
    """A table whose last member keeps its part of the first roll back, after all others have opened theirs."""
    made = CheatTable(holdings, seed=SEED, rounds=2)
    made.start()
    made.withheld.add((len(holdings) - 1, "open"))
    made.play()
    assert made.peers[0].debts() == {made.keys[-1].key.public: "open"}
    return made


def test_from_three_members_on_who_moves_instead_of_opening_a_roll_does_not_know_it() -> None:
    """The others release the lock when all have opened, so nobody knows which roll a move would make anew."""
    made = withholding([[0], [1], [2]])
    assert not made.peers[2].position.chance.rolls


def test_of_two_who_moves_instead_of_opening_has_seen_the_roll_and_it_is_made_anew_if_the_other_agrees() -> None:
    made = withholding([[0], [1]])
    seen = made.peers[1].position.chance.rolls[-1]
    made.cut_off.add(1)
    owner = SigningKey.from_seed(H("test identity", SEED, 1))
    fields = certify(owner, NEW.key.public, moving_lobby(made.genesis.table, made.keys[1].key.public), "").fields()
    assert not made.peers[0].position.chance.rolls
    assert made.peers[0].propose("moved", [made.keys[1].key.public], [decode(encode(fields)), False]) is None
    made.settle()
    welcome(made, NEW)
    made.play()
    (rolled, *_) = made.peers[0].position.chance.rolls
    assert rolled.sides == seen.sides
    assert rolled.roll.value != seen.roll.value


def test_a_card_that_waits_for_the_share_of_who_moves_is_drawn_anew() -> None:
    """The reader may know the one before, if it was told that share besides: those who agree to a move decide."""
    made, new = CheatTable(seed=SEED, rounds=2), TableKeys(SigningKey.from_seed(b"p" * 32), b"s" * 32)
    made.withheld.add((OLD, "share"))
    made.start()
    made.cut_off.add(OLD)
    first = made.peers[0]
    decks, pending = first.position.chance.decks, first.position.step.pending
    assert decks is not None
    assert pending is not None
    assert pending.kind == "deal"
    form = decks.sealed_form(pending.handles[0])
    secrets = {keys.key.public: peer.member_secrets for keys, peer in zip(made.keys, made.peers, strict=True)}
    shares = {who: mul(each.deck_secret(0), form.sealed[0]) for who, each in secrets.items()}
    deck, number = decks.card_at(opened(form, shares))
    before, reader = decks.faces[deck][number], made.peers[pending.seats[0]]
    made.withheld.clear()
    agree_to_move(made, new)
    welcome(made, new)
    made.play()
    looks = [look for look in reader.position.chance.looks if look.member == reader.me]
    assert looks[0].cards[0][1] != before


@pytest.mark.parametrize("kept", [True, False])
def test_who_moves_while_it_owes_the_mask_of_its_card_masks_it_with_the_new_key(kept: bool) -> None:
    made = CheatTable(seed=SEED, rounds=2)
    made.withheld.add((OLD, "remask"))
    made.start()
    made.play()
    first = made.peers[0]
    assert (first.position.step.kind, list(first.owing())) == ("deal", [key(made)])
    made.cut_off.add(OLD)
    made.withheld.clear()
    new = move(made, TableKeys(NEW.key, made.keys[OLD].secret if kept else NEW.secret), kept=kept)
    made.play()
    assert first.position.over
    assert "remask" in [entry.kind for entry in new.feeds.feed(NEW.key.public)]
    looks = [look for look in new.position.chance.looks if look.member == new.me]
    assert looks
    assert all(card is not None for look in looks for _, card in look.cards)
    assert not [peer.faults for peer in (*made.peers[:OLD], new) if peer.faults]
