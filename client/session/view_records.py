# SPDX-License-Identifier: GPL-3.0-or-later
"""The records that a view of a session consists of; pages and programs get their fields as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from client.session.choices import few, price_text
from client.session.notation import Amount
from client.session.troubles import Remedy
from client.show.document import Document, Sheet
from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public facts about a seat.

    Attributes:
        member: the number of its member, in the order of joining.
        here: True if this machine plays the seat, by this person or a bot.
        link: how its member is linked in words, "" for this person's seats.
        owes: what its member owes, in words.
        since: the time since when it owes that, in seconds since 1970, 0 if it owes nothing.
        figures: numbers to show next to the name, each with its name.
    """

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
    """A proposal that waits for this person's vote.

    Attributes:
        text: the proposal in words.
        name: the name of its proposer.
    """

    id: str
    kind: str
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class StoppedView:
    """Why the table has stopped.

    Attributes:
        text: in one sentence.
        document: what is known of it, the fields in which programs differ, and what to do.
        deeds: what may be proposed.
    """

    text: str
    document: Document
    deeds: Sequence[Remedy]


@dataclass(frozen=True, slots=True)
class OrderView:
    """A standing order.

    Attributes:
        text: the question, the answer, and the end of the order.
        until: phase, round or game.
    """

    seat: int
    text: str
    until: str


@dataclass(frozen=True, slots=True)
class ListedOption:
    """One option of the draft.

    Attributes:
        text: the notation that is typed.
        title: the option in words.
        hint: its meaning here beyond the title, "" for none.
        price: its cost (negative) or gain, by resource in words.
        aside: True if it does not answer the question but may be done at any time.
        places: the spaces that it names, in the order of its words, by the ids of the map.
    """

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
    """The next question.

    Attributes:
        before: what to show first.
        so_far: the picks of an incomplete answer.
        secret: True if the answer stays hidden until all have answered.
        hold: True if `hold` answers it.
        advice: advice for a first game, "" if there is none or the person wants none.
    """

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
        bots: True if bots can be added. changes: True if options can be changed.
    """

    inviting: bool
    bots: bool
    changes: bool
