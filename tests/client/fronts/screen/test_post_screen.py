"""A table by post on the full screen: what it says while nothing is connected, bundles pasted and shown, its end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from parties import BOB
from screen_game import Solo
from test_post import Home, homes, pasting, run
from trio.testing import wait_all_tasks_blocked

from client.commands import post as command
from client.fronts import FrontOptions
from client.fronts.screen.front import Front
from client.show.styled import plain
from client.table import correspond
from client.table.correspond import standing_text
from client.table.notices import StateDiverged
from p2p.sync.pasted import pasted_parts

__all__ = ["homes", "run"]

SIZES = [(80, 24), (120, 40), (200, 50)]


def text(front: Front, size: tuple[int, int] = (120, 40)) -> str:
    return "\n".join(plain(each).rstrip() for each in front.draw(*size).lines)


def by_post() -> tuple[Solo, list[str]]:
    solo = Solo("eclipse2")
    solo.session.mail, took = pasting()
    return solo, took


def test_it_is_played_on_the_full_screen_unless_lines_are_wanted(
    homes: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(homes)
    anna: Home = homes(2)[0]
    wanted: list[FrontOptions] = []

    def at_table(_context: object, options: FrontOptions, _main: object) -> int:
        wanted.append(options)
        return 0

    monkeypatch.setattr(command, "at_table", at_table)
    monkeypatch.setattr("client.commands.letters.at_terminal", lambda _context: True)
    for words in ((), ("--linear",)):
        with pytest.raises(ValueError, match="Expecting value"):  # nothing was played, so nothing is answered
            anna.run(anna.path, "post", "table", *words)
    assert [options.linear for options in wanted] == [False, True]


@pytest.mark.parametrize("size", SIZES)
def test_the_others_are_waited_for_by_post_and_nobody_is_told_to_be_disconnected(size: tuple[int, int]) -> None:
    solo, _took = by_post()
    solo.session.asking.withdrawn(solo.asked)  # type: ignore[arg-type]
    shown = text(solo.front, size)
    assert "By post: nothing is connected." in " ".join(shown.split())
    assert "no connection" not in shown
    assert "○" not in shown.split("\n")[0]


def test_a_table_that_has_stopped_says_how_the_others_get_to_know() -> None:
    solo, _took = by_post()
    solo.session.notice(StateDiverged(BOB, 93))
    solo.session.asking.withdrawn(solo.asked)  # type: ignore[arg-type]
    solo.front.press("escape")
    shown = " ".join(line.rpartition("│")[2].strip() for line in text(solo.front, (80, 24)).split("\n"))
    assert "The table has stopped" in shown
    assert "Send the others what :post shows" in shown


def test_a_question_at_the_table_is_asked_in_its_pane_and_answered_by_y() -> None:
    solo, _took = by_post()
    said: list[bool] = []
    solo.session.confirm(lambda: "Is this your newest copy?", said.append)
    shown = text(solo.front)
    assert "Is this your newest copy?" in shown
    assert "y yes" in shown.split("\n")[-1]
    solo.front.press("y")
    assert said == [True]


def test_a_bundle_to_send_is_a_page_and_goes_to_the_clipboard_and_a_pasted_one_to_the_mail() -> None:
    solo, took = by_post()
    part = pasted_parts(bytes(100))[0]
    solo.session.show(lambda: f"Send this to the others:\n{part}")
    shown = text(solo.front)
    assert all(row in shown for row in part.split("\n"))
    assert solo.host.copied == part
    solo.front.press("escape")
    solo.front.pasted(part)
    assert [each.strip() for each in took] == [part]


async def test_a_bundle_of_hundreds_of_parts_is_taken_in_one_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correspond, "standing_text", lambda _post, **_more: "")
    parts, took, over = pasted_parts(bytes(300_000)), list[str](), trio.Event()
    position = SimpleNamespace(over=False)

    async def nothing() -> list[Any]:
        await trio.lowlevel.checkpoint()
        return []

    async def changed() -> None:
        await over.wait()
        position.over = True

    def take(text: str, _what: str) -> None:
        took.append(text)
        if len(took) == len(parts):
            over.set()

    letters = SimpleNamespace(missing=list, wrong=[], text=take)
    table = SimpleNamespace(lockstep=SimpleNamespace(position=position), at_rest=nothing, changed=changed)
    post: Any = SimpleNamespace(
        table=table, letters=letters, read=nothing, unsigned=lambda: False, shown_wrong=0, claimants=list
    )
    solo = Solo("eclipse2")
    player: Any = SimpleNamespace(session=solo.session, show=lambda _told: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(correspond.attended(player, lambda _post, _name: "", newest=False), post)
        await wait_all_tasks_blocked()
        solo.front.pasted("\n".join(parts))
    assert len(took) == len(parts) == 300


def test_who_is_asked_whether_the_copy_is_the_newest_is_not_told_of_an_option() -> None:
    feeds = SimpleNamespace(feed=lambda _key: ())
    lockstep = SimpleNamespace(position=SimpleNamespace(over=False), feeds=feeds)
    table, controls = SimpleNamespace(lockstep=lockstep, me=b"me", held={}), SimpleNamespace(owed=dict)
    noted = SimpleNamespace(since=(3, 0.0))
    post: Any = SimpleNamespace(
        table=table, controls=controls, noted=lambda: noted, unsigned=lambda: True, claimants=list
    )
    assert "--newest" in standing_text(post)
    asked = standing_text(post, asks=True)
    assert "newest copy" in asked
    assert "--newest" not in asked


def test_a_member_reads_what_the_others_owe_and_of_itself_only_that_it_is_waited_for() -> None:
    controls = SimpleNamespace(owed=lambda: {b"me": "commit", b"bob": "open"})
    lockstep = SimpleNamespace(position=SimpleNamespace(over=False), feeds={})
    table: Any = SimpleNamespace(lockstep=lockstep, me=b"me", held={}, name=lambda key: key.decode().title())
    noted = SimpleNamespace(since=(3, 0.0))
    post: Any = SimpleNamespace(table=table, controls=controls, noted=lambda: noted, unsigned=lambda: False)
    lockstep.feeds = SimpleNamespace(feed=lambda _key: ())
    assert standing_text(post).endswith("the table waits for you, Bob (owes a seed of the dice).")
