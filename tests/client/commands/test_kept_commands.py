"""What commands say to people, as kept in tests/client/commands/said: answers, refusals of wrong arguments, exit codes,
and the same as JSON. All run one after the other in one home."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import pytest
from kept import compared

from client import __version__
from client.commands import cli
from client.fronts import FrontOptions, chosen_front
from client.system import texts
from client.system.context import Context
from client.system.names import shown
from client.table import joining
from client.table.joining import SeatRequest
from p2p.identity.keyfile import save_identity
from p2p.identity.keys import SigningKey
from p2p.reach.ticket import new_ticket

KEPT: Final = Path(__file__).with_name("said")
STARS: Final = Path(__file__).parents[2] / "stars"
CHANGES: Final = (
    (re.compile(r"[\d.,]+ m?s\b|\d+ a second"), "TIME"),
    (re.compile(re.escape(__version__)), "VERSION"),
    (re.compile(r"starlock/\d[\w.+]*"), "starlock/VERSION"),
)
"""What differs from run to run, or from release to release."""
LINES: Final = {
    "tables": """
        tables
        import STARS/nim.1.star
        import STARS/nim-1.1.star
        import STARS/nim-1.1.star
        import STARS/none.star
        import HOME
        tables
        tables --json
        resume
        resume none
        resume NIM
        resume NIM --json
        resume --port 70000
        resume NIM --as nobody
        resume NIM --save HOME/no/game.star
        resume NIM --save HOME/saved.star
        resume NIM --new-ticket
        resume NIM --alone
        leave none
        leave NIM --for-good
        tables
        export none HOME/game.star
        export NIM
        export NIM NIM HOME/game.star
        export NIM HOME/game.star
        export NIM HOME/game.star
        export NIM HOME/game.star --force --no-chat --json
        export NIM HOME/no/game.star
        export --rows HOME/rows NIM
        export --rows HOME/rows NIM
        export --rows HOME/rows NIM --form parquet2
        export --rows HOME/rows2 NIM --form jsonl --json
        export --told HOME/told NIM
        export --told HOME/told NIM
        recover
        recover NIM
        post NIM
        post none
        post NIM --in none
        post NIM --as nobody
        tables
        leave NIM
        tables
    """,
    "games": """
        verify STARS/nim.1.star
        verify STARS/emperor-left.1.star
        verify STARS/nim.1.star --json
        verify none
        verify STARS/none.star
        verify HOME
        verify HOME/damaged.star
        verify HOME/damaged.star --json
        import HOME/damaged.star
        replay HOME/damaged.star
        verify STARS/nim.1.star --evidence HOME/evidence
        replay STARS/nim.1.star
        replay STARS/nim.1.star --at 4 --json
        replay STARS/nim.1.star --at 12
        replay STARS/nim.1.star --at 13
        replay STARS/nim.1.star --at -1
        replay STARS/nim.1.star --branch A
        replay STARS/nim.1.star --at 4 --branch Z
        replay STARS/nim.1.star --at 4 --branch A
        replay STARS/nim.1.star --at 4 --branch A --bots none
        map STARS/emperor.1.star -o HOME/map.svg
        map STARS/emperor.1.star -o HOME/map.svg
        map STARS/nim.1.star --at 9999 -o HOME/map2.svg
        map STARS/nim.1.star -o HOME/map3.svg
        map STARS/nim.1.star
        luck STARS/emperor.1.star
        luck STARS/nim.1.star --json
        luck STARS/nim.1.star
        report STARS/nim.1.star -o HOME/page.html
        report STARS/nim.1.star -o HOME/page.html
        report STARS/nim.1.star -o HOME/other.html --eyes Z
        report STARS/nim.1.star -o HOME/no/page.html
    """,
    "rules": """
        rules
        rules nim
        rules rex
        rules rex betrayal
        rules rex dial
        rules eclipse2 plasma-canon
        rules eclipse2 hydran --json
        rules emperor options
        rules eclipse
        rules rex --content none
        odds eclipse2
        odds eclipse2 2 cruiser vs ancient
        odds eclipse2 2 cruiser vs ancient --json
        odds eclipse2 cruiser
        odds eclipse2 cruiser vs
        odds eclipse2 cruser vs ancient
        odds emperor 2 cruiser vs 3 fighter
        odds emperor 2 cruiser vs 3 fighter --json
        odds rex 5 vs 4
        odds nim 1 vs 2
        odds eclipse2 --input none
        odds eclipse2 --input STARS/nim.1.star
    """,
    "bots": """
        simulate nim --seed 1 --games 2
        simulate nim --seed 1 --players 9
        simulate nim --seed 1 --bots expertt
        simulate nim --seed 1 --bots 0,1,2,3,4
        simulate rex --seed 1 --players 3 --bots master --games 0
        simulate rex --seed 1 --players 3 -o betrayal=on -o factions=sol,hacan,sol
        simulate rex --seed 1 --players 3 -o betrayl=on
        simulate rex --seed 1 --players 3 -o betrayal
        simulate rex --seed 1 --players 3 -o betrayal=on -o factions=sol,hacan,letnev
        ladder
        ladder greedy
        ladder greedy random --game nim --games 4
        ladder greedy random --game nim --games 3
        ladder greedy random --game nim --games 4 --markdown
        ladder greedy random --game nim --games 4 --workers 0
        ladder greedyy random --game nim
        ladder greedy random --game nim --rows HOME
    """,
    "here": """
        keys
        keys --json
        keys export HOME/key
        keys export HOME/key
        keys import HOME/key
        keys import HOME/none
        keys passphrase
        keys bogus
        config
        config --json
        completion
        completion bashh
        completion bash
        completion zsh
        completion fish
        completion man
        verifier
        verifier -o HOME/no/page.html
        home --web-port 70000
        find --bogus
        doctor --port 70000
        relay --port 70000
        relay --bogus
        demo nim --players 1
        demo nim --players 2 -o no=1
        play nim --players 9
        play nim --seat 4
        play nim --bots 1,2,3,4,5,6,7
        host nim --players 9
        host nim --name
        host nim --seat 7 --players 2
        host nim --seed 1 --players 2
        host nim --port 70000
        host nimm
        join
        join ticket
        join starlock:abc --port 70000
        join starlock:abc --seat -1
        watch
        watch ticket
        watch starlock:abc
    """,
    "help": "\n".join(f"{command.name} --help" for command in cli.COMMANDS),
}


def run(line: str, home: Path, table: str) -> str:
    """What a command says, with its exit code. table: the name that stands for NIM."""
    out, err = io.StringIO(), io.StringIO()
    words = line.replace("HOME", str(home)).replace("STARS", str(STARS)).replace("NIM", table).split()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: object = cli.main(words)
        except SystemExit as end:
            code = end.code
    said = "".join(f"{mark} {row}\n" for mark, text in ((" ", out), ("!", err)) for row in text.getvalue().splitlines())
    for found, instead in CHANGES:
        said = found.sub(instead, said)
    said = said.replace(str(home), "HOME").replace(str(STARS), "STARS")
    return f"$ starlock {shown(line)}\n{said}= {code}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a home whose identity is always the same, and no terminal."""
    for each in ("LC_ALL", "LC_CTYPE", "LANG", "LANGUAGE"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv("STARLOCK_HOME", str(tmp_path / "starlock"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("USER", "anna")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    (tmp_path / "starlock" / "config").mkdir(parents=True)
    (tmp_path / "damaged.star").write_bytes((STARS / "nim.1.star").read_bytes()[:-40])
    save_identity(tmp_path / "starlock" / "config" / "identity.pem", SigningKey.from_seed(bytes(range(32))))
    yield tmp_path
    texts.use("en")


@pytest.mark.parametrize("name", LINES)
def test_commands_say_what_is_kept(name: str, folder: Path) -> None:
    told, table = "", ""
    for line in LINES[name].strip().splitlines():
        told += run(line.strip(), folder, table)
        imported = re.search(r"(nim-\w+): \d+ new", told)
        table = imported[1] if imported else ""
    compared(KEPT / f"{name}.txt", told)


def test_a_game_of_others_that_is_over_stays_so_when_it_is_looked_at_by_post(folder: Path) -> None:
    table = run("import STARS/nim.1.star", folder, "").split()[4].rstrip(":")
    listed = run("tables", folder, table)
    assert "over  Player 0" in listed
    run("post NIM", folder, table)
    assert run("tables", folder, table) == listed


GLUE: Final = """
    play nim --players 3
    play nim --players 4 --bots 1,2,3
    play nim --players 4 --bots 0,1 --name Zoë
    play rex --players 3 --bots master -o betrayal=on
    play eclipse2 --players 2 -o handicap=1,0
    play eclipse2 --players 2 -o handicap=1,0,2
    play emperor --players 3 --as greedy --name Grete
    play emperor --players 3 --web-port 0 --web
    play emperor --players 3 --api
    play nim --linear --people 2 --players 3
    play nim --people 5 --players 3
    play nim --people 2 --players 3 --name Ann,Bob
    play nim --people 2 --players 3 --name Ann,Ann
    play nim --people 2 --players 3 --web
    play nim --save HOME/game.star
    play --web
    play --web --players 3
    host nim --as random --name Rudi
    host nim --as random --name Rudi --players 4 --bots 1,2 --friends 1
    host nim --as random --name Rudi --players 4 --bots 2 --friends 3
    host nim --as random --name Rudi --players 4 --bots 2 --friends -1
    host nim --as random --name Rudi --players 4 --bots 2 --seat 3
    host nim --as random --name Rudi --players 4 --friends 1
    host nim --as random --name Rudi --players 3 --relay 192.0.2.1 --relay 192.0.2.2:99 --private
    host nim --as random --name Rudi --relay a --relay b --relay c --relay d
    host nim --as random --name Rudi --address 203.0.113.5 --address 203.0.113.5:99 --port 4000
    host nim --as random --name Rudi --address nowhere:x
    host nim --as random --name Rudi --libp2p x
    host nim --as random --name Rudi --local --seed 7 --seat 1
    host nim --as random --name Rudi --seat -1
    host nim --as random --name \u202eeve
    host nim --as random --name Rudi --open
    host nim --post --bots 2
    host nim --post --web-port 4
    host nim --post --api
    host nim --post --seed 1 --seat 0
    host --web
    join TICKET --name Ann
    join TICKET --name Ann --as greedy --seat 2
    join TICKET --name Ann --seed 3
    join TICKET --name Ann --seed 3 --seat 1 --local --port 4001
    join TICKET --name Ann --web-port 4
    join HOME/ticket --name Ann
    join HOME/none --name Ann
    join ANSWER --name Ann
    join --web
    watch TICKET
    watch TICKET --api
    watch TICKET --port -1
    watch HOME/ticket --web
    recover TICKET
    resume TICKET
    recover ANSWER
"""


def test_commands_hand_on_what_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[str]()

    def at_table(_context: Any, options: FrontOptions, _main: Any) -> int:
        told.append(f"  at {chosen_front(options)}: {options}")
        return 0

    def await_others(_context: Any, _store: Any, how: Any, opened: Any, spec: Any, agreed: Any, request: Any) -> int:
        told.append(f"  {how.front} at {how.public(5000)}, save {how.save}")
        told.append(f"  {spec.id} {agreed.seats} {dict(agreed.options)} {request}")
        told.append(f"  bots {opened.bots}, relays {opened.relays}, quiet {opened.quiet}")
        return 0

    seen, known = list[SeatRequest](), joining.whoami

    def whoami(context: Context, request: SeatRequest) -> SigningKey:
        seen.append(request)
        return known(context, request)

    ticket = str(
        new_ticket(b"l" * 16, SigningKey.from_seed(b"b" * 32).public, ("tcp://192.0.2.1:4000",), 4_000_000_000)
    )
    (folder / "ticket").write_text(f"Hello!\n  {ticket}\n")
    for command in ("play", "join", "watch"):
        monkeypatch.setattr(f"client.commands.{command}.at_table", at_table)
    monkeypatch.setattr("client.commands.host.await_others", await_others)
    monkeypatch.setattr("client.table.joining.whoami", whoami)

    def run_next(words: list[str], *_more: Any) -> int:
        told.append(f"  then {words}")
        return 0

    monkeypatch.setattr("client.commands.cli.run_next", run_next)
    out = ""
    for line in GLUE.strip().splitlines():
        said = line.strip().replace("TICKET", ticket).replace("ANSWER", ticket[:-5])
        out += run(said, folder, "").replace(ticket, "TICKET").replace(ticket[:-5], "ANSWER")
        out += "".join(f"{each}\n".replace(str(folder), "HOME") for each in [*told, *(f"  {each}" for each in seen)])
        told.clear()
        seen.clear()
    compared(KEPT / "glue.txt", out)
