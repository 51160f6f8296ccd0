# SPDX-License-Identifier: GPL-3.0-or-later
"""Fairness: what dice and sealed cards cost, each measure beside the group operations that it cannot do without.

The operations of one pass are counted (`seeds.group.counted`); as floor just as many of them are done, by turns with
ours, on points that are at hand. All of it is work for one processor, so its time is what is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import thread_time
from typing import Final

from bench import Measure, by_turns, cost
from seeds import group
from seeds.anew import DealingAnew, read_blinded, read_hand
from seeds.beacon import Beacon, commitment, seed
from seeds.dealing import KeyDealer, KeyGeneration
from seeds.deckkeys import DeckKeys, Keyring, deck_secret, read_shares
from seeds.errors import Fault
from seeds.hashing import H
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import read_shuffled
from seeds.streams import dice
from seeds.threshold import Lock, ThresholdKey, make_partial, read_partial
from seeds.turns import CheckedShuffle, ShuffleTask

CARDS: Final = 52
TABLE: Final = H("bench", "table")
MEMBERS: Final = tuple(H("bench", "member", number) for number in range(6))
MANY: Final = 20
"""How often what takes a millisecond is done in one pass."""
RATIO_AIM: Final = 1.3
SERIES_AIM: Final = 0.35
"""Seconds for a deck of 52 cards that six members shuffle in turn, each after it has checked the one before."""

_NUMBER: Final = 2**251 + 0x1234_5678_9ABC_DEF0
_OPERATIONS: Final[Mapping[str, Callable[[group.Point], object]]] = {
    "mul": partial(group.mul, _NUMBER),
    "base": lambda point: group.base(_NUMBER),
    "add": lambda point: group.add(point, group.BASE),
    "map": lambda point: group.hash_point("bench", 1),
    "read": group.read_point,
}


def floor_of(count: Counter[str]) -> Callable[[], None]:
    """Just these operations, and nothing else."""
    point = group.hash_point("bench")
    work = [(operation, range(count[name])) for name, operation in _OPERATIONS.items()]

    def bare() -> None:
        for operation, times in work:
            for _ in times:
                operation(point)

    return bare


def measured(
    name: str, ours: Callable[[], object], unit: str, per: float, most: float | None = None, rounds: int = 0
) -> Measure:
    """A measure of `ours`, with as many bare group operations as its floor.

    per: what a second of one pass is, in `unit`.
    most: the value that it should not exceed.
    """
    ours()
    with group.counted() as count:
        ours()
    took, floor, spread = by_turns(ours, floor_of(count), rounds, thread_time)
    operations = {f"operations/{kind}": number for kind, number in sorted(count.items())}
    return cost(name, took * per, unit, floor * per, RATIO_AIM, most, spread, operations)


# Tables --------------------------------------------------------------------------------------------------------------


def secret_of(member: bytes) -> bytes:
    """A member's table secret."""
    return H("bench", "secret", member)


def fresh(*what: bytes | int | str) -> bytes:
    """What stands for chance here."""
    return H("bench", "fresh", *what)


def deck_keys(members: Sequence[bytes], generation: int) -> DeckKeys:
    """The finished deck keys of a generation."""
    ring = Keyring(TABLE, generation, members)
    for member in members:
        _sound(ring.add(member, ring.make(member, deck_secret(secret_of(member), TABLE, generation), fresh(member))))
    return ring.keys()


def dice_key() -> tuple[ThresholdKey, dict[bytes, int]]:
    """The finished key that locks dice, and the members' shares of it."""
    run = KeyGeneration(TABLE, 0, MEMBERS)
    dealers = {member: KeyDealer(secret_of(member), run, member) for member in MEMBERS}
    for member, dealer in dealers.items():
        _sound(run.announce(member, dealer.announcement(fresh(member))))
    for member, dealer in dealers.items():
        _sound(run.deal(member, dealer.dealing(fresh(member))))
    for member in MEMBERS:
        _sound(run.ok(member, run.digest()))
    return run.key("dice"), {member: dealer.share("dice") for member, dealer in dealers.items()}


def turns(
    task: ShuffleTask, taken: Callable[[CheckedShuffle], None], following: Callable[[], ShuffleTask | None]
) -> None:
    """All members shuffle, and each shuffle is checked once, from its bytes."""
    mine: ShuffleTask | None = task
    while mine is not None:
        taken(checked(mine, mine.make(fresh(mine.deck, mine.version, mine.turn)).plain()))
        mine = following()


def checked(task: ShuffleTask, body: list[bytes]) -> CheckedShuffle:
    """Judge the shuffle in an entry's body."""
    shuffled = read_shuffled(body, len(task.cards))
    assert shuffled is not None
    found = task.check(task.member, shuffled)
    assert isinstance(found, CheckedShuffle)
    return found


def begun(keys: DeckKeys) -> SealedDecks:
    """A deck of CARDS that nobody has shuffled yet."""
    decks = SealedDecks(keys)
    decks.begin_shuffle("deck", range(CARDS), [("deck", number) for number in range(CARDS)])
    return decks


def dealt(keys: DeckKeys) -> SealedDecks:
    """A shuffled deck of which every member holds one card."""
    decks = begun(keys)
    assert decks.task is not None
    turns(decks.task, decks.take, lambda: decks.task)
    for number, reader in enumerate(MEMBERS):
        decks.begin_reading([("deck", number)], reader)
        _sound(decks.remask(reader, decks.make_remask(reader, fresh(reader, number))))
        for member in MEMBERS:
            if member != reader:
                x = deck_secret(secret_of(member), TABLE, 0)
                _sound(decks.share(member, decks.make_share(member, x, fresh(member, number))))
        decks.finish()
    return decks


def _sound(fault: Fault | None) -> None:
    assert fault is None, fault


# Measures ------------------------------------------------------------------------------------------------------------


def shuffles(keys: DeckKeys) -> list[Measure]:
    """One member's shuffle with its proof; its check, from the bytes; and the series of all six."""
    decks = begun(keys)
    assert decks.task is not None
    decks.take(checked(decks.task, decks.task.make(fresh("first")).plain()))
    task = decks.task
    body = task.make(fresh("second")).plain()

    def series() -> None:
        decks = begun(keys)
        assert decks.task is not None
        turns(decks.task, decks.take, lambda: decks.task)

    return [
        measured("shuffle", lambda: task.make(fresh("second")).plain(), "ms", 1e3),
        measured("shuffle-check", lambda: checked(task, body), "ms", 1e3),
        measured("shuffle-series", series, "s", 1, SERIES_AIM, 3),
    ]


def draw(keys: DeckKeys) -> Measure:
    """One member's share of a card that is drawn for all to see, made and checked."""
    decks = dealt(keys)
    member, handle = MEMBERS[0], ("deck", len(MEMBERS))

    def ours() -> None:
        for number in range(MANY):
            decks.begin_reading([handle], None)
            body = decks.make_share(member, deck_secret(secret_of(member), TABLE, 0), fresh(number)).plain()
            shares = read_shares(body, 1)
            assert shares is not None
            _sound(decks.share(member, shares))
            decks.abandon()

    return measured("draw", ours, "ms", 1e3 / MANY)


def roll() -> Measure:
    """All that one of six peers computes for a locked roll, signatures aside: its own opening and partial, and the
    check of everybody's."""
    key, shares = dice_key()
    me = MEMBERS[0]
    seeds = {member: seed(secret_of(member), TABLE, 0, 0) for member in MEMBERS}
    following = {member: commitment(TABLE, 0, 1, member, seed(secret_of(member), TABLE, 0, 1)) for member in MEMBERS}
    point = Lock(key, 0).point
    partials = {member: make_partial(key, member, shares[member], point, fresh(member)).packed() for member in MEMBERS}

    def ours() -> None:
        for number in range(MANY):
            beacon = Beacon(TABLE)
            beacon.enter(0, MEMBERS)
            for member in MEMBERS:
                _sound(beacon.commit(member, 0, 0, commitment(TABLE, 0, 0, member, seeds[member])))
            beacon.begin(1, b"head")
            commitment(TABLE, 0, 1, me, seed(secret_of(me), TABLE, 0, 1))
            for member in MEMBERS:
                _sound(beacon.open(member, b"head", 0, seeds[member], following[member]))
            lock = Lock(key, 0)
            partials[me] = make_partial(key, me, shares[me], lock.point, fresh(number)).packed()
            for member in MEMBERS:
                partial = read_partial(partials[member])
                assert partial is not None
                _sound(lock.release(member, partial))
            dice(beacon.finish(lock.gamma).value, (6, 6))

    return measured("roll", ours, "ms", 1e3 / MANY)


def anew(keys: DeckKeys) -> Measure:
    """A deck dealt again when one of six is gone and each survivor holds a card: all messages in series, each made once
    and checked once."""
    old, survivors = dealt(keys), MEMBERS[:-1]
    following = deck_keys(survivors, 1)

    def ours() -> None:
        deal = DealingAnew(old, following, "deck")
        assert deal.task is not None
        turns(deal.task, deal.take, lambda: deal.task)
        for member in survivors:
            hand = read_hand(deal.make_hand(member, deck_secret(secret_of(member), TABLE, 0), fresh(member)).plain(), 1)
            assert hand is not None
            _sound(deal.hand(member, hand))
        for member in survivors:
            blinded = read_blinded(deal.make_blinded(member, fresh(member)).plain(), len(deal.unblinded()))
            assert blinded is not None
            _sound(deal.blind(member, blinded))
        for member in survivors:
            x = deck_secret(secret_of(member), TABLE, 1)
            shares = read_shares(deal.make_share(member, x, fresh(member)).plain(), len(deal.firsts(member)))
            assert shares is not None
            _sound(deal.share(member, shares))
        deal.lay(old.successor(following))

    return measured("deal-anew", ours, "s", 1, rounds=3)


def measures() -> list[Measure]:
    """All of this chapter."""
    keys = deck_keys(MEMBERS, 0)
    return [*shuffles(keys), draw(keys), roll(), anew(keys)]
