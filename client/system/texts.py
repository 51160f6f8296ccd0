# SPDX-License-Identifier: GPL-3.0-or-later
"""Translation of all texts for people, by gettext, with the English text as the message id.

`_` translates at once; `N_` marks a text for the catalogue, to be translated when it is shown. The compiled catalogues
are part of the package and need only the standard library at run time; `scripts/texts.py` makes them.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from client.system.errors import UserError

__all__ = [
    "LANGUAGES", "NC_", "NN_", "N_", "Counted", "InContext", "_", "add_package", "counted", "current",
    "language_of_system", "ngettext", "pgettext", "use",
]  # fmt: skip

DOMAIN: Final = "starlock"
LOCALE: Final = Path(__file__).parents[1] / "locale"
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "es": "Español"}
"""Each language by its own name."""

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"
_packages: Final[dict[str, Path]] = {}
"""The domain of each package that has texts → the folder of its catalogues."""


def use(language: str) -> None:
    """Use this language from now on, also for the messages of argparse. UserError for a language without a
    catalogue."""
    global _catalogue, _language  # noqa: PLW0603  # one process has one language
    if language not in LANGUAGES:
        raise UserError(
            "cli/unknown-language",
            _("There is no translation to “{language}”.").format(language=language),
            _("Choose one of: {known}").format(known=", ".join(LANGUAGES)),
        )
    _catalogue = gettext.NullTranslations() if language == "en" else _compiled(language)
    _language = language
    for domain, folder in _packages.items():
        _add(domain, folder)
    os.environ["LANGUAGE"] = language  # argparse asks the process-wide domain; children inherit the choice
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)


def _compiled(language: str) -> gettext.NullTranslations:
    try:
        return gettext.translation(DOMAIN, LOCALE, [language])
    except FileNotFoundError as error:
        raise UserError(
            "cli/no-catalogue",
            _("This copy of starlock was not set up, so it has no texts in “{language}”.").format(language=language),
            _("Set it up: python3 scripts/play.py."),
        ) from error


def add_package(domain: str, folder: Path) -> None:
    """Translate by the catalogues of a package too, in `folder`, where starlock has no translation. OSError, ValueError
    or struct.error for one that cannot be read."""
    if _packages.get(domain) != folder:
        _add(domain, folder)
        _packages[domain] = folder


def _add(domain: str, folder: Path) -> None:
    if _language != "en":
        _catalogue.add_fallback(gettext.translation(domain, folder, [_language], fallback=True))


def current() -> str:
    """The language in use, such as "en"."""
    return _language


def language_of_system() -> str:
    """The language of the system if there is a catalogue for it, else English."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for wish in os.environ.get(name, "").split(":"):
            language = wish.split(".")[0].split("_")[0].split("@")[0].lower()
            if language in LANGUAGES:
                return language
            if language:
                return "en"
    if os.name == "nt":
        import ctypes
        import locale

        wish = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")  # type: ignore[attr-defined,unused-ignore]
        return wish[:2] if wish[:2] in LANGUAGES else "en"
    return "en"


def _(message: str) -> str:
    """The message in the language in use."""
    if isinstance(message, InContext):
        return _catalogue.pgettext(message.context, message)
    return _catalogue.gettext(message) if message else ""


def ngettext(one: str, many: str, n: int) -> str:
    """The form of a message for the number n, in the language in use."""
    return _catalogue.ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """A message with several meanings, in the meaning of `context`, in the language in use."""
    return _catalogue.pgettext(context, message)


def N_(message: str) -> str:  # noqa: N802  # gettext's own name
    """Mark a message for the catalogue; it is translated where it is shown."""
    return message


class InContext(str):
    """A marked message with the context that decides its meaning."""

    __slots__ = ("context",)
    context: str


def NC_(context: str, message: str) -> InContext:  # noqa: N802  # like gettext's own name
    """Mark a message with its context for the catalogue; it is translated where it is shown."""
    marked = InContext(message)
    marked.context = context
    return marked


class Counted(str):
    """A marked message that depends on a number: the text is its plural, `one` its singular, `by` the name of the
    number."""

    __slots__ = ("by", "one")
    one: str
    by: str


def NN_(one: str, many: str, by: str) -> Counted:  # noqa: N802  # like gettext's own name
    """Mark a message with a number for the catalogue: `{by}` or `{0}`, `{1}` … in it."""
    message = Counted(many)
    message.one, message.by = one, by
    return message


def counted(message: str, values: Mapping[str, str]) -> str:
    """A marked message in the language in use; one that depends on a number in the form for that value."""
    if not isinstance(message, Counted):
        return _(message)
    number = values.get(message.by, "")
    return ngettext(message.one, message, int(number) if number.isdecimal() else 2)


# The messages of argparse, for the catalogue; argparse translates them itself.
_ARGPARSE: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
    N_("not allowed with argument %s"),
    N_("one of the arguments %s is required"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("argument %(argument_name)s: %(message)s"),
)
