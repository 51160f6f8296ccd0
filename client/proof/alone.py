# SPDX-License-Identifier: GPL-3.0-or-later
"""Goes on alone from a table whose others are silent: a new table of one member, which names the old one.

The new table begins at the position that was open in the log of this home. Bots of this machine sit in the seats of the
others. The member keeps the cards that it knows, of the game or of its own hand; every other face-down card is drawn
anew from what its deck can hold, so nothing of the hands of the others is used, known or not. A secret choice of
somebody else that is not opened yet becomes the stand-in's. The old table stays as it is: other keys sign here, and
what they sign counts there for nothing.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Final, cast

from client.proof.dealt import dealer_at
from client.proof.recording import Cards, Recording
from client.system.errors import UserError
from client.system.texts import _
from client.table.beginning import beginning
from engine.core.cards import SEALS
from engine.core.dataclass import dataclass
from engine.core.match import Match
from engine.core.values import Handle, Plain
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.genesis import NONCE, Genesis, Member, Origin, Row
from p2p.reach.ticket import LOBBY
from p2p.wire.codec import Value
from p2p.wire.content import content_name

DEVICE: Final = "alone"


@dataclass(frozen=True, slots=True)
class Alone:
    """A new table.

    Attributes:
        content: what its store keeps in place of custom content, see `client.table.beginning.beginning`.
    """

    genesis: Genesis
    keys: TableKeys
    content: bytes


def goes_on(recording: Recording, identity: SigningKey, me: bytes, level: str, content: bytes) -> Alone:
    """The table that goes on from the last position of a recorded one. UserError if nothing can go on there.

    me: the table key of this member at the old table.
    level: the level of the bots in the seats of the others.
    content: the custom content of the old table, empty without any.
    """
    walk, at = recording.walk, len(recording.steps) - 1
    old, position = walk.genesis, walk.table.position
    mine = {seat for seat, key in position.owner.items() if key == me}
    if walk.complete or not mine:
        raise UserError(
            "alone/nothing",
            _("Nobody can go on alone here: the table is over, or no seat of it is yours."),
            _("Your tables: starlock tables"),
        )
    match = recording.match(at).clone()
    match.inbox = {}  # answers to a question that others have not answered are asked for again
    cards, seen = _cards(recording, match, at, mine)
    rows = [_row(row, level, mine=row.seat in mine) for member in old.members for row in member.rows]
    keys = TableKeys.generate()
    certificate = certify(identity, keys.key.public, secrets.token_bytes(LOBBY), DEVICE)
    member = Member(certificate, tuple(sorted(rows, key=lambda row: row.seat)), secrets.token_bytes(NONCE))
    options = {**old.options, **({"draws": "open"} if "draws" in old.options else {})}
    begins = beginning(content, match)
    origin = Origin(old.table, position.height, position.head, content_name(begins), cards, seen)
    genesis = Genesis(
        old.game, options, old.rules, old.content, (member,), position=match.digest(), origin=origin, test=old.test
    )
    return Alone(genesis, keys, begins)


def _row(row: Row, level: str, *, mine: bool) -> Row:
    """The seat as it is played from here on."""
    return row if mine else Row(row.seat, row.name, level if row.level is None else row.level)


def _cards(
    recording: Recording, match: Match, at: int, mine: set[int]
) -> tuple[tuple[tuple[tuple[str, int], Value], ...], tuple[tuple[int, tuple[str, int]], ...]]:
    """The face-down cards with their faces, and who has seen which."""
    cards = _known(recording, at, mine)
    dealer = dealer_at(recording, at, secrets.token_hex(16), cards)
    gone = {card for step, _new, mixed in cards.shuffled if step <= at for card in mixed if isinstance(card, Handle)}
    opened = {handle for handle, (step, _face) in cards.shown.items() if step <= at and handle.deck == SEALS}
    laid = {handle: face for handle, face in dealer.faces.items() if handle not in gone | opened}
    faces = {handle: json.loads(str(face)) if handle.deck == SEALS else face for handle, face in laid.items()}
    own = {handle: seat for seat, handle in _sealed_by(match, mine)}
    seen = {(seat, handle) for step, seat, handles in cards.dealt if step <= at for handle in handles}
    seen |= {(seat, handle) for handle, seat in own.items()}
    return (
        tuple(sorted(((handle.deck, handle.index), cast("Value", face)) for handle, face in faces.items())),
        tuple(sorted((seat, (handle.deck, handle.index)) for seat, handle in seen if handle in faces)),
    )


def _known(recording: Recording, at: int, mine: set[int]) -> Cards:
    """What the log shows of face-down cards, with the faces alone that this member may know: what all have seen by now,
    and what was dealt or shown to its own seats."""
    cards = recording.cards
    held = {handle for step, seat, handles in cards.dealt if step <= at and seat in mine for handle in handles}
    held |= {handle for _seat, handle in _sealed_by(recording.match(at), mine)}
    own: Mapping[Handle, Plain] = {handle: face for handle, face in cards.own.items() if handle in held}
    return Cards(cards.shuffled, cards.dealt, cards.shown, cards.sealed, dict(own))


def _sealed_by(match: Match, seats: set[int]) -> list[tuple[int, Handle]]:
    """The unopened secret choices of these seats."""
    return [(int(seat), Handle(SEALS, int(index))) for index, seat, *_ in match.g.decks.seals if int(seat) in seats]
