"""Vectors of encodings, hashes, signatures, entries, members and votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vectorkit import KEY, MEMBERS, OTHER, PLACE, SECRET, TABLE, code_of, flipped, mixed, refusals, said, shown

from p2p.log.evidence import contradiction
from p2p.wire.codec import decode, encode
from p2p.wire.entry import Entry, chat_hash, id_of, make_entry, parse_entry
from p2p.wire.signing import L, P, public_bytes, verify
from seeds.beacon import commitment, roll_value, seed
from seeds.group import hash_point, hash_scalar
from seeds.hashing import H64, H, Part, kdf, message
from seeds.streams import Stream, dice

# Encoding and hashes -------------------------------------------------------------------------------------------------

REFUSED_ENCODINGS = {
    "nothing": "",
    "a number in two bytes that fits one": "1800",
    "two values": "f6f6",
    "a list without length": "9fff",
    "a tag": "c000",
    "a float": "fb3ff0000000000000",
    "keys out of order": "a2616200616100",
    "a key twice": "a2616100616101",
    "a key that is no text": "a10000",
    "bytes without length": "5f4100ff",
    "undefined": "f7",
    "a simple value": "f820",
    "a number below -2^63": "3b8000000000000000",
    "nine lists inside each other": "818181818181818180",
    "cut short": "4200",
    "a reserved length": "1c",
    "text that is not UTF-8": "61ff",
    "a length of eight bytes that fits four": "5b0000000000000000",
}


def refused_encodings() -> list[dict[str, str]]:
    return [
        {"why": why, "encoding": text, "code": code_of(decode, bytes.fromhex(text))}
        for why, text in REFUSED_ENCODINGS.items()
    ]


HASHED: list[tuple[str, list[Part]]] = [
    ("tag", [None, 1, -1, b"bytes", "text", [1, ["a"], []]]),
    ("tag", []),
    ("head", [TABLE, 4, [], [], None]),
    ("é", ["é", 0, 2**64, b""]),
]


def hashes() -> list[dict[str, Any]]:
    return [
        {
            "tag": tag,
            "parts": [form(part) for part in parts],
            "message": message(tag, *parts).hex(),
            "H": H(tag, *parts).hex(),
            "H64": H64(tag, *parts).hex(),
            "number": f"{hash_scalar(tag, *parts):x}",
            "point": hash_point(tag, *parts).hex(),
            "key": SECRET.hex(),
            "kdf": kdf(SECRET, tag, *parts).hex(),
        }
        for tag, parts in HASHED
    ]


def form(part: Part) -> Any:
    """A part with its letter, so that text and bytes differ."""
    match part:
        case None:
            return "n"
        case bytes():
            return ["b", part.hex()]
        case str():
            return ["s", part]
        case int():
            return ["i", str(part)]
    return ["l", [form(each) for each in part]]


def streams() -> dict[str, Any]:
    value, below = bytes([4]) * 32, Stream(bytes([4]) * 32, "dice")
    sizes = [1, 2, 6, 2**31 + 1, 2**31 + 1, 2**31 + 1, 2**32, 1000]
    return {
        "seed": value.hex(),
        "words of dice": [words.word() for words in [Stream(value, "dice")] for _ in range(40)],
        "below": {"sizes": sizes, "numbers": [below.below(size) for size in sizes]},
        "dice": {"sides": [6, 6, 2, 1, 20, 1000], "faces": dice(value, [6, 6, 2, 1, 20, 1000])},
        "permutations": [{"count": n, "order": Stream(value, "shuffle").permutation(n)} for n in (1, 2, 12, 114)],
    }


def rolls() -> dict[str, Any]:
    author = public_bytes(KEY)
    own = seed(SECRET, TABLE, 2, 5)
    cases: list[tuple[list[tuple[bytes, bytes | None]], bytes | None]] = [
        ([(MEMBERS[0], bytes([2]) * 32), (MEMBERS[1], None)], bytes([8]) * 32),
        ([(MEMBERS[0], bytes([2]) * 32), (MEMBERS[1], bytes([3]) * 32)], None),
        ([], bytes([8]) * 32),
    ]
    wrong = {
        "another seed": (2, 5, author, flipped(own)),
        "of another roll": (2, 6, author, own),
        "of another epoch": (3, 5, author, own),
        "of another author": (2, 5, MEMBERS[0], own),
        "no seed": (2, 5, author, b""),
    }
    committed = commitment(TABLE, 2, 5, author, own)
    assert all(commitment(TABLE, *each) != committed for each in wrong.values())
    return {
        "table": TABLE.hex(),
        "epoch": 2,
        "k": 5,
        "secret": SECRET.hex(),
        "author": author.hex(),
        "seed": own.hex(),
        "commitment": committed.hex(),
        "refused openings": [
            {"why": why, "epoch": epoch, "k": k, "author": who.hex(), "seed": of_it.hex()}
            for why, (epoch, k, who, of_it) in wrong.items()
        ],
        "values": [
            {
                "seeds": shown(seeds),
                "gamma": shown(gamma),
                "value": roll_value(TABLE, 2, 5, seeds, gamma).hex(),
                "dice": {"sides": [6, 6, 20], "faces": dice(roll_value(TABLE, 2, 5, seeds, gamma), [6, 6, 20])},
            }
            for seeds, gamma in cases
        ],
    }


# Signatures ----------------------------------------------------------------------------------------------------------

CRAFTED = (
    "41a9720edeb08cde1e9217889219ea8b99bdea8d66a2623a2b15cda9196124a3",
    "7b5d9bcdd4ca834f9177cd5efe2b8feb95e05c083da48714df6715763f92cdc4"  # noqa: ISC004 - R and S
    "188b2267c12028ab8e563e3c87a532df61a8108bdcde6f85127b49f0ad82190e",
)
"""A key and a signature of 32 zero bytes that hold only with the cofactor."""


def signatures() -> dict[str, Any]:
    key, data = public_bytes(KEY), H("entry", b"data")
    good = KEY.sign(data)
    s = int.from_bytes(good[32:], "little")
    wrong = {
        "another message": (key, good, H("entry", b"dato")),
        "another key": (OTHER.public, good, data),
        "S of the order more": (key, good[:32] + (s + L).to_bytes(32, "little"), data),
        "R of small order": (key, bytes([1]) + bytes(31) + good[32:], data),
        "a key of small order": (bytes(32), good, data),
        "a key with y of p or more": ((P + 3).to_bytes(32, "little"), good, data),
        "R with y of p or more": (key, (P + 3).to_bytes(32, "little") + good[32:], data),
        "a byte less": (key, good[:-1], data),
        "one that holds with the cofactor alone": (bytes.fromhex(CRAFTED[0]), bytes.fromhex(CRAFTED[1]), bytes(32)),
    }
    assert verify(key, good, data)
    assert not any(verify(*each) for each in wrong.values())
    return {
        "key": key.hex(),
        "message": data.hex(),
        "signature": good.hex(),
        "refused": [
            {"why": why, "key": by.hex(), "signature": signed.hex(), "message": of_it.hex()}
            for why, (by, signed, of_it) in wrong.items()
        ],
    }


# Entries -------------------------------------------------------------------------------------------------------------


def signed_raw(items: Sequence[Any]) -> bytes:
    """Any twelve items with a right signature."""
    raw = encode([*items[:-1], bytes(64)])
    return raw[:-64] + KEY.sign(id_of(raw))


def entries() -> dict[str, Any]:
    entry = said("answer", [0, [5, "pass"]])
    items: Any = decode(entry.raw)
    names = (
        "version",
        "table",
        "author",
        "seq",
        "prev",
        "epoch",
        "height",
        "head",
        "state",
        "kind",
        "body",
        "signature",
    )

    def other(**fields: Any) -> bytes:
        return signed_raw([fields.get(name, item) for name, item in zip(names, items, strict=True)])

    wrong = {
        "another version": other(version=2),
        "a boolean for the version": other(version=True),
        "a table of 31 bytes": other(table=bytes(31)),
        "a seq below 0": other(seq=-1),
        "a seq of 2^53": other(seq=2**53),
        "a boolean for the height": other(height=False),
        "prev at seq 0": other(prev=bytes([1]) * 32),
        "no prev at seq 1": other(seq=1),
        "a state of 15 bytes": other(state=bytes(15)),
        "a head of 33 bytes": other(head=bytes(33)),
        "an unknown kind": other(kind="vote"),
        "a join with a body": other(kind="join", body=[]),
        "a chat of two hashes": other(kind="chat", body=[bytes(32), bytes(32)]),
        "a fault without ids": other(kind="fault", body=[bytes(32), "code", []]),
        "a sign of 513 bytes": other(kind="sign", body=[bytes(513 - len(other(kind="sign", body=[bytes(24)])) + 24)]),
        "an author of small order": other(author=bytes(32)),
        "another body under the signature": entry.raw[:-70] + bytes([entry.raw[-70] ^ 1]) + entry.raw[-69:],
        "another signature": flipped(entry.raw, -1),
        "a field more": encode([*items, None]),
        "a byte more": entry.raw + b"\x00",
    }
    return {
        "fields": {name: shown(item) for name, item in zip(names, items, strict=True) if name != "body"},
        "body": mixed(entry.body),
        "raw": entry.raw.hex(),
        "id": entry.id.hex(),
        "refused": refusals(parse_entry, wrong, "raw"),
    }


def chats() -> dict[str, Any]:
    salt, text = bytes(range(16)), "héllo"
    wrong = {
        "another text": (salt, "hello"),
        "another salt": (flipped(salt), text),
        "a salt of 15 bytes": (salt[1:], text),
        "a space more": (salt, "héllo "),
        "no text": (salt, ""),
    }
    assert all(chat_hash(*each) != chat_hash(salt, text) for each in wrong.values())
    return {
        "salt": salt.hex(),
        "text": text,
        "hash": chat_hash(salt, text).hex(),
        "refused": [{"why": why, "salt": each.hex(), "text": of_it} for why, (each, of_it) in wrong.items()],
    }


def contradictions() -> dict[str, Any]:
    first = said("answer", [0, [1]])
    seed_1, author = bytes([1]) * 32, public_bytes(KEY)
    promise = said("commit", [3, commitment(TABLE, 0, 3, author, seed_1), None, None])
    opened = said("open", [3, seed_1, bytes(32)], seq=1, prev=promise.id)
    later: dict[str, Any] = {"seq": 2, "prev": bytes([5]) * 32}
    pairs = {
        "two entries of one seq": (first, said("answer", [0, [2]])),
        "a chain that breaks": (first, said("chat", [bytes(32)], seq=1, prev=bytes([1]) * 32)),
        "two answers of one seat": (first, said("answer", [0, [2]], **later)),
        "two openings": (said("open", [0, bytes(32), bytes(32)]), said("open", [0, seed_1, bytes(32)], **later)),
        "another seed than the commit promised": (promise, said("open", [3, bytes(32), bytes(32)], **later)),
        "another seed than the opening before promised": (
            said("open", [2, bytes(32), commitment(TABLE, 0, 3, author, seed_1)]),
            said("open", [3, bytes(32), bytes(32)], head=bytes(32), **later),
        ),
    }
    alone = {
        "the same entry": (first, first),
        "answers of two seats": (first, said("answer", [1, [2]], **later)),
        "answers under two heads": (first, said("answer", [0, [2]], head=bytes(32), **later)),
        "answers under two states": (first, said("answer", [0, [2]], state=bytes([1]) * 16, **later)),
        "answers at two heights": (first, said("answer", [0, [2]], height=1, **later)),
        "entries that follow each other": (promise, opened),
        "an opening of another epoch": (promise, said("open", [3, bytes(32), bytes(32)], epoch=1, **later)),
        "two chats": (said("chat", [bytes(32)]), said("chat", [bytes([1]) * 32], **later)),
        "entries of two authors": (first, make_entry(OTHER.private, **{**PLACE, "kind": "answer", "body": [0, [2]]})),
    }
    assert all(contradiction(*pair) for pair in pairs.values())
    assert not any(contradiction(*pair) for pair in alone.values())
    return {
        "proofs": [{"why": why, **raws(pair), "code": contradiction(*pair)} for why, pair in pairs.items()],
        "refused": [{"why": why, **raws(pair)} for why, pair in alone.items()],
    }


def raws(pair: tuple[Entry, Entry]) -> dict[str, str]:
    return {"first": pair[0].raw.hex(), "second": pair[1].raw.hex()}


def vectors() -> dict[str, Any]:
    return {
        "refused encoding": refused_encodings(),
        "hash": hashes(),
        "stream": streams(),
        "roll": rolls(),
        "signature": signatures(),
        "entry": entries(),
        "chat": chats(),
        "contradiction": contradictions(),
    }
