# SPDX-License-Identifier: GPL-3.0-or-later
"""The seats, the own hand, the leaders, the strongholds and the battle of Rex as sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.games.rex.reference.cards import strategy_text
from client.games.rex.show.cards import betrayal, face_text, leader_fate, prediction, seen
from client.games.rex.wording import term
from client.show.pictures import Frame
from client.show.sheets import Cell, Sheet, headed
from client.show.styled import Line, line, owner_style, packed, plain, wrapped
from client.system.texts import _
from engine.core.cards import Handle
from engine.core.views import VEILED
from engine.rex.city_map import controls, members
from engine.rex.hands import hand, traitors
from engine.rex.state import Rex
from engine.rex.terms import KINDS, STRATEGY
from engine.rex.victory import strongholds

__all__ = ["boards_sheet", "cards_sheet", "leaders_sheet", "score_sheet", "seat_board"]


def boards_sheet(frame: Frame) -> Sequence[Sheet]:
    """The possessions of each seat, its influence if known."""
    return [_board(frame, seat) for seat in range(len(frame.names))]


def _board(frame: Frame, seat: int) -> Sheet:
    g: Rex = frame.g
    influence = g.seats.influence[seat]
    held = (
        (term("influence"), "?" if influence == VEILED else str(influence)),
        (_("reserve"), str(g.seats.reserve[seat] + g.seats.mech_reserve[seat])),
        (_("lost"), str(g.seats.casualties[seat] + g.seats.mech_casualties[seat])),
        (_("cards"), str(len(g.seats.hand[seat]))),
        (_("strongholds"), str(strongholds(g, seat))),
    )
    allies = ", ".join(frame.names[other] for other in members(g, seat) if other != seat)
    faction = g.seats.faction[seat]
    title = f"{frame.letter(seat)} {frame.names[seat]}"
    title += f", {term(g.const.factions[faction].id)}" if faction >= 0 else ""
    note = _("allied with {names}").format(names=allies) if allies else ""
    return Sheet(title, note, owner_style(seat), tuple(Cell(value, name) for name, value in held))


def seat_board(frame: Frame, seat: int) -> Sequence[Sequence[Line]]:
    """The parts of a seat's board: its figures, its leaders, its strongholds, and for the own seat its cards."""
    g: Rex = frame.g
    known = _board(frame, seat)
    held = [term(g.const.spaces[space].id) for space in controls(g, seat) if space in g.const.strongholds]
    lead = [cell for group in leaders_sheet(frame) if group.look == known.look for cell in group.cells]
    parts = [headed((known.look, known.title), [known.note] if known.note else [], frame.width)]
    parts += [[line(f"{cell.note:<12} {cell.text:>4}")] for cell in known.cells]
    parts += [[line(f"  {text}") for text in packed(held, frame.width - 2)]] if held else [[]]
    parts += [[(), line(("title", _("Leaders")))]]
    parts += [headed((cell.look, cell.text), [cell.note], frame.width) for cell in lead]
    if seat == frame.view.seat:
        for group in cards_sheet(frame):
            parts.append([(), *([line(("title", group.title))] if group.title else [])])
            parts.append([line(text) for text in wrapped(group.note, frame.width, "  ")] if group.note else [])
            parts.append([line(text) for cell in group.cells for text in wrapped(cell.text, frame.width, "  ")])
    return parts


def cards_sheet(frame: Frame) -> Sequence[Sheet]:
    """The own hand and traitors, the prediction and the Betrayal card, and the cards that were looked at."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0:
        return ()
    held = ((_("Strategy cards"), hand(g, seat)), (_("Traitors"), traitors(g, seat)))
    groups = [Sheet(title, cells=tuple(_card(frame, card) for card in some)) for title, some in held]
    told = [*prediction(frame), *_told(betrayal(frame)), *_told(seen(frame))]
    return [*groups, *(Sheet("", text) for text in told)]


def _told(lines: Sequence[Line]) -> Iterator[str]:
    text = " ".join(plain(line).strip() for line in lines)
    if text:
        yield text


def _card(frame: Frame, card: Handle) -> Cell:
    face = frame.view.lens.get(card)
    if face is None:
        return Cell("?", look="title")
    note = strategy_text(frame.g.const, str(face)) if card.deck == STRATEGY else ""
    return Cell(face_text(frame.g.const, card.deck, face), note, "title")


def leaders_sheet(frame: Frame) -> Sequence[Sheet]:
    """All leaders with their strengths; those lost or captured are faint."""
    g: Rex = frame.g
    groups = []
    for seat, name in enumerate(frame.names):
        if g.seats.faction[seat] >= 0:
            own = g.const.leaders_of[g.seats.faction[seat]]
            cells = []
            for at in own:
                fate = leader_fate(g, at)
                row = g.const.leaders[at]
                note = " ".join(filter(None, (_("strength {n}").format(n=row.strength), fate)))
                cells.append(Cell(term(row.id), note, "faint" if fate else "title"))
            groups.append(Sheet(f"{frame.letter(seat)} {name}", look=owner_style(seat), cells=tuple(cells)))
    return groups


def score_sheet(frame: Frame) -> Sequence[Sheet]:
    """The strongholds of every player or alliance, as a share of the number for victory."""
    g: Rex = frame.g
    groups = []
    for seat in range(g.table.seats):
        side = members(g, seat)
        if side[0] != seat:
            continue
        held = [space for one in side for space in controls(g, one) if space in g.const.strongholds]
        needed = g.const.win[len(side) - 1]
        bar = Cell(f"{len(held)}/{needed}", _("strongholds"), "title", share=min(100, 100 * len(held) // needed))
        named = (Cell(term(g.const.spaces[space].id)) for space in held)
        title = ", ".join(f"{frame.letter(one)} {frame.names[one]}" for one in side)
        groups.append(Sheet(title, look=owner_style(seat), cells=(bar, *named)))
    return groups


def battle_sheet(frame: Frame) -> Sequence[Sheet]:
    """The present battle: both sides with the open parts of their plans."""
    g: Rex = frame.g
    if g.battle.space < 0:
        return ()
    space = term(g.const.spaces[g.battle.space].id)
    return [_side(frame, space, side) for side in (0, 1)]


def _side(frame: Frame, space: str, side: int) -> Sheet:
    g: Rex = frame.g
    seat = g.battle.seat[side]
    cells = [
        Cell(str(g.battle.strength[side]), _("strength at most")),
        Cell(str(len(g.seats.hand[seat])), _("cards")),
    ]
    if g.battle.dial[side] >= 0:
        leader = g.battle.leader[side]
        cells += [
            Cell(str(g.battle.dial[side]), _("dial"), "title"),
            Cell(frame.display_names(leader), _("leader"), "title"),
        ]
    opened = zip(KINDS, g.battle.opened(side), strict=True)
    cells += [Cell(frame.display_names(face), frame.display_names(kind), "title") for kind, face in opened if face]
    bound = (g.battle.order[side], g.battle.pledge[side])
    cells += [Cell(" ".join(map(frame.display_names, text.split(" "))), _("bound")) for text in bound if text]
    title = _("{space}: {side}").format(space=space, side=frame.names[seat])
    return Sheet(title, look=owner_style(seat), cells=tuple(cells))
