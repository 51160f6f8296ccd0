"""Who has lost a decision that others may hold goes on with another table key, by a vote of the others: the old feed
ends where all know it, and what lies beyond is void and no fault."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.audit import audit
from p2p.lockstep.consent import Consent
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import GivenAnswer, HandleRef, RefusalLike, TableRefusal
from p2p.lockstep.pacts import moving_lobby
from p2p.log.evidence import Evidence, Verdict, judge, pack_evidence, read_evidence
from p2p.sync.exchange import Exchange
from p2p.testing.cheats import CheatTable
from p2p.testing.machine import TestMachine
from p2p.testing.tables import changed_cards, member
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import Entry, make_entry
from seeds.group import mul
from seeds.hashing import H
from seeds.sealedcards import opened

SEED, OLD = 3, 3
"""The number of the table, and of the member that moves."""
NEW = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)


def table(kind: str = "together") -> CheatTable:
    """A table of four at a wait of this kind, one of whom says nothing any more."""
    made = CheatTable(seed=SEED, rounds=2)
    made.start()
    made.play_to(kind)
    made.cut_off.add(OLD)
    return made


def key(made: CheatTable) -> bytes:
    return made.keys[OLD].key.public


def certificate(
    made: CheatTable, identity: int = OLD, lobby: bytes = b"", new: bytes = NEW.key.public, *, kept: bool = False
) -> Value:
    owner = SigningKey.from_seed(H("test identity", SEED, identity))
    made_for = lobby or moving_lobby(made.genesis.table, key(made), kept=kept)
    return decode(encode(certify(owner, new, made_for, "another device").fields()))


def propose(made: CheatTable, terms: Value | None = None) -> RefusalLike | None:
    return made.peers[0].propose("moved", [key(made)], [certificate(made), False] if terms is None else terms)


def agree_to_move(made: CheatTable, new_keys: TableKeys = NEW, *, kept: bool = False) -> None:
    """The first proposes it, and the others who are there sign."""
    assert propose(made, [certificate(made, new=new_keys.key.public, kept=kept), kept]) is None
    made.settle()
    for number in made.present()[1:]:
        (vote,) = made.peers[number].votes()
        assert made.peers[number].sign(vote.pact.id) is None
    made.settle()


def move(made: CheatTable, new_keys: TableKeys = NEW, *, kept: bool = False) -> Lockstep:
    """Let the others agree, and let the new key take its seat."""
    agree_to_move(made, kept=kept)
    return welcome(made, new_keys)


def welcome(made: CheatTable, new_keys: TableKeys) -> Lockstep:
    """Let the new key take its seat."""
    new = member(made.genesis, new_keys, TestMachine(len(made.keys), 2))
    new.restore([(entry, None) for entry in made.peers[0].feeds.entries])
    new.settled()
    made.keys.append(new_keys)
    made.peers.append(new)
    made.seen.append([])
    new.start(new=True)
    made.settle()
    return new


def of_two_where_the_other_has_to_answer() -> CheatTable:
    """A table of two at a choice of the first member, after it has agreed that the other one moves."""
    made = CheatTable([[0], [1]], seed=SEED, rounds=2)
    made.start()
    while True:
        made.play_to("choose")
        if made.peers[0].owing().get(made.keys[0].key.public):
            break
        assert made.step()
    made.cut_off.add(1)
    old = made.keys[1].key.public
    owner = SigningKey.from_seed(H("test identity", SEED, 1))
    fields = certify(owner, NEW.key.public, moving_lobby(made.genesis.table, old), "another device").fields()
    assert made.peers[0].propose("moved", [old], [decode(encode(fields)), False]) is None
    made.settle()
    return made


def test_a_key_that_a_vote_has_let_in_confirms_the_other_of_two_before_the_height_ends() -> None:
    made = of_two_where_the_other_has_to_answer()
    again = {"a": made.keys[0], "b": NEW}
    peers = {name: member(made.genesis, keys, TestMachine(2, 2)) for name, keys in again.items()}
    for peer in peers.values():
        peer.restore([(entry, None) for entry in made.peers[0].feeds.entries])
        peer.settled()
        peer.start(new=False)
    ends = {name: Exchange(peer) for name, peer in peers.items()}
    for name, number in (("a", 1), ("b", 0)):
        ends[name].opened("link", made.genesis.members[number].certificate.identity)
    for second in range(5):
        for name, other in (("a", "b"), ("b", "a"), ("a", "b"), ("b", "a")):
            ends[name].tick(float(second))
            for _, message in ends[name].outgoing():
                assert not ends[other].received("link", message, float(second)).errors
    assert peers["a"].mute is None


def machine_of(genesis: Genesis) -> TestMachine:
    return TestMachine(4, 2)


def again(made: CheatTable, last: Entry, body: Any, **changes: Any) -> Entry:
    """Another entry by the old key."""
    fields: dict[str, Any] = {
        "table": made.genesis.table, "seq": last.seq + 1, "prev": last.id, "epoch": last.epoch, "height": last.height,
        "head": last.head, "state": last.state, "kind": "answer", "body": body,
    }  # fmt: skip
    return make_entry(made.keys[OLD].key.private, **(fields | changes))


@pytest.mark.parametrize("kind", ["choose", "together", "seal"])
def test_the_game_goes_on_with_the_new_key_and_a_judge_of_the_log_agrees(kind: str) -> None:
    made = table(kind)
    new = move(made)
    made.play()
    honest = [peer for number, peer in enumerate(made.peers) if number != OLD]
    assert all(peer.position.over for peer in honest)
    assert len({peer.position.head for peer in honest}) == 1
    assert new.position.owner[OLD] == NEW.key.public
    assert key(made) not in new.position.members
    assert any(entry.kind == "answer" for entry in new.feeds.feed(NEW.key.public)), "it has played"
    assert not any(changed_cards(peer.position) for peer in honest)
    found = audit(made.peers[0].hearing.log, machine_of)
    assert (found.ok, found.complete) == (True, True)
    assert "moved" in [pact.kind for pact in found.pacts]


def with_a_hand(players: int = 4) -> CheatTable:
    """A table whose last member holds cards that it alone has read, before it is lost."""
    holdings = [[seat] for seat in range(players)]
    made = CheatTable(holdings, seed=SEED, rounds=2)
    made.start()
    while not hand(made.peers[-1], players - 1):
        assert made.step()
    made.cut_off.add(players - 1)
    return made


def machine(peer: Lockstep) -> TestMachine:
    game = peer.position.game.machine
    assert isinstance(game, TestMachine)
    return game


def hand(peer: Lockstep, seat: int) -> dict[HandleRef, Value]:
    """The hidden cards of a seat that a program can read now."""
    chance = peer.position.chance
    decks = chance.decks or chance.old_decks
    hidden = {h for h, card in decks.lying.items() if card.known is None} if decks is not None else set()
    return {h: card for h, card in chance.seen(seat) if h in hidden}


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


def test_of_two_members_the_other_alone_lets_one_move_which_has_certified_that_itself() -> None:
    made = CheatTable([[0], [1]], seed=SEED, rounds=2)
    made.start()
    made.play_to("choose")
    made.cut_off.add(1)
    assert made.peers[0].propose("absent", [made.keys[1].key.public]) == TableRefusal("pact/too-few", "", (1, 2))
    owner = SigningKey.from_seed(H("test identity", SEED, 1))
    body = certify(owner, NEW.key.public, moving_lobby(made.genesis.table, made.keys[1].key.public), "").fields()
    assert made.peers[0].propose("moved", [made.keys[1].key.public], [decode(encode(body)), False]) is None
    made.settle()
    assert [pact.kind for pact in made.peers[0].position.effective] == ["moved"]


def test_what_the_old_key_signs_beyond_its_end_is_void_and_no_fault() -> None:
    """The laptop is found, or an absent friend brings what was lost: also two histories of it harm nobody."""
    made = table()
    move(made)
    judge = made.peers[0]
    last = judge.feeds.last(key(made))
    assert last is not None
    before = judge.position.head
    for body in ([OLD, [1]], [OLD, [2]], [OLD, [99]], ["nonsense"]):
        judge.feed(again(made, last, body))
        judge.settled()
    assert not judge.faults
    assert judge.position.head == before
    found = audit([*judge.hearing.log, again(made, last, [OLD, [2]])], machine_of)
    assert not found.problems


def test_a_fork_that_is_proven_before_stays_proven_and_nobody_signs() -> None:
    made = table()
    last = made.peers[0].feeds.last(key(made))
    assert last is not None
    for body in ([OLD, [1]], [OLD, [2]]):
        made.peers[0].feed(again(made, last, body))
    made.settle()
    assert [fault.code for fault in made.peers[0].faults[key(made)]] == ["entry/forked"]
    assert propose(made) == TableRefusal("pact/convicted")


@pytest.mark.parametrize("reported", [False, True])
def test_a_fork_beyond_the_end_is_excused_unless_a_signer_had_reported_it(reported: bool) -> None:
    """A program signs all the same: its report stands in the log before its signature, and every judge finds it."""
    made = table()
    last = made.peers[0].feeds.last(key(made))
    assert last is not None
    pair = [again(made, last, [OLD, [value]], seq=last.seq + 2, prev=H("a lost entry")) for value in (1, 2)]
    for peer in made.peers[:OLD]:
        for entry in pair:
            peer.reading.take(entry, None, is_own=False)
        assert [fault.code for fault in peer.faults[key(made)]] == ["entry/forked"]
        if reported:
            peer.advance()
        peer.charges.proven.clear()
    made.settle()
    assert bool(made.log_of("fault")) == reported
    agree_to_move(made)
    assert [pact.kind for pact in made.peers[0].position.effective] == ["moved"]
    found = audit([*made.peers[0].hearing.log, *pair], machine_of)
    assert [problem.code for problem in found.problems] == (["entry/forked"] if reported else [])
    if not reported:
        assert found.proofs == ()
    file = pack_evidence(Evidence("entry/forked", tuple(pair)), "test")
    assert judge(read_evidence(file)) == Verdict("guilty", key(made), "evidence/seq"), "it does not hold the vote"


def test_nobody_signs_it_by_rule() -> None:
    made = table()
    assert propose(made) is None
    made.settle()

    class Near:
        def linked(self, key: bytes) -> bool:
            return True

        def reached(self, key: bytes) -> bool:
            return True

    bot = made.peers[1]
    Consent(bot, Near(), lambda *_, **__: None).tick(100.0)
    made.settle()
    pact = next(iter(bot.ballots.pacts.values()))
    assert bot.ballots.refused(pact, bot.me or b"") == "pact/nobody-to-ask"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"identity": 1}, "pact/other-identity"),
        ({"lobby": b"another lobby"}, "genesis/lobby"),
        ({"lobby": b"test lobby"}, "genesis/lobby"),
        ({"new": "known"}, "pact/known-key"),
    ],
)
def test_only_the_same_identity_moves_and_only_with_a_new_key_for_this_table(changes: Any, code: str) -> None:
    """Not even all others together give a seat to anybody else: such a vote has no effect."""
    made = table()
    if changes.get("new") == "known":
        changes = {"new": made.keys[1].key.public}
    terms: Value = [certificate(made, **changes), False]
    assert propose(made, terms) == TableRefusal(code)
    for peer in made.peers[:OLD]:
        pact = peer.proposals.proposal("absent", [key(made)])
        assert not isinstance(pact, TableRefusal)
        body: Any = ["moved", *pact.body()[1:4], terms, 0, []]  # type: ignore[index, misc]
        peer.signing.say("pact", body)
        peer.advance()
    made.settle()
    position = made.peers[0].position
    assert position.agreed
    assert not position.effective
    assert position.owner[OLD] == key(made)


def test_who_was_left_out_moves_too_and_its_old_key_never_comes_back() -> None:
    made = table()
    made.lose(OLD)
    made.step()
    new = move(made)
    made.cut_off.discard(OLD)
    assert made.peers[0].propose("back", (), [key(made), 0]) is not None
    made.play()
    assert new.position.over
    assert new.position.owner[OLD] == NEW.key.public


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
    new = member(made.genesis, NEW, TestMachine(2, 2))
    new.restore([(entry, None) for entry in made.peers[0].feeds.entries])
    new.settled()
    made.keys.append(NEW)
    made.peers.append(new)
    made.seen.append([])
    new.start(new=True)
    made.settle()
    made.play()
    (rolled, *_) = made.peers[0].position.chance.rolls
    assert rolled.sides == seen.sides
    assert rolled.roll.value != seen.roll.value


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


def test_a_seat_that_was_given_up_or_left_moves_no_more() -> None:
    made = table()
    made.agree("absent", [OLD])
    made.play()
    made.agree("gone", [OLD])
    made.play()
    assert key(made) in made.peers[0].position.membership.gone
    assert propose(made) == TableRefusal("pact/given-up")


@pytest.mark.parametrize("kept", [False, True])
def test_nobody_but_who_moves_says_whether_its_hand_stays(kept: bool) -> None:
    """A friend could ask the others to return it, or to wait for a hand whose secret is lost."""
    made = table()
    refusal = propose(made, [certificate(made, kept=kept), not kept])
    assert isinstance(refusal, TableRefusal)
    assert refusal.code == "genesis/lobby"
    assert propose(made, [certificate(made, kept=kept), kept]) is None


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
