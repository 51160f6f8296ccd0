# SPDX-License-Identifier: GPL-3.0-or-later
"""The file that tells a reader without the rules what was asked at each height of a table.

A file is a sequence of items, each of which is its length in four bytes (big-endian) and its encoding:

    ["starlock told", 1, table]
    [height, asked, ended, outcome]     of each resolved height of the history, ascending
    [height, asked, digest]             of the open height

asked: what the height waited for. ended: True if a vote ended it. outcome: what came of it, as the next record tells
(`told`). digest: the digest of the game, 16 bytes.

No word of it has to be believed. The heads cover all records up to the last height that has entries, and the state that
the entries of the open height name covers the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from p2p.lockstep.position import Position
from p2p.wire.codec import Plain, encode

NAME: Final = "starlock told"
VERSION: Final = 1


def told_file(table: bytes, position: Position) -> bytes:
    """Return the file of a table that has come to this position."""
    return framed(_items(table, position))


def framed(items: Iterable[Plain]) -> bytes:
    """Return a file of these items."""
    return b"".join(len(data).to_bytes(4, "big") + data for data in map(encode, items))


def _items(table: bytes, position: Position) -> Iterator[Plain]:
    yield [NAME, VERSION, table]
    for height, outcome in position.outcomes.items():
        yield [height, position.told[height][-1], height in position.ended_by_vote, outcome]
    yield [position.height, position.told[position.height][-1], position.machine.digest()]
