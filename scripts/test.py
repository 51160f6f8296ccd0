# SPDX-License-Identifier: GPL-3.0-or-later
"""Set up once, then run the tests: all of them on all cores, or those selected by the arguments, which are pytest's."""

from __future__ import annotations

import os
import sys

import environment


def main() -> None:
    python = environment.ready(environment.TEST)
    os.chdir(environment.ROOT)
    # The processes that tests start share compiled modules, and nothing is written next to the sources.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(environment.ROOT, ".venv", "cache", "pycache")
    if not sys.argv[1:]:
        _compile_tests(python)
    workers = min(3 * (os.cpu_count() or 1), 8)  # those that come first wait for processes, links and clocks
    arguments = sys.argv[1:] or ["-q", "-n", str(workers), "--dist", "loadscope"]
    environment.run(python, ["-m", "pytest", *arguments])


def _compile_tests(python: str) -> None:
    """Let pytest compile all tests once before the workers start; otherwise each worker compiles them."""
    import subprocess

    folders = sorted(entry.path for entry in os.scandir("tests") if entry.is_dir() and entry.name != "client")
    command = [python, "-m", "pytest", "--collect-only", "-q"]
    halves = [subprocess.Popen([*command, *part], stdout=subprocess.DEVNULL) for part in (["tests/client"], folders)]
    for half in halves:
        half.wait()  # errors in a test are reported when it runs


if __name__ == "__main__":
    main()
