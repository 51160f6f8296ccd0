"""`starlock verify` on dice, cards and choices: what it tells and proves, and evidence that it writes and judges."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import recorded

from client import __version__
from client.commands import cli
from client.proof.audit import write_evidence
from client.words.proof import DOES_NOT_PROVE, PROBLEMS, PROVES, VERDICTS, proof_text
from p2p.lockstep.audit import audit
from p2p.testing.cheats import CheatTable, alter, cheat
from p2p.testing.machine import TestMachine


def told(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = cli.main(["verify", str(path), "--json", *words])
    return code, json.loads(capsys.readouterr().out)


@cache
def played(seats: int = 3) -> recorded.GameTable:
    """A game of Eclipse as far as its first reputation tiles, or its end."""
    table = recorded.GameTable([[seat] for seat in range(seats)], seed=2)
    table.start()
    while not table.log_of("share") and table.step():
        pass
    return table


@cache
def cheated(kind: str, *path: int, who: int = 1, nth: int = 0) -> recorded.GameTable:
    table = recorded.GameTable([[0], [1], [2]], seed=2)
    cheat(table, who, alter(kind, *path, nth=nth))
    table.start()
    while not any(peer.mute for peer in table.peers) and table.step():
        pass
    return table


def saved(table: recorded.GameTable, folder: Path) -> Path:
    path = folder / "game.star"
    path.write_bytes(table.star())
    return path


def test_programs_learn_who_fixed_and_opened_what_and_who_lifted_the_lock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, found = told(saved(played(), tmp_path), capsys)
    assert code == 0, found["problems"]
    assert found["rolls"]
    for roll in found["rolls"]:
        assert set(roll) == {
            *("height", "epoch", "number", "tag", "sides", "seeds", "lock", "lifted", "faces", "ok")
        }  # fmt: skip
        assert roll["lock"] == len(roll["lifted"]) == 2
        assert all(set(seed) == {"member", "commitment", "seed"} for seed in roll["seeds"])
    cards = found["cards"]
    assert set(cards) == {
        *("sealed", "shuffles", "deals", "peeks", "reveals", "seals", "checked", "anew", "forced", "void")
    }  # fmt: skip
    assert cards["sealed"] is True
    assert cards["checked"]["shuffle"] == 3 * cards["shuffles"]
    assert cards["checked"]["share"] >= 2
    assert found["coalitions"] == [[2, 3]]
    assert "cards-proven" in found["proves"]
    assert "lock-coalition" in found["does_not_prove"]
    assert "last-opener-may-stop" not in found["does_not_prove"]
    assert "cards-are-not-secret" not in found["does_not_prove"]


def test_people_read_a_table_that_fits_their_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(played(6), tmp_path)
    assert cli.main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert all(len(line) < 80 for line in out.splitlines())
    assert "each with its proof, checked:" in out
    together = "What 4 of 6 members together could have done unseen - choose between two outcomes of a roll"
    assert together in " ".join(out.split())
    entry = played(6).log_of("open")[0]
    assert isinstance(entry.body, list)
    assert isinstance(entry.body[1], bytes)
    assert f">{entry.body[1].hex()[:4]}" in out


FAULTS = [
    ("commit", (2, 1), "keys/proof"),
    ("shuffle", (1, 1), "deck/shuffle-proof"),
    ("open", (1,), "beacon/opening-mismatch"),
    ("partial", (1,), "lock/proof"),
    ("share", (1, 1), "deck/share-proof"),
    ("keys", (1,), "keys/proof"),
]


@pytest.mark.parametrize(("kind", "path", "code"), FAULTS)
def test_evidence_of_a_false_message_is_written_and_judged_alone(
    kind: str, path: tuple[int, ...], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = cheated(kind, *path)
    guilty = table.keys[1].key.public.hex()
    exit_code, found = told(saved(table, tmp_path), capsys, "--evidence", str(tmp_path / "proofs"))
    assert (exit_code, found["ok"], found["proofs"]) == (1, False, 1)
    (file,) = map(Path, found["evidence"])
    assert file.parent == tmp_path / "proofs"
    exit_code, verdict = told(file, capsys)
    assert (exit_code, verdict["verdict"], verdict["author"]) == (0, "guilty", guilty)
    assert verdict["proves"] == [code]
    assert cli.main(["verify", str(file)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "This proves that Player 1 broke the protocol" in said
    assert f"signed by the key {guilty[:16]}" in said
    assert f"table {table.genesis.table.hex()[:16]}" in said
    assert "Player 1 is: " in said
    assert "It does not prove - which person holds a key" in said
    assert len(file.read_bytes()) < len((tmp_path / "game.star").read_bytes()) + 1_000


def test_each_of_several_faults_gets_a_file_of_its_own(tmp_path: Path) -> None:
    table = CheatTable()
    table.withheld.add((3, "commit"))
    table.start()
    last = first = next(entry for entry in table.log_of("commit") if entry.author == table.keys[1].key.public)
    assert isinstance(first.body, list)
    for number in range(3):
        body = [first.body[0], bytes([number]) * 32, *first.body[2:]]
        last = table.say(1, "commit", body, seq=last.seq + 1, prev=last.id)
    proofs = audit(table.log_at(0), lambda genesis: TestMachine(genesis.seats, 1)).proofs
    written = write_evidence(tmp_path / "proofs", proofs)
    assert len(written) == len(proofs) == 3
    assert sorted(written) == sorted((tmp_path / "proofs").iterdir())


def test_damaged_evidence_is_called_so_and_evidence_of_evidence_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _code, found = told(saved(cheated("open", 1), tmp_path), capsys, "--evidence", str(tmp_path))
    (file,) = map(Path, found["evidence"])
    code, refused = told(file, capsys, "--evidence", str(tmp_path))
    assert (code, refused["error"]["code"]) == (2, "verify/evidence")
    file.write_bytes(file.read_bytes()[:-1])
    code, broken = told(file, capsys)
    assert (code, broken["ok"], broken["kind"]) == (1, False, "evidence")
    assert cli.main(["verify", "--lang", "es", str(file)]) == 1
    assert "(el cierre)" in capsys.readouterr().out
    assert cli.main(["verify", "--lang", "en", str(file)]) == 1
    assert "(the trailer)" in capsys.readouterr().out


def test_a_log_without_faults_leaves_nothing_to_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = told(saved(played(), tmp_path), capsys, "--evidence", str(tmp_path / "proofs"))
    assert not (tmp_path / "proofs").exists()
    assert (code, found["evidence"], found["proofs"]) == (0, [], 0)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("a file")
    code, found = told(saved(cheated("open", 1), tmp_path), capsys, "--evidence", str(tmp_path / "taken"))
    assert (code, found["error"]["code"]) == (2, "file/unwritable")


def test_evidence_of_another_engine_or_without_the_rules_names_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _code, found = told(saved(cheated("open", 1), tmp_path), capsys, "--evidence", str(tmp_path))
    file = Path(found["evidence"][0])
    with monkeypatch.context() as other:
        other.setattr("client.table.machine.GameMachine.digest", lambda self: bytes(16))
        code, verdict = told(file, capsys)
        assert (code, verdict["verdict"]) == (1, "engines-differ")
    with monkeypatch.context() as other:
        other.setattr("client.proof.audit.new_machine", lambda genesis, content=b"": None)
        code, verdict = told(file, capsys)
        assert (code, verdict["verdict"]) == (1, "not-judged")


def test_a_forged_claim_against_an_honest_entry_is_unfounded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from p2p.log.evidence import Evidence, pack_evidence

    entries = played().peers[0].feeds.entries
    for kind in ("shuffle", "share", "partial", "open", "answer", "commit"):
        accused = next(entry for entry in entries if entry.kind == kind)
        log = tuple(entry for entry in entries if entry.height <= accused.height and entry.id != accused.id)
        (tmp_path / "forged").write_bytes(pack_evidence(Evidence("deck/proof", (accused,), log), __version__))
        code, verdict = told(tmp_path / "forged", capsys)
        assert (code, verdict["verdict"]) == (1, "unfounded"), kind


SAID = r'\b(?:Fault|Evidence|FileError|WireError|_accuse)\(\s*"([a-z]+/[a-z-]+)"'
FOUND = r'\bProblem\([^"]*"([a-z]+/[a-z-]+)"'
RETURNED = r'"(evidence/[a-z-]+|entry/[a-z-]+)"'


def test_every_code_of_what_an_audit_finds_has_its_sentence() -> None:
    """Whatever the sans-IO parts may find, in a log, a file or a proof, a person reads it in words."""
    root = Path(cli.__file__).parents[2]
    folders = ("p2p/lockstep", "p2p/log", "seeds")
    sources = [path for folder in folders for path in (root / folder).glob("*.py")]
    sources += [root / "p2p/identity/tablekey.py", root / "client/proof/audit.py"]
    texts = [path.read_text() for path in sources]
    named = {code for text in texts for pattern in (SAID, FOUND, RETURNED) for code in re.findall(pattern, text)}
    some = {"deck/shuffle-proof", "pact/terms", "file/content", "entry/stranger", "result/other-state", "genesis/seats"}
    assert some <= named
    said_otherwise = {"file/version", "evidence/other-state", "evidence/no-rules"}
    assert named - set(PROBLEMS) == said_otherwise
    assert not any("{what}" in VERDICTS[kind] for kind in ("engines-differ", "not-judged"))


def test_every_code_of_what_is_proven_or_not_has_its_words() -> None:
    root = Path(cli.__file__).parents[2]
    text = (root / "p2p/lockstep/account.py").read_text()
    named = set(re.findall(r'^        "([a-z-]+)": ', text, re.MULTILINE))
    assert named == set(PROVES) | set(DOES_NOT_PROVE)
    assert "2 of 3" in proof_text("lock-coalition", ((2, 3),))
