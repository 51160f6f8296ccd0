"""A circuit relay that others wrote, js-libp2p on node, and our extra, both from folders that `.ci/run` fills."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def js_relay(folder: Path, host: str = "127.0.0.1", port: int = 0, before: Sequence[str] = ()) -> Iterator[str]:
    """A relay while the block lasts; its multiaddr. before: what runs it elsewhere."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "relay.mjs"
    shutil.copy(Path(__file__).with_name("relay.mjs"), script)
    if not (folder / "node_modules").exists():
        (folder / "node_modules").symlink_to(MODULES)
    with (folder / "errors").open("ab") as errors:
        command = [*before, "node", str(script), host, str(port)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        assert line, (folder / "errors").read_text("utf-8")
        yield line
    finally:
        process.terminate()
        process.communicate(timeout=60)
