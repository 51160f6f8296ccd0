# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring the message catalogues up to date: extract the texts from client/, merge them into each .po and compile it.

`texts.py` does all this and lists the missing translations; `texts.py --check` changes nothing and fails when a text is
missing, out of date or has other placeholders than the English text. `texts.py FOLDER` does the same for the folder of
a package that brings a game or a bot.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from catalogues import DOMAIN, compile_all

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from client.system.texts import LANGUAGES  # noqa: E402
from engine.core.registry import GAMES, game  # noqa: E402

PLACEHOLDER = re.compile(r"\{[^{}]*\}|%\([a-z_]+\)[srd]|%[srd]")


def main() -> int:
    """Update or check all catalogues; returns the exit code."""
    parser = ArgumentParser(description="Bring the message catalogues up to date, and list what is not translated.")
    parser.add_argument("folder", nargs="?", type=Path, help="that of a package (default: client)")
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if anything is out of date")
    said = parser.parse_args()
    if said.folder is not None and not said.folder.is_dir():
        parser.error(f"{said.folder} is no folder.")
    folder = ROOT / "client" if said.folder is None else said.folder.resolve()
    problems = catalogued(folder, DOMAIN if said.folder is None else folder.name, said.check)
    print("\n".join(problems) or "All texts are translated.")
    return bool(problems)


def catalogued(folder: Path, domain: str, check: bool) -> list[str]:
    """Update or check the catalogues of a folder of sources, and return what is wrong with them."""
    template = extracted(folder)
    problems: list[str] = []
    for language in sorted(LANGUAGES.keys() - {"en"}):
        path = folder / "locale" / language / "LC_MESSAGES" / f"{domain}.po"
        catalog = merged(template, path, language)
        po, shown = as_po(catalog), path.relative_to(folder.parent)
        if check:
            if not path.exists() or path.read_bytes() != po:
                problems.append(f"{shown}: not up to date, run scripts/texts.py")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(po)
            compile_all(str(folder / "locale"), domain)
        problems += [f"{shown}: {problem}" for problem in faults(catalog)]
    return problems


def extracted(folder: Path) -> Catalog:
    """Every text of a folder in the order of its files, then the rulings and corrections of the games that belong to
    it."""
    catalog = Catalog(project="starlock", fuzzy=False)
    for path in sorted(folder.rglob("*.py")):
        place = (path.relative_to(folder.parent).as_posix(), 0)
        for text, context in texts(ast.parse(path.read_text("utf-8"))):
            catalog.add(text, None, [place], context=context)
    rules = "engine" if folder == ROOT / "client" else folder.name
    for id, name in GAMES.items():
        if name.partition(".")[0] != rules:
            continue
        place, spec = (name.partition(":")[0].replace(".", "/") + ".py", 0), game(id)
        rulings = [text for each in spec.rulings for text in (each.question, each.ruling, each.source)]
        for text in [*rulings, *(text for each in spec.corrections for text in (each.text, each.source))]:
            catalog.add(text, None, [place])
    return catalog


def texts(node: ast.AST) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """The marked texts of a module in order, including those inside f-strings: each as one text or (singular, plural),
    with its context."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        given = [each.value for each in node.args if isinstance(each, ast.Constant)]
        match node.func.id, given:
            case "_" | "N_", [str() as text] if text:
                yield text, None
            case "ngettext" | "NN_", [str() as one, str() as many, *_]:
                yield (one, many), None
            case "pgettext" | "NC_", [str() as context, str() as text]:
                yield text, context
    for child in ast.iter_child_nodes(node):
        yield from texts(child)


def merged(template: Catalog, path: Path, language: str) -> Catalog:
    """The present texts with the existing translations; unused texts are dropped."""
    catalog = Catalog(locale=language, project="starlock", fuzzy=False)
    if path.exists():
        catalog = read_po(io.BytesIO(path.read_bytes()), locale=language)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def as_po(catalog: Catalog) -> bytes:
    """The catalogue as a file for translators, without times and line numbers, so that only changes of texts show."""
    out = io.BytesIO()
    write_po(out, catalog, width=110, omit_header=True, include_lineno=False, sort_by_file=True)
    return header(catalog).encode() + out.getvalue()


def header(catalog: Catalog) -> str:
    """The header of a catalogue for gettext."""
    return (
        f'msgid ""\nmsgstr ""\n"Language: {catalog.locale}\\n"\n"MIME-Version: 1.0\\n"\n'
        f'"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {catalog.plural_forms}\\n"\n\n'
    )


def faults(catalog: Catalog) -> Iterator[str]:
    """Texts without a translation, or with one whose placeholders differ."""
    for message in catalog:
        if message.id:
            yield from _faults(message)


def _faults(message: Message) -> Iterator[str]:
    wanted = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    got = (message.string,) if isinstance(message.string, str) else tuple(message.string or [""] * len(wanted))
    for original, translation in zip(wanted, got, strict=False):
        if not translation:
            yield f"no translation: {original!r}"
        elif sorted(PLACEHOLDER.findall(original)) != sorted(PLACEHOLDER.findall(translation)):
            yield f"other placeholders: {original!r} → {translation!r}"


if __name__ == "__main__":
    sys.exit(main())
