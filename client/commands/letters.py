# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the commands for play by post: reading letters, writing bundles, and the lobby by post."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from client.commands.ways import STANDARD_INPUT
from client.session.notation import yes_or_no
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.files import place, read_at_most, unwritable
from client.system.names import clipped, sitter_name
from client.system.platform import take_terminal_as_input
from client.system.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.letters import Letters
    from client.table.posted import Posted
    from p2p.lobby.messages import Sitter, Terms


def add_letter(parser: ArgumentParser, text: str) -> None:
    """Add --letter FILE."""
    parser.add_argument("--letter", metavar=_("FILE"), type=place, help=text)


def given_letters(names: Sequence[str]) -> Letters:
    """The letters in these files, on standard input, and in pasted text. UserError before anything is taken from any of
    them if a file cannot be read, since its name may be mistyped."""
    from client.table.letters import Letters
    from p2p.sync.pasted import MAX_TEXT, begins

    letters = Letters()
    named = (name for name in names if name != STANDARD_INPUT and not begins(name))
    files = {name: read_at_most(Path(name), MAX_TEXT) for name in named}
    for name in names:
        if name == STANDARD_INPUT:
            letters.given(sys.stdin.buffer.read(MAX_TEXT + 1), _("standard input"))
            take_terminal_as_input()
        elif begins(name):
            letters.text(name, _("what you pasted"))
        else:
            letters.given(files[name], name)
    return letters


def at_terminal(context: Context) -> bool:
    """True if a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty() and not context.as_json


def said_yes(question: str) -> bool:
    """True if the person at the terminal says yes."""
    while True:
        said = yes_or_no(input(f"{question} {_('yes or no')}> "))
        if said is not None:
            return said


def paste(letters: Letters) -> None:
    """Read pasted text from the terminal, up to an empty line after a complete letter or the end of input."""
    text = ""
    try:
        while True:
            line = input()
            text += line + "\n"
            if not line.strip() and text.strip():
                letters.text(text, _("what you pasted"))
                text = ""
                if not letters.missing():
                    return
            elif not line.strip():
                return
    except EOFError:
        if text.strip():
            letters.text(text, _("what you pasted"))


def write_bundle_file(path: Path, data: bytes) -> None:
    """Write a bundle or letter. It may overwrite another one, but no other file. UserError."""
    from p2p.lobby.posted import MAGIC as LETTER
    from p2p.sync.bundle import MAGIC as BUNDLE

    try:
        if path.exists():
            with path.open("rb") as file:
                if not file.read(max(len(LETTER), len(BUNDLE))).startswith((LETTER, BUNDLE)):
                    raise UserError(
                        "file/exists",
                        _("There is a file {path} already, which is no bundle; nothing was written.").format(path=path),
                        _("Name another file."),
                    )
        path.write_bytes(data)
    except OSError as error:
        raise unwritable(path, error) from error


def as_text(data: bytes, told: str = "") -> str:
    """A bundle or letter as text to send, after a line that explains it. told: that line, "" for the usual one."""
    from p2p.sync.pasted import pasted_parts

    parts = pasted_parts(data)
    if not told and len(parts) == 1:
        told = _("Send this to the others:")
    told = told or _("Send these {count} parts to the others, in one message or several:").format(count=len(parts))
    return "\n".join([told, *parts])


# The lobby -----------------------------------------------------------------------------------------------------------


def admits(*, asked: bool) -> Callable[[Sitter], bool]:
    """How the inviter admits newcomers: by a question; if nobody can be asked, everybody whose letter was given is
    admitted."""
    from p2p.identity.words import fingerprint

    def approve(sitter: Sitter) -> bool:
        question = _("{name} wants to sit down ({words}). Let them in?")
        return not asked or said_yes(question.format(name=sitter_name(sitter), words=fingerprint(sitter.identity)))

    return approve


def sits_down(context: Context, terms: Terms, *, asked: bool) -> bool:
    """True if the person wants to take a seat. If nobody can be asked, giving the invitation counts as yes."""
    from client.table.reception import cautions, sit_down

    for text in cautions(terms.options, terms.seats):
        context.note(text)
    return not asked or said_yes(sit_down(terms))


def standing(posted: Posted) -> tuple[str, list[str]]:
    """The state of a lobby in words, and the known names of those waited for."""
    lobby = posted.lobby
    waiting = lobby.waits_for()
    if lobby.fixed:
        names = ", ".join(map(clipped, waiting))
        return _("All seats are taken. Waiting for a letter of: {names}.").format(names=names), waiting
    if not posted.inviting:
        inviter = lobby.inviter.sitter
        text = _("Waiting for a letter of {name}, once all seats are taken.")
        return text.format(name=sitter_name(inviter)), [inviter.name]
    taken = [lobby.inviter.sitter, *(place.sitter for place in posted.seated())]
    free = lobby.terms.seats - sum(sitter.count for sitter in taken)
    names = ", ".join(map(sitter_name, taken))
    return _("At the table: {names}; free seats: {free}").format(names=names, free=free), []


def answer_lobby(context: Context, posted: Posted, out: Path | None, letters: Letters, told: Sequence[str]) -> int:
    """Print the state of a lobby, and write the letter for the others."""
    from p2p.lobby.posted import write_letter

    for text in (*told, *letters.missing(), *(error.whole for error in letters.wrong)):
        context.note(text)
    data = write_letter(posted.lobby.statements(posted.me))
    if out is not None:
        write_bundle_file(out, data)
        handed = _("Wrote the letter for the others to {path}. Send them that file.").format(path=out.absolute())
    else:
        handed = as_text(data)
    text, waiting = standing(posted)
    then = _("They read it with: {theirs}. What they send back goes to: {command}").format(
        theirs="starlock join FILE" if posted.inviting and not posted.lobby.fixed else "starlock post --in FILE",
        command=f"starlock post {posted.name} --in FILE",
    )
    context.answer(
        f"{text}\n{handed}\n{then}",
        ok=not letters.wrong,
        name=posted.name,
        state="lobby",
        waiting=waiting,
        complete=False,
        path=None if out is None else str(out.absolute()),
        bundle="" if out is not None else handed,
        wrong=[{"code": error.code, "message": error.message} for error in letters.wrong],
    )
    return CHECK_FAILED if letters.wrong else DONE
