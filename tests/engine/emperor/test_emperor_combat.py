from __future__ import annotations

from emperor_table import Play, own, put, station, table


def duel_of(mine: tuple[str, ...], theirs: tuple[str, ...], *rolls: tuple[int, ...], token: str = "empire") -> Play:
    """A battle between seats 1 and 2, neither the chooser, with the rolls to come."""
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", *mine)
        put(g, "oatha", "c5", 2 if token else -1, starbase=token == "starbase")
        station(g, 2, "c5", *theirs)
    play.force("fire", *rolls).say("left", "warlord", "-")
    for kind in mine:
        play.say(f"ship:{kind}:c6 c5")
    return play.say("-")


def test_the_attacker_may_go_on_or_retreat_after_each_phase() -> None:
    play = duel_of(("dreadnought", "cruiser"), ("fighter",), (1, 1, 1), (1, 1, 1, 1), (1,), (1, 1, 1))
    seen = []
    for _ in range(4):
        assert (play.seat, play.asked, play.options()) == (1, "retreat", ["-", "retreat"])
        seen.append(play.ask.phase)  # type: ignore[attr-defined]
        if len(seen) < 4:
            play.say("-")
    assert seen == [1, 2, 3, 1]
    play.say("retreat")
    assert play.ships(1, "c6") == ["cruiser", "dreadnought"]
    assert play.sector("c5") == (2, 1)


def test_only_the_attacker_is_asked_to_retreat() -> None:
    play = duel_of(("cruiser",), (), *[(1, 1, 1, 1)] * 6)
    for _ in range(6):
        assert (play.match.owing(), play.asked) == ((1,), "retreat")
        play.say("-" if len(play.forced["fire"]) else "retreat")
    assert play.ships(1, "c6") == ["cruiser"]


def test_both_sides_fire_before_losses_are_taken() -> None:
    play = duel_of(("cruiser",), (), (4, 1, 5, 1))
    assert play.sector("c5") == (-1, 0)
    assert play.ships(1, "c5") == []


def test_when_both_sides_are_destroyed_nobody_scores_or_controls() -> None:
    play = duel_of(("cruiser",), (), (4, 1, 5, 1))
    assert list(play.g.seats.vp) == [0, 0, 0]
    assert play.g.seats.reserve[2] == 11


def test_whoever_is_hit_chooses_the_units() -> None:
    play = duel_of(("cruiser",), ("fighter", "cruiser"), (4, 1, 1, 1, 1, 1))
    assert (play.seat, play.asked, play.options()) == (2, "losses", ["cruiser", "empire", "fighter"])
    play.say("fighter")
    assert play.ships(2, "c5") == ["cruiser"]


def test_attacker_and_defender_choose_at_once() -> None:
    play = duel_of(("cruiser", "fighter"), ("fighter",), (4, 1, 6, 1))
    assert play.match.owing() == (1, 2)


def test_one_hit_destroys_fighters_cruisers_and_empires() -> None:
    play = duel_of(("cruiser", "cruiser"), ("fighter", "cruiser"), (4, 4, 4, 1, 1, 1, 1, 1))
    assert play.ships(2, "c5") == []
    assert play.sector("c5") == (-1, 0)


def test_a_dreadnought_is_turned_by_the_first_hit_and_destroyed_by_the_second() -> None:
    play = duel_of(("dreadnought", "fighter"), ("dreadnought",), (1, 1, 1, 3, 1, 1), (1, 1), (1,), (1, 1, 1, 3, 1, 1))
    play.say("dreadnought")
    assert play.g.ships.damage[14 + 12] == 1
    play.say("-", "-", "-")
    assert play.options() == ["damaged", "fighter"]
    play.say("damaged")
    assert play.ships(1, "c5") == ["fighter"]


def test_dreadnoughts_that_survive_are_repaired() -> None:
    play = duel_of(("dreadnought", "fighter"), ("fighter",), (1, 1, 1), (6, 1), (1, 1), (3, 3, 3))
    play.say("-")
    play.say("dreadnought")
    assert play.g.ships.damage[14 + 12] == 1
    play.say("-", "-")
    assert play.asked == "claim-sector"
    assert play.g.ships.damage[14 + 12] == 0


def test_dreadnoughts_that_retreat_are_repaired() -> None:
    play = duel_of(("dreadnought", "fighter"), ("fighter",), (1, 1, 1), (6, 1))
    play.say("-").say("dreadnought")
    assert (play.asked, play.g.ships.damage[14 + 12]) == ("retreat", 1)
    play.say("retreat")
    assert play.ships(1, "c6") == ["fighter", "dreadnought"]
    assert play.g.ships.damage[14 + 12] == 0


def test_dreadnoughts_that_defended_are_repaired() -> None:
    play = duel_of(("cruiser",), ("dreadnought",), (1, 1, 1), (4, 1), token="").say("-")
    assert (play.asked, play.g.ships.damage[28 + 12]) == ("retreat", 1)
    play.say("retreat")
    assert play.ships(2, "c5") == ["dreadnought"]
    assert play.g.ships.damage[28 + 12] == 0


def test_a_starbase_is_turned_to_an_empire_and_stays_one() -> None:
    play = duel_of(("cruiser",), (), (4, 1, 1, 1, 1), (1, 1, 1, 1), token="starbase")
    assert play.sector("c5") == (2, 1)
    play.say("retreat")
    assert play.sector("c5") == (2, 1)


def test_a_turned_starbase_fires_as_an_empire() -> None:
    play = duel_of(("cruiser",), (), (4, 1, 1, 1, 1), (1, 1, 1, 1), token="starbase")
    play.say("-")
    assert play.events("warlord/rolled")[0]["seats"] == (1, 1, 2, 2)


def test_a_winning_attacker_scores_one_and_may_claim_the_sector() -> None:
    play = duel_of(("cruiser",), (), (4, 4, 1, 1))
    assert list(play.g.seats.vp) == [0, 1, 0]
    assert play.options() == ["-", "c5"]
    play.say("c5")
    assert play.sector("c5") == (1, 1)
    assert (play.g.seats.reserve[1], play.g.seats.reserve[2]) == (10, 11)


def test_a_battle_against_ships_alone_brings_no_point() -> None:
    play = duel_of(("cruiser",), ("fighter",), (4, 1), token="")
    assert list(play.g.seats.vp) == [0, 0, 0]
    assert play.options() == ["-", "c5"]


def test_a_destroyed_starbase_brings_one_point() -> None:
    play = duel_of(("cruiser",), (), (4, 4, 1, 1, 1), token="starbase")
    assert list(play.g.seats.vp) == [0, 1, 0]


def test_the_defender_never_scores() -> None:
    play = duel_of(("cruiser",), ("cruiser",), (1, 1, 4, 1, 1, 1))
    assert play.sector("c5") == (2, 1)
    assert list(play.g.seats.vp) == [0, 0, 0]


def test_ships_retreat_to_the_space_they_entered_from() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "fighter")
        station(g, 1, "b5", "cruiser")
        put(g, "oatha", "c5", 2)
    play.force("fire", (1, 1, 1, 1)).say("left", "warlord", "-", "ship:fighter:c6 c5", "ship:cruiser:b5 b4 c5", "-")
    play.say("retreat")
    assert play.ships(1, "c6") == ["fighter"]
    assert play.ships(1, "b4") == ["cruiser"]


def test_the_chooser_names_a_ship_that_rolls_an_extra_die() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c6", "fighter", "cruiser")
        put(g, "oatha", "c5", 2)
    play.force("fire", (1,) * 5).say("left", "warlord", "ship:fighter:c6 c5", "ship:cruiser:c6 c5", "-")
    assert (play.seat, play.options()) == (0, ["cruiser", "fighter"])
    play.say("cruiser")
    assert play.events("warlord/rolled")[0]["seats"] == (0, 0, 0, 2, 2)


def test_nobody_but_the_chooser_has_an_extra_die() -> None:
    play = duel_of(("cruiser",), (), (1, 1, 1, 1))
    assert play.events("warlord/rolled")[0]["seats"] == (1, 1, 2, 2)


def test_the_chooser_has_no_extra_die_when_attacked() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser")
        station(g, 0, "c5", "cruiser")
    play.force("fire", (1,) * 4).say("left", "warlord", "-", "ship:cruiser:c6 c5", "-")
    assert play.events("warlord/battle")[0]["defender"] == 0
    assert play.events("warlord/rolled")[0]["seats"] == (1, 1, 0, 0)


def test_ships_of_the_defender_have_no_extra_die() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 0, "c6", "cruiser")
        station(g, 1, "c5", "cruiser")
    play.force("fire", (1,) * 5).say("left", "warlord", "ship:cruiser:c6 c5", "-")
    assert play.events("warlord/rolled")[0]["seats"] == (0, 0, 0, 1, 1)


def test_the_chooser_of_the_second_warlord_has_the_extra_die_too() -> None:
    play = table(3)
    with play.edit() as g:
        g.round.cards[0], g.round.cards[7] = 2, 0
        station(g, 0, "c6", "cruiser")
        put(g, "oatha", "c5", 2)
    play.force("fire", (1,) * 5).say("left", "warlord-2", "ship:cruiser:c6 c5", "-")
    assert play.events("warlord/rolled")[0]["seats"] == (0, 0, 0, 2, 2)


def test_battles_are_fought_in_the_movers_order() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser", "cruiser")
        put(g, "oatha", "c5", 2)
        put(g, "verdance", "b5", 2)
    play.force("fire", (4, 4, 1, 1)).say("left", "warlord", "-", "ship:cruiser:c6 c5", "ship:cruiser:c6 b5", "-")
    assert (play.asked, play.options()) == ("next-battle", ["b5", "c5"])
    play.say("b5")
    assert play.options() == ["-", "b5"]


def test_deflector_shields_cancel_the_first_hit() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser")
        put(g, "oatha", "c5", 2)
        own(g, 2, "deflector-shields")
    play.force("fire", (4, 1, 1, 1), (4, 1, 1, 1)).say("left", "warlord", "-", "ship:cruiser:c6 c5", "-")
    assert (play.seat, play.options()) == (2, ["-", "deflector-shields"])
    play.say("deflector-shields")
    assert play.events("warlord/shielded") == [{"seat": 2, "hits": 1}]
    assert play.sector("c5") == (2, 1)
    assert play.say("-").sector("c5") == (-1, 0)


def with_cards(attacker: str, defender: str, *rolls: tuple[int, ...]) -> Play:
    """A Cruiser of seat 1 attacks one of seat 2; either may have technologies."""
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser")
        station(g, 2, "c5", "cruiser")
        own(g, 1, *attacker.split())
        own(g, 2, *defender.split())
    return play.force("fire", *rolls).say("left", "warlord", "-", "ship:cruiser:c6 c5", "-")


def test_deflector_shields_protect_their_owner_alone() -> None:
    play = with_cards("", "deflector-shields", (1, 1, 4, 1)).say("deflector-shields")
    assert play.events("warlord/shielded") == []
    assert (play.ships(1, "c5"), play.ships(2, "c5")) == ([], ["cruiser"])
    play = with_cards("deflector-shields", "", (4, 1, 1, 1)).say("deflector-shields")
    assert play.events("warlord/shielded") == []
    assert (play.ships(1, "c5"), play.ships(2, "c5")) == (["cruiser"], [])


def test_targeting_computers_let_cruisers_hit_on_three() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser")
        put(g, "oatha", "c5", 2)
        own(g, 1, "targeting-computers")
    play.force("fire", (3, 1, 3, 3)).say("left", "warlord", "-", "ship:cruiser:c6 c5", "-", "targeting-computers")
    assert play.sector("c5") == (-1, 0)
    assert play.ships(1, "c5") == ["cruiser"]


def test_targeting_computers_help_their_owner_alone() -> None:
    play = with_cards("targeting-computers", "", (1, 1, 3, 3)).say("targeting-computers")
    assert (play.ships(1, "c5"), play.ships(2, "c5")) == (["cruiser"], ["cruiser"])
    play = with_cards("", "targeting-computers", (3, 3, 3, 1)).say("targeting-computers")
    assert (play.ships(1, "c5"), play.ships(2, "c5")) == ([], ["cruiser"])


def test_the_attacker_is_asked_for_technologies_before_the_defender() -> None:
    for cards in (("targeting-computers", "deflector-shields"), ("deflector-shields", "targeting-computers")):
        play, asked = with_cards(*cards, (1,) * 4), []
        for _ in cards:
            asked.append((play.seat, *play.options()))
            play.say("-")
        assert asked == [(1, "-", cards[0]), (2, "-", cards[1])]


def test_a_battle_technology_covers_one_battle_of_a_warlord() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser", "cruiser")
        put(g, "oatha", "c5", 2)
        put(g, "verdance", "b5", 2)
        own(g, 1, "targeting-computers")
    play.force("fire", (4, 4, 1, 1), (1, 1, 1, 1))
    play.say("left", "warlord", "-", "ship:cruiser:c6 c5", "ship:cruiser:c6 b5", "-", "b5", "targeting-computers", "-")
    assert play.asked == "retreat"
