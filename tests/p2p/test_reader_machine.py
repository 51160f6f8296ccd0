"""The test game of readers: only its draws are of one seat, who is chosen by the pick before them."""

from __future__ import annotations

from p2p.testing.machine import ReaderMachine


def test_all_seats_take_part_in_what_is_no_draw_and_one_after_the_other_in_draws() -> None:
    for seats in (2, 3):
        machine = ReaderMachine(seats)
        script = ["mix", "pick", *["draw"] * seats]
        for at, step in enumerate(script):
            for first in range(seats):
                machine.state.update(at=at, first=first, order=[0, 1, 2])
                assert machine.step_name() == step
                pending = machine.pending()
                assert pending is not None
                if step == "draw":
                    assert pending.seats == ((first + at) % seats,)
                else:
                    assert pending == super(ReaderMachine, machine).pending()
        machine.state["round"] = machine.state["rounds"]
        assert machine.step_name() == ""
        assert machine.pending() is None
