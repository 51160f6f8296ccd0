"""Games and bots of installed packages: found without a fork, tried when named, and harmless if they are broken."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from catalogues import compile_all

from client.bots import bot, level
from client.commands import cli
from client.system.errors import UserError
from client.system.registry import GAMES, game_client
from client.system.texts import _, use
from client.table.offers import fits
from client.table.options import known_game
from client.table.words import lobby_trouble
from client.words.options import game_title
from engine.core.registry import game
from p2p.reach.find import TableOffer

OWN = [id for id in GAMES if id != "nim"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages."""
    monkeypatch.syspath_prepend(tmp_path)
    before = {*sys.modules}
    yield tmp_path
    monkeypatch.undo()
    for name in {*sys.modules} - before:
        if name.startswith("other_"):
            del sys.modules[name]
    GAMES.find()


def install(site: Path, package: str, points: str, **modules: str) -> None:
    """Install a package, version 2.0, with these entry points and modules."""
    folder = site / package
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    data = site / f"{package}-2.0.dist-info"
    data.mkdir()
    (data / "entry_points.txt").write_text(points, "utf-8")
    GAMES.find()


def why_not(name: str) -> str:
    with pytest.raises(UserError) as refused:
        known_game(name)
    return refused.value.message


def a_game(name: str, place: str) -> str:
    return f"[console_scripts]\nfoo = bar:main\n\n[starlock.games]\n{name} = {place}\n"


NIM = "from dataclasses import replace\nfrom starlock_nim.spec import NIM\nGAME = replace(NIM, id='{id}')\n"


def test_a_game_of_a_package_is_known_by_its_id_and_the_others_stay(site: Path) -> None:
    install(site, "other_fine", a_game("pearls", "other_fine.spec:GAME"), spec=NIM.format(id="pearls"))
    assert [id for id in GAMES if id != "nim"] == [*OWN, "pearls"]
    assert known_game("pearls") == "pearls"
    assert game("pearls").id == "pearls"
    assert game_client("pearls").title == ""
    assert game_title("pearls") == "pearls"


def test_a_package_is_not_imported_before_its_game_is_looked_at(site: Path) -> None:
    install(site, "other_lazy", a_game("lazy", "other_lazy.spec:GAME"), spec=NIM.format(id="lazy"))
    assert known_game("rex") == "rex"
    assert "other_lazy" not in sys.modules
    assert "lazy" in GAMES
    assert "other_lazy" in sys.modules


BROKEN = {
    "no module": ("other_a.nothing:GAME", "", "ModuleNotFoundError: No module named 'other_a.nothing'"),
    "no name": ("other_a.spec:NOTHING", "", "AttributeError: module 'other_a.spec' has no attribute 'NOTHING'"),
    "no place": ("other_a.spec", "", "“other_a.spec” is no place such as my_pearls.spec:PEARLS"),
    "no game": ("other_a.spec:GAME", "GAME = 5", "other_a.spec:GAME is no GameSpec of that id"),
    "other id": ("other_a.spec:GAME", NIM.format(id="other"), "other_a.spec:GAME is no GameSpec of that id"),
    "error": ("other_a.spec:GAME", "raise ValueError('torn\\x1b[2J')", "ValueError: torn\\u{1b}[2J"),
    "exit": ("other_a.spec:GAME", "raise SystemExit(0)", "SystemExit: 0"),
    "syntax": ("other_a.spec:GAME", "GAME =", "SyntaxError: invalid syntax (spec.py, line 1)"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_game_of_a_package_has_one_sentence_and_hurts_no_other(fault: str, site: Path) -> None:
    place, source, reason = BROKEN[fault]
    install(site, "other_a", a_game("sharks", place), spec=source)
    assert why_not("sharks") == f"The package other-a 2.0 brings the game “sharks”, which cannot be used: {reason}."
    assert [id for id in GAMES if id != "nim"] == OWN
    assert "sharks" not in GAMES
    offer = TableOffer("sharks", {}, 2, 1, "sharks/1", "starlock 0.1.0", "Eve", b"lobby", b"secret")
    assert not fits(offer), "whoever announces such a table ends nothing here"


RECORDS = {
    "CLIENT = 5": "AttributeError",
    "GAME = 5": "is no GameClient",
    "from client.system.registry import GameClient\nGAME = GameClient(pictures='other_b.nothing:P')": "ModuleNotFound",
    "from client.system.registry import GameClient\nGAME = GameClient(texts=('other_b.client',))": "EVENTS",
    "1 / 0": "ZeroDivisionError",
}


@pytest.mark.parametrize("source", RECORDS)
def test_a_record_that_is_none_or_names_what_is_not_there_is_told_before_a_table_begins(
    source: str, site: Path
) -> None:
    install(site, "other_b", a_game("rays", "other_b.spec:GAME"), spec=NIM.format(id="rays"), client=source)
    assert RECORDS[source] in why_not("rays")
    assert [id for id in GAMES if id != "nim"] == OWN


def test_no_package_takes_the_place_of_a_game_of_starlock(site: Path) -> None:
    install(site, "other_c", a_game("rex", "other_c.spec:GAME"), spec="raise SystemExit")
    assert game("rex").rules_id == "rex/1"
    assert known_game("rex") == "rex"
    assert "other_c" not in sys.modules
    assert "starlock has one of that name" in str(GAMES.trouble("rex"))


def test_of_two_packages_with_one_name_neither_is_played(site: Path) -> None:
    install(site, "other_d", a_game("pearls", "other_d.spec:GAME"), spec=NIM.format(id="pearls"))
    install(site, "other_e", a_game("pearls", "other_e.spec:GAME"), spec=NIM.format(id="pearls"))
    assert "other-e 2.0 brings one of that name too" in why_not("pearls")


@pytest.mark.parametrize("name", ["../rex", "Rex", "réx", "a b", "x" * 33, "\x1b[2J"])
def test_a_name_is_made_of_small_letters_digits_and_hyphens(name: str, site: Path) -> None:
    install(site, "other_f", a_game(name, "other_f.spec:GAME"), spec=NIM.format(id="fish"))
    assert [id for id in GAMES if id != "nim"] == OWN


@pytest.mark.parametrize(
    "points", ["[starlock.games\n", "starlock.games", "[starlock.games]\nx\n", "\x00starlock.\xff"]
)
def test_metadata_of_another_form_name_no_game(points: str, site: Path) -> None:
    install(site, "other_g", points)
    assert [id for id in GAMES if id != "nim"] == OWN


def said(*words: str) -> tuple[int, str, str]:
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as errors:
        code = cli.main([*words, "--lang", "en"])
    return code, out.getvalue(), errors.getvalue()


def test_commands_name_a_broken_package_and_go_on_with_other_games(starlock_home: Path, site: Path) -> None:
    install(site, "other_h", a_game("sharks", "other_h.spec:GAME"), spec="import nothing_such")
    code, _out, errors = said("play", "sharks")
    assert code == 2
    assert errors == (
        "starlock: The package other-h 2.0 brings the game “sharks”, which cannot be used: ModuleNotFoundError: "
        "No module named 'nothing_such'.\nTell its author, or take it out: pip uninstall other-h\n"
    )
    assert said("rules", "rex", "sol")[0] == 0
    with redirect_stdout(StringIO()) as out, pytest.raises(SystemExit):
        cli.main(["play", "--help", "--lang", "en"])
    assert "emperor, rex" in out.getvalue()
    assert "sharks" not in out.getvalue()


def test_a_mistake_in_the_content_of_a_game_is_told_as_its_loader_says_it(
    starlock_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.core.content import fault

    def unfit(*_args: Any, **_named: Any) -> None:
        raise fault("sectors.toml", "species zephyr", "no sector 236 is listed", "content/unfit")

    monkeypatch.setattr("client.table.options.game", unfit)
    code, _out, errors = said("simulate", "rex")
    assert code == 2
    assert errors == (
        "starlock: sectors.toml: species zephyr: no sector 236 is listed\n"
        "Put it right in the content of the game, and start again.\n"
    )
    assert not [*starlock_home.rglob("*.txt")], "an author's mistake is no fault of the program, and has no report"


def test_a_bot_of_a_package_plays_and_a_broken_one_has_one_sentence(site: Path) -> None:
    assert type(bot(level("package:nim-shark"))).__name__ == "Shark"
    points = "[starlock.bots]\nmute = other_i.bots:Mute\nlost = other_i.bots:Lost\n"
    install(site, "other_i", points, bots="class Mute:\n    pass\n")
    for name, reason in (("mute", "other_i.bots:Mute has no method “choose”"), ("lost", "AttributeError")):
        with pytest.raises(UserError, match=f"The package other-i 2.0 brings the bot “{name}”.*{reason}"):
            level(f"package:{name}")


def test_the_sentence_is_in_the_language_in_use(site: Path) -> None:
    use("es")
    install(site, "other_j", a_game("rayas", "other_j.spec:GAME"), spec="")
    assert why_not("rayas").startswith("El paquete other-j 2.0 trae el juego «rayas», que no se puede usar: Attr")


def test_a_catalogue_of_a_package_that_cannot_be_read_is_told_and_hurts_no_other(site: Path) -> None:
    install(site, "other_c", a_game("pikes", "other_c.spec:GAME"), spec=NIM.format(id="pikes"))
    folder = site / "other_c" / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "other_c.mo").write_bytes(b"torn")
    use("es")
    try:
        assert "other-c 2.0" in why_not("pikes")
        assert known_game("rex") == "rex"
    finally:
        use("en")


def test_a_text_that_starlock_translates_keeps_its_translation_beside_a_package(site: Path) -> None:
    catalogue = 'msgid "an eel"\nmsgstr "una anguila"\n\nmsgid "Leave"\nmsgstr "Falso"\n'
    install(site, "other_d", a_game("eels", "other_d.spec:GAME"), spec=NIM.format(id="eels"))
    folder = site / "other_d" / "locale" / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "other_d.po").write_text(catalogue, "utf-8")
    compile_all(str(site / "other_d" / "locale"), "other_d")
    use("es")
    try:
        before = _("Leave")
        assert known_game("eels") == "eels"
        assert (_("an eel"), _("Leave")) == ("una anguila", before)
    finally:
        use("en")


@pytest.mark.parametrize(("lang", "word"), [("en", "package"), ("es", "paquete")])
def test_who_lacks_a_game_reads_that_it_may_come_from_a_package(lang: str, word: str) -> None:
    """No newer starlock brings such a game."""
    use(lang)
    assert word in lobby_trouble("rules/no-game", ("nim",)).hint
