# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of all keys: the source of help, palette, foot of the screen, manual page and bindings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from client.system.texts import N_, _

__all__ = [
    "BATTLE",
    "BEFORE",
    "HOME",
    "KEYS",
    "LOBBY",
    "OLD",
    "PAGED",
    "REPLAY",
    "TROUBLED",
    "Key",
    "acts",
    "battle_acts",
    "lobby_acts",
    "pressed",
    "spelt",
]


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the full screen.

    Attributes:
        keys: the keys by prompt_toolkit's names.
        act: the action of `Front` that they call.
        text: the text for the help, marked for translation.
        short: the word for the foot of the screen, "" for keys that are not shown there.
    """

    keys: tuple[str, ...]
    act: str
    text: str
    short: str = ""


KEYS: Final[Sequence[Key]] = (
    Key(("enter",), "enter", N_("choose what is marked; with everything picked, send it"), N_("choose")),
    Key(("s",), "send", N_("send the draft: that is final"), N_("send")),
    Key(("u",), "undo", N_("take the last step of the draft back"), N_("undo")),
    Key(("U",), "reset", N_("take the whole draft back")),
    Key(
        ("tab",),
        "next_pane",
        N_("the next pane: question, map, news; on the map the next space to choose"),
        N_("pane"),
    ),
    Key(("s-tab",), "previous_pane", N_("go to the pane before")),
    Key(("up",), "up", N_("the entry above; on the map the space above; scroll"), N_("browse")),
    Key(("down",), "down", N_("the entry or space below; scroll")),
    Key(("left",), "left", N_("on the map the space to the left; in a list one level back")),
    Key(("right",), "right", N_("on the map the space to the right; in a list into a group")),
    Key(("home",), "home", N_("on the map the space to the upper left (7 of the number pad); the first entry")),
    Key(("pageup",), "page_up", N_("on the map the space to the upper right (9); scroll"), N_("back")),
    Key(("end",), "last", N_("on the map the space to the lower left (1); the last entry")),
    Key(("pagedown",), "page_down", N_("on the map the space to the lower right (3); scroll"), N_("on")),
    Key((".",), "next_legal", N_("the next space that can be chosen")),
    Key((",",), "previous_legal", N_("the space before that can be chosen")),
    Key(("'",), "jump", N_("show letters on the map; a letter jumps to its space")),
    Key(("d",), "details", N_("all about the space in focus")),
    Key(("z",), "zoom_in", N_("draw the map larger"), N_("zoom")),
    Key(("Z",), "zoom_out", N_("draw the map smaller")),
    Key((" ",), "look", N_("what to look at before the answer, or the map again")),
    Key(("backspace",), "back", N_("one level back in a list of options")),
    Key(
        ("/",),
        "search",
        N_("search options, the log, any page; on the map a space by number or name"),
        N_("search"),
    ),
    Key(("w",), "why", N_("what is not possible now, and why")),
    Key(("h",), "hold", N_("say no to such questions until this phase ends; again: be asked"), N_("no for now")),
    Key(("o",), "odds", N_("what if: the odds of a battle with other ships, parts, targets or figures"), N_("odds")),
    Key(("f",), "fight-on", N_("in a battle: fight on as is advised until something is lost"), N_("fight on")),
    Key(("O",), "orders", N_("standing orders: what is picked answers all such questions from now on")),
    Key(("a",), "since", N_("what happened since your last answer")),
    Key(("v",), "votes", N_("proposals of the others, and your own")),
    Key(("!",), "troubles", N_("what stands in the way, what is at stake and what to do")),
    Key(("D",), "doctor", N_("the network: what works here, and what to try")),
    Key(("y",), "yes", N_("yes to a question or proposal"), N_("yes")),
    Key(("n",), "no", N_("no to a question or proposal"), N_("no")),
    Key(("?",), "help", N_("these keys"), N_("keys")),
    Key((":",), "command", N_("type a command or an answer in words"), N_("type")),
    Key(("c-p",), "palette", N_("everything that can be done, by name"), N_("all")),
    Key(("H",), "hint", N_("ask a bot what it would answer here")),
    Key(("A",), "guide", N_("advice for a first game beside the questions, on or off")),
    Key(("<",), "earlier", N_("look back: the map a step before")),
    Key((">",), "later", N_("look back: the map a step later, up to now")),
    Key(("f1",), "rules", N_("rules of what is asked"), N_("rules")),
    Key(("f2", "l"), "log", N_("the log; left and right: all, by kind, by player"), N_("log")),
    Key(("f3",), "chat", N_("what was said, and say something"), N_("chat")),
    Key(("f4",), "boards", N_("the boards of the seats: all side by side, or one by one")),
    Key(("f5",), "tech", N_("technologies, or your cards")),
    Key(("f6",), "verify", N_("how far the game is verified, who is connected, and the luck of the dice")),
    Key(("f7",), "score", N_("everybody's points and where they come from")),
    Key(("f8",), "battle", N_("the battle, with its odds")),
    Key(("f9",), "legend", N_("what the signs on the map mean")),
    Key(("f10",), "palette", N_("the same")),
    Key(
        ("escape",),
        "escape",
        N_("close a page, end a search, show the whole list; back to the question"),
        N_("close"),
    ),
    Key(("c-l",), "redraw", N_("draw the screen again")),
    Key(("c-z",), "suspend", N_("back to the shell; fg comes back")),
    Key(("q",), "quit", N_("leave; the table stays and can be resumed"), N_("quit")),
)

LOBBY: Final[Sequence[Key]] = (
    Key(("r",), "ready", N_("before the table begins: say that it may begin, or that it must wait"), N_("ready")),
    Key(("w",), "wish", N_("before the table begins: what you would like to play"), N_("wish")),
    Key(("t",), "chat", N_("before the table begins: say something to all"), N_("talk")),
    Key(("o",), "table_options", N_("before the table begins: the options and what each does"), N_("options")),
    Key(("c",), "copy_ticket", N_("before the table begins: copy the ticket")),
    Key(("Q",), "ticket_code", N_("before the table begins: the whole ticket, and its QR code")),
    Key(("b",), "add_bot", N_("before the table begins: a bot for the marked seat, or for a free one"), N_("bot")),
    Key(("x",), "close_seat", N_("before the table begins: close the last seat, or open one more")),
    Key(("d",), "doctor", N_("before the table begins: what works on the network here"), N_("network")),
    Key(("k",), "remove", N_("before the table begins: take the marked seat back"), N_("refuse")),
)
"""Additional keys before the table begins; they have other meanings after it has begun."""
BEFORE: Final = frozenset(
    ("enter", "up", "down", "left", "right", "home", "last", "page_up", "page_down", "search", "yes", "no", "help",
     "command", "palette",
     "troubles", "chat", "escape", "redraw", "suspend", "quit")
)  # fmt: skip
"""Actions of the table that exist before it begins too."""

BATTLE: Final[Sequence[Key]] = (
    Key(("a",), "advised", N_("in a battle with dice: take the advised targets or losses"), N_("advised")),
    Key(("r",), "retreat", N_("in a battle with dice: the ways to retreat"), N_("retreat")),
    Key(("v",), "proof", N_("in a battle with dice: the proof of the last roll"), N_("proof")),
)
"""Additional keys while ships fight; they have other meanings at the table."""
TROUBLED: Final[Sequence[Key]] = (
    Key(("c",), "copy", N_("where something stands in the way: copy the text"), N_("copy text")),
)
"""Keys of the page about what stands in the way; they have other meanings on other pages."""
PAGED: Final[Sequence[Key]] = (
    Key(
        ("c",),
        "compare",
        N_("on the boards: two seats side by side, <> where they differ; again: one seat"),
        N_("compare"),
    ),
    Key(("g",), "design", N_("on the boards: change your blueprints"), N_("upgrade")),
    Key(("t",), "trade", N_("at the technologies: exchange resources"), N_("trade")),
    Key(("i",), "hands", N_("at the technologies: in whose hands they are"), N_("hands")),
    Key(("enter",), "proof", N_("in the verify panel: the whole proof of the marked step"), N_("proof")),
    Key(("p",), "problems", N_("in the verify panel: only steps with a problem, or all again"), N_("problems")),
    Key(
        ("x",),
        "export",
        N_("in the verify panel: write the game so far to a file that anybody can check"),
        N_("export"),
    ),
    Key(("d",), "hashes", N_("in the verify panel: the running hashes from the marked step on"), N_("hashes")),
    Key(("Q",), "code", N_("on the page of the ticket: its QR code alone on the whole screen"), N_("QR code")),
)
"""Additional keys of pages; digits choose a part of a page with parts."""

REPLAY: Final[Sequence[Key]] = (
    Key((" ",), "play", N_("play and stop"), N_("play")),
    Key(("right",), "step_on", N_("a step on"), N_("step")),
    Key(("left",), "step_back", N_("a step back")),
    Key(("s-right", "down"), "turn_on", N_("to the next seat that acts"), N_("seat")),
    Key(("s-left", "up"), "turn_back", N_("to the seat that acted before")),
    Key(("]", "pagedown"), "round_on", N_("to the next round"), N_("round")),
    Key(("[", "pageup"), "round_back", N_("to the round before")),
    Key(("}",), "battle_on", N_("to the next battle"), N_("battle")),
    Key(("f8",), "fight", N_("the battle that is under way, or the map")),
    Key(("{",), "battle_back", N_("to the battle before")),
    Key(("home",), "first", N_("to the beginning")),
    Key(("end",), "end", N_("to the end")),
    Key(("+",), "faster", N_("play faster")),
    Key(("-",), "slower", N_("play slower")),
    Key(("/",), "search", N_("search: the next step that tells of it"), N_("search")),
    Key(("n",), "again", N_("search on")),
    Key((":",), "go", N_("to a step by its number, or to a round: r3; or do a word of the foot, such as log")),
    Key(("e",), "eyes", N_("whose eyes: what all may see, or what a seat knew"), N_("eyes")),
    Key(("b",), "branch", N_("play on from here against bots"), N_("branch")),
    Key(("m",), "mark", N_("mark this step, or unmark it; marks last until the replay is left"), N_("mark")),
    Key((".",), "mark_on", N_("to the next mark")),
    Key((",",), "mark_back", N_("to the mark before")),
    Key(("x",), "export", N_("write the map, the position or the whole game to a file: SVG, text, JSON"), N_("export")),
    Key(("v", "f6"), "verify", N_("what is proven of this game"), N_("proof")),
    Key(("tab",), "place_on", N_("the next space of the map, and what lies there")),
    Key(("s-tab",), "place_back", N_("the space before")),
    Key(("d",), "details", N_("all about the space in focus")),
    Key(("z",), "zoom_in", N_("draw the map larger")),
    Key(("Z",), "zoom_out", N_("draw the map smaller")),
    Key(("f1",), "rules", N_("the rules of the game")),
    Key(("f2",), "log", N_("the log; left and right: all, by kind, by player"), N_("log")),
    Key(("f3",), "chat", N_("what was said")),
    Key(("f4",), "boards", N_("the boards of the seats: all side by side, or one by one")),
    Key(("f5",), "tech", N_("technologies, or your cards")),
    Key(("f7",), "score", N_("everybody's points and where they come from")),
    Key(("f9",), "legend", N_("what the signs on the map mean")),
    Key(("c-p", "f10"), "palette", N_("everything that can be done, by name")),
    Key(("?",), "help", N_("these keys"), N_("keys")),
    Key(("c-l",), "redraw", N_("draw the screen again")),
    Key(("c-z",), "suspend", N_("back to the shell; fg comes back")),
    Key(("q", "escape"), "quit", N_("leave the replay"), N_("quit")),
)
"""Keys of a replay."""

HOME: Final[Sequence[Key]] = (
    Key(("enter",), "enter", N_("choose what is marked"), N_("choose")),
    Key(("up",), "up", N_("the entry above; scroll")),
    Key(("down",), "down", N_("the entry below; scroll")),
    Key(("left",), "left", N_("in a form: the value before"), N_("less")),
    Key(("right",), "right", N_("in a form: the next value"), N_("more")),
    Key(("/",), "search", N_("search the list or the page"), N_("search")),
    Key(("escape", "backspace"), "escape", N_("one page back"), N_("back")),
    Key(("n",), "play", N_("New game against bots")),
    Key(("o",), "host", N_("New game with friends: open a table and invite them")),
    Key(("j",), "nearby", N_("Tables on this network")),
    Key(("t",), "join", N_("Join by a ticket: paste it")),
    Key(("w",), "watch", N_("Watch a table without a seat")),
    Key(("p",), "replay", N_("See a saved game or a table again")),
    Key(("v",), "verify", N_("Verify a saved game or a table")),
    Key(("b",), "odds", N_("Odds of a battle: type the ships")),
    Key(("r",), "rules", N_("Rules in our own words")),
    Key(("l",), "tables", N_("Your tables")),
    Key(("d",), "doctor", N_("Network: what works from here")),
    Key(("i",), "keys", N_("Your identity")),
    Key(("s",), "config", N_("Settings")),
    Key(("k",), "table_keys", N_("Keys of the table")),
    Key(("?",), "help", N_("Keys of this screen, and all commands"), N_("keys")),
    Key(("q",), "quit", N_("Leave"), N_("quit")),
)
"""Keys of the home screen; those of its entries have the name of a command, where the entry calls one."""

NAMES: Final[Mapping[str, str]] = {
    "enter": N_("Enter"), "tab": N_("Tab"),
    "s-tab": N_("Shift-Tab"), "s-left": N_("Shift-←"), "s-right": N_("Shift-→"),
    "up": "↑", "down": "↓", "left": "←", "right": "→",
    "home": N_("Home"), "end": N_("End"), "pageup": N_("PgUp"), "pagedown": N_("PgDn"),
    " ": N_("Space"), "backspace": N_("Backspace"), "escape": N_("Esc"),
    "c-p": "^P", "c-l": "^L", "c-z": "^Z",
}  # fmt: skip


def spelt(key: str) -> str:
    """A key in the form for people, as the keyboards of their language name it."""
    if key in NAMES:
        return _(NAMES[key])
    return key.upper() if key.startswith("f") and key[1:].isdecimal() else key


def pressed(text: str) -> str:
    """The key with this form at the foot of the screen, the first of several."""
    known = {
        spelt(key): key for each in (*KEYS, *LOBBY, *BATTLE, *PAGED, *TROUBLED, *REPLAY, *HOME) for key in each.keys
    }
    return known.get(text) or known.get(text.split("/", maxsplit=1)[0], "")


OLD: Final[Mapping[str, str]] = {"fight_on": "fight-on", "advice": "hint"}
"""Earlier names of actions, which may stand in the settings of a user."""


def acts(changed: Mapping[str, Sequence[str]] | None = None) -> dict[str, str]:
    """The action of each key. changed: the user's keys by action; they replace the default ones."""
    mine = changed or {}
    found = {key: each.act for each in KEYS if each.act not in mine for key in each.keys}
    return found | {key: act for act, keys in mine.items() for key in keys}


def battle_acts(changed: Mapping[str, Sequence[str]] | None = None) -> dict[str, str]:
    """The action of each key in a battle with dice; the user's keys keep their meaning."""
    mine = {key for keys in (changed or {}).values() for key in keys}
    return acts(changed) | {key: each.act for each in BATTLE for key in each.keys if key not in mine}


def lobby_acts(changed: Mapping[str, Sequence[str]] | None = None) -> dict[str, str]:
    """The action of each key before the table begins."""
    known = {key: act for key, act in acts(changed).items() if act in BEFORE}
    return known | {key: each.act for each in LOBBY for key in each.keys}
