# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaving a table for good, and going on from it alone, in words: every screen says the same before and after."""

from __future__ import annotations

from client.system.texts import _


def about() -> str:
    """What it will do."""
    return _(
        "That is final: one signature gives up all seats of this machine, those of its bots too. What you hold goes "
        "back to the decks, unseen, and the others play on without you, also one alone. To stop only for now, quit: "
        "the table stays and can be resumed."
    )


def done() -> str:
    """What it has done."""
    return _("You have left for good. You may watch how it goes on, or quit.")


def alone_about() -> str:
    """What it will do."""
    return _(
        "You leave this table for now and go on at a new one, which names it: bots of this machine take the seats of "
        "the others. You keep what you know; all other hidden cards are drawn anew. Only you sign there, so it proves "
        "nothing about dice or cards and is no result of this table, which stays as it is."
    )
