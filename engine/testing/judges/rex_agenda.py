# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the planned segments of a position: the order of set-up and of a battle, and the arguments.

The number and types of arguments are checked for every game in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from typing import Any, Final

from engine.core.agenda import Item
from engine.core.errors import Refusal
from engine.core.sections import flat
from engine.rex.plans import INTENTS, NO_LEADER, NONE, kinds_of
from engine.rex.state import NOBODY, PHASES, Rex
from engine.rex.terms import BLUFF, INFLUENCE, KINDS, OFFICER, RETURN
from engine.rex.windows import IN_WINDOW

__all__ = ["check_agenda", "passed"]

SETUP: Final = (
    "first-player",
    "factions",
    "pick-faction",
    "traitors",
    "redraw-traitors",
    "keep-traitors",
    "fleet",
    "strategy-cards",
    "units",
    "start-units",
    "place-units",
    "prediction",
    "betrayal-cards",
    "decks",
)
"""The segments of set-up in their order. Nothing else runs before they are over."""

BATTLE: Final = (
    "turncoat",
    "window",
    "testify",
    "orders",
    "command",
    "obey",
    "question",
    "plans",
    "cards",
    "call-traitors",
    "resolve",
    "losses",
    "keep-cards",
    "capture",
    "battle-over",
)
"""The segments of one battle."""
RANK: Final = {name: rank for rank, name in enumerate(BATTLE)} | {"turncoat": 0, "window": 0, "testify": 0}
RANK.update({"obey": RANK["command"], "question": RANK["command"]})
ONCE: Final = ("orders", "plans", "cards", "call-traitors", "resolve", "battle-over")
SEATS: Final = frozenset(("seat", "by", "partner", "other", "foe", "opener", "seats", "tied", "winners"))
MOST: Final = 9999


def items(g: Rex) -> list[Item]:
    """Return the running and planned segments, without returned hands, which may be anywhere in the order."""
    return [item for item in (g.flow.now, *g.flow.agenda) if item and item[0] != RETURN]


def passed(g: Rex, step: str) -> bool:
    """True if a step of set-up is over."""
    steps = SETUP[: SETUP.index(step) + (2 if step == "factions" else 1)]
    return not any(item[0] in steps for item in items(g))


def check_agenda(g: Rex, segments: Mapping[str, Callable[..., Any]]) -> Refusal | None:
    """Return None if every item names things that exist, else the first fault with its path."""
    for problem in (*_setup(g), *_battle(g)):
        return problem
    for at, item in enumerate((g.flow.now, *g.flow.agenda)):
        if item and not _possible(g, segments, item):
            path = f"flow.agenda.{at - 1}" if at else "flow.now"
            return Refusal("position/agenda-arguments", path, tuple(item))
    return None


def _setup(g: Rex) -> Iterator[Refusal]:
    """Check that set-up runs in its order, each step once, then the first round, and nothing of it later."""
    ranks = [SETUP.index(str(item[0])) for item in items(g) if item[0] in SETUP]
    order = [SETUP.index("start-units") if SETUP[rank] == "place-units" else rank for rank in ranks]
    rest = [item for item in items(g) if item[0] not in SETUP]
    if not ranks:
        if g.round.phase == 0 and rest[:1] != [["round"]]:
            yield Refusal("position/setup", "flow.agenda", (len(rest),))
        if g.round.phase == len(PHASES) - 1 and rest:
            yield Refusal("position/over", "flow.agenda", (len(rest),))
        return
    seats_of = [tuple(item) for item in items(g) if item[0] in ("pick-faction", "start-units")]
    repeated = [rank for rank in ranks if SETUP[rank] not in ("pick-faction", "start-units")]
    if g.round.phase or rest != [["round"]] or order != sorted(order):
        yield Refusal("position/setup", "flow.agenda", (len(rest),))
    if len({*repeated}) < len(repeated) or len({*seats_of}) < len(seats_of):
        yield Refusal("position/setup", "flow.agenda", (len(ranks),))
    picking = sorted(int(item[1]) for item in items(g) if item[0] == "pick-faction")
    unpicked = [seat for seat in range(g.table.seats) if g.seats.faction[seat] < 0]
    if not any(item[0] == "factions" for item in items(g)) and picking != unpicked:
        yield Refusal("position/setup", "seats.faction", tuple(unpicked))
    betrayal = ["betrayal-cards"] if g.table.options["betrayal"] == "on" else []
    final = ["prediction", *betrayal, "decks"]
    planned = [SETUP[rank] for rank in ranks if rank >= SETUP.index("prediction")]
    if planned != final[len(final) - len(planned) :]:
        yield Refusal("position/setup", "flow.agenda", (len(planned),))


def _battle(g: Rex) -> Iterator[Refusal]:
    """Check that the segments of a battle in progress come first and in order, with what they need."""
    names = ["turncoat" if item[:2] == ["window", "fight"] else str(item[0]) for item in items(g)]
    own = [at for at, name in enumerate(names) if name in RANK and name not in ("window", "testify")]
    b = g.battle
    if b.space < 0:
        if own or b.space != NOBODY:
            yield Refusal("position/battle", "battle.space", (b.space,))
        return
    last = next((at for at, name in enumerate(names) if name == "battle-over" or name == "resolve"), -1)
    run = [str(item[0]) for item in items(g)[: last + 1]]
    ranks = [RANK.get(name, -1) for name in run]
    if last < 0 or -1 in ranks or ranks != sorted(ranks) or any(at > last for at in own):
        yield Refusal("position/battle", "flow.agenda", (last,))
    if any(run.count(name) > 1 for name in ONCE) or len(run) > 3 * len(BATTLE):
        yield Refusal("position/battle", "flow.agenda", (len(run),))
    yield from _fighters(g)
    if "plans" not in run:
        yield from _planned(g)
    at = RANK[run[0]] if run else -1
    needed = ("plans", "cards", "call-traitors", "resolve")
    if [name for name in needed if RANK[name] >= at] != [name for name in run if name in needed]:
        yield Refusal("position/battle", "flow.agenda", tuple(run))


def _fighters(g: Rex) -> Iterator[Refusal]:
    b, n = g.battle, g.table.seats
    if b.space not in range(len(g.const.spaces)):
        yield Refusal("position/battle", "battle.space", (b.space,))
    for side in (0, 1):
        if b.seat[side] not in range(n) or b.seat[0] == b.seat[1]:
            yield Refusal("position/battle", f"battle.seat.{side}", (b.seat[side],))
            return
        if not 0 <= b.strength[side] <= g.const.numbers.dial_most:
            yield Refusal("position/battle", f"battle.strength.{side}", (b.strength[side],))
        if b.traitor[side] not in (0, 1):
            yield Refusal("position/battle", f"battle.traitor.{side}", (b.traitor[side],))
        act, _, card = b.order[side].partition(" ")
        if b.order[side] and (act not in ("play", "withhold") or card not in kinds_of(g.rules)):
            yield Refusal("position/battle", f"battle.order.{side}", (b.order[side],))
        if b.pledge[side] and not _pledge_stands(g, side):
            yield Refusal("position/battle", f"battle.pledge.{side}", (b.pledge[side],))


def _pledge_stands(g: Rex, side: int) -> bool:
    word, _, what = g.battle.pledge[side].partition(" ")
    if word == "dial":
        return what.isdecimal() and str(int(what)) == what and int(what) <= g.battle.strength[side]
    if word == "leader":
        return what in g.const.leader_index or what in (OFFICER, NO_LEADER)
    return word in KINDS and (what in (NONE, BLUFF) or kinds_of(g.rules).get(what) == word)


def _planned(g: Rex) -> Iterator[Refusal]:
    """Check opened dials, leaders, intents and cards."""
    b = g.battle
    for side in (0, 1):
        hand = g.seats.hand[b.seat[side]]
        known = b.leader[side] in g.const.leader_index or b.leader[side] in (OFFICER, NO_LEADER)
        if not known or b.intent[side] not in INTENTS or b.dial[side] not in range(b.strength[side] + 1):
            yield Refusal("position/battle", f"battle.leader.{side}", (b.leader[side], b.intent[side], b.dial[side]))
            return
        if b.officer[side] and b.officer[side] - 1 not in hand:
            yield Refusal("position/battle", f"battle.officer.{side}", (b.officer[side],))
        spare = len(hand) - bool(b.officer[side])
        if len(INTENTS[b.intent[side]]) > spare and not any(b.opened(side)) and _before_cards(g):
            yield Refusal("position/battle", f"battle.intent.{side}", (b.intent[side], spare))
    held = [index for index in (*flat(b.card), *b.officer) if index]
    for at, index in enumerate(flat(b.card)):
        hand = g.seats.hand[b.seat[at // len(KINDS)]]
        if index and (index - 1 not in hand or held.count(index) > 1):
            yield Refusal("position/battle", f"battle.card.{at}", (index,))
        if (b.face[at] and b.face[at] not in g.const.cards) or (index and not b.face[at]):
            yield Refusal("position/battle", f"battle.face.{at}", (b.face[at],))


def _before_cards(g: Rex) -> bool:
    return any(item[0] == "cards" for item in items(g))


def _possible(g: Rex, segments: Mapping[str, Callable[..., Any]], item: Item) -> bool:
    _, *parameters = [parameter.name for parameter in signature(segments[str(item[0])]).parameters.values()]
    parameters += parameters[-1:] * (len(item) - 1 - len(parameters))
    named = dict(zip(parameters, item[1:], strict=False))
    if not all(_there(g, name, value) for name, value in zip(parameters, item[1:], strict=False)):
        return False
    return _fits(g, str(item[0]), named)


def _there(g: Rex, name: str, value: int | str) -> bool:
    """True if an argument of this name may have this value."""
    if name in SEATS:
        return value in range(g.table.seats)
    if isinstance(value, str):
        match name:
            case "phase":
                return value in PHASES[1:-1]
            case "name":
                return value in PHASES[1:-1] or value in IN_WINDOW
            case "card":
                return value in kinds_of(g.rules)
            case "about":
                return value in g.const.cards or value in g.const.leader_index
        from engine.rex.victory import ENDINGS

        return name == "kind" and value in ENDINGS
    match name:
        case "leader":
            return NOBODY <= value < g.table.seats
        case "space":
            return 0 <= value < len(g.const.spaces)
        case "side":
            return value in (0, 1)
        case "passed":
            return 0 <= value < 1 << g.table.seats
    return 0 <= value <= MOST


def _fits(g: Rex, name: str, named: Mapping[str, int | str]) -> bool:
    """True if the arguments of one segment fit each other and the position."""

    def number(key: str) -> int:
        value = named[key]
        return value if isinstance(value, int) else 0

    match name:
        case "bid":
            leader, high = number("leader"), number("high")
            able = high <= g.seats.influence[leader] if leader >= 0 else high == 0
            return able and leader != number("seat") and bool(g.decks.order.get("strategy"))
        case "lend":
            return number("owed") <= g.seats.influence[number("seat")]
        case "sold":
            return number("price") <= g.seats.influence[number("seat")] and bool(g.decks.order.get("strategy"))
        case "place-units":
            return 1 <= number("left") <= g.seats.reserve[number("seat")] and bool(
                g.const.factions[g.seats.faction[number("seat")]].home_sectors
            )
        case "start-units":
            row = g.const.factions[g.seats.faction[number("seat")]]
            return bool(row.start_space) and row.start_units <= g.seats.reserve[number("seat")]
        case "return-card":
            made, undealt = g.decks.made.get(INFLUENCE, 0), g.decks.order.get(INFLUENCE, ())
            return number("index") < made and number("index") not in undealt
        case "influence":
            return g.round.located < len(g.const.locations)
        case "losses":
            seat, space = number("seat"), g.battle.space
            worth = g.board.units[seat, space] + g.const.numbers.mechanized_strength * g.board.mech[seat, space]
            return number("dial") <= worth
        case "redraw-traitors" | "keep-traitors":
            most = g.const.numbers.traitors_dealt
            return all(len(held) in (0, most) for held in g.seats.traitors)
        case "finish" | "prophecy" | "betrayal":
            return "winners" in named
    return True
