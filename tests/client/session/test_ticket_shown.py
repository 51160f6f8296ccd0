"""A ticket is shown as a QR code that holds it, and copied by the terminal."""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import segno
import trio
from trio.testing import MockClock

from client.commands import ways
from client.fronts.screen.lobby import code_lines, ticket_lines
from client.session.deeds.looked import DEEDS
from client.session.deeds.outcomes import Told
from client.show.lines import lines
from client.show.styled import ASCII, UNICODE, plain
from client.table.carrying import show_ticket
from client.table.inviting import RENEWED_EVERY, Renewing
from client.table.qr import BORDER, LEAST_BORDER, clipboard_code, qr_lines, qr_modules
from client.table.verdict import ticket_changed
from p2p.identity.keys import SigningKey
from p2p.reach.ticket import Ticket, new_ticket, parse_ticket
from p2p.reach.verdict import Cause, Facts

ANN = SigningKey.from_seed(b"a" * 32)
TICKET = str(new_ticket(b"l" * 16, ANN.public, ["tcp://192.168.1.7:4000"] * 6, 1_900_000_000, ["relay://192.0.2.1:1"]))


def test_the_picture_has_the_modules_of_the_code_two_rows_in_a_line() -> None:
    lines = qr_lines(TICKET, 200)
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    modules: list[list[int]] = []
    for line in lines:
        modules += [[halves[letter][0] for letter in line], [halves[letter][1] for letter in line]]
    code = segno.make(TICKET.upper(), error="l", micro=False)
    wanted = [list(row) for row in code.matrix_iter(border=BORDER)]
    assert modules[: len(wanted)] == wanted
    assert code.mode == "alphanumeric"


def test_the_fullest_ticket_fits_a_terminal_of_eighty_columns() -> None:
    assert 0 < len(qr_lines(TICKET, 80)[0]) <= 80


def test_there_is_no_picture_where_it_does_not_fit() -> None:
    assert qr_lines(TICKET, 40) == []
    side = len(qr_modules(TICKET, LEAST_BORDER))
    for glyphs, columns, rows in ((UNICODE, side, (side + 1) // 2), (ASCII, 2 * side, side)):
        for size in ((columns - 1, 99), (199, rows - 1)):
            assert code_lines(TICKET, size, glyphs) == []
            shown = " ".join(map(plain, ticket_lines(TICKET, size, glyphs)))
            assert f"Its QR code needs {columns} columns and {rows} rows here." in shown
        assert len(code_lines(TICKET, (columns, rows), glyphs)) == rows


def test_a_code_stands_beside_its_ticket_only_if_both_are_seen_at_once_and_else_a_key_shows_it() -> None:
    high = len(qr_lines(TICKET, 80))
    text = " ".join(map(plain, ticket_lines(TICKET, (80, high), UNICODE)))
    assert "█" not in text
    assert "Q shows its QR code alone" in text
    whole = ticket_lines(TICKET, (80, 60), UNICODE)
    assert [plain(row) for row in whole[-high:]] == qr_lines(TICKET, 80)
    assert len(whole) < 58


def test_a_terminal_without_half_blocks_gets_the_code_in_reversed_blanks() -> None:
    rows = qr_modules(TICKET)
    drawn = code_lines(TICKET, (2 * len(rows), 99), ASCII)
    assert tuple(tuple(style == "chosen" for style, text in row if text == "  ") for row in drawn) == rows
    assert {plain(row) for row in drawn} == {"  " * len(rows)}


def test_the_code_of_a_ticket_is_made_once_and_not_for_each_frame() -> None:
    assert qr_modules(TICKET, BORDER) is qr_modules(TICKET, BORDER)


def test_capital_letters_are_the_same_ticket() -> None:
    assert parse_ticket(TICKET.upper()) == parse_ticket(TICKET)


def test_the_clipboard_gets_the_ticket() -> None:
    code = clipboard_code(TICKET)
    assert code.startswith(b"\033]52;c;")
    assert base64.b64decode(code[7:-1]).decode() == TICKET


HERE, THERE, RELAY = "tcp://192.168.1.7:4000", "tcp://8.8.4.7:4000", "relay://192.0.2.1:1"


async def test_a_ticket_is_published_again_when_addresses_or_the_verdict_change_and_each_trouble_is_told_once(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[float] = []

    async def explore(_reach: object, patience: float) -> None:
        looked.append(patience)

    monkeypatch.setattr("client.table.inviting.explore", explore)
    addresses, troubles, facts = [HERE], dict[str, str](), [Facts()]
    published: list[tuple[tuple[str, ...], str, tuple[str, ...]]] = []
    told: list[tuple[str, ...]] = []
    peer: Any = SimpleNamespace(
        reach=SimpleNamespace(
            candidates=lambda: tuple(addresses),
            troubles=lambda: troubles,
            facts=lambda: facts[0],
            lacks_outer_host=lambda: True,
        )
    )
    asked: list[str] = []
    reception: Any = SimpleNamespace(
        relay_trouble=lambda *trouble: told.append(trouble), tell=lambda text: asked.append(text())
    )
    ticket = new_ticket(b"l" * 16, ANN.public, [HERE], 1_900_000_000)

    def publish(new: Ticket, cause: Cause, before: Ticket | None) -> None:
        assert before is not None
        published.append((new.candidates, cause, before.candidates))

    renewing = Renewing(peer, ticket, publish, reception, "no-way")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(renewing.run)
        await trio.sleep(3 * RENEWED_EVERY)
        assert (published, told) == ([], [])
        addresses[:] = [THERE, HERE]
        facts[0], troubles[RELAY] = Facts(outside=frozenset({4})), "relay/full"
        await trio.sleep(3 * RENEWED_EVERY)
        facts[0] = Facts(mapped=True)
        await trio.sleep(3 * RENEWED_EVERY)
        nursery.cancel_scope.cancel()
    both = (THERE, HERE)
    assert published == [(both, "untried", (HERE,)), (both, "mapped", both)]
    assert told == [(RELAY, "relay/full")]
    assert ["address of your router" in each for each in asked] == [True]
    assert len(looked) == 2  # at the beginning, and where the addresses were new
    assert (renewing.ticket.secret, renewing.ticket.lobby) == (ticket.secret, ticket.lobby)


@pytest.mark.parametrize(
    ("before", "now", "cause", "told"),
    [
        ([HERE], [THERE, HERE], "mapped", "works in this network only: send this one to friends outside."),
        ([THERE, HERE], [HERE], "no-way", "still works in this network."),
        ([THERE, HERE], [THERE], "mapped", "still works."),
        ([THERE], ["tcp://8.8.4.8:4000"], "mapped", "does not work any more: send this one."),
        ([THERE], ["tcp://8.8.4.8:4000"], "relay", "does not work any more: send this one."),
        ([HERE, "tcp://127.0.0.1:1"], ["tcp://10.0.0.1:1", "tcp://127.0.0.1:1"], "no-way", "does not work any more"),
    ],
)
def test_a_later_ticket_says_what_changed_and_whether_the_earlier_one_works(
    before: list[str], now: list[str], cause: Cause, told: str
) -> None:
    first, second = (new_ticket(b"l" * 16, ANN.public, each, 1_900_000_000) for each in (before, now))
    text = ticket_changed(first, second, cause)
    assert told in text
    for addresses, others, words in ((now, before, "New in this ticket: "), (before, now, "No longer in it: ")):
        listed = ", ".join(each.removeprefix("tcp://") for each in addresses if each not in others)
        assert (f"{words}{listed}." in text) == bool(listed)


RELAY, SAME_RELAY = "relay://192.0.2.1:40918", "relay://" + "a" * 52 + "@192.0.2.1:40918"


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ([RELAY], [SAME_RELAY], "The earlier ticket still works."),
        ([], [RELAY], "The earlier ticket works in this network only: send this one to friends outside."),
        (["relay://192.0.2.9:40918"], [RELAY], "The earlier ticket works in this network only"),
    ],
)
def test_an_earlier_ticket_works_by_a_relay_only_if_it_names_that_one(
    before: list[str], now: list[str], told: str
) -> None:
    first, second = (new_ticket(b"l" * 16, ANN.public, [HERE], 1_900_000_000, each) for each in (before, now))
    text = ticket_changed(first, second, "relay")
    assert text.endswith(told if told.endswith(".") else f"{told}: send this one to friends outside.")
    assert ("New in this ticket: 192.0.2.1:40918." in text) == (RELAY not in before)
    assert "a" * 52 not in text


def test_the_verdict_is_told_before_the_ticket_and_alone_where_nothing_else_is_new() -> None:
    told: list[str] = []
    player: Any = SimpleNamespace(notice=lambda _notice: None, show=lambda text, **_how: told.append(text()))
    ticket = new_ticket(b"l" * 16, ANN.public, [HERE], 1_900_000_000)
    show_ticket(player, ticket, "no-way", None, picture=False, copied=False)
    assert "cannot reach you" in told[0]
    assert told[-1] == str(ticket)
    told.clear()
    show_ticket(player, ticket, "mapped", ticket, picture=False, copied=False)
    assert [each.partition(". ")[0] for each in told] == ["Reachable from: anywhere"]


@pytest.mark.parametrize("way", ["argument", "file", "standard input"])
def test_a_ticket_is_read_from_an_argument_a_file_and_standard_input_with_text_around_it(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pasted = f"Come and play!\n> {TICKET}\nAnn"
    path = tmp_path / "ticket"
    path.write_text(pasted, "utf-8")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pasted.encode())))
    monkeypatch.setattr(ways, "take_terminal_as_input", lambda: None)
    words = {"argument": pasted, "file": str(path), "standard input": "-"}
    assert str(parse_ticket(ways.given_ticket(words[way]))) == TICKET


def test_the_way_back_is_told_in_whole_words_above_a_ticket_in_one_piece() -> None:
    told, ticket = "By this line a member who cannot find the others comes back.", f"starlock:{'a' * 200}"
    session: Any = SimpleNamespace(
        table=SimpleNamespace(running=SimpleNamespace(reach=lambda _relay: f"{told}\n{ticket}"))
    )
    answer = next(each for each in DEEDS if each.id == "reach").run(session, {})
    assert isinstance(answer, Told)
    *rows, last = (plain(row) for row in lines(answer.document(30), 30))
    assert max(map(len, rows)) <= 30
    assert " ".join(" ".join(rows).split()) == told
    assert last == ticket
