"""The texts of Eclipse, both editions, by the tables that `client.wording` explains.

texts      what happens, what is refused, names of things
galactic   Galactic Events, and what the first edition has beside the second
wanderers  the species of expansions
prompts    what is asked
guide      advice for a first game
species    what each species is good at
options    what an option does
"""

from __future__ import annotations

from client.wording.terms import term as term_of

__all__ = ["term"]


def term(id: str) -> str:
    """The name of a thing of the game, see `client.wording.term`."""
    return term_of(id, "eclipse2")
