# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of the page itself; texts of a table come with its state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from client.system.texts import N_, _, current

PAGE_WORDS: Final = {
    "ask-nothing": N_("Nobody has to answer now."),
    "waiting-for": N_("Waiting for {names}."),
    "send-final": N_("Sending is final: dice, cards or others go on from there."),
    "holding": N_("You say no by a standing order."),
    "orders": N_("Standing orders"),
    "order-round": N_("Always so until the round ends"),
    "order-game": N_("Always so until the game ends"),
    "so-far": N_("So far:"),
    "no-link": N_("no connection"),
    "my-turn": N_("Your turn"),
    "by-host": N_("by the inviter"),
    "picked": N_("Picked, not sent:"),
    "refused": N_("Not possible now"),
    "aside": N_("Besides"),
    "log": N_("Log"),
    "chat": N_("Chat"),
    "say": N_("Say something to all"),
    "table": N_("Table"),
    "yes": N_("yes"),
    "no": N_("no"),
    "here": N_("you"),
    "proposal": N_("{name} proposes: {what}."),
    "over": N_("The game is over."),
    "left": N_("You left the table; it can be resumed."),
    "lost": N_("The connection to starlock is lost; trying again …"),
    "closed": N_("starlock has ended. This page can be closed."),
    "zoom-in": N_("Zoom in"),
    "zoom-out": N_("Zoom out"),
    "whole": N_("Whole map"),
    "several": N_("Which one?"),
    "since": N_("Since your last answer"),
    "notify": N_("Tell me by the browser when it is my turn"),
    "filter": N_("Find"),
    "lobby": N_("Before the game"),
    "there": N_("At the table"),
    "free": N_("Free seats: {n}"),
    "open": N_("open"),
    "not-ready": N_("Wait for me"),
    "is-ready": N_("ready"),
    "is-not-ready": N_("not ready"),
    "wish": N_("would like to play"),
    "no-wish": N_("no wish"),
    "compare": N_("{name} must read out the same words: {words}"),
    "watching": N_("watches"),
    "ticket": N_("Ticket"),
    "give": N_(
        "Send this text to everybody who will play. They start starlock and paste it where it says “Join a friend”; "
        "or type: starlock join --web TICKET"
    ),
    "copy": N_("Copy"),
    "copied": N_("Copied"),
    "options": N_("What is played"),
    "replay": N_("Look back"),
    "before": N_("Earlier"),
    "after": N_("Later"),
    "as-it-was": N_("The board as it was at step {height}."),
    "back": N_("Back to now"),
    "game-over": N_("The game is over"),
    "report": N_("The page that proves this game"),
    "making": N_("Checking the whole game …"),
    "numbers": N_("In numbers"),
    "to-board": N_("Look at the board"),
    "to-end": N_("Show the result"),
    "language": N_("Language"),
    "welcome": N_("Tabletop space strategy between friends, without a server."),
    "go-on": N_("Go on with a table"),
    "finished": N_("Finished games"),
    "new": N_("A new game"),
    "against-bots": N_("against bots, at once"),
    "with-friends": N_("with friends: you send them a ticket"),
    "game": N_("Game"),
    "seats": N_("Players"),
    "friends": N_("Friends who will join"),
    "bots": N_("Bots"),
    "own-name": N_("Your name"),
    "variants": N_("Options of the game ({n} changed)"),
    "usual": N_("usual"),
    "begin": N_("Begin"),
    "join": N_("Join a friend"),
    "answer": N_("Answer"),
    "paste-line": N_("Paste here what another home sent you: an answer or a ticket"),
    "paste": N_("Paste the ticket that you were sent; it begins with “starlock:”."),
    "sit-down": N_("Sit down"),
    "watch": N_("Only watch"),
    "looking": N_("Looking …"),
    "host-words": N_("The inviter's words are: {words}. Compare them before you sit down."),
    "quit": N_("End starlock"),
    "home": N_("Back to the start page"),
    "away": N_("Leave and go back"),
    "less": N_("Less"),
    "more": N_("More"),
}
"""The texts of the page by their names in its fragments and its script."""
SCRIPT_WORDS: Final = ("closed", "lost")
"""Those that the script shows."""


def page_words() -> Mapping[str, str]:
    """The texts of the page in the language in use."""
    return _words_in(current())


@cache
def _words_in(_language: str) -> Mapping[str, str]:
    return {name: _(text) for name, text in PAGE_WORDS.items()}


def elsewhere_words() -> Mapping[str, str]:
    """The script's texts for a page that follows no longer, because others were opened."""
    text = _("This table is open in other tabs, which show it on. To go on in this one, load it again.")
    return {**script_words(), "closed": text}


def script_words() -> Mapping[str, str]:
    """The texts that the page's script shows, in the language in use."""
    return {name: _(PAGE_WORDS[name]) for name in SCRIPT_WORDS}
