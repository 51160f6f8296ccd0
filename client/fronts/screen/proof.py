# SPDX-License-Identifier: GPL-3.0-or-later
"""The verify panel: the last steps with their proofs, the stages of a roll, luck, and what is sealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.fronts.kit import SMALL
from client.fronts.kit.canvas import rule
from client.fronts.kit.cards import cards
from client.fronts.kit.page import Page, told
from client.fronts.kit.pane import Item
from client.fronts.screen.deeds import FAR, Doing
from client.fronts.screen.keys import VERIFY
from client.fronts.screen.scene import Scene
from client.session import proof
from client.session.deeds.outcomes import Done, NotDone
from client.session.proof import ProvenStep, proven_steps
from client.show.document import Note, Part, Sheet
from client.show.lines import lines, table_lines
from client.show.styled import Line, line, plain
from client.system.texts import _
from engine.core.dataclass import replace

LAST: Final = 200
"""Most steps in the panel."""


class VerifyPanel(Page):
    """How far the game is verified here, the proof of each step, and the luck of each seat; computed once for each
    change of the table."""

    def __init__(self, doing: Doing) -> None:
        super().__init__(
            _("Verified"), items=self._items, fits=lambda items, _word: items, head=self._head,
            detail=lambda width: [*self._detail(width)], keys=VERIFY,
        )  # fmt: skip
        self.does = {
            "enter": self._prove,
            "problems": self._only_problems,
            "hashes": self._hashes,
            "export": self._export,
        }
        self.doing = doing
        self._known, self._luck = -1, Sheet("")
        self.problems = False
        self.written = ""

    @property
    def scene(self) -> Scene:
        return self.doing.now()

    def all(self) -> list[ProvenStep]:
        """The last steps."""
        return self.scene.once(("proven",), lambda: proven_steps(self.doing.session, LAST))

    def steps(self) -> list[ProvenStep]:
        """The steps that fit the search word."""
        word = self.word.lower()
        listed = [each for each in self.all() if each.wrong or not self.problems]
        return [each for each in listed if word in f"{each.height} {each.who} {each.text}".lower()]

    def step(self) -> ProvenStep | None:
        """The step under the cursor, None if none is listed."""
        found = self.steps()
        return found[min(self.cursor, len(found) - 1)] if found else None

    def _table(self) -> Sequence[Line]:
        """The heads of the columns, and a row for each step; with few columns no more than what happened."""
        session, steps, few = self.doing.session, self.steps(), self.size[0] < SMALL[0]

        def drawn() -> Sequence[Line]:
            table = proof.steps_table(session, steps)
            heads, *rows = ([*row[:2], row[-1]] if few else row for row in (table.heads, *table.rows))
            return table_lines(replace(table, heads=heads, rows=rows), FAR)

        return self.scene.once(("steps", few, *(each.height for each in steps)), drawn)

    def _items(self) -> list[Item]:
        return [Item(plain(row), "", lambda: None) for row in self._table()[1:]]

    def _head(self, width: int) -> Sequence[Line]:
        """What is verified, who keeps a roll or cards waiting, and the heads of the columns."""
        session, steps = self.doing.session, self.all()
        told = [*proof.verdict(session, steps)]
        if self.problems:
            none = _("Only problems are listed; there are none.")
            told.append(Note(_("Only problems are listed.") if any(step.wrong for step in steps) else none, "question"))
        return [*lines(told, width), line(("faint", f"  {plain(self._table()[0])}"))]

    def _detail(self, width: int) -> Iterator[Line]:
        """How the marked step came about; then what is sealed, how anybody can check it all, and luck, which needs
        simulated shuffles and takes longer than a frame."""
        session, step, view = self.doing.session, self.step(), self.scene.view
        if self._known != self.scene.height:
            self._known, self._luck = self.scene.height, proof.luck_sheet(session)
        check = Note(_("Anyone can check it without a network: x, then starlock verify FILE"), "faint")
        known = [*map(Note, (*proof.sealed_lines(session), *view.machines))]
        known.append(Note(self.written, "notice") if self.written else check)
        parts = [proof.step_part(session, step)] if step is not None else []
        for each in [*parts, Part(_("Luck, and what stands sealed"), "", blocks=[*known, self._luck])]:
            yield rule(each.title, width, view.glyphs)
            yield from cards(each.blocks, width, view.glyphs)

    def _prove(self) -> None:
        step = self.step()
        if step is not None:
            self.doing.page("verify", over=True, step=step.height)

    def _hashes(self) -> None:
        step = self.step()
        if step is not None:
            head = _("The running hash after each step covers all before it. Beside it: who has signed on top of it.")
            title = _("Running hashes from step {n} on").format(n=step.height)
            text = "\n".join([head, "", *proof.hash_path(self.doing.session, step)])
            self.doing.open(told(title, lambda: text), over=True)

    def _only_problems(self) -> None:
        self.problems, self.cursor = not self.problems, 0

    def _export(self) -> None:
        match self.doing.lines.deeds["save"].do(self.doing.session, {}):
            case Done(text) | NotDone(text):
                self.written = text


def last_roll(doing: Doing) -> None:
    """Show the proof of the last roll of the battle in the verify panel."""
    battle = doing.now().battle
    step = next((each.step for each in battle.volleys), None) if battle is not None else None
    if step is None:
        doing.say(_("No dice have been rolled in this battle yet."))
        return
    page = VerifyPanel(doing)
    heights = [each.height for each in proven_steps(doing.session, LAST)]
    page.cursor = heights.index(step) if step in heights else 0
    doing.open(page)
