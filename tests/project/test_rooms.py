"""The rooms of the client stand in an order: a room imports only those before it, not even for types another one."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

from sources import PACKAGES, ROOT, import_graph, modules, parsed

from engine.core.registry import GAMES, game

ORDER: Final = (
    "system",
    "words",
    "show",
    "bots",
    "games",
    "table",
    "proof",
    "session",
    "report",
    "fronts.kit",
    "fronts",
    "fronts.*",
    "commands",
)
"""From the ground up. `fronts` has the modules of that folder itself, `fronts.*` stands for each front."""
APART: Final = ({"games", "table"}, {"session", "report"})
"""Rooms of which neither knows the other."""


def room(module: str) -> str:
    """The room of a module; "" for those in no room, which only name the version and start the program."""
    _client, *folders = module.split(".")
    if not folders or folders == ["__main__"]:
        return ""
    if folders[0] == "fronts" and len(folders) > 1 and (ROOT / "client" / "fronts" / folders[1]).is_dir():
        return f"fronts.{folders[1]}"
    return folders[0]


def level(name: str) -> int:
    return ORDER.index("fronts.*" if name.startswith("fronts.") and name != "fronts.kit" else name)


def wrong(graph: Mapping[str, Collection[str]]) -> set[tuple[str, str]]:
    """The imports between rooms that do not point to an earlier one."""
    arrows = {(one, other) for one, imports in graph.items() for other in imports if room(one) and room(other)}
    return {
        (one, other)
        for one, other in arrows
        if (here := room(one)) != (there := room(other)) and (level(there) >= level(here) or {here, there} in APART)
    }


def client() -> dict[str, set[str]]:
    """What each module of the client imports of the client."""
    return {
        name: {other for other in imports if other.split(".")[0] == "client"}
        for name, imports in import_graph("client").items()
    }


def test_every_module_stands_in_a_room() -> None:
    folder = ROOT / "client"
    assert {path.name for path in folder.glob("*.py")} == {"__init__.py", "__main__.py"}
    rooms = {path.name for path in folder.iterdir() if any(path.rglob("*.py"))}
    assert rooms == {name for name in ORDER if "." not in name}


def test_a_room_imports_only_rooms_before_it() -> None:
    assert wrong(client()) == set()


def test_an_import_to_a_later_room_or_from_front_to_front_is_found() -> None:
    graph = {
        "client.words": {"client.system.texts", "client.show.svg"},
        "client.games.rex.bot": {"client.table.peer", "client.show.svg"},
        "client.table.peer": {"client.games.rex", "client.table.words"},
        "client.report.page": {"client.session.view", "client.proof.walk"},
        "client.fronts.web.page": {"client.fronts.line.run", "client.fronts", "client.fronts.kit.ui", "client"},
        "client.fronts.kit.ui": {"client.fronts"},
        "client.__main__": {"client.commands.cli"},
    }
    assert wrong(graph) == {
        ("client.words", "client.show.svg"),
        ("client.games.rex.bot", "client.table.peer"),
        ("client.table.peer", "client.games.rex"),
        ("client.report.page", "client.session.view"),
        ("client.fronts.web.page", "client.fronts.line.run"),
        ("client.fronts.kit.ui", "client.fronts"),
    }


def test_a_game_is_reached_by_the_registry_only() -> None:
    """No module outside the folder of a game imports from it."""
    found = {
        (one, other)
        for one, imports in client().items()
        for other in imports
        if other.startswith("client.games.") and one.split(".")[:3] != other.split(".")[:3]
    }
    assert found == set()


def ids_of_games() -> set[str]:
    """The ids of rows of content, and of events that the games of one folder tell."""
    rows = {
        row["id"]
        for path in (ROOT / "engine").rglob("content/**/*.toml")
        for table in tomllib.loads(path.read_text("utf-8")).values()
        for row in (table if isinstance(table, list) else ())
        if isinstance(row, dict) and isinstance(row.get("id"), str)
    }
    told = {(GAMES[id].split(".")[1], event) for id in GAMES for event in game(id).events}
    folders = Counter(event for _folder, event in told)
    return rows | {event for event, count in folders.items() if count == 1}


def named_in(tree: ast.AST, ids: set[str]) -> set[str]:
    """The ids that a module holds as texts of their own."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in parts}
    return ids & {text for text in texts if isinstance(text, str)}


def test_no_module_beside_the_games_holds_an_id_of_a_piece_or_an_event_of_one() -> None:
    ids = ids_of_games()
    paths = [path for path in modules("client") if "games" not in path.relative_to(ROOT / "client").parts[:1]]
    assert {path.name: found for path in paths if (found := named_in(parsed(path), ids))} == {}
    assert named_in(ast.parse("wait.word == 'cruiser'; f'hull{kind}'"), ids) == {"cruiser"}


ACTS: Final = frozenset({"screens", "leave", "paste", "reworded"})
"""What a front calls of a session besides deeds: to be told of it, and what its terminal or window does."""
SET: Final = frozenset({"home", "guided"})
"""What a front sets when it begins."""


def read_of_sessions(tree: ast.AST) -> set[str]:
    """What a module reads of a session itself, or changes in it."""
    found = {
        (node.attr, type(node.ctx))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).split(".")[-1] in ("session", "_session")
    }
    return {name for name, use in found if name not in ACTS and (use is ast.Load or name not in SET)}


def test_fronts_read_the_one_view_of_a_session_and_do_deeds() -> None:
    found = {path.name: read_of_sessions(parsed(path)) for path in modules("client/fronts")}
    terminal = found.pop("terminal.py")  # the session of prompt_toolkit, which reads lines
    assert terminal >= {"app", "prompt_async"}
    assert {name: read for name, read in found.items() if read} == {}
    wrong = ast.parse("front.session.table.names, self._session.guided, session.screens.append(self)")
    assert read_of_sessions(wrong) == {"table", "guided"}


def test_no_function_of_a_package_has_the_name_of_a_module_in_it() -> None:
    """The first import of the module would take the function's place."""
    found = {
        f"{path.parent.relative_to(ROOT)}: {node.name}"
        for path in modules(*PACKAGES)
        if path.name == "__init__.py"
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and ((path.parent / f"{node.name}.py").exists() or (path.parent / node.name).is_dir())
    }
    assert found == set()


def test_each_test_of_the_client_stands_in_the_folder_of_a_room() -> None:
    tests = ROOT / "tests" / "client"
    folders = {path.parent.relative_to(tests).as_posix() for path in tests.rglob("test_*.py")}
    fronts = {path.name for path in (ROOT / "client" / "fronts").iterdir() if path.is_dir()}
    rooms = {path.name for path in (ROOT / "client").iterdir() if path.is_dir()} - {"fronts"}
    assert folders - rooms - {f"fronts/{name}" for name in fronts} == set()
