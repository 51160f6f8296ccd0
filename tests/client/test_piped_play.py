"""Where there is no terminal, a person plays by lines from a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_lines_from_a_pipe_are_read_as_questions_come_and_their_end_leaves_the_table(tmp_path: Path) -> None:
    env = {**os.environ, "STARLOCK_HOME": str(tmp_path), "STARLOCK_COMMAND": "python3 scripts/play.py"}
    words = ("play", "eclipse2", "--players", "2", "--bots", "random", "--name", "Anna", "--lang", "en")
    ended = subprocess.run(
        [sys.executable, "-m", "client", *words],
        input="eridani\n\nmap",
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert ended.returncode == 3, ended.stderr
    assert "Anna> eridani\n" in ended.stdout
    assert "Anna plays Eridani Empire." in ended.stdout
    assert "Anna> map\n" in ended.stdout
    assert "Go on with: python3 scripts/play.py resume eclipse2-" in ended.stdout
