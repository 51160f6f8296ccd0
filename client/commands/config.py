# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock config`: shows the settings of the full screen and their file."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Nothing to declare."""


def run(args: Namespace, context: Context) -> int:
    """Write the file with comments if it does not exist, check it, and print its path."""
    from client.fronts.screen.settings import read, written

    path = written(context.folders)
    found = read(context.folders)
    facts = {
        "bell": found.bell,
        "desktop": found.desktop,
        "guide": found.guide,
        "glyphs": found.glyphs,
        "keys": {act: list(keys) for act, keys in found.keys.items()},
    }
    told = "\n".join(f"  {name} = {_as_written(value)}" for name, value in facts.items())
    context.answer(
        _("Settings of the full screen: {path}").format(path=path) + "\n" + told, path=str(path), settings=facts
    )
    return DONE


def _as_written(value: object) -> str:
    """A setting as the file has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_as_written(act)} = {_as_written(keys)}" for act, keys in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
