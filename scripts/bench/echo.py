# SPDX-License-Identifier: GPL-3.0-or-later
"""The floor of an action at a table: one signed CBOR message from a sender to the other processes and back.

The sender signs, appends the message to a file with one fsync, and sends it; each of the others decodes it, checks the
signature and sends it back. Nothing else: no noise, no feeds, no rules, no store.

`bench.module("echo", PORT)` is one of the others.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from statistics import median
from time import perf_counter
from typing import Final

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from bench import module
from p2p.wire.codec import decode, encode

ROUNDS: Final = 200
BODY: Final = bytes(200)
"""About as much as an answer's entry has beside its signature."""


async def read(stream: trio.SocketStream, size: int) -> bytes:
    """Read exactly `size` bytes; fewer only at the end of the stream."""
    data = b""
    while len(data) < size:
        more = await stream.receive_some(size - len(data))
        if not more:
            break
        data += more
    return data


async def echo(port: int) -> None:
    """Check and send back whatever comes, until the sender is gone."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    while head := await read(stream, 4):
        data = await read(stream, int.from_bytes(head, "big"))
        match decode(data):
            case [bytes() as key, bytes() as body, bytes() as signature]:
                Ed25519PublicKey.from_public_bytes(key).verify(signature, body)
        await stream.send_all(head + data)


async def rounds(server: socket.socket, others: int) -> list[float]:
    """Seconds that each round took, once so many others have come to `server`."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()
    listener = trio.SocketListener(trio.socket.from_stdlib_socket(server))
    streams = [await listener.accept() for _ in range(others)]
    took: list[float] = []
    with tempfile.TemporaryFile() as file:
        for number in range(ROUNDS):
            began = perf_counter()
            body = number.to_bytes(4, "big") + BODY
            data = encode([public, body, key.sign(body)])
            message = len(data).to_bytes(4, "big") + data
            file.write(message)
            file.flush()
            os.fsync(file.fileno())
            async with trio.open_nursery() as nursery:
                for stream in streams:
                    nursery.start_soon(_round, stream, message)
            took.append(perf_counter() - began)
    for stream in streams:
        await stream.aclose()
    await listener.aclose()
    return took


async def _round(stream: trio.SocketStream, message: bytes) -> None:
    await stream.send_all(message)
    await read(stream, len(message))


def floor(others: int) -> float:
    """Median seconds of a round with so many others."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = module("echo", str(server.getsockname()[1]))
        started = [subprocess.Popen(command) for _ in range(others)]
        try:
            return median(trio.run(rounds, server, others)[ROUNDS // 10 :])
        finally:
            for other in started:
                other.kill()
                other.wait()


if __name__ == "__main__":
    trio.run(echo, int(sys.argv[1]))
