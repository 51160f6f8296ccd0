# SPDX-License-Identifier: GPL-3.0-or-later
"""The research tray of Eclipse as shelves: tiles left and the seat's price, and all about the marked technology."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import comb

from client.games.eclipse.show.tech import gives, price
from client.games.eclipse.wording import term
from client.show.battles import share_text
from client.show.pictures import Frame
from client.show.sheets import Shelf, Ware
from client.show.styled import Line, line, owner_style, padded
from client.system.texts import _
from engine.core.sections import row_of
from engine.eclipse.actions.research import Buy, tracks_for
from engine.eclipse.population import income
from engine.eclipse.species import has_technology, technologies_on
from engine.eclipse.state import Eclipse
from engine.eclipse.terms import ACTIONS, CATEGORIES, MONEY, RARE, SCIENCE

__all__ = ["hands", "refill", "shelves"]

RESEARCH = ACTIONS[1]


def shelves(frame: Frame) -> tuple[str, Sequence[Shelf]]:
    """How prices come about, and the technologies of each track; rare ones only while they lie on the tray."""
    g, seat = frame.g, frame.view.seat
    playing = seat >= 0 and g.seats.species[seat] >= 0
    found = []
    for category, name in enumerate(CATEGORIES):
        techs = [
            tech
            for tech, left in enumerate(g.round.tray)
            if g.const.category[tech] == category and (left or (category != RARE and _known(g, tech)))
        ]
        techs.sort(key=lambda tech: (g.const.cost[tech], tech))
        title = term(name)
        if category == RARE:
            title = _("{track} (any track)").format(track=title)
        elif playing:
            title = f"{title} {-_discount(g, seat, category)}"
        tail = _("left you pay") if playing else _("left cost")
        if techs:
            found.append(Shelf(title, tail, tuple(_ware(frame, tech, playing) for tech in techs)))
    if not playing:
        return _("cost and least cost as printed"), found
    tracks = " ".join(f"{term(CATEGORIES[track])} {technologies_on(g, seat, track)}" for track in range(RARE))
    head = _("science {n} ({income:+}); the cost is the printed one less the discount of the track; you: {tracks}")
    return head.format(n=g.seats.store[seat, SCIENCE], income=income(g, seat, SCIENCE), tracks=tracks), found


def _known(g: Eclipse, tech: int) -> bool:
    """True if a technology is in this game: in the bag, or on somebody's board."""
    return bool(g.round.bag[tech]) or any(has_technology(g, seat, tech) for seat in range(g.table.seats))


def _discount(g: Eclipse, seat: int, track: int, more: int = 0) -> int:
    discounts = g.const.discounts
    return discounts[min(technologies_on(g, seat, track) + more, len(discounts) - 1)]


def _ware(frame: Frame, tech: int, playing: bool) -> Ware:
    g, seat = frame.g, frame.view.seat
    left, id = g.round.tray[tech], g.const.technology_ids[tech]
    name = term(id)[:1].upper() + term(id)[1:]
    options = tuple(Buy(id, CATEGORIES[track]) for track in tracks_for(g, tech))
    about = partial(_about, frame, tech, playing)
    if not playing:
        return Ware(name, f"{left:>2} {g.const.cost[tech]:>4}/{g.const.minimum[tech]}", "", RESEARCH, (), about)
    if has_technology(g, seat, tech):
        return Ware(name, f"{left:>2}  {_('have')}", "faint", RESEARCH, (), about)
    pays, track = price(frame, tech)
    if not left:
        return Ware(name, f"{left:>2}   {frame.glyphs.dash}  ", "faint", RESEARCH, (), about)
    enough = pays <= g.seats.store[seat, SCIENCE]
    better = len({*map(partial(technologies_on, g, seat), tracks_for(g, tech))}) > 1
    to = f" → {term(CATEGORIES[track])[:3]}" if better else ""
    tail = f"{left:>2}  {pays:>2} {'✓' if enough else 'x'}{to}"
    return Ware(name, tail, "title" if enough else "", RESEARCH, options, about)


def _about(frame: Frame, tech: int, playing: bool) -> list[str]:
    """What a technology brings, who has it, the chance of another tile, and what buying it leads to."""
    g, seat, category = frame.g, frame.view.seat, frame.g.const.category[tech]
    texts = [gives(frame, tech).rstrip(".") + "."]
    if category != RARE:
        steps = [f"{n} {vp}" for n, vp in enumerate(g.const.technology_vp) if vp]
        texts.append(_("Points by technologies on the track: {steps}.").format(steps=", ".join(steps)))
    owners = [frame.names[each] for each in range(g.table.seats) if has_technology(g, each, tech)]
    held = _("who has it: {names}").format(names=", ".join(owners) if owners else _("nobody"))
    left = g.round.tray[tech]
    last = _("the last one on the tray") if left == 1 else _("on the tray: {n}").format(n=left)
    bag = _("in the bag: {n}, chance that one comes at the end of the round {chance}").format(
        n=g.round.bag[tech], chance=share_text(refill(g, tech))
    )
    texts.append(f"{held}; {last}; {bag}.")
    if not playing or has_technology(g, seat, tech) or not left:
        return texts
    pays, track = price(frame, tech)
    science = g.seats.store[seat, SCIENCE]
    if pays <= science:
        after = _("after: science {n}, next income {income:+}, {track} {lying} (next discount -{discount})")
        texts.append(
            after.format(
                n=science - pays,
                income=income(g, seat, SCIENCE),
                track=term(CATEGORIES[track]),
                lying=technologies_on(g, seat, track) + 1,
                discount=_discount(g, seat, track, 1),
            )
        )
    else:
        short = pays - science
        money = short * g.const.trade[g.seats.species[seat]]
        texts.append(
            _("x science short: {n}. Money {money} buys it.").format(n=short, money=money)
            if money <= g.seats.store[seat, MONEY]
            else _("x science short: {n}.").format(n=short)
        )
    return texts


def refill(g: Eclipse, tech: int) -> float:
    """The chance that at least one tile of a technology is drawn in the cleanup of this round.

    Tiles are drawn until a number of regular ones has come; rare ones come on top of it.
    """
    bag, category = g.round.bag, g.const.category
    regular = sum(n for each, n in enumerate(bag) if category[each] != RARE)
    copies, quota = bag[tech], g.const.setups[g.table.seats].new_technologies
    if not copies or not quota:
        return 0.0
    if quota > regular:
        return 1.0
    if category[tech] == RARE:  # every copy lies behind the last regular tile that is drawn
        return 1 - comb(regular - quota + copies, copies) / comb(regular + copies, copies)
    return 1 - comb(regular - copies, quota) / comb(regular, quota)


def hands(frame: Frame) -> Sequence[Line]:
    """All technologies in somebody's hands: a line each, with a letter for every seat that has it."""
    g = frame.g
    lines: list[Line] = []
    for category, name in enumerate(CATEGORIES):
        owned = [tech for tech in range(len(g.round.tray)) if g.const.category[tech] == category]
        some = [(tech, [seat for seat in range(g.table.seats) if has_technology(g, seat, tech)]) for tech in owned]
        some = [(tech, seats) for tech, seats in some if seats]
        if not some:
            continue
        lines.append(line(("title", term(name))))
        for tech, seats in some:
            letters = [run for seat in seats for run in ((owner_style(seat), frame.letter(seat)), ("", " "))]
            lines.append(line(f"  {padded(term(g.const.technology_ids[tech]), 24)} ", *letters))
    counts = [
        f"{frame.letter(seat)} {frame.names[seat]}: "
        + "/".join(str(sum(lies == track + 1 for lies in row_of(g.seats.techs, seat))) for track in range(RARE))
        for seat in range(g.table.seats)
    ]
    tracks = "/".join(term(each) for each in CATEGORIES[:RARE])
    return [*lines, (), line(("faint", tracks)), *map(line, counts)]
