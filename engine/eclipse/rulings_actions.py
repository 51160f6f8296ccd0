# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings of the actions and of diplomacy."""

from __future__ import annotations

from engine.core.registry import Ruling

__all__ = ["ACTIONS", "DIPLOMACY"]

ACTIONS = (
    Ruling(
        "explore-from",
        "Which zones can be explored?",
        "Those adjacent to a sector that one controls or has an unpinned ship in, and that has a wormhole on the "
        "facing edge; with the Wormhole Generator no wormhole is needed there. Warp portals do not help.",
        "rulebook; audit",
    ),
    Ruling(
        "explore-stack",
        "What if a stack is empty?",
        "Its discarded sectors are shuffled into a new one; when there are none either, zones of that ring cannot "
        "be explored.",
        "rulebook",
    ),
    Ruling(
        "explore-orientation",
        "How may a sector be turned?",
        "So that it is connected with one of the sectors it could be explored from: a wormhole on both edges, or on "
        "one with the Wormhole Generator.",
        "rulebook; audit",
    ),
    Ruling(
        "explore-no-fit",
        "What if it fits in no way?",
        "It must be discarded; otherwise one may still choose to discard it.",
        "audit",
    ),
    Ruling(
        "explore-order",
        "Is the discovery taken before or after taking control?",
        "Before, and whether or not control is taken.",
        "edition differences; the audit asks for control first",
    ),
    Ruling(
        "draco-ancients",
        "May Draco take a sector with Ancients?",
        "Yes, but no discovery while an Ancient is there. Ancients neither fight nor pin Draco.",
        "rulebook; audit",
    ),
    Ruling(
        "draco-second-sector",
        "Which sectors may Draco see?",
        "After seeing the first one a second may be drawn; one of them or none is placed, the rest discarded.",
        "rulebook; audit",
    ),
    Ruling(
        "planta-second-explore",
        "Does Planta choose both zones at once?",
        "No: the second activation, which is optional, is chosen when the first is settled.",
        "FAQ",
    ),
    Ruling(
        "discovery-choice",
        "When is it decided whether a discovery is kept for points?",
        "After it is revealed: its effect, or 2 points. An effect that cannot take place at all cannot be chosen.",
        "rulebook; ours",
    ),
    Ruling(
        "discovery-part",
        "What becomes of an ancient ship part?",
        "It is installed at once, free of charge and without any activation, if the blueprint stays legal, or "
        "stored for a later Upgrade, where it takes an activation. Once replaced or removed it leaves the game.",
        "rulebook; audit",
    ),
    Ruling(
        "muon-source",
        "Where does the Muon Source go?",
        "Beside the slots of one blueprint, for good.",
        "rulebook; audit",
    ),
    Ruling(
        "ancient-tech",
        "Which technology does Ancient Tech give?",
        "One of the lowest printed cost among the regular ones on the tray that one lacks. If its track is full "
        "the tile is kept for points; a dearer one is not given instead.",
        "audit",
    ),
    Ruling(
        "ancient-labs",
        "Where does a find of Ancient Labs go?",
        "What is placed goes to the starting sector; if one does not control that, the tile is kept for points.",
        "FAQ",
    ),
    Ruling(
        "research-discount",
        "The document reduces costs by the number of technologies on the track.",
        "By the discount printed on it: 0, 1, 2, 3, 4, 6, 8; never below the minimum cost.",
        "data agreed by two",
    ),
    Ruling(
        "rare-track",
        "Where does a rare technology lie?",
        "On a track of one's choice, with that track's discount, and counts there for points.",
        "rulebook; data",
    ),
    Ruling(
        "rare-overflow",
        "More rare technologies are drawn than the tray has rare slots.",
        "They lie in the nearest regular slot and stay available as rare ones.",
        "document, 7; FAQ",
    ),
    Ruling(
        "technology-slots",
        "How many technologies does a track hold?",
        "Seven, those printed on the board included; nobody has the same technology twice.",
        "rulebook; audit",
    ),
    Ruling(
        "extra-discs",
        "Where do the discs of Advanced Robotics and Quantum Grid come from?",
        "From the player's reserve, onto the influence track; what finds no space stacks and costs no upkeep.",
        "rulebook; audit",
    ),
    Ruling(
        "upgrade-legality",
        "When must a blueprint be legal?",
        "After every activation: energy produced covers energy used, every ship but starbases has a drive, "
        "starbases have none.",
        "rulebook; audit",
    ),
    Ruling(
        "upgrade-activation",
        "What is one activation of Upgrade?",
        "Any number of tiles back to the supply, then one tile placed or none. Taking tiles off alone is free but "
        "takes the action.",
        "rulebook; audit",
    ),
    Ruling(
        "printed-parts",
        "Do printed parts need a technology?",
        "No; every tile placed does, and taking it off shows the printed part again.",
        "rulebook",
    ),
    Ruling(
        "build-anywhere",
        "Where may one build?",
        "In any sector one controls, whoever else is there. Ships built enter now; at most one orbital and one "
        "monolith a sector, for good, and they belong to whoever controls it.",
        "rulebook; audit",
    ),
    Ruling(
        "move-activation",
        "What is one activation of Move?",
        "One ship, as many sectors as its drives allow, each step over a connection. One ship may be moved by "
        "several activations.",
        "rulebook",
    ),
    Ruling(
        "warp-portals",
        "What do warp portals connect?",
        "All of them each other, for Move, Influence and Diplomacy; not for Explore.",
        "rulebook; audit",
    ),
    Ruling(
        "pinning",
        "Which ships are pinned?",
        "In the sector where a ship starts and in every one it passes, a player may move on only as many ships as are "
        "more than the opposing ships there: Ancients, Guardians and starbases count one each, partners in diplomacy "
        "too; the moving ship counts where it passes.",
        "rulebook; audit",
    ),
    Ruling(
        "pinning-cloaking",
        "How does the Cloaking Device change pinning?",
        "It takes two opposing ships to pin one.",
        "rulebook; audit",
    ),
    Ruling(
        "pinning-gcds",
        "Whom does the GCDS pin?",
        "Every ship, cloaked ones too.",
        "rulebook; audit",
    ),
    Ruling(
        "influence-refresh",
        "When are colony ships flipped by Influence?",
        "Up to two, once an action, before its activations.",
        "rulebook; audit",
    ),
    Ruling(
        "influence-target",
        "Where may Influence place a disc?",
        "In an uncontrolled sector without opposing ships that is connected with a sector one controls or has a "
        "ship in (the Wormhole Generator helps), or in an uncontrolled one where only oneself has ships.",
        "rulebook; audit",
    ),
    Ruling(
        "influence-source",
        "May the sector a disc comes from serve as the connection?",
        "No.",
        "FAQ, against the audit",
    ),
    Ruling(
        "influence-once",
        "May one action touch a sector twice?",
        "No: neither take back a disc it has placed, nor place one where it took one away.",
        "audit",
    ),
    Ruling(
        "influence-discovery",
        "Is a discovery left in a sector taken with control?",
        "Yes, when nothing defends it.",
        "audit",
    ),
    Ruling(
        "leaving-sectors",
        "What happens to the cubes of a sector one leaves?",
        "They return to their tracks at once, those on gray squares and orbitals to any track with room that the "
        "square allows.",
        "rulebook; audit",
    ),
)

DIPLOMACY = (
    Ruling(
        "diplomacy-needs",
        "When may two players form relations?",
        "With four players or more, in one's own action: sectors of both are connected by a full wormhole "
        "connection or warp portals, neither has ships in a sector that the other controls or has ships in, neither "
        "holds the Traitor tile, they have no relations yet, and both have room for an ambassador.",
        "rulebook; audit",
    ),
    Ruling(
        "diplomacy-cube",
        "Whose cube goes where?",
        "Each places a cube of one's own, from any track, on the ambassador tile received, which raises one's "
        "production.",
        "audit, against the document's word exchange",
    ),
    Ruling(
        "diplomacy-room",
        "What if the reputation track is full?",
        "A reputation tile may be returned to the bag to make room; without room there are no relations.",
        "rulebook; audit",
    ),
    Ruling(
        "diplomacy-after-combat",
        "May relations be formed after combat?",
        "No, only in one's own action.",
        "rulebook; the audit differs",
    ),
    Ruling(
        "aggression",
        "What breaks relations?",
        "At the end of one's action or reaction a ship of one's own in a sector that the partner controls or has a "
        "ship in. Both cubes return, and the aggressor becomes the Traitor in place of whoever was. Passing "
        "through is no aggression.",
        "rulebook; audit",
    ),
)
