# SPDX-License-Identifier: GPL-3.0-or-later
"""The actions of keys in a battle: what is advised, the retreat, and the steps of an answer in stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from client.fronts.kit.ui import Pane
from client.fronts.screen.actions import ACTIONS, changed, choose, escape, left, marked, refused
from client.fronts.screen.advised import advice
from client.fronts.screen.deeds import do
from client.fronts.screen.shown_front import ShownFront
from client.system.texts import _
from client.words.plain import words_of

__all__ = ["FIGHTING", "dial", "fights"]

MOST: Final = 99
"""Most picks of one advised answer."""


def fights(front: ShownFront) -> bool:
    """True while the question, or the draft of its answer, belongs to a battle."""
    return front.session.draft is not None and front.scene.battle is not None


def take_advised(front: ShownFront) -> None:
    """Pick the advised targets or losses that are left; in other questions mark what a bot would answer."""
    session, taken = front.session, False
    for _pick in range(MOST):
        draft, choices = session.draft, session.choices
        if draft is None or draft.ask is None or choices is None:
            break
        best = session.pictures.advised(session.frame(), draft.ask, draft.so_far)
        if best is None or best not in choices.options:
            break
        session.asking.pick(best)
        taken = True
    if not taken:
        advice(front)


def retreat(front: ShownFront) -> None:
    """List the ways to retreat, or tell why there is none."""
    ask = front.scene.view.ask
    if ask is None or not fights(front):
        front.say(_("A retreat can be chosen only when a battle asks for it."))
        return
    ways = [at for at, option in enumerate(ask.options) if _retreats(option.text)]
    if ways:
        escape(front)
        front.ui.of, front.ui.cursor, front.ui.pane = frozenset(ways), 0, Pane.ASK
        return
    choices = front.session.choices
    refused = choices.why() if choices is not None else {}
    reason = next((reason for reason, texts in refused.items() if any(map(_retreats, texts))), "")
    front.say(reason or _("This question leaves no choice to retreat."), "alarm" if reason else "")


def _retreats(text: str) -> bool:
    return words_of(text)[:1] == ["retreat"]


def step_back(front: ShownFront) -> None:
    """Go back to the die or part of the answer before; elsewhere as in any list."""
    ui, entry = front.ui, marked(front)
    whole = not (ui.path or ui.only or ui.word or ui.of is not None)
    draft = front.session.draft
    amount = entry is not None and entry.amount is not None
    if draft is None or draft.empty or amount or not whole or not fights(front):
        left(front)
        return
    picks = draft.stages[2] if draft.ask is None and draft.stages is not None else ()
    do(front, "undo")
    for pick in picks[:-1]:
        front.session.asking.pick(pick)


def step_on(front: ShownFront) -> None:
    """Take what is marked and go to the next die or part of the answer; elsewhere as in any list."""
    entry, draft = marked(front), front.session.draft
    staged = draft is not None and draft.ask is not None and draft.ask.staged
    if fights(front) and staged and entry is not None and entry.option >= 0 and entry.amount is None:
        choose(front, front.ui.cursor)
    else:
        ACTIONS["into"](front)


def dial(front: ShownFront, number: int) -> None:
    """Set the dial to a number that was clicked, also one that is picked already; or tell why it cannot be."""
    ask, draft = front.scene.view.ask, front.session.draft
    for at, entry in enumerate(front.scene.entries(front.ui)):
        if entry.part == 0 and number in entry.numbers:
            changed(front, entry, list(entry.numbers).index(number) + 1 - entry.chosen[0])
        elif entry.amount is not None and number in entry.amount.numbers:
            front.ui.cursor = at
            front.ui.numbers[entry.amount.options[0]] = list(entry.amount.numbers).index(number)
        elif ask is not None and entry.option >= 0 and ask.options[entry.option].text == str(number):
            front.ui.cursor = at
        else:
            continue
        return
    if draft is not None and draft.stages is not None:
        question, state, _picks = draft.stages
        refused(front, next((why for pick, why in question.refused(state, draft.lens, ()) if pick == number), None))


FIGHTING: Final[Mapping[str, Callable[[ShownFront], None]]] = {
    "advised": take_advised,
    "retreat": retreat,
    "less": step_back,
    "into": step_on,
}
