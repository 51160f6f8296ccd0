# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings of the first edition: its own, and those of the second that are true of it.

"document, NAME" is a section of the rule document of the first edition, by the names of its headings in English.
"rulebook as quoted" is the publisher's book of the first edition as players quote it, "publisher's answers" what the
publisher answered about it, "programs" are programs that play it, "components" its printed pieces, "ours" a decision of
this project. "second edition" stands where nothing of the first is known.
"""

from __future__ import annotations

from typing import Final

from engine.core.dataclass import replace
from engine.core.registry import Ruling
from engine.eclipse import rulings
from engine.eclipse.events.rulings import EVENTS
from engine.eclipse.rulings_wanderers import WANDERERS

__all__ = ["RULINGS"]

OWN: tuple[Ruling, ...] = (
    Ruling(
        "first-part-tiles",
        "The document counts 54 ship part tiles and 264 population cubes.",
        "Misprints: the box has 154 tiles and 198 cubes, 33 for each player; ship parts never run out anyway.",
        "publisher's answers; count of the wooden pieces",
    ),
    Ruling(
        "first-new-technologies",
        "How many technologies are drawn in the cleanup with two players?",
        "Four; five is the number of the second edition.",
        "one of two sources",
    ),
    Ruling(
        "first-draco",
        "Which technology does Draco start with?",
        "It starts without any; the Fusion Drive came with the second edition.",
        "two programs",
    ),
    Ruling(
        "first-orion",
        "How many ships or parts may Orion build or upgrade with an action?",
        "Two; three is copied from the Mechanema.",
        "one of two sources; second edition",
    ),
    Ruling(
        "first-homes",
        "How are starting sectors turned?",
        "A wormhole towards the centre, as in the second edition.",
        "one program",
    ),
    Ruling(
        "first-full-track",
        "What happens when a cube returns to a population track with eleven cubes on it?",
        "It covers the twelfth square, and the track yields nothing; a track with twelve is full.",
        "publisher's answers",
    ),
    Ruling(
        "first-discovery",
        "When is the discovery of a sector taken?",
        "With control: when the disc is placed, on exploring, by influence or after combat. Without a disc it stays.",
        "document, Discovery tiles",
    ),
    Ruling(
        "first-start",
        "Who begins, and who picks first?",
        "A player drawn at random, in place of the one who spent the least time on Terra; species are picked as in "
        "the second edition, from the right of the start player and counter-clockwise.",
        "document, Preparation; ours",
    ),
    Ruling(
        "first-diplomacy",
        "With how many players is there diplomacy?",
        "With four or more, as in the second edition.",
        "second edition",
    ),
    Ruling(
        "first-two-players",
        "Are Planta and Draco excluded with two players?",
        "No: the advice is told at set-up, and the table decides.",
        "document, Two players",
    ),
    Ruling(
        "first-influence-back",
        "May a disc that Influence has taken back return to the same sector?",
        "Yes, with the second move of the action. A disc that the action has placed is not taken back by it.",
        "publisher's answers; ours for the second sentence",
    ),
    Ruling(
        "first-action-chapters",
        "The document leaves the actions and combat to other pages.",
        "They are played as in the second edition, with the figures of the first, and so is whatever else no source of "
        "the first tells: such rulings name the second edition as their source.",
        "second edition; publisher's answers",
    ),
)
"""Rulings where the documents of the first edition are silent."""

OTHERWISE: Final = (
    Ruling(
        "set-up-order",
        "What is known when species are chosen?",
        "The start player and the technologies of the first round.",
        "document, Preparation",
    ),
    Ruling(
        "gray-squares",
        "Which cubes go to gray squares?",
        "Any; an advanced gray square needs the technology for the cube's own resource.",
        "document, Action phase; second edition",
    ),
    Ruling(
        "start-tile",
        "What does the first player to pass get?",
        "The start player marker for the next round, and no money.",
        "document, Action phase",
    ),
    Ruling(
        "explore-from",
        "Which zones can be explored?",
        "Those adjacent to a sector that one controls or has an unpinned ship in, and that has a wormhole on the "
        "facing edge; with the Wormhole Generator no wormhole is needed there.",
        "publisher's answers; second edition",
    ),
    Ruling(
        "explore-order",
        "Is the discovery taken before or after taking control?",
        "After: it comes with the disc, and without one it stays in the sector.",
        "document, Discovery tiles",
    ),
    Ruling(
        "ancient-tech",
        "Which technology does Ancient Tech give?",
        "One of the lowest printed cost among those on the tray that one lacks. If its track is full the tile is kept "
        "for points; a dearer one is not given instead.",
        "document, Discovery tiles; audit of the second edition",
    ),
    Ruling(
        "pinning",
        "Which ships are pinned?",
        "In the sector where a ship starts and in every one it passes, a player may move on only as many ships as are "
        "more than the opposing ships there: Ancients and starbases count one each, partners in diplomacy too; the "
        "moving ship counts where it passes.",
        "two programs; second edition",
    ),
    Ruling(
        "pinning-gcds",
        "Whom does the GCDS pin?",
        "Every ship.",
        "two programs; second edition",
    ),
    Ruling(
        "influence-once",
        "May one action touch a sector twice?",
        "It may take a disc from a sector and place one there again with the next move, but not take back a disc that "
        "it has placed.",
        "publisher's answers; ours for the second half",
    ),
    Ruling(
        "diplomacy-needs",
        "When may two players form relations?",
        "With four players or more, in one's own action: sectors of both are connected by a full wormhole connection, "
        "neither has ships in a sector that the other controls or has ships in, neither holds the Traitor card, they "
        "have no relations yet, and both have room for an ambassador.",
        "second edition",
    ),
    Ruling(
        "empty-track",
        "What if all cubes of a track are out?",
        "No further cube of that resource can be placed until one returns; a cube returning to a full track goes to "
        "another one with room.",
        "publisher's answers; document, Cleanup",
    ),
    Ruling(
        "upgrade-legality",
        "When must a blueprint be legal?",
        "After the action, not after each of its activations: energy produced covers energy used, every ship but "
        "starbases has a drive, starbases have none.",
        "two programs",
    ),
    Ruling(
        "influence-refresh",
        "When are colony ships flipped by Influence?",
        "Up to two, at any time in the action: those that lie face down at once, and for the rest those that are used "
        "later in it.",
        "two programs; ours for the order",
    ),
    Ruling(
        "aggression",
        "What breaks relations?",
        "At the end of one's action or reaction a ship of one's own in a sector that the partner controls or has a "
        "ship in. Both cubes return, each to a track of its owner's choice, and the aggressor becomes the Traitor in "
        "place of whoever was. Passing through is no aggression.",
        "document, End; second edition",
    ),
    Ruling(
        "damage",
        "How much damage does a hit do?",
        "That of its die: yellow 1, orange 2, red 4.",
        "components; two programs",
    ),
    Ruling(
        "hull",
        "When is a ship destroyed?",
        "A hull of H absorbs H damage; one more destroys the ship.",
        "document, Concepts; two programs",
    ),
    Ruling(
        "research-discount",
        "How much cheaper is a technology?",
        "By the discount printed on its track: 0, 1, 2, 3, 4, 6, 8; never below the minimum cost.",
        "components; two programs",
    ),
    Ruling(
        "retreat-connection",
        "Which connections serve a retreat?",
        "Those of Move: full wormhole connections, and half ones with the Wormhole Generator.",
        "ours",
    ),
    Ruling(
        "reputation-draws",
        "How many reputation tiles are drawn, and when?",
        "After the battles of a sector, in the order of entry: one for taking part, one for each interceptor, starbase "
        "or Ancient destroyed, two for a cruiser, three for a dreadnought or the GCDS; five at most. One of them may "
        "be kept, also in place of an owned one.",
        "two programs; second edition for the order",
    ),
    Ruling(
        "neutron-bombs",
        "What do Neutron Bombs do?",
        "They destroy all cubes without a roll.",
        "two programs",
    ),
    Ruling(
        "planta-population",
        "What becomes of Planta's cubes?",
        "Ships of other players destroy them all without a roll.",
        "two programs",
    ),
    Ruling(
        "combat-discovery",
        "Who takes a discovery after combat?",
        "Whoever controls the sector, when nothing defends it; ships alone take none.",
        "document, Discovery tiles",
    ),
    Ruling(
        "elimination",
        "What becomes of an eliminated player?",
        "It shows its reputation tiles and its points are counted: they stand, whatever comes. These tiles and its "
        "ships leave the game, and the seat takes no further part.",
        "document, Upkeep",
    ),
    Ruling(
        "elimination-partner",
        "What becomes of relations with an eliminated player?",
        "Its components return to the box; what it gave to a partner is the partner's, who keeps the ambassador with "
        "the cube on it, its production and its point. Nobody can break these relations any more.",
        "document, Upkeep; ours for what a partner holds",
    ),
    Ruling(
        "elimination-nothing-left",
        "Is a player without ships and sectors eliminated?",
        "Only one who cannot pay in upkeep: a civilization collapses when it has no discs left to take back and is "
        "still short.",
        "document, Upkeep",
    ),
    Ruling(
        "elimination-rank",
        "Can an eliminated player still win?",
        "Yes: its points are counted, and the most points win. Its resources are gone, so it has none to break a tie "
        "with.",
        "document, Upkeep and End",
    ),
)
"""Rulings of the second edition that do not apply to the first."""

NOT_HERE: Final = frozenset(
    (
        "species-count",
        "ancients-supply",
        "starbase-initiative",
        "blueprint-variants",
        "rare-at-setup",
        "warp-portal-module",
        "muon-source",
        "ancient-labs",
        "rare-track",
        "rare-overflow",
        "warp-portals",
        "pinning-cloaking",
        "antimatter-splitter",
        "score-portals",
        "score-eridani",
        *(ruling.id for ruling in (*EVENTS, *WANDERERS)),
    )
)
"""Rulings about what only the second edition has."""

SOURCES: Final = {
    "species-choice": "document, Preparation; ours for the option",
    "start-zones": "document, Preparation; one diagram",
    "limited-components": "document, Concepts; ours for sectors",
    "two-three-players": "document, Two players; second edition",
    "action-phase-end": "document, Action phase",
    "reactions": "document, Action phase; two programs",
    "no-disc": "two programs",
    "partial-activations": "one program; second edition",
    "trade": "document, Trade; ours for the windows",
    "colony-ships": "document, Action phase and Upkeep; publisher's answers",
    "orbital-square": "document, Action phase",
    "explore-stack": "two programs",
    "explore-orientation": "two programs",
    "explore-no-fit": "two programs",
    "draco-ancients": "two programs",
    "draco-second-sector": "one program; second edition",
    "planta-second-explore": "one program; second edition",
    "discovery-choice": "document, Discovery tiles; ours",
    "discovery-part": "document, Discovery tiles; ours for what is legal",
    "technology-slots": "components; document, End",
    "extra-discs": "components; second edition",
    "upgrade-activation": "second edition",
    "printed-parts": "one program; second edition",
    "build-anywhere": "publisher's answers; players' list of answers; second edition for the entry",
    "move-activation": "two programs",
    "influence-target": "two programs",
    "influence-source": "publisher's answers",
    "influence-discovery": "document, Discovery tiles",
    "leaving-sectors": "document, Upkeep",
    "diplomacy-cube": "second edition",
    "diplomacy-room": "second edition",
    "diplomacy-after-combat": "second edition",
    "combat-sectors": "two programs",
    "combat-sides": "two programs",
    "combat-partners": "second edition",
    "initiative-ties": "two programs; second edition for one's own types",
    "missiles": "document, Concepts; two programs",
    "dice-assignment": "rulebook as quoted",
    "npc-dice": "one program; second edition",
    "retreat": "second edition",
    "retreat-starbases": "second edition",
    "retreat-penalty": "players' list of answers; second edition",
    "stalemate": "second edition",
    "attack-population": "rulebook as quoted",
    "attack-population-npc": "second edition",
    "lost-control": "rulebook as quoted",
    "repair": "two programs",
    "upkeep-order": "document, Upkeep",
    "bankruptcy": "document, Upkeep; ours for leaving sectors while short",
    "last-cleanup": "document, End; second edition",
    "cleanup-graveyard": "document, Action phase and Cleanup",
    "score-draco": "document, End; two programs",
    "score-tie": "document, End; ours",
}
"""Sources in the first edition of rulings of both editions, where they differ."""


def _shared() -> tuple[Ruling, ...]:
    """The rulings of the second edition in their order: as they are, otherwise, or from another source."""
    other = {ruling.id: ruling for ruling in OTHERWISE}
    return tuple(
        other.get(ruling.id) or replace(ruling, source=SOURCES.get(ruling.id, ruling.source))
        for ruling in rulings.RULINGS
        if ruling.id not in NOT_HERE
    )


RULINGS: Final = (*OWN, *_shared())
"""All rulings of the first edition."""
