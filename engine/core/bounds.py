"""How much a text of a stranger may hold before anybody reads it: levels of tables and lists, length of a word.

Readers of TOML and JSON and whatever walks what they give descend level by level; some of them take time that grows
with the square of a key's parts, and refuse numbers of thousands of digits in ways of their own.  One pass over the
signs of the text rules all of that out.  It serves both notations: where JSON differs from TOML its reader stops at
the first sign that is not its own, before anything could nest.
"""

from __future__ import annotations

import re
from typing import Final

from engine.core.content import fault

__all__ = ["MAX_DEPTH", "MAX_WORD", "bounded"]

MAX_DEPTH: Final = 16
"""Levels of tables and lists; each part of a dotted key is one, and a table's name counts by itself."""
MAX_WORD: Final = 400
"""Characters of a key, a number or a text as it is written: 32 letters may all be escaped."""

SIGN: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'''  # texts of many lines; one that does not end takes all that follows
    r"""|'''.*?(?:'{3,5}|\Z)"""
    r"""|"(?:\\[^\n]|[^"\\\n])*"?|'[^'\n]*'?"""
    r"""|(?P<comment>\#[^\n]*)|[^\s"'#\[\]{}=,.]+|[\[\]{},.\n]""",
    re.DOTALL,
)


def bounded(text: str, name: str) -> str:
    """The text, if its levels and words keep within the bounds; else ContentError with the line."""
    levels, depth = [0], 0
    for found in SIGN.finditer(text):
        match sign := found.group():
            case "[" | "{":
                levels.append(0)
                depth += 1
            case ".":
                levels[-1] += 1
                depth += 1
            case "]" | "}" if len(levels) > 1:
                depth -= 1 + levels.pop()
            case "," | "\n":
                depth -= levels[-1]
                levels[-1] = 0
            case _ if len(sign) > MAX_WORD and found["comment"] is None:
                line = _line(text, found.start())
                problem = f"line {line}: a key, number or text of more than {MAX_WORD} characters"
                raise fault(name, "", problem, "content/long-word", MAX_WORD, line)
        if depth > MAX_DEPTH:
            line = _line(text, found.start())
            raise fault(name, "", f"line {line}: more than {MAX_DEPTH} levels", "content/deep", MAX_DEPTH, line)
    return text


def _line(text: str, at: int) -> int:
    return 1 + text.count("\n", 0, at)
