"""Vectors of files: saved games with their verdicts, evidence, bundles, letters, posted text, tickets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vectorkit import KEY, PLACE, TABLE, flipped, refusals, said, shown

from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.told_file import told_file
from p2p.log.evidence import Evidence, pack_evidence, read_evidence
from p2p.log.records import Writer
from p2p.log.starfile import MAGIC, pack_star, read_star
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import encode
from p2p.wire.content import content_name
from p2p.wire.entry import Entry, chat_hash, make_entry
from p2p.wire.signing import public_bytes, sign
from seeds.hashing import H

SALT, TEXT = bytes(range(16)), "hello"

# Saved games ---------------------------------------------------------------------------------------------------------


def framed(*records: tuple[bytes, bytes], version: int = 1, **trailer: Any) -> bytes:
    """A file of any records with a trailer that fits them."""
    writer = Writer(MAGIC, version, "test")
    for letter, body in records:
        writer.add(letter, body)
    count = trailer.get("count", sum(letter == b"E" for letter, _ in records))
    digest = trailer.get("digest", writer.digest("star"))
    signature = sign(KEY, H("export", trailer.get("table", TABLE), count, 0, TABLE, digest))
    writer.add(b"Z", encode([count, 0, TABLE, public_bytes(KEY), digest, signature]))
    return writer.bytes()


def frames() -> dict[str, Any]:
    first = said("join", None)
    chat = make_entry(KEY, **{**PLACE, "kind": "chat", "body": [chat_hash(SALT, TEXT)], "seq": 1, "prev": first.id})
    told, text = (b"E", chat.raw), (b"T", SALT + TEXT.encode())
    one = (b"E", first.raw)
    good = framed(one, told, text)
    left = make_entry(KEY, **{**PLACE, "kind": "leave", "body": None, "seq": 1, "prev": first.id})
    after = make_entry(KEY, **{**PLACE, "kind": "clock", "body": [bytes(32)], "seq": 2, "prev": left.id})
    forged = bytes(first.raw[:-1]) + bytes([first.raw[-1] ^ 1])
    wrong = {
        "another magic": flipped(good),
        "another program": flipped(good, 12),
        "version 3": Writer(MAGIC, 3, "test").bytes() + good[23:],
        "cut short": good[:-1],
        "a byte more": good + b"\x00",
        "no entries": framed(),
        "another table": framed(one, (b"E", said("clock", [bytes(32)], table=bytes(32)).raw)),
        "an entry left out": framed(told),
        "an entry twice": framed(one, one),
        "an entry behind a leave": framed(one, (b"E", left.raw), (b"E", after.raw)),
        "a false signature": framed((b"E", forged)),
        "another text": framed(one, told, (b"T", SALT + b"hallo")),
        "a text of a join": framed(one, text),
        "a text that is not UTF-8": framed(one, told, (b"T", SALT + b"\xff")),
        "content in version 1": framed((b"C", b"content"), one),
        "content that the genesis does not name": framed((b"C", b"content"), one, version=2),
        "another count": framed(one, count=2),
        "another digest": framed(one, digest=bytes(32)),
        "a trailer of another table": framed(one, table=bytes(32)),
        "a record that is too long": good[:23] + b"E" + (60_001).to_bytes(4, "big") + good[28:],
    }
    read = read_star(good)
    assert read.texts == {chat.id: (SALT, TEXT)}
    return {
        "star": good.hex(),
        "entries": [entry.id.hex() for entry in read.entries],
        "height": read.height,
        "head": read.head.hex(),
        "exporter": read.exporter.hex(),
        "program": read.program,
        "refused": refusals(read_star, wrong, "star"),
    }


def content() -> dict[str, str]:
    return {"content": b"content".hex(), "id": content_name(b"content").hex()}


# Whole tables --------------------------------------------------------------------------------------------------------


def agreed(table: DirectTable, proposer: int, kind: str, *terms: Any) -> None:
    """Let all who may vote agree to a pact."""
    assert table.peers[proposer].propose(kind, *terms) is None
    table.settle()
    for number, peer in enumerate(table.peers):
        for vote in peer.votes() if number not in table.cut_off else []:
            if peer.me in vote.missing:
                assert peer.sign(vote.pact.id) is None
    table.settle()


def begun(members: int, **options: str) -> DirectTable:
    table = DirectTable([[number] for number in range(members)], options=options)
    table.start()
    return table


def played(members: int, **options: str) -> DirectTable:
    table = begun(members, **options)
    table.play()
    return table


def without_one() -> DirectTable:
    table = begun(3)
    table.cut_off.add(0)
    agreed(table, 1, "absent", [table.peers[0].me])
    table.play()
    return table


def left(**options: str) -> DirectTable:
    table = begun(3, **options)
    table.step()
    assert table.peers[2].leave() is None
    table.settle()
    table.play()
    return table


def taken_back() -> DirectTable:
    table = begun(2)
    height = table.peers[0].position.height
    table.step()
    agreed(table, 0, "takeback", (), [height, True])
    table.play()
    return table


def ended() -> DirectTable:
    table = begun(2)
    agreed(table, 0, "end", (), "agreed")
    return table


TABLES: dict[str, Callable[[], DirectTable]] = {
    "two members, open decks": lambda: played(2, draws="open"),
    "two members, sealed decks": lambda: played(2, draws="sealed"),
    "three members, open decks": lambda: played(3, draws="open"),
    "three members, sealed decks": lambda: played(3, draws="sealed"),
    "one of three has left, sealed decks": lambda: left(draws="sealed"),
    "three members, the lock alone": lambda: played(3, dice="lock"),
    "one of three left out": without_one,
    "one of three has left": left,
    "an answer taken back": taken_back,
    "ended by all": ended,
}


def judged(table: DirectTable, entries: list[Entry]) -> Audit:
    seats = table.genesis.seats
    return audit(entries, lambda _genesis: TestMachine(seats, 1), checked=True)


def games() -> list[dict[str, Any]]:
    """Whole games with the file of what was asked, the heads of all heights, and what the reading finds."""
    return [game(name, make()) for name, make in TABLES.items()]


def game(name: str, table: DirectTable) -> dict[str, Any]:
    entries = [entry for entry, _ in table.log]
    found = judged(table, entries)
    assert found.ok, found.problems
    assert found.table is not None
    position, key = found.table.position, table.keys[0].key.private
    star = pack_star(table.log, key=key, height=position.height, head=position.head, program="test")
    return {
        "name": name,
        "star": star.hex(),
        "told": told_file(table.genesis.table, position).hex(),
        "heads": {str(height): past.head.hex() for height, past in position.past.items()},
        "epochs": {str(height): past.epoch for height, past in position.past.items()},
        "members": {
            str(height): [position.membership.numbers[m] for m in past.members]
            for height, past in position.past.items()
        },
        "pacts": [[pact.height, pact.kind] for pact in found.pacts],
        "rolls": [
            {"height": roll.height, "k": roll.k, "value": roll.value.hex(), "faces": roll.faces} for roll in found.rolls
        ],
        "complete": found.complete,
        "final": found.final,
        "end": None if found.end is None else shown(found.end),
    }


FIELDS = ("table", "seq", "prev", "epoch", "height", "head", "state", "kind", "body")


def false_games() -> list[dict[str, Any]]:
    """The log of three members up to an entry that its author signed otherwise, with the problem that is found."""
    table = played(3, draws="open")
    entries = [entry for entry, _ in table.log]
    keys = {each.key.public: each.key.private for each in table.keys}

    def nth(kind: str, number: int = -1) -> int:
        return [at for at, entry in enumerate(entries) if entry.kind == kind][number]

    def other(at: int, **changes: Any) -> list[Entry]:
        fields = {name: getattr(entries[at], name) for name in FIELDS}
        return [*entries[:at], make_entry(keys[entries[at].author], **{**fields, **changes})]

    def twice(at: int, **changes: Any) -> list[Entry]:
        first = entries[at]
        fields = {name: getattr(first, name) for name in FIELDS} | {"seq": first.seq + 1, "prev": first.id, **changes}
        return [*entries[: at + 1], make_entry(keys[first.author], **fields)]

    def body(kind: str, number: int = -1) -> Any:
        return entries[nth(kind, number)].body

    opened, partial, keyed, committed, result = (
        body("open"),
        body("partial"),
        body("keys"),
        body("commit"),
        body("result"),
    )
    cases = {
        "another seed": other(nth("open"), body=[opened[0], flipped(opened[1]), opened[2]]),
        "an opening of another roll": other(nth("open"), body=[opened[0] + 1, *opened[1:]]),
        "an opening of another form": other(nth("open"), body=opened[:2]),
        "another partial": other(nth("partial"), body=[partial[0], flipped(partial[1], 64)]),
        "a partial of another roll": other(nth("partial"), body=[partial[0] + 1, partial[1]]),
        "another proof of a dealing": other(nth("keys"), body=[keyed[0], flipped(keyed[1]), keyed[2]]),
        "other coefficients": other(nth("keys"), body=[keyed[0][32:64] + keyed[0][32:], *keyed[1:]]),
        "a commitment to another roll": other(nth("commit"), body=[committed[0] + 1, *committed[1:]]),
        "a commit without announcement": other(nth("commit"), body=[*committed[:2], None, None]),
        "another epoch": other(nth("answer"), epoch=1),
        "a kind that is not asked": other(nth("open"), kind="answer", body=[0, [0]]),
        "the seat of another member": other(nth("answer", 0), body=[(body("answer", 0)[0] + 1) % 3, [0]]),
        "an answer without values": other(nth("answer", 0), body=[body("answer", 0)[0], []]),
        "another head": other(nth("open"), head=bytes(32)),
        "another state": other(nth("open"), state=bytes(16)),
        "two answers": twice(nth("answer", 0), body=[body("answer", 0)[0], [0, 0]]),
        "a vote of another form": twice(nth("answer", 0), kind="sign", body=[]),
        "another ending": other(nth("result"), body=["agreed", *result[1:]]),
        "a result of another form": other(nth("result"), body=["played", [], None]),
        "a result before the end": twice(nth("answer", 0), kind="result", body=result),
        "a member given up": other(nth("result"), body=[*result[:2], [entries[0].author]]),
    }
    return [false_game(table, name, log) for name, log in cases.items()]


def false_game(table: DirectTable, name: str, log: list[Entry]) -> dict[str, Any]:
    found = judged(table, log)
    assert found.table is not None
    assert not found.ok, name
    position, key = found.table.position, table.keys[0].key.private
    star = pack_star(
        [(entry, None) for entry in log], key=key, height=position.height, head=position.head, program="test"
    )
    return {
        "name": name,
        "star": star.hex(),
        "told": told_file(table.genesis.table, position).hex(),
        "problems": [[problem.entry, problem.code] for problem in found.problems],
    }


# Evidence ------------------------------------------------------------------------------------------------------------


def evidence() -> dict[str, Any]:
    first, second = said("answer", [0, [1]]), said("answer", [0, [2]])
    good = pack_evidence(Evidence("entry/forked", (first, second)), "test")
    wrong = {
        "another magic": flipped(good),
        "another code": good.replace(b"entry/forked", b"entry/torked"),
        "cut short": good[:-1],
        "a byte more": good + b"\x00",
        "one entry without a log": pack_evidence(Evidence("entry/forked", (first,)), "test"),
        "another signature": good.replace(first.signature, flipped(first.signature)),
    }
    return {
        "evidence": good.hex(),
        "code": "evidence/seq",
        "refused": refusals(read_evidence, wrong, "evidence"),
    }


def vectors() -> dict[str, Any]:
    return {
        "star": frames(),
        "content": content(),
        "game": games(),
        "refused game": false_games(),
        "evidence": evidence(),
    }
