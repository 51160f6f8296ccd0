from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.match import Match
from engine.core.registry import Option, settle_options
from engine.core.waits import Choose, Reveal
from engine.testing.judges import load_position
from engine.testing.toy import TOY, Turn
from engine.testing.toymatch import at

START = json.loads(json.dumps(at(Turn)[0].position()))


def edited(path: str, value: Any) -> dict[str, Any]:
    """The position with one place changed; ``value`` ``...`` takes it out."""
    data: dict[str, Any] = copy.deepcopy(START)
    place: Any = data
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "code", "where"),
    [
        ("rules", "toy/2", "position/version", "rules"),
        ("position", 2, "position/version", "rules"),
        ("farm", ..., "position/malformed", "farm"),
        ("barn", {}, "position/malformed", "barn"),
        ("farm.coins", ..., "position/malformed", "farm.coins"),
        ("farm.coins.1", "five", "position/malformed", "farm.coins.1"),
        ("farm.coins.1", 40000, "position/malformed", "farm.coins.1"),
        ("farm.coins.1", -3, "toy/negative", "farm.coins.1"),
        ("farm.coins", [5, 5], "position/length", "farm.coins"),
        ("farm.bank", 41, "toy/sum", "farm.bank"),
        ("table.game", "eclipse2", "position/malformed", "table.game"),
        ("table.seats", 9, "position/malformed", "table.seats"),
        ("table.seats", 2, "position/length", "farm.coins"),
        ("table.options", {}, "position/malformed", "table.options"),
        ("table.options", {"coins": "6"}, "position/malformed", "table.options.coins"),
        ("table.options", {"coins": "5", "x": "1"}, "position/malformed", "table.options.x"),
        ("flow.now", ["turnip"], "position/agenda", "flow.now"),
        ("flow.now", ["turn"], "position/agenda-arguments", "flow.now"),
        ("flow.now", ["turn", 7], "position/agenda-arguments", "flow.now.1"),
        ("flow.now", ["round", "x"], "position/agenda-arguments", "flow.now.1"),
        ("flow.agenda.2", ["auction", 1], "position/agenda-arguments", "flow.agenda.2"),
        ("flow.agenda.1", [], "position/agenda", "flow.agenda.1"),
        ("flow.cursor", 1, "position/cursor", "flow.cursor"),
        ("flow.notices", [["vacated", 3]], "position/notice", "flow.notices.0"),
        ("decks.made.lots", -1, "position/deck", "decks.made.lots"),
        ("decks.order.lots.0", 99, "position/deck", "decks.order.lots.0"),
        ("decks.order.lots.1", START["decks"]["order"]["lots"][0], "position/deck", "decks.order.lots.1"),
        ("decks.seals.0.2", "[", "position/seal", "decks.seals.0"),
        ("decks.seals.0.2", '["sell",1]', "position/seal", "decks.seals.0"),
        ("decks.seals.0.3", '"seat-9"', "position/seal", "decks.seals.0"),
        ("decks.seals.0.1", 5, "position/seal", "decks.seals.0"),
        ("decks.claims", [[1, 2]], "position/claim", "decks.claims.0"),
        ("hands.lots.4", 99, "toy/lot", "hands.lots.4"),
    ],
)
def test_a_refusal_names_the_place(path: str, value: Any, code: str, where: str) -> None:
    refusal = load_position(TOY, edited(path, value))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.path) == (code, where)


@pytest.mark.parametrize("data", [None, [], "x", 3])
def test_what_is_no_object_is_refused(data: object) -> None:
    assert load_position(TOY, data) == Refusal("position/not-an-object")


def test_a_position_written_by_hand_is_played() -> None:
    data = edited("farm.fields", [4, 0, 0])
    data["flow"]["now"] = ["auction"]
    data["flow"]["agenda"] = [["end"]]
    state = load_position(TOY, data)
    assert not isinstance(state, Refusal)
    match = Match(TOY, state)
    assert match.g.farm.fields[0] == 4
    assert not isinstance(match.pending, Choose | Reveal)
    assert match.g.flow.agenda == [["end"]]


def test_options_are_settled_by_name_with_defaults() -> None:
    assert settle_options(TOY, 3, {}) == Table("toy", 3, {"coins": "5"}, 1)
    assert settle_options(TOY, 3, {"coins": "9"}) == Table("toy", 3, {"coins": "9"}, 1)
    assert settle_options(TOY, 5, {}) == Refusal("table/seats", "seats", (5, 2, 4))
    assert settle_options(TOY, 3, {"grain": "1"}) == Refusal("table/unknown-option", "grain", ("coins",))
    assert settle_options(TOY, 3, {"coins": "6"}) == Refusal("table/option-value", "coins", ("6", "5", "9"))


def test_options_may_conflict_or_judge_free_text() -> None:
    import dataclasses

    def names(value: str, seats: int, options: Mapping[str, str], version: int) -> Refusal | None:
        return None if len(value.split()) <= seats else Refusal("names/too-many", "names", (len(value.split()), seats))

    options = (Option("a", "off", "", ("off", "on"), conflicts=("b",)), Option("b", "no", "", ("no", "yes")))
    spec = dataclasses.replace(TOY, options=(*options, Option("names", "", "", accepts=names)))
    assert settle_options(spec, 2, {"a": "on", "b": "yes"}) == Refusal("table/option-conflict", "a", ("on", "b", "yes"))
    assert settle_options(spec, 2, {"names": "x y z"}) == Refusal("names/too-many", "names", (3, 2))
    assert isinstance(settle_options(spec, 2, {"b": "yes", "names": "x y"}), Table)
