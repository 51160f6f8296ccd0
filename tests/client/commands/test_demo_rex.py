"""Peers play Rex on this machine with sealed cards, one of them is killed for good, and a log left behind is judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from peers import Starlock

pytestmark = pytest.mark.soak


@pytest.mark.soak
@pytest.mark.parametrize("peers", [3, 6])
def test_peers_of_rex_with_sealed_cards_end_alike_though_one_is_killed(tmp_path: Path, peers: int) -> None:
    words = ("demo", "rex", "--players", str(peers), "--draws", "sealed", "--kill", "1", "--seed", "6", "--json")
    with Starlock(tmp_path / "demo", *words) as demo:
        assert demo.end() == 0, demo.errors
    told = demo.answer
    assert (told["ok"], told["game"], told["players"], told["draws"]) == (True, "rex", peers, "sealed")
    assert told["problems"] == []
    (gone,) = told["killed"]
    assert told["digests"] == [told["digest"]] * (peers - 1)
    assert len(told["logs"]) == peers - 1
    assert f"peer-{gone['seat']}/" not in " ".join(told["logs"])
    assert 1 in told["ranks"]
    with Starlock(tmp_path / "verify", "verify", told["logs"][-1], "--json") as verify:
        assert verify.end() == 0, verify.errors
    judged = verify.answer
    assert (judged["ok"], judged["complete"], judged["problems"]) == (True, True, [])
    assert (judged["game"], judged["digest"], judged["ending"]) == ("rex", told["digest"], "played")
    assert {"cards-proven", "same-states", "result"} <= set(judged["proves"])
    assert [pact["kind"] for pact in judged["pacts"]] == ["absent", "gone"]
    cards = judged["cards"]
    assert cards["sealed"] is True
    assert cards["shuffles"] >= 4
    assert cards["deals"] >= 4
    assert cards["seals"] >= 2
    assert cards["anew"]
    assert cards["checked"]["shuffle"] > cards["shuffles"]
