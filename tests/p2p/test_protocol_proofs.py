"""The proofs of the vectors, checked word by word as PROTOCOL.md says it, with the group and the hashes alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from p2p.wire.codec import decode
from seeds.group import BASE, IDENTITY, L, Point, add, hash_point, hash_scalar, mul, sub, total
from seeds.hashing import H64, H, Part

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("protocol_vectors.json").read_text("utf-8"))
Rows = Sequence[Sequence[Point | None]]


def raw(text: str) -> Point:
    return Point(bytes.fromhex(text))


def points(text: str) -> list[Point]:
    data = bytes.fromhex(text)
    return [Point(data[at : at + 32]) for at in range(0, len(data), 32)]


def scalars(data: bytes) -> list[int]:
    return [int.from_bytes(data[at : at + 32], "little") for at in range(0, len(data), 32)]


def negative(point: Point) -> Point:
    return sub(IDENTITY, point)


def summed(numbers: Sequence[int], of: Sequence[Point]) -> Point:
    return total(mul(number, point) for number, point in zip(numbers, of, strict=True))


def holds(tag: str, place: Sequence[Part], rows: Rows, images: Sequence[Point], proof: bytes) -> bool:
    """Section 3.3."""
    if len(proof) != 32 * (len(rows[0]) + 1) or any(number >= L for number in scalars(proof)):
        return False
    c, *s = scalars(proof)
    t = []
    for row, image in zip(rows, images, strict=True):
        used = [(number, base) for number, base in zip(s, row, strict=True) if base is not None]
        t.append(sub(summed([number for number, _ in used], [base for _, base in used]), mul(c, image)))
    told: list[Part] = [[*row] for row in rows]
    return hash_scalar(tag, [*place], told, b"".join(images), b"".join(t)) == c


def weighed(
    tag: str, place: Sequence[Part], bases: Sequence[Point], images: Sequence[Point]
) -> tuple[Point, Point]:  # fmt: skip
    """Section 3.4."""
    if len(bases) == 1:
        return bases[0], images[0]
    h = H(f"{tag}/weights", [*place], b"".join(bases), b"".join(images))
    w = [hash_scalar(f"{tag}/weight", h, i) % 2**128 for i in range(len(bases))]
    return summed(w, bases), summed(w, images)


def shares_hold(place: Sequence[Part], x: Point, firsts: Sequence[Point], body: Sequence[str]) -> bool:
    values, proof = points(body[0]), bytes.fromhex(body[1])
    if len(values) != len(firsts):
        return False
    a, v = weighed("share", place, firsts, values)
    return holds("share", place, [[BASE], [a]], [x, v], proof)


KEYS = VECTORS["threshold keys"]
TABLE, EPOCH, ROSTER = raw(KEYS["table"]), KEYS["epoch"], raw(KEYS["roster"])
MEMBERS = [raw(member) for member in KEYS["members"]]


def test_proofs_of_each_form_hold_and_no_altered_one() -> None:
    for case in (VECTORS["proof"][name] for name in ("one logarithm", "equal logarithms", "two secrets")):
        for each in (case, *case["refused"]):
            rows = [[None if base is None else raw(base) for base in row] for row in each["rows"]]
            place: Any = decode(bytes.fromhex(each["place"]))
            images = [raw(image) for image in each["images"]]
            assert holds(each["tag"], place, rows, images, bytes.fromhex(each["proof"])) is (each is case), each.get(
                "why"
            )
    for case in VECTORS["proof"]["several"]:
        place = decode(bytes.fromhex(case["place"]))
        bases, images = [raw(base) for base in case["bases"]], [raw(image) for image in case["images"]]
        assert weighed(case["tag"], place, bases, images) == (raw(case["base"]), raw(case["image"]))


# Threshold keys ------------------------------------------------------------------------------------------------------


def announced(author: Point, body: Sequence[str]) -> bool:
    return holds("exchange", [TABLE, EPOCH, ROSTER, author], [[BASE]], [raw(body[0])], bytes.fromhex(body[1]))


def dealt(author: Point, hashed: str, body: Sequence[str]) -> bool:
    """Section 7.3: the checks of `keys`."""
    c, proofs, masks = points(body[0]), bytes.fromhex(body[1]), bytes.fromhex(body[2])
    t, place = KEYS["threshold"], [TABLE, EPOCH, ROSTER, author]
    own = 64 * MEMBERS.index(author)
    if (len(c), len(proofs), len(masks)) != (2 * t, 128, 64 * len(MEMBERS)) or any(masks[own : own + 64]):
        return False
    rows: list[Part] = [[*c[:t]], [*c[t:]]]
    first = holds("dealt", [*place, "dice"], [[BASE]], [c[0]], proofs[:64])
    second = holds("dealt", [*place, "seal"], [[BASE]], [c[t]], proofs[64:])
    return H("coefficients", place, rows).hex() == hashed and first and second


def test_the_threshold_keys_follow_from_announcements_and_dealings() -> None:
    assert H("roster", MEMBERS) == ROSTER
    assert KEYS["threshold"] == len(MEMBERS) // 2 + 1
    for author, announcement, body in zip(MEMBERS, KEYS["announcements"], KEYS["keys"], strict=True):
        assert announced(author, announcement)
        assert dealt(author, announcement[2], body)
    for case in KEYS["refused keys"]:
        assert not dealt(raw(case["author"]), KEYS["announcements"][0][2], case["body"]), case["why"]
    bodies: list[Part] = [[bytes.fromhex(part) for part in body] for body in KEYS["keys"]]
    assert H("dealings", TABLE, EPOCH, ROSTER, b"", bodies).hex() == KEYS["ok"]
    t = KEYS["threshold"]
    for at, purpose in enumerate(("dice", "seal")):
        rows = [points(body[0])[at * t : at * t + t] for body in KEYS["keys"]]
        assert total(row[0] for row in rows).hex() == KEYS["public"][purpose]
        for index, share in enumerate(KEYS["shares"][purpose], 1):
            assert total(mul(pow(index, d), c) for row in rows for d, c in enumerate(row)).hex() == share


@pytest.mark.parametrize("why", KEYS["complaints"])
def test_a_complaint_convicts_the_dealer_or_its_author(why: str) -> None:
    """Section 7.3."""
    case = KEYS["complaints"][why]
    author, (named, pair, proof) = raw(case["author"]), case["complaint"]
    dealer, k = raw(named), raw(pair)
    exchange = dict(zip(MEMBERS, (raw(each[0]) for each in KEYS["announcements"]), strict=True))
    false = dealer not in MEMBERS or dealer == author
    if not false:
        relation: Rows = [[BASE], [exchange[dealer]]]
        place = [TABLE, EPOCH, ROSTER, author, dealer]
        false = not holds("complaint", place, relation, [exchange[author], k], bytes.fromhex(proof))
    if not false:
        index = MEMBERS.index(author) + 1
        masks = bytes.fromhex(case["keys"][2])[64 * (index - 1) : 64 * index]
        mask = H64("feldman/share", [TABLE, EPOCH, ROSTER, dealer], author, k)
        values = scalars(bytes(one ^ other for one, other in zip(masks, mask, strict=True)))
        c, t = points(case["keys"][0]), KEYS["threshold"]
        lies = [total(mul(pow(index, d), each) for d, each in enumerate(row)) for row in (c[:t], c[t:])]
        false = all(value < L and mul(value, BASE) == point for value, point in zip(values, lies, strict=True))
    code, culprit = ("keys/false-complaint", author) if false else ("keys/bad-share", dealer)
    assert (case["code"], case["culprit"]) == (code, culprit.hex())


def partial_holds(key: dict[str, Any], purpose: str, author: Point, base: Point, data: bytes) -> bool:
    members = [raw(member) for member in key["members"]]
    place = [TABLE, key["epoch"], purpose, H("roster", members), raw(key["public"]), author]
    share = raw(key["shares"][members.index(author)])
    return holds("partial", place, [[BASE], [base]], [share, Point(data[:32])], data[32:])


def combined(values: Sequence[Point], indices: Sequence[int]) -> Point:
    """Section 7.4."""
    weights = []
    for j in indices:
        above = below = 1
        for i in indices:
            if i != j:
                above, below = above * i % L, below * (i - j) % L
        weights.append(above * pow(below, -1, L) % L)
    return summed(weights, values)


def test_any_two_partials_of_three_lift_the_lock() -> None:
    lock = VECTORS["lock"]
    base = hash_point("dice/in", TABLE, lock["epoch"], lock["k"])
    assert base.hex() == lock["point"]
    packed = [bytes.fromhex(each) for each in lock["partials"]]
    for author, data in zip(MEMBERS, packed, strict=True):
        assert partial_holds(lock, "dice", author, base, data)
    for case in lock["refused"]:
        data = bytes.fromhex(case["partial"])
        assert case["code"] == "lock/form" or not partial_holds(lock, "dice", raw(case["author"]), base, data)
    for one, other in ((1, 2), (1, 3), (2, 3)):
        values = [Point(packed[one - 1][:32]), Point(packed[other - 1][:32])]
        assert combined(values, [one, other]).hex() == lock["gamma"]


# Cards ---------------------------------------------------------------------------------------------------------------


def test_deck_keys_hold_and_add_up() -> None:
    keys = VECTORS["deck keys"]
    place = [TABLE, keys["generation"], raw(keys["roster"])]
    for author, key in zip(MEMBERS, keys["keys"], strict=True):
        assert holds("pok", [*place, author], [[BASE]], points(key[:64]), bytes.fromhex(key[64:]))
    assert total(raw(key[:64]) for key in keys["keys"]).hex() == keys["public"]
    for case in keys["refused"]:
        data, author = bytes.fromhex(case["key"]), raw(case["author"])
        assert case["code"] == "deck/form" or not holds(
            "pok", [*place, author], [[BASE]], [Point(data[:32])], data[32:]
        )


def shuffle_holds(place: Any, y: Point, before: str, body: Sequence[str]) -> bool:
    """Section 8.4."""
    cards, p, s = points(before), points(body[0]), scalars(bytes.fromhex(body[1]))
    n = len(cards) // 2
    if len(p) != 4 * n + 6 or len(s) != 5 + n or any(number >= L for number in s):
        return False
    out, c, chain, t = p[: 2 * n], p[2 * n : 3 * n], p[3 * n : 4 * n], p[4 * n :]
    told: list[Part] = [place, y, bytes.fromhex(before), b"".join(out), b"".join(c)]
    h = [hash_point("tw/gen", i) for i in range(n + 1)]
    big_u, big_z = H("tw/u", *told), H("tw/z", *told, b"".join(chain))
    u = [hash_scalar("tw/u", big_u, i) for i in range(n)]
    z = [1, *(hash_scalar("tw/z", big_z, i) for i in range(1, n))]
    x = hash_scalar("tw/c", *told, b"".join(chain), b"".join(t))
    s1, s2, s3, s4, s_hat, *s_prime = s
    product = 1
    for number in u:
        product = product * number % L
    links = [h[0], *chain[:-1]]
    left = [
        mul(s1, BASE),
        mul(s2, BASE),
        add(mul(s3, BASE), summed(s_prime, h[1:])),
        sub(summed(s_prime, out[1::2]), mul(s4, y)),
        sub(summed(s_prime, out[::2]), mul(s4, BASE)),
        add(mul(s_hat, BASE), summed([one * each % L for one, each in zip(z, s_prime, strict=True)], links)),
    ]
    right = [
        sub(total(c), total(h[1:])),
        sub(chain[-1], mul(product, h[0])),
        summed(u, c),
        summed(u, cards[1::2]),
        summed(u, cards[::2]),
        summed(z, chain),
    ]
    return left == [add(each, mul(x, image)) for each, image in zip(t, right, strict=True)]


def test_shuffles_hold_and_no_altered_one() -> None:
    case = VECTORS["shuffle"]
    y = raw(case["public"])
    for turn in (case["shuffle"], *case["following"]):
        assert shuffle_holds(decode(bytes.fromhex(turn["place"])), y, turn["input"], turn["body"])
    for turn in (*case["refused"], *case["refused elsewhere"]):
        place = decode(bytes.fromhex(turn["place"]))
        assert turn.get("code") == "deck/form" or not shuffle_holds(place, y, turn["input"], turn["body"]), turn["why"]


def deck_place(y: Point, author: Point, *what: Part, generation: int = 0, members: Sequence[Point] = ()) -> list[Part]:
    return [TABLE, generation, H("roster", [*(members or MEMBERS)]), y, *what, author]


def remask_holds(y: Point, author: Point, handle: Sequence[Any], old: str, body: Sequence[str]) -> bool:
    (a, b), pair, proof = points(old), points(body[0]), bytes.fromhex(body[1])
    if len(pair) != 2 or pair[0] == a:
        return False
    place = deck_place(y, author, *handle, a + b)
    return holds("remask", place, [[BASE], [y]], [sub(pair[0], a), sub(pair[1], b)], proof)


def test_readings_hold_and_open_the_cards() -> None:
    """Section 8.5."""
    case = VECTORS["reading"]
    y, x = raw(case["public"]), dict(zip(MEMBERS, map(raw, case["points"]), strict=True))
    for entry in (entry for step in case["steps"] for entry in step["entries"]):
        author = raw(entry["author"])
        if "share" in entry:
            assert shares_hold(deck_place(y, author), x[author], [raw(a) for a in entry["firsts"]], entry["share"])
        else:
            assert remask_holds(y, author, entry["handles"][0], entry["old"][0], entry["remask"])
    for each in case["refused shares"]:
        author = raw(each["author"])
        good = shares_hold(deck_place(y, author), x[author], [raw(a) for a in each["firsts"]], each["share"])
        assert each["code"] == "deck/form" or not good
    for each in case["refused remasks"]:
        good = remask_holds(y, raw(each["author"]), ["bag", 0], each["old"], each["remask"])
        assert each["code"] == "deck/form" or not good


def test_a_choice_that_others_open_holds_and_opens() -> None:
    """Section 8.7."""
    choice = VECTORS["choice"]
    forced, author, handle = choice["forced"], raw(choice["author"]), choice["handle"]
    key = forced["key"]
    place: list[Part] = [TABLE, key["epoch"], "seal", ROSTER, raw(key["public"]), author]

    def sealed(body: Sequence[str]) -> bool:
        committed, r, text, proof = map(bytes.fromhex, body)
        return holds("seal/pok", [*place, *handle, committed, text], [[BASE]], [Point(r)], proof)

    assert sealed(forced["seal"])
    for case in forced["refused seals"]:
        r = case["seal"][1]
        assert (
            len(case["seal"]) < 4
            or len(case["seal"][2]) != 1088
            or not any(bytes.fromhex(r))
            or not sealed(case["seal"])
        )
    r = raw(forced["seal"][1])
    values, indices = [], []
    for member, data in forced["partials"]:
        assert partial_holds(key, "seal", raw(member), r, bytes.fromhex(data))
        values.append(Point(bytes.fromhex(data)[:32]))
        indices.append(MEMBERS.index(raw(member)) + 1)
    assert combined(values, indices).hex() == forced["shared"]
    assert choice["commitment"] == committed_to(choice, choice["value"], choice["nonce"])
    assert forced["seal"][0] == committed_to(choice, forced["value"], forced["nonce"])


def committed_to(choice: dict[str, Any], value: str, nonce: str) -> str:
    said = [bytes.fromhex(choice["author"]), bytes.fromhex(value), bytes.fromhex(nonce)]
    return H("seal", TABLE, choice["epoch"], *choice["handle"], *said).hex()


def test_a_deck_dealt_anew_holds_step_by_step() -> None:
    """Section 8.9."""
    case = VECTORS["anew"]
    members, y = [raw(member) for member in case["members"]], raw(case["public"])
    x = dict(zip(members, map(raw, case["new points"]), strict=True))

    def place(author: Point, *what: Part) -> list[Part]:
        return deck_place(y, author, *what, generation=case["generation"], members=members)

    cards = b"".join(BASE + add(hash_point("card", TABLE, "bag", number), y) for number in case["numbers"]).hex()
    for turn in case["shuffle"]:
        assert turn["input"] == cards
        assert shuffle_holds(decode(bytes.fromhex(turn["place"])), y, cards, turn["body"])
        cards = turn["body"][0][: len(cards)]
    (hand,), (said,) = case["hands"], case["remask"]
    a, b = points(hand["old"])
    rest = sub(b, total(raw(share) for member, share in hand["shares"].items() if member != hand["reader"]))
    reader, old = raw(hand["reader"]), raw(case["old points"][0])

    def in_hand(body: Sequence[str]) -> bool:
        pair, proof = points(body[0]), bytes.fromhex(body[1])
        rows: Rows = [[BASE, None], [None, BASE], [a, negative(y)]]
        return holds("hand", place(reader, "hand", *hand["handle"]), rows, [old, pair[0], sub(rest, pair[1])], proof)

    assert in_hand(said["body"])
    for each in case["refused remask"]:
        assert each["code"] == "anew/form" or not in_hand(each["body"]), each["why"]
    before = cards + said["body"][0]

    def blinded(author: Point, body: Sequence[str]) -> bool:
        k = raw(body[1])
        one, image = weighed("blind", place(author, "bag", k), points(before), points(body[0]))
        return holds("blind", place(author, "bag"), [[BASE], [one]], [k, image], bytes.fromhex(body[2]))

    for number, turn in enumerate(case["tag"]):
        assert turn["before"] == before
        assert blinded(raw(turn["author"]), turn["body"])
        for each in case["refused tag"] if number == 0 else ():
            assert each["code"] == "anew/form" or not blinded(raw(each["author"]), each["body"]), each["why"]
        before = turn["body"][0]
    firsts, seconds = points(before)[::2], points(before)[1::2]
    shared = []
    for turn in case["share"]:
        author = raw(turn["author"])
        mine = [*firsts, *(points(said["body"][0])[:1] if author != reader else [])]
        assert [first.hex() for first in mine] == turn["firsts"]
        assert shares_hold(place(author), x[author], mine, turn["body"])
        shared.append(points(turn["body"][0]))
    tags = [sub(b, total(of[at] for of in shared)).hex() for at, b in enumerate(seconds)]
    assert tags == case["tags"]
    lying = dict(laid(case, tags, cards, said["body"][0]))
    assert lying == {tuple(each["handle"]): each["forms"][0]["pair"] for each in case["lying"]}


def laid(case: dict[str, Any], tags: Sequence[str], cards: str, hands: str) -> Iterator[tuple[tuple[str, int], str]]:
    count = len(cards) // 128
    for at, hand in enumerate(case["hands"]):
        yield (hand["handle"][0], hand["handle"][1]), hands[128 * at : 128 * at + 128]
    left = [at for at in range(count) if tags[at] not in tags[count:]]
    for (deck, index), at in zip(case["free"], left, strict=True):
        yield (deck, index), cards[128 * at : 128 * at + 128]
