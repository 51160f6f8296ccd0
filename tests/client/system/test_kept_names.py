"""How names and texts of others are shown and compared, and how files are read, as kept in tests/client/system/told."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Final

from kept import compared

from client.system.errors import UserError
from client.system.files import keep_existing, place, read_at_most, there
from client.system.journal import open_log
from client.system.meant import hint_of, nearest
from client.system.names import (
    MAX_COLUMNS,
    bot_name,
    checked_name,
    clipped,
    columns,
    free_name,
    free_names,
    member_name,
    seat_name,
    shown,
    skeleton,
)
from client.words.plain import number_of, plain, words_of
from p2p.lockstep.genesis import Row

KEPT: Final = Path(__file__).with_name("told")
TEXTS: Final = (
    "Anna", "  Anna   Lena ", "", " ", "Ann\u0301a", "e\u0301\u0302\u0303\u0304\u0308", "漢字", "\u0430nna",
    "\u0391\u03bd\u03bd\u03b1", "rn|vv10", "Bob (bot)", "(b0t)", "a\tb\nc", "\x1b[2J", "\u202eevil", "\u200dx",
    "\u00a0", "👍🏽",
    "x" * 24, "x" * 25, "漢" * 12, "漢" * 13, "…" * 30, "zone 1 -2", "Ion-Turret", "Misión: uno-2", "12",
    "\uff11\uff12", "1" * 18, "1" * 19, "-3",
    "Bob> yes <Ann", "Bob: yes. Ann", "Ann, Bob", "Ann & Bob", "＜Bob＞", "a\u037e b",
)  # fmt: skip


def refused(error: UserError) -> str:
    return f"{error.code} {error.exit_code}: {error.whole}"


def test_names_and_texts_are_shown_and_compared_as_kept() -> None:
    out = list[str]()
    for text in TEXTS:
        try:
            checked = checked_name(text)
        except UserError as error:
            checked = refused(error)
        out.append(f"{text!a}: {shown(text)} {columns(text)} {skeleton(text)!a} | {checked}")
        for limit in (1, 2, 5, MAX_COLUMNS):
            cut = clipped(text, limit)
            assert columns(cut) <= limit
            assert cut == shown(cut)
            out.append(f"  {limit} {cut} {columns(cut)}")
        out.append(f"  {words_of(text)} {plain(text)} {number_of(text)}")
        out.append(f"  {seat_name(Row(0, text))} / {seat_name(Row(0, text, 'greedy'))}")
    rows = [Row(0, "Anna"), Row(1, "Bob", "greedy"), Row(2, "Anna"), Row(3, "Carl the Great of Kent")]
    out += [member_name(rows[at : at + many]) for at in range(4) for many in (1, 2, 4) if rows[at : at + many]]
    out += [bot_name(seat) for seat in range(12)]
    for taken in ([], ["Anna"], ["anna", "Anna 2"], ["X" * 24]):
        out.append(f"{taken}: {[*islice(free_names('Anna', taken), 3)]} {free_name('x' * 24, taken)}")
    for word in ("greedyy", "gredy", "zzz", ""):
        close = nearest(word, ("greedy", "random", "grey"))
        out.append(f"{word}: {close} {hint_of(close, 'else')}")
    compared(KEPT / "names.txt", "\n".join(out) + "\n")


def test_files_and_the_log_are_read_and_written_as_kept(tmp_path: Path) -> None:
    out, file = list[str](), tmp_path / "file"
    file.write_bytes(b"0123456789")
    for most in (0, 9, 10, 11):
        for whole in (True, False):
            try:
                out.append(f"{most} {whole}: {read_at_most(file, most, whole=whole)!r}")
            except UserError as error:
                out.append(f"{most} {whole}: {refused(error)}")
    for force in (True, False):
        for path in (file, tmp_path / "new", tmp_path):
            try:
                keep_existing(path, force)
                out.append(f"{force} {path.name}: kept")
            except UserError as error:
                out.append(f"{force} {path.name}: {refused(error)}")
    for word in ("file", "new", "none/new", "file/new", ".", ""):
        try:
            out.append(f"place {word}: {place(str(tmp_path / word))}")
        except UserError as error:
            out.append(f"place {word}: {refused(error)}")
        out.append(f"  there: {there(tmp_path / word)}")
    with open_log(tmp_path / "log") as log:
        log("table/begun", number=3, name="Ann\x1b", path=tmp_path, none=None, list_=["a", 1], yes=True, raw=b"\x01")
        log("table/ended")
    for row in (tmp_path / "log").read_text("utf-8").splitlines():
        told = json.loads(row)
        out.append(json.dumps({name: value for name, value in told.items() if name not in ("time", "at", "t")}))
        out.append(f"  {sorted(told)}")
    compared(
        KEPT / "files.txt", "\n".join(out).replace(str(tmp_path), "FOLDER").replace(tmp_path.name, "FOLDER") + "\n"
    )
