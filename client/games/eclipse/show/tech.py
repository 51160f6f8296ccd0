# SPDX-License-Identifier: GPL-3.0-or-later
"""What technologies and parts bring, what a seat pays for a technology, all ship parts, and the research tray as
shelves: tiles left, the seat's price, and all about the marked technology."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import comb

from client.games.eclipse.reference.articles import EFFECTS, figures
from client.games.eclipse.show.words import weapon_text
from client.games.eclipse.wording import term
from client.show.battles import share_text
from client.show.document import Block, Cell, Document, Note, Part, Sheet, Shelf, TextTable, Ware
from client.show.pictures import Frame
from client.show.styled import ASCII, owner_style
from client.system.texts import N_, _
from engine.eclipse.actions.research import Buy, cost, tracks_for
from engine.eclipse.population import income
from engine.eclipse.species import has_technology, technologies_on
from engine.eclipse.state import NOBODY, Eclipse
from engine.eclipse.stats import COMPUTER, CONSUMPTION, DRIVE, HULL, INITIATIVE, PRODUCTION, SHIELD, Stats
from engine.eclipse.terms import ACTIONS, CATEGORIES, MONEY, RARE, SCIENCE

FIGURES = (
    (COMPUTER, N_("computer {n:+}")),
    (SHIELD, N_("shield {n:+}")),
    (HULL, N_("hull {n:+}")),
    (DRIVE, N_("move {n:+}")),
    (INITIATIVE, N_("init {n:+}")),
)


def prices(frame: Frame, tech: int) -> Sequence[tuple[int, int]]:
    """The science that the seat pays for a technology and the track that it lies on then, for each track with room, the
    least first."""
    g, seat = frame.g, frame.view.seat
    free = [each for each in tracks_for(g, tech) if technologies_on(g, seat, each) < g.const.constants.technology_slots]
    return sorted((cost(g, seat, tech, track), track) for track in free)


def gives(frame: Frame, tech: int) -> str:
    """The effect of a technology in short."""
    const, row = frame.g.const, frame.g.const.technologies[tech]
    if const.technology_part[tech] != NOBODY:
        return part_text(const.part_stats[const.technology_part[tech]])
    squares = ", ".join(map(term, row.advanced))
    shown = (
        _("build {piece}").format(piece=term(row.builds)) if row.builds else "",
        _("discs {n:+}").format(n=row.discs) if row.discs else "",
        _("{action} activations {n:+}").format(action=term(row.action), n=row.extra) if row.action else "",
        _("settle advanced squares: {squares}").format(squares=squares) if squares else "",
        _(EFFECTS[row.effect]).format_map(figures(const)) if row.effect else "",
    )
    return ", ".join(filter(None, shown))


def part_text(can: Stats) -> str:
    """The effect of a part on a ship."""
    shown = [weapon_text(can)] if any(can[CONSUMPTION + 1 :]) else []
    shown += [_(text).format(n=-can[at] if at == SHIELD else can[at]) for at, text in FIGURES if can[at]]
    energy = _("energy {n:+}").format(n=can[PRODUCTION] - can[CONSUMPTION])
    return ", ".join([*shown, energy] if can[PRODUCTION] or can[CONSUMPTION] else shown)


def parts(frame: Frame) -> Document:
    """Ship parts: those that the seat may place, then the others by what brings them."""
    g, seat = frame.g, frame.view.seat
    own, learnt, found = _("You may place"), _("Needs the technology of that name"), _("Needs a discovery")
    groups: dict[str, list[Cell]] = {own: [], learnt: [], found: []}
    for part, entry in enumerate(g.const.parts):
        needs = g.const.part_technology[part]
        mine, stored = needs == NOBODY or (seat >= 0 and bool(has_technology(g, seat, needs))), 0
        if g.const.ancient[part]:
            stored = g.seats.parts[seat, part] if seat >= 0 else 0
            mine = bool(stored)
        about = [part_text(g.const.part_stats[part])]
        about += [_("stored {n}").format(n=stored)] if stored else []
        title = own if mine else found if g.const.ancient[part] else learnt
        groups[title].append(Cell(term(entry.id), "; ".join(about), "" if mine else "faint"))
    return [Sheet(title, cells=tuple(cells)) for title, cells in groups.items() if cells]


# The tray as shelves --------------------------------------------------------------------------------------------------


RESEARCH = ACTIONS[1]


def tray(frame: Frame) -> Document:
    """How prices come about, and the technologies of each track, rare ones only while they lie on the tray; then in
    whose hands they are, with any word nothing else."""
    g, seat = frame.g, frame.view.seat
    if frame.words:
        return [_hands(frame)]
    told = _("cost and least cost as printed")
    if _playing(frame):
        tracks = " ".join(f"{term(CATEGORIES[track])} {technologies_on(g, seat, track)}" for track in range(RARE))
        told = _("science {n} ({income:+}); the cost is the printed one less the discount of the track; you: {tracks}")
        told = told.format(n=g.seats.store[seat, SCIENCE], income=income(g, seat, SCIENCE), tracks=tracks)
    return [Note(told, "faint"), *_shelves(frame), _hands(frame)]


def offers(frame: Frame) -> Document:
    """The technologies of each track that the seat does not have and that lie on the tray."""
    return _shelves(frame, gone=not _playing(frame))


def _playing(frame: Frame) -> bool:
    """True for a seat with a species, which has technologies and pays a price of its own."""
    seat = frame.view.seat
    return seat >= 0 and bool(frame.g.seats.species[seat] >= 0)


def _shelves(frame: Frame, *, gone: bool = True) -> list[Shelf]:
    """gone: True to list also what the seat has already, and what no longer lies on the tray."""
    g, seat, playing = frame.g, frame.view.seat, _playing(frame)
    kinds: list[list[int]] = [[] for _category in CATEGORIES]
    for tech in sorted(range(len(g.round.tray)), key=g.const.cost.__getitem__):
        category = g.const.category[tech]
        lies = g.round.tray[tech] and not (playing and has_technology(g, seat, tech))
        known = g.round.bag[tech] or any(has_technology(g, each, tech) for each in range(g.table.seats))
        if lies or (gone and (g.round.tray[tech] or (category != RARE and known))):
            kinds[category].append(tech)
    tail = _("left you pay") if playing else _("left cost")
    shelves = []
    for category, (id, techs) in enumerate(zip(CATEGORIES, kinds, strict=True)):
        own = f"{term(id)} {-discount(g, seat, category)}" if playing and category != RARE else term(id)
        title = _("{track} (any track)").format(track=own) if category == RARE else own
        if techs:
            shelves.append(Shelf(title, tail, tuple(_ware(frame, tech, playing) for tech in techs), id))
    return shelves


def discount(g: Eclipse, seat: int, track: int, more: int = 0) -> int:
    """What a seat pays less for a technology of a track, with so many more there."""
    discounts = g.const.discounts
    return discounts[min(technologies_on(g, seat, track) + more, len(discounts) - 1)]


def _ware(frame: Frame, tech: int, playing: bool) -> Ware:
    g, seat = frame.g, frame.view.seat
    left, id, look, options = g.round.tray[tech], g.const.technology_ids[tech], "faint", list[Buy]()
    if not playing:
        tail, look = f" {g.const.cost[tech]:>4}/{g.const.minimum[tech]}", ""
    elif has_technology(g, seat, tech):
        tail = f"  {_('have')}"
    elif not left:
        tail = f"   {frame.glyphs.dash}  "
    elif not (found := prices(frame, tech)):
        tail, look = f"  {_('full')} x", ""
    else:
        (pays, track), tracks = found[0], tracks_for(g, tech)
        enough = pays <= g.seats.store[seat, SCIENCE]
        better = len({*map(partial(technologies_on, g, seat), tracks)}) > 1
        mark = "x" if not enough else "v" if frame.glyphs is ASCII else "✓"
        tail = f"  {pays:>2} {mark}" + (f" ({term(CATEGORIES[track])[:3]})" if better else "")
        look, options = "title" if enough else "", [Buy(id, CATEGORIES[each]) for _pays, each in found]
    name, about = term(id)[:1].upper() + term(id)[1:], partial(_about, frame, tech, playing)
    return Ware(name, f"{left:>2}{tail}", look, RESEARCH, options, gives(frame, tech), about)


def _about(frame: Frame, tech: int, playing: bool) -> list[str]:
    """What a technology brings, who has it, the chance of another tile, and what buying it leads to."""
    g, seat, category = frame.g, frame.view.seat, frame.g.const.category[tech]
    texts = list[str]()
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
    found = prices(frame, tech)
    if not found:
        return [*texts, _("The track is full.")]
    pays, track = found[0]
    science = g.seats.store[seat, SCIENCE]
    if pays <= science:
        after = _("after: science {n}, next income {income:+}, {track} {lying} (next discount -{discount})")
        lying, less = technologies_on(g, seat, track) + 1, discount(g, seat, track, 1)
        more, name = income(g, seat, SCIENCE), term(CATEGORIES[track])
        texts.append(after.format(n=science - pays, income=more, track=name, lying=lying, discount=less))
    else:
        short = pays - science
        money = short * g.const.trade[g.seats.species[seat]]
        buys = money <= g.seats.store[seat, MONEY]
        text = _("x science short: {n}. Money {money} buys it.") if buys else _("x science short: {n}.")
        texts.append(text.format(n=short, money=money))
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


def _hands(frame: Frame) -> Part:
    """All technologies in somebody's hands, each with the letters of the seats that have it."""
    g = frame.g
    blocks: list[Block] = []
    for category, name in enumerate(CATEGORIES):
        owned = [tech for tech in range(len(g.round.tray)) if g.const.category[tech] == category]
        some = [(tech, [seat for seat in range(g.table.seats) if has_technology(g, seat, tech)]) for tech in owned]
        rows = [
            (Cell(f"  {term(g.const.technology_ids[tech])}"),
             *(Cell(frame.letter(seat), look=owner_style(seat)) for seat in seats))
            for tech, seats in some if seats
        ]  # fmt: skip
        if rows:
            blocks.append(TextTable((Cell(term(name), look="title"),), rows, id=name))
    counts = [
        (Cell(f"{frame.letter(seat)} {frame.names[seat]}", look=owner_style(seat)),
         Cell("/".join(str(technologies_on(g, seat, track)) for track in range(RARE))))
        for seat in range(g.table.seats)
    ]  # fmt: skip
    tracks = Cell("/".join(term(each) for each in CATEGORIES[:RARE]), look="faint")
    return Part(_("In whose hands"), _("hands"), blocks=(*blocks, TextTable((Cell(""), tracks), counts)), id="hands")
