# SPDX-License-Identifier: GPL-3.0-or-later
"""A table by post: bundles are read, the table goes on as far as it can, and one bundle for all the others is written.

It is the same table as in live play, with the same store, lockstep and exchange, but without links. A bundle is
processed like messages of a link. The lockstep signs by itself what needs no decision (seeds, shares, shuffles), after
the person has said that this is the newest copy of the table. A bundle cannot confirm that, because it may be old.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from time import time

import trio

from client.system.context import Context
from client.system.errors import CHECK_FAILED, UserError
from client.system.texts import _
from client.table.agreed import WaitMeasure
from client.table.checked import split
from client.table.confirmation import newer_elsewhere
from client.table.controls import RunningControls
from client.table.divergence import Divergence
from client.table.home import Seat
from client.table.identity import own_identity
from client.table.letters import Letters
from client.table.noted import standing
from client.table.peer import keep_read, restored
from client.table.player import Player
from client.table.record import Record
from client.table.reminders import remind
from client.table.responder import Responder
from client.table.result import Result, keep_star, result_of
from client.table.router import NoLinks
from client.table.runtime import RunningTable
from client.table.thinker import Bots, Thinker, bot_seed
from engine.core.dataclass import dataclass, replace
from p2p.log.store import Store
from p2p.sync.bundle import Bundle, Known, lacked, shown_known, write_bundle
from p2p.wire.codec import decode, encode
from p2p.wire.entry import Entry
from p2p.wire.messages import Lobby


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of reading a bundle.

    Attributes:
        writer: the name of its author.
        news: how many entries were new.
        refused: how many of its entries do not belong to this table.
        behind: True if the writer holds more than came.
    """

    writer: str
    news: int
    refused: int
    behind: bool


@dataclass(slots=True)
class Post:
    """A table that is played by post.

    Attributes:
        record: the record of the table in this home.
        letters: the bundles and letters given so far.
        divergence: compares states with those of the others.
        shown_wrong: how many of the letters that could not be read were reported.
    """

    table: RunningTable
    seat: Seat
    controls: RunningControls
    record: Record
    letters: Letters
    divergence: Divergence
    shown_wrong: int = 0

    # In --------------------------------------------------------------------------------------------------------------

    async def read(self) -> list[Receipt]:
        """Read all complete bundles. The troubles with the rest are in `letters.wrong`."""
        receipts = []
        for what, bundle in self.letters.whole():
            try:
                receipts.append(await self._take(what, bundle))
            except UserError as error:
                self.letters.wrong.append(error)
        return receipts

    async def _take(self, what: str, bundle: Bundle) -> Receipt:
        table, key = self.table, bundle.writer
        lockstep = table.lockstep
        if bundle.have.table != lockstep.genesis.table:
            raise UserError(
                "bundle/other-table",
                _("{what} belongs to another table ({table}).").format(what=what, table=bundle.have.table.hex()[:8]),
                _("Nothing was taken from it. Your tables: starlock tables"),
                CHECK_FAILED,
            )
        if key not in lockstep.position.roster:
            raise UserError(
                "bundle/stranger",
                _("{what} was written by somebody who does not play at this table.").format(what=what),
                _("Nothing was taken from it. Ask one of the players for a bundle."),
                CHECK_FAILED,
            )
        before, refused, link = len(lockstep.feeds.entries), 0, f"post-{key.hex()[:8]}"
        await table.do(lambda: table.exchange.opened(link, table.identity(key)))
        for part in (part for push in bundle.pushes for part in split(push)):
            received = await table.do(
                lambda part=part: table.exchange.received(link, part, trio.current_time())  # type: ignore[misc]
            )
            refused += len(received.errors)
        await table.do(lambda: table.exchange.closed(link))
        await self.note(bundle)
        mine = lockstep.feeds.have()
        behind = any(seq > mine.get(author, (-1, b""))[0] for author, seq in bundle.known().items())
        return Receipt(table.name(key), len(lockstep.feeds.entries) - before, refused, behind)

    async def note(self, bundle: Bundle) -> None:
        """Remember what the author of a bundle holds, unless a later statement is known."""
        key, said = bundle.writer, min(bundle.made, int(time()))
        if key == self.table.me or said < self.record.held.get(key, (0, {}))[0]:
            return
        words = {**self.record.differing, key: [(word.kind, encode(word.body)) for word in bundle.words]}
        held = {**self.record.held, key: (said, bundle.known())}
        self.record = replace(self.record, held=held, differing={each: told for each, told in words.items() if told})
        await self.table.do(lambda: self.divergence.read(key, bundle.words))
        self.table.held[f"post-{key.hex()}"] = bundle.have
        if self.table.voice is not None and newer_elsewhere(self.table):
            self.table.voice.older()

    # Out -------------------------------------------------------------------------------------------------------------

    def known(self) -> dict[bytes, Known]:
        """The entries that each other member is known to hold, by its statements or its own entries."""
        others = [key for key in self.table.lockstep.position.roster if key != self.table.me]
        said = {key: known for key, (_at, known) in self.record.held.items()}
        return {key: said[key] if key in said else shown_known(self.table.lockstep, key) for key in others}

    def lacked(self) -> list[Entry]:
        """The entries that somebody else may lack."""
        return lacked(self.table.lockstep, list(self.known().values()))

    def needed(self) -> bool:
        """True if somebody may wait for a bundle of this home: it owes something, it has said what nobody else is known
        to hold, or it lacks something itself. All else that it holds came by letters to all."""
        table, known = self.table, list(self.known().values())
        lockstep, mine = table.lockstep, table.lockstep.feeds.have()
        if table.me is None or lockstep.position.over or table.me in lockstep.debts():
            return True
        new = any(all(each.seq > held.get(each.author, -1) for held in known) for each in lockstep.feeds.feed(table.me))
        behind = any(seq > mine.get(author, (-1, b""))[0] for held in known for author, seq in held.items())
        return bool(new or behind or newer_elsewhere(table) or self.divergence.found)

    def bundle(self) -> bytes:
        """A bundle with all that somebody may lack. UserError when this home only follows the table, or for too many
        entries."""
        keys = self.seat.keys
        if keys is None:
            raise UserError("table/following", _("You only follow this table."), _("Its players write bundles."))
        try:
            return write_bundle(self.table.lockstep, keys.key, int(time()), self.lacked(), self.divergence.words())
        except ValueError as error:
            raise UserError(
                "bundle/large",
                _("The others lack too much for one bundle."),
                _("Write the whole table with starlock export; they take it with starlock import."),
            ) from error

    # How it stands --------------------------------------------------------------------------------------------------

    def unsigned(self) -> bool:
        """True while nothing is signed here because the person has not said that this copy is the newest."""
        return self.table.voice is not None and self.table.voice.unconfirmed

    def claimants(self) -> list[str]:
        """The names of the members whose last letter, whenever it was read, says that they hold newer entries of this
        member than this home does."""
        me, end = self.table.me or b"", len(self.table.lockstep.feeds.feed(self.table.me or b""))
        return [self.table.name(key) for key, (_at, known) in self.record.held.items() if known.get(me, -1) >= end]

    def my_turn(self) -> bool:
        """True if a seat here owes an answer and may give it."""
        voice = self.table.voice
        return voice is not None and voice.mute is None and bool(voice.owing().get(voice.me or b""))

    def noted(self) -> Record:
        """The current record of the table."""
        record = standing(self.table, self.record)
        if not self.table.lockstep.position.over:
            return replace(record, state="playing", lacking=())
        if record.state == "finished":
            return record
        signed = {key for key, entry in self.table.lockstep.results.items() if entry.head == self._head()}
        lacking = tuple(
            key for key, known in self.known().items() if key not in signed or lacked(self.table.lockstep, [known])
        )
        result = self.result()
        text = "" if result is None else result.text()
        return replace(record, state="over" if lacking else "finished", lacking=lacking, result=text)

    def _head(self) -> bytes:
        return self.table.lockstep.position.head

    def result(self) -> Result | None:
        """The result once the game is over."""
        return result_of(self.table.lockstep, 0.0, 0) if self.table.lockstep.position.over else None


async def by_post(
    context: Context,
    store: Store,
    seat: Seat,
    player: Player,
    letters: Letters,
    correspond: Callable[[Post], Awaitable[None]],
    *,
    plays: bool,
    level: str | None = None,
) -> Post:
    """Open a table without links, let `correspond` work on it, and close it when that returns or the player leaves.
    plays: True if the player answers. level: that of the bot that plays for the user, None for a person."""
    table = await restored(store, NoLinks(), context.log, seat, player)
    divergence = Divergence(table, context.folders.logs)
    signer = own_identity(context).key if seat.keys is None else seat.keys.key
    save = partial(keep_star, context.folders.data, seat.record.name, table.lockstep, signer)
    record = replace(seat.record, by_post=True)
    post = Post(table, seat, RunningControls(table, table.finish, save=save), record, letters, divergence)
    WaitMeasure(table, lambda: post.record.since)
    table.level = level
    thinker = Thinker(context.log)
    player.sit(post.controls)
    remind(table)
    for key, words in seat.record.differing.items():
        divergence.read(key, [Lobby(kind, decode(body)) for kind, body in words])

    async def run() -> None:
        await correspond(post)
        table.finish()

    async with trio.open_nursery() as nursery:
        if table.voice is not None and seat.keys is not None and plays:
            bots = Bots(table, thinker, bot_seed(seat.keys.secret, table.lockstep.genesis.table), post.controls)
            Responder(table, table.voice, player, nursery, person=True, bots=bots)
        nursery.start_soon(run)
        try:
            await table.run(seat.new)
        finally:
            nursery.cancel_scope.cancel()  # first, so that no stand-in answers for a bot that is ended in thought
            await thinker.end()
    post.record = post.noted()
    await table.writer.note(post.record.info())
    await keep_read(table, store, seat, doubted=divergence.found)
    return post
