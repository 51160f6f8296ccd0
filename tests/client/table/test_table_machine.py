"""The adapter between a game and the lockstep: whatever the test machine is held to, games of the engine are held to as
well."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from engine_tables import machine
from hypothesis import given
from hypothesis import strategies as st
from recorded import GameTable

from client.bots import NODES
from client.bots.random import RandomBot
from client.session.draft import Draft
from client.table.controls import RunningControls
from client.table.machine import GameMachine
from client.table.player import Asked
from engine.core.cards import Lens
from engine.core.errors import LocalError, Refusal
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import game
from engine.core.values import plain
from engine.core.waits import Choose
from engine.testing.driven import Driven
from engine.testing.toy import TOY
from p2p.lockstep import machine as net
from p2p.lockstep.account import hands, steps
from p2p.lockstep.audit import audit
from p2p.lockstep.effects import Rewound
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.wire.codec import Value, decode, encode


@pytest.mark.parametrize("holdings", [[[0], [1]], [[0], [1], [2]], [[0, 2], [1, 3]]])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_with_all_eight_waits_plays_to_the_end_with_equal_digests(holdings: list[list[int]], seed: int) -> None:
    table = GameTable(holdings, seed, spec=TOY)
    table.start()
    table.play()
    assert all(peer.position.over for peer in table.peers)
    assert len(table.states()) == 1
    assert all(not peer.faults for peer in table.peers)
    kinds = {entry.kind for entry, _ in table.log}
    assert {"commit", "open", "answer", "seal", "reveal", "result"} <= kinds


def test_the_log_of_a_game_verifies_and_a_spoiled_one_does_not() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    table.play()
    entries = table.peers[0].feeds.entries

    def fresh(genesis: Genesis) -> GameMachine:
        return machine(TOY, genesis.seats)

    found = audit(entries, fresh)
    assert found.ok
    assert found.complete
    assert found.state == table.peers[0].position.state
    answer = next(number for number, entry in enumerate(entries) if entry.kind == "answer")
    assert not audit([*entries[:answer], *entries[answer + 1 :]], fresh).ok


def test_each_seat_learns_its_own_cards_and_no_others() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    for seat, peer in enumerate(table.peers):
        at = peer.machine
        assert isinstance(at, GameMachine)
        assert len(at.lens(seat)) == 3
        assert len(at.lens(1 - seat)) == 0


def test_a_member_out_of_reach_is_left_out_and_its_caretaker_plays_on() -> None:
    table = GameTable([[0], [1], [2]], spec=TOY)
    table.start()
    for _ in range(4):
        table.step()
    table.cut_off.add(2)
    table.play()
    gone = table.keys[2].key.public
    assert table.peers[0].propose("absent", [gone]) is None
    table.settle()
    for vote in table.peers[1].votes():
        assert table.peers[1].sign(vote.pact.id) is None
    table.settle()
    table.play()
    assert table.peers[0].position.over
    assert table.peers[1].position.over
    assert len(table.states()) == 1


def test_a_take_back_leads_to_the_same_game_again() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    position = table.peers[0].position
    to, before = position.height, b""
    while position.height == to or position.secrets_since(to):
        to, before = position.height, table.peers[0].machine.digest()
        assert table.step()
    assert table.peers[0].propose("takeback", terms=[to, False]) is None
    table.settle()
    for vote in table.peers[1].votes():
        assert table.peers[1].sign(vote.pact.id) is None
    table.settle()
    assert {peer.machine.digest() for peer in table.peers} == {before}
    table.play()
    assert len(table.states()) == 1


def test_the_answers_that_a_seat_sent_last_are_known_after_a_restart_and_not_if_taken_back() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    peer = table.peers[0]

    def answered(seat: int) -> tuple[int, int] | None:
        running: Any = SimpleNamespace(lockstep=peer, me=peer.me)
        controls: Any = SimpleNamespace(_table=running, stands=peer.position.history.stands)
        return RunningControls.answered(controls, seat)

    found: list[tuple[int, int] | None] = []
    while len(found) < 2 and table.step():
        if answered(0) not in (None, *found):
            found.append(answered(0))
    assert answered(1) is None, "another member's seat"
    first, last = found[-1] or (0, 0)
    assert first == last
    assert any(entry.height == first and entry.author == peer.me for entry in peer.feeds.entries)
    assert peer.propose("takeback", terms=[first, True]) is None
    table.settle()
    assert table.peers[1].sign(table.peers[1].votes()[0].pact.id) is None
    table.settle()
    assert answered(0) == found[0]


def test_each_step_names_its_signed_entries_and_who_has_signed_on_top_of_it() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    table.play()
    peer = table.peers[0]
    position = peer.position
    found = steps(peer, 0)
    assert sorted(found) == list(range(position.height))
    for height, step in found.items():
        assert (step.before, step.after) == (position.past[height].head, position.past[height + 1].head)
        assert {entry.author for entry in step.entries} <= set(position.members)
        assert step.kind != "deal" or {entry.kind for entry in step.entries} <= {"share", "remask"}
    assert all(step.entries for step in found.values() if step.kind in ("choose", "roll"))
    assert found[0].built == position.members
    assert set(steps(peer, position.height - 3)) == set(range(position.height - 3, position.height))


def test_the_cards_that_a_seat_holds_unopened_are_counted() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    peer = table.peers[0]
    dealt = [(handle, look.seat) for look in peer.position.chance.looks for handle, _face in look.cards]
    assert dealt
    assert hands(peer) == dict(dealt)
    table.play()
    opened = {
        handle for pending in peer.position.asked.values() if pending.kind == "reveal" for handle in pending.handles
    }
    assert not opened & set(hands(peer))


def test_a_peer_that_reads_the_log_later_arrives_at_the_same_state() -> None:
    table = GameTable([[0], [1]], spec=TOY)
    table.start()
    table.play()
    late = Lockstep(
        table.genesis,
        machine(TOY, 2),
        me=table.keys[0].key.public,
        make=table.peers[0].signing.make,
        secret=table.keys[0].secret,
        sign=table.keys[0].key.sign,
        choices={},
    )
    late.restore((entry, table.peers[0].texts.get(entry.id)) for entry in table.peers[0].feeds.entries)
    assert late.position.state == table.peers[0].position.state
    assert not any(isinstance(effect, Rewound) for effect in late.effects())


def test_eclipse_plays_in_lockstep() -> None:
    table = GameTable([[0], [1]])
    table.start()
    for _ in range(60):
        assert table.step()
    assert len(table.states()) == 1
    assert not table.peers[0].faults


def test_sections_explain_themselves_in_wire_values() -> None:
    at = machine(game("eclipse2"), 2)
    told = at.explain([*at.sections(), "no-such-section"])
    assert set(told) == set(at.sections())
    assert decode(encode(told), limit=1_000_000, depth=16) == told


ODD: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=8) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)
WORDS = st.sampled_from(["", "sell", "swap", "peek", "give", "card", "nonsense"])


@given(
    value=ODD | st.builds(lambda word, rest: [word, *rest], WORDS, st.lists(ODD, max_size=3)), where=st.integers(0, 2)
)
def test_whatever_a_peer_answers_is_judged_and_never_raises(value: Value, where: int) -> None:
    at = ASKED[where].clone()
    wait = at.pending()
    assert wait is not None
    assert wait.seats
    digest = at.digest()
    refusal = at.check(net.GivenAnswer(wait.seats[0], value))
    batch = at.batch(wait.seats[0], [value, value])
    assert at.digest() == digest
    assert batch is None or batch.code
    if refusal is None and wait.kind != "seal":
        at.apply(net.GivenAnswer(wait.seats[0], value))
    elif refusal is not None and wait.kind != "seal":
        with pytest.raises(LocalError):
            at.apply(net.GivenAnswer(wait.seats[0], value))


@given(value=ODD)
def test_whatever_is_opened_is_a_value_or_the_fallback_and_a_foul(value: Value) -> None:
    at = OPENING.clone()
    wait = at.pending()
    assert wait is not None
    assert wait.kind == "reveal"
    cards = [value] * len(wait.handles)
    if at.check(net.GivenOutcome(list(cards))) is None:
        at.apply(net.GivenOutcome(list(cards)))
        assert at.pending() != wait


def _stand() -> tuple[list[GameMachine], GameMachine]:
    """The toy at a turn, a secret bid and a feast; and where bids are opened."""
    table = GameTable([[0], [1]], seed=3, spec=TOY)
    table.start()
    found: dict[str, GameMachine] = {}
    while table.step():
        at = table.peers[0].machine
        assert isinstance(at, GameMachine)
        wait = at.pending()
        if wait is not None and not wait.keep:
            found.setdefault(wait.kind, at.clone())
    opening = found["seal"].clone()
    opening.apply(net.GivenOutcome(None))
    return [found["choose"], found["seal"], found["together"]], opening


ASKED, OPENING = _stand()


def asked_twice() -> tuple[GameMachine, int, list[Value]]:
    """A game in which a seat chooses twice in a row, that seat, and what it answers."""
    driven = Driven[Any](machine(game("eclipse2"), 3).match, 3)
    while True:
        seat, first = driven.seat, driven.ask
        value = RandomBot().choose(driven.match.view(seat, Lens()), first, Random(2), NODES)
        trial = driven.match.clone()
        trial.apply(Answer(Seat(seat), value))
        then = trial.pending
        if isinstance(driven.match.pending, Choose) and isinstance(then, Choose) and then.seat == seat:
            second = RandomBot().choose(trial.view(seat, Lens()), then, Random(2), NODES)
            return GameMachine(driven.match), seat, [plain(value), plain(second)]
        driven.match.apply(Answer(Seat(seat), value))
        driven.serve()


def test_what_a_batch_has_judged_is_applied_without_being_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    at, seat, values = asked_twice()
    other = at.clone()
    assert at.batch(seat, values) is None
    with monkeypatch.context() as patch:
        patch.setattr(Match, "check", lambda *_: pytest.fail("judged again"))
        for value in values:
            at.apply(net.GivenAnswer(seat, value))
    for value in values:
        other.apply(net.GivenAnswer(seat, value))
    assert at.digest() == other.digest()


def test_an_answer_is_judged_once_for_a_draft_and_once_for_the_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    at, seat, _values = asked_twice()
    ask, judged, check = at.match.pending, list[Match](), Match.check
    assert isinstance(ask, Choose)
    value = RandomBot().choose(at.match.view(Seat(seat), Lens()), ask, Random(2), NODES)
    draft = Draft(Asked(seat, at.match.clone(), Lens(), ask, at.match.height))

    def counted(self: Match, said: Answer) -> Refusal | None:
        judged.append(self)
        return check(self, said)

    monkeypatch.setattr(Match, "check", counted)
    draft = draft.answer(value)
    assert judged == [draft.match]
    said = net.GivenAnswer(seat, plain(value))
    assert at.check(said) is None
    at.apply(said)
    assert judged == [draft.match, at.match]


def test_an_answer_that_no_batch_has_judged_is_judged_when_it_is_applied() -> None:
    at, seat, values = asked_twice()
    assert at.batch(seat, values) is None
    digest = at.digest()
    with pytest.raises(LocalError):
        at.apply(net.GivenAnswer(seat, ["nothing"]))
    assert at.batch(seat, values) is None
    with pytest.raises(LocalError):
        at.apply(net.GivenAnswer((seat + 1) % 3, values[0]))
    assert at.digest() == digest
