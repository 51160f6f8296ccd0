"""Programs that differ, on the full screen: whose is alone, what helps, and what the one who was left out sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parties import ANNA, BOB, CARL, DEE
from pictures import SIZES
from screen_game import Solo

from client.fronts.line.screen import LineScreen
from client.fronts.screen.front import Front
from client.session.troubles import TableTrouble, Troubles
from client.session.waiting import idle_text
from client.show.styled import plain
from client.table.notices import DivergenceFound, Owes, Party, PeerStopped, Program, StateDiverged, TableNotice
from p2p.lockstep.pacts import Pact
from p2p.lockstep.report import Difference
from p2p.lockstep.voting import Vote

ROWS = (Difference("seats.store.0", 4, 3),)
HERE = Program("1.2.0", "3.11.7", "eclipse2/9", "9c41a0b2", repeats=True)
FILE = Path("/srv/anna/divergence-9c41-93.json")
OTHERS = (BOB, CARL, DEE)
LEFT_OUT = PeerStopped("lockstep/left-out")


def found(member: Party, *sides: tuple[Party, ...], path: str = "seats.store.0") -> DivergenceFound:
    rows = ROWS if path else ()
    return DivergenceFound(member, 93, path, "4", "3", rows, len(rows), FILE, sides, HERE, HERE, repair_from=92)


ALONE = [found(member, (ANNA,), OTHERS) for member in OTHERS]
"""What a member is told whose program is alone."""


def troubles(*notices: TableNotice) -> list[TableTrouble]:
    standing = Troubles()
    for notice in notices:
        standing.heard(notice)
    return standing.listed()


def faced(*notices: TableNotice) -> Solo:
    table = Solo("eclipse2")
    for notice in notices:
        table.session.notice(notice)
    return table


def text_of(front: Front, size: tuple[int, int] = (120, 40)) -> str:
    return " ".join("\n".join(plain(line) for line in front.draw(*size).lines).split())


def test_whose_program_is_alone_is_told_once_and_as_the_one_that_differs() -> None:
    (trouble,) = troubles(*ALONE)
    assert trouble.stops == "this program differs from the others"
    assert trouble.todo.startswith("Run the same version of starlock as the others")
    assert [deed.deed for deed in trouble.deeds] == ["quit", "repair"], "the larger side cannot be left out"
    assert "(advised)" in trouble.deeds[0].text


def test_two_sides_that_both_differ_from_here_are_told_each() -> None:
    sides = (ANNA, DEE), (BOB,), (CARL,)
    assert len(troubles(*(found(member, *sides) for member in (BOB, CARL)))) == 2


def test_those_who_agree_read_that_the_other_one_has_to_resume() -> None:
    (trouble,) = troubles(found(BOB, (ANNA, CARL), (BOB,)))
    assert trouble.stops == "Bob's program differs"
    assert trouble.todo.startswith("Bob should run the same version of starlock as you")
    assert [deed.deed for deed in trouble.deeds] == ["quit", "repair", "absent"]
    assert "(advised)" not in trouble.deeds[0].text


def test_what_was_signed_over_another_state_is_not_mended_by_another_resume() -> None:
    same, own = troubles(found(BOB, (ANNA, BOB), path=""), StateDiverged(ANNA, 93, "own", 92))
    for trouble in (same, own):
        assert "To resume again changes nothing" in trouble.todo
        assert "(advised)" not in trouble.deeds[0].text
        assert trouble.deeds[1].deed == "repair"
    assert same.stops == "something was signed over another state"


def test_who_was_left_out_reads_that_first_and_that_the_others_go_on() -> None:
    table = faced(*ALONE, LEFT_OUT)
    first, second = table.session.troubles()
    assert first.notice == LEFT_OUT
    assert not first.deeds, "it would be refused before the program follows again"
    assert [deed.deed for deed in second.deeds] == ["quit"], "nothing can be proposed from outside"
    assert "cannot follow the table" in second.todo
    table.front.press("!")
    shown = text_of(table.front)
    assert "What stands in the way" in shown
    assert "topped" not in shown


def test_a_program_that_cannot_follow_the_table_does_not_say_whom_it_waits_for() -> None:
    table = faced(*ALONE, LEFT_OUT)
    controls: Any = table.controls
    controls.debts = lambda: {1: "shuffle"}
    table.session.asking.withdrawn(table.session.asking.draft.asked)  # type: ignore[union-attr]
    table.session.screens.tell()
    table.front.press("escape")
    reader = LineScreen(table.session, lambda: 80)
    said = "The others go on, and this program cannot follow: this program differs from the others."
    assert idle_text(reader.session) == said
    for size in SIZES:
        shown = text_of(table.front, size)
        assert "│ cannot follow: this program differs from the others" in shown
        assert "aiting for" not in shown
        assert "▸B" not in shown


def test_one_bug_bundle_is_offered_for_one_report() -> None:
    table = faced(found(BOB, (ANNA,), (BOB,), (CARL,)), found(CARL, (ANNA,), (BOB,), (CARL,)))
    controls: Any = table.controls
    controls.save = lambda: FILE
    table.front.press("!")
    assert text_of(table.front, (200, 50)).count("write a bug bundle") == 1


def test_a_text_that_was_copied_is_said_to_be_on_the_page_and_ends_without_blanks() -> None:
    table = faced(*ALONE)
    table.front.press("c")
    assert "Copied to the clipboard" in text_of(table.front, (80, 24))
    rows = table.host.copied.split("\n")
    assert rows == [row.rstrip() for row in rows]


def test_a_stopped_table_says_whose_vote_it_waits_for() -> None:
    table = faced(found(CARL, (ANNA, BOB), (CARL,)))
    controls: Any = table.controls
    controls.debts = lambda: {1: "sign"}
    table.session.asking.withdrawn(table.session.asking.draft.asked)  # type: ignore[union-attr]
    table.session.screens.tell()
    table.front.press("escape")
    reader = LineScreen(table.session, lambda: 80)
    for shown in (text_of(table.front), idle_text(reader.session)):
        assert "The table has stopped: Carl's program differs." in shown
        assert "Waiting for Bob (owes a word on the vote)." in shown


def test_what_a_member_stated_of_a_move_ends_with_the_move() -> None:
    table = faced(Owes(BOB, CARL))
    assert table.session.troubles()
    table.session.happened(5, [])
    assert not table.session.troubles()


def test_only_who_was_left_out_may_ask_to_be_let_in_again() -> None:
    for notices, reason in (
        ((), "Ask to be let in again: You have not been left out."),
        ((PeerStopped("lockstep/given-up"),), "Ask to be let in again: You have been given up for good."),
        ((LEFT_OUT,), "Ask to be let in again Propose to end"),
    ):
        table = faced(*notices)
        table.front.press("v")
        assert reason in text_of(table.front)


def test_a_click_on_a_key_that_the_pane_names_is_that_key() -> None:
    for size in SIZES:
        table = Solo("eclipse2")
        controls: Any = table.controls
        controls.votes = lambda: [Vote(Pact("end", 9, bytes(32), (), "agreed"), (), None)]
        table.session.screens.tell()
        drawn = table.front.draw(*size)
        at = next(row for row, line in enumerate(drawn.lines) if "v: agree or refuse" in plain(line))
        table.front.click(plain(drawn.lines[at]).index("v: agree") + 1, at)
        page = table.front.page
        assert page is not None
        assert page.title == "Proposals"
