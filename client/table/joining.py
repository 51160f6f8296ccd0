# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a lobby or joins one, and stores the table with its keys before anything is signed."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final

import trio

from client.system.context import Context
from client.system.errors import UserError
from client.system.names import free_name, free_names
from client.system.texts import _
from client.table import outside
from client.table.answering import AnswerTo, TicketAnswering
from client.table.answering import Publish as PublishAnswer
from client.table.answers import Answers, WantedAnswers
from client.table.beginning import content_files, lacking_library
from client.table.content import own_data, played_game
from client.table.doctor import in_the_way
from client.table.guest import Joining
from client.table.home import Seat
from client.table.identity import check_identity, own_identity
from client.table.inviting import Publish, Renewing, ways_of
from client.table.lobby import Hosting, Places, Room, fresh_nonce, judge_name
from client.table.newer_ticket import keeping
from client.table.open_lobby import OpenLobby, new_lobby
from client.table.options import settled
from client.table.peer import LOOPBACK, PROGRAM, Peer
from client.table.player import Player
from client.table.reception import Reception
from client.table.record import Record, table_name
from client.table.words import lobby_trouble, ticket_trouble
from engine.core.agenda import Table as Agreed
from engine.core.dataclass import dataclass, replace
from engine.core.registry import GameSpec, game
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import MAX_DEVICE, TableKeys, certify
from p2p.link.live import LiveLink
from p2p.lobby.guest import Guest
from p2p.lobby.invite import Invite
from p2p.lobby.messages import Sitter, Terms
from p2p.lockstep.genesis import Genesis, fixed_keys, fixed_nonce
from p2p.lockstep.machine import TableRefusal
from p2p.reach.find import TableOffer
from p2p.reach.ticket import LOBBY, Ticket, TicketError, new_ticket, parse_ticket
from p2p.reach.verdict import Cause
from p2p.wire.address import LIBP2P, Address, scheme
from seeds.hashing import H

TICKET_LASTS: Final = 7 * 24 * 3600
UNREACHED: Final = ("link/", "relay/", "libp2p/")
"""How the codes begin that say that the inviter could not be reached."""
MAX_NUMBERED: Final = 20
"""Greatest number that is put behind a name."""


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
    publish: Publish,
    shown: str | None = None,
    levels: Sequence[str] = (),
    opened: OpenLobby | None = None,
) -> tuple[Seat, Hosting]:
    """Open a lobby, find out who can reach it, pass its ticket to `publish`, and wait until the table begins.

    spec: the game, perhaps with custom content.
    shown: the name under which the table is announced on the LAN, empty for no name, None for no announcement.
    levels: the levels of the bots that the inviter lets sit down in the lobby, in turn.
    opened: what is kept of the lobby, None for one that is not kept.
    """
    opened = opened or lobby_of(spec, agreed, request)
    opened.trouble = lambda error: reception.tell(lambda: error.whole)
    refusal = await trio.to_thread.run_sync(lacking_library, agreed.options.get("draws"), agreed.seats)
    if refusal is not None:
        raise lobby_trouble(refusal.code, refusal.detail)
    lobby, before = opened.lobby, opened.before()
    outside.recall(peer.reach, peer.context.folders.config)
    candidates, ways, cause = await ways_of(peer)
    ticket = replace(new_ticket(lobby, peer.identity.public, candidates, opened.expiry, ways), secret=opened.secret)
    keys, nonces, content = opened.keys, _keys(request)[1], own_data(spec)
    terms = await trio.to_thread.run_sync(terms_of, spec, agreed, request)
    me = sitter_of(peer.identity, peer.places(), request, keys, lobby)
    invitation = Invite(lobby, terms, me, nonces, ticket.proof, judge_name, reception.unasked, content)
    shared = Room(peer.router, reception, peer.nursery, nearby=peer.nearby, examine=peer.examine)

    wanted = [WantedAnswers(lobby, ticket.meeting())]
    answers = Answers(peer.reach, peer.identity, peer.nursery, lambda: wanted, reception.tell, opened.answered)
    changed, keep = partial(_changed, spec, request), _keeping(peer, reception, answers)
    hosting = Hosting(invitation, ticket.meeting().name, shared, levels, changed, keep, opened.admitted)
    peer.router.lobby = hosting
    peer.meetings.append(ticket.meeting())
    if shown is not None:
        hosting.announced = _show_on_lan(peer, invitation, shown, opened.expiry, reception)
    reception.terms(terms)

    def shows(ticket: Ticket, cause: Cause, before: Ticket | None) -> None:
        opened.ticket = str(ticket)
        opened.keep()
        publish(ticket, cause, before)

    hosting.noted = partial(_note, opened, invitation)
    shows(ticket, cause, None if ticket == before else before)
    _answer_again(opened, answers)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Renewing(peer, ticket, shows, reception, cause).run)
        genesis, places = await hosting.gather()
        nursery.cancel_scope.cancel()
    seat = await begin_table(peer, genesis, places, keys, request, content, opened.ticket)
    hosting.noted = lambda: None
    opened.forget()
    return seat, hosting


def _changed(spec: GameSpec, request: SeatRequest, seats: int, options: Mapping[str, str]) -> Terms:
    """The terms of the table with other seats and options. UserError."""
    return terms_of(spec, settled(spec, seats, [f"{name}={value}" for name, value in options.items()]), request)


def _note(opened: OpenLobby, invitation: Invite) -> None:
    """Keep who sits here and what is offered."""
    now, sits = invitation.terms, invitation.me
    opened.sits(now.options, now.seats, sits.players, sits.wants)


def _answer_again(opened: OpenLobby, answers: Answers) -> None:
    """Call who sent the answers that are kept, and the one that the lobby is opened with."""
    if kept := opened.open_answers(time.time()):
        answers.open(kept)
    if opened.pasted:
        answers.take(opened.pasted)


def lobby_of(spec: GameSpec, agreed: Agreed, request: SeatRequest) -> OpenLobby:
    """A new lobby. At a test table its id and its key follow from the seed."""
    made = new_lobby(spec.id, dict(agreed.options), agreed.seats, request.players, request.wants, TICKET_LASTS)
    made.level, made.port, made.local, made.content = request.level, request.port, request.local, own_data(spec)
    if request.seed is not None:
        made.lobby, made.keys = H("test lobby", request.seed)[:LOBBY], _keys(request)[0]
    return made


def _keeping(peer: Peer, reception: Reception, answers: Answers) -> Callable[[str], bool]:
    """Return what takes the texts that are meant for this home: answers to its ticket, and its address outside."""

    def keep(text: str) -> bool:
        told = outside.typed(peer.reach, peer.context.folders.config, text)
        if told is not None:
            reception.tell(lambda: told)
        return told is not None or answers.take(text)

    return keep


def _show_on_lan(peer: Peer, invitation: Invite, name: str, expiry: int, reception: Reception) -> bytes:
    """Announce the table to everybody on the LAN, with a secret for asking to join that is not the ticket's. Return the
    name of their meeting."""
    secret = new_ticket(invitation.lobby, peer.identity.public, (), expiry)
    invitation.open_proof = secret.proof

    def offer() -> TableOffer:
        terms = invitation.terms
        return TableOffer(
            terms.game,
            terms.options,
            terms.seats,
            len(invitation.free),
            terms.rules,
            terms.program,
            name,
            invitation.lobby,
            secret.secret,
        )

    meeting = offer().meeting()
    peer.meetings.append(meeting)
    peer.reach.note = lambda: None if invitation.genesis is not None else offer().note()
    word = offer().word
    reception.tell(lambda: _("Others on this network can type: starlock join {word}").format(word=word))
    return meeting.name


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
    publish: PublishAnswer | None = None,
    listed: Sequence[Address] = (),
) -> Seat:
    """Join the ticket's table, or follow it if `request` is None, and wait until it begins.

    publish: shows the answer where no address of the ticket leads to the inviter; None to give up then.
    listed: nodes of the libp2p network where the inviter is looked up if the ticket names no relay.
    """
    keys, nonces = (None, fresh_nonce) if request is None else _keys(request)

    async def sit(taken: tuple[str, ...]) -> Sitter | None:
        if request is None or keys is None:
            return None
        (name, level), *rest = request.players
        named = replace(request, players=((name if request.named else free_name(name, taken), level), *rest))
        return sitter_of(peer.identity, peer.places(), named, keys, ticket.lobby)

    def accept(terms: Terms, content: bytes, link: LiveLink) -> TableRefusal | None:
        return _acceptable(terms, content, link, request)

    def rename(me: Sitter, taken: str, free: tuple[str, ...]) -> Sitter:
        return renamed(me, taken, free, chosen=request is None or request.named)

    guest = Guest(ticket.inviter, nonces)
    shared = Room(peer.router, reception, peer.nursery, nearby=peer.nearby, examine=peer.examine)
    joining = Joining(ticket, guest, shared, accept, sit, rename)
    tried, folder = [*ticket.candidates], peer.context.folders.config
    joining.keep = keeping(peer.reach, folder, ticket, tried, reception.tell)
    if publish is not None and not peer.local:
        answering = TicketAnswering(peer.reach, peer.identity, folder, publish, reception.tell)
        asked = AnswerTo(ticket.lobby, ticket.meeting(), ticket.inviter, tried)

        async def answer() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(partial(_tell_why, peer, ticket, reception, answered=True))
                await answering.run(asked)

        joining.answer_by(answer)
    peer.router.lobby = joining
    peer.meetings.append(replace(ticket.meeting(), called=False))  # the inviter is called there, and no guest
    ways = ticket.relays or tuple(each for each in listed if scheme(each) == LIBP2P and not peer.local)
    joining.slow = any(scheme(each) == LIBP2P for each in ways)
    peer.reach.wait_at(ways)
    peer.reach.supervisor.want(ticket.meeting(), ticket.inviter, [*ticket.candidates, *ways])
    try:
        genesis, places = await joining.gather()
    except UserError as error:
        if error.code.startswith(UNREACHED) and not peer.local:
            await _tell_why(peer, ticket, reception, answered=False)
        raise
    return await begin_table(peer, genesis, places, keys, request, joining.content)


async def _tell_why(peer: Peer, ticket: Ticket, reception: Reception, *, answered: bool) -> None:
    """Show what stands in the way of a ticket that leads nowhere. answered: True if its answer is shown."""
    lines = await in_the_way(peer.reach, ticket, answered=answered)
    reception.tell(lambda: "\n".join(lines))


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


def renamed(me: Sitter, taken: str, free: Sequence[str], *, chosen: bool) -> Sitter:
    """The request for seats with a free name in the place of one that is taken. UserError if it is the name that the
    person chose, or if there is no free one. free: what the inviter says; only the name with a number counts."""
    at = next((place for place, (name, _level) in enumerate(me.players) if name == taken), 0)
    name, level = me.players[at]
    numbered = [each for each in free if each in islice(free_names(name, [name]), MAX_NUMBERED - 1)]
    if not numbered or (chosen and (at == 0 or level is None)):
        raise lobby_trouble("lobby/name-taken", (taken, ", ".join(numbered) or "…"))
    players = list(me.players)
    players[at] = numbered[0], level
    return replace(me, players=tuple(players))


def _acceptable(terms: Terms, content: bytes, link: LiveLink, request: SeatRequest | None) -> TableRefusal | None:
    """Why a table cannot be played here: other rules or content, or a test table of another machine, whose dice are
    known."""
    loopback = link.description.startswith((LOOPBACK, "[::1]"))
    if terms.test and (request is None or request.seed is None) and not loopback:
        return TableRefusal("lobby/test-seed")
    return lacking(terms, content)


def lacking(terms: Terms, content: bytes) -> TableRefusal | None:
    """What this program lacks to play a table: its rules, its content, or a library."""
    played = played_game(terms, content)
    if not isinstance(played, TableRefusal):
        return lacking_library(terms.options.get("draws"), terms.seats)
    if played.code != "content/other":
        return played
    ours, theirs = content_files(game(terms.game)), dict(terms.files)
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    return TableRefusal(played.code, "", (*played.detail, ", ".join(differing) or "?"))


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
        quiet=peer.quiet,
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
    """The identity that has the seat at a table of this home. UserError `home/identity` if it is not here."""
    check_identity(context, seat.record, seat.keys)
    member = None if seat.keys is None else seat.record.member(seat.keys.key.public)
    if seat.record.seed is None or member is None:
        return own_identity(context).key
    return whoami(context, SeatRequest((), member.seats[:1], seed=seat.record.seed))


async def with_ticket(peer: Peer, seat: Seat) -> Seat:
    """The seat with a new ticket of its table, by which others find this peer; the store keeps it before anybody has
    it."""
    candidates, ways, _cause = await ways_of(peer)
    lobby, expiry = seat.record.genesis.members[0].certificate.lobby, int(time.time()) + TICKET_LASTS
    ticket = new_ticket(lobby, peer.identity.public, candidates, expiry, ways)
    record = replace(seat.record, ticket=str(ticket))
    await trio.to_thread.run_sync(peer.store.note, record.genesis.table, record.info())
    return replace(seat, record=record)


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
    hosting = Hosting(door, ticket.meeting().name, Room(peer.router, Reception(player, unasked=True), peer.nursery))
    peer.router.lobby = hosting
    peer.meetings.append(ticket.meeting())
    return hosting
