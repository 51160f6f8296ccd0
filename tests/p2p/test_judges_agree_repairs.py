"""All judges agree on what is said before and after a vote to read on that ends a height of cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from agreement import NODE, Game, judged_by_all, repacked
from judges import disagreements
from resigned import repaired, say

from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")

Word = tuple[int, Mapping[str, Any]]
"""Which of those who owe a share says it, and what it changes."""
ELSEWHERE: Final = {"state": bytes(16), "head": bytes(32)}
APART: Final = {"state": bytes(16)}
OTHER_BASIS: Final = {"state": bytes(16), "body": [bytes(32), None]}


def read_on(before: Sequence[Word], after: Sequence[Word]) -> tuple[Game, int]:
    """A table of four at its first shares, with all votes to read on up to the last word before; and that height."""
    table = DirectTable([[seat] for seat in range(4)], 1, options={"draws": "sealed"})
    table.start()
    table.play()
    entries, keys = [entry for entry, _ in table.log], {one.key.public: one.key.private for one in table.keys}
    shares = [(number, entry) for number, entry in enumerate(entries) if entry.kind == "share"]
    start, first = shares[0]
    owing = sorted((entry for _, entry in shares if entry.height == first.height), key=lambda entry: entry.author)
    log = entries[:start]
    for number, changes in before:
        say(log, owing[number], keys[owing[number].author], **changes)
    repaired(log, first, log[-1:], sorted(keys), keys)
    for number, changes in after:
        say(log, owing[number], keys[owing[number].author], **changes)
    return repacked(log, {}, table.keys[0].key.private, TestMachine(4, 1)), first.height


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
    [
        ([(0, OTHER_BASIS)], [(0, {"body": [bytes(32)]})], "entry/basis"),
        ([(0, OTHER_BASIS)], [(0, {}), (0, {})], "entry/twice"),
        ([(0, {"body": [bytes(32)]}), (0, ELSEWHERE)], [], "entry/basis"),
        ([(0, ELSEWHERE)], [(0, {}), (0, APART)], None),
        ([(1, APART), (0, ELSEWHERE)], [], None),
        ([(0, APART), (1, ELSEWHERE)], [], None),
    ],
    ids=["false behind", "twice behind", "false before", "another state", "that of a second", "that of a first"],
)
def test_all_judge_alike_what_stands_beside_a_word_that_does_not_fit(
    before: list[Word], after: list[Word], wrong: str | None, tmp_path: Path
) -> None:
    """The vote ends the height: states may differ there, whoever is read first, and what is false is a fault."""
    game, height = read_on(before, after)
    (found,) = judged_by_all([game], tmp_path)
    assert disagreements([found]) == []
    assert found.ours == wrong
    assert found.found is not None
    assert found.found.height == height + 1
