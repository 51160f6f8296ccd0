"""The formulas of PROTOCOL.md, as vectors that a second implementation can run.

`python tests/p2p/test_protocol_vectors.py` writes the file anew.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from client.report.page import checks
from p2p.lockstep.ends import read_end
from p2p.lockstep.pacts import End, Pact
from p2p.lockstep.told import digest, state
from p2p.lockstep.told_file import framed
from p2p.wire.codec import decode, encode
from p2p.wire.entry import NO_PREV, Entry, chat_hash, make_entry, parse_entry
from p2p.wire.signing import public_bytes
from seeds.beacon import commitment, roll_value, seed
from seeds.group import hash_point, hash_scalar
from seeds.hashing import H64, H, kdf
from seeds.streams import Stream, dice
from seeds.threshold import lagrange

FILE = Path(__file__).with_name("protocol_vectors.json")

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
TABLE, SECRET = bytes([7]) * 32, bytes([9]) * 32
PLAIN: list[Any] = [
    None, True, False, 0, 23, 24, -1, 2**63, -(2**63), b"", b"\x00\xff", "", "é", [], [1, [2, "three"]],
    {"a": 1, "b": [None], "aa": {}},
]  # fmt: skip


TOLD: list[Any] = [
    [["prepare"]], [["keys"]], [["anew", "bag"]], [["choose", [2]]], [["together", [0, 1, 2]]],
    [["seal", [0, 2], [["seals", 4], ["seals", 5]], False]], [["roll", "combat", [6, 6]]],
    [["roll", "combat", [6]], ["result", [5, 1]], ["choose", [0]]],
    [["shuffle", "bag", "bag", [1, "a", ["bag", 3]], [["bag", 7], ["bag", 8], ["bag", 9]]]],
    [["deal", 1, "bag", [["bag", 7]]]], [["show", 0, [["bag", 8]]]], [["reveal", "bag", [["bag", 7], ["seals", 4]]]],
    [["over"]], [["deal", 0, "bag", [["bag", 1]]], ["result", [3]], ["choose", [0]]],
    [["result", [[1, "pass"]]], ["choose", [0]]],
]  # fmt: skip
REFUSED_TOLD: list[Any] = [
    [], "over", ["pause"], ["over", 1], ["choose", 2], ["choose", [-1]], ["roll", "combat", [0]], ["result", 1],
    ["deal", 0, "bag", ["bag", 7]], ["seal", [0], [], False], ["shuffle", "bag", "bag", [1, 2], [["bag", 0]]],
]  # fmt: skip
"""What is no word of what was asked."""
REFUSED_OUTCOME: list[Any] = [
    None, [["over"]], [["result"]], [["result", 1, 2]], [["result", 1], ["result", 1]],
    [["result", 1], ["roll", "combat", [6]]],
]  # fmt: skip
"""What is no outcome of a height."""


ENDS: list[Any] = [
    ["played", [[1, 31, [["reputation", 9], ["sectors", 22]]], [2, -3, [["sectors", -3]]]], []],
    ["agreed", [[1, 0, []], [1, 0, []]], [bytes([3]) * 32]],
]
REFUSED_ENDS: list[Any] = [
    ["played"], ["played", [], [], None], [1, [], []], ["played", [[1, 2]], []], ["played", [[1, "2", []]], []],
    ["played", [[1, 2, [["sectors"]]]], []], ["played", [[True, 2, []]], []], ["played", [], [bytes(31)]],
]  # fmt: skip
"""Bodies that are no end."""

TOLD_FILE: list[Any] = [
    ["starlock told", 1, TABLE],
    [0, ["prepare"], False, []],
    [1, ["choose", [0]], True, []],
    [2, ["roll", "combat", [6, 6]], False, [["roll", "repair", [6]], ["result", [5, 1, 3]]]],
    [3, ["deal", 1, "bag", [["bag", 7]]], False, [["result", [2]]]],
    [4, ["over"], bytes(range(16))],
]
"""The items of a file that tells what was asked: its frame, resolved heights, the open height."""
_FRAME, *_ROWS, _OPEN = TOLD_FILE
REFUSED_FILES: dict[str, bytes] = {
    "nothing": b"",
    "cut short": framed(TOLD_FILE)[:-1],
    "a byte too many": framed(TOLD_FILE) + b"\x00",
    "a length that leads beyond the file": framed(TOLD_FILE[:-1]) + (1 << 31).to_bytes(4, "big") + encode(_OPEN),
    "no canonical encoding": framed(TOLD_FILE[:-1]) + (3).to_bytes(4, "big") + bytes.fromhex("811800"),
    "another name": framed([["starlock game", 1, TABLE], *_ROWS, _OPEN]),
    "another version": framed([["starlock told", 2, TABLE], *_ROWS, _OPEN]),
    "another table": framed([["starlock told", 1, SECRET], *_ROWS, _OPEN]),
    "no open height": framed([_FRAME, *_ROWS]),
    "a digest of 15 bytes": framed([_FRAME, *_ROWS, [4, ["over"], bytes(15)]]),
    "a row without an outcome": framed([_FRAME, [0, ["prepare"], False], *_ROWS[1:], _OPEN]),
    "a height below 0": framed([_FRAME, [-1, ["prepare"], False, []], *_ROWS[1:], _OPEN]),
    "a height told twice": framed([_FRAME, _ROWS[0], *_ROWS, _OPEN]),
    "heights that descend": framed([_FRAME, _ROWS[1], _ROWS[0], *_ROWS[2:], _OPEN]),
    "an open height below the last": framed([_FRAME, *_ROWS, [3, ["over"], bytes(16)]]),
    "a row that is ended by a number": framed([_FRAME, [0, ["prepare"], 0, []], *_ROWS[1:], _OPEN]),
    "an unknown question": framed([_FRAME, [0, ["pause"], False, []], *_ROWS[1:], _OPEN]),
    "an outcome that asks": framed([_FRAME, [0, ["prepare"], False, [["over"]]], *_ROWS[1:], _OPEN]),
}
"""Files that tell nothing."""


def _ends(body: Any) -> Any:
    end = read_end(_result(body))
    assert end is not None
    return [end.ending, end.scores, [key.hex() for key in end.given_up]]


def _result(body: Any) -> Entry:
    place = {"table": TABLE, "seq": 0, "prev": NO_PREV, "epoch": 0, "height": 0, "head": TABLE, "state": bytes(16)}
    return make_entry(KEY, **place, kind="result", body=body)  # type: ignore[arg-type]


def _heads(entry: bytes) -> list[dict[str, Any]]:
    """Running hashes, each with all that it covers."""
    cases: list[tuple[list[bytes], list[bytes], Any]] = [
        ([entry], [], TOLD[3]),
        ([entry, bytes([4]) * 32], [bytes([5]) * 32], TOLD[7]),
        ([], [], None),
        ([], [bytes([5]) * 32], None),
    ]
    return [
        {
            "head": TABLE.hex(), "height": 4, "ids": [each.hex() for each in ids],
            "pacts": [each.hex() for each in pacts], "record": record,
            "next": H("head", TABLE, 4, ids, pacts, None if record is None else digest(record)).hex(),
        }
        for ids, pacts, record in cases
    ]  # fmt: skip


def vectors() -> dict[str, Any]:
    """Every vector, as this program computes it."""
    place = {"table": TABLE, "seq": 0, "prev": NO_PREV, "epoch": 0, "height": 0, "head": TABLE, "state": bytes(16)}
    entry = make_entry(KEY, **place, kind="answer", body=[0, [5, "pass"]])  # type: ignore[arg-type]
    seeds = [(bytes([1]) * 32, bytes([2]) * 32), (bytes([3]) * 32, None)]
    stream = Stream(bytes([4]) * 32, "order")
    pact = Pact("absent", 3, TABLE, (End(bytes([5]) * 32, 8, bytes([6]) * 32),), None, 1, (bytes([7]) * 32,))
    return {
        "encoding": [encode(value).hex() for value in PLAIN],
        "refused encodings": ["1800", "f6f6", "9fff", "c000", "fb3ff0000000000000", "a2616200616100", "5f4100ff", "f7"],
        "hash": H("tag", None, 1, -1, b"bytes", "text", [1, ["a"], []]).hex(),
        "wide hash": H64("tag", 1).hex(),
        "derived key": kdf(SECRET, "label", TABLE, 3).hex(),
        "public key": public_bytes(KEY).hex(),
        "entry": {"raw": entry.raw.hex(), "id": entry.id.hex()},
        "chat": chat_hash(bytes(16), "hello").hex(),
        "head": _heads(entry.id),
        "told": [{"record": record, "encoding": encode(record).hex(), "told": digest(record).hex()} for record in TOLD],
        "refused told": REFUSED_TOLD,
        "refused outcome": REFUSED_OUTCOME,
        "end": [{"body": encode(body).hex(), "end": _ends(body)} for body in ENDS],
        "refused end": [encode(body).hex() for body in REFUSED_ENDS],
        "told file": {
            "table": TABLE.hex(),
            "heights": _ROWS,
            "open": [*_OPEN[:-1], _OPEN[-1].hex()],
            "file": framed(TOLD_FILE).hex(),
        },
        "refused told file": {name: data.hex() for name, data in REFUSED_FILES.items()},
        "state": [
            {
                "game": bytes([value] * 16).hex(),
                "record": record,
                "state": state(bytes([value] * 16), digest(record)).hex(),
            }
            for value, record in enumerate(TOLD)
        ],
        "basis": H("basis", [entry.id]).hex(),
        "pact": pact.id.hex(),
        "seed": seed(SECRET, TABLE, 2, 5).hex(),
        "commitment": commitment(TABLE, 2, 5, public_bytes(KEY), bytes([2]) * 32).hex(),
        "roll": roll_value(TABLE, 2, 5, seeds, bytes([8]) * 32).hex(),
        "roll without lock": roll_value(TABLE, 2, 5, seeds).hex(),
        "dice": dice(bytes([4]) * 32, [6, 6, 2, 1, 20, 1000]),
        "order": stream.permutation(12),
        "point": hash_point("dice/in", TABLE, 2, 5).hex(),
        "number": f"{hash_scalar('tag', 1):x}",
        "weights": [f"{weight:x}" for weight in lagrange([1, 3, 4])],
    }


@pytest.mark.parametrize("name", sorted(vectors()))
def test_a_formula_of_the_protocol_gives_the_recorded_vector(name: str) -> None:
    assert json.loads(json.dumps(vectors()[name])) == json.loads(FILE.read_text("utf-8"))[name]


def test_the_file_holds_no_other_vectors() -> None:
    assert json.loads(FILE.read_text("utf-8")).keys() == vectors().keys()


def test_what_is_no_end_is_refused() -> None:
    assert all(read_end(_result(body)) is None for body in REFUSED_ENDS)


def test_recorded_encodings_are_read_and_refused() -> None:
    recorded = json.loads(FILE.read_text("utf-8"))
    assert [decode(bytes.fromhex(text)) for text in recorded["encoding"]] == PLAIN
    for text in recorded["refused encodings"]:
        with pytest.raises(ValueError, match="wire/"):
            decode(bytes.fromhex(text))
    assert parse_entry(bytes.fromhex(recorded["entry"]["raw"])).id.hex() == recorded["entry"]["id"]


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
    recorded, told = json.loads(FILE.read_text("utf-8")), json.loads(done.stdout)
    assert (told["heights"], told["open"]) == (recorded["told file"]["heights"], recorded["told file"]["open"])
    assert told["refused"] == ["told/form"] * len(REFUSED_FILES)


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1) + "\n", "utf-8")
    sys.exit()
