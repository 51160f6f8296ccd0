"""The page of a game: its size beside the saved game, and how long it takes to be made and to check itself, beside the
audit of the same game.

The checks run under node, where there is one: the engine of a browser without its window. The first picture is that of
a Chromium without a window, beside the picture of an empty page, which takes it as long to start.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from client.audit import SavedGame, judged
from client.bench import Measure, by_turns, cost
from client.bench.engine import GAME
from client.bench.logs import BenchTable
from client.report.hints import hints
from client.report.page import checks, page
from p2p.lockstep.audit import Audit
from p2p.log.starfile import read_star

PLAYERS: Final = 2
BOTS: Final = "greedy"
FIXED: Final = 400.0
"""Kilobytes that a page may have beside 1.4 times its saved game in base64."""
LONGER: Final = 1.4
SHOWN: Final = 1.0
"""Seconds until the first picture."""
MADE: Final = 1.2
"""Times the audit that auditing a game and making its page may take."""
CHECKED: Final = 4.0
"""Times the audit that the checks of the page may take."""
RUNNER: Final = """
const {star, hints} = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf-8"));
checkGame(new Uint8Array(Buffer.from(star, "base64")), hints, () => {}).then(report => process.exit(report.ok ? 0 : 1));
"""


def measures() -> list[Measure]:
    """All of this chapter."""
    table = BenchTable(1, GAME, PLAYERS, BOTS)
    table.start()
    table.play()
    star = table.star()
    log, found = _audited(star)
    made = page(log, found, star)
    text = len(b64encode(star)) / 1e3
    size = cost("page-size", len(made) / 1e3, "kB", text, most=LONGER * text + FIXED, notes={"star": len(star)})

    def whole() -> None:
        page(*_audited(star), star)

    whole_took, audit_took, spread = by_turns(whole, lambda: _audited(star), 3)
    found_all = [size, cost("page-made", whole_took, "s", audit_took, MADE, spread=spread)]
    if browser := shutil.which("chromium") or shutil.which("chromium-browser"):
        found_all.append(_shown(browser, made))
    if node := shutil.which("node"):
        found_all.append(_checked(node, star, found))
    return found_all


def _audited(star: bytes) -> tuple[SavedGame, Audit]:
    read = read_star(star)
    log = SavedGame(read.entries, read.texts, (read.height, read.head), read.exporter)
    return log, judged(log)


def _shown(browser: str, made: bytes) -> Measure:
    """How much longer the first picture of the page takes than that of an empty one."""
    with TemporaryDirectory() as folder:
        pages = [Path(folder, "page.html"), Path(folder, "empty.html")]
        for path, data in zip(pages, (made, b"<!doctype html><title>empty</title>"), strict=True):
            path.write_bytes(data)

        def picture(path: Path) -> None:
            switches = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile"]
            picture = f"--screenshot={folder}/picture.png"
            subprocess.run([browser, *switches, picture, path.as_uri()], check=True, capture_output=True, timeout=120)

        took, empty, spread = by_turns(lambda: picture(pages[0]), lambda: picture(pages[1]), 3)
    found = cost("page-shown", max(0.0, took - empty), "s", empty, most=SHOWN, spread=spread)
    return replace(found, notes={"whole": round(took, 2)})


def _checked(node: str, star: bytes, found: Audit) -> Measure:
    """The checks of the page, with the start of node, beside the audit."""
    with TemporaryDirectory() as folder:
        script, data = Path(folder, "checks.js"), Path(folder, "game.json")
        script.write_text(checks() + RUNNER, encoding="utf-8")
        data.write_text(json.dumps({"star": b64encode(star).decode(), "hints": hints(found)}), encoding="utf-8")

        def ours() -> None:
            subprocess.run([node, script, data], check=True)

        took, audit_took, spread = by_turns(ours, lambda: _audited(star), 3)
    return cost("page-checked", took, "s", audit_took, CHECKED, spread=spread)
