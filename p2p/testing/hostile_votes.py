# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that use votes against others: to have a finished roll again, a second choice, or the seat of another."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import certify
from p2p.lockstep.cuts import end_here
from p2p.lockstep.ends import result
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.reading import Reading
from p2p.lockstep.voting import Voting
from p2p.testing.hostile import Hostile
from p2p.testing.simpeer import SimPeer
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.entry import NO_PREV, make_entry
from seeds.hashing import H

TRIES: Final = 12
"""Proposals after which one of these votes like a bot."""


class Chooser(Hostile):
    """Leaves out the others together with those of its kind after each roll, or at a height before it, gives them up,
    takes back what they have rolled, frees from votes that all have gone on by, reads on from before it and takes their
    seats. It signs whatever its kind proposes."""

    tries = 0

    @property
    def plotting(self) -> bool:
        """True while it tries to have the last roll again."""
        return any(rolled.kind == "roll" for rolled in self.lockstep.position.chance.rolls) and self.tries < TRIES

    def give(self, seat: int, values: list[Value]) -> None:
        position = self.lockstep.position
        leaving = any(key in position.members for key in position.cut)
        if leaving or not self.plotting:
            super().give(seat, values)

    def manners(self) -> None:
        table = self.lockstep
        if table.mute is None and self.plotting:
            table.voting.too_late = lambda: None  # type: ignore[method-assign]
            self._sign_all()
            table.advance()
            if table.position.chance.rolls and self.sim.random.random() < 0.3:
                self.tries += 1
                self._propose()
            table.advance()
        else:
            vars(table.voting).pop("too_late", None)
            SimPeer.manners(self)

    def _sign_all(self) -> None:
        table, kind = self.lockstep, {peer.me for peer in self.sim.peers if isinstance(peer, Chooser)}
        for pact in [*table.ballots.until(table.position.height)]:
            said = table.ballots.voted(pact, self.me) or table.ballots.refused(pact, self.me) is not None
            if not said and next(iter(table.ballots.proposers[pact.id])) in kind and pact.named.isdisjoint(kind):
                self.sign("sign", [pact.id])

    def _propose(self) -> None:
        table, random = self.lockstep, self.sim.random
        position = table.position
        others = sorted(peer.me for peer in self.sim.peers if not isinstance(peer, Chooser))
        there = [key for key in others if key in position.members and key not in position.cut]
        rolled = position.chance.rolls[-1].roll.height
        ends = tuple(position.cut.get(key) or FeedEnd(key, *table.feeds.end(key)) for key in there or others)
        terms: Value = None
        kind = "absent" if there else random.choice(("takeback", "takeback", "gone", "seat", "end"))
        if random.random() < 0.5:
            self._propose_late(rolled)
            return
        match kind:
            case "takeback":
                terms = [max(0, rolled - random.choice((0, 1, 3))), True]
            case "seat":
                record = self.sim.genesis.members[self.number].record()
                seat = next((seat for seat, owner in position.owner.items() if owner in others), 0)
                terms = [seat, decode(encode(record))]
            case "end":
                return
        if kind in ("takeback", "seat"):
            ends = ()
        self.sign("pact", Pact(kind, position.height, position.head, ends, terms, self.tries).body())

    def _propose_late(self, rolled: int) -> None:
        """Propose something at a height before the last roll, which all have passed."""
        table, random = self.lockstep, self.sim.random
        position, at = table.position, max(0, rolled - random.choice((1, 1, 2, 3)))
        past = position.past.get(at)
        if past is None:
            return
        others = sorted(peer.me for peer in self.sim.peers if not isinstance(peer, Chooser) and peer.me in past.members)
        ends = tuple(end_here(table.reading, author, at) for author in others)
        read: list[Value] = [[each.author, each.seq, each.id] for each in ends if not each.empty]
        known = tuple(sorted(pact.id for pact in table.ballots.at(at, past.head)))
        free = Pact(
            "free", at, past.head, tuple(FeedEnd(author, -1, NO_PREV) for author in others), None, self.tries, known
        )
        terms: Value = [position.state_at(at) or bytes(16), read, position.epoch + 1]
        pacts = [
            Pact("absent", at, past.head, ends, None, self.tries, known),
            Pact("repair", at, past.head, ends, terms, self.tries),
            *([free] if known else []),
        ]
        if others:
            self.sign("pact", random.choice(pacts).body())


class Rereader(Chooser):
    """Keeps back its seeds until the others have opened theirs, which tells its kind the roll. Then one of its kind
    lies about its state there, and both read on without the others, up to the lie alone. After a while it opens its
    seed."""

    waited = 0.0
    head = liar = b""

    def restored(self) -> Lockstep:
        """Return the lockstep, which gives nothing to a roll while this one plots there."""
        lockstep = super().restored()
        give = lockstep.automatic.give
        lockstep.automatic.give = lambda: not self._waits(lockstep) and give()  # type: ignore[method-assign]
        return lockstep

    def _waits(self, table: Lockstep) -> bool:
        if table.position.head != self.head:
            self.head, self.waited = table.position.head, self.sim.now
        return table.position.step.kind == "roll" and self.sim.now < self.waited + 8.0

    def manners(self) -> None:
        """Plot at each roll, and vote like a bot otherwise."""
        table = self.lockstep
        kind = sorted(peer.me for peer in self.sim.peers if isinstance(peer, Chooser))
        opened = {entry.author for entry in table.position.step.filled.values() if entry.kind == "open"}
        if table.mute is not None or not self._waits(table):
            vars(table.voting).pop("too_late", None)
            SimPeer.manners(self)
            table.advance()
            return
        table.voting.too_late = lambda: None  # type: ignore[method-assign]
        turn = kind[len(table.position.chance.rolls) % len(kind)] == self.me
        if turn and self.liar != self.head and opened.difference(kind):
            self.liar = self.head
            self._read_on(sorted(opened.difference(kind)))
        self._sign_all()
        table.advance()

    def _read_on(self, others: list[bytes]) -> None:
        table, position = self.lockstep, self.lockstep.position
        seq, prev = table.own_end()
        false = make_entry(
            self.keys.key.private, table=self.sim.genesis.table, seq=seq + 1, prev=prev, epoch=position.epoch,
            height=position.height, head=position.head, state=self.sim.random.randbytes(16), kind="open", body=[9],
        )  # fmt: skip
        table.signing.record(false)
        ends = tuple(end_here(table.reading, author) for author in others)
        terms: Value = [position.state, [[self.me, false.seq, false.id]], position.epoch + 1]
        self.sign("pact", Pact("repair", position.height, position.head, ends, terms).body())


class Unbound(Voting):
    """Goes on whatever it has signed, and refuses nothing."""

    bound = False

    def too_late(self) -> None:
        """None, though it could."""


class Holding(Unbound):
    """Says nothing of the end, until it is only `Unbound`."""

    @property
    def bound(self) -> bool:  # type: ignore[override]
        """True while the game is over."""
        return self._reading.position.over


class Pledger(Chooser):
    """One of its kind signs a vote to go on without the others, and goes on with them all the same. Another one says
    nothing from then on, so that they leave it out, and signs that vote after each roll that follows."""

    pledge: Pact | None = None

    def restored(self) -> Lockstep:
        """Return the lockstep, which nothing binds."""
        lockstep = super().restored()
        lockstep.voting.__class__ = Unbound
        return lockstep

    @property
    def kind(self) -> list[Pledger]:
        """All of this kind, the silent one last."""
        return sorted((peer for peer in self.sim.peers if isinstance(peer, Pledger)), key=lambda peer: peer.me)

    @property
    def silent(self) -> bool:
        """True if this is the silent one."""
        return self is self.kind[-1]

    def give(self, seat: int, values: list[Value]) -> None:
        """Answer, but for the silent one."""
        if self.kind[0].pledge is None or not self.silent:
            SimPeer.give(self, seat, values)

    def manners(self) -> None:
        """Vote like a bot besides."""
        table, position, kind = self.lockstep, self.lockstep.position, self.kind
        pledge, shown = kind[0].pledge, self.sim.seed % 2 == 0
        here = position.step.kind == ("choose" if shown else "together")
        if table.mute is None and not self.silent and self.pledge is None and here:
            others = sorted({*position.members} - {peer.me for peer in kind})
            ends = tuple(end_here(table.reading, each) for each in others)
            self.pledge = Pact("absent", position.height, position.head, ends, None)
            self.sign(*(("pact", self.pledge.body()) if shown else ("sign", [self.pledge.id])))
        elif pledge is not None and self.silent:
            rolls = [each.roll.height for each in position.chance.rolls if each.kind == "roll"]
            if max(rolls, default=0) > pledge.at and not table.ballots.voted(pledge, self.me):
                self.sign("pact", pledge.body())
            table.advance()
            return
        SimPeer.manners(self)
        table.advance()


class StateLiar(Hostile):
    """Signs words over a state that nobody computes, for the open height and for later ones, and proposes to read on:
    as if its program had differed and were mended."""

    tries = 0

    def manners(self) -> None:
        table, random = self.lockstep, self.sim.random
        for vote in table.votes():
            if vote.pact.kind == "repair" and self.me in vote.missing and vote.advice is None:
                table.sign(vote.pact.id)
        if table.mute is None and self.tries < TRIES and table.position.height > 2 and random.random() < 0.05:
            self.tries += 1
            self.played = True
            at = table.position.height
            for _ in range(random.choice((1, 2))):
                self._lie()
            table.advance()
            table.repair(at)
        elif self.tries and table.reading.differing():
            table.repair(table.position.height)
        SimPeer.manners(self)

    def _lie(self) -> None:
        random, position = self.sim.random, self.lockstep.position
        seq, prev = self.lockstep.own_end()
        words: list[tuple[str, Plain]] = [
            ("answer", [self.number, [random.choice((1, 4, 99))]]), ("open", [9]), ("share", [bytes(32), []]),
        ]  # fmt: skip
        kind, body = random.choice(words)
        entry = make_entry(
            self.keys.key.private, table=self.sim.genesis.table, seq=seq + 1, prev=prev, epoch=position.epoch,
            height=position.height + random.choice((0, 0, 1, 4)), head=position.head, state=bytes(16), kind=kind,
            body=body,
        )  # fmt: skip
        self.lockstep.signing.record(entry)


class Undoer(Hostile):
    """Plays by the rules, and signs the end. Then it signs ends that nobody reaches, also by a new key that it proposes
    for a seat, and votes with those of its kind to go on without somebody else from an earlier height, as if that one
    had signed two histories there, or had been silent."""

    def manners(self) -> None:
        table = self.lockstep
        position = table.position
        if self.played or not position.over or (self.me, position.height, position.head) not in table.hearing.ended:
            SimPeer.manners(self)
            return
        self.hide(H("no end", number) for number in range(self.sim.random.choice((0, 4, 40))))
        for pact in self.undoing([min(self.others())], position.height // 2):
            self.sign("pact", pact.body())

    def others(self) -> list[bytes]:
        """Return the members that are not of this kind."""
        return [peer.me for peer in self.sim.peers if not isinstance(peer, Undoer)]

    def undoing(self, victims: Collection[bytes], height: int) -> tuple[Pact, Pact]:
        """Return the votes that would undo the end without these members, from about this height on."""
        table, position = self.lockstep, self.lockstep.position
        at = max(each for each in position.past if each <= height)
        out = sorted(each for each in victims if each in position.past[at].members)
        said = [[entry for entry in table.feeds.feed(each) if entry.height < at][-1] for each in out]
        ends = tuple(FeedEnd(entry.author, entry.seq, entry.id) for entry in said)
        terms: Value = [out[0], [said[0].id], False, position.height + 8, position.epoch + 1]
        head = position.past[at].head
        return Pact("without", at, head, ends, terms), Pact("absent", at, head, ends, None)

    def hide(self, heads: Iterable[bytes]) -> None:
        """Sign ends with these heads, also by a new key. Those of one kind sign the same."""
        table, position = self.lockstep, self.lockstep.position
        key = SigningKey.from_seed(H("undoer", self.me))
        certificate = certify(key, key.public, self.sim.genesis.table, "new")
        record = Member(certificate, (Row(0, "New"),), bytes(32)).record()
        self.sign("pact", Pact("seat", position.height, position.head, (), [0, decode(encode(record))]).body())
        place: dict[str, Any] = {
            "table": self.sim.genesis.table, "epoch": position.epoch, "height": position.height,
            "state": position.state, "kind": "result", "body": result(position),
        }  # fmt: skip
        seq, prev = -1, NO_PREV
        for head in heads:
            mine, before = table.own_end()
            table.signing.record(make_entry(self.keys.key.private, **place, seq=mine + 1, prev=before, head=head))
            guests = make_entry(key.private, **place, seq=seq + 1, prev=prev, head=head)
            seq, prev = guests.seq, guests.id
            table.feed(guests)


class Endless(Reading):
    """For whom no end is final."""

    @property
    def final(self) -> bool:
        """Never."""
        return False


class Continuer(Undoer):
    """Plays by the rules until the end is final, and votes with those of its kind to go on without all others from an
    earlier height. Then it plays on to another end, and signs that by a new key too."""

    praised = False
    end = b""

    def manners(self) -> None:
        """Vote like a bot but for that."""
        table = self.lockstep
        if table.reading.final:
            self.end, table.reading.__class__ = table.position.head, Endless
            table.ballots.closing = None
            table._look_for_an_end = lambda *_, **__: None  # type: ignore[method-assign]
            self.sign("pact", self.undoing(self.others(), table.position.height - 4)[0].body())
            table.advance()
        elif self.end and table.position.over and table.position.head != self.end and not self.praised:
            self.praised = True
            self.hide((table.position.head,))
        SimPeer.manners(self)


VOTERS: Final[dict[str, type[Hostile]]] = {
    kind.__name__: kind for kind in (Chooser, Rereader, Pledger, StateLiar, Undoer, Continuer)
}
