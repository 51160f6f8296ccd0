"""The page's own words, in the language in use."""

from __future__ import annotations

from typing import Any, Final

from client.luck import LUCK_NOTE
from client.texts import N_, _
from client.wording.proof import PARTS, PROBLEMS

__all__ = ["words"]

CHECKED: Final = {
    "signatures": N_("{n} entries: canonical form, chain of their author, signature"),
    "texts": N_("{n} words of chat are those that were signed"),
    "heads": N_("{n} heights: the running hash of all that led there is the one that was signed"),
    "states": N_("{n} heights: all who signed something there signed the same position"),
    "rolls": N_("{n} rolls computed anew: value and faces"),
    "seeds": N_("{n} seeds fit the commitments made before their roll"),
    "partials": N_("{n} parts of locks on rolls and choices, each with its proof"),
    "keys": N_("{n} agreements to shared keys, over all that was dealt"),
    "openings": N_("{n} secret choices fit what was sealed before"),
    "shuffles": N_("{n} shuffles of sealed decks, each with its proof"),
    "remasks": N_("{n} times cards masked anew for another reader, with proof"),
    "shares": N_("{n} messages with shares of sealed cards, with proof"),
    "cards": N_("{n} sealed cards opened to all, computed anew"),
    "hands": N_("{n} hands sealed anew after a member was gone, each card with its proof"),
    "tags": N_("{n} blindings of decks dealt anew, with proof"),
    "anew": N_("{n} decks dealt anew, so that nobody's cards changed"),
    "forced": N_("{n} secret choices opened by the others, because their author was silent"),
    "faces": N_("{n} cards of open decks, in the order that the roll gave"),
    "pacts": N_("{n} votes took effect, and all who had to sign did"),
    "refusals": N_("{n} refusals of votes, by nobody who had signed the same"),
    "results": N_("{n} members signed this end"),
}
"""What the checks count."""

UNCHECKED: Final = {
    "rules": N_("the rules of the game: they are not replayed here; the checks show that all members signed the same"),
    "unjudged": N_("last entries of members who stood where this file does not lead"),
    "stopped": N_("everything behind the fault: the checks end there"),
}
"""What stands in the file and is not checked in the page."""


WORDS: Final = {
    "running": N_("Checking this page's own saved game …"),
    "verified": N_("Checked in this browser: nothing is wrong with the saved game, as far as stands below."),
    "refused": N_("Not intact."),
    "not_checked": N_("The checks could not run here: {reason}"),
    "where": N_("Where: {place}"),
    "where_number": N_("At entry {entry}"),
    "where_entry": N_("At entry {entry} ({kind}, height {height})"),
    "checked_title": N_("Checked here"),
    "unchecked_title": N_("Not checked here (starlock verify does)"),
    "proves_title": N_("What that proves"),
    "does_not_prove_title": N_("What no saved game proves"),
    "won": N_("Won: {names}"),
    "leads": N_("Not over. In front: {names}"),
    "together": N_("together"),
    "place": N_("place"),
    "when": N_("round {round}, height {height}"),
    "round": N_("Round {round}"),
    "setup": N_("Before the first round"),
    "roll": N_("height {height}, {tag}: {faces}"),
    "luck_note": LUCK_NOTE,
    "absent": N_("absent"),
    "nobody": N_("the neutral fleet"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "step": N_("Steps"),
    "each_change": N_("every change"),
    "each_round": N_("every round"),
    "since": N_("Since then ({when}):"),
    "more": N_("… and {n} lines before these"),
    "odds": N_("Before, if nobody had retreated: {attacker} wins {wins}, {defender} {loses}."),
    "against": N_("against"),
    "before": N_("before"),
    "after": N_("after"),
    "none_left": N_("nothing"),
    "hit": N_("hit"),
    "miss": N_("miss"),
    "show_moment": N_("Show it on the map"),
    "nobody_waited": N_("The log has no word of it that anybody kept the others waiting."),
    "waiting_note": N_(
        "Entries hold no times: the log knows only what members signed about waiting, and who was left out."
    ),
    "copied": N_("Copied: {text}"),
    "copy_this": N_("Copy this:"),
    "picture_copied": N_("The picture is copied."),
    "picture_saved": N_("The picture is saved as a file."),
}
"""The words by the names that the script knows."""

TITLES: Final = {
    "proof-title": N_("Is it genuine?"),
    "points-title": N_("Points"),
    "pictures-title": N_("Map"),
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
    "waiting-title": N_("Who kept whom waiting"),
    "chance-title": N_("Luck and dice"),
    "rolls-title": N_("Every roll, with commitment › seed of each member (* lifted the lock)"),
    "save": N_("Save the game as a file"),
}
"""Titles by the ids of the elements that show them."""


def words() -> dict[str, Any]:
    """All words in the language in use, by the names that the script knows."""
    tables = {"checked": CHECKED, "unchecked": UNCHECKED, "parts": PARTS, "problems": PROBLEMS, "titles": TITLES}
    told = {name: {code: _(text) for code, text in texts.items()} for name, texts in tables.items()}
    return {**{name: _(text) for name, text in WORDS.items()}, **told}
