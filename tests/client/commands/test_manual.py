"""The manual page and the shells' completion know every command, option and key."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from client.commands.cli import COMMANDS, main, parsers
from client.commands.completion import SHELLS, completion, manual
from client.commands.described import listed, listed_deeds
from client.fronts.kit.pane import spelt
from client.fronts.screen.keys import KEYS
from client.session.deeds import DEEDS
from client.session.deeds.typed import usage
from client.show.document import as_plain


def test_the_manual_page_names_all_commands_options_deeds_and_keys() -> None:
    text = manual(listed(parsers())).replace("\\-", "-").replace("\\e", "\\")
    for command in COMMANDS:
        assert f"\n.B starlock {command.name}\n" in text
    for name, (_summary, parser) in parsers().items():
        for option in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", parser.format_help()):
            assert option in ("-h", "--help") or option in text, (name, option)
    for key in KEYS:
        assert spelt(key.keys[0]) in text
    for deed in DEEDS.values():
        assert not deed.names or f".B {usage(deed)}\n{deed.does}\n" in text, deed.id


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_commands_options_and_games(shell: str) -> None:
    text = completion(shell, listed(parsers()))
    assert all(kind in text for kind in ("bash zsh fish man", "passphrase export import"))
    for command in COMMANDS:
        assert command.name in text
    for word in ("eclipse2", "players", "linear", "ticket-file"):
        assert word in text


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_what_is_begun() -> None:
    script = completion("bash", listed(parsers()))

    def completed(*words: str) -> list[str]:
        asked = f'COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _starlock; echo "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert completed("starlock", "pla") == ["play"]
    assert completed("starlock", "play", "--pl") == ["--players"]
    assert completed("starlock", "play", "em") == ["emperor"]
    assert completed("starlock", "play", "--bots", "gre") == ["greedy"], "the value of an option"
    assert completed("starlock", "play", "--web", "em") == ["emperor"], "this one has none"


def test_completion_the_manual_page_and_the_answer_to_programs_tell_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    commands = listed(parsers())
    assert main(["help", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["commands"] == as_plain(commands)
    assert told["deeds"] == as_plain(listed_deeds())
    page, scripts = manual(commands).replace("\\-", "-"), [completion(shell, commands) for shell in SHELLS]
    for command in commands:
        assert main([command.name, "--help", "--json"]) == 0
        alone = json.loads(capsys.readouterr().out)
        assert alone["arguments"] == as_plain(command.arguments)
        for each in command.arguments:
            assert f"\\fB{', '.join(each.names) or each.value}\\fR" in page or "--help" in each.names or not each.does
            for value in each.values:
                assert all(re.search(rf"\b{re.escape(value)}\b", script) for script in scripts), value
