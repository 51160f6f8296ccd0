# SPDX-License-Identifier: GPL-3.0-or-later
"""The votes of a table: who has signed and who has refused each of the proposed pacts, and which count.

Every entry that a peer reads asks again which votes count, so what was counted is kept until a vote or a word
changes it.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence

from p2p.lockstep.closing import Closing
from p2p.lockstep.pacts import (
    EARLIER,
    LEAVING,
    PARTING,
    FeedEnd,
    Pact,
    counting,
    covers,
    enough,
    threshold,
)
from p2p.lockstep.proposed import ProposedPacts
from p2p.lockstep.spoken import Spoken
from p2p.wire.entry import MAX_NUMBER, Entry

_Asked = tuple[bytes, tuple[bytes, ...]]
"""A pact, by id, and the members of its position."""


class Ballots(ProposedPacts):
    """Every proposed pact with its signatures and refusals, as found in the feeds, for all positions."""

    def __init__(self, leaves: Callable[[FeedEnd], bool] = lambda end: False) -> None:
        """leaves: tells whether an end is known to be a `leave`."""
        super().__init__()
        self._leaves = leaves
        self._yes: dict[bytes, dict[bytes, int]] = {}
        self._no: dict[bytes, dict[bytes, tuple[int, str]]] = {}
        self.ignored: set[bytes] = set()
        """Pacts that count as if nobody had signed them."""
        self._closing: Closing | None = None
        self.spoken = Spoken(self.recount)
        self._members: dict[tuple[int, bytes], Sequence[bytes]] = {}
        self.left: set[bytes] = set()
        """Who has left, and so refuses all that it has not signed before."""
        self._parting: dict[bytes, frozenset[bytes]] = {}
        self._signed: dict[tuple[bytes, bytes], bool] = {}
        self._complete: dict[_Asked, bool] = {}
        self._dead: dict[_Asked, bool] = {}
        self._stand: dict[tuple[int, bytes, tuple[bytes, ...]], list[Pact]] = {}
        self._locks: dict[tuple[bytes, int, bytes, tuple[bytes, ...]], list[Pact]] = {}

    def recount(self) -> None:
        """Forget what was counted, since a vote, a word or a leave has changed."""
        for counted in (self._signed, self._complete, self._dead, self._stand, self._locks, self._parting):
            counted.clear()

    @property
    def closing(self) -> Closing | None:
        """The end that stands if all present have signed it, whatever was voted after that."""
        return self._closing

    @closing.setter
    def closing(self, closing: Closing | None) -> None:
        if closing is not self._closing:
            self._closing = closing
            self.recount()

    def ignore(self, pact: bytes) -> None:
        """Count a pact as if nobody had signed it."""
        self.ignored.add(pact)
        self.recount()

    def parted(self, back: Iterable[bytes], gone: Iterable[bytes]) -> None:
        """Note who has left, and whose leave is none any more."""
        self.left = (self.left - {*back}) | {*gone}
        self.recount()

    def parting(self, pact: Pact) -> frozenset[bytes]:
        """Return whom a pact leaves out behind a `leave`, as far as this peer holds those."""
        if pact.kind not in PARTING:
            return frozenset()
        if pact.id not in self._parting:
            self._parting[pact.id] = frozenset(end.author for end in pact.out if self._leaves(end))
        return self._parting[pact.id]

    def needed_for(self, pact: Pact, members: Sequence[bytes]) -> int:
        """Return how many of these members must sign a pact at least."""
        return enough(pact.kind, len(members), len(self.parting(pact).intersection(members)))

    def propose(self, pact: Pact, entry: Entry) -> bool:
        """Count a pact entry, unless its author has proposed too many before. Return True if the pact is
        new."""
        if not self.may_propose(entry.author, pact):
            return False
        new = self.add(pact, entry)
        if new:
            self.recount()
        self.sign(pact.id, entry.author, entry.seq)
        return new

    def sign(self, pact: bytes, author: bytes, seq: int) -> bool:
        """Count a signature, that of the author's entry `seq`. Return False if it has refused the pact before."""
        if author in self._no.get(pact, ()):
            return False
        self._yes.setdefault(pact, {}).setdefault(author, seq)
        self.recount()
        return True

    def refuse(self, pact: bytes, author: bytes, reason: str, seq: int = 0) -> bool:
        """Count a refusal, that of the author's entry `seq`. Return False if it has signed the pact before."""
        if author in self._yes.get(pact, ()):
            return False
        self._no.setdefault(pact, {}).setdefault(author, (seq, reason))
        self.recount()
        return True

    def forget(self, author: bytes, first: int) -> None:
        """Count no vote of an author from its entry `first` on, which are no part of its feed any more."""
        self._yes = {
            name: {a: s for a, s in said.items() if a != author or s < first} for name, said in self._yes.items()
        }
        self._no = {
            name: {a: s for a, s in said.items() if a != author or s[0] < first} for name, said in self._no.items()
        }
        super().forget(author, first)
        self.recount()

    def voted(self, pact: Pact, author: bytes) -> bool:
        """True if an author has signed a pact, whether that counts or not. It cannot refuse it any more."""
        return author in self._yes.get(pact.id, ())

    def signed(self, pact: Pact, author: bytes) -> bool:
        """True if an author's signature of a pact counts."""
        asked = pact.id, author
        if asked not in self._signed:
            late = pact.kind not in EARLIER and self._said_yes(pact, author) is not None
            self._signed[asked] = self._timely(pact, author) or (late and self._overtaken(pact, author))
        return self._signed[asked]

    def votes(self, pact: Pact, members: Iterable[bytes]) -> dict[bytes, int]:
        """Return the signatures of a pact that count, as the seqs of their entries."""
        return {who: self._yes[pact.id][who] for who in pact.signers(members) if self.signed(pact, who)}

    def _said_yes(self, pact: Pact, author: bytes) -> int | None:
        """Return the seq of an author's signature that may count, None without one."""
        seq = self._yes.get(pact.id, {}).get(author)
        if seq is None or (self._goes_back(pact, author) and any(self.asked(author, pact.at, seq))):
            return None
        return seq if self.closing is None or self.closing.counts(pact.head, author, seq) else None

    def _goes_back(self, pact: Pact, author: bytes) -> bool:
        """True if a signature of a pact may undo what the author has accepted since: a `free` undoes nothing but what
        has left it out or what it has signed."""
        if pact.kind == "free":
            listed = [self.pacts[each] for each in pact.over if each in self.pacts]
            return any(author in each.named or self.voted(each, author) for each in listed)
        return pact.kind not in ("without", "repair")

    def asked(self, author: bytes, height: int, before: int = MAX_NUMBER) -> Iterator[tuple[int, bytes, int]]:
        """Yield the height, head and seq of each own proposal to come back that an author has made at a later height,
        before its entry `before`: it has accepted how the others have gone on from here."""
        since = self.spoken.since(author, height)
        return (each for each in self._asked.get(author, ()) if each[0] > height and since < each[2] < before)

    def pledges(
        self, author: bytes, height: int, head: bytes, members: Sequence[bytes], passed: frozenset[bytes] = frozenset()
    ) -> list[int]:
        """Return the seqs of an author's signatures of open pacts at this position. passed: members that sign nothing
        there any more, so that no pact is open that they have not signed."""
        pacts = self.locks(author, height, head, members)
        return [self._yes[pact.id][author] for pact in pacts if passed.isdisjoint(self.missing(pact, members))]

    @property
    def unshown(self) -> dict[bytes, list[int]]:
        """By author, the seqs of its signatures of pacts that are not known here, ascending."""
        found: dict[bytes, list[int]] = {}
        for name in self._yes.keys() - self.pacts.keys():
            for author, seq in self._yes[name].items():
                insort(found.setdefault(author, []), seq)
        return found

    def _timely(self, pact: Pact, author: bytes) -> bool:
        seq = self._said_yes(pact, author)
        return seq is not None and not self._late(pact, author, seq)

    def _overtaken(self, pact: Pact, author: bytes) -> bool:
        """True if a pact at this position leaves an author out by timely votes alone, so that nothing counts which it
        has said beyond, and counts among such pacts."""
        members = self._members.get((pact.at, pact.head), ())
        here = [each for each in self.at(pact.at, pact.head) if each.kind in LEAVING and self._agreed(each, members)]
        return any(author in each.named for each in counting(here, members))

    def _agreed(self, pact: Pact, members: Sequence[bytes]) -> bool:
        signers = pact.signers(members)
        many = len(signers) >= self.needed_for(pact, members) and pact.id not in self.ignored
        return many and all(self._timely(pact, member) for member in signers) and not self._freed(pact, members)

    def _late(self, pact: Pact, author: bytes, seq: int) -> bool:
        """True if the author of a vote, its entry `seq`, had spoken beyond the position before: where it had gone on by
        a pact that it had signed, if the vote frees from that; unless its own program had differed there, if it is for
        a repair without the word of somebody."""
        if pact.kind == "free":
            return self.gone_on(pact, author, seq)
        return self._beyond(pact, author, seq, self.passed(author, pact.at, pact.head, seq))

    def _beyond(self, pact: Pact, author: bytes, seq: int, beyond: bool) -> bool:
        """True if a vote comes late that is signed beyond its position."""
        if pact.repaired is not None:
            return beyond and bool(pact.out) and not self.spoken.differs(author, pact.at, pact.head, pact.repaired[0])
        return beyond and pact.kind != "without"

    def passed(self, author: bytes, height: int, head: bytes, before: int = MAX_NUMBER) -> bool:
        """True if an author had spoken beyond a position before its entry `before`, other than in a history that a
        `free` has ended."""
        gone, back = self.away(author, height, head)
        earlier = self.spoken.beyond(author, height, min(before, gone)) >= 0
        return earlier or self.spoken.beyond(author, height, before) > back

    def away(self, author: bytes, height: int, head: bytes) -> tuple[int, int]:
        """Return between which entries an author has spoken in a history that a `free` has ended, MAX_NUMBER twice if
        it has not: after its first signature of a pact at this position that would be complete but for a `free`, up to
        its first vote here after that. Fewer than t have gone on by that pact, so nothing was rolled there."""
        never = MAX_NUMBER, MAX_NUMBER
        here = self.at(height, head)
        if not any(pact.kind == "free" for pact in here):
            return never
        members = self._members.get((height, head), ())
        listed = {each for free in self.frees(height, head, members) for each in free.over}
        ended = [pact for pact in here if pact.id in listed and self._carried(pact, members)]
        gone = min((self._yes.get(pact.id, {}).get(author, MAX_NUMBER) for pact in ended), default=MAX_NUMBER)
        votes = sorted(self._yes[pact.id][author] for pact in here if author in self._yes.get(pact.id, ()))
        back = (seq for seq in votes if seq > gone and self.spoken.beyond(author, height, seq) > gone)
        return never if gone == MAX_NUMBER else (gone, next(back, MAX_NUMBER))

    def ended(self, entry: Entry, height: int, head: bytes) -> bool:
        """True if an entry stands in a history that a `free` at this position has ended."""
        gone, back = self.away(entry.author, height, head)
        return gone < entry.seq < back

    def _carried(self, pact: Pact, members: Sequence[bytes]) -> bool:
        """True if all signers of a pact have signed it in time, whether a `free` lists it or not."""
        signers = pact.signers(members)
        if pact.kind == "free" or pact.id in self.ignored or len(signers) < self.needed_for(pact, members):
            return False
        said = [(member, self._said_yes(pact, member)) for member in signers]
        return all(
            seq is not None and not self._beyond(pact, member, seq, self.spoken.beyond(member, pact.at, seq) >= 0)
            for member, seq in said
        )

    def gone_on(self, free: Pact, author: bytes | None, before: int = MAX_NUMBER) -> bool:
        """True if a member had spoken beyond this position, before its entry `before`, after it had signed a pact here
        that a `free` lists: it went on by that."""
        signed = (self._yes.get(each, {}).get(author or b"", MAX_NUMBER) for each in free.over)
        return any(self.spoken.beyond(author or b"", free.at, before) > mine for mine in signed)

    def refused(self, pact: Pact, author: bytes) -> str | None:
        """Return the author's reason against the pact, None without a refusal."""
        parted = author in self.left and not self.signed(pact, author)
        return self._no.get(pact.id, {}).get(author, (0, "pact/left" if parted else None))[1]

    def refusals(self, pact: Pact, members: Iterable[bytes]) -> dict[bytes, int]:
        """Return the refusals of the signers of a pact, as the seqs of their entries."""
        said = self._no.get(pact.id, {})
        return {who: said[who][0] for who in pact.signers(members) if who in said}

    def settled(self, pact: Pact, author: bytes, members: Sequence[bytes]) -> bool:
        """True if nothing makes a pact wait for the word of an author any more: it has said that, or the pact is turned
        down."""
        return author in self._no.get(pact.id, ()) or self.voted(pact, author) or self.turned_down(pact, members)

    def turned_down(self, pact: Pact, members: Sequence[bytes]) -> bool:
        """True if a pact that needs the word of all its signers has been refused by one, which is for good."""
        if pact.kind == "free":
            return False
        return any(who in members and who not in pact.named for who in self._no.get(pact.id, ()))

    def missing(self, pact: Pact, members: Iterable[bytes]) -> tuple[bytes, ...]:
        """Return the signers that have not signed; of a `free`, those that have not refused it either, since it needs
        only t."""
        unsigned = (member for member in pact.signers(members) if not self.signed(pact, member))
        return tuple(m for m in unsigned if pact.kind != "free" or self.refused(pact, m) is None)

    def binds(self, pact: Pact, members: Iterable[bytes]) -> bool:
        """True if one of its signers has signed a pact. Else it keeps nobody waiting, and nobody has to refuse it."""
        return any(self.signed(pact, member) for member in pact.signers(members))

    def complete(self, pact: Pact, members: Sequence[bytes]) -> bool:
        asked = pact.id, tuple(members)
        if asked not in self._complete:
            self._complete[asked] = self._count_complete(pact, members)
        return self._complete[asked]

    def _count_complete(self, pact: Pact, members: Sequence[bytes]) -> bool:
        if pact.kind == "free":
            return any(free.id == pact.id for free in self.frees(pact.at, pact.head, members))
        many = len(pact.signers(members)) >= self.needed_for(pact, members)
        signed = many and pact.id not in self.ignored and not self.missing(pact, members)
        return signed and not self._freed(pact, members)

    def _said(self, pact: Pact, members: Iterable[bytes]) -> tuple[int, int]:
        """Return how many signers have signed and how many have refused."""
        signers = pact.signers(members)
        refused = sum(self.refused(pact, member) is not None for member in signers)
        return sum(self.signed(pact, member) for member in signers), refused

    def _freed(self, pact: Pact, members: Sequence[bytes]) -> bool:
        """True if t members have freed the signers of a pact from it."""
        return any(pact.id in free.over for free in self.frees(pact.at, pact.head, members))

    def frees(self, height: int, head: bytes, members: Sequence[bytes]) -> list[Pact]:
        """Return the `free` that are complete at a position."""
        asked = height, head, tuple(members)
        if asked not in self._stand:
            self._stand[asked] = self._count_standing(height, head, members)
        return self._stand[asked]

    def _count_standing(self, height: int, head: bytes, members: Sequence[bytes]) -> list[Pact]:
        """Return the complete `free` of a position: those that t have signed, without those from which others of them
        free. Each is asked once, since a majority could list them in each other without end."""
        frees = [pact for pact in self.at(height, head) if pact.kind == "free" and pact.id not in self.ignored]
        signed = [free for free in frees if self._said(free, members)[0] >= threshold(len(members))]
        stands: dict[bytes, bool] = {}

        def standing(free: Pact) -> bool:
            if free.id not in stands:
                stands[free.id] = not any(free.id in other.over and standing(other) for other in signed)
            return stands[free.id]

        return [free for free in signed if standing(free)]

    def dead(self, pact: Pact, members: Sequence[bytes]) -> bool:
        """True if a pact can never be complete: a signer has refused it, or t members have freed those who are bound; a
        `free` if so many have refused it that fewer than t are left."""
        asked = pact.id, tuple(members)
        if asked not in self._dead:
            self._dead[asked] = self._count_dead(pact, members)
        return self._dead[asked]

    def _count_dead(self, pact: Pact, members: Sequence[bytes]) -> bool:
        if self._freed(pact, members):
            return True
        if pact.kind == "free":
            return len(pact.signers(members)) - self._said(pact, members)[1] < threshold(len(members))
        return any(self.refused(pact, member) is not None for member in pact.signers(members))

    def effective(self, height: int, head: bytes, members: Sequence[bytes]) -> tuple[Pact, ...]:
        """Return the complete pacts that count at a position, by id, without those that another covers."""
        if self.at(height, head) and self._members.get((height, head)) != members:
            self._members[height, head] = members
            self.recount()
        here = (pact for pact in self.at(height, head) if pact.kind != "free")
        return counting([pact for pact in here if self.complete(pact, members)], members)

    def locks(self, me: bytes, height: int, head: bytes, members: Sequence[bytes]) -> Sequence[Pact]:
        """Return the pacts at a position that `me` has signed and that have not taken effect or died, without those
        that a complete one covers, whether `me` has signed that or is left out by it."""
        asked = me, height, head, tuple(members)
        if asked not in self._locks:
            self._locks[asked] = [*self._count_locks(me, height, head, members)]
        return self._locks[asked]

    def _count_locks(self, me: bytes, height: int, head: bytes, members: Sequence[bytes]) -> Iterator[Pact]:
        here = self.at(height, head)
        for pact in here:
            if not self.signed(pact, me) or me not in pact.signers(members):
                continue
            if self.complete(pact, members) or self.dead(pact, members):
                continue
            if pact.kind == "free" and not self._lists_complete(pact, members):
                continue
            if not any(covers(other, pact, members) and self.complete(other, members) for other in here):
                yield pact

    def _lists_complete(self, free: Pact, members: Sequence[bytes]) -> bool:
        """True if a `free` that is not decided yet lists a complete pact. Until then there is nothing that its signers
        must not go on by."""
        return any(each in self.pacts and self.complete(self.pacts[each], members) for each in free.over)

    def may_replace(self, new: Pact, old: Pact, members: Sequence[bytes]) -> bool:
        """True if a member LOCKED(old) may sign `new` (rule 3). A member that moves says nothing more, so no pact over
        that waits for its word; nor does another move of a key that `old` leaves out bring anybody further."""
        awaited = old.named.intersection(members) - new.named if old.kind == "moved" else ()
        if awaited or (new.kind == "moved" and new.named <= old.named):
            return False
        silent = [member for member in self.missing(old, members) if self.refused(old, member) is None]
        spared = new.named == old.named or any(member in new.named for member in silent)
        return spared and covers(new, old, members)
