# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles on the screen: a line while there is one, and a page with what is wrong, what is at stake and what to do;
for engines that differ also the fields and the groups of members."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import aimed, fit, folded, shortened, wide
from client.fronts.kit.page import Page
from client.fronts.kit.pane import Item
from client.fronts.screen.deeds import Doing
from client.fronts.screen.keys import TROUBLED
from client.session.deeds import DEEDS
from client.session.troubles import EVERY, TableTrouble, trouble_document
from client.show.lines import lines
from client.show.styled import Line, line, plain
from client.system.texts import _
from client.table.notices import (
    DiskFull,
    DivergenceFound,
    FaultProven,
    LinkChange,
    LinkChanged,
    PeerStopped,
    Restoring,
    SplitFound,
    StateDiverged,
)

ALARMS: Final = (FaultProven, StateDiverged, DivergenceFound, SplitFound, PeerStopped, DiskFull)
"""Notices that must not be overlooked, besides that of a lost link."""
BAR: Final = 30
"""Most columns of a bar."""


def banner(troubles: Sequence[TableTrouble], columns: int, key: str) -> Line:
    """The most urgent trouble in one line; () without one. key: shows what to do."""
    if not troubles:
        return ()
    first, more = troubles[0], len(troubles) - 1
    tail = _("{key} what to do").format(key=key) + (_(" ({n} more)").format(n=more) if more else "")
    room = columns - wide(tail) - 3
    text = next(iter(progress(first, room)), line(("alarm", f" {first.text}")))
    return aimed(fit((*shortened(text, room), ("", "  "), ("key", tail)), columns), "key", key)


def progress(trouble: TableTrouble, width: int) -> list[Line]:
    """The progress of work that needs no action; [] of any other trouble."""
    if not isinstance(trouble.notice, Restoring):
        return []
    done, total, bar = trouble.notice.done, trouble.notice.total, max(min(BAR, width - 10), 5)
    full, percent = bar * done // total, f" {100 * done // total:>3}% "
    head = line(" ", ("key", "█" * full), ("faint", "░" * (bar - full)), percent)
    said = folded(trouble.text, max(width - bar - 7, 8))
    if wide(trouble.text) + bar + 8 <= width:
        return [line(*head, trouble.text)]
    return [head, *said] if width < 60 else [line(*head, *said[0]), *said[1:]]


def title(troubles: Sequence[TableTrouble]) -> str:
    """The heading of the page."""
    for trouble in troubles:
        match trouble.notice:
            case DivergenceFound(_, height) | StateDiverged(_, height) if not trouble.ahead:
                return _("Stopped: two programs disagree after step {n}; nobody lost anything").format(n=height - 1)
    return _("What stands in the way")


def trouble_lines(troubles: Sequence[TableTrouble], width: int, most: int = EVERY) -> list[Line]:
    """Every trouble, work under way with its progress. most: of the fields in which engines differ."""
    shown: list[Line] = []
    for trouble in troubles:
        head, *known = trouble_document(trouble, most)
        shown += [*(progress(trouble, width) or lines([head], width)), *lines(known, width), ()]
    return shown or [line(_("Nothing stands in the way."))]


def alarming(about: object) -> bool:
    """True for news that must not be overlooked."""
    return isinstance(about, ALARMS) or (isinstance(about, LinkChanged) and about.change is LinkChange.DOWN)


WANTED: Final = ("enter", "up", "help", "chat", "escape")
TEXT: Final = 23
"""Rows that a trouble may need besides the fields in which engines differ."""


def troubles(doing: Doing) -> Page:
    """The troubles and the actions against them."""
    now, copied = doing.now, list[Line]()

    def items() -> list[Item]:
        deeds = {each.text: each for trouble in now().troubles for each in trouble.deeds}
        acts = [(text, partial(doing.do, each.deed, **each.given)) for text, each in deeds.items()]
        bundle = DEEDS["bug"]
        if not bundle.why_not(doing.session, {}):
            acts.append((_(bundle.does), partial(doing.do, bundle.id)))
        kept = [(text, act) for text, act in acts if page.word.lower() in text.lower()]
        return [Item(text, str(number), act) for number, (text, act) in enumerate(kept, 1)]

    def head(width: int) -> list[Line]:
        return [*copied, *trouble_lines(now().troubles, width, max(page.size[1] + 2 - TEXT, 1))]

    def copy() -> None:
        doing.host.copy("\n".join(plain(each).rstrip() for each in trouble_lines(now().troubles, 200)))
        copied[:] = [line(("notice", _("Copied to the clipboard, if your terminal allows that.")))]

    page = Page(title(now().troubles), items=items, head=head, keys=TROUBLED, does={"copy": copy}, wanted=WANTED)
    return page
