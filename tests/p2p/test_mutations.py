"""Alter any byte of any message of fairness in a finished game, sign it anew with its author's key, chain his later
entries to it: the game is not intact any more, or does not come to its end."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache

import pytest
from volume import VOLUME

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.follower import Follower
from p2p.lockstep.judging import judge
from p2p.lockstep.step import STAGE, ProvenFault
from p2p.lockstep.task import Job
from p2p.testing.cheats import CheatTable, alter, vanished_bidder
from p2p.testing.machine import TestMachine
from p2p.wire.codec import Value, WireError, decode, encode
from p2p.wire.entry import Entry, make_entry, read_entry

KINDS = sorted(set(STAGE) - {"answer", "complaint"})
EACH = 4 * VOLUME
"""Altered bytes of each kind, spread over all its entries; they wander with every byte of a body."""


@cache
def table() -> CheatTable:
    return vanished_bidder(rounds=2)


def log() -> list[Entry]:
    return table().log_at(0)


def verdict(entries: list[Entry], *, checked: bool = True) -> Audit:
    return audit(entries, lambda genesis: TestMachine(genesis.seats, 2), checked=checked)


def signed_anew(entries: list[Entry], number: int, body: Value) -> list[Entry]:
    """The log with another body in one place, and all later entries of its author after it."""
    keys = {keys.key.public: keys.key.private for keys in table().keys}
    changed: dict[bytes, bytes] = {}
    result = []
    for place, entry in enumerate(entries):
        if entry.author == entries[number].author and place >= number:
            made = make_entry(
                keys[entry.author],
                table=entry.table,
                seq=entry.seq,
                prev=changed.get(entry.prev, entry.prev),
                epoch=entry.epoch,
                height=entry.height,
                head=entry.head,
                state=entry.state,
                kind=entry.kind,
                body=body if place == number else entry.body,
            )
            changed[entry.id] = made.id
            entry = made
        result.append(entry)
    return result


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :]


def mutants(entries: list[Entry], kind: str) -> Iterator[tuple[int, int, Value]]:
    """Some altered bodies of a kind that are still bodies: number of the entry, place of the byte, body."""
    places = [
        (number, at)
        for number, entry in enumerate(entries)
        if entry.kind == kind
        for at in range(len(encode(entry.body)))
    ]
    step = max(1, len(places) // EACH)
    for number, at in places[step // 2 :: step]:
        try:
            yield number, at, decode(flipped(encode(entries[number].body), at))
        except WireError:
            continue


def test_the_game_as_it_was_played_holds_every_kind_and_is_intact() -> None:
    entries = log()
    found = verdict(entries)
    assert found.ok, found.problems
    assert found.complete
    assert {entry.kind for entry in entries} >= set(KINDS)
    assert [pact.kind for pact in found.pacts] == ["absent", "gone"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_altered_byte_that_is_signed_anew_is_found(kind: str) -> None:
    entries, tried = log(), 0
    for number, at, body in mutants(entries, kind):
        tried += 1
        found = verdict(signed_anew(entries, number, body))
        assert not (found.ok and found.complete), f"byte {at} of entry {number}, {entries[number].kind}"
    assert tried >= EACH // 2


FREE: dict[str, list[tuple[int, ...]]] = {
    "commit": [(1,), (2, 2)],
    "open": [(2,)],
    "keys": [(2,)],
    "seal": [(1,)],
    "ok": [()],
}
"""Parts that stand for something which shows later: commitments, masked shares (their receivers complain), the hash of
all dealings (oks that differ make no keys)."""


def inside(body: Value, path: tuple[int, ...]) -> Value:
    """What lies at this path, None where nothing does."""
    for number in path:
        body = body[number] if isinstance(body, list) and number < len(body) else None
    return body


def fixed(kind: str, before: Value, after: Value) -> bool:
    """Whether something was altered that can be judged on the spot."""
    for path in FREE.get(kind, ()):
        one, other = inside(before, path), inside(after, path)
        if one != other and isinstance(one, bytes) and isinstance(other, bytes) and len(one) == len(other):
            return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_judged_at_once_is_judged_at_once(kind: str) -> None:
    """The same bytes, met where the entry stands: a fault of its author, or an entry that rests on others."""
    entries: list[Entry] = log()
    made: dict[int, list[tuple[int, Value]]] = {}
    for number, at, body in mutants(entries, kind):
        made.setdefault(number, []).append((at, body))
    follower, tried = Follower(table().genesis, TestMachine(4, 2)), 0
    for number, entry in enumerate(entries):
        for at, body in made.get(number, []):
            position = follower.position
            if not fixed(kind, entry.body, body) or (position.height, position.head) != (entry.height, entry.head):
                continue
            (mutant,) = signed_anew(entries, number, body)[number : number + 1]
            trial = deepcopy(position)
            found = judge(trial, mutant)
            while isinstance(found, Job):
                found = judge(trial, mutant, found.run())
            if found != "later":
                tried += 1
                assert isinstance(found, ProvenFault) or found == "elsewhere", f"byte {at} of entry {number}: {found}"
                assert not isinstance(found, ProvenFault) or found.author == entry.author
        follower.take(entry)
        follower.settled()
    assert tried or kind == "ok"


def test_a_complaint_of_which_any_byte_is_altered_convicts_no_dealer() -> None:
    cheated = CheatTable(seed=5, rounds=2)
    cheated.cheat(2, alter("keys", 2, at=64 + 7))
    cheated.start()
    cheated.play()
    entries, dealer = cheated.log_at(0), cheated.keys[2].key.public
    number = next(number for number, entry in enumerate(entries) if entry.kind == "complaint")
    assert [proof.author for proof in verdict(entries).proofs] == [dealer]
    data = encode(entries[number].body)
    for at in range(0, len(data), 5):
        try:
            body = decode(flipped(data, at))
        except WireError:
            continue
        found = verdict(signed_anew(entries, number, body))
        assert dealer not in [proof.author for proof in found.proofs], f"byte {at}"


@pytest.mark.parametrize("kind", [*KINDS, "answer"])
def test_an_altered_byte_that_is_not_signed_is_found(kind: str) -> None:
    entries = log()
    number = next(number for number, entry in enumerate(entries) if entry.kind == kind)
    raw = entries[number].raw
    for at in range(number % 7, len(raw), max(1, len(raw) // EACH)):
        try:
            altered = read_entry(flipped(raw, at))
        except WireError:
            continue
        found = verdict([*entries[:number], altered, *entries[number + 1 :]], checked=False)
        assert not found.ok, f"byte {at}"
