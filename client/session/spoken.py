# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of commands in the language in use, and the commands and answers of a typed line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import pgettext
from client.words.plain import words_of

__all__ = ["DO", "SPEECH", "called", "named", "plain", "spoken", "steps"]

DO: Final = "do"
SPEECH: Final = ("chat", "say")
"""Commands whose argument is text that may contain semicolons."""


def steps(text: str) -> list[str]:
    """The answers and commands of a typed line: separated by `;`, after `do` by commas too."""
    if named(text) in SPEECH:
        return [text]
    found = list[str]()
    for part in text.split(";"):
        many = named(part) == DO and part.split(maxsplit=1)[1:]
        found += many[0].split(",") if many else [part]
    return found


def named(text: str) -> str:
    """The command that a line begins with, as far as its first word is the whole name of one."""
    word = text.lstrip().partition(" ")[0].removeprefix("/")
    return spoken().get(plain(word), word.lower())


def spoken() -> Mapping[str, str]:
    """The names of commands in the language in use, without accents → command."""
    words = {
        "ask": pgettext("command", "ask"),
        "guide": pgettext("command", "guide"),
        "hint": pgettext("command", "hint"),
        "absent": pgettext("command", "absent"),
        "back": pgettext("command", "back"),
        "battle": pgettext("command", "battle"),
        "boards": pgettext("command", "boards"),
        "cards": pgettext("command", "cards"),
        "chat": pgettext("command", "chat"),
        "do": pgettext("command", "do"),
        "doctor": pgettext("command", "doctor"),
        "end": pgettext("command", "end"),
        "fight-on": pgettext("command", "fight-on"),
        "gone": pgettext("command", "gone"),
        "help": pgettext("command", "help"),
        "hold": pgettext("command", "hold"),
        "leaders": pgettext("command", "leaders"),
        "leave": pgettext("command", "leave"),
        "alone": pgettext("command", "alone"),
        "legend": pgettext("command", "legend"),
        "log": pgettext("command", "log"),
        "luck": pgettext("command", "luck"),
        "map": pgettext("command", "map"),
        "market": pgettext("command", "market"),
        "moves": pgettext("command", "moves"),
        "near": pgettext("command", "near"),
        "newest": pgettext("command", "newest"),
        "odds": pgettext("command", "odds"),
        "options": pgettext("command", "options"),
        "order": pgettext("command", "order"),
        "owes": pgettext("command", "owes"),
        "page": pgettext("command", "page"),
        "parts": pgettext("command", "parts"),
        "post": pgettext("command", "post"),
        "quit": pgettext("command", "quit"),
        "read": pgettext("command", "read"),
        "reset": pgettext("command", "reset"),
        "roles": pgettext("command", "roles"),
        "rules": pgettext("command", "rules"),
        "score": pgettext("command", "score"),
        "send": pgettext("command", "send"),
        "since": pgettext("command", "since"),
        "table": pgettext("command", "table"),
        "takeback": pgettext("command", "takeback"),
        "tech": pgettext("command", "tech"),
        "tiles": pgettext("command", "tiles"),
        "undo": pgettext("command", "undo"),
        "vote": pgettext("command", "vote"),
        "where": pgettext("command", "where"),
        "why": pgettext("command", "why"),
    }
    return {plain(word): name for name, word in words.items() if word != name}


def called(command: str) -> str:
    """The name of a command in the language in use."""
    return pgettext("command", command)


def plain(word: str) -> str:
    """A word for comparing: lower case, without accents."""
    return "".join(words_of(word))
