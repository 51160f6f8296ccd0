"""Stores in a folder of a test, and what they are refused with."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.log.store import Store, StoreError
from p2p.wire.codec import Value

INFO: dict[str, Value] = {"name": "friday", "game": "eclipse2"}


def opened(home: Path, program: str = "1.0") -> Store:
    return Store(home, program)


def refused(home: Path) -> StoreError:
    with pytest.raises(StoreError) as refusal:
        opened(home)
    return refusal.value
