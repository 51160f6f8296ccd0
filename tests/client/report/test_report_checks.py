"""The page of a game checks itself: what its checks find under node."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agreement import told_items, told_of
from recorded import GameTable
from report_pages import (
    alone_star,
    checked,
    data_of,
    left_star,
    locked_star,
    needs_node,
    page_of,
    passed_star,
    silent,
    silent_star,
    taken_back_star,
    twice_ended_star,
    whole_star,
    with_data,
)
from volume import gated

from client.proof.audit import SavedGame, judged, names_of
from client.proof.audit_chance import value_text
from client.system.names import member_name
from engine.core.registry import game
from p2p.lockstep.audit import Audit
from p2p.lockstep.step import STAGE
from p2p.log.starfile import Star, read_star
from p2p.wire.entry import Entry

STARS = [taken_back_star, left_star, whole_star, locked_star, silent_star, alone_star]


@needs_node
@pytest.mark.parametrize(
    "star", gated([taken_back_star, left_star, whole_star, locked_star, silent_star, alone_star], 2)
)
def test_the_checks_find_nothing_wrong_with_a_game_that_verify_finds_intact(star: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(star()))
    (report,) = checked(path)
    assert report["problem"] is None
    counts = dict(report["checked"])
    read = read_star(star())
    found = judged(SavedGame(read.entries, read.texts), silent)
    assert found.ok
    assert counts["signatures"] == len(read.entries)
    assert counts["heads"] == found.height
    assert found.table is not None
    assert counts["rolls"] == len(found.table.position.chance.rolls)
    assert counts.get("pacts", 0) == len(found.pacts)
    wanted = {"partials": "partial", "shuffles": "shuffle", "shares": "share", "remasks": "remask"}
    counts["remasks"] = counts.get("remasks", 0) + counts.get("hands", 0)
    assert {name: counts.get(name, 0) for name in wanted} == {
        name: found.cards.entries.get(kind, 0) for name, kind in wanted.items()
    }
    assert set(report["unchecked"]) <= {"rules", "last"}
    assert report["signed"] == signed_by_all(found, read)
    assert ("last" in report["unchecked"]) is (report["signed"] < found.height)
    assert counts.get("anew", 0) == len(found.cards.anew)
    assert counts.get("forced", 0) == sum(opened for _height, _author, opened in found.cards.forced)
    assert star is not silent_star or counts["forced"] == 1 < counts["anew"]
    assert_shown(report["shown"], found, read)


def signed_by_all(found: Audit, read: Star) -> int:
    """The height below which all who are present have signed what was asked: by a word with a stage or an end at the
    open height, or by a head, which holds what was asked up to the last height where such a word counted."""
    assert found.table is not None
    position = found.table.position
    named = [each for each in read.entries if position.held(each.height, each.head)]
    slotted = {each.height for each in named if STAGE.get(each.kind, 9) < 9} - {pact.height for pact in found.pacts}

    def below(entry: Entry) -> int:
        here = entry.height == found.height and (entry.kind in STAGE or entry.kind == "result")
        return found.height if here else max((at + 1 for at in slotted if at < entry.height), default=0)

    present = position.membership.present
    return min(max(below(entry) for entry in named if entry.author == member) for member in present)


BY_RULES = {"legal-answers", "result"}
"""What a log proves by its rules alone, which the page does not know."""


def assert_shown(shown: Any, found: Audit, read: Star) -> None:
    """What the page reads from a saved game is what verify reads."""
    assert found.genesis is not None
    members = {member.key: member_name(member.rows) for member in found.genesis.members}
    assert shown["seats"] == names_of(found.genesis)
    assert [(roll["height"], roll["tag"], roll["faces"], roll["sides"]) for roll in shown["rolls"]] == [
        (roll.height, roll.tag, [*roll.faces], [*roll.sides]) for roll in found.rolls
    ]
    assert [[(part["name"], part["committed"], part["seed"]) for part in roll["parts"]] for roll in shown["rolls"]] == [
        [(members[part.member], part.committed.hex(), part.seed and part.seed.hex()) for part in roll.parts]
        for roll in found.rolls
    ]
    assert [[*roll["lifted"]] for roll in shown["rolls"]] == [
        [members[member] for member in roll.lifted] for roll in found.rolls
    ]
    votes = [(vote["height"], vote["kind"], vote["out"], vote["to"]) for vote in shown["votes"]]
    assert votes == [
        (pact.height, pact.kind, ", ".join(members[key] for key in pact.members), pact.to) for pact in found.pacts
    ]
    undone = [(each["height"], each["what"], each["value"], each["at"]) for each in shown["undone"]]
    assert sorted(undone) == sorted(
        (each.said.height, each.said.what, value_text(each.said.value), each.at)
        for each in found.undone
        if each.by == "takeback"
    )
    assert shown["proves"] == [code for code in found.proves if code not in BY_RULES]
    assert shown["open"] == [*found.does_not_prove]
    assert [tuple(size) for size in shown["coalitions"]] == [*found.coalitions]
    texts = [read.texts[entry.id][1] for entry in read.entries if entry.id in read.texts]
    assert len(shown["chat"]) == len(texts)
    said = [text for _height, _name, text, _member in shown["chat"]]
    assert all(one == text or "\\u{" in one for one, text in zip(said, texts, strict=True))


@needs_node
def test_one_changed_bit_is_found_where_it_is(tmp_path: Path) -> None:
    """In an entry of each kind, in a chat's text, the trailer, the header and the frame between them."""
    star = left_star()
    path = tmp_path / "page.html"
    path.write_bytes(page_of(star))
    places: dict[str, str] = {}
    kinds = set()
    for number, entry in enumerate(read_star(star).entries):
        if entry.kind not in kinds:
            kinds.add(entry.kind)
            places[f"{star.index(entry.raw) + len(entry.raw) - 70}:{number % 8}"] = f"entry {number}"
            places[f"{star.index(entry.raw) + len(entry.raw) - 1}:0"] = f"entry {number}"
    chat = next(number for number, entry in enumerate(read_star(star).entries) if entry.kind == "chat")
    places[f"{star.index(b'onerror')}:0"] = f"text of entry {chat}"
    places |= {"1:1": "magic", "12:0": "header", f"{len(star) - 1}:3": "trailer"}
    reports = checked(path, *places)
    assert [report["problem"] and report["problem"]["place"] for report in reports] == list(places.values())
    assert not any(report["ok"] for report in reports)
    assert {"answer", "open", "partial", "keys", "commit", "pact", "sign", "chat"} <= kinds


@pytest.mark.soak
@needs_node
@pytest.mark.slow
def test_every_proof_of_a_sealed_game_is_checked(tmp_path: Path) -> None:
    """A bit changed in an entry whose signature was believed: its commitment, hash or proof shows it."""
    table = GameTable([[0], [1], [2]], spec=game("rex"))
    table.start()
    table.play()
    star, path = table.star(), tmp_path / "page.html"
    path.write_bytes(page_of(star))
    (report,) = checked(path)
    assert report["problem"] is None
    assert report["unchecked"] == ["rules"]
    assert dict(report["checked"])["cards"] > 0
    kinds = ("commit", "keys", "ok", "open", "partial", "shuffle", "remask", "share", "reveal")
    found = checked(path, *kinds)
    assert [each["found"] for each in found] == [each["altered"] for each in found]


@needs_node
def test_a_false_hint_is_found(tmp_path: Path) -> None:
    """What the page says beside the log is not believed: other dice lead to another state than the one signed."""
    html = page_of(whole_star())
    data = data_of(html)
    hints = data["facts"]["hints"]
    items = told_items(hints["told"])
    roll = next(row for row in items[1:] if row[1][0] == "roll")
    roll[1][2] = [side + 1 for side in roll[1][2]]
    hints["told"] = told_of(items)
    path = tmp_path / "page.html"
    path.write_bytes(with_data(html, data))
    (report,) = checked(path)
    assert not report["ok"]
    assert report["problem"]["code"] in ("told/other", "entry/other-head")


@needs_node
@pytest.mark.parametrize("change", gated(["part", "rank", "total"], 1))
def test_other_points_than_the_members_signed_turn_the_page_red(change: str, tmp_path: Path) -> None:
    """Who won, each total and each kind of points; the same facts are the page's places and its sheet."""
    html = page_of(whole_star())
    data = data_of(html)
    seats = data["facts"]["seats"]
    if change == "part":
        seats[0]["parts"][0][1] += 1
    else:
        seats[0][change], seats[1][change] = seats[1][change] + 3, seats[0][change]
    path = tmp_path / "page.html"
    path.write_bytes(with_data(html, data))
    (report,) = checked(path)
    assert (report["ok"], report["problem"]["code"]) == (False, "told/other-points")


@needs_node
def test_votes_and_who_was_left_out_stand_in_the_page_as_signed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(left_star()))
    (report,) = checked(path)
    votes = [(vote["kind"], vote["out"]) for vote in report["shown"]["votes"]]
    assert votes == [("absent", "Player 2"), ("gone", "Player 2")]
    assert report["shown"]["waiting"] == []


@needs_node
def test_names_stay_those_of_the_genesis_when_a_member_gets_another_seat_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(passed_star()))
    (report,) = checked(path)
    assert report["ok"]
    assert report["shown"]["seats"] == ["Player 0", "Player 1", "Player 2"]
    assert [(vote["kind"], vote["out"]) for vote in report["shown"]["votes"]] == [("seat", "Player 0")]


@needs_node
def test_the_end_that_the_page_shows_is_the_one_under_the_signed_state(tmp_path: Path) -> None:
    """A member whose program computed other points has signed them, and then the right ones."""
    star, path = twice_ended_star(bytes(16)), tmp_path / "page.html"
    read = read_star(star)
    found = judged(SavedGame(read.entries, read.texts), silent)
    assert found.ok
    assert found.end is not None
    path.write_bytes(page_of(star))
    (report,) = checked(path)
    assert report["problem"] is None
    scores = [(place, points) for place, points, _parts in report["end"]["scores"]]
    assert scores == [(place, points) for place, points, _parts in found.end.scores]


@needs_node
def test_who_signs_two_ends_of_one_state_is_found_without_a_word_of_the_writer(tmp_path: Path) -> None:
    path, html = tmp_path / "page.html", page_of(twice_ended_star())
    data = data_of(html)
    number = len(read_star(twice_ended_star()).entries) - 3
    assert data["facts"]["hints"]["refused"] == {str(number): "result/other-points"}
    data["facts"]["hints"]["refused"] = {}
    path.write_bytes(with_data(html, data))
    (report,) = checked(path)
    assert (report["problem"]["code"], report["problem"]["told"]) == ("result/other-points", False)


@needs_node
def test_a_page_of_one_member_claims_nothing_of_dice_and_cards(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(alone_star()))
    (report,) = checked(path)
    assert report["ok"]
    assert report["shown"]["proves"] == ["signatures", "order", "same-states"]
    assert "one-member" in report["shown"]["open"]
    assert report["shown"]["rolls"]
