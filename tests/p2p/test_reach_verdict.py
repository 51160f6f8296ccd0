"""What is known about who can reach a process is judged in one word, and never better than it is proven."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.reach.verdict import SCOPES, CallBack, Facts, judge, outside

NONE = Facts()
FOUR, SIX = "8.8.4.7", "2a0e:8888::7"


def call(host: str = FOUR, *, came: bool, certain: bool = True) -> CallBack:
    return CallBack("relay://8.8.4.9:40918", host, 4711, came, certain)


@pytest.mark.parametrize(
    ("facts", "cause", "scope"),
    [
        (replace(NONE, local=True, relayed=True), "local", "network"),
        (replace(NONE, online=False), "offline", "network"),
        (NONE, "no-way", "network"),
        (replace(NONE, asked=False), "unasked", "unknown"),
        (replace(NONE, routed=False), "no-gateway", "network"),
        (replace(NONE, relayed=True, behind=True, kind="symmetric"), "relay", "anywhere"),
        (replace(NONE, mapped=True), "mapped", "anywhere"),
        (replace(NONE, mapped=True, calls=(call(came=False),)), "blocked", "network"),
        (replace(NONE, mapped=True, calls=(call(came=True),)), "called", "anywhere"),
        (replace(NONE, outside=frozenset({4})), "untried", "unknown"),
        (replace(NONE, outside=frozenset({4}), calls=(call(came=False),)), "closed", "network"),
        (replace(NONE, outside=frozenset({4, 6}), calls=(call(came=False),)), "untried", "unknown"),
        (replace(NONE, outside=frozenset({4, 6}), calls=(call(SIX, came=True),)), "called-6", "anywhere"),
        (replace(NONE, outside=frozenset({4}), calls=(call(came=True, certain=False),)), "opened", "unknown"),
        (replace(NONE, outside=frozenset({4}), behind=True), "another-router", "network"),
        (replace(NONE, outside=frozenset({4}), kind="symmetric"), "symmetric", "network"),
        (replace(NONE, outside=frozenset({4, 6}), kind="symmetric"), "untried", "unknown"),
    ],
)
def test_each_case_has_its_cause_and_its_scope(facts: Facts, cause: str, scope: str) -> None:
    assert (judge(facts), SCOPES[judge(facts)]) == (cause, scope)


CALLS = st.lists(st.builds(call, st.sampled_from((FOUR, SIX)), came=st.booleans(), certain=st.booleans()), max_size=3)
FACTS = st.builds(
    Facts,
    local=st.booleans(),
    online=st.booleans(),
    routed=st.booleans(),
    asked=st.booleans(),
    mapped=st.booleans(),
    behind=st.booleans(),
    kind=st.sampled_from(("open", "cone", "symmetric", "unknown")),
    outside=st.frozensets(st.sampled_from((4, 6))),
    relayed=st.booleans(),
    calls=CALLS.map(tuple),
)


@given(FACTS)
def test_anywhere_is_said_only_where_a_relay_a_certain_call_or_the_router_says_so(facts: Facts) -> None:
    proven = any(each.came and each.certain for each in facts.calls)
    if SCOPES[judge(facts)] == "anywhere":
        assert facts.relayed or facts.mapped or proven
        assert not facts.local
    if proven and facts.online and not facts.local:
        assert SCOPES[judge(facts)] == "anywhere"


@pytest.mark.parametrize(
    ("address", "family"),
    [
        (f"tcp://{FOUR}:1", 4),
        (f"tcp://[{SIX}]:1", 6),
        ("tcp://friend.example:1", 4),
        ("tcp://192.168.1.7:1", 0),
        ("tcp://100.64.1.2:1", 0),
        ("tcp://[fe80::1%eth0]:1", 0),
        (f"relay://{FOUR}:1", 0),
    ],
)
def test_an_address_counts_as_outside_if_somebody_in_another_network_may_dial_it(address: str, family: int) -> None:
    assert outside(address) == family
