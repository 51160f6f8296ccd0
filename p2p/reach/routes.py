# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the home router in what the system tells of its routes."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Final, Literal, TypeAlias

Family: TypeAlias = Literal[4, 6]

ROUTES: Final[Mapping[Family, Path]] = {4: Path("/proc/net/route"), 6: Path("/proc/net/ipv6_route")}
"""Where Linux tells its routes."""
ANY: Final = "0.0.0.0"  # noqa: S104  all destinations, as a route names them
ANY_6: Final = "::/0"
TOLD_BY: Final[Mapping[tuple[str, Family], Sequence[str]]] = {
    ("win32", 4): ("route", "print", "-4", ANY),
    ("win32", 6): ("route", "print", "-6"),
    ("darwin", 4): ("route", "-n", "get", "default"),
    ("darwin", 6): ("route", "-n", "get", "-inet6", "default"),
}
"""What prints the default route, by system; the BSDs have the same as macOS."""
TELLS_WITHIN: Final = 2.0
HIDDEN: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)
LEADS_ON: Final = 2
"""The flag of a route that leads through a router."""


def default_gateway(family: Family = 4, routes: Path | None = None, platform: str = sys.platform) -> str | None:
    """Return the IP address of this machine's router, with its interface where that is a link-local one; None if there
    is none or the system does not tell. routes: of Linux, for tests."""
    with suppress(OSError, subprocess.SubprocessError):
        if platform == "linux":
            return gateway_in((routes or ROUTES[family]).read_text("ascii"), platform, family)
        words = TOLD_BY.get((platform, family), TOLD_BY["darwin", family])
        told = subprocess.run(
            words,
            capture_output=True,
            timeout=TELLS_WITHIN,
            check=False,
            stdin=subprocess.DEVNULL,
            creationflags=HIDDEN,
        )
        return gateway_in(told.stdout.decode("ascii", "replace"), platform, family)
    return None


def gateway_in(told: str, platform: str, family: Family = 4) -> str | None:
    """Return the address of the router in what a system tells of its routes, None if there is none.

    told: /proc/net/route or /proc/net/ipv6_route of Linux; of Windows what `route print` prints, in any language; of
        macOS and the BSDs what `route -n get default` prints.
    """
    rows = [line.split() for line in told.splitlines()]
    listed = {"linux": _of_linux, "win32": _of_windows}.get(platform, _of_bsd)(rows, family)
    for _, router in sorted(listed, key=lambda each: each[0]):
        with suppress(ValueError):  # the name of an interface, as for a line that is dialed
            if (at := ip_address(router)).version == family:
                return str(at)
    return None


def _of_linux(rows: Sequence[Sequence[str]], family: Family) -> Iterator[tuple[int, str]]:
    """Yield metric and router of each default route. Source: proc_net(5), net/ipv6/route.c of Linux."""
    for row in rows:
        match row:
            case [_, "00000000", router, flags, *_] if family == 4 and _hexadecimal(8, router, flags):
                if int(flags, 16) & LEADS_ON:
                    yield 0, str(IPv4Address(struct.pack("<I", int(router, 16))))
            case [to, "00", _, _, router, metric, _, _, flags, card] if family == 6 and _hexadecimal(32, to, router):
                if _hexadecimal(8, metric, flags) and int(to, 16) == 0 and int(flags, 16) & LEADS_ON:
                    at = IPv6Address(int(router, 16))
                    yield int(metric, 16), f"{at}%{card}" if at.is_link_local else str(at)


def _of_windows(rows: Sequence[Sequence[str]], family: Family) -> Iterator[tuple[int, str]]:
    """Yield metric and router of each default route."""
    for row in rows:
        match row:
            case [network, mask, router, _, metric] if family == 4 and {network, mask} == {ANY} and _decimal(metric):
                yield int(metric), router
            case [card, metric, to, router] if family == 6 and to == ANY_6 and _decimal(metric) and _decimal(card):
                local = "%" not in router and router.lower().startswith("fe80:")
                yield int(metric), f"{router}%{card}" if local else router


def _of_bsd(rows: Sequence[Sequence[str]], family: Family) -> Iterator[tuple[int, str]]:
    """Yield the router of the default route. family: which one was asked for, and no other is told."""
    for row in rows:
        match row:
            case ["gateway:", router]:
                yield family, router


def _hexadecimal(most: int, *words: str) -> bool:
    return all(0 < len(word) <= most and set(word) <= set("0123456789ABCDEFabcdef") for word in words)


def _decimal(word: str) -> bool:
    return len(word) < 10 and word.isascii() and word.isdecimal()
