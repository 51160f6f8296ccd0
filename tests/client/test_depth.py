"""The screens have as many colours as the terminal says it shows."""

from __future__ import annotations

import pytest

from client.line.depth import depth_of


@pytest.mark.parametrize(
    ("environ", "colors", "depth"),
    [
        ({}, 256, "DEPTH_8_BIT"),
        ({}, 8, "DEPTH_4_BIT"),
        ({}, 16, "DEPTH_4_BIT"),
        ({}, -1, "DEPTH_1_BIT"),
        ({"COLORTERM": "truecolor"}, 256, "DEPTH_24_BIT"),
        ({"COLORTERM": "truecolor", "NO_COLOR": "1"}, 256, "DEPTH_1_BIT"),
        ({"PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_4_BIT"}, 256, "DEPTH_4_BIT"),
        ({"PROMPT_TOOLKIT_COLOR_DEPTH": "many"}, None, None),
    ],
)
def test_the_depth_is_what_the_person_or_the_terminal_says(
    environ: dict[str, str], colors: int | None, depth: str | None
) -> None:
    found = depth_of(environ, lambda: colors)
    assert (None if found is None else found.name) == depth
