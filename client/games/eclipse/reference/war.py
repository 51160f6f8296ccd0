# SPDX-License-Identifier: GPL-3.0-or-later
"""Written articles of the reference of Eclipse: battles and diplomacy.

Each row is word, kind, title, text and source: a section of the rule document, of the publisher's rulebook, or of an
audit against it. Figures in braces are filled in from the game's content.
"""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

WAR: Final = (
    (
        "diplomacy",
        "topic",
        N_("Diplomacy"),
        N_(
            "With four players or more, neighbours through a wormhole connection may exchange ambassadors, each with"
            " a population cube. A partner who then moves in aggression becomes the Traitor: {traitor} points and no"
            " new"
            " relations while holding the tile."
        ),
        N_("document, 5"),
    ),
    (
        "graveyard",
        "topic",
        N_("Graveyard"),
        N_("Cubes that are destroyed wait there and return to their tracks in cleanup."),
        N_("document, 7"),
    ),
    (
        "battle",
        "topic",
        N_("Battle"),
        N_(
            "The controller of the sector defends, else the first to enter; the last to enter attacks the one before,"
            " the survivor goes on, and neutral ships come last. First missiles fire once, then rounds follow in which"
            " every ship type in turn attacks or retreats, until one side is left."
        ),
        N_("document, 5"),
    ),
    (
        "initiative",
        "topic",
        N_("Initiative"),
        N_("Ship types act from the highest initiative down, the defender first at equal ones."),
        N_("document, 5"),
    ),
    (
        "hit",
        "topic",
        N_("Dice and hits"),
        N_(
            "A 6 always hits, a 1 never; another number hits if it makes 6 or more with the computers of the firing"
            " ship, less the shields of the target. Damage: {damage}. A hull absorbs as much damage as its value; one"
            " more destroys the ship. Damage stays until the end of the combat phase."
        ),
        N_("document, 5; components"),
    ),
    (
        "missiles",
        "topic",
        N_("Missiles"),
        N_("They fire once, by initiative, before the first round; they do not attack population."),
        N_("document, 5"),
    ),
    (
        "retreat",
        "topic",
        N_("Retreat"),
        N_(
            "A whole ship type, starbases excepted, heads for a connected sector that its owner controls and where no "
            "opponent has ships; it leaves at its next turn in the battle and may be shot at until then. A player who "
            "retreats with all ships draws no reputation for taking part."
        ),
        N_("document, 5 and 7"),
    ),
    (
        "stalemate",
        "topic",
        N_("Stalemate"),
        N_("When no side has cannons left, the attacker retreats; what cannot is destroyed."),
        N_("document, 7"),
    ),
    (
        "reputation",
        "topic",
        N_("Reputation tiles"),
        N_(
            "After the battles of a sector everybody who took part draws one tile, and more for ships destroyed:"
            " {draws}; {most} at most. One of them may be kept, on a free place or instead of another. They are"
            " worth {least} to {greatest} points and hidden until the end."
        ),
        N_("document, 5 and 6; rulebook"),
    ),
    (
        "bombard",
        "topic",
        N_("Attacking population"),
        N_(
            "Ships left alone in an opponent's sector may roll their cannons once against its cubes: computers count,"
            " every point destroys a cube. Neutron Bombs destroy all without a roll, unless the owner has the Neutron"
            " Absorber."
        ),
        N_("document, 5"),
    ),
    (
        "traitor",
        "topic",
        N_("Traitor"),
        N_(
            "A player who ends an action with ships where a partner controls or has ships breaks the relations and"
            " becomes the Traitor instead of the previous one: {traitor} points at the end, and no new relations."
        ),
        N_("document, 5"),
    ),
)
