# SPDX-License-Identifier: GPL-3.0-or-later
"""Yes-or-no questions before a table begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class YesOrNo:
    """A yes-or-no question.

    Attributes:
        text: returns the question in the language in use, safe to show.
        answered: called with the answer.
    """

    text: Callable[[], str]
    answered: Callable[[bool], None]


class Questions:
    """The questions that are open, the next one first."""

    def __init__(self) -> None:
        self._open: list[YesOrNo] = []

    @property
    def texts(self) -> Sequence[str]:
        """Their texts."""
        return [question.text() for question in self._open]

    @property
    def text(self) -> str | None:
        """The text of the next one; None without one."""
        return self._open[0].text() if self._open else None

    def ask(self, question: YesOrNo) -> None:
        """Add a question."""
        self._open.append(question)

    def drop(self, answered: Callable[[bool], None]) -> None:
        """Remove the question with this `answered`: it is answered or no longer needed."""
        self._open = [question for question in self._open if question.answered is not answered]

    def reply(self, yes: bool) -> None:
        """Answer the next question."""
        self._open[0].answered(yes)
