"""The page of a game checks itself: what its checks find under node."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agreement import told_items, told_of
from recorded import GameTable
from report_pages import (
    alone_star,
    checked,
    data_of,
    drawn_altered,
    left_star,
    locked_star,
    needs_node,
    page_of,
    passed_star,
    silent,
    silent_star,
    taken_back_star,
    twice_ended_star,
    unsigned_star,
    watched_star,
    whole_star,
    with_data,
)
from volume import VOLUME, gated

from client.proof.audit import SavedGame, judged, names_of
from client.proof.audit_chance import value_text
from client.report.page import CHECKS, SCRIPTS, checks
from client.system.names import member_name, seat_name
from engine.core.registry import game
from p2p.lockstep.audit import Audit
from p2p.lockstep.genesis import Row
from p2p.lockstep.step import STAGE
from p2p.log.starfile import Star, read_star
from p2p.wire.codec import Value
from p2p.wire.entry import Entry
from seeds.streams import dice

STARS = [taken_back_star, left_star, whole_star, locked_star, silent_star, alone_star]
STATIC = Path(__file__).parents[3] / "client" / "report" / "static"


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


NAMES = (
    *(
        "Ann (bot)",
        "Ann \uff08bot\uff09",
        "Ann \u207db0t\u207e",
        "Ann (home)",
        "\u0410nn",
        "Ann\u3164",
        "\u0410\u043d\u043d\u0430",
    ),
    *(
        "A" + "\u0301" * 6,
        "x" * 96,
        "e\u0301",
        "An\u2800n",
        "An\u2003n",
        " Ann",
        "Ann\u202e",
        "\u041f\u043e\u043b (\u0432)",
        "Ann\ufe05",
        "A" + "\u0e47" * 4,
        "A" + "\u11a8" * 4,
        "Ann (bo\u20ddt)",
        "Bob> yes <Ann",
        "<\u0338A",
    ),
)


@needs_node
def test_the_page_shows_every_name_as_verify_does(tmp_path: Path) -> None:
    """A letter that nobody sees, or that looks like another one, gives no two members one name on a page."""
    letters = map(
        chr,
        [
            *range(0x3400),
            *range(0x16FE0, 0x16FF0),
            *range(0xD7B0, 0xD7FF),
            *range(0xF900, 0x10000),
            *range(0xE0000, 0xE0200),
        ],
    )
    known = [letter for letter in letters if unicodedata.category(letter) != "Cn"]  # a browser may know newer ones
    rows = [Row(0, name) for name in (*NAMES, *(f"A{one}b" for one in known), *known)]
    rows += [Row(0, name, "hard") for name in NAMES]
    path = tmp_path / "names.js"
    path.write_text(
        f"{checks()}\nconsole.log(JSON.stringify({json.dumps([row.fields() for row in rows])}.map(rowName)));", "utf-8"
    )
    done = subprocess.run(["node", path], capture_output=True, text=True, timeout=60, check=True)
    wanted = [seat_name(row) for row in rows]
    assert [pair for pair in zip(wanted, json.loads(done.stdout), strict=True) if pair[0] != pair[1]] == []
    assert "Ann" not in wanted


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


FOUGHT = {"height": 1, "round": 1, "space": "Center", "sides": [], "odds": None, "told": []}
"""A battle as a page tells it."""
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
@pytest.mark.parametrize("names", [CHECKS, SCRIPTS], ids=["worker", "page"])
def test_no_two_scripts_of_the_page_define_one_name(names: tuple[str, ...], tmp_path: Path) -> None:
    """The scripts of one thread share their names, and a later function silently replaces an earlier one. In a module
    that is an error."""
    scripts = [(STATIC / name).read_text("utf-8") for name in names]

    def error_of(*parts: str) -> str:
        path = tmp_path / "all.mjs"
        path.write_text("\n".join(parts), encoding="utf-8")
        return subprocess.run(["node", "--check", path], capture_output=True, text=True, timeout=60).stderr

    assert error_of(*scripts) == ""
    assert "has already been declared" in error_of(*scripts, "function put() {}\nfunction put() {}")


HELPED = """
class Port {
  asked = [];
  postMessage({all}) { this.asked.push(all); }
  answer(said = {found: this.asked.at(-1)}) { this.onmessage({data: said}); }
}
const ports = [new Port(), new Port()], helpers = new Helpers(ports);
const asked = () => ports.map(port => port.asked.join(""));
const results = ["a", "b", "c", "d"].map(all => helpers.check("proofs", all)), before = asked();
ports[1].answer({failed: "lost"});
ports[0].answer();
ports[1].answer();
ports[0].answer();
Promise.allSettled(results).then(all => console.log(JSON.stringify(
  {before, after: asked(), found: all.map(({value, reason}) => value ?? reason.message)})));
"""


@needs_node
def test_each_helper_has_one_batch_at_a_time_and_its_answer_counts_for_that_batch_alone() -> None:
    script = (STATIC / "later.js").read_text("utf-8") + HELPED
    assert said_by_node(script) == {"before": ["a", "b"], "after": ["ad", "bc"], "found": ["a", "lost", "c", "d"]}


ASKED = """
const begun = [];
globalThis.document = {documentElement: null};
globalThis.navigator ??= {};
globalThis.Worker = class {
  constructor() { begun.push(this); this.told = []; }
  postMessage(data) { this.told.push(data); }
};
globalThis.checks = () => {};
"""
ANSWERED = """
const one = new Asked(""), worker = begun.at(-1), heard = [];
const ask = () => one.ask({}, ["report"], said => heard.push(said.done)), first = ask(), second = ask(), third = ask();
worker.onmessage({data: {question: second.question, done: 0.5}});
worker.onmessage({data: {question: second.question, report: "of the second"}});
worker.onmessage({data: {question: first.question, report: "of the first, late"}});
worker.onmessage({data: {question: first.question, report: "once more"}});
worker.onerror({message: "no memory"});
Promise.allSettled([first, second, third, ask()].map(({report}) => report)).then(all => {
  const found = all.map(({value, reason}) => value ?? {reason});
  console.log(JSON.stringify({heard, asked: worker.told.length, found}));
  process.exit();
});
"""


@needs_node
def test_no_answer_of_a_worker_is_taken_for_that_of_another_question() -> None:
    """Of two games one is judged before the other; then the worker is lost, which is a verdict over none."""
    script = ASKED + (STATIC / "common.js").read_text("utf-8").replace('"use strict";', "") + ANSWERED
    lost = {"reason": "no memory"}
    assert said_by_node(script) == {
        "heard": [0.5],
        "asked": 3,
        "found": ["of the first, late", "of the second", lost, lost],
    }


@needs_node
def test_the_page_begins_all_workers_once_and_ends_none() -> None:
    """Firefox lets workers wait for minutes that a worker has begun, and all of them when one has ended."""
    script = ASKED + (STATIC / "common.js").read_text("utf-8").replace('"use strict";', "")
    script += "checker.ask({}, []); checker.ask({}, []); console.log(begun.length); process.exit()"
    helpers = said_by_node("console.log(Math.min(8, globalThis.navigator?.hardwareConcurrency || 2))")
    assert said_by_node(script) == 1 + helpers
    assert "Worker(" not in "".join((STATIC / name).read_text("utf-8") for name in CHECKS)
    assert "terminate" not in "".join((STATIC / name).read_text("utf-8") for name in (*CHECKS, *SCRIPTS))


def said_by_node(script: str) -> Any:
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return json.loads(done.stdout)


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
@pytest.mark.slow
def test_every_fact_on_the_page_is_checked_or_marked_as_told(tmp_path: Path) -> None:
    """One fact after the other is altered, and the page drawn again: it turns red, or no word differs but those that it
    marks as told."""
    for star, most in [(left_star, min(VOLUME, 2)), (whole_star, 2), (taken_back_star, 4)][:VOLUME]:
        path = tmp_path / "page.html"
        path.write_bytes(page_of(star()))
        usual, *rows, last = drawn_altered(path, most)
        assert (usual["verdict"], usual["differ"]) == ("yes", [])
        assert last["title"].endswith(": Player 0, Player 1, Player 2") or star is whole_star
        wrong = [row for row in rows if row["verdict"] != "no" and not {*row["differ"]} <= {"told"}]
        assert wrong == []
        assert len(rows) >= 40 * min(most, 2)
        told = [row for row in rows if row["verdict"] == "yes" and row["differ"]]
        assert len(told) >= 30 * min(most, 2)
        found = {row["code"] for row in rows if row["verdict"] == "no"}
        assert found & {"told/form", "entry/other-head"}
        assert ("told/other-points" in found) is (star is whole_star), "points are checked where their end is signed"
        assert {*last["drawn"]} == {"none", "told", "signed", "computed"}
        assert not [text for text in last["drawn"]["none"] if not text.startswith("{")]


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
def test_a_roll_that_no_head_holds_is_marked_as_told(tmp_path: Path) -> None:
    """Nobody has signed how many sides its dice have: they are altered, and the faces that follow from that."""
    html, path = page_of(unsigned_star()), tmp_path / "page.html"
    data = data_of(html)
    items = told_items(data["facts"]["hints"]["told"])
    height, (_roll, _tag, sides), _ended, [[_result, [value, _faces]]] = items[-2]
    sides[:] = [20 for _ in sides]
    items[-2][3] = [["result", [value, dice(value, sides)]]]
    path.write_bytes(html)
    usual, false, last = drawn_altered(path, [("hints.told", told_of(items))])
    assert (usual["verdict"], false["verdict"], false["differ"]) == ("yes", "yes", ["told"])
    assert any(text.startswith(f"step {height}, ") for text in last["drawn"]["told"])
    (report,) = checked(path)
    assert "last" in report["unchecked"]
    assert report["signed"] <= height == report["shown"]["rolls"][-1]["height"]


IMITATED = "outside from signed"
FORGED: Sequence[tuple[str, Any]] = [
    ("story.0", [1, "Player 1: I give up.", "signed"]),
    ("story.0", [1, "Player 1: I give up.", "chat", "signed"]),
    ("story.0", [1, "signed", "Player 1: I give up.", "signed"]),
    ("story.0", [1, "Player 1: I give up.", IMITATED, ""]),
    ("story", []),
    ("rounds", [{"round": 1, "height": 1e9}]),
    ("undone", [[1, "Player 0 rolled 6 6 6; a vote undid that"]]),
    ("seats.0.name", "\u0420layer 1"),
    ("seats.0.name", "Player 1\u200b"),
    ("battles", [{**FOUGHT, "sides": [[IMITATED, "2 cruisers", ""], [-1, "1 ancient", "1 ancient"]]}]),
    ("battles", [{**FOUGHT, "odds": [IMITATED, "0 from computed", 0.5, 0.5]}]),
    ("battles", [{**FOUGHT, "told": [[0, "", [["0 from signed", "", "signed by members", None]]]]}]),
    ("course.pictures", [["What this proves", ["<ul><li>that Player 1 has won</li></ul>"], [0] * 99]]),
    ("course.pictures", [["", [f'<b class="{IMITATED}">1</b><small class="from signed">2</small>'], [0] * 99]]),
    ("course.pictures", []),
    ("luck", ["Player 0 was lucky.", "signed by members"]),
    ("seen", [[1, "Player 1 held the cards"]]),
    ("verifier", ["0.1.0", "0" * 64]),
    ("verifier", None),
    ("why", "Player 1 has won."),
    ("complete", True),
    ("moments.0", {"round": IMITATED, "height": 0}),
    ("hints.refused", []),
]


@needs_node
@pytest.mark.slow
def test_no_told_word_takes_the_mark_of_another_source(tmp_path: Path) -> None:
    """Facts of forms that a page never has: a line of the story that says itself where it comes from, classes of marks
    in place of seats."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of(taken_back_star()))
    usual, *rows, last = drawn_altered(path, FORGED)
    assert (usual["verdict"], usual["imitated"]) == ("yes", 0)
    assert len(rows) == len(FORGED)
    assert [row for row in rows if row["verdict"] == "no"] == []
    assert [row for row in rows if not {*row["differ"]} <= {"told"} or row["imitated"]] == []
    assert any("rolled" in text for text in last["drawn"]["computed"])


@needs_node
@pytest.mark.parametrize("name", gated(["story", "undone", "rounds"], 1))
def test_no_page_is_intact_that_does_not_show_what_votes_have_undone(name: str, tmp_path: Path) -> None:
    """What was told has a form that cannot be drawn, and so what members signed is not drawn either."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of(taken_back_star()))
    usual, altered, _last = drawn_altered(path, [(name, None)])
    assert (usual["verdict"], altered["verdict"]) == ("yes", "no")


@needs_node
def test_a_word_of_chat_by_somebody_outside_the_table_is_marked_so(tmp_path: Path) -> None:
    """Whoever writes a page can make a key for it."""
    path = tmp_path / "page.html"
    path.write_bytes(page_of(watched_star()))
    usual, last = drawn_altered(path, [])
    assert usual["verdict"] == "yes"
    assert [text for text in last["drawn"]["outside"] if text.endswith("cheats.")]
    assert not [text for text in last["drawn"]["signed"] if text.endswith("cheats.")]


@needs_node
def test_a_page_of_one_member_claims_nothing_of_dice_and_cards(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(page_of(alone_star()))
    (report,) = checked(path)
    assert report["ok"]
    assert report["shown"]["proves"] == ["signatures", "order", "same-states"]
    assert "one-member" in report["shown"]["open"]
    assert report["shown"]["rolls"]


@needs_node
@pytest.mark.parametrize("value", [None, True, 7, "a b", [None, [1, False]], {"tile": 3, "to": {"q": -1, "r": None}}])
def test_a_value_of_the_log_has_the_same_letters_on_the_page_and_in_the_verdict(value: Value) -> None:
    (body,) = re.findall(
        r"^function written\(value\) \{\n.*?^\}$", (STATIC / "shown.js").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    script = f"""
        const safe = text => text, reviver = (_, each) =>
          each && each.constructor === Object ? new Map(Object.entries(each)) : each;
        {body}
        console.log(written(JSON.parse({json.dumps(json.dumps(value))}, reviver)));
    """
    said = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True).stdout
    assert said.rstrip("\n") == value_text(value)
