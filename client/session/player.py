# SPDX-License-Identifier: GPL-3.0-or-later
"""Connects a session to a table: questions, events and notices go to the session, answers go to the table. Standing
orders are kept in a file for each table, next to the store and not in the log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

import trio

from client.session.news import Announced
from client.session.session import Session
from client.show.styled import UNICODE, Glyphs
from client.system.errors import INTERRUPTED, UserError
from client.system.system_troubles import reason
from client.system.texts import N_, _
from client.table.player import Asked, TableControls
from engine.core.values import Value
from p2p.identity.private import write_private

T = TypeVar("T")


def keep_orders(session: Session, path: Path) -> None:
    """Give a session the standing orders that a file has, and store every change from now on."""
    orders = session.asking.orders

    def failed(text: str, error: Exception) -> None:
        """Announce that something went wrong. text: not yet translated."""
        session.announce(Announced(None, lambda: _(text).format(reason=reason(error))))

    def keep(text: str) -> None:
        try:
            if text:
                write_private(path, text.encode())
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            failed(N_("Your standing orders cannot be kept and end with this run: {reason}."), error)

    try:
        orders.read(path.read_text("utf-8"))
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        failed(N_("Your standing orders cannot be read, and stand no more: {reason}."), error)
    orders.keep = keep


class SessionPlayer:
    """A person at any number of screens; see `client.table.player.Player`.

    Attributes:
        session: what the person sees and does; screens are attached to it.
        seated: cancelled when the person leaves before the table begins.
    """

    def __init__(self, glyphs: Glyphs = UNICODE, folder: Path | None = None) -> None:
        """folder: the folder where standing orders are stored for a restart; None to store none."""
        self._folder = folder
        self.session = session = Session(self._answer, self._leave, glyphs)
        self.show, self.gather, self.tell, self.notice = session.show, session.gather, session.happened, session.notice
        self.seated = trio.CancelScope()
        self._answers: dict[int, tuple[trio.Event, list[Value]]] = {}

    async def confirm(self, question: Callable[[], str]) -> bool:
        done, values = trio.Event(), list[bool]()

        def answered(yes: bool) -> None:
            values.append(yes)
            done.set()

        self.session.confirm(question, answered)
        try:
            await done.wait()
        finally:
            self.session.confirmed(answered)
        return values[0]

    def sit(self, controls: TableControls) -> None:
        if self._folder is not None:
            keep_orders(self.session, self._folder / "orders" / f"{controls.genesis.table.hex()}.json")
        self.session.sit(controls)

    async def choose(self, asked: Asked) -> Sequence[Value]:
        done, values = self._answers[id(asked)] = trio.Event(), list[Value]()
        self.session.asking.asked(asked)
        try:
            await done.wait()
        finally:
            del self._answers[id(asked)]
            self.session.asking.withdrawn(asked)
        return values

    def _answer(self, asked: Asked, values: Sequence[Value]) -> None:
        done, given = self._answers[id(asked)]
        given += values
        done.set()

    def _leave(self) -> None:
        if self.session.table.controls is None:
            self.seated.cancel()
        else:
            self.session.table.controls.leave()


async def outcome(main: Callable[[SessionPlayer], Awaitable[T]], player: SessionPlayer) -> Callable[[], T]:
    """Run `main` and return a function that returns or raises its outcome. Called outside the nursery, it raises the
    error itself and not an exception group."""
    results: list[T] = []
    try:
        with player.seated:
            results.append(await main(player))
    except Exception as error:  # noqa: BLE001  # raised again when the outcome is called
        return partial(_fail, error)
    if not results:
        return partial(_fail, UserError("cli/interrupted", _("Interrupted."), "", INTERRUPTED))
    return results.pop


def _fail(error: Exception) -> NoReturn:
    raise error
