"""A home finds the table that a pasted text is about: by an answer in it, else by the ticket above it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import recorded

from client.commands.resume import carried
from client.system.errors import UserError
from client.table.record import Record
from client.table.tables import called_by
from p2p.identity.keys import SigningKey
from p2p.log.store import Store
from p2p.reach.answer import LASTS, GuestAnswer, write_answer
from p2p.reach.ticket import new_ticket
from p2p.reach.whereabouts import make_table_ticket, sign_whereabouts
from seeds.hashing import H

SEED = 6
ME = SigningKey.from_seed(H("test identity", SEED, 0))
FRIEND, GUEST = (SigningKey.from_seed(letter * 32) for letter in (b"f", b"g"))
OTHER = b"another lobby 16"


def soon() -> int:
    """When what is written now expires."""
    return int(time.time()) + LASTS


@pytest.fixture(scope="module")
def table() -> recorded.GameTable:
    return recorded.begun(SEED)


@pytest.fixture
def store(tmp_path: Path, table: recorded.GameTable) -> Iterator[Store]:
    with Store(tmp_path, "test") as made:
        made.add_table(table.genesis.table, Record("mine", table.genesis, local=True).info(), table.keys[0])
        yield made


def answer(lobby: bytes, to: SigningKey = ME) -> str:
    said = GuestAnswer(lobby, GUEST.public, b"instance", ("tcp://8.8.4.2:4000",), soon())
    return write_answer(said, GUEST, to.public)


def invitation(inviter: SigningKey) -> str:
    return str(new_ticket(OTHER, inviter.public, ["tcp://8.8.4.7:1"], soon()))


def running(table: recorded.GameTable) -> str:
    """A ticket of the running table, made by its second member."""
    key, id = table.keys[1].key, table.genesis.table
    there = sign_whereabouts(key.sign, key.public, id, 1, ["tcp://8.8.4.7:1"])
    return str(make_table_ticket(key.sign, key.public, id, [there], soon()))


def refusal(store: Store, text: str) -> str:
    with pytest.raises(UserError) as refused:
        called_by(store, text, ME)
    return refused.value.code


def test_an_answer_to_this_table_counts_whatever_stands_above_it(store: Store, table: recorded.GameTable) -> None:
    line = answer(table.genesis.table)
    for text in (line, f"{invitation(ME)}\n{line}", f"{invitation(FRIEND)}\n> {line}", f"{running(table)}\n> {line}"):
        seat = called_by(store, text, ME)
        assert (seat.record.name, seat.answer) == ("mine", text)


def test_an_answer_to_another_table_is_refused_alone_and_below_an_own_invitation(store: Store) -> None:
    line = answer(OTHER)
    assert [refusal(store, text) for text in (line, f"> {invitation(ME)}\n{line}")] == ["answer/other"] * 2


def test_a_ticket_above_a_quoted_answer_to_another_table_counts(store: Store, table: recorded.GameTable) -> None:
    seat = called_by(store, f"{running(table)}\n> {answer(OTHER)}", ME)
    assert seat.back is not None
    assert (seat.record.name, seat.answer) == ("mine", "")
    assert refusal(store, f"{invitation(FRIEND)}\n> {answer(OTHER)}") == "table/no-seat-here"


def test_a_file_that_holds_a_line_is_read_as_the_line_and_any_other_word_is_a_name(tmp_path: Path) -> None:
    line, mail, other = answer(OTHER), tmp_path / "mail.txt", tmp_path / "mine"
    mail.write_text(f"Bob wrote:\n> {line}\n", "utf-8")
    other.write_text("no line at all", "utf-8")
    assert carried(str(mail)) == mail.read_text("utf-8")
    assert carried(line) == line
    assert [carried(word) for word in (str(other), "mine", None)] == [""] * 3
