# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the table of actions in docs/API.md anew from the deeds; `--check` only says whether it is up to date."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from client.session.deeds import DEEDS  # noqa: E402
from client.session.deeds.deed import Deed  # noqa: E402
from client.session.deeds.requests import fields_of, requestable  # noqa: E402

GUIDE = ROOT / "docs" / "API.md"
HEAD, END = "| action | fields | what it does |\n|---|---|---|\n", "\n\n"


def main() -> int:
    """Update or check the guide; returns the exit code."""
    parser = ArgumentParser(description="Write the table of actions in docs/API.md anew from the deeds.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if it is not up to date")
    check = parser.parse_args().check
    now = GUIDE.read_text("utf-8")
    before, rest = now.split(HEAD, 1)
    made = before + HEAD + "\n".join(rows()) + END + rest.split(END, 1)[1]
    if not check:
        GUIDE.write_text(made, "utf-8")
    elif made != now:
        print("docs/API.md is not up to date, run scripts/api.py")
        return 1
    return 0


def rows() -> Iterator[str]:
    """A row for each action that a program may ask for."""
    for deed in DEEDS.values():
        if not requestable(deed):
            continue
        fields = re.sub(r"(^|; )(\w+)", r"\1`\2`", fields_of(deed))
        yield f"| `{deed.id}` | {fields} | {deed.does}{told(deed)} |"
    yield "| the ids in `pictures` | `words`: text, may be left out | shows that picture of the game |"
    yield "| `past` | `height`: number of a step | answers an earlier position: `height`, `last`, `map`, `told` |"
    yield "| `position` |  | answers `position`, `asked` and `scores` as numbers and names, see below |"
    yield "| `search` | `text` | answers `options`: those with these words or beginnings of them, by index |"
    yield "| `language` | `language`: `en` or `es` | words everything in another language |"
    yield "| `tab` | `name`: id in `pictures`; its fields as text | shows it; answers `html`, the parts of the page |"
    yield "| `form` | `deed`: id of an action; its fields as text | does it, with its fields as they are typed |"
    yield "| `fill` | `field`: `option NAME`; `value`: text | offers the table with that option (in a lobby) |"


def told(deed: Deed) -> str:
    """What a program should know besides: when it can be done, and what is answered."""
    when = " (in a lobby)" if not deed.later else ""
    return when + "; answers `title`, `lines` and `blocks`" * deed.shows


if __name__ == "__main__":
    sys.exit(main())
