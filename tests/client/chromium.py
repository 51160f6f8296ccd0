"""A real Chromium for tests, and axe-core, which looks for what keeps people out of a page."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bench.chromium import BROWSER, MISSING, Chromium

__all__ = ["AXE", "BROWSER", "MISSING", "NO_AXE", "Chromium"]

AXE: Final = Path(__file__).parents[2] / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE: Final = "the package of tests/axe is not installed in .venv/axe (.ci/run does it)"
