"""What the commands for play by post read, ask and write: letters from files, standard input and pasted text."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.commands import letters as commands
from client.commands.letters import (
    admits,
    answer_lobby,
    as_text,
    at_terminal,
    given_letters,
    paste,
    said_yes,
    sits_down,
    standing,
    write_bundle_file,
)
from client.commands.post import chosen_lobby, handed_over
from client.system.errors import CHECK_FAILED, UserError
from client.table.letters import Letters
from p2p.identity.keys import SigningKey
from p2p.identity.words import fingerprint
from p2p.lobby.messages import Terms
from p2p.lobby.posted import read_letter, state, write_letter
from p2p.lockstep.genesis import Row
from p2p.sync.bundle import MAGIC
from p2p.sync.pasted import PART, Pasted, pasted_parts

KEY = SigningKey.from_seed(b"k" * 32)
SAID = [state(KEY, "answer", b"l" * 16, bytes(32), [number]) for number in range(60)]
LONG, SHORT = write_letter(SAID), write_letter(SAID[:1])


def types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """A person types these lines, then ends the input. Returns what it is asked."""
    left, asked = list(lines), list[str]()

    def typed(prompt: str = "") -> str:
        asked.append(prompt)
        if not left:
            raise EOFError
        return left.pop(0)

    monkeypatch.setattr("builtins.input", typed)
    return asked


def lines_of(data: bytes) -> list[str]:
    return "\n".join(pasted_parts(data)).splitlines()


def test_letters_are_read_from_files_from_standard_input_and_from_text_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    taken: list[int] = []
    monkeypatch.setattr(commands, "take_terminal_as_input", lambda: taken.append(1))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(write_letter(SAID[1:2]))))
    file = tmp_path / "letter"
    file.write_bytes(SHORT)
    read = given_letters([str(file)])
    assert (read.statements(), taken) == (SAID[:1], [])
    read = given_letters([str(file), "-", "\n".join(pasted_parts(write_letter(SAID[2:3])))])
    assert read.statements() == SAID[:3]
    assert taken == [1], "afterwards a person can type again"
    read = given_letters(["-"])
    assert read.statements() == []
    assert next(error.code for error in read.wrong) == "bundle/none"
    assert "standard input holds no bundle" in read.wrong[0].whole


def test_where_a_file_cannot_be_read_nothing_is_taken_from_the_others_either(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pasted = io.BytesIO(write_letter(SAID[1:2]))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=pasted))
    with pytest.raises(UserError, match="no such file") as caught:
        given_letters(["-", str(tmp_path / "no such file")])
    assert (caught.value.code, caught.value.exit_code) == ("file/unreadable", 2)
    assert pasted.tell() == 0


@pytest.mark.parametrize(
    ("inside", "outside", "as_json", "asked"),
    [(True, True, False, True), (False, True, False, False), (True, False, False, False), (True, True, True, False)],
)
def test_a_person_is_asked_where_both_ends_are_a_terminal_and_no_program_reads(
    monkeypatch: pytest.MonkeyPatch, inside: bool, outside: bool, as_json: bool, asked: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: inside))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(isatty=lambda: outside))
    assert at_terminal(SimpleNamespace(as_json=as_json)) == asked  # type: ignore[arg-type]


def test_only_yes_or_no_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = types(monkeypatch, "", "perhaps", "yes")
    assert said_yes("Really?")
    assert asked == ["Really? yes or no> "] * 3
    types(monkeypatch, "no", "yes")
    assert not said_yes("Really?")


def test_pasting_ends_at_an_empty_line_behind_whole_letters_and_goes_on_behind_a_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = pasted_parts(LONG)
    assert len(parts) > 2
    read, asked = Letters(), types(monkeypatch, *parts[1].splitlines(), "", *parts[0].splitlines(), *parts[2:], "", "x")
    paste(read)
    assert read.statements() == SAID
    assert len(asked) == len(parts[1].splitlines()) + len(parts[0].splitlines()) + len(parts) - 2 + 2
    assert read.wrong == []


def test_pasting_ends_with_the_input_and_at_an_empty_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Letters()
    types(monkeypatch, *lines_of(SHORT))
    paste(read)
    assert read.statements() == SAID[:1]
    for lines in ((), ("",), ("", "never read"), ("  ", *lines_of(SHORT))):
        nothing = Letters()
        types(monkeypatch, *lines)
        paste(nothing)
        assert (nothing.statements(), nothing.wrong) == ([], [])


def test_a_bundle_goes_over_another_one_and_over_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    for data in (SHORT, LONG, MAGIC + b"1 and more", SHORT):
        write_bundle_file(path, data)
        assert path.read_bytes() == data
    for other in (b"", b"a diary", MAGIC[:-1]):
        path.write_bytes(other)
        with pytest.raises(UserError) as caught:
            write_bundle_file(path, SHORT)
        assert caught.value.code == "file/exists"
        assert str(path) in caught.value.whole
        assert path.read_bytes() == other
    with pytest.raises(UserError):
        write_bundle_file(tmp_path, SHORT)


def test_a_text_to_send_says_how_many_parts_it_has() -> None:
    first, rest = as_text(SHORT).split("\n", 1)
    assert first == "Send this to the others:"
    assert rest == pasted_parts(SHORT)[0]
    count = len(pasted_parts(LONG))
    assert as_text(LONG).startswith(f"Send these {count} parts to the others, in one message or several:\n")
    assert as_text(SHORT, "Only if lost:").startswith("Only if lost:\n")
    assert as_text(LONG, "Only if lost:").startswith("Only if lost:\n")
    read = Pasted()
    read.add(as_text(LONG))
    assert [*read.taken()] == [LONG]
    assert len(pasted_parts(bytes(PART))) == 1


# The lobby -----------------------------------------------------------------------------------------------------------


def sitter(name: str, count: int) -> Any:
    """A machine of this person, and of bots in its other seats."""
    rows = [Row(0, name), *(Row(seat, "Bot", "greedy") for seat in range(1, count))]
    return SimpleNamespace(name=name, identity=b"b" * 32, count=count, rows=lambda _free: rows)


BOB: Any = sitter("Bob\x1b[2J", 2)


def test_an_inviter_is_asked_about_each_newcomer_by_name_and_words_and_where_nobody_can_be_asked_all_are_let_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = types(monkeypatch, "no", "yes")
    assert [admits(asked=True)(BOB) for _ in range(2)] == [False, True]
    assert fingerprint(b"b" * 32) in asked[0]
    assert "\x1b" not in asked[0]
    assert "Bob" in asked[0]
    assert admits(asked=False)(BOB)
    assert len(asked) == 2


def test_a_guest_reads_what_the_options_weaken_and_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[str] = []
    context: Any = SimpleNamespace(note=noted.append)
    terms = Terms("eclipse2", {"draws": "open"}, 3, "rules", b"c" * 16, {}, False, "starlock")
    asked = types(monkeypatch, "no", "yes")
    assert [sits_down(context, terms, asked=True) for _ in range(2)] == [False, True]
    assert "Sit down?" in asked[0]
    assert sits_down(context, terms, asked=False)
    assert len(asked) == 2
    assert [note.startswith("Draws are open") for note in noted] == [True] * 3


def lobby(*, inviting: bool, fixed: bool, wrong: int = 0) -> Any:
    """A lobby of five seats to which Ann has invited, and Bob with a bot has been let in."""
    ann = sitter("Ann\x07", 1)
    return SimpleNamespace(
        name="nim-abcd", me=KEY.public, inviting=inviting, seated=lambda: [SimpleNamespace(sitter=BOB)],
        lobby=SimpleNamespace(
            fixed=fixed, waits_for=lambda: ["Bob\x1b", "Cid"], inviter=SimpleNamespace(sitter=ann),
            terms=SimpleNamespace(seats=5), statements=lambda me: SAID[:1] if me == KEY.public else [],
        ),
    )  # fmt: skip


def test_how_a_lobby_stands_is_told_to_inviter_and_guest_before_and_after_all_seats_are_taken() -> None:
    told, waiting = standing(lobby(inviting=True, fixed=False))
    assert told.startswith("At the table: Ann")
    assert told.endswith("; free seats: 2")
    assert ", Bob" in told
    assert waiting == []
    told, waiting = standing(lobby(inviting=False, fixed=False))
    assert told.startswith("Waiting for a letter of Ann")
    assert waiting == ["Ann\x07"]
    for inviting in (True, False):
        told, waiting = standing(lobby(inviting=inviting, fixed=True))
        assert told.startswith("All seats are taken. Waiting for a letter of: Bob")
        assert told.endswith(", Cid.")
        assert waiting == ["Bob\x1b", "Cid"]
        assert "\x1b" not in told


@pytest.mark.parametrize("inviting", [True, False])
@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize("in_file", [True, False])
def test_the_letter_for_the_others_is_written_or_shown_with_how_they_read_it(
    tmp_path: Path, inviting: bool, fixed: bool, in_file: bool
) -> None:
    noted, answers = list[str](), list[tuple[str, dict[str, Any]]]()
    context: Any = SimpleNamespace(note=noted.append, answer=lambda text, **fields: answers.append((text, fields)))
    out = tmp_path / "letter" if in_file else None
    read = Letters()
    read.given(b"a picture", "picture.png")
    read.text(pasted_parts(LONG)[0], "a messenger")
    posted = lobby(inviting=inviting, fixed=fixed)
    assert answer_lobby(context, posted, out, read, ["Bob sits down."]) == CHECK_FAILED
    ((text, fields),) = answers
    assert (noted[0], len(noted)) == ("Bob sits down.", 3)
    assert "have not come" in noted[1]
    assert "picture.png" in noted[2]
    assert (fields["ok"], fields["complete"], fields["state"], fields["name"]) == (False, False, "lobby", "nim-abcd")
    assert [each["code"] for each in fields["wrong"]] == ["bundle/none"]
    if out is not None:
        assert read_letter(out.read_bytes()) == (SAID[:1], b"")
        assert (fields["path"], fields["bundle"]) == (str(out), "")
    else:
        assert fields["path"] is None
        assert fields["bundle"] in text
        whole = Pasted()
        whole.add(fields["bundle"])
        assert [*whole.taken()] == [write_letter(SAID[:1])]
    theirs = "starlock join FILE" if inviting and not fixed else "starlock post --in FILE"
    assert text.endswith(f"They read it with: {theirs}. What they send back goes to: starlock post nim-abcd --in FILE")
    answers.clear()
    assert answer_lobby(context, posted, None, Letters(), []) == 0
    assert answers[0][1]["ok"]


# For which lobby or table ---------------------------------------------------------------------------------------------


def kept(name: str, lobby: bytes = b"l" * 16, begun: bytes = b"") -> Any:
    return SimpleNamespace(name=name, lobby=SimpleNamespace(lobby=lobby), begun=begun)


def test_a_command_is_about_the_lobby_that_is_named_or_written_about_or_the_only_one() -> None:
    one, two = kept("one"), kept("two", b"m" * 16, begun=b"t" * 32)
    table, other = SimpleNamespace(table=b"t" * 32), SimpleNamespace(table=b"u" * 32)
    cases: list[tuple[Any, ...]] = [
        ("two", [], [one, two], [], two),
        ("none", SAID, [one, two], [], None),
        (None, SAID, [two, one], [other], one),
        (None, [], [one], [], one),
        (None, [], [one, two], [], None),
        (None, [], [one], [other], None),
        (None, [], [one, two], [other, table], two),
        (None, [], [one, two], [table, other], None),
        (None, [], [], [], None),
    ]
    for word, said, known, tables, found in cases:
        assert chosen_lobby(word, said, known, tables) is found, (word, said, known, tables)


def test_an_invitation_to_a_table_without_a_seat_there_is_named() -> None:
    said = [state(KEY, "invitation", b"n" * 16, bytes(32), [])]
    with pytest.raises(UserError) as caught:
        chosen_lobby(None, said, [kept("one"), kept("two")], [])
    assert caught.value.code == "post/invitation"
    known = kept("one", b"n" * 16)
    assert chosen_lobby(None, said, [known, kept("two")], []) is known


# A table that has begun -----------------------------------------------------------------------------------------------


def post(*, lacked: int, needed: bool, older: bool = False, differs: bool = False) -> Any:
    return SimpleNamespace(
        lacked=lambda: [None] * lacked, needed=lambda: needed, bundle=lambda: MAGIC + b"bundle",
        table=SimpleNamespace(older=older), divergence=SimpleNamespace(found=differs),
    )  # fmt: skip


@pytest.fixture(name="newer", autouse=True)
def _newer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.table.confirmation.newer_elsewhere", lambda table: ["Bob"] if table.older else [])


@pytest.mark.parametrize(("lacked", "entries"), [(0, "0 entries"), (1, "1 entry"), (2, "2 entries")])
@pytest.mark.parametrize("needed", [True, False])
def test_a_bundle_in_a_file_is_told_with_its_entries_and_whether_anybody_waits_for_it(
    tmp_path: Path, lacked: int, entries: str, needed: bool
) -> None:
    path = tmp_path / "bundle"
    told = handed_over(post(lacked=lacked, needed=needed), None, str(path))
    assert told.startswith(f"Wrote {entries} for the others to {path}.")
    assert told.endswith("Send them that file." if needed else "send it only if an earlier letter is lost.")
    assert path.read_bytes() == MAGIC + b"bundle"


def test_a_bundle_as_text_is_shown_where_somebody_may_lack_something() -> None:
    nothing = handed_over(post(lacked=0, needed=False), None, "")
    assert nothing == "The others have everything, as far as is known: there is nothing to send."
    for given in (post(lacked=1, needed=True), post(lacked=0, needed=True, older=True)):
        assert handed_over(given, None, "") == as_text(MAGIC + b"bundle")
    for given in (post(lacked=1, needed=False), post(lacked=0, needed=False, differs=True)):
        told = handed_over(given, None, "")
        assert told.startswith("Nobody waits for a letter from you now; send this only if an earlier one is lost:\n")


def test_while_somebody_may_not_know_that_the_table_has_begun_the_letter_of_the_lobby_holds_the_bundle() -> None:
    told = handed_over(post(lacked=1, needed=False), lobby(inviting=True, fixed=True), "")
    assert told.startswith("Send this to the others:\n")
    read = Pasted()
    read.add(told)
    ((said, bundle),) = map(read_letter, read.taken())
    assert (said, bundle) == (SAID[:1], MAGIC + b"bundle")
