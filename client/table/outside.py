# SPDX-License-Identifier: GPL-3.0-or-later
"""This home's address outside of its router, where only the person knows it: typed once, kept until the network
changes."""

from __future__ import annotations

import json
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from client.system.names import shown
from client.system.texts import _
from p2p.identity.private import write_private
from p2p.reach.addresses import default_sources
from p2p.reach.opened import Reach
from p2p.reach.routes import default_gateway

FILE: Final = "outside.json"


def recall(reach: Reach, folder: Path) -> None:
    """Use the address that was typed at this network before, if one was."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads((folder / FILE).read_text("ascii"))
        if kept["network"] == _network() and ip_address(str(kept["host"])).is_global:
            reach.outside = str(kept["host"]), frozenset(default_sources())


def typed(reach: Reach, folder: Path, text: str) -> str | None:
    """Take a typed IP address as this home's own and keep it. Return what to tell; None if the text is no address."""
    try:
        host = ip_address(text.strip())
    except ValueError:
        return None
    if host.version != 4 or not host.is_global or host.is_multicast:
        return _("{host} is not an address that others can reach over the Internet.").format(host=shown(str(host)))
    reach.outside = str(host), frozenset(default_sources())
    with suppress(OSError):  # then it is typed again the next time
        write_private(folder / FILE, json.dumps({"network": _network(), "host": str(host)}).encode())
    return _("From now on {host} counts as the address of your router, until you are in another network.").format(
        host=host
    )


def _network() -> str:
    """The network that this machine is in, as far as it can tell it from others."""
    return " ".join([default_gateway() or "", *sorted(map(str, default_sources()))])
