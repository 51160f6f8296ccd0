# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of sealed cards: shuffles, readings, and decks dealt anew. They wait for every member that holds a key,
including members that are left out for a while. When the members change, the height ends and opens again for the new
members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from p2p.lockstep.machine import HandleRef
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.task import Job, Made, Place, Task
from p2p.wire.entry import Entry
from seeds.anew import DealingAnew, read_blinded, read_hand
from seeds.deckkeys import check_shares, make_shares, read_shares
from seeds.errors import Fault
from seeds.opendeck import Card
from seeds.sealedcards import read_remask
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import read_shuffled
from seeds.turns import CheckedShuffle, ShuffleTask

FEW: Final = 2
"""Number of cards whose shares are made and checked at once. More take milliseconds and become a job."""


class Shuffling(Task):
    """A shuffle: every member in turn shuffles the cards that get new handles. Shuffles and their checks are jobs."""

    kinds = ("shuffle",)
    changing = True

    def __init__(
        self, decks: SealedDecks, deck: str, members: Sequence[Card | HandleRef], handles: Sequence[HandleRef]
    ):
        self._decks, self._before = decks, decks.layout()
        if members:
            decks.begin_shuffle(deck, members, handles)

    def owed(self) -> list[tuple[str, bytes]]:
        task = self._decks.task
        return [] if task is None else [("shuffle", task.member)]

    def place(self, kind: str, author: bytes) -> Place:
        return turn(self._decks.task, author)

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        task = self._decks.task
        assert task is not None
        return take_shuffle(task, self._decks.take, entry, proven)

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        assert self._decks.task is not None
        return make_shuffle(self._decks.task, member_secrets)

    def abandon(self) -> None:
        """Lay nothing, also where all have shuffled before a vote ends the height."""
        self._decks.go_back(self._before)


class Sharing(Task):
    """A Deal or Show to one member, or a Reveal to all (reader None). The reader, or who could read a card before it,
    masks it anew, then all others publish their shares. Cards that only departed members could open stay unknown."""

    kinds = ("remask", "share")
    changing = True

    def __init__(self, decks: SealedDecks, handles: Sequence[HandleRef], reader: bytes | None, *, gone: bool) -> None:
        """gone: True if the reader is no longer a member. Then nobody reads the cards."""
        self._decks = decks
        self._handles = [] if gone else [handle for handle in handles if decks.holds(handle)]
        decks.begin_reading(self._handles, None if gone else reader)

    def owed(self) -> list[tuple[str, bytes]]:
        kind = "remask" if self._decks.masking else "share"
        return [(kind, member) for member in self._decks.owing]

    def place(self, kind: str, author: bytes) -> Place:
        if author not in self._decks.keys.members:
            return "never"
        if kind == "remask":
            return "open" if self._decks.owing_remask(author) else "never"
        if self._decks.owing_share(author):
            return "open"
        return "later" if self._decks.masking else "never"

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        decks, author = self._decks, entry.author
        if entry.kind == "remask":
            masks = read_remask(entry.body, len(decks.owing_remask(author)))
            return Fault("deck/form", author) if masks is None else decks.remask(author, masks)
        firsts = decks.firsts(author)
        shares = read_shares(entry.body, len(firsts))
        if shares is None:
            return Fault("deck/form", author)
        if proven is None and len(firsts) > FEW:
            return Job(entry.id, lambda: check_shares(decks.keys, author, firsts, shares), hoped=True)
        return (
            Fault("deck/share-proof", author) if proven is False else decks.share(author, shares, judged=bool(proven))
        )

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        decks, me, fresh = self._decks, member_secrets.me, member_secrets.fresh()
        if kind == "remask":
            return Made(kind, decks.make_remask(me, fresh).plain())
        x, firsts = member_secrets.deck_secret(decks.keys.generation), decks.firsts(me)
        if len(firsts) > FEW:
            return Job(None, lambda: Made(kind, make_shares(decks.keys, me, x, firsts, fresh).plain(), proven=True))
        return Made(kind, decks.make_share(me, x, fresh).plain())

    def finish(self) -> dict[HandleRef, Card]:
        """Return the cards of a Reveal by their handles, without those that stay unknown."""
        cards = self._decks.finish()
        return {} if cards is None else dict(zip(self._handles, cards, strict=True))

    def abandon(self) -> None:
        self._decks.abandon()


class Redealing(Task):
    """One deck dealt anew because a member is gone for good: shuffles, hands under the new keys, blinding, shares of
    tags and hands."""

    kinds = ("shuffle", "remask", "tag", "share")
    changing = True

    def __init__(self, anew: DealingAnew) -> None:
        self.anew = anew

    def owed(self) -> list[tuple[str, bytes]]:
        return [(self._stage(), member) for member in self.anew.owing]

    def _stage(self) -> str:
        anew = self.anew
        if anew.task is not None:
            return "shuffle"
        if any(map(anew.owing_hand, anew.keys.members)):
            return "remask"
        return "tag" if anew.blinding else "share"

    def place(self, kind: str, author: bytes) -> Place:
        anew, stage = self.anew, self._stage()
        if author not in anew.keys.members:
            return "never"
        if kind == stage == "shuffle":
            return turn(anew.task, author)
        if kind == stage and author in anew.owing:
            return "open"
        later = self.kinds.index(kind) > self.kinds.index(stage) or kind == stage == "tag"
        return "later" if later else "never"

    def take(self, entry: Entry, proven: object) -> Fault | Job | None:
        anew, author = self.anew, entry.author
        match entry.kind:
            case "shuffle":
                assert anew.task is not None
                return take_shuffle(anew.task, anew.take, entry, proven)
            case "remask":
                hand = read_hand(entry.body, len(anew.owing_hand(author)))
                return Fault("anew/form", author) if hand is None else anew.hand(author, hand)
            case "tag":
                return self._blinded(entry, proven)
        return self._shared(entry, proven)

    def _blinded(self, entry: Entry, proven: object) -> Fault | Job | None:
        anew, author = self.anew, entry.author
        blinded = read_blinded(entry.body, len(anew.unblinded()))
        if blinded is None:
            return Fault("anew/form", author)
        judged = partial(anew.judge_blind, author, blinded)
        return _judged(entry, proven, judged, partial(anew.blind, author, blinded, judged=True))

    def _shared(self, entry: Entry, proven: object) -> Fault | Job | None:
        anew, author = self.anew, entry.author
        shares = read_shares(entry.body, len(anew.firsts(author)))
        if shares is None:
            return Fault("anew/form", author)
        judged = partial(anew.judge_share, author, shares)
        return _judged(entry, proven, judged, partial(anew.share, author, shares, judged=True))

    def make(self, kind: str, member_secrets: MemberSecrets) -> Made | Job | None:
        anew, me, fresh = self.anew, member_secrets.me, member_secrets.fresh()
        match kind:
            case "shuffle":
                assert anew.task is not None
                return make_shuffle(anew.task, member_secrets)
            case "remask":
                old = member_secrets.deck_secret(anew.old.keys.generation)
                if not member_secrets.holds(anew.old.keys, me):
                    return None  # a hand that another secret seals would convict its author
                return Job(None, lambda: Made(kind, anew.make_hand(me, old, fresh).plain()))
            case "tag":
                return Job(None, lambda: Made(kind, anew.make_blinded(me, fresh).plain(), proven=True))
        x = member_secrets.deck_secret(anew.keys.generation)
        return Job(None, lambda: Made(kind, anew.make_share(me, x, fresh).plain(), proven=True))


def _judged(
    entry: Entry, proven: object, judge: Callable[[], Fault | None], take: Callable[[], Fault | None]
) -> Fault | Job | None:
    """Take a long message if it has been judged, else return the job that judges it."""
    if proven is None:
        return Job(entry.id, lambda: judge() or True, hoped=True)
    return proven if isinstance(proven, Fault) else take()


# Turns at a shuffle --------------------------------------------------------------------------------------------------


def turn(task: ShuffleTask | None, author: bytes) -> Place:
    """Return the place of a member's shuffle."""
    if task is None or author not in task.keys.members:
        return "never"
    number = task.keys.members.index(author)
    return "open" if number == task.turn else "later" if number > task.turn else "never"


def take_shuffle(
    task: ShuffleTask, taken: Callable[[CheckedShuffle], None], entry: Entry, proven: object
) -> Fault | Job | None:
    """Take the checked shuffle of the member whose turn it is, or return the job that checks it."""
    if isinstance(proven, CheckedShuffle):
        taken(proven)
        return None
    if isinstance(proven, Fault):
        return proven
    shuffled = read_shuffled(entry.body, len(task.cards))
    if shuffled is None:
        return Fault("deck/form", entry.author)
    hoped = CheckedShuffle(task, shuffled.cards)
    return Job(entry.id, lambda: task.check(entry.author, shuffled), task.statement(shuffled), hoped)


def make_shuffle(task: ShuffleTask, member_secrets: MemberSecrets) -> Job:
    """Return the job that makes this member's own shuffle."""
    fresh = member_secrets.fresh()

    def run() -> Made:
        shuffled = task.make(fresh)
        return Made("shuffle", shuffled.plain(), CheckedShuffle(task, shuffled.cards))

    return Job(None, run)
