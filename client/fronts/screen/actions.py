# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of the keys at a table, by their names in the key table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from client.fronts.kit.ui import PANES, UNMARKED, Pane, Typing
from client.fronts.screen import advised
from client.fronts.screen.deeds import answered, command, do
from client.fronts.screen.feed import PLANNED
from client.fronts.screen.focus import jump, next_legal, past, to_place, zoom
from client.fronts.screen.layout import looks
from client.fronts.screen.options import Entry
from client.fronts.screen.shelves import wares
from client.fronts.screen.shown_front import ShownFront
from client.session.deeds import DEEDS
from client.session.deeds.deed import Refused
from client.system.texts import _
from client.table.player import refusal_of
from client.words import refusal_text

__all__ = ["ACTIONS", "choose", "enter", "entered", "unmark"]


def enter(front: ShownFront) -> None:
    """Choose the marked item of a page, option or space, or send the whole draft."""
    ui, session = front.ui, front.session
    if ui.page is not None and ui.page.shelves is not None:
        listed = wares(ui.page, ui.word)
        if listed:
            ui.page.take(listed[min(ui.page.cursor, len(listed) - 1)])
    elif ui.page is not None and "proof" in ui.page.own:
        ui.page.own["proof"]()
    elif ui.page is not None:
        items = ui.page.items(ui.word) if ui.page.items is not None else []
        if items:
            chosen = items[min(ui.page.cursor, len(items) - 1)]
            if chosen.turn is not None:
                chosen.act()
            elif not chosen.reason:
                ui.page, ui.word = None, ""
                chosen.act()
    elif session.draft is not None and session.choices is None:
        do(front, "send")
    elif ui.pane is Pane.MAP:
        _at_place(front)
    else:
        choose(front, ui.cursor)


def _at_place(front: ShownFront) -> None:
    """Choose on the map: the only option for the space, or a list of its options."""
    ui = front.ui
    before, ui.only, ui.path, ui.cursor = ui.only, ui.place, (), 0
    listed = front.scene.entries(ui)
    ends = [at for at, entry in enumerate(listed) if before and before in entry.places]
    if ends and before != ui.place:  # from there to here
        listed, ui.only = [listed[at] for at in ends], before
        options = [entry.option for entry in listed]
        whole = front.scene.entries(ui)
        ui.cursor = next((at for at, entry in enumerate(whole) if entry.option in options), 0)
        ui.pane = Pane.ASK
    elif len(listed) == 1 and listed[0].option >= 0:
        choose(front, 0)
    elif listed:
        ui.pane = Pane.ASK
    else:
        ui.only = ""
        name = front.session.display_names(ui.place)
        front.say(_("No answer that is possible now names {place}; d tells all about it.").format(place=name))


def choose(front: ShownFront, at: int) -> None:
    """Choose an entry: pick an option, or open a group."""
    listed, choices = front.scene.entries(front.ui), front.session.choices
    if at == UNMARKED and listed:
        front.ui.cursor = 0
        text = _("Nothing was marked. Enter takes what is marked now; arrows or a number choose another.")
        front.say(text, PLANNED)  # goes when the draft changes
    if not 0 <= at < len(listed):
        return
    entry = listed[at]
    if entry.part >= 0:
        changed(front, entry, 1)
    elif choices is None:
        return
    elif entry.option < 0:
        front.ui.path, front.ui.cursor = entry.path, 0
    else:
        front.session.asking.pick(choices.options[entry.option])


def into(front: ShownFront) -> None:
    """Open the group under the cursor, or set the next number."""
    entry = marked(front)
    if entry is not None and entry.part >= 0:
        changed(front, entry, 1)
    elif entry is not None and entry.amount is not None:
        turn(front, entry, 1)
    elif entry is not None and entry.option < 0:
        choose(front, min(front.ui.cursor, len(front.scene.entries(front.ui)) - 1))


def marked(front: ShownFront) -> Entry | None:
    """The entry under the cursor."""
    listed: list[Entry] = front.scene.entries(front.ui)
    return listed[min(front.ui.cursor, len(listed) - 1)] if listed and front.ui.cursor != UNMARKED else None


def unmark(front: ShownFront) -> None:
    """Mark no entry of the whole list, so that the person marks what Enter takes; a single entry is marked."""
    picks = [entry for entry in front.scene.entries(front.ui) if entry.part < 0]
    front.ui.cursor = 0 if len(picks) == 1 else UNMARKED


def changed(front: ShownFront, entry: Entry, by: int) -> None:
    """Pick the next or previous option of a stage anew, after the last one the first; later picks stay if they may."""
    draft, (now, count) = front.session.draft, entry.chosen
    found = draft.stages if draft is not None else None
    if draft is None or found is None:
        return
    ask, state, picks = found
    options = ask.options(state, draft.lens, picks[: entry.part])
    front.session.asking.repick(entry.part, options[(now - 1 + by) % count])
    listed = front.scene.entries(front.ui)
    front.ui.cursor = next((at for at, each in enumerate(listed) if each.part == entry.part), UNMARKED)
    front.ui.pane = Pane.ASK


def turn(front: ShownFront, entry: Entry, by: int) -> None:
    """Increase or decrease the amount of an entry."""
    assert entry.amount is not None
    options = entry.amount.options
    front.ui.numbers[options[0]] = max(0, min(options.index(entry.option) + by, len(options) - 1))


def left(front: ShownFront) -> None:
    """Set the previous number, or go one level back."""
    entry = marked(front)
    if entry is not None and entry.part >= 0:
        changed(front, entry, -1)
    elif entry is not None and entry.amount is not None:
        turn(front, entry, -1)
    else:
        back(front)


def back(front: ShownFront) -> None:
    """Go one level back in the list; at the top level undo a step of the draft."""
    ui = front.ui
    if ui.word and ui.page is None:
        ui.word = ""
    elif ui.of is not None:
        ui.of = None
    elif ui.only:
        ui.only = ""
    elif ui.path:
        ui.path = _shorter(front)
    ui.cursor = 0
    if not (ui.path or ui.only or ui.word or ui.of is not None):
        unmark(front)


def _shorter(front: ShownFront) -> tuple[str, ...]:
    """The path to the list that contains the group, which may be several words shorter."""
    ui = front.ui
    now = front.scene.entries(ui)
    path = ui.path[:-1]
    while path and [*_options(front, path)] == [entry.option for entry in now]:
        path = path[:-1]
    return path


def _options(front: ShownFront, path: tuple[str, ...]) -> list[int]:
    ui = front.ui
    kept, ui.path = ui.path, path
    found = [entry.option for entry in front.scene.entries(ui)]
    ui.path = kept
    return found


def next_pane(front: ShownFront, by: int = 1) -> None:
    """Go to the next pane, on the map first to the next space that can be chosen."""
    ui = front.ui
    if by > 0 and ui.pane is Pane.MAP and front.scene.legal(ui):
        next_legal(front)
        return
    ui.pane, ui.news = PANES[(PANES.index(ui.pane) + by) % len(PANES)], 0
    if ui.pane is Pane.MAP and not ui.place:
        ui.place = next(iter(front.scene.chart(0).spots), "")


def look(front: ShownFront) -> None:
    """Switch between the map and what to look at before the answer."""
    ui = front.ui
    ui.looking = not looks(front.scene, ui)


def escape(front: ShownFront) -> None:
    """Close the topmost of page, search, letters and narrowed list."""
    ui = front.ui
    if ui.page is not None:
        ui.page, ui.word = ui.page.back, ""
    elif ui.hints or ui.past is not None:
        ui.hints, ui.past = False, None
    else:
        ui.pane = Pane.ASK
        ui.word, ui.only, ui.of, ui.path = "", "", None, ()
        unmark(front)


def yes(front: ShownFront) -> None:
    """Answer yes before the table begins."""
    _said(front, True)


def no(front: ShownFront) -> None:
    """Answer no before the table begins."""
    _said(front, False)


def _said(front: ShownFront, yes: bool) -> None:
    if front.session.question is not None:
        do(front, "reply", yes=yes)
    elif front.session.votes():
        front.act("votes")
        if front.ui.page is not None:
            front.ui.page.cursor = 0 if yes else 1  # the first proposal has an entry to agree, then one to refuse
    else:
        front.say(_("No question with yes or no is open."))


def typing(front: ShownFront, kind: Typing, text: str = "") -> None:
    """Begin a line at the foot."""
    front.ui.typing = kind
    front.host.type(text)


def search(front: ShownFront) -> None:
    """Search the page, the map by number or name, or the options."""
    if front.ui.page is None and front.ui.pane is Pane.MAP:
        typing(front, Typing.PLACE)
        return
    if front.ui.page is None:
        front.ui.pane = Pane.ASK
    typing(front, Typing.SEARCH, front.ui.word)


def entered(front: ShownFront, text: str) -> None:
    """A typed line is complete."""
    kind, front.ui.typing = front.ui.typing, Typing.NOTHING
    if kind is Typing.COMMAND:
        command(front, text)
    elif kind is Typing.PLACE and text.strip() and not to_place(front, text):
        front.say(_("No space on the map is called so: {text}").format(text=text))
    elif kind is Typing.CHAT and text.strip():
        answer = DEEDS["chat"].do(front.session, {"text": text})
        answered(front, DEEDS["chat"], answer)
        if isinstance(answer, Refused):  # what was typed can be made shorter
            typing(front, Typing.CHAT, text)
    elif kind is Typing.PALETTE:
        enter(front)


def refused(front: ShownFront, refusal: object) -> None:
    """Show why the table refused something."""
    if refusal is not None:
        front.say(refusal_text(refusal_of(refusal), front.session.display_names), "alarm")  # type: ignore[arg-type]


ACTIONS: Final[Mapping[str, Callable[[ShownFront], None]]] = {
    "enter": enter,
    "next_pane": next_pane,
    "previous_pane": lambda front: next_pane(front, -1),
    "next_legal": next_legal,
    "previous_legal": lambda front: next_legal(front, -1),
    "jump": jump,
    "zoom_in": lambda front: zoom(front, 1),
    "zoom_out": lambda front: zoom(front, -1),
    "look": look,
    "back": back,
    "into": into,
    "less": left,
    "search": search,
    "yes": yes,
    "no": no,
    "command": lambda front: typing(front, Typing.COMMAND),
    "escape": escape,
    "hint": advised.advice,
    "earlier": lambda front: past(front, -1),
    "later": lambda front: past(front, 1),
    "redraw": lambda front: front.host.redraw(),
    "suspend": lambda front: front.host.suspend(),
}
