# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings for the species that the rule document scores but that are not in the box: Magellan, Lyra and the Exiles.

Sources as in :mod:`engine.eclipse.rulings`; "sheets" are two programs
that follow the publisher's sheets of these species.
"""

from __future__ import annotations

from engine.core.registry import Ruling

__all__ = ["WANDERERS"]

WANDERERS: tuple[Ruling, ...] = (
    Ruling(
        "wanderers",
        "The document scores Magellan, Lyra, the Exiles, an Artifact Codex and Ancient Might, which the box lacks.",
        "The table option wanderers adds them: three boards of their own beside the six of the box, three home "
        "sectors, two discovery tiles and the shrines. The number of players changes nothing about them.",
        "document, 6; ours for the option",
    ),
    Ruling(
        "magellan",
        "How sure are the figures of Magellan, and which are played where they disagree?",
        "Resources (2 money, 2 science, 3 materials), the Fusion Source and home 233 agree in two sources. It trades 3 "
        "for 1 by the program for play by chat, 2 for 1 by the audit. Both are sound, since boards of the box trade at "
        "either rate: 3 is played, as by most alien boards, and the table option magellan-trade takes 2. The audit "
        "also lists 3 materials for 2 of another resource. That is no option: no board of the box gives two for a "
        "trade, no other source has it, and the audit does not say whether it stands beside the 2 for 1 or in its "
        "place. Of two lists of the home's squares the one with a science square without a star is played; the other "
        "has none. Actions, discs and costs are those most species have.",
        "sheets; ours for the option",
    ),
    Ruling(
        "lyra",
        "How sure are the figures of Lyra, and which are played where they are not known?",
        "Resources (2 money, 4 science, 3 materials) and nine shrines in three rows agree in two sources; trade (3 for "
        "1) and the home's squares stand in one. It begins with the Fusion Source by the sheets; a program of the "
        "first edition has the Distortion Shield, which is not in the box. Shrines cost 3, 4, 5 money, 2, 3, 4 "
        "science or 4, 5, 6 materials by the audit; no other source has the costs. Which of the rows of money and "
        "materials brings the disc and which the discovery is a ruling.",
        "sheets; a program of the first edition; ours for the rows",
    ),
    Ruling(
        "exiles",
        "How sure are the figures of the Exiles, and which are played where they disagree?",
        "Resources, technologies, home sector and the blueprint of orbitals agree in two sources; the other blueprints "
        "stand in one. An orbital costs 4, as for most species; one source has 5. Their Cloaking Device lies on the "
        "military track; one source has it on nano.",
        "sheets; a program of the first edition",
    ),
    Ruling(
        "artifact-codex",
        "Who scores the Artifact Codex and Ancient Might?",
        "Whoever took the tile and did not keep it for points: at the end a point for each artifact in its sectors, or "
        "one for every 3 points of its reputation tiles. Where the table follows the document's scoring, the Eridani "
        "do not score their reputation twice.",
        "document, 6; a list of the expansion's tiles",
    ),
    Ruling(
        "magellan-sealed",
        "What becomes of the discovery tile on Magellan's board?",
        "It is turned over when a fourth technology first lies on one of the tracks; what it places goes to the "
        "starting sector, and without control of that it can only be kept for points.",
        "sheets",
    ),
    Ruling(
        "magellan-colony-ships",
        "When may Magellan swap colony ships?",
        "Whenever it may trade, and with those left at the start of upkeep: each one flipped brings one money, science "
        "or materials.",
        "sheets; ours for the times",
    ),
    Ruling(
        "magellan-parts",
        "Which discovery tiles does Magellan score?",
        "Those that are its ship parts at the end, on a blueprint or stored; one that was replaced is gone.",
        "document, 6; ours for the stored ones",
    ),
    Ruling(
        "shrines",
        "Where, when and for what does Lyra place shrines?",
        "With each Research action, after its technologies, one beside a planet of a sector it controls; a planet of a "
        "colour takes a shrine paid in its resource, a gray one any, and each planet holds one. The squares of one "
        "colour in a sector are one planet. The action may be for a shrine alone. The third shrine of a row brings "
        "the Wormhole Generator's effect (science), a discovery that goes to the starting sector (materials) or an "
        "influence disc (money).",
        "sheets; ours for the rows of money and materials",
    ),
    Ruling(
        "shrines-lost",
        "What becomes of shrines in a sector that Lyra loses?",
        "They stay, and score for Lyra if it controls the sector at the end; nobody else scores them. A supernova "
        "that explodes takes them away.",
        "sheets; ours",
    ),
    Ruling(
        "lyra-reroll",
        "Which dice may Lyra roll again?",
        "Its own in the combat phase, those against population included: after each roll one die for each colony ship "
        "that it flips, one after the other.",
        "sheets",
    ),
    Ruling(
        "exiles-orbitals",
        "How do the orbitals of the Exiles fight?",
        "One with its own cube is a ship with the blueprint of a starbase that has other parts: it stays where it is, "
        "pins, and counts one reputation draw. Destroyed, it loses its cube to the graveyard and stands on. The four "
        "starbase pieces stand for them: further orbitals with cubes do not fight. The Exiles build no starbases.",
        "sheets; ours for the number",
    ),
    Ruling(
        "exiles-score",
        "Which orbitals do the Exiles score?",
        "All in sectors they control, as the document has it; the sheets ask for a cube on them.",
        "document, 6",
    ),
)
