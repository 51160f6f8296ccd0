# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Eclipse, second edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from client.games.eclipse.reference.civil import CIVIL
from client.games.eclipse.reference.expansions import GALACTIC, WANDERERS
from client.games.eclipse.reference.war import WAR
from client.games.eclipse.wording import term
from client.system.texts import N_, _
from client.words.reference import Article
from engine.eclipse.catalog import Edition, second
from engine.eclipse.events.faces import event_sectors
from engine.eclipse.stats import CANNONS, COMPUTER, HULL, INITIATIVE, SHIELD
from engine.eclipse.tables import Discovery, Part, Sector, Species, Technology
from engine.eclipse.terms import ANCIENT, COLOURS, GCDS, MONOLITH, ORBITAL, PIECES, PLAYER_SHIPS, RARE, VARIANTS

EFFECTS: Final = {
    "neutron-bombs": N_("Ships destroy all cubes of an opponent's sector without a roll."),
    "wormhole-generator": N_("A wormhole on one side of a border is enough to explore, move and influence."),
    "artifact-key": N_("At once, for each artifact in your sectors: {artifact} of one resource."),
    "antimatter-splitter": N_("Damage of red cannon dice may be split among ships."),
    "neutron-absorber": N_("Neutron bombs do not harm your population."),
    "cloaking-device": N_("It takes two opposing ships to pin one of yours."),
    "warp-portal": N_("At once: place a warp portal in a sector you control; portals connect with each other."),
    "ancient-labs": N_("At once: draw a discovery tile and use or keep it."),
    "ancient-tech": N_("Take the cheapest technology of the tray that you lack and have room for."),
    "ancient-cruiser": N_("Place a cruiser in this sector for nothing."),
    "ancient-orbital": N_("Place an orbital in this sector and take its materials."),
    "ancient-monolith": N_("Place a monolith in this sector."),
    "ancient-warp-portal": N_("Place a warp portal in this sector."),
    "artifact-codex": N_("Keep it: at the end a point for each artifact in your sectors."),
    "ancient-might": N_("Keep it: at the end a point for every 3 points of your reputation tiles."),
}

ABILITIES: Final = {
    "population-dies": N_("Its population dies without a roll where opponents' ships are left alone with it."),
    "second-sector": N_("Exploring, it may look at a second sector and keeps one of the two at most."),
    "ancient-friend": N_("It lives in peace with Ancients: no battle, no pinning, control in spite of them."),
    "sealed-discovery": N_(
        "A discovery lies face down on its board and is turned over when a fourth technology lies on one track."
    ),
    "colony-resources": N_("Whenever it may trade it may flip a colony ship for one of any resource."),
    "shrines": N_("With each Research action it may place a shrine beside a planet."),
    "reroll": N_("In combat it may flip colony ships, each to roll one of its dice again."),
    "armed-orbitals": N_("Orbitals with its cubes are ships with the blueprint of its starbases, four at most."),
}

SCORING: Final = {
    "controlled-sectors": N_("It scores a point for each sector it controls."),
    "ancients": N_("It scores a point for each Ancient left on the map."),
    "ancient-parts": N_("It scores a point for each discovery tile that is a ship part of its own."),
    "shrines": N_("It scores a point for each shrine in its sectors."),
    "orbitals": N_("It scores a point for each orbital in its sectors."),
}

ADDED: Final = N_("Only with the option wanderers=on.")
COMPONENTS: Final = N_("components")

AGREED: Final = {
    "three": N_("three sources or more agree"),
    "two of three": N_("two of three sources agree"),
    "two": N_("two sources agree"),
    "one": N_("one source"),
    "ruled": N_("in part a ruling of this program"),
}
"""The texts for each level of confidence."""

PLACE_NAMES: Final = {
    "center": N_("The Galactic Center."),
    "inner": N_("Stack I, the inner ring."),
    "middle": N_("Stack II, the middle ring."),
    "outer": N_("Stack III, the outer zones."),
    "starting": N_("A home."),
    "guardian": N_("A Guardian sector: it lies in a starting zone that no player has."),
}

BUILDS: Final = {
    "starbase": N_("Starbases may be built."),
    "orbital": N_("Orbitals may be built: one more square, for money or science."),
    "monolith": N_("Monoliths may be built: {monolith} points each at the end."),
}


def entries() -> Iterator[Article]:
    """All articles, with the figures of the game's content."""
    e = second()
    more = second(wanderers=True)
    numbers = figures(more)
    for word, kind, title, text, source in (*CIVIL, *WAR, *GALACTIC, *WANDERERS):
        yield Article(word, kind, _(title), _(text).format_map(numbers), _(source))
    yield from components(e, (*e.sectors, *event_sectors()))
    for discovery in more.discoveries[len(e.discoveries) :]:
        yield _entry(discovery, "discovery", _discovery(discovery, rare=True, numbers=numbers))
    for species in more.species[len(e.species) :]:
        yield _entry(species, "species", f"{_species(species)} {_(ADDED)}")
    yield from map(_sector_entry, more.sectors[len(e.sectors) :])


def components(e: Edition, sectors: Iterable[Sector]) -> Iterator[Article]:
    """An article for every technology, part, piece, discovery, species and sector of an edition."""
    numbers = figures(e)
    for technology in e.technologies:
        yield _entry(technology, "technology", _technology(technology, numbers))
    for part in e.parts:
        yield _entry(part, "part", _part(part, e))
    for piece in (*PLAYER_SHIPS, ORBITAL, MONOLITH):
        yield Article(PIECES[piece], "piece", _name(PIECES[piece]), _piece(piece, e), _(COMPONENTS))
    for ship in (ship for ship in range(ANCIENT, GCDS + 1) if e.npc_stats[ship]):
        yield Article(PIECES[ship], "piece", _name(PIECES[ship]), _neutral(ship, e), _(COMPONENTS))
    for discovery in e.discoveries:
        yield _entry(discovery, "discovery", _discovery(discovery, RARE in e.category, numbers))
    for species in e.species:
        yield _entry(species, "species", _species(species))
    for sector in sectors:
        yield _sector_entry(sector)


def _sector_entry(sector: Sector) -> Article:
    title = f"{sector.number} {sector.name}".strip()
    return Article(sector.number, "sector", title, _sector(sector), _agreed(sector.confidence))


def _entry(row: Technology | Part | Discovery | Species, kind: str, text: str) -> Article:
    return Article(row.id, kind, _name(row.id), text, _agreed(row.confidence))


def _agreed(confidence: str) -> str:
    return f"{_(COMPONENTS)}; {_(AGREED[confidence])}"


def _name(id: str) -> str:
    name = term(id)
    return name[:1].upper() + name[1:]


def figures(e: Edition) -> dict[str, str]:
    """The figures that the articles quote."""
    numbers = e.constants
    rolled = {row.colour for row in e.parts}
    return {
        "rounds": str(numbers.rounds),
        "slots": str(numbers.technology_slots),
        "refreshed": str(numbers.colony_ship_refresh),
        "spaces": str(numbers.influence_spaces),
        "upkeep": _steps(numbers.upkeep),
        "income": _steps(e.income),
        "discounts": _steps(e.discounts),
        "points": ", ".join(map(str, e.technology_vp[4:])),
        "damage": ", ".join(f"{term(colour)} {numbers.dice_damage[colour]}" for colour in COLOURS if colour in rolled),
        "draws": ", ".join(f"{term(piece)} {count}" for piece, count in numbers.draws.items() if count),
        "most": str(numbers.most_draws),
        "least": min(numbers.reputation, key=int),
        "greatest": max(numbers.reputation, key=int),
        "squares": str(numbers.track_squares),
        "monolith": str(numbers.monolith_vp),
        "ambassador": str(numbers.ambassador_vp),
        "discovery": str(numbers.discovery_vp),
        "traitor": str(numbers.traitor_vp),
        "portal": str(numbers.portal_technology_vp),
        "ancient_portal": str(numbers.portal_discovery_vp),
        "pass_money": str(numbers.pass_money),
        "artifact": str(numbers.artifact_key),
        "players": _either(tuple(e.setups)),
        "outer": _either([setup.outer_sectors for setup in e.setups.values()]),
        "technologies": _either([setup.technologies for setup in e.setups.values()]),
        "new": _either([setup.new_technologies for setup in e.setups.values()]),
        "shrines": "; ".join(f"{term(row.resource)} {_listed(row.costs)}" for row in e.shrine_rows),
    }


def _listed(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))


def _steps(values: Sequence[int]) -> str:
    """A track from its first value on."""
    return " ".join(map(str, values))


def _technology(row: Technology, numbers: Mapping[str, str]) -> str:
    facts = [
        _("{category}, costs {cost}, at least {minimum}; tiles: {tiles}.").format(
            category=term(row.category), cost=row.cost, minimum=row.minimum, tiles=row.tiles
        )
    ]
    if row.part:
        facts.append(_("Unlocks the ship part of that name."))
    if row.builds:
        facts.append(_(BUILDS[row.builds]).format_map(numbers))
    if row.discs:
        facts.append(_("At once: influence discs, {discs}.").format(discs=row.discs))
    if row.action:
        facts.append(_("{action}: more activations, {extra}.").format(action=term(row.action), extra=row.extra))
    if row.advanced:
        squares = ", ".join(map(term, row.advanced))
        facts.append(_("Advanced squares may be populated: {squares}.").format(squares=squares))
    if row.effect:
        facts.append(_(EFFECTS[row.effect]).format_map(numbers))
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


def _discovery(row: Discovery, rare: bool, numbers: Mapping[str, str]) -> str:
    gains = [f"{term(name)} {n}" for name, n in _resources(row) if n]
    facts = [_("Tiles: {tiles}.").format(tiles=row.tiles)]
    if row.effect == "part":
        facts.append(_("The ship part {part}, placed at once or kept for a later upgrade.").format(part=term(row.part)))
    elif row.effect != "resources":
        facts.append(_(EFFECTS[row.effect]).format_map(numbers))
    if row.effect == "ancient-tech" and rare:
        facts.append(_("Rare ones do not count."))
    if gains:
        facts.append(_("Take: {gains}.").format(gains=", ".join(gains)))
    facts.append(_("Or keep it face down for {discovery} points.").format_map(numbers))
    return " ".join(facts)


def _species(row: Species) -> str:
    begins = _("Begins with {resources}; technologies: {technologies}; a ship: {ship}.")
    plain = _("Begins with {resources}, without technologies; a ship: {ship}.")
    facts = [
        _("Home sector {home}.").format(home=row.home),
        (begins if row.technologies else plain).format(
            resources=", ".join(f"{term(name)} {n}" for name, n in _resources(row)),
            technologies=", ".join(map(term, row.technologies)),
            ship=term(row.ship),
        ),
        _("Trades {trade} for 1.").format(trade=row.trade),
        *([_("With the option magellan-trade=2 it trades 2 for 1.")] if row.audit_trade else []),
        _("Activations: {activations}.").format(
            activations=", ".join(f"{term(action)} {n}" for action, n in row.activations.items())
        ),
        _("Colony ships: {ships}; influence discs: {discs}.").format(ships=row.colony_ships, discs=row.discs),
        _("Builds for materials: {costs}.").format(
            costs=", ".join(f"{term(piece)} {n}" for piece, n in row.costs.items() if n)
        ),
    ]
    facts += [_(ABILITIES[ability]) for ability in row.abilities]
    facts += [_(SCORING[way]) for way in row.scoring]
    return " ".join(facts)


def _resources(row: Discovery | Species) -> tuple[tuple[str, int], ...]:
    return (("money", row.money), ("science", row.science), ("materials", row.materials))


def _piece(piece: int, e: Edition) -> str:
    """A ship of players, or a structure: its price, its supply and its blueprint."""
    costs = sorted({row[piece] for row in e.build_cost})
    facts = [_("Costs materials: {costs}, by species.").format(costs=_either(costs))]
    needs = e.allowed_by[piece]
    if needs >= 0:
        facts.append(_("Needs the technology {technology}.").format(technology=term(e.technology_ids[needs])))
    if piece == ORBITAL:
        facts.append(_("One a sector; one more square, for money or science."))
    elif piece == MONOLITH:
        points = e.constants.monolith_vp
        facts.append(
            _("One a sector; {points} points at the end for the player who controls it.").format(points=points)
        )
    else:
        slots = sorted({len(row[piece]) for row in e.printed})
        starts = sorted({row[piece][INITIATIVE] for row in e.base_stats})
        facts.append(
            _("Each player has {n}; slots: {slots}; initiative: {initiative}, by species.").format(
                n=e.supply[piece], slots=_either(slots), initiative=_either(starts)
            )
        )
    return " ".join(facts)


def _either(values: Sequence[int]) -> str:
    return "/".join(map(str, values))


def _neutral(ship: int, e: Edition) -> str:
    """A neutral ship, with its blueprints."""
    facts = [_("Figures: {n}.").format(n=e.supply[ship])]
    for variant, can in zip(VARIANTS, e.npc_stats[ship], strict=False):
        weapons = [
            f"{count} × {term(COLOURS[at % len(COLOURS)])} ({term('cannon' if at < len(COLOURS) else 'missile')})"
            for at, count in enumerate(can[CANNONS:])
            if count
        ]
        facts.append(
            _(
                "{variant}: initiative {initiative}, computer {computer}, shield {shield}, hull {hull}, {weapons}."
            ).format(
                variant=_name(variant),
                initiative=can[INITIATIVE],
                computer=can[COMPUTER],
                shield=can[SHIELD],
                hull=can[HULL],
                weapons=", ".join(weapons),
            )
        )
    return " ".join(facts)


def _sector(row: Sector) -> str:
    """A sector face: points, squares, wormholes and contents."""
    facts = [
        _(PLACE_NAMES[row.place]),
        _("Points: {points}; squares: {squares}; wormholes: {edges}.").format(
            points=row.vp,
            squares=", ".join(map(term, row.population)) or _("none"),
            edges=", ".join(row.wormholes) or _("none"),
        ),
    ]
    for text, count in (
        (_("Discoveries: {n}."), row.discoveries),
        (_("Ancients: {n}."), row.ancients),
        (_("Artifacts: {n}."), row.artifacts),
    ):
        if count:
            facts.append(text.format(n=count))
    if row.warp_portal:
        facts.append(_("Warp portal."))
    return " ".join(facts)
