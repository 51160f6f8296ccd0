"""The verifier page in real browsers: what it says is what `starlock verify` says."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from chromium import AXE, NO_AXE, Chromium
from firefox import Firefox
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
    """A script that gives the page a file, as its field does. A file before is forgotten."""
    return f"""(() => {{
      const text = atob("{b64encode(data).decode()}"), bytes = Uint8Array.from(text, one => one.charCodeAt(0));
      checking = null;
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
    ("kind", "won"), gated([("eclipse2", "Won: Player 0, 3 points"), ("emperor", "Won: Player 0, 51 points")], 1)
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
