# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock completion`: scripts for shell completion and, with `man`, the manual page.

Both are made from what `client.commands.described` lists and the table of keys.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from client import __version__
from client.commands.described import ListedArgument, ListedCommand, listed, listed_deeds
from client.fronts.kit.pane import Key, spelt
from client.fronts.screen.keys import AT_TABLE, HOME, REPLAY
from client.system.context import Context
from client.system.errors import DONE
from client.system.texts import _

SHELLS: Final = ("bash", "zsh", "fish")
MAN: Final = "man"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the kind of output."""
    kinds = (*SHELLS, MAN)
    parser.add_argument(
        "kind",
        metavar=_("KIND"),
        choices=kinds,
        help=_("{kinds}; such as: source <(starlock completion bash), starlock completion man | man -l -").format(
            kinds=", ".join(kinds)
        ),
    )


def run(args: Namespace, context: Context) -> int:
    """Write the script or the page to standard output."""
    from client.commands.cli import parsers

    known = listed(parsers())
    text = manual(known) if args.kind == MAN else completion(args.kind, known)
    context.answer(text.rstrip("\n"), kind=args.kind, written=text)
    return DONE


def completion(shell: str, commands: Sequence[ListedCommand]) -> str:
    """A script that completes commands, options, and the values of arguments as far as they are listed."""
    if shell == "fish":
        return _fish(commands)
    return ("autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else "") + _bash(commands)


def _bash(commands: Sequence[ListedCommand]) -> str:
    """The value of the option before, else the arguments of the command, else the commands."""
    values = [
        (f'"{command.name} {name}"', each.values)
        for command in commands
        for each in command.arguments
        if each.values
        for name in each.names
    ]
    words = [(f'"{each.name} "*', [*_values(each), *_options(each)]) for each in commands]
    cases = "\n".join(f'    {pattern}) words="{" ".join(known)}" ;;' for pattern, known in (*values, *words))
    return f"""_starlock() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" words=""
  case "${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{cases}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="{" ".join(each.name for each in commands)}"
  COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))
}}
complete -F _starlock starlock
"""


def _fish(commands: Sequence[ListedCommand]) -> str:
    lines = ["complete -c starlock -e"]
    for command in commands:
        lines.append(f"complete -c starlock -n __fish_use_subcommand -a {command.name} -d {_quoted(command.summary)}")
        seen = f"complete -c starlock -n '__fish_seen_subcommand_from {command.name}'"
        for each in command.arguments:
            flags = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in each.names]
            value = " -r" * bool(each.value) + f" -a {_quoted(' '.join(each.values))}" * bool(each.values)
            if flags:
                lines.append(f"{seen} {' '.join(flags)}{value} -d {_quoted(each.does)}")
        values = _values(command)
        lines += [f"{seen} -a {_quoted(' '.join(values))}"] if values else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text in single quotes for a shell."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _values(command: ListedCommand) -> list[str]:
    """What can stand in place of the arguments that are no options: games, and what a command chooses from."""
    return [value for each in command.arguments if not each.names for value in each.values]


def _options(command: ListedCommand) -> list[str]:
    return [name for each in command.arguments for name in each.names]


# The manual page -----------------------------------------------------------------------------------------------------


def manual(commands: Sequence[ListedCommand]) -> str:
    """The manual page in troff, for `man -l -`."""
    lines = [
        f'.TH STARLOCK 1 "" "starlock {__version__}"',
        f".SH {_roff(_('NAME'))}",
        _roff("starlock - " + _("tabletop space strategy between friends, without a server")),
        f".SH {_roff(_('SYNOPSIS'))}",
        f".B starlock\n[{_roff(_('COMMAND'))}] [{_roff(_('OPTION'))} ...]",
        f".SH {_roff(_('COMMANDS'))}",
    ]
    for command in commands:
        lines += [
            ".TP",
            f".B starlock {_roff(command.name)}",
            _roff(command.usage),
            ".br",
            _roff(f"{command.summary}."),
        ]
        for each in command.arguments:
            if each.does and "--help" not in each.names:
                lines += [".br", f"\\fB{_roff(_named(each))}\\fR: {_roff(each.does)}"]
    for title, rows in _typed_and_pressed():
        lines += [f".SH {_roff(title)}"]
        for name, does in rows:
            lines += [".TP", f".B {_roff(name)}", _roff(does)]
    lines += [
        f".SH {_roff(_('EXIT STATUS'))}",
        _roff(_("0 done, 1 a check failed, 2 usage or unreadable input, 3 interrupted with everything kept.")),
    ]
    return "\n".join(lines) + "\n"


def _named(argument: ListedArgument) -> str:
    return ", ".join(argument.names) or argument.value


def _typed_and_pressed() -> Iterator[tuple[str, Sequence[tuple[str, str]]]]:
    """The words and the keys of the ways to play on a terminal, by chapters, each with what it does."""
    for topic, deeds in groupby(listed_deeds(), lambda each: each.topic):
        yield f"{_('WORDS TYPED AT A TABLE')}: {topic}", [(each.usage, each.does) for each in deeds]
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
