"""`starlock verify`: what it says of a game, whole, unfinished, damaged, forged or foreign."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import recorded
from recorded import GameTable
from volume import VOLUME

from client import __version__
from client.commands import cli
from client.proof.audit import SavedGame, judged
from client.proof.audit_report import log_fields, log_text
from engine.core.events import Event
from p2p.identity.keys import SigningKey
from p2p.log.evidence import Evidence, contradiction, pack_evidence
from p2p.log.records import FileError
from p2p.log.starfile import pack_star, read_star
from p2p.wire.entry import Entry, make_entry

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def home(starlock_home: Path) -> Path:
    return starlock_home


@pytest.fixture
def verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    def verify(data: bytes, name: str = "game.star") -> tuple[int, dict[str, Any]]:
        (tmp_path / name).write_bytes(data)
        code = cli.main(["verify", str(tmp_path / name), "--json"])
        (line,) = capsys.readouterr().out.splitlines()
        return code, json.loads(line)

    return verify


def packed(table: GameTable, entries: Sequence[Entry], height: int | None = None) -> bytes:
    """A file whose trailer its exporter has signed over whatever it holds."""
    peer = table.peers[0]
    return pack_star(
        [(entry, peer.texts.get(entry.id)) for entry in entries],
        key=table.keys[0].key.private,
        height=peer.position.height if height is None else height,
        head=peer.position.head,
        program=__version__,
    )


def test_a_whole_game_is_intact_and_complete(verified: Any) -> None:
    table = recorded.finished()
    code, told = verified(table.star())
    assert code == 0
    wanted = {"ok", "complete", "kind", "game", "table", "seats", "entries", "rolls", "shuffles", "reveals", "problems"}
    assert wanted | {"proves", "does_not_prove"} <= set(told)
    assert (told["ok"], told["complete"], told["problems"]) == (True, True, [])
    assert (told["kind"], told["game"], told["table"]) == ("game", "eclipse2", table.genesis.table.hex())
    assert [seat["name"] for seat in told["seats"]] == ["Player 0", "Player 1"]
    assert told["entries"] == len(table.log)
    assert {"signatures", "order", "legal-answers", "same-states", "result"} <= set(told["proves"])
    assert {"who-holds-a-key", "collusion", "test-seed"} <= set(told["does_not_prove"])


def test_every_roll_names_who_had_a_part_in_it_and_its_faces(verified: Any) -> None:
    _code, told = verified(recorded.finished().star())
    rolled = {entry.body[0]: entry for entry, _ in recorded.finished().log if entry.kind == "open"}  # type: ignore[index]
    assert len(told["rolls"]) == len(rolled)
    for roll in told["rolls"]:
        assert {"height", "seeds", "faces", "ok"} <= set(roll)
        assert roll["ok"] is True
        assert [seed["member"] for seed in roll["seeds"]] == ["Player 0", "Player 1"]
        assert all(len(seed["commitment"]) == len(seed["seed"]) == 64 for seed in roll["seeds"])
        assert (roll["lock"], roll["lifted"]) == (0, []), "between two there is no lock"
        assert all(1 <= face <= sides for face, sides in zip(roll["faces"], roll["sides"], strict=True))


def test_people_read_the_verdict_the_dice_and_what_is_not_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.star").write_bytes(recorded.finished().star())
    assert cli.main(["verify", str(tmp_path / "game.star")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Intact and complete.\nWon: Player ")
    titles = ["The end, as its members signed it", "This proves that", "It does not prove", "Saved by", "Rolls: "]
    assert [*map(out.index, titles)] == sorted(map(out.index, titles)), "what people ask for comes first"
    assert "technologies" in out
    assert "It does not prove" in out
    assert all(len(line) < 80 for line in out.splitlines())


def test_an_unfinished_game_is_intact_but_not_complete(verified: Any) -> None:
    code, told = verified(recorded.begun(5).star())
    assert (code, told["ok"], told["complete"]) == (0, True, False)
    assert "result" not in told["proves"]


def test_every_byte_of_a_saved_game_matters(tmp_path: Path) -> None:
    """Whatever byte is changed, the file is refused, and the refusal names an entry or a part of it.

    The gate changes one byte in five."""
    data = recorded.begun(1).star()
    for at in range(0, len(data), max(1, 5 // VOLUME)):
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        with pytest.raises(FileError) as refusal:
            read_star(bytes(damaged))
        assert refusal.value.part


@pytest.mark.parametrize("share", [0.0001, 0.2, 0.5, 0.8, 0.99999])
def test_a_flipped_bit_of_a_long_game_fails_and_is_located(verified: Any, share: float) -> None:
    data = bytearray(recorded.finished().star())
    data[int(len(data) * share)] ^= 4
    code, told = verified(bytes(data))
    assert (code, told["ok"]) == (1, False)
    (problem,) = told["problems"]
    assert problem["entry"] is not None or problem["part"]
    assert problem["code"].startswith("file/")


@pytest.mark.parametrize("keep", [4, 9, 60, 3000, -1])
def test_a_game_cut_short_fails(verified: Any, keep: int) -> None:
    code, told = verified(recorded.finished().star()[:keep])
    assert (code, told["ok"]) == (1, False)
    assert told["problems"][0]["code"] in ("file/truncated", "file/foreign")


def test_entries_in_another_order_fail_even_if_the_exporter_signs_them(verified: Any) -> None:
    table = recorded.finished()
    entries = list(table.peers[0].feeds.entries)
    author = entries[0].author
    own = [number for number, entry in enumerate(entries) if entry.author == author]
    one, other = next(pair for pair in pairwise(own) if len(entries[pair[0]].raw) == len(entries[pair[1]].raw))
    first, second = entries[one].raw, entries[other].raw
    entries[one], entries[other] = entries[other], entries[one]
    with pytest.raises(ValueError, match="does not follow"):
        packed(table, entries)
    swapped = table.star().replace(first, b"*" * len(first)).replace(second, first).replace(b"*" * len(first), second)
    code, told = verified(swapped)
    assert (code, told["problems"][0]["code"]) == (1, "file/chain")
    assert told["problems"][0]["entry"] == one


def test_an_exporter_who_claims_another_end_is_found_out(verified: Any) -> None:
    table = recorded.finished()
    code, told = verified(packed(table, table.peers[0].feeds.entries, height=7))
    assert (code, [problem["code"] for problem in told["problems"]]) == (1, ["file/other-end"])


def test_leaving_out_the_end_of_a_feed_leaves_an_unfinished_game(verified: Any) -> None:
    table = recorded.begun(6)
    last = len(table.peers[0].feeds.entries) - 1
    code, told = verified(packed(table, table.peers[0].feeds.entries[:last]))
    assert code == 1, "the exporter signed a head that these entries do not reach"
    assert told["problems"][0]["code"] == "file/other-end"


def test_the_end_of_a_game_that_is_missing_is_told_by_author_and_number(
    verified: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = recorded.finished()
    entries, short = table.peers[0].feeds.entries, table.keys[1].key.public
    height = table.peers[0].position.height // 2
    some = [entry for entry in entries if entry.author != short or entry.height < height]
    _code, told = verified(packed(table, some))
    (held,) = told["unjudged"]
    assert (held["member"], held["key"]) == ("Player 0", table.keys[0].key.public.hex())
    assert held["entries"] == sum(entry.height > told["height"] for entry in some)
    assert not told["complete"]
    assert cli.main(["verify", str(tmp_path / "game.star")]) == 1
    assert f"{held['entries']} entries of Player 0 could not be judged" in capsys.readouterr().out
    assert verified(table.star())[1]["unjudged"] == []


def test_who_saved_a_game_is_named_and_a_stranger_told_apart(
    verified: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = recorded.finished()
    key = table.keys[0].key
    _code, told = verified(table.star())
    assert told["saved_by"] == {"key": key.public.hex(), "name": "Player 0", "member": True}
    stranger = SigningKey.from_seed(b"s" * 32)
    peer = table.peers[0]
    kept = [(entry, peer.texts.get(entry.id)) for entry in peer.feeds.entries]
    data = pack_star(
        kept, key=stranger.private, height=peer.position.height, head=peer.position.head, program=__version__
    )
    code, told = verified(data)
    assert code == 0
    assert told["saved_by"] == {"key": stranger.public.hex(), "name": stranger.public.hex()[:8], "member": False}
    cli.main(["verify", str(tmp_path / "game.star")])
    assert "Saved by a key that is no member's" in capsys.readouterr().out


def test_what_opened_cards_show_to_be_false_is_told() -> None:
    """Rex tells it when hands are opened; the words are the table's."""
    peer = recorded.finished().peers[0]
    log = SavedGame(tuple(peer.feeds.entries), {})
    found = judged(log)
    assert (log_fields(log, found)["fouls"], "Against the rules" in log_text(log, found)) == ([], False)
    told = (
        Event("claim/false", {"seat": 1, "claim": "lacks", "about": "energy-rifle"}),
        Event("claim/struck", {"seat": 1}),
        Event("rex/phase", {"phase": "over"}),
    )
    genesis = found.genesis
    assert genesis is not None
    found = replace(found, history=((1, told),), genesis=replace(genesis, game="rex"))
    fouls = log_fields(log, found)["fouls"]
    assert fouls == [{"event": event.id, **event.args} for event in told[:2]]
    text = log_text(log, found)
    assert "Against the rules, as opened cards have shown" in text
    assert "Player 1 does not win: what it claimed was false." in text


def with_illegal_answer(table: GameTable) -> list[Entry]:
    """The log, and then an answer by which somebody claims what the rules do not know."""
    peer = next(peer for peer in table.peers if peer.owing().get(peer.me or b""))
    keys = next(keys for keys in table.keys if keys.key.public == peer.me)
    last, (seat,) = peer.feeds.last(keys.key.public), peer.owing()[keys.key.public]
    assert last is not None
    position = peer.position
    forged = make_entry(
        keys.key.private,
        table=table.genesis.table,
        seq=last.seq + 1,
        prev=last.id,
        epoch=position.epoch,
        height=position.height,
        head=position.head,
        state=position.state,
        kind="answer",
        body=[seat, [["no such record", 3]]],
    )
    return [*peer.feeds.entries, forged]


def test_an_illegal_answer_is_named_with_author_place_and_height(
    verified: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = recorded.begun(5)
    entries = with_illegal_answer(table)
    data = packed(table, entries)
    code, told = verified(data)
    (problem,) = told["problems"]
    assert (code, problem["code"], problem["entry"]) == (1, "answer/illegal", len(entries) - 1)
    assert (problem["author"], problem["seq"]) == (entries[-1].author.hex(), entries[-1].seq)
    assert problem["height"] == entries[-1].height
    (tmp_path / "game.star").write_bytes(data)
    cli.main(["verify", str(tmp_path / "game.star")])
    assert f"number {entries[-1].seq} of Player" in capsys.readouterr().out


# Evidence


def test_log_evidence_convicts_when_the_replay_arrives_at_head_and_state(verified: Any) -> None:
    *log, accused = with_illegal_answer(recorded.begun(5))
    evidence = Evidence("answer/illegal", (accused,), tuple(log))
    code, told = verified(pack_evidence(evidence, __version__), "proof")
    assert (code, told["ok"], told["kind"]) == (0, True, "evidence")
    assert (told["verdict"], told["author"]) == ("guilty", accused.author.hex())
    assert told["proves"] == ["answer/illegal"]


def test_evidence_against_a_legal_answer_is_unfounded(verified: Any) -> None:
    table = recorded.begun(6)
    *log, accused = [entry for entry, _background in table.log if entry.kind != "commit" or entry.height == 0]
    while accused.kind != "answer":
        accused = log.pop()
    code, told = verified(pack_evidence(Evidence("answer/illegal", (accused,), tuple(log)), __version__), "proof")
    assert (code, told["ok"], told["verdict"]) == (1, False, "unfounded")
    assert told["problems"][0]["code"] == "evidence/legal"


def test_a_pair_of_contradicting_entries_convicts_without_a_log(verified: Any) -> None:
    table = recorded.begun(5)
    forged = with_illegal_answer(table)[-1]
    table.step()
    honest = next(entry for entry, _ in table.log if (entry.author, entry.seq) == (forged.author, forged.seq))
    assert contradiction(honest, forged) == "evidence/seq"
    code, told = verified(pack_evidence(Evidence("entry/forked", (honest, forged)), __version__), "proof")
    assert (code, told["verdict"], told["proves"]) == (0, "guilty", ["evidence/seq"])


# What is none of ours


def test_a_foreign_file_is_unusable_input(verified: Any) -> None:
    code, told = verified(b"PK\3\4 something else entirely", "game.zip")
    assert (code, told["error"]["code"]) == (2, "file/foreign")
    assert "game.zip" in told["error"]["message"]


@pytest.mark.parametrize(
    ("word", "sought"),
    [("friday", "table “friday”"), ("friday.star", "file friday.star"), ("old/friday", f"file {Path('old/friday')}")],
)
def test_a_word_with_a_folder_or_an_ending_names_a_file_and_any_other_a_table(
    word: str, sought: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", word, "--json"]) == 2
    assert sought in json.loads(capsys.readouterr().out)["error"]["message"]


def test_a_game_of_unknown_rules_is_not_judged(verified: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.core.registry import GameSpec

    data = recorded.finished().star()
    monkeypatch.setattr(GameSpec, "rules_id", property(lambda spec: "eclipse2/999"))
    code, told = verified(data)
    assert (code, told["error"]["code"]) == (2, "rules/other")
    assert "eclipse2/999" in told["error"]["message"]


def test_it_starts_without_trio_prompt_toolkit_and_sqlite(tmp_path: Path) -> None:
    (tmp_path / "game.star").write_bytes(recorded.begun(1).star())
    code = (
        f"import sys; from client.commands import cli\n"
        f"code = cli.main(['verify', {str(tmp_path / 'game.star')!r}, '--json'])\n"
        "heavy = [name for name in ('trio', 'prompt_toolkit', 'asyncio', 'sqlite3', 'ssl') if name in sys.modules]\n"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_what_a_majority_could_have_done_and_what_votes_undid_come_before_the_rest() -> None:
    table = GameTable([[0], [1], [2]], options={"draws": "open"})
    table.start()
    while len(table.peers[0].position.chance.rolls) < 3:
        assert table.step()
    to = table.peers[0].position.chance.rolls[-1].roll.height
    assert table.peers[0].propose("takeback", (), [to, True]) is None
    table.settle()
    for peer in table.peers[1:]:
        assert peer.sign(peer.votes()[0].pact.id) is None
        table.settle()
    read = read_star(table.star())
    log = SavedGame(read.entries, read.texts)
    text = log_text(log, judged(log, lambda *_: None))
    titles = [
        "It does not prove",
        "What 2 of 3 members together could have done unseen",
        "Undone by vote",
        "eclipse2, ",
    ]
    assert [text.count(title) for title in titles] == [1, 1, 1, 1]
    assert [*map(text.index, titles)] == sorted(map(text.index, titles))
