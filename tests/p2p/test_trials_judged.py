"""What is demanded of a table at its end, and what a pool of members finds in a body."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p.testing import simulator, trials_hostile
from p2p.testing.pooled import _words


@pytest.mark.parametrize(
    ("lacking", "owing", "sleeps", "crashes", "cuts", "judged"),
    [
        (False, (), 0, 0, 0, "end checked"), (True, (True, True), 1, 0, 0, "may pause"),
        (True, (True, True), 0, 1, 0, "may pause"), (True, (True, True), 0, 0, 1, "may pause"),
        (True, (True, True), 0, 0, 0, "fault"), (True, (True, False), 1, 1, 1, "fault"),
    ],
)  # fmt: skip
def test_a_table_comes_to_its_end_or_pauses_for_a_reason(
    monkeypatch: pytest.MonkeyPatch,
    lacking: bool, owing: tuple[bool, ...], sleeps: int, crashes: int, cuts: int, judged: str,
) -> None:  # fmt: skip
    noted: list[str] = []

    def demand(holds: bool, _what: str) -> None:
        noted.append("may pause" if holds else "fault")

    def made(seed: int, plan: Any, strategies: Any) -> Any:
        peers = [SimpleNamespace(honest=True, lockstep=SimpleNamespace(owing=lambda owes=owes: owes)) for owes in owing]
        peers.append(SimpleNamespace(honest=False, lockstep=SimpleNamespace(owing=lambda: False)))
        return SimpleNamespace(
            run=lambda: noted.append("run"), lacking=lacking, peers=peers, demand=demand,
            check_end=lambda: noted.append("end checked"),
        )  # fmt: skip

    monkeypatch.setattr(simulator, "Simulation", made)
    plan: Any = SimpleNamespace(sleeps=sleeps, crashes=crashes, cuts=cuts)
    simulator.played(1, plan, {})
    assert noted == ["run", judged]


def test_a_pool_tries_each_string_of_32_bytes_in_a_body() -> None:
    one, two, three = (bytes([number]) * 32 for number in (1, 2, 3))
    body: Any = [0, one, b"short", [two, {"a": three, "b": "text"}], one + b"x", None]
    assert list(_words(body)) == [one, two, three]


def test_of_four_one_alone_is_hostile_and_of_more_perhaps_another_one_beside_who_votes_in_two_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two hostile ones of four would leave too few who decide."""
    monkeypatch.setattr(trials_hostile, "played", lambda _seed, plan, _strategies: plan)
    plans: list[Any] = [trials_hostile.doubletalk(seed) for seed in range(200)]
    assert all("Doubletalker" in plan.hostile.values() for plan in plans)
    found = {(len(plan.holdings), len(plan.hostile)) for plan in plans}
    assert found == {(4, 1), (5, 1), (5, 2), (6, 1), (6, 2)}
