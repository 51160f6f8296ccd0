# SPDX-License-Identifier: GPL-3.0-or-later
"""Written articles of the reference of Eclipse: the course of the game, actions, economy, scoring.

Each row is word, kind, title, text and source: a section of the rule document, of the publisher's rulebook, or of an
audit against it. Figures in braces are filled in from the game's content.
"""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

CIVIL: Final = (
    (
        "action-phase",
        "phase",
        N_("Action phase"),
        N_(
            "Clockwise from the start player everybody takes one action or passes, until all have passed. An action"
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
            " science and materials come in. A player short of money trades or abandons sectors."
        ),
        N_("document, 5"),
    ),
    (
        "cleanup-phase",
        "phase",
        N_("Cleanup phase"),
        N_(
            "New technologies come to the tray, action discs return to the influence track, cubes leave the"
            " graveyard, colony ships are ready again. After the eighth round the game ends before it."
        ),
        N_("document, 5"),
    ),
    (
        "explore",
        "action",
        N_("Explore"),
        N_(
            "Choose an unexplored zone next to a sector of yours or one with an unpinned ship of yours, through a"
            " wormhole. Draw from the stack of its ring and place the sector so that a whole wormhole connection"
            " arises, or discard it. A sector without Ancients may be controlled at once, and its discovery is"
            " yours."
        ),
        N_("document, 5"),
    ),
    (
        "influence",
        "action",
        N_("Influence"),
        N_(
            "Ready up to {refreshed} colony ships, then move up to two discs: between the track and sectors, into an"
            " uncontrolled sector connected to you and free of opponents' ships, or back. A disc that leaves takes"
            " the sector's cubes with it."
        ),
        N_("document, 5"),
    ),
    (
        "research",
        "action",
        N_("Research"),
        N_(
            "Buy a technology from the tray with science. Every technology you have on a track makes the next one"
            " there cheaper, down to its minimum; a track holds {slots}."
        ),
        N_("document, 5"),
    ),
    (
        "upgrade",
        "action",
        N_("Upgrade"),
        N_(
            "Place ship parts you have the technology for on your blueprints, removing as many as you like. Energy"
            " must suffice, ships need a drive and starbases none, after every part."
        ),
        N_("document, 5"),
    ),
    (
        "build",
        "action",
        N_("Build"),
        N_(
            "Pay materials for ships, starbases, an orbital or a monolith in sectors you control. A sector has one"
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
            " Opponents' ships pin one of yours each where it starts or passes through; the centre's defence pins"
            " all."
        ),
        N_("document, 5"),
    ),
    (
        "pass",
        "action",
        N_("Pass"),
        N_(
            "The first to pass takes {pass_money} money and begins the next round. Afterwards one may react in one's"
            " turn: one"
            " activation of Upgrade, Build or Move for an influence disc."
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
        N_("document, 5 and 7; rulebook"),
    ),
    (
        "colony-ships",
        "topic",
        N_("Colony ships"),
        N_(
            "A ready colony ship brings one cube from the track of its kind to an empty square of a sector you"
            " control. Advanced squares need their technology. A longer empty stretch of the track is more income."
        ),
        N_("document, 5"),
    ),
    (
        "scoring",
        "topic",
        N_("Scoring"),
        N_(
            "Controlled sectors as printed, and {monolith} for each monolith on them; reputation tiles their value,"
            " ambassadors {ambassador}, discoveries kept for points {discovery}; technology tracks with 4, 5, 6 and 7:"
            " {points}; warp portals {portal} by technology and {ancient_portal} by discovery; what species count"
            " besides; the Traitor {traitor}. Ties go to the most resources in storage."
        ),
        N_("document, 6"),
    ),
    (
        "goal",
        "topic",
        N_("The goal"),
        N_(
            "The game has {rounds} rounds of four phases: action, combat, upkeep, cleanup. Whoever then has most"
            " victory points wins: see scoring."
        ),
        N_("document, 1 and 4"),
    ),
    (
        "set-up",
        "topic",
        N_("Set-up"),
        N_(
            "The Galactic Center with its defence lies in the middle, the homes two steps around it; starting zones"
            " that no player has get Guardian sectors. Everybody has a home with a disc, its cubes and one ship."
            " With {players} players there are {outer} outer sectors, {technologies} technologies on the tray besides"
            " the rare ones, and {new} new ones in each cleanup."
        ),
        N_("document, 3"),
    ),
    (
        "turn",
        "topic",
        N_("Turn"),
        N_(
            "One action with all its activations, or pass. Colony ships, trades and offers of diplomacy may come"
            " before and between. What a board or a technology adds are further activations of the same action."
        ),
        N_("document, 5; rulebook"),
    ),
    (
        "reaction",
        "topic",
        N_("Reaction"),
        N_(
            "A player who has passed may in later turns spend a disc on one activation of Upgrade, Build or Move,"
            " whatever boards and technologies add, or pass again."
        ),
        N_("document, 5"),
    ),
    (
        "influence-track",
        "topic",
        N_("Influence track and upkeep"),
        N_(
            "Every action and every controlled sector takes a disc from the track. Upkeep in money when 0, 1, 2 and"
            " so on of the {spaces} spaces are empty: {upkeep}. Action discs return in cleanup, discs on sectors stay."
        ),
        N_("document, 5; components"),
    ),
    (
        "control",
        "topic",
        N_("Control"),
        N_(
            "A player with a disc in a sector controls it: its cubes bring income, its points count at the end, and one"
            " builds there. A disc comes by exploring, by Influence, or after combat where nobody opposes one's ships"
            " and no cube of an opponent is left; where it leaves, the cubes return to their tracks."
        ),
        N_("document, 5"),
    ),
    (
        "population",
        "topic",
        N_("Population and income"),
        N_(
            "Cubes stand on squares of their resource: money, science or materials. Gray squares take any, orbitals"
            " money or science, squares with a star need their technology. Income when 0, 1, 2 and so on"
            " cubes are gone from a track: {income}."
        ),
        N_("document, 5; components"),
    ),
    (
        "wormhole",
        "topic",
        N_("Wormholes and connections"),
        N_(
            "Two sectors are connected where both show a wormhole on the edge between them. With the Wormhole"
            " Generator one is enough to explore, move and influence. Sectors with warp portals are connected with"
            " each other for everything but exploring."
        ),
        N_("document, 5; rulebook"),
    ),
    (
        "rings",
        "topic",
        N_("Rings and stacks"),
        N_(
            "A zone one step from the centre draws from stack I, two steps from II, farther ones from III. An empty"
            " stack is made again from its discarded sectors."
        ),
        N_("document, 5; rulebook"),
    ),
    (
        "discovery-tiles",
        "topic",
        N_("Discovery tiles"),
        N_(
            "They lie face down on sectors that show the symbol. The player who takes one sees it, then uses it or"
            " keeps it for {discovery} points. Where Ancients, a Guardian or the centre's defence stand guard it is"
            " taken after"
            " they are beaten."
        ),
        N_("document, 5 and 7"),
    ),
    (
        "tracks",
        "topic",
        N_("Technology tracks"),
        N_(
            "Military, grid and nano hold {slots} technologies each, those of the beginning included; a rare one lies"
            " on the track of your choice. Discount when 0, 1, 2 and so on lie there: {discounts}. Points at the end"
            " for 4, 5, 6 and 7: {points}."
        ),
        N_("document, 5 and 6; components"),
    ),
    (
        "blueprint",
        "topic",
        N_("Blueprints and energy"),
        N_(
            "All ships of a type are what its blueprint shows: printed parts, covered by tiles. Sources give energy,"
            " other parts use it, and use may not exceed what is given. Interceptors, cruisers and dreadnoughts need a"
            " drive; starbases have none. An ancient part that is removed leaves the game."
        ),
        N_("document, 5; rulebook"),
    ),
    (
        "artifact",
        "topic",
        N_("Artifacts"),
        N_("Symbols on sectors; the Artifact Key gives {artifact} of one resource for each in your sectors."),
        N_("document, 6"),
    ),
    (
        "bankruptcy",
        "topic",
        N_("Bankruptcy and elimination"),
        N_(
            "A player who is short of money in upkeep trades or leaves sectors; one who is still short with nothing "
            "left is eliminated, and so is one with neither ships nor sectors. An eliminated player keeps the points "
            "of that moment and ranks behind all who are still in the game."
        ),
        N_("document, 7; audit"),
    ),
    (
        "tie",
        "topic",
        N_("Ties"),
        N_("Of equal points the most resources in storage win, all three together; else the place is shared."),
        N_("document, 6"),
    ),
)
