"""Vectors of decks: open ones, sealed ones, secret choices, and a deck dealt anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from vectorkit import MEMBERS, TABLE, beyond, code_of, flipped, fresh, mixed, secret, shown

from seeds.deckkeys import Keyring, check_shares, deck_secret, read_deck_key, read_shares
from seeds.errors import Fault
from seeds.group import IDENTITY, base, pack, pack_scalars
from seeds.opendeck import Card, Handle, OpenDecks
from seeds.sealedcards import card_point, read_remask
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import Statement, challenge, challenges, check_shuffles, generator, link_weights, read_shuffled
from seeds.streams import Stream
from seeds.threshold import roster_hash
from seeds.turns import CheckedShuffle, ShuffleTask

HEAD = bytes(range(32))
BAG: list[Handle] = [("bag", number) for number in range(4)]


def x_of(member: bytes, generation: int = 0) -> int:
    return deck_secret(secret(member), TABLE, generation)


# Deck keys -----------------------------------------------------------------------------------------------------------


def ring_of(members: Sequence[bytes], generation: int = 0) -> tuple[Keyring, list[bytes]]:
    ring, shown_keys = Keyring(TABLE, generation, members), []
    for member in members:
        key = ring.make(member, x_of(member, generation), fresh(member))
        assert ring.add(member, key) is None
        shown_keys.append(key.packed())
    return ring, shown_keys


def keyed(member: bytes, data: bytes) -> object:
    """What the program says of a deck key."""
    key = read_deck_key(data)
    return Fault("deck/form", member) if key is None else Keyring(TABLE, 0, MEMBERS[:3]).add(member, key)


def deck_keys() -> dict[str, Any]:
    ring, packed = ring_of(MEMBERS[:3])
    author, key = MEMBERS[0], packed[0]
    assert keyed(author, key) is None
    wrong = {
        "another point": base(5) + key[32:],
        "the identity": IDENTITY + key[32:],
        "another challenge": flipped(key, 32),
        "another response": flipped(key, 64),
        "a response of L or more": beyond(key, 64),
        "that of another member": packed[1],
        "a byte less": key[:-1],
    }
    return {
        "table": TABLE.hex(),
        "generation": 0,
        "members": shown(MEMBERS[:3]),
        "roster": roster_hash(MEMBERS[:3]).hex(),
        "keys": shown(packed),
        "public": ring.keys().public.hex(),
        "refused": [
            {
                "why": why,
                "author": author.hex(),
                "key": data.hex(),
                "code": code_of(keyed, author, data),
            }
            for why, data in wrong.items()
        ],
    }


# Shuffles ------------------------------------------------------------------------------------------------------------


def decks_of(members: Sequence[bytes], cards: Sequence[Card]) -> tuple[SealedDecks, list[dict[str, Any]]]:
    """A deck under the handles of the bag, and the turns of its shuffle."""
    decks = SealedDecks(ring_of(members)[0].keys())
    decks.begin_shuffle("bag", cards, BAG[: len(cards)])
    return decks, turns(decks)


def turns(decks: SealedDecks) -> list[dict[str, Any]]:
    found = []
    while (task := decks.task) is not None:
        shuffled = task.make(fresh(task.deck, task.version, task.turn))
        found.append(turn(task, shuffled.plain()))
        checked = task.check(task.member, shuffled)
        assert isinstance(checked, CheckedShuffle)
        decks.take(checked)
    return found


def turn(task: ShuffleTask, body: list[bytes]) -> dict[str, Any]:
    place = task.keys.place(task.member, task.deck, task.version)
    return {
        "author": task.member.hex(),
        "place": mixed(place),
        "input": pack(half for pair in task.cards for half in pair).hex(),
        "body": shown(body),
    }


def numbers(task: ShuffleTask, body: list[bytes]) -> dict[str, Any]:
    """The numbers of a shuffle's proof."""
    m = read_shuffled(body, len(task.cards))
    assert m is not None
    told = task.keys.place(task.member, task.deck, task.version), task.keys.public, task.cards, m.cards, m.commitments
    return {
        "u": [f"{each:x}" for each in challenges(*told)],
        "z": [f"{each:x}" for each in link_weights(*told, m.chain)],
        "x": f"{challenge(*told, m.chain, m.t):x}",
    }


def shuffles() -> dict[str, Any]:
    decks = SealedDecks(ring_of(MEMBERS[:3])[0].keys())
    decks.begin_shuffle("bag", [10, "a", 11], BAG[:3])
    task = decks.task
    assert task is not None
    shuffled = task.make(fresh(task.deck, task.version, task.turn))
    points, scalars = shuffled.plain()
    good = turn(task, [points, scalars])
    swapped = replace(shuffled, cards=(shuffled.cards[1], shuffled.cards[0], *shuffled.cards[2:])).plain()
    put_in = replace(shuffled, cards=(shuffled.cards[1], *shuffled.cards[1:])).plain()
    wrong: dict[str, list[bytes]] = {
        "cards in another order": swapped,
        "one card twice": put_in,
        "another c": [points[: 6 * 32] + base(5) + points[7 * 32 :], scalars],
        "another link": [points[: 9 * 32] + base(5) + points[10 * 32 :], scalars],
        "another t": [points[:-32] + base(5), scalars],
        "another s": [points, flipped(scalars)],
        "another s of a card": [points, flipped(scalars, -32)],
        "a scalar of L or more": [points, beyond(scalars)],
        "the identity for a card": [IDENTITY + points[32:], scalars],
        "a point less": [points[:-32], scalars],
        "a scalar less": [points, scalars[:-32]],
        "a card more": [points + base(5) * 4, scalars + pack_scalars([1])],
        "a list of one": [points],
    }
    return {
        "generators": [generator(number).hex() for number in range(4)],
        "public": decks.keys.public.hex(),
        "shuffle": {**good, **numbers(task, [points, scalars])},
        "following": turns_after(decks, shuffled),
        "refused": [
            {
                "why": why,
                "author": good["author"],
                "place": good["place"],
                "input": good["input"],
                "body": shown(body),
                "code": shuffle_code(task, body),
            }
            for why, body in wrong.items()
        ],
        "refused elsewhere": elsewhere(task, points, scalars, good),
    }


def elsewhere(task: ShuffleTask, points: bytes, scalars: bytes, good: dict[str, Any]) -> list[dict[str, Any]]:
    """A right proof of a shuffle at other places and of other cards."""
    read, place = read_shuffled([points, scalars], len(task.cards)), task.keys.place(task.member, "bag", 1)
    assert read is not None
    cases = {
        "another number": (task.keys.place(task.member, "bag", 2), task.cards),
        "another deck": (task.keys.place(task.member, "hat", 1), task.cards),
        "another author": (task.keys.place(MEMBERS[1], "bag", 1), task.cards),
        "another generation": (replace(task.keys, generation=1).place(task.member, "bag", 1), task.cards),
        "other members": (replace(task.keys, members=MEMBERS[1:4]).place(task.member, "bag", 1), task.cards),
        "cards in another order": (place, (*task.cards[1:], task.cards[0])),
    }
    assert check_shuffles([Statement(place, task.keys.public, task.cards, read)])
    for where, cards in cases.values():
        assert not check_shuffles([Statement(where, task.keys.public, cards, read)])
    return [
        {**good, "why": why, "place": mixed(where), "input": pack(half for pair in cards for half in pair).hex()}
        for why, (where, cards) in cases.items()
    ]


def turns_after(decks: SealedDecks, first: Any) -> list[dict[str, Any]]:
    task = decks.task
    assert task is not None
    checked = task.check(task.member, first)
    assert isinstance(checked, CheckedShuffle)
    decks.take(checked)
    return turns(decks)


def shuffle_code(task: ShuffleTask, body: list[bytes]) -> str:
    read = read_shuffled(body, len(task.cards))
    if read is None:
        return "deck/form"
    statement = Statement(task.keys.place(task.member, "bag", 1), task.keys.public, task.cards, read)
    assert not check_shuffles([statement])
    return "deck/shuffle-proof"


# Readings ------------------------------------------------------------------------------------------------------------


def read_all(decks: SealedDecks) -> list[dict[str, Any]]:
    """The entries of a reading."""
    found = []
    while decks.owing:
        member = decks.owing[0]
        if decks.owing_remask(member):
            handles = decks.owing_remask(member)
            message = decks.make_remask(member, fresh(member, decks.version))
            old = [pack(decks.card(handle).pairs[-1].sealed).hex() for handle in handles]
            found.append(
                {"author": member.hex(), "handles": shown(handles), "old": old, "remask": shown(message.plain())}
            )
            assert decks.remask(member, message) is None
            continue
        handles, firsts = decks.owing_share(member), decks.firsts(member)
        share = decks.make_share(member, x_of(member, decks.keys.generation), fresh(member))
        found.append(
            {"author": member.hex(), "handles": shown(handles), "firsts": shown(firsts), "share": shown(share.plain())}
        )
        assert decks.share(member, share) is None
    return found


def readings() -> dict[str, Any]:
    """Cards dealt to a member, shown by it to another one, and revealed. Who reads a card first masks it."""
    decks, shuffle = decks_of(MEMBERS[:3], [10, "a", 11, 12])
    steps: list[dict[str, Any]] = []
    for asked, reader, handles in [
        ("deal", MEMBERS[0], [BAG[0], BAG[1]]),
        ("show", MEMBERS[1], [BAG[1], BAG[3]]),
        ("reveal", None, [BAG[0], BAG[2]]),
        ("reveal", None, [BAG[1]]),
    ]:
        decks.begin_reading(handles, reader)
        entries = read_all(decks)
        cards = decks.finish()
        steps.append(
            {"asked": asked, "reader": shown(reader), "handles": shown(handles), "entries": entries, "cards": cards}
        )
    return {
        "public": decks.keys.public.hex(),
        "points": shown(decks.keys.points),
        "members": shown(MEMBERS[:3]),
        "faces": decks.faces["bag"],
        "cards": [card_point(TABLE, "bag", number).hex() for number in range(4)],
        "shuffle": shuffle,
        "steps": steps,
        "refused shares": refused_shares(),
        "refused remasks": refused_remasks(),
    }


def refused_shares() -> list[dict[str, Any]]:
    decks, _ = decks_of(MEMBERS[:3], [10, "a", 11, 12])
    decks.begin_reading(BAG[:2], MEMBERS[0])
    assert decks.remask(MEMBERS[0], decks.make_remask(MEMBERS[0], fresh())) is None
    author, firsts = MEMBERS[1], decks.firsts(MEMBERS[1])
    points, proof = decks.make_share(author, x_of(author), fresh(author)).plain()
    other = decks.make_share(MEMBERS[2], x_of(MEMBERS[2]), fresh(author)).plain()
    wrong: dict[str, list[bytes]] = {
        "another share": [points[:32] + base(5), proof],
        "shares in another order": [points[32:] + points[:32], proof],
        "those of another member": other,
        "another challenge": [points, flipped(proof)],
        "a response of L or more": [points, beyond(proof, 32)],
        "a share less": [points[:32], proof],
        "the identity": [IDENTITY + points[32:], proof],
    }
    return [
        {
            "why": why,
            "author": author.hex(),
            "firsts": shown(firsts),
            "share": shown(body),
            "code": share_code(decks, author, body),
        }
        for why, body in wrong.items()
    ]


def share_code(decks: SealedDecks, author: bytes, body: list[bytes]) -> str:
    firsts = decks.firsts(author)
    shares = read_shares(body, len(firsts))
    if shares is None:
        return "deck/form"
    assert not check_shares(decks.keys, author, firsts, shares)
    return code_of(decks.share, author, shares)


def refused_remasks() -> list[dict[str, Any]]:
    decks, _ = decks_of(MEMBERS[:3], [10, "a", 11, 12])
    for reader in MEMBERS[:2]:
        decks.begin_reading(BAG[:1], reader)
        if reader == MEMBERS[0]:
            read_all(decks)
            decks.finish()
    author, old = MEMBERS[0], decks.card(BAG[0]).pairs[-1].sealed
    pairs, proof = decks.make_remask(author, fresh(author)).plain()
    wrong: dict[str, list[bytes]] = {
        "another first half": [base(5) + pairs[32:], proof],
        "another second half": [pairs[:32] + base(5), proof],
        "the old pair": [pack(old), proof],
        "another challenge": [pairs, flipped(proof)],
        "a response of L or more": [pairs, beyond(proof, 32)],
        "a proof less": [pairs, b""],
        "a pair more": [pairs * 2, proof],
    }
    found = []
    for why, body in wrong.items():
        read = read_remask(body, 1)
        code = "deck/form" if read is None else code_of(decks.remask, author, read)
        found.append({"why": why, "author": author.hex(), "old": pack(old).hex(), "remask": shown(body), "code": code})
    return found


def open_decks() -> dict[str, Any]:
    decks, found = OpenDecks(), []
    for number, (cards, handles) in enumerate([([10, "a", 11, 12], BAG), ([13, ["bag", 2]], [("bag", 4), ("bag", 5)])]):
        value = bytes([number + 1]) * 32
        decks.shuffle(value, cards, handles)
        order = Stream(value, "shuffle").permutation(len(cards))
        found.append(
            {
                "value": value.hex(),
                "cards": cards,
                "handles": shown(handles),
                "order": order,
                "faces": decks.faces(handles),
            }
        )
    return {"shuffles": found}


def vectors() -> dict[str, Any]:
    return {
        "deck keys": deck_keys(),
        "card": [
            {"table": TABLE.hex(), "deck": deck, "number": number, "point": card_point(TABLE, deck, number).hex()}
            for deck, number in (("bag", 0), ("bag", 1), ("hat", 0))
        ],
        "shuffle": shuffles(),
        "reading": readings(),
        "open deck": open_decks(),
    }
