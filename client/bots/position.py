# SPDX-License-Identifier: GPL-3.0-or-later
"""What a seat sees and is asked, as JSON for programs: numbers and names, and no sentences.

position   {seat, height, state, known}
seat       the number of the seat
height     how many waits have been resolved
state      the sections of the game's state by name, with the numbers that are private to others as -1; the game's
           module `state` says what each field holds
known      [[deck, number, face]…]: the faces of cards that the seat knows; all other cards are numbers alone
asked      {word, arguments, staged, so_far, options}
word       the class of the question, such as "choose-role"; `arguments`: its fields by name
staged     true if the answer is a list that is made option by option
options    what may be answered now, in plain form: null, a number, a name, [word, field…] for a record, and
           ["", part…] for several parts
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.agenda import State
from engine.core.registry import game
from engine.core.values import Value, plain
from engine.core.views import View
from engine.core.waits import Choose


def position_json(view: View) -> dict[str, Any]:
    """The position that the seat sees."""
    state: State = view.g
    known = sorted(view.lens)
    return {
        "seat": int(view.seat),
        "height": view.height,
        "state": state.dump(),
        "known": [[card.deck, card.index, view.lens[card]] for card in known],
    }


def asked_json(view: View, wait: Choose[Any], so_far: tuple[Value, ...] = ()) -> dict[str, Any]:
    """A question to the seat, after these parts of an answer in several. Its options are in the order in which an
    index names them."""
    _word, *arguments = plain(wait)
    names: tuple[str, ...] = type(wait).__match_args__  # type: ignore[attr-defined]  # each is a dataclass
    return {
        "word": wait.word,
        "arguments": dict(zip(names, arguments, strict=True)),
        "staged": wait.staged,
        "so_far": [plain(part) for part in so_far],
        "options": [plain(option) for option in options_of(view, wait, so_far)],
    }


def scores_json(view: View) -> list[dict[str, Any]] | None:
    """Points and ranks by seat once the game is over, None before."""
    if view.pending is not None:
        return None
    scores = sorted(game(view.g.table.game).scores(view.g), key=lambda score: score.seat)
    return [{"total": score.total, "rank": score.rank, "parts": dict(score.parts)} for score in scores]


def options_of(view: View, wait: Choose[Any], so_far: tuple[Value, ...]) -> Sequence[Value]:
    """The options of this stage; () when a staged answer is complete."""
    return wait.options(view.g, view.lens, so_far)
