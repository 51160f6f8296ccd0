#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write one signed saved game for each game and option set of each version of the rules: tests/stars/*.star.

They must verify with all later versions. An existing file stays as it is; missing files for the latest rules are
played, signed and written. Run with the project's environment after a release of new rules:

    .venv/bin/python scripts/stars.py [--anew] [KIND ...]

``--anew`` replaces the files of the latest rules, which is right only before their release.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "client"), str(ROOT / "tests" / "nim")]

from recorded import GameTable  # noqa: E402

import client.system.registry  # noqa: E402, F401  # it finds the game in tests/nim
from engine.core.custom_content import of_file  # noqa: E402
from engine.core.registry import DICE, GAMES, PATIENCE, game  # noqa: E402

STARS = ROOT / "tests" / "stars"
EVENTS = {"pulsar": "on", "black-hole": "on", "supernova": "on", "nebula": "on"}


@dataclass(frozen=True)
class StarKind:
    """A game with its seats (a member each) and options. leaves: the member that drops out after 20 answers, -1 for
    none. content: a file in tests/content. seed: of the keys, dice and answers."""

    game: str
    seats: int
    options: Mapping[str, str] = field(default_factory=dict)
    leaves: int = -1
    content: str = ""
    seed: int = 1


KINDS = {
    "eclipse1": StarKind("eclipse1", 2, {"patience": "1m"}),
    "eclipse1-open": StarKind("eclipse1", 2, {"species": "planta,hydran", "draws": "open"}),
    "eclipse1-random": StarKind("eclipse1", 3, {"species": "random", "dice": "lock", "handicap": "0,3,0"}),
    "eclipse2": StarKind("eclipse2", 2, seed=2),  # a game with battles, as replays show them
    "eclipse2-without-portals": StarKind(
        "eclipse2", 2, {"warp-portals": "off", "species": "random", "draws": "open", "patience": "10m"}
    ),
    "eclipse2-variants": StarKind(
        "eclipse2",
        2,
        {
            "ancient-blueprint": "alt",
            "guardian-blueprint": "random",
            "gcds-blueprint": "advanced",
            "ancients": "unlimited",
            "starbase-initiative": "3",
            "document-scoring": "on",
            "dice": "lock",
            "patience": "8h",
        },
    ),
    "eclipse2-blueprints": StarKind(
        "eclipse2",
        2,
        {
            "ancient-blueprint": "random",
            "guardian-blueprint": "advanced",
            "gcds-blueprint": "alt",
            "black-hole": "396",
            "patience": "1d",
        },
    ),
    "eclipse2-events": StarKind("eclipse2", 3, EVENTS),
    "eclipse2-wanderers": StarKind("eclipse2", 3, {"wanderers": "on", "species": "exiles,magellan,lyra"}),
    "eclipse2-magellan": StarKind(
        "eclipse2",
        2,
        {
            "wanderers": "on",
            "species": "magellan,lyra",
            "magellan-trade": "2",
            "ancient-blueprint": "advanced",
            "guardian-blueprint": "alt",
            "gcds-blueprint": "random",
            "black-hole": "399",
            "handicap": "2,0",
            "patience": "7d",
        },
    ),
    "eclipse2-left": StarKind("eclipse2", 3, leaves=2),
    "emperor": StarKind("emperor", 3),
    "emperor-variants": StarKind(
        "emperor",
        3,
        {
            "ship-costs": "metal",
            "suns": "jump",
            "untiled": "closed",
            "bonuses": "always",
            "handicap": "0,0,4",
            "draws": "open",
            "dice": "lock",
            "patience": "off",
        },
    ),
    "emperor-market": StarKind("emperor", 3, content="emperor-market.toml"),
    "emperor-left": StarKind("emperor", 4, leaves=1),
    "rex": StarKind("rex", 3),
    "rex-betrayal": StarKind(
        "rex",
        3,
        {
            "betrayal": "on",
            "open-influence": "on",
            "shared-special-victory": "off",
            "factions": "sol,hacan,letnev",
            "draws": "open",
        },
    ),
    "rex-random": StarKind("rex", 3, {"factions": "random", "dice": "lock", "handicap": "1,0,9"}),
    "rex-left": StarKind("rex", 4, leaves=3),
}
"""Name of a file → its game."""


def usual(id: str) -> dict[str, StarKind]:
    """Kinds of a game that has none above: each value of its options, and its seat counts in turn."""
    spec = game(id)
    several = [option for option in spec.options if option.values and option not in (DICE, PATIENCE)]
    many = max((len(option.values or ()) for option in several), default=1)
    return {
        f"{id}-{number}" if number else id: StarKind(
            id,
            spec.seats[number % len(spec.seats)],
            {option.name: values[number % len(values)] for option in several if (values := option.values)},
        )
        for number in range(many)
    }


for name in [name for name in GAMES if name not in {kind.game for kind in KINDS.values()}]:
    KINDS |= usual(name)


def star(kind: StarKind) -> bytes:
    """A whole random game of this kind, exported by its first member."""
    spec = game(kind.game)
    if kind.content:
        spec = of_file(spec, (ROOT / "tests" / "content" / kind.content).read_bytes(), kind.content).spec
    table = GameTable([[seat] for seat in range(kind.seats)], kind.seed, spec, kind.options)
    table.start()
    if kind.leaves >= 0:
        for _ in range(20):
            table.step()
        table.leave(kind.leaves)
    table.play()
    if not table.peers[0].position.over:
        raise SystemExit(f"{kind}: waits for {table.peers[0].position.step.kind}")
    return table.star()


def path_of(name: str, folder: Path = STARS) -> Path:
    """The file of a kind for the latest rules of its game."""
    return folder / f"{name}.{game(KINDS[name].game).rules_version}.star"


def main() -> int:
    """Write the missing files."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"only these: {', '.join(KINDS)}")
    parser.add_argument("--anew", action="store_true", help="replace the files of the latest rules")
    args = parser.parse_args()
    STARS.mkdir(exist_ok=True)
    for name in args.kinds or KINDS:
        path = path_of(name)
        if args.anew or not path.exists():
            path.write_bytes(star(KINDS[name]))
            print(f"{path.name}: {path.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
