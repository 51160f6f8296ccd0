"""What is drawn as documents: every picture, at every stage of whole games, and the battle with its dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seat0 import GAMES, Seat0

from client.fronts.kit.cards import cards
from client.fronts.screen.shared import shelves_of
from client.fronts.web.actions import perform
from client.session.battle import battle_of
from client.session.proof import fairness_sheet
from client.session.screens import NOBODY
from client.session.view import view_of
from client.show.battles import document_of
from client.show.boards import board_of
from client.show.document import Cell, Dice, Document, Note, Part, Sheet, Shelf, TextTable
from client.show.lines import lines
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE, packed, plain
from client.system.names import columns
from engine.core.dealer import Dealer, HashDice

EVERY = 5
"""Questions between two looks."""
SELDOM = 60
"""Questions between two looks at every seat's board."""


def games(name: str, players: int, seed: int = 4) -> Iterator[Seat0]:
    """A game of random picks at every question."""
    table, rng = Seat0(name, players), Random(seed)
    table.dealer = Dealer(HashDice(f"sheets {seed}"))
    session = table.session
    while table.go():
        yield table
        while session.asking.choices is not None and not session.asking.sendable:
            session.asking.pick(
                rng.choice(
                    session.asking.choices.options[: session.asking.choices.main] or session.asking.choices.options
                )
            )
        if session.asking.draft is not None and session.asking.sendable:
            session.asking.send()
    yield table


def fight_of(table: Seat0) -> Document:
    battle = battle_of(table.session)
    return [] if battle is None else document_of(battle, table.session.table.names)


def ids(document: Document) -> list[str]:
    return [id for block in document if (id := getattr(block, "id", ""))]


def texts(document: Document) -> str:
    return " ".join(plain(row) for row in lines(document, 1000))


def parts(document: Document) -> Iterator[Document]:
    """What stands in the parts of a document."""
    return (block.blocks for block in document if isinstance(block, Part))


def cells(document: Document) -> Iterator[Cell]:
    for block in document:
        if isinstance(block, Sheet):
            yield from block.cells
        elif isinstance(block, TextTable):
            yield from (cell for row in block.rows for cell in row)


def boards_fit(frame: Frame) -> None:
    """Every seat's board and all that can be bought are drawn, no line wider than there is room."""
    shown = pictures(frame.view.g.table.game)
    for width in (38, 78):
        narrow = replace(frame, width=width)
        for seat in range(len(frame.names)):
            rows = [plain(row).rstrip() for row in cards(board_of(shown, narrow, seat), width, UNICODE)]
            assert rows
            assert max(map(columns, rows)) <= width
    wares = [ware for shelf in shelves_of(shown, frame) for ware in shelf.wares]
    assert all(text for ware in wares for text in (ware.gives, *ware.about()))
    had = [ware for block in shown.documents.offered(frame) if isinstance(block, Shelf) for ware in block.wares]
    there = [(ware.title, ware.tail) for ware in wares if ware.look != "faint"]
    assert [(ware.title, ware.tail) for ware in had] == there, "what is offered is on the shelves, and not faint"


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_picture_of_a_game_can_be_drawn_at_any_time_and_names_no_two_blocks_alike(
    name: str, players: int
) -> None:
    drawn, named = set[str](), set[tuple[str, str]]()
    known = Seat0(name, players).session.table.pictures
    for at, table in enumerate(games(name, players)):
        frame = table.session.frame()
        if at % EVERY == 0:
            for word, picture in known.documents.commands.items():
                document = picture.document(frame)
                if texts(document):
                    drawn.add(word)
                named.update((word, id) for id in ids(document))
                assert all(len(each) == len({*each}) for each in (ids(document), *map(ids, parts(document))))
        if at % SELDOM == 0:
            boards_fit(frame)
            match = table.match.view(NOBODY)
            boards_fit(replace(frame, view=match))
        assert all(cell.share is None or 0 <= cell.share <= 100 for cell in cells(fight_of(table)))
    assert drawn == {*known.documents.commands}
    assert {("boards", chr(ord("A") + seat)) for seat in range(players)} <= named


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_the_end_shows_everybody_in_the_order_of_places_with_all_points(name: str, players: int) -> None:
    *_, table = games(name, players)
    told = [each.text for each in table.session.events.entries if each.text.startswith("The game ")][-1:]
    scores = {int(score.seat): score for score in table.match.spec.scores(table.match.g)}
    *notes, points = view_of(table.session).end
    assert isinstance(points, TextTable)
    assert [head.look for head in points.heads[1:]] == [
        f"seat-{score.seat}" for score in sorted(scores.values(), key=lambda score: (score.rank, score.seat))
    ]
    assert [note.text for note in notes if isinstance(note, Note)] == told
    for head, column in zip(points.heads[1:], list(zip(*points.rows, strict=True))[1:], strict=True):
        *parts, total = (int(cell.text) for cell in column)
        score = scores[int(head.look.removeprefix("seat-"))]
        assert total == score.total
        assert sorted(filter(None, parts)) == sorted(points for _part, points in score.parts if points)


def test_a_battle_shows_its_sides_with_odds_and_the_dice_as_they_fell() -> None:
    rolled: set[tuple[str, ...]] = set()
    shown = ""
    for table in games("eclipse2", 2, seed=7):
        rolls = [each for each in table.session.table.recent if each.id == "combat/rolled"]
        fight = fight_of(table)
        if not fight or not rolls:
            continue
        dice = next(each.dice for each in fight if isinstance(each, Dice))
        last: Any = rolls[-1].args
        assert [die.face for die in dice] == [*last["faces"]]
        assert [die.hit for die in dice] == [face >= last["needs"] for face in last["faces"]]
        rolled.add(tuple(die.colour for die in dice))
        shown += texts(fight)
    assert rolled
    assert "if nobody retreats" in shown


def test_a_position_that_was_is_drawn_without_anybodys_secrets() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    assert not perform(table.session, {"act": "past", "height": 10_000})["ok"]
    found = perform(table.session, {"act": "past", "height": table.match.height})
    assert found["map"].startswith("<svg")
    assert found["last"] == table.match.height


def test_luck_is_told_of_every_seat() -> None:
    table = Seat0("eclipse2", 2)
    table.go()
    luck, rolls = fairness_sheet(table.session)
    assert [cell.text.split()[0] for cell in luck.cells[:2]] == ["Anna", "Bob"]
    assert rolls.title == "Rolls so far: 0"


def test_a_title_with_a_sentence_takes_no_comma() -> None:
    for width in (30, 200):
        title, *below = (
            plain(row) for row in lines([Sheet("Rolls so far: 1", "Before a roll each fixes a seed.")], width)
        )
        assert title == "Rolls so far: 1"
        assert " ".join(" ".join(below).split()) == "Before a roll each fixes a seed."


@given(st.lists(st.integers(1, 11), min_size=1, max_size=9), st.integers(13, 40))
def test_items_in_a_row_are_never_broken_inside(sizes: list[int], width: int) -> None:
    items = [f"{'i' * (size - 1)} 0" for size in sizes]
    lines = packed(items, width)
    assert all(len(text) <= width for text in lines)
    assert [item for text in lines for item in text.rstrip(",").split(", ")] == items
