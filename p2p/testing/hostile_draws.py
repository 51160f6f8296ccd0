# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers that cheat with dice, cards or secret choices, each in one way.

If signed entries prove the trick, every honest peer convicts its author. If the trick is silence, the table goes on
without the silent member, with the same dice as before.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.signing import Maker, maker
from p2p.lockstep.step import RESTING
from p2p.testing.hostile import Hostile
from p2p.testing.hostile_silence import reticent
from p2p.testing.simpeer import SimPeer
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import Entry
from seeds.dealing import Complaint, KeyDealer, KeyGeneration
from seeds.group import BASE, Point, add, base
from seeds.hashing import H
from seeds.proofs import equal_logarithms, logarithm, prove, scalar
from seeds.sealedcards import Remask, read_remask
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import ProvenShuffle, proven, remasked
from seeds.turns import ShuffleTask


class Cheating(Hostile):
    """Signs another entry when `kind` is due. `cheat` returns kind and body of that entry, None if the trick is not
    possible."""

    kind = ""
    convicting = True

    def make(self) -> Maker:
        honest = maker(self.keys.key)

        def make(**fields: Any) -> Entry:
            if fields["kind"] == self.kind:
                said = fields["body"][1] if self.kind in RESTING else fields["body"]
                trick = self.cheat(said)
                self.played |= trick is not None
                kind, body = trick or (self.kind, said)
                resting = [self.lockstep.position.step.basis(kind), body]
                fields = {**fields, "kind": kind, "body": resting if kind in RESTING else body}
            return honest(**fields)

        return make

    @abstractmethod
    def cheat(self, said: Any) -> tuple[str, Plain] | None: ...

    @property
    def run(self) -> KeyGeneration:
        run = self.lockstep.position.chance.run
        assert run is not None
        return run

    @property
    def decks(self) -> SealedDecks:
        decks = self.lockstep.position.chance.decks
        assert decks is not None
        return decks


# Threshold keys ------------------------------------------------------------------------------------------------------


class BadDealer(Cheating):
    """Deals a share to one member that does not fit its coefficients."""

    kind = "keys"

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        coefficients, proofs, shares = said
        receiver = (self.run.members.index(self.me) + 1) % len(self.run.members)
        at = receiver * (len(shares) // len(self.run.members))
        return "keys", [coefficients, proofs, shares[:at] + bytes([shares[at] ^ 1]) + shares[at + 1 :]]


class FalseComplainer(Cheating):
    """Complains about a correct dealing."""

    kind = "ok"

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        run = self.run
        mine = KeyDealer(self.keys.secret, run, self.me)
        dealer = next(member for member in run.members if member != self.me)
        pair = mine.pair_key(dealer)
        relation = equal_logarithms(base(mine.exchange_secret), run.announced[dealer].exchange, pair)
        proof = prove("complaint", [*run.place(self.me), dealer], relation, [mine.exchange_secret], bytes(32))
        return "complaint", Complaint(dealer, pair, proof).plain()


# Dice ----------------------------------------------------------------------------------------------------------------


class BadPartial(Cheating):
    """Releases a false partial when the lock is to be lifted."""

    kind = "partial"

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        match said:
            case [int() as k, bytes() as partial]:
                return "partial", [k, add(Point(partial[:32]), BASE) + partial[32:]]
        return None


class LateCommitter(Hostile):
    """Is left out of a roll, comes back, and commits to its seed after it has seen those of the others."""

    convicting = True
    voice = reticent("open")

    def manners(self) -> None:
        super().manners()
        lockstep, position = self.lockstep, self.lockstep.position
        if self.me in position.cut:
            lockstep.propose("back")
        elif position.epoch > 0 and position.step.kind == "roll" and lockstep.automatic.read_up:
            opened = [entry for entry in position.step.filled.values() if entry.kind == "open"]
            if len(opened) == len(position.members) - 1 and self.me in position.members:
                self.sign("commit", [position.chance.beacon.k, H("chosen late"), None, None])


# Sealed cards --------------------------------------------------------------------------------------------------------


class Shuffler(Cheating):
    """Shuffles in its own way: `ordered` returns the order of the cards and their masks."""

    kind = "shuffle"

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        return "shuffle", self.shuffled(self.decks.task or self._anew()).plain()

    def _anew(self) -> ShuffleTask:
        task: ShuffleTask = self.lockstep.position.step.task.anew.task  # type: ignore[union-attr]
        return task

    def shuffled(self, task: ShuffleTask) -> ProvenShuffle:
        order, masks = self.ordered(len(task.cards))
        output = tuple(remasked(task.cards[j], task.keys.public, r) for j, r in zip(order, masks, strict=True))
        return proven(task._place(), task.keys.public, task.cards, output, order, masks, H("chance of a cheat"))

    @abstractmethod
    def ordered(self, count: int) -> tuple[Sequence[int], Sequence[int]]: ...


class DoubleCard(Shuffler):
    """Puts the first card in twice and leaves the last one out."""

    def ordered(self, count: int) -> tuple[Sequence[int], Sequence[int]]:
        return [0, *range(count - 1)], range(2, count + 2)


class NoShuffle(Shuffler):
    """Leaves every card unchanged in its place, with a valid proof. The shuffles of the others suffice."""

    convicting = False

    def ordered(self, count: int) -> tuple[Sequence[int], Sequence[int]]:
        return range(count), [0] * count


class Unproven(Shuffler):
    """Shuffles as NoShuffle does, with a proof of another place."""

    def shuffled(self, task: ShuffleTask) -> ProvenShuffle:
        return super().shuffled(replace(task, version=task.version + 1))

    def ordered(self, count: int) -> tuple[Sequence[int], Sequence[int]]:
        return range(count), [0] * count


class OutOfTurn(Hostile):
    """Shuffles before its turn, and so cannot shuffle in its turn."""

    def manners(self) -> None:
        super().manners()
        task = self.lockstep.position.step.task
        early = task is not None and "shuffle" in task.kinds and task.place("shuffle", self.me) == "later"
        if early and self.lockstep.automatic.read_up:
            self.sign("shuffle", [bytes(32), [b"", b""]])


class TwiceShuffler(Hostile):
    """Shuffles again after its turn."""

    convicting = True

    def manners(self) -> None:
        super().manners()
        step = self.lockstep.position.step
        mine = step.kind == "shuffle" and any(entry.author == self.me for entry in step.filled.values())
        if mine and self.lockstep.automatic.read_up:
            self.sign("shuffle", [H("another basis"), [b"", b""]])


class PeekThenDeal(Cheating):
    """Does not mask a card that it could read and that goes to another reader. Then the log would contain all shares of
    one pair, and all could read the card."""

    kind = "remask"

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        decks = self.decks
        if self.lockstep.position.step.kind != "show":
            return None
        handles = decks.owing_remask(self.me)
        right = read_remask(said, len(handles))
        assert right is not None
        return "remask", Remask(tuple(decks.lying[handle].pairs[-1].sealed for handle in handles), right.proofs).plain()


class BadShare(Cheating):
    """Publishes a share of another card."""

    kind = "share"

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        values, proof = said
        return "share", [add(Point(values[:32]), BASE) + values[32:], proof]


# Decks dealt anew ----------------------------------------------------------------------------------------------------


class Unsure(Lockstep):
    """Judges its own entries like those of others, so that its own tricks do not confuse it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reading.proofs.note_own = lambda entry, found: None  # type: ignore[method-assign]


class AtAnew(Cheating):
    """Cheats only while a deck is dealt anew. It votes like honest members."""

    def manners(self) -> None:
        SimPeer.manners(self)

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        return (self.kind, self.false(*said)) if self.lockstep.position.step.kind == "anew" else None

    @abstractmethod
    def false(self, *said: Any) -> Plain: ...


class AnewDoubleCard(AtAnew, DoubleCard):
    """Puts a card into the new deck twice."""

    def false(self, *said: Any) -> Plain:
        return self.shuffled(self._anew()).plain()


class AnewBadHand(AtAnew):
    """Puts another card into its hand."""

    kind = "remask"

    def false(self, *said: Any) -> Plain:
        pairs, proofs = said
        return [pairs[:32] + add(Point(pairs[32:64]), BASE) + pairs[64:], proofs]


class AnewBadTag(AtAnew):
    """Exchanges two cards in its blinding."""

    kind = "tag"

    def false(self, *said: Any) -> Plain:
        pairs, *rest = said
        return [pairs[64:128] + pairs[:64] + pairs[128:], *rest]


class AnewBadShare(AtAnew):
    """Publishes a false share of the blinded cards."""

    kind = "share"
    voice = Unsure

    def false(self, *said: Any) -> Plain:
        values, proof = said
        return [add(Point(values[:32]), BASE) + values[32:], proof]


# Secret choices ------------------------------------------------------------------------------------------------------


class CopyCat(Hostile):
    """Waits for the sealed bid of another and seals the same bytes."""

    convicting = True

    def give(self, seat: int, values: list[Value]) -> None:
        step = self.lockstep.position.step
        if step.kind != "seal":
            super().give(seat, values)
            return
        seen = [entry for entry in step.filled.values() if entry.author != self.me]
        if seen and self.lockstep.automatic.hindrance is None:
            body = seen[0].body
            assert isinstance(body, list)
            self.sign("seal", [seat, *body[1:]])


class Unopenable(Cheating):
    """Seals a bid that nobody can open, and is silent when it must be opened."""

    kind = "seal"
    voice = reticent("reveal")

    def cheat(self, said: Any) -> tuple[str, Plain] | None:
        seat = said[0]
        step, chance = self.lockstep.position.step, self.lockstep.position.chance
        assert step.pending is not None
        key = chance.seal_key(step.pending)
        if key is None:
            return None
        member_secrets, position, handle = self.lockstep.member_secrets, self.lockstep.position, step.handle_of(seat)
        committed, point, text, _ = member_secrets.seal(position.epoch, handle, position.head, 3, key)[0]
        false = bytes(len(text))
        r = scalar(self.keys.secret, "seal/r", key.table, key.epoch, *handle, committed)
        place = [*key.place(self.me), *handle, committed, false]
        proof = prove("seal/pok", place, logarithm(Point(point)), [r], bytes(32))
        return "seal", [seat, committed, point, false, proof.packed()]


_KINDS: Final = [
    *(BadDealer, FalseComplainer, BadPartial, LateCommitter, DoubleCard, NoShuffle, Unproven, OutOfTurn, TwiceShuffler),
    *(PeekThenDeal, BadShare, CopyCat, Unopenable),
]
ANEW: Final[dict[str, type[Hostile]]] = {
    kind.__name__: kind for kind in (AnewDoubleCard, AnewBadHand, AnewBadTag, AnewBadShare)
}
CHEATS: Final[dict[str, type[Hostile]]] = {kind.__name__: kind for kind in _KINDS}
