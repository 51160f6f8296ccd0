"""An outsider with the log alone learns no face that its rules keep from him, whatever votes have undone."""

from __future__ import annotations

from random import Random

import pytest
from outsider import Outsider, listening
from sealedgame import Sealed
from volume import gated, seeds

from p2p.lockstep import position
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.lockstep.votes import SHOWING
from p2p.testing.hostile_readers import READERS, HandReader
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.machine import ReaderMachine
from p2p.testing.plans import FaultPlan
from p2p.testing.simulator import Simulation
from p2p.testing.tables import DirectTable
from seeds import sealeddeck
from seeds.group import mul
from seeds.sealedcards import Layout, SealedForm
from seeds.sealeddeck import SealedDecks


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch) -> Outsider:
    return listening(monkeypatch)


def taken_back(table: Sealed, random: Random) -> None:
    """All go back by a few heights, across whatever was shown."""
    position = table.peers[0].position
    to = random.randrange(max(position.chance.dealt_since, position.height - 6), position.height)
    pact = Pact("takeback", position.height, position.head, (), [to, True])
    if position.sensible(pact):
        for peer in table.peers:
            peer.signing.say("pact", pact.body())
            peer.advance()
        table.settle()


@pytest.mark.parametrize(("members", "tables"), gated([(2, 3), (3, 1), (3, 3)], 2))
def test_nobody_reads_a_hand_from_the_log_after_take_backs(outsider: Outsider, members: int, tables: int) -> None:
    for seed in seeds(tables, 40):
        random, table = Random(seed), Sealed(members, seed, 3)
        backs = 4
        while not table.peers[0].position.over:
            if backs and random.random() < 0.15:
                taken_back(table, random)
                backs -= 1
            if not table.step():
                break
        assert table.peers[0].position.over
        assert not [peer.faults for peer in table.peers if peer.faults]
    assert outsider.pairs
    assert outsider.read() == set()


def test_the_outsider_would_read_a_hand_of_which_all_shares_are_there(outsider: Outsider) -> None:
    """The test above means something only if it finds what it looks for."""
    table: DirectTable = Sealed(3)
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    assert outsider.read() == set()
    decks = table.peers[0].position.chance.decks
    assert decks is not None
    (look, *_) = table.peers[0].position.chance.looks
    handle, reader = look.cards[0][0], look.member
    peer = next(peer for peer in table.peers if peer.me == reader)
    pair = decks.card(handle).pairs[-1]
    x = peer.member_secrets.deck_secret(0)

    outsider.note(decks.keys, pair.sealed, reader, mul(x, pair.sealed[0]), reader)
    assert len(outsider.read()) == 1


# Hostile readers -----------------------------------------------------------------------------------------------------


def pacts_of(table: Lockstep, kind: str) -> list[Pact]:
    """The pacts of a kind that took effect."""
    return [pact for height in table.position.past for pact in table.effected(height) if pact.kind == kind]


@pytest.mark.parametrize("members", gated([2, 3, 4], 2))
def test_who_votes_back_and_chooses_another_reader_learns_no_hand(outsider: Outsider, members: int) -> None:
    """All but one do so, and pool their secrets with all that was ever published."""
    backs = 0
    for seed in seeds(2, 60):
        victim = seed % members
        kinds = {number: "Obliging" if number == victim else "HandReader" for number in range(members)}
        holdings = tuple((number,) for number in range(members))
        plan = FaultPlan(holdings, rounds=2, draws="sealed", hostile=kinds)
        table = Simulation(seed, plan, READERS, ReaderMachine)
        table.run()
        table.check_end()
        lockstep = table.peers[victim].lockstep
        backs += len(pacts_of(lockstep, "takeback"))
        assert victim in [look.seat for look in lockstep.position.chance.looks]
        secrets = {peer.me: peer.keys.secret for peer in table.peers if isinstance(peer, HandReader)}
        assert outsider.read(secrets) == set()
        assert outsider.read() == set()
    assert backs >= 2


def test_the_outsider_would_read_hands_if_decks_forgot_who_has_read_them_and_all_masked_alike(
    outsider: Outsider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests here mean something only if they find what they look for."""
    back = SealedDecks.go_back

    def forgetful(decks: SealedDecks, layout: Layout) -> None:
        back(decks, layout)
        for card in decks.lying.values():
            card.pairs[:] = [SealedForm(card.pairs[0].sealed)]

    monkeypatch.setattr(SealedDecks, "go_back", forgetful)
    monkeypatch.setattr(position, "shown_since", lambda *_: False)
    monkeypatch.setattr(sealeddeck, "scalar", lambda *_: 1)
    kinds = {0: "Obliging", 1: "HandReader", 2: "HandReader"}
    plan = FaultPlan(((0,), (1,), (2,)), rounds=2, draws="sealed", hostile=kinds)
    Simulation(0, plan, READERS, ReaderMachine).run()
    assert outsider.read()


@pytest.mark.parametrize("members", gated([4, 5], 1))
def test_new_keys_follow_where_play_goes_on_without_who_parted_a_table_that_shared_cards(
    outsider: Outsider, members: int
) -> None:
    """The terms say so, since whoever holds a share from the undone part signs no others."""
    parted, kinds = 0, ("TwoFaced_share", "TwoFaced_shuffle", "TwoFaced_remask", "TwoFaced_reveal", "TwoFaced_seal")
    for seed in seeds(2, 60):
        holdings = tuple((number,) for number in range(members))
        plan = FaultPlan(holdings, rounds=2, draws="sealed", hostile={1: kinds[seed % len(kinds)]})
        table = Simulation(seed, plan, SILENCES)
        table.run()
        table.check_end()
        lockstep = table.peers[0].lockstep
        for pact in pacts_of(lockstep, "without"):
            assert pact.resumes is not None
            said = [entry for entry in lockstep.feeds.entries if pact.at <= entry.height < pact.resumes[0]]
            shown = any(entry.kind in SHOWING for entry in said)
            assert isinstance(pact.terms, list)
            assert pact.terms[2] is shown
            parted += shown
        assert outsider.read() == set()
    assert parted
