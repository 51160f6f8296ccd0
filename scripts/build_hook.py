# SPDX-License-Identifier: GPL-3.0-or-later
"""Hatchling's build hook: a wheel carries the compiled message catalogues, and the verifier page where it has been made
from these sources."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface):  # type: ignore[type-arg]  # its own parameter is the builder's configuration
    """Compiles the catalogues before the files of the wheel are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        sys.path[:0] = [str(root), str(root / "scripts")]
        from catalogues import compile_all

        compile_all(str(root / "client" / "locale"))
        page = root / "client" / "report" / "verifier" / "verifier.html"
        from client.report.verifier.held import held

        if held() is not None:
            build_data["artifacts"].append(f"/{page.relative_to(root).as_posix()}")
        else:
            self.app.display_warning("no verifier page of these sources: scripts/verifier.py makes it")
