from __future__ import annotations

import json
from typing import Any, TypeVar, dataclass_transform

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.sections import compact
from engine.core.values import Handle, Vocabulary, order, ordered, plain

C = TypeVar("C", bound=type)
words = Vocabulary()


@dataclass_transform(frozen_default=True)
def record(cls: C) -> C:
    return words.record(cls)


@record
class Build:
    ship: str
    sector: int


@record
class Nothing:
    pass


@record
class Pair:
    first: Any
    second: Any


texts = st.text(st.characters(codec="utf-8"), max_size=6)
leaves = st.none() | st.integers(-(2**63), 2**64 - 1) | texts | st.builds(Handle, texts, st.integers(0, 99))
values = st.recursive(
    leaves | st.builds(Build, texts, st.integers(-9, 9)) | st.builds(Nothing),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.builds(Pair, inner, inner),
    max_leaves=6,
).filter(lambda value: depth(value) <= 8)
json_data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | texts
    | st.sampled_from(["build", "card", "pair", "nothing"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=8,
)


def depth(value: Any) -> int:
    parts = value if type(value) is tuple else [getattr(value, n) for n in getattr(value, "__match_args__", ())]
    nests = type(value) is tuple or hasattr(value, "__match_args__")
    return int(nests) + max(map(depth, parts), default=0)


@given(values)
def test_a_value_comes_back_from_its_plain_form(value: Any) -> None:
    assert words.value(json.loads(compact(plain(value)))) == value


@given(json_data)
def test_what_is_no_plain_form_is_refused_with_value_error(data: Any) -> None:
    try:
        value = words.value(data)
    except ValueError:
        return
    assert plain(value) == data


def test_deep_nesting_is_refused() -> None:
    data: Any = 1
    for _ in range(100_000):
        data = ["", data]
    with pytest.raises(ValueError, match="too deeply"):
        words.value(data)


@pytest.mark.parametrize("odd", [1.5, True, [1], {"a": 1}, b"x", {1}, object()])
def test_what_is_no_value_has_no_plain_form(odd: Any) -> None:
    with pytest.raises(TypeError):
        plain((1, odd))


@given(st.lists(values, max_size=6))
def test_values_of_all_kinds_have_one_order(many: list[Any]) -> None:
    listed = ordered(many)
    assert listed == ordered(reversed(many))
    keys = [order(value) for value in listed]
    assert keys == sorted(keys)
    assert len({compact(plain(value)) for value in many}) == len(listed)
    assert all(any(order(value) == key for key in keys) for value in many)


def test_none_comes_first_then_numbers_texts_records_tuples() -> None:
    assert ordered([(1,), Build("a", 2), "b", 3, None, Build("a", 1), Nothing(), -1]) == (
        None, -1, 3, "b", Build("a", 1), Build("a", 2), Nothing(), (1,),
    )  # fmt: skip


def test_two_records_may_not_share_a_word() -> None:
    with pytest.raises(TypeError, match="two records are called build"):

        @words.record
        class Build:
            other: int


def test_a_record_is_written_by_its_word_and_fields() -> None:
    assert plain(Build("cruiser", 212)) == ["build", "cruiser", 212]
    assert plain((Nothing(), None)) == ["", ["nothing"], None]
    assert plain(Handle("lots", 3)) == ["card", "lots", 3]
