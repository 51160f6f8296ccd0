# SPDX-License-Identifier: GPL-3.0-or-later
"""What each roll is for, by its id in the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import N_

ROLLS: Final[Mapping[str, str]] = {
    "fire": N_("battle dice"),
    "market": N_("market dice"),
    "technologies": N_("technologies"),
    "throne": N_("the Throne"),
    "tiles": N_("tiles drawn"),
    "time-warp": N_("Time Warp"),
}
