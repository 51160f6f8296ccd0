"""The scripts of the page of a game, one by one under node: their names, names of people, values, and workers that
share the checking."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from report_pages import needs_node
from wcwidth import wcwidth

from client.proof.audit_chance import value_text
from client.report.page import CHECKS, SCRIPTS, checks
from client.system.names import seat_name
from p2p.lockstep.genesis import Row
from p2p.wire.codec import Value

STATIC = Path(__file__).parents[3] / "client" / "report" / "static"


@needs_node
@pytest.mark.parametrize("names", [CHECKS, SCRIPTS], ids=["worker", "page"])
def test_no_two_scripts_of_the_page_define_one_name(names: tuple[str, ...], tmp_path: Path) -> None:
    """The scripts of one thread share their names, and a later function silently replaces an earlier one. In a module
    that is an error."""
    scripts = [(STATIC / name).read_text("utf-8") for name in names]

    def error_of(*parts: str) -> str:
        path = tmp_path / "all.mjs"
        path.write_text("\n".join(parts), encoding="utf-8")
        return subprocess.run(["node", "--check", path], capture_output=True, text=True, timeout=60).stderr

    assert error_of(*scripts) == ""
    assert "has already been declared" in error_of(*scripts, "function put() {}\nfunction put() {}")


NAMES = (
    "Ann (bot)", "Ann \uff08bot\uff09", "Ann \u207db0t\u207e", "Ann (home)", "\u0410nn", "Ann\u3164",
    "\u0410\u043d\u043d\u0430", "A" + "\u0301" * 6, "x" * 96, "e\u0301", "An\u2800n", "An\u2003n", " Ann",
    "Ann\u202e", "\u041f\u043e\u043b (\u0432)", "Ann\ufe05", "A" + "\u0e47" * 4, "A" + "\u11a8" * 4,
    "Ann (bo\u20ddt)", "Bob> yes <Ann", "<\u0338A",
)  # fmt: skip


def on_page(rows: Sequence[Row], folder: Path) -> Sequence[str]:
    """The names in these rows as the scripts of the page show them."""
    path = folder / "names.js"
    path.write_text(
        f"{checks()}\nconsole.log(JSON.stringify({json.dumps([row.fields() for row in rows])}.map(rowName)));", "utf-8"
    )
    done = subprocess.run(["node", path], capture_output=True, text=True, timeout=60, check=True)
    return list(json.loads(done.stdout))


@needs_node
def test_the_page_shows_every_name_as_verify_does(tmp_path: Path) -> None:
    """A letter that nobody sees, or that looks like another one, gives no two members one name on a page."""
    letters = map(
        chr,
        [
            *range(0x3400),
            *range(0x16FE0, 0x16FF0),
            *range(0xD7B0, 0xD7FF),
            *range(0xF900, 0x10000),
            *range(0xE0000, 0xE0200),
        ],
    )
    known = [letter for letter in letters if unicodedata.category(letter) != "Cn"]  # a browser may know newer ones
    rows = [Row(0, name) for name in (*NAMES, *(f"A{one}b" for one in known), *known)]
    rows += [Row(0, name, "hard") for name in NAMES]
    wanted = [seat_name(row) for row in rows]
    assert [pair for pair in zip(wanted, on_page(rows, tmp_path), strict=True) if pair[0] != pair[1]] == []
    assert "Ann" not in wanted


@needs_node
def test_the_page_cuts_a_name_at_the_column_at_which_verify_does(tmp_path: Path) -> None:
    """Names of both sides of every border between letters of none, one and two columns, as long as a name may be."""
    widths = [max(wcwidth(chr(point)), 0) for point in range(0x110000)]
    borders = [point for point in range(1, 0x110000) if widths[point] != widths[point - 1]]
    letters = [chr(point) for border in borders for point in (border - 1, border)]
    known = [letter for letter in letters if unicodedata.category(letter) not in ("Cn", "Cs")]
    rows = [Row(0, name) for one in known for name in (one * 24, "x" * 23 + one, "x" * 22 + one + "x")]
    wanted = [seat_name(row) for row in rows]
    assert [pair for pair in zip(wanted, on_page(rows, tmp_path), strict=True) if pair[0] != pair[1]] == []
    assert seat_name(Row(0, "\u6f22" * 20)) == "\u6f22" * 11 + "…"


@needs_node
@pytest.mark.parametrize("value", [None, True, 7, "a b", [None, [1, False]], {"tile": 3, "to": {"q": -1, "r": None}}])
def test_a_value_of_the_log_has_the_same_letters_on_the_page_and_in_the_verdict(value: Value) -> None:
    (body,) = re.findall(
        r"^function written\(value\) \{\n.*?^\}$", (STATIC / "shown.js").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    script = f"""
        const safe = text => text, reviver = (_, each) =>
          each && each.constructor === Object ? new Map(Object.entries(each)) : each;
        {body}
        console.log(written(JSON.parse({json.dumps(json.dumps(value))}, reviver)));
    """
    said = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout
    assert said.rstrip("\n") == value_text(value)


HELPED = """
class Port {
  asked = [];
  postMessage({all}) { this.asked.push(all); }
  answer(said = {found: this.asked.at(-1)}) { this.onmessage({data: said}); }
}
const ports = [new Port(), new Port()], helpers = new Helpers(ports);
const asked = () => ports.map(port => port.asked.join(""));
const results = ["a", "b", "c", "d"].map(all => helpers.check("proofs", all)), before = asked();
ports[1].answer({failed: "lost"});
ports[0].answer();
ports[1].answer();
ports[0].answer();
Promise.allSettled(results).then(all => console.log(JSON.stringify(
  {before, after: asked(), found: all.map(({value, reason}) => value ?? reason.message)})));
"""


@needs_node
def test_each_helper_has_one_batch_at_a_time_and_its_answer_counts_for_that_batch_alone() -> None:
    script = (STATIC / "later.js").read_text("utf-8") + HELPED
    assert said_by_node(script) == {"before": ["a", "b"], "after": ["ad", "bc"], "found": ["a", "lost", "c", "d"]}


ASKED = """
const begun = [];
globalThis.document = {documentElement: null};
globalThis.navigator ??= {};
globalThis.Worker = class {
  constructor() { begun.push(this); this.told = []; }
  postMessage(data) { this.told.push(data); }
};
globalThis.checks = () => {};
"""
ANSWERED = """
const one = new Asked(""), worker = begun.at(-1), heard = [];
const ask = () => one.ask({}, ["report"], said => heard.push(said.done)), first = ask(), second = ask(), third = ask();
worker.onmessage({data: {question: second.question, done: 0.5}});
worker.onmessage({data: {question: second.question, report: "of the second"}});
worker.onmessage({data: {question: first.question, report: "of the first, late"}});
worker.onmessage({data: {question: first.question, report: "once more"}});
worker.onerror({message: "no memory"});
Promise.allSettled([first, second, third, ask()].map(({report}) => report)).then(all => {
  const found = all.map(({value, reason}) => value ?? {reason});
  console.log(JSON.stringify({heard, asked: worker.told.length, found}));
  process.exit();
});
"""


@needs_node
def test_no_answer_of_a_worker_is_taken_for_that_of_another_question() -> None:
    """Of two games one is judged before the other; then the worker is lost, which is a verdict over none."""
    script = ASKED + (STATIC / "common.js").read_text("utf-8").replace('"use strict";', "") + ANSWERED
    lost = {"reason": "no memory"}
    assert said_by_node(script) == {
        "heard": [0.5],
        "asked": 3,
        "found": ["of the first, late", "of the second", lost, lost],
    }


@needs_node
def test_the_page_begins_all_workers_once_and_ends_none() -> None:
    """Firefox lets workers wait for minutes that a worker has begun, and all of them when one has ended."""
    script = ASKED + (STATIC / "common.js").read_text("utf-8").replace('"use strict";', "")
    script += "checker.ask({}, []); checker.ask({}, []); console.log(begun.length); process.exit()"
    helpers = said_by_node("console.log(Math.min(8, globalThis.navigator?.hardwareConcurrency || 2))")
    assert said_by_node(script) == 1 + helpers
    assert "Worker(" not in "".join((STATIC / name).read_text("utf-8") for name in CHECKS)
    assert "terminate" not in "".join((STATIC / name).read_text("utf-8") for name in (*CHECKS, *SCRIPTS))


def said_by_node(script: str) -> Any:
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return json.loads(done.stdout)
