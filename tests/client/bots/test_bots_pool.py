"""Games that several processes play at once."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

KILLED = """
import os, signal
from client.bots.one_game import GameTask
from client.bots.pool import played

if __name__ == "__main__":
    tasks = ((number, GameTask("emperor", ("random",) * 3, str(number), {})) for number in range(1000))
    games = played(tasks, 2)
    next(games)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no process is killed by a signal there")
def test_no_worker_outlives_who_has_been_killed() -> None:
    """The workers hold its output too, so that this is read to its end only once they are gone."""
    done = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
