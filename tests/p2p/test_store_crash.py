"""What was acknowledged survives every crash with the secrets it binds; what was not is there whole or not at all.

Two kinds of crash: a process killed at any moment, and a power cut in the middle of a write. The second is rebuilt from
the files themselves. sqlite promises no more of a disk than that a sync ends all writes before it; so between two
commits every mixture of old and new sectors is possible, in the log first and, once that is synced, in the database.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from logkit import TABLE, entry, feed, member
from store_writer import choice, sealing
from volume import gated

from p2p.log.feeds import feeds_of
from p2p.log.store import Store
from p2p.wire.entry import check_signature
from seeds.seals import Seals, seal_nonce

ANN, BOB = member("ann"), member("bob")
SECTOR = 512


def checked(home: Path) -> int:
    """How many own entries the store has; each signed, in its place, and able to be opened from the store alone."""
    with Store(home, "1.0") as store:
        keys, secrets = store.keys(TABLE), store.secrets(TABLE)
        assert keys is not None
        stored = [one for one, _ in store.entries(TABLE)]
    feeds = feeds_of(TABLE, stored)
    assert feeds.entries == stored, "no gap, no fork, no disorder"
    mine = feeds.feed(keys.key.public)
    assert set(secrets) == {f"seal/{one.seq}" for one in mine}, "an entry and its secret come and go together"
    seals = Seals(TABLE)
    for one in mine:
        check_signature(one)
        assert isinstance(one.body, list)
        committed = one.body[1]
        assert isinstance(committed, bytes)
        handle = ("seal", one.seq)
        chosen = secrets[f"seal/{one.seq}"]
        nonce = seal_nonce(keys.secret, TABLE, 0, handle, TABLE, chosen)
        assert seals.place(handle, keys.key.public, 0, TABLE, committed) is None
        assert seals.open(handle, keys.key.public, chosen, nonce) is None
    return len(mine)


def writing(home: Path) -> subprocess.Popen[str]:
    """Start a process that writes as fast as it can."""
    here = Path(__file__).parent
    paths = {"PYTHONPATH": os.pathsep.join([str(here), str(here.parents[1])])}
    command = [sys.executable, "-m", "store_writer", str(home)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | paths)


def test_a_process_killed_at_any_moment_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    rng = random.Random(7)
    acknowledged, secrets = 0, set()
    for _ in range(8):
        with writing(tmp_path) as writer:
            assert writer.stdout is not None
            joined = writer.stdout.readline().split()
            assert joined[0] == "joined"
            secrets.add(joined[1])
            for _ in range(rng.randrange(60)):
                acknowledged = int(writer.stdout.readline()) + 1
            writer.kill()
            for line in writer.stdout:
                if line.endswith("\n"):
                    acknowledged = int(line) + 1
        stored = checked(tmp_path)
        assert acknowledged <= stored <= acknowledged + 1
    assert len(secrets) == 1, "the table secret was durable before the first word"
    assert acknowledged > 50


class Recording:
    """The files of a store after each commit, so that crashes between two commits can be made up."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.states: list[tuple[bytes, bytes, int]] = []
        with Store(home, "1.0") as store:
            store.disk.rows("PRAGMA wal_autocheckpoint = 7")  # so that the log also starts anew, many times
            store.add_table(TABLE, {}, ANN)
            self._note(0)
            last = None
            others = iter(feed(BOB, 60))
            for number in range(20):
                if number % 4:
                    store.receive([(next(others), None) for _ in range(number % 4)])
                    self._note(number)
                last = sealing(ANN, number, last)
                store.append(last, {f"seal/{number}": choice(number)})
                self._note(number + 1)

    def _note(self, own: int) -> None:
        log = self.home / "starlock.db-wal"
        self.states.append(((self.home / "starlock.db").read_bytes(), log.read_bytes(), own))

    def rebuilt(self, target: Path, database: bytes, log: bytes) -> int:
        """Own entries in a store with these files, opened after the crash."""
        target.mkdir()
        (target / "starlock.db").write_bytes(database)
        (target / "starlock.db-wal").write_bytes(log)
        return checked(target)


def torn(old: bytes, new: bytes, rng: random.Random) -> bytes:
    """Any sectors of the new file written, the others as before; a file that grew may be cut behind its old end."""
    size = rng.randint(min(len(old), len(new)), max(len(old), len(new)))
    before = old + bytes(max(0, size - len(old)))
    after = new + old[len(new) :]
    share = rng.choice((0.1, 0.5, 0.9, 1.0))
    mixed = bytearray(before[:size])
    for at in range(0, size, SECTOR):
        if rng.random() < share:
            mixed[at : at + SECTOR] = after[at : min(at + SECTOR, size)]
    return bytes(mixed[:size])


@pytest.mark.parametrize("seed", gated([1, 2, 3], 1))
def test_a_power_cut_in_the_middle_of_a_commit_leaves_it_whole_or_not_at_all(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    recording = Recording(tmp_path / "home")
    found = set()
    for number, ((database, old_log, before), (_, new_log, after)) in enumerate(pairwise(recording.states)):
        entries = recording.rebuilt(tmp_path / f"cut{number}", database, torn(old_log, new_log, rng))
        assert entries in (before, after)
        found.add((entries - before, after - before))
    assert {(0, 1), (1, 1)} <= found, "both ends of a commit were seen"


@pytest.mark.parametrize("seed", gated([1, 2], 1))
def test_a_power_cut_while_the_log_moves_into_the_database_loses_nothing(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    recording = Recording(tmp_path / "home")
    moved = [
        (torn(old, new, rng), log, own) for (old, _, _), (new, log, own) in pairwise(recording.states) if old != new
    ]
    assert len(moved) > 3
    for number, (database, log, own) in enumerate(moved):
        assert recording.rebuilt(tmp_path / f"cut{number}", database, log) == own


def test_every_state_between_two_commits_can_be_opened(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "home")
    for number, (database, log, own) in enumerate(recording.states):
        assert recording.rebuilt(tmp_path / f"state{number}", database, log) == own


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    with Store(tmp_path, "1.0") as store:
        found = [store.disk.rows(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "synchronous", "fullfsync")]
    assert found == ["wal", 2, 1]


def test_a_peer_that_only_follows_recovers_what_others_said(tmp_path: Path) -> None:
    theirs = feed(BOB, 3)
    with Store(tmp_path, "1.0") as store:
        store.add_table(TABLE, {}, None)
        store.receive((one, None) for one in theirs)
    with Store(tmp_path, "1.0") as store:
        assert [one for one, _ in store.entries(TABLE)] == theirs
        store.receive([(entry(BOB, theirs[-1]), None)])
        assert len(store.entries(TABLE)) == 4
