"""Of two ends to which one member leads two parts of a table, no two honest members see both as final."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from test_pact_freezes import code, key, out

from p2p.lockstep.audit import audit
from p2p.lockstep.ends import result
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.testing.hostile_votes import Holding, Unbound
from p2p.testing.machine import Brief
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry

A, B, C, D, LIAR = range(5)


class Parted(DirectTable):
    """Two of five hear nothing of two others. The fifth is linked with all, and tells them what it likes."""

    def __init__(self, voting: type[Unbound]) -> None:
        super().__init__([[number] for number in range(5)], machine=Brief(5, 1))
        self.start()
        for number in (C, D, LIAR):
            assert self.peers[number].answer(number, [1]) is None
            self.settle()
        self.cut_off = {C, D}
        for number in (A, B):
            assert self.peers[number].answer(number, [2]) is None
            self.settle()
        self.liar = self.peers[LIAR]
        self.liar.voting.__class__ = voting
        self.pact = self._others_vote()

    def _others_vote(self) -> Pact:
        """The two who hear nothing sign to go on without the two others, and wait for the word of the fifth."""
        first, second = self.peers[C], self.peers[D]
        assert first.propose("absent", out(self, A, B)) is None
        (pact,) = first.ballots.pacts.values()
        bring([first], second)
        assert second.sign(pact.id) is None
        bring([second], first)
        return pact

    def pledge(self) -> None:
        """Let the fifth sign that. Those with whom it plays do not know what it is."""
        if not self.liar.ballots.voted(self.pact, key(self, LIAR)):
            self.liar.signing.say("sign", [self.pact.id])
            self.liar.advance()
            self.settle()

    def to_the_end(self, pledged: str) -> None:
        """The two others play to the end, and leave out there who has not signed it."""
        self.play()
        assert all(self.peers[number].position.over for number in (A, B, LIAR))
        if code(self.peers[A].propose("absent", out(self, C, D))) == "pact/undecided":
            return
        self.settle()
        (vote,) = self.peers[B].votes()
        assert self.peers[B].sign(vote.pact.id) is None
        self.settle()
        if pledged in ("before its own vote", "before its result"):
            self.pledge()
        self.liar.signing.say("sign", [vote.pact.id])
        self.liar.voting.__class__ = Unbound
        self.liar.advance()
        self.settle()

    def to_another(self) -> None:
        """The two who heard nothing hear the fifth alone. If they come to another end, it signs that too."""
        others = self.peers[C : D + 1]
        for peer in (*others, *others):
            bring([self.liar, *others], peer)
        if others[0].position.over:
            position = others[0].position
            place = self.liar.reading.position
            self.liar.reading.position = position
            self.liar.signing.say("result", result(position))
            self.liar.reading.position = place
        for peer in others:
            bring([self.liar, *others], peer)


def bring(senders: Sequence[Lockstep], receiver: Lockstep) -> None:
    """Bring a member what others have said themselves."""
    for sender in senders:
        for entry in sender.feeds.feed(sender.me or b""):
            receiver.feed(entry)
            receiver.settled()


def lead(table: Parted, pledged: str) -> None:
    """Let the fifth lead both parts as far as they go. pledged: when it signs what the two who hear nothing sign."""
    if pledged == "before the others vote":
        table.pledge()
    table.to_the_end(pledged)
    table.pledge()
    table.to_another()


@pytest.mark.parametrize(
    "pledged", ["before the others vote", "before its own vote", "before its result", "after its result"]
)
def test_of_two_ends_that_one_has_signed_for_two_parts_of_a_table_one_alone_is_final(pledged: str) -> None:
    """It had said nothing since the height of a vote, and signed that beside the end. Both ends were final, and the
    judge of a log came to another one than those who had played it."""
    table = Parted(Holding if pledged == "before its result" else Unbound)
    lead(table, pledged)
    honest = table.peers[: D + 1]
    final = {peer.position.head for peer in honest if peer.reading.final}
    assert len(final) == (pledged != "before its result")
    log: dict[bytes, Entry] = {entry.id: entry for peer in table.peers for entry in peer.feeds.entries}
    found = audit([*log.values()], lambda genesis: Brief(genesis.seats, 1))
    assert final <= {found.head}
    for number, peer in enumerate(honest):
        bring(table.peers, peer)
        peer.compared()
        peer.settled()
        again = member(table.genesis, table.keys[number], Brief(5, 1))
        again.restore((entry, None) for entry in log.values())
        again.settled()
        assert {peer.position.head, again.position.head} == {found.head}
        assert peer.reading.final
        assert not peer.faults.keys() - {key(table, LIAR)}
