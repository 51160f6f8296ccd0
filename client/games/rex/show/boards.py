# SPDX-License-Identifier: GPL-3.0-or-later
"""The seats of Rex, side by side and each in full, and what is counted over time; own cards, cards that were looked at,
leaders, the condition of a Betrayal card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.games.rex.reference.cards import betrayal_text, influence_card_text, strategy_text
from client.games.rex.wording import term
from client.show.boards import boards_document, figures_table, seat_part, seats_table
from client.show.document import Cell, Document, Note, Part, Sheet, TextTable
from client.show.pictures import Count, Counts, Frame
from client.show.styled import owner_style
from client.system.texts import N_, _, ngettext
from engine.core.cards import SEALS, Handle
from engine.core.values import Plain
from engine.core.views import VEILED
from engine.rex.catalog import City
from engine.rex.city_map import controls, members, seat_of, units
from engine.rex.hands import hand, traitors
from engine.rex.state import CAPTURED, CASUALTY, Rex
from engine.rex.terms import BETRAYAL, BOMBARDMENT, INFLUENCE, STRATEGY, TRAITOR
from engine.rex.victory import betrays, strongholds


def boards(frame: Frame) -> Document:
    """Every seat's known influence, units, cards, strongholds and allies."""

    def more(seat: int) -> Sequence[str]:
        allies = "".join(frame.letter(other) for other in members(frame.g, seat) if other != seat)
        return allies or frame.glyphs.dash, faction(frame, seat)

    return boards_document(frame, [seats_table(frame, held, frame.g.round.first, (_("allies"), ""), more)], board)


def board(frame: Frame, seat: int) -> Part:
    """A seat's figures, its strongholds, its leaders, and for the own seat its cards."""
    g: Rex = frame.g
    strong = [term(g.const.spaces[space].id) for space in controls(g, seat) if space in g.const.strongholds]
    allies = ", ".join(frame.names[other] for other in members(g, seat) if other != seat)
    about = (faction(frame, seat), _("allied with {names}").format(names=allies) if allies else "")
    return seat_part(frame, seat, ", ".join(filter(None, about)), (
        figures_table(held(frame, seat)),
        Note(", ".join(strong) if strong else frame.glyphs.dash),
        Sheet(_("Leaders"), cells=tuple(_leaders(g, seat))),
        *(cards(frame) if seat == frame.view.seat else ()),
    ))  # fmt: skip


def held(frame: Frame, seat: int) -> Sequence[tuple[str, str]]:
    """The figures of a seat, each with its name."""
    g: Rex = frame.g
    return (
        (term("influence"), "?" if g.seats.influence[seat] == VEILED else str(g.seats.influence[seat])),
        (_("reserve"), str(g.seats.reserve[seat] + g.seats.mech_reserve[seat])),
        (_("lost"), str(g.seats.casualties[seat] + g.seats.mech_casualties[seat])),
        (_("cards"), str(len(g.seats.hand[seat]))),
        (_("strongholds"), str(strongholds(g, seat))),
    )


def faction(frame: Frame, seat: int) -> str:
    """The faction of a seat, a question mark before it is known."""
    at = frame.g.seats.faction[seat]
    return term(frame.g.const.factions[at].id) if at >= 0 else "?"


def figures(frame: Frame, seat: int) -> Sequence[tuple[str, int]]:
    """The public numbers of a seat, and its influence if known."""
    influence, reserve, _lost, *others = held(frame, seat)
    return [(name, int(value)) for name, value in (influence, reserve, *others) if value != "?"]


def growth(frame: Frame) -> Sequence[Count]:
    """The public numbers: strongholds, units in the city, in reserve and lost, cards in hand."""
    g: Rex = frame.g
    seats, own = range(g.table.seats), g.seats
    spaces = range(len(g.const.spaces))
    army = _("Units")
    return [
        Count(_("The city"), _("strongholds"), [strongholds(g, seat) for seat in seats]),
        Count(army, _("in the city"), [sum(units(g, seat, space) for space in spaces) for seat in seats]),
        Count(army, _("in reserve"), [sum(pair) for pair in zip(own.reserve, own.mech_reserve, strict=True)]),
        Count(army, _("lost"), [sum(pair) for pair in zip(own.casualties, own.mech_casualties, strict=True)]),
        Count(_("Hands"), _("Strategy cards"), [len(hand) for hand in own.hand]),
    ]


COUNTS: Final = Counts(
    figures=figures,
    growth=growth,
    sources={"strongholds": N_("strongholds")},
    chance=N_(
        "Battles have no dice: dials and cards decide. Cards and leaders differ in kind, and the fleet's way is drawn "
        "for all: there is nothing here to be compared with chance."
    ),
)


# Cards and leaders ----------------------------------------------------------------------------------------------------


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
    """All leaders with their strengths."""
    letters = [(seat, frame.letter(seat), name) for seat, name in enumerate(frame.names)]
    return [
        Sheet(f"{letter} {name}", look=owner_style(seat), cells=tuple(_leaders(frame.g, seat)), id=letter)
        for seat, letter, name in letters
        if frame.g.seats.faction[seat] >= 0
    ]


def _leaders(g: Rex, seat: int) -> Iterator[Cell]:
    """The leaders of a seat; those lost or captured are faint."""
    fates, faction = {CASUALTY: _("(lost)"), CAPTURED: _("(captured)")}, g.seats.faction[seat]
    for at in g.const.leaders_of[faction] if faction >= 0 else ():
        row, fate = g.const.leaders[at], fates.get(g.leaders.status[at], "")
        note = " ".join(filter(None, (_("strength {n}").format(n=row.strength), fate)))
        yield Cell(term(row.id), note, "faint" if fate else "title")
