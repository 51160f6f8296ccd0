# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Rex: the city by sectors, the seats, own cards, the leaders, the battle.

Influence of other seats is hidden and drawn as a question mark.
"""

from __future__ import annotations

from typing import Any, Final

from client.games.rex.show.boards import COUNTS, betrayal, boards, cards, faction, held, leaders, seen
from client.games.rex.show.fight import FIGHTS, fight
from client.games.rex.show.hints import hint, question, seats, title
from client.games.rex.show.pieces import legend, places, spaces, the_map
from client.games.rex.wording import term
from client.show.battles import document_of
from client.show.document import Cell, Document, Note, TextTable
from client.show.map import charts, map_document
from client.show.pictures import WIDE, Documents, Frame, Picture, Pictures, Questioning
from client.show.styled import owner_style
from client.system.texts import N_, NC_, _
from engine.core.waits import Choose
from engine.rex.city_map import controls, members
from engine.rex.orders import Command, Obey, Question, Tell
from engine.rex.plans import CommitCards, PlanBattle
from engine.rex.state import PHASES, Rex
from engine.rex.terms import NO
from engine.rex.victory import Betray
from engine.rex.windows import PlayCard


def board(frame: Frame) -> Document:
    """The whole city; with the name of a space all about it."""
    if frame.words:
        return spaces(frame, "-".join(frame.words).lower())
    return map_document(frame.names, frame.width, charts(the_map(frame), frame.glyphs))


def score(frame: Frame) -> Document:
    """The strongholds of every player or alliance, and the number that it needs."""
    g: Rex = frame.g
    rows = []
    for seat in range(g.table.seats):
        group = members(g, seat)
        if group[0] != seat:
            continue
        held = [space for one in group for space in controls(g, one) if space in g.const.strongholds]
        needed = g.const.win[len(group) - 1]
        share = min(100, 100 * len(held) // needed)
        rows.append((
            Cell(", ".join(f"{frame.letter(one)} {frame.names[one]}" for one in group), look=owner_style(seat)),
            Cell(f"{len(held)}/{needed}", _("strongholds"), "title", share=share),
            Cell(", ".join(term(g.const.spaces[space].id) for space in held)),
        ))  # fmt: skip
    return [TextTable((Cell(""), Cell(_("strongholds")), Cell("")), rows)]


def battle(frame: Frame) -> Document:
    """The present battle: both plans as far as they are open, their limits, orders and announcements."""
    now = fight(frame, ())
    return [Note(_("No battle is being fought."))] if now is None else document_of(now, frame.names)


def moment(frame: Frame) -> str:
    """The round and the phase."""
    g: Rex = frame.g
    text = _("Round {n}/{of}, {phase}") if frame.width >= WIDE else _("R{n}/{of} {phase}")
    ends = {0: _("set-up"), len(PHASES) - 1: _("over")}
    phase = ends.get(g.round.phase) or frame.display_names(PHASES[g.round.phase])
    return text.format(n=g.round.number, of=g.const.numbers.rounds, phase=phase)


def state(frame: Frame, seat: int) -> str:
    """The faction of a seat, its allies, and whether it is first."""
    g: Rex = frame.g
    allies = [frame.letter(other) for other in members(g, seat) if other != seat]
    about = [faction(frame, seat)] if g.seats.faction[seat] >= 0 else []
    about += [_("with {allies}").format(allies=", ".join(allies))] if allies else []
    return ", ".join([*about, *([_("starts")] if g.round.first == seat else [])])


def status(frame: Frame) -> str:
    """One line about the seat."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0:
        return ""
    influence, reserve, _lost, *others = held(frame, seat)
    told = [f"{name} {value}" for name, value in (influence, reserve, *others)]
    return ", ".join([*told, _("fleet {n}").format(n=g.round.fleet or "?")])


def before(frame: Frame, ask: Choose[Any]) -> Document:
    """What to show before an answer, always with the cards that were looked at."""
    if isinstance(ask, Command | CommitCards | Obey | PlanBattle | Question | Tell):
        return [*battle(frame), *cards(frame)]
    return [*seen(frame), *betrayal(frame)] if isinstance(ask, Betray) else seen(frame)


PICTURES: Final = Pictures(
    documents=Documents(
        goods="cards",
        commands={
            NC_("command", "map"): Picture(N_("[SPACE]"), N_("the city, or all about one space"), board),
            NC_("command", "legend"): Picture("", N_("what the signs on the map mean"), legend, title=N_("Legend")),
            NC_("command", "boards"): Picture(
                N_("[SEAT]"), N_("all seats side by side, or one seat's board"), boards, title=N_("Boards")
            ),
            NC_("command", "cards"): Picture("", N_("your Strategy cards and traitors"), cards, title=N_("Hand")),
            NC_("command", "leaders"): Picture("", N_("all leaders and their strengths"), leaders, title=N_("Leaders")),
            NC_("command", "battle"): Picture("", N_("the battle being fought"), battle, title=N_("Battles")),
            NC_("command", "odds"): Picture(
                "",
                N_("why there are no odds"),
                lambda _frame: [Note(_("No dice decide battles here: there are no odds."))],
            ),
            NC_("command", "score"): Picture(
                "", N_("the strongholds of everybody, and how many win"), score, title=N_("Points")
            ),
        },
        before=before,
        map=the_map,
        spaces=lambda g: g.const.space_index,
        status=status,
        moment=moment,
        state=state,
    ),
    questions=Questioning(
        text=question,
        title=title,
        hint=hint,
        places=places,
        seats=seats,
        waive=lambda ask: (NO,) if isinstance(ask, PlayCard) else None,
        phase=lambda g: (g.round.number, g.round.phase),
        amounts=frozenset({"amount"}),
        example=N_("wit for withhold, grand for grand-exchange"),
    ),
    fights=FIGHTS,
    counts=COUNTS,
)
