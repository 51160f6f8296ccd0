"""Two peers on two hosts of one network sit down by a ticket, play, and survive a cut cable."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from bridge import bridge, missing
from peers import Starlock, ticket

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


@pytest.mark.soak  # test_reach_lan.py cuts the cable of two links, and the test below plays a game between two hosts
def test_two_hosts_play_and_survive_a_cut_cable(tmp_path: Path) -> None:
    with bridge("a", "b") as lan:
        words = ["--players", "2", "--as", "random", "--json"]
        file = tmp_path / "ann" / "ticket"
        with Starlock(
            tmp_path / "ann", "host", "eclipse2", *words, "--name", "Ann", "--ticket-file", str(file),
            before=lan.command("a"),
        ) as ann:  # fmt: skip
            line = ticket(ann)
            with Starlock(
                tmp_path / "bob", "join", line, "--as", "random", "--name", "Bob", "--json", before=lan.command("b")
            ) as bob:
                bob.reaches(15)
                lan.cut("b")
                ann.until(lambda: ann.events("table/link/down"))
                time.sleep(1)
                stood = ann.height
                lan.mend("b")
                ann.until(lambda: ann.height > stood + 10)
                assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
                assert ann.answer["digest"] == bob.answer["digest"]


def test_a_table_of_the_lan_is_joined_without_a_ticket_and_listed_until_the_search_ends(
    tmp_path: Path,
) -> None:
    with bridge("a", "b", "c") as lan:
        words = ["host", "nim", "--players", "2", "--as", "random", "--name", "Ann", "--open", "--json"]
        with (
            Starlock(tmp_path / "cid", "find", "--lang", "en", before=lan.command("c")) as looking,
            Starlock(tmp_path / "ann", *words, before=lan.command("a")) as ann,
        ):
            assert looking.process.stdout is not None
            assert b"Ann" in looking.process.stdout.readline()
            with Starlock(tmp_path / "dan", "find", "--json", before=lan.command("c")) as asking:
                assert asking.end() == 0, asking.errors
                (found,) = asking.answer["tables"]
            assert (found["game"], found["name"], found["free"], found["seats"]) == ("nim", "Ann", 1, 2)
            assert found["fits"]
            join = ["join", "--as", "random", "--name", "Bob", "--json"]
            with Starlock(tmp_path / "bob", *join, before=lan.command("b")) as bob:
                assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
                assert ann.answer["digest"] == bob.answer["digest"]
            lines = iter(looking.process.stdout.readline, b"")
            assert b"Ann" in next(line for line in lines if line.startswith(b"Gone"))
            assert looking.process.poll() is None
            looking.process.send_signal(signal.SIGINT)
            assert looking.end() == 0, looking.errors
