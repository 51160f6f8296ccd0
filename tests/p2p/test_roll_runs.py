"""Dice that the rules roll for one thing, one after the other, before anybody has a word, are one roll of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from p2p.lockstep.audit import audit
from p2p.lockstep.effects import Happened
from p2p.lockstep.machine import Pending
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value
from seeds.streams import dice

SIDES = (6, 6, 20)


class Volleys(TestMachine):
    """Three volleys of one battle and the loot of it, then a choice, then another volley."""

    SCRIPT = ("battle", "battle", "battle", "loot", "pick", "battle")

    def step_name(self) -> str:
        step = self.SCRIPT[self.state["at"]] if self.state["at"] < len(self.SCRIPT) else ""
        return step if step in ("pick", "") else "dice"

    def pending(self) -> Pending | None:
        wait = super().pending()
        return wait if wait is None or wait.kind != "roll" else replace(wait, tag=self.SCRIPT[self.state["at"]])


def played(members: int = 3) -> DirectTable:
    table = DirectTable([[number] for number in range(members)], machine=Volleys(members))
    table.start()
    table.play()
    return table


def thrown(table: DirectTable, number: int) -> list[tuple[int, Sequence[Value]]]:
    """Every throw that a peer's machine was given, by height."""
    told = [effect for effect in table.seen[number] if isinstance(effect, Happened) and effect.kind == "roll"]
    return [(effect.height, event[1]) for effect in told for event in effect.events if isinstance(event, tuple)]


def test_throws_for_the_same_that_follow_one_another_are_one_roll() -> None:
    table = played()
    first, loot, last = sorted({entry.height for entry in table.log_of("open")})
    assert [height for height, _ in thrown(table, 0)] == [first, first, first, loot, last]
    assert len(table.log_of("open")) == 3 * 3
    assert [rolled.sides for rolled in table.peers[0].position.chance.rolls] == [3 * SIDES, SIDES, SIDES]


def test_its_dice_are_the_numbers_of_one_stream_in_order() -> None:
    table = played()
    roll = table.peers[0].position.chance.rolls[0]
    (_, one), (_, two), (_, three), *_ = thrown(table, 0)
    assert [*one, *two, *three] == list(roll.faces) == dice(roll.roll.value, 3 * SIDES)


def test_everybody_and_the_audit_see_the_same_dice() -> None:
    table = played(4)
    assert thrown(table, 0) == thrown(table, 1) == thrown(table, 2) == thrown(table, 3)
    assert len({peer.position.head for peer in table.peers}) == 1
    verdict = audit([entry for entry, _ in table.log], lambda genesis: Volleys(genesis.seats))
    assert verdict.ok, verdict.problems
    assert verdict.complete
    assert [len(roll.faces) for roll in verdict.rolls] == [9, 3, 3]


def test_between_two_members_who_roll_without_a_lock_too() -> None:
    table = played(2)
    assert len(table.log_of("open")) == 3 * 2
    assert not table.log_of("partial")
    assert table.peers[0].position.head == table.peers[1].position.head


def test_what_is_taken_back_is_rolled_anew_as_a_whole() -> None:
    table = DirectTable([[number] for number in range(3)], machine=Volleys(3))
    table.start()
    before = table.peers[0].position.chance.rolls[0]
    assert table.peers[0].position.step.kind == "choose"
    assert table.peers[0].propose("takeback", terms=[before.roll.height, False]) is None
    table.settle()
    for peer in table.peers[1:]:
        for vote in peer.votes():
            peer.sign(vote.pact.id)
    table.settle()
    again = [rolled for rolled in table.peers[0].position.chance.rolls if rolled.tag == "battle"]
    assert [rolled.sides for rolled in again] == [3 * SIDES, 3 * SIDES]
    assert again[0].roll.k < again[1].roll.k
    assert again[0].roll.value != again[1].roll.value
    table.play()
    assert len({peer.position.head for peer in table.peers}) == 1
