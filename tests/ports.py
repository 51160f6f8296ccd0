"""Ports for programs that are told where to listen."""

from __future__ import annotations

import os
import socket
from itertools import count
from typing import Final

FIRST: Final = 20_000
MANY: Final = 12_000
"""None of those that systems give away by themselves: somebody who dials could get one before it is used."""

_numbers = count(os.getpid() * 97)


def free_port() -> int:
    """A port where nobody listens, and another one at each call. Each process of the tests begins in another place."""
    for number in _numbers:
        port = FIRST + number % MANY
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
    raise AssertionError
