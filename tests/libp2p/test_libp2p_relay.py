"""Two peers that can only meet at a relay of the libp2p network play a whole game through it."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest
from jsrelay import WITH_EXTRA, JsRelay, js_relay, missing
from peers import guest, host, resume, ticket
from test_cli_relay import NO_DIRECT

from client.errors import INTERRUPTED
from p2p.reach.ticket import parse_ticket
from p2p.wire.circuit import relay_of

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

SCRIPT = WITH_EXTRA + NO_DIRECT


def test_a_whole_game_is_played_through_a_relay_of_the_libp2p_network(tmp_path: Path) -> None:
    """One of the two crashes in the middle, and finds back by what its home knows."""
    with js_relay(tmp_path / "relay") as relay, host(tmp_path / "ann", *at(relay), script=SCRIPT) as ann:
        line = ticket(ann)
        assert [relay_of(address) for address in parse_ticket(line).relays] == [f"libp2p:{relay.multiaddr}"]
        with guest(tmp_path / "bob", line, "Bob", script=SCRIPT) as bob:
            bob.reaches(30)
            bob.kill()
        with resume(tmp_path / "bob", script=SCRIPT) as bob:
            assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
            assert ann.answer["digest"] == bob.answer["digest"]
    for folder in ("ann", "bob"):
        log = (tmp_path / folder / "log").read_text("utf-8")
        assert "127.0.0.1" not in log
        assert "libp2p:" not in log


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_who_waits_at_a_relay_ends_at_once_when_told_to(tmp_path: Path) -> None:
    with (
        js_relay(tmp_path / "relay") as relay,
        host(tmp_path / "ann", *at(relay), script=SCRIPT) as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob", script=SCRIPT) as bob,
    ):
        bob.reaches(1)
        began = time.monotonic()
        bob.process.send_signal(signal.SIGTERM)
        assert bob.process.wait(60) == INTERRUPTED
        assert time.monotonic() - began < 10  # a second, on a machine with nothing else to do


def at(relay: JsRelay) -> tuple[str, str]:
    """The words that name a relay."""
    return "--libp2p", relay.multiaddr
