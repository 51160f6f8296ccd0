# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference of Galactic Emperor.

articles  all entries
figures   an article for each number, with its confidence
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["BEHIND"]

BEHIND: Final[Mapping[str, str]] = {
    "explorer": "explorer",
    "merchant": "merchant",
    "steward": "steward",
    "engineer": "engineer",
    "warlord": "warlord",
    "regent": "regent",
    "scientist": "scientist",
    "role": "course",
    "technology": "once-a-role",
}
"""Code of a refusal, or its first part → word of the article behind it."""
