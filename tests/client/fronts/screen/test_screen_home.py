"""The home screen: what is chosen becomes a command that might have been typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from carriedlines import LEADING_BACK, OWN, QUOTED
from hypothesis import given
from hypothesis import strategies as st
from screen_game import NoHost, listing, sought

from client.fronts.screen.home import Home
from client.session.deeds.home import AT_HOME
from client.session.home import Errands, HomeModel
from client.session.session import Session
from client.session.start import HomeTable
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system.names import columns
from client.table.options import settled
from engine.core.registry import GAMES, game

TABLES = (HomeTable("eclipse2-17", "eclipse2  round 3  waiting for Anna"),)
KEYS = st.sampled_from(
    ["up", "down", "left", "right", "enter", "escape", "pagedown", "home", "end", "n", "o", "r", "l", "x", "j", "k"]
)


class Network(Errands):
    """Commands answer with their own words; tables are found when a test says so."""

    def __init__(self) -> None:
        self.found: Callable[[Sequence[str], str], None] | None = None
        self.tickets = [("starlock:abc", "acid acorn")]

    def answer(self, words: Sequence[str], told: Callable[[str], None]) -> None:
        told(" ".join(words))

    def look(self, told: Callable[[Sequence[str], str], None]) -> None:
        self.found = told

    def knock(self, number: int, told: Callable[[str, str], None]) -> None:
        told(*self.tickets[number]) if number < len(self.tickets) else told("", "The host does not answer.")

    def judge(self, data: bytes, told: Callable[[Sequence[str]], None]) -> None:
        """Nothing: the home screen names files."""

    def examine(self, told: Callable[[Sequence[str]], None]) -> None:
        told(["+ It has addresses."])


class Played(NoHost):
    """A home screen whose commands answer with their own words."""

    def __init__(self, tables: Sequence[HomeTable] = TABLES, glyphs: Glyphs = UNICODE, trouble: str = "") -> None:
        super().__init__()
        self.left = 0
        self.network = Network()
        finished = (HomeTable("rex-3", "Rex  Anna 4, Bob 2"),)
        self.model = HomeModel(tables, finished, self.network, self._leave, trouble=trouble)
        self.home = Home(Session(lambda *_answer: None, self._leave, glyphs), self.model, self)

    @property
    def words(self) -> list[str] | None:
        """The chosen command."""
        return [*self.model.chosen] if self.model.chosen else None

    def _leave(self) -> None:
        self.left += 1

    def shown(self, size: tuple[int, int] = (80, 24)) -> str:
        return "\n".join(plain(each) for each in self.home.draw(*size).lines)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.home.press(key)


def test_the_first_entry_goes_on_with_the_last_table() -> None:
    played = Played()
    assert "▸ Go on: eclipse2-17  eclipse2  round 3  waiting for Anna" in played.shown()
    played.press("enter")
    assert played.words == ["resume", "eclipse2-17"]
    assert played.left == 1


def test_the_rules_of_a_game_are_read_and_not_named_alone() -> None:
    home = Played()
    home.press("r", "enter")
    assert "─ Eclipse, second edition ─" in home.shown()
    assert "Clockwise from the start player everybody takes one action" in home.shown()


def test_the_question_mark_shows_the_keys_of_what_is_on_top_and_the_commands_on_every_page() -> None:
    played = Played()
    played.press("?")
    text = played.shown((100, 50))
    assert re.search(r"^ +n +New game against bots", text, re.MULTILINE)
    assert re.search(r"^ +Esc, Backspace +close the page", text, re.MULTILINE)
    assert any(row.strip() == "help" for row in text[text.index("Leave") :].splitlines())
    played.press("?", "escape", "l")
    assert "New game against bots" not in played.shown()
    played.press("?")
    assert "close the page" in played.shown()
    assert "New game against bots" not in played.shown()


def test_a_form_sets_how_many_people_play_at_this_screen() -> None:
    played = Played(())
    played.press("n", "down", "down", "down", "down", "right")
    assert "people at this screen:  ◂ 2 ▸" in played.shown()
    played.press("home", "enter")
    assert played.words is not None
    at = played.words.index("--people")
    assert played.words[at + 1] == "2"


def test_a_form_sets_game_seats_bots_and_options() -> None:
    played = Played(())
    to_rex = ["left"] * (len(GAMES) - [*GAMES].index("rex"))
    played.press("n", "down", *to_rex, "down", "right", "down", "right", "home", "enter")
    assert played.words is not None
    command, name, *rest = played.words
    assert (command, name) == ("play", "rex")
    assert rest[:4] == ["--players", "5", "--bots", "expert"]


def test_a_form_has_a_row_for_an_option_that_is_a_text_which_is_typed() -> None:
    played = Played(())
    played.press("n")
    assert played.home.page is not None
    titles = [item.text.partition(":")[0] for item in played.home.page.listed()]
    played.press(*["down"] * titles.index("Species"), "enter")
    assert played.home.typing
    played.home.entered(" hydran,planta ")
    assert "Species:  hydran,planta *" in played.shown()
    played.press("enter")
    played.home.entered("")
    assert "Species:  pick  " in played.shown(), "as usual"
    played.press("enter")
    played.home.entered("nobody")
    assert "x Begin: The option species: there is no species" in played.shown(), "at the row that would begin the table"


@given(st.lists(KEYS, max_size=30), st.sampled_from([(80, 24), (120, 40), (40, 10), (20, 5)]))
def test_whatever_is_pressed_the_screen_is_whole_and_the_command_is_possible(
    keys: list[str], size: tuple[int, int]
) -> None:
    played = Played()
    for key in keys:
        if played.words is None:
            played.press(key)
        assert {columns(each) for each in played.shown(size).split("\n")} == {size[0]}
    if played.words is not None and played.words[0] in ("play", "host"):
        _command, name, _players, seats, *rest = played.words
        options = [word for word, before in zip(rest, ["", *rest], strict=False) if before == "-o"]
        settled(game(name), int(seats), options)


def test_a_click_on_a_screen_that_is_too_small_chooses_nothing_of_an_earlier_frame() -> None:
    played = Played()
    spot = next(hit for hit in played.home.draw(80, 24).hits if hit.what == "item")
    played.home.draw(30, 8)
    played.home.click(spot.x, spot.y)
    assert played.words is None


def test_a_list_that_has_become_shorter_keeps_its_last_entry_marked() -> None:
    played = Played()
    played.press("j")
    assert played.network.found is not None
    played.network.found(["kitchen: Rex, 2 of 4 seats free", "attic: Rex, 1 of 4 seats free"], "")
    played.press("end")
    spot = next(hit for hit in played.home.draw(80, 24).hits if (hit.what, hit.value) == ("item", "1"))
    played.network.found([], "Nobody is here.")
    played.home.click(spot.x, spot.y)  # the frame with it is still on the screen
    played.press("right", "enter")
    assert "Looking for tables" in played.shown()


def test_a_ticket_is_typed_or_pasted_with_line_breaks_and_words_around_it() -> None:
    typed, pasted = Played(), Played()
    typed.press("t")
    assert typed.home.typing
    typed.home.entered(" starlock:abc ")
    pasted.home.pasted("come: starlock join STARLOCK:ab\nc\n")
    assert typed.words == ["join", "starlock:abc"]
    assert pasted.words == ["join", "come: starlock join STARLOCK:ab\nc"]


def test_bots_take_the_seats_that_friends_leave_empty() -> None:
    played = Played(())
    played.press("o", "down", "down", "down")
    assert "bots:" not in played.shown()
    played.press("left")
    assert "friends who come:  ◂ 2 ▸  1 bot takes the last seat" in played.shown()
    assert "bots:  ◂ greedy ▸  3: they play to win, a step ahead" in played.shown()
    played.press("home", "enter")
    assert played.words == ["host", "eclipse2", "--players", "4", "--bots", "greedy", "--friends", "2"]


def test_a_saved_game_is_chosen_from_the_tables_of_this_home_or_typed() -> None:
    played = Played()
    played.press("p")
    assert "▸ rex-3  Rex  Anna 4, Bob 2" in played.shown()
    played.press("enter")
    assert played.words == ["replay", "rex-3"]
    typed = Played()
    typed.press("v", "f")
    typed.home.entered("friday.star")
    assert "verify -- friday.star" in typed.shown()


def test_the_home_screen_says_first_why_the_last_choice_failed() -> None:
    played = Played(trouble="The ticket has a typing error.")
    assert "The ticket has a typing error." in played.shown()
    played.press("escape")
    assert "New game against bots" in played.shown()


def test_a_table_of_this_network_is_joined_once_the_words_of_its_host_were_shown() -> None:
    played = Played(())
    played.press("j")
    assert "Looking for tables on this network" in played.shown()
    assert played.network.found is not None
    played.network.found(["Dana: Rex, 2 of 3 seats free", "Eve: Rex, 1 of 3 seats free"], "")
    assert "▸ Dana: Rex, 2 of 3 seats free" in played.shown()
    played.press("enter")
    assert "The inviter's words are: acid acorn." in played.shown()
    assert played.words is None
    played.press("enter")
    assert played.words == ["join", "starlock:abc"]


def test_a_host_who_does_not_answer_and_a_network_without_tables_are_told() -> None:
    played = Played(())
    played.press("j")
    assert played.network.found is not None
    played.network.found([], "There is no open table on this network.")
    assert "There is no open table on this network." in played.shown()
    played.press("enter")  # look again
    played.network.found(["Dana", "Eve"], "")
    played.press("down", "enter")
    assert "The host does not answer." in played.shown()
    played.press("enter")
    assert "▸ Eve" in played.shown()
    assert played.words is None


def test_odds_are_asked_by_typing_the_ships() -> None:
    played = Played(())
    played.press("b")
    assert played.typed == "eclipse2 2 cruiser vs ancient"
    played.home.entered("eclipse2 cruiser vs ancient")
    assert "odds -- eclipse2 cruiser vs ancient" in played.shown()


def test_the_keys_of_the_table_are_listed() -> None:
    played = Played(())
    played.press("k")
    assert "take the last step back that is not sent yet" in played.shown((120, 60))


def test_every_key_at_the_foot_can_be_clicked() -> None:
    played = Played()
    for word in ("q", "Enter"):
        played.left = 0
        hit = next(hit for hit in played.home.draw(80, 24).hits if hit.value == word)
        played.home.click(hit.x, hit.y)
        assert played.left == 1


def test_an_arrow_beside_a_value_changes_it_by_a_click() -> None:
    played = Played(())
    played.press("enter")
    for column, game_name in (("▸", "Eclipse, first edition"), ("◂", "Eclipse, second edition")):
        y, row = next((y, row) for y, row in enumerate(played.shown().splitlines()) if " game:" in row)
        played.home.click(row.index(column), y)
        assert f"◂ {game_name} ▸" in played.shown()


def test_what_a_command_answers_is_a_page() -> None:
    played = Played()
    played.press("l")
    assert "─ Your tables ─" in played.shown()
    played.press("escape")
    assert "Go on:" in played.shown()


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_without_unicode_the_home_screen_is_ascii(size: tuple[int, int]) -> None:
    home = Played(TABLES, ASCII).home
    for key in ("n", "escape", "r"):
        home.press(key)
        assert "".join(plain(each) for each in home.draw(*size).lines).isascii()


def test_a_table_by_post_goes_on_by_post() -> None:
    played = Played((HomeTable("rex-3", "Rex  round 2  by post", by_post=True),))
    played.press("enter")
    assert played.words == ["post", "rex-3"]


def test_a_pasted_bundle_is_read_by_post_and_a_ticket_joins() -> None:
    for text, words in (
        ("> (1/1) starlock-post:\n> ae ", ["post", "--in=> (1/1) starlock-post:\n> ae"]),
        ("starlock:x", ["join", "starlock:x"]),
    ):
        played = Played()
        played.home.pasted(text)
        assert played.words == words


@pytest.mark.parametrize("line", LEADING_BACK)
def test_an_answer_and_a_ticket_of_a_running_table_open_what_they_are_for(line: str) -> None:
    played = Played()
    played.home.pasted(f"Bob wrote: {line} see you")
    assert played.words == ["resume", f"Bob wrote: {line} see you"]


@pytest.mark.parametrize(("text", "back"), QUOTED)
def test_an_answer_below_the_own_ticket_is_taken_and_any_other_ticket_joins(text: str, back: bool) -> None:
    played = Played((*TABLES, HomeTable("eclipse2-beef", "waiting for friends", lobby=OWN.lobby)))
    played.home.pasted(text)
    assert played.words == ["resume" if back else "join", text]


def test_what_is_typed_for_odds_is_read_as_ships_and_never_as_an_option() -> None:
    from client.session.home import printed

    assert "The attacker wins:" in printed(("odds", "--", *["eclipse2", "cruiser", "vs", "ancient"]))
    assert "--input" in printed(("odds", "--", *["eclipse2", "--input", "/etc/passwd"])).splitlines()[0]


def test_the_palette_of_the_home_screen_finds_what_a_command_is_called() -> None:
    shown = Played()
    shown.home.press("c-p")
    page = listing(shown.home)
    for command in ("host", "doctor", "config", "keys", "odds", "verify"):
        assert AT_HOME[command].title in [each.text for each in sought(page, command)], command
