"""Two peers on two hosts of one network sit down by a ticket, play, and survive a cut cable."""

from __future__ import annotations

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
