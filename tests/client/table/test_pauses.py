"""What holds up the loop besides its own work."""

from __future__ import annotations

import gc
import sys
import weakref

import pytest

from client.table.pauses import FULL, TURN, YOUNG, freeze_loaded, short_pauses


def test_pauses_are_short_while_a_table_is_played_and_as_before_afterwards() -> None:
    before = gc.get_threshold(), sys.getswitchinterval()
    with short_pauses():
        assert gc.get_threshold() == (YOUNG, before[0][1], FULL)
        assert sys.getswitchinterval() == pytest.approx(TURN)
    assert (gc.get_threshold(), sys.getswitchinterval()) == before


class Node:
    """Refers to itself, as a table's parts refer to one another."""

    def __init__(self) -> None:
        self.me = self


def test_no_table_keeps_the_garbage_of_an_earlier_one() -> None:
    """What an earlier table left is collected before the objects of the next are left out of collections, and the next
    one's own when it has ended."""
    with short_pauses():
        earlier = weakref.ref(Node())
        freeze_loaded()
        assert earlier() is None
        node = Node()
        own = weakref.ref(node)
        freeze_loaded()
        assert gc.get_freeze_count() > 0
        del node
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert own() is None
