# SPDX-License-Identifier: GPL-3.0-or-later
"""What is counted in Eclipse: the figures of a seat, its numbers over time, its draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from client.games.eclipse.show.boards import SOURCES, on_map, total
from client.games.eclipse.show.words import ROMAN
from client.games.eclipse.wording import term
from client.show.draws import Draws, from_shuffles, from_stacks
from client.show.pictures import Count, Counts, Frame
from client.system.texts import N_, NN_, _
from engine.core.events import Event
from engine.core.sections import row_of
from engine.eclipse.population import income
from engine.eclipse.species import technologies_on
from engine.eclipse.state import NOBODY, PLACES, Eclipse
from engine.eclipse.terms import CATEGORIES, PIECES, PLAYER_SHIPS, RARE, RESOURCES

SECTORS: Final = NN_(
    "{name}: {n} sector drawn, worth {worth}, {expected} expected.",
    "{name}: {n} sectors drawn, worth {worth}, {expected} expected.",
    "n",
)
REPUTATION: Final = NN_(
    "{name}: {n} reputation tile drawn; what was kept is worth {worth}, {expected} expected.",
    "{name}: {n} reputation tiles drawn; what was kept is worth {worth}, {expected} expected.",
    "n",
)


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The storage, discs and known points of a seat."""
    g = frame.g
    store = row_of(g.seats.store, seat)
    return [
        *((term(name), amount) for name, amount in zip(RESOURCES, store, strict=True)),
        (_("discs"), g.seats.discs[seat]),
        *([(_("vp"), total(frame, seat)[0])] if g.seats.species[seat] >= 0 else []),
    ]


def growth(frame: Frame) -> Sequence[Count]:
    """Sectors, storage and income, ships on the map by kind, technologies by track."""
    g = frame.g
    seats = range(g.table.seats)
    if NOBODY in g.seats.species:
        return ()
    economy, fleets, technologies, stored = _("Economy"), _("Fleets"), _("Technologies"), _("stored: {resource}")
    kinds = {kind: [on_map(frame, seat, kind) for seat in seats] for kind in PLAYER_SHIPS}
    return [
        Count(economy, _("sectors"), [g.sectors.owner.count(seat) for seat in seats]),
        *(
            Count(economy, _("income: {resource}").format(resource=term(name)), [income(g, seat, at) for seat in seats])
            for at, name in enumerate(RESOURCES)
        ),
        *(
            Count(economy, stored.format(resource=term(name)), [g.seats.store[seat, at] for seat in seats])
            for at, name in enumerate(RESOURCES)
        ),
        Count(economy, _("discs left"), g.seats.discs),
        Count(fleets, _("ships"), [sum(each) for each in zip(*kinds.values(), strict=True)]),
        *(Count(fleets, term(PIECES[kind]), numbers) for kind, numbers in kinds.items()),
        *(
            Count(technologies, term(CATEGORIES[track]), [technologies_on(g, seat, track) for seat in seats])
            for track in range(RARE)
        ),
    ]


def draws(g: Eclipse, events: Sequence[Event]) -> Sequence[Draws]:
    """Sectors from the stacks of the three rings, by their points; once all have shown their reputation tiles, also
    those of each seat. Who is eliminated shows them while the others go on."""
    shown = {_number(event, "seat"): _number(event, "value") for event in events if event.id == "score/reputation"}
    return [*_explored(g, events), *(_reputation(g, events, shown) if len(shown) == g.table.seats else [])]


def _explored(g: Eclipse, events: Sequence[Event]) -> list[Draws]:
    stacks = {ROMAN[ring]: g.const.stacks[ring] for ring in (1, 2, 3)}
    ring_of = {g.const.sector_ids[tile]: (name, tile) for name, tiles in stacks.items() for tile in tiles}
    drawn = []
    for event in events:
        if event.id == "explore/drawn" and event.args["sector"] in ring_of:
            name, tile = ring_of[str(event.args["sector"])]
            drawn.append((_number(event, "seat"), name, g.const.sector_vp[tile]))
    worth = {name: [g.const.sector_vp[tile] for tile in tiles] for name, tiles in stacks.items()}
    return from_stacks("sectors", drawn, worth, g.table.seats, SECTORS)


def _reputation(g: Eclipse, events: Sequence[Event], shown: Mapping[int, int]) -> list[Draws]:
    """Reputation draws: in each shuffle a seat keeps the best tile whenever it kept one in the game, on the same
    places. An eliminated seat's tiles are revealed before they return to the bag."""
    seats = range(g.table.seats)
    deeds = list(_deeds(events))
    held = g.seats.reputation
    places = {(seat, at) for seat in seats for at in range(PLACES) if held[seat, at] > 0 or g.seats.out[seat]}

    def shuffle(random: Random) -> list[int]:
        bag, kept, hand = sorted(g.const.reputation_bag), dict[tuple[int, int], int](), list[int]()
        for deed, seat, number in deeds:
            if deed == "drawn":
                hand = _drawn(bag, number, random)
            elif deed == "kept" and hand:
                place = seat, number - 1
                bag += [kept[place]] if place in kept else []
                kept[place] = hand.pop()
            elif deed == "hand-returned":
                bag += [kept.pop(place) for place in list(kept) if place[0] == seat]
            if deed in ("kept", "declined"):
                bag += hand
        worth = [0] * g.table.seats
        for place in kept.keys() & places:
            worth[place[0]] += kept[place]
        return worth

    numbers = [0] * g.table.seats
    for deed, seat, number in deeds:
        if deed == "drawn":
            numbers[seat] += number
    return from_shuffles("reputation", numbers, [shown[seat] for seat in seats], shuffle, REPUTATION)


def _deeds(events: Sequence[Event]) -> Iterator[tuple[str, int, int]]:
    """The actions on reputation tiles: the kind, the seat, and the number of tiles or the place, 0 if neither
    applies."""
    for event in events:
        kind, _slash, deed = event.id.partition("/")
        if kind == "reputation":
            which = {"drawn": "tiles", "kept": "place"}.get(deed)
            yield deed, _number(event, "seat"), 0 if which is None else _number(event, which)


def _drawn(bag: list[int], number: int, random: Random) -> list[int]:
    """Take `number` tiles out of an unordered bag; sorted, the best last."""
    hand = []
    for size in range(len(bag), max(len(bag) - number, 0), -1):
        at = int(random.random() * size)
        hand.append(bag[at])
        bag[at] = bag[-1]
        bag.pop()
    return sorted(hand)


def _number(event: Event, name: str) -> int:
    return int(str(event.args[name]))


COUNTS: Final = Counts(
    figures=figures,
    growth=growth,
    sources=SOURCES,
    draws=draws,
    chance=N_(
        "Discovery tiles differ in kind, and anybody can take a technology on the tray, so neither counts in a "
        "player's luck."
    ),
)
