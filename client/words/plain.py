# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person types: texts made alike for comparing them with what is known, and the names of deeds in the
language in use."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from client.system.texts import pgettext

DIGITS: Final = 18
"""Most digits of a number; Python reads no number of thousands of them."""


def words_of(text: str) -> list[str]:
    """The words of a text for comparing: without accents, split at hyphens that are no minus sign."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(sign))
    return re.sub(r"(?<=\w)-(?=[^\W\d])", " ", plain.replace(":", " ")).split()


def number_of(text: str) -> int | None:
    """The number that a text is, in digits; None for any other text and for a number that is too long."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None


def called(name: str) -> str:
    """The name of a deed in the language in use."""
    return pgettext("command", name)


def plain(word: str) -> str:
    """A word for comparing: lower case, without accents, blanks and hyphens."""
    return "".join(words_of(word))
