# SPDX-License-Identifier: GPL-3.0-or-later
"""The private knowledge of a seat of this home: its cards and its secret choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from client.proof.audit import machine_of
from client.proof.walk import Walk
from client.show.styled import owner_letter
from client.system.errors import UserError
from client.system.texts import _
from engine.core.values import Handle, Plain
from p2p.lockstep.follower import Follower
from p2p.lockstep.member_secrets import MemberSecrets

if TYPE_CHECKING:
    from p2p.log.store import Peeked


def own_seat(word: str, walk: Walk, kept: Peeked) -> int:
    """The seat of this home with this letter or name. UserError for any other."""
    own = own_seats(walk, kept)
    for seat in own:
        if word.upper() == owner_letter(seat) or word.lower() == walk.names[seat].lower():
            return seat
    mine = ", ".join(f"{owner_letter(seat)} {walk.names[seat]}" for seat in own)
    raise UserError(
        "report/eyes",
        _("“{seat}” is no seat of yours at this table.").format(seat=word),
        _("Yours: {seats}").format(seats=mine) if mine else _("You only watched this table."),
    )


def own_seats(walk: Walk, kept: Peeked) -> Sequence[int]:
    """The seats of this home, () for a spectator's."""
    member = None if kept.keys is None else walk.genesis.member(kept.keys.key.public)
    return () if member is None else member.seats


def known(seat: int, walk: Walk, kept: Peeked) -> list[tuple[int, str]]:
    """(height, text) for what was dealt or shown to the seat, and for what it sealed."""
    return sorted(_told(seat, walk, _read_again(walk, kept)))


def read_by(walk: Walk, kept: Peeked) -> dict[Handle, Plain]:
    """The faces of all cards that the seats of this home were dealt or shown."""
    table = _read_again(walk, kept)
    faces: dict[Handle, Plain] = {}
    for look in table.position.chance.looks:
        faces |= {Handle(*handle): cast("Plain", card) for handle, card in look.cards if card is not None}
    return faces


def _read_again(walk: Walk, kept: Peeked) -> Follower:
    """The table, replayed with the secrets of this home."""
    assert kept.keys is not None
    genesis = walk.genesis
    member_secrets = MemberSecrets(kept.keys.secret, genesis.table, kept.keys.key.public, {})
    table = Follower(genesis, machine_of(genesis, kept.content), member_secrets)
    table.restore(kept.entries)
    return table


def _told(seat: int, walk: Walk, table: Follower) -> Iterator[tuple[int, str]]:
    chance, name = table.position.chance, walk.names[seat]
    for look in chance.looks:
        cards = [walk.display_names(str(card)) for _handle, card in look.cards if card is not None]
        if look.seat == seat and cards:
            deck = walk.display_names(look.cards[0][0][0])
            yield look.height, _("{name} sees {cards} ({deck}).").format(name=name, cards=", ".join(cards), deck=deck)
    for height, author, _handle, choice in chance.kept:
        if author == seat and choice is not None:
            yield (
                height,
                _("{name} seals a choice: {choice}.").format(name=name, choice=walk.display_names(str(choice))),
            )
