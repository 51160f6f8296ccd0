# SPDX-License-Identifier: GPL-3.0-or-later
"""The wire: what a whole game of six sends, by kind of entry, and how many entries a decision takes.

Nothing here is timed: the same seed gives the same figures on every machine. Each entry goes over its author's five
links, as it does when all are linked with all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from client.bench import Measure, Note, cost
from client.bench.engine import GAME
from client.bench.logs import BenchTable
from p2p.wire.codec import encode
from p2p.wire.compression import Compressor
from p2p.wire.entry import Entry
from p2p.wire.messages import Push, Sent
from p2p.wire.signing import SIGNATURE_BYTES

PLAYERS: Final = 6
TABLES: Final = ((GAME, "greedy"), ("rex", "greedy"))


def sent_bytes(entries: Iterable[Entry]) -> Counter[str]:
    """What one link of each author carries of its entries, by their kind, each pushed as soon as it is said."""
    found: Counter[str] = Counter()
    links: defaultdict[bytes, Compressor] = defaultdict(Compressor)
    for entry in entries:
        found[entry.kind] += len(links[entry.author].pack(Push((Sent(entry.raw),))))
    return found


def measures() -> list[Measure]:
    """All of this chapter."""
    return [found for name, level in TABLES for found in game_measures(name, level)]


def game_measures(name: str, level: str, seed: int = 1, players: int = PLAYERS) -> list[Measure]:
    """Megabytes that the table of one game sends, beside what bodies and signatures alone take; entries a decision,
    beside one."""
    table = BenchTable(seed, name, players, level)
    table.start()
    table.play()
    entries = [entry for entry, _ in table.log]
    sent, kinds = sent_bytes(entries), Counter(entry.kind for entry in entries)
    links = players - 1
    least = sum(len(encode(entry.body)) + SIGNATURE_BYTES for entry in entries)
    total = sum(sent.values())
    decisions = kinds["answer"] + kinds["seal"]
    shares: dict[str, Note] = {f"share/{kind}": round(size / total, 3) for kind, size in sent.most_common()}
    numbers: dict[str, Note] = {f"entries/{kind}": number for kind, number in kinds.most_common()}
    return [
        cost(f"sent-{name}", total * links / 1e6, "MB", least * links / 1e6, notes=shares),
        cost(f"entries-{name}", len(entries) / decisions, "entries", 1, notes=numbers),
    ]
