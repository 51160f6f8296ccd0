"""Whatever needs everybody's word is proposed, refused and agreed on by post as it is live."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from time import time

import pytest
import trio
from test_post import Home, homes, run

from client.fronts.program import Absent
from client.system.context import Context
from client.system.progress import Meter
from client.system.settings import Folders
from client.table import controls
from client.table.correspond import standing_text
from client.table.home import open_store
from client.table.letters import Letters
from client.table.post import Post, by_post
from client.table.tables import chosen
from p2p.lockstep.genesis import DEFAULT_PATIENCE
from p2p.lockstep.machine import RefusalLike

__all__ = ["homes", "run"]

Act = Callable[[Post], RefusalLike | None]


def corresponds(home: Home, monkeypatch: pytest.MonkeyPatch, act: Act, *read: Path) -> Post:
    """Read bundles, do something as a person at the terminal does, and write a bundle."""
    monkeypatch.setenv("STARLOCK_HOME", str(home.path))
    nowhere = io.StringIO()
    context = Context("post", True, Folders.of_system(), nowhere, nowhere, Meter(nowhere))
    letters = Letters()
    for path in read:
        letters.file(path)

    async def correspond(post: Post) -> None:
        await post.read()
        await post.table.do(post.controls.vouch)
        await post.table.at_rest()
        assert await post.table.do(lambda: act(post)) is None
        await post.table.at_rest()
        home.out.write_bytes(post.bundle())

    with open_store(context) as store:
        seat = chosen(store, "table")
        player = Absent(lambda _text: None)
        return trio.run(_open, context, store, seat, player, letters, correspond)


async def _open(*how: object) -> Post:
    return await by_post(*how, plays=False)  # type: ignore[arg-type]


def ballot(*, yes: bool) -> Act:
    """Answer the one open vote."""

    def act(post: Post) -> RefusalLike | None:
        (vote,) = post.controls.votes()
        return post.controls.vote(vote.pact.id, yes)

    return act


def nothing(_post: Post) -> None:
    """Only read."""


def stand(homes: list[Home], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots write to one another until somebody but the first owes a decision: all else is said unasked, and a vote
    on a position lapses when the table leaves it."""
    for turn in range(40):
        home = homes[turn % len(homes)]
        home.play(
            *(word for other in homes if other is not home and other.out.exists() for word in ("--in", other.out))
        )
        if home is homes[0]:
            debts = corresponds(home, monkeypatch, nothing).table.lockstep.debts()
            if [kind in ("answer", "seal") for kind in debts.values()] == [True]:
                return
    raise AssertionError("nobody ever decides")


def test_three_agree_by_post_to_end_the_game(homes: Callable[..., list[Home]], monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, cid = table = homes(3, draws="open")
    stand(table, monkeypatch)
    proposed = corresponds(ann, monkeypatch, lambda post: post.controls.propose("end"))
    assert standing_text(proposed).count("(owes a word on the vote)") == 2
    corresponds(bob, monkeypatch, ballot(yes=True), ann.out)
    ended = corresponds(cid, monkeypatch, ballot(yes=True), ann.out, bob.out)
    assert ended.table.lockstep.position.over
    for home in (ann, bob):
        assert corresponds(home, monkeypatch, nothing, cid.out, bob.out).table.lockstep.position.over


def test_two_go_on_by_post_without_a_third_who_never_writes(
    homes: Callable[..., list[Home]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = homes(3, draws="open")
    stand(table, monkeypatch)
    away = corresponds(table[0], monkeypatch, nothing).table
    (owing,) = away.lockstep.debts()
    number = away.party(owing).number
    ann, bob = (home for home in table if home is not table[number])
    early = corresponds(ann, monkeypatch, nothing).controls.propose("absent", [number])
    assert early is not None
    assert early.code == "pact/too-early"
    corresponds(bob, monkeypatch, nothing)
    monkeypatch.setattr(controls, "time", lambda: time() + DEFAULT_PATIENCE)
    corresponds(ann, monkeypatch, lambda post: post.controls.propose("absent", [number]))
    assert corresponds(bob, monkeypatch, ballot(yes=True), ann.out).table.lockstep.position.cut.keys() == {owing}
    assert corresponds(ann, monkeypatch, nothing, bob.out).table.lockstep.position.cut.keys() == {owing}


def test_one_refusal_by_post_is_told_to_all_and_the_game_goes_on(
    homes: Callable[..., list[Home]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = table = homes(2)
    stand(table, monkeypatch)
    corresponds(ann, monkeypatch, lambda post: post.controls.propose("end"))
    corresponds(bob, monkeypatch, ballot(yes=False), ann.out)
    post = corresponds(ann, monkeypatch, nothing, bob.out)
    assert not post.table.lockstep.position.over
    assert not post.controls.votes()
    height = post.table.lockstep.position.height
    for _ in range(3):
        bob.play("--in", ann.out)
        ann.play("--in", bob.out)
    assert corresponds(ann, monkeypatch, nothing).table.lockstep.position.height > height
