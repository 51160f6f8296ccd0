# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings where the rule document is silent, unclear or contradicts itself.

One row a question. Sources: "document, n" is a section of the rule document; a "report" is one of play; "designed",
"deduced" and "ours" are decisions of this project. The client translates questions, rulings and sources.

A table may have its own numbers, so a ruling contains none of them: it names the entry of the reference where they
stand.
"""

from __future__ import annotations

from engine.core.registry import Ruling
from engine.emperor.rulings_war import COMBAT, END, REGENT, TECHNOLOGY, TIE, WARLORD

__all__ = ["RULINGS"]

SETUP = (
    Ruling(
        "board",
        "How is the board laid out?",
        "A hexagon, the same for every number of players. There is one tile more than there are spaces, as the Black "
        "Hole replaces the Sun in the middle.",
        "deduced from component counts; ours",
    ),
    Ruling(
        "homes",
        "Where are the homes?",
        "Where the figure homes says, seat by seat; as the game comes that is on corners as far apart as they can be, "
        "clockwise.",
        "ours; a report of five players fits",
    ),
    Ruling(
        "colours",
        "Does the choice of a colour matter?",
        "No: seats take the colours red, blue, green, yellow, purple, orange in order.",
        "ours",
    ),
    Ruling(
        "first-throne",
        "Who receives the Throne?",
        "A player drawn at random.",
        "ours",
    ),
    Ruling(
        "first-fighter",
        "Does a player begin with a ship on the board?",
        "With as many Fighters on the home as the figure fighters says; all other ships are in reserve.",
        "two sources",
    ),
    Ruling(
        "technologies-shown",
        "Do all technologies lie face up, although the display is refilled?",
        "Of each type as many as the figure shown says are face up, the others wait in the stack of their type; what "
        "is bought is replaced when all have acted.",
        "ours, so that both sentences hold",
    ),
    Ruling(
        "unused-homes",
        "What is an explored home of a colour that nobody plays?",
        "An ordinary sector: it can be claimed, attacked and influenced.",
        "ours",
    ),
    Ruling(
        "food-supply",
        "What if food cubes run out?",
        "Nothing runs out: a generating sector holds no more than the figure food-room says.",
        "ours",
    ),
)

ROUND = (
    Ruling(
        "fixed-order",
        "Does the order change when the Throne changes hands?",
        "No: Direction and the first chooser stay for the round; a new holder acts from the next round on.",
        "ours",
    ),
    Ruling(
        "roles-left",
        "May a player pass the choice of a role?",
        "No; with six players and six roles left the last one takes what remains.",
        "ours",
    ),
    Ruling(
        "unused-roles",
        "Do unused roles gain anything?",
        "No.",
        "document, 4",
    ),
    Ruling(
        "anytime-again",
        "Are anytime technologies turned up again at the start of the next turn or round?",
        "When the next round begins.",
        "document, 4 and 7; ours",
    ),
)

EXPLORE = (
    Ruling(
        "untiled-spaces",
        "May ships enter spaces without a tile?",
        "Yes, otherwise the Explorer's condition about enemy ships would be empty; a table option closes them.",
        "ours",
    ),
    Ruling(
        "sun-on-ships",
        "May a Sun be placed on ships?",
        "Not while another space is empty; else the ships there go to their owner's nearest Starbase.",
        "ours",
    ),
    Ruling(
        "planet-on-ships",
        "What happens to ships when a planet is placed on them?",
        "Nothing; their owner may claim it in a Warlord turn without moving.",
        "ours",
    ),
    Ruling(
        "place-must",
        "Must tiles be placed?",
        "Yes, while any is face up; when too few lie there the first in order are served.",
        "ours",
    ),
    Ruling(
        "leftover-claims",
        "May leftover tiles be claimed?",
        "No, only the tile that the chooser selected, and only by choice.",
        "document, 5",
    ),
    Ruling(
        "black-hole-leftover",
        "What if the Black Hole is left over?",
        "The chooser takes it; that counts as selecting it.",
        "ours",
    ),
    Ruling(
        "black-hole-placement",
        "Does the player who takes the Black Hole place another tile?",
        "No, and there is nothing to claim.",
        "deduced from component counts; ours",
    ),
    Ruling(
        "scientist-removed",
        "What happens to technologies when the Scientist leaves?",
        "Those bought work on; the others are out of the game. If the role was used in this round nothing is undone.",
        "ours",
    ),
    Ruling(
        "explorer-flips",
        "When does the Explorer become a Warlord?",
        "When nothing is face up or in the stacks after an Explorer; from the next round on. Both Warlords may be "
        "used in one round.",
        "document, 5; ours",
    ),
)

MARKET = (
    Ruling(
        "prices-table",
        "What does a die mean in Marks?",
        "What the figures price-of-food, price-of-metal and price-of-energy say, face by face.",
        "as the game comes: food from a report of play, the rest designed",
    ),
    Ruling(
        "one-price",
        "Is there one price to buy and to sell?",
        "Yes, for any amount that fits into storage, for this Merchant only; so the order of a player's trades "
        "makes no difference.",
        "two sources; ours for the amount",
    ),
    Ruling(
        "merchant-order",
        "When is food sold?",
        "A player's harvest, trades and funding are one action; what food is not laid on a sector then is sold.",
        "document, 5",
    ),
    Ruling(
        "food-stays",
        "What happens to food on a sector that changes hands?",
        "It stays; a new owner may use it. It is never sold.",
        "ours",
    ),
    Ruling(
        "bought-food",
        "May bought food be laid?",
        "Yes.",
        "ours",
    ),
)

STEWARD = (
    Ruling(
        "one-food",
        "Does one food run a planet or a sector?",
        "A sector: it yields all its icons once in a Steward.",
        "document, 5: per sector",
    ),
    Ruling(
        "free-cube-first",
        "Is the free cube taken before or after production?",
        "Before; since surplus is lost it makes no difference.",
        "ours",
    ),
    Ruling(
        "surplus",
        "What happens to cubes for which there is no room in storage?",
        "They are lost.",
        "document, 5",
    ),
)

ENGINEER = (
    Ruling(
        "ship-costs",
        "What does the sign before the cost of ships mean?",
        "Marks; by table option metal.",
        "ours: it occurs nowhere else",
    ),
    Ruling(
        "deploy-home",
        "May ships be put on the home?",
        "Yes, its Starbase counts; not on sectors with an Empire.",
        "document, 5",
    ),
    Ruling(
        "free-fighter",
        "Must the free Fighter be taken?",
        "No; when none is in reserve there is none.",
        "document, 7",
    ),
    Ruling(
        "fighter-of-engineer",
        "The document speaks once of a free Fighter of the Warlord.",
        "It is the Engineer's; the Warlord brings no ship.",
        "document, 5 and 7; ours",
    ),
)

RULINGS = (
    *SETUP,
    *ROUND,
    *EXPLORE,
    *MARKET,
    *STEWARD,
    *ENGINEER,
    *WARLORD,
    *COMBAT,
    *REGENT,
    *TECHNOLOGY,
    *END,
    *TIE,
)
"""Every ruling, by chapter."""
