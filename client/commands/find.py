# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock find`: the open tables on this LAN."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from client.system.context import Context
from client.system.errors import DONE
from client.system.platform import is_interrupt
from client.system.texts import _

if TYPE_CHECKING:
    from p2p.reach.find import Found

LOOK_EVERY: Final = 1.0


def add_arguments(parser: ArgumentParser) -> None:
    """Nothing to declare."""


def run(args: Namespace, context: Context) -> int:
    """List tables as they appear, change and disappear, until it is interrupted, which is its normal end. For programs,
    list those of the first seconds once."""
    import trio

    if context.as_json:
        return _answer(context)
    try:
        trio.run(_find, context)
    except BaseException as error:
        if not is_interrupt(error):
            raise
    return DONE


async def _find(context: Context) -> None:
    import trio

    from client.table.lan import listening
    from p2p.reach.find import TablesHeard

    tables = TablesHeard()
    context.note(_("Looking for tables on this network (Ctrl-C ends it) …"))
    async with listening() as announcer:
        while True:
            with trio.move_on_after(LOOK_EVERY):
                async for sighting in announcer.sightings:
                    found = tables.heard(sighting, trio.current_time())
                    if found is not None:
                        _tell(context, found, gone=False)
            for found in tables.forget(trio.current_time()):
                _tell(context, found, gone=True)


def _answer(context: Context) -> int:
    import trio

    from client.table.lan import tables_here
    from client.table.offers import fits, table_text

    found = [each.offer for each in trio.run(tables_here)]
    tables = [asdict(offer) | {"lobby": offer.lobby.hex(), "word": offer.word, "fits": fits(offer)} for offer in found]
    for facts in tables:
        del facts["secret"]
    context.answer("\n".join(map(table_text, found)), tables=tables)
    return DONE


def _tell(context: Context, found: Found, *, gone: bool) -> None:
    """Print one line for a table."""
    from client.table.offers import table_text

    context.say(_("Gone: {table}").format(table=table_text(found.offer)) if gone else table_text(found.offer))
