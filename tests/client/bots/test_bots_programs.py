"""A stranger's bot is a program on pipes: it plays, its mistakes have codes, and only the command line starts one."""

from __future__ import annotations

import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from client.bots import NODES, bot, level, levels
from client.bots.one_game import GameTask, play_task
from client.bots.programs import BotProgramError, ProgramBot, adopted, given
from client.bots.thinking import LENGTH, packed, read_answer, serve
from client.system.errors import UserError
from client.system.registry import GAMES
from client.table.thinker import ThinkerError, _known
from engine.core.agenda import Table
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice, at_random, by_caretaker, play
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.views import VEILED, View

ROOT = Path(__file__).resolve().parents[3]
SIMPLE = """
import json, sys
out = open(sys.argv[1], "a")
for line in sys.stdin:
    said = json.loads(line)
    out.write(line)
    out.flush()
    if said["say"] == "choose":
        print(json.dumps({"id": said["id"], "pick": said["id"] % len(said["asked"]["options"])}), flush=True)
"""


READ = "import sys\nsys.stdin.readline()\nsys.stdin.readline()\n"


@pytest.fixture
def program(tmp_path: Path) -> tuple[str, Path]:
    """A command, and the file into which the program writes what it is told."""
    source, told = tmp_path / "simple.py", tmp_path / "told"
    source.write_text(SIMPLE)
    return f'cmd:"{sys.executable}" "{source}" "{told}"', told


@pytest.fixture
def wrong(tmp_path: Path) -> Iterator[Any]:
    """Makes a program that answers a question with these lines."""
    made: list[ProgramBot] = []

    def make(*lines: str, answers_in: float = 20.0) -> ProgramBot:
        source = tmp_path / f"wrong-{len(made)}.py"
        said = "\n".join(lines)
        source.write_text(f"{READ}print({said!r}, flush=True)\nsys.stdin.read()\n")
        made.append(ProgramBot(f'"{sys.executable}" "{source}"', answers_in))
        return made[-1]

    yield make
    for each in made:
        each.end()


def asked() -> View:
    table = settle_options(game("emperor"), 3, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(game("emperor"), table), Dealer(HashDice("asked"))
    for _ in play(match, dealer, by_caretaker):
        if match.owing():
            return match.view(match.owing()[0], dealer.lens(match.owing()[0]))
    raise AssertionError


def test_a_program_plays_a_whole_game_and_hears_how_it_ended(program: tuple[str, Path]) -> None:
    command, told = program
    names = levels(f"{command},random", 3)
    row = play_task(GameTask("rex", names, "program", {}, given(names)))
    assert not row.fault
    assert row.answers[0] > 10
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    hellos = [line for line in lines if line["say"] == "hello"]
    assert [hello["seat"] for hello in hellos] == [0, 2] or [hello["seat"] for hello in hellos] == [2, 0]
    ends = [line for line in lines if line["say"] == "over"]
    assert [end["ranks"] for end in ends] == [[*row.ranks]] * 2
    choices = [line for line in lines if line["say"] == "choose"]
    assert all(type(option) in (int, str, list, type(None)) for each in choices for option in each["asked"]["options"])


PLANTED = 30303


@pytest.mark.parametrize("id", GAMES)
def test_nothing_hidden_reaches_a_program_or_the_process_that_thinks(id: str, program: tuple[str, Path]) -> None:
    """Markers take the place of all hidden faces, of what only their owner knows, and of all private numbers: none is
    in what another's program reads, nor in the bytes that the thinking process gets."""
    spec, made, questions = game(id), ProgramBot(program[0].removeprefix("cmd:")), 0
    table = settle_options(spec, 3, {})
    assert isinstance(table, Table)
    match, dealer = Match.new(spec, table), Dealer(HashDice("marked"))
    for _ in play(match, dealer, at_random(HashDice("marked"))):
        questions += bool(match.owing())
        if not match.owing() or questions % 3:
            continue
        seat = match.owing()[0]
        marked, knows = planted(match, dealer, seat)
        view = marked.view(seat, knows.lens(seat))
        assert view.ask is not None
        made.choose(view, view.ask, Random(1), NODES)
        sent = packed("greedy", "s", view)
        assert b"marker-" not in sent
        seen = pickle.loads(sent[LENGTH:])[2]
        for path in spec.veil(match.g):
            for state in (seen.g, seen.start):
                numbers = [*getattr(getattr(state, path.split(".")[0]), path.split(".")[1])]
                assert numbers.count(VEILED) == 2
                assert PLANTED not in numbers
        if questions >= 120:
            break
    made.end()
    told = program[1].read_text()
    assert told.count('"say":"choose"') >= questions // 3 > 2
    assert "marker-" not in told
    assert str(PLANTED) not in told


def planted(match: Match, dealer: Dealer, seat: int) -> tuple[Match, Dealer]:
    """The match with markers in the place of all that is hidden from a seat."""
    marked, knows = match.clone(), Dealer(HashDice("planted"))
    own = marked.view(seat, dealer.lens(seat)).lens
    knows.faces = {card: face if card in own else f"marker-{card}" for card, face in dealer.faces.items()}
    knows.lenses = {other: Lens({card: knows.faces[card] for card in dealer.lens(other)}) for other in range(3)}
    base: Any = marked._base
    base = marked._base = base.copy()
    for state in (marked.g, base):
        for path in match.spec.veil(state):
            column = getattr(getattr(state, path.split(".")[0]), path.split(".")[1])
            for other in range(3):
                if other != seat:
                    column[other] = PLANTED
    return marked, knows


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["nonsense"] * 3, "bot/not-json"),
        (['{"id": 9, "pick": 0}'] * 3, "bot/other-question"),
        (['{"id": 1, "pick": "0"}'] * 3, "bot/not-a-number"),
        (['{"id": 1, "pick": true}'] * 3, "bot/not-a-number"),
        (['{"id": 1, "pick": 9999}', '{"id": 1, "pick": -1}', '{"id": 1, "pick": 9999}'], "bot/not-an-option"),
    ],
)
def test_a_wrong_answer_has_its_code_and_the_third_is_the_last(wrong: Any, lines: list[str], code: str) -> None:
    view = asked()
    assert view.ask is not None
    with pytest.raises(BotProgramError) as failed:
        wrong(*lines).choose(view, view.ask, Random(1), NODES)
    assert failed.value.code == code
    assert wrong(*lines[:2], '{"id": 1, "pick": 0}').choose(view, view.ask, Random(1), NODES) in view.ask.options(
        view.g
    )


def test_a_program_that_ends_hangs_or_cannot_be_started_is_said_so(wrong: Any) -> None:
    view = asked()
    assert view.ask is not None
    for made, code in (
        (ProgramBot(f'"{sys.executable}" -c pass'), "bot/ended"),
        (ProgramBot("/no/such/program"), "bot/not-started"),
        (wrong("", answers_in=0.2), "bot/too-slow"),
    ):
        with pytest.raises(BotProgramError) as failed:
            made.choose(view, view.ask, Random(1), NODES)
        assert failed.value.code == code


FAILS_ONCE = """
import json, sys
from pathlib import Path
marker, how = Path(sys.argv[1]), sys.argv[2]
fails = not marker.exists()
marker.touch()
sys.stdin.readline()
for number, line in enumerate(sys.stdin):
    if fails and number:
        sys.stdin.read()
    print(json.dumps({"id": json.loads(line)["id"], "pick": 0}), flush=True)
    if fails and how == "ends":
        break
"""


@pytest.mark.parametrize(("how", "code"), [("hangs", "bot/too-slow"), ("ends", "bot/ended")])
def test_a_program_that_failed_begins_anew_and_nothing_late_is_its_answer(tmp_path: Path, how: str, code: str) -> None:
    view, source = asked(), tmp_path / "once.py"
    assert view.ask is not None
    source.write_text(FAILS_ONCE)
    made = ProgramBot(f'"{sys.executable}" "{source}" "{tmp_path / "marker"}" {how}')
    made.choose(view, view.ask, Random(1), NODES)
    assert made._program is not None
    if how == "ends":
        made._program._process.wait()
    made._answers_in = 0.2
    with pytest.raises(BotProgramError) as failed:
        made.choose(view, view.ask, Random(1), NODES)
    assert failed.value.code == code
    made._answers_in = 20.0
    assert made.choose(view, view.ask, Random(1), NODES) in view.ask.options(view.g)
    made.end()


HOLDS = """
import os, sys, time
alive = open(sys.argv[2], "w")
child = os.fork()
if child:
    sys.stdin.readline()
    sys.stdin.readline()
    print('{"id": 1, "pick": 0}', flush=True)
if not child or sys.argv[1] == "waits":
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="programs are forked here")
@pytest.mark.parametrize("how", ["waits", "ends"])
def test_programs_that_a_program_has_started_hold_nobody_up_and_end_with_it(tmp_path: Path, how: str) -> None:
    """They keep its pipes open. All of them keep another one open, too, which ends when the last of them does."""
    view, source, alive = asked(), tmp_path / "holds.py", tmp_path / "alive"
    assert view.ask is not None
    source.write_text(HOLDS)
    os.mkfifo(alive)
    opened = os.open(alive, os.O_RDONLY | os.O_NONBLOCK)
    made = ProgramBot(f'"{sys.executable}" "{source}" {how} "{alive}"')
    made.choose(view, view.ask, Random(1), NODES)
    made._answers_in = 0.2
    with pytest.raises(BotProgramError) as failed:
        made.choose(view, view.ask, Random(1), NODES)
    assert failed.value.code == "bot/too-slow"
    os.set_blocking(opened, True)
    with os.fdopen(opened) as held:
        assert held.read() == ""


DEAF = """
import json, sys
for number in range(1, 10_000):
    print(json.dumps({"id": number, "pick": 0}), flush=True)
"""


def test_a_program_that_reads_nothing_holds_nobody_up(tmp_path: Path) -> None:
    view, source = asked(), tmp_path / "deaf.py"
    assert view.ask is not None
    source.write_text(DEAF)
    made = ProgramBot(f'"{sys.executable}" "{source}"', 20.0)
    for _ in range(200):
        made.choose(view, view.ask, Random(1), NODES)
    made.end()


def test_the_time_for_an_answer_counts_from_the_question_whatever_is_said(tmp_path: Path) -> None:
    view, source = asked(), tmp_path / "trickles.py"
    assert view.ask is not None
    source.write_text("import time\nwhile True:\n    print(flush=True)\n    time.sleep(0.3)\n")
    with pytest.raises(BotProgramError) as failed:
        ProgramBot(f'"{sys.executable}" "{source}"', 0.5).choose(view, view.ask, Random(1), NODES)
    assert failed.value.code == "bot/too-slow"


def test_what_a_record_says_of_a_bot_starts_no_program() -> None:
    """A label, a command and an entry point that this run's command line has not given are all unknown."""
    for label in ("cmd:evil", "cmd:touch /tmp/x", "package:evil", "no-such-level"):
        assert adopted(label) is None
        with pytest.raises(KeyError):
            bot(label)
        with pytest.raises(ThinkerError):
            _known(label)


def test_the_command_line_gives_a_label_that_tells_no_path(program: tuple[str, Path]) -> None:
    label = level(program[0])
    assert label.startswith("cmd:python")
    assert "/" not in label
    assert level(program[0]) == label
    assert level(program[0] + " again") != label
    assert level("greedy") == "greedy"


def test_levels_go_round_and_commas_in_a_command_stay() -> None:
    assert levels("expert, casual", 3) == ("expert", "casual", "expert")
    assert levels("3", 2) == ("greedy", "greedy")
    command = f'cmd:"{sys.executable}" --with a-,-b'
    first, second = levels(f"{command},random", 2)
    assert (adopted(first), second) == (command, "random")
    for said in ("", "cmd:", "cmd:'", "cmd:/no/such/program", "package:nobody", "expert,casual,greedy"):
        with pytest.raises(UserError):
            levels(said, 2)


def test_the_thinking_process_keeps_a_program_and_tells_it_the_end(program: tuple[str, Path]) -> None:
    view = asked()
    over = View(view.seat, view.g, None, None, view.lens, view.height)
    answers = io.BytesIO()
    serve(io.BytesIO(b"".join(packed(program[0], "s", each) for each in (view, view, over))), answers)
    data, read = answers.getvalue(), []
    while data:
        size = int.from_bytes(data[:LENGTH], "big")
        read.append(read_answer(data[LENGTH : LENGTH + size]))
        data = data[LENGTH + size :]
    assert [error for _, _, error in read] == ["", "", ""]
    said = [json.loads(line)["say"] for line in program[1].read_text().splitlines()]
    assert said == ["hello", "choose", "choose", "over"]


def test_a_program_that_fails_in_a_series_leaves_its_answers_to_the_caretaker() -> None:
    names = levels(f'cmd:"{sys.executable}" -c pass,random', 3)
    row = play_task(GameTask("nim", names, "fails", {}, given(names)))
    assert not row.fault
    assert row.ranks
    assert row.missed == (row.answers[0], 0, row.answers[2])
    assert row.answers[0] > 0


@pytest.mark.soak  # a whole table of processes; each part of it has its test above
def test_a_program_sits_at_a_signed_table_whose_files_name_no_command(
    program: tuple[str, Path], tmp_path: Path
) -> None:
    words = ("play", "emperor", "--players", "3", "--as", "random", "--bots", f"{program[0]},greedy", "--json")
    run = subprocess.run(
        [sys.executable, "-m", "client", *words],
        cwd=ROOT,
        env={**os.environ, "STARLOCK_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert answer["ok"]
    said = [json.loads(line) for line in program[1].read_text().splitlines()]
    assert (said[0]["say"], said[-1]["say"]) == ("hello", "over")
    assert said[-1]["ranks"] == answer["ranks"]
    kept = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"simple.py" in path.read_bytes()]
