# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives this home a new key at a table where its identity sits, with the old table secret if it is found."""

from __future__ import annotations

from typing import Final

import trio

from client.system.errors import UserError
from client.system.texts import _
from client.table.home import Seat
from client.table.peer import Peer, reach_out
from client.table.player import Player
from client.table.record import Record, sound_record
from client.table.slips import Asking
from client.table.snapshot import forget
from engine.core.dataclass import replace
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys
from p2p.log.store import Store, StoreError

PATIENCE: Final = 20.0
"""Seconds for which the slip of this identity is waited for."""


def _held(store: Store, record: Record) -> TableKeys | None:
    """The key and secret in this home, None if there are none, they are damaged or of no seat there: then the others
    may hold the slip."""
    try:
        keys = store.keys(record.genesis.table)
    except StoreError as error:
        if error.code != "store/keys":
            raise
        return None
    return None if keys is None or record.member(keys.key.public) is None else keys


def _noted(store: Store, record: Record) -> Record:
    """The record with all that this home has noted of the table before: whoever asks for it by a ticket again may have
    moved already, or seen the end."""
    (stored,) = (stored for stored in store.tables() if stored.table == record.genesis.table)
    known = sound_record(stored)
    return replace(known, addresses={**known.addresses, **record.addresses}, port=record.port, local=record.local)


async def _check_replaced(player: Player, name: str, replaces: bool | None) -> None:
    """Raise UserError `recover/key-kept` unless the key of this home may be forgotten: no other has it."""
    if replaces is None:
        replaces = await player.confirm(
            lambda: _(
                "The key of your seat at {name} is here and sound. A new one replaces it for good, before the others "
                "have agreed: if they decline, your seat is lost. Replace it?"
            ).format(name=name)
        )
    if not replaces:
        raise UserError(
            "recover/key-kept",
            _("Nothing was changed: the key of your seat at {name} is here and sound.").format(name=name),
            _(
                "Go on with it: starlock resume {name}. Where a step of yours is lost, replace it: "
                "starlock recover {name} --yes"
            ).format(name=name),
        )


async def recovered(peer: Peer, seat: Seat, player: Player, asking: Asking, *, replaces: bool | None = None) -> Seat:
    """Store a new key for the table, which forgets the old one. UserError if this identity has no seat there, the game
    is over, nobody else sits there, or the person wants neither to replace a sound key nor to go on without its hand.

    replaces: whether a sound key is replaced; None to ask the person.
    """
    record, genesis = await trio.to_thread.run_sync(_noted, peer.store, seat.record), seat.record.genesis
    me = peer.identity.public
    mine = next((member for member in genesis.members if member.certificate.identity == me), None)
    if mine is None:
        raise UserError(
            "recover/no-seat",
            _("Your identity has no seat at table {name}.").format(name=record.name),
            _("Your identity is in one key file: starlock keys. Put the one back that you sat down with."),
        )
    if record.result:
        raise UserError(
            "recover/over",
            _("Table {name} is over: there is nothing to go on with.").format(name=record.name),
            _("See how it ended: starlock resume {name}").format(name=record.name),
        )
    if len(genesis.members) == 1:
        raise UserError(
            "recover/alone",
            _("Nobody else sits at table {name} who could agree to a new key.").format(name=record.name),
            _(
                "Go on with the one of this home: starlock resume {name}. Where that is damaged, put the folder “data” "
                "back from a backup."
            ).format(name=record.name),
        )
    held = await trio.to_thread.run_sync(_held, peer.store, record)
    if held is not None:
        await _check_replaced(player, record.name, replaces)
    secret = None if held is None else held.secret
    if secret is None and genesis.sealed:
        player.show(lambda: _("Asking the others for the slip that keeps your hand …"))
        reach_out(peer, record)
        secret = await asking.secret(genesis, PATIENCE)
        if secret is None and not await player.confirm(
            lambda: _("Nobody in reach has your slip. Go on without the cards that only you can read?")
        ):
            raise UserError(
                "recover/no-slip",
                _("Nothing was changed."),
                _("Try again when a friend is there who has played with you since the table began."),
            )
    keys = TableKeys(SigningKey.generate(), secret or TableKeys.generate().secret)
    moved = replace(record, state="playing", moved=(keys.key.public, mine.key))
    forget(peer.store.disk.path.parent, genesis)  # first: a process that ends here leaves none of the old key
    await trio.to_thread.run_sync(peer.store.go_on, genesis.table, moved.info(), keys)
    return Seat(moved, keys, new=True)
