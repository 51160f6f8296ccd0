"""Tables on this network, and the lobbies and tables of this home, as commands find them and a person chooses."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest
import trio
from trio.testing import MockClock

from client.commands import find, join
from client.commands.awaiting import kept_lobby, write_ticket
from client.commands.join import found_ticket, refuse_known
from client.system.errors import UserError
from client.table import lan
from client.table.lan import called, is_short_name, tables_here
from client.table.offers import table_text
from engine.core.registry import game
from p2p.identity.keys import SigningKey
from p2p.identity.words import fingerprint
from p2p.reach.find import Found, TableOffer
from p2p.reach.ticket import new_ticket

ANN = SigningKey.from_seed(b"a" * 32)


def offered(name: str, lobby: bytes, free: int = 1, rules: str = "") -> Found:
    rules = rules or game("rex").rules_id
    offer = TableOffer("rex", {}, 3, free, rules, "starlock 9", name, lobby * 16, b"s" * 16)
    return Found(offer, ("tcp://192.168.1.7:1",), b"instance", "192.168.1.7", 0.0)


ONE, TWO, SAME = offered("Ann", b"1"), offered("Bob", b"2"), offered("bob", b"3")


class Told:
    """What a command says."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.said: list[str] = []
        self.answers: list[tuple[str, dict[str, Any]]] = []

    def note(self, text: str) -> None:
        self.notes.append(text)

    def say(self, text: str) -> None:
        self.said.append(text)

    def answer(self, text: str, **fields: Any) -> None:
        self.answers.append((text, fields))


@pytest.fixture(name="network")
def _network(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    """Announced tables, and a person at the terminal or none."""

    def announce(*tables: Found, terminal: bool = True, typed: tuple[str, ...] = ()) -> list[Any]:
        asked, left = list[Any](), list(typed)

        async def here() -> list[Found]:
            return [*tables]

        async def ticket(found: Found, identity: SigningKey, expiry: int) -> Any:
            asked.append((found, identity, expiry))
            return SimpleNamespace(inviter=ANN.public)

        monkeypatch.setattr(lan, "tables_here", here)
        monkeypatch.setattr(lan, "ticket_of", ticket)
        monkeypatch.setattr("client.table.joining.whoami", lambda _context, request: f"key of {request.name}")
        for stream in ("stdin", "stdout"):
            monkeypatch.setattr(sys, stream, SimpleNamespace(isatty=lambda: terminal))
        monkeypatch.setattr("builtins.input", lambda _prompt: left.pop(0))
        return asked

    return announce


def request(level: str | None = None) -> Any:
    return SimpleNamespace(level=level, name="Bob")


def chosen(asked: list[Any], word: str = "", level: str | None = None) -> tuple[Found, Told]:
    """Which table a ticket was asked of, and what was told."""
    told: Any = Told()
    found_ticket(told, request(level), word)
    ((found, identity, expiry),) = asked
    assert identity == "key of Bob"
    assert abs(expiry - time.time() - 3_600) < 60
    return found, told


def refused(word: str = "", level: str | None = None) -> str:
    told: Any = Told()
    with pytest.raises(UserError) as caught:
        found_ticket(told, request(level), word)
    return caught.value.code


@pytest.mark.parametrize(
    ("typed", "found"),
    [(("1",), ONE), (("2",), TWO), ((" ann ",), ONE), (("0", "4", "", "bob", "carl", "3"), SAME),
     ((TWO.offer.word.upper(),), TWO)],
)  # fmt: skip
def test_a_person_chooses_a_table_by_its_number_or_a_name_that_only_one_has(
    network: Callable[..., list[Any]], typed: tuple[str, ...], found: Found
) -> None:
    asked = network(ONE, TWO, SAME, typed=typed)
    which, told = chosen(asked)
    assert which is found
    assert told.notes[0].startswith("Looking for tables")
    assert told.notes[1:4] == [f"{at}. {table_text(each.offer)}" for at, each in enumerate((ONE, TWO, SAME), 1)]
    assert len(told.notes) == 4 + len(typed) - 1 + 1
    assert told.notes[-1] == f"The inviter's words are: {fingerprint(ANN.public)}. Compare them before you sit down."


def test_one_table_is_taken_without_a_question_if_it_was_named_or_a_bot_plays(
    network: Callable[..., list[Any]],
) -> None:
    for word, level, tables in (
        ("ann", None, (ONE, TWO)), (f" {TWO.offer.word} ", None, (ONE, TWO)), ("", "greedy", (ONE,))
    ):  # fmt: skip
        which, _told = chosen(network(*tables, terminal=False), word, level)
        assert which is (TWO if "-" in word else ONE)
    which, _told = chosen(network(ONE, typed=("x", "1")))
    assert which is ONE, "a person is asked even about one"


def test_what_is_not_to_be_found_or_cannot_be_chosen_is_told(network: Callable[..., list[Any]]) -> None:
    network()
    assert (refused(), refused("ann"), refused("", "greedy")) == ("find/nobody",) * 3
    network(ONE, TWO, SAME, terminal=False)
    assert refused("carl") == "find/other"
    assert refused("bob") == "find/several"
    assert refused("", "greedy") == "find/several"
    network(ONE, terminal=False)
    assert refused() == "find/several"


def test_a_table_is_called_by_its_short_name_or_the_name_of_its_host() -> None:
    tables = [ONE, TWO, SAME]
    assert called(tables, " BOB ") == [TWO, SAME]
    assert called(tables, ONE.offer.word) == [ONE]
    assert called(tables, "") == []
    for text, short in (
        (ONE.offer.word, True), (" two-words\n", True), ("one", False), ("a-b-c", False), ("two-w0rds", False),
        ("-", False), ("starlock:abc-def", False),
    ):  # fmt: skip
        assert is_short_name(text) == short, text


# Listening -----------------------------------------------------------------------------------------------------------


class Announcer:
    """Hears somebody each second, whoever listens meanwhile."""

    def __init__(self, *sightings: Found) -> None:
        self._left, self._at = list(sightings), trio.current_time()
        self.sightings = self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        """Nothing is open."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Found:
        await trio.sleep_until(self._at + 1 if self._left else trio.current_time() + 1e6)
        self._at += 1
        return self._left.pop(0)


class Heard:
    """What was heard by a note of it; who is not heard again within five seconds is gone."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[Found, float]] = {}

    def heard(self, sighting: Found, now: float) -> Found | None:
        new = id(sighting) not in self.known
        self.known[id(sighting)] = sighting, now
        return sighting if new else None

    def forget(self, now: float) -> list[Found]:
        gone = [found for found, at in self.known.values() if now - at > 5]
        for found in gone:
            del self.known[id(found)]
        return gone

    def all(self) -> list[Found]:
        return [found for found, _at in self.known.values()]


@pytest.fixture(name="air")
def _air(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def carries(*sightings: Found) -> None:
        monkeypatch.setattr(lan, "listening", lambda: Announcer(*sightings))
        monkeypatch.setattr(lan, "TablesHeard", Heard)
        monkeypatch.setattr("p2p.reach.find.TablesHeard", Heard)

    return carries


async def test_tables_with_free_seats_that_are_heard_in_time_are_listed(
    autojump_clock: MockClock, air: Callable[..., None]
) -> None:
    full = offered("Cid", b"4", free=0)
    air(ONE, full, ONE, TWO)
    assert await tables_here(2.5) == [ONE]
    assert await tables_here(4.5) == [ONE, TWO]
    began = trio.current_time()
    await tables_here()
    assert trio.current_time() - began == lan.LOOKING


async def test_tables_are_told_once_as_they_appear_and_when_they_are_gone(
    autojump_clock: MockClock, air: Callable[..., None]
) -> None:
    air(ONE, TWO, ONE, ONE)
    told: Any = Told()
    with trio.move_on_after(4.5):
        await find._find(told)
    assert told.said == [table_text(ONE.offer), table_text(TWO.offer)]
    told = Told()
    with trio.move_on_after(20):
        await find._find(told)
    assert told.said[2:] == [f"Gone: {table_text(found.offer)}" for found in (TWO, ONE)]


def test_programs_get_a_list_without_the_secret_of_an_announcement(monkeypatch: pytest.MonkeyPatch) -> None:
    other = offered("Dee", b"5", rules="rex/999")

    async def here() -> list[Found]:
        return [ONE, other]

    monkeypatch.setattr(lan, "tables_here", here)
    told: Any = Told()
    told.as_json = True
    assert find.run(None, told) == 0  # type: ignore[arg-type]
    ((text, fields),) = told.answers
    assert text == f"{table_text(ONE.offer)}\n{table_text(other.offer)}"
    first, second = fields["tables"]
    assert (first["name"], first["lobby"], first["word"]) == ("Ann", (b"1" * 16).hex(), ONE.offer.word)
    assert [each["fits"] for each in (first, second)] == [True, False]
    assert "secret" not in first
    assert "secret" not in second
    assert "needs another version (starlock 9)" in text.splitlines()[1]
    assert "another version" not in text.splitlines()[0]


def test_an_interruption_is_the_normal_end_of_looking_and_any_other_error_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: Any = Told()
    told.as_json = False
    ends: list[BaseException] = [KeyboardInterrupt(), ValueError("odd")]

    async def ended(_context: object) -> None:
        raise ends.pop(0)

    monkeypatch.setattr(find, "_find", ended)
    assert find.run(None, told) == 0  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="odd"):
        find.run(None, told)  # type: ignore[arg-type]


# Of this home --------------------------------------------------------------------------------------------------------


def table(name: str, lobby: bytes, state: str = "playing", since: int = 100) -> Any:
    member = SimpleNamespace(certificate=SimpleNamespace(lobby=lobby))
    return SimpleNamespace(name=name, state=state, since=(3, since), genesis=SimpleNamespace(members=[member]))


def test_who_has_a_seat_is_told_to_resume_and_nobody_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [table("rex-1", b"a" * 16), table("rex-2", b"b" * 16)]
    monkeypatch.setattr("client.table.tables.records", lambda _store: [(None, each) for each in known])
    refuse_known(None, new_ticket(b"c" * 16, ANN.public, [], 1_900_000_000))  # type: ignore[arg-type]
    with pytest.raises(UserError) as caught:
        refuse_known(None, new_ticket(b"b" * 16, ANN.public, [], 1_900_000_000))  # type: ignore[arg-type]
    assert caught.value.code == "table/known"
    assert "starlock resume rex-2" in caught.value.whole
    assert join.refuse_known is refuse_known


def test_without_a_word_the_last_lobby_is_meant_unless_a_table_was_played_on_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[Any] = []
    noted = (("new", 200.0), ("old", 50.0))
    lobbies = [SimpleNamespace(name=name, expired=False, noted=lambda at=at: at) for name, at in noted]

    def opened(_home: Path, known: list[bytes]) -> list[Any]:
        begun.append(known)
        return lobbies

    tables: list[Any] = []
    monkeypatch.setattr("client.table.tables.records", lambda _store: [(None, each) for each in tables])
    monkeypatch.setattr("client.table.open_lobby.open_lobbies", opened)
    context: Any = SimpleNamespace(folders=SimpleNamespace(data=Path("data")))

    def meant() -> Any:
        return kept_lobby(context, None, None, "")  # type: ignore[arg-type]

    assert meant() == (lobbies[0], "")
    for since, found in ((199, True), (200, True), (201, False)):
        tables[:] = [table("rex-0", b"a" * 16), table("rex-1", b"b" * 16, since=since)]
        assert (meant() is not None) == found
        assert begun[-1] == [b"a" * 16, b"b" * 16]
    tables[-1].state = "over"
    assert meant() is not None
    tables[-1].state = "left"
    assert meant() is not None, "the one before was played on earlier"
    tables[0].since = (3, 300)
    assert meant() is None
    lobbies.clear()
    tables.clear()
    assert meant() is None


def test_a_word_means_a_lobby_by_its_name_or_by_an_answer_to_this_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def called_by(_lobbies: object, word: str, opens: Callable[[bytes, bytes], bool]) -> Any:
        asked.append((word, opens(b"sealed", b"lobby")))
        return "found"

    monkeypatch.setattr("client.table.tables.records", lambda _store: [])
    monkeypatch.setattr("client.table.open_lobby.open_lobbies", lambda _home, _begun: [])
    monkeypatch.setattr("client.table.open_lobby.lobby_called", called_by)
    monkeypatch.setattr("client.table.identity.own_identity", lambda _context: SimpleNamespace(key=ANN))
    monkeypatch.setattr("client.table.tables.opens", lambda sealed, key, lobby: (sealed, key, lobby))
    context: Any = SimpleNamespace(folders=SimpleNamespace(data=Path("data")))
    found: list[Any] = [kept_lobby(context, None, "rex-1", text) for text in ("", "an answer")]  # type: ignore[arg-type]
    assert found == ["found"] * 2
    assert asked == [(word, (b"sealed", ANN, b"lobby")) for word in ("rex-1", "an answer")]


def test_a_ticket_is_written_whole_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "ticket"
    for text in ("STAR-ONE", "STAR-2"):
        write_ticket(path, text)
        assert path.read_bytes() == text.encode() + b"\n"
        assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(UserError) as caught:
        write_ticket(path / "none", "STAR")
    assert "--ticket-file" in caught.value.whole
