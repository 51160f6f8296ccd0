# SPDX-License-Identifier: GPL-3.0-or-later
"""The store of this home, opened for a command, and a seat at one of its tables; nothing here needs the network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from client import __version__
from client.system.context import Context
from client.table.record import Record
from client.table.words import store_trouble
from engine.core.dataclass import dataclass
from p2p.identity.tablekey import TableKeys
from p2p.log.store import Store, StoreError
from p2p.reach.whereabouts import TableTicket


@dataclass(frozen=True, slots=True)
class Seat:
    """A table that begins or goes on here.

    Attributes:
        keys: None for a spectator.
        new: True if the keys were made in this run.
        back: the ticket by which this home comes back to a running table.
        answer: a text with an answer to one of its tickets, "" for none.
    """

    record: Record
    keys: TableKeys | None
    new: bool = False
    back: TableTicket | None = None
    answer: str = ""


@contextmanager
def open_store(context: Context) -> Iterator[Store]:
    """The store of this home. UserError when another process works there, or it cannot be used."""
    try:
        store = Store(context.folders.data, __version__)
    except StoreError as error:
        raise store_trouble(error) from error
    try:
        with store:
            yield store
    except StoreError as error:
        raise store_trouble(error) from error
