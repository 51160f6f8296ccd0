# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds on the full screen: done by keys, lists and typed lines; what they answer becomes news or a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from client.fronts.kit.canvas import folded, searched
from client.fronts.kit.ui import Item, Page, Pane
from client.fronts.screen.shown_front import ShownFront
from client.session.choices import Narrowed
from client.session.deeds.deed import DECIDED, GAME, Answer, Deed, Done, Job, Refused, Told, Wanted
from client.show.styled import Line, plain
from client.system.texts import _
from client.words.ways import named

__all__ = ["answered", "command", "do", "listed", "votes"]

SHORT: Final = 3
"""Most lines that go to the news; longer answers are a page."""
FAR: Final = 10_000
"""More columns than a sentence has."""


def do(front: ShownFront, id: str, /, **given: Any) -> None:
    """Do a deed; a final one after a page that says what it will do."""
    deed = front.lines.deeds[id]
    act = partial(_done, front, deed, given)
    if deed.about is None or deed.why_not(front.session, given):
        act()
    else:
        _sure(front, deed, deed.about(), act)


def _done(front: ShownFront, deed: Deed, given: Any) -> None:
    answered(front, deed, deed.do(front.session, given))


def command(front: ShownFront, text: str) -> None:
    """Do what a typed line means."""
    for deed, answer in front.lines.typed(text):
        answered(front, deed, answer)


def answered(front: ShownFront, deed: Deed, answer: Answer | Narrowed) -> None:
    """Show what came of a deed."""
    match answer:
        case Done(text):
            front.say(text, "notice")
        case Refused(text):
            front.say(text, "alarm")
        case Wanted(_argument, texts):
            for text in texts:
                front.say(text)
        case Narrowed(options):
            front.ui.of, front.ui.cursor, front.ui.pane = frozenset(options), 0, Pane.ASK
        case Told(title, draw):
            _told(front, deed, title, draw)
        case Job(title):
            _job(front, title, answer)


def _told(front: ShownFront, deed: Deed, title: str, draw: Any) -> None:
    shown = [each for each in draw(front.size[0] - 2) if plain(each).strip()]
    if len(shown) <= SHORT:
        for each in shown if deed.topic == GAME else draw(FAR):
            front.say(plain(each))
    else:
        front.open(Page(title, lambda width, word: searched(word, [_named(front, each) for each in draw(width)])))


def _named(front: ShownFront, told: Line) -> Line:
    return tuple((style, named(text, front.way)) for style, text in told)


def _job(front: ShownFront, title: str, job: Job) -> None:
    found: list[str] = []

    def heard(lines: Sequence[str]) -> None:
        found.extend(lines)
        front.host.invalidate()

    def lines(width: int, word: str) -> Sequence[Line]:
        return searched(word, [row for each in found or [job.text] for row in folded(each, width, "", "    ")])

    front.open(Page(title, lines))
    job.start(heard)


def _sure(front: ShownFront, deed: Deed, about: str, act: Any) -> None:
    """Say what a deed does that is not taken back, and ask."""
    before, title = front.ui.page, _(deed.title)

    def stay() -> None:
        if before is not None:
            front.open(before)

    items = [Item(_("stay"), "1", stay), Item(title, "2", act)]
    front.open(
        Page(title, items=partial(listed, items), head=lambda width: [*folded(about, width, "alarm"), ()], back=before)
    )


def listed(items: Sequence[Item], word: str) -> Sequence[Item]:
    """The items with this word."""
    return [item for item in items if word.lower() in item.text.lower()]


def votes(front: ShownFront) -> None:
    """Show the proposals to vote on, and what the person may propose or sign."""
    if front.session.controls is None:
        front.say(_("The table has not begun."))
        return

    def head(width: int) -> list[Line]:
        said = _("Agreeing and refusing are signed and final. What all must agree to takes effect with the last word.")
        return [*folded(said, width, "faint"), ()]

    def detail(at: int, width: int) -> Sequence[Line]:
        found = [(item, deed) for item, deed in _decided(front) if listed([item], front.ui.word)]
        return folded(_(found[at][1].does), width, "faint") if at < len(found) else []

    def items(word: str) -> Sequence[Item]:
        return listed([item for item, _deed in _decided(front)], word)

    front.open(Page(_("Proposals"), items=items, head=head, detail=detail))


def _decided(front: ShownFront) -> Iterator[tuple[Item, Deed]]:
    """Every way to do what is decided together, each with why not now."""
    for deed in front.lines.deeds.values():
        if deed.topic == DECIDED and (deed.title or deed.says is not None):
            for given, text in deed.ways(front.session):
                act, reason = partial(do, front, deed.id, **given), deed.why_not(front.session, given)
                yield Item(text + " …" * (deed.about is not None), "", act, reason), deed
