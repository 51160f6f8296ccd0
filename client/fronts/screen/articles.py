# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules in our own words, as pages of whole articles, at a table, in a replay and on the home screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from client.fronts.kit.canvas import folded
from client.fronts.kit.page import Page
from client.show.styled import Line
from client.words.reference import Article
from engine.core.registry import GameSpec


def reference_page(title: str, game: str | GameSpec, about: Sequence[Article] = ()) -> Page:
    """All articles of a game. about: those that stand first."""
    from client.words.reference import entries

    return article_page(title, [*about, *(entry for entry in entries(game) if entry not in about)])


def article_page(title: str, articles: Sequence[Article]) -> Page:
    """Articles to read; a search keeps those with the word, whole."""
    from client.session.lookup import WIDTH, article_texts

    told = [article_texts(each) for each in articles]

    @cache
    def drawn(width: int) -> Sequence[Sequence[Line]]:
        room = min(width, WIDTH)
        return [[row for text in (*each, "") for row in folded(text, room, "", "  ")] for each in told]

    def lines(width: int, word: str) -> Sequence[Line]:
        known = zip(told, drawn(width), strict=True)
        return [row for texts, rows in known if word.lower() in "\n".join(texts).lower() for row in rows]

    return Page(title, lines)
