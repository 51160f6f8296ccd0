"""The pictures of Galactic Emperor at every question of whole games."""

from __future__ import annotations

import pytest

from client.games.emperor.wording.texts import PROMPTS
from client.show.lines import lines
from client.show.pictures import Frame, pictures
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system.names import columns
from client.system.texts import use
from client.words import DisplayNames, event_text, term
from client.words.asking import prompt_text
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.emperor.catalog import standard
from engine.emperor.flow import ChooseRole
from engine.emperor.roles.regent import Exert
from engine.emperor.spec import EMPEROR
from engine.emperor.state import NOBODY
from engine.emperor.terms import ROLES

NAMES = ("Ada", "Bo", "Cy")
CALLED = DisplayNames("emperor")
SHOWS = pictures("emperor")


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def start() -> Match:
    table = settle_options(EMPEROR, 3, {})
    assert isinstance(table, Table)
    return Match.new(EMPEROR, table)


def after_setup() -> Match:
    match, dice = start(), HashDice("picture")
    for _ in play(match, Dealer(dice), at_random(dice)):
        if match.g.flow.now[:1] == ["direction"]:
            return match
    raise AssertionError("the game never began")


def shown(name: str, match: Match, *words: str, glyphs: Glyphs = UNICODE) -> list[str]:
    return [plain(runs) for runs in SHOWS.documents.commands[name].draw(Frame(match.view(0), NAMES, glyphs, words))]


def test_the_map_has_37_spaces_within_80_columns() -> None:
    lines = shown("map", after_setup())
    text = "\n".join(lines)
    assert max(map(columns, lines)) <= 80
    assert all(f"{row}{n}" in text for row, n in (("a", 1), ("a", 4), ("d", 4), ("g", 4)))
    assert "SUN" in text
    assert "A# " in text


def test_the_map_needs_no_unicode() -> None:
    assert all(line.isascii() for line in shown("map", after_setup(), glyphs=ASCII))


def test_a_space_tells_what_lies_and_stands_there() -> None:
    told = " ".join(shown("map", after_setup(), "d7"))
    assert "Calidra" in told
    assert "Ada: starbase" in told
    assert "Ada: fighter" in told
    assert "z9" in " ".join(shown("map", after_setup(), "z9"))


def test_the_boards_show_storage_marks_tokens_and_points() -> None:
    lines = shown("boards", after_setup())
    assert lines[0].split() == ["Marks", "metal", "energy", "tokens", "ships", "planets", "points"]
    assert [line.split()[-7:] for line in lines[1:4]] == [["5", "1/6", "1/3", "11", "1", "1", "0"]] * 3


def test_influence_and_the_throne_are_seen_before_more_is_placed() -> None:
    match = after_setup()
    g, ask = match.g, Exert(Seat(0), 2)
    g.sectors.influence[g.const.space_index["a1"], 1] = 2
    g.seats.throne[2], g.round.throne = 1, NOBODY
    frame = Frame(match.view(0), NAMES, UNICODE, (), width=100)
    assert SHOWS.questions.hint(frame, ask, "a1", ()).endswith("; influence: Bo 2")
    assert SHOWS.questions.hint(frame, ask, "throne", ()) == "up for grabs; influence: Cy 1"
    assert "The Throne: up for grabs; influence: Cy 1" in shown("roles", match)
    assert "B+2" in "\n".join(plain(line) for line in SHOWS.documents.commands["map"].draw(frame))


def test_every_role_says_what_it_does_where_it_is_chosen() -> None:
    match = after_setup()
    hints = [
        SHOWS.questions.hint(Frame(match.view(0), NAMES, UNICODE), ChooseRole(Seat(0)), role, ()) for role in ROLES
    ]
    assert all(hints)
    assert hints[1] == "3 Marks for you; all harvest and trade"
    throne = NAMES[match.g.round.throne]
    assert f"The Throne: {throne}" in shown("roles", match)


def test_dice_are_told_by_the_seat_that_rolls_them() -> None:
    rolled = Event("warlord/rolled", {"phase": 2, "seats": (0, 0, 1), "dice": (6, 1, 4), "needs": 4})
    assert event_text(rolled, NAMES, CALLED) == "Phase 2: Ada 6 hit, 1 miss; Bo 4 hit."


def test_everything_of_the_game_has_a_name() -> None:
    content = standard()
    ids = [*(tile.id for tile in content.tiles), *(card.id for card in content.technologies)]
    assert [id for id in ids if term(id, "emperor") == id] == []


@pytest.mark.parametrize("seed", range(2))
def test_every_question_of_a_game_is_worded_and_every_picture_drawn(seed: int) -> None:
    match, asked = start(), set()
    random = at_random(HashDice(f"answers {seed}"))
    for step, (_given, told) in enumerate(play(match, Dealer(HashDice(seed)), random)):
        assert all("{" not in event_text(event, NAMES, CALLED) for event in told)
        for seat in match.owing():
            ask = match.ask_of(seat)
            assert ask is not None
            asked.add(ask.word)
            assert "{" not in prompt_text(ask, NAMES, CALLED)
            frame = Frame(match.view(seat), NAMES, UNICODE)
            assert max([0, *map(columns, map(plain, lines(SHOWS.documents.before(frame, ask), 80)))]) <= 80
            assert frame.g.seats.reserve[seat] >= 0
            assert "{" not in SHOWS.documents.status(frame)
            if step % 10 == 0:
                hints = [SHOWS.questions.hint(frame, ask, option, ()) for option in ask.options(match.g)]
                assert all("{" not in hint for hint in hints)
        if step % 40 == 0:
            assert all(max([0, *map(columns, shown(name, match))]) <= 80 for name in SHOWS.documents.commands)
    assert asked <= set(PROMPTS)
    assert len(asked) > 12
    assert match.over
    assert SHOWS.documents.moment(Frame(match.view(0), NAMES, UNICODE)).endswith(", over")
