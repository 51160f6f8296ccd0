"""The list of options, which all fronts draw: grouped by first words, narrowed, one entry for numbers."""

from __future__ import annotations

from typing import Any

from client.session.menu import FEW, MOST, MenuEntry, begun, entries
from client.session.notation import Amount
from client.session.view_records import Ask, ListedOption
from client.words import PLAIN


def ask(*texts: str, asides: tuple[str, ...] = (), amounts: Any = ()) -> Ask:
    """A question with these options, whose titles are their notation in capitals."""
    options = [ListedOption(text, text.upper(), "", (), text in asides, ()) for text in (*texts, *asides)]
    return Ask(0, "", (), "", False, False, "", options, amounts, (), ())


def titles(found: list[MenuEntry]) -> list[str]:
    return [each.title for each in found]


def test_a_group_is_named_by_the_words_with_which_all_its_titles_begin() -> None:
    assert begun(["Move a disc from 201 to 314", "Move a disc from 201 to the track"]) == "Move a disc from 201 to"
    assert begun(["Mover cruiser", "Construir"]) == ""
    assert begun([]) == ""


def test_a_long_list_is_grouped_and_its_groups_hold_each_option_once() -> None:
    texts = [f"{kind} part-{at}" for kind, count in (("add", MOST), ("drop", FEW), ("end", 1)) for at in range(count)]
    found = entries(ask(*texts), PLAIN)
    assert titles(found) == ["ADD", *(text.upper() for text in texts[MOST:])]
    assert found[0].path == ("add",)
    assert [at for each in found for at in each.options] == list(range(len(texts)))
    opened = entries(ask(*texts), PLAIN, path=found[0].path)
    assert [each.options for each in opened] == [[at] for at in range(MOST)]


def test_a_group_has_a_name_of_its_own_where_titles_begin_alike() -> None:
    texts = [f"{kind} {at}" for kind in ("first", "second") for at in range(MOST)]
    alike = ask(*texts)
    same = [ListedOption(one.text, f"Take it {at}", "", (), False, ()) for at, one in enumerate(alike.options)]
    question = Ask(0, "", (), "", False, False, "", same, (), (), ())
    assert titles(entries(question, PLAIN)) == ["First", "Second"]


def test_options_that_no_first_words_sort_are_listed_one_by_one() -> None:
    texts = [f"tech-{at}" for at in range(2 * MOST)]
    assert all(not each.path for each in entries(ask(*texts), PLAIN))
    assert len(entries(ask("same", *["same"] * MOST), PLAIN)) == MOST + 1


def test_what_does_not_answer_the_question_comes_last_and_in_groups() -> None:
    besides = tuple(f"trade {at}" for at in range(FEW + 1))
    assert titles(entries(ask("pass", asides=besides), PLAIN)) == ["PASS", "TRADE"]
    assert len(entries(ask("pass", asides=besides), PLAIN, chosen=range(1 + len(besides)))) == 1 + len(besides)


def test_options_that_differ_only_in_a_number_are_one_entry_also_where_only_some_are_chosen() -> None:
    amount = Amount((1, 2, 3), (1, 2, 3))
    question = ask("pass", "pay 1", "pay 2", "pay 3", amounts=[amount])
    assert [(each.options, each.amount) for each in entries(question, PLAIN)] == [([0], None), ([1, 2, 3], amount)]
    assert [each.options for each in entries(question, PLAIN, chosen={2})] == [[2]]
