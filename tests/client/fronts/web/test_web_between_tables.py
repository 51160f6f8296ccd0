"""From the start page to a table and back again: one door stays open, and what goes wrong comes back."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pytest
import trio
import trio.testing
from seat0 import Seat0
from start_pages import context
from web_client import Browser, serving

from client.commands import cli, home
from client.fronts.web.door import Door
from client.system.errors import UserError


def test_what_goes_wrong_at_a_table_comes_back_to_the_start_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> int:
        raise UserError("link/timeout", "Nobody is there.", "Ask for a new ticket.")

    monkeypatch.setattr(cli, "run_command", fail)
    door: Any = type("Open", (), {"trouble": ""})()
    given = context(door)
    with ExitStack() as closing:
        assert cli.run_next(["join", "starlock:abc"], given, closing) != 0
        assert given.then == ("home", "--web")
        assert door.trouble == "Nobody is there. Ask for a new ticket."
        with pytest.raises(UserError):  # without a start page the command ends with its error
            cli.run_next(["join", "starlock:abc"], context(None), closing)


def test_one_door_stays_open_from_table_to_table_until_something_cannot_be_shown_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    args, given, doors = Namespace(web=True, web_port=0), context(None), list[Any]()
    given.as_json = False

    def chosen(asked: Any) -> Sequence[str]:
        doors.append(asked.door)
        if len(doors) == 3:
            raise UserError("web/closed", "The page was closed.", "")
        return ["play"]

    monkeypatch.setattr("client.fronts.web.start.choose", chosen)
    for _table in range(2):
        assert home.run(args, given) == 0
        assert given.then == ["play", "--web"]
    try:
        with pytest.raises(UserError):
            home.run(args, given)
        assert given.door is None
        assert isinstance(doors[0], Door)
        assert doors == [doors[0]] * 3
    finally:
        doors[0].close()


def test_who_ends_the_process_ends_the_start_page_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "run_command", interrupt)
    with pytest.raises(KeyboardInterrupt), ExitStack() as closing:
        cli.run_next(["play"], context(type("Open", (), {"trouble": ""})()), closing)


async def test_a_page_waits_at_the_door_between_two_servers() -> None:
    door = Door.opened()
    try:
        early = await trio.open_tcp_stream("127.0.0.1", door.guard.port)
        await early.send_all(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{door.guard.port}\r\n\r\n".encode())
        for _server in range(2):
            table = Seat0("eclipse2", 2)
            server = serving(table.session)
            server.guard = door.guard
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.serve_listeners, server.connection, [door.listener()])
                assert (await early.receive_some(100)).startswith(b"HTTP/1.1 200")
                nursery.cancel_scope.cancel()
            await early.aclose()
            early = await trio.open_tcp_stream("127.0.0.1", door.guard.port)
            await early.send_all(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{door.guard.port}\r\n\r\n".encode())
        await early.aclose()
    finally:
        door.close()


def test_the_page_is_served_on_this_computer_alone() -> None:
    door = Door.opened()
    try:
        assert door._socket.getsockname() == ("127.0.0.1", door.guard.port)
    finally:
        door.close()


def test_a_port_that_is_taken_is_told() -> None:
    door = Door.opened()
    try:
        with pytest.raises(UserError, match=str(door.guard.port)):
            Door.opened(door.guard.port)
    finally:
        door.close()


@pytest.mark.parametrize("ended", [True, False])
async def test_streams_end_whole_with_a_last_state(ended: bool, nursery: trio.Nursery) -> None:
    table = Seat0("eclipse2", 2)
    browser = Browser(serving(table.session), nursery)
    states = await browser.states(await browser.key())
    assert (await states.next())["ended"] is False
    async with trio.open_nursery() as closing:
        closing.start_soon(lambda: browser.server.close(ended=ended))
        assert (await states.next())["ended"] is ended
        assert await states.end()


async def test_the_end_of_a_table_leads_back_to_the_start_page(nursery: trio.Nursery) -> None:
    table = Seat0("eclipse2", 2)
    browser = Browser(serving(table.session), nursery)
    key = await browser.key()
    assert not (await browser.act(key, act="home"))["ok"]
    browser.server.goes_home = browser.server.over = True
    assert (await browser.act(key, act="home"))["ok"]
    assert browser.server.home.is_set()
