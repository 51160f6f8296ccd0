"""An outsider with the log alone learns no face that its rules keep from him, whatever votes have undone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from sealedgame import Sealed
from volume import seeds

from p2p.lockstep.pacts import Pact
from p2p.testing.tables import DirectTable
from seeds.anew import DealingAnew
from seeds.deckkeys import DeckKeys, Shares
from seeds.errors import Fault
from seeds.group import Point, mul, sub, total
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import Sealed as Pair


class Outsider:
    """Reads every share of a sealed pair that stands in a log, at heights that stand and at those that are void."""

    def __init__(self) -> None:
        self.shares: dict[tuple[Pair, tuple[bytes, ...]], dict[bytes, Point]] = {}
        self.decks: list[SealedDecks] = []
        self.shown: set[tuple[str, int]] = set()

    def note(self, keys: DeckKeys, pair: Pair, member: bytes, value: Point) -> None:
        self.shares.setdefault((pair, keys.members), {})[member] = value

    def faces(self) -> Iterator[tuple[str, int]]:
        """Yield the cards that all shares of one pair open."""
        points = {point: card for decks in self.decks for point, card in decks.points.items()}
        for (pair, members), values in self.shares.items():
            if values.keys() == set(members):
                card = points.get(sub(pair[1], total(values.values())))
                if card is not None:
                    yield card


@pytest.fixture
def outsider(monkeypatch: pytest.MonkeyPatch) -> Outsider:
    reads, share, known = Outsider(), SealedDecks.share, SealedDecks._known
    shared = DealingAnew.share

    def heard(decks: SealedDecks, member: bytes, message: Shares, *, judged: bool = False) -> Fault | None:
        pairs = [decks.sealed_form(handle).sealed for handle in decks.owing_share(member)]
        fault = share(decks, member, message, judged=judged)
        for pair, value in zip(pairs, message.values, strict=True) if fault is None else ():
            reads.note(decks.keys, pair, member, value)
        reads.decks.append(decks)
        return fault

    def heard_anew(anew: DealingAnew, member: bytes, message: Shares, *, judged: bool = False) -> Fault | None:
        pairs = [*anew.unblinded(), *(anew.new_hands[hand] for hand in anew._others(member))]
        fault = shared(anew, member, message, judged=judged)
        for pair, value in zip(pairs, message.values, strict=True) if fault is None else ():
            reads.note(anew.keys, pair, member, value)
        return fault

    def told(decks: SealedDecks, handle: tuple[str, int]) -> object:
        face = known(decks, handle)
        number = decks.card(handle).known
        assert number is not None
        reads.shown.add((decks.card(handle).deck, number))
        return face

    monkeypatch.setattr(SealedDecks, "share", heard)
    monkeypatch.setattr(DealingAnew, "share", heard_anew)
    monkeypatch.setattr(SealedDecks, "_known", told)
    return reads


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


@pytest.mark.parametrize("members", [2, 3])
def test_nobody_reads_a_hand_from_the_log_after_take_backs(outsider: Outsider, members: int) -> None:
    for seed in seeds(3, 40):
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
    assert outsider.shares
    assert set(outsider.faces()) <= outsider.shown


def test_the_outsider_would_read_a_hand_without_new_keys(outsider: Outsider, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above means something only if it finds what it looks for."""
    table: DirectTable = Sealed(3)
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    assert set(outsider.faces()) <= outsider.shown
    decks = table.peers[0].position.chance.decks
    assert decks is not None
    (look, *_) = table.peers[0].position.chance.looks
    handle, reader = look.cards[0][0], look.member
    peer = next(peer for peer in table.peers if peer.me == reader)
    pair = decks.card(handle).pairs[-1]
    x = peer.member_secrets.deck_secret(0)

    outsider.note(decks.keys, pair.sealed, reader, mul(x, pair.sealed[0]))
    assert not set(outsider.faces()) <= outsider.shown
