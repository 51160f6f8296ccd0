"""Own content of strangers: whatever its bytes hold, it is refused in one way and at once."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from engine.core.bounds import MAX_DEPTH, MAX_WORD, bounded
from engine.core.content import ContentError
from engine.core.custom_content import MAX_DATA, MAX_FILE, of_data, of_file
from engine.core.errors import Refusal
from engine.emperor.spec import EMPEROR


def of_bounds(text: str) -> Refusal | None:
    try:
        assert bounded(text, "own") == text
    except ContentError as error:
        return error.refusal
    return None


def of_both(text: str) -> list[Refusal]:
    """What is wrong with a text as a file and as something sent; anything but ContentError comes through."""
    found = []
    for read, most in ((of_file, MAX_FILE), (of_data, MAX_DATA)):
        try:
            read(EMPEROR, text.encode(errors="surrogatepass")[:most], "own")
        except ContentError as error:
            found.append(error.refusal)
    return found


def sent(numbers: str) -> str:
    return f'[{{"numbers":{numbers},"technologies":[],"tiles":[]}}]'


# Levels and words


def test_every_list_table_and_part_of_a_key_is_a_level() -> None:
    assert of_bounds("a = " + "[" * MAX_DEPTH + "]" * MAX_DEPTH) is None
    assert of_bounds("a = 1\n\nb = " + "[" * (MAX_DEPTH + 1)) == Refusal("content/deep", "", (MAX_DEPTH, 3))
    assert of_bounds("a." * MAX_DEPTH + "a = 1") is None
    assert of_bounds("a." * (MAX_DEPTH + 1) + "a = 1") == Refusal("content/deep", "", (MAX_DEPTH, 1))
    assert of_bounds("'a' . \t" * (MAX_DEPTH + 1) + "a = 1") == Refusal("content/deep", "", (MAX_DEPTH, 1))
    assert of_bounds("{a.b = " * (MAX_DEPTH // 2)) is None
    assert of_bounds("{a.b = " * (MAX_DEPTH // 2) + "[") == Refusal("content/deep", "", (MAX_DEPTH, 1))


def test_what_stands_side_by_side_is_no_deeper() -> None:
    assert of_bounds("a = [" + "[], {b.c = 1}, 1.5,\n" * 100 + "]") is None
    assert of_bounds("a.b = 1\n" * 100) is None


@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''"])
def test_brackets_within_texts_and_comments_are_no_levels(quote: str) -> None:
    assert of_bounds(f"a = {quote}{'[' * 40}{quote} # {'[.' * 400}") is None
    assert of_bounds(f"a = {quote}{quote} {'[' * 40}") == Refusal("content/deep", "", (MAX_DEPTH, 1))


def test_a_quote_that_is_written_by_an_escape_ends_no_text() -> None:
    assert of_bounds(r'a = "\"[[[[[[[[[[[[[[[[[[[[[["') is None
    assert of_bounds('a = """x""\\"""' + "[" * 40 + '"""""') is None
    assert of_bounds("a = '\\' " + "[" * 40) == Refusal("content/deep", "", (MAX_DEPTH, 1))


@pytest.mark.parametrize("word", ["f", "9", "'{}'", '"{}"', '"""{}"""', "'''{}"])
def test_a_key_a_number_and_a_text_have_a_greatest_length(word: str) -> None:
    fits = "x" * (MAX_WORD - len(word.replace("{}", ""))) if "{}" in word else ""
    assert of_bounds("\na = " + (word.format(fits) if fits else word * MAX_WORD)) is None
    longer = word.format(fits + "x") if fits else word * (MAX_WORD + 1)
    assert of_bounds("\na = " + longer) == Refusal("content/long-word", "", (MAX_WORD, 2))


# Bytes of a hostile host, files of a careless guest


@pytest.mark.parametrize(
    "text",
    [
        *(sent('{"radius":' + "[" * deep + "1" + "]" * deep + "}") for deep in (17, 500, 960, 981, 1000, 9000)),
        sent('{"a":' * 981 + "1" + "}" * 981),
        "[" * 40_000,
        "homes." + ".".join(["3"] * 1200) + " = 1",
        ".".join(["a"] * 20_000) + " = 1",
        "[" + ".".join(["a"] * 20_000) + "]",
        "a = " + "{a = " * 9000,
    ],
)
def test_content_however_deep_is_refused_by_its_line(text: str) -> None:
    assert Refusal("content/deep", "", (MAX_DEPTH, 1)) in of_both(text)


@pytest.mark.parametrize("text", ["planet = 0x" + "f" * 5000, sent('{"planet":' + "9" * 5000 + "}"), "a" * 40_000])
def test_a_number_or_key_however_long_is_refused_by_its_line(text: str) -> None:
    assert Refusal("content/long-word", "", (MAX_WORD, 1)) in of_both(text)


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 30_000) + " = 1",
        "\n".join(f"a.b.c.d.e.f.g.h.i.j.k.l.m.n{at} = 1" for at in range(1600)),
        '"""\\' * 15_000,
        "a = " + '"""\\' * 15_000,
        "'''" * 20_000,
        '"\\' * 30_000,
        "[[tile]]\nid = 'oatha'\n" * 2700,
        "a = [" + "{}, " * 15_000 + "]",
        sent("[" + "[]," * 15_000 + "[]]"),
    ],
)
def test_what_is_made_to_keep_a_reader_busy_is_refused_like_anything_else(text: str) -> None:
    assert len(of_both(text)) == 2


def test_characters_in_halves_are_no_canonical_form() -> None:
    for text in (sent('{"\\ud800":1}'), sent('{"\ud800":1}'), sent('{"planet":"\\ud800"}')):
        with pytest.raises(ContentError) as caught:
            of_data(EMPEROR, text.encode(errors="surrogatepass"), "sent")
        assert caught.value.refusal.code == "content/form"


WORDS = st.sampled_from(
    [
        *"[]{}=,.:#\"'\n\r\t \\-+",
        *('"""', "'''", '\\"', "\\u001b", "\\ud800", "\ud800", "0x", "1e9999", "NaN", "null", "true", "1979-05-27"),
        *("planet", '"planet"', "homes", "[[tile]]", "[[unit]]", "tile", '"numbers":', '"tiles":', '"technologies":'),
        *("id", '"id":', "confidence", "effect", "3", '"3"', "99", "{}", "[]", '[{"numbers":'),
    ]
)
RUNS = st.builds(lambda word, times: word * times, WORDS, st.sampled_from([1, 1, 1, 2, 3, 17, 30, 1000, 5000]))
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.just(10**399),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=9) | st.just("id"), part, max_size=4),
    max_leaves=20,
)


@given(st.lists(RUNS, max_size=30).map("".join))
@example("planet=" + "[" * 400 + "]" * 400)
@example("homes." + "3." * 1200 + "3=1")
def test_nothing_but_a_refusal_comes_of_a_text_that_is_no_content(text: str) -> None:
    for refusal in of_both(text):
        assert refusal.code.startswith("content/")


@given(TREES, TREES, TREES, st.integers(0, 30))
def test_nothing_but_a_refusal_comes_of_tables_of_any_shape(
    numbers: object, tiles: object, row: object, deep: int
) -> None:
    for _ in range(deep):
        numbers = [numbers]
    tables = [{"numbers": numbers, "tiles": tiles, "technologies": [row, {"id": row}]}]
    text = json.dumps(tables, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert of_both(text)


@given(st.lists(RUNS, max_size=12).map("".join))
def test_a_text_within_the_bounds_is_read_without_reaching_any_limit(text: str) -> None:
    """The readers themselves complain of nothing but the notation."""
    assume(of_bounds(text) is None)
    for read in (tomllib.loads, json.loads):
        try:
            read(text)
            troubled = None
        except ValueError as error:
            troubled = type(error)
        assert troubled in (None, tomllib.TOMLDecodeError, json.JSONDecodeError)
