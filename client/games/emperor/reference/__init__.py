"""The rules of Galactic Emperor in our own words.

articles  all entries
figures   every number by itself, with how sure it is
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
"""Code of a refusal, or its first part → word of the entry of the reference that it rests on."""
