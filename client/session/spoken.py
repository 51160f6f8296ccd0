# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that are typed, in the language in use."""

from __future__ import annotations

from client.system.texts import pgettext
from client.words.plain import words_of

__all__ = ["called", "plain"]


def called(name: str) -> str:
    """The name of a deed in the language in use."""
    return pgettext("command", name)


def plain(word: str) -> str:
    """A word for comparing: lower case, without accents, blanks and hyphens."""
    return "".join(words_of(word))
