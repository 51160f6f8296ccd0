# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Galactic Emperor: the map, the seats, roles, technologies, market and points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from client.games.emperor.reference.articles import technology_text, tile_text
from client.games.emperor.show import sheets
from client.games.emperor.show.battle import battle, coming, odds
from client.games.emperor.show.fight import best_loss, fight, fight_on
from client.games.emperor.show.growth import FIGHTS, growth
from client.games.emperor.show.hints import hint, title
from client.games.emperor.show.odds import outlook
from client.games.emperor.show.svg import drawing, figures, happened, places
from client.games.emperor.show.whatif import suppose
from client.games.emperor.show.words import placed, space_text, throne_text
from client.games.emperor.wording import term
from client.show import hexmap
from client.show.chart import Chart, of_bricks
from client.show.pictures import WIDE, Frame, Picture, Pictures
from client.show.styled import Line, line, owner_style, rows, wrapped
from client.system.texts import N_, NC_, _, ngettext
from engine.core.waits import Choose
from engine.emperor import galaxy, stacks
from engine.emperor.combat import Losses, Retreat
from engine.emperor.roles.explorer import PlaceTile
from engine.emperor.roles.merchant import Discard, Trade
from engine.emperor.roles.scientist import SHOWN, BuyTechnology
from engine.emperor.scoring import points
from engine.emperor.state import EMPIRE_TOKEN, HOME, NOBODY, OVER, STARBASE_TOKEN, Emperor, places_of
from engine.emperor.tables import Technology
from engine.emperor.technologies import NONE, READY
from engine.emperor.terms import FOOD, FREE, GONE, RESOURCES, ROLES

__all__ = ["PICTURES"]

TOKENS: Final = {EMPIRE_TOKEN: "", STARBASE_TOKEN: "*", HOME: "#"}
LETTERS: Final = ("f", "m", "e")
"""Signs of food, metal and energy on the map."""


def board(frame: Frame) -> Sequence[Line]:
    """All 37 spaces; `map` with a space's name shows more."""
    g = frame.g
    if frame.words:
        return _space(frame, frame.words[0].lower())
    places = _places(g)
    zoom = hexmap.at_least(list(places), frame.width)
    bricks = {at: hexmap.Brick(_brick(frame, space)) for at, space in places.items()}
    seats = [
        run
        for seat, name in enumerate(frame.names)
        for run in ((owner_style(seat), frame.letter(seat)), ("", f" {name}  "))
    ]
    return [*hexmap.draw(bricks, zoom, frame.glyphs), tuple(seats)]


def _places(g: Emperor) -> dict[hexmap.Hex, int]:
    """The spaces by hex, with the first row of the board at the top."""
    return {(q + r, -q): space for space, (q, r) in enumerate(g.const.axial)}


def chart(frame: Frame, zoom: hexmap.Zoom) -> Chart:
    """The whole galaxy at a zoom, its spaces by their names."""
    places = _places(frame.g)
    bricks = {at: hexmap.Brick(_brick(frame, space)) for at, space in places.items()}
    return of_bricks(bricks, {at: frame.g.const.spaces[space] for at, space in places.items()}, zoom, frame.glyphs)


def _brick(frame: Frame, space: int) -> list[Line]:
    """Name and icons; then owner with token and food, and the ships."""
    g = frame.g
    owner, tile = g.sectors.owner[space], g.sectors.tile[space]
    first = (("", f"{g.const.spaces[space]} {_sign(frame, tile)}"),)
    runs = []
    if owner != NOBODY:
        food = g.sectors.food[space]
        token = f"{frame.letter(owner)}{TOKENS[g.sectors.token[space]]}{food or ''}"
        runs.append((owner_style(owner), f"{token:<3} "))
    else:
        runs.append(("", f"{g.sectors.food[space] or '':>3} "))
    runs += [
        (owner_style(seat), f"{frame.letter(seat)}{len(galaxy.fleet(g, seat, space))}")
        for seat in galaxy.ship_owners(g, space)
    ]
    influence = [(seat, tokens) for seat, tokens in enumerate(placed(g, space)) if tokens]
    signs = [(owner_style(seat), f"{frame.letter(seat)}+{tokens} ") for seat, tokens in influence]
    return [first, tuple(runs), *([tuple(signs)] if signs else [])]


def _sign(frame: Frame, tile: int) -> str:
    g = frame.g
    if tile == NOBODY:
        return ""
    kind = g.const.tiles[tile].kind
    if kind in ("sun", "centre"):
        return _("SUN")
    if kind == "black-hole":
        return _("HOLE")
    icons = "".join(f"{n}{sign}" for n, sign in zip(g.const.icons[tile], LETTERS, strict=True) if n)
    return icons or frame.glyphs.dash


def _space(frame: Frame, name: str) -> Sequence[Line]:
    """Everything about one space."""
    g = frame.g
    space = g.const.space_index.get(name)
    if space is None:
        return [line(_("There is no space “{name}”.").format(name=name))]
    return [line(part) for part in wrapped(f"{name}: {space_text(frame, space)}", frame.width, "  ")]


def legend(frame: Frame) -> Sequence[Line]:
    """The meaning of the signs on the map."""
    texts = (
        _("c5 2f1m: the space and its icons: f food, m metal, e energy a sector yields."),
        _("A2: an Empire of seat A with 2 food; A*: a Starbase; A#: the home."),
        _("B3 to the right: three ships of seat B; `map c5` tells which."),
        _("B+2 below, where the map has room: two influence of seat B, to be resolved in this Regent."),
        _("SUN cannot be entered; HOLE is the Black Hole; a space with its name alone has no tile."),
        _("{dash} after the name: empty space, a tile without planets.").format(dash=frame.glyphs.dash),
    )
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def boards(frame: Frame) -> Sequence[Line]:
    """Every seat's storage, Marks, tokens and points, and its technologies."""
    g: Emperor = frame.g
    head = ("", _("Marks"), _("metal"), _("energy"), _("tokens"), _("ships"), _("planets"), _("points"))
    table: list[Sequence[str]] = [head]
    for seat, name in enumerate(frame.names):
        places = places_of(g, seat)
        figures = (
            g.seats.marks[seat],
            f"{g.seats.metal[seat]}/{g.const.numbers.metal_room}",
            f"{g.seats.energy[seat]}/{g.const.numbers.energy_room}",
            g.seats.reserve[seat],
            sum(place != NOBODY for place in places),
            galaxy.planets(g, seat),
            g.seats.vp[seat],
        )
        throne = " +" if g.round.throne == seat else ""
        table.append((f"{frame.letter(seat)} {name}{throne}", *map(str, figures)))
    shown = [line(row) for row in rows(table, frame.width, range(1, len(head)))]
    for seat, name in enumerate(frame.names):
        cards = _cards(frame, seat)
        if cards:
            shown += [line(part) for part in wrapped(f"{name}: {cards}", frame.width, "  ")]
    return shown


def _cards(frame: Frame, seat: int) -> str:
    """A seat's technologies; used ones in parentheses."""
    g: Emperor = frame.g
    found = []
    for tech, card in enumerate(g.const.technologies):
        state = g.seats.techs[seat, tech]
        if state != NONE:
            name = frame.display_names(card.id)
            found.append(name if state == READY else f"({name})")
    return ", ".join(found)


def roles(frame: Frame) -> Sequence[Line]:
    """The role cards: in the pool, used, or out of the game; and the Direction."""
    g: Emperor = frame.g
    states = {FREE: _("in the pool"), GONE: _("not in the game")}
    found = [
        line(f"  {term(name)}: {states.get(card, _('used'))}") for name, card in zip(ROLES, g.round.cards, strict=True)
    ]
    way = {1: _("to the left"), -1: _("to the right"), 0: _("not said yet")}[g.round.direction]
    found += [line(_("The Throne: {holder}").format(holder=throne_text(frame)))]
    return [*found, line(_("Direction: {way}").format(way=way))]


def tech(frame: Frame) -> Sequence[Line]:
    """The technologies face up."""
    g: Emperor = frame.g
    return _offers(frame, [card for at, card in enumerate(g.const.technologies) if g.round.display[at] == SHOWN])


def _offers(frame: Frame, cards: Sequence[Technology]) -> Sequence[Line]:
    """Technologies with their prices."""
    texts = [f"{frame.display_names(card.id)} [{card.id}]: {technology_text(card)}" for card in cards]
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def market(frame: Frame) -> Sequence[Line]:
    """Prices now, and by the faces of the dice."""
    g: Emperor = frame.g
    table = g.const.numbers.prices
    found = [
        line(f"  {term(name)}: {' '.join(map(str, faces))}")
        for name, faces in zip(RESOURCES, (table.food, table.metal, table.energy), strict=True)
    ]
    if any(g.round.prices):
        now = ", ".join(f"{term(name)} {price}" for name, price in zip(RESOURCES, g.round.prices, strict=True))
        found.append(line(_("Prices now: {now}").format(now=now)))
    return [line(_("Marks by a die of 1 to 6:")), *found]


def tiles(frame: Frame) -> Sequence[Line]:
    """The tiles face up."""
    g: Emperor = frame.g
    texts = [
        f"{frame.display_names(g.const.tiles[tile].id)}: {tile_text(g.const.tiles[tile])}" for tile in stacks.face_up(g)
    ]
    texts.append(_("In the stacks: {n}").format(n=len(stacks.left(g))))
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def score(frame: Frame) -> Sequence[Line]:
    """The points of all seats so far, and the points left in the pool."""
    g: Emperor = frame.g
    found = [
        line(f"  {name}: {sum(value for _part, value in points(g, seat))}") for seat, name in enumerate(frame.names)
    ]
    return [*found, line(_("Left in the pool: {n}").format(n=max(0, g.round.pool)))]


def moment(frame: Frame) -> str:
    """The round, and the role that is played; or that the game is over."""
    g: Emperor = frame.g
    role = _("over") if g.round.phase == OVER else term(ROLES[g.round.role]) if g.round.role >= 0 else ""
    text = _("Round {n}") if frame.width >= WIDE else _("R{n}")
    return ", ".join(filter(None, (text.format(n=g.round.number), role)))


def state(frame: Frame, seat: int) -> str:
    """Whether a seat holds the Throne, and the role that it plays."""
    g: Emperor = frame.g
    about = [_("the Throne")] if g.round.throne == seat else []
    about += [term(ROLES[g.round.role])] if g.round.role >= 0 and g.round.chooser == seat else []
    return ", ".join(about)


def status(frame: Frame) -> str:
    """One line about the seat."""
    g: Emperor = frame.g
    seat, numbers = frame.view.seat, g.const.numbers
    if seat < 0:
        return ""
    return _(
        "Marks {marks}, metal {metal}/{metals}, energy {energy}/{energies}, tokens {tokens}, points {points}"
    ).format(
        marks=g.seats.marks[seat],
        metal=g.seats.metal[seat],
        metals=numbers.metal_room,
        energy=g.seats.energy[seat],
        energies=numbers.energy_room,
        tokens=g.seats.reserve[seat],
        points=g.seats.vp[seat],
    )


def before(frame: Frame, ask: Choose[Any]) -> Sequence[Line]:
    """The lines to show before an answer."""
    if isinstance(ask, PlaceTile):
        return tiles(frame)
    if isinstance(ask, BuyTechnology):
        return _for_sale(frame, ask)
    if isinstance(ask, Discard):
        return market(frame)
    if isinstance(ask, Trade):
        return [*market(frame), *_harvest(ask)]
    now = frame.g.battle
    if isinstance(ask, Losses | Retreat) and now.site != NOBODY:
        return [*_space(frame, frame.g.const.spaces[now.site]), *coming(frame)]
    return ()


def _for_sale(frame: Frame, ask: BuyTechnology) -> Sequence[Line]:
    """The technologies face up, at the prices for the asked seat."""
    g: Emperor = frame.g
    cards = []
    for at, card in enumerate(g.const.technologies):
        if g.round.display[at] == SHOWN:
            paid = {name: -amount for name, amount in ask.price(g, card.id)}
            cards.append(replace(card, metal=paid.get("metal", 0), energy=paid.get("energy", 0)))
    return _offers(frame, cards)


def _harvest(ask: Trade) -> Sequence[Line]:
    """The value of the harvest."""
    marks = ask.food * ask.prices[FOOD]
    text = ngettext("Your whole harvest brings {marks} Mark.", "Your whole harvest brings {marks} Marks.", marks)
    return [line(text.format(marks=marks))] if marks else []


def home(frame: Frame) -> str:
    """The space of the seat's home."""
    g: Emperor = frame.g
    tokens = zip(g.sectors.owner, g.sectors.token, strict=True)
    at = next((space for space, (owner, token) in enumerate(tokens) if (owner, token) == (frame.view.seat, HOME)), None)
    return "" if at is None else g.const.spaces[at]


PICTURES: Final = Pictures(
    commands={
        NC_("command", "map"): Picture(N_("[SPACE]"), N_("the galaxy, or all about one space"), board),
        NC_("command", "legend"): Picture("", N_("what the signs on the map mean"), legend, title=N_("Legend")),
        NC_("command", "boards"): Picture(
            "",
            N_("all seats side by side, with their technologies"),
            boards,
            sheets.boards_sheet,
            title=N_("Boards"),
        ),
        NC_("command", "roles"): Picture(
            "", N_("which roles are left, and the Direction"), roles, sheets.roles_sheet, title=N_("Roles")
        ),
        NC_("command", "tiles"): Picture("", N_("the tiles face up"), tiles, sheets.tiles_sheet, title=N_("Tiles")),
        NC_("command", "tech"): Picture(
            "", N_("the technologies face up"), tech, sheets.tech_sheet, title=N_("Technologies")
        ),
        NC_("command", "market"): Picture("", N_("prices"), market, sheets.market_sheet, title=N_("Market")),
        NC_("command", "battle"): Picture("", N_("the battle being fought"), battle),
        NC_("command", "odds"): Picture(N_("[SPACE | UNITS vs UNITS]"), N_("who wins a battle how often"), odds),
        NC_("command", "score"): Picture(
            "", N_("everybody's points so far"), score, sheets.score_sheet, title=N_("Points")
        ),
    },
    sources=sheets.SOURCES,
    status=status,
    before=before,
    hint=hint,
    title=title,
    places=places,
    drawing=drawing,
    figures=figures,
    home=home,
    happened=happened,
    growth=growth,
    chance=N_(
        "Tiles and technologies are turned up for all, and the Merchant's dice set the prices for all, so none of "
        "them counts in a player's luck."
    ),
    battles=FIGHTS,
    chart=chart,
    fight=fight,
    advised=best_loss,
    fight_on=fight_on,
    suppose=suppose,
    moment=moment,
    state=state,
    seat_board=sheets.seat_board,
    outlook=outlook,
    aside=lambda _option: False,
)
