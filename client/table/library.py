# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks for libsodium, which sealed cards and locked dice need."""

from __future__ import annotations

from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.randomness import LOCKED_FROM
from p2p.wire.codec import Value
from seeds import group


def lacking_library(draws: Value, members: int) -> TableRefusal | None:
    """Why a table with this number of members cannot be played or judged here: `group/no-library` {the library looked
    for}."""
    if draws != "sealed" and members < LOCKED_FROM:
        return None
    try:
        group.start()
    except group.NoGroupError as error:
        return TableRefusal(error.code, "", (error.looked,))
    return None
