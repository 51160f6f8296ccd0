"""Troubles and votes on the full screen: what is, what is at stake, what to do, and doing it."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from parties import ANNA, BOB, CARL
from pictures import SIZES
from screen_game import NoHost, Solo

from client.fronts.kit.canvas import Hit
from client.fronts.line.screen import LineScreen
from client.fronts.screen.front import Front
from client.session.log import lost_by
from client.session.session import Session
from client.session.troubles import Troubles, trouble_document
from client.session.view import view_of
from client.session.waiting import idle_text
from client.show.lines import lines
from client.show.styled import UNICODE, Glyphs, plain
from client.system import texts
from client.system.names import columns
from client.table.notices import (
    DiskFull,
    DiskReady,
    DivergenceFound,
    FaultProven,
    HistoryRewound,
    LinkChange,
    LinkChanged,
    Owes,
    OwnFeedConfirmed,
    Party,
    PeerStopped,
    Program,
    Restoring,
    SplitFound,
    StateDiverged,
    StatesAgree,
    TableNotice,
    VoteNotice,
    VoteStage,
)
from client.words.pacts import leaving_text, left_text, pact_text
from client.words.ways import OPENS
from engine.core.errors import Refusal
from p2p.lockstep.pacts import Pact
from p2p.lockstep.report import Difference
from p2p.lockstep.voting import Vote

ROWS = (Difference("seats.science.2", 5, 7), Difference("round.tray.4", 1, 0))
SIDES = ((ANNA, CARL), (BOB,))
FILE = Path("/srv/anna/divergence-9c41-93.json")
HERE = Program("1.2.0", "3.11.7", "eclipse2/9", "9c41a0b2", repeats=True)
THERE = replace(HERE, version="1.1.0")
NOTICES: dict[str, TableNotice] = {
    "reconnecting": LinkChanged(LinkChange.DOWN, (BOB,), "link/dead"),
    "left": LinkChanged(LinkChange.LEFT, (BOB,), "bye/leave"),
    "gone-for-good": PeerStopped("lockstep/left"),
    "alone": LinkChanged(LinkChange.ALONE, (BOB,)),
    "older-copy": PeerStopped("lockstep/older-copy"),
    "unconfirmed": PeerStopped("lockstep/unconfirmed"),
    "twin": PeerStopped("lockstep/twin"),
    "secret-lost": PeerStopped("lockstep/secret-lost"),
    "left-out": PeerStopped("lockstep/left-out"),
    "given-up": PeerStopped("lockstep/given-up"),
    "disk-full": DiskFull(Path("/srv/anna/starlock.db")),
    "restoring": Restoring(1200, 4000),
    "fault": FaultProven(BOB, "entry/forked"),
    "owes": Owes(BOB, CARL),
    "split": SplitFound(40, (BOB, CARL)),
    "diverged": StateDiverged(BOB, 93),
    "diverged-own": StateDiverged(ANNA, 93, "own"),
    "diverged-unknown": StateDiverged(BOB, 93, "unknown"),
    "divergence": DivergenceFound(
        BOB, 93, "seats.science.2", "5", "7", ROWS, 2, FILE, SIDES, HERE, THERE, repair_from=92
    ),
    "divergence-once": DivergenceFound(BOB, 93, "", "?", "?", (), 0, FILE, SIDES, HERE, replace(HERE, repeats=False)),
}


def standing(*notices: TableNotice) -> Troubles:
    """What stands after these notices."""
    found = Troubles()
    for notice in notices:
        found.heard(notice)
    return found


def faced(name: str, glyphs: Glyphs = UNICODE) -> Solo:
    """A table at which this has happened. Bob can be left out there, as at one of three."""
    table = Solo("eclipse2", glyphs=glyphs)
    table.session.only_other = lambda: None  # type: ignore[method-assign]
    table.session.notice(NOTICES[name])
    return table


def text_of(front: Front, size: tuple[int, int] = (120, 40)) -> str:
    return "\n".join(plain(line) for line in front.draw(*size).lines)


@pytest.mark.parametrize("name", NOTICES)
def test_a_trouble_says_what_is_at_stake_and_what_to_do(name: str) -> None:
    (trouble,) = standing(NOTICES[name]).listed()
    assert trouble.text
    assert trouble.todo
    assert trouble.stake or name == "restoring"
    assert "{" not in f"{trouble.text}{trouble.stake}{trouble.todo}"


@pytest.mark.parametrize("name", NOTICES)
def test_the_page_of_troubles_names_each_deed_as_it_is_done_here(name: str) -> None:
    table = faced(name)
    table.front.press("!")
    assert OPENS not in text_of(table.front)


@pytest.mark.parametrize("name", NOTICES)
def test_a_trouble_stays_in_sight_and_opens_by_key_and_by_click(name: str) -> None:
    table = faced(name)
    table.front.press("escape")
    hit = Hit("", "", 0, 0, 0)
    for size in (*SIZES, (60, 20), (100, 20)):
        drawn = table.front.draw(*size)
        hit = next(hit for hit in drawn.hits if (hit.what, hit.value) == ("key", "!"))
        assert "! what to do" in plain(drawn.lines[hit.y])
    table.front.click(hit.x + 1, hit.y)
    assert table.front.page is not None
    clicked = text_of(table.front)
    table.front.press("escape")
    table.front.press("!")
    assert text_of(table.front) == clicked


@pytest.mark.parametrize("name", NOTICES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_troubles_fit_every_screen(name: str, language: str) -> None:
    texts.use(language)
    try:
        table = faced(name)
        table.front.press("escape")
        for key in ("", "!"):
            table.front.press(key)
            for size in (*SIZES, (60, 18)):
                lines = [plain(line) for line in table.front.draw(*size).lines]
                assert {columns(line) for line in lines} == {size[0]}
                assert len(lines) == size[1]
    finally:
        texts.use("en")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_engines_that_differ_are_shown_with_both_values_and_sides(size: tuple[int, int]) -> None:
    table = faced("divergence")
    shown = text_of(table.front, size)  # it opens by itself
    assert "nobody lost anything" in shown
    for part in ("seats.science.2", "round.tray.4", "Anna and Carl | Bob"):
        assert part in shown


STOPPED = [name for name in NOTICES if name.startswith("diver") or name == "split"]


@pytest.mark.parametrize("name", STOPPED)
def test_a_table_that_has_stopped_says_so_and_waits_for_nobody(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = faced(name)
    monkeypatch.setattr(table.controls, "debts", lambda: {1: ""})
    monkeypatch.setattr(table.controls, "owing", lambda: (1,))
    assert table.session.asking.draft is not None
    table.session.asking.withdrawn(table.session.asking.draft.asked)
    table.front.press("escape")
    reader = LineScreen(table.session, lambda: 80)
    stopped = view_of(table.session).stopped[0].text
    assert stopped.startswith("The table has stopped: ")
    screen = " ".join(text_of(table.front).split())
    assert "stopped: " in screen
    for shown in (screen, reader.status(), idle_text(reader.session)):
        assert "aiting for" not in shown
    assert idle_text(reader.session) == stopped
    assert reader.status().startswith(stopped)
    assert reader.prompt() == "stopped> "
    assert view_of(table.session).waiting == ()


def test_the_values_are_compared_when_there_is_a_link() -> None:
    (waits,) = standing(NOTICES["diverged"]).listed(lambda _member: (False,))
    assert "connected again" in waits.todo


@pytest.mark.parametrize(
    ("there", "cause"),
    [
        (THERE, "different versions"),
        (HERE, "has been changed"),
        (replace(HERE, repeats=False), "Bob's program gets other values than before"),
    ],
)
def test_why_two_programs_differ_is_said_as_far_as_it_is_known(there: Program, cause: str) -> None:
    found = NOTICES["divergence"]
    assert isinstance(found, DivergenceFound)
    (trouble,) = standing(replace(found, there=there)).listed()
    told = " ".join(map(plain, lines(trouble_document(trouble), 1000)))
    assert cause in told
    assert "9c41a0b2" in told


ENDS: dict[str, TableNotice] = {
    "reconnecting": LinkChanged(LinkChange.UP, (BOB,)),
    "alone": LinkChanged(LinkChange.UP, (BOB,)),
    "disk-full": DiskReady(),
    "older-copy": OwnFeedConfirmed(2),
    "restoring": Restoring(4000, 4000),
    "fault": VoteNotice(VoteStage.AGREED, "absent", out=(BOB,)),
    "left-out": VoteNotice(VoteStage.AGREED, "back"),
    "divergence": VoteNotice(VoteStage.AGREED, "takeback"),
    "split": HistoryRewound(39),
    "diverged": StatesAgree(BOB),
    "divergence-once": HistoryRewound(92),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_trouble_ends_with_what_ends_it(name: str) -> None:
    assert standing(NOTICES[name]).listed()
    assert not standing(NOTICES[name], ENDS[name]).listed()


def test_one_who_is_back_ends_no_trouble_of_another() -> None:
    assert standing(NOTICES["reconnecting"], LinkChanged(LinkChange.UP, (CARL,))).listed()


def test_of_two_members_with_one_name_each_has_its_own_trouble_and_remedy() -> None:
    other = Party(2, "Bob")
    both = standing(FaultProven(BOB, "entry/forked"), FaultProven(other, "entry/forked"))
    assert [each.deeds[0].given for each in both.listed()] == [{"members": [1]}, {"members": [2]}]
    both.heard(VoteNotice(VoteStage.AGREED, "absent", out=(other,)))
    assert [each.deeds[0].given for each in both.listed()] == [{"members": [1]}]
    lost = standing(NOTICES["reconnecting"], LinkChanged(LinkChange.UP, (other,)))
    assert lost.listed()


@pytest.mark.parametrize("name", ["reconnecting", "left", "fault", "divergence", "diverged"])
def test_between_two_nobody_is_offered_to_go_on_without_the_other_one(name: str) -> None:
    (usual,), (trouble,) = standing(NOTICES[name]).listed(), standing(NOTICES[name]).listed(pair=True)
    assert "absent" not in [deed.deed for deed in trouble.deeds]
    if name in ("reconnecting", "left", "fault"):
        assert [deed.deed for deed in trouble.deeds] == ["alone"]
        assert "Between two nobody can be left out, but you may go on alone." in trouble.todo
        assert "without" in usual.todo
    if name == "fault":
        assert "absent Bob" in usual.text
        assert "absent" not in trouble.text
        assert "To go on alone" in trouble.text


def test_a_log_that_is_read_again_has_a_bar_before_the_table_goes_on() -> None:
    session = Session(lambda _asked, _values: None, lambda: None)
    front = Front(session, NoHost())
    session.notice(NOTICES["restoring"])
    shown = text_of(front, (80, 24))
    assert "30%" in shown
    assert "█" in shown
    assert shown.count("1200 of 4000") == 1, "the bar says it"
    table = Solo("eclipse2")
    table.session.open_troubles = session.open_troubles
    table.session.sit(table.controls)
    assert not table.session.troubles()


class Consenting:
    """What is proposed is noted."""

    def __init__(self, table: Solo, across: bool = False) -> None:
        self.asked: list[Any] = []
        controls: Any = table.controls
        controls.propose = self.propose
        controls.vouch = lambda: self.asked.append("newest")
        controls.secrets_since = lambda _height: across

    def propose(self, kind: str, about: Any = (), back_to: int | None = None, *, across: bool = False) -> Any:
        self.asked.append((kind, tuple(about), back_to, across))
        return Refusal("pact/only-two") if kind == "gone" else None


@pytest.mark.parametrize(
    ("name", "key", "asked"),
    [
        ("reconnecting", "1", ("absent", (1,), None, False)),
        ("left-out", "1", ("back", (), None, False)),
        ("divergence", "2", ("repair", (), 92, False)),
        ("divergence", "3", ("absent", (1,), None, False)),
    ],
)
def test_what_can_be_done_is_done_by_its_number(name: str, key: str, asked: Any) -> None:
    table = faced(name)
    consenting = Consenting(table)
    table.front.press("!")
    table.front.press(key)
    assert consenting.asked == [asked]


def test_that_this_copy_is_the_newest_is_said_after_reading_what_is_at_stake() -> None:
    table = faced("unconfirmed")
    consenting = Consenting(table)
    for key, asked in (("!", []), ("1", []), ("2", ["newest"])):
        table.front.press(key)
        assert consenting.asked == asked


def test_leaving_for_good_is_asked_for_on_a_page_that_says_what_it_does() -> None:
    table = faced("reconnecting")
    consenting = Consenting(table)
    for last, asked in ((("1",), []), (("2",), [("leave", (), None, False)])):
        table.front.press("escape")
        table.front.press("v")
        page = table.front.page
        assert page is not None
        assert page.items is not None
        page.cursor = [item.text for item in page.listed()].index("Leave for good …")
        table.front.press("enter")
        shown = " ".join(text_of(table.front).replace("│", " ").split())
        assert leaving_text() in shown
        for key in last:
            table.front.press(key)
        assert consenting.asked == asked
    assert left_text() in [text for _style, text in table.front.feed]


def test_of_a_searched_list_the_number_shown_is_the_one_that_does_it() -> None:
    table = faced("divergence")
    consenting = Consenting(table)
    table.front.press("!")
    table.front.press("/")
    table.front.typed("Bob")
    table.front.entered("Bob")
    rows = [row for row in text_of(table.front).split("\n") if "without Bob" in row]
    assert rows[0].rstrip().endswith("1")
    table.front.press("1")
    assert consenting.asked == [("absent", (1,), None, False)]


def test_a_line_that_searches_ends_with_the_page_that_it_searched() -> None:
    table = Solo("eclipse2")
    consenting = Consenting(table)
    typed = list[bool]()
    table.front.press("c-p")
    typed.append(table.front.typing)
    table.session.notice(NOTICES["divergence"])
    typed.append(table.front.typing)
    assert typed == [True, False]
    table.front.entered("score")  # a key that was on its way
    assert consenting.asked == []


def test_the_text_of_a_trouble_is_copied() -> None:
    table = faced("divergence")
    assert table.front.page is not None
    assert table.front.page.items is not None
    table.front.press("c")
    assert "seats.science.2" in table.host.copied


@pytest.mark.parametrize(
    ("language", "kept"),
    [("en", ("Why:", "Who agrees:", "To do:")), ("es", ("Causa:", "Quién coincide:", "Qué hacer:"))],
)
def test_of_many_fields_that_differ_as_many_are_shown_as_leave_room_for_what_to_do(
    language: str, kept: tuple[str, ...]
) -> None:
    rows = tuple(Difference(f"seats.science.{number}", number, number + 1) for number in range(30))
    found = NOTICES["divergence"]
    assert isinstance(found, DivergenceFound)
    texts.use(language)
    try:
        table = faced("divergence")
        table.session.notice(replace(found, rows=rows, count=30))
        table.front.press("!")
        small, large = (" ".join(text_of(table.front, size).split()) for size in ((80, 24), (120, 40)))
    finally:
        texts.use("en")
    assert all(text in small for text in ("seats.science.0", "… 29", *kept, "92"))
    assert "seats.science.15" in large


def test_a_bug_bundle_holds_the_log_and_the_values_on_both_sides(tmp_path: Path) -> None:
    table, star, report = faced("divergence"), tmp_path / "friday.star", tmp_path / "divergence-9c41-93.json"
    star.write_bytes(b"the log")
    report.write_text("{}")
    controls: Any = table.controls
    controls.save = lambda: star
    found = NOTICES["divergence"]
    assert isinstance(found, DivergenceFound)
    table.session.notice(replace(found, file=report))
    table.front.press("!")
    table.front.press("4")
    with ZipFile(tmp_path / "friday-93.zip") as bundle:
        assert {name: bundle.read(name) for name in bundle.namelist()} == {star.name: b"the log", report.name: b"{}"}
    assert str(tmp_path / "friday-93.zip") in " ".join(text_of(table.front, (200, 50)).split())


def test_reading_on_where_programs_differed_is_offered_from_that_move() -> None:
    table = faced("divergence")
    table.front.press("!")
    shown = " ".join(text_of(table.front, (200, 50)).split())
    assert "propose that all read on from step 92, once the programs agree" in shown
    assert "every step that fits stays" in pact_text("repair", {"at": "92"})


@pytest.mark.parametrize("across", [False, True])
def test_a_take_back_is_proposed_with_what_it_loses_and_across_secrets_says_so(across: bool) -> None:
    table = Solo("eclipse2")
    table.play(30, random.Random(2))
    height = table.session.events.entries[-3].height
    table.session.sent.heights[0] = height, height
    consenting = Consenting(table, across)
    table.front.press("v")
    shown = " ".join(text_of(table.front).split())
    assert ("whoever saw them still knows them" in shown) is across
    assert "Propose to all: take back" in shown
    table.front.page.cursor = 0  # type: ignore[union-attr]
    table.front.press("enter")
    assert consenting.asked == [("takeback", (), height, across)]


def test_who_is_asked_about_a_take_back_across_secrets_reads_the_sentence() -> None:
    text = pact_text("takeback", lost_by("takeback", [4, True], []))
    assert "whoever saw them still knows them" in text
    assert "still knows" not in pact_text("takeback", lost_by("takeback", [4, False], []))


def test_nobody_is_proposed_to_be_given_up_before_being_left_out() -> None:
    table = Solo("eclipse2")
    table.session.only_other = lambda: None  # type: ignore[method-assign]  # as at a table of three
    consenting = Consenting(table)
    table.front.press("v")
    assert "Propose to give Bob up for good: Bob has to be left out first" in text_of(table.front)
    page = table.front.page
    assert page is not None
    assert page.items is not None
    gone = next(at for at, item in enumerate(page.listed()) if "give Bob up" in item.text)
    table.front.press(str(gone + 1))
    assert consenting.asked == []


def test_who_is_waited_for_and_must_not_answer_yet_reads_why() -> None:
    table = faced("unconfirmed")
    asked = table.asked
    assert asked is not None
    table.session.asking.withdrawn(asked)
    shown = " ".join(text_of(table.front).split())
    assert "nothing is sent from here yet" in shown
    assert "Waiting for Anna" not in shown
    assert shown.count("another player's program has to confirm") >= 2, "in the pane of the question too"


@pytest.mark.parametrize(("key", "yes"), [("y", True), ("n", False)])
def test_yes_and_no_mark_their_own_entry_of_a_proposal_and_a_click_must_come_twice(key: str, yes: bool) -> None:
    table = Solo("eclipse2")
    controls: Any = table.controls
    said: list[bool] = []
    controls.vote = lambda _pact, word: said.append(word)
    controls.votes = lambda: [Vote(Pact("end", 9, bytes(32), (), "agreed"), (), None)]
    table.session.screens.tell()
    table.front.press(key)
    table.front.press("enter")
    assert said == [yes]
    table.front.press("v")
    hit = next(hit for hit in table.front.draw(120, 40).hits if (hit.what, hit.value) == ("item", "0"))
    table.front.click(hit.x, hit.y)
    assert len(said) == 1, "a proposal is not agreed to by the first click"
    table.front.click(hit.x + 1, hit.y)
    assert said == [yes, True]
    assert "You agree: end the game here." in text_of(table.front)


def test_nobody_is_proposed_to_be_given_up_twice() -> None:
    table = Solo("eclipse2")
    consenting = Consenting(table)
    controls: Any = table.controls
    controls.linked = dict
    controls.ways = dict
    table.front.press("v")
    assert "Propose to give Bob up for good: Bob has been given up already" in text_of(table.front)
    page = table.front.page
    assert page is not None
    assert page.items is not None
    gone = next(at for at, item in enumerate(page.listed()) if "give Bob up" in item.text)
    table.front.press(str(gone + 1))
    assert consenting.asked == []
