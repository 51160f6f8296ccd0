"""The pictures of Rex: the city by sectors, the seats, one's own cards, the leaders, the battle.

Influence is everybody's own business: what the view veils is drawn as a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from client.show.pictures import Frame, Picture, Pictures
from client.show.styled import Line, line, owner_style, packed, rows, wrapped
from client.texts import N_, _
from client.wording import term
from engine.core.cards import Handle
from engine.core.values import Value
from engine.core.views import VEILED
from engine.core.waits import Choose
from engine.rex.city_map import controller, members, shielded, units
from engine.rex.hands import hand, traitors
from engine.rex.plans import CommitCards, PlanBattle
from engine.rex.state import AVAILABLE, CAPTURED, CASUALTY, NOBODY, Rex
from engine.rex.terms import BETRAYAL
from engine.rex.victory import strongholds

__all__ = ["PICTURES"]


def board(frame: Frame) -> Sequence[Line]:
    """All spaces by sector, clockwise; a space's id after `map` tells more."""
    g: Rex = frame.g
    if frame.words:
        return _space(frame, frame.words[0].lower())
    shown: list[Line] = []
    for sector, spaces in enumerate(g.const.sector_spaces):
        fleet = frame.glyphs.here if sector and sector == g.round.fleet else " "
        shown += [_row(frame, f"{fleet}{sector or '':>2} ", space) for space in spaces]
    seats = [
        run
        for seat, name in enumerate(frame.names)
        for run in ((owner_style(seat), frame.letter(seat)), ("", f" {name}  "))
    ]
    return [*shown, tuple(seats)]


def _row(frame: Frame, head: str, space: int) -> Line:
    """Sector, name with its signs, influence, and who stands there."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    signs = ("*" if space in g.const.strongholds else "") + ("+" if shielded(g, space) else "")
    influence = g.board.influence[space] or ""
    runs = [("", f"{head}{term(row.id):<28}{signs:<3}{influence:>3} ")]
    for seat in range(g.table.seats):
        count = units(g, seat, space)
        if count:
            runs.append((owner_style(seat), f"{frame.letter(seat)}{count}{_signs(g, seat, space)} "))
    return tuple(runs)


def _signs(g: Rex, seat: int, space: int) -> str:
    """Mechanized units among them, or that they lie face down."""
    mech = g.board.mech[seat * len(g.const.spaces) + space]
    hidden = g.board.hidden[space] and g.const.factions[g.seats.faction[seat]].id == "xxcha"
    return f"/{mech}" if mech else "?" if hidden else ""


def _space(frame: Frame, id: str) -> Sequence[Line]:
    space = frame.g.const.space_index.get(id)
    if space is None:
        return [line(_("There is no space “{name}”.").format(name=id))]
    return [line(part) for part in wrapped(f"{term(id)}: {space_text(frame, space)}", frame.width, "  ")]


def space_text(frame: Frame, space: int) -> str:
    """Everything about a space in words."""
    g: Rex = frame.g
    row = g.const.spaces[space]
    facts = [_("sector {n}").format(n=row.sector)] if row.sector else []
    if space in g.const.strongholds:
        facts.append(_("stronghold"))
    if space in g.const.demolished:
        facts.append(_("demolished"))
    if shielded(g, space):
        facts.append(_("shielded"))
    if row.sector and row.sector == g.round.fleet:
        facts.append(_("bombarded"))
    if g.board.influence[space]:
        facts.append(_("influence {n}").format(n=g.board.influence[space]))
    standing = [(seat, units(g, seat, space)) for seat in range(g.table.seats) if units(g, seat, space)]
    facts += [f"{frame.names[seat]} {count}{_signs(g, seat, space)}" for seat, count in standing]
    owner = controller(g, space)
    if owner != NOBODY:
        facts.append(_("controlled by {name}").format(name=frame.names[owner]))
    roads = ", ".join(term(g.const.spaces[near].id) for near in g.const.roads[space])
    return "; ".join([*facts, _("roads: {roads}").format(roads=roads)])


def legend(frame: Frame) -> Sequence[Line]:
    """What the signs on the map mean."""
    texts = (
        _("3 Imperial Navy Base *+ 8 A5: sector, stronghold (*), shield (+), influence lying there, units of seat A."),
        _("A5/2: two of the five are Mechanized; D3?: face down. {here}: the fleet.").format(here=frame.glyphs.here),
        _("`map imperial-palace` tells all about one space."),
    )
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def boards(frame: Frame) -> Sequence[Line]:
    """Every seat's faction, influence as far as it is known, units, cards, strongholds and allies."""
    g: Rex = frame.g
    head = ("", _("influence"), _("reserve"), _("lost"), _("cards"), _("strongholds"), _("allies"))
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
    """What a seat holds, a question mark for what is none of one's business."""
    held = frame.g.seats.influence[seat]
    return "?" if held == VEILED else str(held)


def _faction(g: Rex, seat: int) -> str:
    at = g.seats.faction[seat]
    return term(g.const.factions[at].id) if at >= 0 else "?"


def cards(frame: Frame) -> Sequence[Line]:
    """The own hand, traitors and Betrayal card."""
    g: Rex = frame.g
    seat = frame.view.seat
    if seat < 0:
        return [line(_("You have no seat."))]
    held = [(_("Strategy cards"), hand(g, seat)), (_("Traitors"), traitors(g, seat))]
    if g.seats.betrayal[seat]:
        held.append((_("Betrayal card"), (Handle(BETRAYAL, g.seats.betrayal[seat] - 1),)))
    texts = [f"{title}: {', '.join(_card(frame, card) for card in some) or frame.glyphs.dash}" for title, some in held]
    return [line(part) for text in texts for part in wrapped(text, frame.width, "  ")]


def _card(frame: Frame, card: Handle) -> str:
    """A card by its handle and, where it is known, its name; a traitor with its strength."""
    face = frame.view.lens.get(card)
    name = "?" if face is None else term(str(face))
    leader = frame.g.const.leader_index.get(face)
    strength = "" if leader is None else f" {frame.g.const.leaders[leader].strength}"
    return f"{card.deck}#{card.index} {name}{strength}"


def leaders(frame: Frame) -> Sequence[Line]:
    """All leaders with their strengths: ready, lost or captured."""
    g: Rex = frame.g
    shown: list[Line] = []
    for seat, name in enumerate(frame.names):
        if g.seats.faction[seat] < 0:
            continue
        own = g.const.leaders_of[g.seats.faction[seat]]
        texts = [f"{term(g.const.leaders[at].id)} {g.const.leaders[at].strength}{_fate(g, at)}" for at in own]
        first, *rest = texts
        shown += [line(part) for part in packed([f"{name}: {first}", *rest], frame.width, "  ")]
    return shown


def _fate(g: Rex, leader: int) -> str:
    return {AVAILABLE: "", CASUALTY: " " + _("(lost)"), CAPTURED: " " + _("(captured)")}.get(
        g.leaders.status[leader], ""
    )


def battle(frame: Frame) -> Sequence[Line]:
    """The battle being fought: units, strengths, cards and what has been said."""
    g: Rex = frame.g
    if g.battle.space < 0:
        return [line(_("No battle is being fought."))]
    shown = [line(_("Battle in {space}").format(space=term(g.const.spaces[g.battle.space].id)))]
    for side in (0, 1):
        seat = g.battle.seat[side]
        facts = [
            _("strength up to {n}").format(n=g.battle.strength[side]),
            _("cards {n}").format(n=len(g.seats.hand[seat])),
            *(" ".join(map(term, text.split(" "))) for text in (g.battle.order[side], g.battle.pledge[side]) if text),
        ]
        if g.battle.dial[side] >= 0:
            facts += [_("dial {n}").format(n=g.battle.dial[side]), term(g.battle.leader[side])]
        shown += [line(part) for part in wrapped(f"  {frame.names[seat]}: {', '.join(facts)}", frame.width, "    ")]
    return shown


def status(frame: Frame) -> str:
    """How the seat stands."""
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
    """What a person wants to see before answering."""
    if isinstance(ask, PlanBattle | CommitCards):
        return [*battle(frame), *cards(frame)]
    return ()


def hint(frame: Frame, ask: Choose[Any], option: Value, so_far: tuple[Value, ...]) -> str:
    """What an option means here: a card's name, a leader's strength, a space in words."""
    g: Rex = frame.g
    if isinstance(option, Handle):
        face = frame.view.lens.get(option)
        return "" if face is None else term(str(face))
    if not isinstance(option, str):
        return ""
    if option in g.const.leader_index:
        strength = g.const.leaders[g.const.leader_index[option]].strength
        return _("{name}, strength {n}").format(name=term(option), n=strength)
    if option in g.const.space_index:
        return space_text(frame, g.const.space_index[option])
    return term(option) if term(option) != option else ""


PICTURES: Final = Pictures(
    commands={
        "map": Picture(N_("[SPACE]"), N_("the city by sectors, or all about one space"), board),
        "legend": Picture("", N_("what the signs on the map mean"), legend),
        "boards": Picture("", N_("all seats beside each other"), boards),
        "cards": Picture("", N_("your Strategy cards and traitors"), cards),
        "leaders": Picture("", N_("all leaders and their strengths"), leaders),
        "battle": Picture("", N_("the battle being fought"), battle),
    },
    status=status,
    before=before,
    hint=hint,
    aside=lambda _option: False,
)
