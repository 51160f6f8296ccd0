"""Streams: every number equally likely, streams separate by name, and the same numbers for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import shake_256
from itertools import pairwise, permutations

import pytest

from seeds.hashing import H, message
from seeds.streams import Stream, dice

SEED = H("test", "streams")


class Words(Stream):
    """A stream whose words are given."""

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__(SEED, "given")
        self.words = iter(words)

    def word(self) -> int:
        return next(self.words)


def chi_square(counts: Sequence[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_words_are_the_shake256_blocks_in_order() -> None:
    stream = Stream(SEED, "dice")
    prefix = message("stream", SEED, "dice")
    blocks = b"".join(shake_256(prefix + block.to_bytes(8, "big")).digest(136) for block in range(3))
    words = [int.from_bytes(blocks[at : at + 4], "big") for at in range(0, len(blocks), 4)]
    assert [stream.word() for _ in words] == words


def test_n51_golden_numbers_never_change() -> None:
    assert dice(SEED, [6] * 12) == [6, 6, 2, 3, 3, 3, 5, 4, 4, 5, 3, 2]
    assert dice(SEED, [20, 4, 100, 2**32]) == [12, 4, 44, 2910924153]
    assert Stream(SEED, "shuffle").permutation(16) == [10, 0, 7, 2, 15, 4, 1, 5, 6, 11, 9, 13, 14, 12, 3, 8]


def test_a_number_below_one_is_zero() -> None:
    assert Stream(SEED, "x").below(1) == 0
    assert Stream(SEED, "x").permutation(1) == [0]
    assert Stream(SEED, "x").permutation(0) == []


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_bound_outside_the_words_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        Stream(SEED, "x").below(n)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Stream(seed, "x")


def test_n49_words_of_the_incomplete_last_interval_are_thrown_away() -> None:
    end = 2**32 - 2**32 % 6
    assert Words([2**32 - 1, end, end - 1]).die(6) == 6
    assert Words([end, 0]).die(6) == 1
    assert Words([2**32 - 1]).below(2**32) == 2**32 - 1
    assert Words([2**32 - 1]).below(2**31) == 2**31 - 1, "a power of two has no incomplete interval"


def test_fisher_yates_swaps_from_the_top() -> None:
    assert Words([0, 0, 0]).permutation(4) == [1, 2, 3, 0]
    assert Words([3, 2, 1]).permutation(4) == [0, 1, 2, 3]


def test_n50_streams_are_separate_by_name_and_by_seed() -> None:
    first = [Stream(SEED, "dice").word() for _ in range(1)]
    assert first != [Stream(SEED, "shuffle").word()]
    assert first != [Stream(H("test", "other"), "dice").word()]
    assert Stream(SEED, "ab").word() != Stream(SEED, "a").word()


def test_dice_of_a_roll_do_not_move_when_more_follow() -> None:
    assert dice(SEED, [6, 8, 10])[:2] == dice(SEED, [6, 8])


@pytest.mark.parametrize(("sides", "limit"), [(2, 10.83), (3, 13.82), (6, 20.52), (7, 22.46), (10, 27.88), (20, 43.82)])
def test_every_face_is_equally_likely(sides: int, limit: float) -> None:
    stream = Stream(H("test", "faces", sides), "dice")
    counts = Counter(stream.die(sides) for _ in range(20_000))
    assert set(counts) == set(range(1, sides + 1))
    assert chi_square([counts[face] for face in counts]) < limit, "chi-square at one in a thousand"


def test_every_order_of_four_is_equally_likely() -> None:
    stream = Stream(H("test", "orders"), "shuffle")
    counts = Counter(tuple(stream.permutation(4)) for _ in range(12_000))
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(list(counts.values())) < 49.73


def test_dice_of_successive_seeds_are_independent() -> None:
    faces = [dice(H("test", "seed", k), [6])[0] for k in range(18_001)]
    pairs = Counter(pairwise(faces))
    assert len(pairs) == 36
    assert chi_square(list(pairs.values())) < 66.62
