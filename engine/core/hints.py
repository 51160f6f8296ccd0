"""What the annotations of a class stand for."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["hints_of"]


def hints_of(cls: type) -> dict[str, Any]:
    """The types of a class's annotated names, inherited ones first; NameError where one is not known in its module.

    One compilation for each class, where ``typing.get_type_hints`` needs one for each name.
    """
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        texts = getattr(base, "__annotations__", {})
        known = vars(sys.modules[base.__module__])
        source = ", ".join(text for text in texts.values() if isinstance(text, str))
        types = iter(eval(f"[{source}]", known, dict(vars(base))))  # noqa: S307 - our own annotations
        found.update({name: next(types) if isinstance(text, str) else text for name, text in texts.items()})
    return found
