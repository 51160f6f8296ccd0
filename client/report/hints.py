# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page gets beside the log, because the browser does not replay the rules.

What was asked at each height is in the file that `p2p.lockstep.told_file` describes, and the page checks it against
what the members signed. Faults that only the rules show come from this program alone, and the page says so.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

from p2p.lockstep.audit import Audit
from p2p.lockstep.told_file import told_file

BY_RULES: Final = frozenset({"answer/illegal", "entry/other-state", "result/other-points", "result/other-state"})
"""Faults that only the rules can judge."""


def hints(found: Audit) -> dict[str, Any]:
    """Return what the page gets beside the log of a judged game.

    told     the file of what was asked, in base64
    refused  by number of the entry, the code of the fault that only the rules can show
    """
    table = found.table
    if table is None:
        return {"told": "", "refused": {}}
    return {
        "told": b64encode(told_file(table.genesis.table, table.position)).decode(),
        "refused": {str(wrong.entry): wrong.code for wrong in found.problems if wrong.code in BY_RULES},
    }
