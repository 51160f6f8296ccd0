# SPDX-License-Identifier: GPL-3.0-or-later
"""The record that this home keeps of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, Self, cast

from client.system.errors import UserError
from client.system.texts import _
from engine.core.dataclass import dataclass, field
from p2p.lockstep.genesis import Genesis, Member
from p2p.reach.lines import TicketError
from p2p.reach.whereabouts import Whereabouts
from p2p.wire.address import Address
from p2p.wire.codec import Plain, Value, WireError

if TYPE_CHECKING:
    from p2p.log.store import StoredTable

State = Literal["playing", "over", "finished", "left"]
STATES: Final[tuple[State, ...]] = ("playing", "over", "finished", "left")

Addresses = Mapping[bytes, tuple[Address, ...]]
"""By identity key: the addresses to dial, the best first."""

Held = tuple[int, Mapping[bytes, int]]
"""When a member stated it, in seconds since 1970 by the member's clock, and the last seq that it holds of each
author."""

_Said = tuple[bytes, int, list[tuple[bytes, int]]]


@dataclass(frozen=True, slots=True)
class Record:
    """One table of this home, as the store keeps it in `info`.

    Attributes:
        name: for people, unique in this home.
        state: playing, over (somebody may lack entries), finished (all have all), left.
        level: the level of the bot that plays here, None for a person.
        seed: the seed of a test table.
        port: the port that was listened on.
        local: True for a table on this machine alone.
        addresses: the addresses of members, and those that the user gave for this home.
        ticket: the invitation that admits others (host).
        round: the number of the last round.
        to_move: names of those waited for.
        lacking: table keys of members who may lack entries once it is over, or who have not heard that it was left.
        result: once it is over, the output of `--json`.
        held: by table key, what each member last stated to hold.
        differing: by table key, what each member's last bundle says of states that differ: kinds and encoded bodies.
        by_post: True if it was played by post last.
        since: the open height, and when it was first seen here, in seconds since 1970.
        moved: the table key of this home that goes on for a key of the genesis, and that key; None for the key of the
            genesis itself.
        whereabouts: the newest addresses that members have signed, unchecked.
    """

    name: str
    genesis: Genesis
    state: State = "playing"
    level: str | None = None
    seed: str | None = None
    port: int = 0
    local: bool = False
    quiet: bool = False
    addresses: Addresses = field(default_factory=dict)
    ticket: str = ""
    round: int = 0
    to_move: tuple[str, ...] = ()
    lacking: tuple[bytes, ...] = ()
    result: str = ""
    held: Mapping[bytes, Held] = field(default_factory=dict)
    differing: Mapping[bytes, Sequence[tuple[str, bytes]]] = field(default_factory=dict)
    by_post: bool = False
    since: tuple[int, int] = (0, 0)
    moved: tuple[bytes, bytes] | None = None
    whereabouts: tuple[Whereabouts, ...] = ()

    def member(self, key: bytes) -> Member | None:
        """The member of the genesis that a table key of this home stands for, None for a key of no seat."""
        new, old = self.moved or (b"", b"")
        return self.genesis.member(old if key == new else key)

    @property
    def over_for_all(self) -> bool:
        """True if every member has every entry, so that only the result is left to look at."""
        return self.state == "finished" or (self.state == "left" and bool(self.result) and not self.lacking)

    def info(self) -> Mapping[str, Plain]:
        """Its stored form."""
        return {
            "name": self.name,
            "genesis": self.genesis.body(),
            "state": self.state,
            "level": self.level,
            "seed": self.seed,
            "port": self.port,
            "local": self.local,
            "quiet": self.quiet,
            "addresses": [[identity, list(known)] for identity, known in self.addresses.items()],
            "ticket": self.ticket,
            "round": self.round,
            "to_move": self.to_move,
            "lacking": self.lacking,
            "result": self.result,
            "held": [[key, said, [[*pair] for pair in known.items()]] for key, (said, known) in self.held.items()],
            "differing": [[key, [[*word] for word in said]] for key, said in self.differing.items()],
            "by_post": self.by_post,
            "since": self.since,
            "moved": self.moved,
            "whereabouts": [each.fields() for each in self.whereabouts],
        }

    @classmethod
    def read(cls, info: Mapping[str, Value]) -> Self:
        """Inverse of `info`. Raises WireError, KeyError or ValueError when another program wrote it."""
        stored = cast("dict[str, object]", dict(info))
        listed = cast("list[tuple[bytes, list[Address]]]", stored["addresses"])
        words = cast("list[tuple[bytes, list[tuple[str, bytes]]]]", stored.get("differing", []))
        state = next(state for state in STATES if state == stored["state"])
        moved = stored.get("moved")
        return cls(
            name=str(stored["name"]),
            genesis=Genesis.read(info["genesis"]),
            state=state,
            level=cast("str | None", stored["level"]),
            seed=cast("str | None", stored["seed"]),
            port=cast("int", stored["port"]),
            local=bool(stored["local"]),
            quiet=bool(stored.get("quiet", False)),
            addresses={identity: tuple(known) for identity, known in listed},
            ticket=str(stored["ticket"]),
            round=cast("int", stored["round"]),
            to_move=tuple(cast("list[str]", stored["to_move"])),
            lacking=tuple(cast("list[bytes]", stored["lacking"])),
            result=str(stored["result"]),
            held={key: (said, dict(known)) for key, said, known in cast("list[_Said]", stored.get("held", []))},
            differing={key: tuple((kind, body) for kind, body in said) for key, said in words},
            by_post=bool(stored.get("by_post", False)),
            since=cast("tuple[int, int]", tuple(cast("list[int]", stored.get("since", [0, 0])))),
            moved=cast("tuple[bytes, bytes]", tuple(cast("list[bytes]", moved))) if moved else None,
            whereabouts=_whereabouts(cast("list[Value]", stored.get("whereabouts", []))),
        )


def _whereabouts(stored: Sequence[Value]) -> tuple[Whereabouts, ...]:
    """Whereabouts of the store; none if another program wrote them, since members tell them again."""
    try:
        return tuple(map(Whereabouts.read, stored))
    except TicketError:
        return ()


def table_name(genesis: Genesis, taken: set[str]) -> str:
    """A short name for a table that people can type: the game and a few letters of its id."""
    base = genesis.table.hex()
    length = 4
    while f"{genesis.game}-{base[:length]}" in taken:
        length += 1
    return f"{genesis.game}-{base[:length]}"


def sound_record(stored: StoredTable) -> Record:
    """The record of a table. UserError `home/notes` if it is damaged, `store/note` if another version wrote it."""
    name = stored.table.hex()[:8]
    if stored.info is None:
        raise _damaged_notes(name)
    try:
        record = Record.read(stored.info)
    except (WireError, KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise UserError(
            "store/note",
            _("What the store notes about table {table} cannot be read.").format(table=name),
            _("It was written by another version of starlock; use that one."),
        ) from error
    if record.genesis.table != stored.table:
        raise _damaged_notes(name)
    return record


def _damaged_notes(name: str) -> UserError:
    return UserError(
        "home/notes",
        _("What this home notes about table {table} is damaged.").format(table=name),
        _(
            "Put the folder “data” back from a backup, an older one too: the others bring what is newer. Without one, "
            "move it away and ask a friend for a ticket (starlock resume --new-ticket): starlock recover TICKET"
        ),
    )
