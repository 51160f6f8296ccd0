# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that are marked for the person: a bot's advice, the best target, the wish of the lobby."""

from __future__ import annotations

from client.fronts.kit.ui import Pane
from client.fronts.screen.shown_front import ShownFront
from client.system.texts import _

__all__ = ["advice", "preferred"]


def advice(front: ShownFront) -> None:
    """Show the answer of a bot with its reason, and mark its first pick in the list."""
    from client.session.advice import advised

    found = advised(front.session)
    if found is None:
        front.say(_("Nothing is asked of you now."))
        return
    answer, reason = found.lines()
    front.say(answer, "picked")
    front.say(reason)
    options = list(front.session.choices.options) if front.session.choices else []
    front.act("escape")
    if found.following and found.following[0] in options:
        at = options.index(found.following[0])
        front.ui.of, front.ui.cursor, front.ui.pane = frozenset((at,)), 0, Pane.ASK
        for amount in front.scene.view.ask.amounts if front.scene.view.ask else ():
            if at in amount.options:
                front.ui.numbers[amount.options[0]] = amount.options.index(at)


def preferred(front: ShownFront) -> None:
    """Mark the option that the person wished for in the lobby, or the advised option, if it is available."""
    session, draft, choices = front.session, front.session.draft, front.session.choices
    if draft is None or draft.ask is None or choices is None:
        return
    best = session.pictures.advised(session.frame(), draft.ask, draft.so_far)
    wish = session.gathering.wish
    option = wish if wish in choices.options else best
    listed = [entry.option for entry in front.scene.entries(front.ui)]
    if option is not None and option in choices.options and choices.options.index(option) in listed:
        front.ui.cursor = listed.index(choices.options.index(option))
        if option == wish:
            front.say(_("You wished for {wish}: it is marked.").format(wish=session.display_names(wish)), "picked")
