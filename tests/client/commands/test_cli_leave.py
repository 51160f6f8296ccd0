"""`starlock leave`: whatever state a table is in, it is put away, found again by its name, and told as what it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
import recorded

from client import __version__
from client.commands import cli, leave
from client.commands.leave import seat_text
from client.system.settings import Folders
from client.table.home import Seat
from client.table.record import Record
from p2p.identity.keyfile import save_identity
from p2p.identity.keys import SigningKey
from p2p.log.store import Store
from p2p.testing.machine import TestMachine
from p2p.testing.tables import fixed_genesis
from seeds.hashing import H


@pytest.fixture(autouse=True)
def home(starlock_home: Path) -> Path:
    return starlock_home


@pytest.fixture
def starlock(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(leave, "TELLING", 0.0)

    def run(*words: str | Path) -> tuple[int, Any]:
        code = cli.main(list(map(str, words)))
        out, err = capsys.readouterr()
        return code, json.loads(out) if "--json" in words else out + err

    return run


def state_of(starlock: Any, name: str) -> tuple[str, str]:
    """What programs and people read of it in the list."""
    rows = starlock("tables", "--json")[1]["tables"]
    (line,) = [line for line in starlock("tables")[1].splitlines() if line.startswith(name)]
    return next(row["state"] for row in rows if row["name"] == name), line.removeprefix(name).strip().split("  ")[0]


def seated(state: Literal["playing", "over"]) -> str:
    """A home with a table at which it sits."""
    table = recorded.begun(3)
    record = Record("mine", table.genesis, local=True)
    if state == "over":
        record = replace(record, state="over", result="{}", lacking=(bytes(32),))
    with Store(Folders.of_system().data, __version__) as store:
        store.add_table(table.genesis.table, record.info(), table.keys[0])
        store.receive(table.log)
    return "mine"


def imported(starlock: Any, tmp_path: Path, table: recorded.GameTable) -> str:
    path = tmp_path / "game.star"
    path.write_bytes(table.star())
    name: str = starlock("import", path, "--json")[1]["name"]
    return name


def test_a_table_at_play_is_left_to_the_others(starlock: Any) -> None:
    name = seated("playing")
    assert state_of(starlock, name) == ("playing", "playing")
    code, said = starlock("leave", name)
    assert code == 0
    assert "You left mine. It waits for you: `starlock resume mine` brings you back" in said
    assert state_of(starlock, name) == ("left", "left")
    assert "Not in reach now: Player 1." in said
    assert starlock("leave", name)[1] == said, "twice is once"
    told = starlock("leave", name, "--json")[1]
    assert (told["heard"], told["later"]) == ([], ["Player 1"])


def test_the_others_are_told_at_once_as_far_as_they_are_in_reach(
    starlock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leave, "tell_others", lambda context, store, seat: replace(seat.record, lacking=()))
    told = starlock("leave", seated("playing"), "--json")[1]
    assert (told["heard"], told["later"]) == (["Player 1"], [])


@pytest.mark.parametrize(
    ("members", "final", "told"),
    [
        (1, False, "It stays as it is"),
        (2, False, "`starlock leave {name} --for-good` the other plays on alone"),
        (3, False, "The others can go on without you"),
        (2, True, "for good: the others play on without you"),
        (3, True, "for good: the others play on without you"),
    ],
)
def test_what_the_others_can_do_then_is_told_for_every_number_of_members(members: int, final: bool, told: str) -> None:
    genesis, keys = fixed_genesis([[seat] for seat in range(members)], 1, TestMachine(members))
    assert told in seat_text(Seat(Record("mine", genesis), keys[0]), final=final)


def test_nothing_is_signed_where_nobody_confirms_the_newest_copy(
    starlock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leave, "SIGNING", 0.5)
    name = seated("playing")
    save_identity(Folders.of_system().identity, SigningKey.from_seed(H("test identity", 1, 0)))
    code, told = starlock("leave", name, "--for-good", "--json")
    assert (code, told["error"]["code"]) == (2, "leave/unconfirmed")
    assert state_of(starlock, name) == ("playing", "playing")
    with Store(Folders.of_system().data, __version__) as store:
        assert not any(entry.kind == "leave" for entry, _ in store.entries(store.tables()[0].table))


def test_what_is_over_or_only_followed_holds_no_seat_to_give_up(starlock: Any, tmp_path: Path) -> None:
    for name in (seated("over"), imported(starlock, tmp_path, recorded.begun(5))):
        code, told = starlock("leave", name, "--for-good", "--json")
        assert (code, told["error"]["code"]) == (2, "leave/nothing-to-give")


def test_a_table_that_is_over_may_still_be_wanted_by_somebody(starlock: Any) -> None:
    name = seated("over")
    code, said = starlock("leave", name)
    assert code == 0
    assert "which is over. Somebody may lack the last entries: `starlock resume mine`." in said
    assert "can go on without you" not in said
    assert state_of(starlock, name) == ("left", "left")


def test_a_finished_table_is_put_away_and_still_shows_how_it_ended(starlock: Any, tmp_path: Path) -> None:
    name = imported(starlock, tmp_path, recorded.finished())
    assert state_of(starlock, name) == ("finished", "over")
    code, told = starlock("leave", name, "--json")
    assert (code, told["name"], told["state"]) == (0, name, "left")
    code, said = starlock("leave", name)
    assert code == 0
    assert said == f"You left {name}, which is over. `starlock resume {name}` shows how it ended.\n"
    assert state_of(starlock, name) == ("left", "over; left")
    code, told = starlock("resume", "--json")
    assert (code, told["error"]["code"]) == (2, "table/none")
    code, said = starlock("resume", name)
    assert code == 0
    assert said.startswith("This game is over.")


def test_a_game_of_others_is_no_longer_followed(starlock: Any, tmp_path: Path) -> None:
    name = imported(starlock, tmp_path, recorded.begun(5))
    code, said = starlock("leave", name)
    assert code == 0
    assert said == f"You no longer follow {name}. `starlock resume {name}` goes on with it.\n"
    assert state_of(starlock, name) == ("left", "left")
