"""Signatures on which libraries differ, by keys with a torsion part: the cofactor decides. One verdict everywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from hashlib import sha512
from pathlib import Path

import pytest
from test_entry_signing import add, some_point, times

from p2p.wire.signing import L, P, verify

STATIC = Path(__file__).parents[2] / "client" / "report" / "static"
NODE = shutil.which("node")
BASE = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)
MESSAGE = bytes(32)

Vector = tuple[bytes, bytes, bytes]
"""Key, signature, message."""


def encoded(point: tuple[int, int]) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def torsion() -> tuple[int, int]:
    """A point of order 8."""
    y = 2
    while times(4, found := times(L, some_point(y))) == (0, 1):
        y += 1
    return found


def signed(number: int, twist: tuple[int, int]) -> tuple[Vector, int]:
    """A signature by the key of a secret plus a point of small order, and the number its verdict depends on."""
    secret, nonce = (int.from_bytes(sha512(bytes([part, number])).digest(), "little") % L for part in (0, 1))
    key, r = encoded(add(times(secret, BASE), twist)), encoded(times(nonce, BASE))
    h = int.from_bytes(sha512(r + key + MESSAGE).digest(), "little") % L
    return (key, r + ((nonce + h * secret) % L).to_bytes(32, "little"), MESSAGE), h


@cache
def crafted() -> list[tuple[Vector, bool]]:
    """40 signatures by keys with a part of order 8, and one by a key of small order, each with its verdict: without
    the cofactor h times the part of order 8 must vanish."""
    twist = torsion()
    vectors = [(vector, h % 8 == 0) for vector, h in (signed(number, twist) for number in range(40))]
    s = 5
    r = encoded(times(s, BASE))
    return [*vectors, ((encoded((0, P - 1)), r + s.to_bytes(32, "little"), MESSAGE), False)]


def test_crafted_signatures_are_judged_without_the_cofactor() -> None:
    vectors = crafted()
    assert len(vectors) == 41
    assert 1 <= sum(verdict for _, verdict in vectors) <= 12
    assert [verify(*vector) for vector, _ in vectors] == [verdict for _, verdict in vectors]


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
@pytest.mark.parametrize("library", ["globalThis.crypto.subtle", "null"], ids=["WebCrypto", "without WebCrypto"])
def test_the_report_page_judges_crafted_signatures_alike(library: str, tmp_path: Path) -> None:
    vectors = crafted()
    checks = "\n".join((STATIC / name).read_text("utf-8") for name in ("noble.js", "wire.js", "group.js"))
    wanted = json.dumps([[part.hex() for part in vector] for vector, _ in vectors])
    judge = f"Promise.all({wanted}.map(vector => verify(...vector.map(fromHex), {library})))"
    script = tmp_path / "judge.js"
    script.write_text(f"{checks}\n{judge}.then(verdicts => console.log(JSON.stringify(verdicts)));", "utf-8")
    done = subprocess.run(["node", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [verdict for _, verdict in vectors]
