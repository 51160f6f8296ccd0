"""The verifier page in real browsers: what it says is what `starlock verify` says."""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from chromium import AXE, BROWSER, NO_AXE, Chromium
from firefox import FIREFOX, Firefox
from report_pages import needs_browser
from stars import path_of
from test_verifier_page import MADE, altered, judged, star
from volume import gated

from client.report.verifier.held import held

JUDGED = """new Promise(done => {
  const over = ({judged, verified}) => ["done", "failed"].includes(judged) && verified !== "running";
  const said = document.documentElement.dataset, look = () => over(said) ? done({...said}) : setTimeout(look, 20);
  look();
})"""
"""What the page says of itself when it has come to an end with a file."""
WIDTHS = {"desk": (1280, 900), "phone": (390, 844)}
READ = "document.getElementById({!r}).textContent"


def taken(data: bytes, name: str) -> str:
    """A script that gives the page a file, as its field does."""
    return f"""(() => {{
      const text = atob("{b64encode(data).decode()}"), bytes = Uint8Array.from(text, one => one.charCodeAt(0));
      delete document.documentElement.dataset.judged;
      judgeFile(new File([bytes], "{name}"), judgeHere);
    }})()"""


def opened(browser: Chromium | Firefox, folder: Path) -> None:
    path = folder / "verifier.html"
    page = held()
    assert page is not None
    path.write_bytes(page)
    browser.open(path.as_uri())


def said_of(browser: Chromium, data: bytes, name: str = "game.star") -> dict[str, Any]:
    browser.run(taken(data, name))
    said: dict[str, Any] = browser.run(JUDGED)
    return said


@MADE
@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "won"), gated([("eclipse2", "Won: Player 0, Player 1"), ("emperor", "Won: Player 0, 51 points")], 1)
)
def test_in_a_browser_both_judges_refuse_a_changed_game_at_one_place_and_pass_the_intact_one(
    kind: str, won: str, tmp_path: Path
) -> None:
    star = path_of(kind).read_bytes()
    with Chromium(tmp_path / "profile") as browser:
        opened(browser, tmp_path)
        said, wrong = said_of(browser, altered(star, 40)), judged(altered(star, 40))
        assert (said["rules"], said["code"], said["place"]) == ("no", wrong["code"], wrong["place"])
        assert (said["other"], said["otherCode"], said["otherPlace"]) == ("no", wrong["code"], wrong["place"])
        assert said["agree"] == "yes"
        assert "shown" not in said, "nothing is drawn of a damaged file"
        said = said_of(browser, star)
        assert (said["rules"], said["other"], said["agree"], said["verified"]) == ("yes", "yes", "yes", "yes")
        assert browser.run(READ.format("rules-verdict")) == "Intact and complete."
        shown = browser.run("document.getElementById('claims').innerText")
        for _mark, title, sentences in judged(star)["claims"]:
            assert all(sentence in shown for sentence in (title, *sentences))
        for _name, words in judged(star)["people"]:
            assert words in browser.run(READ.format("names"))
        assert browser.run(READ.format("won")).startswith(won)
        assert browser.run("document.querySelector('#map').naturalWidth") > 0
        assert browser.run("document.querySelectorAll('#story p').length") > 20
        assert "told" not in browser.run("[...document.querySelectorAll('.from')].map(one => one.textContent).join()")
        for name, size in WIDTHS.items():
            for scheme in ("light", "dark"):
                browser.picture(tmp_path / f"{name}-{scheme}.png", *size, prefers_color_scheme=scheme)
                assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        assert browser.said == []


MANY = """(async () => {{
  const bytes = text => Uint8Array.from(atob(text), one => one.charCodeAt(0)), files = {files}.map(bytes);
  const said = ([{{state, place}}, report]) => [state, place, report?.ok ?? null, report?.problem?.place ?? ""];
  const both = ({{rules, other}}) => Promise.all([rules, other]).then(said, why => ["failed"]);
  const judge = (data, python = judgeHere) => both(judgedTwice(data, "game.star", python));
  const never = new Promise(() => {{}});
  const silent = {{ready: Promise.resolve(), judge: () => ({{hints: never, verdict: never}})}};
  judge(files[0], silent);
  const given = [...files, "no bytes", ...[...files].reverse()];
  const found = await Promise.all(given.map(data => judge(data)));
  checker.lose("lost");
  return [found, await judge(files[1])];
}})()"""
"""Verdicts over files of which each is given while others are judged: one whose other judge waits for ever comes before
them, one over which both judges fail stands between them. Last the verdict of a page that has lost a worker."""


@MADE
@pytest.mark.soak
@pytest.mark.parametrize("kind", ["chromium", "firefox"])
def test_of_files_in_one_page_none_reaches_the_verdict_of_another(kind: str, tmp_path: Path) -> None:
    if (BROWSER if kind == "chromium" else FIREFOX) is None:
        pytest.skip(f"there is no {kind} on this machine")
    files = [altered(star(), 40), star(), b"hello", altered(star(), 50)]
    given = str([b64encode(data).decode() for data in files])
    wanted = [
        ["no", "entry 40", False, "entry 40"],
        ["yes", "", True, ""],
        ["unknown", "", None, ""],
        ["no", "entry 50", False, "entry 50"],
    ]
    with (Chromium if kind == "chromium" else Firefox)(tmp_path / "profile") as browser:
        opened(browser, tmp_path)
        found, lost = browser.run(MANY.format(files=given))
        assert found == [*wanted, ["failed"], *wanted[::-1]]
        assert lost == ["failed"]


@MADE
@needs_browser
@pytest.mark.soak
def test_a_file_that_is_dropped_while_another_is_judged_is_not_taken(tmp_path: Path) -> None:
    dropped = """(() => {{
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob("{}"), one => one.charCodeAt(0))], "other.star"));
      dispatchEvent(new DragEvent("drop", {{dataTransfer: data, cancelable: true}}));
    }})()"""
    with Chromium(tmp_path / "profile") as browser:
        opened(browser, tmp_path)
        browser.run(taken(altered(star(), 40), "game.star"))
        browser.run(dropped.format(b64encode(star()).decode()))
        said = browser.run(JUDGED)
        browser.run(dropped.format(b64encode(star()).decode()))
        assert (said["rules"], said["place"], said["other"]) == ("no", "entry 40", "no")
        assert browser.run(JUDGED) == said


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a script")
def test_what_firefox_writes_to_its_errors_does_not_stop_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Much more than a pipe holds, before it answers and ends."""
    stand_in = tmp_path / "firefox"
    stand_in.write_text(
        f"#!{sys.executable}\nimport socket, sys\nlistens = socket.create_server(('127.0.0.1', 0))\n"
        "address = f'ws://127.0.0.1:{listens.getsockname()[1]}'\n"
        "print(f'WebDriver BiDi listening on {address}', file=sys.stderr, flush=True)\n"
        "connection, _peer = listens.accept()\nconnection.recv(1 << 16)\n"
        "print('x' * 2_000_000 + 'said last', file=sys.stderr, flush=True)\n",
        "utf-8",
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr("firefox.FIREFOX", str(stand_in))
    monkeypatch.setattr("firefox.PATIENCE", 60)
    browser = Firefox(tmp_path / "profile")
    with pytest.raises(AssertionError, match="said last"):
        browser.__enter__()
    browser.__exit__(None, None, None)


@MADE
@needs_browser
@pytest.mark.soak
@pytest.mark.skipif(not AXE.is_file(), reason=NO_AXE)
def test_axe_finds_nothing_wrong_with_the_page_before_and_after_a_game(tmp_path: Path) -> None:
    found = "axe.run().then(done => done.violations.map(one => [one.id, one.nodes.map(node => node.html)]))"
    with Chromium(tmp_path / "profile") as browser:
        browser.call("Page.setBypassCSP", {"enabled": True})
        opened(browser, tmp_path)
        browser.run(AXE.read_text("utf-8"))
        assert browser.run(found) == []
        assert said_of(browser, star())["agree"] == "yes"
        browser.run("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        assert browser.run(found) == []
