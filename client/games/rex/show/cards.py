# SPDX-License-Identifier: GPL-3.0-or-later
"""Cards in the pictures of Rex: own cards, cards that were looked at, leaders, the condition of a Betrayal card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.games.rex.reference.cards import betrayal_text, influence_card_text, strategy_text
from client.games.rex.wording import term
from client.show.document import Cell, Document, Note, Sheet, TextTable
from client.show.pictures import Frame
from client.show.styled import owner_style
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


def cards(frame: Frame) -> Document:
    """The own hand and traitors, the prediction and Betrayal card, and the cards that were looked at; who has no seat
    sees how many cards each seat holds."""
    g: Rex = frame.g
    seat = frame.view.seat
    titles = (_("Strategy cards"), _("Traitors"))
    if seat < 0:
        rows = [
            (Cell(name, look=owner_style(at)), Cell(str(len(hand(g, at)))), Cell(str(len(traitors(g, at)))))
            for at, name in enumerate(frame.names)
        ]
        return [TextTable((Cell(""), *map(Cell, titles)), rows, (1, 2))]
    held = zip(titles, (hand(g, seat), traitors(g, seat)), strict=True)
    groups = [Sheet(title, cells=tuple(_card(frame, card) for card in some)) for title, some in held]
    return [*groups, *map(Note, prediction(frame)), *betrayal(frame), *seen(frame)]


def prediction(frame: Frame) -> Iterator[str]:
    """The prediction of the own seat while it is sealed."""
    g: Rex = frame.g
    seat = frame.view.seat
    if g.round.prediction and seat == seat_of(g, "xxcha"):
        match frame.view.lens.get(Handle(SEALS, g.round.prediction - 1)):
            case [_, int(winner), int(number)] if 0 <= winner < len(frame.names):
                yield _("Your prediction: {name} in round {n}").format(name=frame.names[winner], n=number)


def _card(frame: Frame, card: Handle) -> Cell:
    """A card by its name if known, a Strategy card with what it does, a traitor with its strength and faction."""
    face = frame.view.lens.get(card)
    if face is None:
        return Cell("?", look="title")
    note = strategy_text(frame.g.const, str(face)) if card.deck == STRATEGY else ""
    return Cell(face_text(frame.g.const, card.deck, face), note, "title")


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


def seen(frame: Frame) -> Sequence[Note]:
    """The cards that the seat has looked at and that are still there: next cards of decks, cards in others' hands."""
    what = "; ".join(_seen(frame))
    return [Note(_("Seen: {what}").format(what=what))] if what else ()


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


def betrayal(frame: Frame) -> Sequence[Note]:
    """The own Betrayal card: its condition, and whether it is met now."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0 or not g.seats.betrayal[seat]:
        return ()
    handle = Handle(BETRAYAL, g.seats.betrayal[seat] - 1)
    face = frame.view.lens.get(handle)
    if face is None:
        return [Note(f"{_('Betrayal card')}: ?")]
    id = str(face)
    facts = [f"{_('Betrayal card')}: {term(id)} ({g.const.betrayal[id].number})."]
    facts += [betrayal_text(id), *_met(g, seat, id)]
    return [Note(" ".join(facts))]


def _met(g: Rex, seat: int, id: str) -> Iterator[str]:
    """Whether the condition is met; nothing without allies, or if it depends on hidden influence."""
    allies = [other for other in members(g, seat) if other != seat]
    if id == "deep-coffers" and any(g.seats.influence[other] == VEILED for other in allies):
        yield _("When your alliance has won, you are told whether the condition is met.")
    elif allies:
        yield _("Now: met.") if betrays(g, seat, id) else _("Now: not met.")


def leaders(frame: Frame) -> Sequence[Sheet]:
    """All leaders with their strengths; those lost or captured are faint."""
    g: Rex = frame.g
    groups, fates = [], {CASUALTY: _("(lost)"), CAPTURED: _("(captured)")}
    for seat, name in enumerate(frame.names):
        if g.seats.faction[seat] >= 0:
            own = g.const.leaders_of[g.seats.faction[seat]]
            cells = []
            for at in own:
                fate = fates.get(g.leaders.status[at], "")
                row = g.const.leaders[at]
                note = " ".join(filter(None, (_("strength {n}").format(n=row.strength), fate)))
                cells.append(Cell(term(row.id), note, "faint" if fate else "title"))
            title = f"{frame.letter(seat)} {name}"
            groups.append(Sheet(title, look=owner_style(seat), cells=tuple(cells), id=frame.letter(seat)))
    return groups
