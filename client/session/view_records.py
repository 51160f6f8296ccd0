# SPDX-License-Identifier: GPL-3.0-or-later
"""The records that a view of a session consists of. Pages and programs get them as JSON: docs/API.md tells what each
field holds."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.choices import few, price_text
from client.session.notation import Amount
from client.session.troubles import Remedy
from client.show.document import Document, Sheet
from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public facts about a seat."""

    letter: str
    name: str
    member: int
    mine: bool
    here: bool
    linked: bool
    link: str
    owes: str
    since: int
    figures: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class VoteView:
    """A proposal that waits for this person's vote."""

    id: str
    kind: str
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class StoppedView:
    """Why the table has stopped."""

    text: str
    document: Document
    deeds: Sequence[Remedy]


@dataclass(frozen=True, slots=True)
class OrderView:
    """A standing order."""

    seat: int
    text: str
    until: str


@dataclass(frozen=True, slots=True)
class ListedOption:
    """One option of the draft."""

    text: str
    title: str
    hint: str
    price: Sequence[tuple[str, int]]
    aside: bool
    places: Sequence[str]

    @property
    def cost(self) -> str:
        """The price in words, "" for none."""
        return price_text(self.price)

    @property
    def about(self) -> str:
        """Its meaning and its price, "" for nothing to add."""
        return "; ".join(filter(None, (self.hint, self.cost)))


@dataclass(frozen=True, slots=True)
class RefusedOptions:
    """Options that might be expected and are not possible, for one reason."""

    reason: str
    texts: Sequence[str]

    @property
    def text(self) -> str:
        """The first of them, and the reason."""
        return f"{few(self.texts)}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Ask:
    """The next question."""

    seat: int
    text: str
    before: Document
    so_far: str
    secret: bool
    hold: bool
    advice: str
    options: Sequence[ListedOption]
    amounts: Sequence[Amount]
    groups: Sequence[Sheet]
    refused: Sequence[RefusedOptions]


@dataclass(frozen=True, slots=True)
class LobbyRights:
    """What this person may do in a lobby.

    Attributes:
        inviting: True for the inviter, who can remove players.
        bots: True if bots can be added. changes: True if the options of a known game can be changed.
    """

    inviting: bool
    bots: bool
    changes: bool
