# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a relay for Prometheus, over HTTP on the loopback interface only.

They name no visitor, no room and no address. Source: the text format, https://prometheus.io/docs/instrumenting/exposition_formats
"""

from __future__ import annotations

import errno
from typing import Final

import trio

from p2p.link.connecting import Sparing
from p2p.link.contract import LinkRefusedError
from p2p.link.strangers import Strangers
from p2p.link.tcp import Listener
from p2p.reach.relay import Relay

LOOPBACK: Final = "127.0.0.1"
MAX_HEAD: Final = 8_192
PATIENCE: Final = 5.0
"""Seconds for a request."""
TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def metrics(relay: Relay, listener: Listener) -> str:
    """Return the figures as text."""
    gauges = {"waiting": relay.waiting, "rooms": relay.joined}
    lines = [line for name, value in gauges.items() for line in _single(name, "gauge", value)]
    lines += _single("bytes_total", "counter", relay.bytes)
    lines.append("# TYPE starlock_relay_events_total counter")
    counts = sorted({**listener.counts, **relay.counts}.items())
    lines += [f'starlock_relay_events_total{{event="{name}"}} {value}' for name, value in counts]
    return "\n".join(lines) + "\n"


def _single(name: str, kind: str, value: int) -> list[str]:
    return [f"# TYPE starlock_relay_{name} {kind}", f"starlock_relay_{name} {value}"]


async def serve_metrics(relay: Relay, listener: Listener, port: int) -> None:
    """Serve the figures until cancelled. Raises LinkRefusedError "listen/port-in-use" or "listen/failed"."""

    strangers = Strangers()

    async def answer(stream: trio.SocketStream) -> None:
        place = strangers.enter(LOOPBACK)
        try:
            with place, trio.move_on_after(PATIENCE):
                async with stream:
                    await _answer(stream, relay, listener)
        finally:
            strangers.leave(LOOPBACK, place)

    try:
        sockets = await trio.open_tcp_listeners(port, host=LOOPBACK)
        await trio.serve_listeners(answer, [Sparing(each) for each in sockets])
    except OSError as error:
        code = "listen/port-in-use" if error.errno == errno.EADDRINUSE else "listen/failed"
        raise LinkRefusedError(code, port, error.strerror or str(error)) from error


async def _answer(stream: trio.SocketStream, relay: Relay, listener: Listener) -> None:
    head = b""
    try:
        while b"\r\n\r\n" not in head and len(head) < MAX_HEAD:
            data = await stream.receive_some(MAX_HEAD)
            if not data:
                return
            head += data
        found = head.startswith(b"GET /metrics ")
        body = metrics(relay, listener).encode() if found else b""
        status = "200 OK" if found else "404 Not Found"
        words = f"HTTP/1.1 {status}\r\nContent-Type: {TYPE}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        await stream.send_all(words.encode() + body)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        return
