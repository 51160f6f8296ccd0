# SPDX-License-Identifier: GPL-3.0-or-later
"""A listening port on loopback with its guard. It may outlive the servers that use it.

The person's browser is opened at the page without showing its link to other accounts: every account of a machine can
read the command line of a browser. So it gets the name of a file that only its owner can read, and that file leads on
to the link with its code.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final, Self

import trio

from client.fronts.web.guard import Guard
from client.system.context import Context
from client.system.errors import UserError
from client.system.settings import Folders, made
from client.system.texts import _, current
from engine.core.dataclass import dataclass
from p2p.identity.private import write_private

LOOPBACK: Final = "127.0.0.1"
WAITING: Final = 64
"""Most connections that wait while no server accepts them."""


@dataclass(slots=True)
class Door:
    """Open pages stay valid as long as their door; between two servers they wait.

    Attributes:
        guard: checks the requests.
        known: True after a browser has been opened for it.
        leading: the file that leads a browser here, None before one was opened.
        trouble: an error for the start page to show, "" for none.
    """

    _socket: socket.socket
    guard: Guard
    known: bool = False
    leading: Path | None = None
    trouble: str = ""

    @classmethod
    def opened(cls, port: int = 0) -> Self:
        """A door at this port, 0 for any. UserError if the port is taken."""
        try:
            listening = socket.create_server((LOOPBACK, port), backlog=WAITING)
        except OSError as error:
            raise UserError(
                "web/port",
                _("The page cannot be served on port {port}: {error}.").format(port=port, error=error.strerror),
                _("Choose another with --web-port, or leave it out."),
            ) from error
        return cls(listening, Guard(listening.getsockname()[1]))

    def listener(self) -> trio.SocketListener:
        """A listener for a server; closing it leaves the door open."""
        return trio.SocketListener(trio.socket.from_stdlib_socket(self._socket.dup()))

    def close(self) -> None:
        """Close the port."""
        self._socket.close()
        if self.leading is not None:
            with suppress(OSError):
                self.leading.unlink(missing_ok=True)

    @property
    def url(self) -> str:
        """The address without a code."""
        return f"http://{LOOPBACK}:{self.guard.port}"

    def link(self) -> str:
        """A new address of the page, which works for one browser."""
        return f"{self.url}/#{self.guard.new_code()}"


def door_of(context: Context) -> Door | None:
    """The door that the start page has opened; None without a start page."""
    assert context.door is None or isinstance(context.door, Door)
    return context.door


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
    path, at = made(folder) / NAME, escape(link, quote=True)
    # `content` is no address in HTML: a link of ours holds no quote, comma or semicolon
    page = (
        f'<!doctype html><html lang="{current()}"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={at}"><title>starlock</title>'
        f'<p><a href="{at}">{escape(_("To the board"))}</a></p></html>\n'
    )
    write_private(path, page.encode())
    return path
