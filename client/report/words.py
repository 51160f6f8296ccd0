"""The page's own words, in the language in use."""

from __future__ import annotations

from typing import Any, Final

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
    "results": N_("{n} members signed this end"),
}
"""What the checks count."""

UNCHECKED: Final = {
    "rules": N_("the rules of the game: they are not replayed here; the checks show that all members signed the same"),
    "refusals": N_("refusals of votes that did not take effect"),
    "stopped": N_("everything behind the fault: the checks end there"),
}
"""What stands in the file and is not checked in the page."""


def words() -> dict[str, Any]:
    """The words by the names that the script knows."""
    return {
        "running": _("Checking this page's own saved game …"),
        "verified": _("Checked in this browser: nothing is wrong with the saved game, as far as stands below."),
        "refused": _("Not intact."),
        "not_checked": _("The checks could not run here: {reason}"),
        "where": _("Where: {place}"),
        "where_number": _("At entry {entry}"),
        "where_entry": _("At entry {entry} ({kind}, height {height})"),
        "checked_title": _("Checked here"),
        "unchecked_title": _("Not checked here (starlock verify does)"),
        "proves_title": _("What that proves"),
        "does_not_prove_title": _("What no saved game proves"),
        "checked": {code: _(text) for code, text in CHECKED.items()},
        "unchecked": {code: _(text) for code, text in UNCHECKED.items()},
        "parts": {part: _(text) for part, text in PARTS.items()},
        "problems": {code: _(text) for code, text in PROBLEMS.items()},
        "won": _("Won: {names}"),
        "leads": _("Not over. In front: {names}"),
        "together": _("together"),
        "place": _("place"),
        "when": _("round {round}, height {height}"),
        "round": _("Round {round}"),
        "setup": _("Before the first round"),
        "roll": _("height {height}, {tag}: {faces}"),
        "luck_note": _("This accuses nobody: every face follows from seeds of all members, as starlock verify shows."),
        "absent": _("absent"),
        "nobody": _("the neutral fleet"),
        "play": _("Play"),
        "pause": _("Pause"),
        "step": _("Steps"),
        "each_change": _("every change"),
        "each_round": _("every round"),
        "since": _("Since then ({when}):"),
        "more": _("… and {n} lines before these"),
        "odds": _("Before, if nobody had retreated: {attacker} wins {wins}, {defender} {loses}."),
        "against": _("against"),
        "before": _("before"),
        "after": _("after"),
        "none_left": _("nothing"),
        "hit": _("hit"),
        "miss": _("miss"),
        "show_moment": _("Show it on the map"),
        "nobody_waited": _("The log has no word of it that anybody kept the others waiting."),
        "waiting_note": _(
            "Entries hold no times: the log knows only what members signed about waiting, and who was left out."
        ),
        "copied": _("Copied: {text}"),
        "copy_this": _("Copy this:"),
        "picture_copied": _("The picture is copied."),
        "picture_saved": _("The picture is saved as a file."),
        "titles": {
            "proof-title": _("Is it genuine?"),
            "points-title": _("Points"),
            "pictures-title": _("Map"),
            "back": _("Back"),
            "next": _("Next"),
            "marked": _("Spaces with a dashed white outline are not as they were a step before."),
            "copy-text": _("Copy as a sentence"),
            "copy-link": _("Copy a link to this moment"),
            "copy-picture": _("Copy the picture"),
            "growth-title": _("How they grew"),
            "battles-title": _("Battles"),
            "told-title": _("What happened"),
            "eyes-title": _("What this seat knew (others did not)"),
            "waiting-title": _("Who kept whom waiting"),
            "chance-title": _("Dice"),
            "rolls-title": _("Every roll, with commitment › seed of each member (* lifted the lock)"),
            "save": _("Save the game as a file"),
        },
    }
