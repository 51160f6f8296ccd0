"""What the verifier page says before a game is drawn, and of a file that is wrong."""

from __future__ import annotations

from client.report.verifier.judge import _line
from client.report.verifier.made import _texts
from client.system import texts


def test_the_page_holds_its_words_in_each_language_and_the_language_in_use_stays() -> None:
    texts.use("es")
    try:
        found = _texts()
        assert texts.current() == "es"
    finally:
        texts.use("en")
    assert set(found) == set(texts.LANGUAGES)
    assert set(found["en"]) == set(found["es"])
    differing = [name for name, text in found["en"].items() if text != found["es"][name]]
    assert len(differing) > len(found["en"]) / 2
    assert "{version}" not in "".join(found["en"].values())
    assert _texts() == found


def test_of_what_is_wrong_the_first_thing_stands_beside_the_verdict() -> None:
    assert _line("Wrong.\n  the first\n  the second") == "Wrong. the first"
    assert _line("Right.\nMore about it.\n  a detail") == "Right."
    assert _line("Right.") == "Right."
