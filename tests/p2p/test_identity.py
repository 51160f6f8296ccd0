"""An identity is kept safely, shows no secret, and speaks through one key at a table."""

from __future__ import annotations

import copy
import os
import pickle
from base64 import b64decode, b64encode
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from p2p.identity.keyfile import KeyFileError, create_identity, load_identity, save_identity
from p2p.identity.keys import SigningKey
from p2p.identity.private import write_private
from p2p.identity.tablekey import Certificate, TableKeys, certify
from p2p.identity.words import WORDS, fingerprint
from p2p.wire.codec import Value, WireError
from p2p.wire.signing import verify

posix = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


def failure(action: Callable[[], object]) -> str:
    with pytest.raises(KeyFileError) as caught:
        action()
    return caught.value.code


def test_a_new_identity_is_the_one_that_is_loaded(tmp_path: Path) -> None:
    made = create_identity(tmp_path / "home" / "identity.pem")
    assert load_identity(tmp_path / "home" / "identity.pem").public == made.public
    assert [file.name for file in (tmp_path / "home").iterdir()] == ["identity.pem"]


@posix
def test_the_identity_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    old = os.umask(0)
    try:
        create_identity(path)
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o600
    for mode in (0o640, 0o604, 0o660):
        path.chmod(mode)
        with pytest.raises(KeyFileError) as caught:
            load_identity(path)
        assert (caught.value.code, caught.value.path, caught.value.detail) == (
            "identity/permissive",
            path,
            f"{mode:04o}",
        )


def test_an_identity_is_never_overwritten_by_a_new_one(tmp_path: Path) -> None:
    made = create_identity(tmp_path / "key")
    assert failure(lambda: create_identity(tmp_path / "key")) == "identity/exists"
    assert load_identity(tmp_path / "key").public == made.public


def no_links(_made: Path, _path: Path) -> None:
    raise PermissionError(1, "Operation not permitted")


@pytest.mark.parametrize("link", [pytest.param(os.link, id="links"), pytest.param(no_links, id="no links")])
def test_of_two_that_make_an_identity_at_the_same_moment_one_makes_it_and_the_other_is_told(
    link: Callable[[Path, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fsync = tmp_path / "key", os.fsync
    others = list[SigningKey]()

    def after_another(handle: int) -> None:
        monkeypatch.setattr(os, "fsync", fsync)
        others.append(create_identity(path))
        fsync(handle)

    monkeypatch.setattr(os, "link", link)
    monkeypatch.setattr(os, "fsync", after_another)
    assert failure(lambda: create_identity(path)) == "identity/exists"
    assert [load_identity(path).public] == [other.public for other in others]
    assert [file.name for file in tmp_path.iterdir()] == ["key"]


def test_a_passphrase_is_asked_for_checked_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "key"
    made = create_identity(path, "corazón")
    assert failure(lambda: load_identity(path)) == "identity/passphrase-needed"
    assert failure(lambda: load_identity(path, "corazon")) == "identity/passphrase-wrong"
    assert load_identity(path, "corazón").public == made.public
    save_identity(path, made, None)
    assert load_identity(path).public == load_identity(path, "not needed any more").public == made.public


def test_the_secret_is_not_in_an_encrypted_file(tmp_path: Path) -> None:
    made = create_identity(tmp_path / "key", "words")
    assert b"ENCRYPTED" in (tmp_path / "key").read_bytes()
    plain = made.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).splitlines()[1]
    assert plain not in (tmp_path / "key").read_bytes()


@pytest.mark.parametrize("content", [b"", b"hello", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_damaged_file_is_called_damaged(tmp_path: Path, content: bytes) -> None:
    write_private(tmp_path / "key", content)
    assert failure(lambda: load_identity(tmp_path / "key")) == "identity/damaged"


def test_a_changed_byte_in_the_head_of_a_locked_file_is_a_wrong_passphrase_or_damage(tmp_path: Path) -> None:
    create_identity(tmp_path / "key", "words")
    first, *middle, last = (tmp_path / "key").read_bytes().splitlines()
    locked = b64decode(b"".join(middle))
    found = set()
    for at in range(len(locked) - 64):  # before what is encrypted
        changed = bytes(byte ^ (number == at) for number, byte in enumerate(locked))
        write_private(tmp_path / str(at), b"\n".join((first, b64encode(changed), last)))
        found.add(failure(partial(load_identity, tmp_path / str(at), "words")))
    assert found == {"identity/damaged", "identity/passphrase-wrong"}


def test_a_key_of_another_kind_is_called_so(tmp_path: Path) -> None:
    other = X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_private(tmp_path / "key", other)
    assert failure(lambda: load_identity(tmp_path / "key")) == "identity/other-kind"


def test_a_missing_file_and_a_folder_in_its_place_are_told_apart(tmp_path: Path) -> None:
    assert failure(lambda: load_identity(tmp_path / "none")) == "identity/missing"
    folder = tmp_path / "folder"
    folder.mkdir(0o700)
    assert failure(lambda: load_identity(folder)) == "identity/unreadable"


def test_what_cannot_be_written_is_said_and_leaves_no_litter(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert failure(lambda: save_identity(tmp_path / "folder", SigningKey.generate())) == "identity/unwritable"
    (tmp_path / "file").write_bytes(b"")
    assert failure(lambda: create_identity(tmp_path / "file" / "key")) in ("identity/unwritable", "identity/unreadable")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder"]


def test_no_text_form_of_a_key_shows_its_secret() -> None:
    key = SigningKey.from_seed(bytes(range(32)))
    table = TableKeys(key, b"\xaa" * 32)
    shown = f"{key!r} {key} {table!r} {table}"
    assert key.public.hex()[:16] in shown
    for secret in (key.seed(), table.secret):
        assert secret.hex() not in shown
        assert repr(secret) not in shown
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(key)
    with pytest.raises(TypeError, match="not pickled"):
        copy.copy(key)


def test_a_key_comes_back_from_its_seed_and_signs_alike() -> None:
    key = SigningKey.generate()
    again = SigningKey.from_seed(key.seed())
    assert again.public == key.public
    assert verify(key.public, again.sign(b"m"), b"m")


def test_the_words_never_change() -> None:
    assert len(set(WORDS)) == 256
    assert list(WORDS) == sorted(WORDS)
    assert fingerprint(bytes(32)) == "igloo planet tiger shadow goat radar eagle osprey oven scout"


def test_two_words_differ_within_their_first_three_letters() -> None:
    assert len({word[:3] for word in WORDS}) == 256
    assert all(3 <= len(word) <= 7 and word.isascii() and word.islower() for word in WORDS)


def test_fingerprints_of_near_keys_differ_everywhere() -> None:
    one, other = fingerprint(bytes(32)).split(), fingerprint(bytes(31) + b"\1").split()
    assert len(one) == 10
    assert sum(a == b for a, b in zip(one, other, strict=True)) <= 2


def test_a_certificate_survives_the_wire_and_holds_for_one_key_and_lobby() -> None:
    identity, table = SigningKey.generate(), TableKeys.generate()
    made = certify(identity, table.key.public, b"l" * 16, "laptop")
    assert Certificate.read(made.fields()) == made  # type: ignore[arg-type]
    fields = made.fields()
    changes: list[tuple[int, Value]] = [
        (0, SigningKey.generate().public),
        (1, SigningKey.generate().public),
        (2, b"m" * 16),
        (3, "phone"),
        (4, bytes(64)),
    ]
    for at, value in changes:
        changed: list[Value] = [*fields[:at], value, *fields[at + 1 :]]  # type: ignore[list-item]
        with pytest.raises(WireError, match="certificate/signature"):
            Certificate.read(changed)


@pytest.mark.parametrize("value", [None, [], [b"", b"", b"", ""], ["", b"", b"", "", b""], [b"i" * 32] * 5])
def test_a_malformed_certificate_is_refused(value: Value) -> None:
    with pytest.raises(WireError, match="certificate/form"):
        Certificate.read(value)


def test_a_long_device_name_is_refused_by_both_sides() -> None:
    identity = SigningKey.generate()
    with pytest.raises(ValueError, match="48 bytes"):
        certify(identity, identity.public, b"", "x" * 49)
    with pytest.raises(WireError, match="certificate/form"):
        Certificate.read([identity.public, identity.public, b"", "x" * 49, bytes(64)])


@posix
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_private(tmp_path / "key", b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private(tmp_path / "key", b"new")
    assert (tmp_path / "key").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_failed_write_says_why_where_its_own_file_is_gone_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(made: Path, _path: Path) -> None:
        made.unlink()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="Input/output error"):
        write_private(tmp_path / "key", b"new")
    assert list(tmp_path.iterdir()) == []
