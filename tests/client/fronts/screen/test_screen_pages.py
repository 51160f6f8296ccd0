"""Pages over the table: search, the palette, what happened since, and the end."""

from __future__ import annotations

import random
from typing import Any

import pytest
from pictures import whole
from screen_game import Solo, listing, sought

from client.fronts.kit.page import Page
from client.fronts.screen.front import Front
from client.fronts.screen.keys import EVERYWHERE, KEYS
from client.show.styled import plain
from client.system.texts import LANGUAGES, _, use
from client.table.notices import VoteNotice, VoteStage
from client.words.plain import called
from engine.core.registry import GAMES


def opened(table: Solo, act: str) -> Page | None:
    """The page that an action opens, if it opens one."""
    table.front.dropped()
    table.front.page = None
    table.front.act(act)
    return shown(table.front)


def shown(front: Front) -> Page | None:
    """The page on top."""
    return front.page


@pytest.mark.parametrize("name", GAMES)
def test_every_page_is_searched(name: str) -> None:
    table = Solo(name)
    table.play(3, random.Random(1))
    for act in {each.act for each in EVERYWHERE} - {"quit"}:
        page = opened(table, act)
        if page is not None:
            page.search("qxqx")
            assert not (page.lines(80, "qxqx") if page.items is None else page.listed()), act


def test_a_search_in_the_rules_keeps_whole_articles() -> None:
    table = Solo("eclipse2")
    table.press("f1", "/")
    table.front.typed("traitor")
    shown = [plain(each).rstrip() for each in table.front.draw(200, 50).lines]
    assert " Diplomacy" in shown, "the title of an article about it"
    assert not any("Action phase" in each for each in shown)


def test_the_palette_ranks_what_fits_and_names_reason_rule_and_articles() -> None:
    table = Solo("eclipse2")
    table.play(6, random.Random(1))
    while not table.session.asking.choices or not table.session.asking.choices.why():
        table.play(1, random.Random(1))
    table.press("c-p")
    page = listing(table.front)
    everything = page.listed()
    assert any("Rule: " in each.reason for each in everything)
    assert [each.key for each in sought(page, "rules diplomacy")][:1] == ["F1"]
    assert [each.key for each in sought(page, "only in the log")][:1] == ["F2"]
    assert "standing orders" in sought(page, "stand")[0].text.lower()
    assert sought(page, "drwlrgr")[0].key == "z"
    assert "F4" in [each.key for each in sought(page, "boards")], "a key is found by what its page is called"
    assert not sought(page, "qxqx")
    sought(page, "rules diplomacy")[0].act()
    assert "iplomacy" in " ".join(map(plain, table.front.draw(120, 40).lines))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_palette_finds_what_is_typed_on_a_line_in_the_language_in_use_and_in_english(language: str) -> None:
    use(language)
    table = Solo("eclipse2")
    table.press("c-p")
    page = listing(table.front)
    keys = {each.act: each for each in KEYS}
    for deed in table.front.doing.lines.deeds.values():
        if deed.names and deed.later and deed.id not in ("page", "options", "do"):
            shown = {_(deed.does), *([keys[deed.id].does()] if deed.id in keys else [])}
            for name in {*map(called, deed.names), *deed.names}:
                best = [each.text for each in sought(page, name)]
                assert any(text.endswith(tuple(shown)) for text in best), (deed.id, name)
    assert sought(page, called("undo"))[0].key == sought(page, "undo")[0].key == "u"


def test_what_happened_since_the_last_answer_is_known_after_a_resume_and_of_the_seat_at_the_screen() -> None:
    table = Solo("eclipse2")
    table.play(40, random.Random(3))
    heights = sorted({each.height for each in table.session.events.entries})
    controls: Any = table.controls
    controls.seats = (0, 1)
    controls.answered = {0: (heights[-6], heights[-4]), 1: (heights[-2], heights[-2])}.get
    table.session.sit(controls)
    for present, seen in ((0, heights[-4]), (1, heights[-2])):
        table.session.sent.present = present
        table.session.screens.tell()
        assert {each.height for each in table.front.scene.view.missed} == {at for at in heights if at > seen}
        table.front.press("a")
        assert "Nothing has happened since" not in "\n".join(whole(table.front.draw(120, 40), 120, 40))
    assert table.session.sent.first == heights[-2], "the last answers can be proposed to be taken back"
    controls.answered = lambda _seat: None
    table.session.notice(VoteNotice(VoteStage.AGREED, "takeback", terms=[heights[-6], False]))
    assert len(table.front.scene.view.missed) == len(table.session.events.entries), (
        "before the first answer everything is new"
    )
    table.front.press("a")
    shown = "\n".join(whole(table.front.draw(120, 40), 120, 40))
    assert "What has happened so far" in shown
    assert (
        table.session.events.entries[-1].text.removeprefix(
            f"{table.session.table.names[table.session.events.entries[-1].seats[0]]} "
        )[:20]
        in shown
    )


def test_a_page_that_is_closed_after_the_end_does_not_leave_the_table() -> None:
    solo, left = Solo("emperor"), list[bool]()
    solo.front.ended("The practice is over.", lambda: left.append(True))
    assert "─ The end ─" in plain(solo.front.draw(120, 40).lines[1])
    solo.front.press("f2")
    assert "─ Log ─" in plain(solo.front.draw(120, 40).lines[1])
    solo.front.press("escape")
    assert solo.front.page is None
    assert not left
    solo.front.press("escape")
    assert left == [True]


@pytest.mark.parametrize("key", ["q", "enter"])
def test_the_page_of_the_end_closes_to_the_last_map_and_says_which_key_leaves(key: str) -> None:
    solo, left = Solo("rex"), list[bool]()
    solo.front.ended("The game is over.", lambda: left.append(True))
    foot = plain(solo.front.draw(80, 24).lines[-1])
    assert "Esc close" in foot
    assert "q quit" in foot
    solo.front.press("escape")
    assert not left
    assert "Galactic" in "\n".join(plain(each) for each in solo.front.draw(120, 40).lines)
    solo.front.ended("The game is over.", lambda: left.append(True))
    solo.front.press(key)
    assert left == [True]
