# SPDX-License-Identifier: GPL-3.0-or-later
"""Pacts: one mechanism for all that needs the consent of other members.

    pact      [kind, at, head, out: [[author, last seq, last id], ...], terms, attempt, over: [id, ...]]
    sign      [id of the pact]
    refuse    [id of the pact, reason, []]

The signers of a pact are all members that are not in `out`; it is complete when all of them have signed. `absent`,
`gone`, `without`, `repair`, `free` and `moved` need at least t = floor(n/2)+1 signers; a `moved` of one of two members
needs the other alone, since the owner of the key has certified the new one for it; what names somebody who has left
needs fewer (see below). The other kinds have an empty `out`,
so all members sign; so does a `repair` with an empty one.
The id of a pact is the hash of its content: two members who propose the same thing propose one pact. A pact entry is
also its author's signature. `attempt` counts, so that what was refused can be proposed again. Signing and refusing are
final; of two contradicting votes of one author the first in its feed counts. Of one author MAX_PROPOSALS pacts at one
height count, so that who floods votes makes nobody refuse more than that. Repairs may be of any height, and programs
that differ refuse each until they agree: of one author the first MAX_REPAIRS of a game count.

A vote counts only if its author had not spoken at a later height before (`spoken`), so nobody goes back on what it has
passed, and no majority undoes what others have said since. A `without` is made for that. So is a `repair` that all
sign; of one that names somebody the votes of those count besides whose own program had differed there. A `free` does
not count from those who have gone on by a pact that it lists.

The end of a feed names the last entry that may fill a slot at this position or before it: no chat, vote or claim, and
nothing that names another history. So no flood of these can end a pact. Who signed two histories ends before they part,
which all hold alike.

A member is FREE, or LOCKED(P) from its signature of P on; of a `free` only while a pact that it lists is complete.
While LOCKED it resolves no height. It leaves by
    1. all signatures of P: P takes effect;
    2. a refusal of P by one of its signers: P is dead for ever;
    3. its signature of an `absent`, `without`, `repair` or `moved` P' at the same position that covers P and leaves out
       one that neither signed nor refused P, or that names the same as P. Where P is a `moved` of a member, P' names
       its old key too, which says nothing more; where P names a key, P' is no `moved` of that key, which would wait
       once more for those whom P spares. If P' dies, the lock of P holds again, since others may still complete P.
    4. beside fewer than t forgers, that all others have gone on, one of them without its signature of P, and none has
       signed anything that leaves that one out: it signs P too late. `without`, `repair` and `free` bind all the same.
P' covers P if it is over all that P is over, and is over P too, or is over more or has fewer signers, all of them
    signers of P. Along a chain of covering pacts what they are over only grows, and where it stays the signers become
    fewer; no pact is over itself, since its id is a hash. So no chain leads back.
A `repair` and a pact of another kind never cover each other: it changes no member, so both count, and what all have
    read by it stays read. Who is LOCKED by one may sign the other and stays LOCKED until both are decided. A repair
    that waits for a member is proposed again without that one.
Of several complete pacts at one position none counts that another covers. Why this never splits honest members: two
    complete pacts at one position, both repairs or neither, share a signer, since t is that of the members when it
    opened, whoever was left out since; an honest one signs twice only by (3), so one covers the other; and who signed
    does not go on, so fewer than t can have. If the shared signer is one that does not keep to that, neither may cover
    the other: of those that cut feeds the one with the lowest id counts then. (Signers are compared, not `out`, since a
    `gone` names a former member and must not outlast the `absent` of one of its signers. P' is also over a P that only
    members with two histories have refused, since it may be open for others.)
Who is left out asks to come back, and its own signature binds nobody. Such a pact keeps nobody waiting, and nobody
    refuses it until one of its signers has signed it.
Who has passed a height signs nothing there that would change it. So a member can be bound by P and wait for a word that
    never comes, while all others have passed its height without P. A `free` ends that: it lists pacts in `over` and
    names those whose word is missing; all others may sign it, also who has passed the height. Once any t have signed,
    what it lists is dead as if it had been refused, also if it was complete. It changes nothing else. It may list
    another `free`, which then frees from nothing: so nobody is bound for ever by one that waits for a silent member.
    Nobody signs it for whom a listed pact is complete, and a signer goes on by none of them until t have signed it, or
    so many have refused it that t never will. So fewer than t have gone on by one, and they come back: what they have
    said beyond is in no history, nothing was rolled there, and it makes none of their votes here late. It needs no more
    than t, so that nobody holds up those who have signed it.
A pact that is over others may name others than they do. So who was left out, or would be, counts again at the same
    position where one of the rest falls silent, if t of its members then sign.

A `moved` ends the feed of a table key whose owner has lost entries that others may hold, and gives its seats to another
table key of the same identity, which certifies the new key for this move alone. What the old key has signed beyond that
end is void and no fault, unless a signer had reported it before. Nobody signs it by rule, since it excuses what else
would be a fork. Who still has the table secret keeps its hand: the new key reads what the old one could. Else, and for
choices sealed for later, all is as for a member that is given up.

A member leaves for good by one signature, a `leave`, the last entry of its feed. It refuses all that it has not signed
before, and changes nothing by itself: who shows a `leave` to some and an answer to others would part them. Where the
table waits for it, those who stay sign an `absent` that names the `leave` as the end, by their programs. That gives its
author up at once. Since it says nothing more, half of the members are enough for it, or all who stay where fewer do.
Why that never splits honest members, though who leaves may sign otherwise elsewhere: of the n - k who stay, at least
half of n have signed it, and another pact needs t less those k of them. Together these are more than n - k, so one has
signed both.

A member without any known entry is left out with the end of an empty feed: seq -1 and NO_PREV. Then none of its earlier
entries counts if it appears later, not even its `join`.

Two rival pacts could lock each other's signers for ever, so a member LOCKED(P) refuses a rival with a greater id, also
where it has spoken at a later height before.
A `without` of an earlier position is no rival of P, unless P is one too, a `repair` or a `moved`: where it is complete,
play never comes to the position of P. Who signs it stays LOCKED by both, so that it opens nothing which a signer could
read before it says its word on the earlier one.

A `without` is made at a position that some signers have passed: play resumes there, at a height and in an epoch beyond
all that anybody has signed. What was signed in between is void, so that nobody answers twice, and no engine judges it.

A `repair` is for members whose programs computed different states and now compute the same. It undoes nothing and
leaves out nobody: up to the ends that its terms name, entries from its position on are read whatever state they name.
What they say is judged by the rules as ever, so every choice and every roll that fits stays what it was. What does not
fit is void, together with all that its author had said from there up to its end. Then the table knows dice and cards of
a game that did not take place; so the next height begins with new keys and seeds, in the epoch of the terms. A program
reads on only where it computes the state of the terms itself. `out` names those whose signature is not waited for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeGuard

from engine.core.dataclass import dataclass, field
from p2p.wire.codec import Plain, Value, WireError, encode
from p2p.wire.entry import MAX_NUMBER, NO_PREV
from seeds.hashing import H

KINDS: Final = ("absent", "gone", "back", "seat", "takeback", "without", "repair", "end", "moved", "free")
NAMING: Final = frozenset({"absent", "gone", "without", "repair", "moved", "free"})
"""Kinds that name members out and need t signers. The others need all members. `repair` may name nobody."""
COVERING: Final = frozenset({"absent", "without", "repair", "moved"})
"""Kinds that replace a pact at their position that more members would have to sign."""
LEAVING: Final = frozenset({"absent", "without", "moved"})
"""Kinds that cut the feeds of those whom they name."""
PARTING: Final = frozenset({"absent", "without"})
"""Kinds that give up for good whom they name at the end of a `leave`, and that fewer have to sign for that."""
EARLIER: Final = frozenset({"without", "repair", "free"})
"""Kinds that are made at an earlier position too."""
ENDING: Final = frozenset({"takeback", "without", "end"})
"""Kinds that end the height at which they are made. The others take effect while the height goes on."""

ASKED: Final = frozenset({"seat", "takeback", "end", "moved"})
"""Kinds that only people ask for. No game waits for them, so they leave proposals for those on which it may."""
CHANGING: Final = frozenset({"absent", "gone", "back", "seat", "moved"})
"""Kinds that change the members. They also end a height that waits for cards, keys or openings."""

MAX_ENDS: Final = 32
"""The most ends in the terms of a repair."""
KEY: Final = 32
STATE: Final = 16
"""Bytes of the digest of a state."""


MAX_PROPOSALS: Final = 8
"""The most pacts of one author at one height that count. Each may cost every other member a refusal."""
MAX_ASKED: Final = MAX_PROPOSALS // 2
"""The number of these after which a member proposes no more of what only people ask for."""
MAX_REPAIRS: Final = 32
"""The most repairs of one author in a game that count, at whatever heights."""
MAX_OVER: Final = 64
NEWCOMERS: Final = 8
"""The most table keys that get a seat after the genesis, and the most that are taken into a log for being proposed."""


class FeedEnd(NamedTuple):
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

    absent, gone   None, and for a free
    back           [author, seq]: its entries count again after this seq, that of its own proposal
    seat           [seat, member record as in the genesis, with a row for this seat alone]
    takeback       [to, across]: back to height `to`; across: also over private draws, peeks and opened secrets. Where
                   sealed cards were shown since, new deck keys follow
    without        [culprit, ids of two entries or one, shown, next, epoch]: play resumes at (at, head) as height
                   `next`; shown: sealed cards may have been shown since, so that new deck keys follow
    repair         [state, [[author, seq, id], ...], epoch]: the state at its position, the last entries that are read
                   whatever state they name, and the epoch after one that does not fit
    end            a code, such as "agreed"
    moved          [certificate, kept]: of another table key, by the identity that it leaves out. kept: the new key has
                   the table secret of the old one, so that the hand stays

    over: ids of pacts at the same position that do not count where this one is complete, in ascending order.
    A free ends no feed, so the ends in its `out` are empty.

    named: the authors in `out`. repaired: state, ends and epoch in the terms of a repair, None for other kinds. Votes
    are weighed again and again, so both are read once.
    """

    kind: str
    at: int
    head: bytes
    out: tuple[FeedEnd, ...]
    terms: Value
    attempt: int = 0
    over: tuple[bytes, ...] = ()
    id: bytes = field(init=False, compare=False)
    named: frozenset[bytes] = field(init=False, compare=False, repr=False)
    repaired: tuple[bytes, tuple[FeedEnd, ...], int] | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        ends = [(end.author, end.seq, end.id) for end in self.out]
        said = self.kind, self.at, self.head, ends, encode(self.terms), self.attempt, list(self.over)
        object.__setattr__(self, "id", H("pact", *said))
        object.__setattr__(self, "named", frozenset(end.author for end in self.out))
        object.__setattr__(self, "repaired", _read_repaired(self.kind, self.terms))

    def body(self) -> Plain:
        out: list[Plain] = [list(end) for end in self.out]
        return [self.kind, self.at, self.head, out, self.terms, self.attempt, list(self.over)]

    @property
    def about(self) -> tuple[bytes, ...]:
        """The members that it leaves out or lets back."""
        match self.terms:
            case [bytes() as author, int()] if self.kind == "back":
                return (author,)
        return tuple(end.author for end in self.out)

    @property
    def newcomer(self) -> bytes | None:
        """The table key to which it gives seats, None for kinds that give none."""
        match self.kind, self.terms:
            case ("seat", [_, [[_, bytes() as key, *_], *_]]) | ("moved", [[_, bytes() as key, *_], _]):
                return key if len(key) == KEY else None
        return None

    @property
    def resumes(self) -> tuple[int, int] | None:
        """The height and epoch in which play resumes, None for kinds that do not say them."""
        match self.kind, self.terms:
            case "without", [*_, int() as following, int() as epoch]:
                return following, epoch
        return None

    def signers(self, members: Iterable[bytes]) -> tuple[bytes, ...]:
        return tuple(member for member in members if member not in self.named)

    def names(self) -> list[tuple[bytes, int]]:
        """Return the entries that it names, by author and seq."""
        match self.kind, self.terms:
            case "back", [bytes() as author, int() as seq]:
                return [(author, seq)]
        return [(end.author, end.seq) for end in (*self.out, *(self.repaired or ((), ()))[1])]

    def end_of(self, author: bytes) -> FeedEnd | None:
        return next((end for end in self.out if end.author == author), None)


def threshold(members: int) -> int:
    """Return t for n members: the number that must agree to leave a member out."""
    return members // 2 + 1


def enough(kind: str, members: int, left: int = 0) -> int:
    """Return how many of n members must sign a pact of this kind at least. left: how many it names that have left."""
    if left and kind in PARTING:
        return min(members - members // 2, members - left)
    least = threshold(members) if kind in NAMING else members
    return max(1, min(least, members - 1)) if kind == "moved" else least


def moving_lobby(table: bytes, old: bytes, *, kept: bool = False) -> bytes:
    """Return what stands for the lobby in the certificate of a key that goes on for the key `old` at a table, so that
    no other certificate of that identity fits, and nobody else says whether the hand stays. kept: as in the terms."""
    return H("moved", table, old, int(kept))


def read_pact(body: Value) -> Pact:
    """Return the pact in an entry's body. Raises WireError for a wrong shape. Whether it is valid depends on the
    position."""
    if type(body) is not list or len(body) != 7:
        raise WireError("pact/shape", 0, "a pact has seven parts")
    kind, at, head, out, terms, attempt, over = body
    if not _number(attempt):
        raise WireError("pact/shape", 0, "attempt")
    if type(kind) is not str or kind not in KINDS or not _number(at) or type(out) is not list:
        raise WireError("pact/shape", 0, "kind, height or out")
    if type(head) is not bytes or len(head) != 32:
        raise WireError("pact/shape", 0, "head is not a hash")
    ends = [_read_end(item) for item in out]
    if [end.author for end in ends] != sorted({end.author for end in ends}):
        raise WireError("pact/out", 0, "out is ordered by author, each once")
    if bool(ends) != (kind in NAMING) and kind != "repair":
        raise WireError("pact/out", 0, f"{kind} names {'nobody' if ends else 'somebody'} out")
    if kind == "moved" and len(ends) > 1:
        raise WireError("pact/out", 0, "one member moves at a time")
    _check_terms(kind, terms)
    return Pact(kind, at, head, tuple(ends), terms, attempt, _read_over(kind, over))


def _read_end(item: Value, code: str = "pact/out") -> FeedEnd:
    match item:
        case [bytes() as author, int() as seq, bytes() as last] if _hash(author) and _hash(last) and _number(seq):
            return FeedEnd(author, seq, last)
        case [bytes() as author, -1, bytes() as last] if _hash(author) and last == NO_PREV:
            return FeedEnd(author, -1, NO_PREV)
    raise WireError(code, 0, "an end is author, seq and id")


def _read_repaired(kind: str, terms: Value) -> tuple[bytes, tuple[FeedEnd, ...], int] | None:
    match kind, terms:
        case "repair", [bytes() as state, list() as ends, int() as epoch]:
            return state, tuple(map(_read_end, ends)), epoch
    return None


def _read_over(kind: str, over: Value) -> tuple[bytes, ...]:
    if type(over) is not list or len(over) > MAX_OVER or (over and kind not in (*COVERING, "free")):
        raise WireError("pact/over", 0, "only a pact that leaves out or frees is over others")
    if kind == "free" and not over:
        raise WireError("pact/over", 0, "it frees nobody")
    ids = [each for each in over if type(each) is bytes and len(each) == 32]
    if len(ids) != len(over) or ids != sorted(set(ids)):
        raise WireError("pact/over", 0, "over lists ids in order, each once")
    return tuple(ids)


def _check_terms(kind: str, terms: Value) -> None:
    match kind, terms:
        case ("absent" | "gone" | "free", None):
            return
        case "back", [bytes() as author, seq] if _hash(author) and _number(seq):
            return
        case "seat", [seat, list()] if _number(seat):
            return
        case "takeback", [to, bool()] if _number(to):
            return
        case "without", [bytes() as culprit, list() as ids, bool(), following, epoch] if _number(following) and _number(
            epoch
        ):
            if _hash(culprit) and 1 <= len(ids) <= 2 and all(_hash(item) for item in ids):
                return
        case "repair", [bytes() as state, list() as items, epoch] if len(state) == STATE and _number(epoch):
            ends = [_read_end(item, "pact/terms") for item in items]
            if len(ends) <= MAX_ENDS and [end.author for end in ends] == sorted({end.author for end in ends}):
                return
        case "end", str() as code if 0 < len(code) <= 64:
            return
        case "moved", [list(), bool()]:
            return
    raise WireError("pact/terms", 0, f"terms of {kind}")


def declining(pact: Pact, reason: str) -> Plain:
    """Return the body of a refusal. It says nothing of what its author holds by now, so that whoever has lost it says
    it again in the same bytes."""
    return [pact.id, reason, []]


def _number(value: Value) -> TypeGuard[int]:
    """True if this is a valid seq, epoch or height. A boolean is not, though in Python it is an integer."""
    return type(value) is int and 0 <= value <= MAX_NUMBER


def _hash(value: Value) -> bool:
    return type(value) is bytes and len(value) == 32


def beside(one: Pact, other: Pact) -> bool:
    """True if two pacts of one position may both count, since a repair changes no member and the other is none."""
    return (one.kind == "repair") is not (other.kind == "repair")


def counting(complete: Sequence[Pact], members: Sequence[bytes]) -> tuple[Pact, ...]:
    """Return those of the complete pacts at one position that count, by id: none that another covers, and one alone
    that cuts feeds. Where neither of two of these covers the other, somebody has signed both against the rules."""
    standing = [pact for pact in complete if not any(covers(other, pact, members) for other in complete)]
    cutting = min((pact.id for pact in standing if pact.kind in LEAVING), default=b"")
    counted = (pact for pact in standing if pact.kind not in LEAVING or pact.id == cutting)
    return tuple(sorted(counted, key=lambda pact: pact.id))


def covers(other: Pact, pact: Pact, members: Sequence[bytes]) -> bool:
    """True if `other` counts and `pact` does not where both are complete (see above)."""
    if other.kind not in COVERING or not set(pact.over) <= set(other.over):
        return False
    if beside(other, pact):
        return False
    signers, left = set(pact.signers(members)), set(other.signers(members))
    grown = left <= signers and (left < signers or other.over != pact.over)
    return pact.id in other.over or grown
