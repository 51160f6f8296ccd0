# SPDX-License-Identifier: GPL-3.0-or-later
"""Members who put an old copy of their home back, and a hostile one that holds what they have lost: it shows them some
of it, keeps back the rest, and says that there is no more. None may be convicted by that, or silenced for good.

Somebody honest holds all that they have lost and is there when they come back, else nothing could warn them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

from engine.core.dataclass import replace
from p2p.log.feeds import HELD
from p2p.sync.exchange import TableMessage
from p2p.sync.links import PROMISE
from p2p.testing.hostile import Hostile
from p2p.testing.leavers import LEAVERS, Leaver
from p2p.testing.movers import MOVERS, Giver, Mover, Trusting
from p2p.testing.plans import FaultPlan, seats, unsteady_plan
from p2p.testing.simpeer import SimPeer, read_once
from p2p.wire.messages import Feed, Have, Push, Sent

SMALL_TALK: Final = 8
"""The height from which some talk."""
MANY: Final = HELD + 26
FIRST: Final = 12
"""Number of commits of a copy that was made soon after the start."""
AWAY: Final = 15.0
"""The most seconds for which somebody is away who puts a copy back."""


class Talking(SimPeer):
    """One that says more in chat than others hold unread.

    Attributes:
        words: number of chats to come, None before the first.
    """

    words: int | None = None

    def manners(self) -> None:
        super().manners()
        if self.words is None and self.lockstep.position.height > SMALL_TALK:
            self.words = MANY
        while self.words and self.lockstep.chat(f"{self.words} to go") is None:
            self.words -= 1
            if self.words % 4 == 0:
                break


class PutBack(Talking):
    """Copies its home at any moment and puts the copy back at a later one, mostly after a vote of its own, perhaps more
    than once. Once it may it says so.

    Attributes:
        backup: number of commits of the copy, None before it is made.
    """

    backup: int | None = None

    def boot(self) -> None:
        super().boot()
        if self.words is not None:
            self.words += 1
        self.back_up()

    def back_up(self) -> None:
        """Copy the home now, or keep an older copy."""
        if self.backup is None or self.sim.random.random() < 0.5:
            self.backup = len(self.disk.commits)
        self.sim.after(self.sim.random.uniform(0.0, self.sim.plan.calm / 3), self._lose)

    def _lose(self) -> None:
        """Put the copy back, once somebody honest holds all that it lacks."""
        last = self.lockstep.feeds.last(self.me) if self.awake else None
        if self.sim.now >= self.sim.plan.calm:
            return
        if last is None or not (self.sim.rough and self._due(last.kind) and self._held(last.id)):
            self.sim.after(0.2, self._lose)
            return
        self.alive = False
        self.sim.unlink_all(self)
        self.disk.lose_power()
        self.disk.put_back(self.backup or 0)
        self.signed &= self._kept()
        self.sent &= self.signed
        self.sim.after(self.sim.random.uniform(0.5, AWAY), partial(self.sim.return_among_all, self))

    def _due(self, kind: str) -> bool:
        return kind in ("pact", "sign", "refuse") or self.sim.random.random() < 0.02

    def _held(self, last: bytes) -> bool:
        """True if somebody honest who is there holds this entry."""
        there = (peer for peer in self.sim.peers if peer is not self and peer.honest and peer.awake)
        return any(peer.lockstep.feeds.get(last) is not None for peer in there)


class Withholder(Hostile):
    """Shows who has put a copy back some of its own entries, gives it those of others late, talks much meanwhile, and
    says that it holds no more of its feed than that one has."""

    ends: dict[int, Feed]

    def boot(self) -> None:
        self.ends, self.said = {}, 0
        self.draw(self.sim.random)
        super().boot()

    def draw(self, random: Random) -> None:
        """Draw its ways."""
        self.votes = random.random() < 0.7
        self.denies = random.random() < 0.8
        self.chatty = random.random() < 0.5
        self.late = random.choice((0.0, 3.0, PROMISE - 0.6, PROMISE - 0.6, 10 * PROMISE))
        self.shows = random.choice(("all", "nearly", "nearly", "first", "some", "last", "none"))
        self.most = random.choice((1, 5, HELD, HELD + 1, HELD + 9))

    def manners(self) -> None:
        if self.votes:
            SimPeer.manners(self)
        talks = self.chatty and self.lockstep.position.height > SMALL_TALK
        for _ in range(4 if talks and self.said < MANY else 0):
            self.said += self.lockstep.chat("I say") is None

    def receive(self, other: int, message: TableMessage) -> None:
        super().receive(other, message)
        peer = self.sim.peers[other]
        if isinstance(message, Have) and isinstance(peer, PutBack):
            mine = [feed for feed in message.feeds if feed.author == peer.me]
            self.ends.pop(other, None)
            if mine:
                self.ends[other] = mine[0]
            if self.shows == "nearly":
                self._fill(peer, mine[0].seq if mine else -1)

    def _fill(self, peer: PutBack, end: int) -> None:
        """Show nearly all that a peer has lost, in the order in which what it holds of its end is displaced."""
        lost = self.lockstep.feeds.feed(peer.me)[end + 1 :]
        if len(lost) > HELD + 4:
            shown = (*lost[2 : HELD + 2], *lost[:2], *lost[HELD + 2 : -2])
            super().send(peer.number, Push(tuple(Sent(entry.raw) for entry in shown)))

    def send(self, other: int, message: TableMessage) -> None:
        peer = self.sim.peers[other]
        if not isinstance(peer, PutBack):
            super().send(other, message)
        elif isinstance(message, Push):
            self._give(peer, message)
        elif isinstance(message, Have) and self.denies:
            said = tuple(self.ends.get(other, feed) if feed.author == peer.me else feed for feed in message.feeds)
            super().send(other, replace(message, feeds=said))
        else:
            super().send(other, message)

    def _give(self, peer: PutBack, message: Push) -> None:
        """Show some entries of a peer itself at once, and give all others late."""
        theirs = [sent for sent in message.entries if read_once(sent.raw).author == peer.me]
        others = tuple(sent for sent in message.entries if read_once(sent.raw).author != peer.me)
        shown = tuple(self._shown(peer, theirs))
        if shown:
            super().send(peer.number, Push(shown))
        if others:
            self.sim.after(self.late, partial(self._give_others, peer, others))

    def _give_others(self, peer: PutBack, others: tuple[Sent, ...]) -> None:
        """Give entries of others, so that what is missing of the feed of a peer itself is requested here."""
        last = self.lockstep.feeds.last(peer.me) if self.shows == "nearly" else None
        super().send(peer.number, Push(others if last is None else (Sent(last.raw), *others)))

    def _shown(self, peer: PutBack, theirs: list[Sent]) -> list[Sent]:
        match self.shows:
            case "all":
                return theirs
            case "first":
                end = self.ends[peer.number].seq if peer.number in self.ends else -1
                return [sent for sent in theirs if read_once(sent.raw).seq <= end + self.most]
            case "some":
                return [sent for sent in theirs if self.sim.random.random() < 0.5]
            case "last":
                return theirs[-1:]
            case _:
                return []


class Filler(Withholder):
    """Shows nearly all of its own entries, so that there is no room for the last, and gives nothing else."""

    late = 100 * PROMISE

    def draw(self, random: Random) -> None:
        self.votes = self.denies = self.chatty = True
        self.shows, self.most = "nearly", HELD


class Finisher(Filler):
    """The same, and it gives the rest once one may take it for all."""

    late = PROMISE - 1.2


class Talkative(PutBack):
    """Talks much, and then puts the first copy of its home back."""

    def back_up(self) -> None:
        if self.backup is None:
            self.backup = FIRST
            self.sim.after(self.sim.random.uniform(50.0, 80.0), self._lose)

    def _due(self, kind: str) -> bool:
        return self.words == 0


class TrustingPutBack(PutBack, Trusting):
    """One who lets every friend move and every seat pass on."""


class GivingPutBack(PutBack, Giver):
    """One who asks now and then that a seat passes on."""


class MovingPutBack(PutBack, Mover):
    """One that goes on with another key, and may put back a copy from before the others let it."""


class LeavingPutBack(PutBack, Leaver):
    """One that leaves, and may put back a copy from before that."""


AMONG: Final = {
    "votes": ("PutBack", "PutBack", "Talking"),
    "seats": ("TrustingPutBack", "GivingPutBack", "Giver"),
    "moves": ("TrustingPutBack", "MovingPutBack", "Mover"),
    "leaves": ("PutBack", "LeavingPutBack", "Leaver"),
}
"""What happens at a table → its members that put copies back, and another one. All others are trusting where seats or
keys are voted on."""


def put_back_plan(seed: int, others: Sequence[str]) -> FaultPlan:
    """Return the plan of a number: three to six members, of whom one or two put a copy of their home back beside one
    or two that keep from them what they have lost. others: strategies of another hostile one of five or six. One of
    five or six may move or leave, beside one hostile one: with more of either the rest may be fewer than t."""
    random = Random(f"put back {seed}")
    members = random.choice((3, 4, 5, 5, 6))
    withholder, first, second, *rest = random.sample(range(members), members)
    what = random.choice(sorted(AMONG) if members > 4 else ("seats", "votes"))
    fewer = what in ("leaves", "moves")
    usual = "Trusting" if what in ("seats", "moves") else ""
    restored, twice, busy = AMONG[what]
    hostile = dict.fromkeys(rest, usual) | {withholder: "Withholder", first: restored}
    hostile[second] = random.choice((twice, usual))
    if rest and not (fewer and hostile[second] == twice):
        hostile[rest[0]] = random.choice((busy, usual))
    if members > 4 and not fewer and random.random() < 0.5:
        hostile[rest[-1]] = random.choice(("Withholder", random.choice(others)))
    return replace(
        unsteady_plan(random, members),
        rounds=random.choice((2, 4, 12)),
        calm=random.choice((60.0, 150.0)),
        draws=random.choice(("open", "sealed")),
        sleeps=random.choice((0, 1)) if what == "votes" else 0,
        takebacks=random.choice((0, 1, 2)) if what == "votes" else 0,
        hostile=hostile,
    )


def filled_plan() -> FaultPlan:
    """Return a plan: one of five who talk puts a copy of its home back from before that, beside two who
    leave it no room for its last entries."""
    hostile = {0: "Filler", 1: "Finisher", 2: "Talkative", 3: "Talking", 4: "Talking"}
    return FaultPlan(seats(5), rounds=8, delay=0.1, calm=200.0, patience="10m", hostile=hostile)


PUT_BACK: Final[dict[str, type[SimPeer]]] = {
    **MOVERS,
    **LEAVERS,
    **{kind.__name__: kind for kind in (Talking, PutBack, Talkative, Withholder, Filler, Finisher)},
    **{kind.__name__: kind for kind in (TrustingPutBack, GivingPutBack, MovingPutBack, LeavingPutBack)},
}
