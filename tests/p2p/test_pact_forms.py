"""Pacts on the wire: any body is a pact or refused by its code."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.lockstep.pacts import FeedEnd, Pact, read_pact
from p2p.wire.codec import Value, WireError, decode, encode


def test_a_pact_survives_its_wire_form() -> None:
    pact = Pact("absent", 7, bytes(32), (FeedEnd(b"a" * 32, 3, b"b" * 32),), None, 2, (b"c" * 32,))
    assert read_pact(decode(encode(pact.body()))) == pact
    assert read_pact(decode(encode(pact.body()))).id == pact.id


VALUES: st.SearchStrategy[Value] = st.recursive(
    st.none() | st.integers(0, 9) | st.sampled_from(["absent", "back", "end"]) | st.sampled_from([bytes(32), b"x"]),
    lambda inner: st.lists(inner, max_size=6),
    max_leaves=12,
)


@given(VALUES)
def test_any_body_is_a_pact_or_refused_by_code(body: Value) -> None:
    code = ""
    try:
        assert read_pact(body).kind
    except WireError as error:
        code = error.code
    assert code in ("", "pact/shape", "pact/out", "pact/over", "pact/terms")


BODIES: list[list[Value]] = [
    ["absent", 7, bytes(32), [[b"a" * 32, 3, b"b" * 32]], None, 2, [b"c" * 32, b"d" * 32]],
    ["back", 7, bytes(32), [], [b"a" * 32, 3], 0, []],
    ["seat", 7, bytes(32), [], [1, []], 0, []],
    ["takeback", 7, bytes(32), [], [3, False], 0, []],
    ["repair", 7, bytes(32), [], [bytes(16), [[b"a" * 32, 3, b"b" * 32]], 2], 0, []],
    ["without", 7, bytes(32), [[b"a" * 32, 3, b"b" * 32]], [b"a" * 32, [b"c" * 32], True, 9, 2], 0, []],
]


def with_other_numbers(value: Value, other: Value) -> Iterator[Value]:
    """The same data with one of its numbers exchanged, each in turn."""
    if type(value) is int:
        yield other
    parts = value if isinstance(value, list) else []
    for at, part in enumerate(parts):
        yield from ([*parts[:at], changed, *parts[at + 1 :]] for changed in with_other_numbers(part, other))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: str(body[0]))
@pytest.mark.parametrize("other", [True, -1, 2**53])
def test_a_pact_is_refused_whose_numbers_no_entry_may_have(body: list[Value], other: Value) -> None:
    assert read_pact(body).kind == body[0]
    for wrong in with_other_numbers(body, other):
        with pytest.raises(WireError, match="pact/"):
            read_pact(wrong)


@pytest.mark.parametrize("over", [None, [b"c"], [b"d" * 32, b"c" * 32], [b"c" * 32, b"c" * 32], [bytes(32)] * 65])
def test_a_pact_is_over_others_that_it_names_in_order_each_once(over: Value) -> None:
    with pytest.raises(WireError, match="pact/over"):
        read_pact([*BODIES[0][:6], over])


def test_only_a_pact_that_leaves_somebody_out_or_goes_back_is_over_others() -> None:
    with pytest.raises(WireError, match="pact/over"):
        read_pact([*BODIES[1][:6], [b"c" * 32]])
