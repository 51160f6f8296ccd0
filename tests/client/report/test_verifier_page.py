"""The verifier page judges as `starlock verify` does, and holds all that it needs for that."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from base64 import b64decode
from functools import cache
from gzip import decompress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import verifier as script
from report_pages import left_star, needs_node, silent
from volume import GATE, VOLUME

from client import __version__
from client.commands.cli import main
from client.report.page import CHECKS, SCRIPTS
from client.report.verifier.held import digest, held, packed_sources, page_hash
from client.report.verifier.judge import drawn, shell_words, verdict
from client.report.verifier.made import assembled
from client.system import texts
from p2p.log.starfile import read_star

ROOT = Path(__file__).parents[3]
STAR = ROOT / "tests" / "stars" / "emperor.1.star"
MADE = pytest.mark.skipif(held() is None, reason="the verifier page of these sources is not made (scripts/verifier.py)")


@cache
def star() -> bytes:
    return STAR.read_bytes()


def altered(data: bytes, number: int) -> bytes:
    """One bit of an entry changed."""
    entry = read_star(data).entries[number]
    at = data.index(entry.raw) + len(entry.raw) - 20
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def judged(data: bytes) -> dict[str, Any]:
    fields, _found = verdict(data, "game.star", silent)
    return fields


def verified(capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, Any]:
    """What the command says of a file."""
    main(["verify", str(path), "--json"])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


def test_an_intact_game_is_judged_and_its_members_are_named_with_their_ten_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = judged(star())
    assert (said["state"], said["line"], said["code"], said["place"]) == ("yes", "Intact and complete.", "", "")
    seats = verified(capsys, STAR)["seats"]
    assert said["people"] == [(seat["name"], seat["identity"]) for seat in seats]
    assert all(len(words.split()) == 10 for _name, words in said["people"])
    main(["verify", str(STAR)])
    assert said["text"] == capsys.readouterr().out.rstrip("\n")


def test_what_is_proven_and_what_remains_a_matter_of_trust_is_shown_without_opening_anything() -> None:
    said = {title: sentences for _mark, title, sentences in judged(star())["claims"]}
    assert [*said] == ["This proves that", "It does not prove", "What 2 of 3 members together could have done unseen"]
    assert "every answer was legal by the rules when it was given" in said["This proves that"]
    assert "which person holds a key" in said["It does not prove"]
    assert judged(altered(star(), 40))["claims"] == []


def test_a_changed_bit_is_refused_at_the_place_that_verify_names(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "game.star"
    path.write_bytes(altered(star(), 40))
    said = judged(path.read_bytes())
    assert (said["state"], said["code"], said["place"]) == ("no", "file/entry", "entry 40")
    (problem,) = verified(capsys, path)["problems"]
    assert (problem["code"], problem["part"]) == (said["code"], said["place"])


def test_the_other_judge_is_told_what_was_asked_before_the_verdict() -> None:
    told: list[dict[str, Any]] = []
    fields, _found = verdict(star(), "game.star", silent, told.append, threads=0)
    assert told == [fields["hints"]]
    assert fields["hints"]["told"]
    verdict(altered(star(), 40), "game.star", silent, told.append, threads=0)
    assert len(told) == 1, "of a damaged file nothing is known"


@pytest.mark.parametrize(
    ("data", "state", "line"),
    [
        (b"hello", "unknown", "game.star begins neither as a starlock saved game nor as a file of evidence. If it is"),
        (b"", "unknown", "game.star begins neither as a starlock saved game nor as a file of evidence. If it is"),
        (STAR.read_bytes()[:5000], "no", "Not intact. "),
    ],
    ids=["foreign", "empty", "truncated"],
)
def test_what_is_no_whole_saved_game_gets_one_sentence(data: bytes, state: str, line: str) -> None:
    said = judged(data)
    assert (said["state"], said["line"].startswith(line)) == (state, True)
    assert "\n" not in said["line"]


def test_a_file_of_a_newer_kind_is_not_judged_and_its_program_is_named() -> None:
    from p2p.log.records import Writer
    from p2p.log.starfile import MAGIC

    said = judged(Writer(MAGIC, 9, "9.9.9").bytes())
    assert said["state"] == "unknown"
    assert "newer kind" in said["line"]
    assert "9.9.9" in said["line"]


def test_the_drawing_says_of_nothing_that_somebody_tells_it() -> None:
    _fields, found = verdict(left_star(), "game.star", silent)
    assert found is not None
    for language in texts.LANGUAGES:
        texts.use(language)
        try:
            words = drawn(found)["words"]
        finally:
            texts.use("en")
        said = [*words["from"].values(), *words["from_notes"].values(), words["by_rules"], *words["unchecked"].values()]
        assert not re.search(r"\btold\b|wrote|escrib|contado", "\n".join(said))
    facts = drawn(found)["facts"]
    assert {"story", "seats", "course", "battles"} <= set(facts)


HARNESS = """
import builtins, ctypes, json, sys
from seeds import sodium
library = sodium.prepare(next(load for _, load in sodium.candidates())())
names = json.loads(sys.argv[1])

class Refusing:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in names["unused"] or (top not in names["packed"] and top not in sys.stdlib_module_names):
            raise ModuleNotFoundError(f"{name} is not on the page")

for name in [each for each in sys.modules if each.split(".")[0] in ("cryptography", *names["unused"])]:
    del sys.modules[name]
sys.meta_path.insert(0, Refusing())
from client.report.verifier import browser

room = []
ORDER = ["", "crypto_core_ristretto255_from_hash", "crypto_core_ristretto255_add", "crypto_core_ristretto255_sub",
    "crypto_scalarmult_ristretto255", "crypto_scalarmult_ristretto255_base"]

def call(operation, length):
    given, result = bytes(room[-1][:length]), ctypes.create_string_buffer(32)
    what = browser.OPERATIONS[operation]
    if what == "valid":
        return library.crypto_core_ristretto255_is_valid_point(given)
    if what == "verify":
        size = ctypes.c_ulonglong(length - 96)
        return library.crypto_sign_verify_detached(given[:64], given[96:], size, given[64:96])
    if what == "combination":
        half, total, term = length // 2, bytes(32), ctypes.create_string_buffer(32)
        for at in range(0, half, 32):
            number, point = given[at : at + 32], given[half + at : half + at + 32]
            if any(number) and any(point):
                assert library.crypto_scalarmult_ristretto255(term, number, point) == 0
                assert library.crypto_core_ristretto255_add(result, total, term.raw) == 0
                total = result.raw
        room[-1][:32] = total
        return 0
    size = 64 if what == "map" else 32
    code = getattr(library, ORDER[operation])(result, *(given[at : at + size] for at in range(0, length, size)))
    room[-1][:32] = result.raw
    return code

class Given(bytes):
    to_bytes = lambda self: bytes(self)

page = browser.begin(call, room.append)
for path in sys.argv[2:]:
    with open(path, "rb") as file:
        print(page.verdict(Given(file.read()), "game.star", "en", lambda *_: None, lambda *_: None))
    print(json.dumps(bool(json.loads(page.drawn()))))
"""
"""Judges files as the page does: with libsodium behind the same bytes, and nothing that the page does not hold."""


def test_the_page_holds_every_module_that_judging_needs(tmp_path: Path) -> None:
    """For one game in the gate, for each of the recorded ones in the soak."""
    more = [] if VOLUME == GATE else sorted(STAR.parent.glob("*.star"))
    for name, data in packed_sources().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    wrong = tmp_path / "wrong.star"
    wrong.write_bytes(altered(star(), 40))
    unused = [name.removesuffix(".py") for name in script.UNUSED]
    names = json.dumps({"unused": unused, "packed": ["engine", "seeds", "p2p", "client", "cbor2", "cryptography"]})
    done = subprocess.run(
        [sys.executable, "-P", "-c", HARNESS, names, STAR, wrong, *more],
        capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    intact, shown, refused, nothing, *others = map(json.loads, done.stdout.splitlines())
    assert intact == json.loads(json.dumps(judged(star())))
    assert refused == judged(wrong.read_bytes())
    assert (shown, nothing) == (True, False)
    assert [verdict["state"] for verdict in others[::2]] == ["yes"] * len(more)
    assert others[1::2] == [True] * len(more)


def test_no_module_of_the_page_imports_what_is_left_out_of_pythons_library() -> None:
    unused = {name.removesuffix(".py") for name in script.UNUSED}
    found = set()
    for name, data in packed_sources().items():
        for node in ast.walk(ast.parse(data)) if name.endswith(".py") else ():
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found |= {(name, module) for module in modules if module and module.split(".")[0] in unused}
    assert found == set()


def test_the_document_allows_its_own_scripts_alone_and_no_network() -> None:
    page = assembled("AAAA", "").decode()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in policy
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
    assert "connect-src" not in policy
    assert f'data-sources="{digest()}"' in page[:2000]
    assert page.count("%%") == 0


@needs_node
def test_no_two_scripts_of_the_verifier_page_define_one_name(tmp_path: Path) -> None:
    ours, theirs = ROOT / "client" / "report" / "verifier" / "static", ROOT / "client" / "report" / "static"
    for names in (
        [theirs / SCRIPTS[0], ours / "verifier.js", *(theirs / name for name in SCRIPTS[1:])],
        [ours / "python.js"],
        [theirs / name for name in CHECKS],
    ):
        path = tmp_path / "all.mjs"
        path.write_text("\n".join(name.read_text("utf-8") for name in names), encoding="utf-8")
        done = subprocess.run(["node", "--check", path], capture_output=True, text=True, timeout=60)
        assert done.stderr == ""


def test_without_the_page_one_sentence_says_how_to_make_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("client.report.verifier.held.digest", lambda: "0" * 64)
    assert main(["verifier", "-o", str(tmp_path / "verifier.html")]) == 2
    assert "scripts/verifier.py" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [[], ["--hash", "-o", "page.html"]])
def test_a_place_or_the_hash_is_asked_for(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verifier", *words]) == 2
    assert "hash" in capsys.readouterr().err


def test_a_page_that_is_there_is_written_whole_and_over_no_other_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page, path = b"<!doctype html>a page", tmp_path / "verifier.html"
    monkeypatch.setattr("client.report.verifier.held.held", lambda: page)
    assert main(["verifier", "-o", str(path), "--json"]) == 0
    assert path.read_bytes() == page
    assert json.loads(capsys.readouterr().out)["sha256"] == sha256(page).hexdigest()
    path.write_bytes(b"mine")
    assert main(["verifier", "-o", str(path)]) == 2
    assert path.read_bytes() == b"mine"
    assert main(["verifier", "-o", str(path), "--force"]) == 0
    assert path.read_bytes() == page


@MADE
def test_the_command_writes_the_page_and_says_its_hash(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "verifier.html"
    assert main(["verifier", "-o", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["sha256"] == sha256(path.read_bytes()).hexdigest() == page_hash()
    assert len(path.read_bytes()) <= 10_000_000, "bytes that the page may have"
    assert main(["verifier", "--hash"]) == 0
    assert capsys.readouterr().out.strip() == said["sha256"]
    assert main(["verifier", "-o", str(path)]) == 2, "it is there already"


@MADE
def test_pythons_library_is_compiled_in_the_page_and_starlock_can_be_read_there() -> None:
    page = held()
    assert page is not None
    found = re.search(rb'id="parts">([^<]*)<', page)
    assert found
    data = decompress(b64decode(found[1]))
    at = 4 + int.from_bytes(data[:4], "big")
    parts = {}
    for name, size in json.loads(data[4:at]):
        parts[name], at = data[at : at + size], at + size
    with ZipFile(BytesIO(parts["python_stdlib.zip"])) as library:
        names = library.namelist()
        dates = {each.date_time for each in library.infolist()}
    assert {"enum.pyc", "typing.pyc", "asyncio/__init__.pyc"} <= {*names}
    assert ([name for name in names if name.endswith(".py")], dates) == ([], {script.EPOCH})
    assert {name: parts[f"lib/{name}"] for name in packed_sources()} == packed_sources()


def test_every_text_of_the_page_exists_in_both_languages() -> None:
    found = {}
    for language in texts.LANGUAGES:
        texts.use(language)
        try:
            found[language] = shell_words()
        finally:
            texts.use("en")
    assert found["en"].keys() == found["es"].keys()
    same = [name for name, text in found["en"].items() if found["es"][name] == text]
    assert same == ["program"]


def test_a_record_replaces_the_one_place_of_the_readme_that_names_a_page() -> None:
    told = script.recorded("Its hash: version 0, sources `12`, SHA-256\n`34`. More.", "ab" * 32)
    assert told == f"Its hash: version {__version__}, sources `{digest()[:16]}`, SHA-256\n`{'ab' * 32}`. More."
    with pytest.raises(SystemExit, match="no place"):
        script.recorded("nothing", "ab" * 32)


@pytest.mark.soak
@pytest.mark.skipif(not script.fetched(), reason="its packages are not fetched (scripts/verifier.py does it)")
def test_made_again_from_the_same_sources_the_page_has_the_same_bytes() -> None:
    """Those of the page that stands here, if it is of these sources."""
    assert script.made() == (held() or script.made())


def test_the_readme_names_the_page_of_this_version() -> None:
    """A hash that was recorded for these sources is the one of their page; other sources wait for the next record."""
    readme = (ROOT / "README.md").read_text("utf-8")
    (line,) = script.RECORD.findall(readme)
    version, sources, found = re.findall(r"version (\S+),|`([0-9a-f]*)`", line.replace("\n", " "))
    assert version[0] == __version__
    assert len(found[1]) == 64
    if digest().startswith(sources[1]) and held() is not None:
        assert found[1] == page_hash()
