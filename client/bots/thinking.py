# SPDX-License-Identifier: GPL-3.0-or-later
"""The process in which all bots of a machine think: questions on standard input, answers on standard output.

It is given no key, no secret of the table and no hand but that of the seat that is asked. A question is a view, packed
by the process that asks, which is trusted; an answer is JSON, which that process judges like any other answer.

    question    length in 4 bytes, then the pickled level, seed and view; a view in which nothing is asked tells the
                programs of others that the game is over
    answer      length in 4 bytes, then {"value": the answer in its plain form, "best": [[worth, answer]…]} or
                {"error": text}; best: the answers that it compared, if it keeps them

A level is a name of `client.bots.LEVELS`, or what the command line of the asking process has said of a bot of others.
Such a bot is kept from question to question, one for each seat.
"""

from __future__ import annotations

import copyreg
import io
import json
import os
import pickle
from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any, BinaryIO, Final

from client.bots import LEVELS, NODES, Bot, bot
from client.bots.programs import ProgramBot, adopt
from client.bots.reasons import BEST
from engine.core.registry import game
from engine.core.sections import compact
from engine.core.values import plain
from engine.core.views import View

LENGTH: Final = 4
"""Bytes of a length."""


class _Packer(pickle.Pickler):
    """Packs the frozen mappings of a view too."""

    dispatch_table = {**copyreg.dispatch_table, MappingProxyType: lambda frozen: (_frozen, (dict(frozen),))}  # noqa: RUF012


def _frozen(values: Mapping[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def packed(level: str, seed: str, view: View) -> bytes:
    """A question to the bot of this level. seed: determines all that it picks by chance in the game."""
    into = io.BytesIO()
    _Packer(into, pickle.HIGHEST_PROTOCOL).dump((level, seed, view))
    return _framed(into.getvalue())


def read_answer(data: bytes) -> tuple[Any, list[tuple[float, Any]], str]:
    """The value in an answer, the best answers with their worth, and the error if there is no value. ValueError for
    bytes that are no answer."""
    match json.loads(data):
        case {"value": value, "best": list(best)}:
            return value, [(worth, plain) for worth, plain in best], ""
        case {"error": str(error)}:
            return None, [], error
    raise ValueError("no answer")


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more questions."""
    kept: dict[tuple[str, int], Bot] = {}
    while len(head := questions.read(LENGTH)) == LENGTH:
        level, seed, view = pickle.loads(questions.read(int.from_bytes(head, "big")))  # noqa: S301  of the own parent
        answers.write(_framed(_answer(kept, level, seed, view)))
        answers.flush()


def _answer(kept: dict[tuple[str, int], Bot], level: str, seed: str, view: View) -> bytes:
    try:
        thinker = _bot(kept, level, seed, view.seat)
        if view.ask is None:
            _tell_end(thinker, view)
            return compact({"value": None, "best": []}).encode()
        value = thinker.choose(view, view.ask, Random(f"{seed}/{view.seat}/{view.height}"), NODES)
        weighed = getattr(thinker, "weighed", ())[:BEST]
        best = [[round(worth, 3), plain(answer)] for worth, answer in weighed]
        return json.dumps({"value": plain(value), "best": best}).encode()
    except Exception as error:  # noqa: BLE001  whatever a bot does wrong, the table goes on
        return compact({"error": f"{type(error).__name__}: {error}"[:200]}).encode()


def _bot(kept: dict[tuple[str, int], Bot], level: str, seed: str, seat: int) -> Bot:
    if level in LEVELS:
        return bot(level, seed)
    if (level, seat) not in kept:
        kept[level, seat] = made = bot(adopt(level) or level)
        if isinstance(made, ProgramBot):
            made.apart = False  # this process is ended with its session
    return kept[level, seat]


def _tell_end(thinker: Bot, view: View) -> None:
    if isinstance(thinker, ProgramBot):
        scores = sorted(game(view.g.table.game).scores(view.g), key=lambda score: score.seat)
        thinker.over(tuple(score.total for score in scores), tuple(score.rank for score in scores))
        thinker.end()


def _framed(data: bytes) -> bytes:
    return len(data).to_bytes(LENGTH, "big") + data


def main() -> None:
    """Serve by pipes that nothing else has: what a bot of others prints or reads is no answer and no question."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    serve(questions, answers)


if __name__ == "__main__":
    main()
