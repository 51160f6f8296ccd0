"""Vectors of plain data, running hashes, what was asked, and ends."""

from __future__ import annotations

from typing import Any

from vectorkit import MEMBERS, SECRET, TABLE, said, shown

from p2p.lockstep.ends import read_end
from p2p.lockstep.told import digest, state
from p2p.lockstep.told_file import framed
from p2p.wire.codec import encode
from p2p.wire.entry import Entry
from seeds.hashing import H

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
    return said("result", body)


def _heads() -> list[dict[str, Any]]:
    """Running hashes, each with all that it covers."""
    entry = said("answer", [0, [5, "pass"]]).id
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


def _diagnostic(value: Any) -> str:
    """A value in the diagnostic notation of RFC 8949, section 8."""
    match value:
        case bytes():
            return f"h'{value.hex()}'"
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(_diagnostic, value))}]"
        case dict():
            return "{" + ", ".join(f'"{name}": {_diagnostic(each)}' for name, each in value.items()) + "}"
    return {None: "null", True: "true", False: "false"}.get(value, str(value)) if not _whole(value) else str(value)


def _whole(value: Any) -> bool:
    return type(value) is int


def _bases() -> list[dict[str, Any]]:
    return [{"ids": shown(ids), "basis": H("basis", ids).hex()} for ids in ([], [MEMBERS[0]], [MEMBERS[1], MEMBERS[0]])]


def vectors() -> dict[str, Any]:
    return {
        "encoding": [{"value": _diagnostic(value), "encoding": encode(value).hex()} for value in PLAIN],
        "basis": _bases(),
        "head": _heads(),
        "told": [{"record": record, "encoding": encode(record).hex(), "told": digest(record).hex()} for record in TOLD],
        "refused told": REFUSED_TOLD,
        "refused outcome": REFUSED_OUTCOME,
        "state": [
            {
                "game": bytes([value] * 16).hex(),
                "record": record,
                "state": state(bytes([value] * 16), digest(record)).hex(),
            }
            for value, record in enumerate(TOLD)
        ],
        "end": [{"body": encode(body).hex(), "end": _ends(body)} for body in ENDS],
        "refused end": [encode(body).hex() for body in REFUSED_ENDS],
        "told file": {
            "table": TABLE.hex(),
            "heights": _ROWS,
            "open": [*_OPEN[:-1], _OPEN[-1].hex()],
            "file": framed(TOLD_FILE).hex(),
        },
        "refused told file": {name: data.hex() for name, data in REFUSED_FILES.items()},
    }
