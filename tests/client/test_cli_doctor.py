"""`starlock doctor` says of each step whether it works, why not, and what to try."""

from __future__ import annotations

from pathlib import Path

import pytest
from peers import Starlock, host, ticket

from client.commands.doctor import MAPS
from p2p.reach.ticket import parse_ticket

pytestmark = pytest.mark.slow


def test_each_step_is_told_and_a_ticket_of_somebody_here_leads_to_them(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
        with Starlock(tmp_path / "bob", "doctor", line, "--json") as doctor:
            code = doctor.end()
            steps = doctor.answer["steps"]
            assert [each["step"] for each in steps[:4]] == ["interfaces", "listen", "announce", "map"]
            assert len(steps) == 4 + len(parse_ticket(line).candidates)
            assert all(each["ok"] for each in steps[4:])
            assert (code == 0) == doctor.answer["ok"] == all(each["ok"] for each in steps)
            assert all(each["hint"] for each in steps if not each["ok"])


def test_a_ticket_of_nobody_fails_with_the_cause_of_each_address(tmp_path: Path) -> None:
    with host(tmp_path / "ann") as ann:
        line = ticket(ann)
    with Starlock(tmp_path / "bob", "doctor", line, "--json") as doctor:
        assert doctor.end() == 1
        last = doctor.answer["steps"][-1]
        assert (last["step"], last["ok"]) == ("candidate", False)
        assert parse_ticket(line).candidates[-1] in last["found"]


def test_every_cause_without_a_map_has_something_to_try() -> None:
    assert all(cause and hint for cause, hint in MAPS.values())
