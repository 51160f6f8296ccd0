# SPDX-License-Identifier: GPL-3.0-or-later
"""The reason of a bot's answer in a line, for a person who asks."""

from __future__ import annotations

import re
from typing import Any

from client.system.names import BOT
from client.system.registry import game_client, load
from client.system.texts import _
from client.words import DisplayNames
from client.words.plain import words_of
from engine.core.views import View
from engine.core.waits import Choose

__all__ = ["asks_why", "reason_text", "weighed_text"]


def reason_text(level: str, view: View, wait: Choose[Any], display_names: DisplayNames) -> str:
    """The reason of an answer at this level."""
    return weighed_text(level, view, wait, display_names) or _("there is nothing to weigh: it does what anybody would")


def weighed_text(level: str, view: View, wait: Choose[Any], display_names: DisplayNames) -> str:
    """The values that it compares; "" if there are none."""
    if level == "random":
        return _("it picks by chance")
    client = game_client(view.g.table.game)
    text: str = load(client.weighed)(view, wait, display_names) if client.weighed else ""
    reason: str = load(client.reasons).get(wait.word, "") if client.reasons else ""
    return text or (_(reason) if reason else "")


def asks_why(text: str, name: str) -> bool:
    """True if a chat message asks the bot of this name, or all bots, why it moved as it did."""
    said, own = _plain(text), _plain(name.removesuffix(BOT))
    why = any(question in said for question in (_plain("why"), _plain(_("why"))))
    return why and any(who in said for who in (own, _plain("bots")))


def _plain(text: str) -> str:
    """The text with blanks around each word, so that only whole words are found."""
    words = words_of(re.sub(r"[^\w ]", " ", text))
    return f" {' '.join(words)} "
