# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock keys`: shows the identity, sets its passphrase, and copies it to and from a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import place
from client.system.settings import made
from client.system.texts import _
from client.table.identity import ask_passphrase, explained, own_identity, read_key


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the actions; without one the identity is shown."""
    deeds = parser.add_subparsers(dest="deed", metavar=_("DEED"), title=_("what to do (default: show the identity)"))
    deeds.add_parser("passphrase", help=_("set, change or remove the passphrase of the key file"))
    for deed, kind, text in (
        ("export", place, _("copy the key file to FILE, to use the same identity elsewhere or to keep it safe")),
        ("import", Path, _("use the identity in FILE on this machine")),
    ):
        deeds.add_parser(deed, help=text).add_argument("file", metavar=_("FILE"), type=kind)


def run(args: Namespace, context: Context) -> int:
    """Run the action; each ends by showing the identity."""
    match args.deed:
        case "passphrase":
            _set_passphrase(context)
        case "export":
            _export(context, args.file)
        case "import":
            _import(context, args.file)
    identity = own_identity(context)
    from p2p.identity.words import fingerprint

    words = fingerprint(identity.key.public)
    lines = [_("A new identity was made for you.")] if identity.new else []
    lines += [
        _("Words to compare aloud:  {words}").format(words=words),
        _("Key file:                {path}").format(path=identity.path),
        _("Passphrase:              {state}").format(state=_("yes") if identity.locked else _("none")),
    ]
    context.answer(
        "\n".join(lines),
        words=words,
        public_key=identity.key.public.hex(),
        file=str(identity.path),
        passphrase=identity.locked,
        created=identity.new,
    )
    return DONE


def _set_passphrase(context: Context) -> None:
    from p2p.identity.keyfile import KeyFileError, save_identity

    identity = own_identity(context)
    new = ask_passphrase(_("New passphrase (nothing: none): "))
    if new and ask_passphrase(_("The same again: ")) != new:
        raise UserError("identity/passphrase-differs", _("The two are not the same; nothing was changed."))
    try:
        save_identity(identity.path, identity.key, new or None)
    except KeyFileError as error:
        raise explained(error) from error
    context.identity = None  # it is opened again with the new passphrase


def _export(context: Context, target: Path) -> None:
    _copy(own_identity(context).path, target)


def _import(context: Context, source: Path) -> None:
    path = context.folders.identity
    read_key(source)
    made(path.parent)
    _copy(source, path)


def _copy(source: Path, target: Path) -> None:
    from p2p.identity.keyfile import KeyFileError, keep_key_file

    try:
        keep_key_file(target, source.read_bytes())
    except KeyFileError as error:
        raise explained(error) from error
    except OSError as error:
        raise explained(KeyFileError("identity/unreadable", source, error.strerror or str(error))) from error
