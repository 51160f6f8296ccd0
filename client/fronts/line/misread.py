# SPDX-License-Identifier: GPL-3.0-or-later
"""The reply to a typed line that is neither an option nor a command."""

from __future__ import annotations

from typing import Final

from client.fronts.line import commands
from client.fronts.line.conversation import Conversation
from client.fronts.line.menu import few
from client.session.choices import Choices
from client.system.meant import hint_of, nearest
from client.system.names import shown
from client.system.texts import _
from client.words import refusal_text
from engine.core.errors import Refusal

__all__ = ["misread", "untimely"]

REASONS: Final = 3
"""Most reasons shown for a refused text."""


def misread(screen: Conversation, choices: Choices, text: str, refusal: Refusal) -> None:
    """Show why a text is no option now, and what may have been meant."""
    if refusal.code != "notation/unknown":
        screen.say(refusal_text(refusal, screen.session.display_names))
        return
    reasons = choices.why(text)
    if reasons:
        for reason, options in list(reasons.items())[:REASONS]:
            screen.say(_("Not now: {options}: {reason}").format(options=few(options), reason=reason))
        return
    screen.say(_("“{text}” is neither an option nor a command. ? helps.").format(text=shown(text)))
    screen.say(*filter(None, [_meant(screen, text)]))
    divided = choices.divided(text)
    if divided:
        screen.say(_("Several answers in one line stand with ; between them: {text}").format(text=shown(divided)))


def untimely(screen: Conversation, text: str) -> None:
    """Show that nothing can be picked now, for a text that is no command."""
    if screen.session.draft is not None:
        screen.say(_("Everything is picked: Enter sends it, u takes a step back."))
    else:
        said = _("“{text}” is no command, and you have nothing to answer now. {idle}")
        screen.say(said.format(text=shown(text), idle=screen.idle()))
    screen.say(*filter(None, [_meant(screen, text)]))


def _meant(screen: Conversation, text: str) -> str:
    """The command or first word of an option that was probably meant, as a question; "" if none is near."""
    word = text.partition(" ")[0].lower()
    firsts = [each.partition(" ")[0].lower() for each in screen.session.choices.texts] if screen.session.choices else []
    near = nearest(word, [*commands.completions(screen, ""), *firsts])
    return hint_of(near, "")
