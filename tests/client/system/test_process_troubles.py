"""Closed streams, full disks, folders of others, homes that nobody has, too few files: a clear sentence, exit code 2,
and never a traceback or an internal error. Each case is a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import recorded
from volume import gated

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams, limits and modes of POSIX")
ROOT = Path(__file__).parents[3]
ORDINARY = """
import ctypes, os, sys
if sys.platform == "linux":  # the superuser could write anywhere: keep what any user has
    for power in (1, 2):
        ctypes.CDLL(None).prctl(24, power, 0, 0, 0)
os.execv(sys.executable, [sys.executable, "-P", "-m", "client", *sys.argv[1:]])
"""
NOBODY = """
import os, runpy, sys
os.setreuid(54_321, -1)  # the effective user stays: others may not read the program
os.environ.pop("HOME", None)
sys.argv = ["starlock", *sys.argv[1:]]
runpy.run_module("client", run_name="__main__")
"""


BEGINNING = """
import runpy, signal, sys
module = sys.argv.pop(1)
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
runpy.run_module("client", run_name="__main__")
"""


def environment(home: Path | str) -> dict[str, str]:
    return {**os.environ, "STARLOCK_HOME": str(home), "LANGUAGE": "en", "PYTHONPATH": str(ROOT)}


def starlock(home: Path | str, command: str, *words: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of `command`, in which $STARLOCK is the program."""
    env = {**environment(home), "STARLOCK": f"{sys.executable} -P -m client"}
    shell = ["bash", "-c", command.replace("starlock", "$STARLOCK"), "bash", *words]
    done = subprocess.run(shell, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, timeout=150)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    assert "inside starlock" not in done.stdout + done.stderr, done.stderr
    return done


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB; skipped where none may be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("this user may not mount a small disk")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("streams", ["2>&-", "<&-", "<&- 2>&-"])
def test_a_command_works_with_closed_input_or_errors(home: Path, streams: str) -> None:
    done = starlock(home, f"starlock tables {streams}")
    assert done.returncode == 0
    assert "There are no tables here yet." in done.stdout


@pytest.mark.parametrize("command", ["starlock tables", "starlock", "starlock nonsense", "starlock tables --json"])
def test_without_standard_output_a_command_says_so_and_ends_with_2(home: Path, command: str) -> None:
    done = starlock(home, f"{command} >&-")
    assert done.returncode == 2
    assert "Standard output is closed" in done.stderr


@pytest.mark.parametrize("streams", [">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>/dev/full", ">/dev/full 2>&-"])
def test_with_nowhere_to_say_anything_the_exit_code_is_still_2(home: Path, streams: str) -> None:
    assert starlock(home, f"starlock tables {streams}").returncode == 2
    assert starlock(home, f"starlock nonsense {streams}").returncode == 2


@pytest.mark.parametrize("module", ["client.system.platform", "client.commands.cli", "client.commands.tables"])
def test_an_interrupt_while_the_program_is_being_loaded_ends_it_without_a_traceback(home: Path, module: str) -> None:
    done = starlock(home, 'exec "$1" -P -c "$2" "$3" tables', sys.executable, BEGINNING, module)
    assert done.returncode == 3


def test_errors_are_told_to_programs_with_a_closed_stream_of_errors(home: Path) -> None:
    done = starlock(home, "starlock resume nothing --json 2>&-")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "table/unknown"


def test_nobody_plays_on_a_closed_input(home: Path) -> None:
    done = starlock(home, "starlock play eclipse2 --players 2 --json <&-")
    assert json.loads(done.stdout)["error"]["code"] == "cli/no-terminal"


def test_a_closed_stream_gives_its_number_to_no_file_of_ours(home: Path) -> None:
    """What a library prints as an error must not end up in a database or a socket."""
    shown = "print(*map(os.readlink, ('/proc/self/fd/0', '/proc/self/fd/2')))"
    code = f"import os; from client.commands import cli; cli.main(['keys']); {shown}"
    done = starlock(home, '"$1" -c "$2" <&- 2>&-', sys.executable, code)
    assert done.stdout.splitlines()[-1] == "/dev/null /dev/null"


@pytest.mark.parametrize("word", ["--color=--", "tables --color=--", "tables --lang=--", "host --name=--"])
def test_an_option_with_two_dashes_for_a_value_is_refused(home: Path, word: str) -> None:
    done = starlock(home, f"starlock {word} --json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "cli/usage"


@pytest.mark.parametrize("command", ["tables", "keys", "nonsense", "verify nothing", "config"])
def test_a_home_of_a_user_who_does_not_exist_is_named(command: str) -> None:
    done = starlock("~nosuchuser", f"starlock {command}")
    assert done.returncode == 2
    if command != "nonsense":
        assert "~nosuchuser" in done.stderr
        assert "STARLOCK_HOME" in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser can become nobody")
@pytest.mark.parametrize("command", ["tables", "keys", "config"])
def test_a_user_without_a_home_is_told_to_name_one(command: str) -> None:
    env = {name: value for name, value in environment("").items() if name not in ("HOME", "STARLOCK_HOME")}
    words = [sys.executable, "-c", NOBODY, command]
    done = subprocess.run(words, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, timeout=150)
    assert done.returncode == 2, done.stderr
    assert "STARLOCK_HOME" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["keys", "config", "host eclipse2 --players 2 --as random --local"])
def test_a_config_folder_of_another_user_is_named(home: Path, command: str) -> None:
    (home / "config").mkdir(parents=True)
    if os.geteuid() == 0:
        os.chown(home / "config", 54_321, -1)
    (home / "config").chmod(0o700 if os.geteuid() == 0 else 0)
    words = [sys.executable, "-c", ORDINARY, *command.split(), "--json"]
    done = subprocess.run(
        words, capture_output=True, text=True, env=environment(home), stdin=subprocess.DEVNULL, timeout=150
    )
    (home / "config").chmod(0o700)
    answer = json.loads(done.stdout)
    assert done.returncode == 2
    assert str(home / "config") in answer["error"]["message"]
    assert answer["error"]["hint"]


@pytest.mark.parametrize("files", gated([5, 12, 40], 2))
def test_too_few_open_files_are_named(home: Path, files: int) -> None:
    """A limit that may be raised is raised; one that may not is named."""
    done = starlock(home, f"ulimit -n {files}; exec starlock host eclipse2 --players 2 --as random --local --json")
    answer: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == 2
    assert answer["error"]["code"] in ("system/files", "store/disk")
    assert "open" in answer["error"]["message"]


@pytest.mark.parametrize("files", gated([7, 10, 12, 20], 2))
def test_the_page_says_that_it_may_open_too_few_files(home: Path, files: int) -> None:
    done = starlock(home, f"ulimit -n {files}; exec starlock home --web")
    assert done.returncode == 2
    assert "ulimit -n 1024" in done.stderr


def test_the_first_start_on_a_full_disk_says_so(small_disk: Path) -> None:
    (small_disk / "ballast").write_bytes(bytes(60_000))
    with (small_disk / "rest").open("wb", buffering=0) as rest:
        try:
            while rest.write(bytes(512)):
                pass
        except OSError:
            pass
    for command in ("keys", "config", "host eclipse2 --players 2 --as random --local", "import game.star"):
        (small_disk.parent / "game.star").write_bytes(recorded.finished().star())
        done = starlock(small_disk / "home", f"cd {small_disk.parent}; starlock {command} --json")
        answer = json.loads(done.stdout)
        assert done.returncode == 2, answer
        assert answer["error"]["hint"]


def test_no_file_can_be_longer_than_nothing_on_the_first_start(home: Path) -> None:
    for command in ("keys", "config", "host eclipse2 --players 2 --as random --local"):
        done = starlock(home, f"ulimit -f 0; starlock {command} --json | cat; exit ${{PIPESTATUS[0]}}")
        assert done.returncode == 2, done.stdout
        assert json.loads(done.stdout)["error"]["hint"]


def test_a_log_on_a_full_disk_ends_no_game(small_disk: Path, tmp_path: Path) -> None:
    """The log fills its disk in mid-game: both members play to the end, and the number of lost lines is told."""
    log, ticket = small_disk / "log", tmp_path / "ticket"
    (small_disk / "ballast").write_bytes(bytes(60_000))
    bot = "--as random --local --seed 5 --json"
    script = f"""
        starlock host eclipse2 --players 2 {bot} --seat 0 --ticket-file {ticket} --log {log} \\
            >{tmp_path}/host 2>{tmp_path}/host-errors &
        for round in $(seq 600); do test -s {ticket} && break; sleep 0.1; done
        STARLOCK_HOME={tmp_path}/guest-home starlock join {ticket} {bot} --seat 1 >{tmp_path}/guest 2>&1 &
        wait %1
    """
    done = starlock(tmp_path / "host-home", script)
    answer = json.loads((tmp_path / "host").read_text())
    told = (tmp_path / "host-errors").read_text()
    assert done.returncode == 0, told
    assert answer["ok"] is True
    assert "lines of the log" in told
    for line in log.read_text().splitlines()[:-1]:
        json.loads(line)


def test_a_log_that_cannot_even_begin_is_refused(home: Path) -> None:
    done = starlock(home, "starlock tables --log /dev/full --json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "log/unwritable"


@pytest.mark.parametrize("command", ["join", "watch"])
def test_a_large_file_is_no_ticket_and_is_refused_unread(home: Path, tmp_path: Path, command: str) -> None:
    with (tmp_path / "large").open("wb") as large:
        large.truncate(200_000_000)
    done = starlock(home, f"ulimit -v 1500000; starlock {command} {tmp_path}/large --json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "file/too-long"
    assert not home.exists()
