# SPDX-License-Identifier: GPL-3.0-or-later
"""Bundles, and letters of a lobby, as people receive them: files, and pasted text with whatever a messenger added."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from client.system.errors import CHECK_FAILED, UserError
from client.system.files import read_at_most
from client.system.texts import N_, NN_, _, counted
from p2p.lobby.posted import MAGIC as LOBBY_MAGIC
from p2p.lobby.posted import LetterError, LobbyStatement, read_letter
from p2p.sync.bundle import MAGIC, MAX_BUNDLE, Bundle, BundleError, read_bundle
from p2p.sync.pasted import MAX_TEXT, Pasted, begins

_TROUBLE: Final = {
    "bundle/none": (
        N_("{what} holds no bundle of a table: it does not begin as one, and nothing in it with “starlock-post:”."),
        N_("A bundle is what “starlock post” writes. If this is one, its beginning is damaged: let it be sent again."),
    ),
    "bundle/version": (
        N_("{what} was written by a newer starlock, in a form that this one does not know."),
        N_("Update starlock; nothing was taken from it."),
    ),
    "bundle/damaged": (
        N_("{what} is damaged: something in it was changed or is missing."),
        N_("Nothing was taken from it. Let the sender send it again."),
    ),
    "bundle/large": (
        N_("{what} is too large to be a bundle of a table."),
        N_("Nothing was taken from it."),
    ),
    "bundle/signature": (
        N_("{what} was not written by the player that it names."),
        N_("Nothing was taken from it. Ask that player for a bundle."),
    ),
    "bundle/part-damaged": (
        NN_(
            "In {what}, {count} part has a letter that was changed or is missing.",
            "In {what}, {count} parts have a letter that was changed or is missing.",
            "count",
        ),
        N_("Copy those parts again."),
    ),
}


def is_letter(data: bytes) -> bool:
    """True if these bytes are a bundle or a letter, as a file or as text."""
    return data.startswith((MAGIC, LOBBY_MAGIC)) or begins(data[:MAX_TEXT].decode(errors="replace"))


class Letters:
    """What was given so far: `whole` yields complete bundles, `statements` returns the contents of lobby letters, and
    `wrong` lists the troubles."""

    def __init__(self) -> None:
        self._pasted = Pasted()
        self._given: list[tuple[str, bytes]] = []
        self._statements: list[LobbyStatement] = []
        self.wrong: list[UserError] = []

    def file(self, path: Path) -> None:
        """Read a file: a binary bundle, or text with parts of bundles."""
        try:
            self.given(read_at_most(path, MAX_TEXT), str(path))
        except UserError as error:
            self.wrong.append(error)

    def given(self, data: bytes, what: str) -> None:
        """Read bytes. what: the name of their source for people."""
        if len(data) > MAX_TEXT:
            self.wrong.append(trouble("bundle/large", what))
        elif data.startswith((MAGIC, LOBBY_MAGIC)):
            self._given.append((what, data))
        else:
            self.text(data.decode(errors="replace"), what)

    def text(self, text: str, what: str) -> None:
        """Read text that contains parts of bundles."""
        damaged, other = self._pasted.damaged, self._pasted.other
        if not self._pasted.add(text):
            self.wrong.append(trouble("bundle/none", what))
        if self._pasted.other > other:
            self.wrong.append(trouble("bundle/version", what))
        self._given += [(what, data) for data in self._pasted.taken()]
        if self._pasted.damaged > damaged:
            self.wrong.append(trouble("bundle/part-damaged", what, count=self._pasted.damaged - damaged))

    def statements(self) -> list[LobbyStatement]:
        """The statements of all lobby letters given so far. A bundle in a letter is left for `whole`."""
        given, self._given = self._given, []
        for what, data in given:
            bundle = data
            if data.startswith(LOBBY_MAGIC):
                try:
                    said, bundle = read_letter(data)
                    self._statements += said
                except LetterError as error:
                    self.wrong.append(trouble(error.code.replace("letter", "bundle"), what))
                    continue
            if bundle:
                self._given.append((what, bundle))
        return self._statements

    def whole(self) -> Iterator[tuple[str, Bundle]]:
        """Yield each complete bundle once, with its source."""
        self.statements()
        given, self._given = self._given, []
        for what, data in given:
            try:
                yield what, read_bundle(data[: MAX_BUNDLE + 1])
            except BundleError as error:
                self.wrong.append(trouble(error.code, what))

    def missing(self) -> list[str]:
        """A sentence for each bundle with missing parts."""
        told = _("Of a text of {count} parts these have not come: {numbers}. They may come in any order.")
        return [
            told.format(count=count, numbers=", ".join(map(str, numbers[:12])) + " …" * (len(numbers) > 12))
            for count, numbers in self._pasted.missing()
        ]


def trouble(code: str, what: str, **fields: object) -> UserError:
    """The error for something that was not accepted. what: its source."""
    message, hint = _TROUBLE[code]
    told = counted(message, {name: str(value) for name, value in fields.items()})
    return UserError(code, told.format(what=what, **fields), _(hint), CHECK_FAILED)
