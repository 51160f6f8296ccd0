# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock relay`: relays messages between friends who cannot reach each other directly."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from client.commands.ways import MAX_PORT, check_port, endpoint
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.platform import allow_files, is_interrupt
from client.system.system_troubles import parts, reason
from client.system.texts import _

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from p2p.reach.relay import Limits, Relay

STATUS_EVERY: Final = 10.0
"""Seconds between two reports to a program."""
RARELY: Final = 86_400.0
"""Seconds between two reports to people, in the end: each report may come twice as late as the one before."""
TURNED_AWAY: Final = ("relay/full", "relay/too-many", "relay/no-pass", "relay/pass-expired", "relay/malformed")
"""The refusals of which people are told: what helps against these is up to the operator."""
ROOMS, EACH, RATE, TOTAL = 1_000, 16, 64, 8_000
"""Defaults of the limits."""
ROOMS_OF_A_HOUSEHOLD: Final = 4
"""How many rooms at their full rate one address may fill with bytes."""
OTHER_FILES: Final = 100
"""Files that are kept for what is no room."""
MOST: Final = 100_000


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the port and the limits."""
    parser.add_argument(
        "--port", metavar="P", type=int, help=_("listen on port P (default: 40918), and on the next one")
    )
    club = _("serve only tables of this club, whose access key --addresses shows; may be repeated")
    parser.add_argument("--club", metavar=_("NAME"), dest="clubs", action="append", default=[], help=club)
    text = _("show the relay's address at this host for each club, and end")
    parser.add_argument("--addresses", metavar=_("HOST[:PORT]"), type=endpoint, help=text)
    text = _("serve figures for Prometheus at http://127.0.0.1:P/metrics")
    parser.add_argument("--metrics", metavar="P", type=int, help=text)
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
    if port + 1 > MAX_PORT or args.metrics in (port, port + 1):
        raise UserError("cli/port", _("A relay needs a port and the next one for itself."), _("Choose another --port."))
    check_port(args.metrics or 0)
    private = relay_key(context, made=args.addresses is None)
    if args.addresses is not None:
        return show_addresses(context, private, args.clubs, *args.addresses(port or PORT))
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
        trio.run(_relay, context, port, limits, private, args.clubs, args.metrics)
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


def relay_key(context: Context, *, made: bool) -> X25519PrivateKey:
    """The relay's key. made: whether this makes it where there is none, as at the first start; who asks for addresses
    may be somebody else, whose file the relay could not read. UserError if there is none or it cannot be used."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from p2p.identity.private import write_first
    from p2p.link.noise import KEY

    path = context.folders.config / "relay.key"
    try:
        if made and not path.exists():
            with suppress(FileExistsError):  # another relay of this home has just made it
                write_first(path, X25519PrivateKey.generate().private_bytes_raw())
        data = path.read_bytes()
        if len(data) != KEY:
            raise ValueError(_("it has {size} bytes").format(size=len(data)))
        return X25519PrivateKey.from_private_bytes(data)
    except FileNotFoundError as error:
        raise UserError(
            "relay/no-key",
            _("There is no key of a relay at {path}.").format(path=path),
            _("A relay makes it at its first start: start it, then ask again. STARLOCK_HOME says where it is kept."),
        ) from error
    except (OSError, ValueError) as error:
        raise UserError(
            "relay/key",
            _("The relay's key {path} cannot be used: {reason}.").format(path=path, reason=reason(error)),
            _("Restore the file, for the user that the relay runs as. With another key all its addresses change."),
        ) from error


def show_addresses(context: Context, private: X25519PrivateKey, clubs: Sequence[str], host: str, port: int) -> int:
    """Show what each club gets, or everybody."""
    from p2p.reach.admission import access_key
    from p2p.wire.address import at_relay

    key = private.public_key().public_bytes_raw()
    found = {club: at_relay(host, port, key, access_key(private.private_bytes_raw(), club)) for club in clubs}
    found = found or {"": at_relay(host, port, key)}
    told = [f"{club}: {address}" if club else address for club, address in found.items()]
    if clubs:
        text = _("Whoever opens tables keeps the line of their club, in relays.txt or behind --relay.")
        told.append(text + " " + _("Tickets carry a pass for one table instead."))
    context.answer("\n".join(told), addresses=found)
    return DONE


async def _relay(
    context: Context,
    port: int,
    limits: Limits,
    private: X25519PrivateKey,
    clubs: Sequence[str],
    metrics: int | None,
) -> None:
    import trio

    from client.table.peer import PROGRAM
    from client.table.words import link_trouble
    from p2p.identity.keys import SigningKey
    from p2p.link.contract import LinkRefusedError
    from p2p.link.meet import Local
    from p2p.link.tcp import open_listener
    from p2p.reach.admission import access_key
    from p2p.reach.metrics import serve_metrics
    from p2p.reach.relay import Relay
    from p2p.wire.address import at_relay

    local, second = Local(SigningKey.generate(), PROGRAM), port + 1 if port else 0
    try:
        async with open_listener(local, (), port=port) as listener, open_listener(local, (), port=second) as other:
            access = [access_key(private.private_bytes_raw(), club) for club in clubs]
            relay = Relay(limits, other.port, private=private, access=access)
            listener.relay = other.relay = relay.serve
            address = at_relay("HOST", listener.port, private.public_key().public_bytes_raw())
            text = _("{program} relays at port {port}, and at {other} to compare.")
            context.note(text.format(program=PROGRAM, port=listener.port, other=other.port))
            if clubs:
                context.note(
                    _("It serves {clubs}. For their addresses: --addresses HOST").format(clubs=", ".join(clubs))
                )
            else:
                context.note(_("Whoever invites names it: --relay {address}").format(address=address))
            async with trio.open_nursery() as nursery:
                if metrics:
                    nursery.start_soon(serve_metrics, relay, listener, metrics)
                await _tell(context, relay, listener.port)
    except* LinkRefusedError as group:
        refused = next(each for each in parts(group) if isinstance(each, LinkRefusedError))
        raise link_trouble(refused) from refused


async def _tell(context: Context, relay: Relay, port: int) -> None:
    """Report until cancelled: for programs a line of JSON regularly, for people a line after a change, ever more
    rarely, and one at the end. No line names a visitor, an address or a room."""
    import trio

    told, pause = "", STATUS_EVERY
    try:
        while True:
            if context.as_json:
                facts = {"port": port, "other_port": relay.other_port, "waiting": relay.waiting, "rooms": relay.joined}
                context.print_result({"ok": True, **facts, "bytes": relay.bytes, "counts": dict(relay.counts)})
            elif (text := _report(relay)) != told:
                told, pause = text, min(2 * pause, RARELY)
                context.note(text)
            await trio.sleep(STATUS_EVERY if context.as_json else pause)
    finally:
        if not context.as_json and _report(relay) != told:
            context.note(_report(relay))


def _report(relay: Relay) -> str:
    text = _("Waiting: {waiting}; rooms in use: {rooms}; passed on: {kilobytes} kB.").format(
        waiting=relay.waiting, rooms=relay.joined, kilobytes=relay.bytes // 1_000
    )
    refused = [f"{code} {relay.counts[code]}" for code in TURNED_AWAY if relay.counts[code]]
    return f"{text} {_('Turned away so far: {counts}.').format(counts=', '.join(refused))}" if refused else text
