# SPDX-License-Identifier: GPL-3.0-or-later
"""The deeds that show what is proven of the game, and that write it to a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from client.session.deeds.deed import OTHERS, Answer, Argument, Deed, Done, Given, Refused, Told, at_table, lines_of
from client.session.deeds.kinds import STEP
from client.session.session import Session
from client.system.errors import UserError
from client.system.texts import N_, NC_, _

if TYPE_CHECKING:  # named alone
    from client.session.proof import ProvenStep

__all__ = ["DEEDS"]

FEW: Final = 12
"""Steps whose proof is shown in short."""
ALL: Final = 1_000_000
WHOLE: Final = 200
"""Letters of a hash in a whole proof, more than any has."""


def _verify(session: Session, given: Given) -> Answer:
    from client.session.proof import proven_steps  # it loads the network, slowly

    if "step" not in given:
        return Told(_("Verified"), lambda width: lines_of([*_in_short(session)], width, "    "))
    step = next((each for each in proven_steps(session, ALL) if each.height == given["step"]), None)
    if step is None:
        return Refused(_("There is no such step."))
    title = _("The proof of step {n}").format(n=step.height)
    return Told(title, lambda width: lines_of([*_whole(session, step)], width, "    "))


def _in_short(session: Session) -> Iterator[str]:
    """How far the game is verified here, the last steps with their proof, and what is sealed."""
    from client.session.proof import proven_steps, sealed_lines, step_lines

    controls = at_table(session)
    steps = proven_steps(session, ALL)
    told = _("Steps played and verified on this machine: {n}; rolls: {rolls}; deals: {deals}.")
    yield told.format(n=controls.match.height, rolls=len(controls.rolls()), deals=controls.deals())
    wrong = sum(step.wrong for step in steps)
    yield _("Problems: {n}").format(n=wrong) if wrong else _("All fit ✓")
    yield from sealed_lines(controls, session.names)
    for step in steps[:FEW]:
        yield f"{step.height}  {step.text}"
        yield from (f"    {text}" for text in step_lines(session, step))
        yield _("    held by: {names}").format(names=", ".join(session.names[seat] for seat in step.seen))


def _whole(session: Session, step: ProvenStep) -> Iterator[str]:
    from client.session.proof import hash_lines, step_lines

    yield step.text
    yield from step_lines(session, step, WHOLE)
    yield from hash_lines(session, step)


def _save(session: Session, _given: Given) -> Answer:
    save = at_table(session).save
    if save is None:
        return Refused(_("This table has no log that could be written to a file."))
    try:
        path = save()
    except UserError as error:
        return Refused(f"{error.message} {error.hint}")
    size = max(path.stat().st_size // 1000, 1)
    text = _("file {path}, {size} kB; anyone can check it without a network: starlock verify {path}")
    return Done(text.format(path=path, size=size))


DEEDS: Final[Sequence[Deed]] = (
    Deed("verify", (NC_("command", "verify"),),
         N_("how each step came about, and who holds it; with a number all of it"), OTHERS, _verify, N_("[STEP]"),
         N_("Proof"), arguments=(Argument("step", STEP, optional=True),), shows=True),
    Deed("save", (NC_("command", "save"),), N_("write the game so far to a file that anybody can check"), OTHERS,
         _save, title=N_("Write the game so far to a file")),
)  # fmt: skip
