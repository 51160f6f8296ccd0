"""The page's own scripts, checked under node: what a click sends, what a state shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[4] / "client" / "fronts" / "web" / "static"
CHECKS = Path(__file__).parents[2] / "page_checks.mjs"
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed here")
def test_the_scripts_of_the_page_do_what_their_checks_say(tmp_path: Path) -> None:
    for script in STATIC.glob("*.js"):
        shutil.copy(script, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', "ascii")
    done = subprocess.run(["node", CHECKS, tmp_path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == re.findall(r'^  async "(.*)"\(\)', CHECKS.read_text("utf-8"), re.MULTILINE)
