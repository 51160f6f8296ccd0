# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that a position is possible: conservation of every kind of piece and card, and the range of every column.

It is used for positions set up by hand, and by tests after every segment of random games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.core.cards import SEALS
from engine.core.errors import Refusal
from engine.core.sections import Column, flat, row_of
from engine.rex.city_map import faction, seat_of, units
from engine.rex.hands import hand_limit
from engine.rex.state import CAPTURED, NOBODY, PHASES, Rex
from engine.rex.terms import ABILITIES, BETRAYAL, BOMBARDMENT, INFLUENCE, STOOD_IN, STRATEGY, TRAITOR
from engine.rex.victory import ENDINGS
from engine.testing.judges.rex_agenda import check_agenda, passed

__all__ = ["check"]

MOST_INFLUENCE = 9999
MOST_BATTLES = 99
OVER = PHASES.index("over")


def check(g: Rex) -> Refusal | None:
    """Return None for a possible position, else the first fault with its path: ``seats.reserve.1`` (21, 20)."""
    for part in (_lists, _round, _seats, _units, _board, _leaders, _strategy, _traitors, _decks, _claims):
        for problem in part(g):
            return problem
    return None


def judge(g: Rex, segments: Mapping[str, Callable[..., Any]]) -> Refusal | None:
    """Return the first fault: pieces first, then the planned segments."""
    return check(g) or check_agenda(g, segments)


def _lists(g: Rex) -> Iterator[Refusal]:
    wanted = {("seats", "hand"): g.table.seats, ("seats", "traitors"): g.table.seats}
    wanted |= {("battle", name): 2 for name in ("leader", "intent", "order", "pledge")}
    wanted["battle", "face"] = 4
    for (section, name), size in wanted.items():
        got = len(getattr(getattr(g, section), name))
        if got != size:
            yield Refusal("position/length", f"{section}.{name}", (got, size))


def _within(path: str, values: Column | tuple[int, ...], low: int, high: int) -> Iterator[Refusal]:
    for at, value in enumerate(values):
        if not low <= value <= high:
            yield Refusal("position/range", f"{path}.{at}", (value, low, high))


def _round(g: Rex) -> Iterator[Refusal]:
    r, numbers = g.round, g.const.numbers
    ranges = {
        "number": (0, numbers.rounds),
        "phase": (0, OVER),
        "first": (0, g.table.seats - 1),
        "fleet": (1 if passed(g, "fleet") else 0, numbers.sectors),
        "location": (-1, len(g.const.locations) - 1),
        "located": (0, len(g.const.locations)),
        "ceasefires": (0, g.const.influence["temporary-ceasefire"].count),
        "offensives": (0, g.const.influence["sol-offensive"].count),
        "sabotage": (-1, numbers.sabotage_most),
    }
    for name, (low, high) in ranges.items():
        if not low <= getattr(r, name) <= high:
            yield Refusal("position/range", f"round.{name}", (getattr(r, name), low, high))
    if r.number - r.located not in ((0,) if not r.phase else (0, 1)):
        yield Refusal("position/round", "round.number", (r.number, r.located))
    if (r.location >= 0) != (r.located > 0):
        yield Refusal("position/location", "round.location", (r.location, r.located))
    for at, ability in enumerate(r.blocked):
        if not any(ability in known for known in ABILITIES.values()) or ability in r.blocked[:at]:
            yield Refusal("position/ability", f"round.blocked.{at}", (ability,))
    if (r.ending in ENDINGS) != (r.phase == OVER) or (r.ending and r.ending not in ENDINGS):
        yield Refusal("position/ending", "round.ending", (r.ending,))
    for at, seat in enumerate(r.winners):
        if seat not in range(g.table.seats) or seat in r.winners[:at] or not r.ending:
            yield Refusal("position/winner", f"round.winners.{at}", (seat,))


def _seats(g: Rex) -> Iterator[Refusal]:
    s, n = g.seats, g.table.seats
    yield from _within("seats.faction", s.faction, 0 if passed(g, "factions") else NOBODY, len(g.const.factions) - 1)
    yield from _within("seats.influence", s.influence, 0, MOST_INFLUENCE)
    yield from _within("seats.alliance", s.alliance, 0, n)
    for name in ("silent", "proposed", "offered"):
        yield from _within(f"seats.{name}", flat(getattr(s, name)), 0, 1)
    for seat in range(n):
        if s.faction[seat] >= 0 and s.faction[seat] in s.faction[:seat]:
            yield Refusal("position/faction", f"seats.faction.{seat}", (s.faction[seat],))
        allies = [other for other in range(n) if s.alliance[other] == s.alliance[seat]]
        if s.alliance[seat] and (s.alliance[seat] != 1 + allies[0] or not 2 <= len(allies) <= g.const.largest_alliance):
            yield Refusal("position/alliance", f"seats.alliance.{seat}", (s.alliance[seat],))


def _units(g: Rex) -> Iterator[Refusal]:
    """Check that every unit is on the board, in reserve or a casualty."""
    s = g.seats
    yield from _within("board.units", flat(g.board.units), 0, 99)
    yield from _within("board.mech", flat(g.board.mech), 0, 99)
    for name in ("reserve", "casualties", "mech_reserve", "mech_casualties"):
        yield from _within(f"seats.{name}", getattr(s, name), 0, 99)
    for seat in range(g.table.seats):
        row = g.const.factions[s.faction[seat]] if s.faction[seat] >= 0 else None
        normal = sum(row_of(g.board.units, seat)) + s.reserve[seat] + s.casualties[seat]
        mech = sum(row_of(g.board.mech, seat)) + s.mech_reserve[seat] + s.mech_casualties[seat]
        wanted = (row.units, row.mechanized) if row else (0, 0)
        if normal != wanted[0]:
            yield Refusal("position/units", f"seats.reserve.{seat}", (normal, wanted[0]))
        if mech != wanted[1]:
            yield Refusal("position/units", f"seats.mech_reserve.{seat}", (mech, wanted[1]))


def _board(g: Rex) -> Iterator[Refusal]:
    xxcha = seat_of(g, "xxcha")
    yield from _within("board.hidden", g.board.hidden, 0, 1)
    yield from _within("board.broken", g.board.broken, 0, 1)
    yield from _within("board.influence", g.board.influence, 0, MOST_INFLUENCE)
    for space, row in enumerate(g.const.spaces):
        if g.board.hidden[space] and (xxcha == NOBODY or not units(g, xxcha, space)):
            yield Refusal("position/hidden", f"board.hidden.{space}", (row.id,))
        if g.board.broken[space] and not row.shielded:
            yield Refusal("position/shield", f"board.broken.{space}", (row.id,))
        there = [seat for seat in range(g.table.seats) if g.seats.alliance[seat] and units(g, seat, space)]
        alliances = [g.seats.alliance[seat] for seat in there]
        if space != g.const.hub and any(alliances.count(one) > 1 for one in alliances):
            at = there[0] * len(g.const.spaces) + space
            yield Refusal("position/allies-together", f"board.units.{at}", (row.id,))


def _leaders(g: Rex) -> Iterator[Refusal]:
    yield from _within("leaders.fought", g.leaders.fought, 0, len(g.const.spaces))
    yield from _within("leaders.status", g.leaders.status, 0, CAPTURED)
    yield from _within("leaders.battles", g.leaders.battles, 0, MOST_BATTLES)
    for at, row in enumerate(g.const.leaders):
        if bool(g.leaders.battles[at]) != bool(g.leaders.fought[at]):
            yield Refusal("position/leader", f"leaders.battles.{at}", (row.id, g.leaders.battles[at]))
        status = g.leaders.status[at]
        playing = seat_of(g, row.faction) != NOBODY
        captured = status == CAPTURED
        if bool(status) != playing or (captured and (row.faction == "lazax" or seat_of(g, "lazax") == NOBODY)):
            yield Refusal("position/leader", f"leaders.status.{at}", (row.id, status))


def _distinct(path: str, handles: list[int], made: int) -> Iterator[Refusal]:
    for at, handle in enumerate(handles):
        if not 0 <= handle < made or handle in handles[:at]:
            yield Refusal("position/card", path, (handle, made))


def _strategy(g: Rex) -> Iterator[Refusal]:
    """Check that every Strategy card is in the deck, a hand, the discard pile or out of the game."""
    undealt, made = g.decks.order.get(STRATEGY), g.decks.made.get(STRATEGY, 0)
    if (undealt is None) == passed(g, "strategy-cards"):
        yield Refusal("position/deck", f"decks.order.{STRATEGY}", (made,))
    held = [*g.round.discards, *g.round.removed, *(handle for hand in g.seats.hand for handle in hand)]
    everywhere = [*(undealt or ()), *held]
    yield from _distinct("seats.hand", everywhere, made)
    if len(everywhere) != (0 if undealt is None else len(g.const.strategy)):
        yield Refusal("position/cards", f"decks.order.{STRATEGY}", (len(everywhere), len(g.const.strategy)))
    for seat in range(g.table.seats):
        if g.seats.faction[seat] >= 0 and len(g.seats.hand[seat]) > hand_limit(g, seat):
            yield Refusal("position/hand", f"seats.hand.{seat}", (len(g.seats.hand[seat]), hand_limit(g, seat)))


def _traitors(g: Rex) -> Iterator[Refusal]:
    if passed(g, "traitors") != (TRAITOR in g.decks.order):
        yield Refusal("position/deck", f"decks.order.{TRAITOR}")
    held = [handle for hand in g.seats.traitors for handle in hand]
    yield from _distinct("seats.traitors", [*g.decks.order.get(TRAITOR, ()), *held], g.decks.made.get(TRAITOR, 0))
    most = g.const.numbers.traitors_dealt
    for seat, hand in enumerate(g.seats.traitors):
        if len(hand) > most:
            yield Refusal("position/traitors", f"seats.traitors.{seat}", (len(hand), most))


def _decks(g: Rex) -> Iterator[Refusal]:
    """Check the Influence and Bombardment decks, Betrayal cards and the prediction."""
    ready = passed(g, "decks")
    r = g.round
    out = sum(item[:1] == ["return-card"] for item in (g.flow.now, *g.flow.agenda))
    gone = {INFLUENCE: r.located + r.ceasefires + r.offensives + out, BOMBARDMENT: 0}
    for deck, cards in ((INFLUENCE, g.const.influence_deck), (BOMBARDMENT, g.const.numbers.bombardment)):
        wanted = len(cards) - gone[deck] if ready else 0
        if len(g.decks.order.get(deck, ())) != wanted:
            yield Refusal("position/cards", f"decks.order.{deck}", (len(g.decks.order.get(deck, ())), wanted))
    dealt = passed(g, "betrayal-cards") and g.table.options["betrayal"] == "on"
    made = g.decks.made.get(BETRAYAL, 0)
    yield from _within("seats.betrayal", g.seats.betrayal, 0, made if dealt else 0)
    everywhere = [*g.decks.order.get(BETRAYAL, ()), *(card - 1 for card in g.seats.betrayal if card)]
    if dealt and (len({*everywhere}) < len(everywhere) or len(everywhere) != len(g.const.betrayal)):
        yield Refusal("position/card", "seats.betrayal", tuple(g.seats.betrayal))
    if r.prediction:
        seat = seat_of(g, "xxcha")
        mine = [row for row in g.decks.seals if row[:2] == [r.prediction - 1, seat]]
        known = any(str(row[2]).startswith('["predict"') for row in mine)
        if not known or faction(g, seat) != "xxcha":
            yield Refusal("position/prediction", "round.prediction", (r.prediction,))


def _claims(g: Rex) -> Iterator[Refusal]:
    for at, (_, seat, code, *cards) in enumerate(g.decks.claims):
        kind, _, about = str(code).partition("/")
        known = about in g.const.cards or about in g.const.leader_index
        fits = (kind in ("cannot-play", "holds", "lacks") and known) or (code == STOOD_IN and not cards)
        if not fits:
            yield Refusal("position/claim", f"decks.claims.{at}", (code,))
        if seat not in range(g.table.seats):
            yield Refusal("position/claim", f"decks.claims.{at}", (seat,))
        for deck, index in zip(cards[::2], cards[1::2], strict=True):
            made = 0 if deck == SEALS else g.decks.made.get(str(deck), 0)
            if not isinstance(index, int) or not 0 <= index < made:
                yield Refusal("position/claim", f"decks.claims.{at}", (deck, index))
