"""Every negative test that the fairness design numbers is there, and its name says the number."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parents[1]
LAST = 83


def named() -> dict[int, list[str]]:
    """The tests of each number: test_n22_n23_… holds two."""
    found = defaultdict(list)
    for path in TESTS.rglob("test_*.py"):
        for name, numbers in re.findall(
            r"^(?:async )?def (test((?:_n\d+)+)_[a-z]\w*)\(", path.read_text("utf-8"), re.MULTILINE
        ):
            for number in re.findall(r"\d+", numbers):
                found[int(number)].append(f"{path.name}::{name}")
    return found


def test_every_numbered_negative_test_is_there() -> None:
    found = named()
    assert set(found) == set(range(1, LAST + 1)), sorted(set(range(1, LAST + 1)) ^ set(found))
