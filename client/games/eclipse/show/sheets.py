# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards, the tray, the parts and the points of Eclipse as sheets, and the present battle with its dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from client.games.eclipse.show.boards import SOURCES, known_reputation, total
from client.games.eclipse.show.odds import standing
from client.games.eclipse.show.tech import gives, part_text, price
from client.games.eclipse.show.words import dice_text, figures
from client.games.eclipse.wording import term
from client.show.battles import share_text
from client.show.pictures import Frame
from client.show.sheets import Cell, Sheet
from client.show.styled import owner_style
from client.system.texts import _
from engine.core.cards import Handle
from engine.core.sections import row_of
from engine.eclipse import sectors, upkeep
from engine.eclipse.blueprints import parts_of, ship_stats, stats
from engine.eclipse.columns import NONE
from engine.eclipse.population import income
from engine.eclipse.scoring import points
from engine.eclipse.species import has_technology, row, technologies_on
from engine.eclipse.state import NOBODY, Eclipse, ship_kind, ships_of
from engine.eclipse.stats import COMPUTER, HULL, INITIATIVE, SHIELD
from engine.eclipse.terms import CATEGORIES, MONEY, PIECES, PLAYER_SHIPS, RARE, RESOURCES, SCIENCE

__all__ = ["battle_sheet", "boards_sheet", "parts_sheet", "score_sheet", "tray_sheet"]


def boards_sheet(frame: Frame) -> Sequence[Sheet]:
    """The possessions of each seat: storage, technologies, ships with their parts, reputation."""
    g: Eclipse = frame.g
    playing = [seat for seat in range(len(frame.names)) if g.seats.species[seat] >= 0]
    return [group for seat in playing for group in _board(frame, seat)]


def _board(frame: Frame, seat: int) -> Iterator[Sheet]:
    g: Eclipse = frame.g
    store = row_of(g.seats.store, seat)
    costs = [upkeep.cost(g, seat) if at == MONEY else 0 for at in range(3)]
    cells = [
        Cell(f"{term(name)} {store[at]}", f"{income(g, seat, at):+}" + (f" -{costs[at]}" if costs[at] else ""))
        for at, name in enumerate(RESOURCES)
    ]
    cells += [
        Cell(_("discs {n}").format(n=g.seats.discs[seat])),
        Cell(_("colony {n}/{of}").format(n=g.seats.colony[seat], of=g.seats.colony_all[seat])),
        *_techs(frame, seat),
        *_reputation(frame, seat),
    ]
    title = f"{frame.letter(seat)} {frame.names[seat]}, {term(row(g, seat).id)}"
    yield Sheet(title, _("{n} vp").format(n=total(frame, seat)[0]), owner_style(seat), tuple(cells))
    yield Sheet("", "", owner_style(seat), tuple(_ship(g, seat, kind) for kind in PLAYER_SHIPS))


def _ship(g: Eclipse, seat: int, kind: int) -> Cell:
    built = sum(g.ships.place[ship] != NOBODY for ship in ships_of(seat, kind))
    parts = ", ".join(term(g.const.part_ids[part]) for part in parts_of(g, seat, kind) if part != NONE)
    return Cell(f"{built} × {term(PIECES[kind])}", f"{parts}. {figures(stats(g, seat, kind))}")


def _techs(frame: Frame, seat: int) -> Iterator[Cell]:
    g: Eclipse = frame.g
    owned = row_of(g.seats.techs, seat)
    for track in range(RARE):
        names = ", ".join(term(g.const.technology_ids[tech]) for tech, lies in enumerate(owned) if lies == track + 1)
        yield Cell(f"{term(CATEGORIES[track])} {technologies_on(g, seat, track)}", names)


def _reputation(frame: Frame, seat: int) -> Iterator[Cell]:
    """Reputation tiles, by their faces if known, and ambassadors."""
    for held in row_of(frame.g.seats.reputation, seat):
        if held > 0:
            face = frame.view.lens.get(Handle("reputation", held - 1))
            yield Cell("?" if face is None else str(face), _("reputation"))
        elif held < 0:
            yield Cell(frame.names[-1 - held], _("ambassador"), owner_style(-1 - held))


def tray_sheet(frame: Frame) -> Sequence[Sheet]:
    """Technologies by track: tiles left, price for the seat, effect; faint if too expensive or owned."""
    g: Eclipse = frame.g
    groups = []
    for category, name in enumerate(CATEGORIES):
        on = sorted(
            (tech for tech in range(len(g.round.tray)) if g.round.tray[tech] and g.const.category[tech] == category),
            key=lambda tech: (g.const.cost[tech], tech),
        )
        if on:
            groups.append(Sheet(term(name), cells=tuple(_tile(frame, tech) for tech in on)))
    return groups


def _tile(frame: Frame, tech: int) -> Cell:
    g, seat = frame.g, frame.view.seat
    name = f"{term(g.const.technology_ids[tech])} ×{g.round.tray[tech]}"
    if seat < 0 or g.seats.species[seat] < 0:
        return Cell(name, f"{g.const.cost[tech]}/{g.const.minimum[tech]}: {gives(frame, tech)}")
    pays, _track = price(frame, tech)
    owned = has_technology(g, seat, tech)
    dear = pays > g.seats.store[seat, SCIENCE]
    paid = _("have") if owned else _("pay {n}").format(n=pays)
    return Cell(name, f"{paid}: {gives(frame, tech)}", "faint" if owned or dear else "title")


def parts_sheet(frame: Frame) -> Sequence[Sheet]:
    """Ship parts: those that the seat may place, then the others."""
    g, seat = frame.g, frame.view.seat
    groups: dict[bool, list[Cell]] = {True: [], False: []}
    for part, entry in enumerate(g.const.parts):
        needs = g.const.part_technology[part]
        if g.const.ancient[part]:
            mine = seat >= 0 and bool(g.seats.parts[seat, part])
        else:
            mine = needs == NOBODY or (seat >= 0 and has_technology(g, seat, needs))
        groups[mine].append(Cell(term(entry.id), part_text(g.const.part_stats[part]), "" if mine else "faint"))
    titles = {True: _("You may place"), False: _("Needs a technology or a discovery")}
    return [Sheet(titles[mine], cells=tuple(cells)) for mine, cells in groups.items() if cells]


def score_sheet(frame: Frame) -> Sequence[Sheet]:
    """The known points of all seats; the greatest sum has the longest bar."""
    g: Eclipse = frame.g
    playing = [seat for seat in range(len(frame.names)) if g.seats.species[seat] >= 0]
    sums = {seat: total(frame, seat) for seat in playing}
    most = max((value for value, _hidden in sums.values()), default=0) or 1
    return [
        Sheet(
            f"{frame.letter(seat)} {frame.names[seat]}",
            look=owner_style(seat),
            cells=(
                Cell(f"{value}{'+?' * bool(hidden)}", _("together"), "title", share=max(0, 100 * value // most)),
                *(Cell(str(n), _(SOURCES[part])) for part, n in points(g, seat, known_reputation(frame, seat)[0]) if n),
            ),
        )
        for seat, (value, hidden) in sums.items()
    ]


# Battles -------------------------------------------------------------------------------------------------------------


def battle_sheet(frame: Frame) -> Sequence[Sheet]:
    """Every sector with ships of two sides."""
    contested = [tile for tile, here in sorted(sectors.fleet(frame.g).items()) if len(here) > 1]
    return [group for tile in contested for group in _sides(frame, tile)]


def _sides(frame: Frame, tile: int) -> Iterator[Sheet]:
    found = standing(frame, tile)
    name = frame.g.const.sector_ids[tile]
    for owner, ships in sectors.fleet(frame.g).get(tile, {}).items():
        kinds = sorted({ship_kind(frame.g, ship) for ship in ships})
        cells = [_fighter(frame.g, owner, kind, [s for s in ships if ship_kind(frame.g, s) == kind]) for kind in kinds]
        if found is not None and owner in found[:2]:
            wins = found[2] if owner == found[0] else 1 - found[2]
            cells.append(Cell(share_text(wins), _("wins if nobody retreats"), "title", share=round(100 * wins)))
        title = _("Sector {sector}: {side}").format(sector=name, side=_side(frame, owner))
        yield Sheet(title, look=owner_style(owner), cells=tuple(cells))


def _fighter(g: Eclipse, owner: int, kind: int, ships: Sequence[int]) -> Cell:
    can = ship_stats(g, owner, kind)
    left = " ".join(str(can[HULL] - g.ships.damage[ship]) for ship in ships)
    facts = [
        _("init {n}").format(n=can[INITIATIVE]),
        _("computer {n:+}").format(n=can[COMPUTER]),
        _("shield {n:+}").format(n=-can[SHIELD]),
        _("hull left {n}").format(n=left),
        _("dice {dice}").format(dice=dice_text(can)),
    ]
    return Cell(f"{len(ships)} × {term(PIECES[kind])}", ", ".join(facts))


def _side(frame: Frame, owner: int) -> str:
    return frame.names[owner] if owner >= 0 else _("the neutral fleet")
