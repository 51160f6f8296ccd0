# SPDX-License-Identifier: GPL-3.0-or-later
"""A session at a table by post: reads the bundles, lets the player play, and at a terminal reads what is pasted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from math import inf
from pathlib import Path
from typing import Protocol

import trio

from client.system.errors import UserError
from client.system.names import clipped
from client.system.texts import _, ngettext, pgettext
from client.table.confirmation import newer_elsewhere
from client.table.mail import Mail
from client.table.post import Post, Receipt
from client.table.words import owed_text

Work = Callable[[], None]
Write = Callable[[Post, str], str]
"""Writes a bundle to the file of that name, or as text if the name is empty; returns what to show."""


class Pasting(Protocol):
    """What takes the lines that a person pastes: `mail` once they may be pasted."""

    mail: Mail | None


class LetterReader(Protocol):
    """A person who reads and pastes letters; see `client.table.player.Player`."""

    @property
    def session(self) -> Pasting: ...

    async def confirm(self, question: Callable[[], str]) -> bool: ...

    def show(self, told: Callable[[], str]) -> None: ...


class Correspondent(Protocol):
    """Works on an open table by post; returns when the table may be closed."""

    async def __call__(self, post: Post) -> None: ...


async def read_all(post: Post, tell: Callable[[str], None]) -> None:
    """Read the complete bundles, and report on all that were given."""
    for receipt in await post.read():
        tell(receipt_text(receipt))
    for text in post.letters.missing():
        tell(text)
    for error in post.letters.wrong[post.shown_wrong :]:
        tell(error.whole)
    post.shown_wrong = len(post.letters.wrong)


def unattended(tell: Callable[[str], None], *, newest: bool, bot: bool) -> Correspondent:
    """Read the bundles, sign what is owed if this is the newest copy, and let a bot play."""

    async def correspond(post: Post) -> None:
        await read_all(post, tell)
        if newest and not post.claimants():
            await post.table.do(post.controls.vouch)
        await post.table.at_rest()
        while bot and post.my_turn():
            await post.table.changed()
            await post.table.at_rest()

    return correspond


def attended(player: LetterReader, write: Write, *, newest: bool) -> Correspondent:
    """Read the bundles, ask whether this is the newest copy, then read what the person pastes until they leave or the
    game is over."""

    async def correspond(post: Post) -> None:
        send, receive = trio.open_memory_channel[Work](inf)  # one paste may bring hundreds of parts

        def tell(text: str) -> None:
            player.show(lambda: text)

        def told(name: str) -> None:
            try:
                tell(write(post, name))
            except UserError as error:
                tell(error.whole)

        player.session.mail = Mail(
            lambda text: send.send_nowait(lambda: post.letters.text(text, _("what you pasted"))),
            lambda name: send.send_nowait(lambda: post.letters.file(Path(name))),
            lambda name: send.send_nowait(lambda: told(name)),
        )

        def stand() -> None:
            """Show how the table stands, if that has changed."""
            if standing_text(post, asks=True) != shown[-1]:
                shown.append(standing_text(post, asks=True))
                player.show(partial(standing_text, post, asks=True))

        shown = [""]
        await read_all(post, tell)
        stand()
        player.show(lambda: _("Paste what the others sent, or: read FILE. For what to send them: post, or post FILE."))
        claimants = post.claimants()
        if (newest and not claimants) or (
            post.unsigned() and not newer_elsewhere(post.table) and await player.confirm(partial(_newest, claimants))
        ):
            await post.table.do(post.controls.vouch)
        reading = trio.Lock()

        async def work_on() -> None:
            async for work in receive:
                async with reading:
                    work()
                    await read_all(post, tell)
                    await post.table.at_rest()
                stand()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(work_on)
            while not post.table.lockstep.position.over:
                await post.table.changed()
            async with reading:
                await post.table.at_rest()
            nursery.cancel_scope.cancel()

    return correspond


def _newest(claimants: list[str]) -> str:
    """The question for the person. claimants: the names of those who say that there is a newer copy."""
    question = _(
        "Is this your newest copy of the table? Say no if you have played it on from another copy or machine: "
        "what you send next would contradict what you sent then, with proof."
    )
    return f"{_claimed(claimants)} {question}" if claimants else question


def _claimed(names: list[str]) -> str:
    return _(
        "The last letter from {names} says that there are newer entries of yours than in this copy. "
        "The next letter brings them."
    ).format(names=", ".join(map(clipped, names)))


def receipt_text(receipt: Receipt) -> str:
    """The outcome of reading a bundle, in words."""
    text = ngettext("From {name}: {news} new entry.", "From {name}: {news} new entries.", receipt.news)
    text = text.format(name=receipt.writer, news=receipt.news)
    if receipt.refused:
        text += " " + _("{refused} were refused: they belong to another table.").format(refused=receipt.refused)
    if receipt.behind:
        text += " " + _(
            "{name} holds more than has come: an earlier bundle is missing. Send yours, and the next one brings it all."
        ).format(name=receipt.writer)
    return text


def standing_text(post: Post, *, asks: bool = False) -> str:
    """Whose turn it is, and since when. asks: True if the person is asked whether this is the newest copy."""
    table = post.table
    if table.lockstep.position.over:
        return _("The game is over.")
    since = datetime.fromtimestamp(post.noted().since[1]).astimezone().strftime("%Y-%m-%d %H:%M")
    waited = []
    for key, kind in post.controls.owed().items():
        name, owed = clipped(table.name(key)), owed_text(kind)
        waited.append(pgettext("waits for", "you") if key == table.me else f"{name} ({owed})" if owed else name)
    text = _("Since {since} the table waits for {names}.").format(since=since, names=", ".join(waited))
    if newer_elsewhere(table):
        return (
            text + " " + _("This is an older copy of it: send what is written here, and wait for your newer entries.")
        )
    if not post.unsigned():
        return text
    text += " " + _("Nothing of yours is signed before you say that this is your newest copy.")
    if asks:
        return text
    if claimants := post.claimants():
        return f"{text} {_claimed(claimants)} " + _(
            "If you know better, answer the question of starlock post at a terminal."
        )
    return f"{text} " + _("Say it with --newest.")
