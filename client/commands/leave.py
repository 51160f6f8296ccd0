"""`starlock leave`: put a table away."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from client.context import Context
from client.errors import DONE
from client.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table."""
    parser.add_argument("table", metavar="TABLE", help=_("its name, or the beginning of its id"))


def run(args: Namespace, context: Context) -> int:
    """Play there no more: `resume` no longer takes it by itself, and nothing of it is lost."""
    from client.table.home import open_store
    from client.table.tables import chosen

    with open_store(context) as store:
        record = chosen(store, args.table).record
        if record.state in ("playing", "over"):
            record = replace(record, state="left")
            store.note(record.genesis.table, record.info())
    context.answer(
        _("You left {name}. The others can go on without you; `starlock resume {name}` brings you back.").format(
            name=record.name
        ),
        table=record.genesis.table.hex(),
        name=record.name,
        state=record.state,
    )
    return DONE
