# SPDX-License-Identifier: GPL-3.0-or-later
"""What a member signs when the game has ended, for readers without the rules.

    result    [ending, [[place, points, [[kind, points], ...]] of each seat, ascending], [members given up, by number]]

ending: "played", or the code of the pact that ended the game. A body that differs from what the rules give is a fault
only under the head and the state that the replay arrives at: an honest member whose engine differs names another state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from p2p.lockstep.effects import Diverged
from p2p.lockstep.outbox import Faults, Outbox
from p2p.lockstep.position import Position
from p2p.wire.codec import Plain, Value
from p2p.wire.entry import Entry

PLAYED: Final = "played"
SHOWN: Final = 40
"""The most characters of a peer's text that a fault repeats."""


class End(NamedTuple):
    """An end as a member has signed it.

    Attributes:
        scores: by seat, its place from 1, its points and the points of each kind.
        given_up: the keys of the members given up for good.
    """

    ending: str
    scores: tuple[tuple[int, int, tuple[tuple[str, int], ...]], ...]
    given_up: tuple[bytes, ...]


def result(position: Position) -> Plain:
    """Return the body of the result of a game that is over."""
    gone = position.membership.gone
    members = sorted(gone, key=position.membership.numbers.__getitem__)
    return [position.ended or PLAYED, position.machine.scores(), members]


def read_end(entry: Entry) -> End | None:
    """Return the end in the body of a result, None for another form."""
    match entry.body:
        case [str() as ending, [*seats], [*gone]]:
            scores = tuple(score for seat in seats if (score := _score(seat)) is not None)
            keys = tuple(key for key in gone if isinstance(key, bytes) and len(key) == 32)
            if (len(scores), len(keys)) == (len(seats), len(gone)):
                return End(ending, scores, keys)
    return None


def false_result(position: Position, entry: Entry) -> str:
    """Return the code of what is wrong with a result under the last head of a game that is over, "" if nothing is."""
    end = read_end(entry)
    if end is None:
        return "result/form"
    if end.ending != (position.ended or PLAYED):
        return "result/other-ending"
    if entry.state != position.state:
        return ""
    return "" if entry.body == result(position) else "result/other-points"


def _score(seat: Value) -> tuple[int, int, tuple[tuple[str, int], ...]] | None:
    parts: list[Any] = []
    match seat:
        case [int() as place, int() as points, [*said]]:
            for part in said:
                match part:
                    case [str() as kind, int() as of_it] if type(of_it) is int:
                        parts.append((kind, of_it))
                    case _:
                        return None
            if type(place) is int and type(points) is int:
                return place, points, tuple(parts)
    return None


def judge_results(results: Iterable[Entry], position: Position, faults: Faults, outbox: Outbox) -> None:
    """Judge each `result` of the end at this position, since no other entry contains the last position."""
    for entry in results:
        if entry.head != position.head:
            continue
        code = false_result(position, entry)
        if code:
            end = read_end(entry)
            faults.accuse(code, entry, detail="" if end is None else end.ending[:SHOWN])
        elif entry.state != position.state and not position.repairing.covers(entry):
            outbox.tell_once(entry.id, Diverged(entry, position.state))
