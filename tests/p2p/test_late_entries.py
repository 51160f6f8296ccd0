"""An entry of dice or cards that comes after its height was resolved changes nothing; a false one is convicted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p.lockstep.reading import Reading
from p2p.lockstep.step import SHARED, STAGE

ANN, EVE = b"a" * 32, b"e" * 32
LATE = next(kind for kind, stage in STAGE.items() if stage == SHARED)
EARLY = next(kind for kind, stage in STAGE.items() if stage != SHARED)


def entry(**other: Any) -> Any:
    usual = {"height": 3, "head": b"head", "epoch": 1, "author": ANN, "kind": LATE}
    return SimpleNamespace(**usual | other)


@pytest.mark.parametrize(
    ("late", "convicted"),
    [
        (entry(), True), (entry(height=4), False), (entry(kind=EARLY), False), (entry(author=EVE), False),
        (entry(head=b"other"), False), (entry(epoch=2), False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("false", [True, False])
@pytest.mark.parametrize("kept", ["both", "no task", "no position"])
def test_a_false_one_convicts_a_member_of_its_position_and_no_other_does(
    late: Any, convicted: bool, false: bool, kept: str
) -> None:
    accused: list[tuple[str, Any]] = []
    task = SimpleNamespace(late=lambda _entry: SimpleNamespace(code="dice/false") if false else None)
    past = SimpleNamespace(members=(ANN,), head=b"head", epoch=1)
    position = SimpleNamespace(
        shared={} if kept == "no task" else {3: task}, past={} if kept == "no position" else {3: past}
    )
    reading: Any = SimpleNamespace(
        position=position, faults=SimpleNamespace(accuse=lambda code, found: accused.append((code, found)))
    )
    Reading._late(reading, late)
    assert accused == ([("dice/false", late)] if convicted and false and kept == "both" else [])
