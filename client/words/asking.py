# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions to a seat in words: one sentence for each kind of choice, with the arguments of the choice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from client.system.places import load
from client.system.registry import game_client
from client.system.texts import counted
from client.words import PLAIN, DisplayNames, seat_arguments
from client.words.display_names import Filling
from engine.core.values import Handle
from engine.core.waits import Choose


def prompt_text(ask: Choose[Any], names: Sequence[str], display_names: DisplayNames = PLAIN) -> str:
    """The question of a choice; a choice without a text is shown by its word and arguments."""
    fields: tuple[str, ...] = getattr(ask, "__match_args__", ())
    shown = {name: _argument(name, getattr(ask, name), names, display_names) for name in fields if name != "seat"}
    prompts = game_client(display_names.game).prompts
    template = load(prompts).get(ask.word) if prompts else None
    if template is None:
        return " ".join([ask.word, *(f"{name}={value}" for name, value in shown.items())])
    return counted(template, shown).format_map(Filling(shown, display_names))


def kind_text(word: str, display_names: DisplayNames = PLAIN) -> str:
    """The question of a kind of choice, with dots in place of its arguments."""
    prompts = game_client(display_names.game).prompts
    template = load(prompts).get(word, word) if prompts else word
    return re.sub(r"{[^}]*}", "…", counted(template, {}))


def _argument(name: str, value: object, names: Sequence[str], display_names: DisplayNames) -> str:
    if isinstance(value, tuple):
        return ", ".join(_argument(name, item, names, display_names) for item in value)
    if isinstance(value, Handle):
        return f"{value.deck}#{value.index}"
    if name in seat_arguments(display_names.game) and isinstance(value, int):
        return names[value] if 0 <= value < len(names) else display_names("nobody")
    return display_names.argument(name, str(value))
