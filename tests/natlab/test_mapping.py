"""A real home router (miniupnpd) passes a port on when it is asked by PCP or UPnP, and lets IPv6 in when it is asked by
PCP, and friends come in by it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from peers import Starlock
from persons import person, shown_line, sit_down
from small import Game, finish, ways
from test_homes import relaying

from p2p.reach.gateway import WAYS
from p2p.reach.lease import TRIES
from p2p.reach.ticket import parse_ticket
from p2p.testing.homes import PUBLIC, WAN, Homes, homes, missing
from p2p.wire.address import endpoint_of


def reason() -> str | None:
    """Why no router can pass ports on here."""
    return missing() or (None if shutil.which("miniupnpd") else "the program miniupnpd is not installed")


REASON = reason()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

SETTINGS = """ext_ifname=pub
listening_ip=lan
enable_upnp=yes
enable_natpmp={pmp}
uuid=6a1e4f3e-0000-4000-8000-000000000001
upnp_table_name=filter
upnp_nat_table_name=filter
upnp_forward_chain=miniupnpd
upnp_nat_chain=prerouting_miniupnpd
upnp_nat_postrouting_chain=postrouting_miniupnpd
allow 1024-65535 0.0.0.0/0 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
"""


DENIED = SETTINGS.replace("allow 1024-65535 0.0.0.0/0 1024-65535\n", "")
"""A router that may pass no port on."""
COUNTED = """table inet counted {
  chain asked { type filter hook input priority -30; iifname "lan" udp dport 5351 counter; }
}
"""


@contextmanager
def passing_on(folder: Path, lab: Homes, pmp: str, settings: str = SETTINGS) -> Iterator[None]:
    """The router of the first home passes ports on while the block lasts. pmp: whether it speaks PCP and NAT-PMP."""
    (folder / "settings").write_text(settings.format(pmp=pmp))
    words = ("miniupnpd", "-d", "-f", str(folder / "settings"), "-P", str(folder / "pid"))
    daemon = subprocess.Popen(lab.command("router0", *words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert daemon.stderr is not None
        told = b""
        while b"HTTP listening" not in told or (pmp == "yes" and b"PCP" not in told):
            line = daemon.stderr.readline()
            assert line, told
            told += line
        yield
    finally:
        daemon.kill()
        daemon.communicate()


def passed_on(lab: Homes, chain: str = "prerouting_miniupnpd") -> str:
    """What the router passes on, in nftables' words. chain: `miniupnpd` for what it lets in by IPv6."""
    words = lab.command("router0", "nft", "list", "chain", "inet", "filter", chain)
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def mapped(host: Starlock) -> list[int]:
    """The ports outside that stand in a host's ticket."""
    path = host.folder / "ticket"
    candidates = parse_ticket(path.read_text()).candidates if path.exists() else ()
    return [port for outside, port in map(endpoint_of, candidates) if outside == f"{WAN}.1"]


@pytest.mark.parametrize("pmp", ["yes", "no"])
def test_a_friend_comes_in_by_a_port_that_the_router_passes_on_and_the_map_is_deleted_at_the_end(
    tmp_path: Path, pmp: str
) -> None:
    game = Game(tmp_path)
    with homes("mapping", "symmetric") as lab, passing_on(tmp_path, lab, pmp):
        with game.host(before=lab.command("0")) as ann:
            ann.until(lambda: mapped(ann))
            assert f"dport {mapped(ann)[0]}" in passed_on(lab)
            with game.guest(ann, "Bob", before=lab.command("1")) as bob:
                bob.until(lambda: ways(bob) == ["direct"])
                assert len(finish(game, ann, bob)) == 1
            assert ann.errors.count("they type: starlock join") == 1  # the first ticket has it
            assert "Reachable from: anywhere." in ann.errors
        assert "dnat" not in passed_on(lab)


@pytest.mark.soak
def test_a_friend_comes_in_by_ipv6_where_the_router_lets_it_in_and_the_hole_is_closed_at_the_end(
    tmp_path: Path,
) -> None:
    host = ("host", "eclipse2", "--players", "2", "--name", "Anna", "--linear", "--private")
    with homes("pinhole", "ipv6-only") as lab, passing_on(tmp_path, lab, "yes"):
        with person(tmp_path / "a", lab.command("0"), *host) as anna:
            anna.until("Friends who have IPv6 can reach you from anywhere: your router lets them in")
            ticket = shown_line(anna, "they type: starlock join TICKET")
            port = next(port for host, port in map(endpoint_of, parse_ticket(ticket).candidates) if ":" in host)
            assert f"dport {port}" in passed_on(lab, "miniupnpd")
            with person(tmp_path / "b", lab.command("1"), "join", ticket, "--name", "Bob", "--linear") as bob:
                sit_down(anna, bob)
                for terminal in (anna, bob):
                    assert not re.search("Send this answer back|address of your router|sendto", terminal.text)
            anna.type("quit\r")
            assert anna.end() == 3
        assert "dport" not in passed_on(lab, "miniupnpd")


@pytest.mark.soak
@pytest.mark.parametrize("pmp", ["yes", "no"])
def test_a_router_that_denies_every_port_is_asked_a_few_times_and_friends_meet_by_a_relay(
    tmp_path: Path, pmp: str
) -> None:
    game = Game(tmp_path)
    with homes("mapping", "symmetric") as lab, passing_on(tmp_path, lab, pmp, DENIED), relaying(tmp_path, lab):
        count = lab.command("router0", "nft", "-f", "-")
        subprocess.run(count, input=COUNTED, text=True, check=True, capture_output=True)
        with (
            game.host("--relay", PUBLIC, before=lab.command("0")) as ann,
            game.guest(ann, "Bob", before=lab.command("1")) as bob,
        ):
            assert len(finish(game, ann, bob)) == 1
            assert "Reachable from: anywhere" in ann.errors
        words = lab.command("router0", "nft", "list", "table", "inet", "counted")
        listed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        counted = re.search("packets ([0-9]+)", listed)
        assert counted is not None
        assert 0 < int(counted[1]) <= 2 * len(TRIES) * len(WAYS), "twice by each way, and no more for two minutes"
