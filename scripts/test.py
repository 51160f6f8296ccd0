"""Set up once, then run the tests: all of them on all cores, or what the arguments (they are pytest's) name."""

from __future__ import annotations

import os
import sys

import environment


def main() -> None:
    python = environment.ready(environment.TEST)
    os.chdir(environment.ROOT)
    # The many processes that tests start compile the program once, and nothing lands beside the sources.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = os.path.join(environment.ROOT, ".venv", "cache", "pycache")
    workers = min(2 * (os.cpu_count() or 1), 8)  # half of the time tests wait for processes, links and clocks
    arguments = sys.argv[1:] or ["-q", "-n", str(workers), "--dist", "load", "--maxschedchunk", "2"]
    environment.run(python, ["-m", "pytest", *arguments])


if __name__ == "__main__":
    main()
