# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals of the table itself: late answers, pacts, chat, and messages from other programs.

Errors of a lobby or the store come with a hint, see :mod:`client.table.words`; for findings of an audit see
:mod:`client.words.proof`.
"""

from __future__ import annotations

from typing import Final

from client.system.texts import N_, NN_

EVENTS: Final[dict[str, str]] = {}

REFUSALS: Final[dict[str, str]] = {
    "answer/given-already": N_("This seat has answered already."),
    "answer/unreadable": N_("The answer cannot be read: {all}"),
    "draft/empty": N_("There is nothing to send."),
    "draft/unpicked": N_("Nothing is picked yet: choose an answer, then send it."),
    "draft/incomplete": N_("The answer is not complete. Still open: {0}"),
    "chat/length": N_("A message must have 1 to {0} bytes."),
    "chat/too-fast": N_("That is more than {0} messages a minute; wait a moment."),
    "chat/too-many": N_("You have said {0} things at this table; more is not passed on."),
    "genesis/lobby": N_("That player's certificate was made for another table."),
    "lockstep/catching-up": N_("This program still reads what the others sent; try again in a moment."),
    "lockstep/elsewhere": N_("You play this table in another place now: this program watches until that one leaves."),
    "lockstep/feed-full": N_("This program has written more at this table than the others keep of one member."),
    "lockstep/left-out": N_("The others went on without you; ask to be let in again."),
    "lockstep/left": N_("You have left this table for good: this program only watches now."),
    "lockstep/moving": N_("First the others must agree that your new key goes on."),
    "lockstep/older-copy": N_("This is an older copy of the table: first your newer entries must come back."),
    "lockstep/own-fault": N_("This program broke the protocol and says nothing more at this table."),
    "lockstep/said-otherwise": N_(
        "This copy has lost an entry of yours, and the others hold what you signed after it: say again just what you "
        "said then."
    ),
    "lockstep/secret-lost": N_("A secret of yours is missing in the store: this program only watches now."),
    "lockstep/twin": N_("You play this table on another machine too: this program only watches now."),
    "lockstep/unconfirmed": N_("First another player's program must confirm that this is your newest copy; or: newest"),
    "lockstep/voting": N_("A vote that you agreed to is open; the game waits for it."),
    "own-feed/confirmed": N_("That is confirmed already: you can play."),
    "own-feed/linked": N_("Others are connected: their programs answer that in a moment."),
    "own-feed/newer": N_("This is an older copy of the table: {0} holds newer entries of yours."),
    "practice/alone": N_("This is practice on this machine alone: nobody else is at the table."),
    "outcome/shape": N_("This outcome is not in the protocol's form."),
    "pact/absent-first": N_(
        "{0} has not been left out yet: first absent {0}; gone {0} only for a member who stays away."
    ),
    "pact/behind": N_("{all} seems to be further than this program, which still reads. Try again in a moment."),
    "pact/only-two": N_("Between two nobody can be left out or given up: owes {0} puts on record what is missing."),
    "pact/across-secrets": N_("Something hidden was shown since step {0}: that cannot be taken back."),
    "pact/ahead": N_("The proposal is of a later step than this program has seen."),
    "pact/cards-shown": N_("Cards were shown to somebody since step {0}: that needs new keys of the decks."),
    "pact/chooses-dice": N_(
        "That would undo a roll of which an absent player holds a part of the key: step {0} is the first possible."
    ),
    "pact/declined": N_("does not agree"),
    "pact/convicted": N_("That player is proven to have broken the protocol."),
    "pact/evidence-missing": N_("The proof against that player has not arrived yet."),
    "pact/feed-behind": N_("Entries of the player in question have not arrived yet."),
    "pact/left": N_("{all} has left for good: nobody waits for a word that cannot come."),
    "pact/kind": N_("There is no such proposal."),
    "pact/given-up": N_("That seat was given up for good: no other key gets it."),
    "pact/left-out": N_("That player is left out already."),
    "pact/locked": N_("You have proposed or agreed to something else that excludes this, and that is not decided yet."),
    "pact/more": N_("The player in question has written more entries meanwhile."),
    "pact/next-height": N_("An absent player returns at the next step, not before."),
    "pact/no-such-height": N_("There is no step {0} to go back to."),
    "pact/known-key": N_("That key was used at this table before; to go on it takes a new one."),
    "pact/second-key": N_("That player sits here with another key already: one machine has one vote."),
    "pact/other-identity": N_("That key belongs to another identity: a seat goes on with its own player."),
    "pact/no-such-seat": N_("There is no such seat."),
    "pact/not-a-member": N_("That is no player of this table."),
    "pact/not-absent": N_("That player is not absent, or has been given up for good."),
    "pact/not-left-out": N_("You have not been left out, or have been given up for good."),
    "pact/own-program": N_("Your program computes another state than the others: run theirs and resume, then ask."),
    "pact/not-asked": N_("The proposal does not concern you."),
    "pact/not-its-own": N_("Only the absent player may ask to return."),
    "pact/nobody-to-ask": N_("there is no person to agree to it"),
    "pact/not-parted": N_("Your histories are the same: there is no need to go back."),
    "pact/not-open": N_("That proposal is not open any more."),
    "pact/other-end": N_("The proposal leaves out another part of what that player said."),
    "pact/other-head": N_("The proposal belongs to another history of the table."),
    "pact/other-position": N_("There is no such position to propose anything about."),
    "pact/owner-left-out": N_("Only its player can give a seat away, and that player is left out."),
    "pact/other-state": N_("computes another state there: the programs do not agree yet"),
    "pact/overtaken": N_("Another decision came first."),
    "pact/owes-nothing": N_("Nobody waits for that player now."),
    "claim/owe-first": N_("The table waits for you too: first give what you owe yourself."),
    "claim/leave-out": N_("There are enough of you to go on without that player: propose `absent`."),
    "pact/over": N_("The game has ended: nothing is left that this could change."),
    "pact/passed": N_("The game has gone on meanwhile."),
    "pact/present": N_("That player is here again."),
    "pact/proposed-already": N_("You have proposed that already; the others are asked."),
    "pact/others-missing": N_("The proposal replaces another one that has not arrived yet."),
    "pact/unsteady": N_("that player comes and goes, and has not been here for long enough yet"),
    "pact/too-many": N_("You have made {0} proposals at this step; propose no more until the next one."),
    "pact/rival": N_("agreed to another proposal that excludes this one"),
    "pact/no-difference": N_("Nobody has signed another state there: leave and resume, and the log is read again."),
    "pact/no-limit": N_("This table agreed to wait for {0} without limit while {0} is in reach."),
    "pact/states-differ": N_("The programs disagree: run the same one everywhere, or go on without somebody."),
    "pact/too-early": N_("This table agreed to wait for {0} until {1}; nobody goes on without {0} before."),
    "pact/too-far-back": N_("That would undo what everybody has seen: all stood at step {1} already."),
    "pact/too-few": N_("Too few players are left to decide that: {0}, and it takes {1}."),
    "pact/undoes-others": N_(
        "That would undo steps of somebody who does not vote on it: step {0} is the first possible."
    ),
    "pact/word-missing": N_("The vote needs {all} too, out of reach now. Wait, or name them as well."),
    "pact/would-go-back": N_("That would undo what has been decided since."),
    "option/handicap-count": NN_("{0} handicap is given for {1} seats.", "{0} handicaps are given for {1} seats.", "0"),
    "option/handicap-none": N_("a handicap of 0 for everybody; leave the option out"),
    "option/handicap-number": N_("“{0}” is no handicap: give each seat a number from 0 to {1}, such as 3,0,0."),
    "rules/options": N_("The table has other options than these rules: {all}"),
    "rules/position": N_("The table begins from a position set up by hand, which this program does not play yet."),
    "seal/too-long": N_("A sealed choice cannot be that long."),
    "table/not-begun": N_("The table has not begun."),
    "table/no-seat": N_("Only players with a seat can say something to all."),
    "table/following": N_("You only follow this table."),
    "table/no-such-member": N_("There is no such player at this table."),
}

TERMS: Final[dict[str, str]] = {
    "title/handicap": N_("Handicap"),
    "title/handicap=none": N_("for nobody"),
    "title/dice": N_("Dice"),
    "title/dice=reveal": N_("from all players"),
    "title/dice=lock": N_("from half of the players and one more"),
    "title/patience": N_("Time for an answer"),
    "title/patience=1m": N_("1 minute"),
    "title/patience=10m": N_("10 minutes"),
    "title/patience=1h": N_("1 hour"),
    "title/patience=8h": N_("8 hours"),
    "title/patience=1d": N_("1 day"),
    "title/patience=7d": N_("7 days"),
    "title/patience=off": N_("no limit"),
    "option/handicap": N_(
        "Help for players who learn: what each seat gets more in each round: money in Eclipse, Marks in Galactic"
        " Emperor, influence in Rex. 3,0,0 gives the first of three seats 3."
    ),
    "option/dice": N_(
        "Where dice come from: reveal, a seed of every player, which all must open; or lock: any half and one more make"
        " the roll, so that nobody waits for all, but as many together can foresee it. Between two it is always reveal."
    ),
    "option/patience": N_(
        "How long a player may think about one answer until the others, bots included, may go on without them: minutes"
        " (m), hours (h), days (d); off: only a player out of reach is left out."
    ),
}
