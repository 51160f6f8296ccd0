"""A real Firefox without a window, told what to do by WebDriver BiDi over a WebSocket."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
from base64 import b64decode, b64encode
from collections import deque
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self

__all__ = ["FIREFOX", "Firefox"]

FIREFOX: Final = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS: Final = re.compile(rb"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)")
PATIENCE: Final = 240
"""Seconds for one answer."""


class Firefox:
    """One page of a browser of its own, with the same methods as `Chromium`. folder: for its profile, empty."""

    def __init__(self, folder: Path) -> None:
        assert FIREFOX is not None
        folder.mkdir(parents=True)
        self.said: list[str] = []
        self._number, self._context, self._buffer = 0, "", b""
        self._last: deque[bytes] = deque(maxlen=20)
        self._folder = folder
        self._process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(self._folder)]
        env = {**os.environ, "HOME": str(self._folder), "MOZ_CRASHREPORTER_DISABLE": "1"}
        return subprocess.Popen(
            [*command, "--remote-debugging-port", "0"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=env
        )

    def __enter__(self) -> Self:
        self._connect()
        return self

    def _connect(self) -> None:
        """Begin a session with one page."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := LISTENS.search(line):
                break
        else:
            raise AssertionError("the browser has ended")
        self._reader = Thread(target=self._last.extend, args=[self._process.stderr], daemon=True)
        self._reader.start()  # a full pipe would stop the browser
        self._socket = socket.create_connection(("127.0.0.1", int(found[1])), PATIENCE)
        key = b64encode(os.urandom(16)).decode()
        host = f"127.0.0.1:{int(found[1])}"
        upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13"
        self._socket.sendall(f"GET /session HTTP/1.1\r\nHost: {host}\r\n{upgrade}\r\n\r\n".encode())
        while b"\r\n\r\n" not in self._buffer:
            self._buffer += self._more()
        head, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        assert b" 101 " in head, head
        self.call("session.new", {"capabilities": {}})
        self._context = self.call("browsingContext.getTree", {})["contexts"][0]["context"]
        self.call("session.subscribe", {"events": ["log.entryAdded"]})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(20)
        self._reader.join(20)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def call(self, method: str, params: dict[str, object]) -> Any:
        """Do one thing and return its result."""
        self._number += 1
        self._send(json.dumps({"id": self._number, "method": method, "params": params}).encode())
        while (answer := json.loads(self._message())).get("id") != self._number:
            if answer.get("method") == "log.entryAdded" and self._of_page(answer["params"]):
                self.said.append(str(answer["params"].get("text")))
        assert answer["type"] == "success", answer
        return answer["result"]

    def _of_page(self, entry: dict[str, Any]) -> bool:
        """True if a line of the log is of the page. The browser's own parts speak without one, from their files, or to
        the console from nowhere."""
        frames = (entry.get("stackTrace") or {}).get("callFrames", [])
        own = any(str(frame["url"]).startswith(("chrome:", "resource:", "moz-extension:")) for frame in frames)
        own = own or (entry.get("type") == "console" and not frames)
        return bool(entry["source"].get("context") == self._context) and not own

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded. A busy machine's browser may lose a page for good: another one is
        begun then, with more patience."""
        for patience in (30, 90):
            self._socket.settimeout(patience)
            try:
                self._navigate(url)
            except TimeoutError:
                self._end()
                self._number, self._buffer, self._process = 0, b"", self._started()
                self._connect()
            else:
                break
        else:
            self._socket.settimeout(PATIENCE)
            self._navigate(url)
        self._socket.settimeout(PATIENCE)

    def _navigate(self, url: str) -> None:
        self.call("browsingContext.navigate", {"context": self._context, "url": url, "wait": "complete"})

    def run(self, script: str) -> Any:
        """The value of an expression; of a promise when it is kept."""
        wish = {"expression": f"Promise.resolve({script}).then(found => JSON.stringify(found) ?? 'null')"}
        target = {"target": {"context": self._context}, "awaitPromise": True}
        result = self.call("script.evaluate", {**wish, **target})
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def picture(self, path: Path, width: int, height: int) -> None:
        """Write what is seen in a window of this size."""
        self.call(
            "browsingContext.setViewport", {"context": self._context, "viewport": {"width": width, "height": height}}
        )
        path.write_bytes(b64decode(self.call("browsingContext.captureScreenshot", {"context": self._context})["data"]))

    def _send(self, data: bytes) -> None:
        """One text message in one masked frame (RFC 6455)."""
        size, mask = len(data), os.urandom(4)
        head = bytes([0x81]) + (
            bytes([0x80 | size]) if size < 126
            else bytes([0x80 | 126]) + size.to_bytes(2, "big") if size < 1 << 16
            else bytes([0x80 | 127]) + size.to_bytes(8, "big")
        )  # fmt: skip
        key = int.from_bytes(mask * (size // 4 + 1), "big") >> 8 * (4 - size % 4)
        masked = (int.from_bytes(data, "big") ^ key).to_bytes(size, "big")
        self._socket.sendall(head + mask + masked)

    def _message(self) -> bytes:
        """The next text message, of one or more frames."""
        parts = []
        while True:
            first, second = self._take(2)
            size = second & 127
            if size >= 126:
                size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
            body = self._take(size)
            assert first & 15 in (0, 1), "a frame of text"
            parts.append(body)
            if first & 0x80:
                return b"".join(parts)

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._buffer += self._more()
        found, self._buffer = self._buffer[:size], self._buffer[size:]
        return found

    def _more(self) -> bytes:
        more = self._socket.recv(1 << 20)
        if not more:
            self._reader.join(20)
            raise AssertionError(f"the browser has ended: {b''.join(self._last)!r}")
        return more
