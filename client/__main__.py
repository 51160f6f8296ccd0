# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m client`, and the entry point of the command `starlock`."""

from __future__ import annotations

import gc
import sys
from typing import Final

from client.commands import cli
from client.system.errors import INTERRUPTED
from client.system.platform import ending_as_interrupt

YOUNG: Final = 50_000
"""New objects per collection of cycles. At Python's 700, a tenth of a short command is spent on collections that find
nothing, since modules live for ever. A table sets its own (`client.table.pauses`)."""


def main() -> None:
    """Run the command line and end with its exit code. Requests to end this process (such as SIGTERM) become
    KeyboardInterrupt."""
    gc.set_threshold(YOUNG)
    with ending_as_interrupt():
        try:
            code = cli.main()
        except KeyboardInterrupt:  # a second request while it was ending
            code = INTERRUPTED
    gc.freeze()  # nothing that is left needs to be collected: the process ends
    sys.exit(code)


if __name__ == "__main__":
    main()
