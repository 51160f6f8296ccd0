# SPDX-License-Identifier: GPL-3.0-or-later
"""The editor of what has parts: those of one ship, those that fit first, beside the ship with the marked part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from client.fronts.kit.canvas import folded
from client.fronts.kit.cards import cards
from client.fronts.kit.page import Page
from client.fronts.kit.pane import Item
from client.fronts.screen.deeds import Doing
from client.show.document import Bench, Fitting
from client.show.styled import Line
from client.system.texts import _
from client.words.plain import words_of
from engine.core.values import Value

__all__ = ["bench"]


def bench(doing: Doing) -> None:
    """Open the editor; in the turn menu the action goes into the draft first."""
    view, choices = doing.now().view, doing.now().view.choices
    if not _benches(doing) and choices is not None and view.pictures.questions.bench in choices.options:
        doing.pick(view.pictures.questions.bench)
    if _benches(doing):
        _edit(doing, 0, 0)
        return
    reasons = choices.why(view.pictures.questions.bench) if choices is not None else {}
    said = " ".join(reasons) or _("You are not asked for an upgrade now.")
    doing.say(_("Blueprints cannot be changed now: {why}").format(why=said))
    doing.open(None)


def _benches(doing: Doing) -> Sequence[Bench]:
    view = doing.now().view
    draft, workbenches = view.draft, view.pictures.documents.workbenches
    if draft is None or draft.ask is None or workbenches is None:
        return ()
    return workbenches(view.frame(), draft.ask, draft.so_far)


def _edit(doing: Doing, tab: int, cursor: int) -> None:
    benches, slots = _benches(doing), dict[tuple[int, int], int]()
    parts = cache(lambda tab: benches[tab].fittings())  # of the ship that is looked at
    ask = doing.now().view.ask

    def fittings(word: str) -> list[tuple[int, Fitting]]:
        wanted = words_of(word)
        known = enumerate(parts(page.tab))
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
        return Item(f"{title}  {more}".rstrip(), "", partial(_take, doing, page, option), turn=partial(turn, at))

    def turn(at: int, by: int) -> None:
        slots[page.tab, at] = (slots.get((page.tab, at), 0) + by) % len(parts(page.tab)[at].places)

    def beside(cursor: int, width: int) -> Sequence[Line]:
        found = fittings(page.word)
        at, fitting = found[min(cursor, len(found) - 1)] if found else (0, None)
        places = fitting.places if fitting is not None else ()
        option = places[chosen(at, fitting)][0] if fitting is not None and places else None
        return cards(benches[page.tab].ship(option), width, doing.now().glyphs)

    def head(width: int) -> Sequence[Line]:
        said = _("↑ and ↓ choose a part, ← and → its slot, digits the ship; Enter puts it into the draft.")
        return folded(said, width, "faint", "  ")

    tabs = [f"{at} {each.title}" for at, each in enumerate(benches)]
    title = ask.text if ask is not None else ""
    page = Page(title, items=items, head=head, beside=beside, tabs=tabs, tab=tab, cursor=cursor)
    doing.open(page)


def _take(doing: Doing, page: Page, option: Value) -> None:
    """Put a part on the ship; the editor stays open while there is more to upgrade."""
    choices = doing.now().view.choices
    if choices is None or option not in choices.options:  # the draft has changed meanwhile
        doing.open(None)
        return
    doing.pick(option)
    if _benches(doing):
        _edit(doing, page.tab, page.cursor)
    else:
        doing.open(None)
