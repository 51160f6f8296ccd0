# SPDX-License-Identifier: GPL-3.0-or-later
"""The inviter's side of a lobby."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from hmac import compare_digest
from typing import Final, TypeAlias

from engine.core.dataclass import dataclass, field, replace
from p2p.lobby.effects import Close, Dealt, Effect, Heard, Knocked, RoomChanged, Say, TurnedAway
from p2p.lobby.invited import Invited
from p2p.lobby.messages import MAX_SAID, MAX_SPOKEN, MAX_WISH, Roster, Seated, Sitter, Terms, pack_places, read_hashes
from p2p.lockstep.genesis import MAX_MEMBERS, Genesis, Member, Row, nonce_commitment
from p2p.lockstep.machine import TableRefusal
from p2p.wire.address import Address
from p2p.wire.codec import Plain, Value, WireError

MAX_GUESTS: Final = 32
MAX_STRANGERS: Final = 8
"""Guests of the LAN that nobody has let in, of those."""
MAX_ASKED: Final = 8
"""Requests for seats on one link: a name that is taken is followed by another request."""

Proof: TypeAlias = Callable[[bytes], bytes]
"""Returns the proof of the ticket on a channel with this binding."""


@dataclass(slots=True)
class Invite:
    """A lobby that this peer has opened.

    Attributes:
        lobby: 16-byte id of the lobby, which certificates name.
        me: the inviter's own request for seats.
        nonces: returns a fresh 32-byte nonce for each round.
        proof: returns the proof of the ticket.
        open_proof: returns the proof of the secret announced on the LAN. It does not entitle to watch.
        judge: returns the client's objection to a newcomer, or None. "lobby/name-taken" has the name and free ones as
            details.
        approve_all: True if newcomers with the ticket need no approval.
        content: the table's own content, empty for the content that comes with the game.
        genesis, places: set once the table has begun. Later arrivals still come here.
    """

    lobby: bytes
    terms: Terms
    me: Sitter
    nonces: Callable[[], bytes]
    proof: Proof
    judge: Callable[[Sitter, tuple[Seated, ...]], TableRefusal | None]
    approve_all: bool = False
    content: bytes = b""
    open_proof: Proof | None = None
    round: int = 0
    genesis: Genesis | None = None
    places: Mapping[bytes, tuple[Address, ...]] = field(default_factory=dict)
    _ready: bool = False
    _wish: str = ""
    _stage: str = "gather"
    _nonce: bytes = b""
    _roster: Roster | None = None
    _guests: dict[str, Invited] = field(default_factory=dict)
    _effects: list[Effect] = field(default_factory=list)

    def effects(self) -> list[Effect]:
        """Return what is to be done now, in order, and forget it."""
        done, self._effects = self._effects, []
        return done

    # Who sits --------------------------------------------------------------------------------------------------------

    @property
    def room(self) -> tuple[Seated, ...]:
        """All who sit, the inviter first, then by seat."""
        rows = [Seated(self.me.identity, self._my_rows(), self._ready, self._wish)]
        rows += [Seated(guest.identity, guest.rows, guest.ready, guest.wish) for guest in self._seated()]
        return tuple(rows)

    @property
    def watchers(self) -> tuple[bytes, ...]:
        """The identity keys of those who watch."""
        return tuple(guest.identity for guest in self._guests.values() if guest.stage == "watch")

    @property
    def free(self) -> tuple[int, ...]:
        """The free seats."""
        taken = {seat for row in self.room for seat in row.seats}
        return tuple(seat for seat in range(self.terms.seats) if seat not in taken)

    def _my_rows(self) -> tuple[Row, ...]:
        return self.me.rows(range(self.terms.seats))

    def _seated(self) -> list[Invited]:
        """Return the seated guests by seat, so that the genesis does not depend on the order of arrival."""
        return sorted((g for g in self._guests.values() if g.stage == "seated"), key=lambda guest: guest.rows[0].seat)

    # Links -----------------------------------------------------------------------------------------------------------

    def opened(
        self, link: str, identity: bytes, binding: bytes, dial_back: Address | None, *, ticket: bool = True
    ) -> None:
        """Note a link with a peer, and send it the offer. ticket: whether it has met with the ticket's secret; else it
        has heard the table announced."""
        if len(self._guests) >= MAX_GUESTS or not (ticket or self._room_for_a_stranger()):
            self._effects.append(Close(link, "bye/full"))
            return None
        self._guests[link] = Invited(identity, binding, dial_back, ticket)
        if self.genesis is not None and not (ticket or self._is_member(identity)):
            return self._no(link, "lobby/begun")
        self._offer(link)
        return None

    def _room_for_a_stranger(self) -> bool:
        """True if one more stranger may come. If there are too many, the first that has asked for nothing goes."""
        strangers = [link for link, guest in self._guests.items() if not (guest.ticket or guest.stage == "seated")]
        if len(strangers) < MAX_STRANGERS:
            return True
        silent = next((link for link in strangers if self._guests[link].stage == "new"), None)
        if silent is not None:
            self._effects.append(Close(silent, "bye/full"))
            self.closed(silent)
        return silent is not None

    def _offer(self, link: str) -> None:
        """Tell a guest the terms, and who sits only if it has the ticket or was let in."""
        guest, own = self._guests[link], [self.content] if self.content else []
        told = guest.ticket or guest.stage == "seated"
        room = [row.fields() for row in self.room] if told else None
        self._say(link, "offer", [self.terms.fields(), len(self.free), room, *own])

    def closed(self, link: str) -> None:
        """Note that a link is down and its guest gone."""
        guest = self._guests.pop(link, None)
        if guest is not None and guest.stage == "seated" and self.genesis is None:
            self._again()

    def heard(self, link: str, kind: str, body: Value) -> None:
        """Process a message of a guest. A malformed or unexpected one ends its link."""
        guest = self._guests.get(link)
        if guest is None:
            return
        try:
            self._hear(link, guest, kind, body)
        except WireError as error:
            self._no(link, error.code)

    def _hear(self, link: str, guest: Invited, kind: str, body: Value) -> None:
        match kind, body:
            case "sit", [bytes(proof), sitter]:
                self._sit(link, guest, proof, Sitter.read(sitter))
            case "watch", bytes(proof):
                self._watch(link, guest, proof)
            case "ready", bool(ready) if guest.sitter is not None and self._stage == "gather":
                guest.ready = ready
                if guest.stage == "seated":
                    self._tell_room()
            case "wish", str(word) if guest.sitter is not None and len(word) <= MAX_WISH:
                guest.wish = word
                if guest.stage == "seated" and self._stage == "gather":
                    self._tell_room()
            case "say", str(text) if len(text) <= MAX_SAID:
                guest.spoken += 1
                if guest.stage == "seated" and guest.sitter is not None and guest.spoken <= MAX_SPOKEN:
                    self._tell_all(guest.sitter.name, text)
            case "commit", _ if guest.stage == "seated" and self._stage == "commit":
                number, hashes = read_hashes(body)
                if number == self.round and len(hashes) == 1:
                    guest.hash = hashes[0]
                    self._go_on()
            case "nonce", _ if guest.stage == "seated" and self._stage == "show":
                self._take_nonce(link, guest, body)
            case "leave", str(code):
                self._effects.append(TurnedAway("lobby/left", (code,), guest.sitter.name if guest.sitter else ""))
                self.closed(link)
            case (("ready" | "wish" | "commit" | "nonce"), _):
                return  # of a round that is over
            case _:
                raise WireError("lobby/word", 0, kind)

    def _knows(self, guest: Invited, proof: bytes) -> bool:
        """True if the proof is one of the ticket or of the secret announced on the LAN. Note who proves the ticket."""
        guest.ticket = compare_digest(proof, self.proof(guest.binding))
        announced = self.open_proof is not None and compare_digest(proof, self.open_proof(guest.binding))
        return guest.ticket or announced

    def _sit(self, link: str, guest: Invited, proof: bytes, sitter: Sitter) -> None:
        """Process a request for seats. If one person asks on two links, the newer one counts. A stranger's name is
        judged once it was let in, so that nobody finds out names by asking."""
        guest.asked += 1
        if guest.asked > MAX_ASKED or guest.stage != "new":
            raise WireError("lobby/word", 0, "sit")
        if not self._knows(guest, proof):
            return self._no(link, "lobby/proof")
        if sitter.identity != guest.identity or sitter.certificate.lobby != self.lobby:
            return self._no(link, "lobby/certificate")
        if self.genesis is not None:
            return self._begun(link, guest)
        for other, known in list(self._guests.items()):
            if other != link and known.identity == guest.identity and known.sitter is not None:
                self._effects.append(Close(other, "bye/replaced"))
                self.closed(other)
        refusal = self._refusal(sitter, names=guest.ticket)
        if refusal is not None:
            return self._turn_away(link, guest, refusal)
        guest.sitter = sitter
        if self.approve_all or {name for name, _ in sitter.players} <= guest.admitted:
            self.approve(link, yes=True)
        else:
            guest.stage = "wait"
            self._say(link, "wait", None)
            self._effects.append(Knocked(link, sitter))
        return None

    def _turn_away(self, link: str, guest: Invited, refusal: TableRefusal) -> None:
        """Refuse a request for seats. For another name the guest may ask again, and is not let in anew."""
        if refusal.code == "lobby/name-taken":
            name, *free = map(str, refusal.detail)
            guest.sitter, guest.stage = None, "new"
            guest.admitted = guest.admitted.union(free) if guest.admitted else guest.admitted
            self._say(link, "taken", [name, *free])
        else:
            self._no(link, refusal.code, *map(str, refusal.detail))

    def _refusal(self, sitter: Sitter, *, names: bool) -> TableRefusal | None:
        if sitter.identity == self.me.identity:
            return TableRefusal("lobby/yourself")
        if self._stage != "gather" or len(self.free) < sitter.count or len(self.room) >= MAX_MEMBERS:
            return TableRefusal("lobby/full", "", (len(self.free),))
        taken = [seat for seat in sitter.wants if seat not in self.free]
        if taken:
            return TableRefusal("lobby/seat-taken", "", tuple(taken))
        return self.judge(sitter, self.room) if names else None

    def _watch(self, link: str, guest: Invited, proof: bytes) -> None:
        """Let a newcomer watch. It says so again when other terms are offered. Who asks for seats does not change over:
        the roster may hold it already."""
        if guest.sitter is not None:
            raise WireError("lobby/word", 0, "watch")
        if not compare_digest(proof, self.proof(guest.binding)):
            return self._no(link, "lobby/proof")
        before, guest.stage = guest.stage, "watch"
        if before != "watch" and self.genesis is not None:
            self._say_start(link)
        return None

    def _begun(self, link: str, guest: Invited) -> None:
        """Answer a request after the table has begun: send a member the genesis again, refuse others as too late."""
        if self._is_member(guest.identity):
            self._say_start(link)
        else:
            self._no(link, "lobby/begun")

    def _is_member(self, identity: bytes) -> bool:
        members = () if self.genesis is None else self.genesis.members
        return any(member.certificate.identity == identity for member in members)

    def watched_by(self, link: str) -> bool:
        """True if a watcher with the ticket uses this link."""
        guest = self._guests.get(link)
        return guest is not None and guest.stage == "watch"

    # What the inviter decides ----------------------------------------------------------------------------------------

    def approve(self, link: str, *, yes: bool) -> None:
        """Admit or refuse a guest who has asked for seats."""
        guest = self._guests.get(link)
        if guest is None or guest.sitter is None or guest.stage == "seated":
            return None
        if yes:
            guest.admitted = frozenset(name for name, _ in guest.sitter.players)
        refusal = self._refusal(guest.sitter, names=True) if yes else TableRefusal("lobby/declined")
        if refusal is not None:
            return self._turn_away(link, guest, refusal)
        guest.rows = guest.sitter.rows(self.free)
        guest.stage = "seated"
        self._tell_room()
        return None

    def ready(self, *, yes: bool) -> None:
        """Set whether the inviter is ready."""
        self._ready = yes
        if self._stage == "gather":
            self._tell_room()

    def wish(self, word: str) -> None:
        """Set what the inviter would like to play, empty for no wish."""
        self._wish = word
        if self._stage == "gather":
            self._tell_room()

    def seat_bot(self, seat: int, name: str, level: str) -> bool:
        """Let a bot of the inviter's machine take a free seat. Returns False if that is not possible now."""
        if self._stage != "gather" or self.genesis is not None or seat not in self.free:
            return False
        rows = self._my_rows()
        self._sit_with((*rows, Row(seat, name, level)))
        return True

    def unseat_bot(self, seat: int) -> bool:
        """Take a seat back from a bot of the inviter's machine. Returns False if none sits there, or not now."""
        rows = self._my_rows()
        bot = any(row.seat == seat and row.level is not None for row in rows)
        if self._stage != "gather" or not bot or len(rows) == 1:
            return False
        self._sit_with(row for row in rows if row.seat != seat)
        return True

    def _sit_with(self, rows: Iterable[Row]) -> None:
        """Let these sit at the inviter's machine, and tell the room."""
        listed = list(rows)
        players, wants = tuple((row.name, row.level) for row in listed), tuple(row.seat for row in listed)
        self.me = replace(self.me, players=players, wants=wants)
        self._tell_room()

    def change(self, terms: Terms) -> TableRefusal | None:
        """Offer other terms to all. Nobody is ready any more, and guests who sit keep their seats. Returns why that is
        not possible: the roster is fixed, or somebody has a seat that the terms no longer have."""
        if self._stage != "gather":
            return TableRefusal("lobby/begun")
        gone = tuple(seat for row in self.room for seat in row.seats if seat >= terms.seats)
        if gone:
            return TableRefusal("lobby/seat-taken", "", gone)
        self.terms, self._ready = terms, False
        for link, guest in self._guests.items():
            guest.ready = False
            self._offer(link)
        self._tell_room()
        return None

    def say(self, text: str) -> None:
        """Send a text to all."""
        self._tell_all(self.me.name, text[:MAX_SAID])

    def _tell_all(self, name: str, text: str) -> None:
        self._effects.append(Heard(name, text))
        for link, guest in self._guests.items():
            if guest.stage in ("seated", "watch"):
                self._say(link, "said", [name, text])

    def remove(self, identity: bytes) -> None:
        """Take the seats from a guest before the table begins. Whoever is removed may ask again."""
        if self.genesis is not None:
            return
        for link, guest in list(self._guests.items()):
            if guest.identity == identity:
                self._no(link, "lobby/removed")

    def end(self, code: str) -> None:
        """Close the lobby without a table."""
        for link in list(self._guests):
            self._no(link, code)

    def _no(self, link: str, code: str, *detail: str) -> None:
        """Refuse a guest with the reason, and end the link."""
        guest = self._guests.get(link)
        self._say(link, "no", [code, *detail])
        self._effects.append(Close(link, "bye/no"))
        name = guest.sitter.name if guest is not None and guest.sitter is not None else ""
        self._effects.append(TurnedAway(code, detail, name))
        self.closed(link)

    # From the room to the genesis ------------------------------------------------------------------------------------

    def _tell_room(self) -> None:
        room = self.room
        self._effects.append(RoomChanged(room, len(self.free)))
        self._to_seated("room", [row.fields() for row in room])
        if not self.free and all(row.ready for row in room):
            self._fix()

    def _fix(self) -> None:
        """Fix the roster and ask for hashes of nonces, if all seats are taken and all members are ready."""
        self.round, self._stage, self._nonce = self.round + 1, "commit", self.nonces()
        members = [Member(self.me.certificate, self._my_rows(), bytes(32))]
        members += [Member(g.sitter.certificate, g.rows, bytes(32)) for g in self._seated() if g.sitter]
        self._roster = Roster(self.round, tuple(members))
        self._to_seated("roster", self._roster.fields())
        self._go_on()

    def _go_on(self) -> None:
        seated = self._seated()
        if self._stage == "commit" and all(guest.hash is not None for guest in seated):
            self._stage = "show"
            mine = nonce_commitment(self.me.certificate.key, self._nonce)
            self._to_seated("show", [self.round, [mine, *(guest.hash for guest in seated)]])
        if self._stage == "show" and all(guest.nonce is not None for guest in seated):
            self._deal()

    def _take_nonce(self, link: str, guest: Invited, body: Value) -> None:
        number, hashes = read_hashes(body)
        if number != self.round or len(hashes) != 1 or guest.sitter is None:
            return None
        if nonce_commitment(guest.sitter.certificate.key, hashes[0]) != guest.hash:
            return self._no(link, "lobby/nonce")
        guest.nonce = hashes[0]
        self._go_on()
        return None

    def _deal(self) -> None:
        assert self._roster is not None
        nonces = [self._nonce, *(guest.nonce or b"" for guest in self._seated())]
        members = tuple(replace(m, nonce=nonce) for m, nonce in zip(self._roster.members, nonces, strict=True))
        terms = self.terms
        self.genesis = Genesis(terms.game, terms.options, terms.rules, terms.content, members, terms.test)
        self._stage = "dealt"
        places = {self.me.identity: self.me.places}
        for guest in self._seated():
            if guest.sitter is not None:
                seen = (guest.dial_back,) if guest.dial_back is not None else ()
                places[guest.identity] = tuple(dict.fromkeys((*seen, *guest.sitter.places)))[:8]
        self.places = places
        for link, guest in self._guests.items():
            if guest.stage in ("seated", "watch"):
                self._say_start(link)
            elif guest.stage == "wait":
                self._say(link, "no", ["lobby/begun"])
        self._effects.append(Dealt(self.genesis, dict(places)))

    def _again(self) -> None:
        """Go back to the room after a member has left. Nothing of this round is used again."""
        self._stage, self._roster, self._nonce = "gather", None, b""
        for guest in self._guests.values():
            guest.hash = guest.nonce = None
        self._tell_room()

    def _say_start(self, link: str) -> None:
        """Send the genesis, with the addresses of all to a member, and with those of the inviter to a spectator."""
        if self.genesis is not None:
            own, watches = self.me.identity, self._guests[link].stage == "watch"
            told = {each: () if watches and each != own else known for each, known in self.places.items()}
            places: list[Plain] = [[identity, pack_places(known)] for identity, known in told.items()]
            self._say(link, "genesis", [self.genesis.body(), places])

    def _to_seated(self, kind: str, body: Plain) -> None:
        for link, guest in self._guests.items():
            if guest.stage in ("seated", "watch") and (guest.stage == "seated" or kind == "room"):
                self._say(link, kind, body)

    def _say(self, link: str, kind: str, body: Plain) -> None:
        self._effects.append(Say(link, kind, body))
