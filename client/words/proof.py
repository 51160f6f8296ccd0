# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts for the findings of an audit, what it proves and what it cannot prove.

PROBLEMS        code of a problem → sentence; {detail} is the detail for the log
PROVES          what an intact log proves
PARTS           part of a file → its name
DOES_NOT_PROVE  what no log proves, or this one does not
TOGETHER        of that: what some members could have done together
VERDICTS        kind of verdict on evidence → sentence with {name} and {what}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from client.system.names import shown
from client.system.texts import N_, _

PROBLEMS: Final[dict[str, str]] = {
    "anew/blind-proof": N_("The blinding of a deck dealt again is false: its proof fails."),
    "anew/form": N_("A message about a deck dealt again is not in the protocol's form."),
    "anew/hand-changed": N_(
        "A deck was dealt again so that a card which a member had read could become another ({detail}): "
        "the programs of this table were wrong."
    ),
    "anew/hand-proof": N_("The cards of a hand sealed again are not those that were in it: the proof fails."),
    "anew/not-your-turn": N_("It was another member's turn to blind the deck."),
    "anew/owes-no-hand": N_("Nobody asked that member for cards of its hand."),
    "anew/owes-no-share": N_("Nobody asked that member for shares of the deck dealt again."),
    "anew/share-proof": N_("The shares of a deck dealt again are false: their proof fails."),
    "answer/illegal": N_("The answer is against the rules ({detail})."),
    "answer/shape": N_("The answer is not in the protocol's form."),
    "beacon/committed-twice": N_("A second commitment to one roll."),
    "beacon/form": N_("A message about dice is not in the protocol's form."),
    "beacon/not-a-contributor": N_("A seed of somebody who has no part in the roll."),
    "beacon/not-a-member": N_("A commitment of somebody who is no member."),
    "beacon/opened-twice": N_("A second seed for one roll."),
    "beacon/opening-mismatch": N_("The seed shown is not the one that was committed to: proof of cheating."),
    "beacon/other-roll": N_("A commitment or seed for another roll than the open one."),
    "certificate/form": N_("A member's certificate is not in the protocol's form."),
    "certificate/signature": N_("A member's certificate is not signed by that identity."),
    "deck/form": N_("A message about sealed cards is not in the protocol's form."),
    "deck/key-proof": N_("The author does not hold the deck key that it showed: the proof fails."),
    "deck/key-twice": N_("A second deck key of one member."),
    "deck/not-a-member": N_("A deck key of somebody who is no member."),
    "deck/not-your-turn": N_("It was another member's turn to shuffle."),
    "deck/owes-no-remask": N_("Nobody asked that member to mask cards anew."),
    "deck/owes-no-share": N_("Nobody asked that member for shares of cards."),
    "deck/remask-proof": N_("The cards masked again are not those that lay there: the proof fails."),
    "deck/share-proof": N_("The shares of cards are false: their proof fails."),
    "deck/shuffle-proof": N_("The shuffle does not hold the same cards: its proof fails."),
    "entry/basis": N_("The entry does not say on which others it rests."),
    "entry/other-basis": N_("The entry rests on others than those of its step."),
    "entry/epoch": N_("The entry names another set of members than the table had."),
    "entry/forked": N_("The author signed two histories ({detail}): proof of cheating, or of one key on two machines."),
    "entry/kind": N_("The table did not wait for an entry of this kind."),
    "entry/not-asked": N_("The table asked nothing of the kind from that seat."),
    "entry/not-yours": N_("The seat belongs to another member."),
    "entry/other-head": N_("The entry belongs to another history of the table."),
    "entry/other-state": N_("The author's program had another position here (we have {detail}): two engines differ."),
    "entry/signature": N_("The signature does not fit."),
    "entry/stranger": N_("The author is no member of the table."),
    "entry/table": N_("The entry belongs to another table."),
    "entry/twice": N_("The author filled one place twice with different entries."),
    "evidence/chain": N_("an entry that does not follow its author's entry before"),
    "evidence/legal": N_("The accused entry is legal where it stands."),
    "evidence/none": N_("An honest author may sign both entries."),
    "evidence/opening": N_("a seed that is not the one committed to"),
    "evidence/other-head": N_("The entries that come along do not lead to where the accused one stands."),
    "evidence/seq": N_("two entries for one place of the feed"),
    "evidence/slot": N_("two entries that fill the same place of the game"),
    "file/accused": N_("The number of accused entries does not fit."),
    "file/chain": N_("The chain of its author's entries is broken here ({detail})."),
    "file/changed": N_("Something was changed, left out, added or moved ({detail})."),
    "file/claim": N_("The claim is damaged."),
    "file/content": N_("The content that comes along is not the one that the table names ({detail})."),
    "file/empty": N_("There is no entry in it."),
    "file/entry": N_("This is not what its author signed ({detail})."),
    "file/foreign": N_("The first bytes are damaged."),
    "file/header": N_("The header is damaged."),
    "file/length": N_("The length of a record is damaged ({detail})."),
    "file/order": N_("Records are not in the required order ({detail})."),
    "file/other-end": N_("The exporter signed an end of the game to which these entries do not lead ({detail})."),
    "file/other-table": N_("An entry of another table is among them ({detail})."),
    "file/record": N_("A record is damaged ({detail})."),
    "file/text": N_("The text of a chat is not the one that was signed ({detail})."),
    "file/trailer": N_("The trailer is damaged."),
    "file/trailing": N_("Something follows the end of the file."),
    "file/truncated": N_("The file is cut short ({detail})."),
    "genesis/key-twice": N_("Two members share one table key or one identity."),
    "genesis/lobby": N_("A member's certificate was made for another lobby."),
    "genesis/member": N_("A member's record is not in the protocol's form ({detail})."),
    "genesis/members": N_("The number of members is not possible ({detail})."),
    "genesis/origin": N_("The genesis does not say in due form from which table its one member goes on ({detail})."),
    "genesis/protocol": N_("The table speaks another version of the protocol."),
    "genesis/seats": N_("A seat has no member, or several."),
    "genesis/shape": N_("The genesis is not in the protocol's form."),
    "told/other-points": N_("The points on this page are not those that the members signed."),
    "told/form": N_("What is told of the questions beside the saved game is not in the protocol's form ({detail})."),
    "told/gap": N_("What is told of the questions does not lead to where the saved game ends."),
    "told/other": N_("What is told of the questions does not fit what the members said ({detail})."),
    "told/other-state": N_("What is told of the last question is not what the members signed."),
    "keys/announced-twice": N_("A second announcement for one set of keys."),
    "keys/bad-share": N_("The share of a key sent to another member does not fit what its author published."),
    "keys/dealt-twice": N_("A second dealing for one set of keys."),
    "keys/false-complaint": N_("The complaint is false: the share complained of fits."),
    "keys/form": N_("A message about shared keys is not in the protocol's form."),
    "keys/not-a-member": N_("A message about shared keys of somebody who is no member."),
    "keys/ok-twice": N_("A second agreement to one set of keys."),
    "keys/other-coefficients": N_("The dealing is not the one that was announced."),
    "keys/proof": N_("The author does not know the secret of what it published: the proof fails."),
    "lock/form": N_("A message about the lock of a roll is not in the protocol's form."),
    "lock/not-a-member": N_("A part of the lock of somebody who holds none."),
    "lock/proof": N_("The part that should lift the lock of a roll is false: its proof fails."),
    "lock/released-twice": N_("A second part of one lock from one member."),
    "log/foreign-genesis": N_("The genesis is that of another table."),
    "log/gap": N_("Entries of an author are missing ({detail})."),
    "log/no-genesis": N_("The log does not begin with a genesis."),
    "log/other-position": N_("The game began from another position ({detail})."),
    "log/other-rules": N_("The game was played by other rules: {detail}."),
    "pact/out": N_("The author proposed a pact that does not name in due form the members it leaves out."),
    "pact/over": N_("The author proposed a pact that does not list in due form the pacts it replaces."),
    "pact/refuse-after-sign": N_("The author refused a pact after signing it."),
    "pact/shape": N_("A word about a pact is not in the protocol's form."),
    "pact/sign-after-refuse": N_("The author signed a pact after refusing it."),
    "pact/terms": N_("The author proposed a pact whose terms are not in the protocol's form."),
    "result/undone": N_("Votes undo an end here that all who were present seem to have signed."),
    "result/form": N_("The result does not say how the game ended, or not in the protocol's form."),
    "result/not-over": N_("A result was signed here, where the game is not over ({detail})."),
    "result/other-ending": N_("The result signed here names another ending than the game had ({detail})."),
    "result/other-head": N_("The result signed here is that of another end."),
    "result/other-points": N_("The result signed here gives other places or points than the rules do."),
    "result/other-state": N_(
        "The result signed here is of another position at the same end (we have {detail}): two engines differ."
    ),
    "seal/form": N_("A message about a sealed choice is not in the protocol's form."),
    "seal/not-a-member": N_("A part of a forced opening from somebody who holds none."),
    "seal/not-yours": N_("The sealed choice opened here is somebody else's."),
    "seal/nothing-sealed": N_("Nothing was sealed that could be opened here."),
    "seal/opened-twice": N_("A sealed choice was opened twice."),
    "seal/opening-mismatch": N_("The choice shown is not the one that was sealed: proof of cheating."),
    "seal/proof": N_("The part that should open a secret choice is false: its proof fails."),
    "seal/released-twice": N_("A second part of one forced opening from one member."),
    "seal/unopenable": N_("The secret choice opens to nothing: it was sealed falsely."),
}

PROVES: Final[dict[str, str]] = {
    "signatures": N_("every entry was signed by its author; the genesis or a vote names the keys of the members"),
    "order": N_("no entry was doubled or moved, and none is missing between two of its author"),
    "legal-answers": N_("every answer was legal by the rules when it was given"),
    "same-states": N_("all who signed something at a step saw the same position there"),
    "dice-committed": N_("every member fixed its part of each roll before anybody saw a part of it"),
    "dice-unchosen": N_(
        "nobody chose a roll of the lock alone: each follows from keys that were made before the game reached it"
    ),
    "dice-locked": N_(
        "nobody alone could see a roll and then stop it: when all parts were fixed, others lifted its lock"
    ),
    "cards-proven": N_("no face-down card was exchanged: every shuffle, share and opening came with its proof"),
    "cards-secret": N_("no face-down card could be read by others, all of them together included"),
    "choices-fixed": N_("every secret choice was fixed before any was opened"),
    "result": N_("the scores follow from all that"),
}

DOES_NOT_PROVE: Final[dict[str, str]] = {
    "who-holds-a-key": N_("which person holds a key"),
    "collusion": N_("whether members told each other what they should not"),
    "why-somebody-was-silent": N_("why somebody was silent"),
    "last-words": N_(
        "that nobody said more: the last entries of a member may be missing here, and with them what a vote undid"
    ),
    "one-member": N_("anything about fairness: one member held every seat and could choose the dice"),
    "one-was-left": N_("that dice and cards were fair where one member was left: it could choose them"),
    "test-seed": N_("that nobody knew the dice: they were fixed by a test seed"),
    "last-opener-may-stop": N_("that nobody broke off a game on seeing a bad roll: whoever opens last sees it first"),
    "lock-coalition": N_(
        "that {coalitions} members did not choose between two outcomes of a roll by having somebody left out during it"
    ),
    "dice-foreseen": N_(
        "that {coalitions} members together did not foresee dice: they can with dice=lock, or where two of more are "
        "left"
    ),
    "choice-coalition": N_("that {coalitions} members did not read a short secret choice before it was opened"),
    "dealt-anew-unreviewed": N_(
        "that a deck dealt again kept its secrets: how that is done is our own composition, not reviewed by others"
    ),
    "shown-and-taken-back": N_(
        "that nobody used what it had seen: members agreed to go back over cards or choices that had been shown"
    ),
    "parted-histories": N_(
        "that who was left out for two histories signed both, and that going back behind them was needed: a saved game "
        "holds one of them, and the word of those who voted"
    ),
    "programs-differed": N_(
        "how the game would have gone on where two programs disagreed: members agreed to read on by the rules"
    ),
    "roll-without-an-absent-seed": N_("that a roll was out of reach of all members: an absent one had no part in it"),
    "cards-are-not-secret": N_("that face-down cards were secret: with draws=open every peer could know them"),
    "goes-on-alone": N_(
        "that the game before it was played: the table that it names has to be verified by itself, and proves nothing "
        "of what is here"
    ),
    "edited-position": N_("how the position came about from which the game began"),
}

TOGETHER: Final[dict[str, str]] = {
    "lock-coalition": N_("choose between two outcomes of a roll by having somebody left out during it"),
    "dice-foreseen": N_("foresee dice: with dice=lock, or where two of more are left"),
    "choice-coalition": N_("read a short secret choice before it was opened"),
}
"""Of what is not proven: what so many members could have done together."""

VERDICTS: Final[dict[str, str]] = {
    "guilty": N_("This proves that {name} broke the protocol: {what}"),
    "unfounded": N_("This proves nothing against {name}. {what}"),
    "engines-differ": N_(
        "The same entries lead to another position in {name}'s program than here: two engines differ, nobody's fault."
    ),
    "not-judged": N_("This program lacks the rules or the content of that game and does not judge."),
}


PARTS: Final[dict[str, str]] = {
    "claim": N_("the claim"),
    "content": N_("the content"),
    "end": N_("the end"),
    "entries": N_("the entries"),
    "header": N_("the header"),
    "magic": N_("the first bytes"),
    "points": N_("the points"),
    "trailer": N_("the trailer"),
}


def part_text(part: str) -> str:
    """A part of a file, as `FileError` names it."""
    match part.rsplit(" ", 1):
        case ["entry", number]:
            return _("entry {number}").format(number=number)
        case ["text of entry", number]:
            return _("the text of entry {number}").format(number=number)
    return _(PARTS[part]) if part in PARTS else shown(part)


def problem_text(code: str, detail: str) -> str:
    """A problem as a sentence, or its code if it has none. detail: "" to leave it out."""
    if code not in PROBLEMS:
        return f"{shown(code)} ({shown(detail)})" if detail else shown(code)
    text = _(PROBLEMS[code]) if detail else re.sub(r" \([^)]*\{detail\}\)", "", _(PROBLEMS[code]))
    return text.format(detail=shown(detail))


def proof_text(code: str, coalitions: Sequence[tuple[int, int]] = ()) -> str:
    """The text of a statement that is proven or not. coalitions: (t, n) for which any t of n members could open the
    locked dice."""
    return _({**PROVES, **DOES_NOT_PROVE}.get(code, code)).format(coalitions=sizes_text(coalitions))


def sizes_text(coalitions: Sequence[tuple[int, int]]) -> str:
    """Sizes (t, n) in words."""
    return ", ".join(_("{t} of {n}").format(t=t, n=n) for t, n in coalitions)
