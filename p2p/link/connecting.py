# SPDX-License-Identifier: GPL-3.0-or-later
"""TCP connections, before anything is said over them."""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Any, Final

import trio

from p2p.link.contract import LinkRefusedError

if sys.platform != "win32":
    from resource import RLIMIT_NOFILE, getrlimit

APART = sys.platform == "win32"
"""True where connections from the listening port are not safe: on Windows the option for that hands the port to any
program that asks. Source: Microsoft, "Using SO_REUSEADDR and SO_EXCLUSIVEADDRUSE"."""
WHOLE_HANDSHAKE: Final = 5.0
STAGGER: Final = 0.25
"""Seconds between one address of a name and the next (RFC 8305, 5)."""
TAKEN: Final = frozenset({errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES, errno.EINVAL})
"""Errors when a port cannot be used: the same connection exists, or the port cannot be shared."""
SEGMENT: Final = 1_200
"""Bytes of data in each packet: 1,280 without the headers of IPv6 and TCP, and without some options."""
NO_LINGER: Final = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)
SPARED: Final = 32
"""Files that are left to the rest of the program: links are refused before the system refuses it a file."""
BUSY: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS})
BUSY_LASTS: Final = 0.1
"""Seconds before the next connection is taken after one was refused for want of files."""


async def connect(host: str, port: int, own_port: int = 0, family: int = 0) -> trio.SocketStream:
    """Connect within 5 seconds, from `own_port` if the system allows it. family: that of the addresses of a name that
    are tried, 0 for both. Raises LinkRefusedError."""
    with trio.move_on_after(WHOLE_HANDSHAKE):
        try:
            if own_port:
                try:
                    return await connect_from(own_port, host, port, family)
                except OSError as error:
                    if error.errno not in TAKEN:
                        raise
            return await connect_from(0, host, port, family)
        except OSError as error:
            raise LinkRefusedError("link/unreachable", error.strerror or str(error)) from error
    raise LinkRefusedError("link/timeout")


def share_port(made: trio.socket.SocketType) -> None:
    """Allow further connections from the port of a socket. Windows has no safe option for that."""
    if sys.platform != "win32":
        made.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_REUSEPORT, 1)


async def second_port() -> trio.socket.SocketType:
    """Return a socket that holds a free port without listening there, for connections from it. Raises OSError."""
    made = trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_STREAM)
    made.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_REUSEADDR, 1)
    share_port(made)
    await made.bind(("0.0.0.0", 0))  # noqa: S104  it does not listen
    return made


def short_segments(made: trio.socket.SocketType) -> None:
    """Send and ask for segments that fit the smallest path of IPv6, 1,280 bytes (RFC 8200, 5): some paths are no wider,
    and some of these drop what does not fit without a word. Windows has no such option."""
    if hasattr(socket, "TCP_MAXSEG") and sys.platform != "win32":
        with suppress(OSError):  # a system that knows the option and refuses it
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)


def forget_undelivered(stream: trio.abc.Stream) -> None:
    """Make closing discard undelivered data, so that the ports are free at once."""
    if isinstance(stream, trio.SocketStream):
        with suppress(OSError):  # already closed
            stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, NO_LINGER)


async def connect_from(own_port: int, host: str, port: int, family: int = 0) -> trio.SocketStream:
    """Connect to the first address of the name that answers: each is tried when the one before has failed or been
    silent for STAGGER seconds, the families in turn (RFC 8305). Raises OSError.

    own_port: the port to connect from, that of a listener or of `second_port`; 0 for any port.
    family: as in `connect`.
    """
    try:
        found = await trio.socket.getaddrinfo(host, port, family=family, type=trio.socket.SOCK_STREAM)
    except UnicodeError as error:  # a name with a part that is empty or too long
        raise socket.gaierror(socket.EAI_NONAME, "no such name") from error
    won: list[trio.SocketStream] = []
    failures: list[OSError] = []

    async def attempt(family: int, where: tuple[Any, ...], failed: trio.Event) -> None:
        try:
            won.append(await _connected(own_port, family, where))
            nursery.cancel_scope.cancel()
        except OSError as error:
            failures.append(error)
            failed.set()

    try:
        async with trio.open_nursery() as nursery:
            for family, where in _in_turn([(each[0], each[4]) for each in found]):
                failed = trio.Event()
                nursery.start_soon(attempt, family, where, failed)
                with trio.move_on_after(STAGGER):
                    await failed.wait()
    except BaseException:  # a nursery that is cancelled raises a group
        for stream in won:
            stream.socket.close()
        raise
    for stream in won[1:]:
        stream.socket.close()
    if won:
        return won[0]
    raise min(failures, key=lambda error: error.errno not in TAKEN)


def _in_turn(addresses: Sequence[tuple[int, tuple[Any, ...]]]) -> list[tuple[int, tuple[Any, ...]]]:
    """Return addresses in their order, but the two families in turn."""
    first = [each for each in addresses if each[0] == addresses[0][0]]
    other = [each for each in addresses if each[0] != addresses[0][0]]
    pairs = zip_longest(first, other)
    return [each for pair in pairs for each in pair if each is not None]


async def _connected(own_port: int, family: int, where: tuple[Any, ...]) -> trio.SocketStream:
    """Connect to one address, from `own_port` if that is not 0. Raises OSError."""
    made = spared(trio.socket.socket(family, trio.socket.SOCK_STREAM))
    try:
        short_segments(made)
        if own_port:
            made.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_REUSEADDR, 1)
            share_port(made)
            if family == trio.socket.AF_INET6:
                made.setsockopt(trio.socket.IPPROTO_IPV6, trio.socket.IPV6_V6ONLY, 1)  # IPv4 has its own listener
            await made.bind(("::" if family == trio.socket.AF_INET6 else "0.0.0.0", own_port))  # noqa: S104
        await made.connect(where)
    except BaseException:
        made.close()
        raise
    return trio.SocketStream(made)


def spared(made: trio.socket.SocketType) -> trio.socket.SocketType:
    """Return a new socket, or close it and raise OSError (EMFILE) if it would take one of the last SPARED files that
    this process may open. The system hands out the least free number, so the number of a file tells how many are
    open."""
    if sys.platform != "win32":
        limit = getrlimit(RLIMIT_NOFILE)[0]
        if limit > 0 and made.fileno() >= limit - min(SPARED, limit // 8):
            made.close()
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    return made


class Sparing(trio.abc.Listener[trio.SocketStream]):
    """A listener that refuses connections which would take one of the last files. below: the listener; refused: called
    with each."""

    def __init__(self, below: trio.SocketListener, refused: Callable[[], None] = lambda: None) -> None:
        self._below, self._refused = below, refused

    async def accept(self) -> trio.SocketStream:
        while True:
            try:
                stream = await self._below.accept()
                spared(stream.socket)
            except OSError as error:
                if error.errno not in BUSY:
                    raise
                self._refused()
                await trio.sleep(BUSY_LASTS)
            else:
                return stream

    async def aclose(self) -> None:
        await self._below.aclose()
