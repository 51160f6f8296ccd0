"""Tables of five where a forger has shown the sleeper another history than the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from test_pact_branches import CHEAT, SLEEPER, branches
from test_pact_freezes import at_together, key, out, vote_on

from p2p.lockstep.signing import maker
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value
from p2p.wire.entry import Entry


def answered_otherwise() -> tuple[DirectTable, Entry]:
    """A table where all but the forger have answered, and the sleeper has got another answer of it: that one."""
    table = at_together(5)
    ((other,),) = branches(table, values=[2])
    table.peers[SLEEPER].feed(other)
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    return table, other


def beside(table: DirectTable, number: int, kind: str, body: Value = None, **place: Any) -> Entry:
    """Another next entry of a member at the open height, or one at that seq and prev."""
    position, (seq, last) = table.peers[number].position, table.peers[number].feeds.end(key(table, number))
    fields: dict[str, Any] = {name: getattr(position, name) for name in ("epoch", "height", "head", "state")}
    fields |= {"kind": kind, "body": [bytes(32)] if kind == "clock" else body, "seq": seq + 1, "prev": last} | place
    return maker(table.keys[number].key)(table=table.genesis.table, **fields)


def owed_beside() -> tuple[DirectTable, Entry]:
    """A table where all but the forger have answered, and the sleeper has got another word of it than those before its
    answer: that one."""
    table = at_together(5)
    other = beside(table, CHEAT, "clock")
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {SLEEPER}
    table.peers[SLEEPER].feed(other)
    table.peers[CHEAT].signing.say("clock", [key(table, SLEEPER)])
    table.peers[CHEAT].advance()
    table.settle()
    return table, other


def gone_on(forged: Callable[[], tuple[DirectTable, Entry]] = answered_otherwise) -> DirectTable:
    """A table where the forger and the others have gone on, first without the sleeper, which holds another history, and
    then, when they knew of that, without the forger too."""
    table, other = forged()
    table.cut_off = {SLEEPER}
    assert table.peers[CHEAT].answer(CHEAT, [1]) is None
    table.settle()
    play_without_the_sleeper(table, other)
    return table


def play_without_the_sleeper(table: DirectTable, other: Entry) -> None:
    """other: the entry by which they get to know of the forger's other history."""
    apart = vote_on(table, "absent", out(table, SLEEPER), (0, 1, 2, CHEAT))
    for _ in range(2):
        assert table.step()
    for number in (0, 1, 2):
        table.peers[number].feed(other)
    table.cut_off |= {CHEAT}
    pact = vote_on(table, "absent", out(table, CHEAT), (0, 1, 2))
    assert pact.at > apart.at
    table.play()
    assert table.peers[0].position.over
