# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual page and shell completion, generated from the commands' parsers and the key table."""

from __future__ import annotations

from argparse import Action, ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from client import __version__
from client.fronts.screen.keys import BATTLE, BEFORE, HOME, KEYS, LOBBY, PAGED, REPLAY, TROUBLED, acts, spelt
from client.system.texts import _
from engine.core.registry import GAMES

__all__ = ["SHELLS", "completion", "manual"]

SHELLS: Final = ("bash", "zsh", "fish")

Parsers = Mapping[str, tuple[str, ArgumentParser]]
"""Name of a command → its summary and parser."""


def completion(shell: str, parsers: Parsers) -> str:
    """A script that completes commands, options and games."""
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
        games = _games(parser)
        lines += [f"complete -c starlock {seen} -a {_quoted(' '.join(games))}"] if games else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text in single quotes for a shell."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _words(parser: ArgumentParser) -> Iterator[str]:
    yield from _games(parser)
    for action in _options(parser):
        yield from action.option_strings


def _options(parser: ArgumentParser) -> Sequence[Action]:
    return [action for action in parser._actions if action.option_strings]  # argparse has no public list of them


def _games(parser: ArgumentParser) -> Sequence[str]:
    named = any(action.dest == "game" and not action.option_strings for action in parser._actions)
    return list(GAMES) if named else []


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
    lines += [f".SH {_roff(_('KEYS'))}"]
    for act, keys in _keys().items():
        text = next(each.text for each in (*LOBBY, *BATTLE, *KEYS) if each.act == act)
        lines += [".TP", f".B {_roff(', '.join(keys))}", _roff(_(text))]
    for each in (*PAGED, *TROUBLED):
        lines += [".TP", f".B {_roff(', '.join(map(spelt, each.keys)))}", _roff(_(each.text))]
    for title, table in ((_("KEYS OF THE HOME SCREEN"), HOME), (_("KEYS OF A REPLAY"), REPLAY)):
        lines += [f".SH {_roff(title)}"]
        for each in table:
            lines += [".TP", f".B {_roff(', '.join(map(spelt, each.keys)))}", _roff(_(each.text))]
    lines += [
        f".SH {_roff(_('EXIT STATUS'))}",
        _roff(_("0 done, 1 a check failed, 2 usage or unreadable input, 3 interrupted with everything kept.")),
    ]
    return "\n".join(lines) + "\n"


def _keys() -> dict[str, list[str]]:
    """Keys by what they do, in the order of the table."""
    now = acts()
    lobby = {each.act: [spelt(key) for key in each.keys] for each in (*LOBBY, *BATTLE) if each.act not in BEFORE}
    return {each.act: [spelt(key) for key, act in now.items() if act == each.act] for each in KEYS} | lobby


def _roff(text: str) -> str:
    """A text with backslashes, hyphens and leading control characters escaped for troff."""
    shown = text.replace("\\", "\\e").replace("-", "\\-").replace("\n", " ")
    return f"\\&{shown}" if shown[:1] in (".", "'") else shown
