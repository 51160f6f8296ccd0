# SPDX-License-Identifier: GPL-3.0-or-later
"""Rulings where the sources of Rex are silent, contradict each other, or would not work between machines."""

from __future__ import annotations

from engine.core.registry import Ruling

__all__ = ["RULINGS"]

DOCUMENT = "rule document 003"
REPORTS = "reports of play"
PARENT = "the game this one descends from"
OURS = "our decision"

RULINGS = (
    Ruling(
        "map",
        "Which roads join the 28 spaces?",
        "An outer ring of 18, an inner ring of 9 and the Galactic Council, reconstructed around the spaces "
        "that reports name.",
        "the five strongholds, 28 spaces and 18 sectors are agreed; the roads are " + OURS,
    ),
    Ruling(
        "figures",
        "Where do starting influence, starting units, free recruits and leader strengths come from?",
        "From the factions of the game this one descends from; Sol's leaders are lowered to 6 at most.",
        PARENT,
    ),
    Ruling(
        "strategy-cards",
        "Which 42 Strategy cards are there?",
        "Five attested names; the rest and the counts follow the game this one descends from.",
        "component list, " + PARENT,
    ),
    Ruling(
        "components",
        "Which pieces need no rule of their own?",
        "Board, tokens and dials are columns of the position; the bank never runs out of influence.",
        OURS,
    ),
    Ruling("first-player", "What if the lowest Bombardment cards tie?", "Those who tie draw again.", OURS),
    Ruling(
        "factions",
        "How are factions assigned?",
        "As the table agrees: picked from the first player on, drawn, or named by seat.",
        OURS,
    ),
    Ruling(
        "traitor-redraw",
        "How often may Letnev redraw, and who checks it?",
        "Once. It shows two own leaders among the four; then all four go back and four new ones are dealt.",
        DOCUMENT + "; the proof is " + OURS,
    ),
    Ruling("fleet-dial", "How high does the fleet's dial go?", "From 0 to 20.", "publisher's forum"),
    Ruling(
        "sol-placement",
        "Where do Sol's ten units start?",
        "In spaces of sectors 13 to 17 that are not under the fleet, as Sol likes.",
        REPORTS + ", " + PARENT,
    ),
    Ruling("xxcha-start", "Where does Xxcha's starting unit stand?", "In the Galactic Council.", PARENT),
    Ruling(
        "demolished",
        "What does the Demolished Location do?",
        "The space can be entered and held, but is no stronghold and no condition of Sol's victory.",
        OURS,
    ),
    Ruling(
        "control",
        "Who controls a space?",
        "The only player with face-up units there; nobody controls the Galactic Council.",
        OURS,
    ),
    Ruling(
        "windows",
        "When may a card for any time be played?",
        "At the beginning of each phase, before the plans of an own battle and before an own deployment: everybody who "
        "may is asked until nobody plays. Cards are opened when played; what is not as said is discarded without "
        "effect.",
        OURS,
    ),
    Ruling(
        "false-claim",
        "What follows when the cards opened at the end show that a claim was false: a card that was denied, or "
        'named without being held, "cannot" as the answer to a command, or no leader committed although a card at '
        "hand stands in for one?",
        "The player who made it does not win. Its allies who claimed nothing false win as before; if no winner is "
        "left, the most strongholds among the others decide, and players who tie share the victory. What was played "
        "stands, a prediction too: nobody can say how the game would have gone. What a stand-in says is no claim, for "
        "it cannot know the cards; nor is what was said of cards that nobody can open any more.",
        OURS,
    ),
    Ruling(
        "interference",
        "When does Diplomatic Interference cancel an ability?",
        "It names an ability in a window; the ability's next use in this phase does not work, or where one may choose "
        "to use it, the next time it would be offered. What could not be used anyway is not cancelled: Sol's range "
        "while it controls a space that gives more, a command to somebody without a card to play. Asking everybody at "
        "each use would stop the game at every step.",
        PARENT + ", " + OURS,
    ),
    Ruling(
        "cancellable",
        "Which abilities can Diplomatic Interference cancel?",
        "Those that are used at a moment: the card cancels one use. What always holds has no single use to cancel: "
        "Sol's immunity and its free deployment in its own sectors, the strength of Mechanized units, Letnev's four "
        "traitors and eight cards. Victory conditions are no abilities.",
        PARENT + ", " + OURS,
    ),
    Ruling(
        "testimony",
        "Which questions does Sworn Testimony allow?",
        "Whether the asked player holds a named Strategy card or traitor; the answer is a claim that is checked when "
        "hands are opened at the end.",
        OURS,
    ),
    Ruling(
        "discard",
        "What happens when the strategy deck runs out?",
        "The discard pile is shuffled into a new one.",
        PARENT,
    ),
    Ruling(
        "influence",
        "How many Influence cards are drawn in a round?",
        "As many as it takes to resolve one Location card; so there are eight rounds.",
        "two reports of play and " + DOCUMENT,
    ),
    Ruling(
        "seen",
        "May a player look up again what it has been shown?",
        "Yes: the screen lists what a seat has seen while the card still lies there, for a program cannot forget what "
        "its own log tells; that takes the place of memory. Notes on paper are the players' own affair.",
        "notes, 0 (no written notes), " + OURS,
    ),
    Ruling(
        "ceasefire-talk",
        "How does one negotiate?",
        "All talk at once, in rounds, until done; what is said at once takes effect in turn order. Each asks another "
        "once for an alliance and offers it influence once; an alliance needs the consent of all its members to just "
        "those members, a gift that of its receiver. If others have joined or left before a proposal takes effect, "
        "the player who made it is asked again. Leaving needs no consent; those who remain stay allied. Promises bind "
        "nobody. A player who is done is not asked to talk any more in this ceasefire, but is still asked to accept "
        "what others offer.",
        DOCUMENT + ", " + OURS,
    ),
    Ruling(
        "ceasefire-again",
        "What if a ceasefire that was shuffled back is drawn again in the same round?",
        "It opens another ceasefire.",
        OURS,
    ),
    Ruling(
        "alliance-spaces",
        "What if new allies share a space?",
        "The later one in turn order takes its units back to its reserves; the Galactic Council may be shared.",
        PARENT,
    ),
    Ruling(
        "offensive",
        "What does a Sol Offensive destroy?",
        "All units but Sol's and its allies', and all influence, in both spaces of the latest Location card; shields "
        "do not help. Before the first Location card it hits nothing. Sol may first lift units out of each space.",
        DOCUMENT + ", publisher's forum",
    ),
    Ruling(
        "lots",
        "Who opens the bidding on the later cards?",
        "The next player clockwise who may bid. A pass is final for the card; a bid cannot exceed one's influence.",
        PARENT,
    ),
    Ruling(
        "lazax-loan",
        "When may Lazax give influence to an ally?",
        "Before each ally's first bid on a card.",
        "publisher's forum",
    ),
    Ruling(
        "leader-recruits",
        "May a leader be recruited while others live?",
        "Yes, one leader a turn at any time.",
        DOCUMENT,
    ),
    Ruling(
        "movement",
        "May a group pass through occupied spaces?",
        "Yes. It cannot stop beside an ally's units, the Galactic Council excepted.",
        OURS,
    ),
    Ruling(
        "deploy-price",
        "What does Hacan pay, and what does relocation cost?",
        "Hacan pays half of the whole, rounded up, to the bank; relocation costs 1 a unit without discount.",
        REPORTS + ", publisher's forum, " + PARENT,
    ),
    Ruling(
        "deploy-contested",
        "What does it cost to deploy beside others?",
        "2 for each unit where another player has face-up units, also beside own ones; in the Galactic Council and "
        "beside face-down units 1. The battle comes later, in its phase.",
        DOCUMENT + ", " + OURS,
    ),
    Ruling(
        "relocation",
        "May Hacan's relocation take units out from under the fleet?",
        "No: neither out of the bombarded sector nor into it, and not beside an ally's units, the Galactic Council "
        "excepted.",
        "publisher's forum, " + OURS,
    ),
    Ruling(
        "hacan",
        "Where do Hacan's powers come from?",
        "The document pays it for the deployments of others; the relocation comes from the publisher's forum, the "
        "lower price of its own deployment from a report, and the half of it from the game this one descends from.",
        DOCUMENT + ", publisher's forum, " + REPORTS + ", " + PARENT,
    ),
    Ruling(
        "jol-nar",
        "Where do Jol-Nar's powers come from?",
        "The document lets it look at the top Influence card and ask its question; the publisher's preview and "
        "reports say that it sees each Strategy card before the bidding.",
        DOCUMENT + ", publisher's preview, " + REPORTS,
    ),
    Ruling(
        "shadow",
        "When does Xxcha's free unit come?",
        "After each deployment of another player, an ally too, one unit from the reserves into the Galactic Council; "
        "not after a relocation, and not when nobody was deployed.",
        DOCUMENT + "; for relocations " + OURS,
    ),
    Ruling(
        "advantages",
        "What do allies get from each other?",
        "From Sol immunity to the Sol Offensive; from Lazax gifts before a first bid; from Hacan its relocation, paid "
        "to it. Xxcha's command, Jol-Nar's question and Letnev's traitors their owners may use in an ally's battle.",
        DOCUMENT + " for Sol, publisher's forum for Lazax and Hacan, " + PARENT,
    ),
    Ruling(
        "sol-deployment",
        "May Sol deploy elsewhere against payment?",
        "No: free in sectors 13 to 17, and nowhere else.",
        DOCUMENT,
    ),
    Ruling(
        "facing",
        "When do Xxcha units turn over?",
        "At the beginning of the Maneuvering phase, a whole stack at a time; units that join a stack face as it does. "
        "Face-down units may not share a space with an ally's either.",
        "publisher's forum, " + OURS,
    ),
    Ruling(
        "face-down",
        "What are Xxcha's face-down units worth?",
        "As much as none: they control, fight and collect nothing, raise no price, take no Shield Bomb to a space and "
        "do not count for Betrayal cards. What destroys all units of a space destroys them too: the fleet, a Sol "
        "Offensive, a Shield Bomb, and a Plasma Annihilator that meets an energy defence.",
        "publisher's forum, " + PARENT,
    ),
    Ruling(
        "leader-choice",
        "Must a leader be committed?",
        "Yes, or a card that stands in for one, if there is any; without either no card can be played. A player who "
        "commits no leader claims to hold no such card, and that is checked at the end.",
        PARENT + ", " + OURS,
    ),
    Ruling(
        "stand-in",
        "What becomes of a card that stood in for a leader?",
        "It is discarded after the battle, unless its side has won by a traitor and so loses nothing.",
        DOCUMENT + ", " + PARENT,
    ),
    Ruling(
        "leader-reuse",
        "May a leader fight twice in a round?",
        "Only in the same space.",
        PARENT,
    ),
    Ruling(
        "intents",
        "Which kinds of card may one announce?",
        "Those one can commit: attack cards, defence cards, Empty Crates for either.",
        OURS,
    ),
    Ruling(
        "command",
        "What does Xxcha command?",
        "To play, or not to play, a named attack or defence card. A player who holds it complies if a leader, or a "
        'card that stands in for one, can be committed with it. "Cannot" is a claim checked at the end.',
        PARENT,
    ),
    Ruling(
        "question",
        "What does Jol-Nar's question fix?",
        "Dial, leader, attack card or defence card; one question a battle. The answer is something that can be "
        "committed, and it binds.",
        PARENT,
    ),
    Ruling(
        "plasma",
        "What does the Plasma Annihilator do?",
        "It kills the leader through any defence; with an energy defence on either side both lose and the space "
        "is wiped.",
        PARENT,
    ),
    Ruling(
        "both-traitors",
        "What if both leaders are traitors?",
        "Both sides lose everything there. Shown traitors are out of play.",
        DOCUMENT,
    ),
    Ruling(
        "losses",
        "Which units does the winner lose?",
        "Units whose strengths reach the dial, as the winner likes, none in vain.",
        "publisher's forum",
    ),
    Ruling(
        "leader-bounty",
        "Does a killed leader pay influence?",
        "No; only a leader captured by Lazax does.",
        OURS,
    ),
    Ruling(
        "capture",
        "How does Lazax capture leaders?",
        "After winning it may draw one living leader of the loser that has fought no other battle in this round, on "
        "either side: killed for 2 influence, or kept to fight once. Kept leaders go home when they have fought or "
        "Lazax has none of its own left.",
        DOCUMENT + ", " + PARENT,
    ),
    Ruling(
        "charity",
        "Does Xxcha get charity twice?",
        "No: 2 influence, whatever it holds.",
        OURS,
    ),
    Ruling(
        "collect-all",
        "May one leave influence lying?",
        "No: everybody takes what the units can carry.",
        OURS,
    ),
    Ruling(
        "bombardment",
        "What does the fleet destroy?",
        "Units and influence in unshielded spaces of every sector it enters; Sol loses half of its units in each "
        "space, rounded down. The sector it leaves is spared.",
        DOCUMENT,
    ),
    Ruling(
        "bombardment-cards",
        "How many Bombardment cards are there?",
        "Eighteen, three of each number.",
        DOCUMENT + "; a component list has six",
    ),
    Ruling(
        "ally-strongholds",
        "Does a member of an alliance win with the three strongholds that are enough without allies?",
        "No: an alliance of two needs four together, one of three five, whoever of them holds them.",
        OURS,
    ),
    Ruling(
        "special-allies",
        "Do allies share Sol's and Hacan's victories?",
        "Yes, unless the table says otherwise.",
        PARENT,
    ),
    Ruling(
        "prediction",
        "Which victories may Xxcha foresee?",
        "Any, by the player and round named, alone or in an alliance; not its own.",
        "tips page, component list",
    ),
    Ruling(
        "betrayal",
        "What are the conditions of the Betrayal cards?",
        "Eight of our own, two of them attested; the highest number shown wins alone. Allies who only tie for most "
        "strongholds have not won as an alliance: they share, and nobody is betrayed.",
        REPORTS + ", " + OURS,
    ),
    Ruling(
        "secrets",
        "What is hidden?",
        "Hands, traitors, betrayal cards, dials, the prediction and what is looked at. Influence changes hands in "
        "public, but how much one holds is shown to nobody else until somebody has won, unless the table agreed to.",
        DOCUMENT,
    ),
    Ruling(
        "hand-returned",
        "What becomes of the hidden cards of a player who leaves for good, or whose seat passes to somebody else?",
        "Strategy, traitor and Betrayal cards go back into their decks, which are shuffled, after the battle if one is "
        "being fought; a card that is up for bidding stays on top. What was claimed about them is not checked any "
        "more. A prediction that its author does not open counts for nothing; alliances and units stay.",
        OURS + ", the table's rule for seats whose owner leaves",
    ),
    Ruling("talk", "How do players talk?", "In public, in the table's chat; nobody can prove a secret.", DOCUMENT),
    Ruling("lore", "Does the story have rules?", "No.", OURS),
)
"""In the order of the document."""
