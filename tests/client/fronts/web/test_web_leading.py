"""The browser is led to the page by a file that only its owner can read; no command line holds the code."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest
from chromium import BROWSER, MISSING, Chromium
from page_clicks import started
from web_client import led_to

from client.fronts.web.door import Door, leading_file, open_browser
from client.system.settings import Folders


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_home(tmp_path / "home of <Ann> & Bob")


def test_the_browser_is_given_no_code_and_no_key(folders: Folders, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr("webbrowser.open", given.append)
    door = Door.opened()
    open_browser(door, folders)
    (address,) = given
    link = led_to(address)
    url, _hash, code = link.partition("#")
    assert url == door.url + "/"
    assert code not in address
    assert door.guard.traded(code) is not None
    assert door.leading is not None
    door.close()
    assert not door.leading.exists()


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_only_the_owner_can_read_the_file_and_its_folder(folders: Folders) -> None:
    path = leading_file(folders.data, "http://127.0.0.1:1/#code")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a folder in which nothing can be made")
def test_without_a_place_for_the_file_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr("webbrowser.open", given.append)
    door = Door.opened()
    open_browser(door, Folders.of_home(Path("/dev/full")))
    door.close()
    assert given == []


def arrived(page: Chromium) -> object:
    """The status line of the board, nothing before it is there. A page that is just left answers with an error."""
    with suppress(AssertionError):
        return page.run("location.protocol === 'http:' && document.querySelector('#status')?.textContent")
    return None


@pytest.mark.skipif(BROWSER is None or os.name != "posix", reason=MISSING)
def test_a_real_browser_follows_the_file_to_the_board(tmp_path: Path) -> None:
    """The command that opens a browser is the program's only way out; its command line holds the file alone."""
    opener, seen = tmp_path / "opener", tmp_path / "seen"
    opener.write_text(f'#!/bin/sh\necho "$@" >> {seen}\n')
    opener.chmod(0o700)
    with (
        started(tmp_path / "home", "play", "eclipse2", "--players", "2", browser=str(opener)) as (_process, _link),
        Chromium(tmp_path / "profile") as page,
    ):
        address = seen.read_text().strip()
        assert "#" not in address
        page.call("Page.navigate", {"url": address})
        deadline = monotonic() + 60
        while not arrived(page):
            assert monotonic() < deadline
        assert page.run("location.hash") == ""
