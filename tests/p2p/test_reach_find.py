"""Open tables are read, listed and forgotten; forged ones cost nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from volume import gated

from p2p.reach.announce import LanAnnouncement, Sighting, read_announcement
from p2p.reach.find import LASTS, MAX_TABLES, TableOffer, TablesHeard
from p2p.wire.codec import Value, WireError, decode, encode

OFFER = TableOffer("eclipse2", {"draws": "sealed"}, 3, 2, "rules-1", "starlock 1", "", b"l" * 16, b"s" * 16)
WHERE = "tcp://192.168.1.7:4000"


def sighting(offer: TableOffer) -> Sighting:
    return read_announcement(LanAnnouncement(b"instance", 4_000, (), offer.note()).pack(), "192.168.1.7")


def note(offer: TableOffer) -> Value:
    return decode(encode(offer.note()))


def test_an_offer_comes_back_whole_with_where_it_came_from() -> None:
    found = TablesHeard().heard(sighting(OFFER), 0.0)
    assert found is not None
    assert (found.offer, found.address) == (OFFER, WHERE)


def test_an_offer_names_nobody_who_did_not_agree() -> None:
    assert TableOffer.read(note(OFFER)).name == ""
    assert "s" * 16 not in repr(OFFER)


def test_options_too_long_for_an_announcement_are_left_out() -> None:
    long = replace(OFFER, options={f"option-{number}": "x" * 60 for number in range(24)})
    assert TableOffer.read(note(long)).options == {}
    assert len(LanAnnouncement(b"instance", 4_000, (b"t" * 16,) * 8, long.note()).pack()) <= 1_000


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


@pytest.mark.parametrize("forgeries", gated([10_000, 100_000], 1))
def test_forged_tables_fill_no_memory_and_drive_none_out(forgeries: int) -> None:
    tables = TablesHeard()
    tables.heard(sighting(OFFER), 0.0)
    good = note(OFFER)
    assert isinstance(good, list)
    for number in range(forgeries):
        forged: list[Value] = [*good[:8], number.to_bytes(16, "big"), good[9]]
        tables.heard(Sighting(WHERE, b"instance", (), forged), 1.0)
    assert len(tables.all()) == MAX_TABLES
    assert tables.all()[0].offer == OFFER
    assert tables.ignored > 0.9 * forgeries


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
        TableOffer.read([2, "anything"])


@given(st.recursive(st.none() | st.integers(0, 99) | st.text(max_size=9) | st.binary(max_size=16), st.lists))
def test_arbitrary_notes_are_refused_and_do_no_harm(value: Value) -> None:
    assert TablesHeard().heard(Sighting(WHERE, b"instance", (), value), 0.0) is None
