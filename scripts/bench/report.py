# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a long game: its size beside the saved game, and how long it takes to be made and to check itself, beside
the audit of the same game.

The first picture is that of a Chromium without a window, beside the picture of an empty page, which takes it as long to
start. There the page checks itself with as many workers as the machine has cores; under node the checks have one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench import Measure, Note, by_turns, cost
from bench.chromium import BROWSER, Chromium
from bench.engine import GAME
from bench.judged import in_chromium, of_what_was_told
from bench.longgame import LongTable
from client.proof.audit import SavedGame, judged
from client.report.facts import hints
from client.report.page import audited, checks
from p2p.lockstep.audit import Audit
from p2p.log.starfile import read_star

FIXED: Final = 400.0
"""Kilobytes that a page may have beside 1.4 times its saved game in base64."""
LONGER: Final = 1.4
SHOWN: Final = 1.0
"""Seconds until the first picture."""
MADE: Final = 1.2
"""Times the audit that auditing a game and making its page may take."""
CHECKED: Final = 4.0
"""Times the audit that the checks of the page may take."""
LONGEST: Final = 20.0
"""Seconds that they may take."""
ROUNDS: Final = 3
VERDICT: Final = """new Promise(done => {
  const look = () => document.documentElement.dataset.verified === "running" ? setTimeout(look, 20)
    : done(document.documentElement.dataset.verified);
  look();
})"""
"""What the page says in the end."""
RUNNER: Final = """
const {star, hints} = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf-8"));
checkGame(new Uint8Array(Buffer.from(star, "base64")), hints, () => {}).then(report => process.exit(report.ok ? 0 : 1));
"""


def measures() -> list[Measure]:
    """All of this chapter."""
    table = LongTable(1, GAME)
    table.start()
    table.play()
    star = table.star()
    log = _read(star)
    found, _star, made = audited(log, lambda _table: star)
    text = len(b64encode(star)) / 1e3
    kinds = Counter(entry.kind for entry in log.entries)
    notes: dict[str, Note] = {"star": len(star), "entries": len(log.entries)}
    notes |= {kind: kinds[kind] for kind in ("shuffle", "partial")}
    size = cost("page-size", len(made) / 1e3, "kB", text, most=LONGER * text + FIXED, notes=notes)

    def whole() -> None:
        audited(_read(star), lambda _table: star)

    whole_took, audit_took, spread = by_turns(whole, lambda: _audit(star), ROUNDS)
    found_all = [size, cost("page-made", whole_took, "s", audit_took, MADE, spread=spread)]
    if BROWSER is not None:
        found_all += [_shown(BROWSER, made), _verified(made, star), *in_chromium(star, found)]
    if node := shutil.which("node"):
        found_all.append(_checked(node, star, found))
    return [*found_all, *of_what_was_told(star, found)]


def _read(star: bytes) -> SavedGame:
    read = read_star(star)
    return SavedGame(read.entries, read.texts, (read.height, read.head), read.exporter)


def _audit(star: bytes) -> None:
    judged(_read(star))


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

        took, empty, spread = by_turns(lambda: picture(pages[0]), lambda: picture(pages[1]), ROUNDS)
    found = cost("page-shown", max(0.0, took - empty), "s", empty, most=SHOWN, spread=spread)
    return replace(found, notes={"whole": round(took, 2)})


def _verified(made: bytes, star: bytes) -> Measure:
    """How long a Chromium takes from opening the page until it says that it is intact, beside the audit."""
    with TemporaryDirectory() as folder, Chromium(Path(folder, "profile")) as browser:
        path = Path(folder, "page.html")
        path.write_bytes(made)

        def ours() -> None:
            browser.open(path.as_uri())
            assert browser.run(VERDICT) == "yes"

        took, audit_took, spread = by_turns(ours, lambda: _audit(star), ROUNDS)
        cores = browser.run("navigator.hardwareConcurrency")
    return cost("page-verified", took, "s", audit_took, CHECKED, LONGEST, spread, {"cores": cores})


def _checked(node: str, star: bytes, found: Audit) -> Measure:
    """The checks of the page, with the start of node, beside the audit."""
    with TemporaryDirectory() as folder:
        script, data = Path(folder, "checks.js"), Path(folder, "game.json")
        script.write_text(checks() + RUNNER, encoding="utf-8")
        data.write_text(json.dumps({"star": b64encode(star).decode(), "hints": hints(found)}), encoding="utf-8")

        def ours() -> None:
            subprocess.run([node, script, data], check=True)

        took, audit_took, spread = by_turns(ours, lambda: _audit(star), ROUNDS)
    return cost("page-checked", took, "s", audit_took, spread=spread)
