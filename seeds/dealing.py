# SPDX-License-Identifier: GPL-3.0-or-later
"""Key generation: the members of an epoch make threshold keys that no t-1 of them know (joint Feldman sharing).

Every member deals: it shares a secret of its own by a random polynomial of degree t-1, publishes the coefficients times
the base point, and sends each other member the polynomial's value at its index, masked so that only the two can read
it. The key is the sum of the secrets of all members. There is no qualified subset, so nobody can choose between two
keys by having a member excluded.

    state       input                        next        what happens
    ---------------------------------------------------------------------------------------------------------
    ANNOUNCING  announce(member, ...)        ANNOUNCING  exchange key with proof of possession, hash of the dealing's
                                                         coefficients; the last one leads to DEALING
    DEALING     deal(member, ...)            DEALING     if it fits its hash and its proofs hold; the last: CHECKING
    CHECKING    ok(member, hash)             CHECKING    counts if it names the same dealings; the last: DONE
                complain(member, ...)        -           a Fault of the dealer or of the accuser: a new epoch follows

A hash fixes the coefficients before any are shown, so the last to deal cannot choose the key. Every `ok` names all
dealings by one hash. If a dealer sent different dealings to different members, the hashes differ (`disagreeing`), and
the two signed dealings convict the dealer.

A complaint opens one pairwise key of this epoch, e_j E_i, with a proof. All can then read this share and see who lied.
Exchange keys come with proofs of possession. Otherwise a dealer could announce another member's key, and a complaint
would open what others exchange with each other. No identity and no channel key is involved.

One run makes two keys: "dice" locks rolls, "seal" opens short choices of silent authors. All coefficients derive from
the member's table secret and the members of the run. So a crash loses none, and if a table parts, other members get
other numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.dataclass import dataclass
from seeds.errors import ContractError, Fault
from seeds.group import BASE, L, Point, base, combination, mul, pack, read_point, read_points, total
from seeds.hashing import H64, HASH_BYTES, H, Part
from seeds.proofs import Proof, check, equal_logarithms, logarithm, prove, read_proof, scalar
from seeds.threshold import ThresholdKey, roster_hash, threshold

PURPOSES: Final = ("dice", "seal")
_MASK_BYTES: Final = 32 * len(PURPOSES)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A dealer's commitment before it deals.

    Attributes:
        exchange: E = e G.
        proof: proof of knowing e.
        committed: 32-byte hash of the coefficients.
    """

    exchange: Point
    proof: Proof
    committed: bytes

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [self.exchange, self.proof.packed(), self.committed]


@dataclass(frozen=True, slots=True)
class Dealing:
    """The shares of one dealer for all members.

    Attributes:
        coefficients: t points for each purpose.
        proofs: for each purpose, a proof of knowing the first coefficient.
        shares: for each member in roster order its masked values, one for each purpose; zeros for the dealer itself.
    """

    coefficients: tuple[tuple[Point, ...], ...]
    proofs: tuple[Proof, ...]
    shares: tuple[bytes, ...]

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [
            pack(point for row in self.coefficients for point in row),
            b"".join(proof.packed() for proof in self.proofs),
            b"".join(self.shares),
        ]


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint that the dealing of `dealer` does not fit.

    Attributes:
        pair: pairwise key of dealer and author.
        proof: proof that it is their key.
    """

    dealer: bytes
    pair: Point
    proof: Proof

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [self.dealer, self.pair, self.proof.packed()]


def read_announcement(body: object) -> Announcement | None:
    """Return the announcement in an entry's body, None for another form."""
    match body:
        case [bytes() as exchange, bytes() as proof, bytes() as committed] if len(committed) == HASH_BYTES:
            point, proven = read_point(exchange), read_proof(proof)
            if point is not None and proven is not None:
                return Announcement(point, proven, committed)
    return None


def read_dealing(body: object, members: int) -> Dealing | None:
    """Return the dealing for this number of members in an entry's body, None for another form."""
    t = threshold(members)
    match body:
        case [bytes() as coefficients, bytes() as proofs, bytes() as shares] if len(shares) == members * _MASK_BYTES:
            points = read_points(coefficients, t * len(PURPOSES))
            proven = [read_proof(proofs[at : at + 64]) for at in range(0, len(proofs), 64)]
            sound = tuple(proof for proof in proven if proof is not None)
            if points is not None and len(sound) == len(proven) == len(PURPOSES):
                rows = tuple(tuple(points[at : at + t]) for at in range(0, len(points), t))
                masked = tuple(shares[at : at + _MASK_BYTES] for at in range(0, len(shares), _MASK_BYTES))
                return Dealing(rows, sound, masked)
    return None


def read_complaint(body: object) -> Complaint | None:
    """Return the complaint in an entry's body, None for another form."""
    match body:
        case [bytes() as dealer, bytes() as pair, bytes() as proof]:
            point, proven = read_point(pair), read_proof(proof)
            if point is not None and proven is not None:
                return Complaint(dealer, point, proven)
    return None


class KeyGeneration:
    """The state machine above, for one epoch."""

    def __init__(self, table: bytes, epoch: int, members: Sequence[bytes]) -> None:
        if len(members) < 2 or len(set(members)) != len(members):
            raise ContractError("keys are made by two members or more, each once")
        self.table, self.epoch, self.members = table, epoch, tuple(members)
        self.t = threshold(len(members))
        self.announced: dict[bytes, Announcement] = {}
        self.dealt: dict[bytes, Dealing] = {}
        self._oks: dict[bytes, bytes] = {}
        self._digest = b""
        self._keys: dict[str, ThresholdKey] = {}

    def place(self, author: bytes) -> list[Part]:
        """Return the place of this member's statements in this run."""
        return [self.table, self.epoch, roster_hash(self.members), author]

    @property
    def owing(self) -> tuple[bytes, ...]:
        """The members that owe the message of the present state, in roster order; empty when DONE or in
        disagreement."""
        for said in (self.announced, self.dealt, self._oks):
            if len(said) < len(self.members):
                return tuple(member for member in self.members if member not in said)
        return ()

    @property
    def done(self) -> bool:
        """True if every member has signed `ok` for the dealings known here."""
        return len(self._oks) == len(self.members) and not self.disagreeing

    @property
    def disagreeing(self) -> tuple[bytes, ...]:
        """The members whose `ok` names other dealings than those known here. A dealer has sent different dealings, and
        exchanging the signed ones shows which dealer."""
        digest = self.digest() if self._oks else b""
        return tuple(member for member in self.members if self._oks.get(member, digest) != digest)

    def announce(self, member: bytes, announcement: Announcement) -> Fault | None:
        """Take a member's exchange key and the hash of its coefficients."""
        if member not in self.members:
            return Fault("keys/not-a-member", member)
        if member in self.announced:
            return Fault("keys/announced-twice", member)
        if not check("exchange", self.place(member), logarithm(announcement.exchange), announcement.proof):
            return Fault("keys/proof", member)
        self.announced[member] = announcement
        return None

    def deal(self, member: bytes, dealing: Dealing) -> Fault | None:
        """Take a member's dealing."""
        if len(self.announced) < len(self.members):
            raise ContractError("a dealing before all have announced")
        if member not in self.members:
            return Fault("keys/not-a-member", member)
        if member in self.dealt:
            return Fault("keys/dealt-twice", member)
        forms = len(dealing.coefficients) == len(PURPOSES) == len(dealing.proofs)
        if not forms or any(len(row) != self.t for row in dealing.coefficients):
            return Fault("keys/form", member)
        if dealing.shares[self.members.index(member)] != bytes(_MASK_BYTES):
            return Fault("keys/form", member)
        if coefficients_hash(self.place(member), dealing.coefficients) != self.announced[member].committed:
            return Fault("keys/other-coefficients", member)
        for purpose, row, proof in zip(PURPOSES, dealing.coefficients, dealing.proofs, strict=True):
            if not check("dealt", [*self.place(member), purpose], logarithm(row[0]), proof):
                return Fault("keys/proof", member)
        self.dealt[member] = dealing
        return None

    def digest(self) -> bytes:
        """Return the hash of all dealings, which an `ok` contains."""
        if not self._digest:
            self._checking()
            dealings = [list(self.dealt[member].plain()) for member in self.members]
            self._digest = H("dealings", *self.place(b""), dealings)
        return self._digest

    def ok(self, member: bytes, digest: bytes) -> Fault | None:
        """Take a member's confirmation, with the hash of all dealings, that its shares are correct."""
        self._checking()
        if member not in self.members:
            return Fault("keys/not-a-member", member)
        if member in self._oks:
            return Fault("keys/ok-twice", member)
        self._oks[member] = digest
        return None

    def complain(self, member: bytes, complaint: Complaint) -> Fault:
        """Judge a complaint. The fault is the dealer's if the complaint is correct, else the accuser's."""
        self._checking()
        dealer = complaint.dealer
        if member not in self.members or dealer not in self.members or dealer == member:
            return Fault("keys/false-complaint", member)
        relation = equal_logarithms(self.announced[member].exchange, self.announced[dealer].exchange, complaint.pair)
        if not check("complaint", [*self.place(member), dealer], relation, complaint.proof):
            return Fault("keys/false-complaint", member)
        if self.unmasked(dealer, member, complaint.pair) is None:
            return Fault("keys/bad-share", dealer)
        return Fault("keys/false-complaint", member)

    def unmasked(self, dealer: bytes, receiver: bytes, pair: Point) -> list[int] | None:
        """Return the values that the dealer sent, one for each purpose, None if they do not match its coefficients."""
        index = self.members.index(receiver) + 1
        dealing = self.dealt[dealer]
        opened = masked(self.place(dealer), receiver, pair, dealing.shares[index - 1])
        values = [int.from_bytes(opened[at : at + 32], "little") for at in range(0, _MASK_BYTES, 32)]
        fits = all(
            value < L and base(value) == evaluated(row, index)
            for value, row in zip(values, dealing.coefficients, strict=True)
        )
        return values if fits else None

    def key(self, purpose: str) -> ThresholdKey:
        """Return the finished key for "dice" or "seal"."""
        if purpose not in self._keys:
            self._keys[purpose] = self._key(purpose)
        return self._keys[purpose]

    def _key(self, purpose: str) -> ThresholdKey:
        if not self.done:
            raise ContractError("the keys are not finished")
        number = PURPOSES.index(purpose)
        columns = zip(*(self.dealt[member].coefficients[number] for member in self.members), strict=True)
        summed = [total(column) for column in columns]
        shares = tuple(evaluated(summed, index) for index in range(1, len(self.members) + 1))
        return ThresholdKey(self.table, self.epoch, purpose, self.members, self.t, summed[0], shares)

    def _checking(self) -> None:
        if len(self.dealt) < len(self.members):
            raise ContractError("nothing can be said of dealings before all are there")


class KeyDealer:
    """One member's part in a key generation. secret: its table secret. fresh: 32 random bytes for each call."""

    def __init__(self, secret: bytes, generation: KeyGeneration, me: bytes) -> None:
        self._generation, self._me = generation, me
        place = generation.place(me)
        self.exchange_secret = scalar(secret, "exchange", *place)
        self._polynomials = [
            [scalar(secret, "coefficient", *place, purpose, degree) for degree in range(generation.t)]
            for purpose in PURPOSES
        ]
        self._sent: dict[tuple[bytes, Dealing], list[int] | None] = {}

    def __repr__(self) -> str:
        return "Dealer(…)"

    def announcement(self, fresh: bytes) -> Announcement:
        """Return the announcement, which is sent first."""
        place, exchange = self._generation.place(self._me), base(self.exchange_secret)
        proof = prove("exchange", place, logarithm(exchange), [self.exchange_secret], fresh)
        return Announcement(exchange, proof, coefficients_hash(place, self._coefficients()))

    def dealing(self, fresh: bytes) -> Dealing:
        """Return the dealing, which is sent after all announcements."""
        run, place, coefficients = self._generation, self._generation.place(self._me), self._coefficients()
        proofs = [
            prove("dealt", [*place, purpose], logarithm(row[0]), [polynomial[0]], fresh)
            for purpose, row, polynomial in zip(PURPOSES, coefficients, self._polynomials, strict=True)
        ]
        shares = [bytes(_MASK_BYTES)] * len(run.members)
        for index, member in enumerate(run.members, 1):
            if member != self._me:
                values = b"".join(_value(polynomial, index).to_bytes(32, "little") for polynomial in self._polynomials)
                shares[index - 1] = masked(place, member, self.pair_key(member), values)
        return Dealing(coefficients, tuple(proofs), tuple(shares))

    def complaints(self, fresh: bytes) -> list[Complaint]:
        """Return a complaint for each dealing that does not fit. If there is none, sign `ok`."""
        run, found = self._generation, []
        for dealer in run.members:
            if dealer != self._me and self._values(dealer) is None:
                pair = self.pair_key(dealer)
                relation = equal_logarithms(base(self.exchange_secret), run.announced[dealer].exchange, pair)
                place = [*run.place(self._me), dealer]
                proof = prove("complaint", place, relation, [self.exchange_secret], fresh)
                found.append(Complaint(dealer, pair, proof))
        return found

    def share(self, purpose: str) -> int:
        """Return this member's share s_j of the finished key."""
        run, number = self._generation, PURPOSES.index(purpose)
        result = _value(self._polynomials[number], run.members.index(self._me) + 1)
        for dealer in run.members:
            if dealer != self._me:
                values = self._values(dealer)
                if values is None:
                    raise ContractError("a share that called for a complaint")
                result += values[number]
        return result % L

    def _coefficients(self) -> tuple[tuple[Point, ...], ...]:
        return tuple(tuple(mul(number, BASE) for number in row) for row in self._polynomials)

    def _values(self, dealer: bytes) -> list[int] | None:
        """Return the values that a dealer sent to this member, None if they do not fit."""
        sent = dealer, self._generation.dealt[dealer]
        if sent not in self._sent:
            self._sent[sent] = self._generation.unmasked(dealer, self._me, self.pair_key(dealer))
        return self._sent[sent]

    def pair_key(self, other: bytes) -> Point:
        """Return the Diffie-Hellman point of this member and another one."""
        return mul(self.exchange_secret, self._generation.announced[other].exchange)


def coefficients_hash(place: Sequence[Part], coefficients: Sequence[Sequence[Point]]) -> bytes:
    """Return the hash of coefficients in an announcement."""
    return H("coefficients", list(place), [list(row) for row in coefficients])


def evaluated(coefficients: Sequence[Point], index: int) -> Point:
    """Return the polynomial's value at `index`, times the base point."""
    return combination([pow(index, degree, L) for degree in range(len(coefficients))], coefficients)


def _value(polynomial: Sequence[int], index: int) -> int:
    return sum(number * pow(index, degree, L) for degree, number in enumerate(polynomial)) % L


def masked(place: Sequence[Part], receiver: bytes, pair: Point, data: bytes) -> bytes:
    """Return values XORed with the mask that only dealer and receiver can compute; applying it twice restores them."""
    mask = H64("feldman/share", list(place), receiver, pair)
    return bytes(one ^ other for one, other in zip(mask, data, strict=True))
