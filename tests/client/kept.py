"""Texts that are kept: what the program says at recorded moments, in files that people read.

`STARLOCK_PICTURES=write` writes them anew; what has changed is looked at in the diff.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

WRITTEN: Final = os.environ.get("STARLOCK_PICTURES") == "write"


def compared(path: Path, text: str) -> None:
    """Compare with what is kept in this file."""
    if WRITTEN:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.exists(), "STARLOCK_PICTURES=write keeps what is new; look at it"
    assert text == path.read_text("utf-8")
