# SPDX-License-Identifier: GPL-3.0-or-later
"""The verify panel: the last steps with their proofs, the stages of a roll, luck, and what is sealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from client.screen.canvas import fit, folded, rule
from client.screen.scene import link_sign
from client.screen.shown_front import ShownFront
from client.screen.ui import Item, Page
from client.session.fairness import fairness_sheet
from client.session.proof import ProvenStep, proven_steps, roll_lines, sealed_lines
from client.show.sheets import Sheet
from client.show.styled import Line, line, owner_style
from client.table.words import way_text
from client.texts import _

__all__ = ["last_roll", "verify"]

LAST: Final = 200
"""Most steps in the panel."""


def verify(front: ShownFront) -> None:
    """Show how far the game is verified here, who is connected, the proof of each step, and the luck of each seat."""
    if front.session.controls is None:
        front.say(_("The table has not begun."))
        return

    def steps(word: str) -> list[ProvenStep]:
        found = proven_steps(front.session, LAST)
        return [each for each in found if word.lower() in f"{each.height} {each.who} {each.text}".lower()]

    def items(word: str) -> list[Item]:
        return [Item(_step(front, each), "", lambda: None) for each in steps(word)]

    known: dict[int, Sheet] = {}  # cached: luck needs simulated shuffles, which take longer than a frame

    def luck() -> Sheet:
        height, controls = front.scene.height, front.session.controls
        if height not in known and controls is not None:
            known.clear()
            known[height] = fairness_sheet(controls, front.session.names)[0]
        return known[height]

    def detail(at: int, width: int) -> list[Line]:
        found = steps(front.ui.word)
        return [*_about(front, found[at] if at < len(found) else None, luck(), width)]

    front.open(Page(_("Verified"), items=items, head=lambda width: _head(front, width), detail=detail))


def last_roll(front: ShownFront) -> None:
    """Show the proof of the last roll in the verify panel."""
    verify(front)
    page = front.ui.page
    if page is not None:
        rolled = (at for at, each in enumerate(proven_steps(front.session, LAST)) if each.roll is not None)
        page.cursor = next(rolled, 0)


def _head(front: ShownFront, width: int) -> list[Line]:
    """The number of verified steps, and the links to all."""
    controls, names = front.session.controls, front.session.names
    assert controls is not None
    rolls = controls.rolls()
    wrong = sum(not roll.ok for roll in rolls)
    told = _("Steps played and verified on this machine: {n}; rolls: {rolls}.").format(
        n=front.scene.height, rolls=len(rolls)
    )
    told += " " + (_("Problems: {n}").format(n=wrong) if wrong else _("All fit ✓"))
    ways = controls.ways()
    runs = [
        (owner_style(seat), f" {chr(ord('A') + seat)} {name} {link_sign(front.scene, seat)} {_way(front, seat, ways)} ")
        for seat, name in enumerate(names)
    ]
    return [*folded(told, width, "question"), fit(line(*runs), width)]


def _way(front: ShownFront, seat: int, ways: Mapping[str, str]) -> str:
    controls, name = front.session.controls, front.session.names[seat]
    return _("here") if controls is not None and seat in controls.seats else way_text(ways.get(name, ""))


def _step(front: ShownFront, step: ProvenStep) -> str:
    """The row of a step: number, its dice, the members that hold it, what happened."""
    dice = _("dice ✓") if step.roll is not None and step.roll.ok else _("dice !") if step.roll is not None else "-"
    letters = "".join(chr(ord("A") + seat) if seat in step.seen else "." for seat in range(len(front.session.names)))
    return f"{step.height:>5}  {dice:<8} {letters}  {step.text}"


def _about(front: ShownFront, step: ProvenStep | None, luck: Sheet, width: int) -> Iterator[Line]:
    """The stages of the marked step; then luck, and what is sealed."""
    session, controls = front.session, front.session.controls
    assert controls is not None
    if step is not None:
        yield rule(_("how step {n} came about").format(n=step.height), width, session.glyphs)
        if step.roll is not None:
            for text in roll_lines(controls, step.roll):
                yield from folded(text, width, "", "    ")
        else:
            who = step.who or _("the game")
            text = _("Taken by {who}, signed, and played again here: every program must come to the same position.")
            yield from folded(text.format(who=who), width)
        missing = [name for seat, name in enumerate(session.names) if seat not in step.seen]
        if missing:
            text = _("Not known to be held by: {names}").format(names=", ".join(missing))
            yield from folded(text, width, "faint")
    yield rule(_("luck, and what stands sealed"), width, session.glyphs)
    for text in sealed_lines(controls, session.names, session.display_names):
        yield from folded(text, width, "", "  ")
    for cell in luck.cells:
        yield from folded(f"{cell.text} {cell.note}".strip(), width, cell.look, "  ")
    yield from folded(luck.note, width, "faint", "  ")
    check = _("Anyone can check it without a network: starlock export, then starlock verify FILE")
    yield from folded(check, width, "faint")
