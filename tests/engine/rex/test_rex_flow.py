from __future__ import annotations

from rex_table import opening, table

from engine.core.events import Event
from engine.core.waits import Reveal, Seal
from engine.rex.state import PHASES


def test_a_round_has_seven_phases_in_order() -> None:
    made = opening().until("window")
    told: list[Event] = []
    while made.g.round.number < 2:
        made.stand_in()
        told += made.new_events
    phases = [event.args["phase"] for event in told if event.id == "rex/phase"]
    assert phases == [*PHASES[2:-1], "influence"]


def test_plans_are_fixed_before_any_is_opened() -> None:
    """Both sides seal dial, leader and intent; then all are opened; then both seal cards, and all are opened."""
    made = table("sol,letnev,hacan").army(0, "iaf-hq", 3).army(1, "iaf-hq", 3).naive()
    cards = made.deal(0, "energy-rifle")[0], made.deal(1, "energy-shield")[0]
    made.secrets = {0: ["1 fleet-marshal attack", cards[0]], 1: ["1 saboteur defence", cards[1]]}
    waits = []
    serve = made.dealer.outcome

    def watching(match, choose):  # type: ignore[no-untyped-def]
        waits.append(match.pending)
        return serve(match, choose)

    made.dealer.outcome = watching  # type: ignore[method-assign]
    made.run(["fight", made.g.const.space_index["iaf-hq"], 0, 1], phase="battle").quiet()
    sealed = [wait for wait in waits if isinstance(wait, Seal | Reveal)]
    assert [type(wait) for wait in sealed] == [Seal, Reveal, Seal, Reveal, Reveal]
    assert [len(wait.asks if isinstance(wait, Seal) else wait.handles) for wait in sealed] == [2, 2, 2, 2, 2]
