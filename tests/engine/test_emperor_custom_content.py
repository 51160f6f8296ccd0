"""A table's own content: whatever a file says, the game with it plays to its end, or the file is refused."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volume import VOLUME, gated, seeds

from engine.core.canonical import content_id
from engine.core.content import ContentError
from engine.core.custom_content import MAX_DATA, MAX_FILE, CustomContent, of_data, of_file
from engine.core.dealer import Dealer, HashDice, at_random, by_caretaker, play
from engine.core.errors import Refusal
from engine.core.gamelog import GameLog, played, replay
from engine.core.match import Match
from engine.emperor import limits
from engine.emperor.catalog import standard
from engine.emperor.spec import EMPEROR
from engine.emperor.tables import Content, Numbers
from engine.testing.gamekit import claiming, play_judged, some_table
from engine.testing.judges import judge
from engine.testing.toy import TOY

TESTS = Path(__file__).parent.parent
MARKET = (TESTS / "content" / "emperor-market.toml").read_bytes()
FOLDER = TESTS.parent / "engine" / "emperor" / "content"
NAMES = ("numbers.toml", "tiles.toml", "technologies.toml")
REST = b"\n".join((FOLDER / name).read_bytes() for name in NAMES[1:])


TABLE = some_table(EMPEROR, 3, 0)


def own(text: str | bytes) -> CustomContent:
    return of_file(EMPEROR, text.encode() if isinstance(text, str) else text, "own.toml")


def refused(text: str | bytes) -> tuple[str, str]:
    with pytest.raises(ContentError) as caught:
        own(text)
    refusal = caught.value.refusal
    assert refusal is not None
    return refusal.code, refusal.path


# One form


def test_what_a_file_leaves_out_stays_as_it_is_and_the_changes_are_named() -> None:
    found = own("planet = 2\n[prices]\nmetal = [3, 3, 3, 3, 3, 3]\n")
    assert [(change.path, change.built_in, change.own) for change in found.changes] == [
        ("planet", 1, 2),
        ("prices.metal", [1, 2, 2, 2, 3, 3], [3, 3, 3, 3, 3, 3]),
    ]
    numbers = content(found).numbers
    assert (numbers.planet, numbers.prices.metal, numbers.prices.food) == (2, (3,) * 6, standard().numbers.prices.food)


def content(found: CustomContent) -> Content:
    assert found.spec.tables is not None
    made: Content = found.spec.tables.content(1)
    return made


def test_a_row_of_the_game_says_only_what_it_changes_and_a_list_holds_just_its_rows() -> None:
    changes = {change.path: (change.built_in, change.own) for change in own(MARKET).changes}
    assert changes["unit.cruiser.marks"] == (2, 1)
    assert changes["technology.fusion-drive.metal"] == (2, 1)
    assert changes["pool.3"] == (115, 60)
    assert changes["technology.saboteurs"][1] is None
    assert changes["technology.harvest-moon"][0] is None
    assert len(content(own(MARKET)).technologies) == 5


def test_the_games_own_tables_in_one_file_change_nothing() -> None:
    text = "\n".join(["\n".join(plain_lines()), REST.decode(), tables_of("numbers.toml")])
    found = own(text)
    assert found.changes == ()
    assert found.spec is own("").spec is EMPEROR


def plain_lines() -> list[str]:
    """The keys of numbers.toml that stand before its first table."""
    return (FOLDER / "numbers.toml").read_text("utf-8").partition("\n[prices]")[0].splitlines()


def tables_of(name: str) -> str:
    return "[prices]" + (FOLDER / name).read_text("utf-8").partition("\n[prices]")[2]


def test_comments_order_and_notation_make_no_difference_to_the_id() -> None:
    one = own("planet = 2\nbattle = 3\n")
    other = own("# a house rule\n\nbattle = 0x3\n\nplanet = +2 # each\n")
    assert one.data == other.data
    assert one.spec.content_id(TABLE) == other.spec.content_id(TABLE) == one.id != EMPEROR.content_id(TABLE)


def test_the_id_is_the_hash_of_the_bytes_that_travel_and_they_give_the_game_again() -> None:
    for text in (MARKET.decode(), "planet = 2"):
        found = own(text)
        assert blake2b(found.data, digest_size=16).digest() == found.spec.content_id(TABLE) == found.id
        again = of_data(EMPEROR, found.data, "sent")
        assert (again.data, again.changes) == (found.data, found.changes)
        assert again.spec.content_id(TABLE) == found.spec.content_id(TABLE)
    assert EMPEROR.content_id(TABLE) == content_id(standard())


def test_own_values_are_marked_and_the_others_keep_their_confidence() -> None:
    made = content(own(MARKET))
    sure = made.numbers.confidence
    assert (sure["round_marks"], sure["prices.metal"], sure["unit.marks"], sure["unit.hits"]) == ("own",) * 4
    assert (sure["prices.food"], sure["unit.dice"], sure["marks"]) == ("single", "single", "agreed")
    cards = {card.id: (card.confidence, card.named) for card in made.technologies}
    assert cards["time-warp"] == ("reconstructed", "single")
    assert cards["fusion-drive"] == ("own", "single")
    assert cards["harvest-moon"] == ("own", "own")


# What is refused


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("planet = ", "content/toml", ""),
        ("planet = [" * 3000, "content/deep", ""),
        ("x = " + "9" * 5000, "content/long-word", ""),
        ("planets = 2", "content/unknown-key", "planets"),
        ("planet = '2'", "content/type", "planet"),
        ("planet = true", "content/type", "planet"),
        ("planet = 2.0", "content/type", "planet"),
        ("planet = 0", "content/range", "planet"),
        ("radius = 1000000", "content/range", "radius"),
        ("market_dice = 5", "content/range", "market_dice"),
        ("metal = 7", "content/range", "metal"),
        ("[prices]\nfood = [1, 1, 1]", "content/type", "prices.food"),
        ("[prices]\nfood = [0, 1, 1, 1, 1, 1]", "content/range", "prices.food[0]"),
        ("[prices]\nfood = 3", "content/type", "prices.food"),
        ("prices = 3", "content/type", "prices"),
        ("tile = 3", "content/type", "tile"),
        ("unit = [3]", "content/type", "unit[0]"),
        ("[[unit]]\nid = 'fighter'", "content/units", "unit"),
        ("[[unit]]\nid = 'frigate'\ndice = 1\nhits = 1\nphase = 1", "content/type", "unit[0].id"),
        ("[[tile]]\nid = 'oatha'", "content/tiles", "tile"),
        ("pool = { 7 = 100 }", "content/players", "pool"),
        ("pool = { x = 100 }", "content/players", "pool"),
        ("homes = { 3 = ['d4', 'g1', 'a1'] }", "content/homes", "homes.3"),
        ("homes = { 3 = ['h1', 'g1', 'a1'] }", "content/homes", "homes.3"),
        ("homes = { 3 = ['g1', 'g1', 'a1'] }", "content/homes", "homes.3"),
        ("[[technology]]\nid = 'robotics'\neffect = 'run-command'", "content/type", "technology[0].effect"),
        ("[[technology]]\nid = 'robotics'\nrole = 'warlord'", "content/role", "technology[0].role"),
        ("[[technology]]\nid = 'robotics'\namount = 3", "content/range", "technology[0].amount"),
        ("[[technology]]\nid = 'new-card'", "content/missing", "technology[0].name"),
        ("[[technology]]\nid = 'robotics'\n[[technology]]\nid = 'robotics'", "content/id-twice", "technology[1].id"),
    ],
)
def test_a_bad_file_is_refused_by_code_and_place(text: str, code: str, path: str) -> None:
    assert refused(text) == (code, path)


CARD = """
[[technology]]
id = "{id}"
name = "{name}"
type = "industry"
metal = 0
energy = 1
role = "merchant"
effect = "hydroponics"
amount = 1
"""


@pytest.mark.parametrize("id", ["A", "d4", "Robots", "two--hyphens", "-edge", "sp ace", "x" * 33, "ro\u0441k", "a\\nb"])
def test_ids_are_words_that_can_be_typed(id: str) -> None:
    assert refused(CARD.format(id=id, name="Fine")) == ("content/id", "technology[0].id")


@pytest.mark.parametrize("name", ["", "  ", "x" * 33, "a\\u001b[2J", "\\u202Eevil", "new\\nline", "\\u0000"])
def test_names_hold_nothing_that_a_terminal_obeys(name: str) -> None:
    assert refused(CARD.format(id="fine", name=name)) == ("content/name", "technology[0].name")


def test_two_cards_of_one_effect_are_refused() -> None:
    two = CARD.format(id="one-farm", name="One") + CARD.format(id="two-farm", name="Two")
    assert refused(two) == ("content/effect-twice", "technology")


def test_a_tile_and_a_card_cannot_share_an_id() -> None:
    assert refused(CARD.format(id="oatha", name="Oatha")) == ("content/id-twice", "technology[0].id")


def test_files_beyond_64_kb_and_other_encodings_are_refused() -> None:
    assert MAX_FILE == 64_000
    assert own(b"#" * MAX_FILE).changes == ()
    assert refused(b"#" * (MAX_FILE + 1)) == ("content/too-long", "")
    assert refused(b"name = '\xff'") == ("content/not-utf8", "")


def test_a_game_whose_tables_cannot_bring_their_own_says_so() -> None:
    with pytest.raises(ContentError, match="takes no content"):
        of_file(TOY, b"", "own.toml")


def test_the_greatest_content_there_can_be_fits_into_a_message() -> None:
    row = max(len(json.dumps(dataclasses.asdict(tile))) for tile in standard().tiles)
    card = max(len(json.dumps(dataclasses.asdict(card))) for card in standard().technologies)
    names = 2 * limits.LONGEST * 6
    assert 38 * (row + names + 60) + len(limits.EFFECTS) * (card + names) + 4000 < MAX_DATA


def test_every_number_has_a_range() -> None:
    ours = {field.name for field in dataclasses.fields(Numbers) if field.type == "int"}
    assert ours <= set(limits.LEAST_AND_MOST)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"[1]",
        b"[{}]",
        b"[" * 5000,
        b"null",
        b'[{"numbers":1}]',
        b"\xff",
        b"[NaN]",
        b"x" * (MAX_DATA + 1),
    ],
)
def test_bytes_that_are_no_content_are_refused(data: bytes) -> None:
    with pytest.raises(ContentError):
        of_data(EMPEROR, data, "sent")


def test_bytes_in_another_form_than_the_canonical_one_are_refused() -> None:
    data = own(MARKET).data
    for other in (data + b" ", b" " + data, data.replace(b'"planet":1', b'"planet":1,"planet":1')):
        with pytest.raises(ContentError) as caught:
            of_data(EMPEROR, other, "sent")
        assert caught.value.refusal.code == "content/form"


# What is played

GREAT = """
planet = 20
battle = 20
pool = { 3 = 2000, 4 = 2000, 5 = 2000, 6 = 2000 }
round_marks = 30
merchant_marks = 30
metal_room = 30
energy_room = 30
food_room = 9
influence = 6
influence_price = 0
influence_step = 0
empires = { 3 = 40, 4 = 40, 5 = 40, 6 = 40 }
[prices]
food = [20, 20, 20, 20, 20, 20]
metal = [20, 20, 20, 20, 20, 20]
energy = [20, 20, 20, 20, 20, 20]
"""
SMALL = """
pool = { 3 = 1, 4 = 1, 5 = 1, 6 = 1 }
empires = { 3 = 1, 4 = 1, 5 = 1, 6 = 1 }
marks = 0
metal = 0
energy = 0
fighters = 0
metal_room = 1
energy_room = 1
food_room = 1
extra_tiles = 0
shown = 0
round_marks = 0
merchant_marks = 0
influence = 0
battle = 0
duels = 1
"""


def lines(rows: Any, key: str) -> str:
    text = ""
    for row in rows:
        text += f"[[{key}]]\n"
        for name, value in row.items():
            text += f"{name} = {json.dumps(value)}\n"
    return text


def rich() -> str:
    """Every planet sector of three planets with all icons there can be."""
    rows = tomllib.loads((FOLDER / "tiles.toml").read_text("utf-8"))["tile"]
    return lines([{**row, "planets": [[6, 6, 6]] * 3} if row["planets"] else row for row in rows], "tile")


def little() -> str:
    """A map of 19 spaces."""
    rows = tomllib.loads((FOLDER / "tiles.toml").read_text("utf-8"))["tile"]
    kept = [row for row in rows if row["kind"] in ("home", "centre", "black-hole")]
    others = [row for row in rows if row not in kept]
    homes = 'homes = { 3 = ["a1", "c5", "e1"], 4 = ["a1", "a3", "e1", "e3"], 5 = ["a1", "a3", "c5", "e1", "e3"],'
    homes += ' 6 = ["a1", "a3", "c5", "e3", "e1", "c1"] }\n'
    return "radius = 2\n" + homes + lines([*others[:12], *kept], "tile")


WILD = {"market": MARKET.decode(), "great": GREAT + rich(), "small": SMALL, "little": little()}


@pytest.mark.parametrize("name", gated(WILD, 1))
def test_a_game_with_other_content_keeps_every_promise(name: str) -> None:
    spec = own(WILD[name]).spec
    for number in seeds(1, 3 * list(WILD).index(name)):
        seats = EMPEROR.seats[number % len(EMPEROR.seats)]
        bot = (at_random, claiming)[number // len(EMPEROR.seats) % 2]
        assert play_judged(spec, some_table(spec, seats, number), number, bot) > 0


@pytest.mark.parametrize("name", WILD)
def test_stand_ins_alone_finish_a_game_with_other_content(name: str) -> None:
    spec = own(WILD[name]).spec
    match = Match.new(spec, some_table(spec, 4, 0), None)
    for _ in play(match, Dealer(HashDice(name)), by_caretaker):
        pass
    assert match.over


def test_no_wealth_overflows_what_a_column_holds() -> None:
    spec = own(GREAT + rich()).spec
    match = Match.new(spec, some_table(spec, 3, 0), None)
    most = 0
    for _ in play(match, Dealer(HashDice("rich")), by_caretaker):
        most = max(most, *match.g.seats.marks)
    assert most <= 9999
    assert judge(spec, match.g) is None


def change(text: str, draw: Callable[[int], int]) -> str:
    """A file with one thing changed: cut short, a number, a word, a line doubled or left out."""
    kind = draw(5)
    if kind == 0 or len(text) < 400:
        return text[: draw(len(text) + 1)]
    if kind == 1:
        numbers = list(re.finditer(r"\d+", text))
        at = numbers[draw(len(numbers))]
        wild = ("-1", "0", "1", "2", "5", "7", "12", "99", "40000", "9" * 30, "true", "'x'", "1.5", "[]")
        return text[: at.start()] + wild[draw(len(wild))] + text[at.end() :]
    rows = text.splitlines()
    at_row = draw(len(rows))
    if kind == 2:
        return "\n".join([*rows[:at_row], *rows[at_row + 1 :]])
    if kind == 3:
        return "\n".join([*rows[: at_row + 1], *rows[at_row:]])
    words = list(re.finditer(r"[a-z-]{3,}", text))
    one, other = words[draw(len(words))], words[draw(len(words))]
    return text[: one.start()] + other.group() + text[one.end() :]


def judged(text: str) -> CustomContent | Refusal:
    try:
        return own(text)
    except ContentError as error:
        return error.refusal


WHOLE_FILE = "\n".join(["\n".join(plain_lines()), tables_of("numbers.toml"), REST.decode()])


@settings(max_examples=15 * VOLUME, deadline=None)
@given(st.data())
def test_a_changed_file_is_refused_by_place_or_plays_to_its_end(data: st.DataObject) -> None:
    def draw(below: int) -> int:
        return data.draw(st.integers(0, below - 1))

    text = (MARKET.decode(), WHOLE_FILE)[draw(2)]
    for _ in range(1 + draw(3)):
        text = change(text, draw)
    found = judged(text)
    if isinstance(found, Refusal):
        assert found.code.startswith("content/")
        assert found.code in ("content/toml", "content/too-long", "content/deep") or found.path
        return
    assert of_data(EMPEROR, found.data, "sent").data == found.data
    match = Match.new(found.spec, some_table(found.spec, 3 + draw(4), 0), None)
    dice = HashDice(f"{draw(1000)}")
    for count, _ in enumerate(play(match, Dealer(dice), at_random(dice))):
        assert count < 50_000
    assert judge(found.spec, match.g) is None


# Logs


def test_a_log_carries_the_content_it_was_played_with() -> None:
    log = GameLog.read((TESTS / "logs" / "emperor-6-market.json").read_text("utf-8"))
    game = played(EMPEROR, log)
    assert not isinstance(game, Refusal)
    assert game.content_id(TABLE) == own(MARKET).id
    assert log.content.encode() == own(MARKET).data
    assert replay(EMPEROR, log) is None
    assert replay(EMPEROR, dataclasses.replace(log, content="")) is not None
    assert str(replay(EMPEROR, dataclasses.replace(log, content="[]"))) == "content/form"
