# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds libsodium: the copies that are tried, and the functions that one must have.

The wheel `rbcl` contains a copy for common systems; otherwise the system's own (1.0.18 or newer) is used. A copy is
used only if it passes the vectors of RFC 9496 (`group`).

The wheel contains it as the text of a module, which takes longer to read than all else that a short command needs of
this package. So a library file is kept next to our compiled modules. Its name identifies the source and contains a
checksum of the file; a damaged file is ignored. Like the compiled modules there, it is only as safe as its folder.
"""

from __future__ import annotations

import ctypes
import os
import sys
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import cache_from_source, find_spec, module_from_spec
from pathlib import Path
from types import TracebackType
from typing import Final

SYSTEM: Final = ("libsodium.so.26", "libsodium.so.23", "libsodium.so", "libsodium.26.dylib", "libsodium.dylib")

_POINT_FROM: Final = [ctypes.c_char_p, ctypes.c_char_p]
_POINT_FROM_TWO: Final = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p]
PROTOTYPES: Final = {
    "sodium_init": [],
    "crypto_core_ristretto255_is_valid_point": [ctypes.c_char_p],
    "crypto_core_ristretto255_from_hash": _POINT_FROM,
    "crypto_core_ristretto255_add": _POINT_FROM_TWO,
    "crypto_core_ristretto255_sub": _POINT_FROM_TWO,
    "crypto_scalarmult_ristretto255": _POINT_FROM_TWO,
    "crypto_scalarmult_ristretto255_base": _POINT_FROM,
}
"""The functions used. Each returns an int and takes pointers to bytes, the first for the result."""


def candidates() -> Iterator[tuple[str, Callable[[], ctypes.CDLL]]]:
    """Yield names of copies and functions that load them, best first. Loading raises ImportError or OSError."""
    yield "rbcl", bundled
    for name in SYSTEM:
        yield name, lambda name=name: ctypes.CDLL(name)  # type: ignore[misc]
    from ctypes.util import find_library  # loads slowly and is rarely needed

    found = find_library("sodium") or find_library("libsodium")
    if found is not None and found not in SYSTEM:
        yield found, lambda: ctypes.CDLL(found)


def prepare(library: ctypes.CDLL) -> ctypes.CDLL:
    """Set the prototypes of the functions. Raises AttributeError if one is missing."""
    for name, takes in PROTOTYPES.items():
        function = getattr(library, name)
        function.argtypes, function.restype = takes, ctypes.c_int
    if library.sodium_init() < 0:
        raise OSError("libsodium cannot be initialized")
    return library


def bundled() -> ctypes.CDLL:
    """Return the copy in the wheel `rbcl`, kept from the first use on. The wheel itself writes it to the temporary
    directory at each import."""
    carrier = _carrier()
    place = _place(carrier)
    library = None if place is None else kept(place)
    return library or _unpacked(carrier, place)


def _carrier() -> ModuleSpec:
    """Return the module of rbcl that contains the library. Importing the whole package would import its test tools."""
    package = find_spec("rbcl")
    if package is None or not package.submodule_search_locations:
        raise ImportError("the package rbcl is not installed")
    spec = PathFinder.find_spec("rbcl._sodium", list(package.submodule_search_locations))
    if spec is None or spec.loader is None:
        raise ImportError("the package rbcl carries no library")
    return spec


def _place(carrier: ModuleSpec) -> Path | None:
    """Return the path of the kept library without the checksum and suffix of its name, None if the program is not a
    folder of files."""
    carried = Path(carrier.origin or "")
    if not (sys.implementation.cache_tag and carried.is_file()):
        return None
    source, compiled = carried.stat(), Path(cache_from_source(__file__))
    about = f"{carrier.origin}\n{source.st_size}\n{source.st_mtime_ns}"
    return compiled.with_name(f"{compiled.stem}.{blake2b(about.encode(), digest_size=16).hexdigest()}")


def kept(place: Path) -> ctypes.CDLL | None:
    """Return the kept library, None if it is absent or damaged, or may not be loaded from there."""
    for file in place.parent.glob(f"{place.name}.*.lib"):
        with suppress(OSError):
            if file.suffixes[-2] == f".{_sum(file.read_bytes())}":
                return ctypes.CDLL(str(file))
    return None


def _sum(data: bytes) -> str:
    return f"{crc32(data):08x}"  # a hash of some megabytes would take a good part of a short command


def _unpacked(carrier: ModuleSpec, place: Path | None) -> ctypes.CDLL:
    """The library of a carrier that is imported, and kept for the next time."""
    module = module_from_spec(carrier)
    assert carrier.loader is not None
    try:
        carrier.loader.exec_module(module)
    except OSError as error:
        left = written_in(error.__traceback__)
        if left is not None:
            left.unlink(missing_ok=True)
        raise
    file = Path(module.lib_path)
    if place is not None and not sys.dont_write_bytecode:
        keep(place, file.read_bytes())
    tidy(file)
    library: ctypes.CDLL = module._sodium
    return library


def keep(place: Path, data: bytes) -> None:
    """Keep a library, and none that was kept before; nothing where the folder is not ours to write."""
    new = place.with_name(f"{place.name}.{os.getpid()}")
    with suppress(OSError):
        place.parent.mkdir(exist_ok=True)
        for old in place.parent.glob(f"{place.stem}.*.lib"):
            old.unlink(missing_ok=True)
        try:
            new.write_bytes(data)
            new.replace(place.with_name(f"{place.name}.{_sum(data)}.lib"))
        finally:
            new.unlink(missing_ok=True)


def written_in(trace: TracebackType | None) -> Path | None:
    """Return the file that rbcl wrote before its import failed, for instance because libraries may not be loaded from
    there."""
    while trace is not None:
        if "lib_path" in trace.tb_frame.f_globals:
            return Path(trace.tb_frame.f_globals["lib_path"])
        trace = trace.tb_next
    return None


def tidy(file: Path) -> None:
    """Remove the loaded file. On Windows, where that is impossible, remove the files of earlier runs."""
    try:
        file.unlink(missing_ok=True)
    except PermissionError:
        size = file.stat().st_size
        for other in file.parent.glob(f"tmp*{file.suffix}"):
            try:
                if other != file and other.stat().st_size == size and other.read_bytes() == file.read_bytes():
                    other.unlink(missing_ok=True)
            except OSError:
                continue  # another process of ours still uses it
