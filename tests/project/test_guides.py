"""The guides for developers speak of files and names that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
