"""The formulas of PROTOCOL.md, as vectors that a second implementation can run.

`python tests/p2p/test_protocol_vectors.py` writes the file anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.lockstep.pacts import End, Pact
from p2p.wire.codec import decode, encode
from p2p.wire.entry import NO_PREV, chat_hash, make_entry, parse_entry
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


def vectors() -> dict[str, Any]:
    """Every vector, as this program computes it."""
    place = {"table": TABLE, "seq": 0, "prev": NO_PREV, "epoch": 0, "height": 0, "head": TABLE, "state": bytes(16)}
    entry = make_entry(KEY, **place, kind="answer", body=[0, [5, "pass"]])  # type: ignore[arg-type]
    seeds = [(bytes([1]) * 32, bytes([2]) * 32), (bytes([3]) * 32, None)]
    stream = Stream(bytes([4]) * 32, "order")
    pact = Pact("absent", 3, TABLE, (End(bytes([5]) * 32, 8, bytes([6]) * 32),), None, 1)
    return {
        "encoding": [encode(value).hex() for value in PLAIN],
        "refused encodings": ["1800", "f6f6", "9fff", "c000", "fb3ff0000000000000", "a2616200616100", "5f4100ff", "f7"],
        "hash": H("tag", None, 1, -1, b"bytes", "text", [1, ["a"], []]).hex(),
        "wide hash": H64("tag", 1).hex(),
        "derived key": kdf(SECRET, "label", TABLE, 3).hex(),
        "public key": public_bytes(KEY).hex(),
        "entry": {"raw": entry.raw.hex(), "id": entry.id.hex()},
        "chat": chat_hash(bytes(16), "hello").hex(),
        "head": H("head", TABLE, 4, [entry.id], b"").hex(),
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
    assert vectors()[name] == json.loads(FILE.read_text("utf-8"))[name]


def test_the_file_holds_no_other_vectors() -> None:
    assert json.loads(FILE.read_text("utf-8")).keys() == vectors().keys()


def test_recorded_encodings_are_read_and_refused() -> None:
    recorded = json.loads(FILE.read_text("utf-8"))
    assert [decode(bytes.fromhex(text)) for text in recorded["encoding"]] == PLAIN
    for text in recorded["refused encodings"]:
        with pytest.raises(ValueError, match="wire/"):
            decode(bytes.fromhex(text))
    assert parse_entry(bytes.fromhex(recorded["entry"]["raw"])).id.hex() == recorded["entry"]["id"]


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), indent=1) + "\n", "utf-8")
    sys.exit()
