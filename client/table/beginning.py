# SPDX-License-Identifier: GPL-3.0-or-later
"""The game of a genesis at its beginning, with the content that it is played with; and libsodium, which sealed cards
and locked dice need."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from client.table.content import played_game
from client.table.machine import GameMachine
from engine.core.errors import Refusal as Refused
from engine.core.match import Match
from engine.core.registry import GameSpec
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.randomness import LOCKED_FROM
from p2p.wire.codec import Value, WireError, decode, encode
from p2p.wire.content import content_name
from seeds import group

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def new_machine(genesis: Genesis, content: bytes = b"") -> GameMachine | TableRefusal:
    """The game of a genesis at its beginning; a refusal when this program has other games, rules, content or options.
    content: the table's custom content, empty without any.

    `rules/other` {game, theirs, ours} and `content/unknown` {game, theirs, ours} name the versions.
    """
    begun = read_beginning(content) if genesis.origin is not None else (content, b"")
    if genesis.origin is not None and genesis.origin.begins != content_name(content):
        return TableRefusal("rules/position")
    if begun is None or (genesis.origin is None and genesis.position is not None):
        return TableRefusal("rules/position")
    played = played_game(genesis, begun[0])
    if isinstance(played, TableRefusal):
        return TableRefusal("content/unknown", "", played.detail) if played.code == "content/other" else played
    refusal = lacking_library(genesis.options.get("draws"), len(genesis.members))
    if refusal is not None:
        return refusal
    if genesis.origin is None:
        return GameMachine(Match.new(*played))
    match = Match.load(played[0], begun[1])
    if isinstance(match, Refused) or match.digest() != genesis.position or match.inbox:
        return TableRefusal("rules/position")
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


def lacking_library(draws: Value, members: int) -> TableRefusal | None:
    """Why a table with this number of members cannot be played or judged here: `group/no-library` {the library looked
    for}."""
    if draws != "sealed" and members < LOCKED_FROM:
        return None
    try:
        group.start()
    except group.NoGroupError as error:
        return TableRefusal(error.code, "", (error.looked,))
    return None
