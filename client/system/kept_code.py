# SPDX-License-Identifier: GPL-3.0-or-later
"""Caches the code of functions that the engine generates, in one file next to the compiled modules.

Python keeps the code of a module, not that of a source made at run time, and compiling these sources again takes longer
than the rest of a start that needs them. The file holds the code by source and a hash of itself with the versions of
this program and of Python. A file that does not match or cannot be read is ignored, and replaced when the process ends.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from contextlib import suppress
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType
from typing import Final

from client import __version__
from engine.core.generated import code_of, compiler

MOST: Final = 1000
"""Sources in the file; one that has more is begun anew, for it holds those of earlier versions of our classes."""
HASH_BYTES: Final = 16

Known = dict[tuple[str, str, str], CodeType]
"""By source, name and mode."""


def keep_generated_code() -> None:
    """Let the engine use cached code from now on."""
    compiler.code = KeptCode(_place()).code


class KeptCode:
    """The code of one file. place: the file; None to keep nothing."""

    def __init__(self, place: Path | None) -> None:
        self._place = place
        self._known: Known | None = None
        self._is_new = False

    def code(self, source: str, name: str, mode: str) -> CodeType:
        """The code of a source, from the file or compiled (`engine.core.generated`)."""
        if self._known is None:
            self._known = _read(self._place)
        found = self._known.get((source, name, mode))
        if found is None:
            found = self._known[source, name, mode] = code_of(source, name, mode)
            if not self._is_new:
                self._is_new = True
                atexit.register(self.write)
        return found

    def write(self) -> None:
        """Write the file if any source was compiled."""
        if self._is_new and self._place is not None and self._known is not None and not sys.dont_write_bytecode:
            _write(self._place, self._known)


def _place() -> Path | None:
    """The file; None if the program is not installed as plain files."""
    if not Path(__file__).is_file() or sys.implementation.cache_tag is None:
        return None
    return Path(cache_from_source(__file__)).with_suffix(".code")


def _read(place: Path | None) -> Known:
    try:
        data = b"" if place is None else place.read_bytes()
    except OSError:
        return {}
    named, data = data[:HASH_BYTES], data[HASH_BYTES:]
    if named != _hash(data):
        return {}
    known: Known = marshal.loads(data)  # noqa: S302 - our own bytes: the hash holds
    return known if len(known) <= MOST else {}


def _write(place: Path, known: Known) -> None:
    new = place.with_suffix(f".{os.getpid()}")
    data = marshal.dumps(known)
    try:
        place.parent.mkdir(exist_ok=True)
        new.write_bytes(_hash(data) + data)
        new.replace(place)
    except OSError:  # a read-only folder: the next start compiles again
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _hash(data: bytes) -> bytes:
    return blake2b(MAGIC_NUMBER + data, digest_size=HASH_BYTES, key=f"starlock {__version__}".encode()).digest()
