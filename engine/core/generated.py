# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles source that is made from the fields of a class: the functions of sections, and annotations.

The engine writes no files. A program may set :attr:`Compiler.code` to keep code between starts, as the client does;
otherwise every start compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

__all__ = ["Compiler", "code_of", "compiler"]


def code_of(source: str, name: str, mode: str) -> CodeType:
    """Return the code of a source. ``name``: its file in tracebacks; ``mode``: "exec" or "eval"."""
    return compile(source, name, mode, dont_inherit=True)


class Compiler:
    """The compiler in use. code: returns the code of a source, by the arguments of :func:`code_of`."""

    def __init__(self) -> None:
        self.code: Callable[[str, str, str], CodeType] = code_of


compiler = Compiler()
