# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of the bot greedy to the present question, with its reason, for a person who wants a hint."""

from __future__ import annotations

from random import Random
from typing import Final

from client.bots import NODES, bot
from client.bots.reasons import reason_text
from client.session.draft import picks_of
from client.session.notation import answer_text, answer_title
from client.session.session import Session
from client.system.texts import _
from client.words.plain import words_of
from engine.core.dataclass import dataclass
from engine.core.values import Value

LEVEL: Final = "greedy"


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer of a bot.

    Attributes:
        answer: the whole answer in words, with the notation that one may type beside it.
        following: its next pick, after the picks so far; empty if they are not its own. A pick may be None, which says
            no.
        reason: the reason for it.
    """

    answer: str
    following: tuple[Value, ...]
    reason: str

    def lines(self) -> tuple[str, str]:
        """The answer and its reason as sentences."""
        answer = _("The bot {name} would answer: {answer}").format(name=LEVEL, answer=self.answer)
        return answer, _("Why: {reason}").format(reason=self.reason)


def advised(session: Session) -> Advice | None:
    """The advice; None if nothing is asked now."""
    draft, table = session.asking.draft, session.table
    if draft is None or draft.ask is None or not table.names:
        return None
    ask, view = draft.ask, draft.view()
    value = bot(LEVEL).choose(view, ask, Random(0), NODES)
    picks = picks_of(ask, value) or (value,)
    done = len(draft.so_far)
    following = picks[done : done + 1] if picks[:done] == draft.so_far else ()
    notation = answer_text(table.pictures, session.frame(), ask, value)
    title = answer_title(table.pictures, session.frame(), ask, value)
    text = title if "#" in notation or words_of(title) == words_of(notation) else f"{title} ({notation})"
    aside = table.pictures.questions.aside(value)  # such as a trade, which the reasons of the question do not weigh
    reason = _("it is worth doing before the answer") if aside else reason_text(LEVEL, view, ask, table.display_names)
    return Advice(text, following, reason)
