"""Figures of Rex as the rules compute with them, against the second transcription of the content files.

Those that no test here names are written out in the tests of their chapter.
"""

from __future__ import annotations

from collections import Counter

import pytest
from played_figures import single_figures, transcribed
from rex_table import opening, table

from engine.core.cards import Handle
from engine.rex import city_map, victory
from engine.rex.bombardment import advance
from engine.rex.effects import fresh_recruits
from engine.rex.hands import hand_limit
from engine.rex.influence import resolve_location
from engine.rex.maneuver import move_range
from engine.rex.recruitment import units_price
from engine.rex.victory import stronghold_winners

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
NUMBERS = single_figures("rex/content/numbers.toml")
FACTIONS = transcribed("rex/content/factions.toml")
"""In the order of ``SIX``."""


def number(name: str) -> int:
    """A single figure of the rules."""
    (value,) = NUMBERS[f"numbers.{name}"]
    return value


def test_every_faction_begins_with_its_pieces() -> None:
    made = opening(SIX).until("window")
    seats = made.g.seats
    for seat, (id, row) in enumerate(FACTIONS):
        on_board = sum(city_map.units(made.g, seat, space) for space in range(len(made.g.const.spaces)))
        assert (on_board,) == row["start_units"], id
        assert (seats.reserve[seat] + on_board,) == row["units"], id
        assert (seats.mech_reserve[seat],) == row["mechanized"], id
        assert (seats.influence[seat],) == row["influence"], id
        assert (len(seats.hand[seat]),) == row["cards"], id
        assert (len(seats.traitors[seat]),) == row["traitors"], id
        assert (hand_limit(made.g, seat),) == row["hand_limit"], id
        assert (move_range(made.g, seat),) == row["move"] or id in ("jol-nar", "letnev"), id
    with made.edit(possible=False) as g:
        for space in range(len(g.const.spaces)):
            for seat in range(6):
                g.board.units[seat, space] = 0
    for seat, (id, row) in enumerate(FACTIONS):
        assert (move_range(made.g, seat),) == row["move"], id


def test_sol_begins_in_its_home_sectors() -> None:
    (row,) = [row for id, row in FACTIONS if id == "sol"]
    made = opening("xxcha,sol,hacan").until("place-units")
    places = {made.g.const.spaces[made.g.const.space_index[id]].sector for id in made.options()}
    assert places == set(row["home_sectors"]) - {made.g.round.fleet}


def test_the_fleet_destroys_what_stands_in_the_sector_it_enters() -> None:
    for id, row in transcribed("rex/content/spaces.toml"):
        made = table(SIX)
        (sector,) = row["sector"]
        space = made.g.const.space_index[id]
        for other in range(1, number("sectors") + 1):
            with made.edit(possible=False) as g:
                g.round.fleet = other
            assert city_map.bombarded(made.g, space) == (other == sector), (id, other)
        with made.edit(possible=False) as g:
            g.round.fleet = number("sectors")
            g.board.influence[space] = 1
        advance(made.g, sector)
        assert made.g.board.influence[space] == int(city_map.shielded(made.g, space)), id


def test_a_location_card_puts_its_influence_into_its_spaces() -> None:
    for id, row in transcribed("rex/content/influence.toml")[:8]:
        made = table(SIX)
        with made.edit(possible=False) as g:
            g.round.fleet = 0
        resolve_location(made.g, id)
        card = made.g.const.influence[id]
        placed = tuple(made.g.board.influence[made.g.const.space_index[space]] for space in card.spaces)
        assert placed == row["influence"], id
        assert sum(made.g.board.influence) == sum(row["influence"])


@pytest.mark.parametrize(("deck", "file"), [("strategy", "strategy"), ("influence", "influence")])
def test_a_deck_holds_every_card_so_often(deck: str, file: str) -> None:
    made = opening(SIX).until("window")
    dealt = Counter(face for handle, face in made.dealer.faces.items() if handle.deck == deck)
    assert dealt == {id: row["count"][0] for id, row in transcribed(f"rex/content/{file}.toml")}


def test_the_bombardment_deck_holds_its_numbers() -> None:
    made = opening(SIX).until("window")
    dealt = sorted(face for handle, face in made.dealer.faces.items() if handle.deck == "bombardment")
    assert tuple(dealt) == NUMBERS["numbers.bombardment"]


def test_a_leader_comes_back_for_its_strength() -> None:
    for id, row in transcribed("rex/content/leaders.toml"):
        made = table(SIX)
        at = made.g.const.leader_index[id]
        seat = SIX.split(",").index(made.g.const.leaders[at].faction)
        (strength,) = row["strength"]
        with made.edit(possible=False) as g:
            g.leaders.status[at] = 2
            g.seats.influence[seat] = 20
        made.run(["recruit", seat], phase="recruitment").say(f"0 {id}")
        assert made.g.seats.influence[seat] == 20 - strength, id


@pytest.mark.parametrize(("seats", "row"), transcribed("rex/content/tables.toml"))
def test_so_many_strongholds_win_for_so_many_allies(seats: str, row: dict[str, tuple[int, ...]]) -> None:
    factions = ",".join(SIX.split(",")[: int(seats)])
    for allies, wanted in enumerate(row["win"], 1):
        for held in (wanted - 1, wanted):
            made = table(factions)
            with made.edit(possible=False) as g:
                for seat in range(allies):
                    g.seats.alliance[seat] = int(allies > 1)
                for space in g.const.strongholds[:held]:
                    g.board.units[0, space] = 1
            won = len(made.g.const.strongholds) >= held and bool(stronghold_winners(made.g))
            assert won == (held == wanted), (allies, held)


def test_five_recruits_cost_those_that_are_not_free() -> None:
    made = table(SIX)
    for seat, (id, row) in enumerate(FACTIONS):
        most = number("recruit_most")
        assert units_price(made.g, seat, most) == (most - row["free_recruits"][0]) * number("recruit_price"), id


def test_fresh_recruits_bring_back_so_many_units_and_no_more() -> None:
    made = table(SIX)
    before = made.g.seats.reserve[0]
    with made.edit(possible=False) as g:
        g.seats.casualties[0] = number("fresh_units") + 3
        fresh_recruits(g, 0, "units")
    assert made.g.seats.casualties[0] == 3
    assert made.g.seats.reserve[0] == before + number("fresh_units")


def test_betrayal_cards_are_told_with_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = transcribed("rex/content/betrayal.toml")
    monkeypatch.setattr(victory, "CONDITIONS", {id: lambda g, seat: True for id, _ in cards})
    for id, row in cards:
        made = table("xxcha,hacan,letnev", betrayal="on")
        mine = Handle("betrayal", made.g.seats.betrayal[1] - 1)
        other = next(handle for handle, face in made.dealer.faces.items() if face == id)
        made.dealer.faces[other], made.dealer.faces[mine] = made.dealer.faces[mine], id
        made.dealer.lens(1).learn(mine, id)
        made.run(["betrayal", "strongholds", 1]).answer("reveal")
        assert [told["number"] for told in made.events("victory/betrayal")] == [*row["number"]], id
