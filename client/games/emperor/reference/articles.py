# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Galactic Emperor: articles, with the figures of the game's content.

Many values of this game are reconstructions; each article of a table row states the confidence of its values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from client.games.emperor.wording import term
from client.system.texts import N_, NN_, _, counted
from client.words import DisplayNames
from client.words.reference import Article
from client.words.sure import SURE
from engine.emperor.catalog import ROWS
from engine.emperor.tables import Content, Numbers, Technology, Tile, Unit

FIGURES: Final = {
    "radius": N_("Spaces from the middle to the rim"),
    "homes": N_("Homes by seat, for so many players"),
    "empires": N_("Empire tokens of each player, for so many players"),
    "pool": N_("Points in the pool, for so many players"),
    "marks": N_("Marks at the start"),
    "metal": N_("Metal at the start"),
    "energy": N_("Energy at the start"),
    "fighters": N_("Fighters on the home at the start"),
    "metal_room": N_("Room for metal in a storage"),
    "energy_room": N_("Room for energy in a storage"),
    "food_room": N_("Room for food on a generating sector"),
    "extra_tiles": N_("Tiles face up beyond one for each player"),
    "shown": N_("Technologies of each type face up"),
    "round_marks": N_("Marks for everybody at the end of a round"),
    "merchant_marks": N_("Marks for the chooser of the Merchant"),
    "market_dice": N_("Dice of the Merchant"),
    "influence": N_("Influence that everybody draws in the Regent"),
    "influence_price": N_("Marks for one more influence"),
    "influence_step": N_("Marks that each purchase of influence adds to its price"),
    "full_storage": N_("Points for a full storage"),
    "most_marks": N_("Points for most Marks"),
    "most_marks_tied": N_("Points for most Marks when they are shared"),
    "battle": N_("Points for a battle won against a token"),
    "planet": N_("Points for each planet"),
    "duels": N_("How often a tie for the first place is fought at most"),
    "prices.food": N_("Marks for food, by a die of 1 to 6"),
    "prices.metal": N_("Marks for metal, by a die of 1 to 6"),
    "prices.energy": N_("Marks for energy, by a die of 1 to 6"),
}
"""The titles of numbers, by their keys in the tables."""

COLUMNS: Final = {
    "supply": N_("how many there are"),
    "marks": N_("Marks"),
    "energy": N_("energy"),
    "move": N_("move"),
    "dice": N_("dice"),
    "hits": N_("what hits"),
    "phase": N_("phase"),
}
"""The titles of columns in the table of units."""


def figures(numbers: Numbers) -> Iterator[Article]:
    """An article for each number outside the table of units."""
    for key, title in FIGURES.items():
        name, _dot, part = key.partition(".")
        value = getattr(numbers, name)
        word = f"price-of-{part}" if part else key.replace("_", "-")
        text = _("Value: {value}").format(value=_shown(getattr(value, part) if part else value))
        yield Article(word, "figure", _(title), text, _(SURE[numbers.confidence[key]]))


def _shown(value: object) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "; ".join(f"{players}: {_shown(each)}" for players, each in dict(value).items())  # type: ignore[call-overload]


def unit_text(row: Unit, numbers: Numbers) -> str:
    """The stats of a ship or token, and the confidence of each number."""
    facts = [
        _("Fires in phase {phase}; dice: {dice}, each hits on {hits} or more.").format(
            phase=row.phase, dice=row.dice, hits=row.hits
        )
    ]
    columns = list(COLUMNS)
    if row.supply:
        facts.append(
            _("Each player has {supply}; price: Marks {marks}, energy {energy}; moves {move}.").format(
                supply=row.supply, marks=row.marks, energy=row.energy, move=row.move
            )
        )
    else:
        columns = ["dice", "hits", "phase"]
    by_sureness = {
        sure: [_(COLUMNS[column]) for column in columns if numbers.confidence[f"unit.{column}"] == sure]
        for sure in SURE
    }
    told = [f"{_(SURE[sure])} ({', '.join(names)})" for sure, names in by_sureness.items() if names]
    facts.append(_("How sure: {told}.").format(told="; ".join(told)))
    return " ".join(facts)


ARTICLES: Final = (
    (
        "course",
        "phase",
        N_("The round"),
        N_(
            "The Throne's holder points the Direction, then everybody in that order chooses a role; each role is played"
            " by all, the chooser first and with an ability of his own. Afterwards a tile is turned up if nobody chose"
            " the Explorer, the cards go back and everybody gains {round_marks} Marks."
        ),
        N_("document, 4"),
    ),
    (
        "explorer",
        "action",
        N_("Explorer"),
        N_(
            "Everybody selects a face-up tile and puts it on any empty space. The chooser may claim the sector of his"
            " tile with an Empire token, and places what is left. When no tile remains the card becomes a second"
            " Warlord."
        ),
        N_("document, 5"),
    ),
    (
        "merchant",
        "action",
        N_("Merchant"),
        N_(
            "The chooser gains {merchant_marks} Marks, rolls {market_dice} dice and puts one aside: the lowest prices"
            " food ({food}, by the die), the next metal ({metal}), the highest energy ({energy}). Everybody harvests"
            " food, trades metal and energy, lays food on generating sectors ({food_room} at most) and sells the rest."
        ),
        N_("document, 5"),
    ),
    (
        "steward",
        "action",
        N_("Steward"),
        N_(
            "The chooser takes one metal or energy. Everybody's generating sectors may each spend one food and yield"
            " all their metal and energy; what does not fit into storage is lost."
        ),
        N_("document, 5"),
    ),
    (
        "engineer",
        "action",
        N_("Engineer"),
        N_("The chooser deploys a Fighter for nothing. Everybody builds ships at Starbases and at home."),
        N_("document, 5"),
    ),
    (
        "warlord",
        "action",
        N_("Warlord"),
        N_(
            "Everybody moves ships, claims free planets where they stand, then fights. The chooser rolls an extra die"
            " for one ship in each battle that he starts. Nobody enters Suns or the homes of others."
        ),
        N_("document, 5"),
    ),
    (
        "regent",
        "action",
        N_("Regent"),
        N_(
            "Everybody draws {influence} tokens and may buy one more for {influence_price} Marks, dearer with each"
            " purchase. In order, the chooser last, they go to planets or the Throne. In each place the strongest is"
            " left with what he has more than the second: one is an Empire, more a Starbase. Then every planet scores"
            " {planet}."
        ),
        N_("document, 5"),
    ),
    (
        "scientist",
        "action",
        N_("Scientist"),
        N_("Everybody may buy one technology that lies face up; the chooser pays one energy less."),
        N_("document, 5"),
    ),
    (
        "combat",
        "topic",
        N_("Combat"),
        N_(
            "Units fire phase by phase ({phases}), both sides at once; whoever is hit chooses the units. After each"
            " phase the attacker may retreat to where the ships came from. A Dreadnought and a Starbase take two hits."
            " An attacker who wins against a token scores {battle}."
        ),
        N_("document, 5"),
    ),
    (
        "black-hole-warp",
        "topic",
        N_("The Black Hole"),
        N_(
            "Whoever selects it swaps it for Omega Sun in the middle, and the Scientist leaves the game. Ships in it"
            " may warp in a later Warlord to any sector that is no home and no Sun; into a battle they fire once"
            " before it, and they cannot retreat."
        ),
        N_("document, 5"),
    ),
    (
        "storage",
        "topic",
        N_("Storage"),
        N_("A storage holds {metal_room} metal and {energy_room} energy; food is never stored."),
        N_("document, 7"),
    ),
    (
        "end",
        "topic",
        N_("The end"),
        N_(
            "The game ends with the role in which somebody places the last Empire token or the last point is taken."
            " After an Explorer or a Warlord planets score once more, a full storage {full_storage}, most Marks"
            " {most_marks} ({most_marks_tied} each when shared). A tie for the first place is fought out."
        ),
        N_("document, 6"),
    ),
)
"""Word, kind, title, text, source."""

MAP: Final = N_(
    "{spaces} spaces in {rows} rows, a in the north to {south} in the south, each numbered from the west: {middle} is"
    " the middle. Where the homes lie stands in the figure homes."
)
"""The article of the map, with the confidence of its size."""

EFFECTS: Final = {
    "time-warp": N_("Right after a roll of prices or fire: roll one die again."),
    "diplomatic-corps": N_("Draw {amount} influence."),
    "colony-pods": NN_(
        "Pay {marks} Mark to claim the tile you placed.", "Pay {marks} Marks to claim the tile you placed.", "marks"
    ),
    "propaganda": N_("Your extra influence costs {marks} and does not raise the price."),
    "hydroponics": N_("{amount} food more in your harvest."),
    "trade-guild": N_("The price of one resource is {amount} lower or higher for you, both ways."),
    "robotics": N_("One of your sectors produces without food."),
    "modular-hulls": NN_(
        "One ship costs {amount} energy and {marks} Mark less.",
        "One ship costs {amount} energy and {marks} Marks less.",
        "marks",
    ),
    "saboteurs": N_("A technology that another player uses has no effect."),
    "fusion-drive": N_("Your ships move {amount} further."),
    "targeting-computers": N_("In one battle your Cruisers hit on {amount}."),
    "deflector-shields": N_("In one battle the first hits on you do not count: {amount}."),
}

KINDS: Final = {
    "empty": N_("Empty space."),
    "sun": N_("A Sun: ships cannot enter."),
    "home": N_("A home."),
    "centre": N_("The Sun in the middle."),
    "black-hole": N_("It may replace Omega Sun."),
}


def entries(content: Content, display_names: DisplayNames) -> Iterator[Article]:
    """All articles, with the table's display names of tiles and technologies."""
    quoted = _quoted(content.numbers)
    for word, kind, title, text, source in ARTICLES:
        yield Article(word, kind, _(title), _(text).format_map(quoted), _(source))
    sure = SURE[content.numbers.confidence["radius"]]
    yield Article("map", "topic", _("The map"), _(MAP).format_map(quoted), _(sure))
    yield from figures(content.numbers)
    for technology in content.technologies:
        sure, named = _(SURE[technology.confidence]), _("Its name: {sure}.").format(sure=_(SURE[technology.named]))
        text = f"{technology_text(technology)} {named}"
        yield Article(technology.id, "technology", display_names(technology.id), text, sure)
    for unit in content.numbers.unit:
        yield Article(unit.id, "piece", term(unit.id), unit_text(unit, content.numbers), _("document, 5"))
    for tile in content.tiles:
        yield Article(tile.id, "sector", display_names(tile.id), tile_text(tile), _(SURE[tile.confidence]))


def _quoted(numbers: Numbers) -> dict[str, str]:
    """The figures that the articles quote."""
    plain = {name: str(getattr(numbers, name)) for name in numbers.confidence if "." not in name}
    prices = {name: " ".join(map(str, getattr(numbers.prices, name))) for name in ("food", "metal", "energy")}
    fire = [[term(unit.id) for unit in numbers.unit if unit.phase == phase] for phase in (1, 2, 3)]
    phases = "; ".join(f"{phase}: {', '.join(units)}" for phase, units in enumerate(fire, 1) if units)
    radius = numbers.radius
    board = {
        "spaces": str(1 + 3 * radius * (radius + 1)),
        "rows": str(1 + 2 * radius),
        "south": ROWS[2 * radius],
        "middle": f"{ROWS[radius]}{1 + radius}",
    }
    return {**plain, **prices, **board, "phases": phases}


def technology_text(row: Technology) -> str:
    """The price and effect of a technology."""
    costs = _("{type}, costs metal {metal}, energy {energy}; used: {role}.").format(
        type=term(row.type), metal=row.metal, energy=row.energy, role=term(row.role)
    )
    return f"{costs} {effect_text(row)}"


def effect_text(row: Technology) -> str:
    """The effect of a technology for its owner."""
    figures = {"amount": str(row.amount), "marks": str(row.marks)}
    return counted(EFFECTS[row.effect], figures).format_map(figures)


def tile_text(row: Tile) -> str:
    """The face of a tile in words."""
    facts = [_(KINDS[row.kind])] if row.kind in KINDS else []
    for food, metal, energy in row.planets:
        icons = ", ".join(
            f"{term(name)} {n}" for name, n in (("food", food), ("metal", metal), ("energy", energy)) if n
        )
        facts.append(_("A planet: {icons}.").format(icons=icons))
    return " ".join(facts)
