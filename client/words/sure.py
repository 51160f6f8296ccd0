# SPDX-License-Identifier: GPL-3.0-or-later
"""The confidence of the values in a game's content, in words."""

from __future__ import annotations

from typing import Final

from client.system.texts import N_

SURE: Final = {
    "agreed": N_("two sources or more agree"),
    "single": N_("one source"),
    "reconstructed": N_("reconstructed for this program"),
    "own": N_("this table's own"),
}
"""The texts for each level of confidence."""
