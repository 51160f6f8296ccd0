# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of a table, for people and for programs, and its .star file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from client import __version__
from client.show.styled import padded
from client.system.files import unwritable
from client.system.names import columns, member_name
from client.system.texts import _, ngettext
from client.table.beginning import beginning
from client.table.content import own_data
from client.table.machine import GameMachine
from client.table.people import name_at
from engine.core.dataclass import dataclass
from engine.core.registry import Score
from p2p.identity.keys import SigningKey
from p2p.lockstep.follower import Follower
from p2p.log.starfile import pack_star
from p2p.wire.entry import Attachment


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes:
        ending: "played", or the code of the pact that ended the game.
        scores: totals by seat.
        ranks: places by seat.
        names: names by seat.
        unsigned: names of the members present at the end that have not signed it.
        digests: the digest of the final state that each member present signed, in the order of the roster.
    """

    game: str
    table: str
    players: int
    names: tuple[str, ...]
    draws: str
    test: bool
    ending: str
    entries: int
    rolls: int
    decisions: int
    height: int
    seconds: float
    bytes_sent: int
    digest: str
    digests: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    unsigned: tuple[str, ...] = ()

    @property
    def alike(self) -> bool:
        """True if no member signed a different final state. A spectator may lack some signatures."""
        return {self.digest, *self.digests} == {self.digest}

    def fields(self) -> dict[str, object]:
        """Its form for programs."""
        return asdict(self)

    @classmethod
    def read(cls, text: str) -> Self:
        """Inverse of `text()`."""
        fields: dict[str, Any] = json.loads(text)
        for name, value in fields.items():
            fields[name] = tuple(value) if isinstance(value, list) else value
        return cls(**fields)

    def text(self) -> str:
        """One line to be stored."""
        return json.dumps(self.fields(), separators=(",", ":"))

    def shown(self) -> str:
        """For people: places, points and numbers."""
        order = sorted(range(self.players), key=lambda seat: (self.ranks[seat], seat))
        width = max(map(columns, self.names))
        names = [padded(name, width) for name in self.names]
        rows = [f"  {self.ranks[seat]:>2}.  {names[seat]}  {self.scores[seat]:>4}" for seat in order]
        numbers = counts_text(self.entries, self.rolls, self.decisions)
        if self.bytes_sent:  # not by post
            told = _("{counts}; {seconds:.1f} s, {kilobytes} kB sent")
            numbers = told.format(counts=numbers, seconds=self.seconds, kilobytes=self.bytes_sent // 1000)
        if self.unsigned:
            rows.append(_("The end is not confirmed by {names}.").format(names=", ".join(self.unsigned)))
        return "\n".join([*rows, numbers, _("Final state {digest}").format(digest=self.digest)])


def counts_text(entries: int, rolls: int, decisions: int) -> str:
    """How much a table has played."""
    parts = (
        ngettext("{n} entry", "{n} entries", entries).format(n=entries),
        ngettext("{n} roll", "{n} rolls", rolls).format(n=rolls),
        ngettext("{n} decision", "{n} decisions", decisions).format(n=decisions),
    )
    return ", ".join(parts)


def result_of(table: Follower, seconds: float, bytes_sent: int) -> Result:
    """The result of a table that is over."""
    genesis, position, machine = table.genesis, table.position, table.machine
    assert isinstance(machine, GameMachine)
    scores: Sequence[Score] = sorted(machine.spec.scores(machine.match.g), key=lambda score: score.seat)
    answers = [entry.body for entry in table.feeds.entries if entry.kind == "answer"]
    signed = [table.results[key] for key in position.roster if key in table.results]
    return Result(
        game=genesis.game,
        table=genesis.table.hex(),
        players=genesis.seats,
        names=tuple(name_at(position, seat) for seat in range(genesis.seats)),
        draws=str(genesis.options.get("draws", "open")),
        test=genesis.test,
        ending=position.ended or "played",
        entries=len(table.hearing.log),
        rolls=len(position.chance.rolls),
        decisions=sum(_count(body) for body in answers) + sum(e.kind == "seal" for e in table.feeds.entries),
        height=position.height,
        seconds=round(seconds, 3),
        bytes_sent=bytes_sent,
        digest=position.state.hex(),
        digests=tuple(entry.state.hex() for entry in signed if entry.head == position.head),
        scores=tuple(score.total for score in scores),
        ranks=tuple(score.rank for score in scores),
        unsigned=tuple(member_name(position.roster[key].rows) for key in table.reading.unsigned),
    )


def _count(body: object) -> int:
    match body:
        case [_, list(values)]:
            return len(values)
    return 0


def keep_star(data: Path, name: str, table: Follower, key: SigningKey) -> Path:
    """Write the game so far, without the chat, to `games/NAME.star` in the data folder, and return the path. UserError
    when that fails."""
    path = data / "games" / f"{name}.star"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error, _("Free some space, or make the folder writable.")) from error
    save_star(path, table, key, chat=False)
    return path


def save_star(path: Path, table: Follower, key: SigningKey, *, chat: bool = True) -> None:
    """Write the table to a .star file in one step, signed by this key. Its folder must exist. UserError when that
    fails."""
    write_whole(path, star_bytes(table, key, table.texts if chat else {}))


def star_bytes(table: Follower, key: SigningKey, texts: Mapping[bytes, Attachment]) -> bytes:
    """The table as the bytes of a .star file, signed by this key, with these chat texts."""
    machine = table.machine
    assert isinstance(machine, GameMachine)
    return pack_star(
        [(entry, texts.get(entry.id)) for entry in table.hearing.log],
        key=key.private,
        height=table.position.height,
        head=table.position.head,
        program=__version__,
        content=_content(table, machine),
    )


def _content(table: Follower, machine: GameMachine) -> bytes:
    """What the table keeps of its content, and of its beginning if it goes on from another table."""
    first, content = table.position.history.machine_at(0), own_data(machine.spec)
    assert isinstance(first, GameMachine)
    return content if table.genesis.origin is None else beginning(content, first.match)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step. Its folder must exist. UserError when that fails."""
    half = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        half.write_bytes(data)
        os.replace(half, path)
    except OSError as error:
        with suppress(OSError):
            half.unlink()
        raise unwritable(path, error, _("Name another file; the table itself is safe.")) from error
