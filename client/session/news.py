"""What a session tells its screen as it happens: the log, the chat and what the table announces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.dataclass import dataclass

__all__ = ["Announced", "ChatMessage", "Told", "joined", "teller"]


@dataclass(frozen=True, slots=True)
class Told:
    """One event of the game in words.

    Attributes:
        height: number of waits resolved before it.
        text: the sentence, in the language in use when it was told.
        event: the event's id, such as "combat/hit".
        seats: the seats that the event names, ascending.
        undone: True after a take-back of the step that caused it.
        places: the spaces of the map that the event names.
    """

    height: int
    text: str
    event: str = ""
    seats: tuple[int, ...] = ()
    undone: bool = False
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message.  name and text are safe to show."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Announced:
    """Something at the table that is no event of the game, such as "link/down"; see `client.player.Notice`.

    Attributes:
        code: what happened, as a stable id.
        text: the sentence, "" where there is nothing to say.
        fields: the values of the notice.
    """

    code: str
    text: str
    fields: Mapping[str, Any]


def teller(told: Told, names: Sequence[str]) -> str:
    """The name that a sentence begins with if it is that of a seat that it is about, else ""."""
    about = (names[seat] for seat in told.seats if seat < len(names))
    return next((name for name in about if told.text.startswith((f"{name} ", f"{name}:"))), "")


def joined(run: Sequence[Told], name: str) -> str:
    """Sentences that begin with one name, as one: “Cid: explore; explores the zone 1,-1; draws sector 103.”"""
    first, *others = run
    parts = [first.text, *(told.text.removeprefix(name).lstrip(" :") for told in others)]
    return "; ".join([*(part.removesuffix(".") for part in parts[:-1]), parts[-1]])
