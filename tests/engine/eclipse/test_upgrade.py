"""Upgrade (document 000, section 5)."""

from __future__ import annotations

from eclipse_table import Play, own_technology, table

from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.eclipse import blueprints
from engine.eclipse.actions.upgrade import Remove, legal
from engine.eclipse.actions.upgrade import blueprints as blueprints_of
from engine.eclipse.editions.first import ECLIPSE1


def upgrader(*technologies: str, parts: tuple[str, ...] = ()) -> Play:
    play = table()
    with play.edit() as g:
        for name in technologies:
            own_technology(g, 0, name)
        for part in parts:
            g.seats.parts[0, g.const.part_index[part]] = 1
            g.round.discoveries[g.const.discovery_index[part]] = 0
    return play.say("upgrade")


def test_upgrade_replaces_a_part_and_all_ships_of_the_type_have_it_at_once() -> None:
    play = upgrader("improved-hull")
    before = blueprints.stats(play.g, 0, 1)
    play.say("place:cruiser:6:improved-hull")
    after = blueprints.stats(play.g, 0, 1)
    assert after != before
    assert play.events("upgrade/placed") == [{"seat": 0, "ship": "cruiser", "slot": 6, "part": "improved-hull"}]


def test_a_part_needs_its_technology() -> None:
    play = upgrader()
    assert not any("improved-hull" in option for option in play.options())
    assert any("improved-hull" in option for option in upgrader("improved-hull").options())


def test_energy_used_may_not_exceed_energy_produced() -> None:
    play = upgrader("antimatter-cannon")
    assert play.refusal("place:interceptor:4:antimatter-cannon") == "upgrade/energy"


def test_a_ship_keeps_a_drive_and_a_starbase_has_none() -> None:
    play = upgrader("fusion-source")
    drive = play.g.const.printed[play.g.seats.species[0]][0].index(play.g.const.part_index["nuclear-drive"]) + 1
    assert play.refusal(f"place:interceptor:{drive}:hull") == "upgrade/no-drive"
    slot = len(play.g.const.printed[play.g.seats.species[0]][3])
    assert play.refusal(f"place:starbase:{slot}:nuclear-drive") == "upgrade/starbase-drive"


def test_equal_slots_are_one_option() -> None:
    options = [option for option in upgrader().options() if option.startswith("place:dreadnought:")]
    assert len(options) == len(set(options))
    play = upgrader()
    printed = play.g.const.printed[play.g.seats.species[0]][2]
    hulls = [slot + 1 for slot, part in enumerate(printed) if part == play.g.const.part_index["hull"]]
    slots = {int(option.split(":")[2]) for option in options}
    assert hulls[0] in slots
    assert not slots & set(hulls[1:])


def test_tiles_return_before_one_is_placed_in_one_activation() -> None:
    play = upgrader("improved-hull", "fusion-source")
    play.say("place:cruiser:6:improved-hull")
    play.say("remove:cruiser:6 place:cruiser:6:fusion-source")
    assert play.g.seats.blueprint[0, 1, 5] == 1 + play.g.const.part_index["fusion-source"]


def test_removing_what_feeds_a_ship_is_finished_only_by_what_mends_it() -> None:
    play = upgrader("fusion-source", "antimatter-cannon")
    source = play.g.const.printed[play.g.seats.species[0]][1].index(play.g.const.part_index["nuclear-source"]) + 1
    play.say(f"place:cruiser:{source}:fusion-source", "place:cruiser:6:antimatter-cannon")
    with play.edit() as g:
        g.flow.agenda, g.flow.now = [], ["upgrade", 0, 1, 2]
    removed = (Remove("cruiser", source),)
    picks = play.ask.options(play.g, None, removed)
    assert "stop" not in play.options(*removed)
    assert {pick.ship for pick in picks if hasattr(pick, "part")} == {"cruiser"}


def test_upgrade_may_stop_after_its_first_activation() -> None:
    play = upgrader()
    assert "stop" not in [option.strip("()") for option in play.options()]
    play.say("place:cruiser:6:hull", "stop")
    assert play.seat == 1


def test_an_ancient_part_is_placed_once_and_leaves_the_game_when_removed() -> None:
    play = upgrader(parts=("shard-hull",))
    play.say("place:cruiser:6:shard-hull")
    assert not any("shard-hull" in option for option in play.options() if option.startswith("place"))
    play.say("remove:cruiser:6 stop")
    assert not play.g.seats.parts[0, play.g.const.part_index["shard-hull"]]
    assert not play.g.seats.blueprint[0, 1, 5]


def test_the_muon_source_lies_outside_the_grid() -> None:
    play = upgrader(parts=("muon-source",))
    play.say("place:dreadnought:9:muon-source")
    assert play.g.seats.blueprint[0, 2, 8] == 1 + play.g.const.part_index["muon-source"]


def test_in_the_first_edition_blueprints_must_be_legal_after_the_action_only() -> None:
    play = table(game=ECLIPSE1)
    with play.edit() as g:
        own_technology(g, 0, "antimatter-cannon")
        own_technology(g, 0, "fusion-source")
    play.say("upgrade", "place:interceptor:1:antimatter-cannon")
    assert legal(play.g, 0, 0, blueprints_of(play.g, 0)[0]) is not None, "two activations: the second mends it"
    assert "stop" not in play.options()
    assert not any(option.startswith("place:cruiser") for option in play.options())
    play.say("place:interceptor:2:fusion-source")
    assert legal(play.g, 0, 0, blueprints_of(play.g, 0)[0]) is None


def test_in_the_first_edition_a_reaction_leaves_a_legal_blueprint_too() -> None:
    play = table(game=ECLIPSE1)
    with play.edit() as g:
        own_technology(g, 0, "antimatter-cannon")
        g.seats.passed[0] = 1
    play.say("upgrade")
    assert play.refusal("place:interceptor:1:antimatter-cannon") == "upgrade/energy"


def test_in_the_first_edition_a_stand_in_ends_what_was_begun_with_a_legal_blueprint() -> None:
    play = table(game=ECLIPSE1)
    with play.edit() as g:
        own_technology(g, 0, "antimatter-cannon")
    play.say("upgrade", "place:interceptor:1:antimatter-cannon")
    play.match.apply(Answer(Seat(0), play.match.caretaker(0)))
    play.serve()
    assert all(legal(play.g, 0, ship, slots) is None for ship, slots in enumerate(blueprints_of(play.g, 0)))
