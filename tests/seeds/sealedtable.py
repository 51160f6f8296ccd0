"""A test table that holds sealed decks: the members' secrets, and whole shuffles and readings in one call."""

from __future__ import annotations

from collections.abc import Sequence

from fairtable import MEMBERS, TABLE, fresh, secret

from seeds.deckkeys import DeckKeys, Keyring, deck_secret
from seeds.opendeck import Card, Handle
from seeds.sealeddeck import SealedDecks
from seeds.turns import CheckedShuffle


def x_of(member: bytes, generation: int = 0) -> int:
    return deck_secret(secret(member), TABLE, generation)


def deck_keys(members: Sequence[bytes], generation: int = 0) -> DeckKeys:
    ring = Keyring(TABLE, generation, members)
    for member in members:
        assert ring.add(member, ring.make(member, x_of(member, generation), fresh(member))) is None
    return ring.keys()


def shuffled_deck(decks: SealedDecks, deck: str, members: Sequence[Card | Handle], handles: Sequence[Handle]) -> None:
    decks.begin_shuffle(deck, members, handles)
    while (task := decks.task) is not None:
        checked = task.check(task.member, task.make(fresh(deck, decks.version, task.turn)))
        assert isinstance(checked, CheckedShuffle)
        decks.take(checked)


def masked_reading(decks: SealedDecks, reader: bytes, *handles: Handle) -> None:
    """Begin a reading, and mask its cards."""
    decks.begin_reading(handles, reader)
    while decks.masking:
        give_mask(decks, decks.owing[0])


def give_mask(decks: SealedDecks, member: bytes) -> None:
    assert decks.remask(member, decks.make_remask(member, fresh(member, decks.version))) is None


def finish_reading(decks: SealedDecks) -> list[Card] | None:
    while decks.owing:
        member = decks.owing[0]
        if decks.owing_remask(member):
            give_mask(decks, member)
        else:
            share = decks.make_share(member, x_of(member, decks.keys.generation), fresh(member))
            assert decks.share(member, share) is None
    return decks.finish()


def table(count: int, cards: Sequence[Card] = tuple(range(6)), deck: str = "bag") -> SealedDecks:
    """A deck shuffled by `count` members; its handles are (deck, 0) and so on."""
    decks = SealedDecks(deck_keys(MEMBERS[:count]))
    shuffled_deck(decks, deck, cards, [(deck, number) for number in range(len(cards))])
    return decks


def deal(decks: SealedDecks, reader: bytes, *handles: Handle) -> list[Card]:
    decks.begin_reading(handles, reader)
    assert finish_reading(decks) is None
    return [decks.read(reader, x_of(reader, decks.keys.generation), handle) for handle in handles]


def reveal(decks: SealedDecks, *handles: Handle) -> list[Card]:
    decks.begin_reading(handles, None)
    cards = finish_reading(decks)
    assert cards is not None
    return cards
