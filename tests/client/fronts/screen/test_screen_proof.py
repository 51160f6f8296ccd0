"""The verify panel: who fixed and opened what, who holds what, luck, and what stands sealed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import mktime
from types import SimpleNamespace
from typing import Any

import pytest
from parties import BOB
from pictures import SIZES
from screen_game import Solo

from client.session.deeds import DEEDS
from client.session.deeds.outcomes import Told
from client.session.proof import proven_steps, sealed_lines, step_lines
from client.show.document import Note
from client.show.lines import lines
from client.show.styled import UNICODE, Glyphs, plain
from client.system import texts
from client.system.errors import UserError
from client.system.names import columns
from client.table.notice_words import notice_text
from client.table.notices import FaultProven, PeerStopped, StateDiverged
from client.words import DisplayNames
from engine.core.registry import GAMES
from p2p.lockstep.account import RollPart, RollReport, StepReport
from p2p.lockstep.genesis import Row

KEYS = (b"A" * 32, b"B" * 32)
NAMES = dict(zip(KEYS, ("Anna", "Bob"), strict=True))


def rolled(height: int, *, lock: int = 0, ok: bool = True, absent: bool = False) -> RollReport:
    parts = tuple(
        RollPart(key, bytes([at]) * 32, None if absent and at else bytes([16 + at]) * 32) for at, key in enumerate(KEYS)
    )
    return RollReport(height, 0, 1, "combat", (6, 6), parts, lock, KEYS[:lock], (6, 3), ok, b"\x9d" * 32)


def table(glyphs: Glyphs = UNICODE, **more: Any) -> Solo:
    """A game some way on whose last step was a roll."""
    made = Solo("eclipse2", 3, glyphs)
    made.play(40, random.Random(4))
    controls: Any = made.controls
    seats = {key: KEYS.index(key) for key in KEYS}
    controls.genesis.member = lambda key: SimpleNamespace(rows=(Row(seats[key], NAMES[key]),), seats=(seats[key],))
    report = rolled(made.session.events.entries[-1].height, **more)
    controls.rolls = lambda: [report]
    controls.steps = partial(signed, report.height)
    return made


def signed(last: int, first: int) -> dict[int, StepReport]:
    """Steps that both have signed by turns; the fifth from the end was a deal of cards."""
    found = {}
    for height in range(first, last + 1):
        author = KEYS[height % 2]
        kind = "deal" if height == last - 4 else "choose"
        entry: Any = SimpleNamespace(
            author=author,
            kind="share" if kind == "deal" else "answer",
            seq=height,
            id=bytes([height % 256]) * 32,
            signature=bytes([height % 256]) * 64,
            state=bytes(16),
        )
        before, after = (bytes([at % 256]) * 32 for at in (height, height + 1))
        found[height] = StepReport(height, kind, before, after, (entry,), KEYS if height < last - 1 else KEYS[:1])
    return found


def text_of(made: Solo, size: tuple[int, int] = (120, 40)) -> str:
    return "\n".join(plain(line) for line in made.front.draw(*size).lines)


def deed_lines(made: Solo) -> Sequence[str]:
    """What the deed tells on fronts without a panel."""
    told = DEEDS["verify"].do(made.session, {})
    assert isinstance(told, Told)
    return [plain(row).strip() for row in lines(told.document(200), 200)]


@pytest.mark.parametrize("name", GAMES)
def test_the_panel_counts_the_steps_that_the_deed_counts(name: str) -> None:
    made = Solo(name)
    made.play(20, random.Random(3))
    made.press("f6")
    assert f": {made.controls.match.height}; " in text_of(made)
    counted = DEEDS["verify"].do(made.session, {})
    assert isinstance(counted, Told)
    first, *_steps = counted.document(80)
    assert isinstance(first, Note)
    assert first.text in text_of(made)


def test_a_key_has_the_network_looked_at_and_shows_what_was_found() -> None:
    made = table()
    made.front.press("D")
    assert "This table uses no network." in text_of(made)
    waiting: list[Callable[[Sequence[str]], None]] = []
    controls: Any = made.controls
    controls.examine = waiting.append
    made.front.press("D")
    assert "Looking at the network" in text_of(made)
    waiting[0](["+ This machine has the addresses 10.0.0.2.", "- The router speaks nothing.", "    Try again."])
    assert "- The router speaks nothing." in text_of(made)
    made.front.press("escape")
    assert "The router speaks nothing" not in text_of(made)


@pytest.mark.parametrize("size", [*SIZES, (60, 18), (40, 10)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_verify_panel_fits_in_spanish(size: tuple[int, int]) -> None:
    texts.use("es")
    try:
        made = table()
        for key in ("f6", "down", "down", "enter"):
            made.front.press(key)
            shown = [plain(line) for line in made.front.draw(*size).lines]
            assert {columns(line) for line in shown} == {size[0]}
            assert len(shown) == size[1]
    finally:
        texts.use("en")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "each fits what was fixed ✓"),
        ({"ok": False}, "a seed does not fit"),
        ({"absent": True}, "B absent"),
        ({"lock": 2}, "mixed, unlocked by AB (2 needed)"),
    ],
)
def test_a_roll_says_who_fixed_opened_and_unlocked_what(more: dict[str, Any], said: str) -> None:
    made = table(**more)
    made.front.press("f6")
    shown = text_of(made)
    assert "2 fixed before it was asked: A 00000000  B 01010101" in shown
    assert said in shown
    assert ("Problems: 1" in shown) is (more.get("ok") is False)


def test_a_step_says_who_is_not_known_to_hold_it() -> None:
    made = table()
    controls: Any = made.controls
    last = made.session.events.entries[-1].height
    controls.held = lambda: {1: last}
    newest, before = proven_steps(made.session, 2)
    assert (newest.height, newest.seen, before.seen) == (last, (0,), (0, 1))
    made.front.press("f6")
    made.front.press("enter")
    assert "Not known to be held by: Bob" in text_of(made)


def test_what_was_taken_back_proves_nothing() -> None:
    made = table()
    made.session.events.entries[-1] = replace(made.session.events.entries[-1], undone=True)
    controls: Any = made.controls
    controls.rolls = list
    heights = [step.height for step in proven_steps(made.session, 500)]
    undone = made.session.events.entries[-1].height
    assert heights == sorted(heights, reverse=True)
    assert (undone in heights) is any(each.height == undone and not each.undone for each in made.session.events.entries)


def test_what_stands_sealed_is_counted_by_seat() -> None:
    decks: Any = SimpleNamespace(seals=[[0, 1, "", ""], [1, 1, "", ""]], order={"reputation": [4, 5, 6], "empty": []})
    controls: Any = SimpleNamespace(match=SimpleNamespace(g=SimpleNamespace(decks=decks)))
    controls.hands = lambda: {0: {"reputation": 3}, 1: {"reputation": 2}}
    session: Any = SimpleNamespace(
        table=SimpleNamespace(controls=controls, names=["Anna", "Bob"], display_names=DisplayNames("eclipse2"))
    )
    told = list(sealed_lines(session))
    assert told == [
        "Secret choices that stand sealed: 2 (Bob)",
        "Face down in the decks: reputation tiles 3",
        "Held face down: reputation tiles 3 Anna, 2 Bob; proven to come from the decks ✓",
    ]


def test_arrows_and_clicks_go_through_the_steps_and_enter_shows_the_whole_proof() -> None:
    made = table()
    made.front.press("f6")
    steps = proven_steps(made.session, 3)
    made.front.press("down")
    assert f"How step {steps[1].height} came about" in text_of(made)
    made.front.press("enter")
    assert f"The proof of step {steps[1].height}" in text_of(made)
    made.front.press("escape")
    hit = next(hit for hit in made.front.draw(120, 40).hits if (hit.what, hit.value) == ("item", "0"))
    made.front.click(hit.x, hit.y)
    assert f"How step {steps[0].height} came about" in text_of(made)


def test_keys_of_the_panel_write_a_file_show_hashes_and_keep_problems_alone(tmp_path: Path) -> None:
    made = table(ok=False)
    controls: Any = made.controls
    star = tmp_path / "friday.star"
    star.write_bytes(bytes(212_000))
    controls.save = lambda: star
    made.front.press("f6")
    drawn = made.front.draw(120, 40)
    for hit in (hit for hit in drawn.hits if hit.value in ("x", "p")):
        made.front.click(hit.x, hit.y)
    shown = text_of(made)
    assert "friday.star, 212 kB; anyone can check it" in " ".join(shown.split())
    last = made.session.events.entries[-1].height
    assert [step.height for step in proven_steps(made.session, 200) if step.wrong] == [last]
    assert "Only problems are listed" in shown
    assert f" {last - 2}  " not in shown
    made.front.press("d")
    assert bytes([last + 1]).hex() * 32 in text_of(made)
    made.front.press("escape")
    assert "Only problems are listed" in text_of(made)

    def full() -> Path:
        raise UserError("file/unwritable", "No room.", "Make some.")

    controls.save = full
    made.front.press("x")
    assert "No room. Make some." in text_of(made)


def test_who_does_not_open_is_named_with_the_time_since_when(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table()
    controls: Any = made.controls
    controls.debts = lambda: {1: "open"}
    since = mktime((2026, 5, 1, 0, 41, 0, 0, 0, -1))
    made.session.screens.since[1] = since
    made.front.changed()
    monkeypatch.setattr(made.session.screens, "seconds", lambda at: 4 + (at == since))
    made.front.press("f6")
    assert "Bob owes a seed of the dice since 00:41; nothing is rolled or dealt a second time." in text_of(made)


def test_an_empty_list_of_problems_says_that_there_are_none() -> None:
    made = table()
    made.front.press("f6")
    made.front.press("p")
    shown = text_of(made)
    assert "All fit ✓" in shown
    assert "Only problems are listed; there are none." in shown


def test_a_search_that_finds_no_problem_does_not_say_that_there_is_none() -> None:
    made = table(ok=False)
    made.front.press("f6")
    made.front.ui.word = "no step says this"
    assert "Problems: 1" in text_of(made)


def test_where_programs_differ_each_step_is_marked_from_the_one_that_led_there() -> None:
    made = table()
    last, before, *earlier = (step.height for step in proven_steps(made.session, 10))
    made.front.press("f6")
    made.session.notice(StateDiverged(BOB, before + 1))
    marked = {step.height: step.wrong for step in proven_steps(made.session, 10)}
    assert marked == {last: True, before: True} | dict.fromkeys(earlier, False)
    assert "Problems: 2" in text_of(made)
    made.front.press("p")
    for height in (last, before):
        row = next(row for row in text_of(made).splitlines() if f" {height}  " in row)
        assert "  !  " in row
    assert f" {earlier[0]}  " not in text_of(made)


def test_a_step_without_words_after_which_programs_differ_is_listed() -> None:
    made = table()
    last = made.session.events.entries[-1].height
    made.session.notice(StateDiverged(BOB, last + 2))
    made.front.press("f6")
    newest, before, *_ = proven_steps(made.session, 10)
    assert (newest.height, newest.text, newest.wrong, before.wrong) == (last + 1, "", True, False)
    assert "Problems: 1" in text_of(made)


def test_a_proven_fault_is_named_where_the_header_warns_of_it() -> None:
    made = table()
    for notice in (FaultProven(BOB, "entry/forked"), PeerStopped("lockstep/own-fault")):
        made.session.notice(notice)
        made.front.press("f6")
        for size in SIZES:
            shown = " ".join(text_of(made, size).split())
            assert "All fit" not in shown
            assert "The author signed two histories" in shown
            assert "verified ✓" not in shown
        made.front.press("escape")
    assert "This program has broken the protocol" in " ".join(text_of(made).split())


@pytest.mark.parametrize("notice", [FaultProven(BOB, "entry/forked"), PeerStopped("lockstep/own-fault")])
def test_no_front_says_that_all_fits_where_a_fault_is_proven(notice: FaultProven | PeerStopped) -> None:
    made = table()
    made.session.notice(notice)
    assert "All fit" not in " ".join(deed_lines(made))
    assert notice_text(notice, pair=True) in " ".join(deed_lines(made))


def test_who_keeps_dice_waiting_is_named_on_every_front(monkeypatch: pytest.MonkeyPatch) -> None:
    made = table()
    controls: Any = made.controls
    controls.debts = lambda: {1: "open"}
    made.session.screens.since[1] = 0.0
    monkeypatch.setattr(made.session.screens, "seconds", lambda _at: 5)
    assert "Bob owes a seed of the dice since" in " ".join(deed_lines(made))


def test_a_step_that_nobody_signed_was_taken_by_the_stand_in() -> None:
    made = table()
    (last, *_) = [step for step in proven_steps(made.session, 10) if step.who and not step.chance]
    assert last.report is not None
    assert "signed" in " ".join(step_lines(made.session, last))
    unsigned = " ".join(step_lines(made.session, replace(last, report=last.report._replace(entries=()))))
    assert f"Taken by the stand-in of {last.who}" in unsigned
    assert "signed" not in unsigned
