"""Frames are cut from a stream however it arrives, and a long one is refused before it is held."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.wire.codec import WireError
from p2p.wire.frames import MAX_EARLY_FRAME, MAX_FRAME, MAX_MESSAGE, FrameReader, frame


def drain(reader: FrameReader) -> list[bytes]:
    found = []
    while (content := reader.next()) is not None:
        found.append(content)
    return found


@given(st.lists(st.binary(min_size=1, max_size=MAX_EARLY_FRAME), max_size=8), st.lists(st.integers(1, 90), max_size=40))
def test_any_cutting_of_the_stream_gives_the_same_frames(contents: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, contents))
    reader, found = FrameReader(), []
    for cut in [*cuts, len(stream)]:
        reader.feed(stream[:cut])
        stream = stream[cut:]
        found += drain(reader)
    assert found == contents
    assert reader.at_border


def test_a_long_frame_is_refused_by_its_length_alone() -> None:
    reader = FrameReader()
    reader.feed(frame(b"x" * MAX_EARLY_FRAME) + (MAX_EARLY_FRAME + 1).to_bytes(2, "big"))
    assert reader.next() == b"x" * MAX_EARLY_FRAME
    with pytest.raises(WireError) as caught:
        reader.next()
    assert (caught.value.code, caught.value.offset) == ("frame/too-long", 2 + MAX_EARLY_FRAME)


def test_the_limit_may_be_raised_between_two_frames() -> None:
    reader = FrameReader()
    reader.feed(frame(b"small") + frame(b"x" * MAX_FRAME))
    assert reader.next() == b"small"
    reader.limit = MAX_FRAME
    assert reader.next() == b"x" * MAX_FRAME


def test_an_empty_frame_is_refused() -> None:
    reader = FrameReader()
    reader.feed(b"\0\0")
    with pytest.raises(WireError, match="frame/empty"):
        reader.next()


def test_a_cut_frame_is_seen_at_the_end_of_the_stream() -> None:
    reader = FrameReader()
    reader.feed(frame(b"whole")[:-1])
    assert reader.next() is None
    assert not reader.at_border


@pytest.mark.parametrize("size", [0, MAX_FRAME + 1])
def test_a_frame_of_impossible_size_is_not_written(size: int) -> None:
    with pytest.raises(ValueError, match="a frame holds"):
        frame(bytes(size))


def test_a_frame_is_one_noise_message() -> None:
    assert MAX_MESSAGE == 65_519
    assert len(frame(bytes(MAX_FRAME))) == 2 + 65_535
