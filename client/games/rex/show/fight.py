# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle in Rex: both plans with dial, leader and cards, hidden until both are sealed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from client.games.rex.wording import term
from client.show.battles import Battle, Plan
from client.show.pictures import Fights, Frame
from client.system.texts import _, ngettext
from engine.core.cards import Handle
from engine.core.events import Event
from engine.core.values import Value
from engine.core.waits import Choose
from engine.rex.city_map import turn_order, units
from engine.rex.plans import INTENTS, CommitCards, PlanBattle
from engine.rex.state import Rex
from engine.rex.terms import KINDS


def fight(frame: Frame, events: Sequence[Event]) -> Battle | None:
    """The present battle; None without one. events: the last events."""
    g: Rex = frame.g
    if g.battle.space < 0:
        return None
    return Battle(
        _("{space}: {side} against {other}").format(
            space=term(g.const.spaces[g.battle.space].id),
            side=frame.names[g.battle.seat[0]],
            other=frame.names[g.battle.seat[1]],
        ),
        stage=_stage(g),
        plans=(_plan(frame, 0), _plan(frame, 1)),
        place=g.const.spaces[g.battle.space].id,
    )


def _stage(g: Rex) -> str:
    match g.flow.now:
        case ["plans"]:
            return _("both seal a plan: dial, leader, and which cards they will play")
        case ["cards"]:
            return _("both seal the cards that they announced")
        case ["call-traitors"]:
            return _("a player who holds the opposing leader as a traitor may show the card")
        case ["orders"]:
            return _("before the plans, Xxcha commands and Jol-Nar asks")
    return ""


def _plan(frame: Frame, side: int) -> Plan:
    """The open part of one side's plan."""
    g: Rex = frame.g
    battle = g.battle
    opened = battle.dial[side] >= 0
    faces = battle.opened(side)
    cards = [(_("leader"), _leader(frame, battle.leader[side]))]
    for kind, face in zip(KINDS, faces, strict=True):
        announced = battle.intent[side] in (kind, "both") and g.flow.now == ["cards"]
        unseen = "" if not opened else _("face down") if announced else _("none")
        cards.append((frame.display_names(kind), frame.display_names(face) if face else unseen))
    return Plan(battle.seat[side], opened, battle.dial[side], battle.strength[side], cards, tuple(_notes(frame, side)))


def _leader(frame: Frame, id: str) -> str:
    """A leader with its strength, or what stands in for one; "" for none."""
    const = frame.g.const
    name = frame.display_names(id) if id else ""
    if id not in const.leader_index:
        return name
    return _("{leader} ({n})").format(leader=name, n=const.leaders[const.leader_index[id]].strength)


def planned(frame: Frame, ask: Choose[Any], plan: Plan, picks: tuple[Value, ...]) -> Plan:
    """The plan of a player with the picks so far: dial, leader and announced cards, then the cards themselves."""
    cards = dict(plan.cards)
    if isinstance(ask, PlanBattle):
        dial, leader, intent = (*picks, None, None, None)[:3]
        if isinstance(leader, str | Handle):
            cards[_("leader")] = _card(frame, leader)
        for kind in KINDS if isinstance(intent, str) else ():
            cards[frame.display_names(kind)] = _("one card") if kind in INTENTS[str(intent)] else _("none")
        return replace(plan, dial=dial if isinstance(dial, int) else -1, cards=tuple(cards.items()))
    if isinstance(ask, CommitCards):
        for kind, card in zip(INTENTS[ask.intent], picks, strict=False):
            cards[frame.display_names(kind)] = _card(frame, card)
        return replace(plan, cards=tuple(cards.items()))
    return plan


def _card(frame: Frame, card: Value) -> str:
    """A leader, or a card that the person knows."""
    if not isinstance(card, Handle):
        return _leader(frame, str(card))
    face = frame.view.lens.get(card)
    return "?" if face is None else frame.display_names(str(face))


def _notes(frame: Frame, side: int) -> Iterator[str]:
    """Units and cards, limits of the plan, and a traitor."""
    g: Rex = frame.g
    battle, seat = g.battle, g.battle.seat[side]
    here, cards = units(g, seat, battle.space), len(g.seats.hand[seat])
    held = ngettext("{cards} card in hand", "{cards} cards in hand", cards).format(cards=cards)
    order = turn_order(g)  # who is earlier wins a tie
    tie = f", {_('wins a tie')}" if order.index(seat) < order.index(battle.seat[1 - side]) else ""
    yield ngettext("{n} unit", "{n} units", here).format(n=here) + f", {held}{tie}"
    for text in (battle.order[side], battle.pledge[side]):
        if text:
            yield _("bound: {what}").format(what=" ".join(map(frame.display_names, text.split(" "))))
    if battle.traitor[side]:
        yield _("its leader is a traitor")


def forces(frame: Frame, space: str) -> Sequence[tuple[int, str]]:
    """The units of each side in a space."""
    g: Rex = frame.g
    at = g.const.space_index[space]
    here = [(seat, units(g, seat, at)) for seat in range(g.table.seats)]
    return [(seat, ngettext("{n} unit", "{n} units", n).format(n=n)) for seat, n in here if n]


FIGHTS: Final = Fights(
    opens=("battle/report", "space"),
    belonging=frozenset({"battle", "card", "leader", "ability", "units"}),
    forces=forces,
    now=fight,
    planned=planned,
)
