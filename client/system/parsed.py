# SPDX-License-Identifier: GPL-3.0-or-later
"""Caches the parsed content files of the games as JSON, next to the compiled modules.

Parsing TOML takes longer than the rest of a short command. A cache file holds hashes of its source and of itself, and
the version of the program. If one does not match or cannot be read, the TOML file is parsed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from importlib.util import cache_from_source
from pathlib import Path

from client import __version__
from engine.core.parsed import Tables, parsed


def keep_parsed_content() -> None:
    """Let the engine use cached content from now on."""
    parsed.keep = kept_or_parsed


def kept_or_parsed(package: str, name: str, source: bytes, parse: Callable[[], Tables]) -> Tables:
    """The tables of a content file, from the cache or else by `parse`, which are then cached."""
    place = _place(package, name)
    if place is None:
        return parse()
    found = _read(place, source)
    if found is None:
        found = parse()
        if not sys.dont_write_bytecode:
            _write(place, source, found)
    return found


def _place(package: str, name: str) -> Path | None:
    """The cache file of a content file; None if the program is not installed as plain files."""
    found = getattr(sys.modules.get(package), "__file__", None)
    folder = Path(found).parent if found else None
    if folder is None or not folder.is_dir() or sys.implementation.cache_tag is None:
        return None
    return Path(cache_from_source(str(folder / name))).with_suffix(".json")


def _read(place: Path, source: bytes) -> Tables | None:
    try:
        of_source, of_text, text = place.read_bytes().split(b"\n", 2)
        if of_source != _name(source) or of_text != _name(text):
            return None
        found: Tables = json.loads(text)
    except (OSError, ValueError, RecursionError):
        return None
    return found


def _write(place: Path, source: bytes, tables: Tables) -> None:
    new = place.with_suffix(f".{os.getpid()}")
    try:
        text = json.dumps(tables, separators=(",", ":")).encode()
        place.parent.mkdir(exist_ok=True)
        new.write_bytes(b"\n".join((_name(source), _name(text), text)))
        new.replace(place)
    except (OSError, TypeError):  # a read-only folder, or no content: the next start parses again
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _name(data: bytes) -> bytes:
    return blake2b(data, digest_size=16, key=f"starlock {__version__}".encode()).hexdigest().encode()
