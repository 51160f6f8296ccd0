# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that are silent at the worst moment, send different entries to the two halves of the table, or pool their
secrets."""

from __future__ import annotations

from typing import Any, Final

from p2p.lockstep.automatic import AutomaticEntries
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import HandleRef
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.signing import Maker, maker
from p2p.lockstep.step import RESTING
from p2p.lockstep.task import Job, Made
from p2p.sync.exchange import TableMessage
from p2p.testing.hostile import Hostile
from p2p.testing.machine import HIGHEST, TestMachine
from p2p.testing.pooled import Pool, private_cards
from p2p.testing.simpeer import SimPeer, read_once
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import Entry
from p2p.wire.messages import Push, Sent
from seeds.hashing import H

LATE: Final = 4.0
"""Seconds before the other peers get an entry that one peer has."""


class Withheld(AutomaticEntries):
    """Does not sign entries of the kinds that its table withholds."""

    def __init__(self, table: Reticent) -> None:
        votes = table.voting, table.proposals
        super().__init__(table.member_secrets, table.reading, *votes, table.signing, table.outbox)
        self.table = table

    def give(self) -> bool:
        task = self.reading.position.step.task
        owed = [] if task is None else [kind for kind, who in task.owed() if who == self.table.me]
        if self.table.withheld.isdisjoint(owed):
            return super().give()
        self.table.kept_back = True
        return False


class Reticent(Lockstep):
    """A member that does not sign entries of a `withheld` kind."""

    withheld: frozenset[str] = frozenset()
    kept_back = False
    withholding: type[Withheld] = Withheld

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.automatic = self.withholding(self)


def reticent(*kinds: str) -> type[Lockstep]:
    """Return a member class that never signs entries of these kinds."""

    class Voice(Reticent):
        withheld = frozenset(kinds)

    return Voice


class Withholding(Hostile):
    """Sees the entries of the others at a height, and then signs nothing."""

    def manners(self) -> None:
        super().manners()
        _note_silence(self)


def _note_silence(peer: Hostile) -> None:
    assert isinstance(peer.lockstep, Reticent)
    peer.played |= peer.lockstep.kept_back


class TwoFaced(Hostile):
    """Sends another variant of its entry of this `kind` to half of the table, later. Both variants are valid. The trick
    is played when both have been received, since the network may lose one for good."""

    kind = ""
    convicting = True

    def make(self) -> Maker:
        honest = maker(self.keys.key)
        self.variants: dict[bytes, Entry] = {}
        self._shown = set[bytes]()

        def make(**fields: Any) -> Entry:
            entry = honest(**fields)
            if entry.kind == self.kind and not self.variants:
                other = honest(**{**fields, "body": self.variant(fields["body"])})
                assert other.id != entry.id
                self.variants[entry.id] = other
            return entry

        return make

    def variant(self, body: Any) -> Plain:
        """Return another body for this place, made with other random bytes."""
        position = self.lockstep.position
        spare = MemberSecrets(self.keys.secret, self.sim.genesis.table, self.me, {})
        match self.kind:
            case "commit":
                return [body[0], H("another commitment"), *body[2:]]
            case "open":
                return [*body[:2], H("another commitment")]
            case "reveal":
                deck, index, value, nonce = body[0]
                return [[deck, index, HIGHEST - value, nonce], *body[1:]]
            case "seal":
                pending = position.step.pending
                assert pending is not None
                key, handle = position.chance.seal_key(pending), position.step.handle_of(body[0])
                values = [spare.seal(position.epoch, handle, position.head, value, key)[0] for value in (0, HIGHEST)]
                return [body[0], *next(value for value in values if value != body[1:])]
        task = position.step.task
        assert task is not None
        made = task.make(self.kind, spare.at("the other half", position.epoch, position.height, position.head))
        made = made.run() if isinstance(made, Job) else made  # type: ignore[assignment]
        assert isinstance(made, Made)
        return [position.step.basis(made.kind), made.body] if made.kind in RESTING else made.body

    def send(self, other: int, message: TableMessage) -> None:
        half = [peer.number for peer in self.sim.peers if peer is not self][::2]
        if not isinstance(message, Push) or other not in half:
            super().send(other, message)
            return
        twisted = Push(tuple(self._twist(sent) for sent in message.entries))
        if twisted == message:
            super().send(other, message)
        else:
            self.sim.after(self.sim.random.uniform(0.5, LATE), lambda: self.sim.send(self.number, other, twisted))

    def shown(self, message: TableMessage) -> None:
        pairs = [{one, other.id} for one, other in self.variants.items()]
        self._shown |= {read_once(sent.raw).id for sent in message.entries} if isinstance(message, Push) else set()
        self.played |= any(pair <= self._shown for pair in pairs)

    def _twist(self, sent: Sent) -> Sent:
        variant = self.variants.get(read_once(sent.raw).id)
        return sent if variant is None else Sent(variant.raw)


class LastWord(TwoFaced):
    """Shows its share of the last opening one way to one half of the table, and another way to the other half."""

    kind = "share"

    def make(self) -> Maker:
        twofaced, honest = super().make(), maker(self.keys.key)

        def make(**fields: Any) -> Entry:
            machine = self.lockstep.position.machine
            last = isinstance(machine, TestMachine) and machine.state["round"] == machine.state["rounds"] - 1
            opening = self.lockstep.position.step.kind == "reveal"
            return twofaced(**fields) if last and opening else honest(**fields)

        return make


class Dawdler(Hostile):
    """Answers and opens its seeds only when there is a vote on its absence, and sends the entry to one peer some
    seconds before the others. It comes back whenever it is left out."""

    voice = Reticent

    def boot(self) -> None:
        self._whispers, self._named = 0.0, 0
        super().boot()

    def accused(self) -> bool:
        """True if there is a vote on the absence of this member."""
        position = self.lockstep.position
        pacts = self.lockstep.ballots.at(position.height, position.head)
        return any(pact.kind == "absent" and self.me in pact.named for pact in pacts)

    def give(self, seat: int, values: list[Value]) -> None:
        if self.accused():
            super().give(seat, values)

    def manners(self) -> None:
        _note_silence(self)
        table = self.lockstep
        assert isinstance(table, Reticent)
        accused = self.accused()
        if accused and table.withheld:
            self._whispers = self.sim.now + LATE
            self._named = self.sim.random.choice([peer.number for peer in self.sim.peers if peer is not self])
        table.withheld = frozenset() if accused else frozenset({"open", "partial"})
        if self.me in table.position.cut:
            table.propose("back")
        for vote in table.votes():
            if vote.advice is None and self.me in vote.missing:
                table.sign(vote.pact.id)
        table.advance()

    def send(self, other: int, message: TableMessage) -> None:
        if not isinstance(message, Push) or self.sim.now >= self._whispers or other == self._named:
            super().send(other, message)


class Coalition(Hostile):
    """Plays by the rules, and pools its secrets with the others of its kind, fewer than t. They never know a card of
    another member, a seed or choice before it opens, or a value of the lock."""

    looks = 0
    _looked = -1, b""

    def manners(self) -> None:
        SimPeer.manners(self)
        fellows = [peer for peer in self.sim.peers if isinstance(peer, Coalition) and peer.alive]
        place = self.lockstep.position.height, self.lockstep.position.head
        if fellows[0] is self and place != self._looked:
            self._looked, self.looks, self.played = place, self.looks + 1, True
            self._look(Pool([peer.lockstep for peer in (self, *fellows[1:])], [peer.keys for peer in fellows]))

    def _look(self, pool: Pool) -> None:
        position = self.lockstep.position
        for other in self.sim.peers:
            if isinstance(other, Coalition):
                continue
            self.sim.demand(pool.seed(other.me) is None, f"the coalition knows a seed of peer {other.number}")
            for handle in private_cards(self.lockstep, other.me):
                self.sim.demand(pool.card(handle) is None, f"the coalition reads card {handle}")
            for handle, placed in position.chance.choices.placed.items():
                owed = placed.author == other.me and position.chance.choices.owing([handle])
                sealed = owed and not self._shown(other.me, handle)
                known = pool.choice(handle, range(HIGHEST + 1)) is not None if sealed else False
                self.sim.demand(not known, f"the coalition opens choice {handle}")
        everybody = Pool([self.lockstep], [peer.keys for peer in self.sim.peers])
        truth = everybody.gamma()
        self.sim.demand(truth is None or truth not in pool.gammas(), "the coalition knows what lifts the lock")

    def _shown(self, author: bytes, handle: HandleRef) -> bool:
        """True if the author has opened its choice itself, at a height that a vote has ended since."""
        reveals = (entry for entry in self.lockstep.feeds.feed(author) if entry.kind == "reveal")
        opened = (each for entry in reveals if type(entry.body) is list for each in entry.body)
        return any(type(each) is list and each[:2] == [*handle] for each in opened)


def _named(trick: type[Hostile], kind: str) -> type[Hostile]:
    """Return this trick for the entries of one kind."""
    parts = {"kind": kind} if trick is TwoFaced else {"voice": reticent(kind)}
    return type(f"{trick.__name__}_{kind}", (trick,), parts)


_WITHHELD: Final = ("commit", "keys", "ok", "open", "partial", "shuffle", "remask", "share", "reveal")
_DOUBLED: Final = ("commit", "keys", "shuffle", "remask", "open", "seal", "share", "partial", "reveal")
_KINDS: Final = [
    *(_named(Withholding, kind) for kind in _WITHHELD),
    *(_named(TwoFaced, kind) for kind in _DOUBLED),
    *(LastWord, Dawdler, Coalition),
]
SILENCES: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in _KINDS}
