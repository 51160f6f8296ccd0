"""The battle under way in Galactic Emperor: three phases of fire with the dice of each side, and what was rolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.games.emperor.wording import term
from client.luck import dice_of
from client.show.battles import Battle, Die, Fighter, Phase, Volley
from client.show.pictures import Frame
from client.texts import _
from engine.core.events import Event
from engine.emperor import combat
from engine.emperor.state import NOBODY, SHIELDS, TARGETING, Emperor
from engine.emperor.terms import ALL_UNITS, UNITS

__all__ = ["fight"]

ROLLS: Final = 3
"""Rolls that are shown, the last ones."""


def fight(frame: Frame, events: Sequence[Event]) -> Battle | None:
    """The battle under way; None without one.  events: what was told last."""
    g: Emperor = frame.g
    now = g.battle
    if now.site == NOBODY:
        return None
    rolls = [each for each in events if each.id in ("warlord/battle", "warlord/rolled")]
    last = max((at for at, each in enumerate(rolls) if each.id == "warlord/battle"), default=-1)
    phase = _phase(g)
    notes = [
        text.format(side=frame.names[now.helped[at]])
        for at, text in (
            (TARGETING, _("{side}: Targeting Computers help the cruisers")),
            (SHIELDS, _("{side}: Deflector Shields stop the first hit")),
        )
        if now.helped[at] != NOBODY
    ]
    notes.append(_("After each phase the attacker goes on or retreats."))
    return Battle(
        _("Space {space}: {attacker} against {defender}").format(
            space=g.const.spaces[now.site],
            attacker=frame.names[now.attacker],
            defender=frame.names[now.defender],
        ),
        heads=(_("fires in phase"), _("hits from")),
        fighters=tuple(_fighters(frame)),
        phases=tuple(_phases(frame, phase)),
        volleys=tuple(group for each in reversed(rolls[last + 1 :][-ROLLS:]) for group in _rolls(frame, each)),
        notes=tuple(notes),
    )


def _phase(g: Emperor) -> int | None:
    """The phase that is under way, 0 for the free fire of ships that warped; None between battles and phases."""
    match g.flow.now:
        case ["free-fire"]:
            return 0
        case ["fire", int(phase)]:
            return phase
    return None


def _fighters(frame: Frame) -> Iterator[Fighter]:
    """What each side has, by kind."""
    g: Emperor = frame.g
    now = g.battle
    for owner in (now.attacker, now.defender):
        for kind, count in enumerate(combat.count(g, owner, now.site)):
            if count:
                unit = g.const.units[kind]
                state = _("one more die") if kind == now.extra and owner == now.attacker else ""
                name = f"{frame.letter(owner)} {count} × {term(UNITS[kind])}"
                yield Fighter(owner, name, (str(unit.phase), f"{unit.hits}+"), _phase(g) == unit.phase, state)


def _phases(frame: Frame, now: int | None) -> Iterator[Phase]:
    """The free fire, where there is one, and the three phases; who was lost in one does not fire in the next."""
    g: Emperor = frame.g
    battle = g.battle
    sides = (battle.attacker, battle.defender)
    if battle.warp:
        yield Phase(_("Free fire of ships that warped"), [(sides[0], _dice(g, sides[0], 0))], _when(0, now))
    for phase in range(1, combat.PHASES + 1):
        kinds = ", ".join(term(UNITS[kind]) for kind in ALL_UNITS if g.const.units[kind].phase == phase)
        name = _("Phase {n}: {kinds}").format(n=phase, kinds=kinds)
        yield Phase(name, [(seat, _dice(g, seat, phase)) for seat in sides], _when(phase, now))


def _when(phase: int, now: int | None) -> str:
    if now is None:
        return "next"
    return "now" if phase == now else "done" if phase < now else "next"


def _dice(g: Emperor, seat: int, phase: int) -> str:
    """The dice that a side has in a phase: “2 dice, 5+ 6+”."""
    wanted = combat.armed(g, seat, phase)
    if not wanted:
        return _("no dice")
    return " ".join(f"{least}+" for least in sorted(wanted))


def _rolls(frame: Frame, event: Event) -> Iterator[Volley]:
    """The dice of each side as they fell."""
    phase = event.args["phase"]
    rolled = dice_of(event)
    for seat in dict.fromkeys(each.seat for each in rolled):
        faces = tuple(Die(each.face, hit=each.hit) for each in rolled if each.seat == seat)
        note = _("phase {n}").format(n=phase) if phase else _("free fire")
        yield Volley(seat, _("{side} rolls").format(side=frame.names[seat]), note, faces)
