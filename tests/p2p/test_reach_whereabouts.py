"""Of each member the newest addresses that it signed itself count, and a ticket of a running table admits nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import SigningKey
from p2p.link.meet import table_meeting
from p2p.reach.lines import TicketError
from p2p.reach.ticket import parse_ticket
from p2p.reach.whereabouts import (
    TableTicket,
    Whereabouts,
    make_table_ticket,
    newer,
    parse_table_ticket,
    sign_whereabouts,
)

ANN, BOB, EVE = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b", b"e"))
TABLE = b"t" * 32
MEMBERS = {ANN.public, BOB.public}
PLACES = ("tcp://8.8.4.2:4000", "tcp://[2a00::1]:4000", "relay://relay.example.org:1", "tcp://host:5")


def whereabouts(who: SigningKey = ANN, number: int = 1, table: bytes = TABLE) -> Whereabouts:
    return sign_whereabouts(who.sign, who.public, table, number, PLACES)


def ticket(*known: Whereabouts) -> TableTicket:
    return make_table_ticket(ANN.sign, ANN.public, TABLE, known, 1_900_000_000)


def test_a_ticket_of_a_running_table_comes_back_whole_and_right() -> None:
    made = ticket(whereabouts(), whereabouts(BOB, 5))
    read = parse_table_ticket(f"> {made}")
    assert read == made
    assert read.right(TABLE)
    assert {each.key: each.places for each in read.whereabouts} == dict.fromkeys(MEMBERS, PLACES)
    assert all(each.right(TABLE) for each in read.whereabouts)


def test_it_holds_nothing_by_which_a_stranger_could_link() -> None:
    made = ticket(whereabouts())
    meeting = table_meeting(TABLE)
    assert all(secret not in repr(made.fields()).encode() for secret in (meeting.secret, meeting.name))
    assert not made.right(b"u" * 32)
    with pytest.raises(TicketError, match="ticket/kind"):
        parse_ticket(str(made))


def test_whoever_alters_it_is_found_out() -> None:
    made = ticket(whereabouts())
    for altered in (
        replace(made, expiry=made.expiry + 1),
        replace(made, maker=BOB.public),
        replace(made, whereabouts=(whereabouts(), whereabouts(BOB))),
        replace(made, signature=EVE.sign(b"x" * 32)),
    ):
        assert not altered.right(TABLE)


@given(st.lists(st.tuples(st.sampled_from([ANN, BOB, EVE]), st.integers(0, 5), st.sampled_from([TABLE, b"u" * 32]))))
def test_in_whatever_order_they_come_the_newest_of_each_member_counts(
    heard: list[tuple[SigningKey, int, bytes]],
) -> None:
    known: dict[bytes, Whereabouts] = {}
    for who, number, table in heard:
        said = whereabouts(who, number, table)
        if newer(known, said, TABLE, MEMBERS):
            known[said.key] = said
    right = [(who, number) for who, number, table in heard if table == TABLE and who.public in MEMBERS]
    newest = {who.public: max(number for each, number in right if each is who) for who, _ in right}
    assert {key: each.number for key, each in known.items()} == newest


def test_a_member_cannot_move_another_one_away() -> None:
    known = {BOB.public: whereabouts(BOB, 1)}
    stolen = sign_whereabouts(ANN.sign, BOB.public, TABLE, 2, ["tcp://8.8.8.8:4000"])
    assert not newer(known, stolen, TABLE, MEMBERS)
    assert not newer(known, replace(whereabouts(BOB, 1), number=9), TABLE, MEMBERS)
