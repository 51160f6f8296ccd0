"""What is drawn as sheets: every picture that has one, at every stage of whole games, and the battle with its dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_session import GAMES, Seat0

from client.session.battle import battle_of
from client.session.ending import end_sheet
from client.session.fairness import fairness_sheet
from client.session.past import past_of
from client.session.session import NOBODY
from client.show.battles import sheets_of
from client.show.pictures import Frame, pictures
from client.show.sheets import Sheet
from client.show.styled import packed, plain
from client.system.names import columns
from engine.core.dealer import Dealer, HashDice

EVERY = 5
"""Questions between two looks."""
SELDOM = 60
"""Questions between two looks at every seat's board."""


def games(name: str, players: int) -> Iterator[Seat0]:
    """A game of random picks at every question."""
    table, rng = Seat0(name, players), Random(4)
    table.dealer = Dealer(HashDice("sheets 4"))
    session = table.session
    while table.go():
        yield table
        while session.choices is not None and not session.sendable:
            session.asking.pick(rng.choice(session.choices.options[: session.choices.main] or session.choices.options))
        if session.draft is not None and session.sendable:
            session.asking.send()
    yield table


def fight_of(table: Seat0) -> Sequence[Sheet]:
    battle = battle_of(table.session)
    return [] if battle is None else sheets_of(battle, table.session.names)


def texts(groups: Sequence[Sheet]) -> str:
    return " ".join(
        part for group in groups for part in (group.title, group.note, *(f"{c.text} {c.note}" for c in group.cells))
    )


def boards_fit(frame: Frame) -> None:
    """Every seat's board and all that can be bought are drawn, no line wider than there is room."""
    shown = pictures(frame.view.g.table.game)
    for width in (38, 78):
        narrow = replace(frame, width=width)
        for seat in range(len(frame.names)):
            rows = [plain(row) for block in shown.seat_board(narrow, seat) for row in block]
            assert rows
            assert max(map(columns, rows)) <= width
    head, shelves = shown.shelves(frame)
    assert bool(head) == bool(shelves)
    assert all(text for shelf in shelves for ware in shelf.wares for text in ware.about())
    assert not shelves or shown.hands(frame)


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_sheet_of_a_game_can_be_drawn_at_any_time(name: str, players: int) -> None:
    drawn: set[str] = set()
    known = Seat0(name, players).session.pictures
    for at, table in enumerate(games(name, players)):
        frame = table.session.frame()
        if at % EVERY == 0:
            for word, picture in known.commands.items():
                if picture.sheet is not None and texts(picture.sheet(frame)):
                    drawn.add(word)
        if at % SELDOM == 0:
            boards_fit(frame)
            match = table.match.view(NOBODY)
            boards_fit(replace(frame, view=match))
        shares = [cell.share for group in fight_of(table) for cell in group.cells]
        assert all(share is None or 0 <= share <= 100 for share in shares)
    assert drawn | {"battle"} >= {word for word, picture in known.commands.items() if picture.sheet is not None}


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_end_shows_everybody_in_the_order_of_places_with_all_points(name: str, players: int) -> None:
    *_, table = games(name, players)
    scores = {int(score.seat): score for score in table.match.spec.scores(table.match.g)}
    groups = end_sheet(table.session)
    assert [group.look for group in groups] == [
        f"seat-{score.seat}" for score in sorted(scores.values(), key=lambda score: (score.rank, score.seat))
    ]
    assert groups[0].note.startswith("The game is over" if name == "rex" else "")
    for group in groups:
        total, *parts = (int(cell.text) for cell in group.cells)
        score = scores[int(group.look.removeprefix("seat-"))]
        assert total == score.total
        assert parts == [points for _part, points in score.parts if points]


def test_a_battle_shows_its_sides_with_odds_and_the_dice_as_they_fell() -> None:
    rolled: set[tuple[str, ...]] = set()
    shown = ""
    for table in games("eclipse2", 2):
        rolls = [each for each in table.session.recent if each.id == "combat/rolled"]
        fight = fight_of(table)
        if not fight or not rolls:
            continue
        dice = [cell for group in fight for cell in group.cells if cell.look.startswith("die-")]
        last: Any = rolls[-1].args
        assert [die.text for die in dice[: len(last["faces"])]] == [str(face) for face in last["faces"]]
        missed = ["missed" in die.look for die in dice[: len(last["faces"])]]
        assert missed == [face < last["needs"] for face in last["faces"]]
        rolled.add(tuple(die.look for die in dice))
        shown += texts(fight)
    assert rolled
    assert "if nobody retreats" in shown


def test_a_position_that_was_is_drawn_without_anybodys_secrets() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    assert past_of(table.session, 10_000) is None
    found = past_of(table.session, table.match.height)
    assert found is not None
    assert found.map.startswith("<svg")
    assert found.last == table.match.height


def test_luck_is_told_of_every_seat() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    luck, rolls = fairness_sheet(table.controls, ["Anna", "Bob"])
    assert [cell.text.split()[0] for cell in luck.cells[:2]] == ["Anna", "Bob"]
    assert rolls.title == "Rolls so far: 0"


@given(st.lists(st.integers(1, 11), min_size=1, max_size=9), st.integers(13, 40))
def test_items_in_a_row_are_never_broken_inside(sizes: list[int], width: int) -> None:
    items = [f"{'i' * (size - 1)} 0" for size in sizes]
    lines = packed(items, width)
    assert all(len(text) <= width for text in lines)
    assert [item for text in lines for item in text.rstrip(",").split(", ")] == items
