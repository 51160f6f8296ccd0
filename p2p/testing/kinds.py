# SPDX-License-Identifier: GPL-3.0-or-later
"""The hostile members that are seated in twos at tables of five, by name."""

from __future__ import annotations

from typing import Final

from p2p.testing.drifters import Repairer
from p2p.testing.hostile import STRATEGIES, Hostile
from p2p.testing.hostile_draws import CHEATS
from p2p.testing.hostile_silence import SILENCES
from p2p.testing.hostile_voters import VOTERS

KINDS: Final[dict[str, type[Hostile]]] = {**STRATEGIES, **SILENCES, **CHEATS, **VOTERS, "Repairer": Repairer}
