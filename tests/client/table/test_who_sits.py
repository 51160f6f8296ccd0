"""Who sits at a table: who let whom in, who has never been met, and which machines hold several seats."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import recorded
from line_room import Room
from one_machine import ROWS
from screen_game import Solo

from client.fronts.web.fragments.table import table as web_table
from client.session.view import view_of
from client.show.styled import plain
from client.system.texts import use
from client.table.lobby_notices import LobbyRoom
from client.table.reception import Reception
from client.table.record import Record
from client.table.tables import met_before
from client.words.machines import place_lines
from p2p.lobby.messages import Seated
from p2p.lockstep.genesis import Member, Row
from p2p.log.store import Store

STRANGER = "You have never sat at a table with Sam: compare the words with a friend."
MACHINE = "Ann's machine holds 3 seats: one vote together."


class Guestbook:
    """A player that keeps what a lobby tells."""

    def __init__(self) -> None:
        self.rooms: list[LobbyRoom] = []
        self.lines: list[str] = []

    def notice(self, notice: Any) -> None:
        self.rooms.append(notice)

    def show(self, told: Any, *, plain: bool = False) -> None:
        self.lines.append(told())


def test_the_lobby_says_who_let_whom_in_and_who_has_never_been_met() -> None:
    use("en")
    ann, eve, sam = (bytes([number]) * 32 for number in (1, 2, 3))
    rows = tuple(Seated(key, seats, True, "") for key, seats in (
        (ann, ROWS), (eve, (Row(3, "Eve"),)), (sam, (Row(4, "Sam"),))))  # fmt: skip
    for me, met, told in (
        (ann, {ann, eve}, {"Eve": ["Eve was let in by Ann."], "Sam": ["Sam was let in by Ann.", STRANGER]}),
        (eve, {ann, eve}, {"Eve": [], "Sam": ["Sam was let in by Ann.", STRANGER]}),
        (eve, set[bytes](), {"Ann": [MACHINE, STRANGER.replace("Sam", "Ann")], "Eve": []}),
        (eve, None, {"Ann": [MACHINE], "Sam": ["Sam was let in by Ann."]}),
    ):
        player: Any = Guestbook()
        Reception(player, unasked=False, met=met).room(rows, 0, me)
        (room,) = player.rooms
        about = {
            place.name: place_lines(place.machine, place.holds, place.inviter, met=place.met) for place in room.places
        }
        assert {name: about[name] for name in told} == told
        (line,) = player.lines
        assert all(text in line for texts in told.values() for text in texts)
        assert line.count(MACHINE) == 1, "once for a machine, not once for each of its seats"


def test_a_home_has_met_whom_it_sat_at_a_table_with_and_not_whom_it_watched(tmp_path: Path) -> None:
    table, watched = recorded.begun(1, ((0,), (1,), (2,))), recorded.finished()
    with Store(tmp_path, "test") as store:
        assert met_before(store) == set()
        store.add_table(watched.genesis.table, Record("theirs", watched.genesis).info(), None)
        assert met_before(store) == set()
        store.add_table(table.genesis.table, Record("mine", table.genesis).info(), table.keys[0])
        assert met_before(store) == {member.certificate.identity for member in table.genesis.members}


def test_full_screen_page_and_line_mode_say_at_the_table_which_machines_hold_several_seats() -> None:
    use("en")
    made = []
    for number, rows in enumerate((ROWS, (Row(3, "Eve"),))):
        certificate: Any = SimpleNamespace(key=bytes([number]) * 32, identity=bytes(32))
        made.append(Member(certificate, rows, bytes(32)))
    told = "Ann's machine holds 3 seats: one vote together."
    table = Solo("eclipse2")
    table.controls.genesis.members = made
    table.front.press("f6")
    drawn = "\n".join(plain(line) for line in table.front.draw(160, 60).lines)
    assert told in drawn
    assert told in str(web_table(view_of(table.session), table.session))
    room = Room()
    room.genesis.members = made
    assert told in " ".join(room.type("table").split())
