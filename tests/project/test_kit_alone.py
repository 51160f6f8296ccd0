"""The kit for full screens knows no game and no table, and no function of the full screen is given a whole screen."""

from __future__ import annotations

import ast
from typing import Final

from sources import import_graph, modules, parsed

SCREENS: Final = {"Stack", "Front", "Home", "ReplayScreen"}


def given_screens(tree: ast.AST) -> set[str]:
    """The functions with a parameter that is a whole screen, or is called so."""
    found = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                named = [part for part in ast.walk(each) if isinstance(part, ast.Name)]
                if each.arg in ("front", "screen") or SCREENS & {part.id for part in named}:
                    found.add(getattr(node, "name", "lambda"))
    return found


def test_no_function_takes_a_whole_screen() -> None:
    found = {path.name: given_screens(parsed(path)) for path in modules("client/fronts/screen")}
    assert {name: functions for name, functions in found.items() if functions} == {}
    wrong = ast.parse("def one(front): ...\ndef two(of: Callable[[Front], None]): ...\ndef three(page: Page): ...")
    assert given_screens(wrong) == {"one", "two"}


def test_the_kit_imports_nothing_of_games_sessions_or_tables() -> None:
    graph = import_graph("client")
    kit = {name: imports for name, imports in graph.items() if name.startswith("client.fronts.kit")}
    below = ("client.system.", "client.words.", "client.show.", "client.fronts.kit", "engine.core.")
    ours = {
        other for imports in kit.values() for other in imports if other.split(".")[0] in ("client", "engine", "p2p")
    }
    assert "client.fronts.kit.stack" in kit
    assert {name for name in ours if not name.startswith(below)} == set()
