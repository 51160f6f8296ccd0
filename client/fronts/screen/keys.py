# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys of all panes: the source of help, palette, foot of the screen, manual page and bindings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.fronts.kit.pane import PAGE, Key
from client.session.deeds import DEEDS
from client.session.deeds.deed import BEGINNING
from client.session.deeds.home import AT_HOME
from client.system.texts import N_


def _deed(key: str, id: str, short: str = "") -> Key:
    """A key of a deed, which says itself what it does."""
    return Key((key,), id, DEEDS[id].does, short)


QUESTION: Final[Sequence[Key]] = (
    Key(("enter",), "enter", N_("choose what is marked; with everything picked, send it"), N_("choose")),
    Key(("up",), "up", N_("the entry above"), N_("browse")),
    Key(("down",), "down", N_("the entry below")),
    Key(("left",), "left", N_("one level back; the value before")),
    Key(("right",), "right", N_("into a group; the next value")),
    Key(("home",), "home", N_("the first entry")),
    Key(("end",), "last", N_("the last entry")),
    Key(("pageup",), "page_up", N_("eight entries up")),
    Key(("pagedown",), "page_down", N_("eight entries down")),
)
"""The keys of the question, its answers and the draft."""
BATTLE: Final[Sequence[Key]] = (
    Key(("a",), "advised", N_("take the advised targets or losses"), N_("advised")),
    Key(("r",), "retreat", N_("the ways to retreat"), N_("retreat")),
    Key(("v",), "proof", N_("the proof of the last roll"), N_("proof")),
)
"""Those of the question while ships fight; at the table they have other meanings."""
MAP: Final[Sequence[Key]] = (
    Key(("enter",), "enter", N_("list the answers that name the space, or take the only one"), N_("choose")),
    Key(("up",), "up", N_("the space above"), N_("browse")),
    Key(("down",), "down", N_("the space below")),
    Key(("left",), "left", N_("the space to the left")),
    Key(("right",), "right", N_("the space to the right")),
    Key(("home",), "home", N_("the space to the upper left (7 of the number pad)")),
    Key(("pageup",), "page_up", N_("the space to the upper right (9)")),
    Key(("end",), "last", N_("the space to the lower left (1)")),
    Key(("pagedown",), "page_down", N_("the space to the lower right (3)")),
)
"""The keys of the map."""
NEWS: Final[Sequence[Key]] = (
    QUESTION[0],
    Key(("up",), "up", N_("a row back"), N_("browse")),
    Key(("down",), "down", N_("a row on")),
    Key(("pageup",), "page_up", N_("eight rows back"), N_("back")),
    Key(("pagedown",), "page_down", N_("eight rows on"), N_("on")),
    Key(("home",), "home", N_("the first news")),
    Key(("end",), "last", N_("the last news")),
)
"""The keys of the news."""
TABLE: Final[Sequence[Key]] = (
    Key(
        ("tab",), "next_pane", N_("the next pane: question, map, news; on the map the next space to choose"), N_("pane")
    ),
    Key(("s-tab",), "previous_pane", N_("go to the pane before")),
    Key((".",), "next_legal", N_("the next space that can be chosen")),
    Key((",",), "previous_legal", N_("the space before that can be chosen")),
    Key(("'",), "jump", N_("show letters on the map; a letter jumps to its space")),
    Key(("z",), "zoom_in", N_("draw the map larger"), N_("zoom")),
    Key(("Z",), "zoom_out", N_("draw the map smaller")),
    Key((" ",), "look", N_("what to look at before the answer, or the map again")),
    Key(("backspace",), "back", N_("one level back in a list of options")),
    Key(("/",), "search", N_("search options; on the map a space by number or name"), N_("search")),
    Key(("<",), "earlier", N_("look back: the map a step before")),
    Key((">",), "later", N_("look back: the map a step later, up to now")),
    _deed("h", "hold", N_("no for now")),
    _deed("f", "fight-on", N_("fight on")),
    _deed("H", "hint"),
    _deed("A", "guide"),
    Key(("escape",), "escape", N_("end a search, show the whole list; back to the question"), N_("close")),
)
"""The keys of all panes of a table while no page lies over them."""
EVERYWHERE: Final[Sequence[Key]] = (
    _deed("s", "send", N_("send")),
    _deed("u", "undo", N_("undo")),
    _deed("U", "reset"),
    Key(("d",), "details", N_("all about the space in focus")),
    Key(("w",), "why", N_("what is not possible now, and why")),
    Key(("o",), "odds", N_("what if: the odds of a battle with other numbers"), N_("odds")),
    Key(("O",), "orders", N_("standing orders: what is picked answers all such questions from now on")),
    _deed("a", "since"),
    Key(("v",), "votes", N_("proposals of the others, and your own")),
    Key(("!",), "troubles", N_("what stands in the way, what is at stake and what to do")),
    _deed("D", "doctor"),
    Key(("y",), "yes", N_("yes to a question or proposal"), N_("yes")),
    Key(("n",), "no", N_("no to a question or proposal"), N_("no")),
    Key(("f1",), "rules", N_("rules of what is asked"), N_("rules")),
    Key(("f2", "l"), "log", N_("the log; left and right: all, by kind, by player"), N_("log")),
    Key(("f3",), "chat", N_("what was said, and say something"), N_("chat")),
    Key(("f4",), "boards", N_("the boards of the seats: all side by side, or one by one")),
    Key(("f5",), "goods", N_("what can be bought, or what you hold")),
    Key(("f6",), "verify", N_("how far the game is verified, who is connected, and the luck of the dice")),
    Key(("f7",), "score", N_("everybody's points and where they come from")),
    Key(("f8",), "battle", N_("the battle, with its odds")),
    Key(("f9",), "legend", N_("what the signs on the map mean")),
    Key(("?",), "help", N_("these keys"), N_("keys")),
    Key((":",), "command", N_("type a command or an answer in words"), N_("type")),
    Key(("c-p", "f10"), "palette", N_("everything that can be done, by name"), N_("all")),
    Key(("c-l",), "redraw", N_("draw the screen again")),
    Key(("c-z",), "suspend", N_("back to the shell; fg comes back")),
    Key(("q",), "quit", N_("leave; the table stays and can be resumed"), N_("quit")),
)
"""The keys of a table that work over its pages too."""
KEYS: Final[Sequence[Key]] = tuple({each.act: each for each in (*NEWS, *MAP, *QUESTION, *TABLE, *EVERYWHERE)}.values())
"""One key for each act at a table, which a person can bind to others."""

LOBBY: Final[Sequence[Key]] = (
    Key(("up",), "up", N_("the seat above")),
    Key(("down",), "down", N_("the seat below")),
    *NEWS[3:],
    _deed("r", "ready", N_("ready")),
    _deed("w", "wish", N_("wish")),
    Key(("t",), "chat", N_("say something to all"), N_("talk")),
    Key(("o",), "table_options", N_("the options and what each does"), N_("options")),
    Key(("c",), "copy_ticket", N_("copy the ticket")),
    Key(("Q",), "ticket_code", N_("the whole ticket, and its QR code")),
    Key(("b",), "bot", N_("a bot for the marked seat, or for a free one"), N_("bot")),
    Key(("x",), "seats", N_("close the last seat, or open one more")),
    Key(("d",), "doctor", N_("what works on the network here"), N_("network")),
    _deed("k", "remove", N_("refuse")),
)
"""The keys before the table begins; they have other meanings after it has begun."""

BOARDS: Final[Sequence[Key]] = (
    Key(("c",), "compare", N_("two seats side by side, <> where they differ; again: one seat"), N_("compare")),
)
SHELVES: Final[Sequence[Key]] = (
    Key(("t",), "exchange", N_("exchange one thing for another"), N_("exchange")),
    Key(("i",), "hands", N_("in whose hands they are"), N_("hands")),
)
VERIFY: Final[Sequence[Key]] = (
    Key(("enter",), "enter", N_("the whole proof of the marked step"), N_("proof")),
    Key(("p",), "problems", N_("only steps with a problem, or all again"), N_("problems")),
    Key(("x",), "export", N_("write the game so far to a file that anybody can check"), N_("export")),
    Key(("d",), "hashes", N_("the running hashes from the marked step on"), N_("hashes")),
)
TICKET: Final[Sequence[Key]] = (
    Key(("C",), "copy_line", N_("copy it"), N_("copy")),
    Key(("Q",), "code", N_("its QR code alone on the whole screen"), N_("QR code")),
)
TROUBLED: Final[Sequence[Key]] = (Key(("c",), "copy", N_("copy the text"), N_("copy text")),)
"""The keys of pages: boards, what can be bought, the verify panel, a ticket or answer, what stands in the way."""

STEPS: Final[Sequence[Key]] = (
    Key((" ",), "play", N_("play and stop"), N_("play")),
    Key(("right",), "step_on", N_("a step on"), N_("step")),
    Key(("left",), "step_back", N_("a step back")),
    Key(("s-right", "down"), "turn_on", N_("to the next seat that acts"), N_("seat")),
    Key(("s-left", "up"), "turn_back", N_("to the seat that acted before")),
    Key(("]", "pagedown"), "round_on", N_("to the next round"), N_("round")),
    Key(("[", "pageup"), "round_back", N_("to the round before")),
    Key(("}",), "battle_on", N_("to the next battle"), N_("battle")),
    Key(("f8",), "battle", N_("the battle that is under way, or the map")),
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
    Key(("tab",), "place_on", N_("the next space of the map, and what lies there")),
    Key(("s-tab",), "place_back", N_("the space before")),
    Key(("d",), "details", N_("all about the space in focus")),
    Key(("z",), "zoom_in", N_("draw the map larger")),
    Key(("Z",), "zoom_out", N_("draw the map smaller")),
)
"""The keys of the shown step of a replay."""
RECORDED_TOO: Final = frozenset({"log", "boards", "goods", "score", "legend", "help", "redraw", "suspend"})
"""Acts at a table whose keys do the same to a replay."""
RECORDED: Final[Sequence[Key]] = (
    Key(("v", "f6"), "verify", N_("what is proven of this game"), N_("proof")),
    Key(("f1",), "rules", N_("the rules of the game")),
    Key(("f3",), "chat", N_("what was said")),
    Key(("c-p", "f10"), "palette", N_("everything that can be done, by name")),
    *(each for each in EVERYWHERE if each.act in RECORDED_TOO),
    Key(("q", "escape"), "quit", N_("leave the replay"), N_("quit")),
)
"""Those that work over its pages too."""
REPLAY: Final = (*STEPS, *RECORDED)

HOME: Final[Sequence[Key]] = (
    *(Key((key,), id, AT_HOME[id].title) for key, id in {
        "n": "play", "o": "host", "j": "nearby", "t": "join", "w": "watch", "p": "replay", "v": "verify", "b": "odds",
        "r": "rules", "l": "tables", "d": "doctor", "i": "keys", "s": "config",
    }.items()),
    Key(("k",), "table_keys", N_("Keys of the table")),
    Key(("?",), "help", N_("Keys of this screen, and all commands"), N_("keys")),
    Key(("q",), "quit", AT_HOME["quit"].title, N_("quit")),
)  # fmt: skip
"""The entries of the home screen, which are deeds but for the help."""
HOME_EVERYWHERE: Final[Sequence[Key]] = (
    Key(("?",), "help", N_("these keys"), N_("keys")),
    Key(("c-p",), "palette", N_("everything that can be done, by name"), N_("all")),
    Key(("q",), "escape", N_("one page back"), N_("back")),
)
"""The keys of all its pages."""
FILED: Final[Sequence[Key]] = (Key(("f",), "file", N_("A file: type its name")),)
"""The key of a list of files."""

AT_TABLE: Final[Mapping[str, Sequence[Key]]] = {
    N_("at a table"): (*EVERYWHERE[:3], *TABLE, *EVERYWHERE[3:]),
    N_("the question"): QUESTION,
    N_("in a battle with dice"): BATTLE,
    N_("the map"): MAP,
    N_("the news"): NEWS,
    BEGINNING: LOBBY,
    N_("pages"): PAGE,
    N_("the boards"): BOARDS,
    N_("what can be bought"): SHELVES,
    N_("the verify panel"): VERIFY,
    N_("a ticket or answer"): TICKET,
    N_("what stands in the way"): TROUBLED,
}
"""The keys of a table by panes and pages."""

OLD: Final[Mapping[str, str]] = {"fight_on": "fight-on", "advice": "hint", "tech": "goods"}
"""Earlier names of actions, which may stand in the settings of a user."""
