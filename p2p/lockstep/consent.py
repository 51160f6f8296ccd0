# SPDX-License-Identifier: GPL-3.0-or-later
"""How a member without a person votes on pacts: the agreed rule for bots. The caller supplies the clock.

A bot proposes to leave out a member that keeps the table waiting and
    - has been out of reach for OUT_OF_REACH seconds: it signs `clock`, then `absent` with all who are out of reach for
      as long; the others sign the same as soon as they miss them too;
    - or is in reach, and has owed an answer for longer than the table's agreed time, or an automatic entry for SILENT
      seconds;
    - or was seen ahead of this position for that long, and does not send the entries that led it there;
    - or is proven to cheat, with a link or without; it is not let back.
A member that is bound by the same vote owes nothing else until the vote is decided. Nobody signs while another member
whose signature is needed is out of reach: that member returns, or is left out too. A signature binds, and would wait
for the missing member even if all others came back. After a pause of this peer's own clock all times begin anew, so
that nobody is out of reach only because this computer slept.

Without a member that signed two histories, the table goes on from the height where the histories of the others part, if
they do. A member that was left out asks to come back and is let in. The member that the table waits for proposes it
before it answers, because otherwise the table would always be ahead of the proposal. A member that does not come back
is given up (`gone`), which costs it its cards, when the table has waited for its share of them for GIVEN_UP seconds, or
for the agreed time where that is shorter, but for at least SOONEST. Bots agree to a take-back or a rewind without
private cards, to the end of the game, to go on without a proven cheat, and at once to go on without a member whose
program computes another state than theirs; they do not give a seat away. What was refused is proposed again, each time
later.
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
"""Seconds for which a member may be out of reach before a bot stops waiting for it."""
SILENT: Final = 120.0
"""Seconds before a bot stops waiting for an automatic entry of a member in reach, slow machines included."""
GIVEN_UP: Final = 300.0
"""Seconds that a bot waits for a share of the cards before it gives up a member that was left out; the table's agreed
time where that is shorter."""
SOONEST: Final = 60.0
"""The least number of seconds that a bot waits for a share of the cards, whatever was agreed."""
AGAIN: Final = 60.0
"""Seconds before a bot repeats a refused proposal; doubled each further time."""
NAP: Final = 5.0
"""A pause between two ticks of more seconds than this means that the computer slept."""
DECIDED: Final = ("answer", "seal", "")
"""Kinds of entries that need a player's decision; "" stands for a signature or refusal of a pact."""


class Reachable(Protocol):
    """Tells which members can be reached now."""

    def linked(self, key: bytes) -> bool:
        """True if there is a link to this member."""

    def reached(self, key: bytes) -> bool:
        """True if there is a link to this member, or other members report one."""


def unreached(reach: Reachable, me: bytes | None, keys: Iterable[bytes]) -> list[bytes]:
    """Return the given members that are out of reach now, without `me`."""
    return [key for key in keys if key != me and not reach.reached(key)]


class Consent:
    """Votes and proposes for the member `voice` at each `tick`. log: called with each refused proposal."""

    def __init__(self, voice: Lockstep, reach: Reachable, log: Callable[..., None]) -> None:
        self._voice, self._reach, self._log = voice, reach, log
        self._now = 0.0
        self._reached: dict[bytes, float] = {}
        self._owing: dict[tuple[bytes, bytes, str], float] = {}
        self._later: dict[Hashable, tuple[float, float]] = {}
        self._asked: set[Hashable] = set()
        self._returned = -1

    def tick(self, now: float) -> None:
        """Vote and propose what is due. Call this once a second. now: monotonic seconds."""
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
        """Propose to let back the members that ask, once for each position. Call this before each answer."""
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
        """Note which members are in reach, and since when each of them has kept this position waiting."""
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
        """Return the seconds that this position has waited for a member, by kind of entry; "" for a vote on a pact,
        "ahead" for the entries that led the member beyond this position."""
        return {kind: self._now - since for (_, author, kind), since in self._owing.items() if author == key}

    def _gone(self, key: bytes) -> bool:
        """True if the member is out of reach, has been silent for too long, or is proven to cheat."""
        if key in self._voice.faults or self._now - self._reached.get(key, self._now) > OUT_OF_REACH:
            return True
        patience = self._voice.genesis.patience
        return any(waited > (patience if kind in DECIDED else SILENT) for kind, waited in self._waited(key).items())

    def _lost(self, key: bytes) -> bool:
        """True if a member that was left out should be given up."""
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
        apart = {entry.author for entry in voice.reading.differing()}  # no waiting makes their programs agree
        match pact.kind, pact.terms:
            case ("seat", _) | ("takeback", [_, True]):
                voice.refuse(pact.id, "pact/nobody-to-ask")
            case "rewind", _ if voice.position.secrets_since(pact.at):
                voice.refuse(pact.id, "pact/nobody-to-ask")
            case "back", [bytes() as key, _] if key in voice.faults:
                voice.refuse(pact.id, "pact/convicted")
            case "gone", _ if not all(map(self._lost, pact.named)):
                if any(self._reach.linked(key) for key in pact.named - voice.faults.keys()):
                    voice.refuse(pact.id, "pact/present")
            case (("absent" | "rewind"), _) if not all(map(self._gone, pact.named - voice.position.cut.keys() - apart)):
                return
            case (("absent" | "gone" | "rewind"), _) if self._unreached(vote.missing):
                return
            case _ if vote.advice is None:
                voice.sign(pact.id)

    # Proposals -------------------------------------------------------------------------------------------------------

    def _miss(self) -> None:
        """Propose to go on without the absent members, if the table waits for one of them."""
        voice, position = self._voice, self._voice.position
        gone = sorted(key for key in self._others() if self._gone(key))
        words = [key for key in self._others() if key not in gone]
        if not {*voice.owing(), *voice.voting.awaited()}.intersection(gone) or self._unreached(words):
            return
        rewinding = any(lock.kind == "rewind" for lock in voice.voting.locks())
        if 1 + len(words) < threshold(len(position.members)) or (voice.voting.ahead(gone) and not rewinding):
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
        """Propose to go on without a member that signed two histories, from the height where they part, and without the
        absent members."""
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
        """Propose to give up a member that was left out, after waiting for its share of the cards."""
        voice, position = self._voice, self._voice.position
        lost = sorted(key for key in voice.owing() if key not in position.members and self._lost(key))
        unsure = self._unreached(key for key in position.members if not self._gone(key))
        place = (position.head, "gone", *lost)
        if lost and not unsure and self._due(place) and self._propose("gone", lost) is None:
            self._put_off(place)

    def _come_back(self) -> None:
        """Ask to be let back after having been left out, once for each height, until a member refuses."""
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
        """True if this should be proposed now: it is still open, or it was refused long enough ago."""
        return self._now >= self._later.get(what, (0.0, 0.0))[0]

    def _put_off(self, what: Hashable) -> None:
        rest = 2 * self._later[what][1] if what in self._later else AGAIN
        self._later[what] = (self._now + rest, rest)
