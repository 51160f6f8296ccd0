"""Two peers that can only meet at a relay of the libp2p network play a whole game through it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from jsrelay import WITH_EXTRA, js_relay, missing
from peers import guest, host, resume, ticket
from test_cli_relay import NO_DIRECT

from p2p.reach.ticket import parse_ticket
from p2p.wire.circuit import relay_of

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

SCRIPT = WITH_EXTRA + NO_DIRECT


def test_a_whole_game_is_played_through_a_relay_of_the_libp2p_network(tmp_path: Path) -> None:
    """One of the two leaves in the middle, at once, and finds back by what its home knows."""
    with (
        js_relay(tmp_path / "relay") as relay,
        host(tmp_path / "ann", "--libp2p", relay.multiaddr, script=SCRIPT) as ann,
    ):
        line = ticket(ann)
        assert [relay_of(address) for address in parse_ticket(line).relays] == [f"libp2p:{relay.multiaddr}"]
        with guest(tmp_path / "bob", line, "Bob", script=SCRIPT) as bob:
            bob.reaches(30)
            began = time.monotonic()
            bob.process.terminate()
            bob.process.wait(60)
            assert time.monotonic() - began < 10  # a second, on a machine with nothing else to do
        with resume(tmp_path / "bob", script=SCRIPT) as bob:
            assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
            assert ann.answer["digest"] == bob.answer["digest"]
    for folder in ("ann", "bob"):
        log = (tmp_path / folder / "log").read_text("utf-8")
        assert "127.0.0.1" not in log
        assert "libp2p:" not in log


@pytest.mark.soak
def test_a_node_in_the_settings_leads_to_a_relay_where_a_ticket_names_none(tmp_path: Path) -> None:
    """The ticket is stripped of its relays, as that of a host who had named none."""
    with js_relay(tmp_path / "relay") as relay, js_relay(tmp_path / "node", known=relay.multiaddr) as node:
        for name in ("ann", "bob"):
            listed = tmp_path / name / "home" / "config" / "relays.txt"
            listed.parent.mkdir(parents=True)
            listed.write_text(f"{node.multiaddr}\n", "utf-8")
        with host(tmp_path / "ann", local=False, script=SCRIPT) as ann:
            whole = parse_ticket(ticket(ann))
            line = str(replace(whole, relays=()))
            with guest(tmp_path / "bob", line, "Bob", local=False, script=SCRIPT) as bob:
                assert (ann.end(), bob.end()) == (0, 0), ann.errors + bob.errors
                assert ann.answer["digest"] == bob.answer["digest"]
                assert bob.events("link/up")[0]["way"] == "libp2p"


@pytest.mark.soak
def test_a_table_that_began_elsewhere_goes_on_at_a_relay_that_is_named_later(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann, guest(tmp_path / "bob", ticket(ann), "Bob") as bob:
        bob.reaches(3)
        ann.kill()
        bob.kill()
    with js_relay(tmp_path / "relay") as relay:
        words = ("--libp2p", relay.multiaddr)
        with (
            resume(tmp_path / "ann", *words, script=SCRIPT) as ann,
            resume(tmp_path / "bob", *words, script=SCRIPT) as bob,
        ):
            height = max(ann.height, bob.height)
            ann.reaches(height + 5)
            assert "libp2p" in {each["way"] for each in ann.events("link/up")}
