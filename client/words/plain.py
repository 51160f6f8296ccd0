# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts made alike for comparing what a person types with what is known."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["words_of"]


def words_of(text: str) -> list[str]:
    """The words of a text for comparing: without accents, split at hyphens that are no minus sign."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(sign))
    return re.sub(r"(?<=\w)-(?=[^\W\d])", " ", plain.replace(":", " ")).split()
