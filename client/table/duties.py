"""What a peer does without being asked: lets its player answer, and for a seat without a person says what the agreed
rule says to pacts.

The rule for bots.  Somebody who keeps the table waiting and to whom there has been no link for 10 seconds may be left
out: `clock`, then `absent` with all who are gone like that; the others sign the same as soon as they miss them too.
So may somebody who is proven to cheat, link or not, who is not let in again; others who come back are.  Without who
signed two histories the table goes on from where they part.  Who was left out asks to come back.  A take-back without
private cards, the end of the game, and going on without a proven cheat are agreed to; a seat is not given away.
"""

from __future__ import annotations

from collections.abc import Iterable
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
from p2p.wire.codec import Plain, decode, encode

PATIENCE: Final = 10.0
"""Seconds without a link until a seat without a person stops waiting for somebody."""
BEYOND: Final = 8
"""Heights between the last one known and that at which play resumes when histories have parted."""
LATER: Final = frozenset({"lockstep/voting", "lockstep/catching-up", "lockstep/older-copy", "lockstep/left-out"})
"""Refusals of an answer that pass by themselves."""

Place = tuple[int, bytes, int]


class Duties:
    """Asks `player` for each seat of mine that owes an answer.  person: whether somebody is there to be asked about
    pacts."""

    def __init__(self, table: Table, voice: Lockstep, player: Player, nursery: trio.Nursery, *, person: bool) -> None:
        self._table, self._voice, self._player, self._nursery = table, voice, player, nursery
        self._asking: dict[Place, trio.CancelScope] = {}
        self._missed: set[tuple[object, ...]] = set()
        self._returned = -1
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
        return self._voice.answer(seat, values)  # type: ignore[arg-type]  # plain() gives wire values

    # Pacts -----------------------------------------------------------------------------------------------------------

    def consent(self) -> None:
        """Once a second, for a peer without a person."""
        if self._voice.mute is not None or self._voice.position.over:
            return
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
            case (("absent" | "gone"), _) if not self._gone(end.author for end in pact.out):
                return
            case _ if vote.advice is None:
                self._voice.sign(pact.id)

    def _gone(self, keys: Iterable[bytes]) -> bool:
        """Whether nothing is to be expected of these: they are out of reach, or proven to cheat, so that what they say
        does not count; who signed two histories is left to a `without`, which says where they part."""
        voice = self._voice
        cheats = voice.faults.keys() - voice.feeds.forks.keys()
        return all(self._table.away(key) > PATIENCE or key in cheats for key in keys)

    def _miss(self) -> None:
        """Propose to go on without those who are waited for and out of reach."""
        voice, position = self._voice, self._voice.position
        owing = {key for key in (*voice.owing(), *voice.awaited()) if key in position.members and key != voice.me}
        gone = sorted(key for key in owing if self._gone([key]))
        if not gone or len(position.members) - len(gone) < threshold(len(position.members)):
            return
        ends = (position.head, *(len(voice.feeds.feed(key)) for key in gone), *gone)
        if ends in self._missed:
            return
        self._missed.add(ends)
        for key in gone:
            voice.clock(key)
        refusal = voice.propose("absent", gone)
        if refusal is not None:
            self._missed.discard(ends)
            self._table.log("pact/not-proposed", code=refusal.code)

    def _expose(self) -> None:
        """Propose to go on without somebody who signed two histories, from where they part."""
        voice, position = self._voice, self._voice.position
        if any(pact.kind == "without" for pact in (*(vote.pact for vote in voice.votes()), *voice.locks())):
            return
        for culprit, pair in voice.feeds.forks.items():
            if culprit == voice.me or culprit not in position.members or culprit in position.cut:
                continue
            known = [entry for author in voice.feeds.authors for entry in voice.feeds.feed(author)[-1:]]
            following = max(position.height, *(entry.height for entry in known)) + BEYOND
            epoch = max(position.epoch, *(entry.epoch for entry in known)) + 2
            terms: Plain = [culprit, [pair.first.id, pair.second.id], following, epoch]
            at = min(pair.first.height, pair.second.height)
            refusal = voice.propose("without", [culprit], decode(encode(terms)), at)
            if refusal is not None:
                self._table.log("pact/not-proposed", code=refusal.code)
            return

    def _give_up(self) -> None:
        """Propose that who was left out is gone for good, once its share of the cards is waited for."""
        voice, position = self._voice, self._voice.position
        lost = sorted(key for key in voice.owing() if key not in position.members and self._gone([key]))
        if lost and (position.head, *lost) not in self._missed:
            self._missed.add((position.head, *lost))
            refusal = voice.propose("gone", lost)
            if refusal is not None:
                self._table.log("pact/not-proposed", code=refusal.code)

    def _come_back(self) -> None:
        """I was left out and am here again: ask to be let in, once a height."""
        position = self._voice.position
        if self._voice.me in position.cut and position.height != self._returned and self._table.who:
            self._returned = position.height
            self._voice.propose("back")
