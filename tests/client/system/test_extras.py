"""A hint to install an extra names this copy of the project, never a name on an index that anybody may take."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from types import SimpleNamespace
from typing import Any

import pytest

from client.system import extras
from client.table.words import link_trouble
from p2p.link.contract import LinkRefusedError


@pytest.mark.parametrize("code", ["libp2p/missing", "libp2p/failed"])
def test_the_hint_for_libp2p_installs_the_extra_of_this_project(code: str) -> None:
    hint = link_trouble(LinkRefusedError(code)).hint
    assert f"starlock[libp2p] @ {extras.origin()}" in hint
    assert "-m pip install" in hint


@pytest.mark.parametrize(
    ("told", "origin"),
    [
        ({"url": "file:///srv/starlock", "dir_info": {}}, "file:///srv/starlock"),
        (
            {"url": "https://example.org/starlock.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "git+https://example.org/starlock.git@abc",
        ),
    ],
)
def test_the_origin_is_where_this_copy_was_installed_from(
    monkeypatch: pytest.MonkeyPatch, told: dict[str, Any], origin: str
) -> None:
    monkeypatch.setattr(extras, "distribution", lambda _name: SimpleNamespace(read_text=lambda _file: json.dumps(told)))
    assert extras.origin() == origin


def test_a_copy_that_was_not_installed_names_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> Any:
        raise PackageNotFoundError

    monkeypatch.setattr(extras, "distribution", missing)
    assert extras.origin().startswith("file:///")
