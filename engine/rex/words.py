# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of Rex: every record that an answer may hold registers itself here, ``@record``."""

from __future__ import annotations

from typing import TypeVar, dataclass_transform

from engine.core.values import Vocabulary

__all__ = ["record", "words"]

C = TypeVar("C", bound=type)

words = Vocabulary()


@dataclass_transform(frozen_default=True)
def record(cls: C) -> C:
    """Make a frozen slots dataclass of the class and register it: type checkers know decorators that are functions."""
    return words.record(cls)
