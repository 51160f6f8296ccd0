# SPDX-License-Identifier: GPL-3.0-or-later
"""Battles: their order, plans by the odds, cards, traitors, commands, questions, and the cards and units kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from client.games.rex.bot.ground import Ground, best_leader
from client.games.rex.bot.outlook import odds, prize
from client.games.rex.bot.worth import CARDS, NUMBERS, unit_worth
from engine.core.cards import Handle, Lens
from engine.core.dataclass import dataclass
from engine.core.ids import Seat
from engine.core.values import Value
from engine.core.views import View
from engine.rex.battle import CallTraitor, PickBattle, plan_of
from engine.rex.city_map import available_leaders, strength, turn_order
from engine.rex.decide import decide
from engine.rex.hands import hand, hand_limit, traitors
from engine.rex.orders import Command, Obey, Question, Tell
from engine.rex.plans import BOTH, INTENTS, NONE, CommitCards, PlanBattle
from engine.rex.spoils import Capture, KeepCards, LoseMechanized, Prisoner
from engine.rex.state import Rex
from engine.rex.terms import BLUFF, NO, OFFICER, PLASMA

ATTACKS: Final = ("energy-rifle", "x35-bio-weapon")
DEFENCES: Final = ("energy-shield", "bio-filter")
"""Each defence stops the attack with the same index."""


def mine_in_battle(g: Rex, seat: int) -> int:
    """The seat's side in the present battle; -1 if it does not take part."""
    return list(g.battle.seat).index(seat) if g.battle.space >= 0 and seat in g.battle.seat else -1


def faces_of(lens: Lens, cards: Sequence[Handle]) -> list[str]:
    """The known faces of these cards."""
    return [str(lens[card]) for card in cards if card in lens]


def pick_battle(view: View, wait: PickBattle, rng: Random) -> Value:
    """Choose the battle with the greatest gain."""
    g: Rex = view.g
    ground = Ground.of(g)

    def gain(fight: Any) -> tuple[float, str, int]:
        space = g.const.space_index[fight.space]
        mine, theirs = strength(g, wait.seat, space), strength(g, fight.foe, space)
        win = odds(mine, best_leader(g, wait.seat), theirs, best_leader(g, fight.foe))
        return win * (1 + prize(ground, wait.seat, space, [fight.foe], mine)), fight.space, fight.foe

    return max(wait.options(g), key=gain)


# Plans


@dataclass(frozen=True, slots=True)
class Clash:
    """A battle from the view of one side. totals: the foe's possible dials and leaders with their chances. struck,
    strikes: the chances that the own leader, and the foe's leader, is killed."""

    view: View
    side: int
    totals: tuple[tuple[int, int, float], ...]
    struck: float
    strikes: float

    @classmethod
    def of(cls, view: View, side: int) -> Clash:
        g: Rex = view.g
        foe = 1 - side
        mine = faces_of(view.lens, hand(g, g.battle.seat[side]))
        word, _, what = g.battle.pledge[foe].partition(" ")
        cards = len(g.seats.hand[g.battle.seat[foe]])
        attacked = 0.0 if (word, what) == ("attack", NONE) else min(0.6, 0.2 * cards)
        defended = 0.0 if (word, what) == ("defence", NONE) else min(0.6, 0.2 * cards)
        covers = sum(card in mine for card in DEFENCES)
        armed = any(card in mine for card in (*ATTACKS, PLASMA))
        struck = attacked * (1 - 0.45 * covers)
        return cls(view, side, tuple(_totals(g, foe)), struck, (1 - defended) if armed else 0.0)

    def win(self, dial: int, leader: int) -> float:
        """The chance to win with this dial and a leader of this strength."""
        g: Rex = self.view.g
        order = turn_order(g)
        first = order.index(g.battle.seat[self.side]) < order.index(g.battle.seat[1 - self.side])
        chance = 0.0
        for mine, how in ((dial, self.struck), (dial + leader, 1 - self.struck)):
            for theirs, lead, weight in self.totals:
                for total, also in ((theirs, self.strikes), (theirs + lead, 1 - self.strikes)):
                    if mine > total or (mine == total and first):
                        chance += how * weight * also
        return chance


def _totals(g: Rex, foe: int) -> Iterator[tuple[int, int, float]]:
    """The foe's dials and leaders with their chances: higher ones are likelier, unless it has announced its plan."""
    word, _, what = g.battle.pledge[foe].partition(" ")
    most = g.battle.strength[foe]
    dials = [int(what)] if word == "dial" else list(range(most + 1))
    ready = [g.const.leaders[at].strength for at in available_leaders(g, g.battle.seat[foe], g.battle.space)]
    if word == "leader":
        named = g.const.leader_index.get(what)
        ready = [] if named is None else [g.const.leaders[named].strength]
    leaders = ready or [0]
    weighed = [(dial, lead, (1.0 + dial) * (1.0 + lead)) for dial in dials for lead in leaders]
    whole = sum(weight for _, _, weight in weighed)
    return ((dial, lead, weight / whole) for dial, lead, weight in weighed)


def plan(view: View, wait: PlanBattle, rng: Random) -> Value:
    """Plan the dial and leader with the best balance of prize, chance and losses."""
    side = mine_in_battle(view.g, wait.seat)
    return _best_plan(view, wait, Clash.of(view, side))


def _best_plan(view: View, wait: PlanBattle, clash: Clash) -> tuple[Value, ...]:
    g: Rex = view.g
    foe = g.battle.seat[1 - clash.side]
    unit, power_there = unit_worth(g), strength(g, wait.seat, g.battle.space)
    loot = NUMBERS["loot"] + unit * strength(g, foe, g.battle.space) / 2
    ground, space = Ground.of(g), g.battle.space
    alone = ground.foes(wait.seat, space) == [foe]
    best: tuple[float, int, int, tuple[Value, ...]] | None = None
    gains: dict[int, float] = {}
    for dial in wait.options(None, view.lens):
        left = max(0, power_there - dial)
        kept = min(1, left) if alone else left
        if kept not in gains:
            gains[kept] = loot + max(0.0, prize(ground, wait.seat, space, [foe], kept))
        for at, leader in enumerate(wait.options(None, view.lens, (dial,))):
            power = _power(g, leader)
            win = clash.win(dial, power) * (1 - _treason(view, clash.side, leader))
            worth = win * (gains[kept] + unit * (wait.most - dial)) - NUMBERS["leader"] * power * (
                clash.struck + 0.2 * (1 - win)
            )
            if best is None or (worth, -dial, -at) > best[:3]:
                best = (worth, -dial, -at, (dial, leader))
    assert best is not None
    return (*best[3], _intent(view, wait, best[3]))


def _power(g: Rex, leader: Value) -> int:
    at = g.const.leader_index.get(leader) if isinstance(leader, str) else None
    return 0 if at is None else g.const.leaders[at].strength


def _treason(view: View, side: int, leader: Value) -> float:
    """The chance that a leader is the foe's traitor: 0 if the seat has its card, 1 if the foe has said so."""
    g: Rex = view.g
    me, foe = g.battle.seat[side], g.battle.seat[1 - side]
    if leader in faces_of(view.lens, traitors(g, me)) or leader not in g.const.leader_index:
        return 0.0
    said = [str(row[2]) for row in g.decks.claims if row[1] == foe]
    if f"holds/{leader}" in said:
        return 1.0
    if f"lacks/{leader}" in said:
        return 0.0
    likely = 1.0 if len(g.seats.traitors[foe]) > 1 else 0.5 + _power(g, leader) / 6  # a single one is a strong one
    return Ground.of(g).treason[foe] * likely


def _intent(view: View, wait: PlanBattle, so_far: tuple[Value, ...]) -> Value:
    """Announce real weapons and defences, a plasma blast alone, crates only if nothing else is possible."""
    options = wait.options(None, view.lens, so_far)
    rest = faces_of(view.lens, [card for card in wait.cards if card != so_far[1]])
    attack = any(card in rest for card in ATTACKS)
    defence = any(card in rest for card in DEFENCES)
    plasma = PLASMA in rest and not attack and not defence
    wanted = BOTH if attack and defence else "attack" if attack or plasma else "defence" if defence else NONE
    return wanted if wanted in options else NONE if NONE in options else options[0]


# Cards


def commit(view: View, wait: CommitCards, rng: Random) -> Value:
    """Commit for each kind the card that is likeliest to have an effect; crates last."""
    g: Rex = view.g
    foe = 1 - mine_in_battle(g, wait.seat)
    answer: tuple[Value, ...] = ()
    for kind in INTENTS[wait.intent]:
        options = wait.options(None, view.lens, answer)
        held = [str(view.lens.get(card)) for card in answer]
        scores = [(_use(g, kind, str(view.lens.get(card, BLUFF)), foe, held), -at) for at, card in enumerate(options)]
        answer = (*answer, options[-max(scores)[1]])
    return answer


def _use(g: Rex, kind: str, card: str, foe: int, held: Sequence[str]) -> float:
    """The value of a card as an attack or defence now."""
    if card == BLUFF:
        return 0.0
    told = g.battle.pledge[foe].partition(" ")[2]
    if kind == "attack":
        if card not in ATTACKS:
            return 0.5 if card == PLASMA else 0.1
        return 1.0 if told == DEFENCES[ATTACKS.index(card)] else 2.0
    if card not in DEFENCES or (card == DEFENCES[0] and PLASMA in held):
        return 0.1
    return 3.0 if told == ATTACKS[DEFENCES.index(card)] else 2.0


def call_traitor(view: View, wait: CallTraitor, rng: Random) -> Value:
    """Reveal the traitor, unless the battle is won without cost anyway."""
    g: Rex = view.g
    cards = [card for card in wait.options(g, view.lens) if isinstance(card, Handle) and card in view.lens]
    fitting = [card for card in cards if view.lens[card] == wait.leader]
    if not fitting:
        return NO
    side = mine_in_battle(g, wait.seat)
    if side >= 0:
        order = turn_order(g)
        first = min((0, 1), key=lambda one: order.index(g.battle.seat[one]))
        if decide((plan_of(g, 0), plan_of(g, 1)), first).winner == side and g.battle.dial[side] == 0:
            return NO
    return fitting[0]


# Commands and questions


def command(view: View, wait: Command, rng: Random) -> Value:
    """Forbid the attack that the seat cannot stop, else the defence that would stop the seat's attack."""
    g: Rex = view.g
    held = faces_of(view.lens, hand(g, wait.seat)) if mine_in_battle(g, wait.seat) >= 0 else []
    for attack, defence in zip(ATTACKS, DEFENCES, strict=True):
        if defence not in held:
            return ("withhold", attack)
    armed = [defence for attack, defence in zip(ATTACKS, DEFENCES, strict=True) if attack in held]
    return ("withhold", armed[0]) if armed else ("withhold", PLASMA)


def obey(view: View, wait: Obey, rng: Random) -> Value:
    """Answer truthfully."""
    return wait.options(view.g, view.lens)[0]


def question(view: View, wait: Question, rng: Random) -> Value:
    """Ask for the dial: it decides most battles."""
    return "dial"


def tell(view: View, wait: Tell, rng: Random) -> Value:
    """Tell the best plan; a dial that the foe knows should be high."""
    g: Rex = view.g
    options = wait.options(g, view.lens)
    if wait.element == "dial":
        return options[-1]
    if wait.element == "leader":
        leaders = tuple(sorted(g.const.leaders[at].id for at in available_leaders(g, wait.seat, g.battle.space)))
        most, cards = g.battle.strength[wait.side], hand(g, wait.seat)
        asked = PlanBattle(Seat(wait.seat), most, leaders, cards, "", g.battle.order[wait.side], g.rules)
        leader = _best_plan(view, asked, Clash.of(view, wait.side))[1]
        named = OFFICER if isinstance(leader, Handle) else leader
        return named if named in options else options[0]
    real = [card for card in options if card not in (NONE, BLUFF, PLASMA)]
    return real[0] if real else NONE if NONE in options else options[0]


# Afterwards


def lose(view: View, wait: LoseMechanized, rng: Random) -> Value:
    """Lose as many Mechanized units as needed without waste: fewer pieces have to be recruited again."""
    each = view.g.const.numbers.mechanized_strength
    whole = [mech for mech in wait.options(view.g) if each * mech <= wait.dial]
    return whole[-1] if whole else wait.options(view.g)[0]


def keep(view: View, wait: KeepCards, rng: Random) -> Value:
    """Keep everything that can be used again; discard a crate from a full hand."""
    full = len(view.g.seats.hand[wait.seat]) >= hand_limit(view.g, wait.seat)
    return tuple("discard" if full and not CARDS[card] else "keep" for card in wait.cards)


def capture(view: View, wait: Capture, rng: Random) -> Value:
    """Always capture a leader: the loser has one less."""
    return "yes"


def prisoner(view: View, wait: Prisoner, rng: Random) -> Value:
    """Keep a prisoner who is stronger than the own leaders; take the reward for others."""
    return "keep" if _power(view.g, wait.leader) > best_leader(view.g, wait.seat) else "destroy"


ANSWERS: Final[Mapping[type[Any], Callable[..., Value]]] = {
    PickBattle: pick_battle,
    PlanBattle: plan,
    CommitCards: commit,
    CallTraitor: call_traitor,
    Command: command,
    Obey: obey,
    Question: question,
    Tell: tell,
    LoseMechanized: lose,
    KeepCards: keep,
    Capture: capture,
    Prisoner: prisoner,
}
