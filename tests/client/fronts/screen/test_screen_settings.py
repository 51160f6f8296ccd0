"""The user's settings of the full screen: written with comments, read strictly."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from screen_game import NoHost, Solo, key_acts
from trouble_scenes import NOTICES

from client.commands.cli import main
from client.fronts.screen.front import Front
from client.fronts.screen.settings import NAME, Settings, read, written
from client.show.styled import plain
from client.system.errors import UserError
from client.system.settings import Folders
from client.table.notices import ChatSaid
from client.words.ways import DO


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_home(tmp_path)


def given(folders: Folders, text: str) -> Settings:
    folders.config.mkdir(exist_ok=True)
    (folders.config / NAME).write_text(text, "utf-8")
    return read(folders)


def test_without_a_file_the_settings_are_ours(folders: Folders) -> None:
    assert read(folders) == Settings()


def test_the_file_that_is_written_says_what_ours_are(folders: Folders) -> None:
    path = written(folders)
    assert read(folders) == Settings()
    free = "\n".join(line.removeprefix("# ") if " = " in line else line for line in path.read_text("utf-8").split("\n"))
    said = tomllib.loads(free)
    assert {key: act for act, keys in said.pop("keys").items() for key in keys} == key_acts()
    assert Settings(**said) == Settings()
    path.write_text("bell = false\n", "utf-8")
    assert written(folders) == path
    assert not read(folders).bell


def test_keys_of_ones_own_are_read(folders: Folders) -> None:
    found = given(folders, 'guide = false\n[keys]\nsend = ["x", "c-x", "f12", " "]\n')
    assert not found.guide
    assert key_acts(found.keys)["x"] == "send"


def test_keys_that_were_kept_by_older_names_are_read(folders: Folders) -> None:
    found = given(folders, '[keys]\nfight_on = ["x"]\nadvice = ["c-x"]\ntech = ["f12"]\n')
    assert {key: key_acts(found.keys)[key] for key in ("x", "c-x", "f12")} == {
        "x": "fight-on",
        "c-x": "hint",
        "f12": "goods",
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bel = true", "there is no setting “bel”"),
        ("bell = 1", "bell is true or false"),
        ('glyphs = "latin"', "glyphs is one of auto, unicode, ascii"),
        ('[keys]\nsned = ["s"]', "there is no action “sned”"),
        ('[keys]\nsend = "s"', "send has a list of keys"),
        ('[keys]\nsend = ["x"]\nundo = ["x"]', "the key x stands twice"),
        ('[keys]\nsend = ["ctrl-x"]', "there is no key “ctrl-x”"),
        ("bell =", "Invalid value"),
        ("keys = 3", "keys is a table"),
    ],
)
def test_what_cannot_be_understood_is_named(folders: Folders, text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        given(folders, text)
    assert says in caught.value.message


def test_the_settings_are_shown_as_the_file_has_them(
    folders: Folders, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given(folders, 'bell = false\n[keys]\nsend = ["x"]\n')
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    assert main(["config"]) == 0
    _path, *said = capsys.readouterr().out.splitlines()
    assert tomllib.loads("\n".join(said)) == {
        "bell": False, "desktop": True, "guide": True, "glyphs": "auto", "keys": {"send": ["x"]}
    }  # fmt: skip


def test_texts_name_the_keys_that_the_person_has_bound_and_a_click_on_them_presses_these() -> None:
    solo = Solo("eclipse2")
    own = {
        "send": "x",
        "undo": "e",
        "guide": "g",
        "why": "r",
        "details": "i",
        "chat": "j",
        "troubles": "k",
        "goods": "p",
    }
    front = Front(solo.session, NoHost(), Settings(keys={act: (key,) for act, key in own.items()}))

    def rows() -> list[str]:
        return [" ".join(plain(each).split()) for each in front.draw(120, 40).lines]

    def text() -> str:
        return " ".join(rows())

    assert "g: no more advice" in text()
    assert "A: no more advice" not in text()
    options = solo.session.asking.choices
    assert options is not None
    solo.session.asking.pick(options.options[0])
    assert "x sends it." in text()
    front.say(f"{DO:details} {DO:undo} {DO:why} {DO:reset}")
    assert "i e r U" in text()
    solo.session.notice(ChatSaid("Bob", "truce?"))
    solo.session.notice(NOTICES["disk-full"])
    assert "k what to do" in text()
    assert not re.search(r"F3|F5|! what", text())
    shown, titles = rows(), list[str]()
    for told in ("[1 unread, j]", "k what to do"):
        front.click(20, next(row for row, each in enumerate(shown) if told in each))
        assert front.page is not None
        titles.append(front.page.title)
        front.press("escape")
    assert titles[0] == "Chat" != titles[1]
