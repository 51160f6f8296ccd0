"""`starlock doctor`: what of the network works here, step by step, with the cause and what to try."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from client.commands.seating import add_ticket, given_ticket
from client.context import Context
from client.errors import CHECK_FAILED, DONE, UserError
from client.texts import N_, _

if TYPE_CHECKING:
    from client.identity import Identity
    from p2p.reach.opened import Reach
    from p2p.reach.ticket import Ticket

PATIENCE: Final = 7.0
"""Seconds that routers and others on the network have to answer."""

MAPS: Final[Mapping[str, tuple[str, str]]] = {
    "portmap/no-gateway": (N_("no router is known to this system"), N_("Forward a port by hand: host --address HOST")),
    "portmap/no-answer": (
        N_("the router speaks none of PCP, NAT-PMP and UPnP"),
        N_("Switch one of them on in its settings, or forward a port by hand: host --address HOST"),
    ),
    "portmap/no-upnp": (
        N_("the router speaks neither PCP nor NAT-PMP, and for UPnP the package miniupnpc is missing here"),
        N_("Install it (pip install miniupnpc), or forward a port by hand: host --address HOST"),
    ),
    "portmap/refused": (N_("the router refuses to pass ports on"), N_("Allow it in its settings.")),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One line: what was looked at, whether it works, what was found, and what to try otherwise."""

    step: str
    ok: bool
    found: str
    hint: str = ""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the ticket."""
    add_ticket(parser, optional=True)


def run(args: Namespace, context: Context) -> int:
    """Look at each step; exit code 1 when one fails."""
    import trio

    from client.identity import own_identity
    from client.table.sitting import read_ticket

    ticket = None if args.ticket is None else read_ticket(given_ticket(args.ticket))
    steps = trio.run(_look, own_identity(context), ticket)
    well = all(step.ok for step in steps)
    lines = [f"{'+' if step.ok else '-'} {step.found}" + (f"\n    {step.hint}" if step.hint else "") for step in steps]
    context.answer("\n".join(lines), ok=well, steps=[asdict(step) for step in steps])
    return DONE if well else CHECK_FAILED


async def _look(identity: Identity, ticket: Ticket | None) -> list[Step]:
    import trio

    from client.table.peer import PROGRAM
    from p2p.link.contract import LinkRefusedError
    from p2p.link.meet import Local
    from p2p.reach.opened import open_reach

    local = Local(identity.key, PROGRAM)
    steps: list[Step] = []
    try:
        async with open_reach(local, []) as reach:
            reach.relays = [] if ticket is None else list(ticket.relays)
            with trio.move_on_after(PATIENCE):
                await reach.asked_router()
            steps += [_addresses(), _listening(reach), _announcing(reach), _mapped(reach)]
            if ticket is not None:
                steps += await _candidates(reach, ticket)
    except* LinkRefusedError as group:
        steps.append(
            Step("listen", False, _trouble(group.exceptions[0]), _("Does a firewall forbid starlock to listen?"))
        )
    return steps


def _addresses() -> Step:
    from p2p.reach.addresses import own_addresses

    own = [str(address) for address in own_addresses()]
    if own:
        return Step(
            "interfaces", True, _("This machine has the addresses {addresses}.").format(addresses=", ".join(own))
        )
    return Step(
        "interfaces", False, _("This machine is in no network."), _("Switch on the network, or plug in a cable.")
    )


def _listening(reach: Reach) -> Step:
    text = _("This starlock can listen; it got port {port} for this look.").format(port=reach.listener.port)
    return Step("listen", True, text)


def _announcing(reach: Reach) -> Step:
    problems = reach.announcer.problems if reach.announcer is not None else {"": ""}
    if not problems:
        return Step("announce", True, _("Announcements on this network go out."))
    text = _("Announcements do not go out everywhere: {where}.").format(where=", ".join(problems) or "?")
    return Step("announce", False, text, _("Allow UDP port 40917 in the firewall, or use a ticket."))


def _mapped(reach: Reach) -> Step:
    from client.table.words import behind_another_router

    made = reach.port_map
    if reach.behind_another_router():
        return Step("map", False, behind_another_router())
    if made is not None and (address := made.address(reach.reflections.hosts_seen())) is not None:
        return Step("map", True, _("The router passes a port on: {address}.").format(address=address))
    code = made.trouble if made is not None and made.trouble is not None else "portmap/no-answer"
    cause, hint = MAPS.get(code, (N_("the router cannot pass a port on now"), N_("Try again later.")))
    return Step("map", False, _("No port is passed on: {cause}.").format(cause=_(cause)), _(hint))


async def _candidates(reach: Reach, ticket: Ticket) -> list[Step]:
    from p2p.link.contract import LinkRefusedError
    from p2p.reach.dial import dial

    steps = []
    for address in (*ticket.candidates, *ticket.relays):
        try:
            pipe = await dial(address, reach.listener.local, ticket.meeting(), ticket.inviter)
        except LinkRefusedError as refused:
            text = _("{address} does not lead to the inviter: {cause}").format(address=address, cause=_trouble(refused))
            steps.append(Step("candidate", False, text))
        else:
            await pipe.aclose()
            steps.append(Step("candidate", True, _("{address} leads to the inviter.").format(address=address)))
    if any(step.ok for step in steps):  # one way is enough
        return [Step(step.step, True, step.found, step.hint) for step in steps]
    return steps


def _trouble(error: BaseException) -> str:
    from client.table.words import link_trouble
    from p2p.link.contract import LinkRefusedError

    told: UserError = link_trouble(error) if isinstance(error, LinkRefusedError) else UserError("?", str(error), "")
    return told.message
