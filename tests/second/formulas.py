# SPDX-License-Identifier: GPL-3.0-or-later
"""The formulas that give one output for their inputs: whether an output is the one that follows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from second import told
from second.cards import card_point
from second.codec import encode
from second.decks import OpenDecks
from second.dice import roll_value, weights
from second.group import hashed_point
from second.hashing import H64, H, Stream, kdf, message, number
from second.proofs import one_pair
from second.vectors import VECTORS, handle, plain, raw, whole

Case = dict[str, Any]


def part(value: Any) -> Any:
    """A part of a hash, which stands in the vectors behind its letter."""
    if value == "n":
        return None
    letter, body = value
    if letter == "l":
        return list(map(part, body))
    return int(body) if letter == "i" else raw(body) if letter == "b" else body


def hashed(case: Case) -> bool:
    """Of the functions, those that the case has."""
    tag, parts = case["tag"], list(map(part, case["parts"]))
    found = {
        "message": message(tag, *parts).hex(),
        "H": H(tag, *parts).hex(),
        "H64": H64(tag, *parts).hex(),
        "number": number(tag, *parts),
        "point": hashed_point.__wrapped__(tag, *parts).hex(),
        "kdf": kdf(raw(case["key"]), tag, *parts).hex(),
    }
    said = {name: whole(case[name]) if name == "number" else case[name] for name in found if name in case}
    return bool(said == {name: found[name] for name in said})


def streamed(case: Case) -> bool:
    """Of the draws, those that the case has."""
    seed = raw(case["seed"])
    words, below = Stream(seed, "dice").words, Stream(seed, "dice")
    checks: dict[str, Callable[[Any], bool]] = {
        "words of dice": lambda said: [next(words) for _ in said] == said,
        "below": lambda said: [below.below(size) for size in said["sizes"]] == said["numbers"],
        "dice": lambda said: Stream(seed, "dice").dice(said["sides"]) == said["faces"],
        "permutations": lambda said: all(
            Stream(seed, "shuffle").permutation(each["count"]) == each["order"] for each in said
        ),
    }
    return all(check(case[name]) for name, check in checks.items() if name in case)


def basis(case: Case) -> bool:
    return bool(H("basis", raw(case["ids"])).hex() == case["basis"])


def head(case: Case) -> bool:
    digest = told.told(case["record"]) if case["record"] is not None else None
    parts = raw(case["head"]), case["height"], raw(case["ids"]), raw(case["pacts"])
    return bool(H("head", *parts, digest).hex() == case["next"])


def state(case: Case) -> bool:
    return bool(H("state", raw(case["game"]), told.told(case["record"]))[:16].hex() == case["state"])


def fingerprint(case: Case) -> bool:
    found = [VECTORS["words"][byte] for byte in H("fingerprint", raw(case["identity"]))[:10]]
    return bool(" ".join(found) == case["words"])


def content(case: Case) -> bool:
    return bool(hashlib.blake2b(raw(case["content"]), digest_size=16).hexdigest() == case["id"])


def value(case: Case) -> bool:
    """Of the roll in the vectors: its value, and faces if the case has any."""
    roll = VECTORS["roll"]
    found = roll_value(raw(roll["table"]), roll["epoch"], roll["k"], raw(case["seeds"]), raw(case["gamma"]))
    dice = case.get("dice", {"sides": [], "faces": []})
    return bool(found.hex() == case["value"] and Stream(found, "dice").dice(dice["sides"]) == dice["faces"])


def several(case: Case) -> bool:
    pair = one_pair(case["tag"], plain(case["place"]), raw(case["bases"]), raw(case["images"]))
    return bool(pair == (raw(case["base"]), raw(case["image"])))


def weighed(case: Case) -> bool:
    return bool(weights(case["indices"]) == list(map(whole, case["weights"])))


def coefficients(case: Case) -> bool:
    return bool(H("coefficients", plain(case["place"]), raw(case["rows"])).hex() == case["hash"])


def card(case: Case) -> bool:
    return bool(card_point(raw(case["table"]), case["deck"], case["number"]).hex() == case["point"])


def open_deck(case: Case, decks: OpenDecks | None = None) -> bool:
    """One shuffle. decks: as they were before it."""
    decks, found, handles = decks or OpenDecks(), raw(case["value"]), list(map(handle, case["handles"]))
    decks.shuffle(found, case["cards"], handles)
    order = Stream(found, "shuffle").permutation(len(handles))
    return bool(order == case["order"] and [decks.faces[name] for name in handles] == case["faces"])


def record(case: Case) -> bool:
    known = plain(case["encoding"])
    return bool(encode(known).hex() == case["encoding"] and told.told(known).hex() == case["told"])


FORMULAS: dict[str, Callable[[Case], bool]] = {
    "hash": hashed,
    "stream": streamed,
    "basis": basis,
    "head": head,
    "state": state,
    "told": record,
    "fingerprint": fingerprint,
    "content": content,
    "value": value,
    "several": several,
    "weights": weighed,
    "coefficients": coefficients,
    "card": card,
    "open deck": open_deck,
}
"""By the names of the vectors, which hold one case or a list of them; "refused NAME" holds cases that do not follow."""
