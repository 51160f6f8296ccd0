# SPDX-License-Identifier: GPL-3.0-or-later
"""Fighting on: gives the advised answers until something is lost in the present battle."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.draft import Draft
from client.session.shown_table import ShownTable
from client.table.player import Asked
from engine.core.values import Value


class FightingOn:
    """Gives the advised answers for a person until either side loses something, or the battle is over."""

    def __init__(self, table: ShownTable) -> None:
        self._table = table
        self._forces: frozenset[tuple[int, str, str]] | None = None

    @property
    def on(self) -> bool:
        """True while the person fights on."""
        return self._forces is not None

    def begin(self, draft: Draft | None) -> Sequence[Value]:
        """The first answer, () if the present question cannot be answered so."""
        if draft is None or draft.values:
            return ()
        answer = self._table.pictures.fights.fight_on(self._table.frame(draft), draft.asked.ask)
        if answer:
            self._forces = self._fighters(draft)
        return answer

    def answer(self, asked: Asked) -> Sequence[Value]:
        """The answer to the present question, () if the person does not fight on, and as soon as something is lost."""
        if self._forces is None:
            return ()
        lost = self._forces != self._fighters(None)
        answer = () if lost else self._table.pictures.fights.fight_on(self._table.frame(None), asked.ask)
        if not answer or asked.refusal is not None:
            self._forces = None
        return answer if self._forces is not None else ()

    def _fighters(self, draft: Draft | None) -> frozenset[tuple[int, str, str]] | None:
        """The units in the present battle, with what is left of them; None without one."""
        battle = self._table.pictures.fights.now(self._table.frame(draft), self._table.recent)
        if battle is None:
            return None
        return frozenset((each.owner, each.name, each.cells[-1]) for each in battle.fighters)
