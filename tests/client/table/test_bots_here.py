"""The bots of a machine at its table: what they are asked, told and say, and what their process is and is not given."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from client.bots.thinking import LENGTH
from client.system.journal import no_log
from client.table import thinker as thinking
from client.table.notices import BotFailed, ChatSaid, Party
from client.table.telling import notice_of
from client.table.thinker import EXPLAINED, LATELY, LONGEST, Bots, Thinker, ThinkerError, Thought
from engine.core.cards import Lens
from p2p.lockstep.effects import Said
from p2p.lockstep.genesis import Row

ROWS = (Row(0, "Ann"), Row(1, "Bob", "greedy"), Row(2, "Cid", "shark"), Row(3, "Dee", "random"))
OWNER = {0: b"me", 1: b"me", 2: b"me", 3: b"other"}
FACES = Lens()


class Brain:
    """Remembers what it was asked, and answers that, or fails."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any]] = []
        self.fails = ""

    async def choose(self, level: str, seed: str, view: Any) -> Thought:
        self.asked.append((level, seed, view))
        if self.fails:
            raise ThinkerError(self.fails)
        return Thought(["answer", seed], [(2.0, "a"), (1.0, "b")])


class Machine:
    """A table with one person and two bots of this machine, and a bot of another one."""

    def __init__(self, owner: dict[int, bytes] = OWNER, level: str | None = None) -> None:
        rows = {row.seat: row for row in ROWS}
        position = SimpleNamespace(owner=dict(owner), membership=SimpleNamespace(rows=rows), over=False)
        self.match: Any = SimpleNamespace(
            pending=None, view=lambda seat, _lens: ("end", seat), caretaker=lambda seat: f"stand-in of {seat}"
        )
        self.notices: list[Any] = []
        self.said: list[str] = []
        self.last: tuple[int, int] | None = None
        self.heights: dict[int, Any] = {}
        self.brain = Brain()
        table: Any = SimpleNamespace(
            me=b"me", level=level, on_chat=[], lockstep=SimpleNamespace(position=position),
            machine=SimpleNamespace(match=self.match, lens=lambda _seat: FACES), notice=self.notices.append,
            soon=lambda job: job(),
        )  # fmt: skip
        controls: Any = SimpleNamespace(chat=self.said.append, answered=lambda _seat: self.last, past=self.heights.get)
        self.bots = Bots(table, self.brain, "seed", controls)  # type: ignore[arg-type]
        (self.hear,) = table.on_chat
        self.lockstep = table.lockstep

    def shown(self, author: bytes, text: str | None) -> tuple[str, str | None]:
        """A chat message as people read it; each author is called Ann."""
        told = notice_of(self.lockstep, lambda _key: Party(0, "Ann"), Said(author, text))
        assert isinstance(told, ChatSaid)
        return told.name, told.text

    def asked(self, seat: int, height: int, refusal: str = "") -> Any:
        why = SimpleNamespace(code=refusal) if refusal else None
        return SimpleNamespace(
            seat=seat, height=height, refusal=why, match=self.match, view=lambda: ("view", seat, height)
        )


@pytest.fixture(name="adopted")
def _adopted(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The bots of others that this run was given a program for."""
    known = {"shark": "shark --fast"}
    monkeypatch.setattr(thinking, "adopted", known.get)
    return known


async def test_a_bot_is_asked_with_its_level_the_seed_of_all_bots_and_what_its_seat_sees(
    adopted: dict[str, str],
) -> None:
    machine = Machine()
    assert await machine.bots.choose(machine.asked(1, 7), "greedy") == [["answer", "seed"]]
    assert await machine.bots.choose(machine.asked(2, 8), "shark") == [["answer", "seed"]]
    assert machine.brain.asked == [
        ("greedy", "seed", ("view", 1, 7)), ("shark --fast", "seed", ("view", 2, 8))
    ]  # fmt: skip
    assert machine.notices == []


async def test_the_stand_in_answers_for_a_bot_that_fails_has_no_program_or_was_refused(adopted: dict[str, str]) -> None:
    machine = Machine()
    machine.brain.fails = "it has ended with code 1"
    assert await machine.bots.choose(machine.asked(1, 7), "greedy") == ["stand-in of 1"]
    adopted.clear()
    assert await machine.bots.choose(machine.asked(2, 8), "shark") == ["stand-in of 2"]
    assert await machine.bots.choose(machine.asked(1, 9, "game/no-such"), "greedy") == ["stand-in of 1"]
    assert len(machine.brain.asked) == 1, "who was refused is not asked again"
    told = [(each.name, each.height, each.why) for each in machine.notices if isinstance(each, BotFailed)]
    assert told == [
        ("Bob (bot)", 7, "it has ended with code 1"),
        ("Cid (bot)", 8, "this run was given no program for the bot “shark”"),
        ("Bob (bot)", 9, "game/no-such"),
    ]


async def test_only_programs_of_others_are_told_that_the_game_is_over_and_only_then(adopted: dict[str, str]) -> None:
    machine = Machine()
    machine.match.pending = "a choice"
    await machine.bots.over()
    assert machine.brain.asked == []
    machine.match.pending = None
    machine.brain.fails = "gone"
    await machine.bots.over()
    assert machine.brain.asked == [("shark --fast", "", ("end", 2))]


def test_the_first_bot_of_a_machine_greets_with_name_and_level_and_where_there_is_none_nobody_does() -> None:
    machine = Machine()
    machine.bots.greet()
    (said,) = machine.said
    assert said.startswith("Bob (bot): Hello!")
    assert "“greedy”" in said
    assert machine.shown(b"me", said) == ("Bob (bot)", said.removeprefix("Bob (bot): "))
    people = Machine({0: b"me", 1: b"other", 2: b"other", 3: b"other"})
    people.bots.greet()
    assert people.said == []


def test_nobody_speaks_in_the_name_of_a_bot_of_another_machine_or_of_a_person() -> None:
    machine = Machine()
    for author, text in (
        (b"other", "Bob (bot): hello"),
        (b"me", "Dee (bot): hello"),
        (b"me", "Ann: hello"),
        (b"me", None),
    ):
        assert machine.shown(author, text) == ("Ann", text)
    assert machine.shown(b"other", "Dee (bot): hello") == ("Dee (bot)", "hello")


def test_a_bot_that_plays_for_the_user_is_one_of_this_machine_with_its_level() -> None:
    machine = Machine({0: b"me", 1: b"other", 2: b"other", 3: b"other"}, level="random")
    machine.bots.greet()
    assert machine.said[0].startswith("Ann: Hello!")
    assert "“random”" in machine.said[0]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("bots: why?", ["Bob", "Cid"]), ("why, Bob?", ["Bob"]), ("Cid why", ["Cid"]), ("why?", []), ("Dee: why?", []),
        ("Bob (bot): why not", []), ("hello bots", []),
    ],
)  # fmt: skip
def test_who_is_asked_why_answers_by_name_and_never_to_another_bot_of_the_machine(text: str, who: list[str]) -> None:
    machine = Machine()
    machine.hear(text)
    assert machine.said == [f"{name} (bot): I have not answered anything yet." for name in who]


def test_reasons_are_clipped_and_their_number_in_one_run_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine()
    monkeypatch.setattr(machine.bots, "reasons", lambda _seat, level: level * LONGEST)
    for _ in range(EXPLAINED):
        machine.hear("why, Bob?")
    assert len(machine.said) == EXPLAINED
    assert {len(said) for said in machine.said} == {LONGEST}
    assert machine.said[0].startswith("Bob (bot): greedygreedy")
    machine.hear("bots: why?")
    assert len(machine.said) == EXPLAINED


async def test_what_a_bot_compared_is_kept_as_long_as_its_question_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine()
    machine.match.spec = SimpleNamespace(words=SimpleNamespace(value=lambda kept: f"<{kept}>"))
    monkeypatch.setattr(thinking, "display_names_at", lambda _spec: None)
    monkeypatch.setattr(thinking, "kind_text", lambda word, _names: word)
    seen: list[tuple[int, list[Any]]] = []

    def weighed(level: str, view: Any, _ask: object, _names: object, best: list[Any]) -> str:
        assert level == "greedy"
        seen.append((view[2], best))
        return f"at {view[2]}"

    monkeypatch.setattr(thinking, "weighed_text", weighed)
    for height in range(LATELY + 3):
        asked = machine.asked(1, height)
        asked.ask = SimpleNamespace(word="build")
        await machine.bots.choose(asked, "greedy")
    await machine.bots.choose(machine.asked(2, 99, "refused"), "shark")
    assert machine.bots.reasons(1, "greedy") == f"“build” at {LATELY + 2}", "the latest of its kind"
    assert [height for height, _best in seen] == [*range(LATELY + 2, 2, -1)]
    assert all(best == [(2.0, "<a>"), (1.0, "<b>")] for _height, best in seen)
    assert sorted(machine.bots._best) == [(1, height) for height in range(3, LATELY + 3)]


def test_after_a_restart_a_bot_gives_the_reasons_of_what_it_answered_before(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine()
    found: list[Any] = []

    def asked(*given: Any) -> Any:
        found.append(given)
        return SimpleNamespace(height=given[4])

    monkeypatch.setattr(thinking, "Asked", asked)
    copy = SimpleNamespace()

    def past(seat: int | None) -> Any:
        return SimpleNamespace(ask_of=lambda asked: "ask" if asked == seat else None, clone=lambda: copy)

    machine.heights.update({3: past(1), 4: past(1), 5: past(0), 6: past(1)})
    assert machine.bots._before(1) == []
    machine.last = (3, 6)
    assert [each.height for each in machine.bots._before(1)] == [3, 4, 6]
    assert found == [(1, copy, FACES, "ask", height) for height in (3, 4, 6)]
    machine.last = (6, 7)
    assert [each.height for each in machine.bots._before(1)] == [6], "one of them was taken back"


# The process ---------------------------------------------------------------------------------------------------------


class Pipe:
    """One pipe to a process: hands over its pieces, and remembers what is written."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces, self.written, self.closed = list(pieces), b"", False

    async def send_all(self, data: bytes) -> None:
        self.written += data

    async def receive_some(self, most: int) -> bytes:
        piece = self.pieces.pop(0) if self.pieces else b""
        if len(piece) > most:
            self.pieces.insert(0, piece[most:])
        return piece[:most]

    async def aclose(self) -> None:
        self.closed = True


class Process:
    """A process that answers with these pieces."""

    pid = 2**22 + 7  # no process has that number

    def __init__(self, *pieces: bytes) -> None:
        self.stdin, self.stdout = Pipe(), Pipe(*pieces)
        self.killed = self.waited = False

    def kill(self) -> None:
        self.killed = True

    async def wait(self) -> int:
        self.waited = True
        return 3


@pytest.fixture(name="begun")
def _begun(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    def start(*processes: Process) -> list[Any]:
        """How processes were started; they are these, one after the other."""
        asked, left = list[Any](), list(processes)

        async def opened(command: list[str], **how: Any) -> Process:
            asked.append((command, how))
            return left.pop(0)

        monkeypatch.setattr("trio.lowlevel.open_process", opened)
        monkeypatch.setattr(thinking, "packed", lambda level, seed, _view: f"{level} {seed};".encode())
        return asked

    return start


def said(answer: bytes) -> bytes:
    return len(answer).to_bytes(LENGTH, "big") + answer


async def test_an_answer_may_come_in_any_pieces_and_one_process_answers_all(begun: Callable[..., list[Any]]) -> None:
    whole = said(b'{"value": 1, "best": []}') + said(b'{"value": 2, "best": [[0.5, 3]]}')
    process: Any = Process(*(whole[at : at + 5] for at in range(0, len(whole), 5)))
    asked, view = begun(process), object()
    thinker: Any = Thinker(no_log)
    assert thinker.pid is None
    assert await thinker.choose("greedy", "1", view) == Thought(1, [])
    assert await thinker.choose("random", "2", view) == Thought(2, [(0.5, 3)])
    assert process.stdin.written == b"greedy 1;random 2;"
    assert thinker.pid == process.pid
    assert len(asked) == 1
    await thinker.end()
    assert thinker.pid is None
    assert process.killed
    assert process.waited
    assert process.stdin.closed
    assert process.stdout.closed
    await thinker.end()


async def test_a_process_has_no_word_of_this_program_in_its_surroundings_and_is_not_stopped_by_the_keyboard(
    begun: Callable[..., list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STARLOCK_HOME", "/somewhere/secret")
    monkeypatch.setenv("ELSEWHERE", "kept")
    started = begun(Process(said(b'{"value": 1, "best": []}')))
    await Thinker(no_log).choose("greedy", "1", object())  # type: ignore[arg-type]
    ((command, how),) = started
    assert command == [sys.executable, "-P", "-m", "client.bots.thinking"]
    assert how["env"] == {name: value for name, value in os.environ.items() if not name.startswith("STARLOCK_")}
    assert how["env"]["ELSEWHERE"] == "kept"
    assert how["start_new_session"] is True


async def test_a_process_that_ends_in_the_middle_of_an_answer_is_told_with_its_code_and_replaced(
    begun: Callable[..., list[Any]],
) -> None:
    first, second = Process(said(b'{"value": 1}')[:-1]), Process(said(b'{"value": 2, "best": []}'))
    begun(first, second)
    thinker = Thinker(no_log)
    with pytest.raises(ThinkerError, match="it has ended with code 3"):
        await thinker.choose("greedy", "1", object())  # type: ignore[arg-type]
    assert first.killed
    assert (await thinker.choose("greedy", "1", object())).value == 2  # type: ignore[arg-type]


async def test_what_a_bot_says_is_wrong_is_told_and_its_process_goes_on(begun: Callable[..., list[Any]]) -> None:
    process = Process(said(b'{"error": "no idea"}'), said(b'{"value": 2, "best": []}'))
    begun(process)
    thinker = Thinker(no_log)
    with pytest.raises(ThinkerError, match="no idea"):
        await thinker.choose("greedy", "1", object())  # type: ignore[arg-type]
    assert not process.killed
    assert (await thinker.choose("greedy", "1", object())).value == 2  # type: ignore[arg-type]
