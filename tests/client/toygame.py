"""The small game of the engine's tests, for tests of the client."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from engine.core.registry import GameSpec


def toy() -> GameSpec:
    """The small game that waits in all eight ways."""
    if "toy" not in sys.modules:
        path = Path(__file__).parents[1] / "engine" / "toy.py"
        found = importlib.util.spec_from_file_location("toy", path)
        assert found is not None
        assert found.loader is not None
        module = importlib.util.module_from_spec(found)
        sys.modules["toy"] = module
        found.loader.exec_module(module)
    spec: GameSpec = sys.modules["toy"].TOY
    return spec
