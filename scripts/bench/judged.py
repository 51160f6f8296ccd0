# SPDX-License-Identifier: GPL-3.0-or-later
"""The verifier page with a long game in Chromium: until it has both verdicts, and its rules alone; and what members
were asked, which the heads cover: its bytes, and the time that its records and digests take.
"""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final

from bench import Measure, by_turns, cost, seconds
from bench.chromium import Chromium
from client.proof.audit import SavedGame, judged
from client.report.verifier.held import held
from p2p.lockstep import told
from p2p.lockstep.audit import Audit
from p2p.lockstep.told_file import told_file
from p2p.log.starfile import read_star

LONGEST: Final = 15.0
"""Seconds from opening the page until both judges have their verdicts."""
LARGEST: Final = 10_000.0
"""Kilobytes that the page may have."""
ROUNDS: Final = 3
SAID: Final = """new Promise(done => {{
  const said = document.documentElement.dataset, look = () => said.{0} ? done(said.{0}) : setTimeout(look, 20);
  look();
}})"""
TAKEN: Final = """(() => {{
  const bytes = Uint8Array.from(atob("{star}"), one => one.charCodeAt(0));
  judgeFile(new File([bytes], "game.star"), judgeHere);
}})()"""
RULES: Final = """new Promise((done, failed) => {{
  const own = `onmessage = async ({{data: {{parts, data}}}}) => {{
    const page = await started(parts), list = page._judge.__builtins__.get("list");
    page.verdict(data, "game.star", "en", () => {{}}, () => {{}});
    const times = [];
    for (let turn = 0; turn < {rounds}; turn++) {{
      const began = performance.now();
      list(page._found.table.position.history.steps()).destroy();
      times.push((performance.now() - began) / 1000);
    }}
    postMessage(times);
  }}`;
  const source = new Blob([document.getElementById("python").textContent, own], {{type: "text/javascript"}});
  const worker = new Worker(URL.createObjectURL(source));
  worker.onmessage = ({{data}}) => done(data);
  worker.onerror = event => failed(event.message);
  const data = Uint8Array.from(atob("{star}"), one => one.charCodeAt(0));
  worker.postMessage({{parts: document.getElementById("parts").textContent, data}});
}})"""


def in_chromium(star: bytes, found: Audit) -> list[Measure]:
    """Both measures of the page; none where it has not been made."""
    page, text = held(), b64encode(star).decode()
    if page is None:
        return []
    with TemporaryDirectory() as folder, Chromium(Path(folder, "profile")) as browser:
        path = Path(folder, "verifier.html")
        path.write_bytes(page)

        def first() -> None:
            browser.open("about:blank")
            browser.open(path.as_uri())
            browser.run(TAKEN.format(star=text))
            assert browser.run(SAID.format("rules")) == "yes"

        def both() -> None:
            first()
            assert browser.run(SAID.format("agree")) == "yes"

        took, audit_took, spread = by_turns(both, lambda: _audit(star), ROUNDS)
        until_first = seconds(first)
        there = browser.run(RULES.format(star=text, rounds=ROUNDS))
        here, _nothing, _spread = by_turns(lambda: _rules(found), lambda: None, ROUNDS)
    notes = {"first": round(until_first, 2), "kB": round(len(page) / 1e3)}
    most = LONGEST if len(page) / 1e3 <= LARGEST else 0.0
    return [
        cost("verifier-verdict", took, "s", audit_took, most=most, spread=spread, notes=notes),
        cost("verifier-rules", min(there), "s", here),
    ]


def of_what_was_told(star: bytes, found: Audit) -> list[Measure]:
    """Bytes of the file beside the saved game, and time of its records and digests beside the rules of the game."""
    assert found.table is not None
    position = found.table.position
    data = told_file(found.table.genesis.table, position)
    records = [*position.told.values()]

    def ours() -> None:
        for record in records:
            told.digest(record)

    took, rules, spread = by_turns(ours, lambda: _rules(found), clock=process_time)
    notes = {"steps": len(records), "µs each": round(took / len(records) * 1e6, 1)}
    return [
        cost("told-bytes", len(data) / 1e3, "kB", len(star) / 1e3),
        cost("told-time", took, "s", rules, spread=spread, notes=notes),
    ]


def _rules(found: Audit) -> None:
    assert found.table is not None
    for _step in found.table.position.history.steps():
        pass


def _audit(star: bytes) -> None:
    read = read_star(star)
    judged(SavedGame(read.entries, read.texts, (read.height, read.head), read.exporter))
