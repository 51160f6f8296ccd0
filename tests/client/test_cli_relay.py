"""`starlock relay` joins real peers that can meet only there, and ends within a second."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest
from peers import Starlock, guest, host, ticket

from p2p.reach.ticket import parse_ticket

pytestmark = pytest.mark.slow

NO_DIRECT = """
import p2p.link.punched as punched
from p2p.link.contract import LinkRefusedError
async def unreachable(*_, leads=False):
    raise LinkRefusedError("link/unreachable", "no route")
punched.punch = unreachable
import p2p.reach.dial as dial
dial.TRANSPORTS = {**dial.TRANSPORTS, "tcp": unreachable}
"""
"""A network where nobody can be dialed."""


def relay(folder: Path, *words: str) -> tuple[Starlock, int]:
    """A relay and its port."""
    made = Starlock(folder, "relay", "--port", "0", "--json", *words)
    assert made.process.stdout is not None
    return made, int(json.loads(made.process.stdout.readline())["port"])


def test_a_whole_game_is_played_through_a_relay(tmp_path: Path) -> None:
    serving, port = relay(tmp_path / "relay")
    with serving:
        with host(tmp_path / "ann", "--relay", f"127.0.0.1:{port}", script=NO_DIRECT) as ann:
            line = ticket(ann)
            assert parse_ticket(line).relays == (f"relay://127.0.0.1:{port}",)
            with guest(tmp_path / "bob", line, "Bob", script=NO_DIRECT) as bob:
                assert bob.end() == 0, bob.errors  # a host waits for ever for a guest who gave up
                assert ann.end() == 0, ann.errors
                assert ann.answer["digest"] == bob.answer["digest"]
        for folder in ("ann", "bob"):
            log = (tmp_path / folder / "log").read_text("utf-8")
            assert "127.0.0.1" not in log
            assert "relay:" not in log


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_a_relay_ends_within_a_second_of_being_told_to(tmp_path: Path) -> None:
    serving, _port = relay(tmp_path / "relay")
    with serving:
        began = time.monotonic()
        serving.process.send_signal(signal.SIGTERM)
        assert serving.process.wait(60) == 0
        assert time.monotonic() - began < 10  # a second, on a machine with nothing else to do


def test_limits_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for words in (["--limit", "0"], ["--rate", "-1"], ["--port", "70000"]):
        with Starlock(tmp_path / "relay", "relay", *words, "--json") as refused:
            assert refused.end() == 2
