# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: one table of commands, one place that prints errors, one exit code for each kind of end.

A command is a module of `client.commands` with `add_arguments(parser)` and `run(args, context) -> int`. Only the
module of the given command is imported, and it imports heavier modules when it runs, so that starts are quick.
"""

from __future__ import annotations

import argparse
import keyword
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol

from client import __version__
from client.fronts import fits
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, INTERRUPTED, UserError
from client.system.journal import open_log
from client.system.meant import hint_of, nearest
from client.system.names import shown
from client.system.parsed import keep_parsed_content
from client.system.platform import is_interrupt, open_closed_streams, peak_memory, prepare_streams, silence_output
from client.system.progress import Meter
from client.system.system_troubles import parts, reason, system_trouble
from client.system.texts import LANGUAGES, N_, _, language_of_system, use
from engine.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A command of `starlock`.

    Attributes:
        name: the word that is typed, and the name of the module.
        summary: one line for the list of commands, not yet translated.
    """

    name: str
    summary: str


class CommandModule(Protocol):
    """What a module of `client.commands` offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's own arguments."""

    def run(self, args: argparse.Namespace, context: Context) -> int:
        """Run the command and return its exit code. Raises UserError."""


WHY: Final = 200
"""Most characters of an error at an impossible position that are shown."""
COLORS: Final = ("24bit", "256", "16", "none")
"""The depths of colour that a person may wish for; `client.fronts.kit.style` knows their meaning."""
COMMANDS: Final = (
    Subcommand("home", N_("choose what to do on the full screen, as starlock without a command does")),
    Subcommand("play", N_("a game against bots, at once")),
    Subcommand("demo", N_("a whole game between peers on this machine, played by bots and verified")),
    Subcommand("host", N_("open a table, invite others by a ticket, and play")),
    Subcommand("join", N_("sit down at a table by its ticket")),
    Subcommand("watch", N_("follow somebody's table without a seat")),
    Subcommand("find", N_("list the open tables on this network as they come and go, until Ctrl-C")),
    Subcommand("doctor", N_("look at this home and the network step by step: what works, why not, what to try")),
    Subcommand("relay", N_("relay messages between friends who cannot reach each other directly")),
    Subcommand("tables", N_("your tables")),
    Subcommand("resume", N_("go on with a table, or see how it ended")),
    Subcommand("recover", N_("go on at your table with a new key, if a decision or the whole machine was lost")),
    Subcommand("post", N_("play a table by files or pasted text, without any connection")),
    Subcommand("leave", N_("leave a table, for now or for good")),
    Subcommand("export", N_("write a table to a file: saved game, replay and proof in one")),
    Subcommand("import", N_("take a saved game into this home, or entries that a table lacks")),
    Subcommand("verify", N_("judge a saved game, a table or evidence: what it proves and what not")),
    Subcommand("replay", N_("walk through a game, or look at one position of it")),
    Subcommand("map", N_("the map of a game at any step, as a picture")),
    Subcommand("luck", N_("each seat's battle dice, compared with fair dice")),
    Subcommand("report", N_("write a game as a page for any browser, which shows it and checks itself")),
    Subcommand("verifier", N_("write the page that judges any saved game in any browser, the same for everybody")),
    Subcommand("config", N_("the settings of the full screen: where they are, and what they are")),
    Subcommand("completion", N_("completion for bash, zsh or fish, or the manual page, to standard output")),
    Subcommand("keys", N_("your identity: its words to compare aloud, its file, its passphrase")),
    Subcommand("odds", N_("the chances of a battle between given ships")),
    Subcommand("rules", N_("a game's reference: actions, phases, pieces, rulings, in our own words")),
    Subcommand("simulate", N_("let bots play whole games in one process: scores, lengths, speed")),
    Subcommand("ladder", N_("how much better a bot plays than others, by pairs of games with the same seed")),
)


class _Formatter(argparse.HelpFormatter):
    """Puts what a command can do in brackets where it may be left out. argparse shows each as required."""

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        text = super()._format_args(action, default_metavar)
        return f"[{text}]" if action.nargs == argparse.PARSER and not action.required else text


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that raises UserError instead of ending the process, and asks for the terminal's width only for
    help."""

    def __init__(self, **named: Any) -> None:
        super().__init__(formatter_class=partial(_Formatter, width=80), **named)
        self.register("type", int, _whole)

    def format_help(self) -> str:
        """The help, as wide as the terminal."""
        self.formatter_class = _Formatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise the message of argparse about the arguments."""
        raise UserError("cli/usage", message, _("See: {command} --help").format(command=self.prog)) from None


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 a check failed, 2 unusable input, 3 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    has_output = open_closed_streams()
    prepare_streams(sys.stdout, sys.stderr)
    keep_parsed_content()
    context = Context("", "--json" in words and has_output, None, sys.stdout, sys.stderr, Meter(sys.stderr))
    with ExitStack() as closing:
        return _guarded(words, context, closing) if has_output else report_error(context, _no_output())


def _guarded(words: list[str], context: Context, closing: ExitStack) -> int:
    """Run the command and report any error; the log stays open until then."""
    try:
        code = run_command(words, context, closing)
        while context.then:
            words, context.then = [*context.then], ()
            code = run_next(words, context, closing)
        if context.as_json and context.result is not None:
            context.print_result(context.result)
        return code
    except BrokenPipeError:
        silence_output()
        return DONE
    except BaseException as error:
        if isinstance(error, SystemExit):
            raise
        return report_error(context, _trouble(error, context))


def _trouble(error: BaseException, context: Context) -> UserError:
    """What went wrong, in words for a person."""
    if isinstance(error, UserError):
        return error
    if is_interrupt(error):
        return UserError("cli/interrupted", _("Interrupted."), context.interrupted_hint, INTERRUPTED)
    if isinstance(error, BaseExceptionGroup):  # from inside a nursery
        from client.commands.seating import leading

        error = leading(error)
        if isinstance(error, UserError):
            return error
    known = system_trouble(error) or _unfit(error)
    return known or (_impossible(error, context) if context.foreign else _unexpected(error, context))


def _unfit(error: BaseException) -> UserError | None:
    """The mistake of an author in the content of a game; None for another error."""
    from engine.core.content import ContentError

    for part in parts(error):
        if isinstance(part, ContentError):
            return UserError("content/unfit", str(part), _("Put it right in the content of the game, and start again."))
    return None


def _impossible(error: BaseException, context: Context) -> UserError:
    """What failed at a position that somebody else has written: rules and pictures may, in any way. With `--log` the
    traceback is kept."""
    import traceback

    why = f"{type(error).__name__}: {error}"[:WHY]
    with suppress(Exception):  # the log itself may be what failed
        context.log("command/impossible", traceback="".join(traceback.format_exception(error)))
    return UserError(
        "file/impossible",
        _("The position from which {path} goes on is impossible: the rules or a picture fail there ({why}).").format(
            path=shown(context.foreign), why=shown(why)
        ),
        _("Get another copy of it from whoever plays there."),
        CHECK_FAILED,
    )


def _no_output() -> UserError:
    return UserError(
        "cli/no-output",
        _("Standard output is closed, so that there is nowhere to write the answer."),
        _("Send it to a file, or to the null device."),
    )


def run_next(words: list[str], context: Context, closing: ExitStack) -> int:
    """Run a command that another one asked for. A command begun from the start page returns to the start page after any
    error; only a request to end the process ends that too. One begun from the home screen returns to it after an error
    that a person can correct."""
    context.result, context.result_text, context.interrupted_hint, context.identity = None, "", "", None
    context.foreign = ""
    try:
        code = run_command(words, context, closing)
    except Exception as error:
        correctable = isinstance(error, UserError) or bool(context.foreign)
        lost = context.door is None and not (context.trouble is not None and correctable and fits())
        if lost or is_interrupt(error):
            raise
        trouble = _trouble(error, context)
        text = "" if trouble.code == "cli/interrupted" else trouble.whole
        if context.door is not None:
            context.door.trouble = text
        else:
            context.trouble, context.then = text, ("home",)
        code = trouble.exit_code
    if context.door is not None and not context.then:
        context.then = ("home", "--web")
    return code


def run_command(words: list[str], context: Context, closing: ExitStack) -> int:
    """Run one command line; the exit code."""
    use(language_of_system())
    shared = _shared_options()
    for word in words:  # argparse fails for such a word with an error of its own
        if word.startswith("--") and word.endswith("=--"):
            shared.error(_("argument {option}: expected one argument").format(option=word[:-3]))
    common, rest = shared.parse_known_args(words)
    if common.lang is not None:
        use(common.lang)
        shared = _shared_options()  # made after the language is set, so that its help is translated
    if common.color is not None:
        from client.fronts.kit.style import wish

        wish(common.color)
    context.as_json = common.json
    if rest and rest[0] in ("-V", "--version"):
        context.answer(f"starlock {__version__}", version=__version__)
        return DONE
    if not rest and sys.stdin.isatty() and sys.stdout.isatty():
        rest = ["home"]
    if rest and rest[0].partition("=")[0] in ("--web", "--web-port"):
        rest = ["home", *rest]
    if rest[:1] == ["help"] and rest[1:]:
        rest = [rest[1], "--help"]
    if not rest or rest[0] in ("-h", "--help", "help"):
        context.answer(_overview(shared), **(_described() if common.json else {}))
        return DONE
    command = _command(rest[0])
    context.command = command.name
    module, parser = _parser(command, shared)
    if common.json and not {"-h", "--help"}.isdisjoint(rest[1:]):
        from client.commands.described import listed
        from client.show.document import as_plain

        facts = as_plain(listed({command.name: (_(command.summary), parser)})[0])
        context.answer("", command=facts.pop("name"), help=parser.format_help(), **facts)
        return DONE
    args = parser.parse_args(rest[1:])
    if common.log is not None:
        context.log = closing.enter_context(open_log(common.log, partial(_tell, context)))
    context.log("command/start", command=command.name, version=__version__)
    code = module.run(args, context)
    context.log("command/end", command=command.name, exit_code=code, memory=peak_memory())
    return code


def _described() -> dict[str, Any]:
    """What can be told to the program, for other programs."""
    from client.commands.described import listed, listed_deeds
    from client.show.document import as_plain

    return {"version": __version__, "commands": as_plain(listed(parsers())), "deeds": as_plain(listed_deeds())}


def _parser(command: Subcommand, shared: Parser) -> tuple[CommandModule, Parser]:
    """A command's module, and the parser of its arguments."""
    module: CommandModule = import_module(f"client.commands.{module_name(command.name)}")
    parser = Parser(
        prog=f"starlock {command.name}",
        description=_sentence(_(command.summary)),
        parents=[shared],
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    return module, parser


def parsers() -> dict[str, tuple[str, argparse.ArgumentParser]]:
    """Every command by its name: its summary, and the parser of its arguments."""
    shared = _shared_options()
    return {command.name: (_(command.summary), _parser(command, shared)[1]) for command in COMMANDS}


def _shared_options() -> Parser:
    """The options of every command, which may stand before or after its name."""
    parser = Parser(prog="starlock", add_help=False, allow_abbrev=False)
    group = parser.add_argument_group(_("for every command"))
    group.add_argument("--json", action="store_true", help=_("answer in one line of JSON, for programs"))
    text = _("language: {known} (default: the system's)").format(known=", ".join(LANGUAGES))
    lang = group.add_argument("--lang", metavar=_("LANG"), help=text)
    vars(lang)["values"] = tuple(LANGUAGES)  # as `add_open`, which a start should not wait for
    group.add_argument(
        "--color", choices=COLORS, help=_("how many colours to show (default: as many as the terminal has)")
    )
    group.add_argument(
        "--log", metavar=_("FILE"), type=Path, help=_("append what happens to FILE, one JSON object a line")
    )
    return parser


def _overview(shared: Parser) -> str:
    width = max(len(command.name) for command in COMMANDS)
    rows = [f"  {command.name:<{width}}  {_(command.summary)}" for command in COMMANDS]
    options = shared.format_help().split("\n\n", 1)[1]
    return "\n".join(
        [
            _("starlock: tabletop space strategy between friends, without a server."),
            "",
            _("usage: starlock COMMAND …      starlock COMMAND --help explains one"),
            "",
            *rows,
            "",
            options.rstrip(),
        ]
    )


def module_name(command: str) -> str:
    """The module of a command; one whose name is a word of Python has an underscore after it."""
    return command + "_" * keyword.iskeyword(command)


def _command(word: str) -> Subcommand:
    for command in COMMANDS:
        if command.name == word:
            return command
    names = [command.name for command in COMMANDS]
    if word.startswith("-"):
        raise UserError(
            "cli/usage",
            _("The option {option} has no command before it.").format(option=word),
            _("See: {command} --help").format(command="starlock"),
        )
    close = nearest(word, names)
    raise UserError(
        "cli/unknown-command",
        _("There is no command “{word}”.").format(word=word),
        hint_of(close, _("Commands: {known}").format(known=", ".join(names))),
    )


def _tell(context: Context, text: str) -> None:
    """Write a line to standard error if that is possible."""
    with suppress(OSError, ValueError):
        context.note(f"starlock: {text}")


def report_error(context: Context, error: UserError) -> int:
    """Show the error, as text or as JSON, and return its exit code. Never raises."""
    with suppress(Exception):  # the log itself may be what failed
        context.log("command/error", code=error.code, message=error.message)
    told = f"starlock: {error.message}" + (f"\n{error.hint}" if error.hint else "")
    shown = {"code": error.code, "message": error.message, "hint": error.hint}
    try:
        if context.as_json:
            context.print_result({**(context.result or {}), "ok": False, "error": shown})
        else:
            context.note(told)
    except (OSError, ValueError):  # the output is closed or its disk full
        silence_output()
        with suppress(OSError, ValueError):
            context.note(told)
    return error.exit_code


def _unexpected(error: BaseException, context: Context) -> UserError:
    """Write the traceback to a file and name that file. Never raises."""
    message = _("Something went wrong inside starlock ({kind}). Your games are safe.").format(kind=type(error).__name__)
    try:
        hint = _("Please report it with the file {path}.").format(path=_written(error, context))
    except Exception as trouble:  # noqa: BLE001  whatever it is, the first error is what counts
        hint = _("Its details could not be written: {reason}.").format(reason=reason(trouble))
    return UserError("internal", message, hint, CHECK_FAILED)


def _written(error: BaseException, context: Context) -> Path:
    """The new file with the traceback of an error."""
    import traceback
    from datetime import UTC, datetime

    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    path = context.folders.logs / f"error-{stamp}.txt"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    details = "".join(traceback.format_exception(error))
    heading = f"starlock {__version__} {context.command} on {sys.platform} {sys.version}"
    path.write_text(f"{heading}\n{details}", "utf-8", errors="backslashreplace")
    return path


def _whole(text: str) -> int:
    """An argument of type int, whose refusal by argparse would speak of an “invalid int value”."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(_("“{word}” is no whole number").format(word=text)) from None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
