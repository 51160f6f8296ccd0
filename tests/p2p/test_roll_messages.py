"""What a roll costs in messages: the seeds are committed beforehand, so that they open at once; and only as many
members lift the lock as it takes."""

from __future__ import annotations

from collections import Counter

import pytest

from p2p.lockstep.automatic import LATE
from p2p.lockstep.effects import Keep
from p2p.lockstep.pacts import threshold
from p2p.testing.cheats import CheatTable
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
            kept = [(number, effect) for number, effect in said if isinstance(effect, Keep) and effect.is_own]
            if not kept:
                return
            self.round += 1
            for number, keep in kept:
                self.last[keep.entry.height] = self.round
                self.deliver(number, keep)


@pytest.mark.parametrize(("members", "most"), [(2, 1), (3, 2), (4, 2), (6, 2)])
def test_a_roll_adds_at_most_two_one_way_messages(members: int, most: int) -> None:
    table = TableInRounds(members)
    table.start()
    table.play()
    rolls = {entry.height for entry in table.log_of("open")}
    assert len(rolls) == 2
    assert {table.last[height] - table.last[height - 1] for height in rolls} == {most}
    said = Counter(entry.kind for entry, _ in table.log if entry.height in rolls)
    assert said["open"] == members * len(rolls)
    assert said["partial"] == (threshold(members) * len(rolls) if members > 2 else 0)
    assert said.total() == said["open"] + said["partial"]


def lifters(table: DirectTable) -> list[set[bytes]]:
    """Who gave a partial, by roll."""
    partials = table.log_of("partial")
    heights = sorted({entry.height for entry in partials})
    return [{entry.author for entry in partials if entry.height == height} for height in heights]


@pytest.mark.parametrize("members", [3, 4, 6])
def test_every_member_is_asked_for_as_many_partials_as_any_other(members: int) -> None:
    table = DirectTable([[seat] for seat in range(members)], rounds=members)
    table.start()
    table.play()
    asked = lifters(table)
    assert [len(each) for each in asked] == [threshold(members)] * len(asked)
    load = Counter(member for each in asked[: len(asked) // members * members] for member in each)
    assert len(asked) >= members
    assert len(load) == members
    assert len(set(load.values())) == 1


class Clockless(CheatTable):
    """No time passes by itself."""

    def _spoken_later(self) -> bool:
        return False


def test_all_are_asked_when_one_of_those_asked_first_is_late_and_not_before() -> None:
    table = Clockless()
    table.withheld.add((0, "partial"))
    table.start()
    table.play()
    first, last = table.keys[0].key.public, table.keys[3].key.public
    assert {peer.position.step.kind for peer in table.peers[1:]} == {"roll"}
    assert table.peers[3].debts() == {first: "partial"}
    for now in (0.0, LATE / 2, LATE):
        assert last not in {entry.author for entry in table.log_of("partial")}
        for peer in table.peers:
            peer.tick(now)
        table.settle()
    assert last in {entry.author for entry in table.log_of("partial")}
    assert all(peer.position.step.kind != "roll" for peer in table.peers[1:])
    assert all(peer.position.chance.late == {first} for peer in table.peers[1:3])
    assert not any(peer.faults for peer in table.peers)


def known_as_late(who: int) -> Clockless:
    """A table whose others have waited for this member's partial before."""
    table = Clockless()
    for number, peer in enumerate(table.peers):
        if number != who:
            peer.position.chance.late.add(table.keys[who].key.public)
    return table


def test_who_was_late_is_asked_last() -> None:
    table = known_as_late(0)
    table.withheld.add((0, "partial"))
    table.start()
    table.play()
    assert {entry.author for entry in table.log_of("partial")} == {keys.key.public for keys in table.keys[1:]}
    assert all(peer.position.step.kind != "roll" for peer in table.peers[1:])


def test_who_was_late_and_speaks_is_asked_like_any_other() -> None:
    table = known_as_late(0)
    table.start()
    table.play()
    assert table.keys[0].key.public in {entry.author for entry in table.log_of("partial")}
    assert not any(peer.position.chance.late for peer in table.peers)
    assert not any(peer.faults for peer in table.peers)


def test_the_clock_of_another_wait_does_not_count() -> None:
    table = Clockless(rounds=2)
    table.start()
    for now in (0.0, 1.0, 2.0):
        for peer in table.peers:
            peer.tick(now)
        table.settle()
    table.withheld |= {(1, "open"), (1, "partial")}
    table.play()
    assert {peer.debts().get(table.keys[1].key.public) for peer in table.peers[2:]} == {"open"}
    for now in (10.0, 20.0):
        for peer in table.peers:
            peer.tick(now)
        table.settle()
    assert not table.log_of("partial")
