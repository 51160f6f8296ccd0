"""Questions to be answered with yes or no before a table begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.dataclass import dataclass

__all__ = ["Question", "Questions"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question to be answered with yes or no.

    Attributes:
        text: safe to show.
        answered: called with the answer.
    """

    text: str
    answered: Callable[[bool], None]


class Questions:
    """The questions that are open, the next one first."""

    def __init__(self) -> None:
        self._open: list[Question] = []

    @property
    def texts(self) -> Sequence[str]:
        """Their texts."""
        return [question.text for question in self._open]

    def ask(self, question: Question) -> None:
        """One more is asked."""
        self._open.append(question)

    def drop(self, answered: Callable[[bool], None]) -> None:
        """The question with this `answered` is answered, or of no interest any more."""
        self._open = [question for question in self._open if question.answered is not answered]

    def reply(self, yes: bool) -> None:
        """Answer the next one."""
        self._open[0].answered(yes)
