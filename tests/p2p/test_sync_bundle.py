"""Bundles: what a link would say, as a file or as text that messengers may mangle."""

from __future__ import annotations

from base64 import b32decode
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.sync.bundle import MAGIC, MAX_BUNDLE, VERSION, BundleError, lacked, read_bundle, shown_known, write_bundle
from p2p.sync.pasted import PART, Pasted, pasted_parts, unfinished
from p2p.testing.tables import DirectTable
from p2p.wire.signing import verify
from seeds.hashing import H


def played() -> DirectTable:
    table = DirectTable([[0], [1], [2]])
    table.start()
    for _ in range(6):
        table.step()
    return table


TABLE = played()
DATA = write_bundle(TABLE.peers[0], TABLE.keys[0].key, 1_800_000_000, TABLE.peers[0].feeds.entries)


def taken(*texts: str) -> list[bytes]:
    pasted = Pasted()
    for text in texts:
        pasted.add(text)
    return list(pasted.taken())


def test_a_bundle_holds_what_was_written() -> None:
    bundle = read_bundle(DATA)
    entries = TABLE.peers[0].feeds.entries
    assert (bundle.made, bundle.writer) == (1_800_000_000, TABLE.keys[0].key.public)
    assert [sent.raw for push in bundle.pushes for sent in push.entries] == [entry.raw for entry in entries]
    assert bundle.known() == {author: seq for author, (seq, _) in TABLE.peers[0].feeds.have().items()}


def test_a_bundle_and_its_parts_have_the_form_that_the_protocol_describes() -> None:
    said, signature, check = DATA[:-72], DATA[-72:-8], DATA[-8:]
    assert said[:15] == b"starlock post 1"
    assert int.from_bytes(said[15:23], "big") == 1_800_000_000
    assert verify(TABLE.keys[0].key.public, signature, H("bundle", said))
    assert check == H("bundle check", said + signature)[:8]
    parts = pasted_parts(DATA)
    first, *letters = parts[1].split("\n")
    assert first == f"(2/{len(parts)}) starlock-post:"
    text = "".join(letters).upper()
    part = b32decode(text + "=" * (-len(text) % 8))
    assert (part[0], part[1:6]) == (1, H("post", DATA)[:5])
    assert [int.from_bytes(part[at : at + 2], "big") for at in (6, 8, 10)] == [2, len(parts), PART]
    assert part[12:-5] == DATA[PART : 2 * PART]
    assert part[-5:] == H("post-part", part[:-5])[:5]


def checked(whole: bytes) -> bytes:
    """A bundle of these bytes that nothing has damaged under way."""
    return whole + H("bundle check", whole)[:8]


@settings(max_examples=30)
@given(st.data())
def test_a_changed_missing_or_added_byte_is_called_damage_and_no_other_writer_or_version(
    data: st.DataObject,
) -> None:
    at = data.draw(st.integers(len(MAGIC), len(DATA) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != DATA[at]))
    for altered in (DATA[:at] + bytes([changed]) + DATA[at + 1 :], DATA[:at], DATA + b"\0"):
        with pytest.raises(BundleError, match="bundle/damaged"):
            read_bundle(altered)


@settings(max_examples=30)
@given(st.data())
def test_nobody_else_can_change_what_a_bundle_says_nor_its_version(data: st.DataObject) -> None:
    whole = DATA[:-8]
    at = data.draw(st.integers(len(MAGIC), len(whole) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    with pytest.raises(BundleError):
        read_bundle(checked(whole[:at] + bytes([changed]) + whole[at + 1 :]))
    said, signature = whole[:-64], whole[-64:]
    other = said.replace(MAGIC + VERSION, MAGIC + b"2", 1)
    assert not verify(TABLE.keys[0].key.public, signature, H("bundle", other))


def test_a_bundle_signed_by_another_than_it_names_is_refused() -> None:
    forged = write_bundle(TABLE.peers[0], SigningKey.generate(), 1, [])
    with pytest.raises(BundleError, match="bundle/signature"):
        read_bundle(checked(DATA[:-72] + forged[-72:-8]))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bundle/none"),
        (b"hello", "bundle/none"),
        (checked(MAGIC + b"3" + DATA[len(MAGIC + VERSION) : -8]), "bundle/version"),
        (MAGIC + VERSION, "bundle/damaged"),
        (MAGIC + VERSION + bytes(MAX_BUNDLE + 1), "bundle/large"),
        (MAGIC + VERSION + bytes(80), "bundle/damaged"),
        (checked(MAGIC + VERSION + bytes(80)), "bundle/damaged"),
    ],
)
def test_what_is_no_bundle_is_refused_by_name(data: bytes, code: str) -> None:
    with pytest.raises(BundleError, match=code):
        read_bundle(data)


def test_an_entry_shows_that_its_author_holds_what_came_before() -> None:
    peer = TABLE.peers[0]
    for keys in TABLE.keys:
        known = shown_known(peer, keys.key.public)
        holder = next(each for each in TABLE.peers if each.me == keys.key.public)
        assert all(seq < len(holder.feeds.feed(author)) for author, seq in known.items())
        assert len(lacked(peer, [known])) < len(peer.feeds.entries) / 2
    assert lacked(peer, [{}]) == peer.feeds.entries
    assert lacked(peer, [read_bundle(DATA).known()]) == []


def mangled(part: str, random: Random) -> str:
    """A part as a messenger or mail program may leave it."""
    letters = "".join(each.upper() if random.random() < 0.5 else each for each in part)
    width = random.randint(5, 90)
    lines = [letters[at : at + width] for at in range(0, len(letters), width)]
    return "On Sunday Ann wrote:\n" + "\n".join(random.choice(("", "> ", ">> ", "  ")) + line for line in lines)


@settings(max_examples=30)
@given(st.binary(max_size=4 * PART), st.randoms(use_true_random=False))
def test_text_survives_quoting_case_line_breaks_order_and_doubles(data: bytes, random: Random) -> None:
    parts = [mangled(part, random) for part in pasted_parts(data)] * 2
    random.shuffle(parts)
    assert taken(*parts) == taken("\n[12:03] Ann:\n".join(parts)) == [data]


def test_each_part_fits_the_messages_of_common_messengers() -> None:
    assert all(len(part) < 2000 for part in pasted_parts(bytes(5 * PART + 1)))


@settings(max_examples=30)
@given(st.data())
def test_a_changed_letter_damages_its_part_alone_and_the_part_can_come_again(data: st.DataObject) -> None:
    parts = pasted_parts(DATA)
    number = data.draw(st.integers(0, len(parts) - 1))
    letters = [at for at, letter in enumerate(parts[number]) if at > parts[number].index("\n") and letter != "\n"]
    at = data.draw(st.sampled_from(letters))
    other = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz234567".replace(parts[number][at], "")))
    pasted = Pasted()
    pasted.add("\n".join([*parts[:number], parts[number][:at] + other + parts[number][at + 1 :], *parts[number + 1 :]]))
    assert list(pasted.taken()) == []
    assert pasted.damaged + pasted.other == 1
    pasted.add(parts[number])
    assert list(pasted.taken()) == [DATA]


def test_missing_parts_are_named_until_they_come() -> None:
    parts, pasted = pasted_parts(bytes(range(256)) * 12), Pasted()
    pasted.add(parts[3] + "\n" + parts[1])
    assert list(pasted.taken()) == []
    assert pasted.missing() == [(4, [1, 3])]
    pasted.add(parts[0] + parts[2])
    assert list(pasted.taken()) == [bytes(range(256)) * 12]
    assert pasted.missing() == []


@settings(max_examples=30)
@given(st.text(max_size=300))
def test_no_text_is_taken_for_a_bundle_or_raises(text: str) -> None:
    assert taken(text, "starlock-post:" + text, "STARLOCK-\nPOST: aeaq" + text) == []
    unfinished("starlock-post:" + text)


def test_a_part_is_unfinished_until_its_last_letter() -> None:
    part = pasted_parts(DATA)[0]
    assert not any(unfinished(text) for text in ("", "hello", part, part + "\nhello"))
    assert all(unfinished(part[:at]) for at in range(part.index("\n"), len(part) - 1, 7))
