"""The ticket of a lobby and its answers on the full screen: copied, pasted, and as a picture that a phone reads."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import segno
from lobby_scenes import TICKET, opened
from screen_game import NoHost, text_of

from client.fronts.screen.lobby import code_lines
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system import texts
from client.table.lobby_notices import LobbyTicket
from client.table.notices import AnswerMade
from p2p.identity.keys import SigningKey
from p2p.reach.ticket import new_ticket


def test_the_ticket_is_copied_and_shown_as_a_picture() -> None:
    front, _door = opened()
    front.press("c")
    assert isinstance(front.host, NoHost)
    assert front.host.copied == TICKET
    front.press("Q")
    shown = text_of(front, (120, 50))
    assert TICKET[:100] in shown
    assert "█" in shown


TICKETS = [
    str(new_ticket(b"l" * 16, SigningKey.from_seed(b"a" * 32).public, candidates, 1_900_000_000, relays))
    for candidates, relays in (
        (["tcp://192.168.1.7:4000"], []),
        (["tcp://192.168.1.7:40001", "tcp://[2001:db8::1:2:3]:40001", "tcp://203.0.113.9:40001"], []),
        (["tcp://192.168.1.7:4000"] * 6, ["relay://192.0.2.1:1"]),
    )
]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("ticket", TICKETS, ids=len)
def test_the_whole_code_of_a_ticket_fills_a_small_screen_alone_and_any_key_leads_back(
    ticket: str, language: str
) -> None:
    texts.use(language)
    try:
        front, _door = opened()
        front.session.notice(LobbyTicket(ticket))
        front.press("Q")
        before = text_of(front, (80, 24))
        assert "QR" in before
        assert "█" not in before
        front.press("Q")
        drawn = [plain(row) for row in front.draw(80, 24).lines]
        front.press("x")
        assert text_of(front, (80, 24)) == before
        front.press("Q")
        front.draw(80, 24)
        front.click(40, 12)
        assert text_of(front, (80, 24)) == before
    finally:
        texts.use("en")
    code = segno.make(ticket.upper(), error="l", micro=False)
    sides = {border: [list(row) for row in code.matrix_iter(border=border)] for border in (1, 2)}
    side = next(len(rows) for border, rows in reversed(sides.items()) if len(rows) <= 48)
    wanted = next(rows for rows in sides.values() if len(rows) == side)
    assert len(drawn) == 24
    assert modules([row[:side].ljust(side) for row in drawn])[:side] == wanted
    assert not "".join(row[side:] for row in drawn).strip()


def modules(rows: Sequence[str]) -> list[list[int]]:
    """The modules of a code in half blocks, 1 for a dark one."""
    halves = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    return [[halves[letter][half] for letter in row] for row in rows for half in (0, 1)]


def test_a_guest_sees_copies_and_shows_the_code_of_its_answer_until_it_is_not_needed_any_more() -> None:
    front, _door = opened(inviting=False)
    host = front.host
    assert isinstance(host, NoHost)
    answer = TICKETS[0]
    front.session.notice(AnswerMade(answer))
    front.show(lambda: answer, plain=True)
    assert "send this answer" in text_of(front)
    assert answer[:60] in text_of(front)
    front.press("c")
    assert host.copied == answer
    front.press("Q")
    assert "Send this answer back" in text_of(front)
    host.copied = ""
    front.press("C")
    assert host.copied == answer
    front.press("escape")
    front.session.notice(AnswerMade(""))
    assert "send this answer" not in text_of(front)


def test_an_answer_is_pasted_and_typed_in_the_lobby_and_goes_to_nobody_else() -> None:
    front, door = opened()
    for text in (TICKETS[0], f"Bob wrote:\n> {TICKETS[0]}"):
        front.pasted(text)
    front.doing.command(f"paste {TICKETS[0]}")
    said = [text for act, text in door.asked if act == "say"]
    assert ["".join(each.split()).rpartition("starlock:")[2] for each in said] == [TICKETS[0].rpartition(":")[2]] * 3
    front.doing.command("paste hello")
    assert "neither an answer nor a ticket" in text_of(front)
    assert len([act for act, _text in door.asked if act == "say"]) == 3


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_a_code_is_shown_where_it_just_fits_and_with_a_narrower_border_in_less_room(glyphs: Glyphs) -> None:
    room, found = 400, list[tuple[int, int]]()
    while code := code_lines(TICKET, (room, 400), glyphs):
        size = len(plain(code[0])), len(code)
        assert code_lines(TICKET, size, glyphs) == code
        assert len(code_lines(TICKET, (size[0], size[1] - 1), glyphs)) < size[1]
        found.append(size)
        room = size[0] - 1
    assert len(found) == 2


def test_where_the_code_cannot_fit_the_page_of_the_ticket_says_what_it_needs() -> None:
    front, _door = opened(glyphs=ASCII)
    front.session.notice(LobbyTicket(TICKETS[0]))
    front.press("Q")
    needs = "Its QR code needs 86 columns and 43 rows here."
    assert needs in text_of(front, (80, 24))
    front.press("Q")
    shown = text_of(front, (80, 24))
    assert needs in shown
    assert "Any key leads back." in shown


def test_who_asks_for_a_seat_is_seen_before_the_code() -> None:
    front, _door = opened()
    front.session.notice(LobbyTicket(TICKETS[0]))
    front.press("Q")
    front.press("Q")
    front.session.confirm(lambda: "Dina wants to sit down. Let them in?", lambda _yes: None)
    shown = text_of(front, (80, 24))
    assert "Dina wants to sit down." in shown
    assert "█" not in shown
