"""Random games with sealed decks: deals, peeks, reveals, put-backs, takebacks and members that go, in any order.

After every step: each handle holds the card that it held, whoever has read a card can read it still, no card is lost or
doubled, nothing stands in the log that opens a card which nobody revealed, and an onlooker who heard only the messages
has the same decks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from fairtable import MEMBERS, fresh
from hypothesis import given, settings
from hypothesis import strategies as st
from sealedtable import deck_keys, x_of
from volume import VOLUME

from seeds.anew import DealingAnew, read_blinded, read_hand
from seeds.deckkeys import read_shares
from seeds.group import Point, mul, sub, total
from seeds.opendeck import Card, Handle
from seeds.sealedcards import Layout, read_remask
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import read_shuffled
from seeds.turns import CheckedShuffle

CARDS = 5


class Game:
    """One member's decks, from which messages are made, and an onlooker's, who only hears them."""

    def __init__(self, count: int, rng: random.Random) -> None:
        self.rng = rng
        self.mine, self.theirs = (SealedDecks(deck_keys(MEMBERS[:count])) for _ in range(2))
        self.next = 0
        self.true: dict[Handle, int] = {}
        self.readers: dict[Handle, set[bytes]] = {}
        self.log: set[tuple[bytes, Point]] = set()
        self.kept: list[tuple[Layout, Layout, dict[Handle, int]]] = []
        self.shuffle(list(range(CARDS)))

    @property
    def members(self) -> tuple[bytes, ...]:
        return self.mine.keys.members

    def fresh(self) -> bytes:
        return fresh(self.rng.randrange(2**32))

    def x(self, member: bytes) -> int:
        return x_of(member, self.mine.keys.generation)

    def some(self) -> list[Handle]:
        return self.rng.sample(sorted(self.mine.lying), self.rng.randint(1, 2))

    def shuffle(self, cards: Sequence[Card | Handle]) -> None:
        handles: list[Handle] = [("bag", self.next + place) for place in range(len(cards))]
        self.next += len(cards)
        for decks in (self.mine, self.theirs):
            decks.begin_shuffle("bag", cards, handles)
        self.turns(self.mine, self.theirs)
        self.true = {handle: number for handle, number in self.true.items() if handle in self.mine.lying}
        self.true.update({handle: self.look(handle) for handle in handles})

    def turns(self, mine: SealedDecks | DealingAnew, theirs: SealedDecks | DealingAnew) -> None:
        while mine.task is not None:
            body = mine.task.make(self.fresh()).plain()
            for decks in (mine, theirs):
                assert decks.task is not None
                heard = read_shuffled(body, len(decks.task.cards))
                assert heard is not None
                checked = decks.task.check(decks.task.member, heard)
                assert isinstance(checked, CheckedShuffle)
                decks.take(checked)

    def read(self, reader: bytes | None) -> None:
        handles = self.some()
        for decks in (self.mine, self.theirs):
            decks.begin_reading(handles, reader)
        while self.mine.owing:
            member = self.rng.choice(self.mine.owing)
            if again := self.mine.owing_remask(member):
                body = self.mine.make_remask(member, self.fresh()).plain()
                for decks in (self.mine, self.theirs):
                    mask = read_remask(body, len(again))
                    assert mask is not None
                    assert decks.remask(member, mask) is None
                continue
            firsts = self.mine.firsts(member)
            self.log.update((member, first) for first in firsts)
            body = self.mine.make_share(member, self.x(member), self.fresh()).plain()
            for decks in (self.mine, self.theirs):
                shares = read_shares(body, len(firsts))
                assert shares is not None
                assert decks.share(member, shares) is None
        cards = self.mine.finish()
        assert self.theirs.finish() == cards
        expected = [self.true[handle] for handle in handles]
        if reader is None:
            assert cards == expected
        else:
            assert [self.mine.read(reader, self.x(reader), handle) for handle in handles] == expected
            for handle in handles:
                self.readers.setdefault(handle, set()).add(reader)

    def take_back(self) -> None:
        if self.kept:
            mine, theirs, self.true = self.rng.choice(self.kept)
            self.mine.go_back(mine)
            self.theirs.go_back(theirs)

    def lose(self) -> None:
        """Somebody is gone. What no survivor could read is a new card from then on."""
        if len(self.members) == 2:
            return
        gone = self.rng.choice(self.members)
        keys = deck_keys([member for member in self.members if member != gone], self.mine.keys.generation + 1)
        pair = DealingAnew(self.mine, keys, "bag"), DealingAnew(self.theirs, keys, "bag")
        self.turns(*pair)
        for member in keys.members:
            if cards := pair[0].owing_hand(member):
                body = pair[0].make_hand(member, self.x(member), self.fresh()).plain()
                for anew in pair:
                    hand = read_hand(body, len(cards))
                    assert hand is not None
                    assert anew.hand(member, hand) is None
        for member in keys.members:
            body = pair[0].make_blinded(member, self.fresh()).plain()
            for anew in pair:
                blinded = read_blinded(body, len(anew.unblinded()))
                assert blinded is not None
                assert anew.blind(member, blinded) is None
        for member in keys.members:
            firsts = pair[0].firsts(member)
            self.log.update((member, first) for first in firsts)
            body = pair[0].make_share(member, x_of(member, keys.generation), self.fresh()).plain()
            for anew in pair:
                shares = read_shares(body, len(anew.firsts(member)))
                assert shares is not None
                assert anew.share(member, shares) is None
        successors = self.mine.successor(keys), self.theirs.successor(keys)
        for anew, decks in zip(pair, successors, strict=True):
            anew.lay(decks)
        self.mine, self.theirs = successors
        kept = {handle for handle, readers in self.readers.items() if readers & set(keys.members)}
        unread = [handle for handle, card in self.mine.lying.items() if card.known is None and handle not in kept]
        self.true.update({handle: self.look(handle) for handle in unread})
        self.kept.clear()

    def look(self, handle: Handle) -> int:
        """The card's number, with everybody's secrets."""
        a, b = self.mine.lying[handle].pairs[-1].sealed
        return self.mine.points[sub(b, total(mul(self.x(member), a) for member in self.members))][1]

    def check(self) -> None:
        assert {handle: self.look(handle) for handle in self.mine.lying} == self.true
        assert sorted(self.true.values()) == sorted(self.mine.numbers["bag"])
        assert self.theirs.lying == self.mine.lying
        for handle in self.mine.lying:
            for reader in self.readers.get(handle, set()) & set(self.members):
                assert self.mine.read(reader, self.x(reader), handle) == self.true[handle]
        for card in self.mine.lying.values():
            for pair in card.pairs:
                if card.known is None:
                    shown = [member for member in self.members if (member, pair.sealed[0]) in self.log]
                    assert len(shown) < len(self.members), "all shares of a card that nobody revealed"
                    assert pair.reader not in pair.shares


@settings(max_examples=6 * VOLUME)
@given(st.integers(2, 6), st.integers(0, 2**32))
def test_whatever_happens_cards_stay_what_they_are_and_nothing_opens_by_itself(count: int, chance: int) -> None:
    rng = random.Random(chance)
    game = Game(count, rng)
    for _ in range(9):
        game.check()
        if rng.random() < 0.4:
            game.kept.append((game.mine.layout(), game.theirs.layout(), dict(game.true)))
        match rng.choice(("deal", "deal", "deal", "reveal", "shuffle", "takeback", "lose")):
            case "deal":
                game.read(rng.choice(game.members))
            case "reveal":
                game.read(None)
            case "shuffle":
                back = rng.sample(sorted(game.mine.lying), rng.randint(1, 3))
                game.shuffle([*back, len(game.mine.faces["bag"])])
            case "takeback":
                game.take_back()
            case _:
                game.lose()
    game.check()
