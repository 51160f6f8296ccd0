"""Secret choices that their owners do not open: what the others do, and what a game gets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from p2p.lockstep.opening import Placed, SealedChoices
from p2p.lockstep.position import Position
from p2p.testing.cheats import CheatTable
from p2p.testing.hostile_silence import Reticent
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Plain, Value, encode
from seeds.seals import seal_commitment

TABLE, AUTHOR, NONCE = b"t" * 32, b"a" * 32, b"n" * 32


def choices(committed: bytes | None) -> SealedChoices:
    made = SealedChoices(TABLE)
    made.place(7, Placed(("seal", 0), AUTHOR, 0, bytes(32), committed, "fallback"))
    return made


def test_a_choice_that_was_never_sealed_is_the_stand_ins() -> None:
    made = choices(None)
    assert made.take(9, [("seal", 0)]) == {("seal", 0): "fallback"}


def test_a_choice_that_was_sealed_and_stays_shut_is_none() -> None:
    made = choices(bytes(32))
    made.seals.write_off(AUTHOR, [("seal", 0)])
    assert made.take(9, [("seal", 0)]) == {("seal", 0): None}


def test_an_opened_choice_is_what_was_sealed() -> None:
    value = encode(["seat", 3])
    made = choices(seal_commitment(TABLE, 0, ("seal", 0), AUTHOR, value, NONCE))
    assert made.seals.open(("seal", 0), AUTHOR, value, NONCE) is None
    assert made.take(9, [("seal", 0)]) == {("seal", 0): ["seat", 3]}


# At the table --------------------------------------------------------------------------------------------------------


class OffAndOn(Reticent):
    """Silent about some kinds of entries from a moment on."""


def bidding(silent: int, withheld: str) -> CheatTable:
    """Four who have all sealed a bid; one of them then says nothing of one kind."""
    OffAndOn.withheld = frozenset()
    table = CheatTable()
    table.peers[silent] = member(table.genesis, table.keys[silent], table.peers[silent].machine.clone(), kind=OffAndOn)
    table.start()
    table.play_to("seal")
    OffAndOn.withheld = frozenset({withheld})
    for number in range(4):
        assert table.peers[number].answer(number, [number]) is None
    table.settle()
    assert table.peers[0].position.step.kind == "reveal"
    return table


def bid(position: Position, owner: bytes) -> tuple[str, int]:
    return next(handle for handle, placed in position.chance.choices.placed.items() if placed.author == owner)


def test_a_short_choice_is_sealed_so_that_the_others_can_open_it_or_not_at_all() -> None:
    """A hash alone, of which only its author knows more, would be a choice that can still be made by silence."""
    table = CheatTable()
    table.start()
    table.play_to("seal")
    cheat = table.keys[1].key.public
    bodies: list[list[Plain]] = [[1, bytes(32)], [1, bytes(32), bytes(32)]]
    for body in bodies:
        table.say(1, "seal", body, to=[0, 2])
        for judge in (0, 2):
            assert table.peers[judge].faults[cheat][0].code == "seal/form"
            assert cheat in table.peers[judge].owing()


def test_between_two_a_short_choice_is_a_hash_and_nothing_more() -> None:
    table = DirectTable([[0], [1]], 5, options={"draws": "sealed"})
    table.start()
    while table.peers[0].position.step.kind != "seal":
        assert table.step()
    long: Any = [1, bytes(32), bytes(32), bytes(64), bytes(64)]
    chance, pending = table.peers[0].position.chance, table.peers[0].position.step.pending
    assert pending is not None
    assert chance.seal_key(pending) is None
    table.step()
    entry = table.log_of("seal")[0]
    assert isinstance(entry.body, list)
    assert chance.sealed_choice(entry, ("bid", 0), pending) == entry.body[1]
    assert chance.sealed_choice(replace(entry, body=long), ("bid", 0), pending) is None
    assert chance.sealed_choice(replace(entry, body=[0, bytes(31)]), ("bid", 0), pending) is None


def test_openings_of_a_height_that_a_pact_ended_are_asked_for_again() -> None:
    """They may not have reached everybody when it ended; who had heard them would not wait where others do."""
    table = bidding(3, "reveal")
    height = table.peers[0].position.height
    assert len(table.log_of("reveal")) == 3
    table.cut_off.add(3)
    table.agree("absent", [3])
    said: dict[int, dict[bytes, Value]] = {}
    for entry in table.log_of("reveal"):
        said.setdefault(entry.height, {})[entry.author] = entry.body
    assert list(said) == [height, height + 1]
    assert said[height] == said[height + 1], "the same choices, for they were sealed"


def test_the_opening_of_one_who_is_then_left_out_counts() -> None:
    """It lies before the cut, so everybody has it: nobody opens that choice by force."""
    table = bidding(3, "share")
    silent, position = table.keys[3].key.public, table.peers[3].position
    task = position.step.task
    assert task is not None
    made: Any = task.make(
        "reveal", table.peers[3].member_secrets.at("reveal", position.epoch, position.height, position.head)
    )
    table.say(3, "reveal", made.body)
    table.cut_off.add(3)
    table.agree("absent", [3])
    position = table.peers[0].position
    assert position.step.kind == "reveal"
    assert position.step.task is not None
    assert position.chance.choices.owing([bid(position, silent)]) == []
    assert position.step.task.owed() == [("share", silent)]
    assert not [entry for entry in table.log_of("partial") if entry.height >= position.height]
    table.agree("gone", [3])
    table.play()
    position = table.peers[0].position
    assert position.over
    assert position.chance.forced == []
    assert not table.peers[0].faults
