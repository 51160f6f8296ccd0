# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the full screen: a file of the user, written with comments if it does not exist.

The file is `screen.toml` next to the identity. Missing keys have the defaults here; an unknown key is an error that
names it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from client.fronts.kit.pane import NAMES, spelt
from client.fronts.screen.keys import KEYS, OLD
from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.settings import Folders, made
from client.system.system_troubles import reason
from client.system.texts import _

GLYPHS: Final = ("auto", "unicode", "ascii")
NAME: Final = "screen.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a user.

    Attributes:
        bell: True to ring when it is your turn.
        desktop: True to notify the desktop by OSC 9 and 777.
        guide: True to show advice with the questions of a first game.
        glyphs: `auto`, `unicode` or `ascii`.
        keys: the user's keys, by action.
    """

    bell: bool = True
    desktop: bool = True
    guide: bool = True
    glyphs: str = GLYPHS[0]
    keys: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read(folders: Folders) -> Settings:
    """The user's settings, the defaults without a file. UserError for an invalid file."""
    path = folders.config / NAME
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        raise _wrong(path, reason(error)) from error
    known = Settings.__dataclass_fields__
    for name in given:
        if name not in known:
            raise _wrong(path, _("there is no setting “{name}”").format(name=name), nearest(name, list(known)))
    for name in ("bell", "desktop", "guide"):
        if not isinstance(given.get(name, True), bool):
            raise _wrong(path, _("{name} is true or false").format(name=name))
    if given.get("glyphs", GLYPHS[0]) not in GLYPHS:
        raise _wrong(path, _("{name} is one of {values}").format(name="glyphs", values=", ".join(GLYPHS)))
    return Settings(**{**given, "keys": _keys(path, given.get("keys", {}))})


def _keys(path: Path, given: Any) -> Mapping[str, Sequence[str]]:
    """The table of keys: lists of keys by action, no key twice."""
    known = {each.act for each in KEYS}
    if not isinstance(given, dict):
        raise _wrong(path, _("keys is a table"))
    for act, keys in given.items():
        if act not in known and act not in OLD:
            raise _wrong(path, _("there is no action “{name}”").format(name=act), nearest(act, list(known)))
        if not (isinstance(keys, list) and keys and all(isinstance(key, str) and key for key in keys)):
            raise _wrong(path, _("{name} has a list of keys").format(name=act))
    said = [key for keys in given.values() for key in keys]
    for key in said:
        if len(key) > 1 and key not in _named():
            raise _wrong(path, _("there is no key “{name}”").format(name=key), nearest(key, sorted(_named())))
    twice = sorted({key for key in said if said.count(key) > 1})
    if twice:
        raise _wrong(path, _("the key {key} stands twice").format(key=twice[0]))
    return {OLD.get(act, act): keys for act, keys in given.items()}


def _named() -> Collection[str]:
    """The keys that have a name and not a character of their own."""
    from prompt_toolkit.keys import ALL_KEYS  # only here: a start without keys of one's own need not wait for it

    return {key for key in ALL_KEYS if not key.startswith("<")} | set(NAMES) - {" "}


def _wrong(path: Path, reason: str, close: str = "") -> UserError:
    hint = hint_of(close, _("Mend the file, or remove it."))
    return UserError("screen/settings", _("The file {path}: {reason}.").format(path=path, reason=reason), hint)


def written(folders: Folders) -> Path:
    """The path of the file, which is written with all settings if it does not exist. UserError if that fails."""
    path = made(folders.config) / NAME
    try:
        if not path.exists():
            path.write_text(_template(), "utf-8")
    except OSError as error:
        raise _wrong(path, reason(error)) from error
    return path


def _template() -> str:
    ours = Settings()
    lines = [
        "# " + _("Settings of starlock's full screen. Remove the # before a line to change it."),
        "",
        f"# bell = {str(ours.bell).lower()}       # " + _("ring when it is your turn"),
        f"# desktop = {str(ours.desktop).lower()}    # "
        + _("tell the desktop too, where the terminal can (OSC 9 and 777)"),
        f"# guide = {str(ours.guide).lower()}      # " + _("advice beside the questions of a first game"),
        f'# glyphs = "{ours.glyphs}"   # ' + ", ".join(GLYPHS),
        "",
        "[keys]",
        "# " + _("Keys of your own, by what they do; they take the place of ours."),
    ]
    for each in KEYS:
        keys = ", ".join(f'"{key}"' for key in each.keys)
        lines += [f"# {', '.join(map(spelt, each.keys))}: {each.does()}", f"# {each.act} = [{keys}]"]
    return "\n".join(lines) + "\n"
