"""Vectors of secret choices, and of a deck dealt anew."""

from __future__ import annotations

from hashlib import shake_256
from typing import Any

from vectorcards import BAG, decks_of, read_all, ring_of, turn, x_of
from vectorkit import MEMBERS, TABLE, beyond, code_of, flipped, fresh, secret, shown
from vectorproofs import EPOCH, Run

from p2p.wire.codec import encode
from seeds.anew import DealingAnew, read_blinded, read_hand
from seeds.choices import ForcedOpening, check_choice, make_choice, read_choice
from seeds.group import IDENTITY, base, mul, pack
from seeds.hashing import message
from seeds.opendeck import Handle
from seeds.proofs import logarithm, prove
from seeds.seals import seal_commitment
from seeds.threshold import lagrange, make_partial, read_partial
from seeds.turns import CheckedShuffle

HEAD = bytes(range(32))

# Secret choices ------------------------------------------------------------------------------------------------------


def choices() -> dict[str, Any]:
    author, handle, nonce = MEMBERS[0], ("seals", 4), bytes([3]) * 32
    value = encode([5, "pass"])
    committed = seal_commitment(TABLE, EPOCH, handle, author, value, nonce)
    openings = {
        "another value": (encode([6, "pass"]), nonce),
        "another nonce": (value, flipped(nonce)),
        "no nonce": (value, b""),
        "another encoding": (b"\x82\x18\x05" + value[2:], nonce),
        "nothing": (b"", nonce),
    }
    assert all(seal_commitment(TABLE, EPOCH, handle, author, *each) != committed for each in openings.values())
    return {
        "table": TABLE.hex(),
        "epoch": EPOCH,
        "handle": shown(handle),
        "author": author.hex(),
        "value": value.hex(),
        "nonce": nonce.hex(),
        "commitment": committed.hex(),
        "refused openings": [
            {"why": why, "value": each.hex(), "nonce": of_it.hex()} for why, (each, of_it) in openings.items()
        ],
        "forced": forced(author, handle),
    }


def forced(author: bytes, handle: Handle) -> dict[str, Any]:
    """A choice that two of three others open."""
    run, value = Run().finished(), encode([5, "pass"])
    key = run.run.key("seal")
    choice = make_choice(key, secret(author), author, handle, HEAD, value, fresh("choice"))
    committed, point, text, proof = choice.plain()
    partials = {
        member: make_partial(key, member, run.dealers[member].share("seal"), choice.point, fresh("forced", member))
        for member in MEMBERS[1:3]
    }
    opening = ForcedOpening(key, author, handle, choice)
    for member, partial in partials.items():
        assert opening.release(member, partial) is None
    assert opening.value == value
    wrong: dict[str, list[bytes]] = {
        "another commitment": [flipped(committed), point, text, proof],
        "another point": [committed, base(5), text, proof],
        "the identity": [committed, IDENTITY, text, proof],
        "another text": [committed, point, flipped(text), proof],
        "a text of 543 bytes": [committed, point, text[:-1], proof],
        "another proof": [committed, point, text, flipped(proof)],
        "no proof": [committed, point, text],
    }
    for body in wrong.values():
        read = read_choice(body)
        assert read is None or not check_choice(key, author, handle, read)
    helper = MEMBERS[1]
    packed = partials[helper].packed()
    others = {
        "another value": base(5) + packed[32:],
        "another challenge": flipped(packed, 32),
        "a response of L or more": beyond(packed, 64),
        "that of another member": partials[MEMBERS[2]].packed(),
        "a byte less": packed[:-1],
    }
    return {
        "key": {
            "epoch": key.epoch,
            "members": shown(key.members),
            "public": key.public.hex(),
            "shares": shown(key.shares),
        },
        "seal": shown([committed, point, text, proof]),
        "partials": [[member.hex(), partial.packed().hex()] for member, partial in partials.items()],
        "shared": mul(sum_of(run), choice.point).hex(),
        "value": shown(opening.value),
        "nonce": shown(opening.nonce),
        "refused seals": [{"why": why, "seal": shown(body), "code": "seal/form"} for why, body in wrong.items()],
        "refused partials": [
            {
                "why": why,
                "author": helper.hex(),
                "partial": data.hex(),
                "code": helped(key, author, handle, choice, data),
            }
            for why, data in others.items()
        ],
        "unopenable": [unopenable(key, run, author, handle, why) for why in ("value", "nonce", "length", "filling")],
    }


def sum_of(run: Run) -> int:
    weights = lagrange([1, 2])
    return sum(weight * run.dealers[member].share("seal") for weight, member in zip(weights, MEMBERS, strict=False))


def helped(key: Any, author: bytes, handle: Handle, choice: Any, data: bytes) -> str:
    partial = read_partial(data)
    if partial is None:
        return "seal/form"
    return code_of(ForcedOpening(key, author, handle, choice).release, MEMBERS[1], partial)


def unopenable(key: Any, run: Run, author: bytes, handle: Handle, what: str) -> dict[str, Any]:
    """A seal under a right proof whose text does not fit its commitment."""
    value, nonce, r = encode([5, "pass"]), bytes([3]) * 32, 77
    committed = seal_commitment(TABLE, EPOCH, handle, author, value, nonce)
    size = 511 if what == "length" else len(value)
    kept = flipped(value) if what == "value" else value
    filled = kept.ljust(510, b"\1" if what == "filling" else b"\0")
    plain = size.to_bytes(2, "big") + filled + (flipped(nonce) if what == "nonce" else nonce)
    point, shared = base(r), mul(r, key.public)
    mask = shake_256(message("seal/kem", key.place(author), *handle, point, shared)).digest(544)
    text = bytes(one ^ other for one, other in zip(mask, plain, strict=True))
    place = [*key.place(author), *handle, committed, text]
    proof = prove("seal/pok", place, logarithm(point), [r], fresh(what)).packed()
    read = read_choice([committed, point, text, proof])
    assert read is not None
    assert check_choice(key, author, handle, read)
    opening = ForcedOpening(key, author, handle, read)
    opening.open_by(shared)
    assert opening.fault is not None
    return {
        "why": what,
        "seal": shown([committed, point, text, proof]),
        "shared": shared.hex(),
        "code": opening.fault.code,
    }


# Dealt anew ----------------------------------------------------------------------------------------------------------


def anew() -> dict[str, Any]:
    """A deck of which the first member holds a card and the third one too, who is gone."""
    decks, _ = decks_of(MEMBERS[:3], [10, "a", 11, 12])
    for reader, handle in ((MEMBERS[0], BAG[0]), (MEMBERS[2], BAG[1])):
        decks.begin_reading([handle], reader)
        read_all(decks)
        decks.finish()
    decks.begin_reading([BAG[2]], None)
    read_all(decks)
    known = decks.finish()
    keys = ring_of(MEMBERS[:2], 1)[0].keys()
    dealing = DealingAnew(decks, keys, "bag")
    assert [handle for handle, _ in dealing.hands] == [BAG[0]]
    form = decks.card(BAG[0]).pairs[-1]
    found: dict[str, Any] = {
        "old points": shown(decks.keys.points),
        "new points": shown(keys.points),
        "public": keys.public.hex(),
        "members": shown(keys.members),
        "generation": 1,
        "deck": "bag",
        "known": shown([[BAG[2], known]]),
        "hands": [
            {
                "handle": shown(BAG[0]),
                "reader": MEMBERS[0].hex(),
                "old": pack(form.sealed).hex(),
                "shares": {member.hex(): share.hex() for member, share in form.shares.items()},
            }
        ],
        "free": shown(dealing.free),
        "numbers": [number for number in decks.numbers["bag"] if number != decks.card(BAG[2]).known],
        "shuffle": [],
    }
    while (task := dealing.task) is not None:
        shuffled = task.make(fresh("anew", task.turn))
        found["shuffle"].append(turn(task, shuffled.plain()))
        checked = task.check(task.member, shuffled)
        assert isinstance(checked, CheckedShuffle)
        dealing.take(checked)
    hand = dealing.make_hand(MEMBERS[0], x_of(MEMBERS[0]), fresh("hand"))
    found["remask"] = [{"author": MEMBERS[0].hex(), "body": shown(hand.plain())}]
    found["refused remask"] = refused_hands(dealing, hand.plain())
    assert dealing.hand(MEMBERS[0], hand) is None
    found["tag"] = []
    for member in keys.members:
        before = pack(half for pair in dealing.unblinded() for half in pair)
        blinded = dealing.make_blinded(member, fresh("blind", member))
        if member == keys.members[0]:
            found["refused tag"] = refused_tags(dealing, member, blinded.plain())
        assert dealing.blind(member, blinded) is None
        found["tag"].append({"author": member.hex(), "before": before.hex(), "body": shown(blinded.plain())})
    found["share"] = []
    for member in keys.members:
        shares = dealing.make_share(member, x_of(member, 1), fresh("share", member))
        firsts = dealing.firsts(member)
        found["share"].append({"author": member.hex(), "firsts": shown(firsts), "body": shown(shares.plain())})
        assert dealing.share(member, shares) is None
    found["tags"] = shown(dealing.tags())
    after = decks.successor(keys)
    dealing.lay(after)
    lying = {handle: card for handle, card in after.lying.items() if card.known is None}
    found["lying"] = [
        {
            "handle": shown(handle),
            "forms": [
                {
                    "pair": pack(pair.sealed).hex(),
                    "reader": shown(pair.reader),
                    "shares": {member.hex(): share.hex() for member, share in pair.shares.items()},
                }
                for pair in card.pairs
            ],
        }
        for handle, card in lying.items()
    ]
    return found


def refused_hands(dealing: DealingAnew, good: list[bytes]) -> list[dict[str, Any]]:
    pairs, proof = good
    wrong: dict[str, list[bytes]] = {
        "another first half": [base(5) + pairs[32:], proof],
        "another card": [pairs[:32] + base(5), proof],
        "another challenge": [pairs, flipped(proof)],
        "another response for x": [pairs, flipped(proof, 32)],
        "another response for r": [pairs, flipped(proof, 64)],
        "a response less": [pairs, proof[:-32]],
        "a pair less": [b"", proof],
    }
    found = []
    for why, body in wrong.items():
        read = read_hand(body, 1)
        code = "anew/form" if read is None else code_of(dealing.hand, MEMBERS[0], read)
        found.append({"why": why, "body": shown(body), "code": code})
    return found


def refused_tags(dealing: DealingAnew, author: bytes, good: list[bytes]) -> list[dict[str, Any]]:
    pairs, anchor, proof = good
    wrong: dict[str, list[bytes]] = {
        "another pair": [base(5) + pairs[32:], anchor, proof],
        "pairs in another order": [pairs[64:] + pairs[:64], anchor, proof],
        "another K": [pairs, base(5), proof],
        "another challenge": [pairs, anchor, flipped(proof)],
        "a response of L or more": [pairs, anchor, beyond(proof, 32)],
        "a pair less": [pairs[:-64], anchor, proof],
    }
    found = []
    for why, body in wrong.items():
        read = read_blinded(body, len(dealing.unblinded()))
        code = "anew/form" if read is None else code_of(dealing.judge_blind, author, read)
        found.append({"why": why, "author": author.hex(), "body": shown(body), "code": code})
    return found


def vectors() -> dict[str, Any]:
    return {"choice": choices(), "anew": anew()}
