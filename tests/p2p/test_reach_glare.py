"""Of two channels between two processes both sides keep the same one."""

from __future__ import annotations

from itertools import permutations, product
from types import SimpleNamespace
from typing import Any

import pytest

from p2p.reach.glare import choose

LOW, HIGH = (b"a", b"1"), (b"b", b"1")


def pipe(peer: tuple[bytes, bytes], dialed: bool, via: bytes | None) -> Any:
    return SimpleNamespace(peer_id=peer[0], instance=peer[1], dialed=dialed, via=via)


CHANNELS = list(product([True, False], [None, b"relay"]))


@pytest.mark.parametrize(("first", "second"), list(permutations(CHANNELS, 2)))
def test_both_sides_keep_the_same_channel_in_whatever_order_they_see_them(first: Any, second: Any) -> None:
    """Each channel: whether the lower id dialed it, and the relay between."""
    kept = set()
    for me, other, reverse in product((LOW, HIGH), (LOW, HIGH), (False, True)):
        if me == other:
            continue
        seen = [(name, pipe(other, low == (me == LOW), via)) for name, (low, via) in (("1", first), ("2", second))]
        (old, older), (new, newer) = reversed(seen) if reverse else seen
        kept.add({"old": old, "new": new}[choose(older, newer, me)])
    assert len(kept) == 1


@pytest.mark.parametrize("via", [None, b"relay"])
def test_whoever_dialed_both_keeps_the_first_and_the_other_side_listens(via: bytes | None) -> None:
    assert choose(pipe(HIGH, True, via), pipe(HIGH, True, via), LOW) == "old"
    assert choose(pipe(LOW, False, via), pipe(LOW, False, via), HIGH) == "listen"


@pytest.mark.parametrize("dialed", [True, False])
def test_a_direct_channel_is_kept_and_a_relayed_one_is_not(dialed: bool) -> None:
    for me, other in ((LOW, HIGH), (HIGH, LOW)):
        assert choose(pipe(other, dialed, b"relay"), pipe(other, True, None), me) == "new"
        assert choose(pipe(other, True, None), pipe(other, dialed, b"relay"), me) == "old"
