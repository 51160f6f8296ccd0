"""Positions set up by hand: every kind of piece is counted, and a wrong count is named by path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from eclipse_table import table

from engine.core.agenda import State
from engine.core.errors import Refusal
from engine.eclipse.spec import ECLIPSE2
from engine.testing.judges import load_position

Edit = Callable[[dict[str, Any]], None]


def change(section: str, field: str, index: int | None, value: Any) -> Edit:
    def edit(data: dict[str, Any]) -> None:
        if index is None:
            data[section][field] = value
        else:
            data[section][field][index] = value

    return edit


WRONG = [
    (change("seats", "discs", 1, 16), "position/discs", "seats.discs.1"),
    (change("seats", "track", 0, 11), "position/cubes", "seats.track.0"),
    (change("seats", "ambassadors", 0, 2), "position/ambassadors", "seats.ambassadors.0"),
    (change("seats", "species", 0, 99), "position/out-of-range", "seats.species.0"),
    (change("seats", "discs", None, [3]), "position/length", "seats.discs"),
    (change("round", "bag", 0, 7), "position/technologies", "round.bag.0"),
    (change("round", "start", None, 2), "position/out-of-range", "round.start"),
    (change("sectors", "turned", 3, 6), "position/out-of-range", "sectors.turned.3"),
    (change("ships", "place", 0, 30), "position/ship-off-map", "ships.place.0"),
    (change("ships", "place", 0, 99), "position/out-of-range", "ships.place.0"),
    (change("seats", "store", 0, -1), "position/out-of-range", "seats.store.0"),
    (change("seats", "techs", 0, "x"), "position/malformed", "seats.techs.0"),
    (change("flow", "agenda", None, [["dance", 1]]), "position/agenda", "flow.agenda"),
    (change("seats", "colony", 0, 9), "position/colony-ships", "seats.colony.0"),
]


@pytest.mark.parametrize(("edit", "code", "path"), WRONG, ids=[path for _, _, path in WRONG])
def test_an_impossible_position_is_refused_by_path(edit: Edit, code: str, path: str) -> None:
    data = table(2).match.position()
    edit(data)
    refused = load_position(ECLIPSE2, data)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.path.startswith(path)) == (code, True), refused


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_position_after_setup_is_accepted_unchanged(seats: int) -> None:
    data = table(seats).match.position()
    state = load_position(ECLIPSE2, data)
    assert isinstance(state, State)
    assert state.dump() == {name: data[name] for name in state.sections}
