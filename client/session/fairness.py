# SPDX-License-Identifier: GPL-3.0-or-later
"""The fairness of a table so far, as a sheet: the last rolls with their commitments and seeds, and the luck of all
seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from client.proof.audit_chance import name_of
from client.proof.luck import LUCK_NOTE, Luck, luck, luck_lines
from client.session.session import Session
from client.show.document import Cell, Sheet
from client.system.texts import _
from client.table.player import TableControls
from client.words.rolls import purpose_text

if TYPE_CHECKING:  # named alone
    from p2p.lockstep.account import RollReport

__all__ = ["fairness_sheet", "lucky"]

LAST: Final = 8
"""Rolls that are shown."""
LETTERS: Final = 8
"""Letters shown of a commitment or a seed."""


def fairness_sheet(controls: TableControls, names: Sequence[str]) -> Sequence[Sheet]:
    """Each seat's luck compared with its expected value; then the rolls, the newest first."""
    rolls = controls.rolls()
    events = [event for _height, told in controls.history for event in told]
    lucky = luck_lines(events, names, controls.genesis.game, controls.match.g)
    about = _("Before a roll each member fixes a seed by a commitment; then all seeds are opened, and make the dice.")
    return [
        Sheet(_("Luck"), _(LUCK_NOTE), cells=tuple(map(Cell, lucky))),
        Sheet(_("Rolls so far: {n}").format(n=len(rolls)), about),
        *(_roll(controls, roll) for roll in reversed(rolls[-LAST:])),
    ]


def lucky(session: Session) -> tuple[Sheet, Sequence[Luck]]:
    """Each seat's luck in sentences, which needs simulated shuffles, and the battle dice of each that rolled any."""
    controls, table = session.table.controls, session.table
    if controls is None:
        return Sheet(""), ()
    events = [event for _height, told in controls.history for event in told]
    dice = luck(events, len(table.names)) if table.pictures.fights.dice else []
    return fairness_sheet(controls, table.names)[0], [each for each in dice if each.dice]


def _roll(controls: TableControls, roll: RollReport) -> Sheet:
    faces = ", ".join(f"{face}/{sides}" for face, sides in zip(roll.faces, roll.sides, strict=True))
    title = _("{what}: {faces}").format(what=purpose_text(roll.tag), faces=faces)
    verdict = _("every seed fits its commitment") if roll.ok else _("there is no seed")
    note = _("step {height}; {verdict}").format(height=roll.height, verdict=verdict)
    cells = [
        Cell(name_of(controls.genesis, part.member), "; ".join(_part(roll, part.committed, part.seed, part.member)))
        for part in roll.parts
    ]
    seedless = [member for member in roll.lifted if member not in {part.member for part in roll.parts}]
    cells += [Cell(name_of(controls.genesis, member), _("unlocked")) for member in seedless]
    return Sheet(title, note, cells=tuple(cells))


def _part(roll: RollReport, committed: bytes, seed: bytes | None, member: bytes) -> Iterator[str]:
    yield _("fixed {hex}").format(hex=committed.hex()[:LETTERS])
    yield _("absent") if seed is None else _("opened {hex}").format(hex=seed.hex()[:LETTERS])
    if member in roll.lifted:
        yield _("unlocked")
