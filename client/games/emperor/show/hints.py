# SPDX-License-Identifier: GPL-3.0-or-later
"""The meaning of an option of Galactic Emperor and what remains after it, beyond its notation and its price."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from client.games.emperor.reference.articles import effect_text, tile_text
from client.games.emperor.show.odds import coming
from client.games.emperor.show.pieces import named_text, space_text, throne_text
from client.games.emperor.wording import term
from client.games.emperor.wording.options import OPTIONS
from client.show.battles import share_text
from client.show.pictures import Frame
from client.show.titles import stage_of, title_of
from client.system.texts import N_, NN_, _, counted
from engine.core.values import Value
from engine.core.waits import Choose
from engine.emperor.flow import ChooseRole
from engine.emperor.roles.merchant import Trade
from engine.emperor.roles.regent import THRONE, Exert
from engine.emperor.roles.scientist import BuyTechnology
from engine.emperor.roles.steward import Produce
from engine.emperor.roles.warlord import MoveShip, Ship, Warp
from engine.emperor.state import NOBODY
from engine.emperor.tables import Technology
from engine.emperor.technologies import Reroll
from engine.emperor.terms import UNITS

ROLE_HINTS: Final = {
    "explorer": N_("all place tiles; you may claim yours and place the rest"),
    "merchant": NN_(
        "{marks} Mark for you; all harvest and trade", "{marks} Marks for you; all harvest and trade", "marks"
    ),
    "steward": N_("a free cube for you; sectors with food produce"),
    "engineer": N_("a free fighter for you; all build ships"),
    "warlord": N_("an extra die for you; all move, claim and fight"),
    "warlord-2": N_("an extra die for you; all move, claim and fight"),
    "regent": N_("all place influence, you last; planets score"),
    "scientist": N_("all may buy a technology, you for one energy less"),
}
"""The effect of a role in short."""


def title(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> str:
    """The option in words."""
    stage = stage_of(ask.word, so_far[:2] if isinstance(ask, Trade) else so_far)
    return title_of(frame, OPTIONS, partial(_named, frame), ask, stage, False, option, _where(frame, ask, so_far))


def _where(frame: Frame, ask: Choose[Any], so_far: tuple[Value, ...]) -> Mapping[str, Value]:
    """The sector of a stage that goes through sectors: an answer that does nothing there does not name it."""
    match ask:
        case Trade():
            sectors, at = ask.fields(frame.g), len(so_far) - 2
        case Produce():
            sectors, at = ask.ready(frame.g), len(so_far)
        case _:
            return {}
    return {"space": frame.g.const.spaces[sectors[at]]} if 0 <= at < len(sectors) else {}


def _named(frame: Frame, _name: str, id: str) -> str:
    const = frame.g.const
    tile = frame.g.sectors.tile[const.space_index[id]] if id in const.space_index else NOBODY
    return f"{frame.display_names(const.tiles[tile].id)} ({id})" if tile != NOBODY else frame.display_names(id)


def hint(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> str:
    """The meaning of an option here: a role, a die, the rest after a trade, a tile, a technology or a space in
    words."""
    const = frame.g.const
    match ask, option:
        case ChooseRole(), str():
            figures = {"marks": str(const.numbers.merchant_marks)}
            return counted(ROLE_HINTS[option], figures).format_map(figures)
        case Exert(), str() if option == THRONE:
            return throne_text(frame)
        case Trade(), _any:
            marks = ask.budget(frame.g, (*so_far, option))
            text = _("Marks in the end: {marks}, if you sell nothing") if marks < 0 else _("Marks in the end: {marks}")
            return text.format(marks=marks)
        case Reroll(), int():
            return _die(frame, *ask.dice[option - 1])
        case BuyTechnology(), str():
            return _offer(frame, ask, const.technologies[const.technology_index[option]])
        case MoveShip(), str() | Warp():
            return _there(frame, ask, option if isinstance(option, str) else option.space, so_far)
        case _, str():
            return _thing(frame, option)
    return ""


def _there(frame: Frame, ask: MoveShip, space: str, so_far: tuple[Value, ...]) -> str:
    """A space that a ship may go to, and the chances of the battles that begin there."""
    if not so_far or space not in frame.g.const.space_index:
        return _thing(frame, space)
    kind = UNITS.index(so_far[0].kind) if isinstance(so_far[0], Ship) else NOBODY
    fights = [
        _("battle with {name}: you win {chance}").format(name=frame.names[foe], chance=share_text(wins))
        for foe, wins in coming(frame.g, ask.seat, frame.g.const.space_index[space], kind)
    ]
    return "; ".join(filter(None, (*fights, _thing(frame, space))))


def _thing(frame: Frame, option: str) -> str:
    """A tile, the effect of an own card, or a space."""
    const = frame.g.const
    if option in const.tile_index:
        return named_text(frame, option, tile_text(const.tiles[const.tile_index[option]]))
    cards = [const.technology_index[option]] if option in const.technology_index else const.with_effect.get(option, ())
    if cards:
        card = const.technologies[cards[0]]
        return named_text(frame, card.id, effect_text(card)).rstrip(".")
    if option in const.space_index:
        space = const.space_index[option]
        return space_text(frame, space) if frame.g.sectors.tile[space] != NOBODY else ""
    return ""


def _die(frame: Frame, face: int, least: int, owner: int) -> str:
    """A rolled die; outside a battle it has no target face."""
    if not least:
        return _("shows {face}").format(face=face)
    return _("shows {face}, needs {least}, {name}").format(face=face, least=least, name=frame.names[owner])


def _offer(frame: Frame, ask: BuyTechnology, card: Technology) -> str:
    """A card for sale without its printed price, because the price for this seat is shown next to it."""
    text = _("{type}, used: {role}. {effect}").format(
        type=term(card.type), role=term(card.role), effect=effect_text(card)
    )
    found = named_text(frame, card.id, text).rstrip(".")
    return found if ask.price(frame.g, card.id) else "; ".join((found, _("for nothing")))
