from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_core_values import Build, Nothing, record

from engine.core.cards import Lens
from engine.core.dealer import HashDice
from engine.core.errors import Refusal
from engine.core.ids import Seat
from engine.core.notation import completions, format_value, parse
from engine.core.values import Handle, Value, ordered
from engine.core.waits import Choose


@record
class OneOf(Choose[Value]):
    seat: Seat
    listed: tuple[Value, ...]
    barred: tuple[Value, ...] = ()

    def options(self, g: Any, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return self.listed

    def refused(
        self, g: Any, lens: Lens | None = None, so_far: tuple[Value, ...] = ()
    ) -> Sequence[tuple[Value, Refusal]]:
        return [(value, Refusal("one-of/barred", "", (3,))) for value in self.barred]


@record
class UpTo(Choose[tuple[Value, ...]]):
    seat: Seat
    listed: tuple[Value, ...]
    most: int
    staged = True

    def options(self, g: Any, lens: Lens | None = None, so_far: tuple[Value, ...] = ()) -> Sequence[Value]:
        return () if len(so_far) == self.most or None in so_far else (None, *self.listed)


ids = st.from_regex(r"[a-z]{1,3}(-[a-z]{1,2})?", fullmatch=True)
picks = (
    ids
    | st.integers(-50, 50)
    | st.builds(Build, ids, st.integers(-9, 300))
    | st.builds(Nothing)
    | st.builds(Handle, ids, st.integers(0, 30))
)
menus = (
    st.lists(picks, min_size=1, max_size=8)
    .map(ordered)
    .filter(lambda menu: len({format_value(pick) for pick in menu}) == len(menu))
)


@given(menus)
def test_every_option_reads_as_it_is_written(menu: tuple[Value, ...]) -> None:
    ask = OneOf(Seat(0), menu)
    for option in menu:
        assert parse(format_value(option), ask, None) == option
        assert parse(f"  {format_value(option).upper()} ", ask, None) == option


@given(menus, st.integers(0, 3), st.integers())
def test_every_staged_answer_reads_as_it_is_written(menu: tuple[Value, ...], most: int, seed: int) -> None:
    ask, dice = UpTo(Seat(0), menu, most), HashDice(seed)
    answer: tuple[Value, ...] = ()
    while options := ask.options(None, None, answer):
        answer = (*answer, options[dice.below(len(options))])
    assert parse(format_value(answer), ask, None) == answer


@given(menus, st.text(max_size=12))
def test_any_text_is_an_option_or_a_refusal(menu: tuple[Value, ...], text: str) -> None:
    for ask in (OneOf(Seat(0), menu), UpTo(Seat(0), menu, 2)):
        read = parse(text, ask, None)
        assert isinstance(read, Refusal) or ask.validate(None, read) is None
        assert isinstance(completions(text, ask, None), list)


SHIPS = OneOf(
    Seat(0),
    ordered(
        [Build("cruiser", 212), Build("cruiser", 21), Build("dreadnought", 3), Nothing(), None, 12, Handle("lots", 3)]
    ),
    (Build("starbase", 3),),
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("build cruiser 212", Build("cruiser", 212)),
        ("b c 21", Build("cruiser", 21)),
        ("bu dread", Build("dreadnought", 3)),
        ("n", Nothing()),
        ("-", None),
        ("12", 12),
        ("lots#3", Handle("lots", 3)),
    ],
)
def test_a_unique_beginning_of_each_word_is_enough(text: str, meant: Value) -> None:
    assert parse(text, SHIPS, None) == meant


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("b c", "notation/ambiguous"),
        ("1", "notation/unknown"),
        ("b c 2", "notation/unknown"),
        ("build starbase 3", "one-of/barred"),
        ("", "notation/unknown"),
        ("build cruiser 212 1", "notation/unknown"),
    ],
)
def test_what_is_no_option_is_refused_with_its_reason(text: str, code: str) -> None:
    refusal = parse(text, SHIPS, None)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code


def test_a_staged_answer_says_what_it_lacks_or_has_too_much() -> None:
    ask = UpTo(Seat(0), ("a", "b"), 2)
    assert parse("a", ask, None) == Refusal("notation/incomplete", "1", ("-", "a", "b"))
    assert parse("a b a", ask, None) == Refusal("notation/too-long", "2", ("a",))
    assert parse("a c", ask, None) == Refusal("notation/unknown", "1", ("c", "-", "a", "b"))
    assert completions("a ", ask, None) == ["-", "a", "b"]
    assert completions("a b", ask, None) == ["b"]
