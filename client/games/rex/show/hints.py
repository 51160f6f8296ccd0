# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of Rex stage by stage, and the meaning of options beyond notation and price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from client.games.rex.reference.cards import strategy_text
from client.games.rex.show.cards import face_text, leader_text
from client.games.rex.show.pieces import facts
from client.games.rex.wording import term
from client.games.rex.wording.options import OPTIONS
from client.show.pictures import Frame
from client.show.titles import stage_of, title_of
from client.system.texts import N_, _
from client.words.sides import side_text
from engine.core.cards import Handle
from engine.core.values import Plain, Value
from engine.core.waits import Choose
from engine.rex.alliances import Talk
from engine.rex.battle import CallTraitor, Fight
from engine.rex.bidding import Bid
from engine.rex.catalog import City
from engine.rex.city_map import seat_of
from engine.rex.deployment import Deploy, unit_price
from engine.rex.first import PickFaction
from engine.rex.hands import blocked
from engine.rex.influence import Redeploy
from engine.rex.maneuver import MoveGroup
from engine.rex.orders import Command, Obey, Question, Tell
from engine.rex.plans import CommitCards, PlanBattle
from engine.rex.recruitment import Recruit
from engine.rex.setup import PlaceUnits, Predict, Redraw
from engine.rex.spoils import KeepCards, Prisoner
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import STRATEGY
from engine.rex.victory import Betray
from engine.rex.windows import PlayCard

Picks = tuple[Value, ...]


def seats(ask: Choose[Any], so_far: Picks) -> bool:
    """True if the numbers to pick from are seats."""
    match ask:
        case Predict():
            return not so_far
        case Talk():
            return so_far in (("ally",), ("give",))
        case PlayCard():
            return len(so_far) == 2 and so_far[1] == "sworn-testimony"
    return False


# Titles and hints


def title(frame: Frame, ask: Choose[Any], option: Value, so_far: Picks) -> str:
    """The option in words."""
    stage = _stage(ask, so_far)
    return title_of(frame, OPTIONS, lambda _name, id: frame.display_names(id), ask, stage, seats(ask, so_far), option)


def _stage(ask: Choose[Any], so_far: Picks) -> str:
    """The stage after these picks, named by the first pick if that is the action."""
    match ask, so_far:
        case (Deploy(), ("relocate", *_)) | (Talk(), (str(), *_)):
            return stage_of(str(so_far[0]), so_far)
        case PlayCard(), (_, str(use), *_):
            return stage_of(use, so_far)
    return stage_of(ask.word, so_far)


def hint(frame: Frame, ask: Choose[Any], option: Value, so_far: Picks) -> str:
    """The meaning of an option here: a card's name, a leader's strength, a seat's faction, a space in words."""
    const = frame.g.const
    if isinstance(option, Handle):
        face = frame.view.lens.get(option)
        return "" if face is None else _face(const, option.deck, face)
    if isinstance(option, Fight):
        return "; ".join([_seat(frame, option.foe), *facts(frame, const.space_index[option.space])])
    if isinstance(option, int):
        return _seat(frame, option) if seats(ask, so_far) else ""
    return _word(frame, ask, option, so_far) if isinstance(option, str) else ""


def _face(const: City, deck: str, face: Plain) -> str:
    """A card, and the effect of a Strategy card."""
    name = face_text(const, deck, face)
    return f"{name}: {strategy_text(const, str(face))}" if deck == STRATEGY else name


def _seat(frame: Frame, seat: int) -> str:
    """A seat's name and faction."""
    at = frame.g.seats.faction[seat]
    faction = term(frame.g.const.factions[at].id) if at >= 0 else ""
    return ", ".join(part for part in (frame.names[seat], faction) if part)


def _word(frame: Frame, ask: Choose[Any], option: str, so_far: Picks) -> str:
    g: Rex = frame.g
    if isinstance(ask, Betray) and option == "reveal":
        return _("what the card asks is so; the highest number shown wins alone")
    if isinstance(ask, PickFaction):
        return side_text(g.table.game, option)
    if option in g.const.leader_index:
        return leader_text(g.const, option)
    if option in g.const.cards:
        return _face(g.const, STRATEGY, option)
    if option in g.const.space_index:
        space = g.const.space_index[option]
        price = _unit_price(g, ask.seat, space) if isinstance(ask, Deploy) and not so_far else ""
        name = "" if "-".join(term(option).lower().split()) == option else term(option)
        return "; ".join(part for part in (name, price, *facts(frame, space)) if part)
    name = frame.display_names(option)
    return name if name != option else ""


def _unit_price(g: Rex, seat: int, space: int) -> str:
    """The price of each unit deployed into a space."""
    price = unit_price(g, seat, space)
    if not price:
        return _("free")
    half = g.const.factions[g.seats.faction[seat]].id == "hacan" and not blocked(g, "hacan-half-price")
    return _("{n} each, half of the whole for you").format(n=price) if half else _("{n} each").format(n=price)


# Questions


def question(frame: Frame, ask: Choose[Any], so_far: Picks) -> str:
    """The question after these picks, "" for the choice's own sentence."""
    asks = ASKED.get(type(ask))
    return asks(frame, ask, so_far) if asks else _in_battle(frame, ask, so_far) or _about_one(frame, ask, so_far)


def _units(g: Rex, seat: int, so_far: Picks) -> str:
    """The question for a number of units; normal units are asked for first if there are other kinds."""
    if so_far:
        return _("How many Mechanized units besides?")
    return _("How many normal units?") if _mechanized(g, seat) else _("How many units?")


def _mechanized(g: Rex, seat: int) -> bool:
    """True for a faction with Mechanized units."""
    return g.const.factions[g.seats.faction[seat]].mechanized > 0


def _bid(frame: Frame, ask: Bid, _so_far: Picks) -> str:
    match frame.g.flow.now:
        case ["bid", _number, _of, _opener, _seat, int(high), int(leader), _passed] if leader != NOBODY:
            text = _("Card {card} of {of}: {name} has bid {high}; bid at least {low}, or pass.")
            return text.format(card=ask.card, of=ask.of, name=frame.names[leader], high=high, low=ask.low)
    return _("Card {card} of {of}: nobody has bid; bid at least {low}, or pass.").format(
        card=ask.card, of=ask.of, low=ask.low
    )


def _deploy(frame: Frame, ask: Deploy, so_far: Picks) -> str:
    match so_far:
        case ():
            return _("Deploy in which space? Or relocate, or done.")
        case ("relocate",):
            return _("Relocate units from where?")
        case ("relocate", start):
            return _("Relocate from {space} to where?").format(space=term(str(start)))
        case ("relocate", start, to, *counts):
            where = _("From {space} to {to}.").format(space=term(str(start)), to=term(str(to)))
            return f"{where} {_units(frame.g, ask.seat, tuple(counts))}"
        case (space, *counts):
            return (
                f"{_('Deploy in {space}.').format(space=term(str(space)))} {_units(frame.g, ask.seat, tuple(counts))}"
            )
    return ""


def _move(frame: Frame, ask: MoveGroup, so_far: Picks) -> str:
    match so_far:
        case ():
            return _("Move a group: from which space? Or stay.")
        case (start,):
            return _("Move from {space} to where?").format(space=term(str(start)))
        case (start, to, *counts):
            where = _("From {space} to {to}.").format(space=term(str(start)), to=term(str(to)))
            return f"{where} {_units(frame.g, ask.seat, tuple(counts))}"
    return ""


def _recruit(frame: Frame, ask: Recruit, so_far: Picks) -> str:
    if not so_far:
        mixed = _mechanized(frame.g, ask.seat)
        return _("Recruit how many normal units?") if mixed else _("Recruit how many units?")
    if ask.mechanized and len(so_far) == 1:
        return _("How many Mechanized units besides (up to {n})?").format(n=ask.mechanized)
    return _("Which leader comes back? Or nobody.")


def _talk(frame: Frame, _ask: Choose[Any], so_far: Picks) -> str:
    match so_far:
        case () if number := _ceasefires(frame):
            return _("Ceasefire {n} of round {round}: ally, give, leave, or done?").format(
                n=number, round=frame.g.round.number
            )
        case ("ally",):
            return _("Whom do you ask for an alliance?")
        case ("give",):
            return _("Whom do you offer influence?")
        case ("give", int(seat)):
            return _("How much influence do you offer {name}?").format(name=frame.names[seat])
    return ""


def _ceasefires(frame: Frame) -> int:
    """How many ceasefires this round has had, the present one among them; 0 if the history is not at hand."""
    number = 0
    for event in (event for _height, told in reversed(frame.history) for event in reversed(told)):
        if event.id == "round/opens":
            break
        number += event.id == "influence/drawn" and event.args["card"] == "temporary-ceasefire"
    return number


def _plan(_frame: Frame, ask: PlanBattle, so_far: Picks) -> str:
    if not so_far:
        return _("Your plan: dial up to {most}?").format(most=ask.most)
    return _("Which kinds of card will you play?") if len(so_far) == 2 else _("Which leader fights?")


def _commit(_frame: Frame, ask: CommitCards, so_far: Picks) -> str:
    defence = ask.intent == "defence" or bool(so_far)
    return _("Which card is your defence?") if defence else _("Which card is your attack?")


def _play(_frame: Frame, _ask: PlayCard, so_far: Picks) -> str:
    match so_far:
        case (_,):
            return _("What do you say the card is?")
        case (_, "sworn-testimony"):
            return _("Who has to testify?")
        case (_, "sworn-testimony", _):
            return _("About which card or traitor?")
        case (_, str(use)):
            return f"{term(use)}: {_(TARGETS[use])}"
    return ""


TARGETS: Final = {
    "diplomatic-interference": N_("whose ability fails?"),
    "fleet-sabotage": N_("how many sectors does the fleet move?"),
    "fresh-recruits": N_("who comes back?"),
    "hidden-cache": N_("which space gets its influence again?"),
    "shield-bomb": N_("which space loses its shield?"),
}
"""The questions to a player who plays a card on a target."""


def _about_one(frame: Frame, ask: Choose[Any], so_far: Picks) -> str:
    """The questions with one sentence for each stage."""
    match ask, so_far:
        case CallTraitor(), _:
            leader = leader_text(frame.g.const, ask.leader)
            return _("Is {leader} your traitor? Show the card, or no.").format(leader=leader)
        case Prisoner(), _:
            leader = leader_text(frame.g.const, ask.leader)
            return _("You have captured {leader}: destroy for influence, or keep?").format(leader=leader)
        case KeepCards(), _ if len(so_far) < len(ask.cards):
            return _("Keep or discard {card}?").format(card=term(ask.cards[len(so_far)]))
        case PlaceUnits(), ():
            return _("Place your starting units ({left} left): in which space?").format(left=ask.left)
        case PlaceUnits(), (space, *_rest):
            return _("How many units in {space}?").format(space=term(str(space)))
        case Predict(), ():
            return _("Your prediction: who wins?")
        case Predict(), (int(seat), *_rest):
            text = _("In which round, 1 to {rounds}, does {name} win?")
            return text.format(rounds=ask.rounds, name=frame.names[seat])
        case Redeploy(), (_, *_rest):
            return _("Where do these units go?")
        case Redraw(), (_, *_rest):
            return _("Which other own leader do you show?")
    return ""


def _in_battle(frame: Frame, ask: Choose[Any], so_far: Picks) -> str:
    """What is asked and commanded before the plans of a battle."""
    match ask, so_far:
        case Command(), ():
            text, who = _("{space}: command {name} to play or to withhold a card?"), ask.partner
        case Command(), ("play", *_rest):
            return _("Which card do you command to play?")
        case Command(), _:
            return _("Which card must not be played?")
        case Question(), _:
            text, who = _("{space}: which part of the plan does {name} have to tell?"), ask.partner
        case Tell(), _:
            text = _("{space}: {name} asks what your {element} will be. The answer binds you.")
            who = seat_of(frame.g, "jol-nar")
        case Obey(), _:
            text = _("{space}: {name} commands you to play {card}. Can you? The answer binds you.")
            who = seat_of(frame.g, "xxcha")
        case _:
            return ""
    space = _("Battle in {space}").format(space=term(frame.g.const.spaces[frame.g.battle.space].id))
    what = frame.display_names(getattr(ask, "element", "") or getattr(ask, "card", ""))
    return text.format(space=space, name=frame.names[who], element=what, card=what)


ASKED: Final[Mapping[type, Callable[[Frame, Any, Picks], str]]] = {
    Bid: _bid,
    CommitCards: _commit,
    Deploy: _deploy,
    MoveGroup: _move,
    PlanBattle: _plan,
    PlayCard: _play,
    Recruit: _recruit,
    Talk: _talk,
}
"""Choices in several stages."""
