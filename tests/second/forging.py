# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded test games, altered and signed again: the keys of a test table follow from a number (2.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from second.codec import Refused, encode, is_list
from second.entries import LARGEST, Entry, read_entry
from second.genesis import Genesis
from second.hashing import H, kdf
from second.log import Log
from second.pacts import pact_id
from second.reading import Reading
from second.savedgame import STAR, SavedGame, read_star
from second.told import Told

GAMES = (1, 2)
"""The numbers from which the keys of the games in tests/stars follow."""


def record(letter: str, body: bytes) -> bytes:
    return letter.encode() + len(body).to_bytes(4, "big") + body


def keys_of(genesis: Genesis) -> dict[bytes, Ed25519PrivateKey]:
    """The table keys of the members of a recorded game, which follow from its number (2.4)."""
    members = [member.key for member in genesis.members]
    for root in [H("test seed", number) for number in GAMES]:
        seeds = [kdf(root, "table key", number) for number in range(len(members))]
        keys = {key.public_key().public_bytes_raw(): key for key in map(Ed25519PrivateKey.from_private_bytes, seeds)}
        if [*keys] == members:
            return keys
    raise ValueError(f"the keys follow from none of the numbers {GAMES}")


class Forger:
    """A recorded game, with the keys of its members."""

    def __init__(self, star: bytes, told: bytes) -> None:
        self.game: SavedGame = read_star(star)
        self.table = self.game.entries[0].table
        body = next(entry.body for entry in self.game.entries if entry.kind == "genesis")
        self.genesis = Genesis(body)
        self.told = Told(told, self.table)
        self.keys = keys_of(self.genesis)

    def said(self, before: Entry | None, **changes: Any) -> Entry:
        """An entry that follows `before` (or takes its place, where `seq` is given) with other words, signed."""
        fields: dict[str, Any] = {}
        if before is not None:
            for name in ("author", "epoch", "height", "head", "state"):
                fields[name] = getattr(before, name)
            fields |= {"seq": before.seq + 1, "prev": before.id}
        fields |= changes
        names = ("author", "seq", "prev", "epoch", "height", "head", "state", "kind", "body")
        stated = [1, self.table, *(fields[name] for name in names)]
        signature = self.keys[fields["author"]].sign(H("entry", encode(stated)))
        return read_entry(encode([*stated, signature]))

    def instead(self, entry: Entry, **changes: Any) -> Entry:
        """The entry with other words, in its place."""
        kept = {"seq": entry.seq, "prev": entry.prev, "kind": entry.kind, "body": entry.body}
        return self.said(entry, **(kept | changes))

    def packed(self, entries: list[Entry]) -> bytes:
        """A saved game of these entries, without what people said in the chat."""
        version = 1 if self.game.content is None else 2
        header = STAR + version.to_bytes(2, "big") + b"\x04test"
        data = header + H("header", header)[:8]
        if self.game.content is not None:
            data += record("C", self.game.content)
        data += b"".join(record("E", entry.raw) for entry in entries)
        digest = H("star", data)
        author, key = next(iter(self.keys.items()))
        signature = key.sign(H("export", self.table, len(entries), 0, self.table, digest))
        return data + record("Z", encode([len(entries), 0, self.table, author, digest, signature]))

    def reading(self, entries: list[Entry]) -> Reading:
        """How far these entries lead, by what was asked in the whole game."""
        log = Log(entries, self.genesis)
        reading = Reading(log, self.told, log.ballots({}, None))
        reading.run()
        return reading


@dataclass
class Altered:
    """What was done to a game, and the saved game that came of it."""

    name: str
    star: bytes


def other(value: Any, random: Random) -> Any:
    """Plain data that differs from the value in one place."""
    if isinstance(value, list) and value and random.random() < 0.9:
        at = random.randrange(len(value))
        kind = random.randrange(8)
        if kind == 0:
            return value[:at] + value[at + 1 :]
        if kind == 1:
            return [*value[:at], value[at], *value[at:]]
        return [*value[:at], other(value[at], random), *value[at + 1 :]]
    if isinstance(value, bytes) and value and random.random() < 0.95:
        at = random.randrange(len(value))
        if random.random() < 0.1:
            return value[:-1]
        return value[:at] + bytes([value[at] ^ 1 << random.randrange(8)]) + value[at + 1 :]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1, 1, 2, 1000))
    if isinstance(value, str) and random.random() < 0.7:
        return value[:-1] if random.random() < 0.5 else value + "x"
    return random.choice((None, 0, -1, "text", b"", bytes(32), [], [[]], {}, True))


def later_of_others(entries: list[Entry], at: int) -> list[Entry]:
    return [entry for entry in entries[at + 1 :] if entry.author != entries[at].author]


# Each alteration takes a forger and a chance, and gives the entries of the altered game.


def cut(forger: Forger, random: Random) -> list[Entry]:
    entries = forger.game.entries
    return entries[: random.randrange(1, len(entries))]


def silence(forger: Forger, random: Random) -> list[Entry]:
    """One member says no more from some entry on."""
    entries = forger.game.entries
    at = random.randrange(len(entries))
    return entries[:at] + later_of_others(entries, at)


def mixed(forger: Forger, random: Random) -> list[Entry]:
    """Another order of the feeds, as another member would have written it."""
    left: dict[bytes, list[Entry]] = {}
    for entry in forger.game.entries:
        left.setdefault(entry.author, []).append(entry)
    found = []
    while left:
        author = random.choice(list(left))
        found.append(left[author].pop(0))
        if not left[author]:
            del left[author]
    return found


def changed(forger: Forger, random: Random, wanted: Callable[[Entry], bool], **changes: Any) -> list[Entry]:
    """One entry is another one; its author says nothing more, and the others go on or not."""
    entries = forger.game.entries
    at = random.choice([number for number, entry in enumerate(entries) if wanted(entry)])
    found = [*entries[:at], forger.instead(entries[at], **changes)]
    return found + (later_of_others(entries, at) if random.random() < 0.5 else [])


def body_changed(forger: Forger, random: Random) -> list[Entry]:
    entries = forger.game.entries
    kind = random.choice(sorted({entry.kind for entry in entries} - {"genesis", "join", "chat"}))
    at = random.choice([number for number, entry in enumerate(entries) if entry.kind == kind])
    body = other(entries[at].body, random)
    found = [*entries[:at], forger.instead(entries[at], body=body)]
    return found + (later_of_others(entries, at) if random.random() < 0.5 else [])


def field_changed(forger: Forger, random: Random) -> list[Entry]:
    entries = forger.game.entries
    at = random.randrange(len(entries))
    entry = entries[at]
    name = random.choice(("epoch", "height", "head", "state", "kind"))
    value: Any = other(getattr(entry, name), random)
    if name == "kind":
        value = random.choice(sorted(LARGEST))
    elif name in ("epoch", "height"):
        value = abs(value) if isinstance(value, int) else 7
    elif not isinstance(value, bytes) or len(value) != len(getattr(entry, name)):
        value = bytes(len(getattr(entry, name)))
    found = [*entries[:at], forger.instead(entry, **{name: value})]
    return found + (later_of_others(entries, at) if random.random() < 0.5 else [])


def said_twice(forger: Forger, random: Random) -> list[Entry]:
    """Somebody says another thing for the same place."""
    entries = forger.game.entries
    at = random.choice([number for number, entry in enumerate(entries) if entry.stage])
    again = forger.said(entries[at], kind=entries[at].kind, body=other(entries[at].body, random))
    return [*entries[: at + 1], again, *(later_of_others(entries, at) if random.random() < 0.5 else [])]


def said_besides(forger: Forger, random: Random) -> list[Entry]:
    """Somebody says something that nobody had asked for."""
    entries = forger.game.entries
    at = random.randrange(len(entries) // 4, len(entries))
    last = entries[at]
    key = random.choice(list(forger.keys))
    bodies: list[tuple[str, Any]] = [
        ("leave", None),
        ("clock", [key]),
        ("fault", [key, "entry/twice", [last.id]]),
        ("chat", [H("chat", bytes(16), "hello")]),
        ("join", None),
        ("result", ["played", [[1, 3, []], [2, 1, []]], []]),
        ("result", ["unanswered", key, "answer"]),
        ("sign", [last.id]),
        ("refuse", [last.id, "pact/declined", []]),
        ("answer", [random.randrange(4), [["pass"]]]),
        ("open", [1, bytes(32), bytes(32)]),
        ("partial", [1, bytes(96)]),
        ("ok", bytes(32)),
    ]
    kind, body = random.choice(bodies)
    found = [*entries[: at + 1], forger.said(last, kind=kind, body=body)]
    return found + (later_of_others(entries, at) if random.random() < 0.5 else [])


def late_partial(forger: Forger, random: Random) -> list[Entry]:
    """A partial that is false, also one that nobody has waited for."""
    entries = forger.game.entries
    partials = [number for number, entry in enumerate(entries) if entry.kind == "partial"]
    if not partials:
        return body_changed(forger, random)
    at = random.choice(partials)
    false = forger.instead(entries[at], body=other(entries[at].body, random))
    following = [entry for entry in entries[at + 1 :] if entry.author != false.author]
    place = random.randrange(min(20, len(following)) + 1)
    return [*entries[:at], *following[:place], false, *following[place:]]


def voted(forger: Forger, random: Random) -> list[Entry]:
    """A vote ends the game where somebody has cut it, or goes on in another way."""
    entries = forger.game.entries
    entries = entries[: random.randrange(len(entries) // 8, len(entries))]
    position = forger.reading(entries).position
    last = {entry.author: entry for entry in entries}
    members = [key for key in position.member_keys() if key in forger.keys and key in last]
    if not members:
        return entries
    kind = random.choice(("takeback", "takeback", "absent", "absent", "end", "without", "gone", "free", "back"))
    named = random.choice(members)
    out = [[named, last[named].seq, last[named].id]] if kind in ("absent", "without", "gone", "free") else []
    terms: Any = {
        "takeback": [random.choice(position.line), True],
        "end": "agreed",
        "without": [named, [last[named].id], random.random() < 0.5, position.height + 5, position.epoch + 2],
        "back": [named, last[named].seq],
    }.get(kind)
    over = [bytes(32)] if kind == "free" else []
    pact = [kind, position.height, position.head, out, terms, 0, over]
    signers = [key for key in members if not out or key != named]
    if random.random() < 0.2:
        signers = signers[1:]
    found = list(entries)
    for number, key in enumerate(signers):
        body: Any = pact if number == 0 else [pact_id(*pact)]
        found.append(forger.said(last[key], kind="pact" if number == 0 else "sign", body=body))
    return found


def vote_changed(forger: Forger, random: Random) -> list[Entry]:
    """A vote of the game, or one that was added, with another word in it."""
    entries = voted(forger, random)
    votes = [number for number, entry in enumerate(entries) if entry.kind in ("pact", "sign", "refuse")]
    if not votes:
        return entries
    at = random.choice(votes)
    return [
        *entries[:at],
        forger.instead(entries[at], body=other(entries[at].body, random)),
        *later_of_others(entries, at),
    ]


def end_changed(forger: Forger, random: Random) -> list[Entry]:
    """Somebody signs another end."""
    entries = forger.game.entries
    ends = [number for number, entry in enumerate(entries) if entry.kind == "result" and is_list(entry.body, 3)]
    at = random.choice(ends)
    body = other(entries[at].body, random)
    changes: dict[str, Any] = {"body": body}
    if random.random() < 0.2:
        changes = {random.choice(("state", "head")): None}
        changes = {name: other(getattr(entries[at], name), Random(5)) for name in changes}
    if random.random() < 0.3:
        return [*entries, forger.said(entries[at], kind="result", body=body)] if is_last(entries, at) else entries[:at]
    return [*entries[:at], forger.instead(entries[at], **changes), *later_of_others(entries, at)]


def is_last(entries: list[Entry], at: int) -> bool:
    return not any(entry.author == entries[at].author for entry in entries[at + 1 :])


ALTERATIONS = (
    cut,
    silence,
    mixed,
    body_changed,
    body_changed,
    body_changed,
    body_changed,
    field_changed,
    field_changed,
    said_twice,
    said_besides,
    said_besides,
    late_partial,
    voted,
    voted,
    vote_changed,
    end_changed,
)


def bytes_changed(forger: Forger, star: bytes, random: Random) -> bytes:
    """The file itself is damaged; nobody signs it again."""
    at = random.randrange(len(star))
    kind = random.randrange(4)
    if kind == 0:
        return star[:at]
    if kind == 1:
        return star[:at] + star[at + 1 :]
    if kind == 2:
        return star + b"\x00"
    return star[:at] + bytes([star[at] ^ 1 << random.randrange(8)]) + star[at + 1 :]


def altered(forger: Forger, star: bytes, number: int) -> Altered:
    """The altered game with this number: the same one in every run."""
    random = Random(number)
    if number % 12 == 0:
        return Altered("bytes_changed", bytes_changed(forger, star, random))
    act = ALTERATIONS[number % len(ALTERATIONS)]
    while True:
        try:
            return Altered(act.__name__, forger.packed(act(forger, random)))
        except (ValueError, OverflowError, Refused):
            continue
