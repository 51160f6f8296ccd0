# SPDX-License-Identifier: GPL-3.0-or-later
"""Hatchling's build hook: a wheel carries the compiled message catalogues."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]  # its own parameter is the builder's configuration
    """Compiles the catalogues before the files of the wheel are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        from catalogues import compile_all

        compile_all(str(Path(self.root) / "client" / "locale"))
