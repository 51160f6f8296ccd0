#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the golden logs in tests/logs and their transcripts in tests/transcripts.

A log that still plays as it did is left alone. One that plays differently under the same version of the rules is an
error: raise the game's ``rules_version``, name the correction and ask for it where the rule stands
(``if g.rules >= 2``). The logs of older versions stay and go on playing as they did; the new version gets its own.
Run with the project's environment:

    .venv/bin/python scripts/golden.py [--anew] [GAME ...]

``--anew`` replaces the logs of the latest version, which is right only before its release.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "nim")]

import client.system.registry  # noqa: E402, F401  # it finds the game in tests/nim
from engine.core.agenda import Table  # noqa: E402
from engine.core.custom_content import of_file  # noqa: E402
from engine.core.dealer import HashDice, at_random, by_caretaker  # noqa: E402
from engine.core.gamelog import GameLog, record, replay, transcript  # noqa: E402
from engine.core.registry import GameSpec, settle_options  # noqa: E402
from engine.testing.gamekit import claiming, curious, some_table, specs  # noqa: E402

OPTIONED = {
    "eclipse2": {
        "events": (6, {"pulsar": "on", "black-hole": "on", "supernova": "on", "nebula": "on"}),
        "wanderers": (4, {"wanderers": "on", "species": "lyra,exiles,magellan,eridani"}),
    }
}
"""Game → name of a log → seats and options of an additional log, played by a curious bot."""
BOTS = {"random": at_random, "tokens": claiming, "market": claiming}
"""Name of a log → its bot; all others are played by a curious bot."""
MORE = {"emperor": {"tokens": (3, ""), "market": (6, "emperor-market.toml")}, "rex": {"pairs": (4, "")}}
"""Game → name of a log → seats, and its content file in tests/content, "" for the built-in content."""


def main() -> int:
    """Write the missing logs and those of a new version; returns 1 when rules changed without a new version."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these games")
    parser.add_argument("--anew", action="store_true", help="make the logs of the latest version anew")
    args = parser.parse_args()
    changed = False
    for spec in (spec for name, spec in specs().items() if name in args.games or not args.games):
        for seats in sorted({spec.seats[0], spec.seats[len(spec.seats) // 2], spec.seats[-1]}):
            for bot in ("random", "caretaker"):
                changed |= keep(spec, some_table(spec, seats, 0), bot, args.anew)
        for name, (seats, options) in OPTIONED.get(spec.id, {}).items():
            table = settle_options(spec, seats, options)
            if not isinstance(table, Table):
                raise SystemExit(f"{spec.id}-{name}: {table}")
            changed |= keep(spec, table, name, args.anew)
        for name, (seats, file) in MORE.get(spec.id, {}).items():
            content = (ROOT / "tests" / "content" / file).read_bytes() if file else b""
            changed |= keep(spec, some_table(spec, seats, 0), name, args.anew, content)
    return int(changed)


def keep(spec: GameSpec, table: Table, bot: str, anew: bool, content: bytes = b"") -> bool:
    """Write one game, perhaps with content from a file. Returns True if it plays differently under the same version."""
    version = f".{spec.rules_version}" if spec.rules_version > 1 else ""
    path = ROOT / "tests" / "logs" / f"{spec.id}{version}-{table.seats}-{bot}.json"
    written = ROOT / "tests" / "transcripts" / f"{path.stem}.txt"
    log = GameLog.read(path.read_text("utf-8")) if path.exists() and not anew else None
    if log is not None:
        problem = replay(spec, log)
        if problem is not None:
            print(f"{path.name}: {problem}; raise rules_version of {spec.id}", file=sys.stderr)
            return True
    else:
        answers = HashDice(f"{path.stem} answers")
        choose = by_caretaker if bot == "caretaker" else BOTS.get(bot, curious)(answers)
        own = of_file(spec, content, path.stem) if content else None
        game, data = (own.spec, own.data) if own is not None else (spec, b"")
        log = record(game, table, HashDice(f"{path.stem} dice"), choose, data)
        path.parent.mkdir(exist_ok=True)
        path.write_text(log.text(), "utf-8")
        print(f"{path.name}: {len(log.inputs)} inputs")
    written.parent.mkdir(exist_ok=True)
    written.write_text(transcript(spec, log), "utf-8")
    return False


if __name__ == "__main__":
    sys.exit(main())
