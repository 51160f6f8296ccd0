# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle as plain data, the same for every screen: sides, rolls, chances.

Each game fills the fields it has: ships by initiative (`units`), sealed plans (`plans`), phases of fire (`phases`),
rolled dice (`volleys`), chances (`chances`). Every screen shows it as a document, see
`document_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from sys import float_info
from typing import Final, TypeAlias

from client.show.document import Block, Cell, Dial, Dice, Document, Note, Sheet, ShownDie, TextTable
from client.show.styled import owner_style
from client.system.texts import _
from engine.core.dataclass import dataclass, replace
from engine.core.events import Event


@dataclass(frozen=True, slots=True)
class Plan:
    """The secret plan of one side.

    Attributes:
        owner: the seat.
        opened: True once all can see it.
        dial: the number on the dial, -1 while it is hidden.
        most: the greatest number that the dial may show.
        cards: the slots and their cards, "" for an unknown card.
        notes: limits of the plan, and its outcome.
        sealed: True if what is hidden of it is fixed already, False if it is still chosen; None if neither is known.
        seal: the first letters of the entry that fixed it, "" if they are not known.
        setting: True for the plan that the person is choosing now.
    """

    owner: int
    opened: bool
    dial: int
    most: int
    cards: Sequence[tuple[str, str]]
    notes: Sequence[str] = ()
    sealed: bool | None = None
    seal: str = ""
    setting: bool = False


@dataclass(frozen=True, slots=True)
class Volley:
    """A roll.

    Attributes:
        note: the faces that hit, and the result.
        event: the event that tells it; None if it is not known.
        step: the number of its step; None if it is not known.
        proof: that number, and whose seeds made it, "" if that is not known.
    """

    owner: int
    title: str
    note: str
    dice: Sequence[ShownDie]
    event: Event | None = None
    step: int | None = None
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability that each side wins, from 0 to 1, in some case; only a sentence if there are no shares."""

    text: str
    shares: Sequence[tuple[int, float]] = ()


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle.

    Attributes:
        title: its place and its stage.
        place: the id of its space, "" if it is not known.
        stage: what happens now, "" if the question tells it.
        units: those of both sides, as `units_table` lists them; None in a game with sealed plans.
        phases: a row for each phase of fire with what both sides roll in it, None in a game without.
        notes: sentences such as the luck so far.
        later: the number of battles that follow in this phase; None where battles are not fought one after another.
    """

    title: str
    stage: str = ""
    units: TextTable | None = None
    plans: Sequence[Plan] = ()
    phases: TextTable | None = None
    volleys: Sequence[Volley] = ()
    chances: Sequence[Chance] = ()
    notes: Sequence[str] = ()
    later: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a hypothetical battle.

    Attributes:
        key: the key that it is set by.
        owner: a seat, -1 for neutral units.
        most: the greatest value, the least is 0.
        names: the names of the values, () if they are plain numbers.
    """

    key: str
    owner: int
    text: str
    value: int
    most: int
    names: Sequence[str] = ()

    @property
    def shown(self) -> str:
        """The value in words."""
        return self.names[self.value] if self.names else str(self.value)


@dataclass(frozen=True, slots=True)
class Supposed:
    """A hypothetical battle.

    Attributes:
        numbers: all numbers that can be set.
        chance: the chances with these numbers.
    """

    title: str
    numbers: Sequence[Number]
    chance: Chance


def possible(share: float) -> float:
    """The probability of what can happen and can fail: never 0 or 1, though rounding has made it so."""
    return min(max(share, float_info.epsilon), 1 - float_info.epsilon)


def share_text(share: float, places: int = 0) -> str:
    """A probability in percent, with so many decimal places; what is nearly certain has two, and only 0 and 1 are shown
    as 0 % and 100 %."""
    if not 0 < share < 1:
        return f"{share:.0%}"
    exact = f"{share:.2%}"
    if exact in ("0.00%", "100.00%"):
        return "<0.01%" if share < 0.5 else ">99.99%"
    return f"{share:.{places}%}" if 0.01 <= share <= 0.99 else exact


AGAINST: Final = ("vs", "v", "against", "contra")


def both_sides(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]] | None:
    """The typed words before and after “vs”, without commas and plus signs; None without it."""
    said = " ".join(words).lower().replace(",", " ").replace("+", " ").split()
    at = next((at for at, word in enumerate(said) if word in AGAINST), None)
    return None if at is None else (said[:at], said[at + 1 :])


def kinds_meant(word: str, names: Mapping[int, Sequence[str]]) -> list[int]:
    """The kinds of units one of whose names begins with a typed word, which may be a plural. names: by kind."""
    wanted = word.removesuffix("s") if len(word) > 3 else word
    return [kind for kind, known in names.items() if len(wanted) > 1 and any(name.startswith(wanted) for name in known)]


def document_of(battle: Battle, names: Sequence[str]) -> Document:
    """The battle as blocks: ships or plans, the phases, the dice, the chances. names: the names of the seats."""
    found: list[Block] = [Sheet(battle.title, look="title")]
    found += [Note(battle.stage, "question")] if battle.stage else []
    found += [battle.units] if battle.units is not None else []
    found += [_plan(plan, side_name(names, plan.owner)) for plan in battle.plans]
    found += [battle.phases] if battle.phases is not None else []
    found += [
        Dice(
            ", ".join(filter(None, (each.title, each.proof))),
            each.note,
            owner_style(each.owner),
            each.dice,
            weight=int(number > 0),
        )
        for number, each in enumerate(battle.volleys)
    ]
    return [*found, *chances_of(battle.chances, names), *(Note(each, "faint", weight=2) for each in battle.notes)]


def chances_of(chances: Sequence[Chance], names: Sequence[str]) -> Document:
    """Chances with the shares of both sides as bars, and those without as sentences."""
    shares = [
        (*(_share(names, owner, share) for owner, share in chance.shares), Cell(chance.text))
        for chance in chances
        if chance.shares
    ]
    return [*([TextTable((), shares)] if shares else []), *(Note(each.text) for each in chances if not each.shares)]


Unit: TypeAlias = tuple[int, str, Sequence[str], bool, str]
"""Units of one kind on one side: owner (-1 for neutral ones), kind and number, a cell for each heading, whether they
act now, and what they have done, "" for nothing yet."""


def units_table(heads: Sequence[str], units: Iterable[Unit]) -> TextTable | None:
    """Units with their figures, those that act now marked; None without any."""
    rows, acting = list[Sequence[Cell]](), list[int]()
    for at, (owner, name, cells, now, state) in enumerate(units):
        rows.append((Cell(name, look=owner_style(owner) + " bold" * now), *map(Cell, cells), Cell(state)))
        acting += [at] * now
    return TextTable([*map(Cell, ("", *heads, ""))], rows, marked=acting) if rows else None


def _plan(plan: Plan, name: str) -> Sheet:
    cells = [Cell(slot, card or "?", "title" if card else "") for slot, card in plan.cards]
    if plan.opened or plan.sealed is not None:
        cells.append(Cell(_("plan"), _seal(plan)))
    dial = Dial(_("dial"), plan.dial, plan.most, plan.setting and not plan.opened)
    return Sheet(name, "; ".join(plan.notes), owner_style(plan.owner), tuple(cells), dial, id=f"plan-{plan.owner}")


def _seal(plan: Plan) -> str:
    if plan.sealed is None:
        return _("✓ opened")
    if not plan.sealed:
        return _("… chooses")
    return _("■ sealed ✓ {letters}").format(letters=plan.seal) if plan.seal else _("■ sealed")


def dialled(battle: Battle, seat: int, number: int) -> Battle:
    """The battle with a number on the dial of the plan that this seat is choosing, unless one is picked."""
    plans = [
        replace(plan, dial=number) if plan.owner == seat and plan.setting and plan.dial < 0 else plan
        for plan in battle.plans
    ]
    return replace(battle, plans=tuple(plans))


def _share(names: Sequence[str], owner: int, share: float) -> Cell:
    return Cell(f"{side_name(names, owner)} {share_text(share, 1)}", "", owner_style(owner), share=round(100 * share))


def side_name(names: Sequence[str], owner: int, *, first: bool = False) -> str:
    """The name of a side. first: True if a sentence begins with it."""
    neutral = _("The neutral fleet") if first else _("the neutral fleet")
    return names[owner] if owner >= 0 else neutral
