# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of starlock as anybody uses them: what they write, and nothing of how."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from client.__main__ import main


def starlock(*words: str) -> tuple[int, str]:
    """The exit code of a command and what it writes to its output."""
    out = io.StringIO()
    code: Any = 0
    silent = contextlib.redirect_stderr(io.StringIO())
    with mock.patch.object(sys, "argv", ["starlock", *words]), contextlib.redirect_stdout(out), silent:
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    return int(code or 0), out.getvalue()


def verify(star: Path) -> dict[str, Any]:
    """The answer of `starlock verify` for programs."""
    found: dict[str, Any] = json.loads(starlock("verify", str(star), "--json")[1])
    return found


def evidence(star: Path, folder: Path) -> list[bytes]:
    """The files by which `starlock verify --evidence` proves each fault of a saved game."""
    starlock("verify", str(star), "--json", "--evidence", str(folder))
    return [file.read_bytes() for file in sorted(folder.glob("*"))]


def told(star: Path, into: Path) -> bytes | None:
    """What `starlock export --told` says was asked in a saved game, or None if it does not write it."""
    into.unlink(missing_ok=True)
    starlock("export", "--told", str(into), str(star))
    return into.read_bytes() if into.exists() else None
