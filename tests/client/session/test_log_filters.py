"""The log on the full screen: filters by kind and by seat."""

from __future__ import annotations

import pytest
from screen_game import Solo

from client.session.news import ChatMessage, LoggedEvent
from client.show.styled import plain
from engine.core.registry import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_the_log_is_filtered_by_kind_and_by_seat_with_arrows_and_clicks(name: str) -> None:
    front = Solo(name).front
    fight = {"emperor": "warlord/rolled", "rex": "battle/plan"}.get(name, "combat/rolled")
    told = [LoggedEvent(1, "Anna moves.", "", (0,)), LoggedEvent(2, "Bob fights.", fight, (1,))]
    front.session.events.entries[:], front.session.events.chat[:] = told, [ChatMessage("Bob", "a truce?")]
    front.changed()
    front.press("f2")
    assert front.page is not None
    shown = {}
    for at, tab in enumerate(front.page.tabs):
        hit = next(hit for hit in front.draw(80, 24).hits if (hit.what, hit.value) == ("tab", str(at)))
        front.click(hit.x + 1, hit.y)
        text = " ".join("".join(plain(each) for each in front.draw(80, 24).lines[3:-1]).split())
        shown[tab] = [each for each in ("moves", "fights", "truce") if each in text]
    front.press("right")
    assert front.page.tab == 0
    assert shown.pop("dice", ["fights"]) == ["fights"]
    kinds = {"all": ["moves", "fights"], "battles": ["fights"], "mine": ["moves"], "chat": ["truce"]}
    if not front.session.table.pictures.fights.belonging:
        del kinds["battles"]
    seats: dict[str, list[str]] = {each: [] for each in front.session.table.names}
    assert shown == {**kinds, **seats, "Anna": ["moves"], "Bob": ["fights"]}
