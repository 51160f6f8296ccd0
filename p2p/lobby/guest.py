# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's side of a lobby: asks for seats and checks that the genesis is what was offered."""

from __future__ import annotations

from collections.abc import Callable

from engine.core.dataclass import dataclass, field, replace
from p2p.lobby.effects import Close, Dealt, Effect, Heard, NameTaken, Offered, RoomChanged, Say, TurnedAway, Waiting
from p2p.lobby.messages import (
    MAX_SAID,
    MAX_SPOKEN,
    Roster,
    Seated,
    Sitter,
    Terms,
    read_content,
    read_hashes,
    read_no,
    read_room,
    read_start,
    read_taken_name,
)
from p2p.lockstep.genesis import Genesis, nonce_commitment
from p2p.lockstep.machine import TableRefusal
from p2p.wire.address import Address
from p2p.wire.codec import Value, WireError


@dataclass(slots=True)
class Guest:
    """A lobby that another peer has opened.

    Attributes:
        inviter: the inviter's identity key.
        nonces: returns a fresh 32-byte nonce for each round.
        link: name of the link to the inviter.
        terms: the terms offered last. Nothing is committed to before this guest is ready for them.
    """

    inviter: bytes
    nonces: Callable[[], bytes]
    terms: Terms | None = None
    link: str = ""
    _me: Sitter | None = None
    _watching: bool = False
    _nonce: bytes = b""
    _roster: Roster | None = None
    _agreed: bool = False
    _held: Roster | None = None
    _hashes: tuple[bytes, ...] = ()
    over: bool = False
    _spoken: int = 0
    _effects: list[Effect] = field(default_factory=list)

    def effects(self) -> list[Effect]:
        """Return what is to be done now, in order, and forget it."""
        done, self._effects = self._effects, []
        return done

    def opened(self, link: str) -> None:
        """Note that the link to the inviter is up, for the first time or again. The inviter sends its offer next."""
        self.link, self._spoken = link, 0

    def heard(self, link: str, kind: str, body: Value) -> None:
        """Process a message of the inviter. A malformed or unexpected one ends the lobby."""
        if link != self.link or self.over:
            return
        try:
            self._hear(kind, body)
        except WireError as error:
            self._end(error.code, (error.detail,) if error.detail else ())

    def _hear(self, kind: str, body: Value) -> None:
        match kind, body:
            case "offer", [terms, int(free), room, *own]:
                before, self.terms, self._agreed, self._held = self.terms, Terms.read(terms), False, None
                if self.terms != before:  # what this guest has committed to was for those
                    self._roster, self._hashes = None, ()
                content = read_content(own, self.terms)
                if not 0 <= free <= self.terms.seats:
                    raise WireError("lobby/offer", 0, "more free seats than seats")
                if room is None:
                    self._effects.append(RoomChanged((), free))
                else:
                    self._look_around(read_room(room))
                self._effects.append(Offered(self.terms, content))
            case "taken", _ if self._me is not None:
                self._effects.append(NameTaken(*read_taken_name(body)))
            case "wait", None:
                self._effects.append(Waiting())
            case "room", _:
                self._roster, self._held, self._hashes = None, None, ()
                self._look_around(read_room(body))
            case "roster", _:
                self._held = self._listed(Roster.read(body))
                self._commit()
            case "show", _:
                self._show(*read_hashes(body))
            case "genesis", _:
                self._check(*read_start(body))
            case "said", [str(name), str(text)] if len(text) <= MAX_SAID:
                self._effects.append(Heard(name, text))
            case "no", _:
                code, detail = read_no(body)
                self._end(code, detail)
            case _:
                raise WireError("lobby/word", 0, kind)

    def _look_around(self, room: tuple[Seated, ...]) -> None:
        """Process a room message: note the seated members."""
        taken = sum(len(row.seats) for row in room)
        self._effects.append(RoomChanged(room, (self.terms.seats if self.terms else taken) - taken))

    # What the guest sends --------------------------------------------------------------------------------------------

    def sit(self, me: Sitter, proof: bytes) -> None:
        """Ask for seats. proof: proves possession of the ticket on this channel."""
        self._me, self._watching = me, False
        self._say("sit", [proof, me.fields()])

    def watch(self, proof: bytes) -> None:
        """Ask to watch without a seat."""
        self._me, self._watching = None, True
        self._say("watch", proof)

    def ready(self, *, yes: bool) -> None:
        """Tell the inviter whether this guest is ready for the terms offered last."""
        self._say("ready", yes)
        self._agreed = self._agreed or yes
        self._commit()

    def wish(self, word: str) -> None:
        """Tell the inviter what this guest would like to play, empty for no wish."""
        self._say("wish", word)

    def say(self, text: str) -> TableRefusal | None:
        """Send a text to all. Return the refusal if the inviter passes on no more of this guest."""
        if self._spoken >= MAX_SPOKEN:
            return TableRefusal("chat/too-many", "", (MAX_SPOKEN,))
        self._spoken += 1
        self._say("say", text[:MAX_SAID])
        return None

    def leave(self, code: str) -> None:
        """Leave with this code as the reason."""
        self._say("leave", code)
        self._effects.append(Close(self.link, "bye/leave"))
        self.over = True

    def _say(self, kind: str, body: object) -> None:
        self._effects.append(Say(self.link, kind, body))  # type: ignore[arg-type]  # wire data, as the callers show

    # From the room to the genesis ------------------------------------------------------------------------------------

    def _listed(self, roster: Roster) -> Roster | None:
        """The fixed roster, if it lists this guest as it asked to sit; None for a spectator."""
        me = self._me
        if me is None:
            return None
        row = next((member for member in roster.members if member.key == me.certificate.key), None)
        if row is None or row.certificate != me.certificate or row.rows != me.rows((*me.wants, *row.seats)):
            raise WireError("lobby/roster-without-me")
        if roster.members[0].certificate.identity != self.inviter:
            raise WireError("lobby/roster-order")
        return roster

    def _commit(self) -> None:
        """Commit to a nonce for the fixed roster, once this guest is ready for the terms offered last: the inviter may
        have taken an earlier "ready" for this one."""
        roster, me = self._held, self._me
        if roster is None or me is None or not self._agreed:
            return
        self._roster, self._held, self._nonce, self._hashes = roster, None, self.nonces(), ()
        self._say("commit", [roster.round, [nonce_commitment(me.certificate.key, self._nonce)]])

    def _show(self, number: int, hashes: tuple[bytes, ...]) -> None:
        """Show the nonce, once a round, if its hash is in the list of all hashes."""
        roster, me = self._roster, self._me
        if roster is None or me is None or number != roster.round or self._hashes:
            return
        mine = nonce_commitment(me.certificate.key, self._nonce)
        keys = [member.key for member in roster.members]
        if len(hashes) != len(keys) or hashes[keys.index(me.certificate.key)] != mine:
            raise WireError("lobby/hash-without-me")
        self._hashes = hashes
        self._say("nonce", [number, [self._nonce]])

    def _check(self, genesis: Genesis, places: dict[bytes, tuple[Address, ...]]) -> None:
        """Check that the genesis consists of the offer, the roster and the nonces that were committed to."""
        terms = self.terms
        offered = terms is not None and (
            terms.game, dict(terms.options), terms.rules, terms.content, terms.test, terms.seats, None
        ) == (
            genesis.game, dict(genesis.options), genesis.rules, genesis.content, genesis.test, genesis.seats,
            genesis.position,
        )  # fmt: skip
        if not offered:
            raise WireError("lobby/other-table")
        if not self._watching:
            self._check_roster(genesis)
        self.over = True
        self._effects.append(Dealt(genesis, places))

    def _check_roster(self, genesis: Genesis) -> None:
        if self._roster is None or not self._hashes:
            raise WireError("lobby/genesis-early")
        if tuple(replace(member, nonce=bytes(32)) for member in genesis.members) != self._roster.members:
            raise WireError("lobby/other-roster")
        for member, committed in zip(genesis.members, self._hashes, strict=True):
            if nonce_commitment(member.key, member.nonce) != committed:
                raise WireError("lobby/other-nonce")

    def _end(self, code: str, detail: tuple[str, ...]) -> None:
        self.over = True
        self._effects.append(TurnedAway(code, detail))
        self._effects.append(Close(self.link, "bye/leave"))
