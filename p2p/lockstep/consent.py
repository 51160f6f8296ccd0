"""What a member without a person says to pacts: the agreed rule for bots, with a clock that the caller brings.

Somebody who keeps the table waiting and who has been out of reach for OUT_OF_REACH seconds may be left out: `clock`,
then `absent` with all who are gone like that; the others sign the same as soon as they miss them too. So may somebody
in reach who owes an answer for longer than the table's agreed time, or for SILENT seconds what a program says by
itself; and who was seen ahead of this position for that long, and does not show what led it there. Whom a vote binds
as it binds this member owes nothing else before that is decided. Nobody says a word to it while somebody else whose
word it takes is out of reach: that one returns, or is left out as well; a word once given binds, and would wait for the
one who is missing even if all others come back. Nobody is out of reach only because this peer slept: after a pause of
its clock all times begin anew.

So may somebody who is proven to cheat, link or not, who is not let in again. Without who signed two histories the table
goes on from where ours parted, if they did. Who was left out asks to come back, and is let in: whom the table waits for
proposes it before it answers, else the table would always be further on than the proposal. Who does not come back is
given up (`gone`), which costs it its cards, when the table has waited for its share of them: for GIVEN_UP seconds, or
for the agreed time where that is shorter, but SOONEST at least. A take-back without private cards, the end of the game,
and going on without a proven cheat are agreed to; a seat is not given away. What was refused is proposed again, each
time later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Final, Protocol

from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import RefusalLike
from p2p.lockstep.pacts import threshold
from p2p.lockstep.voting import Vote
from p2p.wire.codec import Value

OUT_OF_REACH: Final = 10.0
"""Seconds out of reach until a member without a person stops waiting for somebody."""
SILENT: Final = 120.0
"""Seconds until it stops waiting for what the program of somebody in reach says by itself, slow machines included."""
GIVEN_UP: Final = 300.0
"""Seconds of waiting for a share of the cards until it gives somebody up who was left out, or the table's agreed time
where that is shorter."""
SOONEST: Final = 60.0
"""Seconds for which it waits for a share of the cards at least, whatever was agreed."""
AGAIN: Final = 60.0
"""Seconds until it first proposes again what was refused; twice as long each further time."""
NAP: Final = 5.0
"""Seconds between two ticks after which this peer has slept."""
DECIDED: Final = ("answer", "seal", "")
"""What a player thinks about: these kinds of entries, and a word on a pact."""


class Reachable(Protocol):
    """Who can be reached now."""

    def linked(self, key: bytes) -> bool:
        """True if there is a link to this member."""

    def reached(self, key: bytes) -> bool:
        """True if there is a link to this member, or others vouch for it."""


def unreached(reach: Reachable, me: bytes | None, keys: Iterable[bytes]) -> list[bytes]:
    """Those of these members, but `me`, that are out of reach: their word cannot be had now."""
    return [key for key in keys if key != me and not reach.reached(key)]


class Consent:
    """Votes and proposes for `voice` at each `tick`. log: told what could not be proposed."""

    def __init__(self, voice: Lockstep, reach: Reachable, log: Callable[..., None]) -> None:
        self._voice, self._reach, self._log = voice, reach, log
        self._now = 0.0
        self._reached: dict[bytes, float] = {}
        self._owing: dict[tuple[bytes, bytes, str], float] = {}
        self._later: dict[Hashable, tuple[float, float]] = {}
        self._asked: set[Hashable] = set()
        self._returned = -1

    def tick(self, now: float) -> None:
        """Once a second. now: monotonic seconds."""
        slept = now - self._now > NAP
        self._now = now
        if self._voice.mute is not None or self._voice.position.over:
            return
        self._look_round(slept)
        for vote in self._voice.votes():
            self._vote(vote)
        self._expose()
        self._miss()
        self._give_up()
        self._come_back()

    def let_in(self) -> None:
        """Propose to let in those who ask, once a position: to be called before each answer."""
        voice = self._voice
        for terms in voice.voting.asking():
            author = terms[0] if isinstance(terms, list) else None
            wanted = (voice.position.head, "back", author)
            if author in voice.faults or wanted in self._asked or self._unreached(voice.position.members):
                continue
            self._asked.add(wanted)
            self._propose("back", terms=terms)

    # Who is there ----------------------------------------------------------------------------------------------------

    def _look_round(self, slept: bool) -> None:
        """Note who is in reach, and since when who keeps this position waiting."""
        voice, now = self._voice, self._now
        if slept:
            self._reached, self._owing = {}, {}
        for key in voice.position.roster:
            if key not in self._reached or self._reach.reached(key):
                self._reached[key] = now
        head, owed, bound = voice.position.head, voice.debts(), voice.voting.bound_alike()
        owing = {key for key in voice.owing() if key not in bound} | voice.voting.awaited()
        waited = {(head, key, owed.get(key, "")) for key in owing}
        waited |= {(head, key, "ahead") for key in voice.voting.ahead()}
        self._owing = {each: self._owing.get(each, now) for each in waited}

    def _waited(self, key: bytes) -> dict[str, float]:
        """For how many seconds this position has waited for what of a member, by the kind of entry; "" for a word on
        a pact, "ahead" for what led it further than this."""
        return {kind: self._now - since for (_, author, kind), since in self._owing.items() if author == key}

    def _gone(self, key: bytes) -> bool:
        """True if nothing is to be expected of this one: out of reach, silent for too long, or proven to cheat, so
        that what it says does not count."""
        if key in self._voice.faults or self._now - self._reached.get(key, self._now) > OUT_OF_REACH:
            return True
        patience = self._voice.genesis.patience
        return any(waited > (patience if kind in DECIDED else SILENT) for kind, waited in self._waited(key).items())

    def _lost(self, key: bytes) -> bool:
        """True if to give up one who was left out."""
        limit = max(min(GIVEN_UP, self._voice.genesis.patience), SOONEST)
        return key in self._voice.faults or any(waited > limit for waited in self._waited(key).values())

    def _others(self) -> list[bytes]:
        position = self._voice.position
        return [key for key in position.members if key != self._voice.me and key not in position.cut]

    def _unreached(self, keys: Iterable[bytes]) -> list[bytes]:
        return unreached(self._reach, self._voice.me, keys)

    # Votes -----------------------------------------------------------------------------------------------------------

    def _vote(self, vote: Vote) -> None:
        pact, voice = vote.pact, self._voice
        if voice.me not in vote.missing:
            return
        match pact.kind, pact.terms:
            case ("seat", _) | ("takeback", [_, True]):
                voice.refuse(pact.id, "pact/nobody-to-ask")
            case "back", [bytes() as key, _] if key in voice.faults:
                voice.refuse(pact.id, "pact/convicted")
            case "gone", _ if not all(map(self._lost, pact.named)):
                if any(self._reach.linked(key) for key in pact.named - voice.faults.keys()):
                    voice.refuse(pact.id, "pact/present")
            case "absent", _ if not all(self._gone(end.author) for end in pact.out):
                return
            case (("absent" | "gone"), _) if self._unreached(vote.missing):
                return
            case _ if vote.advice is None:
                voice.sign(pact.id)

    # Proposals -------------------------------------------------------------------------------------------------------

    def _miss(self) -> None:
        """Propose to go on without those who are gone, if one of them is waited for."""
        voice, position = self._voice, self._voice.position
        gone = sorted(key for key in self._others() if self._gone(key))
        words = [key for key in self._others() if key not in gone]
        if not {*voice.owing(), *voice.voting.awaited()}.intersection(gone) or self._unreached(words):
            return
        if 1 + len(words) < threshold(len(position.members)) or voice.voting.ahead(gone):
            return
        ends = (position.head, *(len(voice.feeds.feed(key)) for key in gone), *gone)
        if not self._due(ends):
            return
        for key in gone:
            if (position.head, key) not in self._asked:
                self._asked.add((position.head, key))
                voice.clock(key)
        if self._propose("absent", gone) is None:
            self._put_off(ends)

    def _expose(self) -> None:
        """Propose to go on without somebody who signed two histories, from where ours parted, and without those who
        are gone."""
        voice, position = self._voice, self._voice.position
        cheats = [key for key in voice.feeds.forks if key in self._others() and voice.voting.parted(key)]
        gone = {key for key in self._others() if self._gone(key)}
        words = [key for key in self._others() if key not in gone]
        known = (*(vote.pact for vote in voice.votes()), *voice.voting.locks())
        if not cheats or self._unreached(words) or 1 + len(words) < threshold(len(position.members)):
            return
        place = (position.head, "without", cheats[0], *sorted(gone))
        if any(pact.kind == "without" and pact.named >= gone for pact in known) or not self._due(place):
            return
        if self._noted(voice.part(cheats[0], gone)) is None:
            self._put_off(place)

    def _give_up(self) -> None:
        """Propose that who was left out is gone for good, once its share of the cards has been waited for."""
        voice, position = self._voice, self._voice.position
        lost = sorted(key for key in voice.owing() if key not in position.members and self._lost(key))
        unsure = self._unreached(key for key in position.members if not self._gone(key))
        place = (position.head, "gone", *lost)
        if lost and not unsure and self._due(place) and self._propose("gone", lost) is None:
            self._put_off(place)

    def _come_back(self) -> None:
        """I was left out and am here again: ask to be let in, once a height, until somebody says no."""
        voice, position = self._voice, self._voice.position
        wanted = voice.me in position.cut and not voice.voting.declined()
        if wanted and position.height != self._returned and any(map(self._reach.linked, position.members)):
            self._returned = position.height
            self._propose("back")

    def _propose(self, kind: str, out: Collection[bytes] = (), terms: Value = None) -> RefusalLike | None:
        return self._noted(self._voice.propose(kind, sorted(out), terms))

    def _noted(self, refusal: RefusalLike | None) -> RefusalLike | None:
        if refusal is not None:
            self._log("pact/not-proposed", code=refusal.code)
        return refusal

    def _due(self, what: Hashable) -> bool:
        """True if to propose this now: it is still open, or was refused and has rested for long enough."""
        return self._now >= self._later.get(what, (0.0, 0.0))[0]

    def _put_off(self, what: Hashable) -> None:
        rest = 2 * self._later[what][1] if what in self._later else AGAIN
        self._later[what] = (self._now + rest, rest)
