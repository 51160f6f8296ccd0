"""The second transcription of the content files, for tests that play with its figures."""

from __future__ import annotations

from pathlib import Path

__all__ = ["Figures", "single_figures", "transcribed"]

FILE = Path(__file__).parent / "engine" / "content_figures.txt"
Figures = dict[str, tuple[int, ...]]
"""The figures of a row by name."""


def lines(name: str) -> list[str]:
    """The lines of a content file, named as in the transcription."""
    return FILE.read_text("utf-8").split(f"# {name}\n")[1].split("\n\n")[0].splitlines()


def figures(text: str) -> Figures:
    """The figures of names and values in turn."""
    words = text.split()
    return {name: tuple(map(int, value.split(","))) for name, value in zip(words[::2], words[1::2], strict=True)}


def transcribed(name: str) -> list[tuple[str, Figures]]:
    """The rows of a content file in its order: what each is called, and its figures."""
    rows = [line.partition(": ") for line in lines(name) if ": " in line]
    return [(called, figures(rest)) for called, _, rest in rows]


def single_figures(name: str) -> Figures:
    """The figures of a content file that stand in no row."""
    return figures(" ".join(line for line in lines(name) if ": " not in line))
