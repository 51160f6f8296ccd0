# SPDX-License-Identifier: GPL-3.0-or-later
"""The foot of the screen: the useful keys with a word for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.fronts.kit.canvas import wide
from client.fronts.kit.ui import Page
from client.fronts.screen.keys import BATTLE, KEYS, LOBBY, PAGED, TROUBLED, spelt
from client.fronts.screen.shown_front import ShownFront
from client.show.styled import Run
from client.system.texts import _

__all__ = ["hints"]

ASKED: Final = ("enter", "send", "undo", "next_pane", "zoom_in", "search", "help", "command", "palette", "quit")
FIGHTING: Final = (
    "enter", "advised", "fight-on", "retreat", "proof", "odds", "log", "help", "command", "palette", "quit",
)  # fmt: skip
SEEING: Final = ("next_pane", "proof", "odds", "log", "chat", "help", "command", "palette", "quit")
WATCHING: Final = ("next_pane", "zoom_in", "search", "log", "chat", "help", "command", "palette", "quit")
QUESTIONED: Final = ("yes", "no", "help", "command", "quit")
UNSEATED: Final = ("table_options", "doctor", "help", "quit")
WAITING: Final = ("ready", "wish", "chat", "table_options", "doctor", "help", "quit")
INVITING: Final = (*WAITING, "add_bot", "remove")
FIXED: Final = ("enter", "undo", "help", "command", "palette", "quit")
READING: Final = ("escape", "up", "page_up", "page_down", "search")
LISTING: Final = ("escape", "up", "enter", "search")
SHELVED: Final = (*LISTING, "rules")
ENDED: Final = ("log", "help", "palette", "quit")
"""Actions whose keys are shown: at the table, in a battle, in one that is only watched, without a seat, for a yes
or no, before the table begins without and with a seat, beside answers with letters, on a page, in a list, where things
can be bought, besides on the page of the end."""
SPARE: Final = ("zoom_in", "search", "next_pane", "palette", "command", "log", "enter", "fight-on", "up")
"""The actions left out first on a narrow screen."""


def hints(front: ShownFront) -> list[Run]:
    """Keys for the foot of the screen, as many as fit."""
    page = front.ui.page
    fixed = _fixed(front) if page is None else []
    if fixed and sum(wide(text) for _style, text in fixed) <= front.size[0]:
        return fixed
    wanted = _usual(front) if page is None else _reading(page)
    own = [each for each in (*PAGED, *TROUBLED) if page is not None and each.act in page.own]
    mine = [run for each in own for run in (("key", f" {spelt(each.keys[0])}"), ("", f" {_(each.short)} "))]
    if any("enter" in each.keys for each in own):
        wanted = ("escape", "up", "search", "help")
    if any(each.act == "copy" for each in own):
        wanted = ("escape", "up", "enter", "chat", "help")
    shown = [*mine, *_named(front, wanted)]
    for spare in SPARE:
        if sum(wide(text) for _style, text in shown) <= front.size[0]:
            break
        wanted = [act for act in wanted if act != spare]
        shown = [*mine, *_named(front, wanted)]
    return shown


def _reading(page: Page) -> Sequence[str]:
    """The actions while a page is shown."""
    if page.shelves is not None:
        return SHELVED
    return (*READING, *ENDED) if page.leaving else READING if page.items is None else LISTING


def _usual(front: ShownFront) -> Sequence[str]:
    """The actions while no page is shown."""
    session = front.session
    if session.question is not None and session.controls is not None:
        return QUESTIONED
    if session.controls is not None:
        battle = front.scene.battle
        fights = battle is not None and bool(battle.fighters)
        if not session.controls.seats or (fights and session.draft is None):
            return SEEING if fights else WATCHING
        draft = session.draft
        held = draft is not None and session.pictures.waive(draft.asked.ask) is not None
        return FIGHTING if fights else (*ASKED, "hold") if held else ASKED
    if session.door is None:
        return ("help", "quit")
    lobby = session.lobby
    if lobby is not None and lobby.places and not lobby.seated:
        return UNSEATED
    return INVITING if session.door.inviting else WAITING


def _fixed(front: ShownFront) -> list[Run]:
    """The answers that always have the same letter, with the most useful keys; [] for a question without such."""
    choices, listed = front.session.choices, front.scene.entries(front.ui)
    names = front.session.display_names
    shown: list[Run] = []
    for entry in listed:
        if entry.letter and entry.option >= 0 and choices is not None:
            name = names(choices.texts[entry.option])
            shown += [("key", f" {entry.letter.upper()}"), ("", f" {name[:1].upper()}{name[1:]} ")]
    return [*shown, ("", front.session.glyphs.walls[5]), *_named(front, FIXED)] if shown else []


def _named(front: ShownFront, wanted: Sequence[str]) -> list[Run]:
    """The keys of some actions, with their short words."""
    shown: list[Run] = []
    named = set[str]()
    for key in (*LOBBY, *KEYS) if front.session.controls is None else (*BATTLE, *KEYS):
        if key.short and key.act in wanted and key.act not in named:
            named.add(key.act)
            own = [pressed for pressed, act in front.keys.items() if act == key.act]
            mine = next((pressed for pressed in key.keys if pressed in own), own[0] if own else "")
            shown += [("key", f" {spelt(mine)}"), ("", f" {_(key.short)} ")]
    return shown
