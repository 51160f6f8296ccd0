# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles of the network and the store, refusals of a lobby, and what members owe, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from client.system.errors import CHECK_FAILED, USAGE, UserError
from client.system.names import shown
from client.system.system_troubles import reason
from client.system.texts import N_, _
from client.words.ways import DO

if TYPE_CHECKING:
    from p2p.link.contract import LinkRefusedError
    from p2p.log.store import StoreError
    from p2p.reach.ticket import TicketError

_STORE: Final[Mapping[str, tuple[str, str]]] = {
    "store/locked": (
        N_("Another starlock (process {detail}) works in {path}."),
        N_("End that one first, or give this one a folder of its own with STARLOCK_HOME."),
    ),
    "store/missing": (
        N_("The database {path} is missing or empty, but there were tables here; nothing was changed."),
        N_(
            "Put that file back where it was, or this whole folder from a backup; keep what is here now aside until "
            "then. Your newer steps come back from the others. Without a copy, move the folder away and ask a friend "
            "for a ticket (starlock resume --new-ticket): starlock recover TICKET"
        ),
    ),
    "store/foreign": (
        N_("{path} is no store of starlock."),
        N_("Move it away, or set STARLOCK_HOME to another folder."),
    ),
    "store/newer": (
        N_("{path} was written by starlock {detail}, which is newer than this one."),
        N_("Use that version or a newer one; nothing was changed."),
    ),
    "store/older": (
        N_("{path} was written by starlock {detail}, in a form that this one no longer reads."),
        N_("Finish its games with that version, or move the folder away to begin anew; nothing was changed."),
    ),
    "store/damaged": (
        N_("The store {path} is damaged: {detail}."),
        N_(
            "Put a copy of it back; the others at your tables still hold all entries. Without one, move its folder "
            "away and ask a friend for a ticket (starlock resume --new-ticket): starlock recover TICKET"
        ),
    ),
    "store/keys": (
        N_("The key or the secret of table {detail} in {path} is damaged; nothing was signed with it."),
        N_(
            "Put that file back from a backup, an older one too: the others bring what is newer. Without one they can "
            "let you go on with a new key: starlock recover {detail}"
        ),
    ),
    "store/disk": (
        N_("The store {path} cannot be used: {detail}."),
        N_("Check that its folder can be written and that the disk works."),
    ),
    "store/full": (
        N_("There is no room on the disk of {path}."),
        N_("Make room and try again; nothing is lost."),
    ),
}

_TICKET: Final[Mapping[str, tuple[str, str]]] = {
    "ticket/prefix": (
        N_("That is no ticket: nothing in it begins with “starlock:”."),
        N_(
            "Copy the whole line again. If a file should hold it, check the file's name; if that is right, the file "
            "is damaged: let it be sent again."
        ),
    ),
    "ticket/letter": (
        N_("The ticket has the letter “{0}” at place {1}, which no ticket has."),
        N_("Copy the whole line again."),
    ),
    "ticket/length": (N_("Letters of the ticket are missing at its end."), N_("Copy the whole line again.")),
    "ticket/typo": (N_("The ticket has a typing error."), N_("Copy the whole line again instead of typing it.")),
    "ticket/version": (
        N_("The ticket is of version {0}, which this starlock does not know."),
        N_("Update starlock, or let the inviter do so."),
    ),
    "ticket/invitation": (
        N_("That is an invitation to a table, not what is needed here."),
        N_("Sit down with it: starlock join TICKET"),
    ),
    "ticket/table": (
        N_("That ticket leads members back to a table that runs; it gives nobody a seat."),
        N_(
            "If this home has a seat there: starlock resume TICKET. If that was on a lost machine, ask a friend for a "
            "ticket (starlock resume --new-ticket): starlock recover TICKET. For a seat, ask the inviter for an "
            "invitation."
        ),
    ),
    "ticket/answer": (
        N_("That is an answer to a ticket. It is for who made the ticket, and leads to no table by itself."),
        N_("Send it to who invites; if you invite, paste it where your table is open."),
    ),
    "ticket/form": (
        N_("The ticket was made by a faulty program ({0})."),
        N_("Ask for a new one."),
    ),
    "ticket/expired": (N_("The ticket has expired."), N_("Ask for a new one.")),
}

_KINDS: Final[Mapping[object, str]] = {0: "ticket/invitation", 1: "ticket/table", 2: "ticket/answer"}
"""The kinds of lines (`p2p.reach.lines`)."""

_LINK: Final[Mapping[str, tuple[str, str]]] = {
    "listen/port-in-use": (
        N_("Another program listens on port {0} already."),
        N_("Choose another with --port, or leave --port out."),
    ),
    "listen/failed": (N_("Listening on port {0} failed: {1}."), N_("Choose another port with --port.")),
    "link/unreachable": (
        N_("Nobody answers at the addresses of the ticket ({0})."),
        N_(
            "Is the table still open? If it is: starlock doctor TICKET says what stands in the way; an answer (join "
            "with the ticket, and wait), a relay or play by post leads around it."
        ),
    ),
    "link/timeout": (
        N_("The other side does not answer in time."),
        N_(
            "Is the table still open? If it is: starlock doctor TICKET says what stands in the way; an answer (join "
            "with the ticket, and wait), a relay or play by post leads around it."
        ),
    ),
    "link/hung-up": (
        N_("The other side hangs up: it does not know this ticket, or is too busy."),
        N_("Ask for a new ticket."),
    ),
    "link/other-identity": (
        N_("The peer at this address is not the inviter of the ticket."),
        N_("Do not go on; compare the words of `starlock keys` with your friend, and ask for a new ticket."),
    ),
    "link/bad-signature": (
        N_("The peer at this address cannot prove to be the inviter of the ticket."),
        N_("Do not go on; ask for a new ticket."),
    ),
    "link/other-version": (
        N_("The other side speaks version {1} of the protocol ({2}); this starlock speaks version {0}."),
        N_("Both sides need the same version: update the older one."),
    ),
    "link/no-transport": (
        N_("The ticket leads over a network that this starlock does not know ({0})."),
        N_("Update starlock, or ask the inviter for a ticket with an ordinary address."),
    ),
    "relay/nobody": (
        N_("The inviter is not there: nobody waits at the relay, and no other address of the ticket answers."),
        N_("Is the table still open? Ask for a new ticket."),
    ),
    "relay/full": (
        N_("The relay has no room left."),
        N_("Try again later, or ask the inviter for a ticket with another relay."),
    ),
    "relay/too-many": (
        N_("The relay takes no more from your address."),
        N_("Close other tables, or ask the inviter for a ticket with another relay."),
    ),
    "relay/version": (
        N_("The relay runs another version of starlock."),
        N_("Update the relay or this starlock, or ask the inviter for a ticket with another relay."),
    ),
    "relay/other-key": (
        N_("What answers at the relay's address is not that relay: it has another key."),
        N_("Ask who runs it for its address. Do not go on there: somebody else may answer in its place."),
    ),
    "relay/no-pass": (
        N_("The relay serves only tables of those who have an access key for it."),
        N_("Name it with your access key, as its operator gave it to you, or ask the inviter for a new ticket."),
    ),
    "relay/pass-expired": (
        N_("The pass for the relay has expired."),
        N_("Ask somebody who has an access key for it for a new ticket."),
    ),
    "relay/not-back": (
        N_("The relay calls nobody back at such an address."),
        N_("Ask a relay that is in another network."),
    ),
    "relay/refused": (
        N_("The relay refuses to pass anything on (code {0})."),
        N_("Ask the inviter for a ticket with another relay."),
    ),
    "libp2p/missing": (
        N_("The way leads through the libp2p network, and the package for it is not installed here."),
        N_("Install it and try again: {0}"),
    ),
    "libp2p/failed": (
        N_("The package for the libp2p network fails here."),
        N_("Install it again: {0} --force-reinstall"),
    ),
    "libp2p/address": (
        N_("The ticket names an address in the libp2p network that starlock cannot use: {0}"),
        N_("Ask the inviter for a ticket with a relay at a TCP port."),
    ),
    "link/self": (N_("That is the ticket of this very process."), N_("Give it to somebody else.")),
}

_LOBBY: Final[Mapping[str, tuple[str, str]]] = {
    "lobby/full": (N_("All seats of that table are taken."), N_("You can follow it: starlock watch TICKET")),
    "group/no-library": (
        N_("This table needs the library libsodium, and no copy that works was found ({0})."),
        N_("Install the Python package rbcl, or libsodium 1.0.18 or newer; without it: two players, -o draws=open."),
    ),
    "table/seed-used": (
        N_("The seed {0} has made this very table here before: {1}."),
        N_("Go on with it (starlock resume {1}), or give another seed."),
    ),
    "lobby/begun": (N_("That table has begun without you."), N_("You can follow it: starlock watch TICKET")),
    "lobby/seat-taken": (N_("Seat {0} is taken at that table."), N_("Leave --seat out, or choose another.")),
    "lobby/name-taken": (
        N_("Somebody at that table has the name {0}, or one that looks like it."),
        N_("Choose another with --name. Free there: {1}"),
    ),
    "lobby/name-misleading": (N_("The table does not take that name."), N_("Choose another with --name.")),
    "lobby/removed": (N_("The inviter has given your seat back."), N_("Ask why; the ticket stays good.")),
    "lobby/declined": (N_("The inviter does not let you in."), N_("Ask why; the ticket stays good.")),
    "lobby/yourself": (
        N_("You cannot sit twice with one identity."),
        N_("Use another STARLOCK_HOME for a second player on this machine."),
    ),
    "lobby/proof": (N_("That ticket belongs to another table."), N_("Ask for a new ticket.")),
    "lobby/closed": (
        N_("The inviter has closed the lobby before the table began."),
        N_("The same ticket is good again once the inviter has resumed it."),
    ),
    "lobby/protocol": (
        N_("The inviter's starlock speaks another protocol ({0})."),
        N_("Both sides need the same version: update the older one."),
    ),
    "lobby/test-seed": (
        N_("The dice of that table are fixed by a test seed, and it is on another machine."),
        N_("Play only tables without a test seed with others."),
    ),
    "lobby/roster-without-me": (
        N_("The inviter's list of seats is not what the players asked for: such a table cannot begin."),
        N_("Ask the inviter; for a new table there must be a new invitation."),
    ),
    "rules/no-game": (
        N_("This starlock does not know the game {0}."),
        N_("Update starlock, or install the package that the game comes from."),
    ),
    "rules/other": (
        N_("The table plays {0} by the rules {1}; this starlock has {2}."),
        N_("Both sides need the same rules: update the older one."),
    ),
    "rules/position": (
        N_("The position from which this table goes on is missing, damaged or impossible."),
        N_("Get another copy of it from whoever plays there."),
    ),
    "content/unknown": (
        N_("The game {0} was played with content {1}, which this starlock does not have (its own is {2}): not judged."),
        N_("Update starlock, or take the file from somebody who plays at the table: it carries content of its own."),
    ),
    "content/own": (
        N_("The table's own content for {0} cannot be played: {1}"),
        N_("Tell the inviter: another content file is needed, or the same version of starlock on both sides."),
    ),
    "lobby/other-content": (
        N_("The inviter sent content that is not the one the table names: you cannot sit down at such a table."),
        N_("Do not go on; ask the inviter."),
    ),
    "content/other": (
        N_("The table plays {0} with other content: {3} differs (theirs {1}, ours {2})."),
        N_("Both sides need the same files: update the older one."),
    ),
}


_AWAY: Final[Mapping[str, str]] = {
    "lobby/declined": N_("{name} does not sit down: you have refused."),
    "lobby/removed": N_("{name} does not sit here any more: you have given the seat back."),
    "lobby/left": N_("{name} has left the lobby."),
    "lobby/full": N_("{name} does not sit down: not enough seats are free."),
    "lobby/seat-taken": N_("{name} does not sit down: somebody has that seat already."),
    "lobby/name-taken": N_("{name} does not sit down: somebody here has that name, or one that looks like it."),
    "lobby/yourself": N_("{name} does not sit down: that is your own identity; one identity cannot sit twice."),
    "lobby/begun": N_("{name} does not sit down: the table has begun."),
    "lobby/proof": N_("{name} does not sit down: that ticket is not of this table."),
    "lobby/closed": N_("{name} does not sit down: the lobby is closed."),
}


def away_text(name: str, code: str) -> str:
    """Why a guest does not sit at this lobby, for the inviter. Other codes name messages that no starlock sends."""
    other = N_("{name} does not sit down: the program there sends what makes no sense. Both sides need one version.")
    return _(_AWAY.get(code, other)).format(name=shown(name))


def behind_another_router() -> str:
    """The notice that the home router forwards a port but is behind another router."""
    return _(
        "Another router stands before yours (carrier-grade NAT of the provider, or a second one at home), so the port "
        "that yours passes on cannot be reached from outside: name a relay with --relay, or let a friend invite."
    )


def relay_trouble(relay: str, code: str) -> str:
    """The notice that a relay does not work. code: as in LinkRefusedError."""
    return _("{address} does not relay: {cause}").format(address=relay, cause=cause_at(code))


def cause_at(code: str, detail: tuple[object, ...] = ()) -> str:
    """Why one address, of several or of a relay, leads nowhere. code, detail: as in LinkRefusedError."""
    return _("Nobody answers there.") if code == "link/unreachable" else _of_link(code, detail).message


def store_trouble(error: StoreError) -> UserError:
    """The error for a trouble of the store."""
    message, hint = _STORE[error.code]
    words = {"path": error.path, "detail": reason(error.detail)}
    return UserError(error.code, _(message).format(**words), _(hint).format(**words))


def ticket_trouble(error: TicketError) -> UserError:
    """The error for a bad ticket."""
    code = _KINDS.get(error.detail[0], "ticket/form") if error.code == "ticket/kind" else error.code
    return _trouble(_TICKET, code, error.detail)


def link_trouble(error: LinkRefusedError) -> UserError:
    """The error for a link that was refused or could not be opened."""
    return _of_link(error.code, error.detail)


def _of_link(code: str, detail: tuple[object, ...]) -> UserError:
    if code in ("libp2p/missing", "libp2p/failed"):
        from client.system.extras import extra_command

        return _trouble(_LINK, code, (extra_command("libp2p"),))
    return _trouble(_LINK, code, detail)


def lobby_trouble(code: str, detail: tuple[object, ...]) -> UserError:
    """The error for a lobby that gave no seat."""
    return _trouble(_LOBBY, code, detail)


def _trouble(texts: Mapping[str, tuple[str, str]], code: str, detail: tuple[object, ...]) -> UserError:
    if code not in texts:
        text = _("The other side sent something that makes no sense ({code}).").format(code=shown(code))
        return UserError(code, text, _("Update starlock on both sides, and try again."), CHECK_FAILED)
    message, hint = texts[code]
    words = [shown(str(part)) for part in detail] + ["?"] * 4
    return UserError(code, _(message).format(*words), _(hint).format(*words), USAGE)


_OWED: Final[Mapping[str, str]] = {
    "join": N_("owes the signature under the table"),
    "commit": N_("owes the commitment to the next roll"),
    "keys": N_("owes a key share"),
    "ok": N_("owes the check of the key shares"),
    "shuffle": N_("owes a shuffle"),
    "remask": N_("owes a new seal on cards"),
    "tag": N_("owes a blinding of the cards"),
    "share": N_("owes a share of the cards"),
    "open": N_("owes a seed of the dice"),
    "partial": N_("owes a part of the lock"),
    "reveal": N_("owes an opening"),
    "sign": N_("owes a word on the vote"),
    "result": N_("owes its signature under the end"),
}


def handover_text(name: str) -> str:
    """The text that a shared screen shows between the turns of two people."""
    return _("Pass the keyboard to {name}. {name}, when nobody else is looking: {do:here}.").format(name=name, do=DO)


def owed_text(kind: str) -> str:
    """What a member owes, by the kind of the missing entry; empty for an answer."""
    return _(_OWED[kind]) if kind in _OWED else ""


def way_text(way: str) -> str:
    """How a member is linked, as `TableControls.ways` says it."""
    if way == "here":
        return _("on this machine")
    if way == "direct":
        return _("direct")
    if way == "relay":
        return _("through a relay")
    if way == "libp2p":
        return _("through libp2p")
    return _("through {name}").format(name=way) if way else _("no connection")
