# SPDX-License-Identifier: GPL-3.0-or-later
"""A listening port on loopback, which may outlive the servers that use it, and the guard that checks its requests.

The person's browser is opened at the page without showing its link to other accounts: every account of a machine can
read the command line of a browser. So it gets the name of a file that only its owner can read, and that file leads on
to the link with its code.
"""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final, Self

import trio

from client.system.context import Context
from client.system.errors import UserError
from client.system.settings import Folders, made
from client.system.system_troubles import reason
from client.system.texts import _, current
from engine.core.dataclass import dataclass
from p2p.identity.private import write_private
from p2p.link.connecting import Sparing

KEY_HEADER: Final = "x-starlock"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types starlock"
)
SANDBOX: Final = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""The policy of the report page: it has its own Content-Security-Policy, and an origin separate from the board's."""
HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""Headers of every response."""
LOOPBACK: Final = "127.0.0.1"
WAITING: Final = 64
"""Most connections that wait while no server accepts them."""


class Guard:
    """Checks requests for the server at `port`, the TCP port that it listens on."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._keys: dict[str, str] = {}

    def new_key(self) -> str:
        """A key that requests may carry, for a program that reads it from a place of its own."""
        return self._new_key(secrets.token_urlsafe(16))

    def new_code(self) -> str:
        """A code that can be traded once, for a key of its own."""
        code = secrets.token_urlsafe(16)
        self._keys[code] = ""
        return code

    def traded(self, code: str) -> str | None:
        """A new key for an unused code; None for any other. A code that comes a second time was read by somebody else,
        so that its key ends too (RFC 6749, 4.1.2)."""
        for known in [known for known in self._keys if hmac.compare_digest(known.encode(), code.encode())]:
            if not self._keys[known]:
                return self._new_key(known)
            del self._keys[known]
        return None

    def _new_key(self, code: str) -> str:
        key = self._keys[code] = secrets.token_urlsafe(32)
        return key

    def refused(self, method: str, path: str, headers: Mapping[str, str]) -> int | None:
        """The status code of the refusal, None for a request to be answered: 421 for another host, 403 for another
        origin or a cross-site request that is no navigation to the page, 403 for a POST without the key, 405 for other
        methods. headers: names in lower case."""
        own = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if headers.get("host", "") not in own:
            return 421
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in own}:
            return 403
        navigation = method == "GET" and path == "/" and headers.get("sec-fetch-mode", "navigate") == "navigate"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not navigation:
            return 403
        if method not in ("GET", "POST"):
            return 405
        if method == "POST" and path != "/key" and not self.holds_key(headers):
            return 403
        return None

    def holds_key(self, headers: Mapping[str, str]) -> bool:
        """True if a request carries a key. headers: names in lower case."""
        given = headers.get(KEY_HEADER, "").encode()
        known = [hmac.compare_digest(key.encode(), given) for key in self._keys.values() if key]
        return any(known)


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
                _("The page cannot be served on port {port}: {error}.").format(port=port, error=reason(error)),
                _("Choose another with --web-port, or leave it out."),
            ) from error
        return cls(listening, Guard(listening.getsockname()[1]))

    def listener(self) -> Sparing:
        """A listener for a server; closing it leaves the door open."""
        return Sparing(trio.SocketListener(trio.socket.from_stdlib_socket(self._socket.dup())))

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
