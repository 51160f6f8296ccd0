# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings of Warlord, combat, Regent, technologies and the end of the game."""

from __future__ import annotations

from engine.core.registry import Ruling

__all__ = ["COMBAT", "END", "REGENT", "TECHNOLOGY", "TIE", "WARLORD"]

WARLORD = (
    Ruling(
        "suns",
        "What does it mean to skip Suns?",
        "Ships can neither enter nor pass them; by table option they are passed at no cost.",
        "ours",
    ),
    Ruling(
        "stop-at-enemies",
        "When does a move stop?",
        "On entering a space with an enemy ship or token.",
        "document, 5",
    ),
    Ruling(
        "claim-after-moves",
        "When are free sectors claimed?",
        "After all moves and before the battles, where a ship stands, whether it moved or not; claiming is optional, "
        "as it may end the game. A sector passed through is not claimed.",
        "ours",
    ),
    Ruling(
        "reserve-empty",
        "What if the reserve of tokens is empty?",
        "Nothing can be claimed.",
        "ours",
    ),
    Ruling(
        "one-battle",
        "Do several groups that enter one sector fight together?",
        "Yes: battles follow after all moves, in the mover's order.",
        "ours",
    ),
    Ruling(
        "warp-when",
        "When may ships warp?",
        "From the owner's next Warlord turn on, as long as they are still in the Black Hole; it is their whole move.",
        "ours",
    ),
    Ruling(
        "warp-where",
        "Where to?",
        "Any sector with a tile that is neither a player's home nor a Sun; not a space without a tile.",
        "document, 5; ours",
    ),
)

COMBAT = (
    Ruling(
        "hit-numbers",
        "What do dice need to hit?",
        "What the entry of each ship and token says: fighter, cruiser, dreadnought, empire, starbase.",
        "as the game comes: designed to fit a report of play",
    ),
    Ruling(
        "phases-repeat",
        "What follows the third phase?",
        "The first again, until one side has nothing left or the attacker retreats; a phase in which nobody fires "
        "is passed over.",
        "ours",
    ),
    Ruling(
        "who-picks-losses",
        "Who chooses the units that are hit?",
        "The owner of the units, on either side; of like ships those that warped are lost first.",
        "ours",
    ),
    Ruling(
        "starbase-turned",
        "How does a Starbase fire that was turned to an Empire?",
        "As an Empire from its next fire on; it stays an Empire.",
        "document, 5; ours",
    ),
    Ruling(
        "retreat-where",
        "Where do retreating ships go?",
        "Each to the space it entered from; a ship that warped cannot retreat and fights on.",
        "ours; document, 7",
    ),
    Ruling(
        "both-destroyed",
        "What if both sides are destroyed?",
        "The sector belongs to nobody, and nobody scores.",
        "ours",
    ),
    Ruling(
        "battle-point",
        "How many points does a battle bring?",
        "What the figure battle says, to a winning attacker if a token of the defender was removed, whether it was an "
        "Empire or a turned Starbase.",
        "document, 5; ours",
    ),
    Ruling(
        "extra-die",
        "Which ship rolls the extra die?",
        "One of a kind named when the battle begins, whenever it fires, the free fire included, while a ship of "
        "that kind is left.",
        "document, 5; ours",
    ),
    Ruling(
        "free-fire",
        "Which ships fire before a battle?",
        "All that warped in, each once; the other side chooses its losses.",
        "document, 5",
    ),
)

REGENT = (
    Ruling(
        "regent-throne",
        "Does one need the Throne to choose the Regent?",
        "No, anybody may choose it; whoever holds the Throne lays it beside the board.",
        "document, 5 and 7; ours",
    ),
    Ruling(
        "draw-less",
        "What if fewer tokens are in reserve?",
        "As many as there are.",
        "ours",
    ),
    Ruling(
        "buy-order",
        "Who buys first, and what does it cost?",
        "The chooser first, in Direction order. It costs what the figure influence-price says, and influence-step more "
        "for each token already bought in this Regent.",
        "document, 5",
    ),
    Ruling(
        "influence-where",
        "Where may influence go?",
        "To planet sectors that are no player's home, and to the Throne; not to an unowned sector that holds only the "
        "ships of others.",
        "document, 5; ours",
    ),
    Ruling(
        "conflict",
        "How are three or more resolved?",
        "Taking one from each until one is left leaves the highest less the second; a tie leaves nothing.",
        "equivalent",
    ),
    Ruling(
        "lost-ships",
        "Where do ships go whose owner lost the sector?",
        "To the nearest Starbase, home included, that was the owner's before and still is, not to one just won; "
        "counted as the crow flies, and the owner picks between equals. They leave even when nobody gets the sector.",
        "document, 5; ours",
    ),
    Ruling(
        "throne-tie",
        "Who gets the Throne after a tie?",
        "The chooser: nobody has influence left there.",
        "ours",
    ),
    Ruling(
        "home-counts",
        "Does the home count?",
        "Yes: it is a planet that its player controls, and it produces.",
        "ours",
    ),
)

TECHNOLOGY = (
    Ruling(
        "cards",
        "What do the technologies do?",
        "What their entries say, with how sure it is. As the game comes a few names are known; what the cards do, cost "
        "and belong to is designed here.",
        "designed",
    ),
    Ruling(
        "once-a-role",
        "How often is a technology used?",
        "Once in a role, whoever chose it; anytime ones once a round. Use is optional.",
        "document, 5 and 7",
    ),
    Ruling(
        "cost-zero",
        "Which technology can cost nothing?",
        "For the Scientist's chooser those without metal that cost one energy at most.",
        "document, 5",
    ),
    Ruling(
        "time-warp",
        "When is Time Warp used?",
        "Right after a roll of prices or of fire, for one die; asked once a roll, in Direction order from whoever "
        "acts.",
        "ours",
    ),
    Ruling(
        "saboteurs",
        "When are Saboteurs used?",
        "When another player declares the use of a technology: it is used up without effect. Asked once a use; "
        "Saboteurs cannot be stopped themselves.",
        "one source; ours",
    ),
    Ruling(
        "trade-guild",
        "Can Trade Guild buy cheap and sell dear?",
        "No: the changed price holds for that player both ways in that action, for the sale of left food too.",
        "ours, lest Marks be made without end",
    ),
    Ruling(
        "battle-cards",
        "When are battle technologies declared?",
        "When the battle begins, the attacker first; they cover that battle, the free fire included.",
        "ours",
    ),
)

END = (
    Ruling(
        "last-token",
        "When is the last Empire token placed?",
        "When all of a seat's tokens control sectors; influence in hand does not count. In a Regent it is seen when "
        "all conflicts are resolved. The game then ends, even if one of the tokens is lost again in the same role.",
        "document, 6; ours",
    ),
    Ruling(
        "finish-role",
        "Is the round finished?",
        "No, the role is, by all players; points are given beyond the pool.",
        "document, 6",
    ),
    Ruling(
        "count-after-regent",
        "Are storage and Marks counted after a Regent?",
        "No: there is no final count then; a table option counts them always.",
        "document, 6; ours for the option",
    ),
    Ruling(
        "other-endings",
        "Can the game end in another role?",
        "No: only Explorer, Warlord and Regent give points or control.",
        "deduced",
    ),
    Ruling(
        "full-storage",
        "When is storage full?",
        "With as much metal and energy as the figures metal-room and energy-room say.",
        "deduced",
    ),
)

TIE = (
    Ruling(
        "tie-who",
        "Who fights when more than two tie?",
        "The two with most sectors, home included; then most planets, most Marks, Direction order from the Throne's "
        "holder.",
        "document, 6; ours",
    ),
    Ruling(
        "tie-fleets",
        "What are full fleets?",
        "All own ships on the board; no tokens, technologies, extra die or retreat.",
        "ours",
    ),
    Ruling(
        "tie-again",
        "What if both fleets are destroyed?",
        "The same fleets fight again, as often as the figure duels says in all; then more sectors, more Marks, or a "
        "shared victory. Without ships a player loses; if neither has any, sectors and Marks decide.",
        "ours",
    ),
)
