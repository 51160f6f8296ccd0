# SPDX-License-Identifier: GPL-3.0-or-later
"""The reason of a bot's answer in a line, for a person who asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from client.bots import FIELD
from client.system.names import BOT
from client.system.places import load
from client.system.registry import game_client
from client.system.texts import _
from client.words import DisplayNames
from client.words.plain import words_of
from engine.core.values import Handle, Value
from engine.core.views import View
from engine.core.waits import Choose

Weighed = Sequence[tuple[float, Value]]
"""Answers with their worth, the best first."""
BEST: Final = 3
"""How many of them are told."""


def reason_text(level: str, view: View, wait: Choose[Any], display_names: DisplayNames) -> str:
    """The reason of an answer at this level."""
    return weighed_text(level, view, wait, display_names) or _("there is nothing to weigh: it does what anybody would")


def weighed_text(level: str, view: View, wait: Choose[Any], display_names: DisplayNames, best: Weighed = ()) -> str:
    """Why it answers so, with the three answers that are best to it and their worth; "" if it weighs nothing.

    best: what the bot has weighed, if that is kept; else what greedy weighs. Of a bot of others no more than that is
    known.
    """
    if level == "random":
        return _("it picks by chance")
    client, said, found = game_client(view.g.table.game), "", best
    if level in FIELD:
        reason: str = load(client.reasons).get(wait.word, "") if client.reasons else ""
        said = _(reason) if reason else ""
        found = best or (load(client.weigh)(view, wait) if client.weigh else ())
    elif not best:
        return _("a program of its owner has answered, which does not say why")
    if not found:
        return said
    three = ", ".join(f"{answer_words(answer, display_names)} {worth:+.1f}" for worth, answer in found[:BEST])
    listed = _("the best to it: {listed}").format(listed=three)
    return f"{said}; {listed}" if said else listed


def answer_words(answer: Value, display_names: DisplayNames) -> str:
    """An answer in a few words: its names and numbers."""
    if isinstance(answer, str):
        return display_names(answer)
    if isinstance(answer, tuple):
        return " ".join(answer_words(part, display_names) for part in answer)
    if answer is None or isinstance(answer, int | Handle):
        return str(answer)
    parts = [getattr(answer, field) for field in answer.__match_args__]
    return " ".join([display_names(answer.word), *(answer_words(part, display_names) for part in parts)])


def asks_why(text: str, name: str) -> bool:
    """True if a chat message asks the bot of this name, or all bots, why it answered as it did."""
    said, own = _plain(text), _plain(name.removesuffix(BOT))
    why = any(question in said for question in (_plain("why"), _plain(_("why"))))
    return why and any(who in said for who in (own, _plain("bots")))


def _plain(text: str) -> str:
    """The text with blanks around each word, so that only whole words are found."""
    words = words_of(re.sub(r"[^\w ]", " ", text))
    return f" {' '.join(words)} "
