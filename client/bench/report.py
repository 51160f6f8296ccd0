"""The page of a game: its size beside the saved game, and how long it takes to be made and to check itself, beside the
audit of the same game.

The checks run under node, where there is one: the engine of a browser without its window. When a browser shows the
first picture is measured by hand.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
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
    node = shutil.which("node")
    return found_all if node is None else [*found_all, _checked(node, star, found)]


def _audited(star: bytes) -> tuple[SavedGame, Audit]:
    read = read_star(star)
    log = SavedGame(read.entries, read.texts, (read.height, read.head), read.exporter)
    return log, judged(log)


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
