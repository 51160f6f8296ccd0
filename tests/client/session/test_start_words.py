"""The command line of a table that is chosen on the start page or in the menu."""

from __future__ import annotations

import pytest

from client.session.start import NewTable


@pytest.mark.parametrize(("people", "words"), [(1, []), (2, ["--people", "2"]), (3, ["--people", "3"])])
def test_more_than_one_person_at_this_screen_is_said_where_the_table_is_played_here(
    people: int, words: list[str]
) -> None:
    form = NewTable("rex")
    form.sit(4)
    form.people = people
    assert form.command("play") == ["play", "rex", "--players", "4", "--bots", form.bots, *words]
    assert "--people" not in form.command("host")


@pytest.mark.parametrize(("friends", "words"), [(None, False), (1, True), (2, True), (3, False)])
def test_bots_are_said_where_fewer_friends_come_than_there_are_seats(friends: int | None, words: bool) -> None:
    form = NewTable("rex")
    form.sit(4)
    form.friends = friends
    said = ["--bots", form.bots, "--friends", str(friends)] if words else []
    assert form.command("host") == ["host", "rex", "--players", "4", *said]
    assert "--friends" not in form.command("play")
