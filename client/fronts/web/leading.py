# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens the person's browser at the page without showing its link to other accounts.

The command line of a browser can be read by every account of a machine. So it gets the name of a file that only its
owner can read, and that file leads on to the link with its code.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

from client.fronts.web.door import Door
from client.system.errors import UserError
from client.system.settings import Folders, made
from client.system.texts import _, current
from p2p.identity.private import write_private

NAME: Final = "page.html"


def open_browser(door: Door, folders: Folders) -> None:
    """Open the browser at a new link of the door. Without a browser, or room for the file, nothing happens: the person
    is shown a link too."""
    import webbrowser

    try:
        door.leading = leading_file(folders.data, door.link())
    except (OSError, UserError):
        return
    webbrowser.open(door.leading.absolute().as_uri())


def leading_file(folder: Path, link: str) -> Path:
    """A new file in the folder that leads a browser on to the link; only its owner can read it. OSError, UserError."""
    path = made(folder) / NAME
    write_private(path, _leading(link).encode())
    return path


def _leading(link: str) -> str:
    """The page. `content` is no address in HTML: a link of ours holds no quote, comma or semicolon."""
    at = escape(link, quote=True)
    return (
        f'<!doctype html><html lang="{current()}"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={at}"><title>starlock</title>'
        f'<p><a href="{at}">{escape(_("To the board"))}</a></p></html>\n'
    )
