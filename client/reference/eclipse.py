"""The reference of Eclipse, second edition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.reference import Entry, option_entry, ruling_entry
from client.texts import N_, _
from client.wording import term
from engine.eclipse.catalog import Edition, second
from engine.eclipse.options import OPTIONS
from engine.eclipse.rulings import RULINGS
from engine.eclipse.tables import Discovery, Part, Species, Technology

TOPICS: Final = (
    (
        "action-phase",
        "phase",
        N_("Action phase"),
        N_(
            "Clockwise from the start player everybody takes one action or passes, until all have passed.  An action"
            " takes the leftmost disc from the influence track, which raises the upkeep; without a disc one can only"
            " pass."
        ),
        N_("document, 4 and 5"),
    ),
    (
        "combat-phase",
        "phase",
        N_("Combat phase"),
        N_(
            "Battles are fought sector by sector, the highest number first, the centre last; then reputation is"
            " drawn, population attacked, control settled, and all damage repaired."
        ),
        N_("document, 5"),
    ),
    (
        "upkeep-phase",
        "phase",
        N_("Upkeep phase"),
        N_(
            "Colony ships may still land; then money income comes and the upkeep of the influence track is paid, then"
            " science and materials come in.  Who is short trades or leaves sectors."
        ),
        N_("document, 5"),
    ),
    (
        "cleanup-phase",
        "phase",
        N_("Cleanup phase"),
        N_(
            "New technologies come to the tray, action discs return to the influence track, cubes leave the"
            " graveyard, colony ships are ready again.  After the eighth round the game ends before it."
        ),
        N_("document, 5"),
    ),
    (
        "explore",
        "action",
        N_("Explore"),
        N_(
            "Choose an unexplored zone next to a sector of yours or one with an unpinned ship of yours, through a"
            " wormhole.  Draw from the stack of its ring and place the sector so that a whole wormhole connection"
            " arises, or discard it.  A sector without Ancients may be controlled at once, and its discovery is"
            " yours."
        ),
        N_("document, 5"),
    ),
    (
        "influence",
        "action",
        N_("Influence"),
        N_(
            "Ready up to two colony ships, then move up to two discs: between the track and sectors, into an"
            " uncontrolled sector connected to you and free of opponents' ships, or back.  A disc that leaves takes"
            " the sector's cubes with it."
        ),
        N_("document, 5"),
    ),
    (
        "research",
        "action",
        N_("Research"),
        N_(
            "Buy a technology from the tray with science.  Every technology you have on a track makes the next one"
            " there cheaper, down to its minimum; a track holds seven."
        ),
        N_("document, 5"),
    ),
    (
        "upgrade",
        "action",
        N_("Upgrade"),
        N_(
            "Place ship parts you have the technology for on your blueprints, removing as many as you like.  Energy"
            " must suffice, ships need a drive and starbases none, after every part."
        ),
        N_("document, 5"),
    ),
    (
        "build",
        "action",
        N_("Build"),
        N_(
            "Pay materials for ships, starbases, an orbital or a monolith in sectors you control.  A sector has one"
            " orbital and one monolith at most; figures are limited."
        ),
        N_("document, 5"),
    ),
    (
        "move",
        "action",
        N_("Move"),
        N_(
            "Each activation moves one ship as many sectors as its drives reach, through whole wormhole connections."
            "  Opponents' ships pin one of yours each where it starts or passes through; the centre's defence pins"
            " all."
        ),
        N_("document, 5"),
    ),
    (
        "pass",
        "action",
        N_("Pass"),
        N_(
            "The first to pass takes 2 money and begins the next round.  Afterwards one may react in one's turn: one"
            " activation of Upgrade, Build or Move for an influence disc."
        ),
        N_("document, 5"),
    ),
    (
        "diplomacy",
        "topic",
        N_("Diplomacy"),
        N_(
            "With four players or more, neighbours through a wormhole connection may exchange ambassadors, each with"
            " a population cube.  Who then moves in aggression becomes the Traitor: 2 points less and no new"
            " relations while holding the card."
        ),
        N_("document, 5"),
    ),
    (
        "trade",
        "topic",
        N_("Trade"),
        N_(
            "In your own turn and in upkeep, at any time and as often as you like: as many of one resource as your"
            " board says for one of another."
        ),
        N_("rulebook"),
    ),
    (
        "colony-ships",
        "topic",
        N_("Colony ships"),
        N_(
            "A ready colony ship brings one cube from the track of its kind to an empty square of a sector you"
            " control.  Advanced squares need their technology.  A longer empty stretch of the track is more income."
        ),
        N_("document, 5"),
    ),
    (
        "scoring",
        "topic",
        N_("Scoring"),
        N_(
            "Sectors and their monoliths, reputation tiles, ambassadors, technology tracks with four and more,"
            " discoveries kept for points, and what species count besides; the Traitor loses 2.  Ties go to the most"
            " resources in storage."
        ),
        N_("document, 6"),
    ),
)

EFFECTS: Final = {
    "neutron-bombs": N_("Ships destroy all cubes of an opponent's sector without a roll."),
    "wormhole-generator": N_("A wormhole on one side of a border is enough to explore, move and influence."),
    "artifact-key": N_("At once, for each artifact in your sectors: 5 of one resource."),
    "antimatter-splitter": N_("Damage of red cannon dice may be split among ships."),
    "neutron-absorber": N_("Neutron bombs do not harm your population."),
    "cloaking-device": N_("It takes two opposing ships to pin one of yours."),
    "warp-portal": N_("At once: place a warp portal in a sector you control; portals connect with each other."),
    "ancient-labs": N_("At once: draw a discovery tile and use or keep it."),
    "ancient-tech": N_("Take the cheapest technology of the tray that you lack and have room for; rare ones not."),
    "ancient-cruiser": N_("Place a cruiser in this sector for nothing."),
    "ancient-orbital": N_("Place an orbital in this sector and take its materials."),
    "ancient-monolith": N_("Place a monolith in this sector."),
    "ancient-warp-portal": N_("Place a warp portal in this sector."),
}

ABILITIES: Final = {
    "population-dies": N_("Its population dies without a roll where opponents' ships are left alone with it."),
    "second-sector": N_("Exploring, it may look at a second sector and keeps one of the two at most."),
    "ancient-friend": N_("It lives in peace with Ancients: no battle, no pinning, control in spite of them."),
    "controlled-sectors": N_("It scores a point for each sector it controls."),
    "ancients": N_("It scores a point for each Ancient left on the map."),
}

BUILDS: Final = {
    "starbase": N_("Starbases may be built."),
    "orbital": N_("Orbitals may be built: one more square, for money or science."),
    "monolith": N_("Monoliths may be built: 3 points each at the end."),
}


def entries() -> Iterator[Entry]:
    """Every entry, figures from the tables that are played with."""
    e = second()
    for word, kind, title, text, source in TOPICS:
        yield Entry(word, kind, _(title), _(text), _(source))
    for technology in e.technologies:
        yield Entry(technology.id, "technology", term(technology.id), _technology(technology), "")
    for part in e.parts:
        yield Entry(part.id, "part", term(part.id), _part(part, e), "")
    for discovery in e.discoveries:
        yield Entry(discovery.id, "discovery", term(discovery.id), _discovery(discovery), "")
    for species in e.species:
        yield Entry(species.id, "species", species.name, _species(species), "")
    yield from map(option_entry, OPTIONS)
    yield from map(ruling_entry, RULINGS)


def _technology(row: Technology) -> str:
    facts = [
        _("{category}, costs {cost}, at least {minimum}; tiles: {tiles}.").format(
            category=term(row.category), cost=row.cost, minimum=row.minimum, tiles=row.tiles
        )
    ]
    if row.part:
        facts.append(_("Unlocks the ship part of that name."))
    if row.builds:
        facts.append(_(BUILDS[row.builds]))
    if row.discs:
        facts.append(_("At once: influence discs, {discs}.").format(discs=row.discs))
    if row.action:
        facts.append(_("{action}: more activations, {extra}.").format(action=term(row.action), extra=row.extra))
    if row.advanced:
        squares = ", ".join(map(term, row.advanced))
        facts.append(_("Advanced squares may be populated: {squares}.").format(squares=squares))
    if row.effect:
        facts.append(_(EFFECTS[row.effect]))
    return " ".join(facts)


def _part(row: Part, e: Edition) -> str:
    figures: list[str] = []
    if row.dice:
        damage = e.constants.dice_damage[row.colour]
        figures.append(
            _("{dice} × {colour} die ({damage} damage)").format(dice=row.dice, colour=term(row.colour), damage=damage)
        )
    for template, value in (
        (_("computer {n:+}"), row.computer),
        (_("shield -{n}"), row.shield),
        (_("hull {n}"), row.hull),
        (_("drive {n}"), row.drive),
        (_("initiative {n:+}"), row.initiative),
        (_("energy {n:+}"), row.production - row.consumption),
    ):
        if value:
            figures.append(template.format(n=value))
    access = {
        "standard": _("Always at hand."),
        "technology": _("Needs the technology of that name."),
        "ancient": _("From a discovery tile."),
    }
    facts = [f"{term(row.kind)}: {', '.join(figures)}.", access[row.access]]
    if row.outside_grid:
        facts.append(_("Stays beside the blueprint and takes no slot."))
    return " ".join(facts)


def _discovery(row: Discovery) -> str:
    gains = [f"{term(name)} {n}" for name, n in _resources(row) if n]
    facts = [_("Tiles: {tiles}.").format(tiles=row.tiles)]
    if row.effect == "part":
        facts.append(_("The ship part {part}, placed at once or kept for a later upgrade.").format(part=term(row.part)))
    elif row.effect != "resources":
        facts.append(_(EFFECTS[row.effect]))
    if gains:
        facts.append(_("Take: {gains}.").format(gains=", ".join(gains)))
    facts.append(_("Or keep it face down for 2 points."))
    return " ".join(facts)


def _species(row: Species) -> str:
    technologies = ", ".join(map(term, row.technologies))
    facts = [
        _("Home sector {home}.").format(home=row.home),
        _("Begins with {resources}; technologies: {technologies}; a ship: {ship}.").format(
            resources=", ".join(f"{term(name)} {n}" for name, n in _resources(row)),
            technologies=technologies,
            ship=term(row.ship),
        ),
        _("Trades {trade} for 1.").format(trade=row.trade),
        _("Activations: {activations}.").format(
            activations=", ".join(f"{term(action)} {n}" for action, n in row.activations.items())
        ),
        _("Colony ships: {ships}; influence discs: {discs}.").format(ships=row.colony_ships, discs=row.discs),
        _("Builds for materials: {costs}.").format(
            costs=", ".join(f"{term(piece)} {n}" for piece, n in row.costs.items())
        ),
    ]
    facts += [_(ABILITIES[ability]) for ability in (*row.abilities, *row.scoring)]
    return " ".join(facts)


def _resources(row: Discovery | Species) -> tuple[tuple[str, int], ...]:
    return (("money", row.money), ("science", row.science), ("materials", row.materials))
