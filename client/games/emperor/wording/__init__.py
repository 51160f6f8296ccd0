# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of Galactic Emperor, by the tables that `client.words` explains.

texts    events, refusals, names of things, questions, what each roll is for
guide    advice for a first game
options  titles of options
"""

from __future__ import annotations

from client.words.terms import term as term_of


def term(id: str) -> str:
    """The name of a thing of the game, see `client.words.term`."""
    return term_of(id, "emperor")
