# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether other members confirm the end of the own feed. Nothing is signed in a run before they do.

A store cannot detect that it is an older copy: a restored folder, a log that lost its last frames and the newest state
look alike. Other members can: those that hold newer entries of this feed report them by `have`, and sync brings the
entries back.

    a member's have names the end of the feed       it confirms
    it names more                                   wait for those entries, then for a have with the new end
    it names less                                   send the rest, and ask for another have
    it sends later entries, without those before    wait for those before
    half of the linked members report another link  wait until that copy or old link is gone
    no linked member has named more, one confirms,
    and all present were heard or SETTLE is over    confirmed

A link that is silent, or promises entries and does not send them, is waited for up to LIAR seconds. A single
one of several members is not believed when it reports another copy, since it could so silence a member that has come
back.

Two cases remain unnoticed. An absent member is the only one that holds a newer entry. Or two copies run at the same
time, each linked with other members who have no link with one another: both are confirmed, and if both sign before an
entry of one reaches the other, they have forked. If only one has signed, the other takes its entries and watches.
"""

from __future__ import annotations

from typing import Final

from p2p.lockstep.lockstep import Lockstep
from p2p.wire.entry import NO_PREV
from p2p.wire.messages import Have, Want
from seeds.dataclass import dataclass

SETTLE: Final = 2.0
"""Seconds to wait for further links after the first, which would be enough to confirm."""
LIAR: Final = 45.0
"""Seconds without a have or without promised entries, after which a link is not waited for. Longer than the time
between two haves."""
ASK_AGAIN: Final = 1.0


@dataclass(slots=True)
class _Report:
    """What a link has reported of the own feed.

    Attributes:
        member: the member at the other end, None before its first have and for watchers.
        elsewhere: True if it has another link with this key.
        since: time in seconds of the last change of this or of the own end, None before the next look.
    """

    member: bytes | None = None
    heard: bool = False
    elsewhere: bool = False
    since: float | None = None
    seq: int = -1
    last: bytes = NO_PREV


class OwnFeed:
    """The reports of all links about the own feed of `table`. Call `look` after each report and about every second."""

    def __init__(self, table: Lockstep) -> None:
        assert table.me is not None
        self._table, self._me = table, table.me
        self._reports: dict[str, _Report] = {}
        self._first: float | None = None
        self._end = table.own_end()
        self._gap: float | None = None
        self._next_ask = 0.0

    def opened(self, link: str) -> None:
        self._reports[link] = _Report()

    def closed(self, link: str) -> None:
        self._reports.pop(link, None)

    def said(self, link: str, member: bytes | None, have: Have) -> None:
        """Note a have. member: its member, authenticated by the channel, None for a watcher."""
        report = self._reports[link]
        mine = next(((feed.seq, feed.id) for feed in have.feeds if feed.author == self._me), (-1, NO_PREV))
        if not report.heard or (report.seq, report.last) != mine:
            report.since = None
        report.member = None if member == self._me else member
        report.heard, report.elsewhere, (report.seq, report.last) = True, self._me in have.linked, mine

    def look(self, now: float) -> list[tuple[str, Want]]:
        """Confirm the feed if possible. Return the requests to send meanwhile, by link."""
        if not self._table.unconfirmed:
            return []
        end = self._table.own_end()
        for report in self._reports.values():
            if report.since is None or end != self._end:
                report.since = now
        self._end = end
        waited = [report for report in self._reports.values() if now - (report.since or now) < LIAR]
        ahead = [report for report in waited if not self._fits(report)]
        elsewhere = self._elsewhere()
        self._table.elsewhere(elsewhere)
        if ahead or self._lacking(now):
            self._table.older()
        elif (
            not elsewhere
            and all(report.heard for report in waited)
            and self._settled(now)
            and any(report.member is not None and (report.seq, report.last) == end for report in self._reports.values())
        ):
            self._table.confirm(*end)
            return []
        if now < self._next_ask:
            return []
        self._next_ask = now + ASK_AGAIN
        # A peer that was sent the rest answers with `have` when it is asked for an entry beyond its last one.
        return [
            (link, Want(self._table.genesis.table, self._me, end[0], 1))
            for link, report in self._reports.items()
            if report.member is not None and report.seq < end[0]
        ]

    def _elsewhere(self) -> bool:
        """True if half of the linked members report another link with this table key."""
        said = [report.elsewhere for report in self._reports.values() if report.member is not None]
        return 0 < sum(said) * 2 >= len(said)

    def _lacking(self, now: float) -> bool:
        """True for LIAR seconds while entries of the own feed are held after a gap that nobody has filled."""
        if not self._table.feeds.early(self._me):
            self._gap = None
            return False
        self._gap = now if self._gap is None else self._gap
        return now - self._gap < LIAR

    def _fits(self, report: _Report) -> bool:
        """False if this link holds an entry of the own feed that is missing here."""
        feed = self._table.feeds.feed(self._me)
        return report.seq < 0 or (report.seq < len(feed) and feed[report.seq].id == report.last)

    def _settled(self, now: float) -> bool:
        """True once all present members are linked or SETTLE has passed."""
        heard = {report.member for report in self._reports.values() if report.member is not None}
        if self._first is None and heard:
            self._first = now
        position = self._table.position
        missing = set(position.members) - heard - position.cut.keys() - {self._me}
        return not missing or (self._first is not None and now - self._first >= SETTLE)
