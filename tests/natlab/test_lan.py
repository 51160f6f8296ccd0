"""A LAN party: nobody types an address, whatever the firewalls of the machines let through."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest
from bridge import Bridge, bridge, missing
from peers import ROOT, Starlock, ticket
from persons import person, shown_line
from small import Game, finish

from client.system.settings import Folders
from client.table.tables import looked_at
from p2p.identity.words import WORDS
from p2p.reach.ticket import parse_ticket
from seeds.hashing import H

REASON = missing() or ("the program nft is not installed" if which("nft") is None else None)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

ANNOUNCEMENTS_ONLY = """table inet firewall { chain input { type filter hook input priority 0; policy drop;
  ct state established,related accept; iifname "lo" accept; udp dport 40917 accept;
  meta l4proto { icmp, ipv6-icmp } accept; }
}
"""
"""What a firewall lets in after one has allowed the program to be found, and nothing else."""
ONLY_IPV6 = """table ip firewall { chain input { type filter hook input priority 0; policy drop; iifname "lo" accept;
  }
  chain output { type filter hook output priority 0; policy drop; oifname "lo" accept; }
}
"""

LISTENER = """
import socket, sys
heard = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
heard.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE: no packet is lost
with open(sys.argv[1], "wb", buffering=0) as kept:
    print("listening", flush=True)
    while True:
        kept.write(heard.recv(65_535))
"""
FORGER = """
import secrets, socket, time
from p2p.reach.announce import PORT, LanAnnouncement
from p2p.reach.find import TableOffer
out = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
sent, began = 0, time.monotonic()
while True:
    fresh = secrets.token_bytes
    note = TableOffer("toy", {}, 2, 1, "toy", "starlock", "Ann", fresh(16), fresh(16)).note()
    said = LanAnnouncement(fresh(8), 40900, (), note).pack()
    udp = b"".join(n.to_bytes(2, "big") for n in (PORT, PORT, 8 + len(said), 0)) + said
    source = bytes([10, 99, 0, 20 + sent % 200])
    ip = bytes([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0]) + source + bytes([10, 99, 0, 255])
    out.sendto(ip + udp, ("10.99.0.255", 0))
    sent += 1
    if sent % 20 == 0:
        print("forging", flush=True) if sent == 20 else None
        time.sleep(max(0.0, began + sent / 2000 - time.monotonic()))
"""


@contextmanager
def forging(lan: Bridge, host: str) -> Iterator[None]:
    """A stranger who shows two thousand tables a second in the names of machines that there may be."""
    command = lan.command(host, sys.executable, "-c", FORGER)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}) as stranger:
        assert stranger.stdout is not None
        assert stranger.stdout.readline()
        try:
            yield
        finally:
            stranger.kill()


@contextmanager
def listening(lan: Bridge, kept: Path) -> Iterator[None]:
    """A stranger at the switch, who keeps every packet."""
    command = lan.command("switch", sys.executable, "-c", LISTENER, str(kept))
    with subprocess.Popen(command, stdout=subprocess.PIPE) as stranger:
        assert stranger.stdout is not None
        assert stranger.stdout.readline()
        try:
            yield
        finally:
            stranger.kill()


def closed(lan: Bridge, host: str, rules: str = ANNOUNCEMENTS_ONLY) -> None:
    """Put a firewall on a machine."""
    subprocess.run(lan.command(host, "nft", "-f", "-"), input=rules, text=True, check=True, capture_output=True)


def joins(game: Game, host: Starlock, name: str, lan: Bridge, machine: str = "") -> Starlock:
    """Somebody sits down without a ticket once there is a table."""
    ticket(host)
    join, machine = ("join", "--as", "random", "--name", name, "--json"), machine or name.lower()
    return game.command(machine, *join, before=lan.command(machine))


@pytest.mark.parametrize(
    ("host", "guest"), [(True, False), pytest.param(False, True, marks=pytest.mark.soak), (True, True)]
)
def test_host_and_guest_meet_with_tcp_closed_and_who_hears_all_learns_no_guest(
    tmp_path: Path, host: bool, guest: bool
) -> None:
    game = Game(tmp_path)
    with bridge("ann", "bob") as lan:
        for name in ["ann"] * host + ["bob"] * guest:
            closed(lan, name)
        with (
            listening(lan, tmp_path / "heard"),
            game.host("--open", before=lan.command("ann")) as ann,
            joins(game, ann, "Bartholomew", lan, "bob") as bob,
        ):
            assert len(finish(game, bob, ann)) == 1
    heard = (tmp_path / "heard").read_bytes()
    assert b"Ann" in heard, "--open shows the name of the host"
    assert b"Bartholomew" not in heard
    (record,) = looked_at(Folders.of_home(tmp_path / "ann" / "home").data)
    for member in record.genesis.members:
        assert member.key not in heard
        assert member.certificate.identity not in heard


@pytest.mark.soak
def test_host_and_guest_meet_with_tcp_closed_where_systems_cannot_call_from_the_listening_port(tmp_path: Path) -> None:
    """As on Windows: each connects from a port without a listener, and to that of the other."""
    game = Game(tmp_path, first="from p2p.link import connecting; connecting.APART = True")
    with bridge("ann", "bob") as lan:
        for name in ("ann", "bob"):
            closed(lan, name)
        with game.host("--open", before=lan.command("ann")) as ann, joins(game, ann, "Bob", lan) as bob:
            assert len(finish(game, bob, ann)) == 1


@pytest.mark.soak
def test_a_firewall_that_blocks_ipv4_leaves_the_table_to_ipv6(tmp_path: Path) -> None:
    game = Game(tmp_path)
    with bridge("ann", "bob") as lan:
        closed(lan, "ann", ONLY_IPV6)
        with game.host("--open", before=lan.command("ann")) as ann, joins(game, ann, "Bob", lan) as bob:
            assert len(finish(game, bob, ann)) == 1


@pytest.mark.soak
def test_a_table_is_joined_by_its_two_words_amid_two_thousand_forged_ones_a_second(tmp_path: Path) -> None:
    game = Game(tmp_path)
    with bridge("ann", "bob", "eve") as lan, forging(lan, "eve"), game.host("--open", before=lan.command("ann")) as ann:
        word = "-".join(WORDS[byte] for byte in H("table word", parse_ticket(ticket(ann)).lobby)[:2])
        join = ("join", word, "--as", "random", "--name", "Bob", "--json")
        game.go_on()
        while True:  # a machine that has other work reads too little of the flood in the three seconds of one look
            with game.command("bob", *join, before=lan.command("bob")) as bob:
                if bob.end() == 0:
                    break
                assert bob.answer["error"]["code"] in ("find/other", "find/nobody")
        assert len(finish(game, bob, ann)) == 1


@pytest.mark.soak
def test_a_stranger_who_knocks_and_is_not_let_in_has_learnt_no_name(tmp_path: Path) -> None:
    host = ("host", "eclipse2", "--players", "2", "--name", "Annabelle", "--linear")
    with (
        bridge("ann", "eve") as lan,
        listening(lan, tmp_path / "heard"),
        person(tmp_path / "ann", lan.command("ann"), *host) as ann,
    ):
        ann.until("Show this table to others on this network")
        ann.type("y\r")
        ann.until("Show your name")
        ann.type("n\r")
        line = shown_line(ann, "they type: starlock join TICKET")
        with Starlock(tmp_path / "eve", "join", "--as", "random", "--json", before=lan.command("eve")) as eve:
            ann.until("wants to sit down")
            ann.type("n\r")
            assert eve.end() != 0
            assert eve.answer["error"]["code"] == "lobby/declined"
    known = [path.read_bytes() for path in (tmp_path / "eve").rglob("*") if path.is_file()]
    learnt = b"".join(known) + (tmp_path / "heard").read_bytes()
    identity = parse_ticket(line).inviter
    assert all(each not in learnt for each in (b"Annabelle", identity, identity.hex().encode()))


@pytest.mark.soak
def test_six_with_firewalls_on_sit_down_at_one_table_without_an_address(tmp_path: Path) -> None:
    game = Game(tmp_path)
    names = ("Bob", "Cid", "Dan", "Eve", "Fay")
    with bridge("ann", *map(str.lower, names)) as lan:
        for name in ("ann", *map(str.lower, names)):
            closed(lan, name)
        with game.host("--open", players=6, before=lan.command("ann")) as ann:
            guests = [joins(game, ann, name, lan) for name in names]
            try:
                assert len(finish(game, *guests, ann)) == 1
            finally:
                for guest in guests:
                    guest.__exit__()
