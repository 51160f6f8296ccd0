"""A .star file: read back as written, and refused with the part at fault for any byte changed, missing or added."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logkit import SALT, TABLE, chat, entry, feed, member, mixed
from volume import GATE, VOLUME

from p2p.log.records import TOGETHER, FileError, Writer
from p2p.log.starfile import MAGIC, OWN_VERSION, VERSION, pack_star, read_star
from p2p.wire.codec import encode
from p2p.wire.content import MAX_CONTENT, content_name
from p2p.wire.entry import Attachment, Entry
from p2p.wire.signing import sign
from seeds.hashing import H

ANN, BOB = member("ann"), member("bob")
HEAD = H("test", "head", 9)
TEXT = "gl hf, Ann! ñ"
ENTRIES = [*mixed(feed(ANN, 3), feed(BOB, 2))]
CHAT = chat(BOB, TEXT, ENTRIES[3])
GAME: list[tuple[Entry, Attachment | None]] = [*((one, None) for one in ENTRIES), (CHAT, (SALT, TEXT))]


def packed(game: list[tuple[Entry, Attachment | None]] | None = None, *, chat: bool = True) -> bytes:
    return pack_star(game or GAME, key=ANN.key.private, height=9, head=HEAD, program="1.2.3", chat=chat)


def forged(*records: tuple[bytes, bytes]) -> bytes:
    """A file of any records with a trailer that fits them: what is wrong with it is not the trailer."""
    writer = Writer(MAGIC, VERSION, "1.2.3")
    for letter, body in records:
        writer.add(letter, body)
    count, digest = sum(letter == b"E" for letter, _ in records), writer.digest("star")
    signature = sign(ANN.key.private, H("export", TABLE, count, 9, HEAD, digest))
    writer.add(b"Z", encode([count, 9, HEAD, ANN.key.public, digest, signature]))
    return writer.bytes()


def refused(data: bytes) -> FileError:
    with pytest.raises(FileError) as refusal:
        read_star(data)
    return refusal.value


def test_a_game_is_read_back_as_written() -> None:
    star = read_star(packed())
    assert star.entries == tuple(one for one, _ in GAME)
    assert star.texts == {CHAT.id: (SALT, TEXT)}
    assert (star.table, star.height, star.head, star.exporter, star.program) == (
        *(TABLE, 9, HEAD, ANN.key.public, "1.2.3"),
    )


def test_the_golden_file_never_changes() -> None:
    assert H("test", packed()).hex() == "7a8808f7051fdc335ff24935c41dcd1ccbdcb0fea70aa11010440226d2ab67b8"


def test_the_texts_of_chats_may_be_left_out_without_breaking_the_log() -> None:
    data = packed(chat=False)
    assert TEXT.encode() in packed()
    assert TEXT.encode() not in data
    star = read_star(data)
    assert (star.entries[-1], star.texts) == (CHAT, {})


def test_every_flipped_bit_is_refused_naming_the_part_of_the_file_it_is_in() -> None:
    data = packed([GAME[0], (chat(BOB, "x"), (SALT, "x"))])
    parts = _parts(data)
    for bit in range(0, len(data) * 8, 11 if VOLUME == GATE else 1):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        error = refused(bytes(changed))
        assert error.part in parts[bit // 8], f"bit {bit}: {error}"


def _parts(data: bytes) -> list[set[str]]:
    """What may be named for each byte: a damaged length can also be seen where the next record should begin."""
    header = 8 + 2 + 1 + 5 + 8
    names: list[set[str]] = [{"magic"}] * 8 + [{"header"}] * (header - 8)
    records = ["entry 0", "entry 1", "text of entry 1", "trailer"]
    at = header
    for place, name in enumerate(records):
        size = 5 + int.from_bytes(data[at + 1 : at + 5], "big")
        following = records[place + 1] if place + 1 < len(records) else "end"
        entry_of_text = {"entry 1", "entry 2"} if name.startswith("text") else set()
        names += [{name, following, *entry_of_text, *({"entry 2"} if name == "trailer" else set())}] * size
        at += size
    assert at == len(data)
    return names


@given(st.integers(0, len(packed()) - 1))
def test_a_file_cut_anywhere_is_refused(cut: int) -> None:
    assert refused(packed()[:cut]).code in {"file/truncated", "file/foreign"}


def test_a_file_cut_between_two_records_is_refused_naming_what_is_missing() -> None:
    data = packed()
    trailer = data.rindex(b"Z\x00\x00")
    error = refused(data[:trailer])
    assert (error.code, error.part) == ("file/truncated", "trailer")


@given(st.binary(min_size=1, max_size=40))
def test_a_byte_after_the_trailer_is_refused(more: bytes) -> None:
    error = refused(packed() + more)
    assert (error.code, error.part) == ("file/trailing", "end")


@given(st.integers(0, len(packed()) - 1), st.binary(min_size=1, max_size=3))
def test_a_byte_put_in_anywhere_is_refused(place: int, more: bytes) -> None:
    data = packed()
    assert refused(data[:place] + more + data[place:]).code.startswith("file/")


@given(st.binary(max_size=300))
def test_garbage_is_refused_with_or_without_a_header(garbage: bytes) -> None:
    for data in (garbage, Writer(MAGIC, VERSION, "1.2.3").bytes() + garbage):
        assert refused(data).code.startswith("file/")


def test_n58_an_entry_left_out_or_put_elsewhere_is_refused_though_all_signatures_fit() -> None:
    records = [(b"E", one.raw) for one, _ in GAME[:5]]
    assert read_star(forged(*records)).entries == tuple(ENTRIES)
    for changed in (records[:2] + records[4:], [records[2], *records[:2]], [*records, records[0]]):
        error = refused(forged(*changed))
        assert error.code == "file/chain"
        assert error.entry is not None
    swapped = [records[1], records[0], *records[2:]]
    whole = forged(*records)
    trailer = whole[whole.rindex(b"Z\x00\x00") :]
    cut_end = forged(*records[:-1])
    assert refused(cut_end[: -len(trailer)] + trailer).code == "file/changed"
    assert refused(forged(*swapped)[: -len(trailer)] + trailer).code == "file/changed"


def test_an_entry_of_another_table_is_refused_by_its_number() -> None:
    error = refused(forged((b"E", ENTRIES[0].raw), (b"E", entry(BOB, table=HEAD).raw)))
    assert (error.code, error.part, error.entry) == ("file/other-table", "entry 1", 1)


def test_two_entries_of_one_author_for_one_place_are_refused() -> None:
    error = refused(forged((b"E", entry(ANN).raw), (b"E", entry(ANN, body=1).raw)))
    assert (error.code, error.entry) == ("file/chain", 1)


def test_a_text_that_was_not_signed_is_refused() -> None:
    for text in (SALT + b"other words", SALT, b"", SALT + b"\xff"):
        error = refused(forged((b"E", chat(ANN, "x").raw), (b"T", text)))
        assert (error.code, error.part) == ("file/text", "text of entry 0")
    assert refused(forged((b"E", entry(ANN).raw), (b"T", SALT + b"x"))).code == "file/text"


def test_a_trailer_of_another_key_is_refused() -> None:
    data = packed()
    at = data.rindex(ANN.key.public)
    error = refused(data[:at] + BOB.key.public + data[at + 32 :])
    assert (error.code, error.part) == ("file/trailer", "trailer")


def test_records_out_of_place_are_refused() -> None:
    assert refused(forged((b"X", b""), (b"E", ENTRIES[0].raw))).code == "file/record"
    assert refused(forged((b"T", SALT))).code == "file/record"
    error = refused(forged())
    assert (error.code, error.part) == ("file/empty", "entry 0")


def test_a_file_of_a_newer_program_is_refused_naming_that_program() -> None:
    newer = Writer(MAGIC, OWN_VERSION + 1, "9.0.1")
    newer.add(b"?", b"whatever it may hold")
    error = refused(newer.bytes())
    assert (error.code, error.part) == ("file/version", "header")
    assert "9.0.1" in error.detail


def test_another_kind_of_file_is_refused() -> None:
    assert refused(b"PK\x03\x04 some archive of the same friend").code == "file/foreign"
    assert refused(b"").code == "file/foreign"


def test_a_record_that_claims_to_be_huge_is_refused_before_anything_is_read() -> None:
    data = Writer(MAGIC, VERSION, "1").bytes() + b"E\xff\xff\xff\xff"
    assert refused(data).code == "file/length"


def test_no_file_is_written_that_could_not_be_read() -> None:
    with pytest.raises(ValueError, match="at most 60000 bytes"):
        Writer(MAGIC, VERSION, "1").add(b"E", bytes(60_001))
    with pytest.raises(ValueError, match="at most 64 letters"):
        Writer(MAGIC, VERSION, "1" * 65)
    with pytest.raises(ValueError, match="a game has entries"):
        pack_star([], key=ANN.key.private, height=0, head=HEAD, program="1")
    with pytest.raises(ValueError, match="does not follow"):
        packed([(ENTRIES[2], None)])
    with pytest.raises(ValueError, match="another table"):
        packed([(ENTRIES[0], None), (entry(BOB, table=HEAD), None)])


def test_no_secret_of_the_exporter_is_in_a_file() -> None:
    data = packed()
    assert ANN.secret not in data
    assert ANN.key.seed() not in data


def test_reading_reports_how_far_it_has_come() -> None:
    seen: list[tuple[int, int, str]] = []
    data = packed()
    read_star(data, lambda done, total, what: seen.append((done, total, what)))
    assert len(seen) == len(GAME)
    assert [done for done, _, _ in seen] == sorted({done for done, _, _ in seen})
    assert {(total, what) for _, total, what in seen} == {(len(data), "signatures")}


# A table's own content

CONTENT = b'[{"prices":[1,2,3]}]'
OWN: list[tuple[Entry, Attachment | None]] = [
    (entry(ANN, kind="genesis", body={"content": content_name(CONTENT)}), None),
    (ENTRIES[1], None),
]


def packed_own(content: bytes = CONTENT) -> bytes:
    return pack_star(OWN, key=ANN.key.private, height=9, head=HEAD, program="1.2.3", content=content)


def test_a_file_carries_the_content_that_its_genesis_names() -> None:
    star = read_star(packed_own())
    assert (star.content, star.entries) == (CONTENT, tuple(one for one, _ in OWN))
    assert read_star(packed()).content == b""
    assert packed_own()[8:10] == OWN_VERSION.to_bytes(2, "big")
    assert packed()[8:10] == VERSION.to_bytes(2, "big")


def test_every_changed_bit_of_the_content_is_refused() -> None:
    data = packed_own()
    at = data.index(CONTENT)
    for bit in range(8 * len(CONTENT)):
        changed = bytearray(data)
        changed[at + bit // 8] ^= 1 << bit % 8
        assert refused(bytes(changed)).code == "file/changed"


def forged_own(content: bytes | None, entries: list[tuple[Entry, Attachment | None]]) -> bytes:
    """A file of version 2 whose exporter signs whatever stands in it."""
    writer = Writer(MAGIC, OWN_VERSION, "1.2.3")
    for letter, body in [*([] if content is None else [(b"C", content)]), *((b"E", one.raw) for one, _ in entries)]:
        writer.add(letter, body)
    digest = writer.digest("star")
    signature = sign(ANN.key.private, H("export", TABLE, len(entries), 9, HEAD, digest))
    writer.add(b"Z", encode([len(entries), 9, HEAD, ANN.key.public, digest, signature]))
    return writer.bytes()


def test_other_content_than_the_genesis_names_is_refused_though_the_exporter_signs_it() -> None:
    assert read_star(forged_own(CONTENT, OWN)).content == CONTENT
    for content in (b"", CONTENT + b" ", b"other"):
        assert refused(forged_own(content, OWN)).code == "file/content"
    error = refused(forged_own(CONTENT, GAME))
    assert (error.code, error.part) == ("file/content", "content")
    assert refused(forged_own(None, OWN)).code == "file/record"
    with pytest.raises(ValueError, match="not the content that the genesis names"):
        packed_own(b"other")


def test_content_beyond_the_limit_is_refused() -> None:
    long = bytes(MAX_CONTENT + 1)
    named = [(entry(ANN, kind="genesis", body={"content": content_name(long)}), None)]
    assert refused(forged_own(long, [*named])).code == "file/content"


def test_a_refusal_says_what_is_wrong_where_and_with_which_numbers() -> None:
    first, second = ENTRIES[0].raw, ENTRIES[1].raw
    whole = forged((b"E", first), (b"E", second))
    start = whole.index(second)
    false = second[:-1] + bytes([second[-1] ^ 1])
    for data, code, part, detail, number in (
        (whole[: start + 7], "file/truncated", "entry 1", f"{len(second) - 7} bytes are missing", 1),
        (forged((b"E", first), (b"X", b"")), "file/record", "entry 1", "record b'X' where b'E' belongs", 1),
        (whole[: start - 4] + b"\xff" * 4, "file/length", "entry 1", "a record of 4294967295 bytes", 1),
        (whole + b"abc", "file/trailing", "end", "3 bytes after the trailer", None),
        (whole[:12], "file/truncated", "header", "12 bytes", None),
        (forged(), "file/empty", "entry 0", "no entries", 0),
    ):
        error = refused(data)
        assert (error.code, error.part, error.detail, error.entry) == (code, part, detail, number)
        assert str(error) == f"{code} in {part}: {detail}"
    error = refused(forged((b"E", first), (b"E", false)))
    assert (error.code, error.part, error.entry) == ("file/entry", "entry 1", 1)
    assert "signature" in error.detail


@pytest.mark.parametrize("threads", [None, 0])
def test_with_and_without_threads_the_first_false_signature_is_named(threads: int | None) -> None:
    entries = feed(ANN, TOGETHER * 3)
    false = [TOGETHER + 3, TOGETHER * 2 + 5]
    records = [entry.raw if number not in false else entry.raw[:-1] + b"?" for number, entry in enumerate(entries)]
    with pytest.raises(FileError, match="entry/signature") as refusal:
        read_star(forged(*((b"E", raw) for raw in records)), threads=threads)
    assert refusal.value.part == f"entry {false[0]}"
