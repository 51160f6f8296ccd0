# SPDX-License-Identifier: GPL-3.0-or-later
"""The page as one file: markup, style, data, the .star file, the checks and the script.

The page loads nothing: a Content-Security-Policy allows its own style and script by their hashes, pictures from its
data, and the worker made from its own text. Data is in script elements that are not executed, as JSON with `<` escaped
or in base64, so no name and no chat text can end them.

All that is not about this one game is in the script, and so under its hash: the checks, the texts in one language, the
style and the markup, which take the place of all that the file holds. So the pages of one version in one language have
the same script, and only the saved game and the facts differ.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Final

from client.proof.audit import SavedGame, judged
from client.report.facts import Seen, facts, title
from client.report.words import words
from client.show.html import STYLE
from client.system import names
from client.system.texts import current
from p2p.lockstep.audit import Audit
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import JOINT
from p2p.lockstep.replay import Progress

CHECKS: Final = (
    *("noble.js", "wire.js", "group.js", "shuffles.js", "later.js"),
    *("keys.js", "decks.js", "anew.js", "choices.js"),
    *("members.js", "votes.js", "closing.js", "rolls.js", "heights.js", "asked.js", "game.js", "shown.js", "worker.js"),
)
"""The parts of the checks, in their order in one script."""

SCRIPTS: Final = ("common.js", "page.js", "signed.js", "course.js", "told.js")
"""The parts of the page's own script, in order."""

START: Final = "opening.js"
"""The part that draws a page at once."""


def audited(
    log: SavedGame,
    star: Callable[[Follower], bytes],
    seen: Callable[[Follower], Seen] = lambda _table: (),
    progress: Progress | None = None,
) -> tuple[Audit, bytes, bytes]:
    """The verdict over a game, its saved game and its page, which is made while threads check the last proofs; both are
    empty where no table can be shown. star: the bytes of the saved game."""
    made = [(b"", b"")]

    def show(found: Audit) -> None:
        if found.table is not None:
            data = star(found.table)
            made.append((data, page(found, data, seen(found.table))))

    return judged(log, progress, show), *made[-1]


def page(found: Audit, star: bytes, seen: Seen = ()) -> bytes:
    """The page of a judged game whose saved game has these bytes. seen: what a seat of this home knew in addition."""
    style, script = page_style(), _script()
    policy = (
        f"default-src 'none'; script-src '{hashed(script)}'; style-src '{hashed(style)}'; img-src data:; "
        "worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "LANGUAGE": current(),
        "STATE": 'data-verified="running"',
        "POLICY": policy,
        "TITLE": escape(title(found)),
        "HEAD": "",
        "BODY": "",
        "DATA": as_json({"facts": facts(found, seen)}),
        "STAR": b64encode(star).decode(),
        "MORE": "",
        "SCRIPT": script,
    }
    return filled(parts).encode()


def _script() -> str:
    """The script of a page in the language in use."""
    first, *others = SCRIPTS
    held = {"words": words(), "head": head(page_style()), "body": body(), "language": current()}
    told = "\n".join(f"const {name} = {as_json(value)};" for name, value in held.items())
    return "\n".join([static(first), told, in_worker(), *map(static, others), static(START)])


def head(style: str) -> str:
    """The markup of the page's head, but for its policy and title."""
    return filled({"STYLE": style}, "head.html")


def body(first: str = "") -> str:
    """The markup of the page. first: what comes before the game."""
    return filled({"FIRST": first}, "body.html")


def filled(parts: Mapping[str, str], name: str = "page.html") -> str:
    """A document with these parts, by the names in it."""
    pieces = static(name).split("%%")  # text and the names of parts alternate
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def checks() -> str:
    """The source of the worker."""
    shown = {
        "invisible": "".join(sorted(names.INVISIBLE)),
        "joining": names.JOINING,
        "wide": names.WIDE,
        "twins": names.TWINS,
        "alike": names.ALIKE,
        "framing": names.FRAMING,
        "joint": JOINT,
        "bot": names.BOT,
    }
    numbers = {"marks": names.MAX_MARKS, "columns": names.MAX_COLUMNS}
    return "\n".join([f"const NAMES = {json.dumps(shown | numbers)};", *map(static, CHECKS)])


def in_worker() -> str:
    """The checks as a function, whose text becomes the worker."""
    return f"function checks() {{\n{checks()}\n}} // checks"


def as_json(data: object) -> str:
    """JSON that is safe inside a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def page_style() -> str:
    """The style of documents, and of the page."""
    return STYLE.read_text("utf-8") + static("page.css")


def static(name: str) -> str:
    """The text of a file of the page."""
    return (files("client.report") / "static" / name).read_text("utf-8")


def hashed(text: str) -> str:
    """A script or style as a Content-Security-Policy names it."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
