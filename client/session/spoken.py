# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that are typed, and titles of pictures, in the language in use."""

from __future__ import annotations

from client.show.pictures import Pictures
from client.system.texts import _, pgettext
from client.words.plain import words_of


def called(name: str) -> str:
    """The name of a deed in the language in use."""
    return pgettext("command", name)


def heading(pictures: Pictures, name: str) -> str:
    """The title over a picture of the game."""
    title = pictures.documents.commands[name].title
    return _(title) if title else called(name).capitalize()


def plain(word: str) -> str:
    """A word for comparing: lower case, without accents, blanks and hyphens."""
    return "".join(words_of(word))
