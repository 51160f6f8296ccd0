"""The pictures of Rex at every question of whole games."""

from __future__ import annotations

import pytest

from client.fronts.kit.canvas import fit
from client.games.rex.wording.texts import PROMPTS
from client.show.document import Chart
from client.show.lines import lines
from client.show.pictures import Frame, pictures
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system.names import columns
from client.system.texts import use
from client.words import DisplayNames, display_names_at, event_text, term
from client.words.asking import prompt_text
from engine.core.agenda import Table
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.ids import Seat
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.rex.catalog import city
from engine.rex.spec import REX
from engine.rex.state import CASUALTY

NAMES = ("Ada", "Bo", "Cy", "Di")
CALLED = DisplayNames("rex")
SHOWS = pictures("rex")


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def start(**options: str) -> Match:
    table = settle_options(REX, 4, {"factions": "sol,lazax,xxcha,letnev", **options})
    assert isinstance(table, Table)
    return Match.new(REX, table)


def after_setup(**options: str) -> tuple[Match, Dealer]:
    match, dealer = start(**options), Dealer(HashDice("picture"))
    for _ in play(match, dealer, at_random(HashDice("picture"))):
        if match.g.round.phase:
            return match, dealer
    raise AssertionError("the game never began")


def shown(name: str, match: Match, *words: str, seat: int = 0, glyphs: Glyphs = UNICODE) -> list[str]:
    return [plain(runs) for runs in SHOWS.documents.commands[name].draw(Frame(match.view(seat), NAMES, glyphs, words))]


def test_the_map_is_the_plan_of_28_spaces_with_fleet_units_and_influence() -> None:
    match, _ = after_setup()
    match.g.board.influence[match.g.const.space_index["grand-exchange"]] = 8
    frame = Frame(match.view(0), NAMES, UNICODE)
    plan = SHOWS.documents.commands["map"].document(frame)[0]
    assert isinstance(plan, Chart)
    assert len(plan.spots) == 28
    space = {
        name: [plain(fit(row, spot.width, spot.x)).strip() for row in plan.lines[spot.y : spot.y + spot.height]]
        for name, spot in plan.spots.items()
    }
    fleet = [rows[0] for rows in space.values() if "▸" in rows[0]]
    assert fleet
    assert all(row.split()[0] == f"▸{match.g.round.fleet}" for row in fleet)
    assert space["imperial-navy-base"][1:] == ["Imperial", "Navy Base", "D10"]
    assert space["grand-exchange"][0].split()[-1] == "8"
    assert [plain(row) for row in plan.lines] == shown("map", match)[:-1]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
@pytest.mark.parametrize("many", [3, 16, 20])
def test_the_number_of_units_stands_beside_the_disc_of_its_seat_however_long_it_is(seats: int, many: int) -> None:
    match, _ = after_setup()
    for seat in range(4):
        match.g.board.units[seat, 0] = many if seat < seats else 0
    places = SHOWS.documents.map(Frame(match.view(Seat(-1)), NAMES, UNICODE)).places
    place = next(each for each in places if each.id == match.g.const.spaces[0].id)
    pieces = list(place.pieces())
    discs = [at for at, each in enumerate(pieces) if each.shape == "disc"]
    assert len(discs) == seats
    for at in discs:
        disc, number = pieces[at], pieces[at + 1]
        look = dict(number.look)
        assert look["text_anchor"] == "start"
        assert number.at[0] > disc.at[0] + 10
        end = number.at[0] + look.get("textLength", 12 * len(number.sign))
        beside = [pieces[other].at[0] for other in discs if pieces[other].at[1] == disc.at[1]]
        assert all(end <= x - 10 for x in beside if x > disc.at[0])


def test_the_map_needs_no_unicode() -> None:
    match, _ = after_setup()
    assert all(line.isascii() for line in shown("map", match, glyphs=ASCII))


def test_a_space_tells_what_lies_and_stands_there() -> None:
    match, _ = after_setup()
    told = " ".join(shown("map", match, "imperial-navy-base"))
    assert "stronghold" in told
    assert "controlled by Di" in told
    assert "Grand Exchange" in told
    assert "nowhere" in " ".join(shown("map", match, "nowhere"))


def test_influence_is_shown_to_its_owner_only_unless_the_table_shows_it() -> None:
    match, _ = after_setup()
    held = [line.replace(" +", "").split()[2] for line in shown("boards", match, seat=1)[1:5]]
    assert held == ["?", "10", "?", "?"]
    open_table, _ = after_setup(**{"open-influence": "on"})
    assert "?" not in "".join(shown("boards", open_table, seat=1)[1:5])


def test_own_cards_are_shown_by_name_and_others_never() -> None:
    match, dealer = after_setup()
    mine = Frame(match.view(3, dealer.lens(3)), NAMES, UNICODE)
    text = " ".join(plain(runs) for runs in SHOWS.documents.commands["cards"].draw(mine))
    assert "?" not in text
    assert "#" not in text
    assert text.count(", strength ") == 4
    blind = " ".join(shown("cards", match, seat=3))
    assert blind.count("?") == 6


def test_all_leaders_are_listed_with_their_strength_and_those_who_are_lost() -> None:
    match, _ = after_setup()
    g = match.g
    lost = g.const.leaders_of[g.seats.faction[1]][0]
    g.leaders.status[lost] = CASUALTY
    told = " ".join(" ".join(shown("leaders", match)).split())
    assert all(f" {name} " in told for name in NAMES)
    assert told.count("(lost)") == 1
    row = g.const.leaders[lost]
    assert f"{term(row.id, 'rex')}: strength {row.strength} (lost)" in told


def test_everything_of_the_game_has_a_name() -> None:
    content = city(6)
    named = [
        *((row.id, row.name) for row in content.spaces),
        *((row.id, row.name) for row in content.leaders),
        *((row.id, row.name) for row in content.factions),
        *((row.id, row.name) for row in content.cards.values()),
        *((row.id, row.name) for row in content.betrayal.values()),
    ]
    assert [id for id, name in named if term(id, "rex") != name] == []


@pytest.mark.parametrize("seed", range(2))
def test_every_question_of_a_game_is_worded_and_every_picture_drawn(seed: int) -> None:
    match, asked = start(betrayal="on"), set()
    dealer = Dealer(HashDice(seed))
    random = at_random(HashDice(f"answers {seed}"))
    for step, (_given, told) in enumerate(play(match, dealer, random)):
        assert all("{" not in event_text(event, NAMES, CALLED) for event in told)
        for seat in match.owing():
            ask = match.ask_of(seat)
            assert ask is not None
            asked.add(ask.word)
            assert "{" not in prompt_text(ask, NAMES, CALLED)
            frame = Frame(match.view(seat, dealer.lens(seat)), NAMES, UNICODE)
            assert max([0, *map(columns, map(plain, lines(SHOWS.documents.before(frame, ask), 80)))]) <= 80
            assert "{" not in SHOWS.documents.status(frame)
            if step % 10 == 0:
                assert all("{" not in SHOWS.questions.hint(frame, ask, option, ()) for option in ask.options(match.g))
        if step % 40 == 0:
            assert all(max([0, *map(columns, shown(name, match))]) <= 80 for name in SHOWS.documents.commands)
    assert asked <= set(PROMPTS)
    assert len(asked) > 10


def test_what_is_told_and_picked_in_a_game_is_told_in_spanish_words() -> None:
    """Ids that are the same word in Spanish aside."""
    same, untold = {"no", "dial"}, set[tuple[str, str]]()
    table = settle_options(REX, 6, {"betrayal": "on"})
    assert isinstance(table, Table)
    use("es")
    try:
        display_names = display_names_at(REX)
        for seed in range(3):
            told = play(Match.new(REX, table), Dealer(HashDice(seed)), at_random(HashDice(f"answers {seed}")))
            for event in (event for _given, events in told for event in events):
                values = [value for name, value in event.args.items() if name != "deck"]
                words = [word for value in values for word in (value if isinstance(value, tuple) else (value,))]
                untold |= {(event.id, word) for word in words if isinstance(word, str) and display_names(word) == word}
    finally:
        use("en")
    assert {word for _id, word in untold} <= same
