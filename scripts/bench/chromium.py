# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Chromium without a window, told what to do by the DevTools protocol over its pipe."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

BROWSER: Final = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING: Final = "there is no Chromium on this machine"
START: Final = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for number, end in enumerate(ends, 3):
    os.dup2(end, number)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Becomes the browser, which reads from descriptor 3 and writes to descriptor 4."""


class Chromium:
    """One page of a browser of its own. folder: for its profile, empty; before: what runs it elsewhere; messages of
    the console end up in `said`."""

    def __init__(self, folder: Path, before: Sequence[str] = ()) -> None:
        assert BROWSER is not None
        ours, theirs = os.pipe(), os.pipe()
        switches = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        command = [
            *before,
            sys.executable,
            "-c",
            START,
            str(ours[0]),
            str(theirs[1]),
            BROWSER,
            *switches,
            f"--user-data-dir={folder}",
        ]
        self._process = subprocess.Popen(command, pass_fds=(ours[0], theirs[1]), stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self._out, self._in = os.fdopen(ours[1], "wb"), os.fdopen(theirs[0], "rb")
        self._buffer, self._number, self._session = b"", 0, ""
        self.said: list[str] = []

    def __enter__(self) -> Self:
        self._attach(self.call("Target.createTarget", {"url": "about:blank"})["targetId"])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = ""
        if self._process.poll() is None:
            self.call("Browser.close")
        self._process.wait(20)
        self._out.close()
        self._in.close()

    def call(self, method: str, params: Mapping[str, object] | None = None) -> Any:
        """Do one thing and return its result."""
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        message = {"id": self._number, "method": method, "params": params or {}, **session}
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while (answer := self._read()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def duplicate(self) -> str:
        """Open the page in a second tab, which has what the first one stored, and go on there. Returns the first one,
        for `switch`."""
        before, here = self._session, self.run("location.href")
        self.call("Runtime.evaluate", {"expression": "open(location.href)", "userGesture": True})
        self._session = ""
        made = next(
            each
            for each in self.call("Target.getTargets")["targetInfos"]
            if each.get("openerId") and not each["attached"]
        )
        self._attach(made["targetId"])
        self.open(here)  # a tab begins with an empty document, whose watchers would wait in vain
        return before

    def switch(self, tab: str) -> str:
        """Go on in another tab. Returns the one before."""
        before, self._session = self._session, tab
        return before

    def kill(self) -> None:
        """End the browser as a crash does."""
        self._process.kill()
        self._process.wait(20)

    def _attach(self, target: str) -> None:
        self._session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded."""
        self.call("Page.navigate", {"url": url})
        self.run("new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))")

    def run(self, script: str) -> Any:
        """The value of an expression; of a promise when it is kept."""
        wish = {"expression": script, "awaitPromise": True, "returnByValue": True}
        result = self.call("Runtime.evaluate", wish)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def picture(self, path: Path, width: int, height: int, **media: str) -> None:
        """Write what is seen in a window of this size. media: features such as prefers_color_scheme."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.call("Emulation.setEmulatedMedia", {"features": features})
        path.write_bytes(b64decode(self.call("Page.captureScreenshot")["data"]))

    def _read(self) -> Any:
        while b"\0" not in self._buffer:
            more = os.read(self._in.fileno(), 1 << 20)
            assert more, "the browser has ended"
            self._buffer += more
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event: Any) -> None:
        match event.get("method"):
            case "Log.entryAdded":
                self.said.append(event["params"]["entry"]["text"])
            case "Runtime.exceptionThrown":
                self.said.append(str(event["params"]["exceptionDetails"]))
            case "Runtime.consoleAPICalled":
                self.said.append(str(event["params"]["args"]))
