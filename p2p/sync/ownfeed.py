# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether other members confirm the end of the own feed. Nothing is signed before they do.

A store cannot detect that it is an older copy: a restored folder, a log that lost its last frames and the newest state
look alike. Other members can: those that hold newer entries of this feed report them by `have`, and sync brings the
entries back. The confirmation is a lease. It ends when the computer has slept and when the last link is lost, since
somebody may have played on from a copy meanwhile; then it is asked for again.

Every question is new, and a have counts only if it answers one of this lease: what was sent before a sleep says nothing
about the time after it.

    a member's answer names the end of the feed      it confirms
    it names more, and the newest of it is here      wait for what is missing in between
    it names more, and nothing shows it              it is no answer: only I can have signed such an entry
    it names less                                    send the rest, and ask again
    it says that it has another link with this key   wait for the word of that copy, signed over my question
    no member has more, one confirms, and all
    present were heard or SETTLE is over             confirmed

Once a member confirms the end, linked members that do not answer are waited for up to PATIENCE seconds, together. So
are claims that the key is in use elsewhere. Neither any number of liars, one after another, nor one that returns can
wait longer: what silences this member for longer than that carries its own signature. Nobody signs its own question,
which a liar can send back.

Two cases remain unnoticed. An absent member is the only one that holds a newer entry. Or two copies run at the same
time, each linked with other members who have no link with one another: both are confirmed, and if both sign before an
entry of one reaches the other, they have forked. If only one has signed, the other takes its entries and watches.
"""

from __future__ import annotations

from secrets import token_bytes
from typing import Final

from engine.core.dataclass import dataclass
from p2p.lockstep.lockstep import Lockstep, elsewhere_digest
from p2p.wire.entry import NO_PREV
from p2p.wire.messages import QUESTION, Have, Twin
from p2p.wire.signing import verify

SETTLE: Final = 2.0
"""Seconds to wait for further links after the first answer that is enough to confirm."""
PATIENCE: Final = 15.0
"""Seconds from that answer on for which those of linked members, and the word of a second copy, are waited for."""
ASK_AGAIN: Final = 1.0
SELDOM: Final = 8.0
"""Seconds between two questions: at first, and at the most, since each is half as frequent as the one before."""

_COUNTER: Final = 4


@dataclass(slots=True)
class _Report:
    """The answer of a link.

    Attributes:
        identity: the peer's identity key, authenticated by the channel.
        member: the member at the other end, None before its first have and for watchers.
        answered: the number of the question that its last have answers, -1 if none of this run.
        elsewhere: True if it says that it has another link with this key.
        seq, last: the end of the own feed that it names.
    """

    identity: bytes
    member: bytes | None = None
    answered: int = -1
    elsewhere: bool = False
    seq: int = -1
    last: bytes = NO_PREV


@dataclass(slots=True)
class _Lease:
    """One time of asking.

    Attributes:
        since: the number of its first question.
        naps: how often this computer had slept then.
        next_ask, pause: when to ask again.
        first: the end of the own feed, and when a member's answer has first named it; None before.
        proven: until when the word of a second copy counts.
    """

    since: int
    naps: int
    next_ask: float
    pause: float = ASK_AGAIN
    first: tuple[tuple[int, bytes], float] | None = None
    proven: float = 0.0

    def waiting(self, end: tuple[int, bytes], now: float, seconds: float) -> bool:
        """True until so many seconds after the first answer that names this end of the own feed."""
        return self.first is None or self.first[0] != end or now < self.first[1] + seconds


class OwnFeed:
    """The answers of all links about the own feed of `table`. Call `look` after each message and about every second."""

    def __init__(self, table: Lockstep) -> None:
        assert table.me is not None
        self._table, self._me = table, table.me
        self._run = token_bytes(QUESTION - _COUNTER)
        self._number = 0
        self._reports: dict[str, _Report] = {}
        self._lease: _Lease | None = None

    # Questions -------------------------------------------------------------------------------------------------------

    @property
    def question(self) -> bytes:
        """The question to send, empty if there is none."""
        return b"" if self._lease is None else self._run + self._number.to_bytes(_COUNTER, "big")

    def _number_of(self, question: bytes) -> int:
        """Return the number of an own question of this run, -1 for any other."""
        own = len(question) == QUESTION and question.startswith(self._run)
        return int.from_bytes(question[-_COUNTER:], "big") if own else -1

    # What links report -----------------------------------------------------------------------------------------------

    def opened(self, link: str, identity: bytes) -> None:
        self._reports[link] = _Report(identity)

    def closed(self, link: str) -> None:
        """Note that a link is down. The lease ends with the last one."""
        self._reports.pop(link, None)
        if not self._reports:
            self._table.lapse()

    def said(self, link: str, member: bytes | None, have: Have) -> None:
        """Note a have. member: its member, authenticated by the channel, None for a watcher."""
        report = self._reports[link]
        mine = next(((feed.seq, feed.id) for feed in have.feeds if feed.author == self._me), (-1, NO_PREV))
        report.member = None if member == self._me else member
        report.answered, report.elsewhere = self._number_of(have.answer), self._me in have.linked
        report.seq, report.last = mine

    def witness(self, question: bytes) -> bytes:
        """Return the word of this copy for another one that asks, empty for an own question."""
        return b"" if self._number_of(question) >= 0 else self._table.witness(question)

    def twin(self, twin: Twin, now: float) -> bool:
        """Note the word of another copy. Return True if it is for a question of this run."""
        number, lease = self._number_of(twin.question), self._lease
        fits = number >= 0 and verify(self._me, twin.signature, elsewhere_digest(twin.table, twin.question))
        if fits and lease is not None and number >= lease.since:
            lease.proven = now + PATIENCE
        return number >= 0

    # Whether they confirm --------------------------------------------------------------------------------------------

    def look(self, now: float) -> bool:
        """Confirm the feed if possible. Return True if all links should be asked now."""
        if not self._table.unconfirmed:
            self._lease = None
            return False
        naps = self._table.signing.naps()
        if self._lease is None or self._lease.naps != naps:
            self._lease = _Lease(self._number + 1, naps, now)
        lease, end = self._lease, self._table.own_end()
        answers = [report for report in self._reports.values() if self._answered(report, lease)]
        members = [report for report in answers if report.member is not None]
        confirmed = any((report.seq, report.last) == end for report in members)
        if confirmed and (lease.first is None or lease.first[0] != end):
            lease.first = end, now
        patient = lease.waiting(end, now, PATIENCE)
        claimed, proven = any(report.elsewhere for report in members), now < lease.proven
        self._table.elsewhere(claimed and proven)
        if any(report.seq > end[0] for report in answers):
            self._table.older()
        elif (
            confirmed
            and not (claimed and (patient or proven))
            and not (patient and self._unanswered(lease))
            and not (lease.waiting(end, now, SETTLE) and self._missing(members))
        ):
            self._table.confirm(*end)
            self._lease = None
            return False
        return self._ask_again(lease, now)

    def _ask_again(self, lease: _Lease, now: float) -> bool:
        if now < lease.next_ask:
            return False
        self._number += 1
        lease.next_ask, lease.pause = now + lease.pause, min(2 * lease.pause, SELDOM)
        return True

    def _answered(self, report: _Report, lease: _Lease) -> bool:
        """True if a link has answered: what it names of the own feed is held here, or at least its last entry."""
        if report.answered < lease.since:
            return False
        feed, early = self._table.feeds.feed(self._me), self._table.feeds.early_by_author.get(self._me, {})
        held = feed[report.seq] if 0 <= report.seq < len(feed) else early.get(report.seq)
        return report.seq < 0 or (held is not None and held.id == report.last)

    def _unanswered(self, lease: _Lease) -> bool:
        """True if a linked member has not answered."""
        members = {member.certificate.identity for member in self._table.position.roster.values()}
        asked = (report for report in self._reports.values() if report.identity in members)
        return any(not self._answered(report, lease) for report in asked)

    def _missing(self, members: list[_Report]) -> bool:
        """True if a member that is present has not answered."""
        position = self._table.position
        return bool(set(position.members) - {report.member for report in members} - position.cut.keys() - {self._me})
