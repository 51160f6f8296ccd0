# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions of Rex stage by stage, and the meaning of options beyond notation and price."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from client.games.rex.reference.cards import strategy_text
from client.games.rex.show.boards import face_text, leader_text
from client.games.rex.show.pieces import facts
from client.games.rex.wording import term
from client.games.rex.wording.options import OPTIONS
from client.show.pictures import Frame, Picks
from client.show.titles import down_from, stage_of, title_of
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
from engine.rex.orders import Command, Obey, Question, Tell
from engine.rex.plans import CommitCards
from engine.rex.recruitment import Recruit
from engine.rex.setup import Predict
from engine.rex.spoils import KeepCards, Prisoner
from engine.rex.state import NOBODY, Rex
from engine.rex.terms import STRATEGY
from engine.rex.victory import Betray
from engine.rex.windows import PlayCard


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
    name = face_text(const, deck, face)
    return f"{name}: {strategy_text(const, str(face))}" if deck == STRATEGY else name


def _seat(frame: Frame, seat: int) -> str:
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


ASKED: Final[Mapping[str, str]] = {
    "bid": N_("Card {card} of {of}: nobody has bid; bid at least {low}, or pass."),
    "bid-higher": N_("Card {card} of {of}: {name} has bid {high}; bid at least {low}, or pass."),
    "call-traitor": N_("Is {leader} your traitor? Show the card, or no."),
    "command": N_("{space}: command {name} to play or to withhold a card?"),
    "play": N_("Which card do you command to play?"),
    "withhold": N_("Which card must not be played?"),
    "commit-cards": N_("Which card is your attack?"),
    "commit-cards@1": N_("Which card is your defence?"),
    "deploy": N_("Deploy in which space? Or relocate, or done."),
    "deploy@1": N_("Deploy in {space}."),
    "relocate@1": N_("Relocate units from where?"),
    "relocate@2": N_("Relocate from {space} to where?"),
    "relocate@3": N_("From {space} to {to}."),
    "keep-cards": N_("Keep or discard {card}?"),
    "move-group": N_("Move a group: from which space? Or stay."),
    "move-group@1": N_("Move from {space} to where?"),
    "move-group@2": N_("From {space} to {to}."),
    "obey": N_("{space}: {name} commands you to play {card}. Can you? The answer binds you."),
    "place-units": N_("Place your starting units ({left} left): in which space?"),
    "place-units@1": N_("How many units in {space}?"),
    "plan-battle": N_("Your plan: dial up to {most}?"),
    "plan-battle@1": N_("Which leader fights?"),
    "plan-battle@2": N_("Which kinds of card will you play?"),
    "play-card@1": N_("What do you say the card is?"),
    "diplomatic-interference@2": N_("whose ability fails?"),
    "fleet-sabotage@2": N_("how many sectors does the fleet move?"),
    "fresh-recruits@2": N_("who comes back?"),
    "hidden-cache@2": N_("which space gets its influence again?"),
    "shield-bomb@2": N_("which space loses its shield?"),
    "sworn-testimony@2": N_("Who has to testify?"),
    "sworn-testimony@3": N_("About which card or traitor?"),
    "predict": N_("Your prediction: who wins?"),
    "predict@1": N_("In which round, 1 to {rounds}, does {name} win?"),
    "prisoner": N_("You have captured {leader}: destroy for influence, or keep?"),
    "question": N_("{space}: which part of the plan does {name} have to tell?"),
    "recruit": N_("Recruit how many units?"),
    "recruit-mixed": N_("Recruit how many normal units?"),
    "recruit@1": N_("Which leader comes back? Or nobody."),
    "recruit-mixed@1": N_("How many Mechanized units besides (up to {n})?"),
    "redeploy@1": N_("Where do these units go?"),
    "redraw@1": N_("Which other own leader do you show?"),
    "talk": N_("Ceasefire {n} of round {round}: ally, give, leave, or done?"),
    "ally@1": N_("Whom do you ask for an alliance?"),
    "give@1": N_("Whom do you offer influence?"),
    "give@2": N_("How much influence do you offer {name}?"),
    "tell": N_("{space}: {name} asks what your {element} will be. The answer binds you."),
}
"""The questions by stage; that of the first pick of a word counts for later ones too."""
COUNTED: Final = {"deploy": 1, "relocate": 3, "move-group": 2}
"""How many picks stand before the numbers of units."""


def question(frame: Frame, ask: Choose[Any], so_far: Picks) -> str:
    """The question after these picks, "" for the choice's own sentence."""
    stage, more = _asked(frame, ask, so_far)
    text = next((ASKED[each] for each in down_from(stage) if each in ASKED), "")
    if not text:
        return ""
    word = stage.partition("@")[0]
    told = _(text).format_map({name: getattr(ask, name) for name in getattr(ask, "__match_args__", ())} | more)
    if isinstance(ask, PlayCard) and len(so_far) == 2 and word != "sworn-testimony":
        return f"{term(word)}: {told}"
    counts = len(so_far) - COUNTED.get(word, len(so_far) + 1)
    return f"{told} {_units(frame.g, ask.seat, first=not counts)}" if counts >= 0 else told


def _asked(frame: Frame, ask: Choose[Any], so_far: Picks) -> tuple[str, dict[str, object]]:
    """The stage of the question, and what its text names besides the fields of the choice."""
    g: Rex = frame.g
    match ask, so_far:
        case Bid(), _:
            match g.flow.now:
                case ["bid", _number, _of, _opener, _seat, int(high), int(leader), _passed] if leader != NOBODY:
                    return "bid-higher", {"name": frame.names[leader], "high": high}
        case ((CallTraitor() | Prisoner()), _):
            return ask.word, {"leader": leader_text(g.const, ask.leader)}
        case CommitCards(intent="defence"), _:
            return "commit-cards@1", {}
        case KeepCards(), _:
            return ask.word, {"card": term(ask.cards[len(so_far)])}
        case (Predict(), (int(seat), *_)) | (Talk(), ("give", int(seat))):
            return _stage(ask, so_far), {"name": frame.names[seat]}
        case Recruit(), _:
            mixed = ask.mechanized and len(so_far) == 1 if so_far else _mechanized(g, ask.seat)
            return stage_of("recruit-mixed" if mixed else "recruit", so_far), {"n": ask.mechanized}
        case Talk(), ():
            number = _ceasefires(frame)
            return "talk" * bool(number), {"n": number, "round": g.round.number}
        case ((Command() | Question() | Tell() | Obey()), _):
            asking = {Tell: "jol-nar", Obey: "xxcha"}.get(type(ask))
            who = seat_of(g, asking) if asking else getattr(ask, "partner", NOBODY)
            space = _("Battle in {space}").format(space=term(g.const.spaces[g.battle.space].id))
            what = frame.display_names(getattr(ask, "element", "") or getattr(ask, "card", ""))
            about: dict[str, object] = {"space": space, "name": frame.names[who], "element": what, "card": what}
            return str(so_far[0]) if so_far else ask.word, about
    spaces = so_far[1:] if so_far[:1] == ("relocate",) else so_far
    return _stage(ask, so_far), dict(zip(("space", "to"), (term(str(each)) for each in spaces), strict=False))


def _units(g: Rex, seat: int, *, first: bool) -> str:
    """The question for a number of units; normal units are asked for first if there are other kinds."""
    if not first:
        return _("How many Mechanized units besides?")
    return _("How many normal units?") if _mechanized(g, seat) else _("How many units?")


def _mechanized(g: Rex, seat: int) -> bool:
    return g.const.factions[g.seats.faction[seat]].mechanized > 0


def _ceasefires(frame: Frame) -> int:
    """How many ceasefires this round has had, the present one among them; 0 if the history is not at hand."""
    number = 0
    for event in (event for _height, told in reversed(frame.history) for event in reversed(told)):
        if event.id == "round/opens":
            break
        number += event.id == "influence/drawn" and event.args["card"] == "temporary-ceasefire"
    return number
