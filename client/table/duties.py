"""What a peer does without being asked: lets its player answer, and for a seat without a person says what the agreed
rule says to pacts.

The rule for bots.  Somebody who keeps the table waiting and who has been out of reach for 10 seconds may be left out:
`clock`, then `absent` with all who are gone like that; the others sign the same as soon as they miss them too.  Nobody
says a word to it while somebody else whose word it takes is out of reach: that one returns, or is left out as well; a
word once given binds, and would wait for the one who is missing even if all others come back.
So may somebody who is proven to cheat, link or not, who is not let in again.  Without who signed two histories the
table goes on from where ours parted, if they did.  Who was left out asks to come back, and is let in: whom the table
waits for proposes it before it answers, else the table would always be further on than the proposal.  A take-back
without private cards, the end of the game, and going on without a proven cheat are agreed to; a seat is not given away.
"""

from __future__ import annotations

from math import inf
from typing import Final

import trio

from client.player import Asked, Player
from client.table.runtime import Table
from engine.core.cards import Lens
from engine.core.errors import LocalError
from engine.core.values import plain
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import RefusalLike
from p2p.lockstep.pacts import threshold
from p2p.lockstep.voter import Vote

PATIENCE: Final = 10.0
"""Seconds out of reach until a seat without a person stops waiting for somebody."""
LATER: Final = frozenset(
    {
        *("lockstep/voting", "lockstep/catching-up", "lockstep/left-out"),
        *("lockstep/older-copy", "lockstep/unconfirmed"),
    }
)
"""Refusals of an answer that pass by themselves."""

Place = tuple[int, bytes, int]


class Duties:
    """Asks `player` for each seat of mine that owes an answer.  person: whether somebody is there to be asked about
    pacts."""

    def __init__(self, table: Table, voice: Lockstep, player: Player, nursery: trio.Nursery, *, person: bool) -> None:
        self._table, self._voice, self._player, self._nursery = table, voice, player, nursery
        self._asking: dict[Place, trio.CancelScope] = {}
        self._reached: dict[bytes, float] = {}
        self._missed: set[tuple[object, ...]] = set()
        self._returned = -1
        self._person = person
        table.after_change.append(self.ask)
        if not person:
            table.on_tick.append(self.consent)

    # Answers ---------------------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask for what is owed now, and no longer for what is not."""
        wanted = self._owed()
        for place in [place for place in self._asking if place not in wanted]:
            self._asking.pop(place).cancel()
        for place in wanted:
            if place not in self._asking:
                self._asking[place] = trio.CancelScope()
                self._nursery.start_soon(self._ask, place, self._asking[place])

    def _owed(self) -> list[Place]:
        voice = self._voice
        if voice.mute is not None or voice.position.over or self._table.done:
            return []
        seats = voice.owing().get(voice.me or b"", [])
        return [(voice.position.height, voice.position.head, seat) for seat in seats]

    async def _ask(self, place: Place, scope: trio.CancelScope) -> None:
        height, _head, seat = place
        refusal: RefusalLike | None = None
        with scope:
            while True:
                if place not in self._owed():  # the table went on before this task had its turn
                    self._asking.pop(place, None)
                    return
                machine = self._table.machine
                match = machine.match.clone()
                choose = match.ask_of(seat)
                if choose is None:
                    raise LocalError(f"seat {seat} owes an answer that its game does not ask for")
                asked = Asked(seat, match, Lens(machine.lens(seat)), choose, height, refusal)
                values = [plain(value) for value in await self._player.choose(asked)]
                self._table.log("answer/chosen", seat=seat, height=height)
                refusal = await self._table.do(lambda values=values: self._answer(place, values))  # type: ignore[misc]
                while refusal is not None and refusal.code in LATER:
                    await self._table.changed()
                    refusal = await self._table.do(lambda values=values: self._answer(place, values))  # type: ignore[misc]
                if refusal is None:
                    return
                self._table.log("answer/refused", seat=seat, height=height, code=refusal.code)

    def _answer(self, place: Place, values: list[object]) -> RefusalLike | None:
        """Answer, unless the table has gone on meanwhile: then nobody wants it any more."""
        height, head, seat = place
        position = self._voice.position
        if (position.height, position.head) != (height, head):
            return None
        if not self._person:
            self._let_in()
        return self._voice.answer(seat, values)  # type: ignore[arg-type]  # plain() gives wire values

    # Pacts -----------------------------------------------------------------------------------------------------------

    def consent(self) -> None:
        """Once a second, for a peer without a person."""
        if self._voice.mute is not None or self._voice.position.over:
            return
        self._look_round()
        for vote in self._voice.votes():
            self._vote(vote)
        self._expose()
        self._miss()
        self._give_up()
        self._come_back()

    def _vote(self, vote: Vote) -> None:
        pact = vote.pact
        if self._voice.me not in vote.missing:
            return
        match pact.kind, pact.terms:
            case ("seat", _) | ("takeback", [_, True]):
                self._voice.refuse(pact.id, "pact/nobody-to-ask")
            case "back", [bytes() as key, _] if key in self._voice.faults:
                self._voice.refuse(pact.id, "pact/convicted")
            case "gone", _ if any(self._table.reached(key) for key in pact.named - self._voice.faults.keys()):
                self._voice.refuse(pact.id, "pact/present")
            case (("absent" | "gone"), _) if not all(self._gone(end.author) for end in pact.out):
                return
            case (("absent" | "gone"), _) if self._table.unreached(vote.missing):
                return
            case _ if vote.advice is None:
                self._voice.sign(pact.id)

    def _let_in(self) -> None:
        """Propose to let in those who ask, once a position."""
        voice = self._voice
        for terms in voice.asking():
            author = terms[0] if isinstance(terms, list) else None
            wanted = (voice.position.head, "back", author)
            if author in voice.faults or wanted in self._missed or self._table.unreached(voice.position.members):
                continue
            self._missed.add(wanted)
            refusal = voice.propose("back", terms=terms)
            if refusal is not None:
                self._table.log("pact/not-proposed", code=refusal.code)

    def _look_round(self) -> None:
        """Note who is in reach."""
        now = trio.current_time()
        for key in self._voice.position.roster:
            if key not in self._reached or self._table.reached(key):
                self._reached[key] = now

    def _gone(self, key: bytes) -> bool:
        """Whether nothing is to be expected of this one: out of reach, or proven to cheat, so that what it says does
        not count."""
        return key in self._voice.faults or trio.current_time() - self._reached.get(key, inf) > PATIENCE

    def _miss(self) -> None:
        """Propose to go on without those who are out of reach, if one of them is waited for."""
        voice, position = self._voice, self._voice.position
        gone = sorted(key for key in self._table.others() if self._gone(key))
        words = [key for key in self._table.others() if key not in gone]
        if not {*voice.owing(), *voice.awaited()}.intersection(gone) or self._table.unreached(words):
            return
        if 1 + len(words) < threshold(len(position.members)):
            return
        ends = (position.head, *(len(voice.feeds.feed(key)) for key in gone), *gone)
        if ends in self._missed:
            return
        self._missed.add(ends)
        for key in gone:
            if (position.head, key) not in self._missed:
                self._missed.add((position.head, key))
                voice.clock(key)
        refusal = voice.propose("absent", gone)
        if refusal is not None:
            self._missed.discard(ends)
            self._table.log("pact/not-proposed", code=refusal.code)

    def _expose(self) -> None:
        """Propose to go on without somebody who signed two histories, from where ours parted, and without those who
        are gone."""
        voice, position = self._voice, self._voice.position
        cheats = [key for key in voice.feeds.forks if key in self._table.others() and voice.parted(key)]
        gone = {key for key in self._table.others() if self._gone(key)}
        words = [key for key in self._table.others() if key not in gone]
        known = (*(vote.pact for vote in voice.votes()), *voice.locks())
        if not cheats or self._table.unreached(words) or 1 + len(words) < threshold(len(position.members)):
            return
        if not any(pact.kind == "without" and pact.named >= gone for pact in known):
            refusal = voice.part(cheats[0], gone)
            if refusal is not None:
                self._table.log("pact/not-proposed", code=refusal.code)

    def _give_up(self) -> None:
        """Propose that who was left out is gone for good, once its share of the cards is waited for."""
        voice, position = self._voice, self._voice.position
        lost = sorted(key for key in voice.owing() if key not in position.members and self._gone(key))
        unsure = self._table.unreached([key for key in position.members if not self._gone(key)])
        if lost and not unsure and (position.head, *lost) not in self._missed:
            self._missed.add((position.head, *lost))
            refusal = voice.propose("gone", lost)
            if refusal is not None:
                self._missed.discard((position.head, *lost))
                self._table.log("pact/not-proposed", code=refusal.code)

    def _come_back(self) -> None:
        """I was left out and am here again: ask to be let in, once a height, until somebody says no."""
        voice, position = self._voice, self._voice.position
        wanted = voice.me in position.cut and not voice.declined()
        if wanted and position.height != self._returned and self._table.who:
            self._returned = position.height
            self._voice.propose("back")
