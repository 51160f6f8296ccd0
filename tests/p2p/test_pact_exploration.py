"""Pact races explored at random: honest members never split nor freeze, also where one moves to another key or leaves,
and a build with a mistake does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pactraces
import pytest
from pactraces import Reach, Table, unsigned
from volume import gated, seeds

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.consent import Consent
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import Pact, moving_lobby
from p2p.lockstep.proposing import Proposals
from p2p.lockstep.voting import Voting
from p2p.testing.movers import Agreeing
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import Entry
from seeds.hashing import H


@pytest.mark.parametrize("batch", gated(seeds(5), 1))
def test_n75_no_race_of_pacts_splits_honest_members(batch: int) -> None:
    assert [seed for seed in range(10 * batch, 10 * (batch + 1)) if Table(seed, Lockstep).run()] == []


@pytest.mark.parametrize("batch", gated(seeds(4), 1))
def test_no_race_of_pacts_freezes_those_who_stay_when_one_vanishes_and_one_was_suspected(batch: int) -> None:
    assert [n for n in range(5 * batch, 5 * (batch + 1)) if Table(n, Lockstep, (5,)).freezes()] == []


@pytest.mark.parametrize("members", [3, 4, 5])
@pytest.mark.parametrize("seed", gated(seeds(4, 20), 1))
def test_no_race_freezes_as_many_as_may_decide(seed: int, members: int) -> None:
    table = Table(seed, Lockstep, (members,))
    assert not table.freezes() or table.halted()


@pytest.mark.parametrize(
    ("members", "seed"),
    [
        pytest.param(3, 25, id="one bound behind, one ahead"),
        pytest.param(3, 37, id="who is ahead is bound there and has answered nothing yet"),
        pytest.param(4, 1, id="two bound behind"),
        pytest.param(3, 21, id="one has answered in a history that is overtaken"),
    ],
)
def test_what_once_froze_goes_on(members: int, seed: int) -> None:
    assert not Table(seed, Lockstep, (members,)).freezes()


class Freeing(Table):
    """A table at which anybody proposes at any time that nobody is bound by what waits for others."""

    freed = 0

    def step(self, cut: set[int]) -> None:
        number = self.random.randrange(len(self.peers))
        if self.random.random() > 0.12 or number in self.vanished:
            super().step(cut)
            return
        peer, others = self.peers[number], [key for other, key in enumerate(self.keys) if other != number]
        pact = peer.proposals.freeing([key for key in others if self.random.random() < 0.4])
        if isinstance(pact, Pact):
            self.freed += 1
            peer.signing.say("pact", pact.body())
            peer.advance()
        self.collect(number)


@pytest.mark.parametrize("batch", gated(seeds(5), 1))
def test_no_race_of_frees_splits_honest_members(batch: int) -> None:
    tables = [Freeing(seed, Lockstep) for seed in range(10 * batch, 10 * (batch + 1))]
    assert [table for table in tables if table.run()] == []
    assert any(table.freed for table in tables)


class Moving(Table):
    """A table at which friends ask again and again that one goes on with another key, which never comes."""

    consent = Agreeing
    moves = 0

    def __init__(self, seed: int, kind: type[Lockstep], members: Sequence[int] = (3, 4, 5)) -> None:
        super().__init__(seed, kind, members)
        self.lost = (self.random.randrange(len(self.peers)),)

    def step(self, cut: set[int]) -> None:
        if self.random.random() < 0.12:
            self.ask()
        else:
            super().step(cut)

    def relay(self, live: Sequence[int]) -> None:
        super().relay(live)
        if self.random.random() < 0.3:
            self.ask()

    def ask(self) -> None:
        """Let a friend propose the move."""
        (lost,), friend = self.lost, self.random.randrange(len(self.peers))
        if friend not in {lost, *self.vanished}:
            peer = self.peers[friend]
            self.moves += peer.propose("moved", [self.keys[lost]], [self._certificate(lost), False]) is None
            self.collect(friend)

    def _certificate(self, lost: int) -> Value:
        table, other = self.peers[lost].genesis.table, SigningKey.from_seed(H("another key", lost))
        lobby = moving_lobby(table, self.keys[lost])
        identity = SigningKey.from_seed(H("test identity", 1, lost))
        return decode(encode(certify(identity, other.public, lobby, "another device").fields()))


@pytest.mark.parametrize("batch", gated(seeds(5), 1))
def test_no_race_of_moves_splits_honest_members_though_the_old_key_speaks_on(batch: int) -> None:
    tables = [Moving(seed, Lockstep) for seed in range(10 * batch, 10 * (batch + 1))]
    assert [table for table in tables if table.run()] == []
    assert any(table.moves for table in tables)


@pytest.mark.parametrize("batch", gated(seeds(4), 1))
def test_no_race_of_moves_freezes_t_who_stay_when_a_key_is_lost_another_one_vanishes_and_one_was_suspected(
    batch: int,
) -> None:
    tables = {number: Moving(number, Lockstep, (5,)) for number in range(5 * batch, 5 * (batch + 1))}
    assert [number for number, table in tables.items() if table.freezes() and not table.halted()] == []
    assert any(table.moves for table in tables.values())


class Returning(Table):
    """A long table at which whoever was left out asks to come back, and anybody proposes that, or to give it up."""

    def step(self, cut: set[int]) -> None:
        number = self.random.randrange(len(self.peers))
        if self.random.random() > 0.3 or number in self.vanished:
            super().step(cut)
            return
        peer, position = self.peers[number], self.peers[number].position
        asking, out = peer.voting.asking(), [key for key in position.cut if key not in position.members]
        if self.keys[number] in position.cut:
            peer.propose("back")
        elif asking and self.random.random() < 0.8:
            peer.propose("back", (), self.random.choice(asking))
        elif out and self.random.random() < 0.15:
            peer.propose("gone", [self.random.choice(out)])
        self.collect(number)

    def races(self) -> None:
        """Vote and play in parts that change, until one vanishes in the middle of that."""
        numbers = range(len(self.peers))
        vanishing, vanishes = self.random.choice(numbers), self.random.randrange(1, 6)
        for moment in range(6):
            self.vanished = {vanishing} if moment >= vanishes else set()
            cut = {number for number in numbers if self.random.random() < 0.4}
            for _ in range(50):
                self.step(cut)
            if self.random.random() < 0.5:
                self.relay([number for number in numbers if number not in self.vanished])


@pytest.mark.parametrize("seed", gated([8, *seeds(8)], 2))
def test_no_race_of_returns_splits_honest_members_or_freezes_t_who_stay(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pactraces, "HEIGHTS", 14)
    table = Returning(seed, Lockstep)
    table.races()
    assert table.ends_alike_without_the_vanished() or table.halted()
    assert not table.split()


class Leaving(Table):
    """A table of which one leaves in the middle of all that. two_faced: it shows an answer in place of the leave to
    each second member, until all see both."""

    def __init__(self, seed: int, members: Sequence[int], *, two_faced: bool) -> None:
        self.leaver, self.two_faced, self.other = -1, two_faced, list[Entry]()
        super().__init__(seed, Lockstep, members)

    def leave(self) -> None:
        self.leaver = self.random.randrange(len(self.peers))
        assert self.peers[self.leaver].leave() is None
        self.collect(self.leaver)
        last = self.said[self.leaver][-1]
        fields = {name: getattr(last, name) for name in ("table", "seq", "prev", "epoch", "height", "head", "state")}
        answer = unsigned(last.author)(**fields, kind="answer", body=[self.leaver, [1]])
        self.other = [answer] if self.two_faced else []

    def bring(self, sender: int, receiver: int, most: int) -> None:
        at = self.brought[sender][receiver]
        if sender == self.leaver and receiver % 2 and self.other:
            most = min(most, len(self.said[sender]) - 1 - at)
            if most <= 0:
                self.peers[receiver].feed(self.other[0])
                self.collect(receiver)
        super().bring(sender, receiver, most)

    def ends_alike(self) -> bool:
        """Whether all others come to one end."""
        for moment in range(3):
            for _ in range(30):
                self.step(set())
            if moment == 0:
                self.leave()
        live = [number for number in range(len(self.peers)) if number != self.leaver]
        reach = Reach(set(self.keys))
        voices = {number: Consent(self.peers[number], reach, lambda *_, **__: None) for number in live}
        for second in range(1500):
            for sender in range(len(self.peers)):
                for receiver in live:
                    self.bring(sender, receiver, 64) if sender != receiver else None
            for number in live:
                for entry in (*self.other, self.said[self.leaver][-1]) if second > 5 else ():
                    self.peers[number].feed(entry)
                voices[number].tick(float(second))
                self.peers[number].answer(number, [1])
                self.collect(number)
            if all(self.peers[number].position.over for number in live):
                return len({self.peers[number].position.head for number in live}) == 1
        return False


@pytest.mark.parametrize("two_faced", [False, True])
@pytest.mark.parametrize("batch", gated(seeds(4), 1))
def test_no_race_of_pacts_parts_those_who_stay_where_one_leaves_also_in_two_ways(batch: int, two_faced: bool) -> None:
    """Only a `without` undoes what t have passed, where one has signed two histories."""
    tables = {seed: Leaving(seed, (4, 5), two_faced=two_faced) for seed in range(3 * batch, 3 * (batch + 1))}
    assert [seed for seed, table in tables.items() if not table.ends_alike()] == []
    assert two_faced or not any(table.split() for table in tables.values())


def votes_by(peer: Lockstep, voting: Voting) -> None:
    peer.voting = peer.automatic.voting = voting
    peer.proposals = peer.automatic.proposals = Proposals(peer.member_secrets.me, peer.reading, voting)


class NeverBound(Voting):
    """Signing a pact does not stop the member from going on."""

    bound = False


class Unlocked(Lockstep):
    """The mistake that the tests must catch."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        votes_by(self, NeverBound(self.member_secrets.me, self.reading))


def test_a_build_without_the_lock_is_caught() -> None:
    assert any(Table(seed, Unlocked).run() for seed in range(300))


class Unheld(Voting):
    """Is bound by no free, and signs one whatever it is over."""

    def locks(self) -> list[Pact]:
        return [pact for pact in super().locks() if pact.kind != "free"]

    def advice(self, pact: Pact, members: tuple[bytes, ...]) -> TableRefusal | None:
        return None if pact.kind == "free" else super().advice(pact, members)


class Careless(Lockstep):
    """The mistake that splits: who has signed a free goes on all the same by a vote that it lists."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        votes_by(self, Unheld(self.member_secrets.me, self.reading))


def test_a_build_that_frees_from_votes_that_count_is_caught() -> None:
    assert any(Freeing(seed, Careless).run() for seed in range(80, 100))


class OnlyFewer(Proposals):
    """Proposes over no other pact, as if signers alone could cover."""

    def _over(self, *_: Any) -> tuple[bytes, ...]:
        return ()


class Frozen(Lockstep):
    """The mistake that froze tables."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.proposals = self.automatic.proposals = OnlyFewer(self.member_secrets.me, self.reading, self.voting)


def test_a_build_whose_pacts_are_over_no_others_is_caught() -> None:
    """One table of five in eight freezes so; without the mistake these end within 20 seconds."""
    found = [[Table(seed, kind, (5,)).freezes(200) for kind in (Frozen, Lockstep)] for seed in (9, 26)]
    assert found == [[True, False]] * 2
