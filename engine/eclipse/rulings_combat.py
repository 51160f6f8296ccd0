# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings of the combat phase."""

from __future__ import annotations

from engine.core.registry import Ruling

__all__ = ["COMBAT"]

COMBAT = (
    Ruling(
        "combat-sectors",
        "In what order are battles fought?",
        "By the printed number of the sector, the highest first, the Galactic Center last.",
        "rulebook; audit",
    ),
    Ruling(
        "combat-sides",
        "Who is attacker and who defender?",
        "Whoever controls the sector defends against all and counts as first to have entered; neutral ships stand "
        "before everyone and always defend. The last to enter attacks the one before, the survivor the next, and so "
        "on.",
        "rulebook; audit",
    ),
    Ruling(
        "combat-partners",
        "Do partners in diplomacy fight?",
        "Yes, if their ships meet: the relations broke at the end of the action that brought them together.",
        "rulebook",
    ),
    Ruling(
        "initiative-ties",
        "Who goes first at equal initiative?",
        "The defender; of one's own types, as their owner chooses.",
        "rulebook; audit",
    ),
    Ruling(
        "missiles",
        "When do missiles fire?",
        "One volley of all types by initiative before the first engagement round; a ship destroyed before its turn "
        "does not fire.",
        "rulebook",
    ),
    Ruling(
        "damage",
        "The document counts the bursts as damage.",
        "Every hit does the damage of its die: yellow 1, orange 2, blue 3, red 4.",
        "rulebook; data agreed by three",
    ),
    Ruling(
        "hull",
        "The document destroys a ship when damage reaches its hull.",
        "A hull of H absorbs H damage; one more destroys the ship.",
        "data of both editions",
    ),
    Ruling(
        "dice-assignment",
        "How are hits assigned?",
        "All dice of the ship type are rolled, then each goes to one target; damage is not split. Damage stays "
        "until the end of the combat phase.",
        "rulebook; audit",
    ),
    Ruling(
        "dice-overkill",
        "May a hit go to a ship that an earlier die of the same roll destroys?",
        "No; it goes to another ship that it hits, and is lost when there is none.",
        "ours",
    ),
    Ruling(
        "antimatter-splitter",
        "What does the Antimatter Splitter split?",
        "The damage of a hit by an antimatter cannon, among targets it hits; not that of missiles.",
        "rulebook; data",
    ),
    Ruling(
        "npc-dice",
        "How do neutral ships assign their dice?",
        "Each ship in turn, the largest first, is destroyed if the dice can do it together with those before it: with "
        "as little damage in all as does it, then as few dice; what is left goes to the largest surviving ship it "
        "hits. Dreadnoughts come first, then cruisers, starbases and interceptors.",
        "publisher's example; audit for the order",
    ),
    Ruling(
        "retreat",
        "How does a retreat go?",
        "A whole type moves to the border towards a connected sector that its owner controls and where no opponent "
        "has ships; it leaves at its next activation, does not attack, and can be shot at until then. If the enemy "
        "is destroyed before, it still leaves.",
        "rulebook; audit",
    ),
    Ruling(
        "retreat-connection",
        "Which connections serve a retreat?",
        "Those of Move: full wormhole connections, half ones with the Wormhole Generator, and warp portals.",
        "ours",
    ),
    Ruling(
        "retreat-starbases",
        "May starbases retreat?",
        "No.",
        "rulebook",
    ),
    Ruling(
        "retreat-penalty",
        "What does a retreat cost?",
        "Once all one's remaining ships are retreating, one draws no reputation tile for taking part; for ships "
        "destroyed one still does.",
        "document, 7; rulebook",
    ),
    Ruling(
        "stalemate",
        "What if neither side can destroy the other?",
        "When no cannon is left on either side, the attacker must retreat; what cannot, having nowhere to go, is "
        "destroyed, and nobody is credited with it. Either way the attacker draws nothing for taking part. A burst "
        "always hits, so armed ships are never in a stalemate.",
        "document, 7; rulebook; audit for the credit",
    ),
    Ruling(
        "reputation-draws",
        "How many reputation tiles are drawn, and when?",
        "After the battles of a sector, in the order of entry: one for taking part, one for each interceptor, "
        "starbase or Ancient destroyed, two for a cruiser or Guardian, three for a dreadnought or the GCDS; five at "
        "most. One of them may be kept, also in place of an owned one.",
        "rulebook",
    ),
    Ruling(
        "hand-returned",
        "What becomes of the reputation tiles of a player who leaves for good, or whose seat passes to somebody else?",
        "They go back into the bag, which is shuffled. The stand-in, or whoever takes the seat, may draw tiles as "
        "before. If the seat is just about to keep a drawn tile, it first answers, and then returns that one too.",
        "ours; the table's rule for seats whose owner leaves",
    ),
    Ruling(
        "attack-population",
        "How is population attacked?",
        "By ships in a sector with an opponent's cubes and no opposing ships left: every cannon die is rolled once, "
        "computers count, there are no shields, and each point of damage destroys one cube of the attacker's "
        "choice. Missiles do not fire.",
        "rulebook; audit",
    ),
    Ruling(
        "attack-population-npc",
        "Do neutral ships attack population?",
        "No.",
        "rulebook; audit",
    ),
    Ruling(
        "attack-population-optional",
        "Must population be attacked?",
        "No; the attacker may leave it alone.",
        "ours; the document does not say",
    ),
    Ruling(
        "neutron-bombs",
        "What do Neutron Bombs do?",
        "They destroy all cubes without a roll, unless the owner has the Neutron Absorber.",
        "document, 5",
    ),
    Ruling(
        "planta-population",
        "What becomes of Planta's cubes?",
        "Ships of other players destroy them all without a roll, the Neutron Absorber notwithstanding.",
        "rulebook; audit",
    ),
    Ruling(
        "lost-control",
        "When is control of a sector lost in combat?",
        "When an opponent's ships are there unopposed and no cube is left, also if there was none before: the disc "
        "returns to its owner's track, and who has ships there may place one.",
        "audit",
    ),
    Ruling(
        "combat-discovery",
        "Who takes a discovery after combat?",
        "Whoever controls the sector, or has the only ships there, when nothing defends it.",
        "rulebook; audit",
    ),
    Ruling(
        "repair",
        "When is damage repaired?",
        "At the end of the combat phase, when all battles are over.",
        "document, 5; rulebook",
    ),
)
