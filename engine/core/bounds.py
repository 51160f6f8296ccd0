# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of untrusted TOML and JSON, checked before parsing: nesting of tables and lists, length of a word.

Parsers of TOML and JSON recurse for each level. Some take quadratic time in the parts of a key, and fail in different
ways for numbers of thousands of digits. One pass over the characters of the text prevents all of that. It serves both
formats, since a JSON parser stops at the first character that is TOML only, before anything can nest.
"""

from __future__ import annotations

import re
from typing import Final

from engine.core.content import fault

__all__ = ["MAX_DEPTH", "MAX_WORD", "bounded"]

MAX_DEPTH: Final = 16
"""Levels of tables and lists. Each part of a dotted key is one; the name of a table counts separately."""
MAX_WORD: Final = 400
"""Characters of a key, a number or a text in the source, so that all of 32 letters may be escaped."""

SIGN: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'''  # multi-line texts; an unterminated one takes the rest
    r"""|'''.*?(?:'{3,5}|\Z)"""
    r"""|"(?:\\[^\n]|[^"\\\n])*"?|'[^'\n]*'?"""
    r"""|(?P<comment>\#[^\n]*)|[^\s"'#\[\]{}=,.]+|[\[\]{},.\n]""",
    re.DOTALL,
)


def bounded(text: str, name: str) -> str:
    """Return the text. Raises ContentError with the line if its levels or words exceed the limits."""
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
