# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock tables`: lists the tables of this home."""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING

from client.system.context import Context
from client.system.errors import DONE
from client.system.names import clipped, member_name
from client.system.texts import N_, _
from client.words.rounds import round_text

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.open_lobby import OpenLobby
    from client.table.posted import Posted
    from client.table.record import Record

STATES = {
    "playing": N_("playing"),
    "over": N_("over; somebody may lack the last entries"),
    "finished": N_("over"),
    "left": N_("left"),
}
LEFT_OVER = N_("over; left")
"""The state of a table that was left and that nobody waits for."""


def add_arguments(parser: ArgumentParser) -> None:
    """Nothing to declare."""


def run(args: Namespace, context: Context) -> int:
    """List the tables of this home, the oldest first; another starlock may be playing one meanwhile."""
    from client.table.open_lobby import open_lobbies
    from client.table.posted import posted_lobbies
    from client.table.tables import looked_at

    path = context.folders.data / "starlock.db"
    rows = looked_at(context.folders.data)
    lobbies = [posted for posted in posted_lobbies(context.folders.data) if not posted.begun]
    names = {record.genesis.table: record.name for record in rows}
    opened = open_lobbies(context.folders.data, [each.genesis.members[0].certificate.lobby for each in rows])
    lines = [*(_shown(record, names) for record in rows), *map(_lobby_shown, lobbies), *map(_open_shown, opened)] or [
        _("There are no tables here yet.")
    ]
    context.answer(
        "\n".join(lines),
        tables=[
            {
                "id": record.genesis.table.hex(),
                "name": record.name,
                "game": record.genesis.game,
                "round": record.round,
                "to_move": list(record.to_move),
                "path": str(path),
                "state": record.state,
                "players": [member_name(member.rows) for member in record.genesis.members],
                "seats": record.genesis.seats,
                "origin": None if (origin := record.genesis.origin) is None else [origin.table.hex(), origin.height],
            }
            for record in rows
        ],
        lobbies=[
            *({"name": posted.name, "game": posted.lobby.terms.game} for posted in lobbies),
            *({"name": each.name, "game": each.game} for each in opened),
        ],
    )
    return DONE


def _shown(record: Record, known: Mapping[bytes, str]) -> str:
    """The line of a table. known: the names of the tables of this home."""
    names = ", ".join(member_name(member.rows) for member in record.genesis.members)
    state = _(LEFT_OVER if record.state == "left" and record.over_for_all else STATES[record.state])
    where = round_text(record.genesis.game, record.round)
    waiting = ", ".join(clipped(name) for name in record.to_move)
    tail = "  " + _("waiting for {names}").format(names=waiting) if waiting and record.state == "playing" else ""
    origin = record.genesis.origin
    if origin is not None:
        table = known.get(origin.table, origin.table.hex()[:8])
        tail += "  " + _("goes on from {table} at step {height}, alone").format(table=table, height=origin.height)
    return "  ".join(filter(None, (f"{record.name:<16} {state}", where, f"{names}{tail}")))


def _open_shown(opened: OpenLobby) -> str:
    until = time.strftime("%Y-%m-%d %H:%M", time.localtime(opened.expiry))
    good, past = (
        _("lobby, waiting for friends; its ticket is good until {moment}"),
        _("lobby; its ticket expired on {moment}"),
    )
    return f"{opened.name:<16} {(past if opened.expired else good).format(moment=until)}"


def _lobby_shown(posted: Posted) -> str:
    return f"{posted.name:<16} {_('by post, waiting for letters')}"
