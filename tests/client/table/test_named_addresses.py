"""An address that the user named with --address is kept with the table, and told to the others after a resume too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from test_post import SMALL

from client.commands import cli
from client.system.errors import UserError
from client.system.settings import Folders
from client.table import joining, peer
from client.table.machine import GameMachine
from client.table.record import Record
from engine.core.agenda import Table
from engine.core.match import Match
from engine.core.registry import GAMES, settle_options
from p2p.identity.keyfile import save_identity
from p2p.identity.keys import SigningKey
from p2p.log.store import Store
from p2p.testing.tables import fixed_genesis
from seeds.hashing import H

NAMED = ("tcp://203.0.113.50:7777",)
ANN, BOB = (SigningKey.from_seed(name * 32) for name in (b"a", b"b"))


def test_a_named_address_is_kept_with_the_table_and_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "toy", "test_post:SMALL")
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path))
    table = settle_options(SMALL, 2, {})
    assert isinstance(table, Table)
    fresh = GameMachine(Match.new(SMALL, table))
    genesis, keys = fixed_genesis([[0], [1]], 7, fresh, dict(table.options), "toy")
    used: list[tuple[str, ...]] = []

    def opened(*_args: object, public: Callable[[int], tuple[str, ...]], **_how: object) -> None:
        used.append(public(1))
        raise UserError("test/enough", "enough", "")

    monkeypatch.setattr(peer, "open_peer", opened)
    monkeypatch.setattr(joining, "seated_identity", lambda *_: ANN)
    save_identity(Folders.of_system().identity, ANN)
    with Store(Folders.of_system().data, "test") as store:
        listener, reach = SimpleNamespace(port=1), SimpleNamespace(public=NAMED)
        reach.listener = listener
        here: Any = SimpleNamespace(store=store, identity=ANN, reach=reach, local=False, quiet=False)
        places: dict[bytes, tuple[str, ...]] = {ANN.public: ("tcp://10.0.0.1:1",), BOB.public: ("tcp://10.0.0.2:1",)}
        seat = trio.run(partial(joining.begin_table, here, genesis, places, keys[0], None, b""))
        (stored,) = store.tables()
        assert stored.info is not None
        record = Record.read(stored.info)
    assert record.addresses == {ANN.public: NAMED, BOB.public: places[BOB.public]}
    identity = Folders.of_system().identity
    identity.parent.mkdir(parents=True, exist_ok=True)
    save_identity(identity, SigningKey.from_seed(H("test identity", 7, 0)))
    assert cli.main(["resume", seat.record.name, "--as", "random"]) == 2
    assert used == [NAMED]
