"""Whoever has signed two histories stays guilty for a member that has quit and comes back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from storehomes import opened
from test_pact_branches import CHEAT, branches
from test_pact_freezes import at_together, key, out, vote_on

from p2p.lockstep.consent import Consent
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.lockstep.signing import maker
from p2p.log.evidence import Contradiction
from p2p.sync.exchange import Exchange
from p2p.testing.machine import TestMachine
from p2p.testing.simpeer import no_log
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry


def forked() -> tuple[DirectTable, list[Entry]]:
    """A table at which all know two histories of one member: its first entries there."""
    table = at_together(5)
    pair = [branch[0] for branch in branches(table)]
    for number in (0, 1, 2, 4):
        for entry in pair:
            table.peers[number].feed(entry)
    table.settle()
    return table, pair


def back(table: DirectTable, number: int, forks: Sequence[Contradiction], lost: Sequence[Entry] = ()) -> Lockstep:
    """A member that has quit and comes back. lost: entries that its disk has lost."""
    feeds = table.peers[number].feeds
    again = member(table.genesis, table.keys[number], TestMachine(5, 2))
    again.restore([(entry, None) for entry in feeds.entries if entry not in lost], forks=forks)
    return again


def come_back(table: DirectTable) -> Entry:
    """What a forger signs to be let back."""
    position, (seq, last) = table.peers[0].position, table.peers[0].feeds.end(key(table, CHEAT))
    pact = Pact("back", position.height, position.head, (), [key(table, CHEAT), seq + 1])
    return maker(table.keys[CHEAT].key)(
        table=table.genesis.table, seq=seq + 1, prev=last, epoch=position.epoch, height=position.height,
        head=position.head, state=position.state, kind="pact", body=pact.body(),
    )  # fmt: skip


def test_a_proven_forger_stays_guilty_for_a_home_that_comes_back(tmp_path: Path) -> None:
    """The others may have quit too, so that nobody brings the evidence again."""
    table, _ = forked()
    first = table.peers[0]
    with opened(tmp_path / "home") as store:
        store.add_table(table.genesis.table, {}, table.keys[0])
        store.receive([(entry, None) for entry in first.feeds.entries])
        for pair in first.feeds.forks.values():
            store.add_fork(pair)
        forks = store.forks(table.genesis.table)
    again = back(table, 0, forks)
    assert again.faults == first.faults
    assert again.feeds.forks == first.feeds.forks
    assert not [effect for effect in again.settled() if isinstance(effect, Keep)]


def test_all_who_have_quit_and_come_back_do_not_let_a_proven_forger_back() -> None:
    table, _ = forked()
    table.cut_off = {CHEAT}
    left_out = vote_on(table, "absent", out(table, CHEAT), (0, 1, 2, 4))
    while table.peers[0].position.height == left_out.at:
        assert table.step()
    for number in (0, 1, 2, 4):
        again = back(table, number, [*table.peers[number].feeds.forks.values()])
        again.start(new=True)
        table.peers[number] = again
    asked = come_back(table)
    for number in (0, 1, 2, 4):
        table.peers[number].feed(asked)
    table.settle()
    consents = [Consent(table.peers[number], Exchange(table.peers[number]), no_log) for number in (1, 2, 4)]
    for consent in consents:
        consent.tick(0.0)
    table.settle()
    first = table.peers[0]
    (back_in,) = [pact for pact in first.ballots.pacts.values() if pact.kind == "back"]
    assert [first.ballots.refused(back_in, key(table, number)) for number in (1, 2, 4)] == ["pact/convicted"] * 3


def test_what_a_disk_has_lost_of_a_feed_and_a_kept_pair_holds_is_stored_again() -> None:
    table, pair = forked()
    (mine,) = [entry for entry in pair if table.peers[0].feeds.get(entry.id) is not None]
    again = back(table, 0, [*table.peers[0].feeds.forks.values()], lost=[mine])
    assert again.faults.keys() == {key(table, CHEAT)}
    kept = [effect.entry for effect in again.settled() if isinstance(effect, Keep)]
    assert kept == [again.feeds.last(key(table, CHEAT))]
    assert kept[0] in pair


def test_a_home_that_holds_two_histories_of_its_own_signs_nothing_after_a_restart() -> None:
    table, pair = forked()
    cheat = back(table, CHEAT, [Contradiction(*pair)], lost=pair)
    cheat.start(new=False)
    assert cheat.mute is not None
    assert cheat.mute.code == "lockstep/own-fault"
