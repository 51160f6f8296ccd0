"""Friends meet at a relay whose rooms and places strangers take, and by relays of their own members when that of their
club is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from peers import ROOT, Starlock, ticket
from small import Game, finish, ways
from test_friend_leaves import replace_relay
from test_homes import relaying

from client.system.settings import Folders
from client.table.tables import looked_at
from p2p.link.meet import table_meeting
from p2p.link.strangers import HALF_OPEN
from p2p.testing.homes import PUBLIC, Homes, homes, missing
from p2p.wire.relaying import room_of

REASON = missing()
pytestmark = [pytest.mark.slow, pytest.mark.soak, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

SQUATTER = """
import sys, trio
from p2p.link.framed import Frames
from p2p.wire.relaying import No, Paired, Request, read_answer
relay, rooms, hosts = sys.argv[1], sys.argv[2].split(","), sys.argv[3].split(",")
async def squat(host, room):
    while True:
        try:
            stream = await trio.open_tcp_stream(relay, 40918, local_address=host)
            async with stream:
                frames = Frames(stream)
                await frames.send(Request("wait", bytes.fromhex(room)).pack())
                while True:
                    told = read_answer(await frames.recv(200))
                    print(told.code if isinstance(told, No) else type(told).__name__, flush=True)
                    if isinstance(told, Paired):
                        while await stream.receive_some(1000):
                            pass
        except (OSError, trio.EndOfChannel, trio.BrokenResourceError):
            await trio.sleep(0.5)
async def main():
    async with trio.open_nursery() as nursery:
        for host in hosts:
            for room in rooms:
                nursery.start_soon(squat, host, room)
trio.run(main)
"""
"""Waits in rooms from several addresses, comes back whenever it is put out, and says nothing to who calls."""

HOLDER = """
import sys, trio
from p2p.wire.frames import frame
from p2p.wire.relaying import Request
places, hosts = [each.split(":") for each in sys.argv[1].split(",")], sys.argv[2].split(",")
SILENT, MOST = 10, 18
async def hold(place, host, number):
    room = (number // 2 * 256 + hosts.index(host)).to_bytes(16, "big")
    asked = frame(Request(("wait", "call")[number % 2], room).pack())
    while True:
        try:
            async with await trio.open_tcp_stream(place[0], int(place[1]), local_address=host) as stream:
                await stream.send_all(b"" if number < SILENT else asked)
                print("held", flush=True)
                while await stream.receive_some(1000):
                    pass
        except (OSError, trio.BrokenResourceError):
            pass
        await trio.sleep(0.5)
async def main():
    async with trio.open_nursery() as nursery:
        for host in hosts:
            for place in places:
                for number in range(MOST):
                    nursery.start_soon(hold, place, host, number)
trio.run(main)
"""
"""Takes whatever one may have at several places, from several addresses: connections that say nothing, rooms, and rooms
in use."""


def addresses(lab: Homes, home: int, count: int) -> list[str]:
    """Give a host that many addresses."""
    own = [f"10.{home + 1}.0.{number}" for number in range(20, 20 + count)]
    for each in own:
        add = lab.command(str(home), "ip", "addr", "add", f"{each}/24", "dev", "eth0")
        subprocess.run(add, check=True, capture_output=True)
    return own


@contextmanager
def stranger(lab: Homes, home: int, script: str, *words: str) -> Iterator[Callable[[str], None]]:
    """A stranger at a home while the block lasts. Yields what waits until it has printed a line."""
    command = lab.command(str(home), sys.executable, "-c", script, *words)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as it:

        def until(line: str) -> None:
            assert it.stdout is not None
            assert any(each.strip() == line for each in it.stdout), "it has ended"

        try:
            yield until
        finally:
            it.kill()


def rooms(home: Path) -> list[str]:
    """The rooms of the members of a home's table, as anybody can compute them who has its published game."""
    (record,) = looked_at(Folders.of_home(home / "home").data)
    secret = table_meeting(record.genesis.table).secret
    return [room_of(secret, member.certificate.identity).hex() for member in record.genesis.members]


@pytest.mark.parametrize("count", [1, 5])
def test_friends_find_each_other_at_a_relay_where_strangers_wait_in_their_rooms(tmp_path: Path, count: int) -> None:
    """From one address they cannot put the owner of a room out of it; from several they do, and it comes back."""
    game = Game(tmp_path, height=4)
    with (
        homes("symmetric", "symmetric", "open") as lab,
        relaying(tmp_path, lab),
        game.host("--relay", PUBLIC, before=lab.command("0")) as ann,
    ):
        with game.guest(ann, "Bob", before=lab.command("1")) as bob:
            bob.until(lambda: ways(bob) == ["relay"] and bob.height >= 3)
            bob.kill()
        words = (PUBLIC, ",".join(rooms(tmp_path / "ann")), ",".join(addresses(lab, 2, count)))
        with stranger(lab, 2, SQUATTER, *words) as until:
            until("Paired")  # Ann has called Bob and got a stranger
            with game.resume("bob", before=lab.command("1")) as bob:
                if count > 3:
                    until("relay/full")
                bob.until(lambda: ways(bob) == ["relay"])
                assert len(finish(game, ann, bob)) == 1


FEW = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))"


def test_six_silent_addresses_keep_nobody_from_a_relay_nor_from_a_host(tmp_path: Path) -> None:
    """All may open 256 files, as on a small machine and on macOS."""
    game = Game(tmp_path, first=FEW)
    with homes("open", "symmetric", "symmetric", "open") as lab, relaying(tmp_path, lab, script=FEW):
        silent = ",".join(addresses(lab, 3, 6))
        places = f"10.1.0.2:4711,{PUBLIC}:40918"
        with (
            game.host("--relay", PUBLIC, "--port", "4711", players=3, before=lab.command("0")) as ann,
            stranger(lab, 3, HOLDER, places, silent) as until,
        ):
            for _ in range(2 * HALF_OPEN):
                until("held")
            with (
                game.guest(ann, "Bob", before=lab.command("1")) as bob,
                game.guest(ann, "Cid", before=lab.command("2")) as cid,
            ):
                bob.until(lambda: len(ways(bob)) == len(ways(cid)) == 2)
                assert len(finish(game, ann, bob, cid)) == 1


def club(folder: Path, relay: Starlock) -> str:
    """The address of a relay for a club of one name, with its access key."""
    with Starlock(folder / "relay", "relay", "--club", "go", "--addresses", PUBLIC, "--json") as asked:
        assert asked.end() == 0, asked.errors
        address: str = asked.answer["addresses"]["go"]
        return address


def test_a_member_relays_for_two_others_without_a_pass_when_the_relay_of_their_club_is_gone(tmp_path: Path) -> None:
    game = Game(tmp_path, height=4)
    with (
        homes("symmetric", "symmetric", "cone") as lab,
        relaying(tmp_path, lab, "--club", "go") as relay,
        game.host("--relay", club(tmp_path, relay), players=3, before=lab.command("0")) as ann,
        game.guest(ann, "Bob", before=lab.command("1")) as bob,
        game.guest(ann, "Cid", before=lab.command("2")) as cid,
    ):
        bob.until(lambda: "direct" in ways(bob) and len(ways(bob)) == 2 and bob.height >= 3)
        relay.kill()
        bob.until(lambda: sorted(ways(bob)) == ["direct", "friend"])
        assert len(finish(game, ann, bob, cid)) == 1


def test_a_relay_of_a_members_own_takes_the_place_of_their_clubs_and_asks_for_no_pass(tmp_path: Path) -> None:
    with homes("symmetric", "symmetric") as lab, relaying(tmp_path, lab, "--club", "go") as first:
        anna, bob = replace_relay(tmp_path, lab, first, club(tmp_path, first), shows=1)
        assert "Bob is connected" in anna
        assert "Anna is connected" in bob


UPGRADED = "import client; client.__version__ = '0.9.1'"
"""Another version of the program."""


@pytest.mark.soak
def test_a_relay_is_upgraded_while_one_table_plays_and_another_one_waits_for_a_guest(tmp_path: Path) -> None:
    """As README.md says: the new program is started in the place of the old one. The table comes back, the ticket and
    the pass in it go on, and nobody has to do anything."""
    playing, waiting = Game(tmp_path / "playing", height=4), Game(tmp_path / "waiting")
    with homes("symmetric", "symmetric", "symmetric", "symmetric") as lab:
        with relaying(tmp_path, lab, "--club", "go") as old:
            named = ("--relay", club(tmp_path, old))
            ann = playing.host(*named, before=lab.command("0"))
            bob = playing.guest(ann, "Bob", before=lab.command("1"))
            cid = waiting.host(*named, before=lab.command("2"))
            line = ticket(cid)
            bob.until(lambda: ways(bob) == ["relay"] and bob.height >= 3)
            old.process.send_signal(signal.SIGTERM)
            assert old.end() == 0
        with ann, bob, cid, relaying(tmp_path, lab, "--club", "go", script=UPGRADED) as new:
            assert "starlock 0.9.1 relays" in new.errors
            bob.until(lambda: bob.events("link/down") and ways(bob) == ["relay"])
            cid.until(lambda: cid.errors.count("Reachable from: anywhere") > 1)
            join = ("join", line, "--as", "random", "--name", "Dan", "--json")
            with waiting.command("dan", *join, before=lab.command("3")) as dan:
                assert len(finish(waiting, cid, dan)) == 1
            assert len(finish(playing, ann, bob)) == 1
    for host in (ann, cid):
        assert "Reachable from: unknown" not in host.errors
