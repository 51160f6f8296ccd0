# SPDX-License-Identifier: GPL-3.0-or-later
"""One game between bots, from a seed to a row of plain data.

`simulate`, the ladder, a pool of processes and a cluster all play by `one_game`. A task and a row are plain data, so
that they can go to other processes and into files. Two runs of a task give equal rows but for the times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

from client.bots import NODES, bot
from client.bots.programs import BotProgramError, ProgramBot, known
from client.bots.version import playing_version
from client.words.rounds import ending_told, round_told
from engine.core.agenda import Table
from engine.core.dataclass import dataclass, field
from engine.core.dealer import Dealer, HashDice, play
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import GameSpec, Score, game, settle_options
from engine.core.values import Value
from engine.core.waits import Choose, Seal

RENEWED: Final = 16
"""Segments after which a match keeps a new base: bots that imagine games ask for the start of the present one."""


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played. levels: a bot's level by seat. All chance follows from the seed. programs: what the command
    line has said of bots of others, by label, so that another process knows them too."""

    game: str
    levels: tuple[str, ...]
    seed: str
    options: Mapping[str, str]
    programs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played.

    Attributes:
        version: the program's, with a digest of its bots (`client.bots.version`).
        rules: id and version of the rules.
        content: digest of the content, in hex.
        factions: id of each seat's species or faction, () for a game without.
        allies: by seat, the seats that share its victory.
        totals, ranks: by seat; empty after a fault.
        parts: by seat, the points of each kind; () in rows of games that were played before there was this field.
        digest: of the last state, in hex.
        ending: how the game ended, for games with several endings.
        fault: the error of the engine or of a bot that ended the game, "" for none.
        answers: by seat, how many answers its bot gave, sealed ones included.
        seconds: by seat, the processor time that its bot took in all; middle and worst: its median and its longest
            decision. The time of a bot in a process of its own is not counted.
        missed: by seat, how many of its answers the caretaker gave, since its program gave none; () as in parts.
    """

    version: str
    rules: str
    content: str
    seed: str
    levels: tuple[str, ...]
    factions: tuple[str, ...]
    allies: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    digest: str
    decisions: int
    rounds: int
    ending: str
    fault: str
    answers: tuple[int, ...]
    seconds: tuple[float, ...]
    middle: tuple[float, ...]
    worst: tuple[float, ...]
    parts: tuple[Mapping[str, int], ...] = ()
    missed: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


def play_task(task: GameTask) -> PlayedGame:
    """Play a task, whose game and options there are."""
    known(task.programs)
    spec = game(task.game)
    table = settle_options(spec, len(task.levels), task.options)
    assert isinstance(table, Table), table
    return one_game(spec, table, task.levels, task.seed)


def one_game(spec: GameSpec, table: Table, levels: Sequence[str], seed: str) -> PlayedGame:
    """Play one game, with a bot of `levels[seat]` in each seat.

    Each seat has its own stream of chance, so that another bot in one seat changes nothing in the others by itself. An
    exception of the engine or of a bot ends the game and becomes its fault. For a program that gives no answer the
    caretaker answers.
    """
    dealer, clock = Dealer(HashDice(seed)), _Clock(levels, seed)
    decisions, rounds, ending, fault, match = 0, 0, "played", "", None
    try:
        match = Match.new(spec, table, checkpoint=RENEWED)
        for given, told in play(match, dealer, lambda match, seat, ask: clock.choose(match, dealer, seat, ask)):
            decisions += isinstance(given, Answer)
            rounds = max(rounds, round_told(told))
            ending = ending_told(spec.id, told) or ending
    except Exception as error:  # noqa: BLE001  whatever it is, the row says it and the other games go on
        match, fault = None, f"{type(error).__name__}: {error}"
    scores = [] if match is None else sorted(spec.scores(match.g), key=lambda score: score.seat)
    clock.over(scores)
    sides = () if match is None else spec.sides(match.g)
    return PlayedGame(
        version=playing_version(spec.id),
        rules=spec.rules_id,
        content=spec.content_id(table).hex(),
        seed=seed,
        levels=tuple(levels),
        factions=tuple(side.faction for side in sides),
        allies=tuple(tuple(int(seat) for seat in side.allies) for side in sides),
        totals=tuple(score.total for score in scores),
        ranks=tuple(score.rank for score in scores),
        parts=tuple(dict(score.parts) for score in scores),
        digest="" if match is None else match.digest().hex(),
        decisions=decisions,
        rounds=rounds,
        ending="error" if fault else ending,
        fault=fault,
        **clock.fields(),
    )


class _Clock:
    """The bots of a game, and how long they think."""

    def __init__(self, levels: Sequence[str], seed: str) -> None:
        self._bots = [bot(name, f"bots/{seed}") for name in levels]
        self._chance = [Random(f"bots/{seed}/{seat}") for seat in range(len(levels))]
        self._took: list[list[float]] = [[] for _ in levels]
        self._missed = [0] * len(levels)

    def choose(self, match: Match, dealer: Dealer, seat: int, ask: Choose[Any]) -> Value:
        """The answer of the bot in a seat. It gets the state itself, and must not change it."""
        view = match.view(seat, dealer.lens(seat), copy=False)
        began = process_time()
        try:
            value = self._bots[seat].choose(view, ask, self._chance[seat], NODES)
        except BotProgramError:
            self._missed[seat] += 1
            value = ask.caretaker(None if isinstance(match.pending, Seal) else match.g)
        self._took[seat].append(process_time() - began)
        return value

    def over(self, scores: Sequence[Score]) -> None:
        """Tell programs how the game ended, and end them."""
        for each in self._bots:
            if isinstance(each, ProgramBot):
                each.over(tuple(score.total for score in scores), tuple(score.rank for score in scores))
                each.end()

    def fields(self) -> Mapping[str, Any]:
        """The part of a row that tells answers and times."""
        return {
            "missed": tuple(self._missed),
            "answers": tuple(map(len, self._took)),
            "seconds": tuple(round(sum(times), 6) for times in self._took),
            "middle": tuple(round(median(times), 6) if times else 0.0 for times in self._took),
            "worst": tuple(round(max(times, default=0.0), 6) for times in self._took),
        }
