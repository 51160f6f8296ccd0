# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of Rex: the city by sectors, the seats, own cards, the leaders, the battle.

Influence of other seats is hidden and drawn as a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.games.rex.show import sheets
from client.games.rex.show.cards import betrayal, cards, leaders, seen
from client.games.rex.show.city import chart
from client.games.rex.show.fight import fight, planned, wins_tie
from client.games.rex.show.growth import FIGHTS, growth
from client.games.rex.show.hints import hint, question, seats, title
from client.games.rex.show.map import board, legend
from client.games.rex.show.svg import drawing, figures, happened, places
from client.games.rex.wording import term
from client.show.pictures import WIDE, Frame, Picture, Pictures
from client.show.styled import Line, line, packed, rows, wrapped
from client.system.texts import N_, NC_, _
from engine.core.views import VEILED
from engine.core.waits import Choose
from engine.rex.city_map import controls, members
from engine.rex.orders import Command, Obey, Question, Tell
from engine.rex.plans import CommitCards, PlanBattle
from engine.rex.state import PHASES, Rex
from engine.rex.terms import NO
from engine.rex.victory import Betray, strongholds
from engine.rex.windows import PlayCard

__all__ = ["PICTURES"]


def boards(frame: Frame) -> Sequence[Line]:
    """Every seat's faction, known influence, units, cards, strongholds and allies."""
    g: Rex = frame.g
    head = ("", term("influence"), _("reserve"), _("lost"), _("cards"), _("strongholds"), _("allies"))
    table: list[Sequence[str]] = [head]
    for seat, name in enumerate(frame.names):
        allies = "".join(frame.letter(other) for other in members(g, seat) if other != seat)
        first = " +" if g.round.first == seat else ""
        figures = (
            influence(frame, seat),
            str(g.seats.reserve[seat] + g.seats.mech_reserve[seat]),
            str(g.seats.casualties[seat] + g.seats.mech_casualties[seat]),
            str(len(g.seats.hand[seat])),
            str(strongholds(g, seat)),
            allies or frame.glyphs.dash,
        )
        table.append((f"{frame.letter(seat)} {name}{first}", *figures))
    shown = [line(row) for row in rows(table, frame.width, range(1, len(head)))]
    played = [f"{name}: {_faction(g, seat)}" for seat, name in enumerate(frame.names)]
    return [*shown, *(line(part) for part in packed(played, frame.width, "  "))]


def influence(frame: Frame, seat: int) -> str:
    """The influence of a seat, a question mark if it is hidden."""
    held = frame.g.seats.influence[seat]
    return "?" if held == VEILED else str(held)


def _faction(g: Rex, seat: int) -> str:
    at = g.seats.faction[seat]
    return term(g.const.factions[at].id) if at >= 0 else "?"


def score(frame: Frame) -> Sequence[Line]:
    """The strongholds of every player or alliance, and the number it needs."""
    g: Rex = frame.g
    texts: list[str] = []
    for seat in range(g.table.seats):
        group = members(g, seat)
        if group[0] != seat:
            continue
        held = [space for one in group for space in controls(g, one) if space in g.const.strongholds]
        head = _("{names}: strongholds {n} of {needed}").format(
            names=", ".join(frame.names[one] for one in group), n=len(held), needed=g.const.win[len(group) - 1]
        )
        named = ", ".join(term(g.const.spaces[space].id) for space in held)
        texts.append(f"{head} ({named})" if named else head)
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def battle(frame: Frame) -> Sequence[Line]:
    """The present battle: units, strengths, cards and announcements."""
    g: Rex = frame.g
    if g.battle.space < 0:
        return [line(_("No battle is being fought."))]
    shown = [line(_("Battle in {space}").format(space=term(g.const.spaces[g.battle.space].id)))]
    for side in (0, 1):
        seat = g.battle.seat[side]
        facts = [
            _("strength up to {n}").format(n=g.battle.strength[side]),
            _("cards {n}").format(n=len(g.seats.hand[seat])),
            *([_("wins a tie")] if wins_tie(g, side) else []),
            *(" ".join(map(frame.display_names, text.split(" "))) for text in _bound(g, side)),
        ]
        if g.battle.dial[side] >= 0:
            facts += [_("dial {n}").format(n=g.battle.dial[side]), frame.display_names(g.battle.leader[side])]
        shown += [line(part) for part in wrapped(f"  {frame.names[seat]}: {', '.join(facts)}", frame.width, "    ")]
    return shown


def _bound(g: Rex, side: int) -> list[str]:
    """The orders to a side, and its announcements that its open plan does not show."""
    pledge = g.battle.pledge[side]
    open_now = g.battle.dial[side] >= 0 and pledge.startswith(("dial ", "leader "))
    return [text for text in (g.battle.order[side], "" if open_now else pledge) if text]


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
    about = [_faction(g, seat)] if g.seats.faction[seat] >= 0 else []
    about += [_("with {allies}").format(allies=", ".join(allies))] if allies else []
    return ", ".join([*about, *([_("starts")] if g.round.first == seat else [])])


def status(frame: Frame) -> str:
    """One line about the seat."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0:
        return ""
    return _(
        "influence {influence}, reserve {reserve}, cards {cards}, strongholds {strongholds}, fleet {fleet}"
    ).format(
        influence=influence(frame, seat),
        reserve=g.seats.reserve[seat] + g.seats.mech_reserve[seat],
        cards=len(g.seats.hand[seat]),
        strongholds=strongholds(g, seat),
        fleet=g.round.fleet or "?",
    )


def before(frame: Frame, ask: Choose[Any]) -> Sequence[Line]:
    """The lines to show before an answer, always with the cards that were looked at."""
    if isinstance(ask, Command | CommitCards | Obey | PlanBattle | Question | Tell):
        return [*battle(frame), *cards(frame)]
    return [*seen(frame), *betrayal(frame)] if isinstance(ask, Betray) else seen(frame)


def no_odds(_frame: Frame) -> Sequence[Line]:
    """That no dice decide battles."""
    return (line(_("No dice decide battles here: there are no odds.")),)


PICTURES: Final = Pictures(
    commands={
        NC_("command", "map"): Picture(N_("[SPACE]"), N_("the city by sectors, or all about one space"), board),
        NC_("command", "legend"): Picture("", N_("what the signs on the map mean"), legend, title=N_("Legend")),
        NC_("command", "boards"): Picture(
            "", N_("all seats side by side"), boards, sheets.boards_sheet, title=N_("Boards")
        ),
        NC_("command", "cards"): Picture(
            "", N_("your Strategy cards and traitors"), cards, sheets.cards_sheet, title=N_("Hand")
        ),
        NC_("command", "leaders"): Picture(
            "", N_("all leaders and their strengths"), leaders, sheets.leaders_sheet, title=N_("Leaders")
        ),
        NC_("command", "battle"): Picture(
            "", N_("the battle being fought"), battle, sheets.battle_sheet, title=N_("Battles")
        ),
        NC_("command", "odds"): Picture("", N_("why there are no odds"), no_odds),
        NC_("command", "score"): Picture(
            "", N_("the strongholds of everybody, and how many win"), score, sheets.score_sheet, title=N_("Points")
        ),
    },
    sources={"strongholds": N_("strongholds")},
    status=status,
    before=before,
    hint=hint,
    title=title,
    places=places,
    drawing=drawing,
    figures=figures,
    happened=happened,
    growth=growth,
    chance=N_(
        "Battles have no dice: dials and cards decide. Cards and leaders differ in kind, and the fleet's way is drawn "
        "for all: there is nothing here to be compared with chance."
    ),
    battles=FIGHTS,
    chart=chart,
    fight=fight,
    seat_board=sheets.seat_board,
    planned=planned,
    aside=lambda _option: False,
    seats=seats,
    question=question,
    waive=lambda ask: (NO,) if isinstance(ask, PlayCard) else None,
    phase=lambda g: (g.round.number, g.round.phase),
    moment=moment,
    state=state,
    example=N_("wit for withhold, grand for grand-exchange"),
)
