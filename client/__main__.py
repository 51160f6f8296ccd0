# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m client`, and the entry point of the command `starlock`."""

from __future__ import annotations

import sys

from client import cli
from client.errors import INTERRUPTED
from client.platform import ending_as_interrupt


def main() -> None:
    """Run the command line and end with its exit code. Requests to end this process (such as SIGTERM) become
    KeyboardInterrupt."""
    with ending_as_interrupt():
        try:
            code = cli.main()
        except KeyboardInterrupt:  # a second request while it was ending
            code = INTERRUPTED
    sys.exit(code)


if __name__ == "__main__":
    main()
