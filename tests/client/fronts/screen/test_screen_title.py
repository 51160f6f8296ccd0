"""The title of the terminal calls the person, and no longer when the person is there."""

from __future__ import annotations

from pathlib import Path

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from screen_game import Solo

from client.fronts.screen.app import FullScreen
from client.fronts.screen.front import Front


class Titled(DummyOutput):
    """A terminal that keeps its titles."""

    def __init__(self) -> None:
        self.titles: list[str] = []

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def clear_title(self) -> None:
        self.titles.append("")


def test_a_call_in_the_title_ends_with_the_next_key(tmp_path: Path) -> None:
    output = Titled()

    class Called(Front):
        """Calls its person at one key and closes at another."""

        def press(self, key: str) -> bool:
            if key == "x":
                self.host.notify("It is your turn.")
            else:
                screen.close()
            return True

    with create_pipe_input() as keys, create_app_session(input=keys, output=output):
        screen: FullScreen[Called] = FullScreen(lambda host: Called(Solo("emperor").session, host), tmp_path)
        keys.send_text("xq")
        screen.run()
    assert output.titles[:2] == ["starlock: It is your turn.", ""]
