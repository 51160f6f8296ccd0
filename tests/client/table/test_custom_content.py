"""A table with content of its own: real peers sit down, play, come back, save; files are judged from their bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from peers import ROOT, Starlock, resume, ticket

from client.commands import cli
from client.proof.audit import judged, judged_evidence, machine_of, read_game
from client.system.errors import UserError
from client.table import custom_content as told
from client.table.beginning import new_machine
from client.table.content import custom_of, own_data, played_game
from client.words import texts
from engine.core.agenda import Table
from engine.core.custom_content import CustomContent, of_file
from engine.core.registry import GameSpec, game, settle_options
from engine.emperor.spec import EMPEROR
from p2p.identity.keys import SigningKey
from p2p.lobby.messages import Terms
from p2p.lockstep.machine import TableRefusal
from p2p.log.evidence import Evidence, pack_evidence, read_evidence
from p2p.log.starfile import Star, pack_star, read_star

MARKET = ROOT / "tests" / "content" / "emperor-market.toml"
OWN = of_file(EMPEROR, MARKET.read_bytes(), MARKET.name)
ID = OWN.id.hex()


def agreed(spec: GameSpec, seats: int) -> Table:
    table = settle_options(spec, seats, {})
    assert isinstance(table, Table)
    return table


TABLE = agreed(EMPEROR, 3)


def asked(folder: Path, *words: str, code: int = 0) -> dict[str, Any]:
    """What a command answers to programs."""
    answer: dict[str, Any] = json.loads(said(folder, *words, "--json", code=code))
    return answer


def said(folder: Path, *words: str, code: int = 0) -> str:
    """What a command says to people."""
    with pytest.MonkeyPatch.context() as own, redirect_stdout(StringIO()) as out:
        own.setenv("STARLOCK_HOME", str(folder / "home"))
        assert cli.main([*words, "--lang", "en"]) == code, out.getvalue()
    return out.getvalue()


# Before the table


def test_rules_shows_what_a_file_changes_and_its_values(tmp_path: Path) -> None:
    text = said(tmp_path, "rules", "emperor", "--content", str(MARKET))
    assert f"Own content {ID[:12]}: 20 values differ from the game's:" in text
    assert "  prices.metal: 1 2 2 2 3 3 → 2 2 3 3 4 4" in text
    assert "  unit.cruiser.marks: 2 → 1" in text
    assert "Harvest Moon" in said(tmp_path, "rules", "emperor", "harvest", "--content", str(MARKET))
    answer = asked(tmp_path, "rules", "emperor", "figures", "--content", str(MARKET))
    assert answer["content"] == ID
    assert {"path": "pool.3", "built_in": 115, "own": 60} in answer["changes"]
    entries = {entry["word"]: (entry["text"], entry["source"]) for entry in answer["entries"]}
    assert entries["pool"] == ("Value: 3: 60; 4: 70; 5: 80; 6: 90", "this table's own")
    assert entries["price-of-metal"] == ("Value: 2 2 3 3 4 4", "this table's own")
    assert entries["price-of-food"] == ("Value: 1 1 1 2 2 2", "one source")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("planet = ", "content/toml", "It is not TOML"),
        ("planets = 1", "content/unknown-key", "planets is no key of this table; its keys: radius, homes"),
        ("planet = 'two'", "content/type", "planet is 'two'; what belongs there: a whole number."),
        ("[prices]\nfood = [0, 1, 1, 1, 1, 1]", "content/range", "prices.food[0] is 0; from 1 to 20 is possible."),
        ("[[tile]]\nid = 'nowhere'", "content/missing", "tile[0].name is missing."),
        ("[[technology]]\nid = 'robotics'\neffect = 'sh'", "content/type", "technology[0].effect is 'sh'"),
        ("[[technology]]\nid = 'robotics'\nname = '\u202e\u202e'", "content/name", "technology[0].name: a name has 1"),
        ("#" * 64_001, "content/too-long", "It has more than 64000 bytes, and more are not possible."),
    ],
)
def test_a_bad_file_gets_one_message_with_place_and_remedy(tmp_path: Path, text: str, code: str, words: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text, "utf-8")
    error = asked(tmp_path, "simulate", "emperor", "--content", str(file), code=2)["error"]
    assert error["code"] == code
    assert words in error["message"]
    assert str(file) in error["message"]
    assert "starlock rules emperor --content FILE" in error["hint"]


@pytest.mark.parametrize("command", ["host", "play", "demo", "simulate", "rules"])
def test_every_command_refuses_a_bad_file_alike(tmp_path: Path, command: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text("planet = 0", "utf-8")
    assert asked(tmp_path, command, "emperor", "--content", str(file), code=2)["error"]["code"] == "content/range"


def test_a_file_that_is_not_there_and_a_game_without_own_content_are_said_so(tmp_path: Path) -> None:
    error = asked(tmp_path, "demo", "emperor", "--content", str(tmp_path / "none"), code=2)["error"]
    assert error["code"] == "file/unreadable"
    error = asked(tmp_path, "play", "eclipse2", "--content", str(MARKET), code=2)["error"]
    assert (error["code"], error["hint"]) == ("content/no-own", "Games that take content of a table: emperor")


def test_every_fault_of_content_has_a_sentence() -> None:
    worded = texts("emperor").refusals
    for name in ("core/content.py", "core/custom_content.py", "emperor/limits.py", "emperor/custom_content.py"):
        source = (ROOT / "engine" / name).read_text("utf-8")
        codes = {word for word in source.replace(")", ",").split('"') if word.startswith("content/")}
        assert {code for code in codes if not code.endswith(".toml")} - {"content/rows", "content/file"} <= set(worded)


def test_names_and_values_are_shown_so_that_no_terminal_obeys_them() -> None:
    assert told.value_text({"name": "a\x1b[2J\u202e", "planets": [[1, 2, 3], [4, 5, 6]]}) == (
        "name a\\u{1b}[2J\\u{202e}, planets [1 2 3] [4 5 6]"
    )


def test_simulate_plays_with_the_content_of_the_file(tmp_path: Path) -> None:
    words = ("simulate", "emperor", "--players", "3", "--games", "2", "--seed", "s")
    own, ours = asked(tmp_path, *words, "--content", str(MARKET)), asked(tmp_path, *words)
    assert (own["content"], ours["content"]) == (ID, EMPEROR.content_id(TABLE).hex())
    assert max(own["results"][0]["scores"]) < max(ours["results"][0]["scores"])


# At the table


def guest(folder: Path, ticket: str, name: str, *words: str) -> Starlock:
    return Starlock(folder, "join", ticket, "--as", "random", "--local", "--name", name, "--json", *words)


def host(folder: Path, *words: str, script: str = "") -> Starlock:
    table = ("host", "emperor", "--players", "3", "--content", str(MARKET), "--ticket-file", str(folder / "ticket"))
    return Starlock(folder, *table, "--as", "random", "--local", "--name", "Ann", "--json", *words, script=script)


@pytest.mark.soak
@pytest.mark.slow
def test_peers_play_with_own_content_come_back_watch_save_verify_and_go_on(tmp_path: Path) -> None:
    star = tmp_path / "ann.star"
    with (
        host(tmp_path / "ann", "--save", str(star)) as ann,
        Starlock(
            tmp_path / "wat", "watch", ticket(ann), "--local", "--json", "--save", str(tmp_path / "wat.star")
        ) as wat,
        guest(tmp_path / "cid", ticket(ann), "Cid") as cid,
    ):
        bob = guest(tmp_path / "bob", ticket(ann), "Bob")
        bob.reaches(20)
        bob.kill()
        with resume(tmp_path / "bob") as bob:
            assert (ann.end(), bob.end(), cid.end(), wat.end()) == (0, 0, 0, 0), ann.errors + bob.errors + wat.errors
        assert ann.answer["digest"] == bob.answer["digest"] == cid.answer["digest"] == wat.answer["digest"]
        for peer in (ann, cid, wat):
            assert "prices.metal: 1 2 2 2 3 3 → 2 2 3 3 4 4" in peer.errors
    verified = asked(tmp_path / "eve", "verify", str(star))
    assert (verified["ok"], verified["complete"], verified["content"], verified["own_content"]) == (
        True,
        True,
        ID,
        True,
    )
    assert f"Own content {ID[:12]}: 20 values differ" in said(tmp_path / "eve", "verify", str(tmp_path / "wat.star"))
    (row,) = asked(tmp_path / "cid", "tables")["tables"]
    again = tmp_path / "again.star"
    asked(tmp_path / "cid", "export", row["name"], str(again), "--no-chat")
    assert read_star(again.read_bytes()).content == read_star(star.read_bytes()).content == OWN.data
    asked(tmp_path / "eve", "import", str(again))
    assert asked(tmp_path / "eve", "verify", row["name"])["digest"] == ann.answer["digest"]
    assert asked(tmp_path / "eve", "replay", row["name"])["complete"]
    asked(tmp_path / "eve", "export", row["name"], str(tmp_path / "third.star"))
    assert asked(tmp_path / "eve", "verify", str(tmp_path / "third.star"))["own_content"]
    accused(star)
    stripped(again, tmp_path / "bare.star")
    lacking(tmp_path / "eve", tmp_path / "bare.star")


def stripped(file: Path, bare: Path) -> None:
    """The same entries in a file without the content."""
    star: Star = read_star(file.read_bytes())
    entries = [(entry, star.texts.get(entry.id)) for entry in star.entries]
    key = SigningKey.from_seed(bytes(32)).private
    bare.write_bytes(pack_star(entries, key=key, height=star.height, head=star.head, program="1"))


def accused(file: Path) -> None:
    """A legal answer is called a fault: who has the content sees that it is none, who has not does not judge."""
    star = read_star(file.read_bytes())
    number, entry = next((at, one) for at, one in enumerate(star.entries) if one.kind == "answer" and at > 40)
    claim = Evidence("answer/illegal", (entry,), star.entries[:number], "", star.content)
    assert read_evidence(pack_evidence(claim, "1")) == claim
    verdict = judged_evidence(claim)
    assert (verdict.kind, verdict.code) == ("unfounded", "evidence/legal")
    assert judged_evidence(replace(claim, content=b"")).kind == "not-judged"


def lacking(folder: Path, bare: Path) -> None:
    """Who has not got the content does not judge, and says so."""
    for command in ("verify", "replay", "import"):
        error = asked(folder, command, str(bare), code=2)["error"]
        assert error["code"] == "content/unknown"
        assert "not judged" in error["message"]
        assert ID[:12] in error["message"]
    with pytest.raises(UserError, match="not judged"):
        judged(read_game(bare))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "content"),
    [
        pytest.param(3, ("--content", str(MARKET)), id="own", marks=pytest.mark.soak),
        pytest.param(6, ("--content", str(MARKET)), id="own, six", marks=pytest.mark.soak),
        pytest.param(6, (), id="game's, six", marks=pytest.mark.soak),
    ],
)
def test_a_demo_ends_with_verified_logs(tmp_path: Path, players: int, content: tuple[str, ...]) -> None:
    words = ("demo", "emperor", "--players", str(players), "--seed", "market", "--json", *content)
    with Starlock(tmp_path, *words) as demo:
        assert demo.end() == 0, demo.errors
        answer = demo.answer
    assert answer["ok"]
    assert (len(answer["logs"]), len(set(answer["digests"]))) == (players, 1)
    if not content:
        assert read_game(Path(answer["logs"][0])).content == b""
        return
    log = read_game(Path(answer["logs"][0]))
    assert log.genesis is not None
    assert log.genesis.content.hex() == ID
    machine = machine_of(log.genesis, log.content)
    assert machine.ident == (EMPEROR.rules_id, bytes.fromhex(ID))
    assert own_data(machine.spec) == OWN.data
    assert isinstance(new_machine(log.genesis), TableRefusal)


LIAR = """
import p2p.lobby.invite as lobby
from engine.core import custom_content
from engine.emperor.spec import EMPEROR

before = lobby.Invite.opened
def opened(self, *words, **named):
    self.content = LIE
    before(self, *words, **named)
lobby.Invite.opened = opened
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lie", "code"),
    [
        ("custom_content.of_file(EMPEROR, b'planet = 3', 'lie').data", "lobby/other-content"),
        pytest.param("bytes(60000)", "lobby/content", marks=pytest.mark.soak),
    ],
)
def test_a_host_who_sends_other_content_than_the_table_names_finds_nobody(tmp_path: Path, lie: str, code: str) -> None:
    with host(tmp_path / "ann", script=LIAR.replace("LIE", lie)) as ann:
        with guest(tmp_path / "bob", ticket(ann), "Bob") as bob:
            assert bob.end() in (1, 2)
            assert bob.answer["error"]["code"] == code
        assert ann.process.poll() is None


UNSOUND = """
import engine.core.custom_content as core
import engine.emperor.custom_content as emperor
from engine.core.canonical import canonical, content_id
import client.table.joining as joining
from p2p.wire.content import content_name

sound = joining.own_data
def data(spec):
    return sound(spec).replace(OLD, NEW)
joining.own_data = data
terms = joining.Terms
def named(game, options, seats, rules, content, *rest):
    import engine.core.registry as registry
    from client.table.custom_content import read_custom
    from pathlib import Path
    spec = read_custom(registry.game("emperor"), Path("tests/content/emperor-market.toml")).spec
    return terms(game, options, seats, rules, content_name(data(spec)), *rest)
joining.Terms = named
import client.table.reception as reception
reception.custom_of = lambda *words: None
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("b'\"food\":[1'", "b'\"food\":[0'", "prices.food[0] is 0"),
        ("b'\"radius\":3'", 'b\'"radius":\' + b"[" * 981 + b"]" * 981', "Line 1 goes deeper"),
    ],
)
def test_content_that_could_not_be_played_is_refused_by_the_guest_though_its_id_fits(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    with (
        host(tmp_path / "ann", script=UNSOUND.replace("OLD", old).replace("NEW", new)) as ann,
        guest(tmp_path / "bob", ticket(ann), "Bob") as bob,
    ):
        assert bob.end() == 2
        error = bob.answer["error"]
        assert error["code"] == "content/own"
        assert why in error["message"]
        assert ann.process.poll() is None


# The game behind a genesis


def offered(
    content: bytes, game: str = "emperor", rules: str = "", seats: int = 3, options: Mapping[str, str] | None = None
) -> Terms:
    return Terms(
        game,
        dict(TABLE.options) if options is None else options,
        seats,
        rules or EMPEROR.rules_id,
        content,
        {},
        False,
        "",
    )


def test_the_game_of_a_table_is_found_by_id_and_bytes() -> None:
    ours = EMPEROR.content_id(TABLE)
    own = played_game(offered(OWN.id), OWN.data)
    assert not isinstance(own, TableRefusal)
    assert own[0].content_id(own[1]) == OWN.id
    assert played_game(offered(ours), b"") == (EMPEROR, TABLE)
    assert played_game(offered(ours), OWN.data) == (EMPEROR, TABLE)
    eclipse = game("eclipse2")
    codes = [
        played_game(offered(OWN.id, "chess"), OWN.data),
        played_game(offered(OWN.id, rules="emperor/99"), OWN.data),
        played_game(offered(OWN.id, seats=99), OWN.data),
        played_game(offered(OWN.id, options={}), OWN.data),
        played_game(offered(OWN.id), b""),
        played_game(offered(bytes(16)), OWN.data),
        played_game(offered(OWN.id), b"[]"),
        played_game(offered(OWN.id), OWN.data.replace(b'"radius":3', b'"radius":' + b"[" * 981 + b"]" * 981)),
        played_game(offered(OWN.id, "eclipse2", eclipse.rules_id, options=agreed(eclipse, 3).options), OWN.data),
    ]
    assert [each.code for each in codes if isinstance(each, TableRefusal)] == [
        "rules/no-game", "rules/other", "table/seats", "rules/options", "content/other", "content/other", "content/own",
        "content/own", "content/own",
    ]  # fmt: skip


def test_what_is_sent_is_empty_for_the_games_own_content() -> None:
    assert own_data(EMPEROR) == b""
    assert own_data(of_file(EMPEROR, b"planet = 1", "same").spec) == b""
    assert own_data(game("rex")) == b""
    assert custom_of("emperor", b"") is None
    found = custom_of("emperor", OWN.data)
    assert isinstance(found, CustomContent)
    assert json.loads(found.data) == json.loads(OWN.data)
