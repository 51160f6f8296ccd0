# SPDX-License-Identifier: GPL-3.0-or-later
"""Guesses which known word was meant by an unknown one."""

from __future__ import annotations

from collections.abc import Iterable

from client.system.texts import _


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, or "" when none is near."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), 1)), "")


def hint_of(close: str, otherwise: str) -> str:
    """The hint of an error: the known word that was probably meant, or `otherwise` if none is near."""
    return _("Did you mean “{close}”?").format(close=close) if close else otherwise
