"""A terminal that was closed is told apart from an open one and from what is none, and an open one is read after a
pipe."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no such terminal", allow_module_level=True)

from pty_driver import Terminal, open_terminal

from client.system.platform import is_interrupt, terminal_closed

FED = """
import subprocess, sys
subprocess.run([sys.executable, "-c", sys.argv[1]], input=b"by the pipe", check=True)
"""
READS = """
import os, sys
from client.system.platform import take_terminal_as_input
piped = sys.stdin.read()
take_terminal_as_input()
print(f"piped: {piped}", flush=True)
print(f"typed: {sys.stdin.readline().strip()}, {os.isatty(0)}", flush=True)
"""


def test_only_a_terminal_whose_other_end_is_gone_is_closed(tmp_path: Path) -> None:
    file = os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR)
    master, slave = os.openpty()
    try:
        assert not terminal_closed(slave)
        assert not terminal_closed(file)
        os.close(master)
        assert terminal_closed(slave)
        assert terminal_closed(file, slave)
        assert not terminal_closed(file)
    finally:
        os.close(slave)
        os.close(file)


@pytest.mark.parametrize("closed", [True, False])
def test_a_failed_write_is_an_interruption_where_the_terminal_is_closed(
    monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    monkeypatch.setattr("client.system.platform.terminal_closed", lambda *_numbers: closed)
    lost, other = OSError(errno.EIO, "lost"), OSError(errno.ENOSPC, "full")
    assert is_interrupt(lost) == closed
    assert not is_interrupt(other)
    assert is_interrupt(KeyboardInterrupt())
    assert is_interrupt(BaseExceptionGroup("", [KeyboardInterrupt(), lost])) == closed
    assert not is_interrupt(BaseExceptionGroup("", [KeyboardInterrupt(), other]))


def test_whose_input_was_a_pipe_reads_from_the_terminal_afterwards(opened: list[Terminal]) -> None:
    terminal = open_terminal(opened, ["-c", FED, READS], {})
    terminal.until("piped: by the pipe")
    terminal.type("by a person\n")
    terminal.until("typed: by a person, True")
    assert terminal.end() == 0
