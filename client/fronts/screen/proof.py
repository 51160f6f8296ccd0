# SPDX-License-Identifier: GPL-3.0-or-later
"""The verify panel: the last steps with their proofs, the stages of a roll, luck, and what is sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import localtime, strftime
from typing import Final

from client.fronts.kit.canvas import folded, rule, shortened, wide
from client.fronts.kit.cards import cards
from client.fronts.kit.page import Page, told
from client.fronts.kit.pane import Item
from client.fronts.screen.deeds import Doing
from client.fronts.screen.keys import VERIFY
from client.fronts.screen.scene import Scene
from client.fronts.screen.troubles import doubtful
from client.session import proof
from client.session.deeds.deed import at_table
from client.session.deeds.outcomes import Done, NotDone
from client.session.proof import ProvenStep, proven_steps
from client.show.styled import Line, line, padded, plain
from client.system.texts import N_, _
from client.table.words import owed_text

LAST: Final = 200
"""Most steps in the panel."""
LEAST: Final = 12
"""With fewer columns for what happened, the columns of the proof are left out."""
TALL: Final = 30
"""With fewer rows a text that is cut in the list is whole only in the proof."""
SLOW: Final = 5
"""Seconds after which who owes a part of a roll or deal is named."""
MARGIN: Final = 4
"""Columns of the mark and of an empty key beside an entry."""
CHANCE: Final[Mapping[str, str]] = {
    "dice": N_("dice ✓"), "cards": N_("cards ✓"), "seal": N_("sealed ✓"), "opened": N_("opened ✓"),
}  # fmt: skip


class VerifyPanel(Page):
    """How far the game is verified here, the proof of each step, and the luck of each seat; computed once for each
    change of the table."""

    def __init__(self, doing: Doing) -> None:
        super().__init__(
            _("Verified"), items=self._items, fits=lambda items, _word: items, head=partial(_head, self),
            detail=lambda width: [*_about(self, width)], keys=VERIFY,
        )  # fmt: skip
        does = {"enter": self._prove, "problems": self._only_problems, "hashes": self._hashes}
        self.does = {**does, "export": self._export}
        self.doing = doing
        self._known = -1, 0
        self._luck: Sequence[Line] = ()
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

    def luck(self, width: int) -> Sequence[Line]:
        """The luck of each seat, which needs simulated shuffles and takes longer than a frame."""
        if self._known != (self.scene.height, width):
            self._known, session = (self.scene.height, width), self.doing.session
            self._luck = cards([proof.luck_sheet(session, at_table(session))], width, self.scene.glyphs)
        return self._luck

    def _items(self) -> list[Item]:
        width = self.size[0] - MARGIN
        return [Item(_row(self.scene, _cells(self, step), width), "", lambda: None) for step in self.steps()]

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


# The list ------------------------------------------------------------------------------------------------------------


def _head(panel: VerifyPanel, width: int) -> list[Line]:
    """What is verified, who keeps a roll or cards waiting, and the heads of the columns."""
    told = proof.played_text(at_table(panel.doing.session))
    wrong = sum(step.wrong for step in panel.all())
    doubts = [each for each in panel.scene.troubles if doubtful(each)]
    told += f" {_('Problems: {n}').format(n=wrong)}" if wrong else "" if doubts else f" {_('All fit ✓')}"
    if panel.problems:
        told += " " + (_("Only problems are listed.") if wrong else _("Only problems are listed; there are none."))
    shown = [*folded(told, width, "question"), *(row for each in doubts for row in folded(each.text, width, "alarm"))]
    for seat, kind in panel.scene.view.debts.items():
        since = panel.scene.view.since.get(seat)
        if owed_text(kind) and since is not None and panel.scene.view.seconds(since) >= SLOW:
            moment = strftime("%H:%M", localtime(since))
            text = _("{name} {owes} since {moment}; nothing is rolled or dealt a second time.")
            name = panel.scene.view.names[seat]
            shown += folded(text.format(name=name, owes=owed_text(kind), moment=moment), width, "alarm")
    titles = (_("step"), _("who"), _("what happened"), _("signed"), _("hash"), _("random"), _("held by"))
    return [*shown, line(("faint", f" {_row(panel.scene, titles, width - MARGIN + 2)}"))]


def _cells(panel: VerifyPanel, step: ProvenStep) -> tuple[str, ...]:
    """Number, who, what, signatures, running hash, what was random, and the members that hold it."""
    report = step.report
    signed = "✓" if report is not None and report.entries else "-"
    built = "!" if step.wrong else "✓" if report is not None and len(report.built) > 1 else "…"
    wrong = step.roll is not None and not step.roll.ok
    chance = _("dice !") if wrong else _(CHANCE[step.chance]) if step.chance else "-"
    held = "".join(chr(ord("A") + seat) if seat in step.seen else "." for seat in range(len(panel.scene.view.names)))
    return str(step.height), proof.authors(panel.doing.session, step), step.text, signed, built, chance, held


def _row(scene: Scene, cells: Sequence[str], width: int) -> str:
    """The cells in the columns of the list; those of the proof are left out where they do not fit."""
    number, who, what, *proofs = cells
    seats = len(scene.view.names)
    chances = [_("random"), *(_(each) for each in CHANCE.values())]
    rooms = [wide(_("signed")), wide(_("hash")), max(map(wide, chances)), max(wide(_("held by")), seats)]
    people = max(wide(_("who")), seats)
    room = width - 5 - 2 - people - 2 - sum(rooms) - 2 * len(rooms)
    start = f"{number:>5}  {padded(who, people)}  "
    if room < LEAST:
        return start + what
    sized = [(what, room), *zip(proofs, rooms, strict=True)]
    return start + "  ".join(plain(shortened(line(text), size)) for text, size in sized)


# The marked step -----------------------------------------------------------------------------------------------------


def _about(panel: VerifyPanel, width: int) -> Iterator[Line]:
    """The stages of the marked step; then luck, what is sealed, and how anybody can check it all."""
    session, step, view = panel.doing.session, panel.step(), panel.scene.view
    if step is not None:
        yield rule(_("how step {n} came about").format(n=step.height), width, view.glyphs)
        for text in proof.step_lines(session, step):
            yield from folded(text, width, "", "    ")
        if wide(step.text) > width // 2 and panel.size[1] + 2 >= TALL:
            yield from folded(step.text, width, "faint", "  ")
    yield rule(_("luck, and what stands sealed"), width, view.glyphs)
    for text in proof.sealed_lines(session):
        yield from folded(text, width, "", "  ")
    check = _("Anyone can check it without a network: x, then starlock verify FILE")
    yield from folded(panel.written or check, width, "notice" if panel.written else "faint", "  ")
    for text in view.machines:
        yield from folded(text, width, "", "  ")
    yield from panel.luck(width)
