"""Every command starts short, ends with the promised code, and tells its errors in one place and one form."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from client.commands import cli
from client.system import texts
from client.system.context import Context
from client.system.errors import UserError
from client.system.progress import Meter
from engine.core.dataclass import replace


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def environment(home: Path, **more: str) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if name not in ("LANGUAGE", "LC_ALL", "LANG")}
    return {**plain, "STARLOCK_HOME": str(home), "LANGUAGE": "en", **more}


def run(home: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "client", *words],
        capture_output=True,
        text=True,
        env=environment(home, **env),
        stdin=subprocess.DEVNULL,
    )


def failure(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The error of a run with --json: exactly one line on standard output."""
    assert done.stdout.count("\n") == 1, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["ok"] is False
    assert set(told["error"]) == {"code", "message", "hint"}
    return dict(told["error"])


HELP = """
import contextlib, io, json, sys
from client.commands import cli
told = {}
for command in cli.COMMANDS:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            cli.main([command.name, "--help"])
    except SystemExit as end:
        assert not end.code, (command.name, end.code)
    heavy = [name for name in ("trio", "prompt_toolkit", "cryptography", "asyncio") if name in sys.modules]
    told[command.name] = [said.getvalue(), heavy]
print(json.dumps(told))
"""


def test_every_command_explains_itself_without_heavy_imports(home: Path) -> None:
    """One process asks them all in turn: where one imports something heavy, it is the first that shows it."""
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, env=environment(home))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert list(told) == [command.name for command in cli.COMMANDS]
    assert [name for name, (said, _heavy) in told.items() if "--json" not in said] == []
    assert [(name, heavy) for name, (_said, heavy) in told.items() if heavy] == []


LIGHT = [
    ("rules", "eclipse2", "explore"),
    ("odds", "eclipse2", "cruiser", "vs", "ancient"),
    ("--help",),
    ("--version",),
]


@pytest.mark.parametrize("words", LIGHT)
def test_light_commands_import_nothing_heavy(home: Path, words: tuple[str, ...]) -> None:
    code = (
        f"import sys; from client.commands import cli; code = cli.main({list(words)!r})\n"
        "names = ('trio', 'prompt_toolkit', 'cryptography', 'inspect', 'concurrent')\n"
        "heavy = [name for name in names if name in sys.modules]\n"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(home))
    assert done.returncode == 0, done.stderr


def test_without_words_the_overview_lists_every_command(home: Path) -> None:
    done = run(home)
    assert done.returncode == 0
    for command in cli.COMMANDS:
        assert f"  {command.name} " in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("simulte", "eclipse2"), "cli/unknown-command", "simulate"),
        (("--colour", "keys"), "cli/usage", "--colour"),
        (("rules",), "cli/usage", "GAME"),
        (("rules", "eclips"), "cli/unknown-game", "eclipse2"),
        (("rules", "eclipse2", "plasma-canon"), "rules/unknown-word", "plasma-cannon"),
        (("simulate", "eclipse2", "--games", "many"), "cli/usage", "many"),
        (("simulate", "eclipse2", "--games", "0"), "cli/usage", "--games"),
        (("keys", "--bogus"), "cli/usage", "--bogus"),
        (("keys", "--lang"), "cli/usage", "--lang"),
        (("keys", "--lang", "tlh"), "cli/unknown-language", "tlh"),
        (("keys", "--log", "/no/such/folder/log"), "log/unwritable", "/no/such/folder/log"),
    ],
)
def test_bad_words_get_one_clear_message(home: Path, words: tuple[str, ...], code: str, said: str) -> None:
    done = run(home, *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    error = failure(run(home, "--json", *words))
    assert error["code"] == code
    assert said in error["message"] + error["hint"]
    assert error["hint"], "what to do next"


@pytest.mark.parametrize("command", ["rules", "odds"])
def test_only_what_may_not_be_left_out_is_called_required(home: Path, command: str) -> None:
    assert failure(run(home, "--json", command))["message"] == "the following arguments are required: GAME"


@pytest.mark.parametrize("command", ["join", "watch", "doctor"])
def test_help_offers_a_table_on_this_network_where_the_command_takes_one(home: Path, command: str) -> None:
    assert ("without any, a table there" in run(home, command, "--help").stdout) == (command == "join")


def test_a_copy_without_compiled_texts_says_how_to_set_it_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "LOCALE", tmp_path)
    before = texts.current()
    with pytest.raises(UserError, match="not set up") as refused:
        texts.use("es")
    assert (refused.value.code, texts.current()) == ("cli/no-catalogue", before)
    assert "scripts/play.py" in refused.value.hint


def test_common_options_may_stand_before_and_after_the_command(home: Path) -> None:
    before = run(home, "--json", "--lang", "es", "rules", "eclipse2", "explore")
    after = run(home, "rules", "eclipse2", "explore", "--lang=es", "--json")
    assert before.stdout == after.stdout
    assert json.loads(after.stdout)["entries"][0]["title"] == "Explorar"


def test_the_language_is_that_of_the_system_unless_said_otherwise(home: Path) -> None:
    assert "órdenes" in run(home, "--help", LANGUAGE="", LANG="es_ES.UTF-8").stdout
    assert "every command" in run(home, "--help", LANGUAGE="", LANG="fr_FR.UTF-8").stdout
    assert "every command" in run(home, "--help", "--lang", "en", LANGUAGE="es").stdout


def test_a_terminal_without_the_letters_gets_escapes_not_errors(home: Path) -> None:
    done = run(home, "--help", "--lang", "es", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "\\xf3rdenes" in done.stdout


def test_a_closed_pipe_ends_quietly(home: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "client", "rules", "eclipse2", "rulings"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(home),
    )
    assert child.stdout is not None
    child.stdout.close()
    _out, err = child.communicate()
    assert err == b""
    assert child.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("rules", "eclipse2"), ("rules", "eclipse2", "--json")])
def test_a_full_disk_is_named_and_no_traceback_shown(home: Path, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-P", "-m", "client", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment(home))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert "The disk is full." in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_log_that_cannot_grow_is_named(home: Path) -> None:
    error = failure(run(home, "rules", "eclipse2", "--json", "--log", "/dev/full"))
    assert error["code"] == "log/unwritable"


def test_an_unexpected_error_is_kept_in_a_file_and_shown_in_a_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from client.commands import rules

    def broken(args: object, context: Context) -> int:
        raise ZeroDivisionError("the inner detail")

    monkeypatch.setenv("STARLOCK_HOME", str(home))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(rules, "run", broken)
    assert cli.main(["rules", "eclipse2", "--json"]) == 1
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert "inner detail" not in out + err
    error = json.loads(out)["error"]
    assert error["code"] == "internal"
    (report,) = (home / "logs").iterdir()
    assert str(report) in error["hint"]
    assert "the inner detail" in report.read_text()


def test_an_error_after_the_answer_still_gives_one_object(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from client.commands import rules

    def half(args: object, context: Context) -> int:
        context.answer("done", entries=3)
        raise UserError("test/late", "Too late.", "Be early.", exit_code=1)

    monkeypatch.setenv("STARLOCK_HOME", str(home))
    monkeypatch.setattr(rules, "run", half)
    assert cli.main(["rules", "eclipse2", "--json"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["ok"], told["entries"], told["error"]["code"]) == (False, 3, "test/late")


SLOW = """
import signal, sys, time
from client.__main__ import main
from client.commands import rules
from client.system.platform import Children, starlock_command
import client.system.platform
client.system.platform.starlock_command = lambda *words: [sys.executable, "-c", "import time; time.sleep(300)"]
def slow(args, context):
    with Children() as children:
        print(children.start().pid, flush=True)
        time.sleep(300)
    return 0
rules.run = slow
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may ignore it
sys.argv[1:1] = ["rules", "eclipse2"]
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_request_to_end_ends_the_command_and_its_children(home: Path, name: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", SLOW, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.send_signal(getattr(signal, name))
    out, err = parent.communicate(timeout=150)
    assert parent.returncode == 3, err
    assert json.loads(out)["error"]["code"] == "cli/interrupted"
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


ORPHAN = """
import sys, time
from client.system.platform import end_with_parent, ending_as_interrupt
with ending_as_interrupt():
    try:
        end_with_parent()
        print("ready", flush=True)
        time.sleep(300)
    except KeyboardInterrupt:
        sys.exit(3)
"""


def test_a_child_ends_when_its_parent_is_gone(home: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", ORPHAN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home)
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"ready"
    child.stdin.close()
    assert child.wait(timeout=150) == 3
    child.stdout.close()


def test_an_error_in_what_the_home_screen_began_returns_to_the_home_screen(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "fits", lambda: True)
    monkeypatch.setenv("STARLOCK_HOME", str(home))
    with ExitStack() as closing:
        context = Context("home", False, None, sys.stdout, sys.stderr, Meter(io.StringIO()), trouble="")
        assert cli.run_next(["join", "starlock:abcdefg"], context, closing) == 2
        assert context.then == ("home",)
        assert context.trouble is not None
        assert "Copy the whole line again" in context.trouble
        typed = replace(context, trouble=None)
        with pytest.raises(UserError):
            cli.run_next(["join", "starlock:abcdefg"], typed, closing)
