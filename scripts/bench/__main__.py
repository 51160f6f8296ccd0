# SPDX-License-Identifier: GPL-3.0-or-later
"""`.venv/bin/python scripts/bench`: see the package."""

import sys
from pathlib import Path

sys.path[:1] = [str(folder) for folder in Path(__file__).resolve().parents[1:3]]  # instead of this folder

from bench.chapters import main  # noqa: E402

sys.exit(main())
