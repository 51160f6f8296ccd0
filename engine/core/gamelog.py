# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole game as text: the table, every input in plain form, some digests, the scores; and its transcript.

Recorded logs (*golden* logs) detect changes of the rules: a change of a digest requires a new version of the rules. A
log of a game with a table's own content contains it. A transcript is the same game for a reader: answers in notation,
events by id and arguments.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Self

from engine.core.agenda import Table
from engine.core.content import ContentError
from engine.core.custom_content import of_data
from engine.core.dataclass import dataclass
from engine.core.dealer import Chooser, Dealer, HashDice, play
from engine.core.errors import LocalError, Refusal
from engine.core.events import Event
from engine.core.inputs import Answer, Input, Notice, Outcome, input_plain, input_value
from engine.core.match import Match
from engine.core.notation import format_value
from engine.core.registry import GameSpec, by_rules, settle_options
from engine.core.sections import compact
from engine.core.values import Plain
from engine.core.waits import Reveal, Roll

__all__ = ["GameLog", "played", "record", "replay", "transcript"]

DIGEST_EVERY = 50


@dataclass(frozen=True, slots=True)
class GameLog:
    """One game. ``digests``: number of inputs → digest after them, in hex. ``scores``: seat, total, rank.

    ``content``: the canonical form of the table's own content, empty for the content that comes with the game.
    """

    rules: str
    seats: int
    options: dict[str, str]
    inputs: tuple[Plain, ...]
    digests: dict[int, str]
    scores: tuple[tuple[int, int, int], ...]
    content: str = ""

    def text(self) -> str:
        """Return the log as JSON with one input in each line."""
        head: dict[str, Any] = {
            "rules": self.rules, "seats": self.seats, "options": self.options, "scores": self.scores,
        }  # fmt: skip
        if self.content:
            head["content"] = self.content
        rows = [
            compact(["digest", count, digest]) + ",\n" + compact(given) if digest else compact(given)
            for count, given in enumerate(self.inputs)
            for digest in (self.digests.get(count),)
        ]
        last = compact(["digest", len(self.inputs), self.digests[len(self.inputs)]])
        return compact(head)[:-1] + ',"inputs":[\n' + ",\n".join([*rows, last]) + "\n]}\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the log in a text. Raises ValueError, KeyError or TypeError for another form."""
        data = json.loads(text)
        inputs: list[Plain] = []
        digests: dict[int, str] = {}
        for row in data["inputs"]:
            if row[0] == "digest":
                digests[row[1]] = row[2]
            else:
                inputs.append(row)
        scores = tuple((seat, total, rank) for seat, total, rank in data["scores"])
        content = data.get("content", "")
        return cls(data["rules"], data["seats"], data["options"], tuple(inputs), digests, scores, content)


def played(spec: GameSpec, log: GameLog) -> GameSpec | Refusal:
    """Return the game with the rules and content of the log."""
    named = by_rules(spec, log.rules)
    if named is None:
        return Refusal("log/rules", "rules", (log.rules, spec.rules_id))
    if not log.content:
        return named
    try:
        return of_data(named, log.content.encode(), "content").spec
    except ContentError as error:
        return error.refusal


def record(spec: GameSpec, table: Table, dice: HashDice, choose: Chooser, content: bytes = b"") -> GameLog:
    """Play a game to its end and return its log. ``content``: the table's own content, if any."""
    match = Match.new(spec, table, None)
    inputs: list[Plain] = []
    digests: dict[int, str] = {}
    for given, _ in play(match, Dealer(dice), choose):
        inputs.append(input_plain(given))
        if len(inputs) % DIGEST_EVERY == 0:
            digests[len(inputs)] = match.digest().hex()
    digests[len(inputs)] = match.digest().hex()
    scores = _scores(match)
    return GameLog(spec.rules_id, table.seats, dict(table.options), tuple(inputs), digests, scores, content.decode())


def replay(spec: GameSpec, log: GameLog, checkpoint: int | None = 16) -> Refusal | None:
    """Return None if a replay gives the digests and scores of the log, else a refusal that names the first
    difference."""
    game = played(spec, log)
    if isinstance(game, Refusal):
        return game
    table = settle_options(game, log.seats, log.options)
    if isinstance(table, Refusal):
        return table
    match = Match.new(game, table, checkpoint)
    for count, data in enumerate(log.inputs, 1):
        given = input_value(spec.words, data)
        refusal = match.check(given)
        if refusal is not None:
            return Refusal("log/illegal", f"inputs.{count}.{refusal.path}".rstrip("."), (str(refusal), compact(data)))
        match.apply(given)
        wanted = log.digests.get(count)
        if wanted is not None and wanted != match.digest().hex():
            return Refusal("log/digest", f"inputs.{count}", (wanted, match.digest().hex()))
    if not match.over:
        return Refusal("log/unfinished", f"inputs.{len(log.inputs)}")
    if _scores(match) != log.scores:
        return Refusal("log/scores", "scores", (str(log.scores), str(_scores(match))))
    return None


def transcript(spec: GameSpec, log: GameLog) -> str:
    """Return the game for a reader: a line for each input, its events below it, the result at the end."""
    game = played(spec, log)
    if isinstance(game, Refusal):
        raise LocalError(f"a log that cannot be played: {game}")
    table = settle_options(game, log.seats, log.options)
    if isinstance(table, Refusal):
        raise LocalError(f"a log that cannot be played: {table}")
    match = Match.new(game, table, None)
    options = " ".join(f"{name}={value}" for name, value in table.options.items())
    lines = [f"{log.rules}, {log.seats} seats, {options}".rstrip(", ")]
    for data in log.inputs:
        given = input_value(spec.words, data)
        lines.append(f"{match.height:5} {_said(match, given)}")
        lines.extend(_told(match.apply(given)))
    for score in spec.scores(match.g):
        parts = ", ".join(f"{name} {points}" for name, points in score.parts)
        lines.append(f"seat {score.seat}: rank {score.rank}, {score.total} points ({parts})")
    return "\n".join(lines) + "\n"


def _said(match: Match, given: Input) -> str:
    """Return the line of an input, from the wait that it resolves."""
    match given:
        case Answer(seat, value):
            ask: Any = match.ask_of(seat)
            return f"seat {seat} {ask.word}: {format_value(value)}"
        case Notice(kind, seat):
            return f"notice: {kind} seat {seat}"
        case Outcome(value):
            wait: Any = match.pending
            shown = " ".join(format_value(item) for item in value or ())
            tag = wait.tag if isinstance(wait, Roll) else wait.play if isinstance(wait, Reveal) else ""
            return f"{wait.word} {tag}: {shown}".replace(" :", ":").rstrip(": ")


def _told(events: list[Event]) -> Iterator[str]:
    for event in events:
        args = " ".join(f"{name}={format_value(value)}" for name, value in event.args.items())
        yield f"        {event.id} {args}".rstrip()


def _scores(match: Match) -> tuple[tuple[int, int, int], ...]:
    return tuple((int(score.seat), score.total, score.rank) for score in match.spec.scores(match.g))
