"""The screens have as many colours as the terminal says it shows."""

from __future__ import annotations

import pytest

from client.commands.cli import COLORS
from client.fronts.kit import style
from client.fronts.kit.style import WISHES, color_depth, told_apart, wish

ENVIRON = ("NO_COLOR", "PROMPT_TOOLKIT_COLOR_DEPTH", "COLORTERM")


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
    environ: dict[str, str], colors: int | None, depth: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ENVIRON:
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(style, "colors", lambda: colors)
    found = color_depth()
    assert (None if found is None else found.name) == depth


@pytest.mark.parametrize("name", WISHES)
def test_the_option_outweighs_the_environment(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PROMPT_TOOLKIT_COLOR_DEPTH", "DEPTH_8_BIT")
    wish(name)
    monkeypatch.setattr(style, "colors", lambda: 8)
    found = color_depth()
    assert found is not None
    assert found.name == WISHES[name]


def test_no_two_seats_have_the_same_of_16_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPT_TOOLKIT_COLOR_DEPTH", "DEPTH_4_BIT")
    monkeypatch.delenv("NO_COLOR", raising=False)
    seats = {color for style, color in told_apart().items() if style.startswith("seat-")}
    assert len(seats) == 6
    assert all(color.startswith("ansi") for color in seats)


def test_every_wish_of_the_command_line_is_known() -> None:
    assert tuple(WISHES) == COLORS
