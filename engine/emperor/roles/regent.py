# SPDX-License-Identifier: GPL-3.0-or-later
"""Regent: gain influence, exert it, resolve conflicts, the Throne, the count of planets (rule document, 5 Regent)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.emperor import galaxy, technologies
from engine.emperor.control import give_points, note_last, order
from engine.emperor.state import EMPIRE_TOKEN, NO_TOKEN, NOBODY, STARBASE_TOKEN, Emperor
from engine.emperor.words import record

__all__ = ["SEGMENTS", "BuyInfluence", "Exert", "begin", "outcome"]

THRONE = "throne"


def begin(g: Emperor, seat: int) -> None:
    """The Throne is up for grabs; all gain influence, all exert it with the chooser last, conflicts are resolved."""
    g.round.throne, g.round.purchases = NOBODY, 0
    turns = order(g, seat)
    g.then(
        *(["draw", other] for other in turns),
        *(["buy", other] for other in turns),
        *(["exert", other] for other in (*turns[1:], seat)),
        ["conflicts"],
        ["claim-throne"],
        ["victory-count"],
    )


def gain(g: Emperor, seat: int, tokens: int) -> int:
    """Take tokens from the reserve as influence, or as many as there are; gives how many."""
    taken = min(tokens, g.seats.reserve[seat])
    g.seats.reserve[seat] -= taken
    g.seats.influence[seat] += taken
    return taken


def draw(g: Emperor, seat: Seat) -> Rule[None]:
    """One player draws influence; Diplomatic Corps bring more."""
    tech, tokens = technologies.usable(g, seat, "diplomatic-corps"), g.const.numbers.influence
    if (yield from technologies.offer(g, seat, "diplomatic-corps")):
        tokens = g.const.technologies[tech].amount
    g.tell("regent/drew", seat=seat, tokens=gain(g, seat, tokens))


@record
class BuyInfluence(Choose[str | None]):
    """Buy one more token; by Propaganda it is cheaper and does not raise the price."""

    seat: Seat
    cost: int

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        return [None, *(name for name in ("buy", "propaganda") if self.judge(g, name) is None)]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        names = ("buy", "propaganda") if technologies.owned(g, self.seat, "propaganda") else ("buy",)
        judged = [(name, self.judge(g, name)) for name in names]
        return [(name, why) for name, why in judged if why is not None]

    def price(self, g: Emperor, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        return () if option is None else (("marks", -self.marks(g, option)), ("influence", 1))

    def caretaker(self, g: Emperor) -> None:
        return None

    def marks(self, g: Emperor, name: str) -> int:
        return self.cost if name == "buy" else technologies.card(g, self.seat, name).marks

    def judge(self, g: Emperor, name: str) -> Refusal | None:
        if name != "buy" and technologies.usable(g, self.seat, name) == NOBODY:
            return Refusal("technology/not-ready", "", (name,))
        if not g.seats.reserve[self.seat]:
            return Refusal("regent/no-token")
        price, marks = self.marks(g, name), g.seats.marks[self.seat]
        return Refusal("regent/too-expensive", "", (price, marks)) if price > marks else None


def buy(g: Emperor, seat: Seat) -> Rule[None]:
    """One player may buy a token."""
    numbers = g.const.numbers
    asked = BuyInfluence(seat, numbers.influence_price + numbers.influence_step * g.round.purchases)
    if len(asked.options(g)) == 1:
        return
    how = yield from ask(asked)
    if how is None:
        return
    price = asked.marks(g, how)
    if how != "buy" and not (yield from technologies.use(g, seat, how)):
        g.then(["buy", seat])
        return
    g.seats.marks[seat] -= price
    g.round.purchases += how == "buy"
    g.tell("regent/bought", seat=seat, marks=price, tokens=gain(g, seat, 1))


@record
class Exert(Choose[tuple[str | None, ...]]):
    """Place influence: for each token a sector or the Throne; None keeps the rest."""

    seat: Seat
    tokens: int
    staged = True

    def options(self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[str | None]:
        if len(so_far) == self.tokens or None in so_far:
            return ()
        spaces = [space for space in range(len(g.const.spaces)) if judge(g, self.seat, space) is None]
        return [None, *(g.const.spaces[space] for space in spaces), THRONE]

    def refused(
        self, g: Emperor, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        if not self.options(g, lens, so_far):
            return ()
        judged = [(g.const.spaces[space], judge(g, self.seat, space)) for space in range(len(g.const.spaces))]
        return [(name, why) for name, why in judged if why is not None]

    def caretaker(self, g: Emperor) -> tuple[str | None, ...]:
        return (None,)


def judge(g: Emperor, seat: int, space: int) -> Refusal | None:
    """Why a seat may not place influence on a space."""
    name = g.const.spaces[space]
    if not galaxy.is_planet(g, space):
        return Refusal("regent/no-planet", "", (name,))
    if galaxy.is_home(g, space):
        return Refusal("regent/home", "", (name,))
    ships = galaxy.ship_owners(g, space)
    if g.sectors.owner[space] == NOBODY and ships and seat not in ships:
        return Refusal("regent/foreign-ships", "", (name,))
    return None


def exert(g: Emperor, seat: Seat) -> Rule[None]:
    """Let one player place influence. Influence that is not placed goes back."""
    tokens = g.seats.influence[seat]
    if not tokens:
        return
    placed = [place for place in (yield from ask(Exert(seat, tokens))) if place is not None]
    for place in placed:
        if place == THRONE:
            g.seats.throne[seat] += 1
        else:
            g.sectors.influence[g.const.space_index[place], seat] += 1
    g.seats.influence[seat] = 0
    g.seats.reserve[seat] += tokens - len(placed)
    g.tell("regent/exerted", seat=seat, places=tuple(placed), back=tokens - len(placed))


def outcome(strengths: Sequence[int]) -> tuple[int, int]:
    """Return the player left after influence has been removed evenly, and the rest of its influence; NOBODY and 0 for a
    tie.

    Taking one from every player who has some until one is left leaves the highest minus the second highest.
    """
    second, first = sorted(strengths)[-2:]
    return (list(strengths).index(first), first - second) if first > second else (NOBODY, 0)


def conflicts(g: Emperor) -> None:
    """Resolve every sector with influence; ships go where their owner has lost the sector."""
    for space, token in enumerate(g.sectors.token):
        g.sectors.before[space] = 1 + g.sectors.owner[space] if token == STARBASE_TOKEN else 0
    lost: list[tuple[int, int]] = []
    for space in range(len(g.const.spaces)):
        placed = row_of(g.sectors.influence, space)
        if any(placed):
            owner = g.sectors.owner[space]
            resolve(g, space, list(placed))
            if owner not in (NOBODY, g.sectors.owner[space]) and galaxy.fleet(g, owner, space):
                lost.append((owner, space))
    note_last(g)
    g.then(*(["displace", seat, space, 1] for seat, space in lost))


def resolve(g: Emperor, space: int, placed: list[int]) -> None:
    """One sector: strength is influence and the own token; one left is an Empire, more a Starbase."""
    owner = g.sectors.owner[space]
    strengths = [tokens + (g.sectors.token[space] if seat == owner else 0) for seat, tokens in enumerate(placed)]
    winner, rest = outcome(strengths)
    if owner != NOBODY:
        g.seats.reserve[owner] += 1
    for seat, tokens in enumerate(placed):
        g.seats.reserve[seat] += tokens
        g.sectors.influence[space, seat] = 0
    g.sectors.owner[space] = winner
    g.sectors.token[space] = NO_TOKEN if winner == NOBODY else EMPIRE_TOKEN if rest == 1 else STARBASE_TOKEN
    if winner != NOBODY:
        g.seats.reserve[winner] -= 1
        g.tell("regent/won", seat=winner, space=g.const.spaces[space], strengths=tuple(strengths), left=rest)
    else:
        g.tell("regent/nobody", space=g.const.spaces[space], strengths=tuple(strengths))


def claim_throne(g: Emperor) -> None:
    """Give the Throne to the player with influence left on it, else to the chooser."""
    winner, _ = outcome(g.seats.throne)
    for seat in range(g.table.seats):
        g.seats.reserve[seat] += g.seats.throne[seat]
        g.seats.throne[seat] = 0
    g.round.throne = g.round.chooser if winner == NOBODY else winner
    for space in range(len(g.const.spaces)):
        g.sectors.before[space] = 0
    g.tell("regent/throne-falls" if winner == NOBODY else "regent/throne-won", seat=g.round.throne)


def victory_count(g: Emperor) -> None:
    """Everybody scores the planets they control."""
    for seat in range(g.table.seats):
        points = g.const.numbers.planet * galaxy.planets(g, seat)
        give_points(g, seat, points)
        g.tell("regent/scored", seat=seat, points=points)
    g.round.purchases = 0


SEGMENTS = {
    "draw": draw,
    "buy": buy,
    "exert": exert,
    "conflicts": conflicts,
    "claim-throne": claim_throne,
    "victory-count": victory_count,
}
"""Agenda items of this chapter."""
