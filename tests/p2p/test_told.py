"""What was asked at a height is a record that every member signs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_roll_runs import Volleys

from engine.core.registry import game
from p2p.lockstep.effects import Diverged, Split
from p2p.lockstep.machine import Pending
from p2p.lockstep.report import differing, digests
from p2p.lockstep.step import STAGE
from p2p.lockstep.told import digest, state
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import encode
from seeds.hashing import H

PROTOCOL = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"


class Otherwise(TestMachine):
    """An engine in the same state that asks another question: all seats at once where one should choose, dice with
    other sides, or a roll with another tag."""

    def __init__(self, seats: int, kind: str = "choose") -> None:
        super().__init__(seats, 1)
        self.kind = kind

    def pending(self) -> Pending | None:
        wait = super().pending()
        if wait is None or wait.kind != self.kind:
            return wait
        if wait.kind == "roll":
            return replace(wait, tag="other")
        if wait.kind == "choose":
            return Pending("together", wait.seats, seats_all=wait.seats)
        return replace(wait, seats=((wait.seats[0] + 1) % 3,)) if wait.kind == "deal" else replace(wait, tag="other")

    def clone(self) -> Otherwise:
        other = Otherwise(self.state["seats"], self.kind)
        other.state = json.loads(json.dumps(self.state))
        return other


def test_each_height_has_a_record_and_heads_and_states_cover_it() -> None:
    table = DirectTable([[0], [1], [2]])
    table.start()
    table.play()
    position, log = table.peers[0].position, [entry for entry, _ in table.log]
    assert list(position.told) == list(range(position.height + 1))
    assert {record[-1][0] for record in position.told.values()} >= {"prepare", "keys", "choose", "roll", "seal", "over"}
    record: list[Any] = []
    for height in range(position.height):
        record = [*record, position.told[height][-1]]
        assert position.told[height] == record
        entries = {entry.id: entry for entry in log if entry.height == height and entry.kind in STAGE}
        machine = position.history.machine_at(height)
        expected = H("state", machine.digest(), H("told", encode(record)))[:16]
        assert {entry.state for entry in entries.values()} <= {expected}
        assert {entry.head for entry in entries.values()} <= {position.past[height].head}
        record = [*([] if entries else record), *position.outcomes[height]]


def agreed(table: DirectTable, proposer: int, kind: str, *terms: Any) -> None:
    """Let all who may vote agree to a pact."""
    assert table.peers[proposer].propose(kind, *terms) is None
    table.settle()
    for peer in table.peers:
        for vote in peer.votes():
            if peer.me in vote.missing:
                assert peer.sign(vote.pact.id) is None
    table.settle()


def test_a_height_that_a_vote_ends_has_its_record_in_the_next_one() -> None:
    table = DirectTable([[0], [1], [2]])
    table.start()
    position = table.peers[0].position
    height, head = position.height, position.head
    before = position.told[height]
    assert before[-1] == ["choose", [0]]
    agreed(table, 0, "end", (), "agreed")
    (pact,) = table.peers[0].applied(height)
    assert height in position.ended_by_vote
    assert position.head == H("head", head, height, [], [pact.id], None)
    assert position.told[height + 1] == [*before, ["over"]]
    assert table.peers[1].position.state == position.state


def test_a_height_at_which_nobody_has_to_say_anything_has_its_record_in_the_next_one() -> None:
    table = DirectTable([[0], [1], [2]])
    table.start()
    position, owner = table.peers[1].position, table.peers[0].me
    height = position.height
    assert position.told[height][-1] == ["choose", [0]]
    table.cut_off.add(0)
    agreed(table, 1, "absent", [owner])
    assert position.outcomes[height] == [["result", [[0, 0]]]]
    record = position.told[height + 1]
    assert record == [*position.told[height], ["result", [[0, 0]]], ["choose", [0]]]
    asked, came = position.told[height + 1][-1], position.outcomes[height + 1]
    assert position.told[height + 2][: len(record) + 1] == [*record, *came]
    assert asked == ["choose", [0]]


def test_rolls_that_the_rules_add_stand_before_their_common_result() -> None:
    table = DirectTable([[number] for number in range(3)], machine=Volleys(3))
    table.start()
    table.play()
    position = table.peers[0].position
    roll = position.chance.rolls[0]
    dice = ["roll", "battle", [6, 6, 20]]
    assert position.told[roll.roll.height] == [dice]
    assert position.outcomes[roll.roll.height] == [dice, dice, ["result", [roll.roll.value, [*roll.faces]]]]
    assert position.told[roll.roll.height + 1][:3] == position.outcomes[roll.roll.height]


@pytest.mark.parametrize("kind", ["choose", "roll", "deal", "shuffle"])
def test_an_engine_that_asks_otherwise_shows_as_a_difference_and_not_as_a_split(kind: str) -> None:
    table = DirectTable([[0], [1], [2]])
    table.peers[2] = member(table.genesis, table.keys[2], Otherwise(3, kind))
    table.start()
    table.play()
    found = [effect for number in range(3) for effect in table.seen[number]]
    assert any(isinstance(effect, Diverged) for effect in found)
    assert not any(isinstance(effect, Split) for effect in found)
    assert not table.peers[0].faults
    height = table.peers[2].position.height
    place = height, table.peers[2].position.head
    assert table.peers[0].position.held(*place) is not None
    assert differing(digests(table.peers[0], *place), digests(table.peers[2], *place)) == ("asked",)


def test_the_state_covers_both_the_game_and_the_record() -> None:
    one, other = [["choose", [0]]], [["choose", [1]]]
    states = {state(game, digest(record)) for game in (bytes(16), bytes([1]) * 16) for record in (one, other)}
    assert len(states) == 4


@pytest.mark.parametrize("name", ["eclipse1", "eclipse2", "emperor", "rex"])
def test_the_document_lists_the_tags_of_each_game(name: str) -> None:
    row = next(line for line in PROTOCOL.read_text("utf-8").splitlines() if re.match(rf"\|[^|]*`{name}`", line))
    assert re.findall(r"`([^`]+)`", row.split("|")[2]) == [*game(name).tags]
