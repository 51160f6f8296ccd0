"""Everything a person reads is in the catalogues, in every language."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_catalogues_are_complete_current_and_have_the_same_placeholders() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "texts.py"), "--check"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
