"""The formulas of PROTOCOL.md, as vectors that a second implementation can run: inputs, outputs, and what is refused.

`python tests/p2p/test_protocol_vectors.py` writes the file anew.
"""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import vectorcards
import vectorchoices
import vectorfiles
import vectormistakes
import vectorpost
import vectorproofs
import vectorrelay
import vectortable
import vectortold
import vectorvotes

from client.report.page import checks
from p2p.lockstep.ends import read_end
from p2p.wire.codec import decode

FILE = Path(__file__).with_name("protocol_vectors.json")
PROTOCOL = Path(__file__).parents[2] / "docs" / "PROTOCOL.md"
MODULES = (
    *(vectortold, vectortable, vectorvotes, vectorproofs, vectorcards, vectorchoices),
    *(vectormistakes, vectorfiles, vectorpost, vectorrelay),
)
AGREEMENT = FILE.parents[1] / "client" / "report_agreement.js"
PARTS = {part.__name__: part for part in MODULES}


def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


@pytest.mark.parametrize("part", PARTS)
def test_the_formulas_of_the_protocol_give_the_recorded_vectors(part: str) -> None:
    found = json.loads(json.dumps(PARTS[part].vectors()))
    known = recorded()
    other = [name for name, value in found.items() if known.get(name) != value]
    assert not other, f"{other} are others now: if that is meant, run {Path(__file__).name}"


def test_the_document_names_the_vectors_and_the_file_holds_no_others() -> None:
    listed = [
        line.split("|")[1]
        for line in PROTOCOL.read_text("utf-8").partition("## 14.")[2].splitlines()
        if line.startswith("| `")
    ]
    assert {name for cell in listed for name in cell.strip(" `").split("` `")} == recorded().keys()


def test_each_formula_proof_and_record_has_five_refused_inputs_and_more() -> None:
    """Within its vector, or beside it under its name."""
    known = recorded()
    assert min(count for _place, count in refused_in(known, "")) >= 5
    for name in [name for name in known if not name.startswith("refused ")]:
        beside = known.get(f"refused {'fingerprint' if name == 'words' else name}", [])
        assert len(beside) >= 5 or refused_in(known[name], name), name


def refused_in(value: Any, place: str) -> list[tuple[str, int]]:
    """How many refused inputs stand at each place of that name."""
    if isinstance(value, list):
        return [each for item in value for each in refused_in(item, place)]
    if not isinstance(value, dict):
        return []
    found = [(f"{place}/{name}", len(each)) for name, each in value.items() if name.startswith("refused")]
    return found + [each for name, item in value.items() for each in refused_in(item, f"{place}/{name}")]


def test_what_is_no_end_is_refused() -> None:
    assert all(read_end(vectortold._result(body)) is None for body in vectortold.REFUSED_ENDS)


def test_recorded_encodings_are_read() -> None:
    assert [decode(bytes.fromhex(case["encoding"])) for case in recorded()["encoding"]] == vectortold.PLAIN


READER = """
const {readFileSync} = require("node:fs");
const [checks, vectors] = process.argv.slice(2).map(path => readFileSync(path, "utf-8"));
const {readTold, fromHex} = require("node:vm").runInThisContext(`(() => { ${checks}; return {readTold, fromHex}; })()`);
const {"told file": {table, file}, "refused told file": refused} = JSON.parse(vectors);
const read = data => {
  try {
    return readTold(fromHex(data), fromHex(table));
  } catch ({code}) {
    return {code};
  }
};
const {heights, open} = read(file);
const rows = [...heights].map(([height, {asked, ended, outcome}]) => [height, asked.plain, ended, outcome]);
const told = {heights: rows, open: [open.height, open.asked.plain, Buffer.from(open.game).toString("hex")]};
console.log(JSON.stringify({...told, refused: Object.values(refused).map(data => read(data).code)}));
"""


@pytest.mark.skipif(which("node") is None, reason="there is no node on this machine")
def test_the_page_reads_the_file_of_what_was_asked_and_refuses_every_other_one(tmp_path: Path) -> None:
    (tmp_path / "checks.js").write_text(checks(), "utf-8")
    (tmp_path / "reader.js").write_text(READER, "utf-8")
    words = ["node", "reader.js", "checks.js", str(FILE)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    known, told = recorded(), json.loads(done.stdout)
    assert (told["heights"], told["open"]) == (known["told file"]["heights"], known["told file"]["open"])
    assert told["refused"] == ["told/form"] * len(vectortold.REFUSED_FILES)


@pytest.mark.skipif(which("node") is None, reason="there is no node on this machine")
def test_the_page_judges_the_games_of_the_vectors_by_the_files_of_what_was_asked_alone(tmp_path: Path) -> None:
    """Also whose leave counts where, which entries wait, and what a vote ended: no word of a program says so."""
    games = [*recorded()["game"], *recorded()["refused game"]]
    packed = [[b64encode(bytes.fromhex(game[name])).decode() for name in ("star", "told")] for game in games]
    lines = [json.dumps({"star": star, "hints": {"told": told}}) for star, told in packed]
    (tmp_path / "checks.js").write_text(checks(), "utf-8")
    (tmp_path / "games").write_text("\n".join(lines), "utf-8")
    words = ["node", str(AGREEMENT), "checks.js", "games"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    for game, report in zip(games, reports, strict=True):
        problem, (number, code) = report["problem"], game.get("problems", [[None, None]])[0]
        assert (problem and problem["code"]) == code, game["name"]
        if code != "result/other-points":  # of two ends that differ, the rules alone tell which one is wrong
            assert (problem and problem["entry"]) == number, game["name"]
        if code is None:
            ending, scores, given = game["end"]
            assert report["end"] == {"ending": ending, "scores": scores, "given": given}


def written() -> str:
    """The file: one case to a line, as far as that goes."""
    found = {name: value for part in PARTS.values() for name, value in part.vectors().items()}
    return json.dumps(found, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
    sys.exit()
