"""Pages of recorded games for tests, and what their own checks say under node."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import compress, decompress

import pytest
from chromium import BROWSER, MISSING
from recorded import GameTable, finished

from client.proof.audit import SavedGame, judged
from client.report.page import as_json, page
from client.system import texts
from engine.core.registry import game
from p2p.identity.keys import SigningKey
from p2p.lockstep.genesis import Member, Row
from p2p.log.starfile import pack_star, read_star
from p2p.wire.codec import decode, encode
from p2p.wire.entry import NO_PREV, make_entry
from seeds.hashing import H

NODE = shutil.which("node")
HOSTILE = '</script><img src=x onerror="alert(1)">&amp;<svg onload=alert(1)>\u202e'

needs_node = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
needs_browser = pytest.mark.skipif(BROWSER is None, reason=MISSING)


def silent(_done: int, _total: int, _what: str) -> None:
    """Progress that nobody watches."""


@cache
def page_of(star: bytes, language: str = "en") -> bytes:
    read = read_star(star)
    log = SavedGame(
        read.entries, read.texts, (read.height, read.head), read.exporter, read.program, content=read.content
    )
    before = texts.current()
    texts.use(language)
    try:
        return page(judged(log, silent), star)
    finally:
        texts.use(before)


@cache
def whole_star() -> bytes:
    return finished().star()


@cache
def left_star() -> bytes:
    """A game of three whose third member leaves, with hostile words in its chat; its dice are locked."""
    table = GameTable([[0], [1], [2]])
    table.start()
    assert table.peers[1].chat(HOSTILE) is None
    table.settle()
    for _ in range(12):
        table.step()
    table.leave(2)
    for _ in range(10):
        table.step()
    return table.star()


@cache
def silent_star() -> bytes:
    """A game whose first member falls silent with a secret choice that the others open; its cards are dealt again."""
    table = GameTable([[0], [1], [2]], spec=game("rex"))
    table.start()
    step = table.peers[0].position.step
    while step.kind != "seal" or not step.pending or step.pending.keep or (1, 0) not in step.filled:
        assert table.step()
        step = table.peers[0].position.step
    table.leave(0)
    for _ in range(25):
        table.step()
    return table.star(1)


@cache
def alone_star() -> bytes:
    """A sealed game of one member, who holds all seats."""
    table = GameTable([[0, 1, 2]], spec=game("rex"))
    table.start()
    for _ in range(20):
        table.step()
    return table.star()


@cache
def taken_back_star() -> bytes:
    """A game in which all have gone back over choices and a roll."""
    table = GameTable([[0], [1], [2]], options={"draws": "open"})
    table.start()
    rolled = len(table.peers[0].position.chance.rolls)
    while len(table.peers[0].position.chance.rolls) < rolled + 2:
        assert table.step()
    to = table.peers[0].position.chance.rolls[-1].roll.height - 3
    assert table.peers[0].propose("takeback", (), [to, True]) is None
    table.settle()
    for peer in table.peers[1:]:
        assert peer.sign(peer.votes()[0].pact.id) is None
        table.settle()
    for _ in range(10):
        table.step()
    return table.star()


@cache
def passed_star() -> bytes:
    """A game whose third seat goes to the first member, who is called otherwise there."""
    table = GameTable([[0], [1], [2]], options={"draws": "open"})
    table.start()
    for _ in range(6):
        assert table.step()
    certificate, nonce = table.genesis.members[0].certificate, table.genesis.members[0].nonce
    record = decode(encode(Member(certificate, (Row(2, "Somebody"),), nonce).record()))
    assert table.peers[0].propose("seat", (), [2, record]) is None
    table.settle()
    for peer in table.peers[1:]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    while table.peers[0].position.owner[2] != certificate.key:
        assert table.step()
    return table.star()


@cache
def twice_ended_star(state: bytes = b"") -> bytes:
    """A whole game whose last member has signed other points first. state: under which, by default that of the end."""
    table, read = finished(), read_star(whole_star())
    *entries, last = read.entries
    assert last.kind == "result"
    key = next(keys.key.private for keys in table.keys if keys.key.public == last.author)
    body: Any = last.body
    ending, scores, gone = body
    other = [ending, [[place, points + 50, parts] for place, points, parts in scores], gone]
    where: dict[str, Any] = {
        "table": last.table,
        "epoch": last.epoch,
        "height": last.height,
        "head": last.head,
        "kind": "result",
    }
    first = make_entry(key, **where, seq=last.seq, prev=last.prev, state=state or last.state, body=other)
    again = make_entry(key, **where, seq=last.seq + 1, prev=first.id, state=last.state, body=last.body)
    others = [entry for entry in entries if entry.kind != "result"]
    results = [entry for entry in entries if entry.kind == "result"]
    log = [(entry, read.texts.get(entry.id)) for entry in (*others, first, *results, again)]
    return pack_star(log, key=key, height=read.height, head=read.head, program="test", content=read.content)


@cache
def locked_star() -> bytes:
    """A game whose dice come from the lock alone."""
    table = GameTable([[0], [1], [2]], options={"dice": "lock"})
    table.start()
    for _ in range(20):
        table.step()
    return table.star()


@cache
def unsigned_star() -> bytes:
    """A game that stops after a roll of the lock alone, which no head holds: all have said a word behind it, and nobody
    has answered."""
    table = GameTable([[0], [1], [2]], options={"dice": "lock"})
    table.start()
    position = table.peers[0].position
    while not position.chance.rolls or position.chance.rolls[-1].roll.height != position.height - 1:
        assert table.step()
    for peer in table.peers:
        assert peer.chat("oh!") is None
    table.settle()
    return table.star()


@cache
def watched_star() -> bytes:
    """A game in which somebody outside the table has said a word."""
    read = read_star(left_star())
    last, key, words = read.entries[-1], SigningKey.from_seed(b"w" * 32).private, (b"s" * 16, "Player 2 cheats.")
    where: dict[str, Any] = {
        "table": last.table,
        "epoch": last.epoch,
        "height": last.height,
        "head": last.head,
        "state": last.state,
    }
    said = make_entry(key, **where, seq=0, prev=NO_PREV, kind="chat", body=[H("chat", *words)])
    log = [*((entry, read.texts.get(entry.id)) for entry in read.entries), (said, words)]
    return pack_star(log, key=key, height=read.height, head=read.head, program="test", content=read.content)


@cache
def played_star(name: str) -> bytes:
    """A whole game with battles, and without proofs."""
    seats = [[0], [1]] if name.startswith("eclipse") else [[0], [1], [2]]
    table = GameTable(seats, spec=game(name), options={"draws": "open"})
    table.start()
    table.play()
    return table.star()


@cache
def full_star(name: str) -> bytes:
    """A game with as many seats as it has, with sealed cards."""
    table = GameTable([[seat] for seat in range(6)], spec=game(name))
    table.start()
    table.play()
    return table.star()


def data_of(html: bytes) -> Any:
    found = re.search(rb'id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def with_data(html: bytes, data: Any) -> bytes:
    """A page with other data."""
    found = re.search(rb'id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    return html.replace(found[1], as_json(data).encode())


def checked(path: Path, *changes: str) -> list[Any]:
    """What the page's own checks report under node: of the page as it is, or with one bit changed (offset:bit)."""
    words = [f"{path}@{change}" for change in changes] or [str(path)]
    script = Path(__file__).with_name("report_checks.js")
    done = subprocess.run(["node", script, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def drawn_altered(path: Path, changes: int | Sequence[tuple[str, Any]]) -> list[Any]:
    """How the page is drawn under node: as it is, with each of these changes to its facts, by their path, or with each
    fact altered, of each list as many as that; and last all that it draws, by where its words come from."""
    script = Path(__file__).with_name("report_facts.js")
    done = subprocess.run(["node", script, path, json.dumps(changes)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def packed(course: Any) -> str:
    """The course of a game as a page holds it."""
    return b64encode(compress(json.dumps(course).encode())).decode()


def course_of(html: bytes) -> Any:
    return json.loads(decompress(b64decode(data_of(html)["facts"]["course"])))
