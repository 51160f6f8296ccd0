# SPDX-License-Identifier: GPL-3.0-or-later
"""The record that this home keeps of a table, and the game of a genesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, Literal, Self, cast

from client.table.content import played_game
from client.table.library import lacking_library
from client.table.machine import GameMachine
from engine.core.dataclass import dataclass, field
from engine.core.errors import Refusal as Refused
from engine.core.match import Match
from engine.core.registry import GameSpec
from p2p.lockstep.genesis import Genesis, Member
from p2p.lockstep.machine import Refusal
from p2p.reach.lines import TicketError
from p2p.reach.whereabouts import Whereabouts
from p2p.wire.address import Address, at_endpoint
from p2p.wire.codec import Plain, Value, WireError, decode, encode
from p2p.wire.content import content_name

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

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
        listed = cast("list[tuple[bytes, list[Address | tuple[str, int]]]]", stored["addresses"])
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
            addresses={identity: tuple(map(_address, known)) for identity, known in listed},
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


def _address(stored: Address | tuple[str, int]) -> Address:
    """An address of the store; earlier versions wrote host and port."""
    return stored if isinstance(stored, str) else at_endpoint(*stored)


def new_machine(genesis: Genesis, content: bytes = b"") -> GameMachine | Refusal:
    """The game of a genesis at its beginning; a Refusal when this program has other games, rules, content or options.
    content: the table's custom content, empty without any.

    `rules/other` {game, theirs, ours} and `content/unknown` {game, theirs, ours} name the versions.
    """
    begun = read_beginning(content) if genesis.origin is not None else (content, b"")
    if genesis.origin is not None and genesis.origin.begins != content_name(content):
        return Refusal("rules/position")
    if begun is None or (genesis.origin is None and genesis.position is not None):
        return Refusal("rules/position")
    played = played_game(genesis, begun[0])
    if isinstance(played, Refusal):
        return Refusal("content/unknown", "", played.detail) if played.code == "content/other" else played
    refusal = lacking_library(genesis.options.get("draws"), len(genesis.members))
    if refusal is not None:
        return refusal
    if genesis.origin is None:
        return GameMachine(Match.new(*played))
    match = Match.load(played[0], begun[1])
    if isinstance(match, Refused) or match.digest() != genesis.position or match.inbox:
        return Refusal("rules/position")
    return GameMachine(match)


def beginning(content: bytes, match: Match) -> bytes:
    """What a table that goes on from another one keeps in place of its custom content: that content, and the position
    at which it begins."""
    return encode([content, match.dump()])


def read_beginning(data: bytes) -> tuple[bytes, bytes] | None:
    """The custom content and the position of a `beginning`; None for anything else."""
    try:
        read = decode(data, limit=len(data))
    except WireError:
        return None
    match read:
        case [bytes() as content, bytes() as position]:
            return content, position
    return None


def own_content(genesis: Genesis, content: bytes) -> bytes:
    """The custom content of a table, empty without any. content: as its store keeps it."""
    begun = None if genesis.origin is None else read_beginning(content)
    return content if begun is None else begun[0]


def content_files(spec: GameSpec) -> dict[str, bytes]:
    """A digest of each content file of a game, by its path in the package, which tells the file that differs."""
    from importlib.resources import files

    package = spec.setup.__module__.rpartition(".")[0]
    found: dict[str, bytes] = {}

    def walk(folder: Traversable, path: str) -> None:
        for item in sorted(folder.iterdir(), key=lambda each: each.name):
            if item.is_dir() and not item.name.startswith("_"):
                walk(item, f"{path}{item.name}/")
            elif item.name.endswith(".toml"):
                found[path + item.name] = blake2b(item.read_bytes(), digest_size=16).digest()

    if package:
        walk(files(package), "")
    return found


def table_name(genesis: Genesis, taken: set[str]) -> str:
    """A short name for a table that people can type: the game and a few letters of its id."""
    base = genesis.table.hex()
    length = 4
    while f"{genesis.game}-{base[:length]}" in taken:
        length += 1
    return f"{genesis.game}-{base[:length]}"
