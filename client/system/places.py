# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of code, written `module:name`, so that what is not used is not imported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any


@cache
def load(place: str) -> Any:
    """The object at `module:name`."""
    module, name = place.split(":")
    return getattr(import_module(module), name)


def mapping_at(place: str) -> Mapping[str, Any]:
    """The mapping at `module:name`, an empty one for ""."""
    found: Mapping[str, Any] = load(place) if place else {}
    return found
