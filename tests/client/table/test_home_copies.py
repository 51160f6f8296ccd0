"""A home that is an older copy, or runs twice, as real peers: it gets its entries back and contradicts nobody."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from peers import Starlock, guest, host, resume, ticket
from ports import free_port
from small import Game
from volume import gated

from p2p.reach.change import ASLEEP
from p2p.wire.entry import read_entry

pytestmark = pytest.mark.slow


def put_back(home: Path, aside: Path) -> None:
    """The whole home as it was, as from a backup of the folder."""
    shutil.rmtree(home)
    aside.rename(home)


def cut_log(home: Path, _aside: Path) -> None:
    """The write-ahead log without its last frames, which never reached the disk."""
    lose_entries(home, lambda log, frame, _end: log[:frame])


def flip_bit(home: Path, _aside: Path) -> None:
    """One bit of a frame: the database takes the commit before for the last."""
    lose_entries(home, lambda log, _frame, end: log[: end - 1] + bytes([log[end - 1] ^ 1]) + log[end:])


WAL_HEADER, FRAME_HEADER = 32, 24


def lose_entries(home: Path, damage: Callable[[bytes, int, int], bytes]) -> None:
    """Damage the last frame without which entries of both players are lost that the other one has. The log may end in
    frames from before its last restart, and what a player signed just before the kill may have reached nobody."""
    wal, before = home / "data" / "starlock.db-wal", heights_by_author(home)
    log = wal.read_bytes()
    size = FRAME_HEADER + int.from_bytes(log[8:12], "big")
    passed = min(heights[-1] for heights in before.values())
    for frame in range(len(log) - size, WAL_HEADER - 1, -size):
        wal.write_bytes(damage(log, frame, frame + size))
        after = heights_by_author(home)
        lost = {author: heights[len(after.get(author, ())) :] for author, heights in before.items()}
        if after.keys() == before.keys() and all(heights and heights[0] < passed for heights in lost.values()):
            return
    raise AssertionError("the write-ahead log holds no entry of both players that the other one has")


def heights_by_author(home: Path) -> dict[bytes, list[int]]:
    """The heights of the entries that the database has of each author, in the order of the feed, read from a copy: who
    opens the store repairs it."""
    with TemporaryDirectory(dir=home.parent) as copy:
        shutil.copytree(home / "data", copy, dirs_exist_ok=True)
        with closing(sqlite3.connect(Path(copy) / "starlock.db")) as store:
            found: dict[bytes, list[int]] = {}
            for author, raw in store.execute("SELECT author, raw FROM entries ORDER BY seq"):
                found.setdefault(author, []).append(read_entry(raw).height)
            return found


@pytest.mark.parametrize(
    ("name", "damage"), gated([("toy", cut_log), *(("eclipse2", each) for each in (cut_log, put_back, flip_bit))], 1)
)
def test_an_older_copy_gets_its_newer_entries_back_and_contradicts_nobody(
    tmp_path: Path, name: str, damage: Callable[[Path, Path], None]
) -> None:
    game = Game(tmp_path, height=31, name=name)
    with game.host("--local") as ann:
        with game.guest(ann, "Bob", "--local") as bob:
            bob.reaches(10)
            bob.kill()
        shutil.copytree(tmp_path / "bob" / "home", tmp_path / "aside")
        port = free_port()
        with game.resume("bob", "--port", str(port)) as bob:
            bob.reaches(30)
            bob.kill()
            assert bob.events("peer/listening")[-1]["port"] == port
        damage(tmp_path / "bob" / "home", tmp_path / "aside")
        with Starlock(tmp_path / "bob", "leave", "nothing", "--json") as other:
            assert other.end() == 2  # another command that opens the store does not make it whole
        game.go_on()
        with game.resume("bob") as again:
            assert (ann.end(), again.end()) == (0, 0), ann.errors + again.errors
            assert "come back from the others" in again.errors  # one entry "has", more "have"
            assert ann.answer["digest"] == again.answer["digest"]
    assert not ann.events("table/fault")


@pytest.mark.soak
@pytest.mark.skipif(os.name != "posix", reason="stops a process by a signal")
@pytest.mark.parametrize("still", [False, True], ids=["the copy is gone", "the copy is still at the table"])
def test_a_machine_that_sleeps_while_a_copy_plays_on_convicts_nobody_when_it_wakes(tmp_path: Path, still: bool) -> None:
    with (
        host(tmp_path / "ann", players=3) as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob") as bob,
        guest(tmp_path / "cid", ticket(ann), "Cid") as cid,
    ):
        bob.reaches(10)
        bob.process.send_signal(signal.SIGSTOP)
        asleep = time.monotonic()
        shutil.copytree(tmp_path / "bob" / "home", tmp_path / "copy" / "home")
        with resume(tmp_path / "copy") as copy:
            copy.reaches(ann.height + 15)
            ann.until(lambda: time.monotonic() > asleep + ASLEEP)
            if not still:
                copy.kill()
            bob.process.send_signal(signal.SIGCONT)
            if still:
                bob.until(lambda: "You play this table in another place now" in bob.errors)
                bob.kill()
                assert (ann.end(), cid.end(), copy.end()) == (0, 0, 0)
            else:
                assert (ann.end(), cid.end(), bob.end()) == (0, 0, 0)
                assert "come back from the others" in bob.errors
        assert not ann.events("table/fault")
        assert not cid.events("table/fault")
