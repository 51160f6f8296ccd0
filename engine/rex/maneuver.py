"""Maneuvering phase: each player moves one group and deploys (rule document, 5 and 7)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.values import Value
from engine.core.waits import Choose, Price, Show
from engine.rex.city_map import (
    allied,
    bombarded,
    controller,
    faces,
    faction,
    reach,
    seat_of,
    settleable,
    turn_order,
    units,
)
from engine.rex.hands import blocked, use
from engine.rex.influence import join
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import INFLUENCE
from engine.rex.words import record

__all__ = ["SEGMENTS", "move_range"]

STAY, DONE, RELOCATE = "stay", "done", "relocate"


def maneuvering(g: Rex) -> None:
    """Jol-Nar looks ahead, Xxcha turns its units; then everybody in turn order."""
    g.then(["foresight"], ["facing"])
    for seat in turn_order(g):
        g.then(["move", seat], ["window", "march", seat], ["deploy", seat])


def foresight(g: Rex) -> Rule[None]:
    """Jol-Nar looks at the top Influence card."""
    seat = seat_of(g, "jol-nar")
    top = g.decks.top(INFLUENCE, 1)
    if seat == NOBODY or not top or not use(g, seat, "jol-nar-foresight"):
        return
    yield from ask(Show(top, Seat(seat)))
    g.tell("maneuver/foresight", seat=seat)


@record
class Turn(Choose[tuple[Value, ...]]):
    """Which stacks of Xxcha turn over, one after the other in the order of their names."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        if so_far and so_far[-1] == DONE:
            return ()
        stacks = sorted(row.id for at, row in enumerate(g.const.spaces) if units(g, self.seat, at))
        rest = [id for id in stacks if not so_far or id > so_far[-1]]
        return sorted((*rest, DONE)) if rest else [DONE]

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (DONE,)


def facing(g: Rex) -> Rule[None]:
    """Xxcha turns any of its stacks face up or face down."""
    seat = seat_of(g, "xxcha")
    if seat == NOBODY or not any(units(g, seat, space) for space in range(len(g.const.spaces))):
        return
    if blocked(g, "xxcha-facing"):
        use(g, seat, "xxcha-facing")
        return
    *turned, _ = yield from ask(Turn(Seat(seat)))
    for id in turned:
        at = g.const.space_index[id]
        g.board.hidden[at] ^= 1
        g.tell("maneuver/turned", seat=seat, space=id, hidden=g.board.hidden[at])


def move_range(g: Rex, seat: int) -> int:
    """How many spaces a group goes: 2, Sol 3, who controls the Navy Base or the Spaceport 4."""
    if any(row.transit and controller(g, at) == seat for at, row in enumerate(g.const.spaces)):
        return g.const.numbers.transit_move
    if faction(g, seat) == "sol" and blocked(g, "sol-range"):
        return min(row.move for row in g.const.factions)
    return g.const.factions[g.seats.faction[seat]].move


def _counts(g: Rex, seat: int, space: int, counts: tuple[Value, ...]) -> Sequence[Value]:
    """The next count of a group out of a space: normal units, then Mechanized ones where there are any."""
    at = seat * len(g.const.spaces) + space
    normal, mech = g.board.units[at], g.board.mech[at]
    if not counts:
        return range(0 if mech else 1, normal + 1)
    if len(counts) == 1 and mech:
        return range(0 if counts[0] else 1, mech + 1)
    return ()


@record
class MoveGroup(Choose[tuple[Value, ...]]):
    """From where, to where and how many units; or stay."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        spaces, index = g.const.spaces, g.const.space_index
        steps = move_range(g, self.seat)
        if not so_far:
            mine = [at for at in range(len(spaces)) if units(g, self.seat, at) and self._to(g, at, steps)]
            return sorted((STAY, *(spaces[at].id for at in mine)))
        if so_far[0] == STAY:
            return ()
        if len(so_far) == 1:
            return self._to(g, index[so_far[0]], steps)
        return _counts(g, self.seat, index[so_far[0]], so_far[2:])

    def refused(
        self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        found: list[tuple[Value, Refusal]] = []
        if len(so_far) == 1 and so_far[0] != STAY:
            legal = self.options(g, lens, so_far)
            steps = move_range(g, self.seat)
            for at, row in enumerate(g.const.spaces):
                if row.id in legal or row.id == so_far[0]:
                    continue
                if bombarded(g, at):
                    found.append((row.id, Refusal("maneuver/bombarded", "", (row.id, g.round.fleet))))
                elif not settleable(g, self.seat, at):
                    found.append((row.id, Refusal("maneuver/ally-there", "", (row.id,))))
                else:
                    found.append((row.id, Refusal("maneuver/too-far", "", (row.id, steps))))
        return found

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (STAY,)

    def _to(self, g: Rex, start: int, steps: int) -> list[str]:
        near = reach(g, start, steps)
        return sorted(g.const.spaces[at].id for at in near if settleable(g, self.seat, at))


def move(g: Rex, seat: Seat) -> Rule[None]:
    """One group of units goes from one space to another by roads."""
    start, *rest = yield from ask(MoveGroup(seat))
    if start == STAY:
        return
    to, normal, mech = (*rest, 0)[:3]
    _shift(g, seat, start, to, normal, mech)
    if faction(g, seat) == "sol":
        use(g, seat, "sol-range")
    g.tell("maneuver/moved", seat=seat, space=start, to=to, units=normal, mechanized=mech)


def _shift(g: Rex, seat: int, start: str, to: str, normal: int, mech: int) -> None:
    join(g, seat, g.const.space_index[start], g.const.space_index[to], normal, mech)


def unit_price(g: Rex, seat: int, space: int) -> int:
    """Influence for each unit deployed into a space, before Hacan's discount; Sol pays nothing."""
    if faction(g, seat) == "sol":
        return 0
    others = any(other != seat and faces(g, other, space) for other in range(g.table.seats))
    if space != g.const.hub and others:
        return g.const.numbers.contested_price
    return g.const.numbers.deploy_price


def deploy_price(g: Rex, seat: int, space: int, count: int) -> int:
    """Influence for the whole deployment; Hacan pays half, rounded up."""
    full = unit_price(g, seat, space) * count
    half = faction(g, seat) == "hacan" and not blocked(g, "hacan-half-price")
    return (full + 1) // 2 if half else full


def may_deploy(g: Rex, seat: int, space: int) -> bool:
    """Whether a space takes units of the seat: Sol deploys in its home sectors only."""
    home = g.const.factions[g.seats.faction[seat]].home_sectors
    return settleable(g, seat, space) and (not home or g.const.spaces[space].sector in home)


def may_relocate(g: Rex, seat: int) -> bool:
    """Hacan and its allies may relocate instead of deploying."""
    hacan = seat_of(g, "hacan")
    return hacan != NOBODY and (hacan == seat or allied(g, hacan, seat)) and not blocked(g, "hacan-relocation")


@record
class Deploy(Choose[tuple[Value, ...]]):
    """Where to deploy and how many units; or ``relocate``, from where, to where and how many; or nothing."""

    seat: Seat
    staged = True

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        spaces, index = g.const.spaces, g.const.space_index
        match so_far:
            case ():
                into = [row.id for at, row in enumerate(spaces) if self._deployable(g, at)]
                return sorted((DONE, *into, *((RELOCATE,) if self._sources(g) else ())))
            case ("done",):
                return ()
            case ("relocate",):
                return self._sources(g)
            case ("relocate", start):
                return self._targets(g, index[start])
            case ("relocate", start, _, *counts):
                return self._affordable(g, _counts(g, self.seat, index[start], tuple(counts)), tuple(counts))
            case (space, *counts):
                return self._reserves(g, index[space], tuple(counts))
        return ()

    def price(self, g: Rex, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if not isinstance(option, int):
            return ()
        if so_far[0] == RELOCATE:
            paid = option * g.const.numbers.relocate_price
        else:
            space = g.const.space_index[so_far[0]]
            before = sum(so_far[1:])
            paid = deploy_price(g, self.seat, space, before + option) - deploy_price(g, self.seat, space, before)
        return (("influence", -paid),) if paid else ()

    def caretaker(self, g: Rex) -> tuple[Value, ...]:
        return (DONE,)

    def _deployable(self, g: Rex, space: int) -> bool:
        reserve = g.seats.reserve[self.seat] + g.seats.mech_reserve[self.seat]
        fits = reserve > 0 and may_deploy(g, self.seat, space)
        return fits and deploy_price(g, self.seat, space, 1) <= g.seats.influence[self.seat]

    def _reserves(self, g: Rex, space: int, counts: tuple[int, ...]) -> Sequence[int]:
        normal, mech = g.seats.reserve[self.seat], g.seats.mech_reserve[self.seat]
        if not counts:
            pool = range(0 if mech else 1, normal + 1)
        elif len(counts) == 1 and mech:
            pool = range(0 if counts[0] else 1, mech + 1)
        else:
            return ()
        held, before = g.seats.influence[self.seat], sum(counts)
        return [n for n in pool if deploy_price(g, self.seat, space, before + n) <= held]

    def _sources(self, g: Rex) -> list[str]:
        """Spaces with units that can be relocated."""
        if not may_relocate(g, self.seat) or g.seats.influence[self.seat] < g.const.numbers.relocate_price:
            return []
        return sorted(
            row.id
            for at, row in enumerate(g.const.spaces)
            if units(g, self.seat, at) and not bombarded(g, at) and self._targets(g, at)
        )

    def _targets(self, g: Rex, start: int) -> list[str]:
        return sorted(row.id for at, row in enumerate(g.const.spaces) if at != start and settleable(g, self.seat, at))

    def _affordable(self, g: Rex, pool: Sequence[int], counts: tuple[int, ...]) -> Sequence[int]:
        held, price = g.seats.influence[self.seat], g.const.numbers.relocate_price
        return [n for n in pool if (sum(counts) + n) * price <= held]


def deploy(g: Rex, seat: Seat) -> Rule[None]:
    """Units come from the reserves into one space, or Hacan and its allies relocate a group."""
    what, *rest = yield from ask(Deploy(seat))
    if what == DONE:
        return
    if what == RELOCATE:
        start, to, normal, mech = (*rest, 0)[:4]
        _pay(g, seat, (normal + mech) * g.const.numbers.relocate_price, "relocation")
        _shift(g, seat, start, to, normal, mech)
        g.tell("maneuver/relocated", seat=seat, space=start, to=to, units=normal, mechanized=mech)
        return
    normal, mech = (*rest, 0)[:2]
    space = g.const.space_index[what]
    paid = deploy_price(g, seat, space, normal + mech)
    if faction(g, seat) == "hacan":
        use(g, seat, "hacan-half-price")
    _pay(g, seat, paid, "deployment")
    at = seat * len(g.const.spaces) + space
    g.seats.reserve[seat] -= normal
    g.seats.mech_reserve[seat] -= mech
    g.board.units[at] += normal
    g.board.mech[at] += mech
    g.tell("maneuver/deployed", seat=seat, space=what, units=normal, mechanized=mech, paid=paid)
    if faction(g, seat) != "xxcha":
        g.then(["shadow"])


def _pay(g: Rex, seat: int, paid: int, what: str) -> None:
    """Other players pay Hacan for their units' way; Hacan pays the bank."""
    hacan = seat_of(g, "hacan")
    g.seats.influence[seat] -= paid
    if paid and hacan not in (NOBODY, seat) and use(g, hacan, "hacan-income"):
        g.seats.influence[hacan] += paid
        g.tell("maneuver/paid", seat=hacan, by=seat, influence=paid, what=what)


@record
class Shadow(Choose[str]):
    """Whether a unit of Xxcha follows a deployment into the Galactic Council, for nothing."""

    seat: Seat

    def options(self, g: Rex, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str]:
        return ("no", "yes")

    def caretaker(self, g: Rex) -> str:
        return "yes"


def shadow(g: Rex) -> Rule[None]:
    """After another player's deployment Xxcha may put one unit into the Galactic Council."""
    seat = seat_of(g, "xxcha")
    if seat == NOBODY or not g.seats.reserve[seat]:
        return
    if blocked(g, "xxcha-shadow"):
        use(g, seat, "xxcha-shadow")
        return
    answer = yield from ask(Shadow(Seat(seat)))
    if answer == "yes":
        g.seats.reserve[seat] -= 1
        g.board.units[seat * len(g.const.spaces) + g.const.hub] += 1
        g.tell("maneuver/shadow", seat=seat)


SEGMENTS = {
    "maneuvering": maneuvering,
    "foresight": foresight,
    "facing": facing,
    "move": move,
    "deploy": deploy,
    "shadow": shadow,
}
