"""The page of a game in real browsers: all of it in Chromium, what it says of its saved game in Firefox too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import AXE, BROWSER, MISSING, NO_AXE, Chromium
from firefox import FIREFOX, Firefox
from replaying import STARS
from report_pages import (
    HOSTILE,
    course_of,
    data_of,
    full_star,
    left_star,
    needs_browser,
    packed,
    page_of,
    played_star,
    whole_star,
    with_data,
)
from test_web_fragments import Read
from volume import gated

from client import __version__
from client.report.page import as_json, hashed
from client.report.verifier.held import page_hash
from client.report.words import words
from p2p.log.starfile import read_star

VERDICT = """new Promise(done => {
  const look = () => document.documentElement.dataset.verified === "running" ? setTimeout(look, 20)
    : done((({shown, ...others}) => others)(document.documentElement.dataset));
  look();
})"""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    with Chromium(tmp_path_factory.mktemp("chromium") / "profile") as browser:
        yield browser


@pytest.fixture
def browser(chromium: Chromium) -> Chromium:
    """One for all tests of this module, as if it had just begun."""
    chromium.call("Page.setBypassCSP", {"enabled": False})
    chromium.call("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chromium.said.clear()
    return chromium


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with Firefox(tmp_path_factory.mktemp("firefox") / "profile") as browser:
        yield browser


@pytest.fixture(
    params=[
        pytest.param("browser", marks=pytest.mark.skipif(BROWSER is None, reason=MISSING), id="chromium"),
        pytest.param(
            "firefox", marks=pytest.mark.skipif(FIREFOX is None, reason="there is no Firefox on this machine")
        ),
    ]
)
def either(request: pytest.FixtureRequest) -> Chromium | Firefox:
    """Each of the two browsers, one for all tests of this module."""
    browser: Chromium | Firefox = request.getfixturevalue(request.param)
    browser.said.clear()
    return browser


SOURCES = """[...document.querySelectorAll('section')].filter(part => part.checkVisibility()).map(part =>
  [part.id, part.querySelector('h2 .from').textContent])"""
"""Each section that is seen, and where it says that its words come from."""


def test_in_a_browser_the_page_shows_the_game_and_says_that_it_is_intact(
    either: Chromium | Firefox, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(left_star()))
    either.open(path.as_uri())
    assert either.run(VERDICT) == {"verified": "yes"}
    assert either.run("document.querySelectorAll('#scores tbody tr').length") > 2
    assert re.search(r"\d+ points?", either.run("document.querySelector('#won').textContent"))
    assert either.run(SOURCES) == [
        *(["proof", "computed here"], ["points", "told, not checked"], ["pictures", "told, not checked"]),
        *(["growth", "told, not checked"], ["told", "told, not checked"], ["undone", "computed here"]),
        *(["waiting", "signed by members"], ["chance", "told, not checked"], ["dice", "computed here"]),
    ]
    assert "signed by members" in either.run("document.querySelector('#story .chat').textContent")
    assert either.run("document.querySelector('#map').naturalWidth") > 0
    assert HOSTILE[:-1] in either.run("document.querySelector('#story .chat span').textContent")
    assert either.run("document.querySelectorAll('#story img, #story svg').length") == 0
    either.picture(tmp_path / "phone.png", 390, 800)
    assert either.run("document.documentElement.scrollWidth <= innerWidth")
    assert either.said == []


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
def test_pages_of_all_games_fit_every_width_in_either_colours_and_on_paper(browser: Chromium, tmp_path: Path) -> None:
    for name, language in zip(GAMES, ("es", "en", "en", "es"), strict=True):
        path = tmp_path / f"{name}.html"
        path.write_bytes(page_of(played_star(name), language))
        assert_fits(browser, path)


@needs_browser
@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_pages_of_long_games_fit_in_both_languages(name: str, browser: Chromium, tmp_path: Path) -> None:
    for language in ("en", "es"):
        path = tmp_path / f"{name}-{language}.html"
        path.write_bytes(page_of(full_star(name), language))
        assert_fits(browser, path)


@needs_browser
@pytest.mark.skipif(not AXE.is_file(), reason=NO_AXE)
@pytest.mark.parametrize("scheme", gated(["light", "dark"], 1))
def test_axe_finds_nothing_wrong_with_the_page(scheme: str, browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(played_star("eclipse2")))
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
DRAWN = "[...document.querySelectorAll('#drawn > details')].map(each => [...each.children].map(one => one.textContent))"
"""Title and text of each picture."""
MAP = "decodeURIComponent(document.querySelector('#map').src)"


@needs_browser
def test_in_a_browser_a_link_leads_to_its_moment_and_marks_what_changed(browser: Chromium, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(played_star("eclipse2")))
    data = data_of(page_of(played_star("eclipse2")))["facts"]
    height = next(height for height, text in data["story"] if "places sector" in text)
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
    for moment in (shown, 3):
        browser.run(f"$('at').value = {moment}; $('at').oninput()")
        assert browser.run(DRAWN) == [
            [f"{title}told, not checked", Read(made[numbers[moment]]).text]
            for title, made, numbers in course_of(page_of(played_star("eclipse2")))["pictures"]
        ]
    assert browser.said == []


ENDS = """[...document.querySelectorAll('#curves svg')].flatMap(svg =>
  [['.end', 'y', 10], ['[text-anchor=middle]', 'x', 8]].flatMap(([which, way, room]) => {
    const texts = svg.querySelectorAll(`text${which}`);
    const at = [...texts].map(each => Number(each.getAttribute(way))).sort((one, other) => one - other);
    return at.filter((here, n) => n && here - at[n - 1] < room);
  }))"""
"""What stands closer to its neighbour than its text is high or wide, at the end of a curve and below it."""


@needs_browser
def test_letters_and_rounds_at_a_curve_never_stand_on_each_other(browser: Chromium, tmp_path: Path) -> None:
    """All seats end with nothing, and rounds without a decision open at neighbouring steps."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of((STARS / "eclipse2-events.1.star").read_bytes()))
    browser.open(path.as_uri())
    assert browser.run(VERDICT)["verified"] == "yes"
    assert browser.run("document.querySelectorAll('#curves svg .end').length") > 9
    assert browser.run(ENDS) == []


MARKED = '<div class="from signed" id="verdict" style="position:fixed"><small class="from signed">signed</small></div>'
WRITTEN = """<script>document.title = "written"</script><img src="x" onerror="document.title = 'written'">
<a href="#h=1"><iframe srcdoc="<p>"></iframe><svg><style>*{display:none}</style></svg></a>
<math><mtext><template><p id="won">won</p></template>"""


@needs_browser
def test_in_a_browser_markup_of_a_picture_is_elements_of_pictures_alone(browser: Chromium, tmp_path: Path) -> None:
    """Marks, ids, styles, links, scripts and all else that somebody wrote into it are left out."""
    html, path = page_of(left_star()), tmp_path / "page.html"
    data, course = data_of(html), course_of(html)
    title, _made, numbers = course["pictures"][0]
    course["pictures"] = [[title, [f"<p>before</p>{MARKED}{WRITTEN}"], [0] * len(numbers)]]
    data["facts"]["course"] = packed(course)
    path.write_bytes(with_data(html, data))
    browser.open(path.as_uri())
    assert browser.run(VERDICT) == {"verified": "yes"}
    assert browser.run("document.title") == "Eclipse, second edition: Player 0, Player 1, Player 2"
    inside = browser.run("document.querySelector('#drawn .wide').innerHTML")
    assert inside.strip() == '<p class="">before</p><div class="signed"></div>'
    assert [said for said in browser.said if "Content Security Policy" not in said] == []


@needs_browser
def test_in_a_browser_what_only_the_rules_show_is_said_to_be_told_by_starlock(
    browser: Chromium, tmp_path: Path
) -> None:
    html = page_of(whole_star())
    last = len(read_star(whole_star()).entries) - 1
    assert html.count(b'"refused":{}') == 1
    path = tmp_path / "page.html"
    path.write_bytes(html.replace(b'"refused":{}', b'"refused":{"%d":"result/other-state"}' % last))
    browser.open(path.as_uri())
    assert browser.run(VERDICT) == {"verified": "no", "problem": f"entry {last}", "code": "result/other-state"}
    assert "starlock found it" in browser.run("document.querySelector('#verdict').textContent")


INVENTED = "Invented."
ELSEWHERE = """(() => {
  const shown = [document.title, document.body.innerText, getComputedStyle(document.body, "::after").content];
  return {shown: shown.join(" "), titles: document.querySelectorAll("#checked h3").length};
})()"""


@needs_browser
def test_nothing_is_shown_that_somebody_wrote_around_the_data_of_the_page(browser: Chromium, tmp_path: Path) -> None:
    """Before and behind each part of the file, in the title, as a list under "What this proves", in attributes, and in
    elements that have the names of the page's own."""
    html, path = page_of(left_star()).decode(), tmp_path / "page.html"
    line = f"<div id=checked><h3>What this proves</h3><ul><li>{INVENTED}</li></ul></div><p id=verdict>{INVENTED}</p>"
    for mark in (
        "<body>",
        '<script type="application/json"',
        '<script type="text/plain"',
        "<script>",
        "</body>",
        "</html>",
    ):
        assert html.count(mark) == 1
        html = html.replace(mark, f"<body>{line}" if mark == "<body>" else f"{line}{mark}")
    html = html.replace("<title>", f"<title>{INVENTED} ").replace(
        "</head>", f"<style>*::after{{content:'{INVENTED}'}}</style></head>"
    )
    taken = "".join(f'<meta id="{name}">' for name in ("verdict", "won", "title", "checked", "elsewhere", "points"))
    html = html.replace("</head>", f"{taken}</head>").replace(
        "<html ", f'<html hidden dir="rtl" title="{INVENTED}" ', 1
    )
    green = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Crect fill='green'/%3E%3C/svg%3E"
    path.write_text(html.replace("<body>", f'<body inert background="{green}" class="told">', 1) + line, "utf-8")
    browser.open(path.as_uri())
    assert browser.run(VERDICT) == {"verified": "yes"}
    assert browser.run("document.body.innerText.includes('no fault was found')")
    assert browser.run("[root, document.body].map(each => each.getAttributeNames().sort().join())") == [
        *("data-shown,data-verified,lang", "")
    ]
    found = browser.run(ELSEWHERE)
    assert INVENTED not in found["shown"]
    assert found["titles"] == 4


@needs_browser
def test_the_page_names_the_verifier_page_by_its_hash_and_leads_to_no_other(browser: Chromium, tmp_path: Path) -> None:
    html, path = page_of(left_star()), tmp_path / "page.html"
    data, known = data_of(html), "ab" * 32
    assert data["facts"]["verifier"] == [__version__, page_hash()]
    path.write_bytes(with_data(html, {**data, "facts": {**data["facts"], "verifier": [__version__, known]}}))
    browser.open(path.as_uri())
    assert browser.run(VERDICT) == {"verified": "yes"}
    assert known in browser.run("document.querySelector('#elsewhere').innerText")
    leads = "[...document.querySelectorAll('[href], [src], form')].map(each => each.getAttribute('href') ?? each.src)"
    assert [to for to in browser.run(leads) if not to.startswith(("#", "data:"))] == []


@needs_browser
def test_a_page_with_another_label_than_that_of_its_hash_shows_nothing(browser: Chromium, tmp_path: Path) -> None:
    """Labels, claims and checks are in the one script that the policy of the page names."""
    html, path = page_of(left_star()).decode(), tmp_path / "page.html"
    script = html[html.rindex("<script>") : html.rindex("</script>")]
    assert hashed(script.removeprefix("<script>")) in html
    said = {text for text in flat(words()) if len(text) > 5}
    assert len(said) > 300
    assert [text for text in said if as_json(text)[1:-1] not in script] == []
    assert "What this proves" in said
    path.write_text(html.replace("What this proves", "What all of us saw"), "utf-8")
    browser.open(path.as_uri())
    assert browser.run("document.documentElement.dataset.verified") == "running"
    assert browser.run("document.body.innerText.trim()") == ""


def flat(value: Any) -> Iterator[str]:
    """All texts in a map of maps and lists."""
    if isinstance(value, str):
        yield value
    else:
        for each in value.values() if isinstance(value, dict) else value:
            yield from flat(each)


def test_in_a_browser_one_changed_letter_of_the_saved_game_is_found(either: Chromium | Firefox, tmp_path: Path) -> None:
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
    either.open(path.as_uri())
    said = either.run(VERDICT)
    assert said == {"verified": "no", "problem": "entry 40", "code": "file/entry"}
