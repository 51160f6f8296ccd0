# SPDX-License-Identifier: GPL-3.0-or-later
"""The fairness of a table so far, as a sheet: the last rolls with their commitments and seeds, and the luck of all
seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.proof.audit_chance import name_of
from client.proof.luck import LUCK_NOTE, luck, luck_lines
from client.show.document import Cell, Sheet
from client.show.pictures import pictures
from client.system.texts import _
from client.table.player import TableControls
from client.words.rolls import purpose_text
from engine.core.events import Event
from p2p.lockstep.account import RollReport

LAST: Final = 8
"""Rolls that are shown."""
BAR: Final = 8
"""Columns of the longest bar."""
LETTERS: Final = 8
"""Letters shown of a commitment or a seed."""


def fairness_sheet(controls: TableControls, names: Sequence[str]) -> Sequence[Sheet]:
    """Each seat's luck compared with its expected value; then the rolls, the newest first."""
    rolls = controls.rolls()
    events = [event for _height, told in controls.history for event in told]
    about = _("Before a roll each member fixes a seed by a commitment; then all seeds are opened, and make the dice.")
    return [
        Sheet(_("Luck"), _(LUCK_NOTE), cells=tuple(_luck(events, names, controls))),
        Sheet(_("Rolls so far: {n}").format(n=len(rolls)), about),
        *(_roll(controls, roll) for roll in reversed(rolls[-LAST:])),
    ]


def _luck(events: Sequence[Event], names: Sequence[str], controls: TableControls) -> Iterator[Cell]:
    """Each seat's luck in sentences, with the faces that its dice show."""
    game = controls.genesis.game
    dice = luck(events, len(names)) if pictures(game).fights.dice else ()
    faces = [_faces(each.faces) if each.dice else "" for each in dice]
    for at, text in enumerate(luck_lines(events, names, game, controls.match.g)):
        yield Cell(text, faces[at] if at < len(faces) else "")


def _faces(counts: Sequence[int]) -> str:
    """How many dice show each face, with bars."""
    most = max(counts)
    return "  ".join(
        f"{face} {'█' * max(BAR * count // most, count > 0)} {count}" for face, count in enumerate(counts, 1)
    )


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
