# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards in the pictures of Rex: own cards, cards that were looked at, leaders, the condition of a Betrayal card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.games.rex.reference.cards import betrayal_text, influence_card_text
from client.games.rex.wording import term
from client.show.pictures import Frame
from client.show.styled import Line, line, packed, wrapped
from client.system.texts import _, ngettext
from engine.core.cards import SEALS, Handle
from engine.core.values import Plain
from engine.core.views import VEILED
from engine.rex.catalog import City
from engine.rex.city_map import members, seat_of
from engine.rex.hands import hand, traitors
from engine.rex.state import CAPTURED, CASUALTY, Rex
from engine.rex.terms import BETRAYAL, BOMBARDMENT, INFLUENCE, STRATEGY, TRAITOR
from engine.rex.victory import betrays

__all__ = ["betrayal", "cards", "face_text", "leader_fate", "leader_text", "leaders", "prediction", "seen"]


def cards(frame: Frame) -> Sequence[Line]:
    """The own hand, traitors, prediction and Betrayal card, and the cards that were looked at; who has no seat sees how
    many cards each seat holds."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0:
        return _lines(frame, [_counted(g, other, name) for other, name in enumerate(frame.names)])
    held = [(_("Strategy cards"), hand(g, seat)), (_("Traitors"), traitors(g, seat))]
    texts = [f"{title}: {'; '.join(_card(frame, card) for card in some) or frame.glyphs.dash}" for title, some in held]
    return [*_lines(frame, [*texts, *prediction(frame)]), *betrayal(frame), *seen(frame)]


def _counted(g: Rex, seat: int, name: str) -> str:
    """The numbers of a seat's cards, which are public."""
    return f"{name}: {_('Strategy cards')} {len(hand(g, seat))}, {_('Traitors')} {len(traitors(g, seat))}"


def prediction(frame: Frame) -> Iterator[str]:
    """The prediction of the own seat while it is sealed."""
    g: Rex = frame.g
    seat = frame.view.seat
    if g.round.prediction and seat == seat_of(g, "xxcha"):
        match frame.view.lens.get(Handle(SEALS, g.round.prediction - 1)):
            case [_, int(winner), int(number)] if 0 <= winner < len(frame.names):
                yield _("Your prediction: {name} in round {n}").format(name=frame.names[winner], n=number)


def _lines(frame: Frame, texts: Sequence[str]) -> list[Line]:
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def _card(frame: Frame, card: Handle) -> str:
    """A card by its name if known; a traitor with its strength and faction."""
    face = frame.view.lens.get(card)
    return "?" if face is None else face_text(frame.g.const, card.deck, face)


def face_text(const: City, deck: str, face: Plain) -> str:
    """The face of a card of a deck, in words."""
    if deck == BOMBARDMENT and isinstance(face, int):
        return ngettext("the fleet moves {n} sector", "the fleet moves {n} sectors", face).format(n=face)
    id = str(face)
    if deck == TRAITOR and id in const.leader_index:
        return leader_text(const, id)
    if deck == INFLUENCE and id in const.influence:
        return f"{term(id)} ({influence_card_text(const, const.influence[id])})"
    return term(id)


def leader_text(const: City, id: str) -> str:
    """A leader with its strength and faction."""
    row = const.leaders[const.leader_index[id]]
    return _("{name}, strength {n}, {faction}").format(name=term(id), n=row.strength, faction=term(row.faction))


def seen(frame: Frame) -> Sequence[Line]:
    """The cards that the seat has looked at and that are still there: next cards of decks, cards in others' hands."""
    what = "; ".join(_seen(frame))
    return _lines(frame, [_("Seen: {what}").format(what=what)]) if what else ()


def _seen(frame: Frame) -> Iterator[str]:
    g: Rex = frame.g
    lens = frame.view.lens
    tops = {
        STRATEGY: _("next Strategy card: {card}"),
        INFLUENCE: _("next Influence card: {card}"),
        BOMBARDMENT: _("next Bombardment card: {card}"),
    }
    for deck, text in tops.items():
        for card in g.decks.top(deck, 1):
            if card in lens:
                yield text.format(card=face_text(g.const, deck, lens[card]))
    for seat, name in enumerate(frame.names):
        known = [face_text(g.const, card.deck, lens[card]) for card in hand(g, seat) if card in lens]
        if known and seat != frame.view.seat:
            yield _("in the hand of {name}: {cards}").format(name=name, cards=", ".join(known))


def betrayal(frame: Frame) -> Sequence[Line]:
    """The own Betrayal card: its condition, and whether it is met now."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0 or not g.seats.betrayal[seat]:
        return ()
    handle = Handle(BETRAYAL, g.seats.betrayal[seat] - 1)
    face = frame.view.lens.get(handle)
    if face is None:
        return [line(f"{_('Betrayal card')}: ?")]
    id = str(face)
    facts = [f"{_('Betrayal card')}: {term(id)} ({g.const.betrayal[id].number})."]
    facts += [betrayal_text(id), *_met(g, seat, id)]
    return _lines(frame, [" ".join(facts)])


def _met(g: Rex, seat: int, id: str) -> Iterator[str]:
    """Whether the condition is met; nothing without allies, or if it depends on hidden influence."""
    allies = [other for other in members(g, seat) if other != seat]
    if id == "deep-coffers" and any(g.seats.influence[other] == VEILED for other in allies):
        yield _("When your alliance has won, you are told whether the condition is met.")
    elif allies:
        yield _("Now: met.") if betrays(g, seat, id) else _("Now: not met.")


def leaders(frame: Frame) -> Sequence[Line]:
    """All leaders with their strengths: ready, lost or captured."""
    g: Rex = frame.g
    shown: list[Line] = []
    for seat, name in enumerate(frame.names):
        if g.seats.faction[seat] < 0:
            continue
        own = g.const.leaders_of[g.seats.faction[seat]]
        rows = ((g.const.leaders[at], leader_fate(g, at)) for at in own)
        texts = [" ".join(filter(None, (term(row.id), str(row.strength), fate))) for row, fate in rows]
        first, *rest = texts
        shown += [line(part) for part in packed([f"{name}: {first}", *rest], frame.width, "  ")]
    return shown


def leader_fate(g: Rex, leader: int) -> str:
    """The fate of a leader, "" for an available one."""
    return {CASUALTY: _("(lost)"), CAPTURED: _("(captured)")}.get(g.leaders.status[leader], "")
