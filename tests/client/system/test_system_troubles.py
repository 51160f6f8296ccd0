"""What the system, a parser or the database says is told in the language of the sentence around it."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from client.commands import cli
from client.system import system_troubles
from client.system.system_troubles import reason
from client.system.texts import use


@pytest.fixture(autouse=True)
def spanish(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LANGUAGE", "es")
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "home"))
    use("es")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("verify nowhere.star", "no existe ese archivo ni esa carpeta."),
        ("odds eclipse2 --input .", "es una carpeta."),
        ("odds eclipse2 --input broken", "hay un error en la línea 2, columna 1"),
        ("odds eclipse2 --input latin", "no es texto en UTF-8"),
        ("play emperor --content broken", "No es TOML: hay un error en la línea 1, columna 1"),
        ("tables --log .", "es una carpeta."),
        ("config", "hay un error en la línea 1, columna 6."),
        ("keys import .", "no es un archivo corriente."),
    ],
)
def test_a_reason_is_told_in_the_language_of_the_sentence_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken").write_text("{\n]")
    Path("latin").write_bytes(b'{"\xe9": 1}')
    (tmp_path / "home" / "config").mkdir(parents=True)
    (tmp_path / "home" / "config" / "screen.toml").write_text("bell on")
    assert cli.main([*words.split()]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="the words of Linux")
def test_what_may_be_said_is_what_linux_says() -> None:
    said = {os.strerror(number) for number in errno.errorcode}
    known = [text for text in system_troubles._SAID if text[0].isupper()]
    assert set(known) <= said
    assert all(reason(OSError(errno.ENOENT, text)) != text for text in system_troubles._SAID)


def test_what_nobody_has_translated_stays_as_it_is() -> None:
    assert reason(OSError(errno.EXFULL, "Exchange full")) == "Exchange full"
    assert reason("wrong # of entries in index known") == "wrong # of entries in index known"
    assert reason(ValueError("no such order")) == "no such order"
