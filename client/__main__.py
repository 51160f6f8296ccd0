"""`python -m client`, and the entry point of the command `starlock`."""

from __future__ import annotations

import sys

from client import cli


def main() -> None:
    """Run the command line and end with its exit code."""
    sys.exit(cli.main())


if __name__ == "__main__":
    main()
