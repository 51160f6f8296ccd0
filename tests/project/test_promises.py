"""Every sentence of SECURITY.md and RELIABILITY.md names a test that exists, itself or in `promises.toml`, or is no
promise."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
HELD = tomllib.loads((Path(__file__).parent / "promises.toml").read_text("utf-8"))
NO_PROMISE = ("limit", "word", "advice")


def blocks(text: str) -> Iterator[str]:
    """The paragraphs, list items and table rows, each in one line; without headings and the rules of tables."""
    block = list[str]()
    for line in [*text.splitlines(), ""]:
        said = line.strip()
        ends = not said or said.startswith("#") or not re.search(r"[^|\s:-]", said)
        if block and (ends or said.startswith(("- ", "|"))):
            yield " ".join(block)
            block = []
        if not ends:
            block.append(said.removeprefix("- "))


def sentences(text: str) -> list[str]:
    """All sentences of a document; a row of a table is one."""
    said = ([block] if block.startswith("|") else re.split(r"(?<=[.:]) +(?=[A-Z`])", block) for block in blocks(text))
    return [each for block in said for each in block if not re.match(r"\| (who|promise|kind) \|", each)]


@cache
def named_in(path: Path) -> set[str]:
    """The tests in a file."""
    return set(re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE))


@cache
def every_test() -> dict[str, set[str]]:
    """By the name of a file without its folder, the tests in it."""
    return {path.name: named_in(path) for path in TESTS.rglob("test_*.py")}


def names_a_test(sentence: str) -> bool:
    """True if a sentence names a file of tests, a test, or the kit in which the simulator's members are."""
    known = {name for names in every_test().values() for name in names}
    named = re.findall(r"`(?:[\w/]*/)?(test_\w+)(\.py)?`", sentence)
    return any(f"{name}.py" in every_test() if suffix else name in known for name, suffix in named)


def held(document: str, sentence: str) -> list[str] | str | None:
    """What `promises.toml` says of a sentence, None for nothing."""
    begun = [by for begins, by in HELD[document].items() if sentence.startswith(begins)]
    assert len(begun) <= 1, sentence
    return begun[0] if begun else None


@pytest.mark.parametrize("document", HELD)
def test_every_sentence_names_what_holds_it_or_is_no_promise(document: str) -> None:
    said = sentences((ROOT / document).read_text("utf-8"))
    assert len(said) > 50
    bare = [sentence for sentence in said if not names_a_test(sentence) and held(document, sentence) is None]
    assert bare == [], "name the test in the sentence, or in tests/project/promises.toml"


@pytest.mark.parametrize("document", HELD)
def test_the_table_names_tests_that_exist_and_sentences_that_are_said(document: str) -> None:
    said = sentences((ROOT / document).read_text("utf-8"))
    assert [begins for begins in HELD[document] if not any(each.startswith(begins) for each in said)] == []
    for by in HELD[document].values():
        if isinstance(by, str):
            assert by in NO_PROMISE, by
            continue
        for each in by:
            file, _, name = each.partition("::")
            assert (TESTS / file).exists(), each
            assert name in named_in(TESTS / file), each


TEXT = """# Title

Nothing is lost. It is held by
`tests/sim/test_soak.py`.

- One.
- Two: three.

| a | b |
|---|---|
| c | `test_nothing` |
"""


def test_a_sentence_without_a_test_is_found() -> None:
    said = {
        "Nothing is lost.": False,
        "It is held by `tests/sim/test_soak.py`.": True,
        "One.": False,
        "Two: three.": False,
        "| a | b |": False,
        "| c | `test_nothing` |": False,
    }
    assert {each: names_a_test(each) for each in sentences(TEXT)} == said


# Promises about what the program does not do -----------------------------------------------------------------------


def saying(words: str, *folders: str) -> set[str]:
    """The modules of these folders in which a pattern stands."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert len(paths) > 40
    return {path.relative_to(ROOT).as_posix() for path in paths if re.search(words, path.read_text("utf-8"))}


def test_no_module_that_makes_or_keeps_entries_knows_an_address() -> None:
    assert saying(r"import .*address|p2p\.reach|p2p\.link|wire\.address", "p2p/lockstep", "p2p/log") == set()


def test_only_a_table_at_play_believes_what_its_home_has_noted_of_proofs() -> None:
    """Judging and saving read the entries alone."""
    assert saying(r"store\.proven\b", "client") == {"client/table/peer.py", "client/table/tables.py"}
    assert saying(r"import .*\brestored\b", "client") == {"client/commands/resume.py", "client/table/post.py"}


def test_every_module_that_keeps_a_cache_beside_the_program_is_one_of_those_that_are_named() -> None:
    """What starlock runs from there is more than Python's own modules."""
    named = {"client/system/parsed.py": "parsed content", "seeds/sodium.py": "libsodium"}
    assert saying(r"cache_from_source|__pycache__", "client", "engine", "p2p", "seeds") == named.keys()
    (said,) = (block for block in blocks((ROOT / "SECURITY.md").read_text("utf-8")) if "three caches" in block)
    assert [word for word in named.values() if word not in said] == []
