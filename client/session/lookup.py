# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks up articles of the reference by their word, the beginning of a word, or everyday words."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.places import mapping_at
from client.system.registry import game_client
from client.system.texts import _
from client.words.plain import words_of
from client.words.reference import Article, chapters

RULES: Final = ("action", "phase", "topic", "ruling")
"""Kinds of articles about what players may do, in the order in which a name is looked for."""

WIDTH: Final = 78
"""Columns of the text."""


def looked_up(game: str, all_entries: Sequence[Article], word: str) -> list[Article]:
    """The articles for a word: a chapter, articles of that name, else those that begin with it, else those with it in
    their name, else in their text. UserError when there is none.
    """
    kinds = {name.casefold(): kind for kind, title in chapters(game).items() for name in (kind, f"{kind}s", _(title))}
    chapter = [one for one in all_entries if one.kind == kinds.get(word)]
    if chapter:
        return chapter
    spaced = word.replace("-", " ")
    meant = _meant(game, spaced)
    for fits in (
        lambda one: word == one.word or spaced == one.title.casefold(),
        lambda one: one.word in meant and one.kind in ("action", "phase", "topic"),
        lambda one: abbreviates(word, one.word),
        lambda one: one.word.startswith(word) or one.title.casefold().startswith(spaced),
        lambda one: word in one.word or spaced in one.title.casefold(),
        lambda one: spaced in one.text.casefold(),
    ):
        found = [one for one in all_entries if fits(one)]
        if found:
            return found
    there = {one.kind for one in all_entries}
    known = [*(one.word for one in all_entries), *(name for name, kind in kinds.items() if kind in there)]
    said = re.findall(r"\w{4,}", " ".join(f"{one.title} {one.text}" for one in all_entries).casefold())
    close = nearest(word, known) or nearest(word, sorted(set(said)))
    raise UserError(
        "rules/unknown-word",
        _("The reference has nothing about “{word}”.").format(word=word),
        hint_of(close, _("Leave the word out to see the contents.")),
    )


def about(game: str, all_entries: Sequence[Article], word: str) -> list[Article]:
    """The articles about a question, by its word; [] without any."""
    behind: Mapping[str, str] = mapping_at(game_client(game).behind)
    try:
        return looked_up(game, all_entries, behind.get(f"asked/{word}", word))
    except UserError:
        return []


def rule_text(game: str, all_entries: Sequence[Article], code: str) -> str:
    """The article behind a refusal of the rules, with its section: "Rule: Move (document, 5)"; "" if there is none.

    code: the code of the refusal.
    """
    behind: Mapping[str, str] = mapping_at(game_client(game).behind)
    word = behind.get(code) or behind.get(code.partition("/")[0])
    rules = {one.kind: one for one in all_entries if one.word == word}
    rule = next((rules[kind] for kind in RULES if kind in rules), None)
    return _("Rule: {title} ({source})").format(title=rule.title, source=rule.source) if rule else ""


def _meant(game: str, words: str) -> frozenset[str]:
    """The words of the articles for a question in everyday words."""
    everyday: Mapping[str, Sequence[str]] = mapping_at(game_client(game).everyday)
    asked = {"".join(words_of(word)) for word in words.split()}
    found = (about for said, about in everyday.items() if asked & {"".join(words_of(word)) for word in _(said).split()})
    return frozenset(entry for about in found for entry in about)


def abbreviates(short: str, word: str) -> bool:
    """True if each part of the short form is a prefix of the same part of the word: `plas-can`, `plasma-cannon`."""
    parts, given = word.split("-"), short.split("-")
    return len(given) == len(parts) and all(map(str.startswith, parts, given))


def contents(game: str, all_entries: Sequence[Article]) -> str:
    """The words that can be looked up, by chapter."""
    lines: list[str] = []
    for kind, title in chapters(game).items():
        words = ", ".join(one.word for one in all_entries if one.kind == kind)
        if words:
            lines += [
                _(title),
                textwrap.fill(words, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False),
                "",
            ]
    return "\n".join(lines).rstrip()


def article_texts(entry: Article) -> list[str]:
    """The title of an article, its text, and its source if it has one."""
    head = f"{entry.title}  [{entry.word}]" if entry.title.casefold() != entry.word else entry.title
    return [head, f"  {entry.text}", *([f"  ({entry.source})"] if entry.source else [])]


def shown(entry: Article) -> str:
    """One article as a short paragraph."""
    return "\n".join(
        textwrap.fill(text, WIDTH, subsequent_indent="  " if at else "") for at, text in enumerate(article_texts(entry))
    )
