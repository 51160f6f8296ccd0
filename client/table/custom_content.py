# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads and validates a content file of the user, with a text for each changed value."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from client.system.errors import UserError
from client.system.files import read_at_most
from client.system.names import shown
from client.system.registry import GAMES
from client.system.system_troubles import reason
from client.system.texts import _, ngettext
from client.words import DisplayNames, refusal_text
from engine.core.content import ContentError
from engine.core.custom_content import MAX_FILE, Change, CustomContent, of_file
from engine.core.errors import Refusal
from engine.core.registry import GameSpec, game

WIDTH: Final = 78


def read_custom(spec: GameSpec, path: Path) -> CustomContent:
    """The game with the content of a file. UserError says what is wrong, where, and what to do."""
    raw = read_at_most(path, MAX_FILE)
    try:
        return of_file(spec, raw, path.name)
    except ContentError as error:
        code = error.refusal.code
        if code == "content/no-own":
            able = ", ".join(name for name in GAMES if game(name).tables is not None)
            hint = _("Games that take content of a table: {known}").format(known=able)
        else:
            hint = _("Put it right; `starlock rules {game} --content FILE` judges it and shows what it changes.")
            hint = hint.format(game=spec.id)
        cause, refusal = error.__cause__, error.refusal
        if code == "content/toml" and isinstance(cause, ValueError):
            refusal = Refusal(code, "", (reason(cause),))
        text = _("The content file {path} cannot be played. {problem}").format(
            path=path, problem=shown(refusal_text(refusal, DisplayNames(spec.id)))
        )
        raise UserError(code, text, hint) from error


def changes_text(own: CustomContent) -> str:
    """The differences from the built-in content: for each changed value the game's and this table's."""
    id = own.id.hex()[:12]
    if not own.changes:
        return _("This content is what comes with the game.")
    head = ngettext(
        "Own content {id}: {n} value differs from the game's:",
        "Own content {id}: {n} values differ from the game's:",
        len(own.changes),
    ).format(id=id, n=len(own.changes))
    return "\n".join([head, *map(_change, own.changes)])


def _change(change: Change) -> str:
    before = _("not there") if change.built_in is None else value_text(change.built_in)
    after = _("not there") if change.own is None else value_text(change.own)
    if change.own is None and isinstance(change.built_in, dict):
        before = value_text(change.built_in.get("name", change.built_in))
    text = _("{path}: {built_in} → {own}").format(path=shown(change.path), built_in=before, own=after)
    return textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="      ", break_on_hyphens=False)


def value_text(value: Any) -> str:
    """A short text for a value of content: the numbers of a list, or the keys of a row with their values."""
    if isinstance(value, dict):
        return ", ".join(f"{shown(str(key))} {value_text(part)}" for key, part in value.items() if part != "")
    if isinstance(value, Sequence) and not isinstance(value, str):
        if any(isinstance(part, list | dict) for part in value):
            return " ".join(f"[{value_text(part)}]" for part in value)
        return " ".join(map(value_text, value)) or "[]"
    return shown(value) if isinstance(value, str) else json.dumps(value)
