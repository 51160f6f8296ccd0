"""What a person hears whose machine has no libsodium."""

from collections.abc import Iterator

import pytest

from client.table.library import lacking_library
from client.table.words import lobby_trouble
from seeds import group, sodium


@pytest.fixture
def no_libsodium(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def missing() -> None:
        raise OSError("no such file")

    monkeypatch.setattr(sodium, "candidates", lambda: [("rbcl", missing)])
    group._library.cache_clear()
    yield
    group._library.cache_clear()


@pytest.mark.usefixtures("no_libsodium")
def test_who_has_no_libsodium_is_told_what_to_install_before_sitting_down() -> None:
    refusal = lacking_library("sealed", 2)
    assert refusal is not None
    trouble = lobby_trouble(refusal.code, refusal.detail)
    assert "rbcl: no such file" in str(trouble.message)
    assert "rbcl" in str(trouble.hint)


@pytest.mark.usefixtures("no_libsodium")
def test_two_who_play_with_open_draws_need_no_libsodium() -> None:
    assert lacking_library("open", 2) is None
    assert lacking_library("open", 3) is not None
