# SPDX-License-Identifier: GPL-3.0-or-later
"""A member goes on with another table key, after it has lost a decision or its home (`moved` in `p2p.lockstep.pacts`).

    home/move       [certificate, kept]     from a device of a member: asks who is linked to propose that vote
    home/declined   []                      the answer of a person who does not

The request is no vote yet. Every member that is asked is shown it as a proposal that waits for its vote; who says yes
signs the pact, and the others find it in the log. No program says yes by itself. Only the identity that sits at the
table is listened to, and only its latest request counts.
"""

from __future__ import annotations

import platform
from collections import Counter
from typing import Final

from client.table.notices import MoveAsked, PeerStopped, VoteNotice, VoteStage
from client.table.runtime import RunningTable
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import MAX_DEVICE, certify
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import RefusalLike, TableRefusal
from p2p.lockstep.pacts import Pact, moving_lobby
from p2p.lockstep.voting import Vote
from p2p.wire.codec import Value, decode, encode
from p2p.wire.messages import Lobby

MOVE: Final = "home/move"
DECLINED: Final = "home/declined"
TOLD: Final = 3
"""The most requests of one identity that a person is told of in one run."""


class Requests:
    """The requests of other members to go on with another key, as proposals for this person."""

    def __init__(self, table: RunningTable, voice: Lockstep) -> None:
        self._table, self._voice = table, voice
        self._asked: dict[bytes, tuple[str, Value]] = {}
        self._told: Counter[bytes] = Counter()
        table.words[MOVE] = self.heard

    def heard(self, name: str, _kind: str, terms: Value) -> None:
        """Note what a device of a member asks for over a link."""
        identity = self._table.who.get(name, b"")
        old = holder(self._voice, identity)
        if old is None or old == self._voice.me or not isinstance(self._pact(old, terms), Pact):
            return
        if self._asked.get(old, ("", None))[1] == terms:
            self._asked[old] = name, terms
            return
        self._told[identity] += 1
        if self._told[identity] > TOLD:
            return
        self._asked[old] = name, terms
        who = self._table.party(old)
        self._table.notice(VoteNotice(VoteStage.OPEN, "moved", self._voice.position.height, (who,), terms, who))

    def _pact(self, old: bytes, terms: Value) -> Pact | TableRefusal:
        return self._voice.proposals.proposal("moved", [old], terms)

    def votes(self) -> list[Vote]:
        """The requests that this member may propose now, as if they waited for its vote. One that has become a vote is
        forgotten."""
        pacts = [pact for pact in self._voice.ballots.pacts.values() if pact.kind == "moved"]
        for old, (_, terms) in tuple(self._asked.items()):
            if old not in self._voice.position.owner.values() or any(
                old in pact.named and pact.terms == terms for pact in pacts
            ):
                del self._asked[old]
        found = (self._pact(old, terms) for old, (_, terms) in self._asked.items())
        return [Vote(pact, (self._voice.me or b"",), None) for pact in found if isinstance(pact, Pact)]

    def asker(self, pact: bytes) -> bytes | None:
        """The old key of the member that asks for this pact, None for a pact that was proposed."""
        return next((vote.pact.out[0].author for vote in self.votes() if vote.pact.id == pact), None)

    def vote(self, old: bytes, *, yes: bool) -> RefusalLike | None:
        """Propose what the member with this old key asks for, which stays open until that is signed, or decline it."""
        name, terms = self._asked[old]
        if yes:
            return self._voice.propose("moved", [old], terms)
        del self._asked[old]
        self._table.router.send(name, Lobby(DECLINED, []))
        return None


class Moving:
    """Asks the others to let the key of this home go on for the one with which its identity sits at the table."""

    def __init__(self, table: RunningTable, voice: Lockstep, identity: SigningKey) -> None:
        self._table, self._voice, self._identity = table, voice, identity
        self._said: dict[str, Value] = {}
        self._over = False
        self._terms: tuple[bytes, bool, Value] | None = None
        table.words[DECLINED] = self._declined
        table.after_change.append(self.ask)
        table.on_tick.append(self.ask)

    def ask(self) -> None:
        """Ask each member over its present link, once everything that the others hold was read."""
        old = holder(self._voice, self._identity.public)
        exchange = self._table.exchange
        if old is None or old == self._voice.me or not self._voice.feeds.entries or exchange.ahead():
            return
        if self._voice.me in self._voice.arriving():
            return
        if old in self._voice.position.membership.gone:
            self._say_given_up()
            return
        terms = self._request(old)
        others = {self._table.identity(key): self._table.party(key) for key in self._table.others() if key != old}
        asked = [name for name, who in self._table.who.items() if who in others and self._said.get(name) != terms]
        for name in asked:
            self._said[name] = terms
            self._table.router.send(name, Lobby(MOVE, terms))
        if asked:
            members = {party.number: party for party in (others[self._table.who[name]] for name in asked)}
            self._table.notice(MoveAsked(tuple(members[number] for number in sorted(members))))

    def _say_given_up(self) -> None:
        if not self._over:
            self._over = True
            self._table.notice(PeerStopped("lockstep/given-up"))

    def _request(self, old: bytes) -> Value:
        """The terms of the vote. The hand stays if the secret of this home is that of the old key."""
        kept = self._voice.position.chance.holds_secret(old)
        if self._terms is None or self._terms[:2] != (old, kept):
            device = platform.node()
            while len(device.encode()) > MAX_DEVICE:
                device = device[:-1]
            lobby = moving_lobby(self._voice.genesis.table, old, kept=kept)
            fields = certify(self._identity, self._voice.me or b"", lobby, device).fields()
            self._terms = old, kept, decode(encode([fields, kept]))
        return self._terms[2]

    def _declined(self, name: str, _kind: str, _body: Value) -> None:
        identity = self._table.who.get(name, b"")
        author = holder(self._voice, identity)
        if name in self._said and author is not None:
            height, who = self._voice.position.height, self._table.party(author)
            self._table.notice(VoteNotice(VoteStage.REFUSED, "moved", height, (), None, who, "pact/declined"))


def holder(voice: Lockstep, identity: bytes) -> bytes | None:
    """The key with which an identity holds seats now, None if it holds none."""
    position = voice.position
    owners = dict.fromkeys(owner for _seat, owner in sorted(position.owner.items()))
    return next((key for key in owners if position.roster[key].certificate.identity == identity), None)
