# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole table of processes on this machine: starts each peer and watches all of them to the end of the game."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

from client.system.context import Context
from client.system.errors import CHECK_FAILED, UserError
from client.system.names import bot_name
from client.system.platform import Children, kill_hard
from client.system.texts import _
from client.table.children import PeerProcess, start_peer, ticket_of
from engine.core.agenda import Table
from engine.core.dataclass import dataclass, field

STALLED: Final = 120.0
"""Seconds without progress after which a table counts as stalled; a slow machine may shuffle for a good part of
them."""
LOOK_EVERY: Final = 0.05


@dataclass(slots=True)
class DemoPlan:
    """What is played.

    Attributes:
        levels: how the bot in each seat plays, as the command line says it.
        content: the file of the table's custom content.
        kills: (seat, earliest height) in order.
    """

    game: str
    table: Table
    levels: tuple[str, ...]
    seed: str | None
    kills: list[tuple[int, int]]
    folder: Path
    content: Path | None = None
    killed: list[dict[str, int]] = field(default_factory=list)


def start(plan: DemoPlan, children: Children, context: Context) -> list[PeerProcess]:
    """One host, and a guest for every other seat."""

    def words(seat: int) -> list[str]:
        folder = plan.folder / f"peer-{seat}"
        name = bot_name(seat)
        test = [] if plan.seed is None else ["--seed", plan.seed]
        return [
            "--as",
            plan.levels[seat],
            "--local",
            "--seat",
            str(seat),
            "--name",
            name,
            *test,
            "--save",
            str(folder / "game.star"),
        ]

    ticket_file = plan.folder / "ticket"
    options = [word for name, value in plan.table.options.items() for word in ("-o", f"{name}={value}")]
    own = [] if plan.content is None else ["--content", str(plan.content.absolute())]
    table = [plan.game, "--players", str(plan.table.seats), *options, *own, "--ticket-file", str(ticket_file)]
    peers = [start_peer(children, 0, plan.folder / "peer-0", "host", *table, *words(0))]
    ticket = ticket_of(peers[0], ticket_file)
    for seat in range(1, plan.table.seats):
        context.progress(seat, plan.table.seats, _("peers"))
        peers.append(start_peer(children, seat, plan.folder / f"peer-{seat}", "join", ticket, *words(seat)))
    return peers


def watch(plan: DemoPlan, peers: list[PeerProcess], context: Context) -> None:
    """Follow the peers until all have ended that are not killed; kill each peer at its height. UserError when the table
    does not go on, even if its peers still write log entries."""
    waiting = list(plan.kills)
    lately = time.monotonic()
    while any(peer.process.poll() is None for peer in peers):
        if any([peer.follow() for peer in peers]):  # noqa: C419  all of them are followed
            lately = time.monotonic()
        elif time.monotonic() - lately > STALLED:
            raise UserError(
                "demo/stalled",
                _("Nothing has happened at the table for {seconds} seconds.").format(seconds=round(STALLED)),
                _("The output of the peers is in {folder}.").format(folder=plan.folder),
                CHECK_FAILED,
            )
        context.progress(min(peer.height for peer in peers), 0, _("steps"))
        settled_down = all(peer.pacts.count("absent") >= len(plan.killed) for peer in peers)
        if waiting and settled_down and all(peer.begun for peer in peers):
            seat, height = waiting[0]
            victim = next(peer for peer in peers if peer.seat == seat)
            if victim.height >= height and victim.process.poll() is None:
                waiting.pop(0)
                kill_hard(victim.process)
                peers.remove(victim)
                plan.killed.append({"seat": seat, "height": victim.height})
                context.log("demo/killed", seat=seat, height=victim.height)
        time.sleep(LOOK_EVERY)
    for peer in peers:
        peer.follow()
