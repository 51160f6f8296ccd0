"""Tables with `dice=lock`: t members make a roll, nobody waits for all, and the log says what that is worth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.lockstep.audit import audit
from p2p.lockstep.cuts import end_here
from p2p.lockstep.pacts import Pact
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from seeds.beacon import Beacon, commitment
from seeds.errors import ContractError


def played(members: int, **options: str) -> DirectTable:
    table = DirectTable([[seat] for seat in range(members)], options={"dice": "lock", **options})
    table.start()
    table.play()
    return table


@pytest.mark.parametrize("members", [3, 4, 5])
def test_a_whole_game_is_played_without_any_seed_being_opened(members: int) -> None:
    table = played(members)
    rolls = [peer.position.chance.rolls for peer in table.peers]
    assert all(peer.position.over and not peer.faults for peer in table.peers)
    assert rolls[0]
    assert len({tuple(rolled.roll.value for rolled in each) for each in rolls}) == 1
    assert len({rolled.roll.value for rolled in rolls[0]}) == len(rolls[0])
    assert not table.log_of("open")
    assert all(rolled.roll.seeds == () and rolled.lock == members // 2 + 1 for rolled in rolls[0])


def test_a_table_of_two_opens_seeds_whatever_its_option_says() -> None:
    table = played(2)
    assert all(peer.position.over for peer in table.peers)
    assert table.log_of("open")
    assert not table.log_of("partial")


def test_an_opening_where_none_is_wanted_convicts_its_author() -> None:
    beacon = Beacon(b"table")
    beacon.enter(0, [b"a", b"b", b"c"])
    for key in (b"a", b"b", b"c"):
        assert beacon.commit(key, 0, 0, commitment(b"table", 0, 0, key, bytes(32))) is None
    beacon.begin(1, b"head", seedless=True)
    assert (beacon.owing, dict(beacon.promised)) == ((), {})
    fault = beacon.open(b"a", b"head", 0, bytes(32), bytes(32))
    assert fault is not None
    assert fault.code == "beacon/not-a-contributor"
    with pytest.raises(ContractError):
        beacon.finish()
    again = Beacon.load(beacon.dump())
    assert again.finish(bytes(32)) == beacon.finish(bytes(32))
    assert beacon.uncommitted == again.uncommitted == ()
    assert beacon.k == 1


def test_the_audit_says_what_such_dice_prove_and_what_not() -> None:
    table = played(3)
    verdict = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 1))
    assert verdict.ok, verdict.problems
    assert verdict.complete
    assert all(roll.ok and not roll.parts for roll in verdict.rolls)
    assert verdict.coalitions == ((2, 3),)
    assert "dice-foreseen" in verdict.does_not_prove
    assert not {"dice-committed", "dice-locked"}.intersection(verdict.proves)


def voted(*, left_out: bool) -> DirectTable:
    """A game of four that is no test, of whom three may leave one out before the dice."""
    table = DirectTable([[seat] for seat in range(4)], options={"dice": "lock"})
    table.genesis = replace(table.genesis, test=False)
    table.peers = [member(table.genesis, keys, TestMachine(4, 1)) for keys in table.keys]
    table.start()
    while table.peers[0].position.step.kind != "together":
        assert table.step()
    if left_out:
        table.cut_off = {3}
        reading = table.peers[0].reading
        position, end = reading.position, end_here(reading, table.keys[3].key.public)
        for peer in table.peers[:3]:
            peer.signing.say("pact", Pact("absent", position.height, position.head, (end,), None).body())
            peer.advance()
        table.settle()
    table.play()
    return table


@pytest.mark.parametrize("left_out", [False, True])
def test_the_audit_says_that_nobody_chose_a_roll_only_where_no_vote_led_to_another_lock(left_out: bool) -> None:
    """Whoever has foreseen the dice of one lock may have voted for the next one."""
    table = voted(left_out=left_out)
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 1))
    assert found.problems == ()
    assert ("dice-unchosen" in found.proves) is not left_out
    assert "dice-foreseen" in found.does_not_prove


@pytest.mark.parametrize("back", [False, True])
def test_the_audit_says_that_nobody_chose_a_roll_of_two_only_where_none_was_let_back_meanwhile(back: bool) -> None:
    """Two of three foresee the rolls of their last lock, and may have let the third back before one of these."""
    table = DirectTable([[0], [1], [2]], 6, 3, options={"draws": "open"})
    table.genesis = replace(table.genesis, test=False)
    table.peers = [member(table.genesis, keys, TestMachine(3, 3)) for keys in table.keys]
    table.start()
    first, _, third = table.peers
    while first.position.step.kind != "together":
        assert table.step()
    table.cut_off = {2}
    end = end_here(first.reading, table.keys[2].key.public)
    for peer in table.peers[:2]:
        peer.signing.say("pact", Pact("absent", first.position.height, first.position.head, (end,), None).body())
        peer.advance()
    table.settle()
    while not any(rolled.lock and not rolled.promised for rolled in first.position.chance.rolls):
        assert table.step()
    if back:
        table.cut_off.clear()
        for entry in first.feeds.entries:
            third.take(entry)
        table.settle()
        assert third.propose("back") is None
        table.settle()
        for peer in table.peers[:2]:
            for vote in peer.votes():
                assert peer.sign(vote.pact.id) is None
        table.settle()
        while third.me not in first.position.members:
            assert table.step()
    table.play()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 3))
    assert found.problems == ()
    assert ("dice-unchosen" in found.proves) is not back
