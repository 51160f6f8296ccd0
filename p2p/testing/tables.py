# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables for tests: a genesis with keys derived from a number, and peers that pass their entries directly to each
other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.automatic import LATE
from p2p.lockstep.effects import Effect, Keep
from p2p.lockstep.genesis import Genesis, Member, Row, fixed_keys, fixed_nonce
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import HandleRef, Machine
from p2p.lockstep.position import Position
from p2p.lockstep.signing import Maker, maker
from p2p.lockstep.task import Job
from p2p.testing.machine import HIGHEST, TestMachine
from p2p.wire.codec import Value
from p2p.wire.entry import Attachment, Entry
from seeds.errors import Fault
from seeds.hashing import H

MakeMachine = Callable[[int], Machine]


def fixed_genesis(
    holdings: Sequence[Sequence[int]],
    seed: int,
    machine: Machine,
    options: Mapping[str, Value] | None = None,
    game: str = "test",
) -> tuple[Genesis, list[TableKeys]]:
    """Return the genesis of a test table whose member m holds the seats `holdings[m]`, and the members' keys."""
    keys = [fixed_keys(seed, number) for number in range(len(holdings))]
    members = []
    for number, seats in enumerate(holdings):
        identity = SigningKey.from_seed(H("test identity", seed, number))
        certificate = certify(identity, keys[number].key.public, b"test lobby", f"device {number}")
        rows = tuple(Row(seat, f"Player {number}") for seat in seats)
        members.append(Member(certificate, rows, fixed_nonce(seed, number)))
    rules, content = machine.ident
    return Genesis(game, options or {}, rules, content, tuple(members), test=True), keys


def member(
    genesis: Genesis,
    keys: TableKeys,
    machine: Machine,
    choices: Mapping[str, bytes] | None = None,
    make: Maker | None = None,
    kind: type[Lockstep] = Lockstep,
) -> Lockstep:
    """Return the lockstep of one member, not started yet."""
    return kind(
        genesis,
        machine,
        me=keys.key.public,
        make=make or maker(keys.key),
        secret=keys.secret,
        sign=keys.key.sign,
        choices=choices or {},
    )


def opened(position: Position) -> dict[HandleRef, Value]:
    """Return the revealed sealed cards by handle."""
    decks = position.chance.decks
    shown = [] if decks is None else [*decks.lying.items(), *decks.spent.items()]
    return {handle: decks.faces[card.deck][card.known] for handle, card in shown if decks and card.known is not None}


def changed_cards(position: Position) -> list[HandleRef]:
    """Return the cards that were opened as other cards than this member, which still holds a key, had read."""
    chance, shown = position.chance, opened(position)
    if chance.ring is None or position.me not in chance.ring.members:
        return []
    read = [(handle, card) for look in chance.looks for handle, card in look.cards if card is not None]
    return [handle for handle, card in read if shown.get(handle, card) != card]


class SharedWork:
    """Runs the jobs of all peers of a process, and reuses the result of a shuffle's check for the same check
    elsewhere."""

    def __init__(self) -> None:
        self._found: dict[bytes, tuple[object, object]] = {}

    def __call__(self, job: Job) -> object:
        """Return the result of a job."""
        if job.entry is None or job.statement is None:
            return job.run()
        asked, found = self._found.get(job.entry, (None, None))
        if asked is None or asked != job.hoped:
            asked, found = self._found[job.entry] = job.hoped, job.run()
        return found if isinstance(found, Fault) else job.hoped


class DirectTable:
    """Peers without a network: every entry reaches all in the order in which it was signed. Seats answer at random.
    machine: the game at its start, by default the test machine, with its name and options."""

    def __init__(
        self,
        holdings: Sequence[Sequence[int]],
        seed: int = 1,
        rounds: int = 1,
        *,
        machine: Machine | None = None,
        game: str = "test",
        options: Mapping[str, Value] | None = None,
    ) -> None:
        fresh = machine or TestMachine(sum(map(len, holdings)), rounds)
        self.random = Random(seed)
        self.genesis, self.keys = fixed_genesis(holdings, seed, fresh, options, game)
        self.peers = [member(self.genesis, keys, fresh.clone()) for keys in self.keys]
        self.log: list[tuple[Entry, Attachment | None]] = []
        self.seen: list[list[Effect]] = [[] for _ in self.peers]
        self.cut_off: set[int] = set()
        self.work = SharedWork()
        self.now = 0.0

    def start(self) -> None:
        for peer in self.peers:
            peer.start(new=True)
        self.settle()

    def settle(self) -> None:
        """Deliver entries until no peer signs another one, now or some time later."""
        while self._spoken() or self._spoken_later():
            pass

    def _spoken(self) -> bool:
        busy = False
        for number, peer in enumerate(self.peers):
            for effect in peer.settled(self.work):
                busy = True
                self.seen[number].append(effect)
                if isinstance(effect, Keep) and effect.is_own:
                    self.deliver(number, effect)
        return busy

    def _spoken_later(self) -> bool:
        for _ in range(2):
            self.now += LATE
            for peer in self.peers:
                peer.tick(self.now)
        return self._spoken()

    def deliver(self, sender: int, keep: Keep) -> None:
        """Pass a member's new entry to all others; a test may change what they get."""
        if sender in self.cut_off:
            return
        self.log.append((keep.entry, keep.attachment))
        for number, peer in enumerate(self.peers):
            if number != sender and number not in self.cut_off:
                peer.feed(keep.entry, keep.attachment)

    def log_of(self, kind: str) -> list[Entry]:
        """Return the entries of this kind, in the order in which they were signed."""
        return [entry for entry, _ in self.log if entry.kind == kind]

    def step(self) -> bool:
        """Let one seat answer that owes an answer. Return False if no seat of a connected peer does."""
        for number, peer in enumerate(self.peers):
            owed = peer.owing().get(peer.me or b"", []) if number not in self.cut_off else []
            if owed:
                seat = self.random.choice(owed)
                refusal = peer.answer(seat, self.pick(peer, seat))
                assert refusal is None, refusal
                self.settle()
                return True
        return False

    def pick(self, peer: Lockstep, seat: int) -> list[Value]:
        """Return the answer of a seat of `peer`. Tables of other games override this."""
        return [self.random.randint(0, HIGHEST)]

    def play(self) -> None:
        """Play until no seat owes an answer."""
        while self.step():
            pass
