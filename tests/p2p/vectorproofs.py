"""Vectors of proofs, threshold keys and locks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vectorkit import MEMBERS, TABLE, beyond, code_of, flipped, fresh, mixed, secret, shown

from seeds.dealing import (
    Complaint,
    Dealing,
    KeyDealer,
    KeyGeneration,
    coefficients_hash,
    read_announcement,
    read_dealing,
)
from seeds.errors import Fault
from seeds.group import BASE, IDENTITY, L, Point, add, base, hash_point, mul, read_point, read_scalar
from seeds.hashing import Part
from seeds.proofs import Relation, check, equal_logarithms, logarithm, prove, read_proof, weighted
from seeds.threshold import (
    Partial,
    ThresholdKey,
    check_partial,
    combine,
    lagrange,
    make_partial,
    read_partial,
    roll_point,
    roster_hash,
)

EPOCH = 2


def proof(tag: str, place: Sequence[Part], relation: Relation, secrets: Sequence[int]) -> dict[str, Any]:
    """A proof with its statement, and what is none."""
    packed = prove(tag, place, relation, secrets, fresh(tag)).packed()
    other = Relation(relation.rows, (base(5), *relation.images[1:]))
    return {
        "tag": tag,
        "place": mixed(place),
        "rows": shown(relation.rows),
        "images": shown(relation.images),
        "proof": packed.hex(),
        "refused": [
            refused("another challenge", tag, place, relation, flipped(packed)),
            refused("another response", tag, place, relation, flipped(packed, 32)),
            refused("a response of L or more", tag, place, relation, beyond(packed, len(packed) - 32)),
            refused("a byte less", tag, place, relation, packed[:-1]),
            refused("a scalar more", tag, place, relation, packed + bytes(32)),
            refused("another place", tag, [*place[:-1], MEMBERS[3]], relation, packed),
            refused("another image", tag, place, other, packed),
            refused("another tag", f"{tag}s", place, relation, packed),
        ],
    }


def refused(why: str, tag: str, place: Sequence[Part], relation: Relation, packed: bytes) -> dict[str, Any]:
    read = read_proof(packed, len(relation.rows[0]))
    assert read is None or not check(tag, place, relation, read), why
    return {
        "why": why,
        "tag": tag,
        "place": mixed(place),
        "rows": shown(relation.rows),
        "images": shown(relation.images),
        "proof": packed.hex(),
    }


def proofs() -> dict[str, Any]:
    """One proof of each form of relation: one row, two rows, three rows with two secrets."""
    place: list[Part] = [TABLE, EPOCH, roster_hash(MEMBERS[:3]), None, [1, "two"], MEMBERS[0]]
    other, third = hash_point("base"), hash_point("third")
    three = Relation(
        ((BASE, None), (None, BASE), (other, third)),
        (base(3), base(4), add(mul(3, other), mul(4, third))),
    )
    return {
        "one logarithm": proof("pok", place, logarithm(base(3)), [3]),
        "equal logarithms": proof("partial", place, equal_logarithms(base(3), other, mul(3, other)), [3]),
        "two secrets": proof("hand", place, three, [3, 4]),
        "several": several(place),
    }


def several(place: Sequence[Part]) -> list[dict[str, Any]]:
    found = []
    for count in (1, 2, 5):
        bases = [hash_point("base", number) for number in range(count)]
        images = [mul(3, point) for point in bases]
        one, image = weighted("share", place, bases, images)
        assert image == mul(3, one)
        found.append(
            {
                "tag": "share",
                "place": mixed(place),
                "bases": shown(bases),
                "images": shown(images),
                "base": one.hex(),
                "image": image.hex(),
            }
        )
    return found


# The group -----------------------------------------------------------------------------------------------------------


def group() -> dict[str, Any]:
    """What is a point or a scalar of a message, and what is not."""
    points = [base(1), base(2), hash_point("dice/in", TABLE, 2, 5)]
    wrong = {
        "the identity": bytes(32),
        "the highest bit set": base(2)[:-1] + bytes([base(2)[-1] | 128]),
        "an odd number": b"\x01" + bytes(31),
        "p and more": bytes.fromhex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
        "no square": bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
        "a byte less": base(2)[:-1],
        "a byte more": base(2) + b"\x00",
    }
    numbers = [0, 1, L - 1]
    high = [L, L + 5, 2**255 - 1, 2**255, 2**256 - 1]
    assert [read_point(point) for point in points] == points
    assert all(read_point(data) is None for data in wrong.values())
    assert [read_scalar(number.to_bytes(32, "little")) for number in numbers] == numbers
    assert all(read_scalar(number.to_bytes(32, "little")) is None for number in high)
    return {
        "points": shown(points),
        "refused points": shown(wrong),
        "scalars": [number.to_bytes(32, "little").hex() for number in numbers],
        "refused scalars": [number.to_bytes(32, "little").hex() for number in high],
    }


# Threshold keys ------------------------------------------------------------------------------------------------------


class Run:
    """Threshold keys of the first three members."""

    def __init__(self, epoch: int = EPOCH) -> None:
        self.run = KeyGeneration(TABLE, epoch, MEMBERS[:3])
        self.dealers = {member: KeyDealer(secret(member), self.run, member) for member in self.run.members}
        self.announced = {member: dealer.announcement(fresh(member)) for member, dealer in self.dealers.items()}
        for member, announcement in self.announced.items():
            assert self.run.announce(member, announcement) is None
        self.dealt = {member: dealer.dealing(fresh(member)) for member, dealer in self.dealers.items()}

    def finished(self) -> Run:
        for member, dealing in self.dealt.items():
            assert self.run.deal(member, dealing) is None
        for member in self.run.members:
            assert self.run.ok(member, self.run.digest()) is None
        return self


def announced(member: bytes, body: list[bytes]) -> object:
    """What the program says of an announcement."""
    read = read_announcement(body)
    return (
        Fault("keys/form", member) if read is None else KeyGeneration(TABLE, EPOCH, MEMBERS[:3]).announce(member, read)
    )


def dealt(member: bytes, body: list[bytes]) -> object:
    read = read_dealing(body, 3)
    return Fault("keys/form", member) if read is None else Run().run.deal(member, read)


def threshold_keys() -> dict[str, Any]:
    run = Run().finished()
    author = MEMBERS[0]
    announcement, dealing = run.announced[author].plain(), run.dealt[author].plain()
    return {
        "table": TABLE.hex(),
        "epoch": EPOCH,
        "members": shown(MEMBERS[:3]),
        "roster": roster_hash(MEMBERS[:3]).hex(),
        "threshold": run.run.t,
        "announcements": [shown(run.announced[member].plain()) for member in MEMBERS[:3]],
        "keys": [shown(run.dealt[member].plain()) for member in MEMBERS[:3]],
        "pairwise keys": [
            [run.dealers[one].pair_key(other).hex() if one != other else "" for other in MEMBERS[:3]]
            for one in MEMBERS[:3]
        ],
        "ok": run.run.digest().hex(),
        "public": {purpose: run.run.key(purpose).public.hex() for purpose in ("dice", "seal")},
        "shares": {purpose: shown(run.run.key(purpose).shares) for purpose in ("dice", "seal")},
        "refused announcements": altered(
            announced,
            author,
            announcement,
            {
                "another point": [base(5), *announcement[1:]],
                "the identity": [IDENTITY, *announcement[1:]],
                "another proof": [announcement[0], flipped(announcement[1]), announcement[2]],
                "a proof of another member": [announcement[0], run.announced[MEMBERS[1]].plain()[1], announcement[2]],
                "a hash of 31 bytes": [*announcement[:2], announcement[2][:-1]],
                "no hash": announcement[:2],
            },
        ),
        "refused keys": altered(
            dealt,
            author,
            dealing,
            {
                "another coefficient": [dealing[0][:32] + base(5) + dealing[0][64:], *dealing[1:]],
                "a coefficient less": [dealing[0][:-32], *dealing[1:]],
                "the coefficients of another member": [run.dealt[MEMBERS[1]].plain()[0], *dealing[1:]],
                "another proof": [dealing[0], flipped(dealing[1]), dealing[2]],
                "a proof less": [dealing[0], dealing[1][:64], dealing[2]],
                "a share less": [*dealing[:2], dealing[2][:-64]],
                "a share for oneself": [*dealing[:2], b"\x01" + dealing[2][1:]],
            },
        ),
        "complaints": complaints(),
    }


def altered(
    judge: Callable[[bytes, list[bytes]], object], author: bytes, good: list[bytes], bodies: dict[str, list[bytes]]
) -> list[dict[str, Any]]:
    """Bodies that are refused, each with its code."""
    assert judge(author, good) is None
    return [
        {
            "why": why,
            "author": author.hex(),
            "body": shown(body),
            "code": code_of(judge, author, body),
        }
        for why, body in bodies.items()
    ]


def complaints() -> dict[str, Any]:
    """Complaints of the second member: of a share that fits, and of one that does not."""
    dealer, author = MEMBERS[0], MEMBERS[1]
    found: dict[str, Any] = {}
    cases: list[tuple[str, bytes, Callable[[Complaint], Complaint]]] = [
        ("of a share that does not fit", bytes([1]), lambda one: one),
        ("of a share that fits", bytes(1), lambda one: one),
        ("with another pairwise key", bytes([1]), lambda one: Complaint(one.dealer, base(5), one.proof)),
        ("with another proof", bytes([1]), lambda one: Complaint(one.dealer, one.pair, replaced(one))),
        ("of oneself", bytes([1]), lambda one: Complaint(author, one.pair, one.proof)),
        ("of a stranger", bytes([1]), lambda one: Complaint(MEMBERS[3], one.pair, one.proof)),
    ]
    for why, wrong, change in cases:
        run = Run()
        dealing = run.dealt[dealer]
        shares = list(dealing.shares)
        shares[1] = bytes([shares[1][0] ^ wrong[0]]) + shares[1][1:]
        run.dealt[dealer] = Dealing(dealing.coefficients, dealing.proofs, tuple(shares))
        for member in run.run.members:
            assert run.run.deal(member, run.dealt[member]) is None
        complaint = change(made_complaint(run, dealer, author))
        fault = run.run.complain(author, complaint)
        found[why] = {
            "author": author.hex(),
            "keys": shown(run.dealt[dealer].plain()),
            "complaint": shown(complaint.plain()),
            "code": fault.code,
            "culprit": fault.member.hex(),
        }
    return found


def made_complaint(run: Run, dealer: bytes, author: bytes) -> Complaint:
    """A complaint, whether or not it is right."""
    own = run.dealers[author]
    pair = own.pair_key(dealer)
    relation = equal_logarithms(base(own.exchange_secret), run.announced[dealer].exchange, pair)
    place = [*run.run.place(author), dealer]
    return Complaint(dealer, pair, prove("complaint", place, relation, [own.exchange_secret], fresh("complaint")))


def replaced(complaint: Complaint) -> Any:
    read = read_proof(flipped(complaint.proof.packed(), 32))
    assert read is not None
    return read


# The lock ------------------------------------------------------------------------------------------------------------


def lock() -> dict[str, Any]:
    run, k = Run().finished(), 5
    key, point = run.run.key("dice"), roll_point(TABLE, EPOCH, k)
    partials = {
        member: make_partial(key, member, run.dealers[member].share("dice"), point, fresh("partial", member))
        for member in MEMBERS[:3]
    }
    author, packed = MEMBERS[0], partials[MEMBERS[0]].packed()
    gamma = combine(key, {member: partials[member].value for member in MEMBERS[:2]})
    assert gamma == combine(key, {member: partials[member].value for member in MEMBERS[1:3]})
    wrong = {
        "another value": base(5) + packed[32:],
        "the identity": IDENTITY + packed[32:],
        "another challenge": flipped(packed, 32),
        "another response": flipped(packed, 64),
        "a response of L or more": beyond(packed, 64),
        "that of another member": partials[MEMBERS[1]].packed(),
        "a byte less": packed[:-1],
    }
    return {
        "table": TABLE.hex(),
        "epoch": EPOCH,
        "k": k,
        "point": point.hex(),
        "purpose": "dice",
        "public": key.public.hex(),
        "members": shown(key.members),
        "shares": shown(key.shares),
        "threshold": key.t,
        "partials": [partials[member].packed().hex() for member in MEMBERS[:3]],
        "gamma": gamma.hex(),
        "weights": [
            {"indices": each, "weights": shown(lagrange(each))} for each in ([1, 2], [1, 3], [2, 3], [1, 3, 4])
        ],
        "refused": [refused_partial(key, author, point, why, data) for why, data in wrong.items()],
    }


def refused_partial(key: ThresholdKey, author: bytes, point: Point, why: str, data: bytes) -> dict[str, Any]:
    read: Partial | None = read_partial(data)
    assert read is None or not check_partial(key, author, point, read)
    code = "lock/form" if read is None else "lock/proof"
    return {"why": why, "author": author.hex(), "partial": data.hex(), "code": code}


def vectors() -> dict[str, Any]:
    place: list[Part] = [TABLE, EPOCH, roster_hash(MEMBERS[:3]), MEMBERS[0]]
    rows = [[base(2), base(3)], [base(4), base(5)]]
    return {
        "group": group(),
        "proof": proofs(),
        "coefficients": {
            "place": mixed(place),
            "rows": shown(rows),
            "hash": coefficients_hash(place, rows).hex(),
        },
        "threshold keys": threshold_keys(),
        "lock": lock(),
    }
