# SPDX-License-Identifier: GPL-3.0-or-later
"""The palette: everything that can be done, by name, found by beginnings of words or by some of their letters.

What is not possible now is listed too, with the reason and the rule behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from client.fronts.kit.ui import Item, Page, Typing
from client.fronts.screen.actions import typing
from client.fronts.screen.articles import article_page
from client.fronts.screen.deeds import command
from client.fronts.screen.keys import BATTLE, KEYS, LOBBY, spelt
from client.fronts.screen.moves import show_tab
from client.fronts.screen.reading import picture
from client.fronts.screen.shown_front import ShownFront
from client.session.filters import log_filters
from client.session.spoken import called
from client.system.texts import _
from client.words.plain import words_of

if TYPE_CHECKING:
    from client.fronts.screen.scene import Scene
    from client.words.reference import Article

__all__ = ["found", "palette"]

TALKING: Final = frozenset({"quit", "page", "guide", "help", "options", "do", "send", "undo", "reset"})
"""Deeds that have a key here, or no use."""
MOVING: Final = frozenset(
    {"palette", "enter", "up", "down", "left", "right", "home", "last", "page_up", "page_down", "escape"}
)
"""Actions that only move around."""


def palette(front: ShownFront) -> None:
    """Show all actions by name."""
    from client.words.reference import entries

    controls = front.session.controls
    articles = entries(controls.match.spec) if controls is not None else []
    kept: list[tuple[Scene, str, Sequence[Item]]] = []

    def items(word: str) -> Sequence[Item]:
        if not kept or (kept[0][0], kept[0][1]) != (front.scene, word):
            kept[:] = [(front.scene, word, found(list(_everything(front, articles)), word))]
        return kept[0][2]

    front.open(Page(_("Everything"), items=items))
    typing(front, Typing.PALETTE)


def found(items: Sequence[Item], word: str) -> Sequence[Item]:
    """The items with these words: those that begin so first, then those whose words do, then those that have them
    anywhere; else those with these letters in this order."""
    wanted = words_of(word)
    if not wanted:
        return items
    told = [(each, words_of(each.text)) for each in items]
    ranked = [(rank, each) for each, words in told if (rank := _rank(words, wanted)) is not None]
    if not ranked:
        return [each for each, words in told if _scattered("".join(wanted), " ".join(words))]
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


def _everything(front: ShownFront, articles: Sequence[Article]) -> Iterator[Item]:
    """Answers, refused options, keys, pictures, filters of the log, commands, articles of the rules."""
    session = front.session
    if session.choices is not None:
        for at, option in enumerate(session.choices.options):
            yield Item(
                session.choices.title(at), session.choices.letters[at].upper(), partial(session.asking.pick, option)
            )
        yield from _refused(front, articles)
    yield from _keys(front)
    if session.controls is None:
        return
    for name, shown in session.pictures.commands.items():
        yield Item(f"{called(name)}: {_(shown.summary)}", f":{called(name)}", partial(picture, front, name))
    pressed = next((spelt(each) for each, act in front.keys.items() if act == "log"), "")
    for tab, kept in enumerate(log_filters(session)[1:], 1):
        yield Item(_("Only in the log: {what}").format(what=kept.title), pressed, partial(_log, front, tab))
    for each in front.lines.deeds.values():
        if each.names and each.id not in TALKING and each.id not in session.pictures.commands:
            own = called(each.names[0])
            act = partial(typing, front, Typing.COMMAND, f"{own} ") if each.usage else partial(command, front, own)
            yield Item(f"{own}: {_(each.does)}", f":{own}", act)
    pressed = next((spelt(each) for each, act in front.keys.items() if act == "rules"), "")
    for article in articles:
        yield Item(_("Rules: {title}").format(title=article.title), pressed, partial(_article, front, article))


def _refused(front: ShownFront, articles: Sequence[Article]) -> Iterator[Item]:
    """Options that are not possible now, each with its reason and the rule behind it."""
    from client.session.lookup import rule_text

    choices, controls = front.session.choices, front.session.controls
    if choices is None or controls is None:
        return
    codes = choices.codes()
    for reason, texts in choices.why(titled=True).items():
        rule = rule_text(controls.match.spec.id, articles, codes[reason])
        for text in texts:
            yield Item(text, "", lambda: None, f"{reason} {rule}".rstrip())


def _keys(front: ShownFront) -> Iterator[Item]:
    """What the keys do that work now."""
    seen = set(MOVING)
    for key in (*BATTLE, *KEYS) if front.session.controls is not None else (*LOBBY, *KEYS):
        pressed = next((spelt(each) for each, act in front.keys.items() if act == key.act), "")
        if pressed and key.act not in seen:
            seen.add(key.act)
            yield Item(_(key.text), pressed, partial(front.act, key.act))


def _log(front: ShownFront, tab: int) -> None:
    """Show a part of the log."""
    front.act("log")
    if front.ui.page is not None:
        show_tab(front.ui.page, tab)


def _article(front: ShownFront, article: Article) -> None:
    """Show an article of the rules."""
    front.open(article_page(_("Rules, in our own words"), [article]))
