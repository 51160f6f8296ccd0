# SPDX-License-Identifier: GPL-3.0-or-later
"""Resolves the annotations of a class."""

from __future__ import annotations

import sys
from typing import Any

from engine.core.generated import compiler

__all__ = ["hints_of"]


def hints_of(cls: type) -> dict[str, Any]:
    """Return the types of a class's annotated names, inherited ones first. Raises NameError for an unknown name.

    It compiles once for each class, ``typing.get_type_hints`` once for each name.
    """
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        texts = getattr(base, "__annotations__", {})
        known = vars(sys.modules[base.__module__])
        source = ", ".join(text for text in texts.values() if isinstance(text, str))
        code = compiler.code(f"[{source}]", f"<annotations {base.__module__}.{base.__qualname__}>", "eval")
        types = iter(eval(code, known, dict(vars(base))))  # noqa: S307 - our own annotations
        found.update({name: next(types) if isinstance(text, str) else text for name, text in texts.items()})
    return found
