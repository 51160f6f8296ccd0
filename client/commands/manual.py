# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual page and shell completion, generated from the commands' parsers, the table of deeds and the
table of keys."""

from __future__ import annotations

from argparse import Action, ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from client import __version__
from client.fronts.kit.keys import Key, spelt
from client.fronts.screen.keys import AT_TABLE, HOME, REPLAY
from client.session.deeds import DEEDS
from client.session.deeds.deed import TOPICS
from client.session.deeds.own import own_deeds
from client.session.deeds.typed import usage
from client.system.registry import GAMES
from client.system.texts import _

__all__ = ["SHELLS", "completion", "manual"]

SHELLS: Final = ("bash", "zsh", "fish")

Parsers = Mapping[str, tuple[str, ArgumentParser]]
"""Name of a command → its summary and parser."""


def completion(shell: str, parsers: Parsers) -> str:
    """A script that completes commands, options, games and what a command chooses from."""
    if shell == "fish":
        return _fish(parsers)
    return ("autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else "") + _bash(parsers)


def _bash(parsers: Parsers) -> str:
    cases = "\n".join(
        f'    {name}) words="{" ".join(_words(parser))}" ;;' for name, (_summary, parser) in parsers.items()
    )
    return f"""_starlock() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" words=""
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="{" ".join(parsers)}"
  COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
}}
complete -F _starlock starlock
"""


def _fish(parsers: Parsers) -> str:
    lines = ["complete -c starlock -e"]
    for name, (summary, parser) in parsers.items():
        lines.append(f"complete -c starlock -n __fish_use_subcommand -a {name} -d {_quoted(summary)}")
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for action in _options(parser):
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in action.option_strings
            )
            value = "" if action.nargs == 0 else " -r"
            lines.append(f"complete -c starlock {seen} {flags}{value} -d {_quoted(action.help or '')}")
        values = _values(parser)
        lines += [f"complete -c starlock {seen} -a {_quoted(' '.join(values))}"] if values else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text in single quotes for a shell."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _words(parser: ArgumentParser) -> Iterator[str]:
    yield from _values(parser)
    for action in _options(parser):
        yield from action.option_strings


def _options(parser: ArgumentParser) -> Sequence[Action]:
    return [action for action in parser._actions if action.option_strings]  # argparse has no public list of them


def _values(parser: ArgumentParser) -> Sequence[str]:
    """What can stand in place of the arguments that are no options: games, and what a command chooses from."""
    named = [action for action in parser._actions if not action.option_strings]
    return [each for action in named for each in (GAMES if action.dest == "game" else action.choices or ())]


# The manual page -----------------------------------------------------------------------------------------------------


def manual(parsers: Parsers) -> str:
    """The manual page in troff, for `man -l -`."""
    lines = [
        f'.TH STARLOCK 1 "" "starlock {__version__}"',
        f".SH {_roff(_('NAME'))}",
        _roff("starlock - " + _("tabletop space strategy between friends, without a server")),
        f".SH {_roff(_('SYNOPSIS'))}",
        f".B starlock\n[{_roff(_('COMMAND'))}] [{_roff(_('OPTION'))} ...]",
        f".SH {_roff(_('COMMANDS'))}",
    ]
    for name, (summary, parser) in parsers.items():
        usage = " ".join(parser.format_usage().split()[2:])
        lines += [".TP", f".B starlock {_roff(name)}", f"{_roff(usage)}", ".br", _roff(summary + ".")]
        for action in _options(parser):
            if action.help and "--help" not in action.option_strings:
                lines += [".br", f"\\fB{_roff(', '.join(action.option_strings))}\\fR: {_roff(action.help)}"]
    for title, rows in _typed_and_pressed():
        lines += [f".SH {_roff(title)}"]
        for name, does in rows:
            lines += [".TP", f".B {_roff(name)}", _roff(does)]
    lines += [
        f".SH {_roff(_('EXIT STATUS'))}",
        _roff(_("0 done, 1 a check failed, 2 usage or unreadable input, 3 interrupted with everything kept.")),
    ]
    return "\n".join(lines) + "\n"


def _typed_and_pressed() -> Iterator[tuple[str, Sequence[tuple[str, str]]]]:
    """The words and the keys of the ways to play on a terminal, by chapters, each with what it does."""

    def nothing() -> None:
        """The page calls no deed."""

    deeds = {**DEEDS, **own_deeds(nothing, nothing, nothing, dict)}
    for topic in TOPICS:
        typed = [(usage(each), _(each.does)) for each in deeds.values() if each.topic == topic and each.names]
        if typed:
            yield f"{_('WORDS TYPED AT A TABLE')}: {_(topic)}", typed
    for title, keys in AT_TABLE.items():
        yield f"{_('KEYS')}: {_(title)}", _chapter(keys)
    yield _("KEYS OF THE HOME SCREEN"), _chapter(HOME)
    yield _("KEYS OF A REPLAY"), _chapter(REPLAY)


def _chapter(keys: Iterable[Key]) -> list[tuple[str, str]]:
    return [(_spelt(each.keys), each.does()) for each in keys]


def _spelt(keys: Iterable[str]) -> str:
    return ", ".join(map(spelt, keys))


def _roff(text: str) -> str:
    """A text with backslashes, hyphens and leading control characters escaped for troff."""
    shown = text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ")
    return f"\\&{shown}" if shown[:1] in (".", "'") else shown
