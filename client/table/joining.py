# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a lobby or joins one, and stores the table with its keys before anything is signed."""

from __future__ import annotations

import platform
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import trio

from client.system.context import Context
from client.system.names import free_name
from client.table import outside
from client.table.answering import Answering, Asked
from client.table.answers import Answers, Wanted
from client.table.beginning import content_files
from client.table.content import own_data, played_game
from client.table.guest import Joining
from client.table.home import Seat
from client.table.identity import own_identity
from client.table.library import lacking_library
from client.table.lobby import Hosting, Places, fresh_nonce, judge_name, room
from client.table.options import settled
from client.table.peer import LOOPBACK, PROGRAM, Peer
from client.table.player import Player
from client.table.reception import Reception
from client.table.record import Record, table_name
from client.table.words import lobby_trouble, ticket_trouble
from engine.core.agenda import Table as Agreed
from engine.core.dataclass import dataclass, field, replace
from engine.core.registry import GameSpec, game
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import MAX_DEVICE, TableKeys, certify
from p2p.link.live import LiveLink
from p2p.link.pulse import pulse
from p2p.lobby.guest import Guest
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Sitter, Terms
from p2p.lockstep.genesis import Genesis, fixed_keys, fixed_nonce
from p2p.lockstep.machine import Refusal
from p2p.reach.find import TableOffer
from p2p.reach.ticket import LOBBY, MAX_CANDIDATES, Ticket, TicketError, new_ticket, parse_ticket
from p2p.wire.address import Address
from p2p.wire.codec import Plain
from seeds.hashing import H

TICKET_LASTS: Final = 7 * 24 * 3600
RENEWED_EVERY: Final = 2.0
"""Seconds between two checks of the addresses in the ticket."""
ROUTER_PATIENCE: Final = 2.5
"""Seconds that a home router may take to answer before the ticket is shown without its port."""


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """What a player asks for when taking a seat.

    Attributes:
        players: the name of each person or bot here, with the level of a bot; the first is the user.
        named: True if the user gave the name, False for a default.
        wants: the seats by number, for the first of the players.
        seed: the seed of a test table, None at a real one.
        port: the port to listen on, 0 for any.
        local: True to play on this machine alone.
    """

    players: tuple[tuple[str, str | None], ...]
    wants: tuple[int, ...] = ()
    seed: str | None = None
    port: int = 0
    local: bool = False
    named: bool = True

    @property
    def name(self) -> str:
        """The user's name."""
        return self.players[0][0]

    @property
    def level(self) -> str | None:
        """The level of the bot that plays for the user, None for a person."""
        return self.players[0][1]


def whoami(context: Context, request: SeatRequest) -> SigningKey:
    """The identity that takes the seat: the user's, or at a test table one that follows from seed and seat."""
    if request.seed is None:
        return own_identity(context).key
    return SigningKey.from_seed(H("test identity", request.seed, request.wants[0] if request.wants else 0))


async def invite(
    peer: Peer,
    spec: GameSpec,
    agreed: Agreed,
    request: SeatRequest,
    reception: Reception,
    publish: Callable[[Ticket], None],
    shown: str | None = None,
    levels: Sequence[str] = (),
) -> tuple[Seat, Hosting]:
    """Open a lobby, pass its ticket to `publish`, and wait until the table begins.

    spec: the game, perhaps with custom content.
    shown: the name under which the table is announced on the LAN, empty for no name, None for no announcement.
    levels: the levels of the bots that the inviter lets sit down in the lobby, in turn.
    """
    refusal = await trio.to_thread.run_sync(lacking_library, agreed.options.get("draws"), agreed.seats)
    if refusal is not None:
        raise lobby_trouble(refusal.code, refusal.detail)
    lobby = secrets.token_bytes(LOBBY) if request.seed is None else H("test lobby", request.seed)[:LOBBY]
    expiry = int(time.time()) + TICKET_LASTS
    outside.recall(peer.reach, peer.context.folders.config)
    with trio.move_on_after(ROUTER_PATIENCE):  # so that the first ticket holds the port that the router passes on
        await peer.reach.asked_router()
    ticket = new_ticket(lobby, peer.identity.public, peer.reach.candidates(), expiry, peer.reach.relayed())
    keys, nonces = _keys(request)
    terms = await trio.to_thread.run_sync(terms_of, spec, agreed, request)
    me = sitter_of(peer.identity, peer.places(), request, keys, lobby)
    content = own_data(spec)
    invitation = Invite(lobby, terms, me, nonces, ticket.proof, judge_name, reception.unasked, content)
    shared = room(peer.router, reception, peer.nursery, peer.nearby, peer.examine)

    def changed(seats: int, options: Mapping[str, str]) -> Terms:
        return terms_of(spec, settled(spec, seats, [f"{name}={value}" for name, value in options.items()]), request)

    keep = _keeping(peer, [Wanted(lobby, ticket.meeting())], reception)
    hosting = Hosting(invitation, ticket.meeting().name, shared, levels, changed, keep)
    peer.router.lobby = hosting
    peer.meetings.append(ticket.meeting())
    if shown is not None:
        _show_on_lan(peer, invitation, shown, expiry)
    reception.terms(terms)
    publish(ticket)
    async with trio.open_nursery() as nursery:
        renewing = _Renewing(peer, ticket, publish, reception)
        nursery.start_soon(renewing.run)
        genesis, places = await hosting.gather()
        nursery.cancel_scope.cancel()
    return await begin_table(peer, genesis, places, keys, request, content, str(renewing.ticket)), hosting


def _keeping(peer: Peer, wanted: Sequence[Wanted], reception: Reception) -> Callable[[str], bool]:
    """Return what takes the texts that are meant for this home: answers to its ticket, and its address outside."""
    answers = Answers(peer.reach, peer.identity, peer.nursery, lambda: wanted, reception.tell)

    def keep(text: str) -> bool:
        told = outside.typed(peer.reach, peer.context.folders.config, text)
        if told is not None:
            reception.tell(lambda: told)
        return told is not None or answers.take(text)

    return keep


def _show_on_lan(peer: Peer, invitation: Invite, name: str, expiry: int) -> None:
    """Announce the table to everybody on the LAN, with a secret for asking to join that is not the ticket's."""
    open_ticket = new_ticket(invitation.lobby, peer.identity.public, (), expiry)
    invitation.open_proof = open_ticket.proof
    peer.meetings.append(open_ticket.meeting())

    def note() -> Plain:
        terms = invitation.terms
        if invitation.genesis is not None:
            return None
        return TableOffer(
            terms.game,
            terms.options,
            terms.seats,
            len(invitation.free),
            terms.rules,
            terms.program,
            name,
            invitation.lobby,
            open_ticket.secret,
        ).note()

    peer.reach.note = note


@dataclass(slots=True)
class _Renewing:
    """The ticket of a lobby, published again whenever its addresses have changed.

    Attributes:
        warned: True once it was reported that the home router cannot forward a port.
        reported_relays: the relays whose failure was reported.
    """

    peer: Peer
    ticket: Ticket
    publish: Callable[[Ticket], None]
    reception: Reception
    warned: bool = False
    reported_relays: set[Address] = field(default_factory=set)

    async def run(self) -> None:
        while True:
            await pulse(RENEWED_EVERY)
            if not self.warned and self.peer.reach.behind_another_router():
                self.warned = True
                self.reception.behind_another_router()
            for relay, code in self.peer.reach.troubles().items():
                if relay not in self.reported_relays:
                    self.reported_relays.add(relay)
                    self.reception.relay_trouble(relay, code)
            now = self.peer.reach.candidates()[:MAX_CANDIDATES]
            if set(now) != set(self.ticket.candidates):
                self.ticket = replace(self.ticket, candidates=now)
                self.publish(self.ticket)


def terms_of(spec: GameSpec, agreed: Agreed, request: SeatRequest) -> Terms:
    """The terms of a table: game, options, rules, and a digest of each content file."""
    return Terms(
        spec.id,
        dict(agreed.options),
        agreed.seats,
        spec.rules_id,
        spec.content_id(agreed),
        content_files(spec),
        request.seed is not None,
        PROGRAM,
    )


async def join(
    peer: Peer,
    ticket: Ticket,
    request: SeatRequest | None,
    reception: Reception,
    publish: Callable[[str, bool], None] | None = None,
) -> Seat:
    """Join the ticket's table, or follow it if `request` is None, and wait until it begins.

    publish: shows the answer where no address of the ticket leads to the inviter, and whether it is the first; None to
    give up then.
    """
    keys, nonces = (None, fresh_nonce) if request is None else _keys(request)

    async def sit(taken: tuple[str, ...]) -> Sitter | None:
        if request is None or keys is None:
            return None
        (name, level), *rest = request.players
        named = replace(request, players=((name if request.named else free_name(name, taken), level), *rest))
        return sitter_of(peer.identity, peer.places(), named, keys, ticket.lobby)

    def accept(terms: Terms, content: bytes, link: LiveLink) -> Refusal | None:
        return _acceptable(terms, content, link, request)

    guest = Guest(ticket.inviter, nonces)
    joining = Joining(ticket, guest, room(peer.router, reception, peer.nursery, peer.nearby, peer.examine), accept, sit)
    if publish is not None and not peer.local:
        folder = peer.context.folders.config
        answering = Answering(peer.reach, peer.identity, folder, publish, reception.tell)
        asked = Asked(ticket.lobby, ticket.meeting(), ticket.inviter, ticket.candidates)
        joining.answer_by(partial(answering.run, asked), answering.typed)
    peer.router.lobby = joining
    peer.meetings.append(ticket.meeting())
    peer.reach.wait_at(ticket.relays)
    peer.reach.supervisor.want(ticket.meeting(), ticket.inviter, [*ticket.candidates, *ticket.relays])
    genesis, places = await joining.gather()
    return await begin_table(peer, genesis, places, keys, request, joining.content)


def _keys(request: SeatRequest) -> tuple[TableKeys, Callable[[], bytes]]:
    if request.seed is None:
        return TableKeys.generate(), fresh_nonce
    number, seat = seed_number(request.seed), request.wants[0] if request.wants else 0
    return fixed_keys(number, seat), lambda: fixed_nonce(number, seat)


def seed_number(seed: str) -> int:
    """The number that the text of a test table's seed stands for."""
    return int.from_bytes(H("test seed text", seed)[:6], "big")


def sitter_of(
    identity: SigningKey, places: tuple[Address, ...], request: SeatRequest, keys: TableKeys, lobby: bytes
) -> Sitter:
    """The player who takes a seat. places: the addresses at which others may dial this process."""
    device = "test" if request.seed is not None else platform.node()
    while len(device.encode()) > MAX_DEVICE:
        device = device[:-1]
    certificate = certify(identity, keys.key.public, lobby, device)
    return Sitter(certificate, request.players, request.wants, places)


def _acceptable(terms: Terms, content: bytes, link: LiveLink, request: SeatRequest | None) -> Refusal | None:
    """Why a table cannot be played here: other rules or content, or a test table of another machine, whose dice are
    known."""
    loopback = link.description.startswith((LOOPBACK, "[::1]"))
    if terms.test and (request is None or request.seed is None) and not loopback:
        return Refusal("lobby/test-seed")
    return lacking(terms, content)


def lacking(terms: Terms, content: bytes) -> Refusal | None:
    """What this program lacks to play a table: its rules, its content, or a library."""
    played = played_game(terms, content)
    if not isinstance(played, Refusal):
        return lacking_library(terms.options.get("draws"), terms.seats)
    if played.code != "content/other":
        return played
    ours, theirs = content_files(game(terms.game)), dict(terms.files)
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    return Refusal(played.code, "", (*played.detail, ", ".join(differing) or "?"))


async def begin_table(
    peer: Peer,
    genesis: Genesis,
    places: Places,
    keys: TableKeys | None,
    request: SeatRequest | None,
    content: bytes,
    ticket: str = "",
) -> Seat:
    """Store the table, with its keys and its custom content, before anything is signed. UserError if its seed has made
    the same table here before: its members would sign other entries with the keys of that one."""
    named = {stored.table: str((stored.info or {}).get("name", "")) for stored in peer.store.tables()}
    known = genesis.table in named
    if known and request is not None and request.seed is not None:
        raise lobby_trouble("table/seed-used", (request.seed, named[genesis.table]))
    record = Record(
        named.get(genesis.table) or table_name(genesis, {*named.values()}),
        genesis,
        level=request.level if request is not None else None,
        seed=request.seed if request is not None else None,
        port=peer.reach.listener.port,
        addresses={**places, peer.identity.public: peer.reach.public},
        ticket=ticket,
        local=peer.local,
    )
    if not known:
        await trio.to_thread.run_sync(peer.store.add_table, genesis.table, record.info(), keys, content)
    return Seat(record, keys, new=not known)


def read_ticket(text: str) -> Ticket:
    """The ticket in a text. UserError says what is wrong with it."""
    try:
        return parse_ticket(text, time.time())
    except TicketError as error:
        raise ticket_trouble(error) from error


def seated_identity(context: Context, seat: Seat) -> SigningKey:
    """The identity that has the seat at a table of this home."""
    member = None if seat.keys is None else seat.record.member(seat.keys.key.public)
    if seat.record.seed is None or member is None:
        return own_identity(context).key
    return whoami(context, SeatRequest((), member.seats[:1], seed=seat.record.seed))


async def with_ticket(peer: Peer, seat: Seat) -> Seat:
    """The seat with a new ticket of its table, by which others find this peer."""
    with trio.move_on_after(ROUTER_PATIENCE):
        await peer.reach.asked_router()
    lobby, expiry = seat.record.genesis.members[0].certificate.lobby, int(time.time()) + TICKET_LASTS
    ticket = new_ticket(lobby, peer.identity.public, peer.reach.candidates(), expiry, peer.reach.relayed())
    return replace(seat, record=replace(seat.record, ticket=str(ticket)))


def reopened(peer: Peer, seat: Seat, player: Player) -> Hosting | None:
    """The lobby of a table that this peer opened, for members that missed its start and for spectators."""
    record, genesis = seat.record, seat.record.genesis
    member = None if seat.keys is None else record.member(seat.keys.key.public)
    if not record.ticket or member is None:
        return None
    ticket = parse_ticket(record.ticket)
    peer.reach.wait_at([*peer.reach.relays, *ticket.relays])
    options = {name: value for name, value in genesis.options.items() if isinstance(value, str)}
    terms = Terms(genesis.game, options, genesis.seats, genesis.rules, genesis.content, {}, genesis.test, PROGRAM)
    me = Sitter(member.certificate, tuple((row.name, row.level) for row in member.rows), member.seats, peer.places())
    door = Invite(ticket.lobby, terms, me, fresh_nonce, ticket.proof, judge_name, genesis=genesis)
    door.content = peer.store.content(genesis.table)
    door.places = {**record.addresses, peer.identity.public: peer.places()}
    hosting = Hosting(door, ticket.meeting().name, room(peer.router, Reception(player, unasked=True), peer.nursery))
    peer.router.lobby = hosting
    peer.meetings.append(ticket.meeting())
    return hosting
