"""`starlock relay` joins real peers that can meet only there, and ends within a second."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from peers import Starlock, guest, host, ticket

from client import cli
from client.table.words import way_text
from p2p.reach.relay import PORT
from p2p.reach.ticket import parse_ticket
from p2p.wire.circuit import peer_id

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


def test_a_host_is_told_that_a_relay_does_not_serve(tmp_path: Path) -> None:
    with host(tmp_path / "ann", "--relay", "127.0.0.1:1") as ann:
        ann.until(lambda: "relay://127.0.0.1:1 does not relay" in ann.errors)
        assert ticket(ann)  # and may go on without it


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


def test_each_way_to_somebody_has_words() -> None:
    assert [way_text(way) for way in ("direct", "relay", "libp2p", "Ann", "")] == [
        "direct",
        "through a relay",
        "through libp2p",
        "through Ann",
        "no connection",
    ]


@pytest.mark.parametrize(("extra", "code"), [(True, "cli/multiaddr"), (False, "libp2p/missing")])
def test_a_host_without_the_extra_or_with_no_relay_of_libp2p_is_told_before_anything_is_opened(
    tmp_path: Path, extra: bool, code: str
) -> None:
    multiaddr = "/ip4/203.0.113.9/tcp/4001" if extra else f"/ip4/203.0.113.9/tcp/4001/p2p/{peer_id(bytes(32))}"
    script = "" if extra else "import p2p.reach.circuits as circuits\ncircuits.installed = lambda: False"
    with host(tmp_path / "ann", "--libp2p", multiaddr, script=script) as ann:
        assert ann.end() == 2
        assert ann.answer["error"]["code"] == code


def test_the_unit_of_systemd_and_the_container_run_a_command_that_there_is() -> None:
    scripts = Path(__file__).parents[2] / "scripts"
    unit = re.search(r"^ExecStart=\S+/starlock (.+)$", (scripts / "starlock-relay.service").read_text(), re.MULTILINE)
    container = re.search(r"^ENTRYPOINT (\[.+\])$", (scripts / "relay.Containerfile").read_text(), re.MULTILINE)
    assert unit is not None
    assert container is not None
    name, *words = json.loads(container[1])
    assert (name, words) == ("starlock", unit[1].split())
    assert words[0] == "relay"
    assert cli.parsers()["relay"][1].parse_args(words[1:]).port == PORT
