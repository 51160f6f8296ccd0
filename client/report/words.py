# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of the page, in the language in use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from client.proof.audit_chance import UNDONE, UNDONE_BY
from client.proof.luck import LUCK_NOTE
from client.show.pictures import pictures
from client.system.registry import GAMES, game_client
from client.system.texts import N_, NN_, Counted, _, ngettext
from client.words.pacts import templates
from client.words.proof import DOES_NOT_PROVE, PARTS, PROBLEMS, PROVES
from client.words.rolls import purposes

CHECKED: Final = {
    "signatures": NN_(
        "{n} entry: canonical form, chain of its author, signature",
        "{n} entries: canonical form, chain of their author, signature",
        "n",
    ),
    "texts": NN_("{n} word of chat is the one that was signed", "{n} words of chat are those that were signed", "n"),
    "heads": NN_(
        "{n} step: the running hash of all that led there is the one that was signed",
        "{n} steps: the running hash of all that led there is the one that was signed",
        "n",
    ),
    "states": NN_(
        "{n} step: all who signed something there signed the same position",
        "{n} steps: all who signed something there signed the same position",
        "n",
    ),
    "rolls": NN_("{n} roll computed again: value and faces", "{n} rolls computed again: value and faces", "n"),
    "seeds": NN_(
        "{n} seed fits the commitment made before its roll", "{n} seeds fit the commitments made before their roll", "n"
    ),
    "partials": NN_(
        "{n} part of a lock on a roll or choice, with its proof",
        "{n} parts of locks on rolls and choices, each with its proof",
        "n",
    ),
    "keys": NN_(
        "{n} agreement to shared keys, over all that was dealt",
        "{n} agreements to shared keys, over all that was dealt",
        "n",
    ),
    "openings": NN_(
        "{n} secret choice fits what was sealed before", "{n} secret choices fit what was sealed before", "n"
    ),
    "shuffles": NN_(
        "{n} shuffle of a sealed deck, with its proof", "{n} shuffles of sealed decks, each with its proof", "n"
    ),
    "remasks": NN_(
        "{n} time cards masked again for their reader, with proof",
        "{n} times cards masked again for their reader, with proof",
        "n",
    ),
    "shares": NN_(
        "{n} message with shares of sealed cards, with proof",
        "{n} messages with shares of sealed cards, with proof",
        "n",
    ),
    "cards": NN_(
        "{n} sealed card opened to all, computed again", "{n} sealed cards opened to all, computed again", "n"
    ),
    "hands": NN_(
        "{n} hand sealed again after a member was gone, each card with its proof",
        "{n} hands sealed again after a member was gone, each card with its proof",
        "n",
    ),
    "tags": NN_(
        "{n} blinding of a deck dealt again, with proof", "{n} blindings of decks dealt again, with proof", "n"
    ),
    "anew": NN_(
        "{n} deck dealt again, so that nobody's cards changed",
        "{n} decks dealt again, so that nobody's cards changed",
        "n",
    ),
    "forced": NN_(
        "{n} secret choice opened by the others, because its author was silent",
        "{n} secret choices opened by the others, because their author was silent",
        "n",
    ),
    "faces": NN_(
        "{n} card of an open deck, in the order that the roll gave",
        "{n} cards of open decks, in the order that the roll gave",
        "n",
    ),
    "pacts": NN_(
        "{n} vote took effect, and all who had to sign did", "{n} votes took effect, and all who had to sign did", "n"
    ),
    "refusals": NN_(
        "{n} refusal of a vote, by a member who had not signed the same",
        "{n} refusals of votes, by members who had not signed the same",
        "n",
    ),
    "results": NN_("{n} member signed this end", "{n} members signed this end", "n"),
}
"""The numbers that the checks count."""

UNCHECKED: Final = {
    "rules": N_("the rules of the game: they are not replayed here; the checks show that all members signed the same"),
    "unsigned": N_("that the end is confirmed by all: somebody who was present has not signed it"),
    "unjudged": N_("last entries of members who stood where this file does not lead"),
    "last": N_("what was asked from step {signed} on: not all members have signed that yet"),
    "stopped": N_("everything behind the fault: the checks end there"),
}
"""The parts of the file that the page does not check."""


WORDS: Final = {
    "running": N_("Checking this page's own saved game …"),
    "verified": N_("Checked in this browser: no fault was found in the saved game. What was checked is listed below."),
    "refused": N_("Not intact."),
    "by_rules": N_(
        "Only the rules show that, and they are not replayed here: starlock found it when it wrote this page."
    ),
    "not_checked": N_("The checks could not run here: {reason}"),
    "not_shown": N_("Not shown, since the checks of this page did not come to a good end."),
    "elsewhere": N_(
        "Whoever gave you this page could have given you one that only looks like it, marks and all. The verifier page "
        "of starlock {version} judges the same game, with the rules. Take it "
        "from somebody else, and compare its SHA-256 with the README or the release. Here it is {hash}"
    ),
    "elsewhere_unknown": N_(
        "Whoever gave you this page could have given you one that only looks like it, marks and all. The verifier page "
        "of starlock {version} judges the same game, with the rules. Take it "
        "from somebody else, and compare its SHA-256 with the README or the release."
    ),
    "where": N_("Where: {place}"),
    "where_number": N_("At entry {entry}"),
    "where_entry": N_("At entry {entry} ({kind}, step {height})"),
    "checked_title": N_("Checked here"),
    "unchecked_title": N_("Not checked here (starlock verify does)"),
    "proves_title": N_("What this proves"),
    "does_not_prove_title": N_("What no saved game proves"),
    "won": N_("Won: {names}"),
    "leads": N_("Not over. In front: {names}"),
    "points": NN_("{n} point", "{n} points", "n"),
    "together": N_("together"),
    "place": N_("place"),
    "map": N_("Map"),
    "when": N_("round {round}, step {height}"),
    "when_step": N_("step {height}"),
    "round": N_("Round {round}"),
    "setup": N_("Before the first round"),
    "from_first": N_("From the first step"),
    "roll": N_("step {height}, {tag}: {faces}"),
    "luck_note": LUCK_NOTE,
    "absent": N_("absent"),
    "lock_alone": N_("no seeds: the lock, lifted by {names}"),
    "of": N_("{t} of {n}"),
    "said": N_("{name}: {text}"),
    "agreed": N_("Agreed: {what}"),
    "claimed": N_("{name} signed that {owing} kept the table waiting."),
    "opened": N_("The others opened what {name} had chosen in secret."),
    "undone_by": UNDONE_BY,
    "nothing_undone": N_("No take-back has undone a choice, a roll or an opening."),
    "nobody": N_("the neutral fleet"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "step": N_("Steps"),
    "each_change": N_("every change"),
    "each_round": N_("every round"),
    "since": N_("Since then ({when}):"),
    "more": NN_("… and {n} line before these", "… and {n} lines before these", "n"),
    "odds": N_("Before, if nobody had retreated: {attacker} wins {wins}, {defender} {loses}."),
    "against": N_("against"),
    "before": N_("before"),
    "after": N_("after"),
    "none_left": N_("nothing"),
    "hit": N_("hit"),
    "miss": N_("miss"),
    "show_moment": N_("Show it on the map"),
    "nobody_waited": N_("The log does not say that anybody kept the others waiting."),
    "waiting_note": N_(
        "Entries hold no times: the log knows only what members signed about waiting, and who was left out."
    ),
    "copied": N_("Copied: {text}"),
    "copy_this": N_("Copy this:"),
    "picture_copied": N_("The picture is copied."),
    "picture_saved": N_("The picture is saved as a file."),
}
"""The texts by their names in the script."""

FROM: Final = {
    "signed": N_("signed by members"),
    "computed": N_("computed here"),
    "told": N_("told, not checked"),
    "outside": N_("signed by no member"),
    "checking": N_("being checked"),
}
"""Where words of the page come from."""

FROM_NOTES: Final = {
    "signed": N_("read in this browser from bytes that the members signed"),
    "computed": N_("worked out in this browser from such bytes"),
    "told": N_("the word of the program that wrote this page; nothing here checks it"),
}

TITLES: Final = {
    "proof-title": N_("Is it genuine?"),
    "points-title": N_("Points"),
    "pictures-title": N_("Positions"),
    "back": N_("Back"),
    "next": N_("Next"),
    "marked": N_("Spaces with a dashed white outline are not as they were a step before."),
    "copy-text": N_("Copy as a sentence"),
    "copy-link": N_("Copy a link to this moment"),
    "copy-picture": N_("Copy the picture"),
    "growth-title": N_("How they grew"),
    "battles-title": N_("Battles"),
    "told-title": N_("What happened"),
    "eyes-title": N_("What this seat knew (others did not)"),
    "undone-title": N_("What votes undid"),
    "waiting-title": N_("Who kept whom waiting"),
    "chance-title": N_("Luck"),
    "dice-title": N_("Dice"),
    "rolls-title": N_("Every roll, with commitment › seed of each member (* lifted the lock)"),
    "save": N_("Save the game as a file"),
}
"""Titles by the ids of the elements that show them."""


def words() -> dict[str, Any]:
    """All texts in the language in use, by their names in the script."""
    tables: dict[str, Mapping[str, str]] = {
        "from": FROM,
        "from_notes": FROM_NOTES,
        "claims": {**PROVES, **DOES_NOT_PROVE},
        "games": {game: game_client(game).title for game in GAMES},
        "kinds": {kind: text for game in GAMES for kind, text in pictures(game).counts.sources.items()},
        "purposes": purposes(),
        "undone": UNDONE,
        "checked": CHECKED,
        "unchecked": UNCHECKED,
        "parts": PARTS,
        "problems": PROBLEMS,
        "titles": TITLES,
    }
    told = {name: {code: _said(text) for code, text in texts.items()} for name, texts in tables.items()}
    return {**{name: _said(text) for name, text in WORDS.items()}, **told, "votes": templates()}


def _said(text: str) -> str | list[str]:
    """A text in the language in use; one that depends on a number as [singular, plural]."""
    return [ngettext(text.one, text, n) for n in (1, 2)] if isinstance(text, Counted) else _(text)
