"""A check of the network as a person sees it: it runs once at a time, and all who asked hear what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from client.session.session import Network

Told = Callable[[Sequence[str]], None]


def test_a_check_that_is_under_way_is_awaited_by_all_and_each_change_is_drawn() -> None:
    network, begun = Network(), list[Told]()
    drawn: list[tuple[bool, Sequence[str] | None]] = []
    heard: list[str] = []

    def changed() -> None:
        drawn.append((network.looking, network.lines))

    network.look(begun.append, changed, lambda lines: heard.append(f"one {lines[0]}"))
    assert drawn == [(True, None)]
    network.look(begun.append, changed, lambda lines: heard.append(f"two {lines[0]}"))
    assert drawn == [(True, None)] * 2
    assert len(begun) == 1
    begun[0](["fine"])
    assert drawn[2:] == [(False, ("fine",))]
    assert heard == ["one fine", "two fine"]
    network.look(begun.append, changed)
    assert len(begun) == 2
    begun[1](["worse"])
    assert heard == ["one fine", "two fine"], "each is told once"
    assert (network.looking, network.lines) == (False, ("worse",))
