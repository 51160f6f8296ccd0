"""Until all who are present have signed the end, every front says that it is being confirmed; whoever has not signed it
by the close of the table is named, and the winner is read all the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import recorded
from report_pages import checked, needs_node, page_of
from screen_game import Solo
from test_verify_game import packed

from client.commands import cli
from client.fronts.line.screen import LineScreen
from client.fronts.web.fragments import ask
from client.session.view import as_json, view_of
from client.show.styled import plain
from client.system.texts import _, use
from client.table.result import result_of

SAID = {
    "en": ("Ended, being confirmed; not yet confirmed by Bob.", "ended, being confirmed by Bob"),
    "es": ("Terminada, confirmándose; aún sin confirmar por Bob.", "terminada; falta que confirme: Bob"),
}


@pytest.fixture(params=["en", "es"])
def said(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    use(request.param)
    yield SAID[request.param]
    use("en")


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Solo:
    """A game at which nobody is asked any more; Bob has not signed its end."""
    solo = Solo("rex")
    asked = solo.session.asking.draft
    assert asked is not None
    solo.session.asking.withdrawn(asked.asked)
    monkeypatch.setattr(solo.controls, "debts", lambda: {1: "result"})
    return solo


def test_the_line_mode_says_who_has_not_confirmed_the_end(ended: Solo, said: tuple[str, str]) -> None:
    assert LineScreen(ended.session, lambda: 120).status().startswith(said[0])


def test_the_full_screen_says_who_has_not_confirmed_the_end(ended: Solo, said: tuple[str, str]) -> None:
    ended.session.screens.tell()
    assert said[1] in plain(ended.front.draw(120, 40).lines[0])


def test_page_and_programs_are_told_who_has_not_confirmed_the_end(ended: Solo, said: tuple[str, str]) -> None:
    view = view_of(ended.session)
    told = as_json(view)
    assert (told["confirming"], list(told["waiting"])) == (said[0], ["Bob"])
    assert said[0] in ask.asked(view, ended.session, False)
    after = ask.asked(view, ended.session, True)
    assert _("The game is over.") in after
    assert said[0] in after


def test_an_end_that_all_have_signed_is_confirmed(ended: Solo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ended.controls, "debts", dict)
    monkeypatch.setattr(ended.controls, "owing", dict)
    assert view_of(ended.session).confirming == ""
    assert "confirmed" not in LineScreen(ended.session, lambda: 120).status()


def unconfirmed() -> bytes:
    """A game of two whose second member has not signed the end."""
    table = recorded.finished()
    second = table.keys[1].key.public
    return packed(table, [e for e, _ in table.log if (e.author, e.kind) != (second, "result")])


def test_verify_names_who_has_not_confirmed_the_end_and_who_won(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], starlock_home: Path
) -> None:
    path = tmp_path / "game.star"
    path.write_bytes(unconfirmed())
    assert cli.main(["verify", str(path)]) == 0
    assert "Intact. The game has ended; the end is not confirmed by Player 1." in " ".join(
        capsys.readouterr().out.split()
    )
    assert cli.main(["verify", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["complete"], told["unsigned"]) == (True, True, ["Player 1"])
    whole: Any = recorded.finished()
    assert [score["points"] for score in told["end"]["scores"]] == [
        total for _, total, _ in whole.peers[0].machine.scores()
    ]


def test_the_result_of_a_table_names_who_has_not_confirmed_it() -> None:
    table = recorded.finished()
    peer, second = table.peers[0], table.keys[1].key.public
    assert not result_of(peer, 0.0, 0).unsigned
    place = second, peer.position.height, peer.position.head
    entry = peer.hearing.ended.pop(place)
    try:
        result = result_of(peer, 0.0, 0)
    finally:
        peer.hearing.ended[place] = entry
    assert result.unsigned == ("Player 1",)
    assert "The end is not confirmed by Player 1." in result.shown()


@needs_node
def test_the_report_finds_out_itself_that_somebody_has_not_confirmed_the_end(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(unconfirmed()))
    (report,) = checked(path)
    assert (report["ok"], report["unchecked"]) == (True, ["rules", "unsigned", "last"])
