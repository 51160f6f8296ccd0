# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants that rules look up in the content of a game: columns and other values, by name."""

from __future__ import annotations

from typing import Any, dataclass_transform

__all__ = ["Figures"]


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=False)
class Figures:
    """Base of classes of constants, with annotated fields passed by keyword. Nothing is compiled for them."""

    def __init__(self, **given: Any) -> None:
        wanted = {name for cls in type(self).__mro__[:-1] for name in cls.__annotations__}
        if wanted != given.keys():
            wrong = ", ".join(sorted(wanted ^ given.keys()))
            raise TypeError(f"{type(self).__name__} misses or does not know: {wrong}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is constant")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is constant")
