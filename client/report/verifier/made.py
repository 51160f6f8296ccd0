# SPDX-License-Identifier: GPL-3.0-or-later
"""How the page becomes one document, from its scripts and from Python."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import Final

from client import __version__
from client.report.page import SCRIPTS, as_json, body, filled, hashed, head, in_worker, page_style, static
from client.report.verifier.held import digest
from client.report.verifier.judge import shell_words
from client.system import texts

BLANK: Final = (
    "This page needs JavaScript, and a browser of 2023 or later.",
    "Esta página necesita JavaScript, y un navegador de 2023 o posterior.",
)
"""What stands there until a script has run."""

WORDS: Final = 'const words = JSON.parse($("words").textContent);'
"""The texts of a game come with its drawing."""


def assembled(parts: str, notice: str) -> bytes:
    """Return the page. parts: Python and starlock, as python.js unpacks them; notice: the licences of what others wrote
    of it."""
    style = page_style() + _static("verifier.css")
    first, *others = SCRIPTS
    script = "\n".join([static(first), in_worker(), _static("verifier.js")])
    show = "\n".join([WORDS, *map(static, others), "showPage(() => reported);"])
    policy = (
        f"default-src 'none'; script-src '{hashed(script)}' '{hashed(show)}' blob: 'wasm-unsafe-eval'; "
        f"style-src '{hashed(style)}'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
    stored = {
        "notice": escape(notice),
        "texts": as_json(_texts()),
        "parts": parts,
        "python": _static("python.js"),
        "words": "",
        "show": show,
    }
    page = filled(
        {
            "LANGUAGE": "en",
            "STATE": f'data-judged="blank" data-sources="{digest()}"',
            "POLICY": policy,
            "TITLE": f"starlock verifier {__version__}",
            "HEAD": head(style),
            "BODY": body(_static("verifier.html").replace("%%BLANK%%", "<br>".join(BLANK))),
            "DATA": "",
            "STAR": "",
            "MORE": "".join(
                f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in stored.items()
            ),
            "SCRIPT": script,
        }
    )
    return page.encode()


def _texts() -> dict[str, dict[str, str]]:
    """The texts of the page before a game is drawn, by language."""
    before, found = texts.current(), {}
    for language in texts.LANGUAGES:
        texts.use(language)
        found[language] = {name: text.replace("{version}", __version__) for name, text in shell_words().items()}
    texts.use(before)
    return found


def _static(name: str) -> str:
    return (files("client.report.verifier") / "static" / name).read_text("utf-8")
