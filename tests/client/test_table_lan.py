"""Two peers on two hosts of one network sit down by a ticket, play, and survive a cut cable."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest
from bridge import bridge, missing
from peers import Starlock, ticket

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]


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
        words = ["host", "eclipse2", "--players", "2", "--as", "random", "--name", "Ann", "--open", "--json"]
        with (
            Starlock(tmp_path / "cid", "find", "--json", before=lan.command("c")) as looking,
            Starlock(tmp_path / "ann", *words, before=lan.command("a")) as ann,
        ):
            assert looking.process.stdout is not None
            found = json.loads(looking.process.stdout.readline())
            assert (found["game"], found["name"], found["free"], found["seats"]) == ("eclipse2", "Ann", 1, 2)
            assert found["fits"]
            join = ["join", "--as", "random", "--name", "Bob", "--json"]
            with Starlock(tmp_path / "bob", *join, before=lan.command("b")) as bob:
                assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
                assert ann.answer["digest"] == bob.answer["digest"]
            line = looking.process.stdout.readline
            changes = iter(lambda: json.loads(line()), None)
            assert next(change for change in changes if change["gone"])["name"] == "Ann"
            assert looking.process.poll() is None
            looking.process.send_signal(signal.SIGINT)
            assert looking.end() == 0, looking.errors
