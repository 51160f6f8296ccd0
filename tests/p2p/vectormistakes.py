"""Vectors of what does not follow: inputs of a formula beside the output that a mistaken reading of it gives. Each case
is refused, since the formula gives another output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b, sha256, shake_256
from typing import Any

from vectorcards import BAG
from vectorkit import KEY, MEMBERS, OTHER, SECRET, TABLE, mixed, shown
from vectorproofs import EPOCH
from vectortable import form
from vectortold import TOLD

from p2p.identity.words import WORDS, fingerprint
from p2p.lockstep.told import digest, state
from p2p.wire.codec import encode
from p2p.wire.content import content_name
from p2p.wire.signing import public_bytes
from seeds.beacon import roll_value
from seeds.dealing import coefficients_hash
from seeds.group import L, base, combination, hash_point, hash_scalar, mul, pack
from seeds.hashing import H64, H, Part, message
from seeds.proofs import weighted
from seeds.sealedcards import card_point
from seeds.streams import Stream, dice
from seeds.threshold import lagrange, roster_hash

Cases = list[dict[str, Any]]


def mistakes(cases: Mapping[str, Mapping[str, Any]]) -> Cases:
    """The cases as JSON holds them, each with what is mistaken in it."""
    return [{"why": why, **shown(case)} for why, case in cases.items()]


# Hashes and streams ---------------------------------------------------------------------------------------------------


def hashes() -> Cases:
    """Of one tag and its parts, each with one of the functions."""
    tag = "tag"
    parts: list[Part] = [1, b"bytes", "text", ["a"]]
    wide = H64(tag, *parts)

    def case(name: str, value: Any) -> dict[str, Any]:
        return {"tag": tag, "parts": [form(part) for part in parts], "key": SECRET, name: value}

    def joined(*others: Any) -> bytes:
        return b"".join(message("", other)[len(message("")) :] for other in others)

    whole = message(tag, *parts)
    return mistakes(
        {
            "without the name of the protocol": case("message", joined(tag, *parts)),
            "lengths with the last byte first": case("message", whole[:1] + whole[4:0:-1] + whole[5:]),
            "a number as text": case("H", H(tag, "1", *parts[1:])),
            "bytes as text": case("H", H(tag, 1, "bytes", *parts[2:])),
            "a list as its items": case("H", H(tag, *parts[:3], "a")),
            "64 bytes cut": case("H", wide[:32]),
            "the hash of 32 bytes twice": case("H64", H(tag, *parts) * 2),
            "the last byte first": case("number", f"{int.from_bytes(wide, 'big') % L:x}"),
            "of 32 bytes": case("number", f"{int.from_bytes(H(tag, *parts), 'little') % L:x}"),
            "a multiple of the base in place of a mapped point": case("point", base(hash_scalar(tag, *parts))),
            "the key as a part": case("kdf", H(tag, SECRET, *parts)),
        }
    )


def drawn(words: Sequence[int], sizes: Sequence[int]) -> list[int]:
    return [word % size for word, size in zip(words, sizes, strict=False)]


def from_the_front(stream: Stream, count: int) -> list[int]:
    order = list(range(count))
    for place in range(count - 1):
        other = place + stream.below(count - place)
        order[place], order[other] = order[other], order[place]
    return order


def streams() -> Cases:
    seed = bytes([4]) * 32
    words = [word for stream in [Stream(seed, "dice")] for word in (stream.word() for _ in range(40))]
    whole = shake_256(message("stream", seed, "dice") + bytes(8)).digest(160)
    short = shake_256(message("stream", seed, "dice") + bytes(4)).digest(136)
    sizes, sides = [2**31 + 1] * 3, [6, 6, 20]
    permuted = Stream(seed, "shuffle").permutation(12)
    return mistakes(
        {
            "the last byte of a word first": {
                "seed": seed,
                "words of dice": [int.from_bytes(word.to_bytes(4, "big"), "little") for word in words],
            },
            "one block without end": {"seed": seed, "words of dice": cut(whole)},
            "the number of the block in four bytes": {"seed": seed, "words of dice": cut(short)},
            "no word is skipped": {"seed": seed, "below": {"sizes": sizes, "numbers": drawn(words, sizes)}},
            "dice that begin with 0": {
                "seed": seed,
                "dice": {"sides": sides, "faces": [face - 1 for face in dice(seed, sides)]},
            },
            "a permutation from the front": {
                "seed": seed,
                "permutations": [{"count": 12, "order": from_the_front(Stream(seed, "shuffle"), 12)}],
            },
            "a permutation of the dice": {
                "seed": seed,
                "permutations": [{"count": 12, "order": Stream(seed, "dice").permutation(12)}],
            },
            "the inverse permutation": {
                "seed": seed,
                "permutations": [{"count": 12, "order": [permuted.index(number) for number in range(12)]}],
            },
        }
    )


def cut(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]


# Heights --------------------------------------------------------------------------------------------------------------


def bases() -> Cases:
    ids = [MEMBERS[1], MEMBERS[0]]
    right = H("basis", ids)
    return mistakes(
        {
            "in the order of their bytes": {"ids": ids, "basis": H("basis", sorted(ids, reverse=True))},
            "one is left out": {"ids": ids[:1], "basis": right},
            "one is there twice": {"ids": [*ids, ids[1]], "basis": right},
            "all as one string of bytes": {"ids": ids, "basis": H("basis", b"".join(ids))},
            "the ids as parts": {"ids": ids, "basis": H("basis", *ids)},
            "another tag": {"ids": ids, "basis": H("head", ids)},
        }
    )


def heads() -> Cases:
    ids, pacts, record = [MEMBERS[1], MEMBERS[0]], [bytes([5]) * 32], TOLD[7]
    usual = {"head": TABLE, "height": 4, "ids": ids, "pacts": pacts, "record": record}
    right = H("head", TABLE, 4, ids, pacts, digest(record))
    return mistakes(
        {
            "of the height after it": {**usual, "height": 5, "next": right},
            "of another head": {**usual, "head": SECRET, "next": right},
            "the ids in another order": {**usual, "ids": ids[::-1], "next": right},
            "without its pact": {**usual, "pacts": [], "next": right},
            "the pact among the ids": {**usual, "next": H("head", TABLE, 4, [*ids, *pacts], [], digest(record))},
            "without what was asked": {**usual, "record": None, "next": right},
            "the question alone": {**usual, "next": H("head", TABLE, 4, ids, pacts, digest(record[:1]))},
            "the record in place of its hash": {**usual, "next": H("head", TABLE, 4, ids, pacts, encode(record))},
        }
    )


def states() -> Cases:
    game, record = bytes([3]) * 16, TOLD[3]
    right, whole = state(game, digest(record)), H("state", game, digest(record))
    usual = {"game": game, "record": record}
    return mistakes(
        {
            "all 32 bytes": {**usual, "state": whole},
            "the last 16 bytes": {**usual, "state": whole[16:]},
            "of another game": {"game": bytes(16), "record": record, "state": right},
            "of another question": {"game": game, "record": TOLD[4], "state": right},
            "the record in place of its hash": {**usual, "state": H("state", game, encode(record))[:16]},
            "the question in front": {**usual, "state": H("state", digest(record), game)[:16]},
        }
    )


# Members and content --------------------------------------------------------------------------------------------------


def fingerprints() -> Cases:
    key = OTHER.public

    def case(data: bytes) -> dict[str, Any]:
        return {"identity": key, "words": " ".join(WORDS[byte] for byte in data)}

    found = H("fingerprint", key)
    return mistakes(
        {
            "of the key itself": case(key[:10]),
            "the last ten bytes": case(found[-10:]),
            "eleven words": case(found[:11]),
            "the other way round": case(found[9::-1]),
            "of the key as text": case(H("fingerprint", key.hex())[:10]),
            "of another key": {"identity": key, "words": fingerprint(MEMBERS[0])},
        }
    )


def contents() -> Cases:
    data = b"content"
    cases = {
        "the hash of 32 bytes cut": {"content": data, "id": blake2b(data, digest_size=32).digest()[:16]},
        "a hash with a tag": {"content": data, "id": H("content", data)[:16]},
        "another function": {"content": data, "id": sha256(data).digest()[:16]},
        "another content": {"content": data + b"\n", "id": content_name(data)},
        "a byte less": {"content": data, "id": content_name(data)[:-1]},
    }
    return mistakes(cases)


# Rolls, keys and cards ------------------------------------------------------------------------------------------------


def values() -> Cases:
    """Of rolls: values, and faces of values."""
    seeds: list[tuple[bytes, bytes | None]] = [(MEMBERS[0], bytes([2]) * 32), (MEMBERS[1], None)]
    gamma, sides = bytes([8]) * 32, [6, 6, 20]
    usual, right = {"seeds": seeds, "gamma": gamma}, roll_value(TABLE, 2, 5, seeds, gamma)
    rolled = {"sides": sides, "faces": dice(right, sides)}
    stated: list[Part] = [list(pair) for pair in seeds]
    named = Stream(right, "roll")
    return mistakes(
        {
            "the members in another order": {**usual, "value": roll_value(TABLE, 2, 5, seeds[::-1], gamma)},
            "who gave no seed is left out": {**usual, "value": roll_value(TABLE, 2, 5, seeds[:1], gamma)},
            "without the lock": {**usual, "value": roll_value(TABLE, 2, 5, seeds, None)},
            "of the roll before": {**usual, "value": roll_value(TABLE, 2, 4, seeds, gamma)},
            "the pairs as parts": {**usual, "value": H("roll", TABLE, 2, 5, *stated, gamma)},
            "faces from another stream": {
                **usual, "value": right, "dice": {"sides": sides, "faces": [named.die(each) for each in sides]},
            },
            "faces that begin with 0": {
                **usual, "value": right, "dice": {"sides": sides, "faces": [each - 1 for each in rolled["faces"]]},
            },
        }
    )  # fmt: skip


def several() -> Cases:
    """Of several equal logarithms: one base and one image for all."""
    place: list[Part] = [TABLE, EPOCH, roster_hash(MEMBERS[:3]), MEMBERS[0]]
    bases = [hash_point("base", number) for number in range(3)]
    images = [mul(3, point) for point in bases]
    told = H("share/weights", place, pack(bases), pack(images))
    usual = {"tag": "share", "place": mixed(place), "bases": bases, "images": images}

    def case(numbers: Sequence[int]) -> dict[str, Any]:
        return {**usual, "base": combination(numbers, bases), "image": combination(numbers, images)}

    def weights(first: int, most: int) -> list[int]:
        return [hash_scalar("share/weight", told, number) % most for number in range(first, first + 3)]

    base_, image = weighted("share", place, bases, images)
    return mistakes(
        {
            "the sum of all": case([1, 1, 1]),
            "the first pair": case([1, 0, 0]),
            "weights of all 252 bits": case(weights(0, L)),
            "weights counted from 1": case(weights(1, 2**128)),
            "base and image exchanged": {**usual, "base": image, "image": base_},
            "another place": {**usual, "place": mixed(place[:-1]), "base": base_, "image": image},
        }
    )


def rows_of_weights() -> Cases:
    """Of shares of a lock."""
    indices = [1, 3, 4]
    right = lagrange(indices)
    rows = {
        "members counted from 0": [*lagrange([0, 2, 3])],
        "in another order": right[::-1],
        "each with the other sign": [L - weight for weight in right],
        "each once": [1, 1, 1],
        "the inverse": [pow(weight, -1, L) for weight in right],
    }
    return mistakes({why: {"indices": indices, "weights": [*map(plain_number, row)]} for why, row in rows.items()})


def plain_number(number: int) -> int | str:
    return number if number < 1 << 53 else f"{number:x}"


def coefficients() -> Cases:
    place: list[Part] = [TABLE, EPOCH, roster_hash(MEMBERS[:3]), MEMBERS[0]]
    rows = [[base(2), base(3)], [base(4), base(5)]]
    usual = {"place": mixed(place), "rows": rows}
    return mistakes(
        {
            "the second row first": {**usual, "hash": coefficients_hash(place, rows[::-1])},
            "one row of all": {**usual, "hash": H("coefficients", place, [*rows[0], *rows[1]])},
            "the rows as parts": {**usual, "hash": H("coefficients", place, *rows)},
            "the place behind them": {**usual, "hash": H("coefficients", rows, place)},
            "the place as parts": {**usual, "hash": H("coefficients", *place, rows)},
            "of another author": {**usual, "hash": coefficients_hash([*place[:-1], public_bytes(KEY)], rows)},
        }
    )


def cards() -> Cases:
    right = card_point(TABLE, "bag", 1)
    usual = {"table": TABLE, "deck": "bag", "number": 1}
    return mistakes(
        {
            "counted from 1": {**usual, "point": card_point(TABLE, "bag", 2)},
            "of another deck": {**usual, "deck": "hat", "point": right},
            "of another table": {**usual, "table": SECRET, "point": right},
            "its number as text": {**usual, "point": hash_point("card", TABLE, "bag", "1")},
            "its number in front of the deck": {**usual, "point": hash_point("card", TABLE, 1, "bag")},
            "a multiple of the base": {**usual, "point": base(hash_scalar("card", TABLE, "bag", 1))},
        }
    )


def open_decks() -> Cases:
    """Of one shuffle of an open deck."""
    value, faces = bytes([1]) * 32, [10, "a", 11, 12]
    order = Stream(value, "shuffle").permutation(4)
    usual = {"value": value, "cards": faces, "handles": [list(handle) for handle in BAG]}

    def case(order: Sequence[int]) -> dict[str, Any]:
        return {**usual, "order": [*order], "faces": [faces[place] for place in order]}

    return mistakes(
        {
            "the inverse permutation": case([order.index(number) for number in range(4)]),
            "a permutation from the front": case(from_the_front(Stream(value, "shuffle"), 4)),
            "from the stream of dice": case(Stream(value, "dice").permutation(4)),
            "as they were": case(range(4)),
            "of another value": {**case(order), "value": bytes([2]) * 32},
            "the order alone": {**usual, "order": order, "faces": faces},
        }
    )


def vectors() -> dict[str, Any]:
    return {
        "refused hash": hashes(),
        "refused stream": streams(),
        "refused basis": bases(),
        "refused head": heads(),
        "refused state": states(),
        "refused fingerprint": fingerprints(),
        "refused content": contents(),
        "refused value": values(),
        "refused several": several(),
        "refused weights": rows_of_weights(),
        "refused coefficients": coefficients(),
        "refused card": cards(),
        "refused open deck": open_decks(),
    }
