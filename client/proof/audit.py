# SPDX-License-Identifier: GPL-3.0-or-later
"""A saved game, a table of this home or a piece of evidence: read from a file or the store, and judged.

Nothing here needs a network, a key or a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client import __version__
from client.system.errors import CHECK_FAILED, UserError
from client.system.files import read_at_most, there, unwritable
from client.system.names import seat_name, shown
from client.system.texts import N_, _
from client.table.beginning import new_machine
from client.table.machine import GameMachine
from client.table.words import lobby_trouble
from client.words.proof import part_text, problem_text
from engine.core.dataclass import dataclass, replace
from p2p.lockstep.audit import Audit, Meanwhile, audit
from p2p.lockstep.conviction import replayed
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import TableRefusal as Refused
from p2p.lockstep.replay import Problem, Progress
from p2p.log import evidence as proofs
from p2p.log import starfile
from p2p.log.evidence import Contradiction, Evidence, Replayed, Verdict
from p2p.log.feeds import genesis_among
from p2p.log.records import MAGIC_BYTES, FileError
from p2p.wire.codec import WireError
from p2p.wire.entry import Attachment, Entry

if TYPE_CHECKING:
    from client.system.context import Context
    from p2p.log.store import Peeked

MAX_FILE: Final = 512_000_000
"""Bytes; a game of thousands of entries has a few million."""
SELDOM: Final = 16
"""Segments between copies of the position while a log is replayed, which hardly ever needs one."""
ALIKE: Final = 5
"""A file that begins with this many bytes of a magic number is a damaged starlock file, not a foreign file."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game from a file or the store.

    Attributes:
        end: height and head that the exporter signed, None for a table of this home.
        exporter: the exporter's key.
        program: the version that wrote the file.
        checked: True if signatures were verified when it was read.
        forks: pairs of entries that prove a fork, kept outside the log.
        content: the table's custom content, empty without any.
    """

    entries: tuple[Entry, ...]
    texts: dict[bytes, Attachment]
    end: tuple[int, bytes] | None = None
    exporter: bytes | None = None
    program: str = ""
    checked: bool = True
    forks: tuple[Contradiction, ...] = ()
    content: bytes = b""

    @property
    def genesis(self) -> Genesis | None:
        """The genesis of the table, None when no valid one is among the entries."""
        return _genesis_of(self.entries)


def _genesis_of(entries: Sequence[Entry]) -> Genesis | None:
    genesis = genesis_among(entries)
    try:
        return Genesis.read(None if genesis is None else genesis.body)
    except WireError:
        return None


# Reading -------------------------------------------------------------------------------------------------------------


def read_input(word: str, context: Context) -> SavedGame | Evidence:
    """The content of a FILE or TABLE named on the command line.

    Raises UserError when there is none or it is no starlock file, FileError when it is a damaged starlock file.
    """
    path = Path(word)
    if there(path) or path.suffix or len(path.parts) > 1:
        found = read_file(path, in_words(context.progress))
        note_position(found, word, context)
        return found
    from client.table.tables import peeked

    _record, kept = peeked(context.folders.data, word)
    return log_of(kept)


def note_position(found: SavedGame | Evidence, word: str, context: Context) -> None:
    """Note that a file goes on from a position of somebody else, if it does."""
    genesis = _genesis_of(found.entries if isinstance(found, SavedGame) else found.log)
    if genesis is not None and genesis.origin is not None:
        context.foreign = word


def game_named(word: str, context: Context) -> SavedGame:
    """The saved game of a FILE or TABLE. Raises UserError if there is none, it is damaged, or it is no game."""
    try:
        log = read_input(word, context)
    except FileError as error:
        raise damaged(word, error) from error
    if not isinstance(log, SavedGame):
        raise evidence_is_no_game(word)
    return log


def log_of(kept: Peeked) -> SavedGame:
    """The stored entries of a table as a saved game."""
    texts = {entry.id: attachment for entry, attachment in kept.entries if attachment is not None}
    entries = tuple(entry for entry, _beside in kept.entries)
    return SavedGame(entries, texts, checked=False, forks=tuple(kept.forks), content=kept.content)


def read_file(path: Path, progress: Progress | None = None) -> SavedGame | Evidence:
    """The content of a file. Raises UserError and FileError as `read_input`."""
    return read_bytes(_bytes_of(path), path, progress)


def read_bytes(
    data: bytes, path: Path | str, progress: Progress | None = None, threads: int | None = None
) -> SavedGame | Evidence:
    """The content of a file with these bytes, which errors call `path`. threads: as in `p2p.log.records.executor`.
    Raises UserError and FileError as `read_input`."""
    try:
        if _looks_like(data, proofs.MAGIC):
            return proofs.read_evidence(data)
        if _looks_like(data, starfile.MAGIC):
            star = starfile.read_star(data, progress, threads)
            end = star.height, star.head
            return SavedGame(star.entries, star.texts, end, star.exporter, star.program, content=star.content)
    except FileError as error:
        if error.code != "file/version":
            raise
        raise UserError(
            "file/version",
            _("{path} is of a newer kind than this starlock reads ({detail}).").format(
                path=path, detail=shown(error.detail)
            ),
            _("Use the version of starlock that wrote it, or a newer one."),
        ) from error
    raise UserError(
        "file/foreign",
        _("{path} begins neither as a starlock saved game nor as a file of evidence.").format(path=path),
        _(
            "If it is one, its first bytes are damaged: get another copy. "
            "Saved games are written by `starlock export` and end in .star."
        ),
    )


def read_game(path: Path, progress: Progress | None = None) -> SavedGame:
    """The game of a file, for uses other than judging it. UserError also when it is damaged or not a game."""
    try:
        found = read_file(path, progress)
    except FileError as error:
        raise damaged(path, error) from error
    if isinstance(found, SavedGame):
        return found
    raise evidence_is_no_game(path)


def evidence_is_no_game(path: Path | str) -> UserError:
    """The error for a file of evidence where a game is needed."""
    return UserError(
        "file/evidence",
        _("{path} is a piece of evidence, not a saved game.").format(path=path),
        _("Judge it with: starlock verify {path}").format(path=path),
    )


def damaged(path: Path | str, error: FileError) -> UserError:
    """A damaged file as a failed check."""
    return UserError(
        error.code,
        _("{path} is damaged. {problem}").format(path=path, problem=problem_text(error.code, part_text(error.part))),
        _("Get another copy of it: every peer of the game can export one."),
        CHECK_FAILED,
    )


def kind_of(path: Path) -> str:
    """The kind of a file that may be damaged: "evidence" or "game"."""
    return "evidence" if _looks_like(read_at_most(path, len(proofs.MAGIC)), proofs.MAGIC) else "game"


def _bytes_of(path: Path) -> bytes:
    data = read_at_most(path, MAX_FILE)
    if len(data) > MAX_FILE:
        raise UserError(
            "file/too-long",
            _("{path} has more than {most} MB: no game is that long.").format(path=path, most=MAX_FILE // 1_000_000),
            _("Check the name of the file."),
        )
    return data


def _looks_like(data: bytes, magic: bytes) -> bool:
    """True if a file begins like a starlock file, even if it is cut short or damaged there."""
    begins = data[:MAGIC_BYTES]
    alike = sum(here == wanted for here, wanted in zip(begins, magic, strict=False))
    return alike >= ALIKE or (0 < len(begins) < MAGIC_BYTES and magic.startswith(begins))


# Judging -------------------------------------------------------------------------------------------------------------


_STEPS: Final = {
    "signatures": N_("checking signatures"),
    "replay": N_("replaying"),
    "shuffles": N_("checking shuffles"),
}


def in_words(progress: Progress) -> Progress:
    """The same callback, called with texts in the language in use."""
    return lambda done, total, what: progress(done, total, _(_STEPS[what]))


def judged(
    log: SavedGame,
    progress: Progress | None = None,
    meanwhile: Meanwhile | None = None,
    threads: int | None = None,
) -> Audit:
    """The verdict on a log. UserError when this program lacks the rules or the content of the game.

    meanwhile: what can be done with the verdict before the last proofs are checked.
    threads: as in `p2p.log.records.executor`.
    """

    def fresh(genesis: Genesis) -> GameMachine:
        return machine_of(genesis, log.content)

    told = None if meanwhile is None else lambda found: meanwhile(_with_file(log, found))
    found = audit(log.entries, fresh, progress, checked=log.checked, meanwhile=told, threads=threads)
    return _with_file(log, found)


def _with_file(log: SavedGame, found: Audit) -> Audit:
    """The verdict over the entries with what is known beside them: forks, the end that was signed, the content."""
    problems = [*found.problems, *(Problem(None, "entry/forked", pair.first.author.hex()) for pair in log.forks)]
    if log.end is not None and found.table is not None and found.table.position.held(*log.end) is None:
        problems.append(Problem(None, "file/other-end", f"height {log.end[0]}"))
    forks = tuple(Evidence("entry/forked", (pair.first, pair.second)) for pair in log.forks)
    proves = () if problems else found.proves
    given = *(replace(each, content=log.content) if each.log else each for each in found.proofs), *forks
    return replace(found, ok=not problems, problems=tuple(problems), proves=proves, proofs=given)


def machine_of(genesis: Genesis, content: bytes = b"") -> GameMachine:
    """The game of a genesis at its start, perhaps with custom content. UserError when this program has other rules or
    content."""
    machine = new_machine(genesis, content)
    if isinstance(machine, Refused):
        raise lobby_trouble(machine.code, machine.detail)
    machine.match.checkpoint = SELDOM
    return machine


def judged_evidence(evidence: Evidence, progress: Progress | None = None) -> Verdict:
    """What a piece of evidence proves."""
    return proofs.judge(evidence, lambda log, accused: _replayed(log, accused, evidence.content, progress))


def _replayed(log: Sequence[Entry], accused: Entry, content: bytes, progress: Progress | None) -> Replayed | None:
    """Replay a log up to the height of the accused entry, and judge it there."""
    genesis = _genesis_of(log)
    machine = None if genesis is None or genesis.table != accused.table else new_machine(genesis, content)
    if genesis is None or machine is None or isinstance(machine, Refused):
        return None
    return replayed(Follower(genesis, machine), log, accused, progress)


def write_evidence(folder: Path, found: Sequence[Evidence]) -> list[Path]:
    """Write each piece of evidence to a file of its own, named after its author and the fault. UserError when the
    folder, which is made for the first of them, cannot be written."""
    written: list[Path] = []
    try:
        for evidence in found:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{evidence.author.hex()[:8]}-{evidence.code.replace('/', '-')}-{evidence.accused[-1].seq}.proof"
            path = folder / name
            path.write_bytes(proofs.pack_evidence(evidence, __version__))
            written.append(path)
    except OSError as error:
        raise unwritable(folder, error, _("Name a folder of yours.")) from error
    return written


# People --------------------------------------------------------------------------------------------------------------


def names_of(genesis: Genesis) -> list[str]:
    """The names by seat, safe to show."""
    names = {row.seat: seat_name(row) for member in genesis.members for row in member.rows}
    return [names[seat] for seat in sorted(names)]
