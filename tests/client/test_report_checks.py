"""The page of a game checks itself: what its checks find under node."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from agreement import told_items, told_of
from recorded import GameTable
from report_pages import (
    checked,
    data_of,
    left_star,
    locked_star,
    needs_node,
    page_of,
    silent,
    silent_star,
    whole_star,
)
from volume import gated

from client.audit import SavedGame, judged
from client.report.page import CHECKS, SCRIPTS
from engine.core.registry import game
from p2p.log.starfile import read_star

STATIC = Path(__file__).parents[2] / "client" / "report" / "static"


@needs_node
@pytest.mark.parametrize("star", gated([left_star, whole_star, locked_star, silent_star], 1))
def test_the_checks_find_nothing_wrong_with_a_game_that_verify_finds_intact(star: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(star()))
    (report,) = checked(path)
    assert report["problem"] is None
    counts = dict(report["checked"])
    read = read_star(star())
    found = judged(SavedGame(read.entries, read.texts), silent)
    assert found.ok
    assert counts["signatures"] == len(read.entries)
    assert counts["heads"] == found.height
    assert counts["rolls"] == len(found.rolls)
    assert counts.get("pacts", 0) == len(found.pacts)
    wanted = {"partials": "partial", "shuffles": "shuffle", "shares": "share", "remasks": "remask"}
    counts["remasks"] = counts.get("remasks", 0) + counts.get("hands", 0)
    assert {name: counts.get(name, 0) for name in wanted} == {
        name: found.cards.entries.get(kind, 0) for name, kind in wanted.items()
    }
    assert set(report["unchecked"]) <= {"rules", "waiting"}
    assert counts.get("anew", 0) == len(found.cards.anew)
    assert counts.get("forced", 0) == sum(opened for _height, _author, opened in found.cards.forced)
    assert star is not silent_star or counts["forced"] == 1 < counts["anew"]


@needs_node
@pytest.mark.parametrize("names", [CHECKS, SCRIPTS], ids=["worker", "page"])
def test_no_two_scripts_of_the_page_define_one_name(names: tuple[str, ...], tmp_path: Path) -> None:
    """The scripts of one thread share their names, and a later function silently replaces an earlier one. In a module
    that is an error."""
    scripts = [(STATIC / name).read_text("utf-8") for name in names]

    def error_of(*parts: str) -> str:
        path = tmp_path / "all.mjs"
        path.write_text("\n".join(parts), encoding="utf-8")
        return subprocess.run(["node", "--check", path], capture_output=True, text=True, timeout=60).stderr

    assert error_of(*scripts) == ""
    assert "has already been declared" in error_of(*scripts, "function put() {}\nfunction put() {}")


@needs_node
def test_one_changed_bit_is_found_where_it_is(tmp_path: Path) -> None:
    """In an entry of each kind, in a chat's text, the trailer, the header and the frame between them."""
    star = left_star()
    path = tmp_path / "page.html"
    path.write_bytes(page_of(star))
    places: dict[str, str] = {}
    kinds = set()
    for number, entry in enumerate(read_star(star).entries):
        if entry.kind not in kinds:
            kinds.add(entry.kind)
            places[f"{star.index(entry.raw) + len(entry.raw) - 70}:{number % 8}"] = f"entry {number}"
            places[f"{star.index(entry.raw) + len(entry.raw) - 1}:0"] = f"entry {number}"
    chat = next(number for number, entry in enumerate(read_star(star).entries) if entry.kind == "chat")
    places[f"{star.index(b'onerror')}:0"] = f"text of entry {chat}"
    places |= {"1:1": "magic", "12:0": "header", f"{len(star) - 1}:3": "trailer"}
    reports = checked(path, *places)
    assert [report["problem"] and report["problem"]["place"] for report in reports] == list(places.values())
    assert not any(report["ok"] for report in reports)
    assert {"answer", "open", "partial", "keys", "commit", "pact", "sign", "chat"} <= kinds


@pytest.mark.soak
@needs_node
@pytest.mark.slow
def test_every_proof_of_a_sealed_game_is_checked(tmp_path: Path) -> None:
    """A bit changed in an entry whose signature was believed: its commitment, hash or proof shows it."""
    table = GameTable([[0], [1], [2]], spec=game("rex"))
    table.start()
    table.play()
    star, path = table.star(), tmp_path / "page.html"
    path.write_bytes(page_of(star))
    (report,) = checked(path)
    assert report["problem"] is None
    assert report["unchecked"] == ["rules"]
    assert dict(report["checked"])["cards"] > 0
    kinds = ("commit", "keys", "ok", "open", "partial", "shuffle", "remask", "share", "reveal")
    found = checked(path, *kinds)
    assert [each["found"] for each in found] == [each["altered"] for each in found]


@needs_node
def test_a_false_hint_is_found(tmp_path: Path) -> None:
    """What the page says beside the log is not believed: other dice lead to another state than the one signed."""
    html = page_of(whole_star())
    data = data_of(html)
    hints = data["facts"]["hints"]
    items = told_items(hints["told"])
    roll = next(row for row in items[1:] if row[1][0] == "roll")
    roll[1][2] = [side + 1 for side in roll[1][2]]
    hints["told"] = told_of(items)
    found = re.search(rb'id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    false = html.replace(found[1], json.dumps(data).replace("<", "\\u003c").encode())
    path = tmp_path / "page.html"
    path.write_bytes(false)
    (report,) = checked(path)
    assert not report["ok"]
    assert report["problem"]["code"] in ("told/other", "entry/other-head")


@needs_node
def test_other_points_than_the_members_signed_turn_the_page_red(tmp_path: Path) -> None:
    """Who won, each total and each kind of points; the same facts are the page's places and its sheet."""
    html = page_of(whole_star())
    found = re.search(rb'id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    for change in ("rank", "total", "part"):
        data = data_of(html)
        seats = data["facts"]["seats"]
        if change == "part":
            seats[0]["parts"][0][1] += 1
        else:
            seats[0][change], seats[1][change] = seats[1][change] + 3, seats[0][change]
        path = tmp_path / f"{change}.html"
        path.write_bytes(html.replace(found[1], json.dumps(data).replace("<", "\\u003c").encode()))
        (report,) = checked(path)
        assert (report["ok"], report["problem"]["code"]) == (False, "told/other-points")
