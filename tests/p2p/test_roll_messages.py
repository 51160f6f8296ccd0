"""What a roll costs in messages: the seeds are committed beforehand, so that they open at once."""

from __future__ import annotations

from collections import Counter

import pytest

from p2p.lockstep.effects import Keep
from p2p.testing.tables import DirectTable


class TableInRounds(DirectTable):
    """All messages take equally long: what is said in one round is heard by everybody at its end. last: the round in
    which the last entry of a height was said."""

    def __init__(self, members: int) -> None:
        self.round = 0
        self.last: dict[int, int] = {}
        super().__init__([[seat] for seat in range(members)], rounds=2, options={"draws": "sealed"})

    def settle(self) -> None:
        while True:
            said = [(number, effect) for number, peer in enumerate(self.peers) for effect in peer.settled()]
            kept = [(number, effect) for number, effect in said if isinstance(effect, Keep) and effect.own]
            if not kept:
                return
            self.round += 1
            for number, keep in kept:
                self.last[keep.entry.height] = self.round
                self._deliver(number, keep)


@pytest.mark.parametrize(("members", "most"), [(2, 1), (3, 2), (4, 2), (6, 2)])
def test_a_roll_adds_at_most_two_one_way_messages(members: int, most: int) -> None:
    table = TableInRounds(members)
    table.start()
    table.play()
    rolls = {entry.height for entry in table.log_of("open")}
    assert len(rolls) == 2
    assert {table.last[height] - table.last[height - 1] for height in rolls} == {most}
    said = Counter((entry.author, entry.height) for entry, _ in table.log if entry.height in rolls)
    assert len(said) == members * len(rolls)
    assert set(said.values()) == {most}
