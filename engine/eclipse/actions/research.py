# SPDX-License-Identifier: GPL-3.0-or-later
"""Research: pay science for a technology on the tray (rule document, 5; rules notes, Research)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache

from engine.core.agenda import Again
from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.rule import Rule, ask
from engine.core.sections import row_of
from engine.core.values import Value
from engine.core.waits import Choose, Price
from engine.eclipse import free, shrines
from engine.eclipse.actions.activation import Stop, finish
from engine.eclipse.catalog import Edition
from engine.eclipse.species import artifacts, has_ability, technologies_on
from engine.eclipse.state import Eclipse, wanderers_of
from engine.eclipse.terms import CATEGORIES, RARE, RESOURCES, SCIENCE
from engine.eclipse.words import record

__all__ = [
    "UNSEALS",
    "Buy",
    "PlacePortal",
    "Research",
    "TakeResources",
    "ancient_labs",
    "artifact_key",
    "can_research",
    "cost",
    "gain_technology",
    "place_portal",
    "research",
]  # fmt: skip

TRACKS = CATEGORIES[:RARE]
ANY = tuple(range(RARE))
"""The tracks of a rare technology."""
PRICELESS = 1 << 15
"""More science than a seat can have."""
UNSEALS = 4
"""Technologies on one track that turn over the discovery tile of Magellan's board."""


@record
class Buy:
    """Take a technology from the tray and put it on a track."""

    tech: str
    track: str


def cost(g: Eclipse, seat: int, tech: int, track: int) -> int:
    """Science to pay: the printed cost less the track's discount, never below the minimum."""
    return _costs(g.const, technologies_on(g, seat, track))[tech]


@lru_cache(64)
def _costs(const: Edition, lying: int) -> Sequence[int]:
    """Return the cost of each technology with this number on the track. A full track has the discount of its last
    space."""
    discount = const.discounts[min(lying, len(const.discounts) - 1)]
    return [max(least, price - discount) for least, price in zip(const.minimum, const.cost, strict=True)]


def tracks_for(g: Eclipse, tech: int) -> Sequence[int]:
    """Tracks a technology may lie on: its own, or any for a rare one."""
    return _tracks(g.const, tech)


def _tracks(const: Edition, tech: int) -> Sequence[int]:
    category = const.category[tech]
    return ANY if category == RARE else (category,)


def _judged(g: Eclipse, seat: int) -> list[tuple[int, int, int, str]]:
    """Return technology, track, price and refusal code ("" if it can be bought), for every tile on the tray."""
    science, dear = g.seats.store[seat, SCIENCE], "research/too-expensive"
    offered, _ = _offered(g, seat)
    return [(tech, track, price, code or (dear if price > science else "")) for tech, track, price, code in offered]


def _offered(g: Eclipse, seat: int) -> tuple[Sequence[tuple[int, int, int, str]], int]:
    """Return the same without regard to the science that the seat has, and the least science with which it could buy
    any, or PRICELESS."""
    return _on_tray(g.const, g.round.tray.tobytes(), row_of(g.seats.techs, seat).tobytes())


@lru_cache(256)
def _on_tray(const: Edition, tray: bytes, techs: bytes) -> tuple[Sequence[tuple[int, int, int, str]], int]:
    owned, found = array("h", techs), []
    lying = [owned.count(track + 1) for track in range(RARE)]
    for tech, tiles in enumerate(array("h", tray)):
        for track in _tracks(const, tech) if tiles else ():
            full = lying[track] >= const.constants.technology_slots
            code = "research/owned" if owned[tech] else "research/track-full" if full else ""
            found.append((tech, track, _costs(const, lying[track])[tech], code))
    return found, min((price for _, _, price, code in found if not code), default=PRICELESS)


def _refusal(g: Eclipse, seat: int, tech: int, track: int, price: int, code: str) -> Refusal:
    if code == "research/track-full":
        return Refusal(code, "", (TRACKS[track],))
    detail = (price, g.seats.store[seat, SCIENCE]) if code == "research/too-expensive" else ()
    return Refusal(code, "", (g.const.technology_ids[tech], *detail))


def can_research(g: Eclipse, seat: int) -> Refusal | None:
    """Why the action makes no sense now, for the turn menu."""
    _, least = _offered(g, seat)
    if least <= g.seats.store[seat, SCIENCE] or shrines.possible(g, seat):
        return None
    return Refusal("research/nothing-affordable" if any(g.round.tray) else "research/tray-empty")


@record
class Research(Choose[object]):
    """Which technology; activation ``n`` of ``of``."""

    seat: Seat
    n: int
    of: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        ids = g.const.technology_ids
        found = sorted([(ids[tech], TRACKS[track]) for tech, track, _, code in _judged(g, self.seat) if not code])
        stop = [Stop()] if self.n > 1 or not found else []
        bought = [Buy(tech, track) for tech, track in found]
        return [*bought, *free.colonies(g, self.seat), *stop, *free.trades(g, self.seat)]

    def refused(
        self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        ids = g.const.technology_ids
        return [
            (Buy(ids[tech], TRACKS[track]), _refusal(g, self.seat, tech, track, price, code))
            for tech, track, price, code in _judged(g, self.seat)
            if code
        ]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        if not isinstance(option, Buy):
            return free.price(g, self.seat, option)
        return (("science", -cost(g, self.seat, g.const.technology_index[option.tech], TRACKS.index(option.track))),)

    def caretaker(self, g: Eclipse) -> Value:
        options = self.options(g)
        return Stop() if Stop() in options else next(option for option in options if isinstance(option, Buy))


def research(g: Eclipse, seat: Seat, n: int, of: int) -> Rule[Again | None]:
    """One activation of Research."""
    match (yield from ask(Research(seat, n, of))):
        case Buy(name, track):
            tech, line = g.const.technology_index[name], TRACKS.index(track)
            price = cost(g, seat, tech, line)
            g.seats.store[seat, SCIENCE] -= price
            g.round.tray[tech] -= 1
            g.tell("research/bought", seat=seat, tech=name, track=track, science=price)
            gain_technology(g, seat, tech, line)
        case Stop():
            finish(g, "research", seat)
        case aside:
            free.settle(g, seat, aside)
            return g.again()
    return None


def gain_technology(g: Eclipse, seat: Seat, tech: int, track: int) -> None:
    """Put a technology on a track and apply its immediate effect."""
    technology = g.const.technologies[tech]
    g.seats.techs[seat, tech] = track + 1
    discs = min(technology.discs, g.seats.reserve[seat])
    if discs:
        g.seats.reserve[seat] -= discs
        g.seats.discs[seat] += discs
        g.tell("influence/discs-gained", seat=seat, discs=discs)
    if (
        has_ability(g, seat, "sealed-discovery")
        and wanderers_of(g).sealed[seat]
        and technologies_on(g, seat, track) >= UNSEALS
    ):
        g.then(["unseal", seat])
    if technology.instant and technology.effect:
        g.then([technology.effect, seat])


@record
class TakeResources(Choose[object]):
    """Artifact Key: one kind of resource for each artifact, five of it."""

    seat: Seat
    artifacts: int

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        n = self.artifacts
        return [
            Split(money, science, n - money - science) for money in range(n + 1) for science in range(n + 1 - money)
        ]

    def price(self, g: Eclipse, option: Value, so_far: tuple[Value, ...] = ()) -> Price:
        each = g.const.constants.artifact_key
        return tuple((name, each * getattr(option, name)) for name in RESOURCES if getattr(option, name))

    def caretaker(self, g: Eclipse) -> Value:
        return Split(self.artifacts, 0, 0)


@record
class Split:
    """The number of artifacts that give money, science and materials."""

    money: int
    science: int
    materials: int


def artifact_key(g: Eclipse, seat: Seat) -> Rule[None]:
    """Five of one resource for each artifact in controlled sectors, each artifact on its own (Artifact Key)."""
    count = artifacts(g, seat)
    if not count:
        g.tell("research/no-artifacts", seat=seat)
        return
    split = yield from ask(TakeResources(seat, count))
    each = g.const.constants.artifact_key
    for resource, name in enumerate(RESOURCES):
        g.seats.store[seat, resource] += each * getattr(split, name)
    g.tell("research/artifacts", seat=seat, **{name: each * getattr(split, name) for name in RESOURCES})


def ancient_labs(g: Eclipse, seat: Seat) -> None:
    """Draw a discovery tile. Pieces that it places go to the starting sector (Ancient Labs; FAQ)."""
    g.then(["draw-discovery", seat, g.const.home[g.seats.species[seat]]])


@record
class PlacePortal(Choose[str]):
    """Warp Portal: which controlled sector gets the portal tile."""

    seat: Seat

    def options(self, g: Eclipse, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        const, sectors = g.const, g.sectors
        return sorted(
            const.sector_ids[tile]
            for tile, owner in enumerate(sectors.owner)
            if owner == self.seat and not const.portals[tile] and not sectors.warp[tile]
        )

    def caretaker(self, g: Eclipse) -> str:
        home = g.const.sectors[g.const.home[g.seats.species[self.seat]]].number
        options = self.options(g)
        return home if home in options else str(options[0])


def place_portal(g: Eclipse, seat: Seat) -> Rule[None]:
    """Put the warp portal tile into a controlled sector (Warp Portal)."""
    if not PlacePortal(seat).options(g):
        g.tell("research/no-place-for-portal", seat=seat)
        return
    name = yield from ask(PlacePortal(seat))
    g.sectors.warp[g.const.sector_index[name]] = 1 + g.const.constants.portal_technology_vp
    g.tell("research/portal", seat=seat, sector=name)
