"""`starlock leave`: put a table away."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING

from client.context import Context
from client.errors import DONE
from client.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.home import Seat


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table."""
    parser.add_argument("table", metavar=_("TABLE"), help=_("its name, or the beginning of its id"))


def run(args: Namespace, context: Context) -> int:
    """Play there no more: `resume` no longer takes it by itself, and nothing of it is lost."""
    from client.table.home import open_store
    from client.table.tables import chosen

    with open_store(context) as store:
        seat = chosen(store, args.table)
        record = replace(seat.record, state="left")
        store.note(record.genesis.table, record.info())
    context.answer(
        _told(seat).format(name=record.name),
        table=record.genesis.table.hex(),
        name=record.name,
        state=record.state,
    )
    return DONE


def _told(seat: Seat) -> str:
    """What it means to leave this table, and the way back.  {name} is the table's."""
    if seat.record.over_for_all:
        return _("You left {name}, which is over. `starlock resume {name}` shows how it ended.")
    if seat.record.result:
        return _("You left {name}, which is over. Somebody may lack the last entries: `starlock resume {name}`.")
    if seat.keys is None:
        return _("You no longer follow {name}. `starlock resume {name}` goes on with it.")
    if len(seat.record.genesis.members) == 2:
        return _("You left {name}. The other cannot go on alone; `starlock resume {name}` brings you back.")
    return _("You left {name}. The others can go on without you; `starlock resume {name}` brings you back.")
