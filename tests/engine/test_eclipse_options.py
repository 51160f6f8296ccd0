"""Options, rulings and the name of the content of Eclipse."""

from __future__ import annotations

import pytest

from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.registry import Option, settle_options
from engine.eclipse.catalog import second
from engine.eclipse.options import OPTIONS, content_played, edition, fixed_species
from engine.eclipse.rulings import RULINGS
from engine.eclipse.spec import ECLIPSE2

E = second()


def agreed(seats: int = 4, **options: str) -> Table:
    table = settle_options(ECLIPSE2, seats, {name.replace("_", "-"): value for name, value in options.items()})
    assert isinstance(table, Table), table
    return table


def test_the_content_id_depends_on_options_that_select_rows_and_on_no_other() -> None:
    plain = content_played(agreed())
    assert len(plain) == 16
    assert plain == content_played(agreed(draws="open", species="random", ancients="unlimited"))
    others = [
        agreed(3),
        agreed(warp_portals="off"),
        agreed(nebula="on"),
        agreed(pulsar="on"),
        agreed(wanderers="on"),
        agreed(ancient_blueprint="alt"),
    ]
    assert len({plain, *map(content_played, others)}) == len(others) + 1
    assert content_played(agreed(black_hole="396")) != content_played(agreed(black_hole="399"))


def test_options_are_settled_into_an_edition() -> None:
    settled = {option.name: option.default for option in OPTIONS}
    assert edition(Table("eclipse2", 4, settled, 1)) is second()
    assert edition(Table("eclipse2", 4, settled | {"starbase-initiative": "3"}, 1)) is second(audit=True)
    assert len(edition(Table("eclipse2", 4, settled | {"warp-portals": "off"}, 1)).technology_bag) == 113


def test_option_names_are_unique_and_defaults_are_accepted() -> None:
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)
    for option in OPTIONS:
        assert option.values is None or option.default in option.values
        assert option.accepts is None or option.accepts(option.default, 4, {}, 1) is None
        assert set(option.conflicts) <= {other.name for other in OPTIONS}


@pytest.mark.parametrize(
    ("value", "seats", "refusal"),
    [
        ("pick", 6, None),
        ("random", 2, None),
        ("eridani,terran-union", 2, None),
        ("eridani,martian", 2, ("option/unknown-species", "martian")),
        ("eridani,hydran", 3, ("option/species-count", 2)),
        ("eridani,terran-directorate", 2, ("option/same-board", "eridani")),
        ("planta,planta", 2, ("option/same-board", "planta")),
        ("lyra,planta", 2, ("option/needs-wanderers", "lyra")),
    ],
)
def test_fixed_species_are_one_a_seat_from_different_boards(
    value: str, seats: int, refusal: tuple[str, str | int] | None
) -> None:
    option: Option = next(option for option in OPTIONS if option.name == "species")
    assert option.accepts is not None
    answer = option.accepts(value, seats, {}, 1)
    if refusal is None:
        assert answer is None
        assert [E.species_ids[s] for s in fixed_species(value, E)] == ([] if "," not in value else value.split(","))
    else:
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.path, answer.detail[0]) == (refusal[0], "species", refusal[1])


def test_rulings_have_unique_ids_and_a_source() -> None:
    assert len({ruling.id for ruling in RULINGS}) == len(RULINGS)
    for ruling in RULINGS:
        assert ruling.question.endswith(("?", "."))
        assert ruling.ruling.endswith(".")
        assert ruling.source
