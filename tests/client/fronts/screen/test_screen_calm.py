"""A full screen on which nothing happens."""

from __future__ import annotations

import signal
from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from client.fronts.kit.stack import Stack
from client.fronts.screen.app import FullScreen
from client.show.styled import UNICODE


def test_nobody_asks_again_and_again_how_large_a_terminal_is_that_tells_when_it_changes(tmp_path: Path) -> None:
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        app = FullScreen(lambda host: Stack(host, UNICODE), tmp_path).app
    assert (app.terminal_size_polling_interval is None) == hasattr(signal, "SIGWINCH")
