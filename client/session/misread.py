# SPDX-License-Identifier: GPL-3.0-or-later
"""The reply to a typed line that is neither an option nor the name of a deed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.session.choices import Choices, few
from client.session.session import Session
from client.session.waiting import idle_text
from client.system.meant import hint_of, nearest
from client.system.names import shown
from client.system.texts import _
from client.words import refusal_text
from engine.core.errors import Refusal

REASONS: Final = 3
"""Most reasons shown for a refused text."""


def misread(session: Session, choices: Choices, text: str, refusal: Refusal, known: Sequence[str]) -> Iterator[str]:
    """Why a text is no option now, and what may have been meant. known: what else could be typed."""
    if refusal.code != "notation/unknown":
        yield refusal_text(refusal, session.table.display_names)
        return
    reasons = choices.why(text)
    if reasons:
        for reason, options in list(reasons.items())[:REASONS]:
            yield _("Not now: {options}: {reason}").format(options=few(options), reason=reason)
        return
    yield _("“{text}” is neither an option nor a command. ? helps.").format(text=shown(text))
    yield from _meant(session, text, known)
    divided = choices.divided(text)
    if divided:
        yield _("Several answers in one line stand with ; between them: {text}").format(text=shown(divided))


def untimely(session: Session, text: str, known: Sequence[str]) -> Iterator[str]:
    """That nothing can be picked now, for a text that names no deed."""
    if session.asking.draft is not None:
        yield _("Everything is picked: Enter sends it, u takes a step back.")
    else:
        said = _("“{text}” is no command, and you have nothing to answer now. {idle}")
        yield said.format(text=shown(text), idle=idle_text(session))
    yield from _meant(session, text, known)


def _meant(session: Session, text: str, known: Sequence[str]) -> Iterator[str]:
    """The command or first word of an option that was probably meant, as a question; nothing if none is near."""
    word = text.partition(" ")[0].lower()
    firsts = [each.partition(" ")[0].lower() for each in session.asking.choices.texts] if session.asking.choices else []
    hint = hint_of(nearest(word, [*known, *firsts]), "")
    if hint:
        yield hint
