from __future__ import annotations

from emperor_table import Play, own, put, station, table


def market(*technologies: str, seat: int = 1, saboteur: int = -1) -> Play:
    """Seat 0 chooses the Merchant; a seat has technologies, perhaps another one Saboteurs."""
    play = table(3)
    with play.edit() as g:
        own(g, seat, *technologies)
        if saboteur >= 0:
            own(g, saboteur, "saboteurs")
    return play.force("market", (1, 2, 3, 6)).say("left", "merchant")


def test_time_warp_rolls_one_die_again_before_the_discard() -> None:
    play = market("time-warp").force("time-warp", (5,))
    assert (play.seat, play.options()) == (1, ["-", "1", "2", "3", "4"])
    play.say("1")
    assert play.asked == "discard"
    assert play.options() == ["2", "3", "5", "6"]


def test_of_equal_dice_the_first_is_offered() -> None:
    play = table(3)
    with play.edit() as g:
        own(g, 1, "time-warp")
    play.force("market", (2, 2, 5, 5)).say("left", "merchant")
    assert play.options() == ["-", "1", "3"]


def test_an_anytime_technology_is_used_once_a_round() -> None:
    play = market("time-warp").say("1").until("choose")
    assert play.g.seats.techs[1, play.g.const.technology_index["time-warp"]] == 2


def test_time_warp_is_offered_after_fire() -> None:
    play = table(3)
    with play.edit() as g:
        station(g, 1, "c6", "cruiser")
        put(g, "oatha", "c5", 2)
        own(g, 0, "time-warp")
    play.force("fire", (4, 1, 1, 1)).force("time-warp", (6,)).say("left", "warlord", "-", "ship:cruiser:c6 c5", "-")
    assert (play.seat, play.options()) == (0, ["-", "1", "2", "3"])
    play.say("2")
    assert play.sector("c5") == (-1, 0)


def test_a_technology_of_a_role_is_used_once_in_it_and_again_in_the_next() -> None:
    play = table(3)
    with play.edit() as g:
        own(g, 0, "modular-hulls")
        g.seats.marks[0] = 20
    play.say("left", "engineer", "-", "modular-hulls", "build fighter d7")
    assert "build fighter d7" in play.options()
    assert "modular-hulls" not in play.options()
    assert play.refusal("modular-hulls") == "notation/unknown"
    play.until("choose").say("steward").until("choose").say("scientist").until("direction").say("left", "engineer", "-")
    assert (play.seat, play.asked) == (0, "build-ship")
    assert "modular-hulls" in play.options()
    assert "modular-hulls" not in play.say("modular-hulls").options()


def test_a_technology_of_a_role_is_ready_again_for_the_second_warlord_of_a_round() -> None:
    play = table(3)
    with play.edit() as g:
        own(g, 0, "fusion-drive")
        station(g, 0, "d7", "cruiser")
        g.round.cards[0], g.round.cards[7] = 2, 0
    play.say("left", "warlord", "fusion-drive", "ship:fighter:d7 d6 -")
    assert play.options() == ["-", "ship:cruiser:d7"]
    play.say("-")
    play.until("choose").say("warlord-2").until("move", 0)
    assert "fusion-drive" in play.options()


def test_a_technology_works_for_its_owner_whoever_chose_the_role() -> None:
    play = market("hydroponics", seat=2).say("6", "- - -", "- - -")
    assert (play.seat, play.options()) == (2, ["-", "hydroponics"])


def test_use_is_optional() -> None:
    play = market("hydroponics", seat=0).say("6", "-", "- - -")
    assert play.events("merchant/traded")[0]["food"] == 2


def test_saboteurs_take_the_effect_from_a_use() -> None:
    play = market("hydroponics", seat=0, saboteur=2).say("6", "hydroponics")
    assert (play.seat, play.options()) == (2, ["-", "sabotage"])
    play.say("sabotage")
    assert play.events("technology/sabotaged") == [{"seat": 0, "by": 2, "technology": "hydroponics"}]
    play.say("- - -")
    assert play.events("merchant/traded")[0]["food"] == 2


def test_saboteurs_may_let_a_use_pass() -> None:
    play = market("hydroponics", seat=0, saboteur=2).say("6", "hydroponics", "-", "- - -")
    assert play.events("merchant/traded")[0]["food"] == 4


def test_saboteurs_are_used_once_a_round_and_not_on_own_technologies() -> None:
    play = market("hydroponics", "saboteurs", seat=0).say("6", "hydroponics")
    assert play.asked == "trade"
    play = market("time-warp", seat=1, saboteur=2).say("1", "sabotage")
    assert play.asked == "discard"
    assert play.g.seats.techs[2, play.g.const.technology_index["saboteurs"]] == 2


def test_a_sabotaged_use_is_used_up() -> None:
    def sabotaged(role: str, *technologies: str) -> Play:
        play = table(3)
        with play.edit() as g:
            put(g, "anvil", "d6", 0, food=2)
            own(g, 0, *technologies)
            own(g, 1, "saboteurs")
        return play.force("market", (6, 6, 6, 6)).say("left", role)

    build = sabotaged("engineer", "modular-hulls").say("-", "modular-hulls", "sabotage")
    assert "modular-hulls" not in build.options()
    assert build.say("build cruiser d7").g.seats.marks[0] == 3
    drive = sabotaged("warlord", "fusion-drive").say("fusion-drive", "sabotage")
    assert drive.options() == ["-", "ship:fighter:d7"]
    assert drive.stage("ship:fighter:d7 c6 b5") == []
    robots = sabotaged("steward", "robotics").say("-", "d6", "sabotage")
    assert robots.options() == ["-", "d6"]
    guild = sabotaged("merchant", "trade-guild")
    guild.say("6", "guild food cheaper", "sabotage")
    assert guild.ask.prices == tuple(guild.g.round.prices) == (2, 3, 4)  # type: ignore[attr-defined]
    buying = sabotaged("regent", "propaganda").say("propaganda", "sabotage")
    assert (buying.seat, buying.options()) == (0, ["-", "buy"])
    assert buying.refusal("propaganda") == "technology/not-ready"
    assert buying.g.seats.marks[0] == 5
    corps = sabotaged("regent", "diplomatic-corps").say("diplomatic-corps", "sabotage")
    assert corps.g.seats.influence[0] == 2


def test_stopped_colony_pods_cost_nothing() -> None:
    play = table(3)
    with play.edit() as g:
        own(g, 1, "colony-pods")
        own(g, 2, "saboteurs")
    play.say("left", "explorer").until("explore", 1)
    tile = next(name for name in play.options() if play.g.const.planets[play.g.const.tile_index[name]])
    play.say(f"{tile} d1", "colony-pods", "sabotage")
    assert play.g.seats.marks[1] == 5
    assert play.sector("d1") == (-1, 0)
