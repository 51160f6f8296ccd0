"""The lists and numbers of PROTOCOL.md are those of the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from p2p.lockstep import genesis, hearing, pacts, step
from p2p.lockstep.closing import TRIED
from p2p.lockstep.machine import Kind
from p2p.log.feeds import MAX_CHATS, MAX_FEED
from p2p.log.records import MAX_RECORD
from p2p.sync.bundle import MAX_BUNDLE
from p2p.wire import codec, entry, shapes
from p2p.wire.content import MAX_CONTENT
from seeds.choices import LONGEST
from seeds.shuffle import MOST_CARDS
from seeds.streams import BLOCK_BYTES

ROOT: Final = Path(__file__).parents[2]
TEXT: Final = (ROOT / "docs" / "PROTOCOL.md").read_text("utf-8")
CODE: Final = re.compile(r"[a-z]+/[a-z0-9-]+")


def section(number: str) -> str:
    """The text of a section with its subsections."""
    level = "#" * (2 + number.count("."))
    pattern = rf"^{level} {re.escape(number)}\.? .*?(?=^#{{2,{len(level)}}} |\Z)"
    found = re.search(pattern, TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None, number
    return found[0]


def rows(number: str) -> list[list[str]]:
    """The rows of the tables in a section, without their titles and lines."""
    lines = [line for line in section(number).splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0].startswith("`")]


def named(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def sources(*places: str) -> dict[str, str]:
    """The modules below these folders or files, without those of tests and simulations."""
    found = [file for place in places for file in sorted(ROOT.glob(place))]
    return {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in found if "testing" not in file.parts}


def test_the_contents_name_every_section() -> None:
    titles = re.findall(r"^## (\d+)\. (.+)$", TEXT, re.MULTILINE)
    listed = re.findall(r"^(\d+)\. \[([^]]+)\]\(#([^)]+)\)", TEXT, re.MULTILINE)
    assert [(number, title) for number, title, _ in listed] == titles
    for number, title, anchor in listed:
        assert anchor == f"{number}-{title.lower().replace(' ', '-')}"
    below = re.findall(r"^### (\d+\.\d+) ", TEXT, re.MULTILINE)
    contents = TEXT[: TEXT.index("\n## 1.")]
    assert re.findall(r"\b(\d+\.\d+)\s", contents.partition("**Words")[0]) == below


def test_every_section_that_the_document_refers_to_exists() -> None:
    known = set(re.findall(r"^#{2,3} (\d+(?:\.\d+)?)\.? ", TEXT, re.MULTILINE))
    referred = re.findall(r"(?:\(|, |and |to |section |of |in |as |by |with )(\d{1,2}\.\d)\b", TEXT)
    assert len(referred) > 99
    assert set(referred) <= known


# Tags ----------------------------------------------------------------------------------------------------------------

HASHED: Final = re.compile(
    r'\b(?:H|H64|hash_point|hash_scalar|message|prove|check|weighted)\(\s*f?"([^"]+)"'
    r'|\b(?:kdf|kdfs|scalar|scalars)\(\s*(?:[\w.]|\(\))+,\s*"([^"]+)"|kdf\(H\([^)]*\), "([^"]+)"'
    r'|\bmember_secrets\.digest\("([^"]+)"|digest\("(star|evidence)"\)'
)


def test_the_document_lists_every_tag() -> None:
    texts = sources("seeds/*.py", "p2p/**/*.py")
    del texts["p2p/link/mem.py"]  # a link of tests
    used = {tag for text in texts.values() for found in HASHED.findall(text) for tag in found if tag}
    used -= {"{tag}/nonce", "{tag}/weight", "{tag}/weights"}  # as `weighted` and `prove` put them together
    used |= {f"{tag}/{what}" for tag in ("share", "blind") for what in ("weight", "weights")}
    table = {tag for row in rows("2.4") for tag in named(row[0])}
    others = section("2.4").rpartition("\n\nOnly own")[2].partition("\n\n")[0]
    beside = {tag for tag in named(others) if tag != "…/nonce"}
    assert used == (table | beside) - {"kdf"}


def test_the_document_lists_every_proof() -> None:
    texts = "".join(sources("seeds/*.py").values())
    proofs = set(re.findall(r'\bcheck\("([^"]+)"', texts))
    assert {tag for row in rows("3.5") for tag in named(row[0])} == proofs


# Entries, questions and votes ----------------------------------------------------------------------------------------


def test_the_document_lists_every_kind_of_entry_with_its_stage_and_size() -> None:
    said = {named(row[0])[0]: (int(row[1] or 0), int(row[2].replace(",", ""))) for row in rows("4.2")}
    assert said == {kind: (step.STAGE.get(kind, 0), shapes.most_bytes(kind)) for kind in entry.KINDS}


def test_the_document_says_which_kinds_have_one_form() -> None:
    formed = {named(row[0])[0] for row in rows("4.2") if "`form`" in row[4]}
    assert formed == {kind for kind in entry.KINDS if not shapes.has_shape(kind, {})}


def test_the_document_says_which_bodies_have_a_basis() -> None:
    resting = {named(row[0])[0] for row in rows("4.2") if row[3].startswith("`[basis")}
    assert resting == step.RESTING


def test_the_document_lists_every_question() -> None:
    kinds = {*Kind.__args__, "prepare", "keys", "anew", "over"}  # type: ignore[attr-defined]
    assert {kind for row in rows("6.2") for kind in named(row[0])} == kinds
    told = section("6.5").split("```")[1]
    quoted, plain = set(re.findall(r'\["(\w+)"', told)), {"prepare", "keys", "over", "choose", "together"}
    assert kinds == (quoted | plain) - {"result"}
    assert {kind for row in rows("6.6") for kind in named(row[0])} == kinds


def test_the_document_lists_every_kind_of_pact_with_its_signers_and_what_it_ends() -> None:
    table = rows("9.2")
    assert [named(row[0])[0] for row in table] == [*pacts.KINDS]
    for name, out, _terms, signers, cards, every in table:
        kind = named(name)[0]
        assert (signers in ("t", "any t")) == (kind in pacts.NAMING)
        assert (out == "none") == (kind not in pacts.NAMING)
        assert (every == "yes") == (kind in pacts.ENDING)
        assert (cards == "yes") == (kind in pacts.CHANGING | pacts.ENDING)
    for number in ("9.3", "9.4"):
        assert {kind for row in rows(number) for kind in named(row[0])} <= {*pacts.KINDS}
    assert [named(row[0])[0] for row in rows("9.3")] == [*pacts.KINDS]
    covering = section("9.3").partition("*covers*")[2].partition(", its")[0]
    assert set(named(covering)) == pacts.COVERING


# Codes ---------------------------------------------------------------------------------------------------------------

JUDGING: Final = (
    *("seeds/*.py", "p2p/lockstep/*.py", "p2p/log/records.py", "p2p/log/starfile.py", "p2p/wire/codec.py"),
    *("p2p/wire/entry.py", "p2p/identity/tablekey.py", "client/proof/audit.py", "p2p/log/evidence.py"),
)
OWN: Final = "p2p/lockstep/signing.py"
"""It refuses what its own player asks for."""
PREFIXES: Final = (
    *("file", "wire", "entry", "log", "genesis", "certificate", "answer", "beacon", "keys", "lock", "deck", "seal"),
    *("anew", "pact", "result"),
)
LOCAL: Final = frozenset({"file/evidence", "file/too-long"})
FIELDS: Final = frozenset(f"entry/{name}" for name in ("table", "seq", "height", "head", "state"))
"""Codes that are put together from the names of fields."""


def test_the_document_lists_every_code_of_a_problem_and_of_a_refused_vote() -> None:
    texts = [text for name, text in sources(*JUDGING).items() if name != OWN]
    used = {code for text in texts for code in re.findall(r'"([a-z]+/[a-z0-9-]+)"', text)}
    used = {code for code in used if code.startswith(tuple(f"{prefix}/" for prefix in PREFIXES))}
    tags = set(named(section("2.4")))
    said = {code for number in ("13.2", "9.8") for code in named(section(number)) if CODE.fullmatch(code)}
    assert (used - tags - LOCAL) | FIELDS == said


def test_the_document_lists_every_contradiction() -> None:
    text = (ROOT / "p2p/log/evidence.py").read_text("utf-8")
    codes = re.findall(r'return "(evidence/\w+)"|"(evidence/opening)" if', text)
    assert {code for row in rows("4.4") for code in named(row[0])} == {
        code for found in codes for code in found if code
    }


# Numbers -------------------------------------------------------------------------------------------------------------

NUMBERS: Final = [
    ("1", "more than {} lists and maps", codec.MAX_DEPTH),
    ("1", "at most {} bytes", codec.MAX_BYTES),
    ("2.3", "blocks of {} bytes", BLOCK_BYTES),
    ("4.2", "1 to {} values", step.MAX_BATCH),
    ("4.2", "at most {} letters", shapes.MAX_CODE),
    ("4.3", "exceed {} bytes", MAX_FEED),
    ("4.3", "before its {}st chat", MAX_CHATS + 1),
    ("4.3", "of at most {} keys", hearing.MAX_SPECTATORS),
    ("5", "list of 1 to {} records", genesis.MAX_MEMBERS),
    ("5", "seats are 0 to {}", genesis.MAX_SEATS - 1),
    ("5", "a name has 1 to {} bytes", genesis.MAX_NAME),
    ("5", "a level 1 to {}.", genesis.MAX_LEVEL),
    ("6.9", "the first four", TRIED == 4),
    ("8.4", "(1 to {})", MOST_CARDS),
    ("8.7", "with zeros to {} bytes", LONGEST),
    ("9.1", "at most {};", pacts.MAX_OVER),
    ("9.1", "the first {} entries `pact`", pacts.MAX_PROPOSALS),
    ("9.2", "at most {} ends", pacts.MAX_ENDS),
    ("10.1", "at most {})", MAX_RECORD),
    ("10.1", "at most {} bytes", MAX_CONTENT),
    ("12.1", "at most {} bytes", MAX_BUNDLE),
]


@pytest.mark.parametrize(("number", "words", "value"), NUMBERS)
def test_the_document_gives_the_numbers_of_the_program(number: str, words: str, value: int) -> None:
    text = " ".join(section(number).split())
    assert words.format(f"{value:,}") in text or words.format(value) in text
