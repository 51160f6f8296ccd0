# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of HTTP/1.1 over a trio stream that the page needs: small requests, whole responses, streams of lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.utils import formatdate
from typing import Final

import h11
import trio

from client.fronts.web.door import HEADERS, POLICY
from engine.core.dataclass import dataclass, replace

MOST: Final = 64 * 1024
"""Most bytes of the body of most requests."""
MOST_OF_FILE: Final = 16 * 1024 * 1024
"""Most bytes of a file."""
CHUNK: Final = 16 * 1024
PATIENCE: Final = 10.0
"""Seconds within which a request must have arrived, and a write must make progress."""


class BadRequestError(Exception):
    """The received bytes are not a valid request. Has the status code of the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class PageRequest:
    """headers: names in lower case, values as text."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """One connection of a browser."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=16 * 1024)

    async def request(self, most: Callable[[PageRequest], int] = lambda _head: MOST) -> PageRequest | None:
        """The next request; None at the end of the connection or when none arrives in time. most: the most bytes of its
        body, by its head. Raises BadRequestError for invalid or too large requests."""
        if self._http.our_state in (h11.DONE, h11.MUST_CLOSE, h11.ERROR):
            try:
                self._http.start_next_cycle()
            except h11.LocalProtocolError:
                return None
        with trio.move_on_after(PATIENCE):
            try:
                return await self._read(most)
            except h11.RemoteProtocolError as error:
                raise BadRequestError(error.error_status_hint) from error
        return None

    async def _read(self, most: Callable[[PageRequest], int]) -> PageRequest | None:
        head, body, limit = PageRequest("", "", {}, b""), bytearray(), 0
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(bytes(await self._stream.receive_some(CHUNK)))
            elif isinstance(event, h11.Request):
                headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in event.headers}
                path = event.target.decode("latin-1").partition("?")[0]
                head = PageRequest(event.method.decode("latin-1"), path, headers, b"")
                limit = most(head)
            elif isinstance(event, h11.Data):
                body += event.data
                if len(body) > limit:
                    raise BadRequestError(413)
            elif isinstance(event, h11.EndOfMessage) and head.method:
                return replace(head, body=bytes(body))
            else:
                return None

    async def respond(self, status: int, kind: str, body: bytes, policy: str = POLICY, name: str = "") -> None:
        """Send a whole response. kind: its media type; policy: its Content-Security-Policy; name: the name of the file
        that the browser writes it to, "" for a page."""
        written = [("Content-Disposition", f'attachment; filename="{name}"')] if name else []
        await self._send(self._head(status, kind, [("Content-Length", str(len(body))), *written], policy))
        await self._send(h11.Data(data=body))
        await self._send(h11.EndOfMessage())

    async def begin_stream(self) -> None:
        """Send the head of a response whose body, lines of JSON, follows by `write`."""
        await self._send(self._head(200, "application/x-ndjson", [("Transfer-Encoding", "chunked")]))

    async def write(self, data: bytes) -> None:
        """Send more of the body. Raises trio.TooSlowError when the browser accepts nothing for a long time."""
        await self._send(h11.Data(data=data))

    async def end_stream(self) -> None:
        """End the body."""
        await self._send(h11.EndOfMessage())

    async def wait_closed(self) -> None:
        """Return when the browser has closed the connection; further input is dropped."""
        while await self._stream.receive_some(CHUNK):
            pass

    def _head(self, status: int, kind: str, more: list[tuple[str, str]], policy: str = POLICY) -> h11.Response:
        own = {**HEADERS, "Content-Security-Policy": policy}
        headers = [("Date", formatdate(usegmt=True)), ("Content-Type", kind), *own.items(), *more]
        return h11.Response(status_code=status, headers=headers)

    async def _send(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            with trio.fail_after(PATIENCE):
                await self._stream.send_all(data)
