"""What the options of a table are called, and their values, in the language in use.

The texts stand in `TERMS` of the core and of each game: `title/NAME` for an option, `title/NAME=VALUE` for one of its
values, `title/=VALUE` for a value that means the same in several options.
"""

from __future__ import annotations

from client.texts import _
from client.wording.terms import term, texts

__all__ = ["option_title", "value_title"]


def option_title(name: str, game: str) -> str:
    """What an option of a game is called; its name where it has no text."""
    title = texts(game).terms.get(f"title/{name}")
    return name if title is None else _(title)


def value_title(name: str, value: str, game: str) -> str:
    """What a value of an option is called; in a list such as ``sol,hacan`` each thing by its name."""
    terms = texts(game).terms
    title = terms.get(f"title/{name}={value}") or terms.get(f"title/={value}")
    return _(title) if title else ", ".join(term(id, game) for id in value.split(","))
