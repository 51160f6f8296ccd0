# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done, found by beginnings of words or by some of their letters, or by what is typed for it elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from client.fronts.kit.pane import Item
from client.words.plain import words_of


def found(items: Sequence[Item], word: str) -> Sequence[Item]:
    """The items with these words: those that begin so first, then those whose words do, then those that have them
    anywhere; else those with these letters in this order."""
    wanted = words_of(word)
    if not wanted:
        return items
    told = [(each, [words_of(text) for text in (each.text, *each.words)]) for each in items]
    ranked = [
        (min(ranks), each)
        for each, texts in told
        if (ranks := [rank for words in texts if (rank := _rank(words, wanted)) is not None])
    ]
    if not ranked:
        return [each for each, texts in told if _scattered("".join(wanted), " ".join(texts[0]))]
    return [each for _rank, each in sorted(ranked, key=lambda pair: pair[0])]


def _rank(words: Sequence[str], wanted: Sequence[str]) -> int | None:
    """How well words fit, 0 best; None if they do not."""
    text = " ".join(words)
    if text.startswith(" ".join(wanted)):
        return 0
    if all(any(word.startswith(part) for word in words) for part in wanted):
        return 1
    return 2 if all(part in text for part in wanted) else None


def _scattered(letters: str, text: str) -> bool:
    """True if the letters stand in the text in this order, the first one at the beginning of a word."""
    starts = [at for at in range(len(text)) if text[at] == letters[:1] and text[at - 1 : at] in ("", " ")]
    for at in starts[:1]:
        rest = iter(text[at:])
        return all(letter in rest for letter in letters)
    return False
