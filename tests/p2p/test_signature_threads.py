"""Threads that check the signatures of a file end with its reading, whether the file is whole or not."""

from __future__ import annotations

import threading

import pytest
from logkit import feed, member

from p2p.log.records import TOGETHER, FileError, Signatures


@pytest.mark.parametrize("damaged", [True, False])
def test_no_thread_outlives_the_reading_of_a_file(damaged: bool) -> None:
    before, raws = threading.active_count(), [entry.raw for entry in feed(member("ann"), 2 * TOGETHER + 1)]
    if damaged:
        raws[1] = raws[1][:-1] + bytes([raws[1][-1] ^ 1])

    def read() -> None:
        with Signatures(2) as signatures:
            for number, raw in enumerate(raws):
                signatures.read(raw, number)
            assert threading.active_count() > before

    if damaged:
        with pytest.raises(FileError):
            read()
    else:
        read()
    assert threading.active_count() == before
