"""A terminal that was closed is told apart from an open one and from what is none."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from client.system.platform import is_interrupt, terminal_closed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such terminal")


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
