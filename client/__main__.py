# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m client`, and the entry point of the command `starlock`."""

from __future__ import annotations

import gc
import sys

YOUNG = 50_000
"""New objects per collection of cycles. At Python's 700, a tenth of a short command is spent on collections that find
nothing, since modules live for ever. A table sets its own (`client.table.pauses`)."""


def main() -> None:
    """Run the command line and end with its exit code. Requests to end this process (such as SIGTERM) become
    KeyboardInterrupt. All else is loaded here, so that one that comes meanwhile is no error."""
    gc.set_threshold(YOUNG)
    code = 3  # INTERRUPTED of client.system.errors, which is not loaded yet
    try:
        from client.system.platform import ending_as_interrupt

        with ending_as_interrupt():
            from client.commands import cli

            code = cli.main()
    except KeyboardInterrupt:  # before a command has begun, or a second request while it was ending
        pass
    gc.freeze()  # nothing that is left needs to be collected: the process ends
    sys.exit(code)


if __name__ == "__main__":
    main()
