# SPDX-License-Identifier: GPL-3.0-or-later
"""How a member without a person votes on pacts: the agreed rule for bots. The caller supplies the clock.

A bot proposes to leave out a member that keeps the table waiting and
    - has been out of reach for the time of `grace`, half as long with each time that it has come back: it signs
      `clock`, then `absent` with all who are out of reach for as long; the others sign the same as soon as they miss
      them too;
    - or is in reach, and has owed an answer for longer than the table's agreed time, or an automatic entry for SILENT
      seconds;
    - or has said neither yes nor no to a pact that binds others, for twice as long as that; a bot refuses after SILENT
      seconds what it does not agree to;
    - or was seen ahead of this position for that long, and does not send the entries that led it there;
    - or has refused three times at one position to go on without others, because other votes bind it or as the only one
      that was asked, or to give up one for whose cards the table waits, or as the only one to go on without a forger
      from where histories part;
    - or is proven to cheat, with a link or without; it is not let back;
    - or has left: at once.
A member that is bound by the same vote, or whose entry is here and not read because of a vote, owes nothing else until
that is decided. Nobody signs while another member
whose signature is needed is out of reach: that member returns, or is left out too. A signature binds, and would wait
for the missing member even if all others came back. After a pause of this peer's own clock all times begin anew, so
that nobody is out of reach only because this computer slept.

Without a member that signed two histories, the table goes on from the height where the histories of the others part, if
they do. A member that was left out asks to come back and is let in; the second time it has to have been out, and in
reach, for OUT_OF_REACH seconds, and twice as long each further time, so that one that comes and goes does not keep the
others from playing. The time to think stays the same. Who holds the other branch of a proven fork is missed later
for what it cannot send there. The member that the table waits for proposes it before it answers, because otherwise the
table would always be ahead of the proposal. A member that does not come back is given up (`gone`), which costs it its
cards, when the table has waited for its share of them for GIVEN_UP seconds, or for the agreed time where that is
shorter, but for at least SOONEST. Bots agree to a take-back that undoes no roll and no private card, to a repair,
which undoes neither, to the end of the game, to go on without a proven cheat, and at once to go on without a member
whose program computes another state than theirs; they do not give a seat away. What was refused is proposed again, each
time later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Final, Protocol

from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import RefusalLike
from p2p.lockstep.pacts import Pact
from p2p.lockstep.said import rolled_since
from p2p.lockstep.voting import Vote
from p2p.wire.codec import Value

OUT_OF_REACH: Final = 10.0
"""Seconds for which a member of a test table may be out of reach before a bot stops waiting for it."""
GRACE: Final = 60.0
"""The same at a real table: somebody whose link is lost for less has lost nothing. A table's agreed time where that is
shorter. Nobody, neither a person nor a bot, proposes or agrees earlier to go on without the member."""
AT_LEAST: Final = 2.0
"""The least number of seconds for which a member may be out of reach, however often it has come back."""
STEADY: Final = 300.0
"""The greatest number of seconds for which a member has to be in reach before it is let back."""
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
"""Kinds of entries that need a player's decision; "" stands for a signature or refusal of a pact that binds oneself."""
WORD: Final = "word"
"""Stands for a signature or refusal of a pact that binds others, followed by its id."""
AHEAD: Final = "ahead"
"""Stands for the entries that led a member beyond this position."""


class Reachable(Protocol):
    """Tells which members can be reached now."""

    def linked(self, key: bytes) -> bool:
        """True if there is a link to this member."""

    def reached(self, key: bytes) -> bool:
        """True if there is a link to this member, or other members report one."""


def grace(genesis: Genesis, returns: int = 0) -> float:
    """Return the seconds for which a member may be out of reach before a bot stops waiting for it, counted anew each
    time that it is lost. returns: how often it has come back after being left out."""
    return max((OUT_OF_REACH if genesis.test else min(GRACE, genesis.patience)) * 0.5**returns, AT_LEAST)


def unreached(reach: Reachable, me: bytes | None, keys: Iterable[bytes]) -> list[bytes]:
    """Return the given members that are out of reach now, without `me`."""
    return [key for key in keys if key != me and not reach.reached(key)]


class Presence:
    """Tells when each member was last in reach, as far as `look` has seen. After a pause of this peer's own clock it
    knows nothing, since only this computer was away then."""

    def __init__(self, reach: Reachable) -> None:
        self._reach = reach
        self._now = 0.0
        self._last: dict[bytes, float] = {}
        self._since: dict[bytes, float] = {}

    def look(self, now: float, keys: Iterable[bytes]) -> bool:
        """Note which members are in reach. Return True after a pause. now: seconds, about one more at each call."""
        slept = now - self._now > NAP
        self._now = now
        if slept:
            self._last, self._since = {}, {}
        for key in keys:
            reached = self._reach.reached(key)
            if key not in self._last or reached:
                self._last[key] = now
            self._since[key] = self._since.get(key, now) if reached else now
        return slept

    def last(self, key: bytes) -> float | None:
        """Return when a member was last in reach, or else first looked for; None before the first look."""
        return self._last.get(key)

    def since(self, key: bytes) -> float | None:
        """Return since when a member has been in reach without a break, the last look for one that is not."""
        return self._since.get(key)


class Consent:
    """Votes and proposes for the member `voice` at each `tick`. log: called with each refused proposal."""

    def __init__(self, voice: Lockstep, reach: Reachable, log: Callable[..., None]) -> None:
        self._voice, self._reach, self._log = voice, reach, log
        self._now = 0.0
        self._presence = Presence(reach)
        self._left_out: dict[bytes, float] = {}
        self._owing: dict[tuple[bytes, bytes, str], float] = {}
        self._open: dict[bytes, float] = {}
        self._later: dict[Hashable, tuple[float, float]] = {}
        self._asked: set[Hashable] = set()

    def tick(self, now: float) -> None:
        """Vote and propose what is due. Call this once a second. now: monotonic seconds."""
        self._now = now
        if self._voice.mute is not None:
            return
        self._look_round()
        final = self._voice.reading.final
        votes = [vote for vote in self._voice.votes() if not final or vote.pact.kind == "free"]
        self._open = {vote.pact.id: self._open.get(vote.pact.id, now) for vote in votes}
        for vote in votes:
            if self._voice.position.held(vote.pact.at, vote.pact.head) is not None:  # after the votes before
                self._vote(vote)
        if final:  # who is bound at an earlier height reads on by a free, and no vote undoes this end
            return
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
            if isinstance(author, bytes) and self._unsteady(author):
                continue
            self._asked.add(wanted)
            self._propose("back", terms=terms)

    # Who is there ----------------------------------------------------------------------------------------------------

    def _look_round(self) -> None:
        """Note which members are in reach, and since when each of them has kept this position waiting."""
        voice, now = self._voice, self._now
        self._left_out = {key: self._left_out.get(key, now) for key in voice.position.cut}
        if self._presence.look(now, voice.position.roster):
            self._owing = {}
        head, owed = voice.position.head, voice.debts()
        bound = voice.voting.bound_alike() | voice.voting.spoken_here()
        owing = {key for key in voice.owing() if key not in bound} | voice.voting.awaited()
        waited = {(head, key, owed.get(key, "")) for key in owing}
        waited |= {(head, key, AHEAD) for key in voice.voting.ahead()}
        waited |= {(head, key, f"{WORD} {pact.hex()}") for key, pact in voice.voting.wordless()}
        self._owing = {each: self._owing.get(each, now) for each in waited}

    def _waited(self, key: bytes) -> dict[str, float]:
        """Return the seconds that this position has waited for a member, by kind of entry; "" for a vote on a pact,
        "ahead" for the entries that led the member beyond this position."""
        return {kind: self._now - since for (_, author, kind), since in self._owing.items() if author == key}

    def _gone(self, key: bytes) -> bool:
        """True if the member is out of reach, has been silent for too long, or is proven to cheat."""
        last, returns = self._presence.last(key), self._voice.position.membership.returns.get(key, 0)
        lost = last is not None and self._now - last > grace(self._voice.genesis, returns)
        voting = self._voice.voting
        if lost or key in self._voice.faults or key in voting.obstructing() or key in voting.holding_on():
            return True
        if key in voting.leavers() or key in voting.silent():
            return True
        patience = self._voice.genesis.patience
        longest = 2 * max(SILENT, patience)
        limits, others = {**dict.fromkeys(DECIDED, patience), WORD: longest}, SILENT
        if voting.on_another_branch(key):
            limits, others = {"": patience}, longest
        return any(time > limits.get(kind.partition(" ")[0], others) for kind, time in self._waited(key).items())

    def _hinders(self, key: bytes) -> bool:
        """True if a member is missed without whose word a vote that binds this member stays open, or that keeps back
        what it owes though no vote binds it and it has not passed this position, or what has led it beyond though no
        vote binds this member, or is out of reach, or proven to cheat. Where too few are left without all that are
        missed, some of those only miss one another: each is bound, and keeps from the others what it would say if it
        were free; or a vote that binds this member keeps unread what led the others on."""
        voting = self._voice.voting
        if not self._gone(key):
            return False
        if key in self._voice.faults or not self._reach.reached(key) or key in voting.awaited() | voting.silent():
            return True
        if not voting.bound and self._waited(key).get(AHEAD, 0.0) > SILENT:
            return True
        return key in self._voice.owing() and voting.free(key) and not (voting.bound and voting.beyond_here(key))

    def _apart(self, keys: Collection[bytes], besides: Collection[bytes] = ()) -> tuple[list[bytes], list[bytes]]:
        """Return those of these members that this one would go on without, and those whose word that takes: without all
        that are missed, and those `besides`; where too few are left, without those that hinder and have never signed
        what this member had signed; else without those that hinder."""
        stubborn, gone = self._voice.voting.obstructing(always=True), list[bytes]()
        for apart in (
            lambda key: key in besides or self._gone(key),
            self._gone,
            lambda key: key in stubborn or self._hinders(key),
            self._hinders,
        ):
            gone = sorted(filter(apart, keys))
            if self._enough(key for key in keys if key not in gone):
                break
        return gone, [key for key in keys if key not in gone]

    def _enough(self, words: Iterable[bytes]) -> bool:
        """True if these members and this one may go on without the others."""
        me = [] if self._voice.me is None or self._voice.me in self._voice.position.cut else [self._voice.me]
        return self._voice.voting.enough([*words, *me])

    def _unsteady(self, key: bytes) -> bool:
        """True if a member that was left out has not been out, and in reach, for long enough to be let back. This
        member itself is in reach since the first of the others has been."""
        returns = self._voice.position.membership.returns.get(key, 0)
        needed = min(OUT_OF_REACH * 2 ** (returns - 1), STEADY) if returns else 0.0
        seen = [key] if key != self._voice.me else self._voice.position.members
        since = min((self._presence.since(each) or 0.0 for each in seen), default=self._now)
        return self._now - max(since, self._left_out.get(key, since)) < needed

    def _lost(self, key: bytes) -> bool:
        """True if a member that was left out should be given up."""
        limit = max(min(GIVEN_UP, self._voice.genesis.patience), SOONEST)
        return key in self._voice.faults or any(waited > limit for waited in self._waited(key).values())

    def _others(self) -> list[bytes]:
        position = self._voice.position
        return [key for key in position.members if key != self._voice.me and key not in position.cut]

    def _spared(self) -> list[bytes]:
        """Return the other members that count at this height. Those whom a pact has left out here count again where too
        few would remain without them, or where the word of one of them is awaited."""
        position, others = self._voice.position, self._others()
        if self._voice.voting.awaited() & position.cut.keys():
            return [key for key in position.members if key != self._voice.me]
        if self._enough(key for key in others if not self._gone(key)):
            return [] if self._voice.me in position.cut else others
        return [key for key in position.members if key != self._voice.me]

    def _unreached(self, keys: Iterable[bytes]) -> list[bytes]:
        return unreached(self._reach, self._voice.me, keys)

    # Votes -----------------------------------------------------------------------------------------------------------

    def _vote(self, vote: Vote) -> None:
        pact, voice = vote.pact, self._voice
        if voice.me not in vote.missing:
            return
        apart = {entry.author for entry in voice.reading.differing()}  # no waiting makes their programs agree
        match pact.kind, pact.terms:
            case (("seat" | "moved"), _) | ("takeback", [_, True]):
                voice.refuse(pact.id, "pact/nobody-to-ask")
            case "takeback", [int() as to, _] if rolled_since(voice.position, to):
                voice.refuse(pact.id, "pact/nobody-to-ask")
            case "back", [bytes() as key, _] if key in voice.faults:
                voice.refuse(pact.id, "pact/convicted")
            case "back", [bytes() as key, _] if key != voice.me and self._unsteady(key):
                if len(vote.missing) < len(pact.signers(voice.position.members)):
                    voice.refuse(pact.id, "pact/unsteady")
            case "gone", _ if not all(map(self._lost, pact.named)):
                reason = self._spares(pact)
                if reason is not None:
                    voice.refuse(pact.id, reason)
            case "free", _ if vote.advice is None and self._left_behind(pact):
                voice.sign(pact.id)  # this member waits for nobody there
            case (("absent" | "repair" | "free"), _) if not all(
                map(self._gone, pact.named - voice.position.cut.keys() - apart)
            ):
                if vote.advice is None and self._now - self._open[pact.id] > SILENT:
                    voice.refuse(pact.id, "pact/present")
            case (("absent" | "gone" | "repair" | "free"), _) if self._unreached(vote.missing):
                return
            case _ if vote.advice is None:
                voice.sign(pact.id)

    def _spares(self, gone: Pact) -> str | None:
        """Return why this member does not give up those whom a pact names, None while it may still do that."""
        if any(self._reach.linked(key) for key in gone.named - self._voice.faults.keys()):
            return "pact/present"
        needed = all(map(self._waited, gone.named))
        return None if needed or self._now - self._open[gone.id] <= SILENT else "pact/owes-nothing"

    def _left_behind(self, free: Pact) -> bool:
        """True if a member is bound by what this pact frees from, at a height that this one has passed. A pact that
        binds nobody who is still there would only bind those who sign it."""
        voice, ballots = self._voice, self._voice.ballots
        listed = [ballots.pacts[each] for each in free.over]
        members = voice.position.past[free.at].members
        there = [m for m in members if m != voice.me and not ballots.passed(m, free.at, free.head)]
        bound = any(ballots.signed(pact, member) for pact in listed for member in there)
        return bound and free.at < voice.position.height

    # Proposals -------------------------------------------------------------------------------------------------------

    def _miss(self) -> None:
        """Propose to go on without the absent members, if the table waits for one of them. Where two histories of one
        have parted the others, half of them could not sign that (`_expose`)."""
        voice, position = self._voice, self._voice.position
        gone = sorted(key for key in self._spared() if self._gone(key))
        if not gone or any(key in voice.feeds.forks and voice.voting.parted(key, gone) for key in gone):
            return
        gone, words = self._apart(self._spared())
        waited = {*voice.owing(), *voice.voting.awaited(), *voice.voting.holding_on(), *voice.voting.leavers()}
        waited |= {forger for key in voice.owing() if self._gone(key) for forger in voice.voting.misled(key)}
        if waited.isdisjoint(gone) or self._unreached(words):
            return
        if not self._enough(words) or (voice.voting.ahead(gone) and not voice.voting.locks()):
            return
        if voice.voting.undecided(gone):
            return
        ends = (position.head, *(voice.voting.end(key).seq for key in gone), *gone)
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
        absent members, and without one that refuses that again and again alone."""
        voice, position = self._voice, self._voice.position
        cheats = [key for key in voice.feeds.forks if key in self._others() and voice.voting.parted(key)]
        if not cheats:
            return
        gone, words = self._apart(self._others(), voice.voting.holding_back())
        cheats = sorted(cheats, key=lambda key: (voice.voting.denied(key), not voice.voting.parted(key, gone)))
        known = (*(vote.pact for vote in voice.votes()), *voice.voting.locks())
        if self._unreached(words) or not self._enough(words):
            return
        place = (position.head, "without", cheats[0], voice.voting.objections(cheats[0]), *gone)
        if any(pact.kind == "without" and pact.named >= {*gone} for pact in known) or not self._due(place):
            return
        if self._noted(voice.part(cheats[0], gone)) is None:
            self._put_off(place)

    def _give_up(self) -> None:
        """Propose to give up a member that was left out, after waiting for its share of the cards."""
        voice, position = self._voice, self._voice.position
        away = (key for key in voice.owing() if key not in position.members and key != voice.me)
        lost = sorted(key for key in away if self._lost(key))
        if not lost or self._unreached(key for key in position.members if not self._gone(key)):
            return
        place = (position.head, "gone", *lost)
        if self._due(place) and self._propose("gone", lost) is None:
            self._put_off(place)

    def _come_back(self) -> None:
        """Ask to be let back after having been left out, as soon as the others may agree, until a member declines."""
        voice, position = self._voice, self._voice.position
        wanted = voice.me in position.cut and not position.over and not voice.voting.declined()
        place = (position.head, "back")
        if not (wanted and any(map(self._reach.linked, position.members)) and self._due(place)):
            return
        if voice.me is not None and not self._unsteady(voice.me):
            self._put_off(place)
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
