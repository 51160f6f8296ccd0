"""Nothing stands twice: what two places need is one function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sources import PACKAGES, ROOT, modules

RUN: Final = 8
"""So many equal lines make a twin."""
WORDS: Final = 20
"""Letters that a line of a twin has at least, in the mean: brackets and names in columns are no code."""


def code(text: str) -> Iterator[str]:
    """The lines of a module without blanks, comments and imports."""
    imports = False
    for each in map(str.strip, text.splitlines()):
        imports = imports or each.startswith(("from ", "import "))
        if each and not imports and not each.startswith("#"):
            yield each
        imports = imports and each.endswith(("(", ",")) and not each.endswith(")")


def twins(texts: dict[str, str]) -> list[list[str]]:
    """The modules of each run of lines that stands in several places."""
    found = defaultdict[tuple[str, ...], list[str]](list)
    for name, text in texts.items():
        lines = [*code(text)]
        for run in zip(*(lines[at:] for at in range(RUN)), strict=False):
            found[run].append(name)
    return [names for run, names in found.items() if len(names) > 1 and sum(map(len, run)) >= RUN * WORDS]


def read(path: Path) -> str:
    return path.read_text("utf-8")


def test_no_run_of_lines_stands_twice() -> None:
    assert twins({path.relative_to(ROOT).as_posix(): read(path) for path in modules(*PACKAGES)}) == []


def test_a_twin_is_found_and_imports_are_none() -> None:
    run = "\n".join(f"    found.append(something_{number})" for number in range(RUN))
    assert twins({"a": run, "b": f"import other\n\n{run}\n", "c": "pass"}) == [["a", "b"]]
    assert (
        twins(
            {
                name: "from somewhere import (\n"
                + "\n".join(f"    a_long_name_of_a_thing_{number}," for number in range(20))
                + "\n)\n"
                for name in "ab"
            }
        )
        == []
    )
