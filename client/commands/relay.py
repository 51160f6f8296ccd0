# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock relay`: relays messages between friends who cannot reach each other directly."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from client.commands.ways import check_port
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.platform import allow_files, is_interrupt
from client.system.texts import _

if TYPE_CHECKING:
    from p2p.reach.relay import Limits, Relay

STATUS_EVERY: Final = 10.0
ROOMS, EACH, RATE, TOTAL = 500, 16, 64, 8_000
"""Defaults of the limits."""
ROOMS_OF_A_HOUSEHOLD: Final = 4
"""How many rooms at their full rate one address may fill with bytes."""
OTHER_FILES: Final = 100
"""Files that are kept for what is no room."""
MOST: Final = 100_000


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the port and the limits."""
    parser.add_argument("--port", metavar="P", type=int, help=_("listen on port P (default: 40918)"))
    rooms = _("rooms at the same time (default: {rooms})").format(rooms=ROOMS)
    parser.add_argument("--limit", metavar="N", type=int, default=ROOMS, help=rooms)
    each = _("rooms of one address at the same time (default: {rooms})").format(rooms=EACH)
    parser.add_argument("--each", metavar="N", type=int, default=EACH, help=each)
    rate = _("kilobytes a second for each room, and {times} times as many for each address (default: {rate})")
    rate = rate.format(times=ROOMS_OF_A_HOUSEHOLD, rate=RATE)
    parser.add_argument("--rate", metavar=_("KB"), type=int, default=RATE, help=rate)
    total = _("kilobytes a second for all rooms together (default: {rate})").format(rate=TOTAL)
    parser.add_argument("--total", metavar=_("KB"), type=int, default=TOTAL, help=total)


def run(args: Namespace, context: Context) -> int:
    """Relay until it is interrupted, which is its normal end."""
    import trio

    from p2p.reach.relay import PORT, Limits

    port = PORT if args.port is None else args.port
    check_port(port)
    given = {"--limit": args.limit, "--each": args.each, "--rate": args.rate, "--total": args.total}
    for option, value in given.items():
        if not 1 <= value <= MOST:
            raise UserError(
                "cli/usage",
                _("{option} takes a number from 1 to {most}.").format(option=option, most=MOST),
                _("See: {command} --help").format(command="starlock relay"),
            )
    rooms, rate = rooms_with_files(args.limit, context), 1_000 * args.rate
    limits = Limits(rooms, args.each, rate, ROOMS_OF_A_HOUSEHOLD * rate, 1_000 * args.total)
    try:
        trio.run(_relay, context, port, limits)
    except BaseException as error:
        if not is_interrupt(error):
            raise
    return DONE


def rooms_with_files(rooms: int, context: Context) -> int:
    """Return how many rooms, of two connections each, the files suffice for that this process may open. Say so if they
    are fewer, since rooms that take the last files would keep everybody out."""
    files = allow_files(2 * rooms + OTHER_FILES)
    enough = max(1, (files - OTHER_FILES) // 2)
    if enough < rooms:
        text = _("This process may open {files} files, which suffice for {rooms} rooms. See: ulimit -n")
        context.note(text.format(files=files, rooms=enough))
    return min(rooms, enough)


async def _relay(context: Context, port: int, limits: Limits) -> None:
    from client.table.peer import PROGRAM
    from client.table.words import link_trouble
    from p2p.identity.keys import SigningKey
    from p2p.link.contract import LinkRefusedError
    from p2p.link.meet import Local
    from p2p.link.tcp import open_listener
    from p2p.reach.relay import Relay

    local = Local(SigningKey.generate(), PROGRAM)
    try:
        async with open_listener(local, (), port=port) as listener, open_listener(local, ()) as other:
            relay = Relay(limits, other.port)
            listener.relay = other.relay = relay.serve
            text = _(
                "This relay listens on port {port}, and on {other} to compare. Whoever invites names it: --relay "
                "HOST:{port}"
            )
            context.note(text.format(port=listener.port, other=other.port))
            await _tell(context, relay, listener.port)
    except* LinkRefusedError as group:
        refused = next(each for each in group.exceptions if isinstance(each, LinkRefusedError))
        raise link_trouble(refused) from refused


async def _tell(context: Context, relay: Relay, port: int) -> None:
    """Report regularly: for programs a line of JSON each time, for people a line after a change."""
    import trio

    told = ""
    while True:
        if context.as_json:
            facts = {"port": port, "other_port": relay.other_port, "waiting": relay.waiting, "rooms": relay.joined}
            context.print_result({"ok": True, **facts, "bytes": relay.bytes, "counts": dict(relay.counts)})
        text = _("Waiting: {waiting}; rooms in use: {rooms}; passed on: {kilobytes} kB.").format(
            waiting=relay.waiting, rooms=relay.joined, kilobytes=relay.bytes // 1_000
        )
        if text != told and not context.as_json:
            told = text
            context.note(text)
        await trio.sleep(STATUS_EVERY)
