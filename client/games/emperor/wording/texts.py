# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of Galactic Emperor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import N_, NC_, NN_, ngettext
from engine.emperor.tables import Technology

EVENTS: Final[dict[str, str]] = {
    "control/claimed": N_("{seat} claims {space} ({how}); tokens left: {reserve}."),
    "control/displaced": N_("Ships of {seat} leave {space} for {to}: {ships}."),
    "duel/begins": N_("A tie: the fleets of {seats} fight for the throne."),
    "duel/losses": N_("{seat} loses in the battle for the throne: {units}."),
    "duel/split": N_("The battle decides nothing; by sectors and Marks the winner is {seats}."),
    "duel/won": N_("{seat} wins the battle for the throne."),
    "engineer/built": N_("{seat} builds at {space}: {ship} (Marks {marks}, metal {metal}, energy {energy})."),
    "engineer/fighter": N_("{seat} deploys a free Fighter at {space}."),
    "explorer/black-hole": N_(
        "{seat} takes the Black Hole: it replaces Omega Sun at {space}, and the Scientist leaves the game."
    ),
    "explorer/flipped": N_("No tiles remain: the Explorer becomes a second Warlord."),
    "explorer/placed": N_("{seat} places {tile} at {space}."),
    "explorer/turned-up": N_("Turned up: {tiles}."),
    "game/ending": N_("The game ends with this role ({role}): {why}."),
    "merchant/guild": N_("{trade-guild}: for {seat} the price of {resource} is {price}."),
    "merchant/prices": N_("Prices in Marks: food {food}, metal {metal}, energy {energy} (put aside: {discarded})."),
    "merchant/rolled": NN_(
        "{seat} gains {marks} Mark and rolls {dice}.", "{seat} gains {marks} Marks and rolls {dice}.", "marks"
    ),
    "merchant/traded": N_(
        "{seat} harvests {food} food; metal {metal}, energy {energy}, Marks {marks}; food laid: {laid}."
    ),
    "regent/bought": NN_(
        "{seat} buys influence for {marks} Mark.", "{seat} buys influence for {marks} Marks.", "marks"
    ),
    "regent/drew": N_("{seat} draws influence: {tokens}."),
    "regent/exerted": N_("{seat} places influence: {places}; back: {back}."),
    "regent/nobody": N_("{space}: {strengths} – nobody is left there."),
    "regent/scored": N_("{seat} scores {points} for planets."),
    "regent/throne-falls": N_("Nobody wins the Throne: it goes to {seat}."),
    "regent/throne-won": N_("{seat} wins the Throne."),
    "regent/won": N_("{space}: {strengths} – {seat} is left with {left}."),
    "role/chosen": N_("{seat} chooses the role {role}."),
    "scientist/bought": N_("{seat} buys {technology} (metal {metal}, energy {energy})."),
    "scientist/shown": N_("New technologies: {technologies}."),
    "score/counted": NN_(
        "{seat}: {play} point in play, planets {planets}, storage {storage}, Marks {marks}.",
        "{seat}: {play} points in play, planets {planets}, storage {storage}, Marks {marks}.",
        "play",
    ),
    "steward/cube": N_("{seat} takes a free cube: {resource}."),
    "steward/produced": N_("{seat} produces at {space}: metal {metal}, energy {energy}, lost {lost}."),
    "technology/rerolled": N_("{time-warp} of {seat}: die {die} was {before} and is {after}."),
    "technology/sabotaged": N_("{saboteurs} of {by}: {technology} has no effect for {seat}."),
    "technology/used": N_("{seat} uses {technology}."),
    "throne/direction": N_("{seat} points the Direction to {direction}."),
    "throne/drawn": N_("{seat} receives the Throne."),
    "handicap/paid": NN_(
        "{seat} gains {marks} Mark more as a handicap.", "{seat} gains {marks} Marks more as a handicap.", "marks"
    ),
    "round/throne": N_("Round {round}; {seat} has the Throne."),
    "throne/round-ends": NN_(
        "The round ends: everybody gains {marks} Mark.", "The round ends: everybody gains {marks} Marks.", "marks"
    ),
    "warlord/battle": N_("Battle at {space}: {attacker} ({ships}) attacks {defender} ({against})."),
    "warlord/both-gone": N_("Nobody is left at {space}."),
    "warlord/losses": N_("{seat} loses at {space}: {units}."),
    "warlord/moved": N_("{seat} moves: {ship}, {way}."),
    "warlord/retreated": N_("{seat} retreats from {space}: {ships}."),
    "warlord/rolled": N_("Phase {phase}: {dice}."),
    "warlord/shielded": N_("{deflector-shields} of {seat} stop hits: {hits}."),
    "warlord/warped": N_("{seat} warps from {space} to {to}: {ship}."),
    "warlord/won": N_("{seat} holds {space}; points: {points}."),
}

REFUSALS: Final[dict[str, str]] = {
    "content/back": N_("{path}: a tile of kind {0} has no back {1}: plain or atomic, none for the two of the middle."),
    "content/effect-twice": N_("{path}: the effect {0} stands twice; one technology may have it."),
    "content/homes": N_("{path}: name {0} different spaces of the map, none of them the middle."),
    "content/id": N_("{path}: an id has 3 to {0} letters a to z and digits, with single hyphens between them."),
    "content/id-twice": N_("{path}: the id {0} stands twice among tiles and technologies."),
    "content/name": N_("{path}: a name has 1 to {0} printable characters."),
    "content/players": N_("{path}: give one value for each of {all} players."),
    "content/range": N_("{path} is {0}; from {1} to {2} is possible."),
    "content/role": N_("{path}: the effect {0} is used in the role {1}."),
    "content/tile-kinds": NN_(
        "{path}: {1} tile of kind {0}; there are {2}.", "{path}: {1} tiles of kind {0}; there are {2}.", "1"
    ),
    "content/tiles": NN_(
        "{path}: {0} tile; the map takes {1}, the Black Hole among them.",
        "{path}: {0} different tiles; the map takes {1}, the Black Hole among them.",
        "0",
    ),
    "content/units": N_("{path}: name each of these once: {all}."),
    "engineer/no-starbase": N_("{0} has no Starbase."),
    "engineer/none-left": N_("None is left in reserve: {0}."),
    "engineer/too-expensive": N_("It takes {1} {2}; you have {3}."),
    "explorer/not-empty": N_("{0} has a tile: {1}."),
    "explorer/sun-on-ships": N_("Ships stand at {0}, and there are other spaces for a Sun."),
    "merchant/no-room": N_("Your storage has room for {1} more: {0}."),
    "merchant/too-expensive": NN_(
        "It takes {1} Mark; with all that you can sell you have {2}.",
        "It takes {1} Marks; with all that you can sell you have {2}.",
        "1",
    ),
    "regent/foreign-ships": N_("Only ships of others stand at {0}."),
    "regent/home": N_("{0} is a home: no influence there."),
    "regent/no-planet": N_("There is no planet at {0}."),
    "regent/no-token": N_("You have no token in reserve."),
    "regent/too-expensive": NN_(
        "The token costs {0} Mark; you have {1}.", "The token costs {0} Marks; you have {1}.", "0"
    ),
    "role/not-in-the-game": N_("This role is not in the game: {0}."),
    "role/used": N_("This role has been chosen in this round: {0}."),
    "scientist/not-shown": N_("This technology does not lie face up: {0}."),
    "scientist/too-expensive": N_("It takes {2} {1}; you have {3}."),
    "steward/no-room": N_("Your storage is full: {0}."),
    "technology/not-ready": N_("You do not have this technology ready: {0}."),
    "warlord/enemy-home": N_("{0} is the home of another player."),
    "warlord/sun": N_("{0} is a Sun."),
    "warlord/untiled": N_("{0} has no tile."),
}

PROMPTS: Final[dict[str, str]] = {
    "build-ship": N_("Build a ship, or stop?"),
    "buy-influence": NN_("Buy one more token for {cost} Mark?", "Buy one more token for {cost} Marks?", "cost"),
    "buy-technology": N_("Which technology do you buy?"),
    "choose-role": N_("Which role do you choose?"),
    "claim-sector": N_("Put an Empire token on a sector where your ships stand?"),
    "claim-tile": N_("Claim {space} with an Empire token?"),
    "deploy-fighter": N_("Where does your free Fighter go?"),
    "discard": N_("Which die do you put aside: {dice}?"),
    "exert": N_("You have {tokens} influence: where does each token go? What is not placed goes back to your reserve."),
    "extra-die": N_("Battle at {space}: which kind of ship rolls the extra die?"),
    "free-cube": N_("Which cube do you take?"),
    "losses": N_("You are hit ({hits}): which unit takes each hit?"),
    "move-ship": N_("Move a ship, or stop: which one, and where?"),
    "name-resource": N_("Use {trade-guild}: for what, cheaper or dearer?"),
    "next-battle": N_("Which battle is fought next?"),
    "place-tile": N_("Which tile do you place, and where?"),
    "point-direction": N_("To which side does the Direction point? (left is clockwise)"),
    "produce": N_("Which sectors spend a food to produce?"),
    "reroll": N_("{time-warp}: which die is rolled again (1 is the first)?"),
    "retreat": N_("Battle at {space}, phase {phase} is over: go on or retreat?"),
    "run-free": N_("{robotics}: which sector produces without food?"),
    "sabotage": N_("{by} uses {technology}: stop it by {saboteurs}?"),
    "shelter": N_("Your ships must leave {space}: for which Starbase?"),
    "trade": N_(
        "You harvest {food} food; prices (food, metal, energy): {prices}. Metal, energy, then food to lay?"
        " Food that you do not lay is sold."
    ),
    "use-technology": N_("Use {technology}?"),
}

TERMS: Final[dict[str, str]] = {
    "anvil": N_("Anvil"),
    "anytime": N_("anytime"),
    "auric-hold": N_("Auric Hold"),
    "battle": N_("battle"),
    "black-hole": N_("Black Hole"),
    "blue": N_("blue"),
    "brook-and-barrow": N_("Brook and Barrow"),
    "build": N_("build"),
    "calidra": N_("Calidra"),
    "cinder-sun": N_("Cinder Sun"),
    "claim": N_("claim"),
    "colony-pods": N_("Colony Pods"),
    "coronal-watch": N_("Coronal Watch"),
    "cruiser": N_("cruiser"),
    "damaged": N_("damaged dreadnought"),
    "deepcut": N_("Deepcut"),
    "deflector-shields": N_("Deflector Shields"),
    "diplomatic-corps": N_("Diplomatic Corps"),
    "dreadnought": N_("dreadnought"),
    "ember-sun": N_("Ember Sun"),
    "empire": N_("Empire"),
    "empires": N_("Empire tokens"),
    "energy": N_("energy"),
    "engineer": N_("Engineer"),
    "explore": N_("explore"),
    "explorer": N_("Explorer"),
    "far-silence": N_("Far Silence"),
    "ferrum-low": N_("Ferrum Low"),
    "fighter": N_("fighter"),
    "food": N_("food"),
    "forge-and-flare": N_("Forge and Flare"),
    "fusion-drive": N_("Fusion Drive"),
    "girder": N_("Girder"),
    "granary-prime": N_("Granary Prime"),
    "hearth-and-meadow": N_("Hearth and Meadow"),
    "hollow-gulf": N_("Hollow Gulf"),
    "hydroponics": N_("Hydroponics"),
    "industry": N_("industry"),
    "influence": NC_("Emperor", "influence"),
    "kestrel-pair": N_("Kestrel Pair"),
    "left": N_("the left"),
    "long-dark": N_("Long Dark"),
    "lumen-deep": N_("Lumen Deep"),
    "marks": N_("Marks"),
    "merchant": N_("Merchant"),
    "metal": N_("metal"),
    "military": N_("military"),
    "modular-hulls": N_("Modular Hulls"),
    "mossgate": N_("Mossgate"),
    "move": N_("move"),
    "oatha": N_("Oatha"),
    "omega-sun": N_("Omega Sun"),
    "title/bonuses": N_("Bonuses after a Regent"),
    "title/bonuses=document": N_("as in the document"),
    "title/bonuses=always": N_("always"),
    "title/ship-costs": N_("Price of ships"),
    "title/ship-costs=marks": N_("in Marks"),
    "title/ship-costs=metal": N_("in metal"),
    "title/suns": N_("Suns"),
    "title/suns=impassable": N_("impassable"),
    "title/suns=jump": N_("passed at no cost"),
    "title/untiled": N_("Spaces without a tile"),
    "title/untiled=open": N_("may be entered"),
    "title/untiled=closed": N_("may not be entered"),
    "option/bonuses": N_(
        "Whether full storage and most Marks score after a Regent too: as in the document, or always."
    ),
    "option/handicap": N_(
        "Help for players who learn: how many more Marks each seat gets in each round. 3,0,0 gives the first of three"
        " seats 3."
    ),
    "option/ship-costs": N_("What ships are paid in besides energy: marks or metal."),
    "option/suns": N_("Whether Suns bar the way, or are passed at no cost."),
    "option/untiled": N_("Whether ships may enter spaces without a tile."),
    "orange": N_("orange"),
    "orrin-and-shade": N_("Orrin and Shade"),
    "pale-drift": N_("Pale Drift"),
    "points": N_("points"),
    "pool": N_("the last point is taken"),
    "propaganda": N_("Propaganda"),
    "quiet-reach": N_("Quiet Reach"),
    "red": N_("red"),
    "regent": N_("Regent"),
    "research": N_("research"),
    "right": N_("the right"),
    "robotics": N_("Robotics"),
    "rustfield": N_("Rustfield"),
    "saboteurs": N_("Saboteurs"),
    "science": N_("science"),
    "scientist": N_("Scientist"),
    "slagholm": N_("Slagholm"),
    "sowers-rest": N_("Sower's Rest"),
    "sparkwell": N_("Sparkwell"),
    "starbase": N_("starbase"),
    "steward": N_("Steward"),
    "still-veil": N_("Still Veil"),
    "tamber": N_("Tamber"),
    "targeting-computers": N_("Targeting Computers"),
    "thalos": N_("Thalos"),
    "throne": N_("the Throne"),
    "tillerfall": N_("Tillerfall"),
    "time-warp": N_("Time Warp"),
    "tokens": N_("the last Empire token is placed"),
    "trade-guild": N_("Trade Guild"),
    "twin-lodes": N_("Twin Lodes"),
    "verdance": N_("Verdance"),
    "vioress": N_("Vioress"),
    "voltane": N_("Voltane"),
    "warlord": N_("Warlord"),
    "warlord-2": N_("second Warlord"),
    "yellow": N_("yellow"),
    "ysmere": N_("Ysmere"),
}


ROLLS: Final[Mapping[str, str]] = {
    "fire": N_("battle dice"),
    "market": N_("market dice"),
    "technologies": N_("technologies"),
    "throne": N_("the Throne"),
    "tiles": N_("tiles drawn"),
    "time-warp": N_("Time Warp"),
}


def price(card: Technology) -> str:
    """The price of claiming a sector by a card."""
    return ngettext("{marks} Mark", "{marks} Marks", card.marks).format(marks=card.marks) if card.marks else ""
