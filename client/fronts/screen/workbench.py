# SPDX-License-Identifier: GPL-3.0-or-later
"""The editor of blueprints: the parts of one ship, those that fit first, beside the ship with the marked part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from client.fronts.kit.canvas import folded
from client.fronts.kit.ui import Item, Page
from client.fronts.screen.shown_front import ShownFront
from client.show.sheets import Bench, Fitting
from client.show.styled import Line
from client.system.texts import _
from client.words.plain import words_of

__all__ = ["design"]

ACTION = "upgrade"


def design(front: ShownFront) -> None:
    """Open the editor; in the turn menu the action goes into the draft first."""
    session = front.session
    if not _benches(front) and session.choices is not None and ACTION in session.choices.options:
        session.asking.pick(ACTION)
    if _benches(front):
        _edit(front, 0, 0)
        return
    reasons = session.choices.why(ACTION) if session.choices is not None else {}
    said = " ".join(reasons) or _("You are not asked for an upgrade now.")
    front.say(_("Blueprints cannot be changed now: {why}").format(why=said))
    front.ui.page = None


def _benches(front: ShownFront) -> Sequence[Bench]:
    draft, workbenches = front.session.draft, front.session.pictures.workbenches
    if draft is None or draft.ask is None or workbenches is None:
        return ()
    return workbenches(front.session.frame(), draft.ask, draft.so_far)


def _edit(front: ShownFront, tab: int, cursor: int) -> None:
    benches, slots = _benches(front), dict[tuple[int, int], int]()
    parts = [bench.fittings() for bench in benches]
    ask = front.scene.view.ask

    def fittings(word: str) -> list[tuple[int, Fitting]]:
        wanted = words_of(word)
        known = enumerate(parts[page.tab])
        return [(at, each) for at, each in known if all(part in " ".join(words_of(each.title)) for part in wanted)]

    def chosen(at: int, fitting: Fitting) -> int:
        return slots.get((page.tab, at), 0) % max(len(fitting.places), 1)

    def items(word: str) -> list[Item]:
        return [item(at, each) for at, each in fittings(word)]

    def item(at: int, fitting: Fitting) -> Item:
        title = f"{fitting.title}  {fitting.about}".rstrip()
        if not fitting.places:
            return Item(title, "", lambda: None, fitting.reason)
        option, slot = fitting.places[chosen(at, fitting)]
        more = f"◂ {slot} ▸" if len(fitting.places) > 1 else slot
        return Item(f"{title}  {more}".rstrip(), "", partial(_take, front, page, option), turn=partial(turn, at))

    def turn(at: int, by: int) -> None:
        slots[page.tab, at] = (slots.get((page.tab, at), 0) + by) % len(parts[page.tab][at].places)

    def beside(cursor: int, width: int) -> Sequence[Line]:
        found = fittings(front.ui.word)
        at, fitting = found[min(cursor, len(found) - 1)] if found else (0, None)
        places = fitting.places if fitting is not None else ()
        option = places[chosen(at, fitting)][0] if fitting is not None and places else None
        return benches[page.tab].ship(option, width)

    def head(width: int) -> Sequence[Line]:
        said = _("↑ and ↓ choose a part, ← and → its slot, digits the ship; Enter puts it into the draft.")
        return folded(said, width, "faint", "  ")

    tabs = [f"{at} {bench.title}" for at, bench in enumerate(benches)]
    title = ask.text if ask is not None else ""
    page = Page(title, items=items, head=head, beside=beside, tabs=tabs, tab=tab, cursor=cursor)
    front.open(page)


def _take(front: ShownFront, page: Page, option: object) -> None:
    """Put a part on the ship; the editor stays open while there is more to upgrade."""
    session = front.session
    if session.choices is None or option not in session.choices.options:  # the draft has changed meanwhile
        front.ui.page = None
        return
    session.asking.pick(option)
    if _benches(front):
        _edit(front, page.tab, page.cursor)
    else:
        front.ui.page = None
