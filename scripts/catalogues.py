# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the message catalogues: `client/locale/<language>/LC_MESSAGES/starlock.po` to `starlock.mo` beside it. Those
of another package lie in its folder and have its name.

The compiled files are not in the repository. `scripts/environment.py` makes them when a person sets up or starts the
project, and `scripts/build_hook.py` makes them for the wheel. Standard library only: both run before anything is
installed. If everything is current, no module is imported that the interpreter has not loaded already.
"""

from __future__ import annotations

import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCALE = os.path.join(ROOT, "client", "locale")
DOMAIN = "starlock"


def compile_all(root: str = LOCALE, domain: str = DOMAIN) -> None:
    """Compile each catalogue below `root` that is newer than its compiled file."""
    for language in sorted(os.listdir(root)):
        source = os.path.join(root, language, "LC_MESSAGES", f"{domain}.po")
        if os.path.exists(source) and _stale(source):
            with open(source, encoding="utf-8") as file:
                data = compiled(file.read())
            _replace(source[: -len("po")] + "mo", data)


def compiled(text: str) -> bytes:
    """The GNU MO file of a catalogue as `scripts/texts.py` writes it (gettext manual, "The Format of GNU MO Files").

    Messages without a translation are left out, so that gettext answers with the English text.
    """
    import struct

    pairs = sorted(_pairs(text))
    ids, strings = b"", b""
    places: list[tuple[int, int, int, int]] = []
    for key, value in pairs:
        places.append((len(key), len(ids), len(value), len(strings)))
        ids += key + b"\0"
        strings += value + b"\0"
    header, table = 28, 8 * len(pairs)
    first = header + 2 * table
    keys = [n for length, at, _, _ in places for n in (length, first + at)]
    values = [n for _, _, length, at in places for n in (length, first + len(ids) + at)]
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), header, header + table, 0, 0)
    return head + struct.pack(f"<{2 * len(keys)}I", *keys, *values) + ids + strings


def _pairs(text: str) -> list[tuple[bytes, bytes]]:
    """The key and value of each translated message: `context EOT id NUL plural` and `one NUL many`."""
    pairs = []
    for block in text.split("\n\n"):
        parts = _parts(block)
        if "msgid" not in parts:
            continue
        key = parts["msgid"]
        if "msgctxt" in parts:
            key = parts["msgctxt"] + "\4" + key
        if "msgid_plural" in parts:
            key += "\0" + parts["msgid_plural"]
        values = [parts[name] for name in sorted(parts) if name.startswith("msgstr")]
        if all(values):
            pairs.append((key.encode(), "\0".join(values).encode()))
    return pairs


def _parts(block: str) -> dict[str, str]:
    """The strings of one message by keyword, such as "msgid" or "msgstr[1]"."""
    import ast

    parts: dict[str, str] = {}
    name = ""
    for line in block.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith('"'):
            name, line = line.split(" ", 1)
            parts[name] = ""
        parts[name] += ast.literal_eval(line)
    return parts


def _stale(source: str) -> bool:
    try:
        return os.stat(source[: -len("po")] + "mo").st_mtime_ns < os.stat(source).st_mtime_ns
    except FileNotFoundError:
        return True


def _replace(path: str, data: bytes) -> None:
    """Replace the file in one step, because another process may be reading it."""
    part = f"{path}.{os.getpid()}"
    with open(part, "wb") as file:
        file.write(data)
    os.replace(part, path)
