"""A member without a person tells its log why a proposal of its own was refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from p2p.lockstep.consent import Consent
from p2p.lockstep.machine import TableRefusal


def test_the_log_says_why_nothing_was_proposed_and_nothing_of_what_was() -> None:
    logged: list[tuple[str, str]] = []
    asked: list[Any] = []
    answers = [TableRefusal("pact/overtaken"), None]

    def propose(kind: str, out: list[bytes], terms: Any) -> Any:
        asked.append((kind, out, terms))
        return answers.pop(0)

    def log(event: str, *, code: str) -> None:
        logged.append((event, code))

    voice: Any = SimpleNamespace(propose=propose)
    consent = Consent(voice, SimpleNamespace(linked=bool, reached=bool), log)
    assert consent._propose("absent", {b"b", b"a"}) == TableRefusal("pact/overtaken")
    assert consent._propose("back") is None
    assert asked == [("absent", [b"a", b"b"], None), ("back", [], None)]
    assert logged == [("pact/not-proposed", "pact/overtaken")]
