# SPDX-License-Identifier: GPL-3.0-or-later
"""Stores standing orders in the player's home: a file for each table, next to the store and not in the log."""

from __future__ import annotations

from pathlib import Path

from client.session.news import Announced, OrdersFailed
from client.session.session import Session
from client.system.texts import N_, _
from p2p.identity.private import write_private


class Kept:
    """The file of one table's orders, written again when they change."""

    def __init__(self, folder: Path, table: str, session: Session) -> None:
        """Keep the standing orders of a session in a file.

        folder: the data folder of this home.
        table: the id of the table.
        """
        self._path, self._session = folder / "orders" / f"{table}.json", session

    def restore(self) -> None:
        """Give the session the stored orders, and store every change from now on."""
        orders = self._session.asking.orders
        try:
            orders.read(self._path.read_text("utf-8"))
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            text = N_("Your standing orders cannot be read, and stand no more: {reason}.")
            self._failed(text, error)
        orders.keep = self._keep

    def _keep(self, text: str) -> None:
        try:
            if text:
                write_private(self._path, text.encode())
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            text = N_("Your standing orders cannot be kept and end with this run: {reason}.")
            self._failed(text, error.strerror or error)

    def _failed(self, text: str, reason: object) -> None:
        """Announce that something went wrong. text: not yet translated."""
        self._session.announce(Announced(OrdersFailed(), lambda: _(text).format(reason=reason)))
