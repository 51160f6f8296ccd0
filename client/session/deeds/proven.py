# SPDX-License-Identifier: GPL-3.0-or-later
"""The deeds that show what is proven of the game, and that write it to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from client.session.deeds.deed import OTHERS, Answer, Argument, Deed, Done, Given, NotDone, at_table, noted
from client.session.deeds.kinds import STEP
from client.session.session import Session
from client.system.errors import UserError
from client.system.files import bug_bundle
from client.system.texts import N_, NC_, _
from client.table.notices import DivergenceFound

if TYPE_CHECKING:  # named alone
    from pathlib import Path

    from client.session.proof import ProvenStep

FEW: Final = 12
"""Steps whose proof is shown in short."""
ALL: Final = 1_000_000
WHOLE: Final = 200
"""Letters of a hash in a whole proof, more than any has."""


def _verify(session: Session, given: Given) -> Answer:
    from client.session.proof import proven_steps  # it loads the network, slowly

    if "step" not in given:
        return noted(_("Verified"), _in_short(session), "    ")
    step = next((each for each in proven_steps(session, ALL) if each.height == given["step"]), None)
    if step is None:
        return NotDone(_("There is no such step."))
    title = _("The proof of step {n}").format(n=step.height)
    return noted(title, _whole(session, step), "    ")


def _in_short(session: Session) -> Iterator[str]:
    """How far the game is verified here, the last steps with their proof, and what is sealed."""
    from client.session.proof import chances, proven_steps, sealed_lines, step_lines

    steps, (rolls, deals) = proven_steps(session, ALL), chances(session)
    told = _("Steps played and verified on this machine: {n}; rolls: {rolls}; deals: {deals}.")
    yield told.format(n=at_table(session).match.height, rolls=rolls, deals=deals)
    wrong = sum(step.wrong for step in steps)
    yield _("Problems: {n}").format(n=wrong) if wrong else _("All fit ✓")
    yield from sealed_lines(session)
    for step in steps[:FEW]:
        yield f"{step.height}  {step.text}"
        yield from (f"    {text}" for text in step_lines(session, step))
        yield _("    held by: {names}").format(names=", ".join(session.table.names[seat] for seat in step.seen))


def _whole(session: Session, step: ProvenStep) -> Iterator[str]:
    from client.session.proof import hash_lines, step_lines

    yield step.text
    yield from step_lines(session, step, WHOLE)
    yield from hash_lines(session, step)
    missing = [name for seat, name in enumerate(session.table.names) if seat not in step.seen]
    if missing:
        yield _("Not known to be held by: {names}").format(names=", ".join(missing))


def saved(session: Session) -> Path:
    """The file to which the game so far was written. UserError."""
    save = None if session.table.controls is None else session.table.controls.save
    if save is None:
        raise UserError("table/no-log", _("This table has no log that could be written to a file."))
    return save()


def _save(session: Session, _given: Given) -> Answer:
    try:
        path = saved(session)
    except UserError as error:
        return NotDone(error.whole)
    size = max(path.stat().st_size // 1000, 1)
    text = _("file {path}, {size} kB; anyone can check it without a network: starlock verify {path}")
    return Done(text.format(path=path, size=size))


def _bundles(session: Session) -> list[Path]:
    """The game so far with each report on programs that differ. UserError."""
    return [bug_bundle(saved(session), report) for report in dict.fromkeys(_reports(session))]


def _bundle(session: Session, _given: Given) -> Answer:
    try:
        return Done(_("Written: {path}").format(path=", ".join(map(str, _bundles(session)))))
    except UserError as error:
        return NotDone(error.whole)


def _reports(session: Session) -> Iterator[Path]:
    notices = (trouble.notice for trouble in session.troubles())
    return (each.file for each in notices if isinstance(each, DivergenceFound))


def _same(session: Session, _given: Given) -> str:
    found = any(_reports(session)) and at_table(session).save is not None
    return "" if found else _("No program has been found to differ.")


DEEDS: Final[Sequence[Deed]] = (
    Deed("verify", (NC_("command", "verify"),),
         N_("how each step came about, and who holds it; with a number all of it"), OTHERS, _verify, N_("[STEP]"),
         N_("Proof"), arguments=(Argument("step", STEP, optional=True),), shows=True),
    Deed("save", (NC_("command", "save"),), N_("write the game so far to a file that anybody can check"), OTHERS,
         _save, title=N_("Write the game so far to a file")),
    Deed("bug", (NC_("command", "bug"),),
         N_("write a bug bundle: the log and both states, without anything hidden"), OTHERS, _bundle,
         title=N_("Write a bug bundle to a file"), hindrance=_same),
)  # fmt: skip
MADE: Final[Mapping[str, Callable[[Session], Path]]] = {"save": saved, "bug": lambda session: _bundles(session)[-1]}
"""The deeds that write a file, with what makes it where it is fetched instead. UserError."""
