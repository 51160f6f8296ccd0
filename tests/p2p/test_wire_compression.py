"""What a link leaves out comes back byte for byte; what is left out falsely becomes an entry that nobody signed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.testing.tables import DirectTable
from p2p.wire.codec import WireError, encode
from p2p.wire.compression import NUMBERED, Compressor, Decompressor
from p2p.wire.entry import Entry, parse_entry
from p2p.wire.messages import MAX_FEEDS, Next, Packed, Push, Sent, Want, pack, parse


def said(members: int = 3) -> list[Entry]:
    table = DirectTable([[number] for number in range(members)])
    table.start()
    table.play()
    return [entry for entry, _ in table.log]


ENTRIES = said()


def items(data: bytes) -> tuple[Sent | Next, ...]:
    packed = parse(data)
    assert isinstance(packed, Packed)
    return packed.entries


@given(
    st.lists(st.one_of(st.sampled_from(ENTRIES).map(lambda entry: entry.raw), st.binary(min_size=1, max_size=300))),
    st.integers(1, 5),
)
def test_whatever_a_link_carries_comes_back_byte_for_byte(raws: list[bytes], size: int) -> None:
    sender, receiver = Compressor(), Decompressor()
    for at in range(0, len(raws), size):
        push = Push(tuple(map(Sent, raws[at : at + size])))
        assert receiver.parse(sender.pack(push)) == push


@given(st.data())
def test_a_changed_entry_comes_back_as_it_was_changed(data: st.DataObject) -> None:
    sender, receiver = Compressor(), Decompressor()
    for entry in data.draw(st.lists(st.sampled_from(range(len(ENTRIES))), max_size=20).map(sorted)):
        raw = bytearray(ENTRIES[entry].raw)
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.sampled_from([0, 0, 1, 0x80]))
        push = Push((Sent(bytes(raw)),))
        assert receiver.parse(sender.pack(push)) == push


def test_a_feed_in_order_says_its_header_once_and_its_position_only_when_it_moves() -> None:
    sender, receiver, last = Compressor(), Decompressor(), dict[bytes, Entry]()
    for entry in ENTRIES:
        data = sender.pack(Push((Sent(entry.raw),)))
        (item,) = items(data)
        before = last.get(entry.author)
        last[entry.author] = entry
        assert isinstance(item, Sent) == (before is None)
        if isinstance(item, Next) and before is not None:
            assert (item.moved is None) == ((before.height, before.head) == (entry.height, entry.head))
            assert len(data) < len(entry.raw) - 80
        assert receiver.parse(data) == Push((Sent(entry.raw),))


def test_an_entry_at_the_same_height_under_another_head_or_state_names_those_alone() -> None:
    feed = [entry for entry in ENTRIES if entry.author == ENTRIES[0].author]
    before, after = next((one, two) for one, two in pairwise(feed) if one.height == two.height > 1)
    for changed in (after.head, after.state):
        raw = after.raw.replace(changed, b"\xff" * len(changed))
        sender, receiver = Compressor(), Decompressor()
        receiver.parse(sender.pack(Push((Sent(before.raw),))))
        data = sender.pack(Push((Sent(raw),)))
        (item,) = items(data)
        assert isinstance(item, Next)
        assert item.moved is not None
        assert item.moved[0] == 0
        assert receiver.parse(data) == Push((Sent(raw),))


def test_a_gap_a_step_back_and_a_chat_are_sent_whole() -> None:
    feed = [entry for entry in ENTRIES if entry.author == ENTRIES[0].author]
    sender = Compressor()
    sender.pack(Push((Sent(feed[0].raw),)))
    assert isinstance(items(sender.pack(Push((Sent(feed[2].raw),))))[0], Sent)
    assert isinstance(items(sender.pack(Push((Sent(feed[1].raw),))))[0], Sent)
    assert isinstance(items(sender.pack(Push((Sent(feed[2].raw, (bytes(16), "hello")),))))[0], Sent)
    assert isinstance(items(sender.pack(Push((Sent(feed[3].raw),))))[0], Next)


def test_another_branch_of_a_feed_is_sent_whole_where_it_does_not_follow() -> None:
    feed = [entry for entry in ENTRIES if entry.author == ENTRIES[0].author]
    sender, forged = Compressor(), bytearray(feed[2].raw)
    sender.pack(Push((Sent(feed[1].raw),)))
    forged[-70] ^= 1  # another body: the id differs, and what follows the true entry does not follow this one
    assert isinstance(items(sender.pack(Push((Sent(bytes(forged)),))))[0], Next)
    assert isinstance(items(sender.pack(Push((Sent(feed[3].raw),))))[0], Sent)


def test_other_messages_pass_unchanged() -> None:
    want = Want(bytes(32), bytes(32), 0, 1)
    assert Compressor().pack(want) == pack(want)
    assert Decompressor().parse(pack(want)) == want


# Hostile -------------------------------------------------------------------------------------------------------------


def after(entry: Entry, item: Next) -> Sent:
    receiver = Decompressor()
    receiver.parse(pack(Packed((Sent(entry.raw),))))
    push = receiver.parse(pack(Packed((item,))))
    assert isinstance(push, Push)
    return push.entries[0]


def a_next() -> tuple[Entry, Next]:
    feed = [entry for entry in ENTRIES if entry.author == ENTRIES[0].author]
    sender = Compressor()
    sender.pack(Push((Sent(feed[0].raw),)))
    (item,) = items(sender.pack(Push((Sent(feed[1].raw),))))
    assert isinstance(item, Next)
    assert after(feed[0], item) == Sent(feed[1].raw)
    return feed[0], item


def test_a_reference_to_nothing_is_refused() -> None:
    base, item = a_next()
    for wrong in (replace(item, author=1), replace(item, kind=len(NUMBERED))):
        with pytest.raises(WireError) as refusal:
            after(base, wrong)
        assert refusal.value.code == "message/no-base"
    with pytest.raises(WireError) as refusal:
        Decompressor().parse(pack(Packed((item,))))
    assert refusal.value.code == "message/no-base"


def test_a_height_beyond_the_greatest_number_is_refused() -> None:
    _base, item = a_next()
    with pytest.raises(WireError) as refusal:
        after(ENTRIES[-1], replace(item, moved=(2**53 - 1, bytes(32), bytes(16))))
    assert refusal.value.code == "message/number"


def test_an_entry_that_falsely_follows_another_was_signed_by_nobody() -> None:
    base, item = a_next()
    other = next(entry for entry in ENTRIES if entry.author != base.author)
    moved = replace(item, moved=(1, bytes(32), bytes(16)))
    kind = replace(item, kind=(item.kind + 1) % len(NUMBERED))
    for made in (after(other, item), after(base, moved), after(base, kind)):
        with pytest.raises(WireError, match="signature"):
            parse_entry(made.raw)


@given(st.binary(min_size=65, max_size=200), st.integers(0, len(NUMBERED) - 1))
def test_junk_behind_a_good_header_is_left_to_the_strict_reader_of_entries(rest: bytes, kind: int) -> None:
    raw = after(ENTRIES[0], Next(0, kind, rest)).raw
    with pytest.raises(WireError):
        parse_entry(raw)


def test_no_more_authors_are_remembered_than_a_table_has() -> None:
    sender, receiver = Compressor(), Decompressor()
    first = bytearray(ENTRIES[0].raw)
    for number in range(MAX_FEEDS + 3):
        first[38:40] = number.to_bytes(2, "big")
        push = Push((Sent(bytes(first)),))
        assert receiver.parse(sender.pack(push)) == push
    assert len(receiver.context.authors) == len(sender.context.authors) == MAX_FEEDS


@pytest.mark.parametrize(
    ("code", "item"),
    [
        ("message/fields", [0, 1, b"r" * 65, 1]),
        ("message/number", [MAX_FEEDS, 1, b"r" * 65]),
        ("message/number", [0, 256, b"r" * 65]),
        ("message/bytes", [0, 1, b"r" * 64]),
        ("message/number", [0, 1, b"r" * 65, -1, b"h" * 32, b"s" * 16]),
        ("message/bytes", [0, 1, b"r" * 65, 1, b"h" * 31, b"s" * 16]),
        ("message/bytes", [0, 1, b"r" * 65, 1, b"h" * 32, b"s" * 17]),
        ("message/fields", [0, 1]),
    ],
)
def test_a_malformed_reference_is_refused_by_its_code(code: str, item: list[int | bytes]) -> None:
    with pytest.raises(WireError) as refusal:
        parse(encode([6, [item]]))
    assert refusal.value.code == code
