"""Hostile text: what others write cannot deceive a reader or a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from client.system.errors import UserError
from client.system.names import (
    FRAMING,
    MAX_COLUMNS,
    MAX_MARKS,
    checked_name,
    clipped,
    columns,
    free_name,
    member_name,
    seat_name,
    shown,
    skeleton,
)
from p2p.lockstep.genesis import Row


@pytest.mark.parametrize(
    "name",
    ["Ada", "José Ñandú", "Анна", "李小龙", "O'Neil-3", "Zoë", "محمد", "🚀 Rex", "हिन्दी", "ไม้เอก", "ᄒ\u119e\u11ab"],
)
def test_ordinary_names_stay_as_they_are(name: str) -> None:
    assert checked_name(name) == unicodedata.normalize("NFC", name)
    assert shown(name) == name


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a\x1b[2Jb", "a\\u{1b}[2Jb"),
        ("a\nb\tc", "a\\u{a}b\\u{9}c"),
        ("\u202egnp.exe", "\\u{202e}gnp.exe"),
        ("A\u200bda", "A\\u{200b}da"),
        ("Аda", "\\u{410}da"),
        ("x\u0300\u0301\u0302\u0303", "x\u0300\u0301\u0302\\u{303}"),
        ("Ann\ufe05", "Ann\\u{fe05}"),
        ("Ann\U000e0101", "Ann\\u{e0101}"),
        ("Ann\u180b", "Ann\\u{180b}"),
        ("A\u20dd\u20dd\u20dd\u20dd", "A\u20dd\u20dd\u20dd\\u{20dd}"),
        ("\u0e01\u0e47\u0e47\u0e47\u0e47", "\u0e01\u0e47\u0e47\u0e47\\u{e47}"),
        ("A\u11a8\u11a8\u11a8\u11a8", "A\u11a8\u11a8\u11a8\\u{11a8}"),
        ("a\u00a0b", "a\\u{a0}b"),
        ("\ue000", "\\u{e000}"),
    ],
)
def test_control_bidirectional_invisible_and_look_alike_characters_are_shown_escaped(text: str, safe: str) -> None:
    assert shown(text) == safe
    with pytest.raises(UserError) as error:
        checked_name(text)
    assert error.value.code == "name/misleading"


def test_a_name_has_at_most_24_columns() -> None:
    assert checked_name("x" * 24)
    assert checked_name("李" * 12)
    for name in ("x" * 25, "李" * 13):
        with pytest.raises(UserError) as error:
            checked_name(name)
        assert error.value.code == "name/long"


@pytest.mark.parametrize("text", ["👍🏽", "🇪🇸", "☝🏽 e\u0301", "क्ष", "漢字"])
def test_a_text_has_the_columns_of_its_characters_because_each_gets_cells_of_its_own(text: str) -> None:
    assert columns(text) == sum(map(columns, text)) == get_cwidth(text)


def test_a_name_is_not_empty() -> None:
    with pytest.raises(UserError) as error:
        checked_name("   ")
    assert error.value.code == "name/empty"


def test_names_are_in_normal_form_c_with_single_spaces() -> None:
    assert checked_name("  Jose\u0301   Luis ") == "Jos\u00e9 Luis"


@pytest.mark.parametrize(
    ("one", "two"), [("Pex", "Рех"), ("Rex", "rex"), ("Bill", "Bi11"), ("modern", "modem"), ("Zoë", "Zoe")]
)
def test_names_that_look_alike_share_a_skeleton(one: str, two: str) -> None:
    assert skeleton(one) == skeleton(two)


def test_different_names_have_different_skeletons() -> None:
    names = ["Ada", "Adam", "Anna", "Анна", "Rex", "Tex", "李", "王"]
    assert len({skeleton(name) for name in names}) == len(names)


@given(st.text(max_size=60))
def test_whatever_comes_is_shown_without_harm(text: str) -> None:
    safe = shown(text)
    assert not any(unicodedata.category(character)[0] == "C" for character in safe)
    assert columns(clipped(text)) <= MAX_COLUMNS


@pytest.mark.parametrize("mark", ["\u0301", "\u0e47", "\u093f", "\u20dd", "\u1161", "\ufe05"])
def test_marks_without_columns_make_no_name_longer_than_its_columns(mark: str) -> None:
    """A name of one letter with hundreds of marks would stand across the lines above and below it."""
    assert len(clipped("A" + mark * 200)) <= MAX_COLUMNS + MAX_MARKS


@given(st.text(max_size=40))
def test_a_checked_name_passes_its_own_check(text: str) -> None:
    try:
        name = checked_name(text)
    except UserError:
        return
    assert checked_name(name) == name
    assert clipped(name) == name


@pytest.mark.parametrize("name", ["Bob> yes <Ann", "Bob: yes. Ann", "Ann, Bob", "Ann & Bob", "＜Bob＞ yes", "Bob‹"])
def test_nobody_takes_a_name_that_ends_before_its_end(name: str) -> None:
    """Chat is told as “<Bob> hi” and “Bob: hi”, and several names with commas between."""
    with pytest.raises(UserError) as error:
        checked_name(name)
    assert error.value.code == "name/framing"
    assert "＜" not in name or "＜ ＞" in str(error.value)


@given(
    st.lists(st.text(st.sampled_from([*FRAMING, *"<>:,&", "A", " ", "\u0338"]), max_size=12), min_size=1, max_size=3)
)
def test_whatever_a_name_holds_where_it_is_shown_nothing_in_it_ends_it(names: list[str]) -> None:
    rows = [Row(seat, name) for seat, name in enumerate(names)]
    for row in (*rows, Row(9, names[0], "greedy")):
        shown_name = unicodedata.normalize("NFKD", seat_name(row))
        assert not set(shown_name) & set(unicodedata.normalize("NFKD", FRAMING))
    machine = member_name(rows)
    assert machine.endswith("…") or len(machine.split(" & ")) == len({*map(seat_name, rows)})


def test_who_chose_no_name_is_numbered_when_somebody_has_it_already() -> None:
    assert free_name("ann", ()) == "ann"
    assert free_name("ann", ("Bob", "ANN")) == "ann 2"
    assert free_name("ann", ("Ann", "ann 2")) == "ann 3"
    long = "x" * MAX_COLUMNS
    assert checked_name(free_name(long, (long,))) != long
