# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of the identity: an Ed25519 key as PKCS #8 in PEM (RFC 8410), encrypted if it has a passphrase."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from p2p.identity.keys import SigningKey
from p2p.identity.private import permissive_mode, write_first, write_private

MAX_FILE = 16_384


class KeyFileError(Exception):
    """A key file cannot be used. Nothing was changed.

    Attributes:
        code: "identity/missing", "identity/exists", "identity/unreadable", "identity/unwritable",
            "identity/permissive", "identity/damaged", "identity/other-kind", "identity/passphrase-needed",
            "identity/passphrase-wrong".
        path: the file.
        detail: the system's message, or the mode found.
    """

    def __init__(self, code: str, path: Path, detail: str = "") -> None:
        super().__init__(f"{code}: {path}" + (f" ({detail})" if detail else ""))
        self.code = code
        self.path = path
        self.detail = detail


def create_identity(path: Path, passphrase: str | None = None) -> SigningKey:
    """Make a new identity and store it at `path`. Raises KeyFileError if the file exists, also if another process has
    made it at the same moment."""
    key = SigningKey.generate()
    keep_key_file(path, _pem(key, passphrase))
    return key


def keep_key_file(path: Path, pem: bytes) -> None:
    """Write a key file where there is none. Raises KeyFileError."""
    try:
        write_first(path, pem)
    except OSError as error:
        if os.path.lexists(path):
            raise KeyFileError("identity/exists", path) from error
        raise KeyFileError("identity/unwritable", path, error.strerror or str(error)) from error


def save_identity(path: Path, key: SigningKey, passphrase: str | None = None) -> SigningKey:
    """Write `key` to `path`, replacing any file there, to change the passphrase."""
    try:
        write_private(path, _pem(key, passphrase))
    except OSError as error:
        raise KeyFileError("identity/unwritable", path, error.strerror or str(error)) from error
    return key


def load_identity(path: Path, passphrase: str | None = None) -> SigningKey:
    """Return the identity stored at `path`. A passphrase for an unencrypted file is ignored.

    Raises KeyFileError; its code tells whether a passphrase is needed.
    """
    pem = _read(path)
    try:
        key: object = load_pem_private_key(pem, None)
    except TypeError:  # encrypted
        key = _decrypt(path, pem, passphrase)
    except (ValueError, UnsupportedAlgorithm, InternalError):
        raise KeyFileError("identity/damaged", path) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError("identity/other-kind", path, type(key).__name__)
    return SigningKey(key)


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():  # a pipe would block, and a device never end
            raise KeyFileError("identity/unreadable", path, "no plain file")
        mode = permissive_mode(path)
        if mode is not None:
            raise KeyFileError("identity/permissive", path, f"{mode:04o}")
        with path.open("rb") as file:
            return file.read(MAX_FILE)
    except FileNotFoundError:
        raise KeyFileError("identity/missing", path) from None
    except OSError as error:
        raise KeyFileError("identity/unreadable", path, error.strerror or str(error)) from error


def _decrypt(path: Path, pem: bytes, passphrase: str | None) -> object:
    if not passphrase:
        raise KeyFileError("identity/passphrase-needed", path)
    try:
        return load_pem_private_key(pem, passphrase.encode())
    except (UnsupportedAlgorithm, InternalError):
        raise KeyFileError("identity/damaged", path) from None
    except ValueError:
        raise KeyFileError("identity/passphrase-wrong", path) from None


def _pem(key: SigningKey, passphrase: str | None) -> bytes:
    return key.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, _encryption(passphrase))


def _encryption(passphrase: str | None) -> KeySerializationEncryption:
    return BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
