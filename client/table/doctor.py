# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks this home and the network: first a sentence that judges, then each step with the finding, its cause, and
advice."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from statistics import median
from typing import Final

import trio

from client.system.context import Context
from client.system.texts import N_, _
from client.table.verdict import COMMANDS, Place, advice, leads_nowhere, sentence
from client.table.words import behind_another_router, cause_at, link_trouble, relay_trouble
from engine.core.dataclass import dataclass
from p2p.link.contract import LinkRefusedError, Pipe
from p2p.link.relayed import time_at
from p2p.reach.addresses import default_sources, own_addresses
from p2p.reach.announce import PORT
from p2p.reach.backoff import MOST
from p2p.reach.circuits import installed
from p2p.reach.explore import explore
from p2p.reach.gateway import PortMap
from p2p.reach.opened import Reach
from p2p.reach.pinhole import Pinhole
from p2p.reach.reflect import Kind
from p2p.reach.ticket import Ticket
from p2p.reach.verdict import SCOPES, CallBack, judge
from p2p.wire.address import (
    FRIEND,
    LIBP2P,
    RELAY,
    RELAYED,
    Address,
    at_endpoint,
    endpoint_of,
    scheme,
    without_credentials,
)

PATIENCE: Final = 14.0
"""Seconds to wait for the answers of router and relays."""
BETWEEN_CALLERS: Final = 2 * MOST
"""Seconds within which an inviter that runs waits at its relay again: after a caller it pauses for up to `MOST`."""
CALL_EVERY: Final = 1.0
ECHO: Final = 1.0
"""Seconds within which this process hears its own announcement if broadcasts work."""
LEADING: Final = ("candidate", "relay")
"""Steps of which one that works is enough for a ticket."""
WELCOME: Final = ("link/up", "listen/called-back")
"""What a listener counts that is no stranger."""
TOLERATED: Final = 60.0
"""Seconds by which two clocks may differ: claims about time and the expiry of tickets need no better."""

MAPS: Final[Mapping[str, tuple[str, str]]] = {
    "portmap/no-gateway": (
        N_("no router is known to this system"),
        N_("Forward a port by hand: starlock {command} --address HOST"),
    ),
    "portmap/no-answer": (
        N_("the router speaks none of PCP, NAT-PMP and UPnP"),
        N_("Switch one of them on in its settings, or forward a port by hand: starlock {command} --address HOST"),
    ),
    "portmap/refused": (N_("the router refuses to pass ports on"), N_("Allow it in its settings.")),
}

ROUTERS: Final[Mapping[Kind, tuple[bool, str, str]]] = {
    "open": (True, N_("Others see this machine at its own address: no router translates it."), ""),
    "cone": (
        True,
        N_("The router keeps one port for all connections (a cone): a direct way can be opened through it."),
        "",
    ),
    "symmetric": (
        False,
        N_("The router gives each connection another port (symmetric): no direct way can be opened through it."),
        N_(
            "Forward a port by hand (starlock {command} --address HOST), name a relay (--relay HOST), or let a friend "
            "invite."
        ),
    ),
    "unknown": (
        True,
        N_("The kind of router before this machine is not known: finding out takes a relay, or two friends."),
        "",
    ),
}


@dataclass(frozen=True, slots=True)
class DoctorStep:
    """One check: its subject, whether it works, the finding, and advice. matters: True if nothing works without it."""

    step: str
    ok: bool
    found: str
    hint: str = ""
    matters: bool = True


def lines_of(steps: Iterable[DoctorStep]) -> list[str]:
    """The steps as lines of text: works (+), fails (-), fails but is not needed (~)."""
    lines = []
    for step in steps:
        lines.append(f"{'+' if step.ok else '-' if step.matters else '~'} {step.found}")
        if step.hint:
            lines.append(f"    {step.hint}")
    return lines


def well(steps: Iterable[DoctorStep]) -> bool:
    """True if everything works that matters."""
    return all(step.ok or not step.matters for step in steps)


async def in_the_way(reach: Reach, ticket: Ticket, *, answered: bool) -> list[str]:
    """What a guest reads whose ticket leads nowhere: the verdict, and each step that fails. answered: as in
    `examined`."""
    steps = await examined(reach, ticket, answered=answered)
    return lines_of(step for step in steps if step.step == "verdict" or not step.ok)


def home_steps(context: Context) -> list[DoctorStep]:
    """A step for each thing in this home that does not fit together, or one that all does."""
    from client.table.soundness import troubles

    found = [DoctorStep("home", False, error.message, error.hint) for error in troubles(context)]
    text = _("What this home holds fits together: {folder}.").format(folder=context.folders.data)
    return found or [DoctorStep("home", True, text)]


async def examined(
    reach: Reach, ticket: Ticket | None = None, place: Place = "home", *, answered: bool = False
) -> list[DoctorStep]:
    """Run all checks; the first step is the verdict on all.

    ticket: addresses and relays to try, if given.
    place: where the person is.
    answered: True if this process shows an answer to the ticket.
    """
    known = ticket.relays if ticket is not None else [*reach.relays, *reach.supervisor.friends()]
    relays = [relay for relay in known if scheme(relay) in (RELAY, FRIEND)]
    clocks: dict[Address, float] = {}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(explore, reach, PATIENCE, relays)
        nursery.start_soon(trio.sleep, ECHO)
        for relay in dict.fromkeys(relays):
            nursery.start_soon(_compare_clock, reach, relay, clocks)
        ways = [] if ticket is None else await _candidates(reach, ticket, clocks)
    at_table = [] if ticket is not None else [*_waiting(reach), *_turned_away(reach)]
    here = [_addresses(), _listening(reach), _announcing(reach), _clock(clocks.values())]
    command = COMMANDS[place]
    routers = [] if reach.port_map is None else [_mapped(reach, reach.port_map, command), _router(reach, command)]
    if reach.pinhole is not None and reach.pinhole.own is not None:
        routers.insert(1, _let_in(reach.pinhole))
    verdict = _verdict(reach, place) if ticket is None else _ticket_verdict(ways, answered=answered)
    return [verdict, *here, *routers, *map(_called, reach.calls.values()), _libp2p(), *ways, *at_table]


def _verdict(reach: Reach, place: Place) -> DoctorStep:
    cause = judge(reach.facts())
    return DoctorStep("verdict", SCOPES[cause] != "network", sentence(cause), advice(cause, place))


def _ticket_verdict(ways: Sequence[DoctorStep], *, answered: bool) -> DoctorStep:
    if any(step.ok and step.step in LEADING for step in ways):
        return DoctorStep("verdict", True, _("The ticket leads to the inviter."))
    return DoctorStep("verdict", False, *leads_nowhere(answered))


def _called(call: CallBack) -> DoctorStep:
    by = _("A friend") if scheme(call.by) == FRIEND else without_credentials(call.by)
    words = {"by": by, "address": at_endpoint(call.host, call.port)}
    if call.came:
        text = _("{by} has called back at {address}, and came through.").format(**words)
        return DoctorStep("call", True, text, matters=False)
    text = _("{by} has called back at {address}, and did not come through.").format(**words)
    return DoctorStep("call", False, text, matters=False)


async def _compare_clock(reach: Reach, address: Address, clocks: dict[Address, float]) -> None:
    """Note by how many seconds this clock is ahead of another, if that one can be asked."""
    began = time.time()
    with suppress(LinkRefusedError):  # an old relay tells no time
        told = await time_at(address, reach.visit)
        clocks[address] = (began + time.time()) / 2 - (told + 0.5)


def _addresses() -> DoctorStep:
    own = ", ".join(map(str, own_addresses()))
    if own:
        return DoctorStep("interfaces", True, _("This machine has the addresses {addresses}.").format(addresses=own))
    text = _("This machine is in no network.")
    return DoctorStep("interfaces", False, text, _("Switch on the network, or plug in a cable."))


def _listening(reach: Reach) -> DoctorStep:
    return DoctorStep("listen", True, _("This starlock listens on port {port}.").format(port=reach.listener.port))


def not_listening(refused: LinkRefusedError) -> DoctorStep:
    """The only step when no port could be opened."""
    return DoctorStep("listen", False, link_trouble(refused).message, _("Does a firewall forbid starlock to listen?"))


def _announcing(reach: Reach) -> DoctorStep:
    announcer = reach.announcer
    hint = _("Allow UDP port {port} in the firewall, or use a ticket.").format(port=PORT)
    if announcer is None:
        if reach.trouble is None:
            text = _("Nothing is announced: this starlock stays on this machine.")
            return DoctorStep("announce", True, text, matters=False)
        text = _("Nothing is announced on this network: {cause}").format(cause=link_trouble(reach.trouble).message)
        return DoctorStep("announce", False, text, hint, matters=False)
    if not announcer.echoed:
        text = _("No announcement is heard here, not even this machine's own.")
        return DoctorStep("announce", False, text, hint, matters=False)
    text = _("Announcements go out on this network and are heard; others heard: {count}.").format(count=announcer.heard)
    if announcer.problems:
        text += " " + _("They do not go out on: {where}.").format(where=", ".join(announcer.problems))
    return DoctorStep("announce", True, text, matters=False)


def _clock(ahead: Collection[float]) -> DoctorStep:
    if not ahead:
        text = _("It is not known whether the clock is right: neither a relay nor a friend has told the time.")
        return DoctorStep("clock", True, text, matters=False)
    by = median(ahead)
    if abs(by) <= TOLERATED:
        text = _("The clock is right: compared with others it is {seconds} s ahead.").format(seconds=round(by))
        return DoctorStep("clock", True, text, matters=False)
    text = (
        _("The clock is {seconds} s ahead of the others.")
        if by > 0
        else _("The clock is {seconds} s behind the others.")
    )
    hint = _("Set it, or let the system set it; else tickets seem to have expired, and claims about time seem wrong.")
    return DoctorStep("clock", False, text.format(seconds=abs(round(by))), hint, matters=False)


def _libp2p() -> DoctorStep:
    if installed():
        return DoctorStep("libp2p", True, _("The package for the libp2p network is installed."), matters=False)
    text = _("The package for the libp2p network is not installed; only relays of that network need it.")
    return DoctorStep("libp2p", True, text, matters=False)


def _mapped(reach: Reach, made: PortMap, command: str) -> DoctorStep:
    if not default_sources():
        return DoctorStep("map", True, _("No way leads out of this network, so no router is asked for a port."))
    if reach.behind_another_router():
        return DoctorStep("map", False, behind_another_router(), matters=False)
    if (address := made.address(reach.reflections.hosts_seen())) is not None:
        return DoctorStep(
            "map", True, _("The router passes a port on: {address}.").format(address=address), matters=False
        )
    cause, hint = MAPS.get(
        made.trouble or "portmap/no-answer", (N_("the router cannot pass a port on now"), N_("Try again later."))
    )
    return DoctorStep(
        "map",
        False,
        _("No port is passed on: {cause}.").format(cause=_(cause)),
        _(hint).format(command=command),
        matters=False,
    )


def _let_in(made: Pinhole) -> DoctorStep:
    if (address := made.address()) is not None:
        text = _("The router lets IPv6 in: {address}.").format(address=address)
        return DoctorStep("pinhole", True, text, matters=False)
    return DoctorStep(
        "pinhole",
        False,
        _("The router opens no port for IPv6 when it is asked by PCP; its firewall may let answers in only."),
        _("Two homes with IPv6 meet all the same: where a ticket leads nowhere, the guest sends back an answer."),
        matters=False,
    )


def _router(reach: Reach, command: str) -> DoctorStep:
    own = [str(address) for address in own_addresses()]
    kind = reach.kind()
    good, text, hint = ROUTERS[kind]
    seen = [f"{host}:{port}" for host, port in reach.reflections.endpoints(reach.listener.port, own)]
    found = _(text) + (" " + _("Seen from outside: {seen}.").format(seen=", ".join(seen)) if seen else "")
    return DoctorStep("router", good, found, _(hint).format(command=command) if hint else "", matters=False)


async def _candidates(reach: Reach, ticket: Ticket, clocks: dict[Address, float]) -> list[DoctorStep]:
    """A step for each address of a ticket; one that reaches the inviter is enough."""
    found: dict[Address, DoctorStep] = {}

    async def attempt(address: Address) -> None:
        found[address] = await _candidate(reach, ticket, address)

    given = dict.fromkeys((*ticket.candidates, *ticket.relays))
    async with trio.open_nursery() as nursery:
        for address in given:
            nursery.start_soon(attempt, address)
    open_now = next((each for each in ticket.candidates if found[each].step == "candidate" and found[each].ok), None)
    if open_now is not None and not clocks:
        await _compare_clock(reach, open_now, clocks)
    return [found[each] for each in given]


async def _candidate(reach: Reach, ticket: Ticket, address: Address) -> DoctorStep:
    passes_on = scheme(address) in RELAYED
    step, shown = "relay" if passes_on else "candidate", without_credentials(address)
    try:
        pipe = await _call(reach, ticket, address)
    except LinkRefusedError as refused:
        if refused.code == "relay/nobody":
            text = _("{address} relays, but the inviter does not wait there.").format(address=shown)
            return DoctorStep(step, False, text, matters=False)
        if not passes_on and endpoint_of(address)[0] in reach.outer_hosts():
            text = _("{address} is the address of your own router: from in here it need not lead back.")
            return DoctorStep("own-router", True, text.format(address=shown), matters=False)
        words = (
            _("{address} does not relay: {cause}")
            if passes_on
            else _("{address} does not lead to the inviter: {cause}")
        )
        text = words.format(address=shown, cause=cause_at(refused.code, refused.detail))
        return DoctorStep(step, False, text, matters=False)
    await pipe.aclose()
    text = _("{address} relays, and leads to the inviter.") if passes_on else _("{address} leads to the inviter.")
    return DoctorStep(step, True, text.format(address=shown))


async def _call(reach: Reach, ticket: Ticket, address: Address) -> Pipe:
    """Dial the inviter, at a relay again and again for `BETWEEN_CALLERS` seconds: it waits for one caller at a time."""
    until = trio.current_time() + BETWEEN_CALLERS
    while True:
        try:
            return await reach.dial(address, reach.listener.local, ticket.meeting(), ticket.inviter)
        except LinkRefusedError as refused:
            if refused.code != "relay/nobody" or trio.current_time() > until:
                raise
        await trio.sleep(CALL_EVERY)


def _waiting(reach: Reach) -> Sequence[DoctorStep]:
    """The relays at which this process can be reached."""
    steps = []
    troubles, standing = reach.troubles(), reach.standing_at()
    for relay in (*reach.relays_by(RELAY), *reach.relays_by(LIBP2P)):
        shown, step = without_credentials(relay), partial(DoctorStep, "relay", matters=False)
        if relay in troubles:
            steps.append(step(False, relay_trouble(shown, troubles[relay])))
        elif relay in standing:
            steps.append(step(True, _("This starlock can be called at {address}.").format(address=shown)))
        else:
            steps.append(step(False, _("{address} does not answer.").format(address=shown)))
    if friends := reach.supervisor.friends():
        text = _("Friends linked directly, who pass on messages of others and for others: {count}.")
        steps.append(DoctorStep("friends", True, text.format(count=len(friends))))
    return steps


def _turned_away(reach: Reach) -> Sequence[DoctorStep]:
    """The connections of strangers that were closed."""
    counts = {code: count for code, count in sorted(reach.listener.counts.items()) if code not in WELCOME}
    if not counts:
        return []
    told = ", ".join(f"{code} {count}" for code, count in counts.items())
    return [DoctorStep("strangers", True, _("Turned away so far: {counts}.").format(counts=told))]
