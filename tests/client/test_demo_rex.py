"""Six peers play Rex on this machine, one of them is killed for good, and every log left behind is verified."""

from __future__ import annotations

from pathlib import Path

import pytest
from peers import Starlock

pytestmark = pytest.mark.slow


def test_six_peers_of_rex_end_alike_though_one_is_killed(tmp_path: Path) -> None:
    words = ("demo", "rex", "--players", "6", "--draws", "open", "--kill", "1", "--seed", "6", "--json")
    with Starlock(tmp_path, *words) as demo:
        assert demo.end() == 0, demo.errors
    told = demo.answer
    assert (told["ok"], told["game"], told["players"], told["problems"]) == (True, "rex", 6, [])
    (gone,) = told["killed"]
    assert told["digests"] == [told["digest"]] * 5
    assert len(told["logs"]) == 5
    assert f"peer-{gone['seat']}/" not in " ".join(told["logs"])
    assert 1 in told["ranks"]
