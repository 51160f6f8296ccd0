"""Bundles and letters of a lobby as people receive them: as files and as text, whole, in parts, damaged and foreign."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_tables import machine

from client.system.errors import CHECK_FAILED
from client.table import letters as given_letters
from client.table.letters import Letters, is_letter
from engine.testing.toy import TOY
from p2p.identity.keys import SigningKey
from p2p.lobby.posted import MAGIC as LOBBY_MAGIC
from p2p.lobby.posted import LobbyStatement, state, write_letter
from p2p.lockstep.follower import Follower
from p2p.sync.bundle import MAGIC, MAX_BUNDLE, write_bundle
from p2p.sync.pasted import PART, pasted_parts
from p2p.testing.tables import fixed_genesis, member

KEY = SigningKey.from_seed(b"k" * 32)
SAID = state(KEY, "answer", b"l" * 16, bytes(32), [1])
MORE = state(KEY, "answer", b"l" * 16, bytes(32), [2])


def table() -> tuple[Follower, SigningKey]:
    engine = machine(TOY, 2)
    genesis, keys = fixed_genesis([[0], [1]], 1, engine, {}, game="toy")
    return member(genesis, keys[0], engine), keys[0].key


def bundle(made: int = 1) -> bytes:
    peer, key = table()
    return write_bundle(peer, key, made, [])


def codes(read: Letters) -> list[str]:
    return [error.code for error in read.wrong]


def made(read: Letters) -> list[tuple[str, int]]:
    return [(what, each.made) for what, each in read.whole()]


def test_a_bundle_is_yielded_once_with_its_source_whether_it_came_as_bytes_or_as_text(tmp_path: Path) -> None:
    read, file, text = Letters(), tmp_path / "bundle", tmp_path / "text"
    file.write_bytes(bundle(1))
    text.write_text("Hello!\n" + "\n".join(pasted_parts(bundle(2))) + "\nSee you", "utf-8")
    read.file(file)
    read.file(text)
    read.given(bundle(3), "standard input")
    read.text("\n".join(pasted_parts(bundle(4))), "what you pasted")
    wanted = [(str(file), 1), (str(text), 2), ("standard input", 3), ("what you pasted", 4)]
    assert made(read) == wanted
    assert (made(read), read.wrong, read.missing()) == ([], [], [])


def test_what_cannot_be_read_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    read = Letters()
    read.file(tmp_path / "nowhere")
    read.given(b"\xff\x00 a picture", "picture.png")
    damaged = bundle()
    read.given(damaged[:-1] + bytes([damaged[-1] ^ 1]), "damaged")
    read.given(bundle(5), "whole")
    assert made(read) == [("whole", 5)]
    assert codes(read)[1:] == ["bundle/none", "bundle/damaged"]
    assert "nowhere" in read.wrong[0].whole
    assert "picture.png holds no bundle of a table: it does not begin as one" in read.wrong[1].whole
    assert "damaged is damaged" in read.wrong[2].whole
    assert {error.exit_code for error in read.wrong[1:]} == {CHECK_FAILED}


def test_parts_of_a_text_may_come_in_any_order_and_it_is_said_which_have_not() -> None:
    peer, key = table()
    whole = write_letter([SAID] * 40)
    parts = pasted_parts(whole)
    assert len(whole) > 3 * PART
    read, other = Letters(), pasted_parts(write_bundle(peer, key, 9, []))
    for part in [*reversed(parts[2:]), *other]:
        read.text(part, "a messenger")
        assert len(read.missing()) == 1
    (told,) = read.missing()
    assert f"a text of {len(parts)} parts" in told
    assert ": 1, 2." in told
    assert "…" not in told
    assert made(read) == [("a messenger", 9)]
    for part in parts[:2]:
        read.text(part, "a messenger")
    assert read.missing() == []
    assert read.statements() == [SAID] * 40
    assert read.wrong == []


@pytest.mark.parametrize(("count", "shown", "more"), [(13, 12, False), (14, 12, True)])
def test_of_many_parts_twelve_are_named(count: int, shown: int, more: bool) -> None:
    parts = pasted_parts(bytes(PART * (count - 1) + 1))
    assert len(parts) == count
    read = Letters()
    read.text(parts[-1], "a messenger")
    (told,) = read.missing()
    assert told.count(",") == shown - 1
    assert (" …" in told) == more
    assert f"{shown}{' …' * more}. They" in told


def test_a_damaged_part_is_counted_in_each_text_by_itself() -> None:
    read, parts = Letters(), pasted_parts(write_letter([SAID] * 40))
    broken = [part[:-2] + ("aa" if part[-2:] != "aa" else "bb") for part in parts]
    read.text(broken[0], "Bob's mail")
    read.text("\n".join(broken[1:3]), "Carl's mail")
    read.text("\n".join(parts), "Dee's mail")
    assert codes(read) == ["bundle/part-damaged"] * 2
    assert "In Bob's mail, 1 part has a letter" in read.wrong[0].whole
    assert "In Carl's mail, 2 parts have a letter" in read.wrong[1].whole
    assert read.statements() == [SAID] * 40


def test_a_part_of_a_later_version_is_told_as_such_and_not_as_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Letters()
    with monkeypatch.context() as later:
        later.setattr("p2p.sync.pasted._VERSION", 2)
        parts = pasted_parts(bundle())
    read.text(parts[0], "Bob's mail")
    assert codes(read) == ["bundle/version"]
    assert "Bob's mail was written by a newer starlock" in read.wrong[0].whole
    read.text(pasted_parts(bundle(4))[0], "Bob's mail")
    assert codes(read) == ["bundle/version"]
    assert made(read) == [("Bob's mail", 4)]


def test_a_letter_of_a_lobby_brings_statements_and_perhaps_a_bundle() -> None:
    read = Letters()
    read.given(write_letter([SAID]), "first")
    read.given(write_letter([MORE], bundle(7)), "second")
    read.given(bundle(8), "third")
    assert read.statements() == [SAID, MORE]
    assert made(read) == [("second", 7), ("third", 8)]
    assert read.statements() == [SAID, MORE], "they stay"
    assert read.wrong == []


def test_of_letters_alone_no_bundle_is_missed_and_a_damaged_one_is_told() -> None:
    read, letter = Letters(), write_letter([SAID])
    read.given(letter, "first")
    assert made(read) == []
    assert read.wrong == []
    read.given(letter[:-1] + bytes([letter[-1] ^ 1]), "second")
    altered = LobbyStatement(SAID.kind, SAID.lobby, SAID.about, SAID.author, SAID.body, SAID.raw[:-1] + b"\0")
    read.given(write_letter([altered]), "third")
    assert made(read) == []
    assert codes(read) == ["bundle/damaged", "bundle/signature"]
    assert ["second" in read.wrong[0].whole, "third" in read.wrong[1].whole] == [True, True]
    assert read.statements() == [SAID]


def test_a_bundle_that_is_too_large_is_refused_and_one_of_the_greatest_length_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = bundle(6)
    monkeypatch.setattr(given_letters, "MAX_BUNDLE", len(whole))
    monkeypatch.setattr("p2p.sync.bundle.MAX_BUNDLE", len(whole))
    read = Letters()
    read.given(whole, "just")
    read.given(whole + b" ", "too much")
    assert made(read) == [("just", 6)]
    assert codes(read) == ["bundle/large"]
    monkeypatch.setattr(given_letters, "MAX_TEXT", len(whole))
    read.given(whole, "just")
    read.given(whole + b" ", "far too much")
    assert made(read) == [("just", 6)]
    assert codes(read) == ["bundle/large"] * 2
    assert "far too much is too large" in read.wrong[1].whole
    assert MAX_BUNDLE == 16_000_000


def test_what_is_a_letter_is_known_by_how_it_begins() -> None:
    for data in (MAGIC + b"anything", LOBBY_MAGIC, b"Hello!\n" + pasted_parts(b"x")[0].encode()):
        assert is_letter(data)
    for data in (b"", b"starlock", b"TICKET", b"\xff\xfe"):
        assert not is_letter(data)
