"""A table that plays a fixed course of sealed cards, for tests of members who come and go."""

from __future__ import annotations

from collections.abc import Callable

from p2p.lockstep.effects import Agreed, Happened
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import HandleRef
from p2p.lockstep.position import Position
from p2p.testing.hostile_silence import Reticent
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Value

ROUNDS = 2


class Sealed(DirectTable):
    """A sealed table of which members can fall silent at any kind of entry."""

    def __init__(self, members: int, seed: int = 3, rounds: int = ROUNDS, silent: dict[int, str] | None = None) -> None:
        """silent: the kind of entry that these never say."""
        self.fresh = self.machine_kind(members, rounds)
        super().__init__(
            [[seat] for seat in range(members)], seed, machine=self.fresh, options={"draws": "sealed"}
        )  # fmt: skip
        seated = [self.sit(number) for number in range(members)]
        self.peers = list[Lockstep](seated)
        for number, kind in (silent or {}).items():
            seated[number].withheld = frozenset({kind})
        self.start()

    voice = Reticent
    machine_kind: type[TestMachine] = TestMachine

    def sit(self, number: int) -> Reticent:
        """A program of this member that knows nothing yet but its own choices."""
        choices = self.peers[number].member_secrets.choices
        seated = member(self.genesis, self.keys[number], self.fresh.clone(), choices, kind=self.voice)
        assert isinstance(seated, Reticent)
        return seated

    def key(self, number: int) -> bytes:
        return self.peers[number].member_secrets.me

    def until(self, reached: Callable[[], bool]) -> None:
        while not reached():
            assert self.step()

    def until_kind(self, kind: str, round_: int = 0) -> None:
        self.until(lambda: (self.at.step.kind, self.machine.state["round"]) == (kind, round_))

    @property
    def at(self) -> Position:
        return self.here[0].position

    @property
    def machine(self) -> TestMachine:
        machine = self.here[0].machine
        assert isinstance(machine, TestMachine)
        return machine

    @property
    def here(self) -> list[Lockstep]:
        return [peer for number, peer in enumerate(self.peers) if number not in self.cut_off]

    def agree(self, kind: str, out: list[int] = (), terms: Value = None) -> None:  # type: ignore[assignment]
        """Propose a pact, which all who are here sign."""
        proposer = self.here[0]
        assert proposer.propose(kind, [self.key(number) for number in out], terms) is None
        self.settle()
        for peer in self.here:
            for vote in peer.votes():
                if peer.me in vote.missing:
                    assert peer.sign(vote.pact.id) is None
        self.settle()
        told = self.seen[self.peers.index(proposer)]
        assert kind in [effect.pact.kind for effect in told if isinstance(effect, Agreed)]

    def vanish(self, *numbers: int) -> None:
        """They are out of reach; whoever is here goes on without them, once they are waited for."""
        self.cut_off |= set(numbers)
        self.play()
        self.agree("absent", list(numbers))
        self.play()

    def rejoin(self, number: int) -> None:
        """Back in reach: everybody gets what he lacks."""
        self.cut_off.discard(number)
        late = self.peers[number]
        for entry in self.here[0].feeds.entries:
            late.take(entry)
        for entry in late.feeds.feed(self.key(number)):
            for peer in self.here:
                peer.take(entry)
        self.settle()

    def ended_alike(self) -> None:
        assert all(peer.position.over for peer in self.here), [peer.position.step.kind for peer in self.here]
        assert len({(peer.position.head, peer.machine.digest()) for peer in self.here}) == 1
        assert not [peer.faults for peer in self.here if peer.faults]

    def happened(self, kind: str) -> int:
        return sum(isinstance(effect, Happened) and effect.kind == kind for effect in self.seen[0])


def hand(peer: Lockstep) -> dict[HandleRef, Value]:
    """The cards that this peer's own seats hold or have seen, as it was told when it read them."""
    machine = peer.machine
    assert isinstance(machine, TestMachine)
    return {handle: card for faces in machine.known.values() for handle, card in faces.items()}
