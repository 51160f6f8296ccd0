"""At which port others dial a process from outside."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p.reach.opened import Reach

MAPPED, UNMAPPED = (SimpleNamespace(mapped=found) for found in (SimpleNamespace(port=4711), None))


@pytest.mark.parametrize(
    ("port_map", "public", "port"),
    [
        (MAPPED, (), 4711), (MAPPED, ("tcp://a.example:80",), 4711), (UNMAPPED, ("tcp://a.example:80",), 80),
        (None, ("tcp://[2001:db8::1]:81", "tcp://a.example:80"), 81), (UNMAPPED, (), 4000), (None, (), 4000),
    ],
)  # fmt: skip
def test_it_is_the_port_that_the_router_forwards_else_the_one_that_was_given_else_its_own(
    port_map: Any, public: tuple[str, ...], port: int
) -> None:
    reach: Any = SimpleNamespace(port_map=port_map, public=public, listener=SimpleNamespace(port=4000))
    assert Reach.outer_port(reach) == port
