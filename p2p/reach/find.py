# SPDX-License-Identifier: GPL-3.0-or-later
"""Open tables on this LAN, as their hosts announce them.

The note of an announcement is an offer: [version, game, options, seats, free, rules, program, name, lobby, secret]. Its
secret and its meeting are not the ticket's: with them anybody on the LAN may knock, learns no name, and the host
decides. The offer contains no key, and a person's name only if the host wants that. Offers are unchecked. One that the
announcing machine has answered for goes before others, and no address shows more than a few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final, Self

from engine.core.dataclass import dataclass, field
from p2p.identity.words import WORDS
from p2p.link.meet import Meeting
from p2p.reach.announce import Sighting
from p2p.wire.address import Address
from p2p.wire.codec import Plain, Value, WireError
from seeds.hashing import H

VERSION: Final = 2
LOBBY: Final = 16
SECRET: Final = 16
MAX_TEXT: Final = 64
MAX_OPTIONS: Final = 24
MAX_TABLES: Final = 64
MAX_OF_HOST: Final = 4
"""Most tables of one address."""
MAX_ADDRESSES: Final = 6
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

    @property
    def word(self) -> str:
        """A short name for the table, the same on all machines: two words."""
        return "-".join(WORDS[byte] for byte in H("table word", self.lobby)[:2])

    def meeting(self) -> Meeting:
        """Return the meeting of all who have heard the offer."""
        return announced_meeting(self.lobby, self.secret)

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


def announced_meeting(lobby: bytes, secret: bytes) -> Meeting:
    """Return the meeting of all who have heard a table announced. Nobody dials all the others of it that are heard."""
    return Meeting(H("announced", lobby), secret, called=False)


def _with(known: tuple[Address, ...], heard: Address) -> tuple[Address, ...]:
    """Return up to 6 addresses with one more, unless it is known or empty."""
    return known if not heard or heard in known else (*known, heard)[:MAX_ADDRESSES]


@dataclass(slots=True)
class Found:
    """A table on this LAN.

    Attributes:
        addresses: up to 6 addresses of its host, that which was heard first in front.
        calling: as many from which it connects to who connects to it at the same time.
        instance: 8 bytes of its host's process.
        host: the IP address that was heard first.
        at: clock time in seconds when it was last heard.
        genuine: whether the machine at these addresses has answered for it.
    """

    offer: TableOffer
    addresses: tuple[Address, ...]
    instance: bytes
    host: str
    at: float
    genuine: bool = False
    calling: tuple[Address, ...] = ()

    def repeats(self, other: Found) -> bool:
        """True if it is the same table with the same offer."""
        return (self.instance, self.offer) == (other.instance, other.offer)

    def contradicts(self, offer: TableOffer, sighting: Sighting) -> bool:
        """True if a machine has answered for another offer than one that has answered before: either may be the host's,
        so that both are listed."""
        return self.genuine and sighting.genuine and sighting.host != self.host and offer != self.offer


class TablesHeard:
    """Up to 64 tables heard lately, and four of each address, in the order in which they were first heard. A flood of
    forged offers neither fills the memory nor displaces or changes a table that its host's machine has answered for.
    What another machine answers of the same table is listed beside it."""

    def __init__(self) -> None:
        self.ignored = 0
        self._known: dict[tuple[bytes, bytes, bytes, str], Found] = {}
        """By process, lobby and secret; by host too what another machine has answered than the first that has."""

    def heard(self, sighting: Sighting, now: float) -> Found | None:
        """Note an announcement; return its table if that is new or has changed. now: clock time in seconds."""
        if sighting.note is None or not sighting.address:
            return None
        try:
            offer = TableOffer.read(sighting.note)
        except WireError:
            self.ignored += 1
            return None
        key = sighting.instance, offer.lobby, offer.secret, ""
        known = self._known.get(key)
        if known is not None and known.contradicts(offer, sighting):
            key = *key[:3], sighting.host
            known = self._known.get(key)
        if known is not None:
            return self._heard_again(known, offer, sighting, now)
        self.forget(now)
        found = Found(offer, (sighting.address,), sighting.instance, sighting.host, now, sighting.genuine)
        found.calling = _with((), sighting.calling)
        if not self._has_room(found):
            self.ignored += 1
            return None
        self._known[key] = found
        return found

    def _heard_again(self, known: Found, offer: TableOffer, sighting: Sighting, now: float) -> Found | None:
        """Note a known table, unless somebody says it whose word counts for less than that of its host."""
        if known.genuine and not sighting.genuine:
            return None
        if sighting.genuine and not known.genuine:
            known.genuine, known.host, known.addresses, known.calling = True, sighting.host, (), ()
        known.addresses = _with(known.addresses, sighting.address)
        known.calling = _with(known.calling, sighting.calling)
        changed = known.offer != offer
        known.offer, known.at = offer, now
        before = len(self._known)
        self._known = {key: each for key, each in self._known.items() if each is known or not each.repeats(known)}
        return known if changed and len(self._known) == before else None

    def _has_room(self, new: Found) -> bool:
        """Make room for a table, if need be in the place of one that counts for less: one that nobody has answered for,
        or the oldest of the address that has most. Return False if there is none."""
        known = list(self._known.values())
        own, of = [found for found in known if found.host == new.host], Counter(found.host for found in known)
        if len(own) >= MAX_OF_HOST:
            return self._displace(own, lambda found: (found.genuine, 0), (new.genuine, 0))
        if len(known) >= MAX_TABLES:
            return self._displace(known, lambda found: (found.genuine, -of[found.host]), (new.genuine, -1 - len(own)))
        return True

    def _displace(self, tables: list[Found], rank: Callable[[Found], tuple[bool, int]], new: tuple[bool, int]) -> bool:
        """Drop the table of the least rank, the first of several, if a new one's is greater; else return False."""
        least = min(tables, key=rank)
        if rank(least) >= new:
            return False
        self._known = {key: found for key, found in self._known.items() if found is not least}
        return True

    def forget(self, now: float) -> list[Found]:
        """Drop and return the tables that are no longer announced."""
        gone = [key for key, found in self._known.items() if now - found.at > LASTS]
        return [self._known.pop(key) for key in gone]

    def all(self) -> list[Found]:
        """Return the tables in the order in which they were first heard, those that were answered for first."""
        return sorted(self._known.values(), key=lambda found: not found.genuine)
