from __future__ import annotations

import pytest
from rex_table import Play, opening, table

from engine.core.cards import Handle
from engine.core.content import ContentError
from engine.core.dataclass import replace
from engine.core.dealer import Dealer, HashDice, play
from engine.core.ids import Seat
from engine.core.inputs import Outcome
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.core.waits import Roll
from engine.rex import catalog
from engine.rex.catalog import city
from engine.rex.setup import Predict
from engine.rex.spec import REX
from engine.testing.judges import judge
from engine.testing.judges.rex_agenda import check_agenda

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def test_the_lowest_bombardment_card_begins_and_ties_draw_again() -> None:
    options = settle_options(REX, 3, {"factions": "sol,hacan,letnev"})
    match = Match.new(REX, options)  # type: ignore[arg-type]
    assert match.pending == Roll((18, 17, 16), "first-player")
    told = match.apply(Outcome((4, 1, 1)))  # a 2, then two of the three ones
    assert [event.args["number"] for event in told if event.id == "setup/drawn"] == [2, 1, 1]
    assert match.pending == Roll((18, 17), "first-player")
    match.apply(Outcome((4, 3)))
    assert match.g.round.first == 2


def test_each_player_takes_the_pieces_of_a_different_faction() -> None:
    g = table(SIX).g
    assert [g.const.factions[at].id for at in g.seats.faction] == SIX.split(",")
    assert all(g.leaders.status[at] == 1 for at in range(30))
    assert (g.seats.mech_reserve[1], g.seats.reserve[1]) == (5, 15)


def test_factions_are_picked_from_the_first_player_on() -> None:
    settled = settle_options(REX, 3, {})
    made = Play(settled, 3)  # type: ignore[arg-type]
    first = made.g.round.first
    assert made.seat == first
    assert made.options() == ["hacan", "jol-nar", "lazax", "letnev", "sol", "xxcha"]
    made.say("hacan")
    assert made.seat == (first + 1) % 3
    assert "hacan" not in made.options()


def test_factions_may_be_drawn() -> None:
    settled = settle_options(REX, 6, {"factions": "random"})
    g = Play(settled, 5).g  # type: ignore[arg-type]
    assert sorted(g.seats.faction) == [0, 1, 2, 3, 4, 5]


def test_four_traitors_are_dealt_one_is_kept_and_letnev_keeps_all() -> None:
    made = opening("sol,hacan,letnev")
    assert made.g.flow.now[0] == "redraw-traitors"
    made.say("no")
    assert [len(hand) for hand in made.g.seats.traitors] == [4, 4, 4]
    assert len(made.options()) == 4
    made.say(made.options()[2]).say(made.options()[1])
    assert [len(hand) for hand in made.g.seats.traitors] == [1, 1, 4]
    assert len(made.g.decks.order["traitor"]) == 15 - 6


def test_a_faction_that_keeps_some_of_its_traitors_but_not_all_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    spaces, factions, *others = catalog._files(1)
    odd = (replace(factions[0], traitors=2), *factions[1:])
    monkeypatch.setattr(catalog, "_files", lambda _version: (spaces, odd, *others))
    with pytest.raises(ContentError, match=r"^faction sol: traitors: 2, but 1 or 4 is kept$"):
        catalog._city.__wrapped__(3, 1)


def test_the_traitor_deck_holds_the_leaders_of_the_factions_in_play() -> None:
    made = opening("sol,hacan,letnev")
    faces = {face for handle, face in made.dealer.faces.items() if handle.deck == "traitor"}
    factions = {made.g.const.leaders[made.g.const.leader_index[face]].faction for face in faces}
    assert len(faces) == 15
    assert factions == {"sol", "hacan", "letnev"}


def test_letnev_shows_two_own_leaders_to_redraw_its_traitors() -> None:
    made = opening("sol,hacan,letnev")
    assert made.seat == 2
    own = [made.g.const.leaders[at].id for at in made.g.const.leaders_of[5]]
    held = [Handle("traitor", at) for at in sorted(made.g.seats.traitors[2])]
    for handle in made.dealer.faces:
        if handle.deck == "traitor":
            made.dealer.faces[handle] = "fleet-marshal"
    for handle, face in zip(held[:2], own[:2], strict=True):
        made.dealer.faces[handle] = face
    made.say(f"{held[0].deck}#{held[0].index} {held[1].deck}#{held[1].index}")
    assert made.events("setup/traitors-redrawn")
    assert len(made.g.seats.traitors[2]) == 4
    assert not {handle.index for handle in held} & {*made.g.seats.traitors[2]}
    assert made.g.flow.now == ["keep-traitors"]  # there is one redraw


def test_a_redraw_without_two_own_leaders_is_no_redraw() -> None:
    made = opening("sol,hacan,letnev")
    held = [Handle("traitor", at) for at in sorted(made.g.seats.traitors[2])]
    for handle in held:
        made.dealer.faces[handle] = "fleet-marshal"
    made.say(f"traitor#{held[0].index} traitor#{held[1].index}")
    assert made.events("core/foul")
    assert not made.events("setup/traitors-redrawn")
    assert sorted(made.g.seats.traitors[2]) == [handle.index for handle in held]


@pytest.mark.parametrize(("left", "right", "sector"), [("7", "7", 1), ("20", "0", 18), ("3", "9", 6), ("20", "1", 18)])
def test_the_fleet_begins_at_the_difference_of_the_neighbours_dials(left: str, right: str, sector: int) -> None:
    made = opening("sol,hacan,letnev")
    beside = [seat for seat in range(3) if seat != made.g.round.first]
    made.secrets = {beside[0]: [left], beside[1]: [right]}
    made.until("place-units")
    assert made.g.round.fleet == sector
    assert len(made.events("setup/fleet-dial")) == 2


@pytest.mark.parametrize("factions", ["sol,hacan,letnev,lazax", "sol,hacan,letnev,lazax,jol-nar", SIX])
def test_the_neighbours_of_the_first_player_dial_and_nobody_else(factions: str) -> None:
    made = opening(factions)
    first, seats = made.g.round.first, made.g.table.seats
    made.until("place-units")
    assert {told["seat"] for told in made.events("setup/fleet-dial")} == {(first - 1) % seats, (first + 1) % seats}


def test_everybody_draws_one_strategy_card_and_letnev_two() -> None:
    made = opening(SIX).until("window")
    assert [len(hand) for hand in made.g.seats.hand] == [1, 1, 1, 1, 1, 2]
    assert all(handle in made.dealer.lens(5) for handle in (Handle("strategy", at) for at in made.g.seats.hand[5]))


def test_starting_influence_and_units_follow_the_faction() -> None:
    made = opening(SIX).until("window")
    assert list(made.g.seats.influence) == [3, 10, 5, 5, 10, 10]
    assert made.count(2, "adminus-imperialis") == 5
    assert made.count(3, "galactic-council") == 1
    assert made.count(4, "civilian-spaceport") == 10
    assert made.count(5, "imperial-navy-base") == 10
    assert list(made.g.seats.reserve) == [10, 15, 15, 19, 10, 10]


def test_sol_spreads_ten_units_over_its_home_sectors_before_xxcha() -> None:
    made = opening("xxcha,sol,hacan").until("place-units")
    assert made.seat == 1
    assert ["start-units", 0] in made.g.flow.agenda
    assert not made.count(0, "galactic-council")
    fleet = made.g.round.fleet
    home = [row for row in made.g.const.spaces if row.sector in range(13, 18) and row.sector != fleet]
    assert made.options() == sorted(row.id for row in home)
    made.say("imperial-palace 4", "reactor-fields 6")
    assert made.count(1, "imperial-palace") == 4
    assert made.count(0, "galactic-council") == 1


def test_sol_does_not_start_under_the_fleet() -> None:
    made = opening("xxcha,sol,hacan")
    beside = [seat for seat in range(3) if seat != made.g.round.first]
    made.secrets = {beside[0]: ["15"], beside[1]: ["0"]}
    made.until("place-units")
    assert made.g.round.fleet == 15
    places = {made.g.const.spaces[made.g.const.space_index[id]].sector for id in made.options()}
    assert places == {13, 14, 16, 17}


def test_xxcha_predicts_another_player_and_a_round_in_secret() -> None:
    made = opening("xxcha,sol,hacan")
    made.secrets[0] = ["2 5"]
    made.until("window")
    seal = Handle("seal", made.g.round.prediction - 1)
    assert made.dealer.faces[seal] == '["",2,5]'
    assert judge(REX, made.g) is None
    assert [row[1] for row in made.g.decks.seals] == [0]


def test_a_prediction_names_any_other_player_and_any_round_from_the_first_on() -> None:
    ask = Predict(Seat(1), (0, 2), 8)
    assert ask.options(None) == (0, 2)  # type: ignore[arg-type]
    assert [*ask.options(None, None, (2,))] == [1, 2, 3, 4, 5, 6, 7, 8]  # type: ignore[arg-type]
    assert ask.options(None, None, (2, 1)) == ()  # type: ignore[arg-type]
    assert ask.caretaker(None) == (0, 8)  # type: ignore[arg-type]
    assert ask.unopened((0, 8)) is None  # type: ignore[func-returns-value]


def test_betrayal_cards_are_dealt_when_the_table_wants_them() -> None:
    assert all(table(SIX, betrayal="on").g.seats.betrayal)
    assert not any(table(SIX).g.seats.betrayal)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_mecatol_power_south_is_demolished_at_three_and_four_seats(seats: int) -> None:
    const = city(seats)
    south = const.space_index["mecatol-power-south"]
    assert (south in const.strongholds) == (seats > 4)
    assert len(const.strongholds) == (4 if seats < 5 else 5)
    assert const.largest_alliance == {3: 1, 4: 2, 5: 3, 6: 3}[seats]


def test_the_city_is_as_the_tables_say() -> None:
    const = city(6)
    assert len(const.spaces) == 28
    assert [len(spaces) for spaces in const.sector_spaces] == [1] + [2, 1] * 9
    assert len(const.leaders) == 30
    assert len(const.strategy) == 42
    assert len(const.influence_deck) == 16
    assert len(const.betrayal) == 8
    assert sorted(const.numbers.bombardment) == sorted([1, 2, 3, 4, 5, 6] * 3)
    assert {row.category for row in const.cards.values()} == {"attack", "defence", "other"}
    assert all(len(leaders) == 5 for leaders in const.leaders_of)


def test_sol_looks_at_the_bombardment_deck() -> None:
    made = opening("sol,hacan,letnev").until("window")
    assert made.g.decks.top("bombardment", 1)[0] in made.dealer.lens(0)
    assert not any(handle.deck == "bombardment" for handle in made.dealer.lens(1))


@pytest.mark.parametrize(
    ("factions", "code"),
    [
        ("sol,sol,hacan", "option/same-faction"),
        ("sol,hacan", "option/faction-count"),
        ("sol,hacan,vulcan", "option/unknown-faction"),
    ],
)
def test_named_factions_must_fit_the_table(factions: str, code: str) -> None:
    refusal = settle_options(REX, 3, {"factions": factions})
    assert refusal.code == code  # type: ignore[union-attr]


def test_no_state_knows_a_face() -> None:
    """A hidden card stands in the position as a handle: other faces make the same digests."""
    games = []
    for faces in (1, 2):
        settled = settle_options(REX, 4, {"factions": "sol,hacan,letnev,xxcha"})
        match = Match.new(REX, settled)  # type: ignore[arg-type]
        dealer = Dealer(HashDice(9))
        digests = []
        for step, _ in enumerate(play(match, dealer, lambda match, seat, ask: match.caretaker(seat))):
            if faces == 2 and step == 3:
                traitor = [handle for handle in dealer.faces if handle.deck == "traitor"]
                shown = [dealer.faces[handle] for handle in traitor]
                dealer.faces.update(zip(traitor, reversed(shown), strict=True))
            digests.append(match.digest())
            if step == 40:
                break
        games.append(digests)
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("factions", "seat", "units", "stands"),
    [
        ("xxcha,sol,hacan", 0, 1, True),
        ("xxcha,sol,hacan", 0, 0, False),
        ("letnev,sol,hacan", 2, 5, True),
        ("letnev,sol,hacan", 2, 4, False),
    ],
)
def test_a_written_position_places_no_units_that_are_not_in_the_reserve(
    factions: str, seat: int, units: int, stands: bool
) -> None:
    g = opening(factions).until("place-units").g
    assert ["start-units", seat] in g.flow.agenda
    g.seats.reserve[seat] = units
    refused = check_agenda(g, REX.segments)
    assert (refused is None) is stands
    assert refused is None or (refused.code, refused.detail) == ("position/agenda-arguments", ("start-units", seat))


def test_a_written_position_places_no_units_of_a_faction_that_has_no_place_of_its_own() -> None:
    g = opening("xxcha,sol,hacan").until("place-units").g
    assert check_agenda(g, REX.segments) is None
    g.flow.agenda.insert(0, ["start-units", 1])  # Sol spreads its units
    refused = check_agenda(g, REX.segments)
    assert refused is not None
    assert (refused.code, refused.detail) == ("position/agenda-arguments", ("start-units", 1))
