# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the members of a running table are: each signs its own addresses, and passes on those of all.

    home/where    [whereabouts, …]    to each member over a new link, and when something is new

So one contact is enough to find everybody again after addresses have changed. Of each member the newest count
(`p2p.reach.whereabouts`), in whatever order they come. Who was given up is told nothing and not dialed. A spectator is
told the addresses of the member that it is linked with, and no others. They stay in this home and in the tickets that
its person makes; no log and no exported file holds them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any, Final

import trio

from client.table.record import Record
from client.table.runtime import RunningTable
from p2p.link.bucket import Buckets
from p2p.link.meet import table_meeting
from p2p.reach.lines import TicketError
from p2p.reach.supervise import Supervisor
from p2p.reach.whereabouts import MAX_MEMBERS, MAX_PLACES, Sign, Whereabouts, newer, sign_whereabouts
from p2p.wire.address import FRIEND, LIBP2P, RELAY, RELAYED, Address, scheme
from p2p.wire.codec import Value
from p2p.wire.messages import Lobby

WHERE: Final = "home/where"
SIGNED_EVERY: Final = 10.0
"""Least seconds between two signatures under own addresses."""
WORDS_A_SECOND: Final = 0.5
WORDS_AT_ONCE: Final = 20
"""Messages that one identity may send; further ones are passed over, and what they said comes again with a new link."""
MAX_SPEAKERS: Final = 64


class AddressGossip:
    """The whereabouts of the members, and what each link has been told.

    found: called with the relays of somebody who has named new addresses, since others can be met there too.
    sign: signs with the table key of this home, None for who has none.
    places: returns the present addresses of this home, the best first.
    """

    def __init__(
        self,
        table: RunningTable,
        sign: Sign | None,
        supervisor: Supervisor,
        places: Callable[[], Sequence[Address]],
        record: Record,
    ) -> None:
        self.known: dict[bytes, Whereabouts] = {}
        self.found: Callable[[Iterable[Address]], None] = lambda _relays: None
        self._table, self._sign, self._supervisor, self._places = table, sign, supervisor, places
        self._told: dict[str, dict[bytes, int]] = {}
        self._signed_at = -inf
        self._rates = Buckets(WORDS_A_SECOND, WORDS_AT_ONCE, MAX_SPEAKERS)
        self.take(record.whereabouts)
        table.words[WHERE] = self.heard
        table.on_tick.append(self.tick)

    @property
    def signs(self) -> bool:
        """True if this home signs its own whereabouts."""
        return self._sign is not None

    def signature(self, statement: bytes) -> bytes:
        """Return the signature of the table key of this home."""
        assert self._sign is not None
        return self._sign(statement)

    @property
    def _id(self) -> bytes:
        return self._table.lockstep.genesis.table

    def _keys(self) -> set[bytes]:
        """The table keys of those who sit here and were not given up."""
        position = self._table.lockstep.position
        return set(position.roster) - position.membership.gone

    def take(self, listed: Iterable[Whereabouts]) -> list[bytes]:
        """Note whereabouts that are newer than what is known, and dial there. Return the keys of these members."""
        keys, found = self._keys(), []
        for said in listed:
            if newer(self.known, said, self._id, keys):
                self.known[said.key] = said
                found.append(said.key)
                if said.key != self._table.me:
                    identity = self._table.identity(said.key)
                    self._supervisor.want(table_meeting(self._id), identity, said.places, newest=True)
                    self.found(each for each in said.places if scheme(each) in (RELAY, LIBP2P))
        return found

    def sign_anew(self) -> None:
        """Sign the own addresses at once, if they have changed."""
        self._signed_at = -inf
        self._sign_own()

    def tick(self) -> None:
        """Sign the own addresses if they have changed, and tell each link what it was not told."""
        self._sign_own()
        identities = {self._table.identity(key) for key in self._keys()}
        for name in [name for name in self._told if name not in self._table.who]:
            del self._told[name]
        for name, identity in self._table.who.items():
            self._tell(name, self.known.values() if identity in identities else self._own())

    def _own(self) -> list[Whereabouts]:
        me = self._table.me
        return [self.known[me]] if me is not None and me in self.known else []

    def _sign_own(self) -> None:
        me, now = self._table.me, trio.current_time()
        if me is None or self._sign is None or me not in self._keys() or now - self._signed_at < SIGNED_EVERY:
            return
        places = dialable(self._places())
        before = self.known.get(me)
        if before is None or before.places != places:
            number = max(int(time.time()), 0 if before is None else before.number + 1)
            self.known[me] = sign_whereabouts(self._sign, me, self._id, number, places)
            self._signed_at = now

    def _tell(self, name: str, known: Iterable[Whereabouts]) -> None:
        """Tell a link what it was not told and has not told itself."""
        told = self._told.setdefault(name, {})
        keys = self._keys()
        fresh = [each for each in known if told.get(each.key, -1) < each.number and each.key in keys][:MAX_MEMBERS]
        if fresh:
            told.update({each.key: each.number for each in fresh})
            listed: Any = [each.fields() for each in fresh]  # wire data
            self._table.router.send(name, Lobby(WHERE, listed))

    def heard(self, name: str, kind: str, body: Value) -> None:
        """Take what a member says, or a member to a spectator; malformed whereabouts are passed over."""
        identity, now = self._table.who.get(name, b""), trio.current_time()
        speaks = identity in {self._table.identity(key) for key in self._keys()}
        if not speaks or not isinstance(body, list) or len(body) > MAX_MEMBERS:
            return
        if not (self._rates.admit(identity.hex(), now) and self._rates.take(identity.hex(), now)):
            return
        try:
            listed = [Whereabouts.read(each) for each in body]
        except TicketError:
            return
        told = self._told.setdefault(name, {})
        told.update({each.key: max(told.get(each.key, -1), each.number) for each in listed if each.key in self._keys()})
        self.take(listed)


def dialable(places: Iterable[Address]) -> tuple[Address, ...]:
    """The first six addresses that mean something elsewhere, with room for the relays among them."""
    meant = [each for each in dict.fromkeys(places) if scheme(each) != FRIEND]
    relays = [each for each in meant if scheme(each) in RELAYED]
    return (*[each for each in meant if each not in relays][: MAX_PLACES - len(relays)], *relays)[:MAX_PLACES]
