"""A circuit relay that others wrote, js-libp2p on node, and our extra, both from folders that `.ci/run` fills."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ports import free_port

ROOT = Path(__file__).parents[2]
EXTRA = ROOT / ".venv" / "libp2p"
"""The packages of requirements-libp2p.lock, apart from the others: they bring types that hide those of trio."""
MODULES = ROOT / ".venv" / "libp2p-relay" / "node_modules"
WITH_EXTRA = f"import sys\nsys.path.append({str(EXTRA)!r})\n"
"""What a program runs first to have the extra."""


def missing() -> str | None:
    """Why there can be no such relay, or no extra, here; None when there can."""
    if not (EXTRA / "libp2p").is_dir():
        return "the extra starlock[libp2p] is not installed in .venv/libp2p (.ci/run does it)"
    if shutil.which("node") is None:
        return "the program node is not installed"
    if not MODULES.is_dir():
        return "the packages of tests/libp2p/package.json are not installed in .venv/libp2p-relay (.ci/run does it)"
    return None


def add_extra() -> None:
    """Let this process import the extra."""
    if str(EXTRA) not in sys.path:
        sys.path.append(str(EXTRA))


def collect_sockets() -> None:
    """Collect the sockets of attempts that the extra gave up without closing them. A later test would fail by the
    warning about one of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class JsRelay:
    """A relay that runs. before: what runs it elsewhere; multiaddr: where it is; known: another node's multiaddr, of
    which this one tells, and is no relay itself."""

    def __init__(self, folder: Path, host: str, before: Sequence[str], known: str = "") -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._host, self._before, self._known = folder, host, before, known
        shutil.copy(Path(__file__).with_name("relay.mjs"), folder)
        (folder / "node_modules").symlink_to(MODULES)
        self._port = free_port()
        self._process = self._start()
        assert self._process.stdout is not None
        name = self._process.stdout.readline().strip()
        self.multiaddr = f"/ip4/{host}/tcp/{self._port}/p2p/{name}"
        if not name:
            self.end()
            raise AssertionError((folder / "errors").read_text("utf-8"))

    def restart(self) -> None:
        """Kill it and start it again at the same port."""
        self.end()
        self._process = self._start()

    def end(self) -> None:
        """Kill it."""
        self._process.kill()
        self._process.communicate(timeout=60)

    def _start(self) -> subprocess.Popen[str]:
        command = [*self._before, "node", str(self._folder / "relay.mjs"), self._host, str(self._port)]
        command += [self._known] if self._known else []
        with (self._folder / "errors").open("ab") as errors:
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)


@contextmanager
def js_relay(folder: Path, host: str = "127.0.0.1", before: Sequence[str] = (), known: str = "") -> Iterator[JsRelay]:
    """A relay while the block lasts, or a node that knows one."""
    relay = JsRelay(folder, host, before, known)
    try:
        yield relay
    finally:
        relay.end()
