"""`python -m client`, and the entry point of the command `starlock`."""

from __future__ import annotations

import sys

from client import cli
from client.errors import INTERRUPTED
from client.platform import ending_as_interrupt


def main() -> None:
    """Run the command line and end with its exit code.  This process is ours: what asks it to end interrupts it."""
    with ending_as_interrupt():
        try:
            code = cli.main()
        except KeyboardInterrupt:  # asked again while it was ending
            code = INTERRUPTED
    sys.exit(code)


if __name__ == "__main__":
    main()
