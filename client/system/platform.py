# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between operating systems: signals, child processes and the text streams. Nothing here forks.

Every request to end a process (Ctrl-C, SIGTERM, SIGHUP, Ctrl-Break, the parent's death) becomes KeyboardInterrupt in
the main thread, which plain code, trio and prompt_toolkit all handle. One exception: while a page in the browser shows
the table too, closing the terminal (SIGHUP) does not end the process.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    import subprocess  # loads slowly, and most commands start nothing

GRACE = 0.6
"""Seconds that a child has to end by itself after it is asked to."""

SIZE_ASKED_EVERY = None if hasattr(signal, "SIGWINCH") else 0.5
"""Seconds between two looks at the size of the terminal; None where a signal tells that it has changed."""

ERRORS = "screen-errors.txt"
"""The file for what libraries write as errors while a table is shown on a terminal."""

LONG = 100_000
"""Bytes of a file of errors that is begun anew."""

_outliving: list[Callable[[], None]] = []
"""Callbacks for a closed terminal, instead of ending this process; only the last one is called."""


@contextlib.contextmanager
def ending_as_interrupt() -> Iterator[None]:
    """Turn every request to end into KeyboardInterrupt while the block lasts."""
    names = ("SIGTERM", "SIGHUP", "SIGBREAK")
    wanted = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [(number, signal.getsignal(number)) for number in wanted if signal.getsignal(number) == signal.SIG_DFL]
    for number, _old in before:
        signal.signal(number, _asked_to_end)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # started in the background by a shell
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        for number, old in before:
            signal.signal(number, old)


def _asked_to_end(number: int, _frame: object) -> None:
    if _outliving and number == getattr(signal, "SIGHUP", None):
        drop_closed_terminal(1, 2)
        _outliving[-1]()
    else:
        signal.raise_signal(signal.SIGINT)


@contextlib.contextmanager
def outliving_terminal(told: Callable[[], None]) -> Iterator[None]:
    """While the block lasts, closing the terminal calls `told` from a signal handler and does not end this process."""
    _outliving.append(told)
    try:
        yield
    finally:
        _outliving.remove(told)


@contextlib.contextmanager
def minding_closed_terminal() -> Iterator[None]:
    """While the block lasts, reading or writing on a closed terminal ends the block without an error; later output is
    discarded."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EIO or not terminal_closed():
            raise
        drop_closed_terminal(1, 2)


def drop_closed_terminal(*numbers: int) -> None:
    """Redirect those of these streams (0 to 2) that are a closed terminal to the null device. Standard input is
    redirected only when no thread reads it."""
    for number in numbers:
        if terminal_closed(number):
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, number)
            os.close(nowhere)


@contextlib.contextmanager
def errors_in_file(logs: Path) -> Iterator[None]:
    """While the block lasts, what libraries write to the terminal as errors (stream 2) goes to the end of the file
    ERRORS, which is begun anew when it is long. Errors that go elsewhere are left alone. logs: its folder."""
    kept = _redirected_errors(logs / ERRORS) if os.isatty(2) else None
    try:
        yield
    finally:
        if kept is not None:
            os.dup2(kept, 2)
            os.close(kept)
            drop_closed_terminal(2)  # it may have been closed meanwhile


def _redirected_errors(path: Path) -> int | None:
    """Redirect the errors to a file; returns where they went before. None if the file cannot be written: then they
    stay on the terminal, which is better than nowhere."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        anew = os.O_TRUNC if path.exists() and path.stat().st_size > LONG else 0
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | anew, 0o600)
    except OSError:
        return None
    kept = os.dup(2)
    os.dup2(file, 2)
    os.close(file)
    return kept


def take_terminal_as_input() -> None:
    """Read from the terminal from now on, if there is one, because standard input was a pipe or a file."""
    try:
        terminal = os.open("CONIN$" if sys.platform == "win32" else "/dev/tty", os.O_RDWR)
    except OSError:
        return  # a program without a terminal; commands that need one say so
    os.dup2(terminal, 0)
    os.close(terminal)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), sys.stdin.encoding)


def allow_files(count: int) -> int:
    """Raise the limit of open files and connections to `count`, as far as the system permits. Returns the limit."""
    if sys.platform == "win32":
        return count
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return max(soft, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def is_interrupt(error: BaseException) -> bool:
    """True for KeyboardInterrupt, for the errors of reading and writing on a closed terminal, and for an exception
    group of nothing else."""
    if isinstance(error, BaseExceptionGroup):
        return all(is_interrupt(part) for part in error.exceptions)
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, OSError) and error.errno == errno.EIO and terminal_closed()
    )


def terminal_closed(*numbers: int) -> bool:
    """True if one of these streams of this process, by default of all three, is a terminal that has been closed."""
    if sys.platform == "win32":
        return False
    import termios

    for number in numbers or (0, 1, 2):
        try:
            termios.tcgetattr(number)
        except termios.error as error:
            if error.args[0] == errno.EIO:
                return True
    return False


def end_with_parent() -> None:
    """End this process as Ctrl-C does when its standard input closes, so that a child ends with its parent.

    The parent gives the child a pipe as standard input and keeps the other end open. A child that does not end within
    a second is killed.
    """
    threading.Thread(target=_wait_for_the_end, daemon=True, name="parent").start()


def _wait_for_the_end() -> None:
    while os.read(sys.stdin.fileno(), 4096):  # not sys.stdin: a thread must not hold its lock when Python ends
        pass
    if os.name == "nt":
        import _thread

        _thread.interrupt_main()
    else:
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(1.0, os._exit, (3,))
    timer.daemon = True
    timer.start()


def starlock_command(*arguments: str) -> list[str]:
    """The command line that runs starlock with these arguments in the same environment."""
    return [sys.executable, "-P", "-m", "client", *arguments]


class Children:
    """Child processes that do not outlive the block, however it ends."""

    def __init__(self) -> None:
        self.all: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        stop(self.all)

    def start(
        self,
        *arguments: str,
        env: dict[str, str] | None = None,
        stdout: IO[bytes] | None = None,
        stderr: IO[bytes] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start `starlock arguments…`. Standard input is a pipe, and so is standard output without a file for it;
        errors go to the file for them, or to this process's."""
        import subprocess

        child = subprocess.Popen(
            starlock_command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if stdout is None else stdout,
            stderr=stderr,
            env=env,
            bufsize=0,
            start_new_session=True,  # closing the terminal signals its process group, which this process may outlive
        )
        self.all.append(child)
        return child


def stop(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask all to end, wait up to GRACE seconds, and kill the rest."""
    from subprocess import TimeoutExpired

    for child in children:
        if child.poll() is None:
            with contextlib.suppress(OSError):
                child.terminate()
    until = monotonic() + GRACE
    for child in children:
        try:
            child.wait(max(until - monotonic(), 0))
        except TimeoutExpired:
            child.kill()
            child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def kill_hard(child: subprocess.Popen[bytes]) -> None:
    """End a child at once, as a crash would (SIGKILL; TerminateProcess on Windows), and reap it."""
    child.kill()
    child.wait()


def peak_memory() -> int:
    """The peak memory of this process, in bytes; 0 if the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text("ascii")  # getrusage includes the parent's memory before exec
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 0


def open_closed_streams() -> bool:
    """Connect each standard stream that is closed with the null device, so that no other file takes its number.
    Returns whether standard output was open."""
    if sys.stdin is not None and sys.stdout is not None and sys.stderr is not None:
        return True
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest free number each time
        os.set_inheritable(number, True)
    os.close(number)
    had_output = sys.stdout is not None
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
    sys.stdout = sys.stdout or io.TextIOWrapper(io.FileIO(1, "w", closefd=False), "utf-8")
    sys.stderr = sys.stderr or io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8")
    return had_output


def prepare_streams(*streams: TextIO) -> None:
    """Write characters that the terminal's encoding lacks as escapes instead of raising an error."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def silence_output() -> None:
    """Discard further output, for the interpreter's last flush after a broken pipe."""
    with contextlib.suppress(OSError, ValueError):  # no file behind it, or none can be opened
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def program() -> str:
    """The command that this person types to start starlock: the installed command or a script."""
    return os.environ.get("STARLOCK_COMMAND", "starlock")
