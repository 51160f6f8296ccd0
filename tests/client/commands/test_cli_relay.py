"""`starlock relay` joins real peers that can meet only there, and ends within a second."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import AsyncExitStack, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from shutil import which
from typing import TextIO

import pytest
import trio
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from peers import Starlock, guest, host, ticket
from trio.testing import MockClock

from client.commands import cli
from client.commands.relay import ROOMS_OF_A_HOUSEHOLD, rooms_with_files, run
from client.commands.relay import _tell as tell
from client.commands.ways import listed_relays
from client.system.context import Context
from client.system.errors import UserError
from client.system.platform import allow_files
from client.system.progress import Meter
from client.system.settings import Folders
from client.table.words import way_text
from p2p.identity.keys import SigningKey
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
from p2p.link.meet import Local, table_meeting
from p2p.link.relayed import call, wait
from p2p.link.sealed import Words, seal
from p2p.link.tcp import KNOCKS_AT_ONCE
from p2p.reach import circuits
from p2p.reach.admission import access_key, make_pass, refusal_of
from p2p.reach.relay import PORT, Limits, Relay
from p2p.reach.ticket import parse_ticket
from p2p.wire.address import RELAY, at_relay, credentials_of, scheme, without_credentials
from p2p.wire.circuit import peer_id
from p2p.wire.frames import frame
from p2p.wire.relaying import MAX_RELAY_MESSAGE, Paired, Request, Seen, Still, read_answer

pytestmark = pytest.mark.slow

NO_DIRECT = """
import p2p.link.punched as punched
from p2p.link.contract import LinkRefusedError
from p2p.link.framed import Frames
async def unreachable(*_, leads=False, **_how):
    raise LinkRefusedError("link/unreachable", "no route")
punched.punch = unreachable
import p2p.reach.dial as dial
dial.TRANSPORTS = {**dial.TRANSPORTS, "tcp": unreachable}
"""
"""A network where nobody can be dialed."""


def relay(folder: Path, *words: str, script: str = "") -> tuple[Starlock, int]:
    """A relay and its port."""
    made = Starlock(folder, "relay", "--port", "0", "--json", *words, script=script)
    assert made.process.stdout is not None
    return made, int(json.loads(made.process.stdout.readline())["port"])


@pytest.mark.soak
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


def test_a_relay_whose_port_for_figures_is_taken_says_which(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Starlock(tmp_path, "relay", "--port", "0", "--metrics", str(port)) as made:
            assert made.end() == 2
            assert f"Another program listens on port {port} already." in made.errors
            assert "inside starlock" not in made.errors


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to send")
def test_a_relay_ends_within_a_second_of_being_told_to(tmp_path: Path) -> None:
    serving, _port = relay(tmp_path / "relay")
    with serving:
        began = time.monotonic()
        serving.process.send_signal(signal.SIGTERM)
        assert serving.process.wait(60) == 0
        assert time.monotonic() - began < 10  # a second, on a machine with nothing else to do


SILENT = 6
"""Addresses that take all they can get and say nothing."""


async def hold(port: int, number: int, ends: AsyncExitStack) -> None:
    """Wait in rooms, join rooms with oneself and be half open, from one address, as often as it may knock at once."""
    for knock in range(KNOCKS_AT_ONCE):
        stream = await trio.open_tcp_stream("127.0.0.1", port, local_address=f"127.0.1.{1 + number}")
        await ends.enter_async_context(stream)
        room = number.to_bytes(8, "big") + (0 if knock == 1 else knock).to_bytes(8, "big")
        if knock < KNOCKS_AT_ONCE - 1:
            await stream.send_all(frame(Request("call" if knock == 1 else "wait", room).pack()))
            await stream.receive_some(1)


@pytest.mark.skipif(sys.platform != "linux", reason="one machine has many addresses")
async def test_six_silent_addresses_keep_nobody_from_a_relay_that_may_open_256_files(tmp_path: Path) -> None:
    few = "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))"
    serving, port = relay(tmp_path / "relay", "--limit", "40", script=few)
    table, address = table_meeting(b"t" * 32), f"relay://127.0.0.1:{port}"
    ann, bob = (Local(SigningKey.from_seed(bytes([seed]) * 32), "test") for seed in (1, 2))
    with serving, trio.fail_after(150):
        async with AsyncExitStack() as ends, trio.open_nursery() as nursery:
            for number in range(SILENT):
                await hold(port, number, ends)
            there = trio.Event()

            async def waits() -> None:
                pipe = await wait(address, bob, table, [table], lambda _: there.set(), lambda: None)
                ends.push_async_callback(pipe.aclose)
                assert pipe.peer_id == ann.identity.public

            nursery.start_soon(waits)
            await there.wait()
            pipe = None
            while pipe is None:  # it is told where it is seen a moment before it waits
                with suppress(LinkRefusedError):
                    pipe = await call(address, ann, table, bob.identity.public)
            ends.push_async_callback(pipe.aclose)


MANY = 1_000


async def visitor(ends: AsyncExitStack, port: int, key: bytes, address: str, request: Request) -> Words:
    """Somebody at a relay, encrypted."""
    stream = await ends.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port, local_address=address))
    words = await seal(Frames(stream), key)
    await words.send(request.pack())
    assert isinstance(read_answer(await words.recv(MAX_RELAY_MESSAGE)), Seen)
    return words


async def joined(words: Words) -> None:
    """Wait until the relay joins somebody with the other in its room."""
    while (answer := read_answer(await words.recv(MAX_RELAY_MESSAGE))) != Paired():
        assert answer == Still()


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="one machine has many addresses")
async def test_a_thousand_rooms_in_use_take_less_than_100_mib_of_a_relay_for_clubs(tmp_path: Path) -> None:
    assert allow_files(3 * MANY) >= 3 * MANY
    serving, port = relay(tmp_path / "relay", "--club", "chess")
    with serving, Starlock(tmp_path / "relay", "relay", "--club", "chess", "--addresses", "h", "--json") as asked:
        assert asked.end() == 0
        key, access = credentials_of(asked.answer["addresses"]["chess"])
        async with AsyncExitStack() as ends:
            pairs = []
            for number in range(MANY):  # of one address four, of one pass eight
                room, at = number.to_bytes(16, "big"), f"127.1.{number // 800}.{number % 800 // 4 + 1}"
                shown = make_pass(access, (number // 8).to_bytes(8, "big"), 2**39)
                waiting = await visitor(ends, port, key, at, Request("wait", room, admission=shown))
                calling = await visitor(ends, port, key, at, Request("call", room))
                for each in (waiting, calling):
                    await joined(each)
                pairs.append((waiting.stream, calling.stream))
            for one, other in pairs:
                await other.send_all(bytes(300))
                await one.receive_some(300)
            status = await trio.Path(f"/proc/{serving.process.pid}/status").read_text()
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert peak is not None
    assert int(peak[1]) < 100 * 1_024


def context(err: TextIO, home: Folders | None = None) -> Context:
    """What the command works with; it writes its notes there."""
    return Context("relay", False, home, err, err, Meter(err))


def test_a_relay_has_no_more_rooms_than_it_may_open_files_for(monkeypatch: pytest.MonkeyPatch) -> None:
    told = StringIO()
    monkeypatch.setattr("client.commands.relay.allow_files", lambda count: min(count, 256))
    assert rooms_with_files(60, context(told)) == 60
    assert told.getvalue() == ""
    assert rooms_with_files(500, context(told)) == 78
    assert "256 files, which suffice for 78 rooms" in told.getvalue()


YEAR = 365 * 86_400.0


async def test_the_journal_of_a_busy_year_is_read_in_minutes_and_tells_why_visitors_were_turned_away(
    autojump_clock: MockClock,
) -> None:
    told, busy = StringIO(), Relay()
    with trio.move_on_after(YEAR):
        async with trio.open_nursery() as nursery:

            async def visitors() -> None:
                while True:
                    await trio.sleep(21_600)
                    busy.bytes += 180_000_000
                    busy.counts.update(("relay/call", "relay/gone", "relay/pass-expired"))

            nursery.start_soon(visitors)
            await tell(context(told), busy, PORT)
    lines = told.getvalue().splitlines()
    assert 365 <= len(lines) <= 365 + 14, "a line a day, and somewhat more at first"
    assert lines[-1].endswith(" Turned away so far: relay/pass-expired 1459.")
    assert "gone" not in told.getvalue()


async def test_a_relay_that_nobody_visits_says_so_once(autojump_clock: MockClock) -> None:
    told = StringIO()
    with trio.move_on_after(86_400):
        await tell(context(told), Relay(), PORT)
    assert told.getvalue() == "Waiting: 0; rooms in use: 0; passed on: 0 kB.\n"


FROZEN = """
import os, pathlib, sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in sys.stdlib_module_names and pathlib.Path({path!r}).exists():
            os.write(2, ("loaded late: " + name + "\\n").encode())
        return None
sys.meta_path.insert(0, Gone())
"""
"""Names each module, but those of Python itself, that is looked for after a file has been made."""


@pytest.mark.skipif(sys.platform != "linux", reason="one machine has many addresses")
async def test_a_relay_serves_whoever_comes_while_its_program_is_replaced_and_names_and_keeps_nobody(
    tmp_path: Path,
) -> None:
    """The files of the program go before it is restarted, so it must have loaded all that it needs."""
    script = FROZEN.format(path=str(tmp_path / "replaced"))
    serving, port = relay(tmp_path / "relay", "--club", "chess", script=script)
    private = X25519PrivateKey.from_private_bytes((tmp_path / "relay" / "home" / "config" / "relay.key").read_bytes())
    key, access = private.public_key().public_bytes_raw(), access_key(private.private_bytes_raw(), "chess")
    shown, room = make_pass(access, b"table..1", 2**39), b"r" * 16
    (tmp_path / "replaced").touch()
    with serving, trio.fail_after(150):
        async with AsyncExitStack() as ends:
            waiting = await visitor(ends, port, key, "127.0.7.1", Request("wait", room, admission=shown))
            for verb in ("see", "time"):
                await visitor(ends, port, key, "127.0.7.2", Request(verb, room))
            await visitor(ends, port, key, "127.0.7.3", Request("back", room, 4_000))
            await visitor(ends, port, key, "127.0.7.4", Request("wait", room, admission=b"forged"))
            plain = await ends.enter_async_context(await trio.open_tcp_stream("127.0.0.1", port))
            await plain.send_all(b"nonsense" * 90)
            calling = await visitor(ends, port, key, "127.0.7.5", Request("call", room))
            for each in (waiting, calling):
                await joined(each)
        serving.process.send_signal(signal.SIGTERM)
        assert serving.end() == 0
    assert "loaded late" not in serving.errors
    for word in ("127.0.7", room.hex(), shown.hex()):
        assert word not in serving.errors + serving.said + serving.log.read_text()
    home = tmp_path / "relay" / "home"
    assert [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()] == ["config/relay.key"]


@pytest.mark.parametrize(
    "words", [["--limit", "0"], ["--each", "0"], ["--rate", "-1"], ["--total", "0"], ["--port", "70000"]]
)
def test_limits_that_make_no_sense_are_refused(words: list[str]) -> None:
    with pytest.raises(UserError):
        run(cli.parsers()["relay"][1].parse_args(words), context(StringIO()))


def test_every_option_of_a_relay_limits_what_it_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    begun = list[Limits]()
    monkeypatch.setattr(trio, "run", lambda _main, _context, _port, limits, *_more: begun.append(limits))
    words = ["--limit", "30", "--each", "4", "--rate", "50", "--total", "700"]
    run(cli.parsers()["relay"][1].parse_args(words), context(StringIO(), Folders.of_home(tmp_path)))
    household = ROOMS_OF_A_HOUSEHOLD * 50_000
    assert begun == [Limits(30, 4, 50_000, household, 700_000)]


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
    scripts = Path(__file__).parents[3] / "scripts"
    unit = re.search(r"^ExecStart=\S+/starlock (.+)$", (scripts / "starlock-relay.service").read_text(), re.MULTILINE)
    container = re.search(r"^ENTRYPOINT (\[.+\])$", (scripts / "relay.Containerfile").read_text(), re.MULTILINE)
    assert unit is not None
    assert container is not None
    name, *words = json.loads(container[1])
    assert (name, [*words, "--metrics", "9418", "$RELAY"]) == ("starlock", unit[1].split())
    for club in ([], ["--club", "chess", "--club", "go"]):
        args = cli.parsers()["relay"][1].parse_args([*unit[1].split()[1:-1], *club])
        assert (args.port, args.metrics, args.clubs) == (PORT, 9418, club[1::2])
    exposed = re.search(r"^EXPOSE (.+)$", (scripts / "relay.Containerfile").read_text(), re.MULTILINE)
    assert exposed is not None
    assert exposed[1].split() == [f"{PORT}/tcp", f"{PORT + 1}/tcp"]


@pytest.mark.skipif(which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_knows_each_line_of_the_unit_which_gives_the_relay_little_to_misuse(tmp_path: Path) -> None:
    unit = tmp_path / "starlock-relay.service"
    text = (Path(__file__).parents[3] / "scripts" / unit.name).read_text()
    unit.write_text(text.replace("/opt/starlock/bin/starlock", sys.executable))
    read = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (read.returncode, [line for line in read.stderr.splitlines() if unit.name in line]) == (0, [])
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=30", str(unit)]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout


def test_the_operator_gives_each_club_an_address_whose_access_key_no_ticket_shows(tmp_path: Path) -> None:
    clubs = ["--club", "chess", "--club", "go"]
    serving, port = relay(tmp_path / "relay", *clubs)
    with serving:
        with Starlock(tmp_path / "relay", "relay", *clubs, "--addresses", "127.0.0.1", "--json") as asked:
            assert asked.end() == 0, asked.errors
            addresses = asked.answer["addresses"]
        (key, chess), (same, go) = map(credentials_of, (addresses["chess"], addresses["go"]))
        assert key == same
        assert chess != go
        own = at_relay("127.0.0.1", port, key, chess)
        list_of(tmp_path / "ann", f"# ours\n\n{own}  # chess\n")
        with host(tmp_path / "ann", game="nim", local=False, script=NO_DIRECT) as ann:
            line = ticket(ann)
            (named,) = parse_ticket(line).relays
            assert without_credentials(named) == without_credentials(own)
            assert chess not in credentials_of(named)[1]
            assert refusal_of(credentials_of(named)[1], [chess], time.time()) == ""
            with guest(tmp_path / "bob", line, "Bob", local=False, script=NO_DIRECT) as bob:
                assert bob.end() == 0, bob.errors
                assert ann.end() == 0, ann.errors
        for folder in ("ann", "bob"):
            log = (tmp_path / folder / "log").read_text("utf-8")
            assert "127.0.0.1" not in log
            assert "relay:" not in log
            written = b"".join(path.read_bytes() for path in (tmp_path / folder / "home").rglob("*") if path.is_file())
            written = written.replace(own.encode(), b"")
            assert chess not in written
            assert own.partition("@")[0].rpartition(":")[2].encode() not in written


def test_who_asks_for_addresses_before_the_first_start_makes_no_key_in_the_place_of_the_relay(
    tmp_path: Path,
) -> None:
    """The operator asks as root, and the relay, which runs as nobody, could not read what root has made."""
    args = cli.parsers()["relay"][1].parse_args(["--addresses", "relay.example.org"])
    with pytest.raises(UserError, match="no key of a relay"):
        run(args, context(StringIO(), Folders.of_home(tmp_path)))
    assert not list(tmp_path.rglob("relay.key"))


def list_of(home: Path, text: str) -> None:
    """Write a home's list of relays."""
    folder = home / "home" / "config"
    folder.mkdir(parents=True)
    (folder / "relays.txt").write_text(text, "utf-8")


def test_nodes_of_the_libp2p_network_in_the_list_count_where_it_names_no_relay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = "/ip4/203.0.113.9/tcp/4001/p2p/12D3KooWRawPbxPtP1eZaJpumGnyWX2DcUyd3RQnydr3eAto4Az7"
    (tmp_path / "relays.txt").write_text(f"{node} # of a friend\n", "utf-8")
    for there, expected in ((False, []), (True, [f"libp2p:{node}"])):
        monkeypatch.setattr(circuits, "installed", partial(bool, there))
        assert listed_relays(tmp_path) == expected
    (tmp_path / "relays.txt").write_text(f"{node}\nrelay.example.org\n", "utf-8")
    assert [scheme(each) for each in listed_relays(tmp_path)] == [RELAY]


@pytest.mark.parametrize("line", ["/ip4/203.0.113.9/tcp/4001", "relay://nonsense@h:1", "http://x", "h:0", "two words"])
def test_a_line_that_is_no_relay_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / "relays.txt").write_text(f"relay.example.org\n{line}\n", "utf-8")
    with pytest.raises(UserError, match=r"relays\.txt, line 2"):
        listed_relays(tmp_path)
    assert listed_relays(tmp_path / "nowhere") == []
