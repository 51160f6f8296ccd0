"""Where pages come in: a port on loopback with its guard.  It may outlive the servers behind it."""

from __future__ import annotations

import socket
from typing import Final, Self

import trio

from client.errors import UserError
from client.texts import _
from client.web.guard import Guard
from engine.core.dataclass import dataclass

__all__ = ["LOOPBACK", "Door"]

LOOPBACK: Final = "127.0.0.1"
WAITING: Final = 64
"""Connections that wait while no server is behind the door."""


@dataclass(slots=True)
class Door:
    """Pages that are open stay good as long as their door: between two servers they wait.

    Attributes:
        guard: which requests are answered.
        known: True after a browser has been sent here.
        trouble: what the start page has to tell, "" if nothing.
    """

    _socket: socket.socket
    guard: Guard
    known: bool = False
    trouble: str = ""

    @classmethod
    def opened(cls, port: int = 0) -> Self:
        """A door at this port, 0 for any.  UserError where the port is taken."""
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
        """What a server accepts connections from; closing it leaves the door open."""
        return trio.SocketListener(trio.socket.from_stdlib_socket(self._socket.dup()))

    def close(self) -> None:
        """Let nobody in any more."""
        self._socket.close()

    @property
    def url(self) -> str:
        """The address without a code."""
        return f"http://{LOOPBACK}:{self.guard.port}"

    def link(self) -> str:
        """A new address of the page, good for one browser."""
        return f"{self.url}/#{self.guard.new_code()}"
