# SPDX-License-Identifier: GPL-3.0-or-later
"""The pasted text and the commands of a person at a table by post."""

from __future__ import annotations

from collections.abc import Callable

from p2p.sync.pasted import PREFIX, unfinished


class Mail:
    """Collects pasted lines until a part of a bundle is complete.

    Attributes:
        take: called with text that holds parts.
        read: called with the name of a file to read.
        write: called with the name of a file to write a bundle to, empty for text.
    """

    def __init__(self, take: Callable[[str], None], read: Callable[[str], None], write: Callable[[str], None]) -> None:
        self.take, self.read, self.write = take, read, write
        self._text = ""
        self._just_taken = False

    def pasted(self, text: str) -> bool:
        """True if a typed line belongs to a bundle or is the empty line after one; it is then no answer."""
        behind, self._just_taken = self._just_taken and not text.strip(), False
        if not self._text and PREFIX not in text.lower():
            return behind
        ended = bool(self._text) and not text.strip()
        self._text += text + "\n"
        if ended or not unfinished(self._text):
            whole, self._text = self._text, ""
            self._just_taken = True
            self.take(whole)
        return True
