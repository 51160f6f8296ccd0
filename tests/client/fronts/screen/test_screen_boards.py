# SPDX-License-Identifier: GPL-3.0-or-later
"""The boards of the seats, the research tray and the sheet of blueprints on the full screen."""

from __future__ import annotations

import itertools
import random
import re
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from screen_game import Solo

from client.fronts.kit.cards import sheet
from client.fronts.screen.front import Front
from client.fronts.screen.shared import ShelfPage, compared
from client.games.eclipse.show.forms import hit_chance
from client.games.eclipse.show.tech import refill
from client.session.view import view_of
from client.show.document import Cell, Sheet
from client.show.styled import UNICODE, line, plain
from client.system.texts import _, use
from engine.core.registry import GAMES
from engine.eclipse.flow import Menu
from engine.eclipse.stats import COMPUTER, NOTHING, SHIELD
from engine.eclipse.terms import RARE

SIZES = ((80, 24), (120, 40))


def at_menu(name: str = "eclipse2") -> Solo:
    """A table of Eclipse at the first question for an action."""
    table, rng = Solo(name, 3), random.Random(4)
    for _step in range(100):
        draft = table.session.asking.draft
        if draft is not None and isinstance(draft.ask, Menu) and draft.empty:
            return table
        table.play(1, rng)
    raise AssertionError


def text_of(front: Front, size: tuple[int, int] = (120, 40)) -> str:
    return "\n".join(plain(each).rstrip() for each in front.draw(*size).lines)


@pytest.mark.parametrize("name", GAMES)
def test_the_board_of_every_seat_has_a_key_and_stands_beside_ones_own(name: str) -> None:
    table = Solo(name, 3)
    front = table.front
    table.play(4, random.Random(4))
    front.press("f4")
    if "boards" not in front.session.table.pictures.documents.commands:
        assert "This game has no such picture." in text_of(front)
        return
    for size in SIZES:
        shown = text_of(front, size)
        assert f"[1 A {table.session.table.names[0]}]" in shown
        assert all(
            f"{seat + 1} {letter} " in shown for seat, letter in enumerate("ABCDEF"[: len(table.session.table.names)])
        )
    front.press("2")
    assert f"B {table.session.table.names[1]}," in text_of(front) or f"B {table.session.table.names[1]}\n" in text_of(
        front
    )
    front.press("c")
    shown = text_of(front)
    assert "A Anna" in shown.splitlines()[3]
    assert " <> B Bob" in shown.splitlines()[3]
    front.press("c")
    assert "<>" not in text_of(front)
    tab = next(hit for hit in front.draw(120, 40).hits if hit.what == "tab" and hit.value == "0")
    front.click(tab.x, tab.y)
    assert "[0 all]" in text_of(front)


def test_a_long_name_on_a_card_is_folded_and_not_cut() -> None:
    cards = [Sheet("Traitors", cells=(Cell("Convoy Master, strength 3, Emirates of Hacan"),))]
    shown = [plain(row) for row in sheet(cards, -1, 30, UNICODE)]
    assert "".join(shown).split()[1:] == ["Convoy", "Master,", "strength", "3,", "Emirates", "of", "Hacan"]


def test_a_text_on_a_card_is_folded_beside_its_note_too_and_a_long_title_says_that_it_is_cut() -> None:
    cards = [
        Sheet("Player with a very long name, Lazax Empire", cells=(Cell("Convoy Master of the Fleet", "strength 3"),))
    ]
    shown = [plain(row).rstrip() for row in sheet(cards, -1, 20, UNICODE)]
    assert shown[0] == "Player with a very …"
    assert " ".join(shown[1:]).split() == ["Convoy", "Master", "of", "the", "Fleet", "strength", "3"]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", GAMES)
def test_the_title_of_every_page_begins_with_a_capital(name: str, language: str) -> None:
    front = Solo(name, 3).front
    front.draw(120, 40)
    use(language)
    for command in front.session.table.pictures.documents.commands:
        front.doing.page(command)
        assert front.page is not None
        assert front.page.title[:1].isupper(), command
    front.doing.command("rules")
    assert front.page is not None
    assert front.page.title == _("Rules, in our own words")


def test_no_discount_has_no_sign() -> None:
    front = at_menu().front
    front.draw(80, 24)
    front.press("f5")
    shown = text_of(front)
    assert "-0" not in shown
    assert re.search(r" (military|grid|nano) 0 +left you pay", shown)
    front.press("escape")
    front.press("f4")
    assert "(next -0)" not in text_of(front)


def test_an_ally_and_an_ambassador_are_named_on_the_board() -> None:
    rex, eclipse = Solo("rex", 4), at_menu()
    rex.play(6, random.Random(4))
    rex.front.draw(80, 24)
    for table in (rex, eclipse):
        draft = table.session.asking.draft
        assert draft is not None
        seats = draft.match.g.seats
        if table is rex:
            seats.alliance[0] = seats.alliance[1] = 1
        else:
            seats.reputation[0, 1] = -1 - 1
        table.front.press("f4")
    assert "allied with Bob" in text_of(rex.front, (80, 24))
    assert "[Bob]" in text_of(eclipse.front)


def test_only_rows_that_differ_are_marked() -> None:
    one, other = [[line("same"), line("left")], [line("more")]], [[line("same"), line("right"), line("long")]]
    shown = [plain(row) for row in compared(one, other, 6)]
    assert ["<>" in row for row in shown] == [False, True, True, True]
    assert shown[1].split() == ["left", "<>", "right"]


def test_a_technology_on_the_tray_goes_into_the_draft_with_its_action() -> None:
    front = at_menu().front
    front.draw(80, 24)
    front.press("f5")
    page = front.page
    assert isinstance(page, ShelfPage)
    first = page.wares()[page.cursor]
    front.press("right")
    assert page.wares()[page.cursor].title != first.title
    affordable = next(at for at, ware in enumerate(page.wares()) if "✓" in ware.tail)
    row = next(hit for hit in front.draw(80, 24).hits if hit.what == "item" and hit.value == str(affordable))
    front.click(row.x + 2, row.y)
    assert page.cursor == affordable
    assert "after: science" in text_of(front, (80, 24))
    (bought,) = page.wares()[affordable].options
    wanted = str(bought.tech)
    front.click(row.x + 2, row.y)
    assert [text.split()[:2] for text in view_of(front.session).picked] == [["research"], ["buy", wanted]]


def test_the_rules_of_what_is_marked_on_the_tray_come_first_and_lead_back_to_it() -> None:
    front = at_menu().front
    front.draw(80, 24)
    front.press("f5")
    tray = front.page
    assert isinstance(tray, ShelfPage)
    names = [ware.title for ware in tray.wares()]
    assert all(name[:1].isupper() for name in names)
    assert " F1 rules" in text_of(front, (80, 24)).splitlines()[-1]
    tray.cursor = names.index("Plasma Cannon")
    front.press("f1")
    assert text_of(front).splitlines()[2].lstrip().startswith("Plasma Cannon")
    front.press("escape")
    assert front.page is tray


def test_what_cannot_be_bought_says_so_and_stays_on_the_tray() -> None:
    front = at_menu().front
    front.draw(80, 24)
    front.press("f5")
    page = front.page
    assert isinstance(page, ShelfPage)
    page.cursor = next(at for at, ware in enumerate(page.wares()) if " x" in ware.tail)
    front.press("enter")
    assert front.page is page
    assert "cannot be bought now" in front.news.texts[-1][1]
    assert [text for text in view_of(front.session).picked if text != "research"] == []


def test_the_chance_of_a_refill_is_that_of_every_order_of_the_bag() -> None:
    bag, rare = [2, 1, 2], RARE
    category = [0, 1, rare]
    tiles = [tech for tech, count in enumerate(bag) for _ in range(count)]
    orders = [*itertools.permutations(range(len(tiles)))]
    for quota in (1, 2, 3):
        const = SimpleNamespace(category=category, setups={2: SimpleNamespace(new_technologies=quota)})
        g: Any = SimpleNamespace(round=SimpleNamespace(bag=bag), const=const, table=SimpleNamespace(seats=2))
        for wanted in range(len(bag)):
            came = 0
            for order in orders:
                left = quota
                for each in order:
                    came += (
                        tiles[each] == wanted
                        and left > 0
                        and not any(tiles[before] == wanted for before in order[: order.index(each)])
                    )
                    left -= category[tiles[each]] != rare
            assert refill(g, wanted) == pytest.approx(float(Fraction(came, len(orders))))


@pytest.mark.parametrize("name", ["eclipse1", "eclipse2"])
@pytest.mark.parametrize("size", SIZES)
def test_a_marked_part_shows_its_ship_as_it_would_be_and_what_it_would_hit(name: str, size: tuple[int, int]) -> None:
    table = at_menu(name)
    front = table.front
    front.press("g")
    assert "Upgrade 1 of 2" in text_of(front, size)
    assert "one die hits" not in text_of(front, size)
    while (row := front.scene.entries(front.ui)[0]).option < 0:
        front.press("1")
    front.ui.cursor = 0
    told = [text_of(front, size)]
    for _row in range(2):
        front.press("down")
        told.append(text_of(front, size))
    assert row.option >= 0
    assert all("one die hits" in each or "it hits nothing" in each for each in told)
    assert len({*told}) == len(told)  # each part has a ship of its own
    front.press("enter")
    assert "Upgrade 2 of 2" in text_of(front, size)
    assert [text.split()[0] for text in view_of(table.session).picked] == ["upgrade", "place"]


def test_a_marked_group_of_options_brings_its_ship_into_sight() -> None:
    front = at_menu().front
    front.press("g")
    titles = ["cruiser", "dreadnought", "interceptor", "starbase"]
    for title in titles:
        front.press("down")
        assert any(row.startswith(title) for row in text_of(front, (80, 24)).splitlines()), title


def test_a_die_hits_with_computers_and_misses_by_shields_but_for_six_and_one() -> None:
    def ship(at: int, value: int) -> tuple[int, ...]:
        return tuple(value if place == at else 0 for place in range(len(NOTHING)))

    assert hit_chance(NOTHING, NOTHING) == pytest.approx(1 / 6)
    assert hit_chance(ship(COMPUTER, 2), NOTHING) == pytest.approx(3 / 6)
    assert hit_chance(ship(COMPUTER, 9), NOTHING) == pytest.approx(5 / 6)
    assert hit_chance(ship(COMPUTER, 2), ship(SHIELD, 3)) == pytest.approx(1 / 6)
