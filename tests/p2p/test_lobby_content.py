"""A table's own content is offered with its terms, and its bytes are those that the terms name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lobbyhouse import TERMS, House, house, sitter

from p2p.lobby.effects import Close, Dealt, Offered, TurnedAway
from p2p.lobby.guest import Guest
from p2p.lobby.messages import Seated, Terms, read_content
from p2p.lockstep.genesis import MAX_SEATS, Row
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.content import MAX_CONTENT, content_name
from p2p.wire.frames import MAX_MESSAGE
from p2p.wire.messages import Lobby, pack

CONTENT = b'[{"prices":[1,2,3]}]'
OWN = replace(TERMS, content=content_name(CONTENT))


def own_house(content: bytes = CONTENT, terms: Terms = OWN) -> House:
    table = house(terms)
    table.invite.content = content
    return table


def test_a_guest_sees_the_tables_own_content_before_it_sits() -> None:
    table = own_house()
    table.come(sitter("Bob"), sits=False)
    assert table.got("Bob", Offered) == [Offered(OWN, CONTENT)]
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    dealt = [table.got(who, Dealt)[0] for who in ("inviter", "Bob", "Cid")]
    assert all(isinstance(each, Dealt) and each.genesis.content == OWN.content for each in dealt)


def test_a_watcher_and_a_member_who_comes_back_get_it_too() -> None:
    table = own_house()
    table.come(sitter("Bob"))
    table.come(sitter("Cid"))
    table.ready("Bob", "Cid")
    table.come(sitter("Eve"), sits=False, watch=True)
    assert table.got("Eve", Offered) == [Offered(OWN, CONTENT)]
    assert table.got("Eve", Dealt)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (CONTENT + b" ", "lobby/other-content"),
        (b'[{"prices":[9,9,9]}]', "lobby/other-content"),
        (bytes(MAX_CONTENT + 1), "lobby/content"),
    ],
)
def test_a_lying_host_whose_bytes_do_not_match_the_id_is_left(content: bytes, code: str) -> None:
    table = own_house(content)
    table.come(sitter("Bob"), sits=False)
    assert not table.got("Bob", Offered)
    assert table.got("Bob", TurnedAway) == [TurnedAway(code, table.got("Bob", TurnedAway)[0].detail)]  # type: ignore[union-attr]
    assert table.got("Bob", Close)


def test_content_of_any_length_up_to_the_greatest_is_read() -> None:
    for content in (b"1", bytes(MAX_CONTENT)):
        assert read_content([content], replace(OWN, content=content_name(content))) == content


@pytest.mark.parametrize("own", [[""], [b""], [None], [CONTENT, CONTENT], [[CONTENT]]])
def test_content_of_another_form_ends_the_lobby(own: list[Value]) -> None:
    guest = Guest(sitter("Ann").identity, lambda: bytes(32))
    guest.opened("link")
    guest.heard("link", "offer", [decode(encode(OWN.fields())), 0, [], *own])
    (away, _close) = guest.effects()
    assert isinstance(away, TurnedAway)
    assert away.code == "lobby/content"


def test_the_greatest_offer_fits_into_one_message() -> None:
    name = "n" * 96
    files = {f"{number:0100}": bytes(16) for number in range(64)}
    options = {f"{number:032}": "v" * 32 for number in range(16)}
    terms = replace(OWN, files=files, options=options)
    rows = [Row(seat, name, "l" * 32) for seat in range(MAX_SEATS)]
    room = [Seated(bytes(32), tuple(rows[seat::9]), True).fields() for seat in range(9)]
    offer: Plain = [terms.fields(), MAX_SEATS, room, bytes(MAX_CONTENT)]
    assert len(pack(Lobby("offer", decode(encode(offer))))) <= MAX_MESSAGE
