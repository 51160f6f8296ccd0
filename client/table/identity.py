# SPDX-License-Identifier: GPL-3.0-or-later
"""The person's key: opened or made when a command needs it, with its errors in words."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from client.system.context import Context
from client.system.errors import UserError
from client.system.files import there
from client.system.settings import made
from client.system.system_troubles import reason
from client.system.texts import N_, _
from engine.core.dataclass import dataclass

if TYPE_CHECKING:  # cryptography loads slowly, and most commands do not need it
    from client.table.record import Record
    from p2p.identity.keyfile import KeyFileError
    from p2p.identity.keys import SigningKey
    from p2p.identity.tablekey import TableKeys

_TROUBLES = {
    "identity/missing": (
        N_("There is no key file {path}."),
        N_("Check the name of the file."),
    ),
    "identity/exists": (
        N_("There is an identity already: {path}."),
        N_("Move that file to a safe place first; nothing was changed."),
    ),
    "identity/unreadable": (
        N_("The key file {path} cannot be read: {detail}."),
        N_("Check whose file it is and that it is no folder."),
    ),
    "identity/unwritable": (
        N_("The key file {path} cannot be written: {detail}."),
        N_("Make its folder writable and free some space; nothing was changed."),
    ),
    "identity/permissive": (
        N_("The key file {path} can be used by other people of this machine (mode {detail})."),
        N_("If nobody has copied it: chmod 600 {path}"),
    ),
    "identity/damaged": (
        N_("The key file {path} is damaged or no key file."),
        N_(
            "Check the name of the file. If it is that of this home: put your copy of it back, or move it away to "
            "begin with a new identity."
        ),
    ),
    "identity/other-kind": (
        N_("The key in {path} is of another kind ({detail}); an identity is an Ed25519 key."),
        N_("Check the name of the file."),
    ),
    "identity/passphrase-needed": (
        N_("The key file {path} has a passphrase, and there is no terminal to ask for it."),
        N_("Start starlock in a terminal."),
    ),
    "identity/passphrase-wrong": (
        N_("That is not the passphrase of {path}."),
        N_("Try again; without it nobody can use this identity."),
    ),
}


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of this home.

    Attributes:
        key: the private key.
        path: its file.
        locked: True if it has a passphrase.
        new: True if it was made in this run.
    """

    key: SigningKey
    path: Path
    locked: bool
    new: bool


def own_identity(context: Context) -> Identity:
    """The identity of this user, made at the first use. Asks for its passphrase on the terminal if it has one.
    UserError `home/identity` if it is missing and a table or a lobby here needs it."""
    from p2p.identity.keyfile import KeyFileError, create_identity

    path = context.folders.identity
    made(path.parent)
    if not there(path):
        _check_unneeded(context)
        try:
            return Identity(create_identity(path), path, locked=False, new=True)
        except KeyFileError as error:
            if error.code != "identity/exists":  # another process has just made it: use that one
                raise explained(error) from error
    key, locked = opened(context)
    return Identity(key, path, locked, new=False)


def opened(context: Context) -> tuple[SigningKey, bool]:
    """The key of this home, and True if it has a passphrase, which is asked for once in a command. UserError."""
    if context.identity is None:
        context.identity = read_key(context.folders.identity)
    return context.identity


def check_identity(context: Context, record: Record, keys: TableKeys | None) -> None:
    """Raise UserError `home/identity` if the identity of this home is not the one that sits at the table: the others
    would not let it in. A missing one is not made anew here. Test tables have identities of their own."""
    member = None if keys is None else record.member(keys.key.public)
    if member is None or record.seed is not None:
        return
    identity = member.certificate.identity
    if not there(context.folders.identity) or opened(context)[0].public != identity:
        raise _not_here(context.folders.identity, record.name, identity)


def _check_unneeded(context: Context) -> None:
    """Raise UserError `home/identity` if a table that is played here, or a lobby that waits, needs the identity."""
    from client.table.open_lobby import open_lobbies
    from client.table.record import sound_record
    from client.table.words import store_trouble
    from p2p.log.store import StoreError, peek, peek_table

    home = context.folders.data
    try:
        for stored in peek(home):
            record = sound_record(stored)
            if stored.member and record.state == "playing":
                check_identity(context, record, peek_table(home, stored.table).keys)
    except StoreError as error:
        raise store_trouble(error) from error
    for lobby in open_lobbies(home):
        ticket = lobby.before()
        if ticket is not None and not lobby.expired:
            raise _not_here(context.folders.identity, lobby.name, ticket.inviter)


def _not_here(path: Path, name: str, identity: bytes) -> UserError:
    from p2p.identity.words import fingerprint

    text = (
        _("The key file {path} is not of the identity that sits at table {name}.")
        if there(path)
        else _("The key file {path} is missing, and table {name} needs it.")
    )
    hint = _(
        "Put the key file with these words back there: {words}. Without a copy, put the table away: "
        "starlock leave {name}"
    )
    words = fingerprint(identity)
    return UserError("home/identity", text.format(path=path, name=name), hint.format(words=words, name=name))


def read_key(path: Path) -> tuple[SigningKey, bool]:
    """The key in the file, and True if it has a passphrase, which is asked for on the terminal. UserError."""
    from p2p.identity.keyfile import KeyFileError, load_identity

    try:
        return load_identity(path), False
    except KeyFileError as error:
        if error.code != "identity/passphrase-needed" or not sys.stdin.isatty():
            raise explained(error) from error
    try:
        return load_identity(path, ask_passphrase(_("Passphrase of {path}: ").format(path=path))), True
    except KeyFileError as error:
        raise explained(error) from error


def ask_passphrase(prompt: str) -> str:
    """Read a passphrase without showing it. UserError when there is no terminal."""
    from getpass import getpass

    if not sys.stdin.isatty():
        raise UserError(
            "cli/no-terminal",
            _("There is no terminal to ask for a passphrase."),
            _("Start this command in a terminal."),
        )
    try:
        return getpass(prompt)
    except EOFError:
        raise KeyboardInterrupt from None


def explained(error: KeyFileError) -> UserError:
    """The error for a key file, in words."""
    message, hint = _TROUBLES[error.code]
    words = {"path": error.path, "detail": reason(error.detail)}
    return UserError(error.code, _(message).format(**words), _(hint).format(**words))
