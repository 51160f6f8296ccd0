"""The lobby of a small table: its inviter, its guests, and words that travel between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from hmac import digest

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lobby.effects import Close, Effect, Say
from p2p.lobby.guest import Guest
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Seated, Sitter, Terms
from p2p.lockstep.machine import TableRefusal
from p2p.wire.codec import decode, encode
from seeds.hashing import H

LOBBY = b"lobby of sixteen"
SECRET = b"secret of ticket"
TERMS = Terms("toy", {"draws": "open"}, 3, "toy/1", b"c" * 16, {"a.toml": b"d" * 16}, False, "starlock 1")


def proof(binding: bytes) -> bytes:
    return digest(SECRET, binding, "sha256")


def announced(binding: bytes) -> bytes:
    return digest(b"secret on the LAN", binding, "sha256")


def sitter(name: str, wants: tuple[int, ...] = (), count: int = 1, lobby: bytes = LOBBY) -> Sitter:
    identity = SigningKey.from_seed(H("identity", name))
    keys = TableKeys(SigningKey.from_seed(H("table key", name)), H("secret", name))
    certificate = certify(identity, keys.key.public, lobby, "test")
    return Sitter(certificate, ((name, None),) * count, wants, ("tcp://192.0.2.1:4000",))


def taken(newcomer: Sitter, room: tuple[Seated, ...]) -> TableRefusal | None:
    names = {row.name for each in room for row in each.rows}
    return TableRefusal("lobby/name-taken", "", (newcomer.name, "Zoe")) if newcomer.name in {"Eve", *names} else None


@dataclass
class House:
    """An inviter and its guests; words travel at once, in order, and as bytes."""

    invite: Invite
    guests: dict[str, Guest] = field(default_factory=dict)
    told: dict[str, list[Effect]] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)

    def come(
        self, guest: Sitter, *, sits: bool = True, good: bool = True, watch: bool = False, heard: str = ""
    ) -> None:
        """heard: the link of a guest that has heard the table announced and has no ticket."""
        name = heard or guest.name
        self.guests.setdefault(name, Guest(self.invite.me.identity, lambda: H("nonce", name, self.invite.round)))
        self.guests[name].opened(name)
        self.invite.opened(name, guest.identity, name.encode(), "tcp://192.0.2.9:5000", ticket=not heard)
        self.settle()
        ticket = (announced if heard else proof)(name.encode()) if good else bytes(32)
        if watch:
            self.guests[name].watch(ticket)
        elif sits:
            self.guests[name].sit(guest, ticket)
        self.settle()

    def settle(self) -> None:
        busy = True
        while busy:
            busy = False
            for effect in self.invite.effects():
                busy = True
                self.note("inviter", effect)
                if isinstance(effect, Say) and effect.link not in self.lost:
                    self.guests[effect.link].heard(effect.link, effect.kind, decode(encode(effect.body)))
            for name, guest in self.guests.items():
                for effect in guest.effects():
                    busy = True
                    self.note(name, effect)
                    if isinstance(effect, Say) and name not in self.lost:
                        self.invite.heard(name, effect.kind, decode(encode(effect.body)))
                    if isinstance(effect, Close):
                        self.invite.closed(name)

    def note(self, who: str, effect: Effect) -> None:
        self.told.setdefault(who, []).append(effect)

    def got(self, who: str, kind: type) -> list[Effect]:
        return [effect for effect in self.told.get(who, []) if isinstance(effect, kind)]

    def ready(self, *names: str) -> None:
        for name in names:
            self.guests[name].ready(yes=True)
            self.settle()


def house(terms: Terms = TERMS, approve_all: bool = True, count: int = 1) -> House:
    nonces = iter(H("nonce of the inviter", number) for number in range(9))
    invite = Invite(LOBBY, terms, sitter("Ann", (0,), count), nonces.__next__, proof, taken, approve_all)
    invite.open_proof = announced
    invite.ready(yes=True)
    return House(invite)
