# SPDX-License-Identifier: GPL-3.0-or-later
"""Pacts: one mechanism for all that needs the consent of other members.

    pact      [kind, at, head, out: [[author, last seq, last id], ...], terms, attempt]
    sign      [id of the pact]
    refuse    [id of the pact, reason, [[author, last seq held], ...]]

The signers of a pact are all members that are not in `out`; it is complete when all of them have signed. `absent`,
`gone`, `without` and `rewind` need at least t = floor(n/2)+1 signers. The other kinds have an empty `out`, so all
members sign; so does a `rewind` with an empty one.
The id of a pact is the hash of its content: two members who propose the same thing propose one pact. A pact entry is
also its author's signature. `attempt` counts, so that what was refused can be proposed again. Signing and refusing are
final; of two contradicting votes of one author the first in its feed counts.

A member is FREE, or LOCKED(P) from its signature of P on. While LOCKED it resolves no height. It leaves by
    1. all signatures of P: P takes effect;
    2. a refusal of P by one of its signers: P is dead for ever;
    3. its signature of an `absent`, `without` or `rewind` P' at the same position that covers P and leaves out one that
       neither signed nor refused P: the signers of P' are some of those of P but not all, or P' is a `without` whose
       culprit is a signer of P. If P' dies, the lock of P holds again, since others may still complete P.
Of several complete pacts at one position none counts that another covers. Why this never splits honest members: two
    complete pacts at one position share a signer; an honest one signs twice only by (3), so one covers the other; and
    who signed does not go on, so fewer than t can have. (Signers are compared, not `out`, since a `gone` names a former
    member and must not outlast the `absent` of one of its signers. A culprit may have refused P in the history that
    others hold, where P is dead for them and is not here; so who waits for its word takes the `without` instead.)

A member without any known entry is left out with the end of an empty feed: seq -1 and NO_PREV. Then none of its earlier
entries counts if it appears later, not even its `join`.

Two rival pacts could lock each other's signers for ever, so a member LOCKED(P) refuses a rival with a greater id.

`without` and `rewind` are made at a position that some signers have passed: play resumes there, at a height and in an
epoch beyond all that anybody has signed. What was signed in between is void, so that nobody answers twice, and no
engine judges it. A `rewind` is for members whose engines have reached different states: who was asked next has passed
the position at which the others stay for ever. It undoes only what all its signers agree to undo, since all sign, and
leaves out only who was left out already, or who stays silent on a `rewind` that needs it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeGuard

from p2p.wire.codec import Plain, Value, WireError, encode
from p2p.wire.entry import MAX_NUMBER, NO_PREV, Entry
from seeds.dataclass import dataclass, field
from seeds.hashing import H

KINDS: Final = ("absent", "gone", "back", "seat", "takeback", "without", "rewind", "end")
NAMING: Final = frozenset({"absent", "gone", "without", "rewind"})
"""Kinds that name members out and need t signers. The others need all members. `rewind` may name nobody."""
LEAVING: Final = frozenset({"absent", "without", "rewind"})
"""Kinds that cut the feeds of those whom they name."""
RESUMING: Final = frozenset({"without", "rewind"})
"""Kinds after which play resumes at an earlier position, which is theirs."""
ENDING: Final = frozenset({"takeback", "without", "rewind", "end"})
"""Kinds that end the height at which they are made. The others take effect while the height goes on."""

CHANGING: Final = frozenset({"absent", "gone", "back", "seat"})
"""Kinds that change the members. They also end a height that waits for cards, keys or openings."""


class End(NamedTuple):
    """The last entry of a feed that counts; seq -1 and NO_PREV when none does."""

    author: bytes
    seq: int
    id: bytes

    @property
    def empty(self) -> bool:
        """True if no entry of the feed counts."""
        return self.seq < 0


@dataclass(frozen=True, slots=True)
class Pact:
    """A proposal. `terms` by kind:

    absent, gone   None
    back           [author, seq]: its entries count again after this seq, that of its own proposal
    seat           [seat, member record as in the genesis]
    takeback       [to, across]: back to height `to`; across: also over private draws, peeks and opened secrets
    without        [culprit, ids of two entries or one, next, epoch]: play resumes at (at, head) as height `next`
    rewind         [next, epoch]: the same without a culprit
    end            a code, such as "agreed"
    """

    kind: str
    at: int
    head: bytes
    out: tuple[End, ...]
    terms: Value
    attempt: int = 0
    id: bytes = field(init=False, compare=False)

    def __post_init__(self) -> None:
        ends = [(end.author, end.seq, end.id) for end in self.out]
        object.__setattr__(self, "id", H("pact", self.kind, self.at, self.head, ends, encode(self.terms), self.attempt))

    def body(self) -> Plain:
        return [self.kind, self.at, self.head, [list(end) for end in self.out], self.terms, self.attempt]

    @property
    def named(self) -> frozenset[bytes]:
        return frozenset(end.author for end in self.out)

    @property
    def about(self) -> tuple[bytes, ...]:
        """The members that it leaves out or lets back."""
        match self.terms:
            case [bytes() as author, int()] if self.kind == "back":
                return (author,)
        return tuple(end.author for end in self.out)

    @property
    def culprit(self) -> bytes | None:
        """The member that signed two histories, for `without`."""
        match self.terms:
            case [bytes() as author, _, _, _] if self.kind == "without":
                return author
        return None

    @property
    def resumes(self) -> tuple[int, int] | None:
        """The height and epoch in which play resumes, None for kinds that do not say them."""
        match self.kind, self.terms:
            case (("without" | "rewind"), [*_, int() as following, int() as epoch]):
                return following, epoch
        return None

    def signers(self, members: Iterable[bytes]) -> tuple[bytes, ...]:
        named = self.named
        return tuple(member for member in members if member not in named)

    def end_of(self, author: bytes) -> End | None:
        return next((end for end in self.out if end.author == author), None)


def threshold(members: int) -> int:
    """Return t for n members: the number that must agree to leave a member out."""
    return members // 2 + 1


def read_pact(body: Value) -> Pact:
    """Return the pact in an entry's body. Raises WireError for a wrong shape. Whether it is valid depends on the
    position."""
    if type(body) is not list or len(body) != 6:
        raise WireError("pact/shape", 0, "a pact has six parts")
    kind, at, head, out, terms, attempt = body
    if not _number(attempt):
        raise WireError("pact/shape", 0, "attempt")
    if type(kind) is not str or kind not in KINDS or not _number(at) or type(out) is not list:
        raise WireError("pact/shape", 0, "kind, height or out")
    if type(head) is not bytes or len(head) != 32:
        raise WireError("pact/shape", 0, "head is not a hash")
    ends = [_read_end(item) for item in out]
    if [end.author for end in ends] != sorted({end.author for end in ends}):
        raise WireError("pact/out", 0, "out is ordered by author, each once")
    if bool(ends) != (kind in NAMING) and kind != "rewind":
        raise WireError("pact/out", 0, f"{kind} names {'nobody' if ends else 'somebody'} out")
    _check_terms(kind, terms)
    return Pact(kind, at, head, tuple(ends), terms, attempt)


def _read_end(item: Value) -> End:
    match item:
        case [bytes() as author, int() as seq, bytes() as last] if _hash(author) and _hash(last) and _number(seq):
            return End(author, seq, last)
        case [bytes() as author, -1, bytes() as last] if _hash(author) and last == NO_PREV:
            return End(author, -1, NO_PREV)
    raise WireError("pact/out", 0, "out lists author, seq and id")


def _check_terms(kind: str, terms: Value) -> None:
    match kind, terms:
        case ("absent" | "gone", None):
            return
        case "back", [bytes() as author, seq] if _hash(author) and _number(seq):
            return
        case "seat", [seat, list()] if _number(seat):
            return
        case "takeback", [to, bool()] if _number(to):
            return
        case "without", [bytes() as culprit, list() as ids, following, epoch] if _number(following) and _number(epoch):
            if _hash(culprit) and 1 <= len(ids) <= 2 and all(_hash(item) for item in ids):
                return
        case "rewind", [following, epoch] if _number(following) and _number(epoch):
            return
        case "end", str() as code if 0 < len(code) <= 64:
            return
    raise WireError("pact/terms", 0, f"terms of {kind}")


def _number(value: Value) -> TypeGuard[int]:
    """True if this is a valid seq, epoch or height. A boolean is not, though in Python it is an integer."""
    return type(value) is int and 0 <= value <= MAX_NUMBER


def _hash(value: Value) -> bool:
    return type(value) is bytes and len(value) == 32


class Ballots:
    """Every proposed pact with its signatures and refusals, as found in the feeds, for all positions."""

    def __init__(self) -> None:
        self.pacts: dict[bytes, Pact] = {}
        self._yes: dict[bytes, dict[bytes, None]] = {}
        self._no: dict[bytes, dict[bytes, str]] = {}
        self._at: dict[tuple[int, bytes], list[Pact]] = {}
        self._proposals: dict[bytes, bytes] = {}
        self.proposers: dict[bytes, bytes] = {}
        """By pact id, the author of the first proposal that arrived."""

    def propose(self, pact: Pact, entry: Entry) -> bool:
        """Count a pact entry. Return True if the pact is new."""
        self._proposals[entry.id] = pact.id
        new = pact.id not in self.pacts
        if new:
            self.pacts[pact.id] = pact
            self.proposers[pact.id] = entry.author
            self._at.setdefault((pact.at, pact.head), []).append(pact)
        self.sign(pact.id, entry.author)
        return new

    def proposal(self, entry: Entry) -> bytes | None:
        """Return the id of the pact that an entry proposes, else None."""
        return self._proposals.get(entry.id)

    def sign(self, pact: bytes, author: bytes) -> bool:
        """Count a signature. Return False if this author has refused the pact before."""
        if author in self._no.get(pact, ()):
            return False
        self._yes.setdefault(pact, {})[author] = None
        return True

    def refuse(self, pact: bytes, author: bytes, reason: str) -> bool:
        """Count a refusal. Return False if this author has signed the pact before."""
        if author in self._yes.get(pact, ()):
            return False
        self._no.setdefault(pact, {})[author] = reason
        return True

    def at(self, height: int, head: bytes) -> Sequence[Pact]:
        """Return the pacts proposed at this position, in the order of arrival."""
        return self._at.get((height, head), ())

    def signed(self, pact: Pact, author: bytes) -> bool:
        return author in self._yes.get(pact.id, ())

    def refused(self, pact: Pact, author: bytes) -> str | None:
        """Return the author's reason against the pact, None without a refusal."""
        return self._no.get(pact.id, {}).get(author)

    def missing(self, pact: Pact, members: Iterable[bytes]) -> tuple[bytes, ...]:
        """Return the signers that have not signed."""
        yes = self._yes.get(pact.id, {})
        return tuple(member for member in pact.signers(members) if member not in yes)

    def complete(self, pact: Pact, members: Sequence[bytes]) -> bool:
        signers = pact.signers(members)
        enough = len(signers) >= (threshold(len(members)) if pact.kind in NAMING else len(members))
        return enough and not self.missing(pact, members)

    def dead(self, pact: Pact, members: Iterable[bytes]) -> bool:
        no = self._no.get(pact.id, {})
        return any(member in no for member in pact.signers(members))

    def effective(self, height: int, head: bytes, members: Sequence[bytes]) -> tuple[Pact, ...]:
        """Return the complete pacts that count at a position, by id, without those that another covers."""
        done = [pact for pact in self.at(height, head) if self.complete(pact, members)]
        counted = [pact for pact in done if not any(_covers(other, pact, members) for other in done)]
        return tuple(sorted(counted, key=lambda pact: pact.id))

    def locks(self, me: bytes, height: int, head: bytes, members: Sequence[bytes]) -> Iterator[Pact]:
        """Yield the pacts at a position that `me` has signed and that have not taken effect or died, without those that
        a complete one covers, whether `me` has signed that or is left out by it."""
        here = self.at(height, head)
        for pact in here:
            if not self.signed(pact, me) or me not in pact.signers(members):
                continue
            if self.complete(pact, members) or self.dead(pact, members):
                continue
            if not any(_covers(other, pact, members) and self.complete(other, members) for other in here):
                yield pact

    def may_replace(self, new: Pact, old: Pact, members: Sequence[bytes]) -> bool:
        """True if a member LOCKED(old) may sign `new` (rule 3)."""
        silent = [member for member in self.missing(old, members) if self.refused(old, member) is None]
        return _covers(new, old, members) and any(member in new.named for member in silent)


def _covers(other: Pact, pact: Pact, members: Sequence[bytes]) -> bool:
    """True if `other` counts and `pact` does not where both are complete: the signers of `other` are some of those of
    `pact` but not all, or it leaves out one of them for having signed two histories."""
    signers = set(pact.signers(members))
    return other.kind in LEAVING and (set(other.signers(members)) < signers or _convicts_one(other, pact, signers))


def _convicts_one(other: Pact, pact: Pact, signers: Collection[bytes]) -> bool:
    return pact.kind != "without" and other.culprit in signers
