"""How commands work on an open table: reading letters and writing them, and leaving for good."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from notedtable import BOB, CID, ME, Table
from trio.testing import MockClock

from client.system.errors import UserError
from client.table import correspond, leaver
from client.table.controls import RunningControls
from client.table.correspond import attended, read_all, receipt_text, standing_text, unattended
from client.table.leaver import SPREADING, sign_leave
from client.table.letters import Letters
from client.table.post import Receipt
from p2p.identity.keys import SigningKey
from p2p.lobby.posted import state, write_letter
from p2p.lockstep.machine import TableRefusal
from p2p.sync.pasted import pasted_parts

# By post -------------------------------------------------------------------------------------------------------------


class Post:
    """A table by post: what it was given, and what was done with it."""

    def __init__(self) -> None:
        self.letters, self.shown_wrong = Letters(), 0
        self.receipts: list[Receipt] = []
        self.turns = 0
        self.done: list[str] = []
        self.signs_nothing, self.newer = True, list[str]()
        self.over = trio.Event()
        table: Any = Table()
        table.do, table.at_rest, table.changed = self._do, self._rest, self._changed
        self.table = table
        self.controls = SimpleNamespace(vouch=lambda: "vouched", owed=lambda: table.debts)

    async def read(self) -> list[Receipt]:
        found, self.receipts = self.receipts, []
        return found

    async def _do(self, job: Callable[[], str]) -> None:
        self.done.append(job())

    async def _rest(self) -> None:
        self.done.append("rest")

    async def _changed(self) -> None:
        if self.turns:
            self.turns -= 1
            self.done.append("changed")
            return
        await self.over.wait()
        self.table.position.over = True

    def my_turn(self) -> bool:
        return self.turns > 0

    def unsigned(self) -> bool:
        return self.signs_nothing

    def claimants(self) -> list[str]:
        return self.newer

    def noted(self) -> Any:
        return SimpleNamespace(since=(7, 1_000_000))


class Reader:
    """A person who reads and answers."""

    def __init__(self, yes: bool) -> None:
        self.session: Any = SimpleNamespace(mail=None)
        self.shown: list[str] = []
        self.asked: list[str] = []
        self._yes = yes

    async def confirm(self, question: Callable[[], str]) -> bool:
        self.asked.append(question())
        return self._yes

    def show(self, told: Callable[[], str]) -> None:
        self.shown.append(told())


@pytest.fixture(name="_newer", autouse=True)
def _nobody_is_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(correspond, "newer_elsewhere", lambda _table: [])


async def test_receipts_missing_parts_and_new_troubles_are_told_once() -> None:
    post, told = Post(), list[str]()
    post.receipts = [Receipt("Bob", 1, 0, behind=False), Receipt("Cid", 2, 3, behind=True)]
    post.letters.given(b"picture", "picture.png")
    for _ in range(2):
        await read_all(post, told.append)  # type: ignore[arg-type]
    assert told[0] == "From Bob: 1 new entry."
    assert told[1].startswith("From Cid: 2 new entries. 3 were refused")
    assert "Cid holds more than has come" in told[1]
    assert "picture.png" in told[2]
    assert len(told) == 3
    post.letters.given(b"other", "other.png")
    await read_all(post, told.append)  # type: ignore[arg-type]
    assert "other.png" in told[3]
    assert len(told) == 4
    assert receipt_text(Receipt("Bob", 0, 0, behind=False)) == "From Bob: 0 new entries."


@pytest.mark.parametrize("newest", [True, False])
@pytest.mark.parametrize("bot", [True, False])
async def test_without_a_person_what_is_owed_is_signed_where_this_is_the_newest_copy_and_a_bot_plays_its_turns(
    newest: bool, bot: bool
) -> None:
    post = Post()
    post.turns = 2
    await unattended(lambda _text: None, newest=newest, bot=bot)(post)  # type: ignore[arg-type]
    assert post.done == ["vouched"] * newest + ["rest"] + ["changed", "rest"] * (2 * bot)


@pytest.mark.parametrize(
    ("newest", "unsigned", "yes", "asked", "vouched"),
    [
        (True, True, False, 0, 1), (False, True, True, 1, 1), (False, True, False, 1, 0), (False, False, True, 0, 0),
        (True, False, True, 0, 1),
    ],
)  # fmt: skip
async def test_a_person_is_asked_whether_this_is_the_newest_copy_before_anything_is_signed(
    newest: bool, unsigned: bool, yes: bool, asked: int, vouched: int
) -> None:
    post, ann = Post(), Reader(yes)
    post.signs_nothing = unsigned
    post.over.set()
    await attended(ann, lambda _post, _name: "", newest=newest)(post)  # type: ignore[arg-type]
    assert len(ann.asked) == asked
    assert all("newest copy" in text for text in ann.asked)
    assert post.done.count("vouched") == vouched
    assert post.done[-1] == "rest"
    assert any("Paste what the others sent" in text for text in ann.shown)


@pytest.mark.parametrize("newest", [True, False])
async def test_who_was_written_that_a_newer_copy_exists_is_asked_again_with_the_names_and_so_silenced_by_no_liar(
    newest: bool,
) -> None:
    post, ann = Post(), Reader(yes=True)
    post.newer = ["Bob", "Cid"]
    post.over.set()
    await attended(ann, lambda _post, _name: "", newest=newest)(post)  # type: ignore[arg-type]
    assert [text.startswith("The last letter from Bob, Cid says that there are newer") for text in ann.asked] == [True]
    assert post.done.count("vouched") == 1
    alone = Post()
    alone.newer = ["Bob"]
    await unattended(lambda _text: None, newest=newest, bot=False)(alone)  # type: ignore[arg-type]
    assert "vouched" not in alone.done
    told = standing_text(alone)  # type: ignore[arg-type]
    assert "The last letter from Bob says that there are newer entries of yours than in this copy." in told
    assert "--newest" not in told


async def test_what_a_person_pastes_is_read_and_what_it_asks_for_is_written(tmp_path: Path) -> None:
    post, ann = Post(), Reader(yes=False)
    said = state(SigningKey.from_seed(b"k" * 32), "answer", b"l" * 16, bytes(32), [1])
    (tmp_path / "letter").write_bytes(write_letter([said]))

    def write(_post: Any, name: str) -> str:
        if name == "no":
            raise UserError("a/b", "no such folder", "make it")
        return f"written to {name}"

    async with trio.open_nursery() as nursery:
        nursery.start_soon(attended(ann, write, newest=False), post)  # type: ignore[arg-type]
        await trio.testing.wait_all_tasks_blocked()
        assert ann.shown[0] == standing_text(post, asks=True)  # type: ignore[arg-type]
        count = len(ann.shown)
        mail = ann.session.mail
        mail.take("\n".join(pasted_parts(write_letter([said]))))
        mail.read(str(tmp_path / "letter"))
        await trio.testing.wait_all_tasks_blocked()
        assert post.letters.statements() == [said, said]
        assert ann.shown[count:] == [], "the table stands as before"
        mail.take("starlock-post: nothing")
        await trio.testing.wait_all_tasks_blocked()
        assert "what you pasted" in ann.shown[-1]
        for name, told in (("", "written to "), ("bundle", "written to bundle"), ("no", "no such folder")):
            mail.write(name)
            await trio.testing.wait_all_tasks_blocked()
            assert told in ann.shown[-1]
        post.table.debts = {CID: "answer"}
        mail.take("starlock-post: nothing")
        await trio.testing.wait_all_tasks_blocked()
        assert ann.shown[-1] == standing_text(post, asks=True)  # type: ignore[arg-type]
        assert "Cid" in ann.shown[-1]
        assert not post.done.count("vouched")
        post.over.set()


def test_how_a_table_by_post_stands_is_told_with_names_and_what_is_to_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    post: Any = Post()
    post.table.debts = {ME: "shuffle", BOB: "answer"}
    post.signs_nothing = False
    told = standing_text(post)
    assert told.startswith("Since 1970-01-12 ")
    assert "waits for you, Bob" in told
    post.signs_nothing = True
    assert standing_text(post).endswith("Say it with --newest.")
    asking = standing_text(post, asks=True)
    assert asking.endswith("before you say that this is your newest copy.")
    monkeypatch.setattr(correspond, "newer_elsewhere", lambda _table: ["Bob"])
    assert "This is an older copy of it" in standing_text(post)
    post.table.position.over = True
    assert standing_text(post) == "The game is over."


# Leaving for good ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "signed", "heard"),
    [
        ([None], True, {BOB}), (["lockstep/unconfirmed", "lockstep/voting", None], True, {BOB}),
        (["pact/kind"], False, set()), (["lockstep/catching-up"] * 999, False, set()),
    ],
)  # fmt: skip
async def test_who_leaves_for_good_signs_as_soon_as_it_may_and_waits_until_the_others_have_it(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    answers: list[str | None],
    signed: bool,
    heard: set[bytes],
) -> None:
    calls: list[str] = []
    left = list(answers)

    class Controls(RunningControls):
        def __init__(self) -> None:
            self.leave = over.set

        def propose(self, kind: str, *_about: Any, **_how: Any) -> Any:
            code = left.pop(0)
            calls.append(kind)
            return None if code is None else TableRefusal(code)

        def ask_again(self) -> None:
            calls.append("ask again")

        def holders(self) -> dict[bytes, bool]:
            return {BOB: trio.current_time() > began + 2, CID: False}

    async def play(_peer: Any, _seat: Any, player: Any, *, person: bool) -> Any:
        assert person
        player.sit(Controls())
        await over.wait()
        return SimpleNamespace(record=SimpleNamespace(result="", lacking=()))

    monkeypatch.setattr(leaver, "play", play)
    over, began = trio.Event(), trio.current_time()
    refusal, found = await sign_leave(None, SimpleNamespace(keys=None), 10.0)  # type: ignore[arg-type]
    assert (refusal is None) == signed
    assert found == heard
    assert calls == ["leave"] * (calls.count("leave")) + ["ask again"] * signed
    if signed:
        assert trio.current_time() - began >= SPREADING
    elif len(answers) == 999:
        assert 9.5 < trio.current_time() - began < 11
        assert refusal is not None
        assert refusal.code == "lockstep/catching-up"
    else:
        assert trio.current_time() - began < 1


async def test_whose_leaving_ends_the_game_is_heard_by_all_who_have_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: Any = SimpleNamespace(
        record=SimpleNamespace(result="over", lacking=(CID,)),
        table=SimpleNamespace(position=SimpleNamespace(members=(ME, BOB, CID))),
    )

    async def play(*_given: Any, person: bool) -> Any:
        return played

    monkeypatch.setattr(leaver, "play", play)
    keys = SimpleNamespace(key=SimpleNamespace(public=ME))
    assert await sign_leave(None, SimpleNamespace(keys=keys), 1.0) == (  # type: ignore[arg-type]
        TableRefusal("lockstep/unconfirmed"), {BOB}
    )  # fmt: skip
