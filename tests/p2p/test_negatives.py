"""Negative tests of the fairness design, by number, that belong to the table as a whole and to no single module."""

from __future__ import annotations

import ast
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.lockstep.ballots import Ballots
from p2p.lockstep.effects import Work
from p2p.lockstep.pacts import FeedEnd, Pact, threshold
from p2p.testing.cheats import CheatTable
from p2p.testing.hostile_silence import reticent
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import WireError, decode
from p2p.wire.entry import Entry, make_entry, parse_entry
from seeds.hashing import H

ROOT = Path(__file__).parents[2]


def standing(silent: dict[int, str], members: int = 3) -> DirectTable:
    """A sealed table that stands where somebody keeps silent. silent: which kind of entry each of these never says."""
    fresh = TestMachine(members, 1)
    table = DirectTable([[seat] for seat in range(members)], 6, machine=fresh, options={"draws": "sealed"})
    table.peers = [
        member(table.genesis, keys, fresh.clone(), kind=reticent(silent.get(number, "")))
        for number, keys in enumerate(table.keys)
    ]
    table.start()
    table.play()
    return table


def next_entry(table: DirectTable, author: int, kind: str, body: Any, after: Entry | None = None) -> Entry:
    """What this member signs next at the table's position."""
    key, peer = table.keys[author].key, table.peers[author]
    position, last = peer.position, after or peer.feeds.last(key.public)
    assert last is not None
    return make_entry(
        key.private, table=table.genesis.table, seq=last.seq + 1, prev=last.id, epoch=position.epoch,
        height=position.height, head=position.head, state=position.state, kind=kind, body=body,
    )  # fmt: skip


def codes(table: DirectTable, judge: int, author: int) -> list[str]:
    return [fault.code for fault in table.peers[judge].faults.get(table.keys[author].key.public, [])]


def test_n43_a_partial_waits_until_every_seed_is_open_and_is_asked_for_at_rolls_alone() -> None:
    table = standing({2: "open"})
    position = table.peers[0].position
    assert position.step.kind == "roll"
    assert table.log_of("partial") == [], "no honest member lifts the lock before"
    task = position.step.task
    assert task is not None
    made: Any = task.make("partial", table.peers[0].member_secrets)
    early = next_entry(table, 0, "partial", made.body)
    table.peers[1].feed(early)
    assert table.peers[1].reading.held(early.author) == early
    assert codes(table, 1, 0) == []
    other = standing({2: "reveal"})
    other.peers[1].feed(next_entry(other, 0, "partial", made.body))
    assert codes(other, 1, 0) == ["entry/not-asked"]


def test_n73_an_opening_signed_after_the_cut_changes_nothing_whenever_it_comes() -> None:
    table = CheatTable()
    table.withheld.add((3, "open"))
    table.start()
    table.play()
    assert table.peers[0].position.step.kind == "roll"
    vanished = table.keys[3].key.public
    table.cut_off.add(3)
    table.agree("absent", [3])
    roll = table.peers[0].position.chance.rolls[0].roll
    assert dict(roll.seeds)[vanished] is None
    stood = (table.peers[0].position.height, table.peers[0].position.head)
    late = [entry for entry in table.peers[3].feeds.feed(vanished) if entry.kind == "open"]
    assert late
    for entry in table.peers[3].feeds.feed(vanished):
        table.peers[0].feed(entry)
    table.peers[0].settled()
    assert table.peers[0].feeds.last(vanished) == table.peers[3].feeds.last(vanished)
    assert (table.peers[0].position.height, table.peers[0].position.head) == stood
    assert table.peers[0].position.chance.rolls[0].roll == roll
    assert not table.peers[0].faults


def test_n73_an_opening_signed_after_the_cut_stays_out_of_a_roll_that_is_still_open() -> None:
    """The others have agreed to go on without a seed and wait for who lifts the lock: whoever was left out knows the
    faces with and without its own by then."""
    table = CheatTable()
    table.withheld |= {(3, "open"), (2, "partial")}
    table.start()
    table.play()
    vanished = table.keys[3].key.public
    table.cut_off.add(3)
    table.agree("absent", [3])
    judges, task = [table.peers[number] for number in (0, 1)], table.peers[0].position.step.task
    assert task is not None
    assert table.peers[0].position.step.kind == "roll"
    assert task.owed() == [("partial", table.keys[2].key.public)]
    late = [entry for entry in table.peers[3].feeds.feed(vanished) if entry.kind == "open"]
    assert [entry.height for entry in late] == [table.peers[0].position.height]
    for entry in table.peers[3].feeds.feed(vanished):
        table.peers[0].feed(entry)
    table.settle()
    assert table.peers[0].feeds.get(late[0].id) is not None
    assert not table.peers[0].faults
    for entry in table.peers[2].feeds.feed(table.keys[2].key.public):
        for judge in judges:
            judge.feed(entry)
    table.settle()
    seeds = [dict(judge.position.chance.rolls[0].roll.seeds)[vanished] for judge in judges]
    assert seeds == [None, None]
    assert len({judge.position.head for judge in judges}) == 1
    assert not any(judge.faults for judge in judges)


def test_n74_whoever_lifts_a_lock_the_heads_are_equal() -> None:
    table = CheatTable()
    table.withheld.add((0, "partial"))
    table.start()
    table.play()
    lifted = [peer.position.chance.rolls[0].lifted for peer in table.peers]
    assert len(set(lifted)) > 1
    assert table.keys[0].key.public in lifted[0]
    assert table.keys[0].key.public not in lifted[1]
    height = table.peers[0].position.chance.rolls[0].roll.height
    assert len({peer.position.past[height + 1].head for peer in table.peers}) == 1


def test_n55_nothing_is_sealed_any_more_when_the_first_choice_is_open() -> None:
    table = standing({2: "reveal"})
    assert table.peers[0].position.step.kind == "reveal"
    assert len(table.log_of("reveal")) == 2
    (sealed,) = (entry for entry in table.log_of("seal") if entry.author == table.keys[2].key.public)
    for judge in (0, 1):
        table.peers[judge].feed(next_entry(table, 2, "seal", sealed.body))
        assert codes(table, judge, 2) == ["entry/kind"]


def test_n60_a_signature_counts_for_its_table_alone() -> None:
    table = standing({2: "open"})
    entry = table.log_of("answer")[0]
    assert parse_entry(entry.raw).id == entry.id
    moved = entry.raw.replace(table.genesis.table, H("another table"))
    assert len(moved) == len(entry.raw)
    assert moved != entry.raw
    with pytest.raises(WireError) as caught:
        parse_entry(moved)
    assert caught.value.code == "entry/signature"


MEMBERS = [bytes([number]) * 32 for number in range(5)]


@given(st.integers(1, 4), st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=20))
def test_n61_too_few_signatures_the_victims_own_and_repeated_ones_leave_nobody_out(
    named: int, said: list[tuple[int, bool]]
) -> None:
    """Complete is only what every member that is not named has signed, and they are t or more."""
    out = tuple(FeedEnd(author, 0, bytes(32)) for author in MEMBERS[:named])
    pact, ballots = Pact("absent", 3, bytes(32), out, None), Ballots()
    for number, again in said:
        ballots.sign(pact.id, MEMBERS[number], 0)
        if again:
            ballots.sign(pact.id, MEMBERS[number], 0)
    signed = {number for number, _ in said}
    rest = set(range(named, 5))
    assert ballots.complete(pact, MEMBERS) == (rest <= signed and len(rest) >= threshold(5))


@pytest.mark.parametrize("depth", [9, 5_000, 20_000])
@pytest.mark.parametrize("opening", [b"\x81", b"\xa1\x61a"])
def test_n65_nesting_of_any_depth_is_refused_at_the_ninth_level(depth: int, opening: bytes) -> None:
    with pytest.raises(WireError) as caught:
        decode(opening * depth + b"\x00")
    assert caught.value.code == "wire/too-deep"


@pytest.mark.parametrize("major", [0x5B, 0x7B, 0x9B, 0xBB])
def test_n66_a_length_of_two_to_the_40_is_refused_without_taking_memory(major: int) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(WireError) as caught:
            decode(bytes([major]) + (2**40).to_bytes(8, "big") + bytes(100))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert caught.value.code == "wire/truncated"
    assert peak < 100_000


def test_n67_nothing_that_peers_send_is_ever_unpacked() -> None:
    """No compression, so no bombs: nothing in these packages can inflate."""
    packing = {"zlib", "gzip", "bz2", "lzma", "zipfile", "tarfile", "pickle", "marshal", "shelve"}
    for path in [path for folder in ("p2p", "seeds") for path in (ROOT / folder).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not packing & {name.split(".")[0] for name in names}, path


def test_n69_of_a_flood_of_proofs_one_is_checked_and_the_rest_convicts() -> None:
    table = standing({0: "shuffle"})
    judge, step = table.peers[1], table.peers[1].position.step
    assert step.kind == "shuffle"
    honest: Any = step.task.make("shuffle", table.peers[0].member_secrets.at("a try", 0, 0, bytes(32))).run()  # type: ignore[union-attr]
    points, numbers = honest.body
    judge.effects()
    last, jobs = None, []
    for number in range(60):
        body = [step.basis("shuffle"), [points, number.to_bytes(32, "little") + numbers[32:]]]
        last = next_entry(table, 0, "shuffle", body, after=last)
        judge.feed(last)
        jobs += [effect.job for effect in judge.effects() if isinstance(effect, Work)]
    assert len(jobs) == 1, "one proof of a member is looked at at a time"
    judge.worked(jobs[0], jobs[0].run())
    assert not [effect for effect in judge.effects() if isinstance(effect, Work)]
    assert codes(table, 1, 0)[:2] == ["deck/shuffle-proof", "entry/twice"]
    assert judge.position.step is step
    assert judge.reading.held(table.keys[0].key.public) is None
