"""The rulings of the first edition name what they rest on."""

from __future__ import annotations

import tomllib
from pathlib import Path

from engine.eclipse.editions.first import ECLIPSE1
from engine.eclipse.spec import ECLIPSE2

FIRST_SOURCES = {
    "components",
    "count of the wooden pieces",
    "one diagram",
    "one of two sources",
    "one program",
    "ours",
    "players' list of answers",
    "publisher's answers",
    "rulebook as quoted",
    "two programs",
}
"""What a ruling of the first edition may name as its source, besides sections of its document."""


def section_names() -> set[str]:
    """The sections of the document of the first edition."""
    document = tomllib.loads((Path(__file__).parents[2] / "rules" / "004.toml").read_text("utf-8"))
    return {line["section"] for line in document["line"]}


def named_sources(source: str) -> set[str]:
    """The sources that a ruling names, without what each of them is for."""
    parts = {part.split(" for ")[0] for part in source.split("; ")}
    sections = {part.removeprefix("document, ") for part in parts if part.startswith("document, ")}
    assert {name for each in sections for name in each.split(" and ")} <= section_names(), source
    return {part for part in parts if not part.startswith("document, ")}


def test_rulings_of_the_first_edition_name_its_own_sources_or_say_that_they_come_from_the_second() -> None:
    explained = {"audit of the second edition", "the document does not say", "the table's rule"}
    for ruling in ECLIPSE1.rulings:
        assert named_sources(ruling.source) <= FIRST_SOURCES | explained | {"second edition"}, ruling.id


def test_a_ruling_of_the_first_edition_that_speaks_of_the_second_names_what_it_rests_on() -> None:
    speaking = {ruling.id: ruling.source for ruling in ECLIPSE1.rulings if "second edition" in ruling.ruling}
    assert speaking.keys() == {
        "first-new-technologies",
        "first-draco",
        "first-homes",
        "first-start",
        "first-diplomacy",
        "first-action-chapters",
    }
    own = {name for name, source in speaking.items() if "second edition" not in named_sources(source)}
    assert own == {"first-new-technologies", "first-draco", "first-homes", "first-start"}


def test_sources_that_both_editions_share_are_decisions_of_this_project_alone() -> None:
    second_sources = {ruling.id: ruling.source for ruling in ECLIPSE2.rulings}
    shared = [one for one in ECLIPSE1.rulings if second_sources.get(one.id) == one.source]
    assert {part for one in shared for part in named_sources(one.source)} <= {
        "ours",
        "the document does not say",
        "the table's rule",
    }


def test_rulings_that_the_first_edition_plays_otherwise_have_their_own_text() -> None:
    kept = {ruling.id: ruling.ruling for ruling in ECLIPSE2.rulings}
    own = {ruling.id for ruling in ECLIPSE1.rulings if kept.get(ruling.id) != ruling.ruling}
    assert {"upgrade-legality", "influence-refresh", "aggression", "elimination-nothing-left"} <= own
