"""A snapshot of a long table is what reading its store leads to, or is not used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import rmtree

import pytest
from bench.logs import BenchTable
from test_packages import NIM, a_game, install, site  # noqa: F401  # a fixture
from volume import gated

from client.table import snapshot
from client.table.machine import GameMachine
from client.table.snapshot import History, Snapshot
from engine.core.events import Event
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys
from p2p.lockstep.effects import Happened, Keep, Work
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.lockstep.reading import Reading
from p2p.lockstep.signing import maker
from p2p.log.store import Store

STEPS = 24
AT = 12
"""Answers of the table, and how many of them were given when its first member left."""


@pytest.fixture(autouse=True)
def _of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "LEAST", 0)


class Left:
    """The home of the first member of a table of two, who left it in the middle; the others played on."""

    def __init__(self, home: Path, game: str = "eclipse2", level: str = "greedy", at: int = AT) -> None:
        self.said: list[str] = []
        self.table = BenchTable(3, game, players=2, level=level)
        self.table.start()
        for _ in range(at):
            assert self.table.step()
        self.peer, self.keys = self.table.peers[0], self.table.keys[0]
        self.store = Store(home, "test")
        self.store.add_table(self.table.genesis.table, {}, self.keys)
        self.snapshot = Snapshot(home, self.table.genesis, self.keys)
        self.path = home / f"{self.table.genesis.table.hex()}.snapshot"
        self.stored = self.keep(0)
        self.told: History = [
            (effect.height, [event for event in effect.events if isinstance(event, Event)])
            for effect in self.table.seen[0]
            if isinstance(effect, Happened)
        ]

    def keep(self, start: int) -> int:
        """Store what the member has read from there on; how much that was in all."""
        kept = [effect for effect in self.table.seen[0] if isinstance(effect, Keep)]
        for effect in kept[start:]:
            if effect.is_own:
                self.store.append(effect.entry, dict(effect.secrets), effect.attachment)
            else:
                self.store.receive([(effect.entry, effect.attachment)])
        return len(kept)

    def write(self) -> None:
        self.snapshot.write(self.peer, self.told, self.log)

    def log(self, event: str, /, **fields: object) -> None:
        self.said.append(event)

    def back(self) -> tuple[Lockstep, History]:
        """The member who comes back, before it reads the rest of its store."""
        machine, history = self.table.fresh(), History()

        def read(member_secrets: MemberSecrets) -> Reading | None:
            found = self.snapshot.read(machine, member_secrets, self.store, self.log)
            history.extend([] if found is None else found[1])
            return None if found is None else found[0]

        return self.member(machine, read), history

    def anew(self) -> Lockstep:
        """The same member who reads its store from the start."""
        member = self.member(self.table.fresh(), lambda member_secrets: None)
        member.restore(self.store.entries(self.table.genesis.table))
        return member

    def member(self, machine: GameMachine, read: object) -> Lockstep:
        id = self.table.genesis.table
        return Lockstep(
            self.table.genesis,
            machine,
            me=self.keys.key.public,
            make=maker(self.keys.key),
            secret=self.keys.secret,
            sign=self.keys.key.sign,
            choices=self.store.secrets(id),
            read=read,  # type: ignore[arg-type]  # one of the two above
        )


@pytest.fixture
def left(tmp_path: Path) -> Iterator[Left]:
    found = Left(tmp_path / "home")
    yield found
    found.store.close()


def stands(member: Lockstep) -> tuple[object, ...]:
    """What members of one table that know the same have alike."""
    position = member.position
    assert isinstance(member.machine, GameMachine)
    faces = [dict(member.machine.lens(seat)) for seat in range(2)]
    return (
        position.height, position.head, position.state, position.outcomes, member.owing(), member.debts(),
        member.machine.digest(), faces, len(member.feeds.entries), member.unconfirmed,
    )  # fmt: skip


def test_who_comes_back_stands_where_reading_the_store_leads_and_goes_on_from_there(left: Left) -> None:
    left.write()
    back, history = left.back()
    assert not left.said
    assert history == left.told
    assert stands(back) == stands(left.anew())
    for _ in range(STEPS - AT):
        assert left.table.step()
    assert left.keep(left.stored) > left.stored
    known = {entry.id for entry in back.feeds.entries}
    back.restore(left.store.entries(left.table.genesis.table, known))
    anew = left.anew()
    assert stands(back) == stands(anew)
    height = back.position.height // 2
    assert back.position.history.machine_at(height).digest() == anew.position.history.machine_at(height).digest()


@pytest.mark.parametrize("seed", gated(range(20), 3))
def test_resumed_from_a_snapshot_at_any_entry_is_read_from_the_log(left: Left, seed: int) -> None:
    """Also in the middle of a roll or of a shuffle. tests/sim/test_snapshots.py has sealed cards and choices."""
    id = left.table.genesis.table
    entries = left.store.entries(id)
    early = left.member(left.table.fresh(), lambda member_secrets: None)
    early.restore(entries[: Random(seed).randrange(1, len(entries))])
    left.peer, left.told = early, []
    left.write()
    back, _history = left.back()
    assert not left.said
    assert stands(back) == stands(early)
    back.restore(left.store.entries(id, {entry.id for entry in back.feeds.entries}))
    assert stands(back) == stands(left.anew())


def test_who_comes_back_signs_nothing_until_somebody_confirms_its_feed(left: Left) -> None:
    left.write()
    back, _history = left.back()
    back.start(new=False)
    assert left.peer.mute is None
    assert back.mute is not None
    assert back.unconfirmed


def test_work_that_was_under_way_is_handed_out_again(left: Left) -> None:
    entries = [entry for entry, _beside in left.store.entries(left.table.genesis.table)]
    member = left.member(left.table.fresh(), lambda member_secrets: None)
    out: list[Work] = []
    for entry in entries:
        member.take(entry)
        while not out and (effects := member.effects()):
            out = [effect for effect in effects if isinstance(effect, Work) and effect.job.entry is not None]
            for effect in effects if not out else ():
                if isinstance(effect, Work):
                    member.worked(effect.job, effect.job.run())
                else:
                    member.go_on()
        if out:
            break
    assert out
    left.peer = member
    left.write()
    back, _history = left.back()
    back.advance()
    again = [effect.job.entry for effect in back.effects() if isinstance(effect, Work)]
    assert out[0].job.entry in again


def test_a_snapshot_ahead_of_its_store_is_not_used(left: Left) -> None:
    for _ in range(2):
        assert left.table.step()
    left.write()
    back, history = left.back()
    assert (left.said, history, back.position.height) == (["snapshot/ahead"], [], 0)


@pytest.mark.parametrize("place", [0, 40, -1])
def test_a_damaged_snapshot_is_not_even_looked_at(left: Left, monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    left.write()
    data = bytearray(left.path.read_bytes())
    data[place] ^= 1
    left.path.write_bytes(data)
    monkeypatch.setattr(snapshot, "unpacked", None)
    assert left.back()[0].position.height == 0
    left.path.write_bytes(b"")
    assert left.back()[0].position.height == 0
    assert left.said == ["snapshot/other"] * 2


def test_a_snapshot_of_another_program_or_member_is_not_used(left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    left.write()
    other = Snapshot(left.path.parent, left.table.genesis, left.table.keys[1])
    monkeypatch.setattr(left, "snapshot", other)
    assert left.back()[0].position.height == 0
    monkeypatch.undo()
    monkeypatch.setattr(snapshot, "LEAST", 0)
    monkeypatch.setattr(snapshot, "__version__", "another")
    assert left.back()[0].position.height == 0


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("module", ["other_pearls.spec", "other_pearls"])
def test_a_snapshot_of_a_game_of_a_package_is_not_used_once_the_package_or_starlock_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    """A package may be a folder or one file."""
    install(tmp_path, "other_pearls", a_game("pearls", f"{module}:GAME"), spec=NIM.format(id="pearls"))
    source = tmp_path / "other_pearls" / "spec.py"
    if module == "other_pearls":
        source = source.rename(tmp_path / "other_pearls.py")
        rmtree(tmp_path / "other_pearls")
    left = Left(tmp_path / "home", "pearls", "random", 2)
    left.write()
    assert left.back()[0].position.height > 0
    with monkeypatch.context() as patched:
        patched.setattr(snapshot, "__version__", "another")
        assert left.back()[0].position.height == 0
    source.write_text(f"{NIM.format(id='pearls')}\n", "utf-8")
    assert left.back()[0].position.height == 0
    assert left.said == ["snapshot/other"] * 2
    left.store.close()


def test_a_snapshot_of_the_key_before_a_move_is_not_used_though_both_have_one_secret(left: Left) -> None:
    """A backup may bring it back."""
    left.write()
    moved = TableKeys(SigningKey.from_seed(b"n" * 32), left.keys.secret)
    left.snapshot = Snapshot(left.path.parent, left.table.genesis, moved)
    assert left.back()[0].position.height == 0
    assert left.said == ["snapshot/other"]


def test_a_snapshot_holds_no_key_and_belongs_to_its_owner_alone(left: Left) -> None:
    left.write()
    data = left.path.read_bytes()
    assert left.keys.key.seed() not in data
    assert left.keys.secret not in data
    assert left.path.stat().st_mode & 0o077 == 0
    left.snapshot.remove()
    assert not left.path.exists()
    left.snapshot.remove()


def test_a_home_that_is_full_keeps_no_snapshot_and_plays_on(left: Left, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(snapshot, "write_private", full)
    left.write()
    assert left.said == ["snapshot/not-kept"]
    assert left.back()[0].position.height == 0
