# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that installs an extra of this project into the environment in use.

It names the folder or address from which this copy came, never the project's name alone: on an index of packages
anybody could have taken that.
"""

from __future__ import annotations

import json
import shlex
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import client

NAME = "starlock"


def extra_command(extra: str) -> str:
    """The command, as a person types it in a shell."""
    return f"{_quoted(sys.executable)} -m pip install {_quoted(f'{NAME}[{extra}] @ {origin()}')}"


def origin() -> str:
    """The URL from which this copy was installed (PEP 610), or that of the folder in which it lies."""
    with suppress(PackageNotFoundError, ValueError, KeyError, TypeError, OSError):
        told = json.loads(distribution(NAME).read_text("direct_url.json") or "")
        vcs = told.get("vcs_info")
        return f"{vcs['vcs']}+{told['url']}@{vcs['commit_id']}" if vcs else str(told["url"])
    return Path(client.__file__).resolve().parents[1].as_uri()


def _quoted(word: str) -> str:
    if sys.platform == "win32":
        return f'"{word}"'
    return shlex.quote(word)
