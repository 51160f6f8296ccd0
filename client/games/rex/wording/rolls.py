# SPDX-License-Identifier: GPL-3.0-or-later
"""What each roll is for, by its id in the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.system.texts import N_

ROLLS: Final[Mapping[str, str]] = {
    "capture": N_("captured leader"),
    "factions": N_("factions"),
    "first-player": N_("first player"),
    "turncoat-medic": N_("Turncoat Medic"),
}
