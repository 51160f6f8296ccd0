"""Signatures on which libraries differ, by keys with a torsion part: the cofactor decides. One verdict everywhere."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from hashlib import sha512
from pathlib import Path

import pytest
from test_entry_signing import add, some_point, times

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import Certificate
from p2p.lobby.posted import LetterError, LobbyStatement
from p2p.wire.codec import WireError, encode
from p2p.wire.entry import NO_PREV, id_of, make_entry, parse_entry
from p2p.wire.signing import L, P, verify
from seeds.hashing import H

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


def signed(number: int, twist: tuple[int, int], message: bytes = MESSAGE) -> tuple[Vector, int]:
    """A signature by the key of a secret plus a point of small order, and the number its verdict depends on."""
    secret, nonce = (int.from_bytes(sha512(bytes([part, number])).digest(), "little") % L for part in (0, 1))
    key, r = encoded(add(times(secret, BASE), twist)), encoded(times(nonce, BASE))
    h = int.from_bytes(sha512(r + key + message).digest(), "little") % L
    return (key, r + ((nonce + h * secret) % L).to_bytes(32, "little"), message), h


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


COFACTORED = """{
  importKey: async (form, key) => key,
  verify: async (name, key, signature, data) => noble.ed25519.verify(signature, data, key, {zip215: true}),
}"""
"""A WebCrypto that multiplies by the cofactor."""


@pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
@pytest.mark.parametrize(
    "library",
    ["globalThis.crypto.subtle", "null", f"({COFACTORED})"],
    ids=["WebCrypto", "without WebCrypto", "WebCrypto with the cofactor"],
)
def test_the_report_page_judges_crafted_signatures_alike(library: str, tmp_path: Path) -> None:
    vectors = crafted()
    checks = "\n".join((STATIC / name).read_text("utf-8") for name in ("noble.js", "wire.js", "group.js"))
    wanted = json.dumps([[part.hex() for part in vector] for vector, _ in vectors])
    judge = f"(library => Promise.all({wanted}.map(vector => verify(...vector.map(fromHex), library))))({library})"
    script = tmp_path / "judge.js"
    script.write_text(f"{checks}\n{judge}.then(verdicts => console.log(JSON.stringify(verdicts)));", "utf-8")
    done = subprocess.run(["node", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [verdict for _, verdict in vectors]


def test_no_other_module_asks_a_library_to_judge_a_signature() -> None:
    """Identity, certificates, Noise payloads, letters, bundles, files and entries: all go through `verify`. In a
    browser a class of ours takes the library's place."""
    root = Path(__file__).parents[2]
    asking = {
        path
        for package in ("p2p", "seeds", "client", "engine")
        for path in (root / package).rglob("*.py")
        if "Ed25519PublicKey" in path.read_text("utf-8")
    }
    in_place = root / "client" / "report" / "verifier" / "browser.py"
    assert asking == {root / "p2p" / "wire" / "signing.py", in_place}


def forms(vector: Vector) -> list[Vector]:
    """A good signature in forms that other libraries may accept: S increased by L, the key and R not canonical or of
    small order."""
    key, signature, message = vector
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    weak = [bytes([1]) + bytes(31), bytes(32), (P - 1).to_bytes(32, "little"), (P + 1).to_bytes(32, "little")]
    return [
        (key, r + (s + L).to_bytes(32, "little"), message),
        *((other, signature, message) for other in weak),
        *((key, other + signature[32:], message) for other in weak),
    ]


def test_a_signature_has_one_form() -> None:
    key = SigningKey.generate()
    said = H("test", b"word")
    good = key.public, key.sign(said), said
    assert verify(*good)
    assert not any(verify(*form) for form in forms(good))


def crafted_of(message: Callable[[bytes], bytes]) -> tuple[bytes, bytes]:
    """A key with a part of order 8, and its signature of what `message` makes of the key, good with the cofactor
    only."""
    twist = torsion()
    for number in range(100):
        (key, *_), _ = signed(number, twist)
        (_, signature, _), h = signed(number, twist, message(key))
        if h % 8:
            return key, signature
    raise AssertionError


def test_a_certificate_by_a_crafted_key_is_refused() -> None:
    own = SigningKey.generate().public
    key, signature = crafted_of(lambda identity: H("table-key", identity, own, bytes(16), "laptop"))
    with pytest.raises(WireError, match="certificate/signature"):
        Certificate.read([key, own, bytes(16), "laptop", signature])


def test_an_entry_by_a_crafted_key_is_refused() -> None:
    own = SigningKey.generate()
    entry = make_entry(
        own.private, table=bytes(32), seq=0, prev=NO_PREV, epoch=0, height=0, head=bytes(32), state=bytes(16),
        kind="join", body=None,
    )  # fmt: skip
    key, signature = crafted_of(lambda author: id_of(entry.raw.replace(own.public, author)))
    with pytest.raises(WireError, match="entry/signature"):
        parse_entry(entry.raw.replace(own.public, key).replace(entry.signature, signature))


def test_a_letter_by_a_crafted_key_is_refused() -> None:
    fields = ("nonce", bytes(16), bytes(32))
    key, signature = crafted_of(lambda author: H("lobby by post", encode([*fields, author, None])))
    with pytest.raises(LetterError, match="letter/signature"):
        LobbyStatement.read(encode([*fields, key, None, signature]))
