# SPDX-License-Identifier: GPL-3.0-or-later
"""The wire: what a whole game of six sends, by kind of entry, and how many entries a decision takes.

Nothing here is timed: the same seeds give the same figures on every machine. Each entry goes over its author's five
links, as it does when all are linked with all. One game shuffles its decks more often than another, so the figures of
Eclipse are means of three games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from bench import Measure, Note, cost
from bench.engine import GAME
from bench.logs import BenchTable
from engine.core.dataclass import dataclass
from p2p.wire.codec import encode
from p2p.wire.compression import Compressor
from p2p.wire.entry import Entry
from p2p.wire.messages import Push, Sent
from p2p.wire.signing import SIGNATURE_BYTES

PLAYERS: Final = 6
TABLES: Final = ((GAME, "greedy", (1, 2, 3)), ("rex", "greedy", (1,)))
"""Games with the level of their bots and the seeds of the games that are played."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """What the table of one game sent.

    Attributes:
        numbers: entries by kind.
        sizes: by kind, the bytes that one link of each author carried.
        least: bytes of bodies and signatures alone.
    """

    numbers: Counter[str]
    sizes: Counter[str]
    least: int


def sent_bytes(entries: Iterable[Entry]) -> Counter[str]:
    """What one link of each author carries of its entries, by their kind, each pushed as soon as it is said."""
    found: Counter[str] = Counter()
    links: defaultdict[bytes, Compressor] = defaultdict(Compressor)
    for entry in entries:
        found[entry.kind] += len(links[entry.author].pack(Push((Sent(entry.raw),))))
    return found


def traffic(name: str, level: str, seed: int, players: int) -> Traffic:
    """Play a game to its end."""
    table = BenchTable(seed, name, players, level)
    table.start()
    table.play()
    entries = [entry for entry, _ in table.log]
    least = sum(len(encode(entry.body)) + SIGNATURE_BYTES for entry in entries)
    return Traffic(Counter(entry.kind for entry in entries), sent_bytes(entries), least)


def measures() -> list[Measure]:
    """All of this chapter."""
    return [found for name, level, seeds in TABLES for found in game_measures(name, level, seeds)]


def game_measures(name: str, level: str, seeds: Sequence[int], players: int = PLAYERS) -> list[Measure]:
    """Megabytes that the table of a game sends on average, beside what bodies and signatures alone take; entries a
    decision, beside one.

    Notes: the share of each kind, the megabytes of each game by its seed, and the bytes of a shuffle on one link; how
    many entries of each kind there are in all games together."""
    games = [traffic(name, level, seed, players) for seed in seeds]
    sizes, numbers = Counter[str](), Counter[str]()
    for game in games:
        sizes.update(game.sizes)
        numbers.update(game.numbers)
    megabytes = (players - 1) / 1e6
    mean, least = sizes.total() / len(games), sum(game.least for game in games) / len(games)
    notes: dict[str, Note] = {f"share/{kind}": round(size / sizes.total(), 3) for kind, size in sizes.most_common()}
    for seed, game in zip(seeds, games, strict=True):
        notes[f"game/{seed}"] = round(game.sizes.total() * megabytes, 3)
    if numbers["shuffle"]:
        notes["bytes/shuffle"] = round(sizes["shuffle"] / numbers["shuffle"])
    counts: dict[str, Note] = {f"entries/{kind}": number for kind, number in numbers.most_common()}
    decisions = numbers["answer"] + numbers["seal"]
    return [
        cost(f"sent-{name}", mean * megabytes, "MB", least * megabytes, notes=notes),
        cost(f"entries-{name}", numbers.total() / decisions, "entries", 1, notes=counts),
    ]
