# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules alone: decisions, a whole game, clones and digests of Eclipse."""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator
from hashlib import blake2b
from typing import Any, Final

from bench import Measure, Note, by_turns, cost, rate
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.errors import LocalError
from engine.core.inputs import Input
from engine.core.match import Match
from engine.core.registry import GameSpec, game, settle_options
from engine.core.sections import flat
from engine.core.waits import Choose

GAME: Final = "eclipse2"
GAMES: Final = 12
OTHERS: Final = ("eclipse1", "emperor", "rex")
"""The other games, of which a quarter as many are played, by four."""
POSITIONS: Final = 300


def table_of(spec: GameSpec, seats: int, **options: str) -> Table:
    """A table with every other option at its default."""
    table = settle_options(spec, seats, options)
    if not isinstance(table, Table):
        raise LocalError(str(table))
    return table


def played(spec: GameSpec, table: Table, seed: str, checkpoint: int | None = None) -> Iterator[tuple[Match, Input]]:
    """A random game from its seed: the match, and each input that it has just taken."""
    match = Match.new(spec, table, checkpoint)
    dealer, choose = Dealer(HashDice(seed)), at_random(HashDice(f"bots/{seed}"))
    for given, _told in play(match, dealer, choose, checked=True, heard=False):
        yield match, given


def decisions(label: str, seats: int, name: str = GAME, games: int = 0) -> Measure:
    """Answers a second in random play of so many games, with the options of each listed.

    Floor: a bare generator that is sent as many answers, each with a list of as many options made for it.
    """
    spec, count = game(name), games or GAMES
    table = table_of(spec, seats)
    listed: list[int] = []
    for number in range(count):
        match = Match.new(spec, table, None)
        dealer, choose = Dealer(HashDice(str(number))), at_random(HashDice(f"bots/{number}"))

        def counted(match: Match, seat: int, ask: Choose[Any]) -> Any:
            listed.append(len(ask.options(match.g)))
            return choose(match, seat, ask)  # noqa: B023  # called within the round

        for _ in play(match, dealer, counted, checked=True):
            pass

    def ours() -> None:
        for number in range(count):
            for _ in played(spec, table, str(number)):
                pass

    def bare() -> None:
        rule = _bare_rule()
        next(rule)
        for options in listed:
            rule.send([(option,) for option in range(options)])

    took, floor, spread = by_turns(ours, bare)
    answers = len(listed)
    notes: dict[str, Note] = {"options": round(sum(listed) / answers, 1)}
    return rate(f"decisions-{label}", answers / took, "1/s", answers / floor, spread, notes)


def _bare_rule() -> Generator[None, object, None]:
    while True:
        yield


def whole_game(seats: int) -> Measure:
    """One random game from set-up to scores. Floor: making its first position."""
    spec = game(GAME)
    table = table_of(spec, seats)
    took, floor, spread = by_turns(lambda: list(played(spec, table, "whole")), lambda: Match.new(spec, table, None))
    return cost(f"game-{seats}", took, "s", floor, most=1.0, spread=spread)


def clones() -> list[Measure]:
    """A copy of a match at a segment border, and at any position. Floor: a slice of each column of the state."""
    spec = game(GAME)
    table = table_of(spec, 4)
    border: list[Match] = []
    anywhere: list[Match] = []
    for number in range(GAMES):
        for match, _given in played(spec, table, f"clone/{number}", checkpoint=1):
            (anywhere if match.tail else border).append(match.clone())
    tails = sorted(match.tail for match in (*border, *anywhere))
    notes = {"tail_mean": round(sum(tails) / len(tails), 2), "tail_most": tails[-1]}
    return [
        _clone("clone-border", _some(border), {}),
        _clone("clone-anywhere", _some(border + anywhere), notes),
    ]


def _some(matches: list[Match]) -> list[Match]:
    return matches[:: max(1, len(matches) // POSITIONS)]


def _clone(name: str, matches: list[Match], notes: dict[str, Any]) -> Measure:
    columns = [_columns(match) for match in matches]

    def ours() -> None:
        for match in matches:
            match.clone()

    def bare() -> None:
        for held in columns:
            for column in held:
                column[:]

    took, floor, spread = by_turns(ours, bare)
    return cost(name, took / len(matches) * 1e6, "µs", floor / len(matches) * 1e6, spread=spread, notes=notes)


def _columns(match: Match) -> list[array[int]]:
    """The columns of a position's sections."""
    g = match.g
    sections = [getattr(g, name) for name in g.sections]
    columns = [(part, name) for part in sections for name, shape in part.shapes.items() if shape == "column"]
    return [flat(getattr(part, name)) for part, name in columns]


def positions(label: str) -> list[Match]:
    """Copies of positions all over random games of four."""
    spec = game(GAME)
    table = table_of(spec, 4)
    found: list[Match] = []
    for number in range(GAMES):
        found += [match.clone_at(match.tail) for match, _ in played(spec, table, f"{label}/{number}", checkpoint=1)]
    return _some(found)


def digests(matches: list[Match]) -> None:
    """The digest of each, made and not remembered."""
    for match in matches:
        match._digest = b""  # a match remembers its digest until the next input
        match.digest()


def digest() -> Measure:
    """The digest of a position. Floor: BLAKE2b over the bytes that it covers."""
    matches = positions("digest")
    fed = [b"".join(getattr(match.g, name).feed() for name in match.g.sections) for match in matches]

    def bare() -> None:
        for data in fed:
            blake2b(data, digest_size=16).digest()

    took, floor, spread = by_turns(lambda: digests(matches), bare)
    size = round(sum(map(len, fed)) / len(fed))
    return cost(
        "digest", took / len(matches) * 1e6, "µs", floor / len(matches) * 1e6, spread=spread, notes={"bytes": size}
    )


def measures() -> list[Measure]:
    """All of this chapter."""
    others = [decisions(name, 4, name, max(1, GAMES // 4)) for name in OTHERS]
    return [decisions("6", 6), decisions("4", 4), *others, whole_game(4), *clones(), digest()]
