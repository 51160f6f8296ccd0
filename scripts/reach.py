# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how long it takes to join a table between different homes: `.venv/bin/python scripts/reach.py [HOME HOME]…`.

For each pair of homes behind routers (kinds as in p2p/testing/homes.py) a small game is joined with a ticket. It prints
in milliseconds, from the moment when the newcomer listens, the times of the first link, of the first resolved entry of
the table and of the last link, and the last round trip of that link. Needs network namespaces.
"""

from __future__ import annotations

import json
import sys
import tempfile
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import datetime
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / folder) for folder in ("natlab", "client")]
sys.path.insert(0, str(Path(__file__).parents[1]))

from peers import Starlock  # noqa: E402
from small import Game, finish, ways  # noqa: E402

from p2p.testing.homes import KINDS, PUBLIC, homes, missing  # noqa: E402

PAIRS = ("open", "port-restricted", "port-restricted", "double", "ipv6", "ipv6", "symmetric", "symmetric")
FINAL = {("symmetric", "symmetric"): "relay"}


def measured(one: str, other: str) -> dict[str, Any]:
    """Measure one pair."""
    with tempfile.TemporaryDirectory() as name, homes(one, other) as lab:
        folder = Path(name)
        game = Game(folder, height=2)
        with (
            Starlock(folder / "relay", "relay", "--json", before=lab.command("public")) as relay,
            game.host("--relay", PUBLIC, before=lab.command("0")) as ann,
        ):
            assert relay.process.stdout is not None
            relay.process.stdout.readline()
            with game.guest(ann, "Bob", before=lab.command("1")) as bob:
                final = FINAL.get((one, other))
                bob.until(lambda: ways(bob) and (final or "relay" not in ways(bob)) and bob.height >= 1)
                found = ways(bob)[-1]
                finish(game, ann, bob)
                began = _times(bob, "peer/listening")[0]
                told = {"first-link": _times(bob, "link/up")[0], "first-entry": _times(bob, "table/height")[0]}
                told["last-link"] = _times(bob, "link/up")[-1]
                rtt = next((each["rtt"] for each in reversed(bob.events("link/down")) if each["rtt"]), None)
                figures = {what: round((at - began) * 1000) for what, at in told.items()}
                return {"pair": [one, other], "way": found, **figures, "rtt": round(1000 * (rtt or 0), 2)}


def _times(peer: Starlock, event: str) -> list[float]:
    """The times of an event, in seconds."""
    return [datetime.fromisoformat(each["time"]).timestamp() for each in peer.events(event)]


def main() -> None:
    """Measure all given pairs."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("homes", metavar="HOME", nargs="*", help=f"two for each pair, of: {', '.join(KINDS)}")
    named = parser.parse_args().homes or list(PAIRS)
    if len(named) % 2 or not {*KINDS}.issuperset(named):
        parser.error(f"homes come in pairs, and are of: {', '.join(KINDS)}")
    reason = missing()
    if reason is not None:
        sys.exit(reason)
    for one, other in zip(named[::2], named[1::2], strict=True):
        sys.stdout.write(json.dumps(measured(one, other)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
