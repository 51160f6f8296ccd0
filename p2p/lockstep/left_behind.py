# SPDX-License-Identifier: GPL-3.0-or-later
"""Which branch of a forger's feed a member reads that the others have left out, or that they have left bound by a vote,
while it held another one.

Their vote ends that feed before its histories part, so it names no branch, or the forger's own vote is on a branch that
is not here. What this member has signed since then is void in their history, so it reads on in that one without
contradicting itself. It takes another branch only where what they have signed shows that theirs is not the one that it
holds: a member that merely lacks entries waits for them. They have not signed two histories, and are so many that the
rest is fewer than t, forgers counted; whom they have left out and who reads their history too counts with them. It
follows fewer too if it has neither played on itself nor voted against one of them, also from an end that is not final.
So no two sets of honest members take each other's branch. Without a vote it takes one where so many speak of a later
height, a forger's word alone is missing here, and nothing that counts is undone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from p2p.lockstep.hearing import Hearing
from p2p.lockstep.outbox import Faults
from p2p.lockstep.pacts import PARTING, FeedEnd, Pact, covers, threshold
from p2p.lockstep.position import Position
from p2p.lockstep.step import STAGE, goes_on
from p2p.log.feeds import HELD
from p2p.wire.codec import Value
from p2p.wire.entry import NO_PREV, Entry

Held = frozenset[bytes]
"""The ids of the last entries of all forked feeds as they are held."""


class LeftBehind:
    """Finds the branches to try. tried: the combinations of branches that were read, each as far as it was known."""

    def __init__(self, hearing: Hearing, faults: Faults) -> None:
        self._hearing, self._faults = hearing, faults
        self._tried: set[Held] = set()

    def next_branch(
        self, position: Position, me: bytes, elsewhere: dict[bytes, Entry], gone_on: Collection[bytes] = ()
    ) -> FeedEnd | None:
        """Return the last known entry of the next branch, None if none is to be tried.

        elsewhere: by author, an entry of this height that names another head.
        gone_on: the members that owe an entry here and have gone on without it.
        """
        ballots, forgers = self._hearing.ballots, self._hearing.forgers & position.roster.keys()
        mine = self._mine(position, me) if forgers else []
        for pact in (*ballots.naming([me]), *mine) if forgers else ():
            past = position.held(pact.at, pact.head)
            members = position.members if past is None else past.members
            signers = [member for member in pact.signers(members) if member not in forgers]
            if not self._carried(me, pact, signers, members):
                continue
            ends = self._branches(forgers - {me}, pact, members, read=past is not None)
            if pact.kind not in PARTING or not self._leads_away(pact, signers, position, elsewhere, gone_on):
                ends = self._completing(ends, pact, members) if pact in mine else iter(())
            found = self._untried(ends, forgers)
            if found is not None:
                return found
        if mine or not forgers:
            return None
        return self._untried(self._filling(forgers - {me}, position, gone_on), forgers)

    def _filling(self, forgers: set[bytes], position: Position, gone_on: Collection[bytes]) -> Iterator[FeedEnd]:
        """Yield the branches on which a forger may have said what alone is missing at this height, if so many others
        speak of a later one that the rest is fewer than t. Each leaves all that counts here as it is, and completes no
        vote here."""
        feeds, members = self._hearing.feeds, position.members
        last = [feeds.last(member) for member in members if member not in self._hearing.forgers]
        there = sum(entry is not None and entry.height > position.height for entry in last)
        if there <= len(members) - threshold(len(members)) or not self._beside_alone(position, gone_on):
            return
        for forger in sorted({author for _, author in position.missing} & forgers):
            for seq, last_id in feeds.branches(forger, (-1, NO_PREV)):
                end = FeedEnd(forger, seq, last_id)
                dropped = feeds.feed(forger)[feeds.branch(forger, last_id)[0].seq :]
                claims = {entry.kind for entry in dropped} <= {"chat", "clock", "fault"}
                if claims and not self._completed(end, position.height, position.head, members):
                    yield end

    def _mine(self, position: Position, me: bytes) -> list[Pact]:
        """Return the votes of this position that bind this member, and those that let it back and are not complete."""
        ballots, place, members = self._hearing.ballots, (position.height, position.head), position.members
        back = [pact for pact in ballots.at(*place) if pact.kind == "back" and me in pact.about]
        return [*ballots.locks(me, *place, members), *(pact for pact in back if not ballots.complete(pact, members))]

    def _carried(self, me: bytes, pact: Pact, signers: Sequence[bytes], members: Sequence[bytes]) -> bool:
        """True if a vote lacks no signature but those of forgers, and its history is that of so many that the rest is
        fewer than t; or if this member has neither played on from there nor voted to leave out any of them."""
        ballots, feeds = self._hearing.ballots, self._hearing.feeds
        if not all(ballots.signed(pact, member) for member in signers):
            return False
        with_them = {*signers, *(each for each in members if each != me and self._follows(each, pact, members))}
        if len(with_them) > len(members) - threshold(len(members)):
            return True
        played_on = any(entry.kind in STAGE and entry.height > pact.at for entry in feeds.feed(me))
        return not played_on and not any(ballots.voted(each, me) for each in ballots.naming(signers))

    def _completing(self, ends: Iterator[FeedEnd], pact: Pact, members: Sequence[bytes]) -> Iterator[FeedEnd]:
        """Yield the branches on which the signature of a forger completes a vote; first those on which it completes
        most votes of that position, since another of these may count in place of this one. Where a signer has gone on
        from it, those too of which no more can be held: it may stand further on."""
        feeds, said = self._hearing.feeds, self._hearing.ballots.votes(pact, members)
        gone_on = any(self._hearing.gone_beyond(member, pact.at, said[member]) for member in said)
        found = [(self._completed(end, pact.at, pact.head, members), end) for end in ends]
        for done, end in sorted(found, key=lambda each: -len(each[0])):
            if pact in done or (gone_on and len(feeds.branch(end.author, end.id)) >= HELD):
                yield end

    def _completed(self, end: FeedEnd, at: int, head: bytes, members: Sequence[bytes]) -> list[Pact]:
        """Return the votes at a position that lack nothing but the signature of a forger, which is on this branch."""
        ballots = self._hearing.ballots
        words = [(entry.kind, entry.body) for entry in self._hearing.feeds.branch(end.author, end.id)]
        signed = (each for each in ballots.at(at, head) if _signs(words, each))
        return [each for each in signed if ballots.missing(each, members) == (end.author,)]

    def _follows(self, member: bytes, pact: Pact, members: Sequence[bytes]) -> bool:
        """True if a member whom a vote leaves out speaks of a later height, and no vote binds it at that position: it
        reads the history of those who have signed, and completes no rival."""
        ballots, last = self._hearing.ballots, self._hearing.feeds.last(member)
        if member in self._hearing.forgers or last is None or last.height <= pact.at:
            return False
        return member not in ballots.unshown and not ballots.locks(member, pact.at, pact.head, members)

    def _leads_away(
        self,
        pact: Pact,
        signers: list[bytes],
        position: Position,
        elsewhere: dict[bytes, Entry],
        gone_on: Collection[bytes],
    ) -> bool:
        """True if those who have signed a vote have another history: it is made in that, or counts here and they have
        gone on otherwise behind it, or a forger has said another word on it there than here, or one there alone. One
        that a complete one covers leads nowhere: they have gone on by that."""
        ballots, past = self._hearing.ballots, position.held(pact.at, pact.head)
        if past is None and pact.at <= position.height:
            return pact.at == position.height
        if past is None or ballots.complete(pact, past.members):
            return self._parted(signers, position, elsewhere, gone_on)
        here = (each for each in ballots.at(pact.at, pact.head) if covers(each, pact, past.members))
        if any(ballots.complete(each, past.members) for each in here):
            return False
        if ballots.dead(pact, past.members):  # by a forger's word or leave on this branch
            beside = self._passed(signers, position) and self._beside_alone(position, gone_on)
            return beside or any(author in elsewhere or author in gone_on for author in signers)
        said = ballots.votes(pact, past.members)
        return any(self._hearing.gone_beyond(member, pact.at, said[member]) for member in signers)

    def _parted(
        self, signers: list[bytes], position: Position, elsewhere: dict[bytes, Entry], gone_on: Collection[bytes]
    ) -> bool:
        """True if these members have another history: they name another head at this height, or have gone on from this
        position although a forger's entry is false here, or missing here and known of another branch, or its vote."""
        if any(author in elsewhere for author in signers):
            return True
        if not self._passed(signers, position):
            return False
        alone = self._beside_alone(position, gone_on) or self._unsigned_alone(position)
        return alone or self._false_here(position)

    def _passed(self, signers: list[bytes], position: Position) -> bool:
        """True if one of these members has gone on from this position."""
        said = (entry for member in signers for entry in self._hearing.feeds.feed(member))
        return any(goes_on(entry) and entry.height > position.height for entry in said)

    def _false_here(self, position: Position) -> bool:
        """True if an entry of a forger at this height is false."""
        feeds = self._hearing.feeds
        false = [feeds.get(id) for forger in self._hearing.forgers for id in self._false(forger)]
        return any(entry is not None and entry.height == position.height for entry in false)

    def _false(self, forger: bytes) -> set[bytes]:
        """Return the ids of the entries of a forger that are false by themselves."""
        faults = self._faults.proven.get(forger, ())
        return {fault.entries[0] for fault in faults if len(fault.entries) == 1}

    def _beside_alone(self, position: Position, gone_on: Collection[bytes]) -> bool:
        """True if only entries of forgers are missing at this height, and one is known of another branch, or may lie
        where that is not known yet, but none of this one alone: what a vote that binds this member keeps unread is not
        missing, nor is what somebody has gone on without, and what it owes itself nobody waits for."""
        feeds, owing = self._hearing.feeds, {author for _, author in position.missing} - {position.me, *gone_on}
        parts = {author: feeds.forks[author].seq if author in feeds.forks else 0 for author in owing}
        here = [entry for author in owing for entry in feeds.feed(author)[parts[author] :] if entry.kind in STAGE]
        if any((entry.height, entry.head) == (position.height, position.head) for entry in here):
            return False
        beside = [entry for author in owing for entry in feeds.beside(author) if entry.kind in STAGE]
        known = any(entry.height == position.height for entry in beside)
        return owing <= self._hearing.forgers and (known or any(map(feeds.longer, owing)))

    def _unsigned_alone(self, position: Position) -> bool:
        """True if a vote at this position lacks signatures of forgers only."""
        ballots = self._hearing.ballots
        lacking = (ballots.missing(pact, position.members) for pact in ballots.at(position.height, position.head))
        return any(missing and self._hearing.forgers >= {*missing} for missing in lacking)

    def _branches(self, forgers: set[bytes], pact: Pact, members: Sequence[bytes], *, read: bool) -> Iterator[FeedEnd]:
        """Yield the last known entries of the branches to try: theirs holds the ends that they have signed, and no
        refusal. read: True if this member has read up to the position of their vote, which each branch to try leaves as
        it is: what is false fills no slot of a height below."""
        feeds, refused = self._hearing.feeds, self._hearing.ballots.refusals(pact, members)
        for forger in sorted(forgers):
            end = pact.end_of(forger)
            for seq, last in feeds.branches(forger, (-1, NO_PREV) if end is None else (end.seq, end.id)):
                leaves = feeds.branch(forger, last)[0].seq
                dropped = feeds.feed(forger)[leaves:]
                below = (entry.id for entry in dropped if entry.kind in STAGE and entry.height < pact.at)
                undone = read and not {*below} <= self._false(forger)
                if not undone and (not refused or refused.get(forger, -1) >= leaves):
                    yield FeedEnd(forger, seq, last)

    def _untried(self, ends: Iterator[FeedEnd], forgers: set[bytes]) -> FeedEnd | None:
        """Return the first of these branches that was not read before together with the other branches of now."""
        feeds = self._hearing.feeds
        held = {author: feeds.end(author)[1] for author in forgers}
        self._tried.add(frozenset(held.values()))
        for end in ends:
            branches = frozenset({**held, end.author: end.id}.values())
            if branches not in self._tried:
                self._tried.add(branches)
                return end
        return None


def _signs(words: list[tuple[str, Value]], pact: Pact) -> bool:
    """True if one of these entries, each as kind and body, signs a vote."""
    return ("sign", [pact.id]) in words or ("pact", pact.body()) in words
