# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Galactic Emperor: the map, the seats, roles, technologies, market and points."""

from __future__ import annotations

from typing import Any, Final

from client.games.emperor.show.boards import COUNTS, SOURCES, boards, held, market, roles, tech, tiles
from client.games.emperor.show.fight import FIGHTS, battle, odds_told
from client.games.emperor.show.hints import hint, title
from client.games.emperor.show.odds import outlook
from client.games.emperor.show.pieces import places, space_text, the_map
from client.games.emperor.wording import term
from client.show.boards import points_table, seat_head
from client.show.document import Document, Note
from client.show.map import charts, map_document
from client.show.pictures import WIDE, Documents, Frame, Picture, Pictures, Questioning
from client.system.texts import N_, NC_, _, ngettext
from engine.core.waits import Choose
from engine.emperor.combat import Losses, Retreat
from engine.emperor.roles.explorer import PlaceTile
from engine.emperor.roles.merchant import Discard, Trade
from engine.emperor.roles.scientist import BuyTechnology
from engine.emperor.scoring import points
from engine.emperor.state import HOME, NOBODY, OVER, Emperor
from engine.emperor.terms import FOOD, ROLES


def board(frame: Frame) -> Document:
    """All 37 spaces; with a space's name all about it."""
    if not frame.words:
        return map_document(frame.names, frame.width, charts(the_map(frame), frame.glyphs))
    name = frame.words[0].lower()
    space = frame.g.const.space_index.get(name)
    unknown = _("There is no space “{name}”.").format(name=name)
    return [Note(unknown if space is None else f"{name}: {space_text(frame, space)}")]


def legend(frame: Frame) -> Document:
    """The meaning of the signs on the map."""
    texts = (
        _("c5 2f1m: the space and its icons: f food, m metal, e energy a sector yields."),
        _("A2: an Empire of seat A with 2 food; A*: a Starbase; A#: the home."),
        _("B3 to the right: three ships of seat B."),
        _("B+2 below, where the map has room: two influence of seat B, to be resolved in this Regent."),
        _("SUN cannot be entered; HOLE is the Black Hole; a space with its name alone has no tile."),
        _("{dash} after the name: empty space, a tile without planets.").format(dash=frame.glyphs.dash),
    )
    return [*map(Note, texts)]


def score(frame: Frame) -> Document:
    """The points of all seats so far, and the points left in the pool."""
    g: Emperor = frame.g
    seats = range(len(frame.names))
    table = points_table([seat_head(frame, seat) for seat in seats], [points(g, seat) for seat in seats], SOURCES)
    return [table, Note(_("Left in the pool: {n}").format(n=max(0, g.round.pool)))]


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
    if frame.view.seat < 0:
        return ""
    marks, metal, energy, tokens, *_pieces, points = held(frame, frame.view.seat)
    return ", ".join(f"{name} {value}" for name, value in (marks, metal, energy, tokens, points))


def before(frame: Frame, ask: Choose[Any]) -> Document:
    """What to show before an answer."""
    if isinstance(ask, PlaceTile):
        return tiles(frame)
    if isinstance(ask, BuyTechnology):
        return tech(frame, ask)
    if isinstance(ask, Discard):
        return market(frame)
    if isinstance(ask, Trade):
        marks = ask.food * ask.prices[FOOD]
        text = ngettext("Your whole harvest brings {marks} Mark.", "Your whole harvest brings {marks} Marks.", marks)
        return [*market(frame), *([Note(text.format(marks=marks))] if marks else [])]
    return battle(frame) if isinstance(ask, Losses | Retreat) and frame.g.battle.site != NOBODY else ()


def home(frame: Frame) -> str:
    """The space of the seat's home."""
    g: Emperor = frame.g
    tokens = zip(g.const.spaces, g.sectors.owner, g.sectors.token, strict=True)
    return next((space for space, *held in tokens if held == [frame.view.seat, HOME]), "")


PICTURES: Final = Pictures(
    documents=Documents(
        goods="tech",
        commands={
            NC_("command", "map"): Picture(N_("[SPACE]"), N_("the galaxy, or all about one space"), board),
            NC_("command", "legend"): Picture("", N_("what the signs on the map mean"), legend, title=N_("Legend")),
            NC_("command", "boards"): Picture(
                N_("[SEAT]"), N_("all seats side by side, with their technologies"), boards, title=N_("Boards")
            ),
            NC_("command", "roles"): Picture(
                "", N_("which roles are left, and the Direction"), roles, title=N_("Roles")
            ),
            NC_("command", "tiles"): Picture("", N_("the tiles face up"), tiles, title=N_("Tiles")),
            NC_("command", "tech"): Picture("", N_("the technologies face up"), tech, title=N_("Technologies")),
            NC_("command", "market"): Picture("", N_("prices"), market, title=N_("Market")),
            NC_("command", "battle"): Picture("", N_("the battle being fought"), battle),
            NC_("command", "odds"): Picture(
                N_("[SPACE | UNITS vs UNITS]"), N_("who wins a battle how often"), odds_told
            ),
            NC_("command", "score"): Picture("", N_("everybody's points so far"), score, title=N_("Points")),
        },
        before=before,
        outlook=outlook,
        map=the_map,
        spaces=lambda g: g.const.space_index,
        home=home,
        status=status,
        moment=moment,
        state=state,
    ),
    questions=Questioning(title=title, hint=hint, places=places, amounts=frozenset({"amount", "food"})),
    fights=FIGHTS,
    counts=COUNTS,
)
