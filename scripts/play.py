# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up once, then run starlock: `play.py demo …` is `starlock demo …`.

Without arguments the home screen opens; where there is no terminal, bots show a game (`demo`).
"""

from __future__ import annotations

import os
import sys

import environment


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments:
        terminal = sys.stdin.isatty() and sys.stdout.isatty()
        arguments = ["home"] if terminal else ["demo", "eclipse2"]
    python = os.path.basename(sys.executable)
    os.environ.setdefault("STARLOCK_COMMAND", f"{python} {sys.argv[0]}")  # the command shown in texts of the program
    environment.run(environment.ready(environment.PLAY), ["-P", "-m", "client", *arguments])


if __name__ == "__main__":
    main()
