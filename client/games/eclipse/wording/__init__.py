# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts of Eclipse, both editions, by the tables that `client.words` explains.

texts      events, refusals, names of things, questions, what each roll is for
expansions events, refusals and names of Galactic Events, the first edition, and the species of expansions
guide      advice for a first game
species    strengths of each species
options    titles of options
"""

from __future__ import annotations

from client.words.terms import term as term_of


def term(id: str) -> str:
    """The name of a thing of the game, see `client.words.term`."""
    return term_of(id, "eclipse2")
