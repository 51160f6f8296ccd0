# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing orders: an answer that a person gives once for all questions of a kind, until the end of the phase, the
round or the game.

The answer of an order is signed and sent like any other answer of this person; the table cannot tell the difference. A
seat with an order answers at once, whatever other options it has, so that the time of an answer tells the others
nothing. If the answer is not possible, the person is asked. An order to pass or to say no answers every question of its
kind; any other order answers only the same question at the same price: an order to pay 2 does not cover paying 5.

An order ends earlier where the answer with which it was given, or one that it has given, is taken back: it would give
that answer again before the person could give another one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from client.session.draft import Draft, picks_of
from client.system.texts import N_, _
from client.words import DisplayNames
from client.words.asking import kind_text
from engine.core.dataclass import dataclass, replace
from engine.core.errors import Refusal
from engine.core.notation import format_value, parse
from engine.core.values import Value
from engine.core.waits import Choose, wait_plain

UNTIL: Final = ("phase", "round", "game")
"""How long an order lasts."""
ENDS: Final = {
    "phase": N_("until this phase ends"),
    "round": N_("until this round ends"),
    "game": N_("until the game ends"),
}

DECLINES: Final = frozenset({"no", "pass", "done", "-", ""})
"""Answers that decline, in notation."""

Moment = Mapping[str, str]
"""The present phase and round, by `UNTIL`; an order ends when its entry changes."""


@dataclass(frozen=True, slots=True)
class Order:
    """One standing order.

    Attributes:
        seat: the seat that gave it.
        word: the kind of question, as `Choose.word`.
        answer: the whole answer, in notation.
        until: one of `UNTIL`.
        mark: the phase or round in which it was given.
        hold: True for the "no" of `hold`, which is not announced when it answers.
        about: the question and the price of the answer, from `_about`.
        height: that of the answer with which it was given, or of the last one that it has given; -1 where an earlier
            version has kept none.
    """

    seat: int
    word: str
    answer: str
    until: str
    mark: str
    hold: bool = False
    about: str = ""
    height: int = -1

    @property
    def declines(self) -> bool:
        """True if it answers every question of its kind."""
        return set(self.answer.split(" ")) <= DECLINES


class Orders:
    """The standing orders of the seats at this terminal.

    Attributes:
        given: the orders, the oldest first.
        keep: called with the text of all orders when they have changed.
    """

    def __init__(self) -> None:
        self.given: list[Order] = []
        self.keep: Callable[[str], None] = lambda _text: None

    def read(self, text: str) -> None:
        """Read orders from a text of `keep`. ValueError for any other text."""
        listed = json.loads(text)
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise ValueError(text)
        try:
            given = [Order(**each) for each in listed]
        except TypeError as error:
            raise ValueError(text) from error
        if any(each.until not in UNTIL for each in given):
            raise ValueError(text)
        self.given = given

    def add(
        self, ask: Choose[Any], answer: Value, state: Any, until: str, now: Moment, height: int, *, hold: bool = False
    ) -> None:
        """Add an order for all questions of this kind; it replaces an earlier order for them.

        state: the state from which the answer was listed.
        height: that of the question.
        """
        about = _about(ask, answer, state)
        order = Order(ask.seat, ask.word, format_value(answer), until, now[until], hold, about, height)
        others = [each for each in self.given if (each.seat, each.word) != (order.seat, order.word)]
        self._set([*others, order])

    def answered(self, order: Order, height: int) -> None:
        """Note that an order has given an answer at this height."""
        self._set([replace(each, height=height) if each == order else each for each in self.given])

    def end(self, which: Callable[[Order], bool]) -> bool:
        """End some orders. Returns True if any has ended."""
        left = [each for each in self.given if not which(each)]
        ended = left != self.given
        self._set(left)
        return ended

    def of(self, draft: Draft) -> tuple[Order, Value] | None:
        """The order for the next question of the draft, and its answer; None if the person has to answer."""
        ask = draft.ask
        if ask is None or draft.so_far:
            return None
        for order in self.given:
            if (order.seat, order.word) == (ask.seat, ask.word):
                value = parse(order.answer, ask, draft.state, draft.lens)
                if isinstance(value, Refusal) or format_value(value) != order.answer:
                    continue
                if order.declines or order.about == _about(ask, value, draft.state):
                    return order, value
        return None

    def _set(self, orders: list[Order]) -> None:
        if orders != self.given:
            self.given = orders
            self.keep(json.dumps([asdict(each) for each in orders]) if orders else "")


def _about(ask: Choose[Any], answer: Value, state: Any) -> str:
    """A question and the price of an answer to it, as JSON. state: the state from which the answer is listed."""
    picks = picks_of(ask, answer)
    price = [ask.price(state, pick, picks[:stage]) for stage, pick in enumerate(picks)]
    return json.dumps([wait_plain(ask), price])


def until_text(until: str) -> str:
    """How long an order lasts, in words."""
    return _(ENDS[until])


def order_text(order: Order, display_names: DisplayNames) -> str:
    """An order in words: the question, the answer, and its end."""
    answer = " ".join(map(display_names, order.answer.split(" ")))
    text = _("“{question}” is answered by {answer} {until}")
    if not order.declines:
        text = _("“{question}” is answered by {answer} {until}, where the same is asked at the same price")
    return text.format(question=kind_text(order.word, display_names), answer=answer, until=until_text(order.until))
