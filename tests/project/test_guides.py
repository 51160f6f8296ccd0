"""The guides for developers speak of files and names that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2p.testing.trials import TRIALS

ROOT = Path(__file__).parents[2]
GUIDES = (
    "docs/ARCHITECTURE.md",
    "docs/PROTOCOL.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/RELIABILITY.md",
    "docs/API.md",
)


@pytest.mark.parametrize("guide", GUIDES)
def test_a_guide_names_files_that_exist(guide: str) -> None:
    text = (ROOT / guide).read_text("utf-8")
    named = set(re.findall(r"`((?:engine|seeds|p2p|client|tests|scripts)/[\w/.*-]+)`", text))
    assert named
    assert [name for name in sorted(named) if not list(ROOT.glob(name.rstrip("/")))] == []


def test_the_guide_tells_of_every_kind_of_simulated_table() -> None:
    text = (ROOT / "docs/RELIABILITY.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[\w`, -]+`) \|", text.partition("## Simulated tables")[2], re.MULTILINE)
    assert sorted(name for row in rows for name in re.findall(r"`([\w-]+)`", row)) == sorted(TRIALS)
    assert f"There are {len(TRIALS)} kinds." in text
