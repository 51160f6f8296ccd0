# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle as plain data, the same for every screen: sides, rolls, chances.

Each game fills the fields it has: ships by initiative (`fighters`), sealed plans (`plans`), phases of fire (`phases`),
rolled dice (`volleys`), chances (`chances`). Screens with cards show it as sheets, see `sheets_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import float_info

from client.show.sheets import Cell, Sheet
from client.show.styled import owner_style
from client.system.texts import _
from engine.core.dataclass import dataclass
from engine.core.events import Event

__all__ = [
    "Battle",
    "Chance",
    "Die",
    "Fighter",
    "Number",
    "Phase",
    "Plan",
    "Supposed",
    "Volley",
    "possible",
    "share_text",
    "sheets_of",
    "side_text",
]


@dataclass(frozen=True, slots=True)
class Fighter:
    """Units of one kind on one side.

    Attributes:
        owner: a seat, -1 for neutral units.
        name: the kind and number of units.
        cells: one for each heading of the battle.
        now: True if they act now.
        state: what they have done, "" for nothing yet.
    """

    owner: int
    name: str
    cells: Sequence[str]
    now: bool = False
    state: str = ""


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
class Phase:
    """One phase of fire.

    Attributes:
        sides: each seat with its dice in words.
        state: "done", "now" or "next".
    """

    name: str
    sides: Sequence[tuple[int, str]]
    state: str


@dataclass(frozen=True, slots=True)
class Die:
    """A rolled die.

    Attributes:
        colour: an id, "" if all dice are alike.
        hit: True if it hit, None if the die alone does not tell.
        damage: what a hit does; 0 where all hits do the same.
    """

    face: int
    colour: str = ""
    hit: bool | None = None
    damage: int = 0


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
    dice: Sequence[Die]
    event: Event | None = None
    step: int | None = None
    proof: str = ""

    @property
    def heading(self) -> str:
        """The title with the proof."""
        return ", ".join(filter(None, (self.title, self.proof)))


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
        heads: headings of the cells of `fighters`.
        notes: sentences such as the luck so far.
        later: the number of battles that follow in this phase; None where battles are not fought one after another.
    """

    title: str
    stage: str = ""
    heads: Sequence[str] = ()
    fighters: Sequence[Fighter] = ()
    plans: Sequence[Plan] = ()
    phases: Sequence[Phase] = ()
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


def sheets_of(battle: Battle, names: Sequence[str]) -> list[Sheet]:
    """The battle as sheets: each side, the phases, the dice, the chances. names: the names of the seats."""
    owners = dict.fromkeys([*(each.owner for each in battle.fighters), *(plan.owner for plan in battle.plans)])
    found = [Sheet(battle.title, battle.stage)]
    found += [
        Sheet(side_text(names, owner), look=owner_style(owner), cells=(*_cells(battle, owner),)) for owner in owners
    ]
    found += [
        Sheet(
            phase.name,
            _STATES[phase.state](),
            cells=tuple(Cell(text, side_text(names, at)) for at, text in phase.sides),
        )
        for phase in battle.phases
    ]
    found += [
        Sheet(each.heading, each.note, owner_style(each.owner), tuple(map(_die, each.dice))) for each in battle.volleys
    ]
    found += [
        Sheet(chance.text, cells=tuple(_share(names, owner, share) for owner, share in chance.shares))
        for chance in battle.chances
    ]
    return [*found, *(Sheet("", note) for note in battle.notes)]


_STATES = {"done": lambda: _("over"), "now": lambda: _("now"), "next": lambda: _("to come")}


def _cells(battle: Battle, owner: int) -> Iterator[Cell]:
    for each in battle.fighters:
        if each.owner == owner:
            facts = [f"{head} {cell}" for head, cell in zip(battle.heads, each.cells, strict=True) if cell]
            yield Cell(each.name, ", ".join([*facts, *filter(None, [each.state])]), "title" if each.now else "")
    for plan in battle.plans:
        if plan.owner == owner:
            dial = str(plan.dial) if plan.dial >= 0 else f"0–{plan.most}"
            yield Cell(dial, _("dial"), "title" if plan.opened else "")
            yield from (Cell(card or "?", slot, "title" if card else "") for slot, card in plan.cards)
            if plan.sealed is not None:
                yield Cell(f"{_('sealed')} {plan.seal}".strip() if plan.sealed else "…", _("plan"))
            yield from (Cell(note) for note in plan.notes)


def _die(die: Die) -> Cell:
    missed = " missed" * (die.hit is False)
    return Cell(str(die.face), "", f"die-{die.colour or 'white'}{missed}")


def _share(names: Sequence[str], owner: int, share: float) -> Cell:
    return Cell(f"{side_text(names, owner)} {share_text(share, 1)}", "", owner_style(owner), share=round(100 * share))


def side_text(names: Sequence[str], owner: int) -> str:
    """The name of a side."""
    return names[owner] if owner >= 0 else _("the neutral fleet")
