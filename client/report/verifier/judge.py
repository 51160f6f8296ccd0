# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the bytes of a file as `starlock verify` does, and draws the game, as data for the page.

Everything is read from the log: the verdict, the names, the points, the story and the maps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from client.proof.audit import SavedGame, evidence_is_no_game, in_words, judged, read_bytes
from client.proof.audit_report import claims_of, log_text, words_of
from client.proof.evidence_report import damaged_text
from client.report.facts import facts, hints, title
from client.report.words import words
from client.system.errors import UserError
from client.system.names import member_name
from client.system.texts import LANGUAGES, N_, _, current
from p2p.lockstep.audit import Audit
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.replay import Progress
from p2p.log.records import FileError

Fields = dict[str, Any]
Early = Callable[[Fields], None]

SHELL: Final = {
    "program": "starlock verifier {version}",
    "title": N_("Judge a saved game"),
    "intro": N_(
        "Drop a saved game (.star) here, or choose one. Everything happens in this browser: the page loads nothing, "
        "sends nothing, and works offline. It is the same page for everybody: compare its SHA-256 with the one in the "
        "README or the release of starlock {version}, not with one that came together with the game."
    ),
    "language": N_("Language"),
    "another": N_("Judge another file"),
    "starting": N_("Starting Python …"),
    "ready": N_("Ready."),
    "slow": N_("Python has not started after a minute. Try a newer browser."),
    "no_wasm": N_("This browser has no WebAssembly, or does not allow it: use a newer one, or another."),
    "no_inflate": N_("This browser cannot unpack this page (DecompressionStream): use one of 2023 or later."),
    "judging": N_("Judging {name} …"),
    "failed": N_("Python stopped: {reason}"),
    "rules_judge": N_("starlock verify, with the rules"),
    "other_judge": N_("Independent checks in JavaScript, without the rules"),
    "not_judged": N_("Not judged."),
    "after_python": N_("They check the signatures, and go on when the first judge has read what was asked."),
    "agree": N_("Both judges agree."),
    "differ": N_("The two judges do not agree. Trust neither, and show the file to the authors of starlock."),
    "people": N_("Who holds the keys"),
    "people_note": N_(
        "A key is no person. Compare the ten words of each by telephone with those that `starlock keys` shows there."
    ),
    "whole": N_("All that starlock verify says"),
    "intact": N_("Intact."),
    "drawing": N_("Drawing the game …"),
    "no_drawing": N_("The game cannot be drawn: {reason}"),
}
"""The texts of the page before a game is drawn."""

OVER: Final[Mapping[str, Mapping[str, str]]] = {
    "": {
        "running": N_("Checking the saved game …"),
        "by_rules": N_("Only the rules show that: the judge with the rules found it."),
        "proves_title": N_("What these checks prove by themselves"),
        "unchecked_title": N_("Not checked by these checks (the judge with the rules does)"),
    },
    "from": {"told": N_("by the rules, here")},
    "from_notes": {
        "told": N_("worked out in this browser by starlock's own rules from the same bytes, after it had judged them")
    },
    "unchecked": {
        "rules": N_("the rules of the game: the judge with the rules has replayed them, these checks have not")
    },
}
"""The texts that say on a report page that its writer tells something; here nobody tells anything."""


OF_PROBLEMS: Final = ("refused", "problems", "parts", "where", "where_entry", "where_number", "by_rules")
"""The texts of the page that say what is wrong, and where."""


class FileVerdict(NamedTuple):
    """fields: the verdict as data, see `verdict`; found: the judged game, None where there is none."""

    fields: Fields
    found: Audit | None


def verdict(
    data: bytes, name: str, progress: Progress, early: Early | None = None, threads: int | None = None
) -> FileVerdict:
    """Return the verdict over a file with these bytes.

    early: told the hints before the last proofs are checked, and once more if one of them is false.
    threads: as in `p2p.log.records.executor`.

    state   "yes": intact; "no": not intact; "unknown": no saved game that can be judged here
    line    the verdict as a sentence
    text    all that `starlock verify` says, "" for nothing
    code    of what is wrong, "" for nothing
    place   of what is wrong first: "entry N", the name of a part of the file, or ""
    places  of all that is wrong
    claims  mark, title and sentences of what this proves, what not, and what some members could have done together
    people  names and ten words of each member
    words   the texts in which the other judge says what is wrong
    hints   what the other judge is told
    """
    try:
        log = read_bytes(data, name, in_words(progress), threads)
        if not isinstance(log, SavedGame):
            raise evidence_is_no_game(name)
        found = judged(log, in_words(progress), early and (lambda begun: early(hints(begun))), threads)
    except FileError as error:
        text = damaged_text(error, "game")
        return FileVerdict(_fields("no", _line(text), text, error.code, (error.part,)), None)
    except UserError as error:
        return FileVerdict(_fields("unknown", error.whole, "", error.code), None)
    text = log_text(log, found)
    codes = [problem.code for problem in found.problems]
    places = ["" if problem.entry is None else f"entry {problem.entry}" for problem in found.problems]
    fields = _fields("yes" if found.ok else "no", _line(text), text, "".join(codes[:1]), places)
    fields |= {"claims": claims_of(found)}
    fields |= {"people": [] if found.genesis is None else _people(found.genesis), "hints": hints(found)}
    return FileVerdict(fields, found)


def drawn(found: Audit) -> Fields:
    """Return what the page draws of a judged game: title, facts and words."""
    return {"title": title(found), "facts": {**facts(found), "verifier": None}, "words": _page_words()}


def shell_words() -> dict[str, str]:
    """The texts of the page before a game is drawn, in the language in use."""
    return {"name": LANGUAGES[current()], **{name: _(text) for name, text in SHELL.items()}}


def _people(genesis: Genesis) -> list[tuple[str, str]]:
    return [(member_name(member.rows), words_of(member.key, genesis)) for member in genesis.members]


def _page_words() -> Fields:
    said: Fields = words()
    for table, texts in OVER.items():
        (said[table] if table else said).update({name: _(text) for name, text in texts.items()})
    return said


def _fields(state: str, line: str, text: str, code: str, places: Sequence[str] = ()) -> Fields:
    nothing = {"told": "", "refused": {}}
    verdict = {"state": state, "line": line, "text": text, "code": code, "place": "".join(places[:1])}
    said = _page_words()
    return {
        **verdict,
        "places": [*places],
        "claims": [],
        "people": [],
        "hints": nothing,
        "words": {name: said[name] for name in OF_PROBLEMS},
    }


def _line(text: str) -> str:
    """The verdict, and the first thing that is wrong."""
    first, *others = text.splitlines()
    return " ".join([first, *(line.strip() for line in others[:1] if line.startswith("  "))])
