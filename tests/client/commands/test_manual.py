"""The manual page and the shells' completion know every command, option and key."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from client.commands.cli import COMMANDS, parsers
from client.commands.manual import SHELLS, completion, manual
from client.fronts.kit.keys import spelt
from client.fronts.screen.keys import KEYS
from client.session.deeds import DEEDS
from client.session.deeds.typed import usage


def test_the_manual_page_names_all_commands_options_deeds_and_keys() -> None:
    text = manual(parsers()).replace("\\-", "-").replace("\\e", "\\")
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
    text = completion(shell, parsers())
    assert all(kind in text for kind in ("bash zsh fish man", "passphrase export import"))
    for command in COMMANDS:
        assert command.name in text
    for word in ("eclipse2", "players", "linear", "ticket-file"):
        assert word in text


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_what_is_begun() -> None:
    script = completion("bash", parsers())
    asked = 'COMP_WORDS=(starlock play --pl); COMP_CWORD=2; _starlock; echo "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True)
    assert "--players" in done.stdout
