"""For which positions the person of a machine is asked, and when a question is withdrawn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from client.table import responder
from client.table.responder import Responder
from p2p.lockstep.machine import TableRefusal


class Questions:
    """A table whose member owes one answer as long as `open` says so, and a person that answers when `said` is set."""

    def __init__(self) -> None:
        self.open, self.done, self.said = True, False, trio.Event()
        self.asked, self.given = list[Any](), list[tuple[int, list[object]]]()
        self.refusals: list[TableRefusal | None] = []
        self.went_on = trio.Event()
        self.after_change, self.on_tick = list[Any](), list[Any]()
        self.me, self.mute, self.exchange = b"ann", None, None
        self.position = SimpleNamespace(over=False, height=4, head=b"head")
        self.automatic = SimpleNamespace(read_up=True)
        match = SimpleNamespace(clone=lambda: SimpleNamespace(ask_of=lambda _seat: "choose"))
        self.machine = SimpleNamespace(match=match, lens=lambda _seat: {})

    def owing(self) -> dict[bytes, list[int]]:
        return {b"ann": [0]} if self.open else {}

    def log(self, *_words: object, **_more: object) -> None:
        pass

    async def changed(self) -> None:
        await self.went_on.wait()

    async def do(self, job: Any) -> Any:
        return job()

    def answer(self, seat: int, values: list[object]) -> TableRefusal | None:
        self.given.append((seat, values))
        return self.refusals.pop(0) if self.refusals else None

    async def choose(self, asked: Any) -> list[object]:
        self.asked.append(asked)
        await self.said.wait()
        return [7]


@pytest.fixture
async def table(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(responder, "level_at", lambda _table, _seat: None)
    table: Any = Questions()
    Responder(table, table, table, nursery, person=True)
    return table


async def changes(table: Any) -> None:
    for each in table.after_change:
        each()
    await trio.testing.wait_all_tasks_blocked()


async def test_an_answer_that_is_owed_is_asked_for_once_however_often_the_table_changes(table: Any) -> None:
    await changes(table)
    await changes(table)
    assert len(table.asked) == 1
    table.said.set()
    await changes(table)
    assert table.given == [(0, [7])]


async def test_a_question_that_closes_before_its_task_runs_is_asked_where_it_is_open_again(table: Any) -> None:
    for each in table.after_change:
        each()
    table.open = False
    await trio.testing.wait_all_tasks_blocked()
    assert table.asked == []
    table.open = True
    await changes(table)
    assert len(table.asked) == 1


async def test_a_question_that_is_open_no_more_is_withdrawn_and_asked_anew_where_it_is_owed_again(table: Any) -> None:
    await changes(table)
    table.open = False
    await changes(table)
    table.said.set()
    await changes(table)
    assert table.given == []
    table.open = True
    await changes(table)
    assert [len(table.asked), table.given] == [2, [(0, [7])]]


async def test_an_answer_that_may_come_later_waits_and_another_refusal_is_shown_with_the_question(table: Any) -> None:
    later, wrong = TableRefusal("lockstep/voting"), TableRefusal("answer/illegal")
    table.refusals = [later, wrong]
    table.said.set()
    await changes(table)
    assert (len(table.asked), len(table.given)) == (1, 1)
    table.went_on.set()
    await trio.testing.wait_all_tasks_blocked()
    assert [asked.refusal for asked in table.asked] == [None, wrong]
    assert len(table.given) == 3
