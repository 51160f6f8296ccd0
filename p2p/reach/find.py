"""Open tables on this LAN: what a host shows to everybody, and who is there to sit down with.

The note of an announcement is an offer: [version, game, options, seats, free, rules, program, name, lobby, secret]. Its
secret lets anybody on the LAN knock, for the host to judge, and nothing else: it is not the ticket's. No key and no
name of a person is in it, unless the host wants to be named. Everything heard is a stranger's word.
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
"""Seconds after which a table that is not announced any more is gone."""


@dataclass(frozen=True, slots=True)
class TableOffer:
    """A table that may be joined.

    Attributes:
        name: of the host, empty unless the host wants to be named.
        program: its name and version.
        lobby, secret: where to knock.
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
        """Return its wire form; without its options when these would make an announcement too long."""
        options = self.options if sum(map(len, (*self.options, *self.options.values()))) < 500 else {}
        table = (self.game, options, self.seats, self.free, self.rules, self.program)
        return [VERSION, *table, self.name, self.lobby, self.secret]

    @classmethod
    def read(cls, note: Value) -> Self:
        """Raises WireError "offer/version" or "offer/form"."""
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
        address: where its host listens.
        at: the clock's time when it was heard last.
    """

    offer: TableOffer
    address: Address
    at: float


class TablesHeard:
    """The tables heard of lately, at most 64, in the order in which they were first heard: of more the newest are left
    out, so that a flood of forged ones neither fills the memory nor drives out those that are there."""

    def __init__(self) -> None:
        self.ignored = 0
        self._known: dict[bytes, Found] = {}

    def heard(self, sighting: Sighting, now: float) -> Found | None:
        """Take what was heard; return the table if it is new or has changed. now: the clock's time in seconds."""
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
        """Drop and return the tables that are not announced any more."""
        gone = [lobby for lobby, found in self._known.items() if now - found.at > LASTS]
        return [self._known.pop(lobby) for lobby in gone]

    def all(self) -> list[Found]:
        """Return the tables, the one heard of first before the others."""
        return list(self._known.values())
