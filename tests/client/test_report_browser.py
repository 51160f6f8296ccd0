"""The page of a game in a real Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from chromium import AXE, NO_AXE, Chromium
from report_pages import (
    HOSTILE,
    data_of,
    full_star,
    left_star,
    needs_browser,
    page_of,
    played_star,
    whole_star,
)

from p2p.log.starfile import read_star

VERDICT = """new Promise(done => {
  const look = () => document.documentElement.dataset.verified === "running" ? setTimeout(look, 20)
    : done((({shown, ...others}) => others)(document.documentElement.dataset));
  look();
})"""


SOURCES = """[...document.querySelectorAll('section')].filter(part => part.checkVisibility()).map(part =>
  [part.id, part.querySelector('h2 .from').textContent])"""
"""Each section that is seen, and where it says that its words come from."""


@needs_browser
def test_in_a_browser_the_page_shows_the_game_and_says_that_it_is_intact(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(left_star()))
    with Chromium(tmp_path / "profile") as browser:
        browser.open(path.as_uri())
        assert browser.run(VERDICT) == {"verified": "yes"}
        assert browser.run("document.querySelectorAll('#scores tbody tr').length") > 2
        assert re.search(r"\d+ points?", browser.run("document.querySelector('#won').textContent"))
        assert browser.run(SOURCES) == [
            *(["proof", "computed here"], ["points", "told, not checked"], ["pictures", "told, not checked"]),
            *(["growth", "told, not checked"], ["told", "told, not checked"], ["undone", "computed here"]),
            *(["waiting", "signed by members"], ["chance", "told, not checked"], ["dice", "computed here"]),
        ]
        assert "signed by members" in browser.run("document.querySelector('#story .chat').textContent")
        assert browser.run("document.querySelector('#map').naturalWidth") > 0
        assert HOSTILE[:-1] in browser.run("document.querySelector('#story .chat span').textContent")
        assert browser.run("document.querySelectorAll('#story img, #story svg').length") == 0
        browser.picture(tmp_path / "phone.png", 390, 800, prefers_color_scheme="dark")
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        assert browser.said == []


GAMES = ("eclipse2", "eclipse1", "emperor", "rex")
WIDTHS = {"phone": (390, 844), "desk": (1280, 900), "paper": (794, 1123)}
"""Width and height of what is looked at, in points."""
DARK = [{"name": "prefers-color-scheme", "value": "dark"}]
INK = "rgb(23, 26, 43)"
"""Of words on paper, whatever colours the screen has."""


def assert_fits(browser: Chromium, path: Path) -> None:
    """Look at a page at every width, light, dark and printed: nothing is wider than the window, nothing complains."""
    browser.open(path.as_uri())
    assert browser.run(VERDICT) == {"verified": "yes"}
    browser.run("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    for width, size in WIDTHS.items():
        for scheme in ("light", "dark"):
            browser.picture(path.with_name(f"{path.stem}-{width}-{scheme}.png"), *size, prefers_color_scheme=scheme)
            if width == "paper":
                browser.call(
                    "Emulation.setEmulatedMedia", {"media": "print", "features": DARK if scheme == "dark" else []}
                )
                assert browser.run("getComputedStyle(document.body).color") == INK
            wide = "[...document.querySelectorAll('body *')].filter(part => !part.closest('.wide') && "
            wide += "part.getBoundingClientRect().right > innerWidth + 1).map(part => part.outerHTML.slice(0, 80))"
            assert browser.run(wide) == []
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    assert browser.said == []


@pytest.mark.soak
@needs_browser
def test_pages_of_all_games_fit_every_width_in_either_colours_and_on_paper(tmp_path: Path) -> None:
    with Chromium(tmp_path / "profile") as browser:
        for name, language in zip(GAMES, ("es", "en", "en", "es"), strict=True):
            path = tmp_path / f"{name}.html"
            path.write_bytes(page_of(played_star(name), language))
            assert_fits(browser, path)


@needs_browser
@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_pages_of_long_games_fit_in_both_languages(name: str, tmp_path: Path) -> None:
    with Chromium(tmp_path / "profile") as browser:
        for language in ("en", "es"):
            path = tmp_path / f"{name}-{language}.html"
            path.write_bytes(page_of(full_star(name), language))
            assert_fits(browser, path)


@needs_browser
@pytest.mark.skipif(not AXE.is_file(), reason=NO_AXE)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_the_page(scheme: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(played_star("eclipse2")))
    with Chromium(tmp_path / "profile") as browser:
        browser.call("Page.setBypassCSP", {"enabled": True})
        browser.open(path.as_uri())
        browser.picture(tmp_path / "seen.png", 1280, 900, prefers_color_scheme=scheme)
        assert browser.run(VERDICT) == {"verified": "yes"}
        browser.run("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        browser.run(AXE.read_text("utf-8"))
        found = "axe.run().then(done => done.violations.map(one => [one.id, one.nodes.map(node => node.html)]))"
        assert browser.run(found) == []


SHOWN = """new Promise(done => {
  const look = () => document.documentElement.dataset.shown ? done(true) : setTimeout(look, 20);
  look();
})"""
MAP = "decodeURIComponent(document.querySelector('#map').src)"


@needs_browser
def test_in_a_browser_a_link_leads_to_its_moment_and_marks_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(played_star("eclipse2")))
    data = data_of(page_of(played_star("eclipse2")))["facts"]
    height = next(height for height, _kind, text in data["story"] if "places sector" in text)
    with Chromium(tmp_path / "profile") as browser:
        browser.open(f"{path.as_uri()}#h={height}")
        assert browser.run(SHOWN)
        shown = browser.run("Number(document.querySelector('#at').value)")
        assert data["moments"][shown - 1]["height"] <= height < data["moments"][shown]["height"]
        assert 'stroke-dasharray="10 5"' in browser.run(MAP)
        assert str(height) in browser.run("document.querySelector('#since-told').textContent")
        browser.run("document.querySelector('#step').value = 'rounds'; document.querySelector('#next').click()")
        shown = browser.run("Number(document.querySelector('#at').value)")
        assert data["moments"][shown]["round"] > data["moments"][shown - 1]["round"]
        browser.run("document.querySelector('#copy-link').click()")
        assert browser.run("location.hash") == f"#h={data['moments'][shown]['height'] - 1}"
        assert browser.run("document.querySelectorAll('#curves figure svg[aria-label]').length") > 9
        assert browser.run("document.querySelectorAll('#fights details').length") == len(data["battles"])
        assert browser.said == []


@needs_browser
def test_in_a_browser_what_only_the_rules_show_is_said_to_be_told_by_starlock(tmp_path: Path) -> None:
    html = page_of(whole_star())
    last = len(read_star(whole_star()).entries) - 1
    assert html.count(b'"refused":{}') == 1
    path = tmp_path / "page.html"
    path.write_bytes(html.replace(b'"refused":{}', b'"refused":{"%d":"result/other-state"}' % last))
    with Chromium(tmp_path / "profile") as browser:
        browser.open(path.as_uri())
        assert browser.run(VERDICT) == {"verified": "no", "problem": f"entry {last}", "code": "result/other-state"}
        assert "starlock found it" in browser.run("document.querySelector('#verdict').textContent")


@needs_browser
def test_in_a_browser_one_changed_letter_of_the_saved_game_is_found(tmp_path: Path) -> None:
    star = whole_star()
    entry = read_star(star).entries[40]
    at = star.index(entry.raw) + len(entry.raw) - 20
    html = page_of(star)
    found = re.search(rb'id="star">', html)
    assert found
    letter = found.end() + at * 4 // 3
    other = b"A" if html[letter : letter + 1] != b"A" else b"B"
    path = tmp_path / "page.html"
    path.write_bytes(html[:letter] + other + html[letter + 1 :])
    with Chromium(tmp_path / "profile") as browser:
        browser.open(path.as_uri())
        said = browser.run(VERDICT)
        assert said == {"verified": "no", "problem": "entry 40", "code": "file/entry"}
