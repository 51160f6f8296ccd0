# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways between homes behind routers, in network namespaces of this machine: a word and its answer and what is carried
by each way, how soon a table goes on that somebody joins, and how soon two homes play that need a ticket and an answer.

What is carried stands beside a bare TCP connection. So does a word and its answer where there is a direct way; through
somebody else it stands beside its two legs, the links that both ends would have with that one. All of them are links
as a table has them, with queue and pings, and what is carried stays below what a link reads before it slows the sender.
Home 0 is open, 1 and 2 have routers that let in answers only, 3 has one that changes ports.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, Self

from bench import Measure, cost, module, rate
from bench.reach import RELAYED_AIM
from p2p.testing.homes import PUBLIC, WAN, Homes, homes

KINDS: Final = ("open", "port-restricted", "port-restricted", "symmetric")
OPEN: Final = "10.1.0.2"
"""The host of home 0, which every home reaches."""
PORTS: Final = ("41001", "41002")
PUNCHED_AIM: Final = 1500.0
LONGEST: Final = 60.0
LINE: Final = "starlock:[a-z2-7]{100,}"
LOOKS: Final = 1.0
"""Seconds between two attempts at one address: with less nobody can be linked after an answer."""
ANSWER_AIM: Final = 20.0
UNANSWERED: Final = 15.0
"""Seconds in which nobody answers, before a guest shows an answer."""
EVENING_AIM: Final = 120.0
LEGS: Final = (("1", "0"), ("1", "public"), ("2", "public"))
"""Between a home and a host that everybody reaches; the way through a friend measures its own."""
Found = dict[str, float]
"""What `probe` has measured."""
FIRST: Final = (("direct", "0", "1"), ("punched", "1", "2"), ("relay", "1", "3"))
"""Way, who hosts, and who joins."""


def measures() -> list[Measure]:
    """All of this chapter. Needs what `p2p.testing.homes.missing` looks for."""
    with homes(*KINDS) as lab:
        return [*_first_entries(lab), *_first_evening(lab), *_ways(lab)]


# A word and its answer, and what is carried --------------------------------------------------------------------------


def _ways(lab: Homes) -> list[Measure]:
    legs = {(home, to): _legs(lab, home, to) for home, to in LEGS}
    one, other = (f"{WAN}.{home + 1}" for home in (1, 2))
    punched = _between(lab, "punched", ("1", PORTS[0], other, PORTS[1]), ("2", PORTS[1], one, PORTS[0]))
    with _started(lab.command("public", *module("rooms", "0.0.0.0"))) as told:
        at = PUBLIC, str(told["port"])
        relayed = _between(lab, "relay", ("1", *at), ("2", *at))
    with _started(lab.command("0", *module("probe", "pass", "friend", PORTS[0]))):
        friend = _between(lab, "friend", ("1", OPEN, PORTS[0]), ("2", OPEN, PORTS[0]))
    bare, direct = legs["1", "0"]
    return [
        *_beside("direct", direct, [bare], bare),
        *_beside("punched", punched, [bare], bare),
        *_beside("relay", relayed, [legs[home, "public"][1] for home in ("1", "2")], bare, RELAYED_AIM),
        *_beside("friend", friend, [{"trip": friend["legs"]}], bare, RELAYED_AIM),
    ]


def _legs(lab: Homes, home: str, to: str) -> tuple[Found, Found]:
    """From a home to a host that everybody reaches: a bare connection, and a link."""
    place = OPEN if to == "0" else PUBLIC
    bare, direct = (_between(lab, way, (to, PORTS[0]), (home, place, PORTS[0])) for way in ("bare", "direct"))
    return bare, direct


def _beside(way: str, found: Found, legs: Sequence[Found], bare: Found, aim: float | None = None) -> list[Measure]:
    return [
        cost(f"lab-trip-{way}", found["trip"] * 1000, "ms", sum(leg["trip"] for leg in legs) * 1000, aim),
        rate(f"lab-rate-{way}", found["rate"] / 1e6, "MB/s", bare["rate"] / 1e6),
    ]


def _between(lab: Homes, way: str, answers: Sequence[str], asks: Sequence[str]) -> Found:
    """Seconds of a word and its answer, and bytes a second. answers, asks: a host of the lab, and the place."""
    (one, *place), (other, *there) = answers, asks
    with _started(lab.command(one, *module("probe", "answer", way, *place))):
        command = lab.command(other, *module("probe", "ask", way, *there))
        ended = subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=LONGEST)
        told: Found = json.loads(ended.stdout)
        return told


@contextmanager
def _started(command: Sequence[str]) -> Iterator[Any]:
    """A process while the block lasts: the first line that it says."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.kill()


# From joining to the first entry -------------------------------------------------------------------------------------


def _first_entries(lab: Homes) -> list[Measure]:
    with tempfile.TemporaryDirectory() as name:
        here = _first_entry(lab, Path(name) / "here", "0", "0", ["--local"])
        with _relay(lab, Path(name)):
            took = {
                way: _first_entry(lab, Path(name) / way, one, other, ["--relay", PUBLIC] if one != "0" else [])
                for way, one, other in FIRST
            }
    aims = {"punched": PUNCHED_AIM}
    return [cost(f"lab-first-{way}", each, "ms", here, most=aims.get(way)) for way, each in took.items()]


def _first_entry(lab: Homes, folder: Path, one: str, other: str, words: Sequence[str]) -> float:
    """Milliseconds from when the newcomer listens until the first wait of the table is resolved there."""
    ticket, log = folder / "ticket", folder / "log"
    local = [word for word in words if word == "--local"]
    with ExitStack() as stack:
        hosts = ["host", "eclipse2", "--players", "2", "--as", "random", "--ticket-file", str(ticket), *words]
        stack.enter_context(_starlock(lab, one, folder / "one", *hosts))
        _until(ticket.exists)
        joins = ["join", str(ticket), "--as", "random", "--log", str(log), *local]
        stack.enter_context(_starlock(lab, other, folder / "other", *joins))
        _until(lambda: _when(log, "table/height") is not None)
        began, resolved = _when(log, "peer/listening"), _when(log, "table/height")
        assert began is not None
        assert resolved is not None
        return (resolved - began) * 1000


# From the ticket and the answer to the first question ----------------------------------------------------------------


def _first_evening(lab: Homes) -> list[Measure]:
    """Two people at homes that nobody can dial, who read their screens and know their addresses outside."""
    with tempfile.TemporaryDirectory() as name:
        began = monotonic()
        hosts = ("host", "eclipse2", "--players", "2", "--name", "Ann", "--private")
        with _Person(lab, "1", Path(name) / "ann", *hosts) as ann:
            ann.until("does not know the address of your router")
            ann.type(f"{WAN}.2")
            ticket = ann.until(f"to friends outside(?:.|\\n)*({LINE})\\s")[1]
            with _Person(lab, "2", Path(name) / "bob", "join", ticket, "--name", "Bob") as bob:
                bob.until("does not know the address of your router")
                bob.type(f"{WAN}.3")
                answer = bob.until(f"Send this answer back(?:.|\\n)*?({LINE})\\s")[1]
                pasted = monotonic()
                ann.type(answer)
                ann.until("Bob wants to sit down")
                ann.type("y")
                bob.until("Sit down\\?")
                bob.type("y")
                _first_question(ann, bob)
                ended = monotonic()
    return [
        cost("lab-answer", ended - pasted, "s", LOOKS, most=ANSWER_AIM),
        cost("lab-evening", ended - began, "s", UNANSWERED, most=EVENING_AIM),
    ]


def _first_question(*people: _Person) -> None:
    """Read until one of them is asked the first question of the game."""
    end = monotonic() + LONGEST
    while not any("Which species" in each.read(0.02) for each in people):
        if monotonic() > end:
            raise TimeoutError


class _Person:
    """Somebody at a pseudo-terminal, in line mode, while the block lasts."""

    def __init__(self, lab: Homes, host: str, home: Path, *words: str) -> None:
        home.mkdir(parents=True)
        self._end, inner = pty.openpty()
        termios.tcsetwinsize(inner, (24, 2_000))
        command = lab.command(host, *[sys.executable, "-P", "-m", "client", *words, "--linear", "--lang", "en"])
        environment = {**os.environ, "STARLOCK_HOME": str(home), "TERM": "dumb"}
        self._process = subprocess.Popen(
            command, env=environment, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
        )
        os.close(inner)
        self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._end)

    def until(self, pattern: str) -> re.Match[str]:
        """Read until the pattern is shown."""
        end = monotonic() + LONGEST
        while (found := re.search(pattern, self._shown)) is None:
            if monotonic() > end:
                raise TimeoutError(f"{pattern} in {self._shown[-2000:]}")
            self.read(0.5)
        return found

    def read(self, patience: float) -> str:
        """What is shown after at most this many seconds."""
        if select.select([self._end], [], [], patience)[0]:
            self._shown += os.read(self._end, 65_536).decode(errors="replace").replace("\r", "")
        return self._shown

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self._end, f"{text}\r".encode())


@contextmanager
def _relay(lab: Homes, folder: Path) -> Iterator[None]:
    with _starlock(lab, "public", folder / "relay", "relay") as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield


@contextmanager
def _starlock(lab: Homes, host: str, home: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A starlock at a home of the lab while the block lasts."""
    home.mkdir(parents=True)
    command = lab.command(host, *[sys.executable, "-P", "-m", "client", *words, "--json"])
    environment = {**os.environ, "STARLOCK_HOME": str(home)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _when(log: Path, event: str) -> float | None:
    """When something happened first, by a log; None where it has not."""
    if not log.exists():
        return None
    lines = map(json.loads, log.read_bytes().rpartition(b"\n")[0].splitlines())
    return next((datetime.fromisoformat(each["time"]).timestamp() for each in lines if each["event"] == event), None)


def _until(holds: Any) -> None:
    end = monotonic() + LONGEST
    while not holds():
        if monotonic() > end:
            raise TimeoutError
        sleep(0.02)
