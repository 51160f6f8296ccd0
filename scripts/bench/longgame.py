# SPDX-License-Identifier: GPL-3.0-or-later
"""A long game of six: they play quickly, so that words cross on their way, and take a part of each round back.

It has what the page of a long evening has: thousands of entries, many shuffles of sealed decks, and of each roll all
parts of its lock, also those that came when enough others were there.
"""

from __future__ import annotations

from typing import Final

from bench.logs import BenchTable
from p2p.lockstep.automatic import LATE
from p2p.lockstep.effects import Keep

PLAYERS: Final = 6
BOTS: Final = "greedy"
FORTH: Final = 40
BACK: Final = 18
"""After so many rolls they take back the last of them."""


class LongTable(BenchTable):
    """Peers of one game, one a seat, whose words cross: nobody hears what the others say before he has spoken."""

    def __init__(self, seed: int, name: str, players: int = PLAYERS) -> None:
        super().__init__(seed, name, players, BOTS)
        self.underway: list[tuple[int, Keep]] = []

    def play(self) -> None:
        """Play to the end, and take back a part again and again."""
        heights: list[int] = []
        again = FORTH
        while self.step():
            position = self.peers[0].position
            rolled = len(position.chance.rolls)
            heights += [position.height] * (rolled - len(heights))
            if rolled >= again:
                again += FORTH
                self.take_back(heights[-BACK])

    def take_back(self, to: int) -> None:
        """All go back to a height, whatever secrets lie between."""
        refusal = self.peers[0].propose("takeback", (), [to, True])
        assert refusal is None, refusal
        self.settle()
        for peer in self.peers[1:]:
            for vote in peer.votes():
                assert peer.sign(vote.pact.id) is None
        self.settle()
        assert not self.peers[0].votes()

    def _spoken(self) -> bool:
        for _ in range(2):  # a roll is late at once, so that all give their parts of its lock
            self.now += LATE
            for peer in self.peers:
                peer.tick(self.now)
        busy = super()._spoken()
        for sender, keep in self.underway:
            super().deliver(sender, keep)
        self.underway.clear()
        return busy

    def deliver(self, sender: int, keep: Keep) -> None:
        """Hold an entry back until all members have spoken."""
        self.underway.append((sender, keep))
