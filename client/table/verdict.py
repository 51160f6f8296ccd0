# SPDX-License-Identifier: GPL-3.0-or-later
"""Says in a sentence who can reach this starlock, and what to do where friends cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from client.system.texts import N_, _
from p2p.reach.verdict import ONLY_6, SCOPES, Cause, Scope, outside
from p2p.wire.address import Address, endpoint_of, without_credentials

if TYPE_CHECKING:  # it loads slowly
    from p2p.reach.ticket import Ticket


Place: TypeAlias = Literal["home", "lobby", "table"]
"""Where the person is."""
COMMANDS: Final[Mapping[Place, str]] = {"home": "host", "lobby": "resume", "table": "resume"}
"""The command that takes options there: a lobby and a table are left and resumed with them."""
HERE: Final = "127.0.0.1"
"""Where a ticket leads on the machine of the inviter."""

_SCOPES: Final[Mapping[Scope, str]] = {
    "network": N_("Reachable from: this network."),
    "anywhere": N_("Reachable from: anywhere."),
    "unknown": N_("Reachable from: unknown."),
}

_SENTENCES: Final[Mapping[Cause, str]] = {
    "local": N_("Nobody else can reach you: this starlock stays on this machine."),
    "offline": N_("Nobody can reach you: this machine is in no network."),
    "relay": N_("Friends anywhere can reach you, through a relay."),
    "called": N_("Friends anywhere can reach you: a call from outside has come through to your port."),
    "called-6": N_("Friends who have IPv6 can reach you from anywhere: a call from outside has come through."),
    "mapped": N_("Friends anywhere can reach you: your router passes your port on, as it says."),
    "mapped-6": N_("Friends who have IPv6 can reach you from anywhere: your router lets them in, as it says."),
    "opened": N_(
        "It is not certain that friends outside can reach you: a call has come through, but from a machine that your "
        "router knew."
    ),
    "unasked": N_("It is not known yet whether friends outside can reach you: your router has not answered."),
    "untried": N_("It is not known whether friends outside can reach you: nobody there has tried."),
    "closed": N_("Friends outside cannot reach you: a call from outside did not come through."),
    "blocked": N_(
        "Friends outside cannot reach you: your router passes your port on, but a call from outside did not come "
        "through."
    ),
    "another-router": N_(
        "Friends outside cannot reach you: your router is behind another one, of your provider or at home."
    ),
    "symmetric": N_("Friends outside cannot reach you: your router gives each connection another port."),
    "no-way": N_("Friends outside cannot reach you: your router passes no port on to you."),
    "no-gateway": N_("Friends outside cannot reach you: no way leads out of this network. Friends in it can."),
}

_ANSWER: Final = N_(
    "Send them the ticket all the same: where it leads nowhere, their starlock shows an answer, which you paste where "
    "your table is open. If that does not help either: a relay (starlock {command} --relay HOST), the libp2p network "
    "(--libp2p), or play by post (starlock {post})."
)
_AROUND: Final = N_(
    "Name a relay (starlock {command} --relay HOST), use the libp2p network (--libp2p), let a friend invite, or play "
    "by post (starlock {post})."
)
_FIREWALL: Final = N_("Allow starlock to be reached, in the firewall of this machine. If that is not it:")


def scope_text(cause: Cause) -> str:
    """From where this starlock can be reached, in two or three words."""
    return _(_SCOPES[SCOPES[cause]])


def sentence(cause: Cause) -> str:
    """Who can reach this starlock, and why."""
    return _(_SENTENCES[cause])


def advice(cause: Cause, place: Place) -> str:
    """What to do; empty where nothing has to be done."""
    if cause == "local":
        return _("Leave out --local to play with others.")
    if cause == "offline":
        return _("Switch on the network, or plug in a cable.")
    words = {"command": COMMANDS[place], "post": "post" if place == "table" else "host --post"}
    if cause in ("symmetric", "no-gateway"):
        return _(_AROUND).format(**words)
    if cause == "unasked" or (SCOPES[cause] == "anywhere" and cause not in ONLY_6):
        return ""
    around = _(_ANSWER).format(**words)
    return f"{_(_FIREWALL)} {around}" if cause == "blocked" else around


def reach_text(cause: Cause) -> str:
    """Who can reach this starlock, in one or two sentences."""
    return sentence(cause) if cause in ("local", "offline") else f"{scope_text(cause)} {sentence(cause)}"


def reachable(cause: Cause) -> str:
    """The verdict as an inviter reads it above the ticket."""
    return f"{reach_text(cause)} {advice(cause, 'lobby')}".rstrip()


def ticket_changed(before: Ticket, now: Ticket, cause: Cause) -> str:
    """What differs in a ticket from the one before it, and whether that one still works. cause: the verdict now."""
    told = []
    if added := _listed(_ways(now), _ways(before)):
        told.append(_("New in this ticket: {addresses}.").format(addresses=added))
    if gone := _listed(_ways(before), _ways(now)):
        told.append(_("No longer in it: {addresses}.").format(addresses=gone))
    return " ".join([*told, _earlier(before, now, relayed=cause == "relay")])


def _earlier(before: Ticket, now: Ticket, *, relayed: bool) -> str:
    kept = [each for each in before.candidates if each in now.candidates and endpoint_of(each)[0] != HERE]
    relays = {without_credentials(each) for each in before.relays}
    if any(map(outside, kept)) or (relayed and any(without_credentials(each) in relays for each in now.relays)):
        return _("The earlier ticket still works.")
    if not kept:
        return _("The earlier ticket does not work any more: send this one.")
    if relayed or any(map(outside, now.candidates)):
        return _("The earlier ticket works in this network only: send this one to friends outside.")
    return _("The earlier ticket still works in this network.")


def _ways(ticket: Ticket) -> list[Address]:
    """The addresses and relays of a ticket, without keys and passes."""
    return [*ticket.candidates, *map(without_credentials, ticket.relays)]


def _listed(addresses: Iterable[Address], known: Iterable[Address]) -> str:
    return ", ".join(each.partition("//")[2] for each in addresses if each not in known)


def leads_nowhere(answered: bool = False) -> tuple[str, str]:
    """What a guest reads whose ticket leads nowhere, and what to do. answered: True if the answer is being shown."""
    told = _("The ticket does not lead to the inviter from here.")
    if answered:
        return told, _(
            "Send back the answer that is shown here. If that does not help, the inviter names a relay (starlock "
            "resume --relay HOST), or you play by post (starlock host --post)."
        )
    return told, _(
        "If the table is open there: join with the ticket, keep starlock open, and send back the answer that it shows "
        "after some seconds; the inviter pastes it. If that does not help either, the inviter names a relay (starlock "
        "resume --relay HOST), or you play by post (starlock host --post)."
    )
