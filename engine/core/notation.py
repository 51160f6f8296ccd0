# SPDX-License-Identifier: GPL-3.0-or-later
"""The notation of answers: one token for each stage, used in logs, the command line, tests and bug reports.

A text or number is written as it is, None is ``-``, a handle is ``deck#3``, a record is its name and fields joined by
spaces (``build cruiser 212``), or by ``:`` if it is one stage of several. A text is parsed by comparing it with the
options: it means the option with this notation, or the only one whose words begin with its words. A number is never a
prefix.
"""

from __future__ import annotations

from typing import Any

from engine.core.cards import Lens
from engine.core.errors import Refusal
from engine.core.values import Handle, Value
from engine.core.waits import Choose

__all__ = ["completions", "format_value", "parse"]


def format_value(value: Value, joint: str = " ") -> str:
    """Return the notation of a value."""
    if value is None:
        return "-"
    if isinstance(value, int | str):
        return str(value)
    if isinstance(value, Handle):
        return f"{value.deck}#{value.index}"
    if isinstance(value, tuple):
        return (
            " ".join(format_value(item, ":") for item in value)
            if joint == " "
            else f"({joint.join(format_value(item, ':') for item in value)})"
        )
    return joint.join((value.word, *(format_value(getattr(value, name), ":") for name in value.__match_args__)))


def parse(text: str, choose: Choose[Any], g: Any, lens: Lens | None = None) -> Value | Refusal:
    """Return the answer that a text means, or a Refusal. A unique prefix of each word suffices."""
    text = " ".join(text.split())
    if not choose.staged:
        return _pick(text, choose, g, lens, ())
    so_far: tuple[Value, ...] = ()
    for token in text.split(" ") if text else ():
        if not choose.options(g, lens, so_far):
            return Refusal("notation/too-long", str(len(so_far)), (token,))
        pick = _pick(token, choose, g, lens, so_far)
        if isinstance(pick, Refusal):
            return pick
        so_far = (*so_far, pick)
    rest = choose.options(g, lens, so_far)
    if rest:
        return Refusal(
            "notation/incomplete", str(len(so_far)), tuple(format_value(option, _joint(choose)) for option in rest[:12])
        )
    return so_far


def completions(text: str, choose: Choose[Any], g: Any, lens: Lens | None = None) -> list[str]:
    """Return the notations of the options that the last, unfinished token may become."""
    so_far: tuple[Value, ...] = ()
    if choose.staged:
        *done, text = text.split(" ")
        for token in done:
            pick = _pick(token, choose, g, lens, so_far)
            if isinstance(pick, Refusal):
                return []
            so_far = (*so_far, pick)
    shown = (format_value(option, _joint(choose)) for option in choose.options(g, lens, so_far))
    return [option for option in shown if option.startswith(text.lower())]


def _joint(choose: Choose[Any]) -> str:
    return ":" if choose.staged else " "


def _pick(token: str, choose: Choose[Any], g: Any, lens: Lens | None, so_far: tuple[Value, ...]) -> Value | Refusal:
    joint, wanted = _joint(choose), token.lower()
    shown = [(format_value(option, joint), option) for option in choose.options(g, lens, so_far)]
    exact = [option for text, option in shown if text == token] or [o for text, o in shown if text.lower() == wanted]
    if len(exact) == 1:
        return exact[0]
    near = [(text, option) for text, option in shown if token and _begins(text.lower(), wanted, joint)]
    if len(near) == 1:
        return near[0][1]
    for option, reason in choose.refused(g, lens, so_far):
        if format_value(option, joint).lower() == wanted:
            return reason
    where = str(len(so_far)) if choose.staged else ""
    if near:
        return Refusal("notation/ambiguous", where, (token, *(text for text, _ in near[:12])))
    return Refusal("notation/unknown", where, (token, *(text for text, _ in shown[:12])))


def _begins(text: str, wanted: str, joint: str) -> bool:
    """True if every word of ``wanted`` is the beginning of the word at the same place of ``text``."""
    words, given = text.split(joint), wanted.split(joint)
    return len(given) <= len(words) and all(
        word == part or (word.startswith(part) and not part.lstrip("-").isdigit())
        for word, part in zip(words, given, strict=False)
    )
