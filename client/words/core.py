# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts common to all games: answers, notation, tables, dump files, and the errors in custom content by table and key.

Errors of a lobby or the store come with a hint, see :mod:`client.table.words`; for findings of an audit see
:mod:`client.words.proof`.
"""

from __future__ import annotations

from typing import Final

from client.system.texts import N_, NN_, _, ngettext

EVENTS: Final[dict[str, str]] = {
    "core/foul": N_("What was opened did not fit its play ({play}): it counts for nothing."),
    "score/final": NN_(
        "{seat}: {total} victory point, place {rank}.", "{seat}: {total} victory points, place {rank}.", "total"
    ),
}

REFUSALS: Final[dict[str, str]] = {
    "answer/incomplete": N_("This answer lacks something."),
    "answer/not-an-option": N_("That is not one of the options."),
    "answer/not-asked": N_("This seat is not asked anything now."),
    "answer/not-staged": N_("This answer has to be a list of steps."),
    "answer/sealed": N_("This choice is secret: it is sealed first."),
    "batch/empty": N_("There is no answer in it."),
    "batch/too-long": N_("Others have to speak before answer {path}."),
    "dump/damaged": N_("The saved position is damaged: {all}"),
    "dump/digest": N_("The saved position does not have the digest it claims."),
    "dump/version": N_("The saved position was written by another version ({all})."),
    "game/over": N_("The game is over."),
    "log/digest": N_("{path}: the position differs from the recorded one."),
    "log/illegal": N_("{path}: not legal: {all}"),
    "log/rules": N_("The record is of other rules: {0} instead of {1}."),
    "log/scores": N_("The scores differ: {0} instead of {1}."),
    "log/unfinished": N_("The record ends before the game does."),
    "notation/ambiguous": N_("“{0}” can mean: {rest}"),
    "notation/incomplete": N_("Then one of: {all}"),
    "notation/not-now": N_("That is not possible now."),
    "notation/number": N_("There is no option {0}: they go up to {1}."),
    "notation/too-long": N_("“{0}” is too much: the answer is complete before it."),
    "notation/unknown": N_("“{0}” is not among: {rest}"),
    "notice/seat": N_("There is no seat {0}."),
    "outcome/card": N_("Card {0} {1} cannot be opened like that."),
    "outcome/card-count": NN_("It needs {0} card.", "It needs {0} cards.", "0"),
    "outcome/dice-count": NN_("It needs {0} die.", "It needs {0} dice.", "0"),
    "outcome/die": N_("A die of {0} sides does not show that."),
    "outcome/not-asked": N_("No dice or cards are waited for."),
    "outcome/not-empty": N_("Nothing can be told about these cards."),
    "seal/unreadable": N_("The sealed choice cannot be read."),
    # The table itself: late answers, pacts, chat, and messages from other programs.
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
    "pact/only-two": N_(
        "Between two nobody can be left out or given up: owes {0} puts on record what is missing, and alone goes on at "
        "a new table."
    ),
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
    "pact/no-such-height": N_("No vote goes back to step {0}: others still answer it, or it was taken back already."),
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
    "claim/leave-out": N_("There are enough of you to go on without that player: propose that."),
    "pact/over": N_("The game has ended: nothing is left that this could change."),
    "pact/undecided": N_("Others may still go another way from an earlier step; one of them has to be heard first."),
    "pact/passed": N_("The game has gone on meanwhile."),
    "pact/present": N_("That player is here again."),
    "pact/proposed-already": N_("You have proposed that already; the others are asked."),
    "pact/others-missing": N_("The proposal replaces another one that has not arrived yet."),
    "pact/unsteady": N_("that player comes and goes, and has not been here for long enough yet"),
    "pact/too-many": N_("You have made {0} proposals at this step; propose no more until the next one."),
    "pact/too-many-keys": N_("{0} keys have got a seat since this table began, and it takes no more."),
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
    "rules/position": N_("The position from which this table goes on is missing, damaged or impossible."),
    "seal/too-long": N_("A sealed choice cannot be that long."),
    "table/not-begun": N_("The table has not begun."),
    "table/no-seat": N_("Only players with a seat can say something to all."),
    "table/following": N_("You only follow this table."),
    "table/no-such-member": N_("There is no such player at this table."),
    # Custom content.
    "content/deep": N_("Line {1} goes deeper than {0} levels of tables and lists."),
    "content/form": N_("It is not written in the one canonical form."),
    "content/long-word": N_("Line {1} holds a key, a number or a text of more than {0} characters."),
    "content/missing": N_("{path} is missing."),
    "content/no-own": N_("{0} takes no content of a table."),
    "content/not-utf8": N_("It is not text in UTF-8 (byte {0})."),
    "content/since": N_("{path}: it does not say rightly since when it stands: {0}."),
    "content/toml": N_("It is not TOML: {0}"),
    "content/too-long": N_("It has more than {1} bytes, and more are not possible."),
    "content/type": N_("{path} is {1}; what belongs there: {0}."),
    "content/unfit": N_("Its tables do not fit together: {0}"),
    "content/unknown-key": N_("{path} is no key of this table; its keys: {all}."),
    "content/version": N_("{path} is {1}; {0} is possible."),
}

TERMS: Final[dict[str, str]] = {
    "nobody": N_("nobody"),
    "neutral": N_("nobody"),
    "title/draws": N_("Draws"),
    "title/draws=sealed": N_("sealed, nobody sees them"),
    "title/draws=open": N_("open in the log"),
    "title/=on": N_("yes"),
    "title/=off": N_("no"),
    "option/draws": N_(
        "How cards are drawn: sealed, so that nobody sees a hidden one, all others together included; or open: then the"
        " log shows every face to whoever looks."
    ),
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
        "Help for players who learn: how much more each seat gets in each round. 3,0,0 gives the first of three seats"
        " 3."
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

WANTED: Final = {
    "a table": N_("a table"),
    "a list": N_("a list"),
    "int": N_("a whole number"),
    "str": N_("a text"),
    "bool": N_("true or false"),
}
"""The texts for what a key may hold."""


def wanted_text(wanted: str) -> str:
    """What a key may hold, in words; a list of permitted texts stays as written in the file."""
    choice = wanted.removeprefix("one of ")
    if choice != wanted:
        return _("one of {values}").format(values=choice)
    count = wanted.removesuffix(" items")
    if count != wanted:
        return ngettext("{n} value", "{n} values", int(count)).format(n=count)
    return _(WANTED.get(wanted, wanted))
