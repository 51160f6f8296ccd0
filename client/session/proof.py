# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof of each step of a table: its author, its dice, the members that hold it; and what is sealed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from client.audit_chance import name_of
from client.session.news import joined, teller
from client.session.session import Session
from client.texts import _
from client.wording import DisplayNames
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # named alone
    from client.player import TableControls
    from p2p.lockstep.account import RollReport

__all__ = ["ProvenStep", "proven_steps", "roll_lines", "sealed_lines"]

SHORT: Final = 8
"""Letters shown of a commitment or a seed."""


@dataclass(frozen=True, slots=True)
class ProvenStep:
    """One step of the table.

    Attributes:
        height: its number.
        who: the name of the name of its author, "" for a step without one.
        text: what happened, in words.
        roll: the dice of the step, None without dice.
        seen: the seats whose members are known to hold it and all earlier steps, ascending.
    """

    height: int
    who: str
    text: str
    roll: RollReport | None
    seen: Sequence[int]


def proven_steps(session: Session, last: int) -> list[ProvenStep]:
    """The last steps that were not taken back, the newest first."""
    controls, names = session.controls, session.names
    if controls is None:
        return []
    rolls = {roll.height: roll for roll in controls.rolls()}
    told: dict[int, list[int]] = {}
    for at, each in enumerate(session.log):
        if not each.undone:
            told.setdefault(each.height, []).append(at)
    held = controls.held()
    found = []
    for height in sorted({*told, *rolls}, reverse=True)[:last]:
        run = [session.log[at] for at in told.get(height, ())]
        who = teller(run[0], names) if run else ""
        text = joined(run, who) if run and all(teller(each, names) == who for each in run) else _all(run)
        seen = [seat for seat, name in enumerate(names) if seat in controls.seats or held.get(name, 0) > height]
        found.append(ProvenStep(height, who, text, rolls.get(height), tuple(seen)))
    return found


def _all(run: Sequence[object]) -> str:
    return " ".join(str(getattr(each, "text", "")) for each in run)


def roll_lines(controls: TableControls, roll: RollReport) -> Iterator[str]:
    """The stages of a roll, a numbered sentence for each."""
    yield from (f"{number} {text}" for number, text in enumerate(_stages(controls, roll), 1))
    if len(roll.parts) > 1:
        yield _("Nobody could choose this: one honest player among them is enough.")


def _stages(controls: TableControls, roll: RollReport) -> Iterator[str]:
    dice = ", ".join(f"d{sides}" for sides in roll.sides)
    yield _("asked: {what}, {dice}, at step {height}").format(
        what=roll.tag.replace("-", " "), dice=dice, height=roll.height
    )
    fixed = "  ".join(f"{name_of(controls.genesis, part.member)} {part.committed.hex()[:SHORT]}" for part in roll.parts)
    if fixed:
        yield _("fixed before it was asked: {parts}").format(parts=fixed)
    opened = [
        f"{name_of(controls.genesis, part.member)} " + (_("absent") if part.seed is None else part.seed.hex()[:SHORT])
        for part in roll.parts
    ]
    if opened:
        fits = _("each fits what was fixed ✓") if roll.ok else _("a seed does not fit")
        yield _("opened: {parts}; {fits}").format(parts="  ".join(opened), fits=fits)
    if roll.lock:
        lifted = ", ".join(name_of(controls.genesis, member) for member in roll.lifted)
        yield _("unlocked by {names}: {n} were needed").format(names=lifted, n=roll.lock)
    faces = " ".join(map(str, roll.faces)) or "–"
    yield _("all seeds together make: {faces}").format(faces=faces)


def sealed_lines(controls: TableControls, names: Sequence[str], display_names: DisplayNames) -> Iterator[str]:
    """What is sealed now: secret choices by seat, and face-down cards in decks."""
    decks = controls.match.g.decks
    chosen = Counter(int(seat) for _index, seat, *_rest in decks.seals)
    if chosen:
        listed = ", ".join(f"{count} ({names[seat]})" for seat, count in sorted(chosen.items()))
        yield _("Secret choices that stand sealed: {listed}").format(listed=listed)
    lying = ", ".join(f"{display_names(deck)} {len(order)}" for deck, order in sorted(decks.order.items()) if order)
    if lying:
        yield _("Face down in the decks: {listed}").format(listed=lying)
