"""Open tables are read, listed and forgotten; forged ones cost nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from volume import gated

from p2p.reach.announce import LanAnnouncement, Sighting, read_announcement
from p2p.reach.find import LASTS, MAX_OF_HOST, MAX_TABLES, TableOffer, TablesHeard
from p2p.reach.ticket import Ticket
from p2p.wire.codec import Value, WireError, decode, encode

OFFER = TableOffer("eclipse2", {"draws": "sealed"}, 3, 2, "rules-1", "starlock 1", "", b"l" * 16, b"s" * 16)
WHERE = "tcp://192.168.1.7:4000"


def sighting(offer: TableOffer, host: str = "192.168.1.7", instance: bytes = b"instance") -> Sighting:
    return read_announcement(LanAnnouncement(instance, 4_000, (), offer.note()).pack(), host)


def answered(offer: TableOffer, host: str = "192.168.1.7") -> Sighting:
    """The announcement of a machine that was asked."""
    return replace(sighting(offer, host), genuine=True)


def note(offer: TableOffer) -> Value:
    return decode(encode(offer.note()))


def test_an_offer_comes_back_whole_with_where_it_came_from() -> None:
    found = TablesHeard().heard(sighting(OFFER), 0.0)
    assert found is not None
    assert (found.offer, found.addresses) == (OFFER, (WHERE,))


def test_an_offer_names_nobody_who_did_not_agree() -> None:
    assert TableOffer.read(note(OFFER)).name == ""
    assert "s" * 16 not in repr(OFFER)


def test_options_too_long_for_an_announcement_are_left_out() -> None:
    long = replace(OFFER, options={f"option-{number}": "x" * 60 for number in range(24)})
    assert TableOffer.read(note(long)).options == {}
    assert len(LanAnnouncement(b"instance", 4_000, (b"t" * 16,) * 8, long.note()).pack()) <= 1_000


def test_the_meeting_of_those_who_heard_a_table_is_not_that_of_its_ticket() -> None:
    heard = OFFER.meeting()
    with_secret = Ticket(OFFER.lobby, b"i" * 32, OFFER.secret, (), (), 0)
    assert heard.name != with_secret.meeting().name
    assert replace(with_secret, announced=True).meeting() == heard
    assert replace(with_secret, announced=True).meeting().passive, "guests dial the host, and not each other"


def test_a_table_is_told_once_again_when_it_changes_and_when_it_is_gone() -> None:
    tables = TablesHeard()
    assert tables.heard(sighting(OFFER), 0.0) is not None
    assert tables.heard(sighting(OFFER), 3.0) is None
    fuller = replace(OFFER, free=1)
    changed = tables.heard(sighting(fuller), 6.0)
    assert changed is not None
    assert changed.offer == fuller
    assert tables.forget(6.0 + LASTS) == []
    assert tables.forget(6.1 + LASTS) == [changed]
    assert tables.all() == []


def test_who_only_looks_offers_nothing() -> None:
    tables = TablesHeard()
    assert (
        tables.heard(read_announcement(LanAnnouncement(b"instance", 0, (), OFFER.note()).pack(), "192.168.1.7"), 0.0)
        is None
    )


@pytest.mark.parametrize("forgeries", gated([2_000, 100_000], 1))
def test_forged_tables_fill_no_memory_and_drive_none_out(forgeries: int) -> None:
    tables = TablesHeard()
    tables.heard(sighting(OFFER), 0.0)
    good = note(OFFER)
    assert isinstance(good, list)
    for number in range(forgeries):
        forged: list[Value] = [*good[:8], number.to_bytes(16, "big"), good[9]]
        tables.heard(Sighting(WHERE, b"instance", (), forged, "192.168.1.7"), 1.0)
    assert len(tables.all()) == MAX_OF_HOST, "one address shows few tables"
    assert tables.ignored > 0.9 * forgeries
    tables = TablesHeard()
    tables.heard(answered(OFFER), 0.0)
    for number in range(forgeries):
        host = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        lobby = OFFER.lobby if number % 2 else number.to_bytes(16, "big")
        tables.heard(sighting(replace(OFFER, lobby=lobby, free=3), host, number.to_bytes(8, "big")), 1.0)
    assert len(tables.all()) == MAX_TABLES
    assert tables.all()[0].offer == OFFER


def test_a_table_whose_machine_has_answered_is_neither_displaced_nor_changed_by_what_is_said_in_its_name() -> None:
    tables = TablesHeard()
    tables.heard(sighting(OFFER, "10.0.0.66"), 0.0)  # the forger was first
    tables.heard(answered(OFFER), 1.0)
    (true,) = tables.all()
    assert (true.addresses, true.host) == ((WHERE,), "192.168.1.7")
    for second in range(20):
        assert tables.heard(sighting(replace(OFFER, free=0, name="Eve"), "10.0.0.66"), second) is None
    assert [(found.offer, found.addresses) for found in tables.all()] == [(OFFER, (WHERE,))]
    assert tables.forget(21.0) == [true], "and no forger keeps alive what its host announces no more"


@pytest.mark.parametrize("first", ["the host", "the liar"])
def test_a_machine_that_answers_for_another_ones_table_hides_it_from_nobody(first: str) -> None:
    """It has heard the announcement, and says of the same table that no seat is free, or that it is another game."""
    tables, lie = TablesHeard(), replace(OFFER, free=0)
    says = [answered(OFFER), answered(lie, "192.168.1.66")]
    for second in range(20):
        for each in says if first == "the host" else reversed(says):
            tables.heard(each, second)
        (true,) = (found for found in tables.all() if found.offer == OFFER)
        assert true.addresses == (WHERE,)
    assert [found.offer.free for found in tables.all()] == ([2, 0] if first == "the host" else [0, 2])
    tables.forget(31.0)
    assert tables.all() == []


def test_a_table_of_a_host_with_two_addresses_is_told_once_whichever_of_them_is_heard_first() -> None:
    tables, fuller = TablesHeard(), replace(OFFER, free=1)
    told = [tables.heard(answered(OFFER, host), 0.0) for host in ("192.168.1.7", "10.0.0.7")]
    told += [tables.heard(answered(fuller, host), 9.0) for host in ("10.0.0.7", "192.168.1.7", "10.0.0.7")]
    assert [each is not None for each in told] == [True, False, True, False, False]
    assert tables.forget(12.0) == []
    (found,) = tables.all()
    assert (found.offer, found.addresses) == (fuller, (WHERE, "tcp://10.0.0.7:4000"))


def test_the_machine_that_answers_for_a_table_is_reached_at_none_of_the_addresses_claimed_before() -> None:
    tables = TablesHeard()
    tables.heard(replace(sighting(OFFER, "192.168.1.66"), calling="tcp://192.168.1.66:6666"), 0.0)
    tables.heard(replace(answered(OFFER), calling="tcp://192.168.1.7:5000"), 1.0)
    (found,) = tables.all()
    assert (found.host, found.addresses, found.calling) == ("192.168.1.7", (WHERE,), ("tcp://192.168.1.7:5000",))


def test_a_table_that_its_machine_answers_for_takes_the_place_of_one_that_nobody_answers_for() -> None:
    tables = TablesHeard()
    for number in range(3 * MAX_TABLES):
        tables.heard(sighting(replace(OFFER, lobby=number.to_bytes(16, "big")), f"10.0.0.{number}"), 0.0)
    tables.heard(answered(OFFER), 1.0)
    assert len(tables.all()) == MAX_TABLES
    assert tables.all()[0].offer == OFFER


def test_a_short_name_is_two_words_that_all_machines_find_alike() -> None:
    assert OFFER.word == replace(OFFER, free=0, name="Ann", secret=b"x" * 16).word
    assert len(OFFER.word.split("-")) == 2
    assert OFFER.word != replace(OFFER, lobby=b"m" * 16).word


@pytest.mark.parametrize(
    ("at", "value"),
    [(1, 7), (2, []), (2, {"a": 1}), (3, 65), (4, 4), (4, -1), (7, "x" * 65), (8, b"short"), (9, b""), (1, "g" * 65)],
)
def test_a_malformed_offer_is_refused(at: int, value: Value) -> None:
    good = note(OFFER)
    assert isinstance(good, list)
    with pytest.raises(WireError, match="offer/form"):
        TableOffer.read([*good[:at], value, *good[at + 1 :]])


def test_an_offer_of_another_version_is_called_so() -> None:
    with pytest.raises(WireError, match="offer/version"):
        TableOffer.read([1, "anything"])


@given(st.recursive(st.none() | st.integers(0, 99) | st.text(max_size=9) | st.binary(max_size=16), st.lists))
def test_arbitrary_notes_are_refused_and_do_no_harm(value: Value) -> None:
    assert TablesHeard().heard(Sighting(WHERE, b"instance", (), value), 0.0) is None
