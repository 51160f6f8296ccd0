"""A stack of panes without any game: keys, help, palette, the line at the foot, clicks."""

from __future__ import annotations

from screen_game import NoHost

from client.fronts.kit.canvas import Hit, aimed, box, hits
from client.fronts.kit.page import Page, reading
from client.fronts.kit.pane import MARKED, Item, Key, Pane
from client.fronts.kit.stack import Stack
from client.show.styled import UNICODE, Glyphs, Line, line, plain


class Lamp(Pane):
    """A lamp, the lower half of whose pane marks it."""

    def __init__(self, done: list[str]) -> None:
        self.keys = (Key(("l",), "light", "light the lamp", "light"), Key(("x",), "break", "break the lamp"))
        self.does = {"light": lambda: done.append("lit"), "break": lambda: done.append("broken")}
        self.does["enter"] = lambda: done.append("entered")

    @property
    def foot(self) -> tuple[str, ...]:
        return ("light", "help")

    def why_not(self, act: str) -> str:
        return "it is of steel" if act == "break" else ""

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> list[Line]:
        return [aimed(row, "lamp", "") for row in box([line("a lamp")], columns, height)]

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        return "light" if details else MARKED


class Room(Stack):
    """A lamp in a room, whose keys work everywhere."""

    def __init__(self) -> None:
        self.done = list[str]()
        self.lamp, self.room = Lamp(self.done), Pane()
        super().__init__(NoHost(), UNICODE, {"down": ["j"]})
        self.room.keys = (Key(("?",), "help", "these keys", "keys"), Key(("x",), "leave", "leave the room"))
        self.room.does = {"help": self.helped, "leave": lambda: self.done.append("left")}

    def base(self) -> Pane:
        return self.lamp

    def behind(self) -> tuple[Pane, ...]:
        return (self.room,)

    def text(self) -> str:
        return "\n".join(plain(each).rstrip() for each in self.draw(60, 20).lines)


def letters(done: list[str]) -> Page:
    items = [Item(each, "", lambda each=each: done.append(each)) for each in "abc"]  # type: ignore[misc]
    return Page("Letters", items=lambda: items)


def test_a_key_goes_to_the_pane_on_top_and_then_to_those_behind() -> None:
    room = Room()
    assert [room.press(key) for key in ("l", "x", "y")] == [True, True, False]
    room.open(reading("A page", lambda _width: [line("read me")]))
    assert [room.press(key) for key in ("l", "x")] == [False, True], "the lamp lies below the page"
    assert room.done == ["lit", "broken", "left"]


def test_the_help_is_that_of_what_is_on_top_without_keys_that_mean_something_else_there() -> None:
    room = Room()
    assert " l light  ? keys" in room.text()
    room.press("?")
    assert "light the lamp" in room.text()
    assert "leave the room" not in room.text(), "x breaks the lamp here"
    room.press("escape")
    room.open(reading("A page", lambda _width: [line("read me")]))
    room.press("?")
    assert "light the lamp" not in room.text()
    assert "leave the room" in room.text()
    assert "choose what is marked" not in room.text(), "nothing can be marked on a page to read"
    room.press(
        "?",
    )
    room.press("escape")
    assert "read me" in room.text()


def test_the_palette_does_what_is_chosen_where_it_was_opened_and_says_what_is_not_possible() -> None:
    room = Room()
    room.palette()
    rows = [row.strip() for row in room.text().splitlines()]
    assert any(row.startswith("x break the lamp: it is of steel") for row in rows)
    room.typed("light")
    room.entered("light")
    assert (room.done, room.page) == (["lit"], None)
    page = letters(room.done)
    room.open(page)
    room.palette()
    room.typed("leave")
    room.entered("leave")
    assert room.done == ["lit", "left"]
    assert room.page is page


def test_a_list_is_searched_walked_through_and_chosen_from_and_keys_of_ones_own_move_in_it() -> None:
    room = Room()
    for keys in (("j", "enter"), ("2",), ("/",)):
        room.open(letters(room.done))
        for key in keys:
            room.press(key)
    assert room.prompt() == "/"
    room.typed("c")
    assert room.walk(1)
    room.entered("c")
    assert "search: c" in room.text()
    room.press("enter")
    assert room.done == ["b", "b", "c"]


def test_the_second_click_at_a_cell_chooses_and_one_on_what_has_changed_does_nothing() -> None:
    room = Room()
    room.text()
    room.click(5, 5)
    assert room.done == []
    room.click(5, 5)
    room.click(6, 6, details=True)
    assert room.done == ["entered", "lit"]
    room.open(letters(room.done))
    room.click(5, 5)
    assert room.page is not None
    assert room.done == ["entered", "lit"], "the lamp was drawn there, not the letters"


def test_a_click_on_the_sign_beside_a_value_changes_it_and_a_click_beside_the_sign_does_not() -> None:
    turned = list[int]()
    page = Page("Values", items=lambda: [Item("Dice  ◂ 3 ▸", "", lambda: None, turn=turned.append)])
    lines = page.draw(40, 10, UNICODE)
    row = next(y for y, each in enumerate(lines) if "◂" in plain(each))
    text = plain(lines[row])
    found = [(hit.x, hit.value) for hit in hits(lines) if hit.what == "turn" and hit.width == 1 and hit.y == row]
    assert found == [(text.index("◂"), "0 -1"), (text.rindex("▸"), "0 1")]


def test_each_second_click_at_a_place_chooses_there() -> None:
    room = Room()
    room.text()
    for chosen in ([], ["entered"], ["entered"], ["entered", "entered"]):
        room.click(3, 5)
        assert room.done == chosen
