# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a replay: the log with its filters, pictures of the shown step, whose eyes, where to branch, what to
write to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from client.fronts.kit.canvas import searched
from client.fronts.kit.cards import pictured
from client.fronts.kit.page import Page, reading, told
from client.fronts.kit.pane import Item
from client.fronts.screen.position import ShownPosition
from client.fronts.screen.shelves import shelf_page, shelves_of
from client.proof.recording import Recording
from client.report.position import FORMS
from client.session.deeds.looked import heading
from client.session.filters import game_filters
from client.session.log import logged
from client.session.news import ChatMessage, LoggedEvent, events_document
from client.session.session import NOBODY
from client.show.lines import lines as drawn
from client.show.styled import Line
from client.system.texts import _
from engine.core.events import Event


def log(recording: Recording, at: int, names: Sequence[str], width: int, *, chat: bool = False) -> Page:
    """The log by steps, from the shown one on; its tabs are filters. chat: True for what was said."""
    walk, told = recording.walk, _told(recording, names)
    filters = game_filters(recording.match(at).spec, names, recording.mine)
    tab = next(at for at, each in enumerate(filters) if each.keeps is None) if chat else 0
    said = [ChatMessage(name, _("(a text that did not come along)") if it is None else it) for name, it in walk.said]

    def lines(width: int, word: str) -> Sequence[Line]:
        return searched(word, drawn(filters[page.tab].document(told, said, names), width))

    def begins(tab: int) -> int:
        keeps = filters[tab].keeps
        kept = [each for each in told if keeps is not None and keeps(each)]
        later = [each for each in kept if each.height >= at]
        return len(drawn(events_document(kept, names), width)) - len(drawn(events_document(later, names), width))

    page = Page(_("Log"), lines, tabs=[each.title for each in filters], tab=tab, skip=begins(tab), begins=begins)
    return page


def picture(shown: ShownPosition, name: str) -> Page:
    """A picture at the shown step, if the game has it."""
    if name not in shown.pictures.documents.commands:
        return told(name, lambda: _("This game has no such picture."))
    drawn = shown.pictures.documents.commands[name]
    title = heading(shown.pictures, name)
    return reading(title, lambda width: pictured(drawn, shown.frame(width)))


def goods(shown: ShownPosition, open_: Callable[[Page], None]) -> Page:
    """What could be bought at the shown step, or what the seats had of it."""
    if shelves_of(shown.pictures, shown.frame()):
        return shelf_page(heading(shown.pictures, shown.pictures.documents.goods), shown.pictures, shown.frame, open_)
    return picture(shown, shown.pictures.documents.goods)


def _told(recording: Recording, names: Sequence[str]) -> list[LoggedEvent]:
    """The events and pacts of the game in words, each with its step; events that were taken back have the step
    before."""
    walk, found, undone = recording.walk, list[LoggedEvent](), dict[int, list[Event]]()
    for height, events in walk.history:
        if not walk.stands(height):
            undone.setdefault(recording.before(height), []).extend(events)

    def worded(at: int, event: Event) -> LoggedEvent:
        return logged(at, event, names, walk.display_names)

    for at, step in enumerate(recording.steps):
        found += [worded(at, event) for event in step.events]
        found += [replace(worded(at, event), undone=True) for event in undone.get(at, ())]
        found += [LoggedEvent(at, text) for text in recording.agreed.get(at, ())]
    return found


def eyes(recording: Recording, at: int, names: Sequence[str], look: Callable[[int], None]) -> Page:
    """Whose view to show, with how much of each seat's cards is known here."""
    items = [Item(_("what all may see"), "", partial(look, int(NOBODY)))]
    items += [Item(told, "", partial(look, seat)) for seat, told in enumerate(_known(recording, at, names))]
    return Page(_("Whose eyes"), items=lambda: items)


def _known(recording: Recording, at: int, names: Sequence[str]) -> Iterator[str]:
    cards = recording.cards
    for seat, name in enumerate(names):
        held = [card for step, to, handles in cards.dealt if to == seat and step <= at for card in handles]
        known = sum(cards.face(card) is not None for card in held)
        told = _("{name}: cards seen {held}, known {known}").format(name=name, known=known, held=len(held))
        yield told if held else name


def branches(names: Sequence[str], play_on: Callable[[int], None]) -> Page:
    """The seat to play on as."""
    items = [
        Item(_("Play on from here as {name}, against bots").format(name=name), "", partial(play_on, seat))
        for seat, name in enumerate(names)
    ]
    return Page(_("Branch: nothing of it is signed or kept"), items=lambda: items)


def forms(choose: Callable[[str], None]) -> Page:
    """What to write to a file."""
    items = [Item(_(told), "", partial(choose, form)) for form, told in FORMS.items()]
    return Page(_("Write to a file, as everybody may see it"), items=lambda: items)
