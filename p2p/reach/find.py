# SPDX-License-Identifier: GPL-3.0-or-later
"""Open tables on this LAN, as their hosts announce them.

The note of an announcement is an offer: [version, game, options, seats, free, rules, program, name, lobby, secret]. Its
secret differs from the ticket's: with it anybody on the LAN may knock, and the host decides. The offer contains no key,
and a person's name only if the host wants that. Offers are unchecked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self

from p2p.reach.announce import Sighting
from p2p.wire.address import Address
from p2p.wire.codec import Plain, Value, WireError
from seeds.dataclass import dataclass, field

VERSION: Final = 1
LOBBY: Final = 16
SECRET: Final = 16
MAX_TEXT: Final = 64
MAX_OPTIONS: Final = 24
MAX_TABLES: Final = 64
LASTS: Final = 10.0
"""Seconds without an announcement after which a table is dropped."""


@dataclass(frozen=True, slots=True)
class TableOffer:
    """A table that may be joined.

    Attributes:
        name: the host's name, empty unless the host wants to be named.
        program: name and version of the host's program.
        lobby, secret: identify the meeting at which to knock.
    """

    game: str
    options: Mapping[str, str]
    seats: int
    free: int
    rules: str
    program: str
    name: str
    lobby: bytes
    secret: bytes = field(repr=False)

    def note(self) -> Plain:
        """Return the wire form. It leaves the options out if they would make the announcement too long."""
        options = self.options if sum(map(len, (*self.options, *self.options.values()))) < 500 else {}
        table = (self.game, options, self.seats, self.free, self.rules, self.program)
        return [VERSION, *table, self.name, self.lobby, self.secret]

    @classmethod
    def read(cls, note: Value) -> Self:
        """Return the offer in a note. Raises WireError "offer/version" or "offer/form"."""
        match note:
            case [int(version), *_] if version != VERSION:
                raise WireError("offer/version", 0, str(version))
            case [
                _,
                str(game),
                dict(options),
                int(seats),
                int(free),
                str(rules),
                str(program),
                str(name),
                bytes(lobby),
                bytes(secret),
            ] if len(lobby) == LOBBY and len(secret) == SECRET and 0 <= free <= seats <= 64:
                words = {key: value for key, value in options.items() if isinstance(value, str)}
                texts = (game, rules, program, name, *words, *words.values())
                if len(words) == len(options) <= MAX_OPTIONS and all(len(text) <= MAX_TEXT for text in texts):
                    return cls(game, words, seats, free, rules, program, name, lobby, secret)
        raise WireError("offer/form")


@dataclass(slots=True)
class Found:
    """A table on this LAN.

    Attributes:
        address: the address of its host.
        at: clock time in seconds when it was last heard.
    """

    offer: TableOffer
    address: Address
    at: float


class TablesHeard:
    """Up to 64 tables heard lately, in the order in which they were first heard. Further ones are ignored, so that a
    flood of forged offers neither fills the memory nor displaces known tables."""

    def __init__(self) -> None:
        self.ignored = 0
        self._known: dict[bytes, Found] = {}

    def heard(self, sighting: Sighting, now: float) -> Found | None:
        """Note an announcement; return its table if that is new or has changed. now: clock time in seconds."""
        if sighting.note is None or not sighting.address:
            return None
        try:
            offer = TableOffer.read(sighting.note)
        except WireError:
            self.ignored += 1
            return None
        known = self._known.get(offer.lobby)
        if known is not None:
            changed = known.offer != offer
            known.offer, known.at = offer, now
            return known if changed else None
        self.forget(now)
        if len(self._known) >= MAX_TABLES:
            self.ignored += 1
            return None
        found = self._known[offer.lobby] = Found(offer, sighting.address, now)
        return found

    def forget(self, now: float) -> list[Found]:
        """Drop and return the tables that are no longer announced."""
        gone = [lobby for lobby, found in self._known.items() if now - found.at > LASTS]
        return [self._known.pop(lobby) for lobby in gone]

    def all(self) -> list[Found]:
        """Return the tables in the order in which they were first heard."""
        return list(self._known.values())
