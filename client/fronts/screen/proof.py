# SPDX-License-Identifier: GPL-3.0-or-later
"""The verify panel: the last steps with their proofs, the stages of a roll, luck, and what is sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from time import localtime, strftime
from typing import Final

from client.fronts.kit.canvas import fit, folded, rule, wide
from client.fronts.kit.ui import Item, Page
from client.fronts.screen.scene import Scene, link_sign
from client.fronts.screen.shown_front import ShownFront
from client.fronts.screen.troubles import doubtful
from client.proof.luck import Luck, luck
from client.session.fairness import fairness_sheet
from client.session.proof import (
    ProvenStep,
    authors,
    hash_lines,
    hash_path,
    proven_steps,
    sealed_lines,
    step_lines,
)
from client.show.pictures import pictures
from client.show.sheets import Sheet
from client.show.styled import Line, Run, line, owner_style, padded
from client.system.errors import UserError
from client.system.texts import N_, _
from client.table.words import owed_text, way_text
from client.words.machines import table_lines

__all__ = ["last_roll", "verify"]

LAST: Final = 200
"""Most steps in the panel."""
WHOLE: Final = 200
"""Letters of a hash in the whole proof, more than any has."""
LEAST: Final = 12
"""With fewer columns for what happened, the columns of the proof are left out."""
TALL: Final = 30
"""With fewer rows a text that is cut in the list is whole only in the proof."""
SLOW: Final = 5
"""Seconds after which who owes a part of a roll or deal is named."""
MARGIN: Final = 4
"""Columns of the mark and of an empty key beside an entry."""
BAR: Final = 8
"""Columns of the longest bar of a histogram."""
CHANCE: Final[Mapping[str, str]] = {
    "dice": N_("dice ✓"),
    "cards": N_("cards ✓"),
    "seal": N_("sealed ✓"),
    "opened": N_("opened ✓"),
}


class _Panel:
    """The content of the panel, computed once for each change of the table."""

    def __init__(self, front: ShownFront) -> None:
        self._front = front
        self._of: Scene | None = None
        self._steps: list[ProvenStep] = []
        self._height = -1
        self._luck: tuple[Sheet, Sequence[Luck]] = Sheet(""), ()
        self.problems = False
        self.written = ""

    def all(self) -> list[ProvenStep]:
        """The last steps."""
        if self._of is not self._front.scene:
            self._of, self._steps = self._front.scene, proven_steps(self._front.session, LAST)
        return self._steps

    def steps(self) -> list[ProvenStep]:
        """The steps that fit the search word."""
        word = self._front.ui.word.lower()
        listed = [each for each in self.all() if each.wrong or not self.problems]
        return [each for each in listed if word in f"{each.height} {each.who} {each.text}".lower()]

    def marked(self) -> ProvenStep | None:
        """The step under the cursor, None if none is listed."""
        page, found = self._front.ui.page, self.steps()
        return found[min(page.cursor, len(found) - 1)] if found and page is not None else None

    def luck(self) -> tuple[Sheet, Sequence[Luck]]:
        """The luck in sentences, which needs simulated shuffles and takes longer than a frame, and the dice of each
        seat."""
        controls = self._front.session.controls
        if self._height != self._front.scene.height and controls is not None:
            self._height = self._front.scene.height
            names, shown = self._front.session.names, pictures(controls.genesis.game)
            events = [event for _height, told in controls.history for event in told]
            dice = luck(events, len(names)) if shown.battles is not None and shown.battles.dice else []
            self._luck = fairness_sheet(controls, names)[0], [each for each in dice if each.dice]
        return self._luck


def verify(front: ShownFront) -> None:
    """Show how far the game is verified here, who is connected, the proof of each step, and the luck of each seat."""
    if front.session.controls is None:
        front.say(_("The table has not begun."))
        return
    panel = _Panel(front)

    def items(_word: str) -> list[Item]:
        width = front.size[0] - MARGIN
        return [Item(row, "", lambda: None) for row in _rows(front, panel.steps(), width)]

    def below(keeps: Sequence[str], title: str) -> None:
        def lines(width: int, word: str) -> list[Line]:
            found = [each for each in keeps if word.lower() in each.lower()]
            return [row for each in found for row in folded(each, width, indent="  ")]

        front.open(Page(title, lines, back=page))

    def proof() -> None:
        step = panel.marked()
        if step is not None:
            below([*_proof(front, step)], _("The proof of step {n}").format(n=step.height))

    def hashes() -> None:
        step = panel.marked()
        if step is not None:
            head = _("The running hash after each step covers all before it. Beside it: who has signed on top of it.")
            below(
                [head, "", *hash_path(front.session, step)], _("Running hashes from step {n} on").format(n=step.height)
            )

    def problems() -> None:
        panel.problems, page.cursor = not panel.problems, 0

    own = {"proof": proof, "problems": problems, "export": lambda: _export(front, panel), "hashes": hashes}
    page = Page(
        _("Verified"),
        items=items,
        head=lambda width: _head(front, panel, width),
        detail=lambda _at, width: [*_about(front, panel, width)],
        own=own,
    )
    front.open(page)


def last_roll(front: ShownFront) -> None:
    """Show the proof of the last roll of the battle in the verify panel."""
    battle = front.scene.battle
    step = next((each.step for each in battle.volleys), None) if battle is not None else None
    if step is None:
        front.say(_("No dice have been rolled in this battle yet."))
        return
    verify(front)
    if front.ui.page is not None:
        heights = [each.height for each in proven_steps(front.session, LAST)]
        front.ui.page.cursor = heights.index(step) if step in heights else 0


def _export(front: ShownFront, panel: _Panel) -> None:
    """Write the game so far to a file."""
    controls = front.session.controls
    if controls is None or controls.save is None:
        panel.written = _("This table has no log that could be written to a file.")
        return
    try:
        path = controls.save()
    except UserError as error:
        panel.written = f"{error.message} {error.hint}"
    else:
        size = max(path.stat().st_size // 1000, 1)
        panel.written = _("file {path}, {size} kB; anyone can check it without a network: starlock verify {path}")
        panel.written = panel.written.format(path=path, size=size)


# The list ------------------------------------------------------------------------------------------------------------


def _head(front: ShownFront, panel: _Panel, width: int) -> list[Line]:
    """What is verified, who keeps a roll or cards waiting, and the heads of the columns."""
    controls = front.session.controls
    assert controls is not None
    rolls = controls.rolls()
    told = _("Steps played and verified on this machine: {n}; rolls: {rolls}; deals: {deals}.").format(
        n=front.scene.height, rolls=len(rolls), deals=controls.deals()
    )
    wrong = sum(step.wrong for step in panel.all())
    doubts = [each for each in front.session.troubles() if doubtful(each)]
    told += f" {_('Problems: {n}').format(n=wrong)}" if wrong else "" if doubts else f" {_('All fit ✓')}"
    if panel.problems:
        told += " " + (_("Only problems are listed.") if wrong else _("Only problems are listed; there are none."))
    shown = [*folded(told, width, "question"), *(row for each in doubts for row in folded(each.text, width, "alarm"))]
    for name, kind in controls.debts().items():
        since = front.session.screens.since.get(name)
        if owed_text(kind) and since is not None and front.session.screens.seconds(since) >= SLOW:
            moment = strftime("%H:%M", localtime(since))
            text = _("{name} {owes} since {moment}; nothing is rolled or dealt a second time.")
            shown += folded(text.format(name=name, owes=owed_text(kind), moment=moment), width, "alarm")
    titles = (_("step"), _("who"), _("what happened"), _("signed"), _("hash"), _("random"), _("held by"))
    return [*shown, line(("faint", f" {_row(front, titles, width - MARGIN + 2)}"))]


def _rows(front: ShownFront, steps: Sequence[ProvenStep], width: int) -> list[str]:
    """A row for each step, exactly as wide as the list."""
    return [_row(front, _cells(front, step), width) for step in steps]


def _cells(front: ShownFront, step: ProvenStep) -> tuple[str, ...]:
    """Number, who, what, signatures, running hash, what was random, and the members that hold it."""
    report = step.report
    signed = "✓" if report is not None and report.entries else "-"
    built = "!" if step.wrong else "✓" if report is not None and len(report.built) > 1 else "…"
    chance = (
        _("dice !") if step.roll is not None and not step.roll.ok else _(CHANCE[step.chance]) if step.chance else "-"
    )
    held = "".join(chr(ord("A") + seat) if seat in step.seen else "." for seat in range(len(front.session.names)))
    return str(step.height), authors(front.session, step), step.text, signed, built, chance, held


def _row(front: ShownFront, cells: Sequence[str], width: int) -> str:
    """The cells in the columns of the list; those of the proof are left out where they do not fit."""
    number, who, what, *proofs = cells
    seats = len(front.session.names)
    chances = [_("random"), *(_(each) for each in CHANCE.values())]
    rooms = [wide(_("signed")), wide(_("hash")), max(map(wide, chances)), max(wide(_("held by")), seats)]
    people = max(wide(_("who")), seats)
    room = width - 5 - 2 - people - 2 - sum(rooms) - 2 * len(rooms)
    start = f"{number:>5}  {padded(who, people)}  "
    if room < LEAST:
        return start + what
    told = what if wide(what) <= room else f"{_cut(what, room - 1)}…"
    return start + "  ".join(
        (padded(told, room), *(padded(each, size) for each, size in zip(proofs, rooms, strict=True)))
    )


def _cut(text: str, width: int) -> str:
    return "".join(part for _style, part in fit(line(text), width)).rstrip()


# The marked step -----------------------------------------------------------------------------------------------------


def _proof(front: ShownFront, step: ProvenStep) -> Iterator[str]:
    """Everything that proves a step."""
    yield step.text
    yield ""
    yield from step_lines(front.session, step, WHOLE)
    yield ""
    yield from hash_lines(front.session, step)
    missing = [name for seat, name in enumerate(front.session.names) if seat not in step.seen]
    if missing:
        yield _("Not known to be held by: {names}").format(names=", ".join(missing))


def _about(front: ShownFront, panel: _Panel, width: int) -> Iterator[Line]:
    """The stages of the marked step; then luck, what is sealed, and how anybody can check it all."""
    session, controls, step = front.session, front.session.controls, panel.marked()
    assert controls is not None
    if step is not None:
        yield rule(_("how step {n} came about").format(n=step.height), width, session.glyphs)
        for text in step_lines(session, step):
            yield from folded(text, width, "", "    ")
        if wide(step.text) > width // 2 and front.size[1] >= TALL:
            yield from folded(step.text, width, "faint", "  ")
    yield rule(_("luck, and what stands sealed"), width, session.glyphs)
    sheet, dice = panel.luck()
    yield from _dice(front, dice, width)
    for text in sealed_lines(controls, session.names):
        yield from folded(text, width, "", "  ")
    check = _("Anyone can check it without a network: x, then starlock verify FILE")
    yield from folded(panel.written or check, width, "notice" if panel.written else "faint", "  ")
    for text in table_lines(controls.genesis):
        yield from folded(text, width, "", "  ")
    yield from _links(front, width)
    for cell in sheet.cells:
        yield from folded(f"{cell.text} {cell.note}".strip(), width, cell.look, "  ")
    yield from folded(sheet.note, width, "faint", "  ")


def _dice(front: ShownFront, dice: Sequence[Luck], width: int) -> Iterator[Line]:
    """The dice of one's own seat with a bar for each face; hits and expectation of all others in a row."""
    names, seats = front.session.names, front.session.controls.seats if front.session.controls is not None else ()
    for own in (each for each in dice if each.seat in seats):
        text = _("Your {n} battle dice: {hits} hits, {expected} expected ± {spread}, p = {p}")
        if not own.aimed:
            text = _("Your {n} battle dice show {pips}, {pips_expected} expected ± {pips_spread}, p = {pips_p}")
        yield from folded(text.format(n=own.dice, **_figures(own)), width)
        most = max(own.faces)
        bars = (
            f"{face} {'█' * max(BAR * count // most, count > 0)} {count}" for face, count in enumerate(own.faces, 1)
        )
        yield fit(line(("seat-" + str(own.seat), " " + "  ".join(bars))), width)
    runs: list[Run] = []
    for other in (each for each in dice if each.seat not in seats):
        text = "{name} {hits}/{expected} p {p}" if other.aimed else "{name} {pips}/{pips_expected} p {pips_p}"
        runs.append((owner_style(other.seat), f"  {text.format(name=names[other.seat], **_figures(other))}"))
    if runs:
        yield fit((("", _("hits of the others / expected:")), *runs), width)


def _figures(each: Luck) -> dict[str, str]:
    return {
        "hits": str(each.hits),
        "expected": f"{float(each.hits_expected):.1f}",
        "spread": f"{each.hits_spread:.1f}",
        "p": _tail(each.hits_tail),
        "pips": str(each.pips),
        "pips_expected": f"{float(each.expected):.1f}",
        "pips_spread": f"{each.spread:.1f}",
        "pips_p": _tail(each.tail),
    }


def _tail(share: Fraction) -> str:
    """A probability with two decimal places; only 0 and 1 are shown as 0.00 and 1.00."""
    text = f"{float(share):.2f}"
    return {"0.00": "<0.01", "1.00": ">0.99"}.get(text, text) if 0 < share < 1 else text


def _links(front: ShownFront, width: int) -> Iterator[Line]:
    """How each seat is linked."""
    controls, names = front.session.controls, front.session.names
    assert controls is not None
    ways = controls.ways()
    runs = [
        (owner_style(seat), f" {chr(ord('A') + seat)} {name} {link_sign(front.scene, seat)} {_way(front, seat, ways)} ")
        for seat, name in enumerate(names)
    ]
    yield fit(line(*runs), width)


def _way(front: ShownFront, seat: int, ways: Mapping[str, str]) -> str:
    controls, name = front.session.controls, front.session.names[seat]
    return _("here") if controls is not None and seat in controls.seats else way_text(ways.get(name, ""))
