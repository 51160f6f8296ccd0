"""The channel's handshake is Noise XX as others implement it, and nothing forged passes it."""

from __future__ import annotations

import json
from collections import deque
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.link.noise import Cipher, Handshake
from p2p.wire.codec import WireError

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "noise_vectors.json").read_text())["vectors"]


def key(text: str) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(bytes.fromhex(text))


def side(vector: dict[str, Any], role: str) -> Handshake:
    return Handshake(
        initiator=role == "init",
        prologue=bytes.fromhex(vector[f"{role}_prologue"]),
        static=key(vector[f"{role}_static"]),
        ephemeral=key(vector[f"{role}_ephemeral"]),
    )


def pair(prologue: bytes = b"same") -> tuple[Handshake, Handshake]:
    def new(initiator: bool) -> Handshake:
        keys = X25519PrivateKey.generate(), X25519PrivateKey.generate()
        return Handshake(initiator=initiator, prologue=prologue, static=keys[0], ephemeral=keys[1])

    return new(True), new(False)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["by"])
def test_published_vectors_of_other_implementations_hold(vector: dict[str, Any]) -> None:
    sides = [side(vector, "init"), side(vector, "resp")]
    messages = [(bytes.fromhex(m["payload"]), bytes.fromhex(m["ciphertext"])) for m in vector["messages"]]
    for turn, (payload, ciphertext) in enumerate(messages[:3]):
        assert sides[turn % 2].write(payload) == ciphertext
        assert sides[1 - turn % 2].read(ciphertext) == payload
    ciphers = [one.split() for one in sides]
    for turn, (payload, ciphertext) in enumerate(messages[3:], 3):
        assert ciphers[turn % 2][0].encrypt(payload) == ciphertext
        assert ciphers[1 - turn % 2][1].decrypt(ciphertext) == payload
    assert sides[0].hash == sides[1].hash
    if "handshake_hash" in vector:
        assert sides[0].hash.hex() == vector["handshake_hash"]


def test_each_side_learns_the_static_key_of_the_other() -> None:
    ann, bob = pair()
    bob.read(ann.write(b""))
    ann.read(bob.write(b""))
    bob.read(ann.write(b""))
    assert (ann.remote_static, bob.remote_static) == (bob.static, ann.static)


def test_sides_with_another_prologue_do_not_meet() -> None:
    (ann, _), (_, bob) = pair(b"one table"), pair(b"another")
    bob.read(ann.write(b""))
    with pytest.raises(WireError, match="noise/forged"):
        ann.read(bob.write(b""))


@settings(max_examples=40)
@given(st.integers(0, 2), st.data())
def test_a_handshake_with_one_changed_bit_fails_by_the_next_message(turn: int, draw: st.DataObject) -> None:
    sides = pair()

    def pass_on(now: int) -> None:
        message = bytearray(sides[now % 2].write(b"payload"))
        if now == turn:
            message[draw.draw(st.integers(0, len(message) - 1))] ^= 1 << draw.draw(st.integers(0, 7))
        sides[1 - now % 2].read(bytes(message))

    with pytest.raises(WireError, match="noise/"):
        deque(map(pass_on, range(3)))  # the plain first message is covered by the second


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_cut_handshake_message_is_refused(turn: int) -> None:
    sides = pair()
    for now in range(turn):
        sides[1 - now % 2].read(sides[now % 2].write(b""))
    message = sides[turn % 2].write(b"")
    for size in (0, 31, len(message) - 1):
        other = pair()[1 - turn % 2] if turn == 0 else sides[1 - turn % 2]
        with pytest.raises(WireError, match=r"noise/(truncated|forged)"):
            other.read(message[:size])


def test_a_key_of_small_order_is_refused() -> None:
    _, bob = pair()
    bob.read(bytes(32))
    with pytest.raises(WireError, match="noise/weak-key"):
        bob.write(b"")


def test_a_replayed_swapped_or_dropped_message_is_refused() -> None:
    def channel() -> tuple[Cipher, Cipher]:
        ann, bob = pair()
        bob.read(ann.write(b""))
        ann.read(bob.write(b""))
        bob.read(ann.write(b""))
        return ann.split()[0], bob.split()[1]

    for order in ([0, 0], [1, 0], [0, 2]):
        sender, receiver = channel()
        sent = [sender.encrypt(bytes([number])) for number in range(3)]
        with pytest.raises(WireError, match="noise/forged"):
            deque(receiver.decrypt(sent[number]) for number in order)


@pytest.mark.parametrize(("name", "known"), [(b"Noise_XX", b""), (b"Noise_NK", b"k" * 32)])
def test_both_begin_with_the_name_the_prologue_and_the_key_that_is_known(name: bytes, known: bytes) -> None:
    begun = sha256(name + b"_25519_ChaChaPoly_SHA256" + b"same").digest()
    for initiator in (True, False):
        keys = X25519PrivateKey.generate(), X25519PrivateKey.generate()
        made = Handshake(initiator=initiator, prologue=b"same", static=keys[0], ephemeral=keys[1], known=known)
        assert made.hash == (sha256(begun + known).digest() if known else begun)
