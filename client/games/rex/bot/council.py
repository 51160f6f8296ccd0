# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything except moves and battles: set-up, the ceasefire, bids, Strategy cards, the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from client.games.rex.bot.battle import mine_in_battle
from client.games.rex.bot.ground import Ground
from client.games.rex.bot.march import march_gain
from client.games.rex.bot.outlook import prize
from client.games.rex.bot.worth import CARDS, NUMBERS, bomb_risk, progress, shares_special
from engine.core.cards import Handle
from engine.core.values import Value
from engine.core.views import View
from engine.rex.alliances import ALLY, DONE, LEAVE, AcceptGift, AgreeToAlliance, Talk
from engine.rex.bidding import PASS, Bid, Lend
from engine.rex.city_map import allied, available_leaders, faction, members, seat_of, shielded, units
from engine.rex.effects import Testify
from engine.rex.first import PickFaction
from engine.rex.setup import FleetDial, KeepTraitor, Predict, Redraw
from engine.rex.state import CASUALTY, Rex
from engine.rex.terms import NO, STRATEGY
from engine.rex.victory import Betray
from engine.rex.windows import PlayCard

ROUNDS: Final = {1: 1, 2: 3, 3: 3}
"""The weights of early rounds in Xxcha's prediction; the rounds between have 2."""
LAST: Final = 5
"""The weight of the last round in it."""


# Set-up


def pick_faction(view: View, wait: PickFaction, rng: Random) -> Value:
    """Pick the best remaining faction."""
    return max(wait.options(view.g), key=lambda id: NUMBERS[f"pick-{id}"])


def redraw(view: View, wait: Redraw, rng: Random) -> Value:
    """Always redraw: own leaders are useless as traitors."""
    answer: tuple[Value, ...] = ()
    while options := wait.options(view.g, view.lens, answer):
        known = [card for card in options if card != NO and card in view.lens]
        answer = (*answer, known[0] if known else NO if NO in options else options[0])
    return answer


def keep_traitor(view: View, wait: KeepTraitor, rng: Random) -> Value:
    """Keep the strongest leader of another faction; if a foe keeps a large part of all leaders, the own strongest
    leader, who is then safe from treason.
    """
    g: Rex = view.g
    own = g.const.leaders_of[g.seats.faction[wait.seat]]
    factions = [g.const.factions[at] for seat, at in enumerate(g.seats.faction) if seat != wait.seat]
    most = max(row.traitors for row in factions)
    afraid = most >= NUMBERS["feared"] * sum(status > 0 for status in g.leaders.status)

    def use(card: Handle) -> tuple[bool, int]:
        leader = g.const.leader_index.get(str(view.lens.get(card)))
        return (False, 0) if leader is None else ((leader in own) == afraid, g.const.leaders[leader].strength)

    return max(wait.options(g), key=use)


def fleet_dial(view: View, wait: FleetDial, rng: Random) -> Value:
    """Chosen at random, so that opponents cannot predict the dial."""
    return rng.choice(wait.options(view.g))


def predict(view: View, wait: Predict, rng: Random) -> Value:
    """Predict a random round and seat, so that opponents cannot guess it: early rounds, the last round, and for the
    last one Sol and Hacan are likelier.
    """
    g: Rex = view.g
    rounds = range(1, wait.rounds + 1)
    (number,) = rng.choices(rounds, [*(ROUNDS.get(each, 2) for each in rounds[:-1]), LAST])
    last = {seat_of(g, "sol"): 4, seat_of(g, "hacan"): 3} if number == wait.rounds else {}
    (seat,) = rng.choices(wait.others, [last.get(other, 1) for other in wait.others])
    return (seat, number)


# The ceasefire


def _prospect(g: Rex, group: tuple[int, ...]) -> float:
    """How near a group is to its victory, divided by its size. Sharing costs less when fewer rounds are left, and
    nothing for an immediate victory. Whoever is with Sol shares what it wins after the last round.
    """
    near, rounds = progress(g, group), g.const.numbers.rounds
    if near >= 1:
        return near
    passed = min(1.0, g.round.number / rounds)
    with_sol = shares_special(g) and seat_of(g, "sol") in group
    return float(near / len(group) ** (1 - passed)) + NUMBERS["with-sol"] * passed * with_sol


def _better(g: Rex, seat: int, group: tuple[int, ...]) -> bool:
    """True if the group has better prospects than the seat has now; for a pair, equal ones are enough. A seat that is
    readier to ally sees its own prospects as less."""
    now, then = _prospect(g, members(g, seat)) / NUMBERS["ally"], _prospect(g, group)
    return then > now or (then == now and len(group) == 2 and len(members(g, seat)) == 1)


def talk(view: View, wait: Talk, rng: Random) -> Value:
    """Leave an alliance that is a disadvantage; ask a player if an alliance brings victory nearer for both."""
    g: Rex = view.g
    acts = wait.options(g)
    if LEAVE in acts and _prospect(g, (wait.seat,)) > _prospect(g, members(g, wait.seat)):
        return (LEAVE,)
    if ALLY in acts:
        groups = {
            other: tuple(sorted({*members(g, wait.seat), *members(g, other)}))
            for other in wait.options(g, None, (ALLY,))
        }
        mutual = [other for other, group in groups.items() if all(_better(g, one, group) for one in group)]
        if mutual:
            return (ALLY, max(mutual, key=lambda other: (_prospect(g, groups[other]), -len(groups[other]), -other)))
    return (DONE,)


def agree(view: View, wait: AgreeToAlliance, rng: Random) -> Value:
    """Agree if it brings the seat's victory nearer."""
    return "yes" if _better(view.g, wait.seat, wait.seats) else "no"


def accept(view: View, wait: AcceptGift, rng: Random) -> Value:
    """Accept every gift: it obliges to nothing."""
    return "yes"


# Bids


def bid(view: View, wait: Bid, rng: Random) -> Value:
    """Bid one more than the last bid, while the card is worth it and some influence is left."""
    g: Rex = view.g
    held = g.seats.influence[wait.seat]
    top = g.decks.top(STRATEGY, 1)
    known = view.lens.get(top[0]) if top else None
    worth = CARDS[known] if known in CARDS else NUMBERS["unseen"] - NUMBERS["fills"] * len(g.seats.hand[wait.seat])
    if faction(g, wait.seat) == "letnev":
        worth *= 1.5  # another card is drawn with it
    if worth > 0:
        worth += max(0, held - NUMBERS["plenty"]) / 8
    return wait.low if wait.low <= min(worth, held // 2) else PASS


def lend(view: View, wait: Lend, rng: Random) -> Value:
    """Lend nothing: an ally bids with its own influence."""
    return 0


# Strategy cards


def play_card(view: View, wait: PlayCard, rng: Random) -> Value:
    """Play the first card that gains something now."""
    for card in wait.options(view.g, view.lens):
        if card == NO or card not in view.lens:
            continue
        for use in wait.options(view.g, view.lens, (card,)):
            think = PLAYS.get(str(use))
            if use == view.lens[card] and think is not None:
                targets = wait.options(view.g, view.lens, (card, use))
                on = think(view, wait, targets)
                if on is not None:
                    return (card, use, *on)
    return (NO,)


On = tuple[Value, ...] | None
Play = Callable[[View, PlayCard, Sequence[Value]], On]


def _interference(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """In a battle, against the foe's possible demands."""
    g: Rex = view.g
    side = mine_in_battle(g, wait.seat)
    if wait.window != "fight" or side < 0:
        return None
    ability = {"xxcha": "xxcha-command", "jol-nar": "jol-nar-question"}.get(faction(g, g.battle.seat[1 - side]))
    return (ability,) if ability in targets else None


def _testimony(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """In a battle, ask whether the seat's best leader is a traitor."""
    g: Rex = view.g
    side = mine_in_battle(g, wait.seat)
    if wait.window != "fight" or side < 0:
        return None
    foe = g.battle.seat[1 - side]
    leaders = available_leaders(g, wait.seat, g.battle.space)
    said = {str(row[2]).partition("/")[2] for row in g.decks.claims if row[1] == foe}
    asked = [at for at in leaders if g.const.leaders[at].id not in said]
    if not asked or not g.seats.traitors[foe]:
        return None
    return (foe, g.const.leaders[max(asked, key=lambda at: g.const.leaders[at].strength)].id)


def _recruits(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Recruit five units, or a strong leader."""
    g: Rex = view.g
    dead = [at for at in g.const.leaders_of[g.seats.faction[wait.seat]] if g.leaders.status[at] == CASUALTY]
    strongest = max(dead, key=lambda at: g.const.leaders[at].strength, default=None)
    if strongest is not None and g.const.leaders[strongest].strength >= 5:
        return (g.const.leaders[strongest].id,)
    return ("units",) if g.seats.casualties[wait.seat] >= g.const.numbers.fresh_units else None


def _balance(g: Rex, seat: int, space: int) -> float:
    """The gain if all units in a space are destroyed."""
    gain = 0.0
    for other in range(g.table.seats):
        if other == seat or allied(g, seat, other):
            gain -= NUMBERS["unit"] * units(g, other, space)
        else:
            gain += NUMBERS["unit"] * units(g, other, space)
    return gain


def _beacon(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Play it if the struck spaces hold more foreign units than own ones; Sol and its allies are immune."""
    g: Rex = view.g
    if g.round.location < 0:
        return None
    card = g.const.influence[g.const.locations[g.round.location]]
    sol = seat_of(g, "sol")
    spared = {one for one in range(g.table.seats) if one == sol or (sol >= 0 and allied(g, sol, one))}
    gain = 0.0
    for space in (g.const.space_index[id] for id in card.spaces):
        for other in range(g.table.seats):
            sign = -1 if other == wait.seat or allied(g, wait.seat, other) else 1
            gain += 0 if other in spared else sign * NUMBERS["unit"] * units(g, other, space)
    return () if gain >= NUMBERS["hurt"] else None


def _cache(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Place it where only the seat's units can collect it."""
    g: Rex = view.g
    mine = [
        id
        for id in targets
        if units(g, wait.seat, g.const.space_index[id]) > 1
        and not any(units(g, other, g.const.space_index[id]) for other in range(g.table.seats) if other != wait.seat)
    ]
    return (mine[0],) if mine else None


def _march(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Play it if a second move gains enough."""
    return () if march_gain(view) >= 1.0 else None


def _medic(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Play it against a foe with strong leaders."""
    g: Rex = view.g
    side = mine_in_battle(g, wait.seat)
    if side < 0:
        return None
    theirs = [g.const.leaders[at].strength for at in available_leaders(g, g.battle.seat[1 - side], g.battle.space)]
    return () if theirs and sum(theirs) / len(theirs) >= 3 else None


def _sabotage(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Move the fleet where it hurts others most, if that is more than the loss by the drawn card."""
    g: Rex = view.g
    gains = {sectors: _swept(g, wait.seat, int(sectors)) for sectors in targets}
    if not gains:
        return None
    spaces = range(len(g.const.spaces))
    feared = sum(NUMBERS["unit"] * units(g, wait.seat, space) * bomb_risk(g, view.lens, space) for space in spaces)
    best = max(gains, key=lambda sectors: (gains[sectors], -int(sectors)))
    return (best,) if gains[best] + feared >= NUMBERS["hurt"] else None


def _swept(g: Rex, seat: int, sectors: int) -> float:
    """The gain if the fleet moves over this many sectors."""
    ahead = [(g.round.fleet + step - 1) % g.const.numbers.sectors + 1 for step in range(1, sectors + 1)]
    spaces = [space for sector in ahead for space in g.const.sector_spaces[sector] if not shielded(g, space)]
    return sum(_balance(g, seat, space) for space in spaces)


def _bomb(view: View, wait: PlayCard, targets: Sequence[Value]) -> On:
    """Strike the space where others lose most."""
    g: Rex = view.g
    ground = Ground.of(g)
    gains = {id: _balance(g, wait.seat, g.const.space_index[id]) for id in targets}

    def gained(id: Value) -> float:
        space = g.const.space_index[id]
        return gains[id] + 0.1 * prize(ground, wait.seat, space, ground.foes(wait.seat, space), 0)

    best = max(gains, key=lambda id: (gained(id), id))
    return (best,) if gains[best] >= NUMBERS["hurt"] else None


PLAYS: Final[Mapping[str, Play]] = {
    "diplomatic-interference": _interference, "sworn-testimony": _testimony, "fresh-recruits": _recruits,
    "tracking-beacon": _beacon, "hidden-cache": _cache, "forced-march": _march, "turncoat-medic": _medic,
    "fleet-sabotage": _sabotage, "shield-bomb": _bomb,
}  # fmt: skip


def testify(view: View, wait: Testify, rng: Random) -> Value:
    """Answer truthfully."""
    return wait.options(view.g, view.lens)[0]


# The end


def betray(view: View, wait: Betray, rng: Random) -> Value:
    """Betray: winning alone is better."""
    return wait.options(view.g, view.lens)[-1]


ANSWERS: Final[Mapping[type[Any], Callable[..., Value]]] = {
    PickFaction: pick_faction,
    Redraw: redraw,
    KeepTraitor: keep_traitor,
    FleetDial: fleet_dial,
    Predict: predict,
    Talk: talk,
    AgreeToAlliance: agree,
    AcceptGift: accept,
    Bid: bid,
    Lend: lend,
    PlayCard: play_card,
    Testify: testify,
    Betray: betray,
}
