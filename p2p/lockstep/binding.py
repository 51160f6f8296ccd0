# SPDX-License-Identifier: GPL-3.0-or-later
"""What the votes of a member bind it to, and for whom it waits because of them: those who have not said yes or no, who
are bound alike, who hold on, and who have gone on."""

from __future__ import annotations

from collections.abc import Callable, Collection

from p2p.lockstep.cuts import on_another_branch
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.overtaken import led_elsewhere
from p2p.lockstep.pacts import EARLIER, Pact, covers
from p2p.lockstep.reading import Reading
from p2p.lockstep.step import STAGE
from p2p.lockstep.votes import WAITING, holding_on, judge_pact, obstructing


class Binding:
    """The signatures that bind member `me`. claims_more: returns the members that report entries which this peer lacks;
    the exchange sets it."""

    def __init__(self, me: bytes, reading: Reading) -> None:
        self.claims_more: Callable[[], Collection[bytes]] = tuple
        self._me, self._reading = me, reading
        self._feeds, self._ballots = reading.hearing.feeds, reading.hearing.ballots

    @property
    def bound(self) -> bool:
        """True if a signature of this member blocks this height. Who has left signs nothing more, so it reads on."""
        return bool(self._ballots.pacts) and self._me not in self._ballots.left and bool(self.locks())

    def locks(self) -> list[Pact]:
        """Return the pacts that bind this member now: at this position, or at an earlier one where play may resume."""
        position = self._reading.position
        locks = list(self._ballots.locks(self._me, position.height, position.head, position.members))
        known = (pact for pact in self._ballots.until(position.height - 1) if pact.kind in EARLIER)
        for at, head in {(pact.at, pact.head): None for pact in known if self._ballots.signed(pact, self._me)}:
            past = position.held(at, head)
            if past is not None:
                there = self._ballots.locks(self._me, at, head, past.members)
                locks += [pact for pact in there if pact.kind in EARLIER]
        return locks

    def awaited(self) -> set[bytes]:
        """Return the members whose signature or refusal this member must wait for."""
        members = self._reading.position.members
        words = {member for lock in self.locks() for member in self._ballots.missing(lock, members)}
        return words.intersection(members)

    def wordless(self) -> list[tuple[bytes, bytes]]:
        """Return the members that have neither signed nor refused an open pact of this position, or one after which
        play resumes at an earlier one, each with its id. A pact that names what this peer does not hold asks nobody for
        a word, since perhaps nobody holds it; nor does one that binds nobody."""
        ballots = self._ballots
        found = [(pact, members) for pact, members in self._open_pacts() if ballots.binds(pact, members)]
        here = [(p, members) for p, members in found if ballots.signed(p, self._me) or self._judged(p, members)]
        return [(member, pact.id) for pact, members in here for member in ballots.missing(pact, members)]

    def _judged(self, pact: Pact, members: tuple[bytes, ...]) -> bool:
        """True if this peer holds all that decides whether a pact may be signed."""
        refusal = judge_pact(self._reading, pact, members)
        return refusal is None or refusal.code not in WAITING

    def bound_alike(self) -> set[bytes]:
        """Return the members bound by the same pact, which owe nothing else until it is decided, unless they have
        refused more than once to go on over it as this member would."""
        position, ballots = self._reading.position, self._ballots
        found, here = set[bytes](), ballots.at(position.height, position.head)
        for lock in self.locks():
            ways = [p for p in here if ballots.signed(p, self._me) and covers(p, lock, position.members)]
            for member in position.members:
                refused = sum(ballots.refused(way, member) is not None for way in ways)
                if ballots.signed(lock, member) and refused <= 1:
                    found.add(member)
        return found

    def spoken_here(self) -> set[bytes]:
        """Return the members that have said something for this height which is not read while a vote binds this
        member, so that they owe nothing until it is decided."""
        position = self._reading.position
        if not self.bound:
            return set()
        held = {author: self._reading.held(author) for author in position.members}
        here = position.height, position.head
        return {a for a, e in held.items() if e is not None and e.kind in STAGE and (e.height, e.head) == here}

    def obstructing(self, *, always: bool = False) -> set[bytes]:
        """Return the members that have refused again and again here to go on without others, because of other votes
        that bind them, while this member had signed that. always: only those that have signed none of these."""
        return obstructing(self._reading, "absent", "pact/rival", always=always)

    def holding_on(self) -> set[bytes]:
        """Return the members that have refused again and again here, alone, what this member had signed: to give up
        somebody, to leave out who has left, or to go on without somebody."""
        return holding_on(self._reading)

    def free(self, member: bytes) -> bool:
        """True if no open vote binds a member."""
        return not any(self._ballots.signed(pact, member) for pact, _ in self._open_pacts())

    @property
    def left_out(self) -> bool:
        """True if the table goes on without this member."""
        position = self._reading.position
        return self._me in position.cut or self._me not in position.members

    @property
    def behind(self) -> TableRefusal | None:
        """Why this member does not vote now, None if it may. While a history is read again, a signature at an
        earlier position would bind it there."""
        position, unread = self._reading.position, self._reading.waiting(self._me)
        ahead = any(entry.height > position.height for entry in unread)
        left = ahead and not led_elsewhere(position, self._feeds, self._me, unread)
        return TableRefusal("lockstep/catching-up") if left else None

    @property
    def beyond(self) -> TableRefusal | None:
        """Why a vote of this member would not count here, None if it would: it has spoken at a later height, in a
        history that has been overtaken, and is not left out by what has overtaken it."""
        position = self._reading.position
        spoken = self._ballots.spoken.beyond(self._me, position.height) >= 0
        return TableRefusal("lockstep/catching-up") if spoken and self._me not in position.named_here else None

    @property
    def estranged(self) -> bool:
        """True if this member cannot read its own feed further, since it signed the next entry of it over another
        state: with another engine. After a repair that entry counts as far as it fits."""
        return any(entry.author == self._me for entry in self._reading.differing())

    def ahead(self, out: Collection[bytes] = ()) -> list[bytes]:
        """Return the members not in `out` that seem to have passed this position: an entry of theirs from a greater
        height is held here, or they report entries that are missing here. Members with a proven fault are left out."""
        position, claims = self._reading.position, self.claims_more()
        left_out = {*position.cut, *out, *self._reading.faults.proven, self._me}
        there = [author for author in position.members if author not in left_out]
        return [author for author in there if author in claims or self.beyond_here(author)]

    def beyond_here(self, author: bytes) -> bool:
        """True if this feed contains an unread entry that fills a slot of a greater height."""
        height = self._reading.position.height
        return any(entry.height > height and entry.kind in STAGE for entry in self._reading.waiting(author))

    def on_another_branch(self, member: bytes) -> bool:
        """True if a member has shown that it holds the other branch of a feed whose author signed two histories."""
        return on_another_branch(self._reading, member)

    def _open_pacts(self) -> list[tuple[Pact, tuple[bytes, ...]]]:
        """Return the undecided pacts whose position is in this history, with the members there."""
        position, found = self._reading.position, []
        for pact in self._ballots.until(position.height):
            past = position.held(pact.at, pact.head)
            if past is None or not (pact.at == position.height or pact.kind in EARLIER):
                continue
            if not self._ballots.complete(pact, past.members) and not self._ballots.dead(pact, past.members):
                found.append((pact, past.members))
        return found
