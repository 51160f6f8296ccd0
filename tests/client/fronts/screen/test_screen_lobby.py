"""The lobby on the full screen: what it shows at three sizes, and what keys and clicks do there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from lobby_scenes import TICKET, opened, row
from pictures import SIZES
from screen_game import Solo, listing, text_of

from client.fronts.screen.front import Front
from client.show.styled import plain
from client.system import texts
from client.system.names import columns
from client.table.lobby_notices import LobbyNearby, LobbyRoom, LobbyTerms, LobbyTicket
from client.table.notices import ChatSaid
from engine.core.registry import GAMES, game
from p2p.identity.words import fingerprint


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [*SIZES, (60, 18), (40, 10)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_lobby_fits_every_screen(name: str, size: tuple[int, int], language: str) -> None:
    texts.use(language)
    try:
        front, _door = opened(name)
        front.session.notice(LobbyTicket(TICKET, "untried"))
        for key in ("", "o", "w", "Q", "?"):
            front.press(key)
            lines = [plain(line) for line in front.draw(*size).lines]
            assert {columns(line) for line in lines} == {size[0]}
            assert len(lines) == size[1]
            front.press("escape")
    finally:
        texts.use("en")


def test_the_lobby_lists_other_tables_of_the_network_where_there_is_room() -> None:
    front, _door = opened()
    front.session.notice(LobbyNearby(("kitchen: Galactic Emperor, 2 of 4 seats free",)))
    for size in ((80, 24), (120, 40)):
        assert "Seen on this network" in text_of(front, size)
        assert "kitchen: Galactic Emperor, 2 of 4 seats free" in text_of(front, size)
    front.session.notice(LobbyNearby(()))
    assert "Seen on this network" not in text_of(front)


def test_in_spanish_the_foot_names_every_key_and_a_table_of_the_network_says_that_it_is_cut() -> None:
    front, _door = opened()
    front.session.notice(LobbyNearby((f"Dana: Eclipse, 1 de 2 asientos libres · {'opciones ' * 20}",)))
    texts.use("es")
    try:
        text = text_of(front, (80, 24))
    finally:
        texts.use("en")
    assert text.rstrip().endswith("q salir")
    assert re.search("Dana: Eclipse, 1 de 2 asientos libres .*…\n", text)


def test_the_doctor_looks_at_the_network_from_the_lobby() -> None:
    front, door = opened()
    front.press("d")
    assert front.news.texts[-1][1] == "This table uses no network."
    told: list[Callable[[Sequence[str]], None]] = []
    door.examine = told.append
    front.press("d")
    assert "Looking at the network" in text_of(front)
    told[0](["✓ own addresses: 192.0.2.1", "x the router: no answer"])
    assert "the router: no answer" in text_of(front)
    front.press("escape")
    assert front.page is None


def test_hostile_names_are_shown_escaped() -> None:
    front, _door = opened()
    assert "\x1b" not in text_of(front)


def test_news_of_the_lobby_that_all_have_room_do_not_scroll_and_more_of_them_do() -> None:
    front, _door = opened()
    whole = text_of(front)
    assert "the cat is on the keyboard" in whole
    front.press("home")
    assert text_of(front) == whole
    for number in range(60):
        front.session.notice(ChatSaid("Carl", f"line {number}."))
    front.press("end")
    assert ("the cat is on the keyboard" in text_of(front), "line 59." in text_of(front)) == (False, True)
    front.press("home")
    assert ("the cat is on the keyboard" in text_of(front), "line 59." in text_of(front)) == (True, False)


def test_the_seat_under_the_cursor_has_all_its_words_to_compare() -> None:
    front, _door = opened()
    assert fingerprint(b"Bob") not in text_of(front, (80, 24))
    front.press("down")
    assert fingerprint(b"Bob") in " ".join(text_of(front, (80, 24)).split())


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        (["r"], ("ready", False)),
        (["b"], ("bot", 3)),
        (["down", "k"], ("remove", 1)),
        (["x"], ("change", (3, {}))),
        (["down", "down", "down", "down", "x"], ("change", (5, {}))),
        (["o", "down", "down", "left", "home", "enter"], ("change", (4, {"ancient-blueprint": "random"}))),
    ],
)
def test_keys_do_what_the_foot_of_the_lobby_names(keys: list[str], asked: tuple[str, Any]) -> None:
    front, door = opened()
    for key in keys:
        front.press(key)
    assert door.asked == [asked]


def test_an_option_is_put_back_to_its_usual_value() -> None:
    front, door = opened()
    usual = {option.name: option.default for option in game("eclipse2").options}
    front.session.notice(LobbyTerms("eclipse2", 4, {**usual, "ancient-blueprint": "random"}))
    offered = list[tuple[int, Mapping[str, str]]]()

    def change(seats: int, options: Mapping[str, str]) -> str:
        offered.append((seats, options))
        return ""

    door.change = change
    for key in ("o", "down", "down", "right", "home", "enter"):
        front.press(key)
    assert offered == [(4, usual)]


def test_nobody_takes_back_the_own_seat_and_guests_take_none() -> None:
    front, door = opened()
    front.press("k")
    assert "Mark the seat of somebody else" in text_of(front, (80, 24))
    guest, theirs = opened(inviting=False)
    for key in ("down", "k", "b", "c", "Q"):
        guest.press(key)
    assert (door.asked, theirs.asked) == ([], [])
    assert guest.page is None


@pytest.mark.parametrize(("name", "count"), [("eclipse2", 3), ("rex", 6)])
def test_a_wish_is_chosen_from_what_the_game_has(name: str, count: int) -> None:
    front, door = opened(name)
    front.press("w")
    page = listing(front)
    assert len(page.listed()) > count
    assert any("★ easy for a first game" in item.text for item in page.listed())
    for _click in ("marks", "chooses"):
        front.click(*_item(front, 1))
    assert door.asked[-1][0] == "wish"
    assert front.session.gathering.wish == door.asked[-1][1] != ""


def _item(front: Front, at: int) -> tuple[int, int]:
    hit = next(hit for hit in front.draw(80, 24).hits if hit.what == "item" and hit.value == str(at))
    return hit.x, hit.y


def test_what_was_wished_for_is_marked_when_the_game_asks() -> None:
    table = Solo("eclipse2")
    assert table.session.asking.choices is not None
    wanted = next(option for option in table.session.asking.choices.options if isinstance(option, str))
    table.session.gathering.wish = wanted
    asked = table.asked
    assert asked is not None
    table.session.asking.withdrawn(asked)
    table.session.asking.asked(asked)
    listed = table.front.scene.entries(table.front.ui)
    assert table.session.asking.choices.options[listed[table.front.ui.cursor].option] == wanted


def test_what_is_typed_in_the_lobby_is_said_to_all() -> None:
    front, door = opened()
    front.press("t")
    assert front.prompt() == "say: "
    front.entered("hello; all")
    assert door.asked == [("say", "hello; all")]


def test_a_seat_has_a_letter_a_shape_a_wish_by_its_name_and_all_have_the_same_rules() -> None:
    front, _door = opened()
    front.press("down")
    text = text_of(front)
    assert re.search("▸ B■ +Bob +Orion Hegemony +direct 2 ms +ready", text)
    assert re.search("C▲ +Carl", text)
    assert f"rules {game('eclipse2').rules_version}, content #9c41: the same for all who sit ✓" in text
    assert "k refuses the seat if they differ." in " ".join(text_of(front, (80, 24)).split())


@pytest.fixture
def answers() -> list[bool]:
    return []


@pytest.mark.parametrize("way", ["key", "click"])
def test_newcomers_are_let_in_or_refused_by_key_and_by_click(way: str, answers: list[bool]) -> None:
    front, _door = opened()
    front.session.confirm(lambda: "Dina wants to sit down (acid acorn). Let them in?", answers.append)
    hit = next(hit for hit in front.draw(80, 24).hits if (hit.what, hit.value) == ("key", "n"))
    front.press("n") if way == "key" else front.click(hit.x, hit.y)
    assert answers == [False]


def test_a_click_marks_the_seat_that_is_drawn_there() -> None:
    front, _door = opened()
    for size in SIZES:
        drawn = front.draw(*size)
        for hit in drawn.hits:
            if hit.what == "seat" and hit.value == "1":
                assert "Bob" in plain(drawn.lines[hit.y])
                front.click(hit.x + 3, hit.y)
                assert front.ui.cursor == 1
        front.ui.cursor = 0


def test_who_only_watches_is_offered_no_key_of_a_seat() -> None:
    front, _door = opened(inviting=False)
    assert "ready" in text_of(front).splitlines()[-1]
    front.session.notice(LobbyRoom((row("Anna", 0),), 3))
    foot = text_of(front).splitlines()[-1]
    assert "options" in foot
    assert not re.search(r"\b(ready|wish|talk)\b", foot)


@pytest.mark.parametrize(
    ("width", "shown"), [(80, "Terran Conglom…"), (120, "Terran Conglomerate "), (200, "Terran Conglomerate ")]
)
def test_a_wish_is_whole_where_there_is_room_and_says_that_it_is_cut(width: int, shown: str) -> None:
    front, _door = opened("eclipse1")
    front.session.notice(LobbyRoom((row("Anna", 0, mine=True), row("Bob", 1, wish="terran-conglomerate")), 2))
    assert shown in text_of(front, (width, 24))


def test_two_bots_asked_for_in_a_row_come_to_two_seats_and_never_to_one() -> None:
    front, door = opened()
    front.session.notice(LobbyRoom((row("Anna", 0, mine=True, way="", rtt=None),), 3))
    front.press("b")
    front.press("b")
    assert door.asked == [("bot", 3), ("bot", 2)]
    front.ui.cursor = 2  # a marked seat is meant, and no other
    front.press("b")
    assert door.asked == [("bot", 3), ("bot", 2)]
    assert "No bot can sit down now." in text_of(front)
    front.ui.cursor = 0
    front.press("b")
    assert door.asked == [("bot", 3), ("bot", 2), ("bot", 1)]
