"""The way to libsodium: where a copy is looked for, and what it must be able to do.

The wheel `rbcl` carries one for the common systems; where it does not, the system's own (1.0.18 or newer) serves as
well. A copy is taken only if it passes the vectors of RFC 9496 (`group`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType, TracebackType
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
"""The functions used: each returns an int and takes pointers to bytes, the result's first."""


def candidates() -> Iterator[tuple[str, Callable[[], ctypes.CDLL]]]:
    """Names of copies and how to load them, best first. Loading raises ImportError or OSError."""
    yield "rbcl", bundled
    for name in SYSTEM:
        yield name, lambda name=name: ctypes.CDLL(name)  # type: ignore[misc]
    from ctypes.util import find_library  # loads slowly, and hardly anybody comes here

    found = find_library("sodium") or find_library("libsodium")
    if found is not None and found not in SYSTEM:
        yield found, lambda: ctypes.CDLL(found)


def prepare(library: ctypes.CDLL) -> ctypes.CDLL:
    """Give the functions their prototypes. Raises AttributeError where one is missing."""
    for name, takes in PROTOTYPES.items():
        function = getattr(library, name)
        function.argtypes, function.restype = takes, ctypes.c_int
    if library.sodium_init() < 0:
        raise OSError("libsodium cannot be initialized")
    return library


def bundled() -> ctypes.CDLL:
    """The copy in the wheel `rbcl`, which writes it to the temporary directory at import and leaves it there."""
    try:
        module = _carrier()
    except OSError as error:
        left = written_in(error.__traceback__)
        if left is not None:
            left.unlink(missing_ok=True)
        raise
    library: ctypes.CDLL = module._sodium
    tidy(Path(module.lib_path))
    return library


def _carrier() -> ModuleType:
    """The module of rbcl that carries the library, alone: the package would import the tools of its own tests."""
    package = find_spec("rbcl")
    if package is None or not package.submodule_search_locations:
        raise ImportError("the package rbcl is not installed")
    spec = PathFinder.find_spec("rbcl._sodium", list(package.submodule_search_locations))
    if spec is None or spec.loader is None:
        raise ImportError("the package rbcl carries no library")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def written_in(trace: TracebackType | None) -> Path | None:
    """The file that rbcl wrote before its import failed, for instance where programs may not run from there."""
    while trace is not None:
        if "lib_path" in trace.tb_frame.f_globals:
            return Path(trace.tb_frame.f_globals["lib_path"])
        trace = trace.tb_next
    return None


def tidy(file: Path) -> None:
    """Remove the loaded file. Where the system keeps a loaded one (Windows), remove what earlier starts left."""
    try:
        file.unlink(missing_ok=True)
    except PermissionError:
        size = file.stat().st_size
        for other in file.parent.glob(f"tmp*{file.suffix}"):
            try:
                if other != file and other.stat().st_size == size and other.read_bytes() == file.read_bytes():
                    other.unlink(missing_ok=True)
            except OSError:
                continue  # another program of ours still runs with it
