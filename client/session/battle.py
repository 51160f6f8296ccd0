# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle as every screen shows it, with its first chances, luck and seals.

The first chances and the luck come from the history of the table, so that late members, spectators and resumed games
see the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Reversible, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from client.proof.luck import luck
from client.session.past import members_of, past_frame
from client.session.session import Session
from client.show.battles import Battle, Chance, Plan, Volley
from client.show.pictures import Frame, Pictures
from client.system.texts import _, ngettext
from client.table.player import TableControls
from engine.core.events import Event
from engine.core.waits import Reveal, Seal

if TYPE_CHECKING:  # the network loads slowly
    from p2p.lockstep.account import RollReport


def battle_of(session: Session) -> Battle | None:
    """The present battle; None without one, and before the table begins."""
    controls = session.table.controls
    if controls is None:
        return None
    found = session.table.pictures.fights.now(session.frame(), session.table.recent)
    if found is None:
        return None
    plans = tuple(_drafted(session, _sealed(controls, plan)) for plan in found.plans)
    volleys = tuple(_proved(session, controls, each) for each in found.volleys)
    title = found.title if found.later is None else f"{_number(session, found.later)}{found.title}"
    shown = replace(found, title=title, plans=plans, volleys=volleys)
    begun = began(session.table.pictures, session.table.told, found.place)
    if begun is None:
        return shown
    height, events = begun
    return with_course(shown, _before(session, height, events[0]), events, session.table.names)


def _number(session: Session, later: int) -> str:
    """The number of the battle among those of its phase. later: how many follow."""
    fights, number = session.table.pictures.fights, 0
    for _height, told in reversed(session.table.told):
        number += sum(event.id == fights.opens[0] for event in told)
        if any(event.id == fights.phase for event in told):
            break
    return _("Battle {n}/{all}: ").format(n=number, all=number + later)


def _proved(session: Session, controls: TableControls, volley: Volley) -> Volley:
    """The roll with the number of its step and the seats whose seeds made it."""
    event = volley.event
    steps = (height for height, told in reversed(controls.history) if any(each is event for each in told))
    step = next(steps, None)
    if step is None or event is None:
        return volley
    proof, roll = _("step {n}").format(n=step), _report(session, controls, step, event)
    if roll is not None and roll.ok:
        by = " ".join(
            members_of(session, [*roll.lifted, *(each.member for each in roll.parts if each.seed is not None)])
        )
        proof += ", " + (_("proof ✓ by {seats}").format(seats=by) if by else _("proof ✓"))
    elif roll is not None:
        proof += ", " + _("not proven!")
    return replace(volley, step=step, proof=proof)


def _report(session: Session, controls: TableControls, step: int, event: Event) -> RollReport | None:
    """The report of the roll that an event tells, kept, since that of all rolls takes longer than a frame."""
    known = session.rolled.get(step)
    if known is None or known[0] is not event:
        found = next((each for each in controls.rolls() if each.height == step), None)
        if found is None:
            return None
        session.rolled[step] = known = event, found
    return known[1]


def _sealed(controls: TableControls, plan: Plan) -> Plan:
    """The plan, marked as sealed once its owner has sealed it, until all are opened."""
    pending = controls.match.pending
    asked = isinstance(pending, Seal) and plan.owner in pending.asks
    if asked and plan.owner in controls.owing():
        return replace(plan, sealed=False)
    fixed = asked or (isinstance(pending, Reveal) and not plan.opened)
    return replace(plan, sealed=True, seal=controls.seals().get(plan.owner, "")) if fixed else plan


def _drafted(session: Session, plan: Plan) -> Plan:
    """The plan with what its owner, the person at the screen, has picked so far."""
    draft = session.asking.draft
    if draft is None or draft.asked.seat != plan.owner or not draft.asked.sealed:
        return plan
    picks = draft.so_far or next((value for value in draft.values if isinstance(value, tuple)), ())
    return replace(session.table.pictures.fights.planned(session.frame(), draft.asked.ask, plan, picks), setting=True)


def began(
    pictures: Pictures, history: Reversible[tuple[int, Sequence[Event]]], place: str
) -> tuple[int, Sequence[Event]] | None:
    """The height at which the present battle began, and its events so far, the opening event first; None for a battle
    that only a draft has begun. history: the events of the game by height."""
    name, argument = pictures.fights.opens
    since: list[Event] = []
    for height, told in reversed(history):
        for event in reversed(told):
            since.append(event)
            if event.id == name:
                return (height, since[::-1]) if str(event.args[argument]) == place else None
    return None


def _before(session: Session, height: int, opening: Event) -> Sequence[tuple[int, float]]:
    """Each side's chance at the start of the battle, computed once."""
    if session.before_battle is None or session.before_battle[0] is not opening:
        frame = past_frame(session, height + 1)  # the position after the wait whose answer began the battle
        found = () if frame is None else first_chances(session.table.pictures, frame, opening)
        session.before_battle = opening, found
    return session.before_battle[1]


def first_chances(pictures: Pictures, frame: Frame, opening: Event) -> Sequence[tuple[int, float]]:
    """Each side's chance at the first position of a battle, () if it cannot be computed. opening: its event."""
    return pictures.fights.odds(frame, str(opening.args[pictures.fights.opens[1]]))


def with_course(
    battle: Battle, before: Sequence[tuple[int, float]], events: Sequence[Event], names: Sequence[str]
) -> Battle:
    """The battle with the chances before it, and the luck in its events so far."""
    chances = [Chance(_("before the battle"), before)] if before else []
    return replace(battle, chances=(*battle.chances, *chances), notes=(*_luck_notes(events, names), *battle.notes))


def _luck_notes(events: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
    """The hits of each seat in this battle compared with the mean of fair dice."""
    for each in luck(events, len(names)):
        if each.aimed:
            yield ngettext(
                "luck so far: {name} hit {n} time, {expected:.1f} expected",
                "luck so far: {name} hit {n} times, {expected:.1f} expected",
                each.hits,
            ).format(name=names[each.seat], n=each.hits, expected=float(each.hits_expected))
