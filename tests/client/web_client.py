"""A browser's side of the page's server, over streams in memory or from another thread over a socket."""

from __future__ import annotations

import html
import http.client
import json
import re
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import h11
import trio
import trio.testing
from seat0 import Seat0

from client.fronts.web.door import Guard
from client.fronts.web.server import Server

PORT = 4711
PATIENCE = 60.0
"""Seconds until the next state, on a slow machine: a cap against hangs, no promise."""
HOST = {"Host": f"127.0.0.1:{PORT}"}


def begun() -> Seat0:
    """A table of Eclipse whose first question is asked."""
    table = Seat0("eclipse2", 2)
    table.go()
    return table


class Answered:
    """A whole response."""

    def __init__(self, head: h11.Response, body: bytes) -> None:
        self.status, self.body = head.status_code, body
        self.headers = {name.decode(): value.decode() for name, value in head.headers}


class Browser:
    """Sends requests to a server; each connection is served by a task of the nursery."""

    def __init__(self, server: Server, nursery: trio.Nursery) -> None:
        self.server, self._nursery = server, nursery

    def connect(self) -> trio.abc.Stream:
        ours, theirs = trio.testing.memory_stream_pair()
        self._nursery.start_soon(self.server.connection, theirs)
        return ours

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = HOST, key: str = ""
    ) -> Answered:
        """One request on a connection of its own."""
        stream = self.connect()
        given = {**headers, "Content-Length": str(len(body)), **({"X-Starlock": key} if key else {})}
        http = h11.Connection(h11.CLIENT)
        sent = http.send(h11.Request(method=method, target=path, headers=list(given.items())))
        assert sent is not None
        await stream.send_all(sent + (http.send(h11.Data(data=body)) or b"") + (http.send(h11.EndOfMessage()) or b""))
        head, got = None, b""
        while True:
            event = http.next_event()
            if event is h11.NEED_DATA:
                http.receive_data(bytes(await stream.receive_some(65536)))
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                got += event.data
            else:
                assert isinstance(head, h11.Response)
                await stream.aclose()
                return Answered(head, got)

    async def key(self) -> str:
        """A key, by a new code."""
        answer = await self.ask("POST", "/key", self.server.guard.new_code().encode())
        assert answer.status == 200
        return answer.body.decode()

    async def act(self, key: str, **fields: Any) -> dict[str, Any]:
        answer = await self.ask("POST", "/do", json.dumps(fields).encode(), key=key)
        assert answer.status == 200
        done: dict[str, Any] = json.loads(answer.body)
        return done

    async def states(self, key: str) -> Lines:
        """The stream of states, after its head."""
        stream = self.connect()
        head = f"POST /state HTTP/1.1\r\nHost: 127.0.0.1:{PORT}\r\nX-Starlock: {key}\r\nContent-Length: 2\r\n\r\n{{}}"
        await stream.send_all(head.encode())
        return Lines(stream)


class Lines:
    """The states that a page is sent."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream, self._http, self._data = stream, h11.Connection(h11.CLIENT), b""
        self._http.send(h11.Request(method="POST", target="/state", headers=[("Host", "x"), ("Content-Length", "0")]))
        self._http.send(h11.EndOfMessage())

    async def next(self) -> dict[str, Any]:
        while b"\n" not in self._data.lstrip(b"\n"):
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(bytes(await self.stream.receive_some(65536)))
            elif isinstance(event, h11.Data):
                self._data += bytes(event.data)
        line, _newline, self._data = self._data.lstrip(b"\n").partition(b"\n")
        state: dict[str, Any] = json.loads(line)
        return state

    async def end(self) -> bool:
        """True when the stream ends as a whole response does."""
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(bytes(await self.stream.receive_some(65536)))
            elif isinstance(event, h11.EndOfMessage):
                return True
            else:
                assert isinstance(event, h11.Data)


def serving(session: Any) -> Server:
    return Server(session, Guard(PORT), lambda *_args, **_fields: None)


def led_to(address: str) -> str:
    """The link that a browser comes to by the address that it was opened with."""
    path = Path(url2pathname(urlsplit(address).path))
    assert address.startswith("file://")
    found = re.search(r"url=([^\"]+)", path.read_text("utf-8"))
    assert found is not None
    return html.unescape(found[1])


class Reader(threading.Thread):
    """Somebody at a page in another program: trades the link's code for the key, then does what it is given."""

    def __init__(self, link: str, work: Callable[[Reader], None]) -> None:
        super().__init__(daemon=True)
        url, _hash, self._code = link.partition("#")
        self._host, self._work = url.split("/")[2], work
        self._key = ""
        self.failed: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            with self._asked("/key", self._code) as answer:
                self._key = answer.read().decode()
            self._work(self)
        except Exception as error:  # noqa: BLE001  # told in the thread that waits
            self.failed = error

    def act(self, name: str, **fields: object) -> dict[str, Any]:
        with self._asked("/do", json.dumps({"act": name, **fields})) as answer:
            done: dict[str, Any] = json.loads(answer.read())
        return done

    def states(self) -> Generator[dict[str, Any], None, None]:
        """Every state until the stream ends or is given up."""
        with self._asked("/state", "{}") as stream:
            while line := stream.readline():
                if line.strip():
                    yield json.loads(line)

    @contextmanager
    def _asked(self, path: str, body: str) -> Iterator[http.client.HTTPResponse]:
        with closing(http.client.HTTPConnection(self._host, timeout=PATIENCE)) as connection:
            connection.request("POST", path, body, {"X-Starlock": self._key})
            with connection.getresponse() as answer:
                assert answer.status == 200
                yield answer
