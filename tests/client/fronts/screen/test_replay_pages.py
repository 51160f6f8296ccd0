"""The pages of a recorded game on the full screen: log, boards, eyes of a seat, files to write."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from recorded import begun
from replaying import Seen, eclipse, rex, walked
from volume import gated

from client.fronts.kit.cards import cards
from client.fronts.screen.position import ShownPosition
from client.fronts.screen.replay import log
from client.proof.recording import Recording
from client.report.position import FORMS
from client.show.boards import board_of
from client.show.styled import UNICODE, plain
from client.system.names import columns
from client.system.texts import use

REPLAY_PAGES = ("", "f2", "f4", "f5", "f7", "f9", "v", "?", "e", "b", "/", "x", "d", "tab", "c-p", "f3")


@pytest.mark.parametrize(("width", "height"), gated([(60, 18), (80, 24), (120, 40), (200, 50)], 2))
@pytest.mark.parametrize("game", [eclipse, rex])
def test_spanish_fits_on_the_replay_and_all_its_pages(game: Callable[[], Recording], width: int, height: int) -> None:
    seen = Seen(game())
    use("es")
    for at in (0, 77, seen.replay.shown.last):
        seen.replay.shown.at = at
        for key in REPLAY_PAGES:
            if key:
                seen.replay.press(key)
            lines = [plain(line) for line in seen.replay.draw(width, height).lines]
            assert ({columns(line) for line in lines}, len(lines)) == ({width}, height)
            seen.replay.dropped()
            if key not in ("", "/"):
                seen.replay.press("escape")


def test_pages_show_log_boards_points_and_the_proof() -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = 77
    for key, word in (("f2", "Player 0"), ("f4", "Player 0"), ("f7", "Player 1"), ("v", "all is proven")):
        assert word in seen.press(key)
        assert "What happened" in seen.press("escape")
    assert seen.asked == [("verify", "game.star")]


def test_boards_are_those_of_a_table_as_the_chosen_eyes_see_them() -> None:
    seen = Seen(eclipse())
    shown = seen.replay.shown
    shown.at = 77
    board = [plain(row).rstrip() for row in cards(board_of(shown.pictures, shown.frame(118), 1), 118, UNICODE)]
    assert "0 all" in seen.press("f4")
    tabs = {hit.value: hit for hit in seen.replay.draw(120, 40).hits if hit.what == "tab"}
    seen.replay.click(tabs["2"].x + 1, tabs["2"].y)
    assert "[2 B Player 1]" in seen.text()
    drawn = [row.strip() for row in seen.text().splitlines()]
    assert all(row.strip() in drawn for row in board[:20])
    assert " <> " not in seen.text()
    assert " c compare " in seen.text()
    assert " <> " in seen.press("c")
    assert "[0 all]" in seen.press("c", "0")
    assert "[1 A Player 0]" in seen.press("right")
    seen.press("escape")
    shown.eyes = 1
    assert "[2 B Player 1]" in seen.press("f4")


def test_the_tray_lies_on_the_shelves_of_a_table_and_tells_what_the_chosen_eyes_pay() -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = 77
    assert "left cost" in seen.press("f5")
    hits = [hit for hit in seen.replay.draw(120, 40).hits if hit.what == "item"]
    seen.replay.click(hits[3].x, hits[3].y)
    marked = seen.text()
    assert "▸" in plain(seen.replay.draw(120, 40).lines[hits[3].y])
    assert seen.press("right") != marked
    assert "left cost" in seen.press("enter"), "nothing is bought"
    assert "In whose hands" in seen.press("i")
    assert "left cost" in seen.press("i")
    seen.press("escape")
    seen.replay.shown.eyes = 0
    assert "left you pay" in seen.press("f5")


def test_a_key_goes_from_page_to_page_as_at_a_table() -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = 77
    for key, shown in (("f4", "Boards"), ("f5", "Research"), ("f2", "Log"), ("?", "Keys"), ("v", "Verified")):
        assert f"─ {shown} ─" in seen.press(key)
    assert "What happened" in seen.press("escape"), "one page at a time"


def test_the_rules_are_read_and_searched_and_not_named_alone() -> None:
    seen = Seen(eclipse())
    assert "Clockwise from the start player everybody takes one action" in seen.press("f1")
    seen.press("/")
    seen.replay.typed("traitor")
    assert "Diplomacy" in [row.strip() for row in seen.text().splitlines()], "the title of an article about it"


def test_every_picture_of_the_step_is_searched() -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = 77
    for key in ("f4", "f5", "f7", "f9"):
        seen.press(key, "/")
        seen.replay.typed("cruiser")
        assert "search: cruiser" in seen.text()
        seen.replay.typed("qxqx")
        below = [row for row in seen.text().splitlines()[2:-1] if row.strip()]
        assert not [row for row in below if "Player 0" in row and "[" not in row], key
        seen.replay.dropped()
        seen.press("escape")


def test_the_log_has_the_filters_of_the_table_and_begins_at_the_shown_step() -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = next(at for at, step in enumerate(eclipse().steps) if step.battle)
    assert "Battle in" in seen.text()
    shown = seen.press("f2")
    first = seen.replay.shown.event_lines()[0]
    assert " ".join(first.split()) in " ".join(shown.split("dice")[1].split())
    tabs = {hit.value: hit for hit in seen.replay.draw(120, 40).hits if hit.what == "tab"}
    assert "[all] battles  dice  chat  Player 0  Player 1" in shown
    assert "[battles]" in seen.press("right")
    assert "passes" not in seen.text()
    seen.replay.click(tabs["4"].x + 1, tabs["4"].y)
    assert "[Player 0]" in seen.text()
    assert "[chat]" in seen.press("escape", "f3")


def test_the_log_tells_each_event_at_its_step() -> None:
    shown, names = ShownPosition(eclipse(), UNICODE), [*eclipse().walk.names]
    rows = [plain(row) for row in log(eclipse(), 0, names, 500).lines(500, "")]
    told = [(step.height, text) for at, step in enumerate(eclipse().steps) for text in shown.event_lines(at)]
    assert [row.strip() for row in rows] == [f"{height}  {text}" for height, text in told]


def test_moves_that_were_taken_back_are_marked_in_the_log_and_are_no_steps(tmp_path: Path) -> None:
    use("en")
    table = begun(12)
    position = table.peers[0].position
    to = next(height for height in range(position.height, 0, -1) if not position.secrets_since(height)) - 2
    assert table.peers[0].propose("takeback", terms=[to, True]) is None
    table.settle()
    for vote in table.peers[1].votes():
        assert table.peers[1].sign(vote.pact.id) is None
    table.settle()
    for _ in range(3):
        assert table.step()
    path = tmp_path / "game.star"
    path.write_bytes(table.star())
    recording = Recording(walked(str(path)))
    whole = recording.walk.log_lines(recording.walk.last)
    undone = [each for each in whole if "taken back: " in each]
    assert 0 < len(undone) < len(whole)
    assert all(re.match(r"[ \d]{5}  \S", each) for each in whole), (
        "texts stand below each other, with a number or without"
    )
    told = sum(len(step.events) for step in recording.steps)
    assert told == len(recording.walk.events) - len(undone)
    assert "taken back: " in Seen(recording).press("f2")
    agreed = f"Agreed: take back to step {to}"
    assert any(each.endswith(agreed) for each in whole)
    seen = Seen(recording)
    seen.press("/")
    assert agreed in seen.enter(agreed)
    assert agreed in seen.press("f2")
    rows = [plain(row) for row in log(recording, 0, recording.walk.names, 100).lines(100, "")]
    at = next(at for at, row in enumerate(rows) if agreed in row)
    assert "taken back: " in rows[at - 1], "what was agreed stands after what it undoes"
    assert "taken back: " not in rows[at + 1]


@pytest.mark.parametrize(
    ("form", "holds"),
    [("svg", "<svg"), ("txt", "Player 0"), ("json", '"digest": '), ("log.txt", "victory points")],
)
def test_the_shown_step_is_written_in_every_form_and_over_no_other_file(form: str, holds: str, tmp_path: Path) -> None:
    seen = Seen(eclipse())
    seen.replay.shown.at = 77
    seen.press("x", *["down"] * [*FORMS].index(form), "enter")
    assert seen.lines[-1] == ("game.txt" if form == "log.txt" else f"game-{eclipse().steps[77].opens}.{form}")
    path = tmp_path / "written"
    assert "Wrote " in seen.enter(str(path))
    assert holds in path.read_text()
    seen.press("escape", "x", *["down"] * [*FORMS].index(form), "enter")
    assert "already; nothing was written" in " ".join(seen.enter(str(path)).split())


def test_eyes_of_a_seat_show_what_the_log_tells_of_its_hand() -> None:
    seen = Seen(rex())
    seen.press("end")
    assert "eyes: [public] Player 0 Player 1" in seen.text()
    assert "cards seen " in seen.press("e")
    seen.press("down", "enter")
    assert "eyes: public [Player 0] Player 1" in seen.text()
    lens = rex().cards.lens(0, len(rex().steps) - 1)
    assert lens
    assert all(rex().cards.face(handle) == face for handle, face in lens.items())
    assert not rex().cards.lens(0, 0)
