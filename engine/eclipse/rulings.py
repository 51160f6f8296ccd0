# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings where the rule document is silent, unclear or contradicts the data.

One row a question. Sources: "document, n" is a section of the rule document of the second edition; "rulebook" and
"FAQ" are the publisher's texts as quoted by independent projects; "audit" is a program checked against them; "ours" a
decision of this project. The client translates questions and rulings.
"""

from __future__ import annotations

from engine.core.registry import Ruling
from engine.eclipse.events.rulings import EVENTS
from engine.eclipse.rulings_actions import ACTIONS, DIPLOMACY
from engine.eclipse.rulings_combat import COMBAT
from engine.eclipse.rulings_wanderers import WANDERERS

__all__ = ["RULINGS"]

SETUP = (
    Ruling(
        "species-count",
        "The document speaks of seven species, the boards show twelve faces.",
        "Six alien species and six Terran ones, which differ in name, colour and home sector only; both faces of "
        "one board cannot be in one game.",
        "components; data agreed by two",
    ),
    Ruling(
        "species-choice",
        "How are species chosen?",
        "In the rulebook's order: counter-clockwise, beginning to the right of the start player; by table option at "
        "random or as fixed before the game.",
        "rulebook; ours for the option",
    ),
    Ruling(
        "set-up-order",
        "What is known when species are chosen?",
        "The start player, the blueprints, the technologies of the first round and the Guardian sectors: all that "
        "players have in common is set up first. The rulebook draws Guardian sectors after the choice.",
        "rulebook; document, 3",
    ),
    Ruling(
        "start-player",
        "Who begins the first round?",
        "A start player drawn at random.",
        "ours",
    ),
    Ruling(
        "start-zones",
        "How far from the centre do players start?",
        "Two steps, with every number of players; which of the six zones are used depends on it.",
        "rulebook, against the document's word adjacent; one diagram",
    ),
    Ruling(
        "limited-components",
        "What happens when pieces run out?",
        "Ships, cubes, discs, ambassadors, technology, discovery and reputation tiles and sectors are limited: when "
        "they are gone, nothing more is taken; a draw takes what is left. Ship parts, orbitals, monoliths and "
        "damage cubes never run out.",
        "rulebook; ours",
    ),
    Ruling(
        "ancients-supply",
        "The sectors show more Ancients than the 14 figures.",
        "With 14 on the map further symbols stay empty, and a discovery left without any Ancient is undefended; a "
        "table option lifts the limit.",
        "audit; ours for the option",
    ),
    Ruling(
        "starbase-initiative",
        "Starbases print initiative 4 (Orion 5) by five programs, 3 (Orion 4) by a scan of the components; Planta 2 "
        "by all.",
        "4 and 5; a table option takes the scan's values.",
        "data unresolved; ours",
    ),
    Ruling(
        "blueprint-variants",
        "Which blueprints do Ancients, Guardians and the GCDS use?",
        "One of each type for the whole game, chosen by table option: basic, advanced, the third set, or drawn from "
        "basic and advanced.",
        "components; ours for the default, basic",
    ),
    Ruling(
        "rare-at-setup",
        "Do rare technologies count among those drawn?",
        "No: they go to the tray besides, at set-up and in every cleanup, and tiles are drawn until the number of "
        "regular ones is reached.",
        "rulebook; three programs",
    ),
    Ruling(
        "two-three-players",
        "Do two or three players play by other rules?",
        "Only set-up differs, and there is no diplomacy.",
        "document, 3 and 5; audit",
    ),
    Ruling(
        "warp-portal-module",
        "What is left out when a table plays without warp portals?",
        "Sectors 281, 381 and 382, the Warp Portal technology and the Ancient Warp Portal discovery.",
        "component list",
    ),
)

ROUND = (
    Ruling(
        "action-phase-end",
        "When does the action phase end?",
        "The moment the last player passes; nobody takes a reaction after that.",
        "rulebook",
    ),
    Ruling(
        "reactions",
        "What is a reaction?",
        "After passing, in one's turn, exactly one activation of Upgrade, Build or Move for an influence disc, or "
        "pass again. Technologies and boards add no activation to it.",
        "rulebook; audit",
    ),
    Ruling(
        "no-disc",
        "What can a player without a disc on the influence track do?",
        "Pass. Every action and reaction takes a disc from the track first.",
        "rulebook; audit",
    ),
    Ruling(
        "partial-activations",
        "Must all activations of an action be used?",
        "No; but all that are used are used before the next player's turn.",
        "audit",
    ),
    Ruling(
        "trade",
        "When may one trade, and how much?",
        "In any turn of one's own, one in which one passes too, and in upkeep for the money that is short, any number "
        "of times: as many of one resource as the board's trade value for one of another.",
        "rulebook; ours for the windows",
    ),
    Ruling(
        "colony-ships",
        "When do colony ships move cubes?",
        "At any time in a turn of one's own, also with no activation left and in one in which one only passes again, "
        "and at the start of upkeep in sectors without opposing ships: one cube a ship, from the track of its kind, to "
        "an empty square of a sector one controls.",
        "rulebook; audit; publisher's answers",
    ),
    Ruling(
        "gray-squares",
        "Which cubes go to gray squares?",
        "Any; an advanced gray square needs the technology for the cube's own resource, or Metasynthesis.",
        "rulebook; audit",
    ),
    Ruling(
        "orbital-square",
        "Which cubes go to an orbital?",
        "Money or science.",
        "rulebook; audit",
    ),
    Ruling(
        "empty-track",
        "What if all cubes of a track are out?",
        "No further cube of that resource can be placed until one returns; a cube returning to a full track goes to "
        "another one with room.",
        "audit; rulebook",
    ),
    Ruling(
        "start-tile",
        "What does the first player to pass get?",
        "Two money at once, and the start tile for the next round.",
        "document, 5; rulebook",
    ),
)

END = (
    Ruling(
        "upkeep-order",
        "In what order is upkeep done?",
        "Colony ships; money income against the influence upkeep; then science and materials. Income is the "
        "highest value uncovered on a track.",
        "document, 5; audit",
    ),
    Ruling(
        "bankruptcy",
        "What may a player do who cannot pay the upkeep?",
        "Trade, and leave sectors, which changes income and upkeep at once; leaving sectors is allowed only while "
        "short. Who is still short with no sector left is eliminated.",
        "rulebook",
    ),
    Ruling(
        "elimination",
        "What becomes of an eliminated player?",
        "It shows its reputation tiles and its points are counted: they stand, whatever comes. These tiles and its "
        "ships leave the game, and the seat takes no further part.",
        "audit; first edition's document; the rulebook says only that the player is out",
    ),
    Ruling(
        "elimination-rank",
        "Can an eliminated player still win?",
        "No: eliminated, it is ranked by its points behind all who are not.",
        "document, 7; ours",
    ),
    Ruling(
        "elimination-partner",
        "What becomes of relations with an eliminated player?",
        "The partner keeps the ambassador with the cube on it, its production and its point; nobody can break these "
        "relations any more.",
        "ours",
    ),
    Ruling(
        "elimination-nothing-left",
        "Is a player without ships and sectors eliminated?",
        "Yes, at the end of the combat phase.",
        "audit",
    ),
    Ruling(
        "last-cleanup",
        "Is there a cleanup in the last round?",
        "No: the game ends after upkeep.",
        "audit",
    ),
    Ruling(
        "cleanup-graveyard",
        "Where do cubes of the graveyard go?",
        "To the tracks of their kind; those of gray squares, of orbitals or with a full track go where the owner "
        "chooses, to money or science from an orbital.",
        "rulebook; first edition's document, Gray squares",
    ),
    Ruling(
        "score-portals",
        "What are warp portal tiles worth?",
        "1 point for the rare technology's tile and 2 for the Ancient one to whoever controls the sector at the "
        "end; printed portals nothing.",
        "rulebook; data",
    ),
    Ruling(
        "score-draco",
        "Which Ancients does Draco score?",
        "Every one left on the map, wherever it is.",
        "document, 6; rulebook",
    ),
    Ruling(
        "score-eridani",
        "The document gives the Eridani a point for every 3 points of reputation.",
        "That is an expansion's discovery tile; the Eridani score nothing special, unless the table option asks for "
        "the document's scoring.",
        "component lists; ours for the option",
    ),
    Ruling(
        "score-tie",
        "Who wins a tie?",
        "Whoever has more resources in storage, all three together; else the place is shared.",
        "document, 6; ours",
    ),
)

RULINGS: tuple[Ruling, ...] = (*SETUP, *ROUND, *ACTIONS, *DIPLOMACY, *COMBAT, *END, *EVENTS, *WANDERERS)
