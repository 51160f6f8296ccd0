# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds code in rules that cannot be replayed.

A rule is a function whose return annotation is ``Rule[...]``. Rules are resumed, replayed and dropped at any wait, on
every peer with the same result. So they may not keep references to mutable state across a wait, nor use anything that
differs between machines:

``try``         a ``try`` or ``with`` around a wait: a match is dropped without running its end
``send``        ``.send`` outside ``engine.core.match``: only a match resumes rules
``import``      a module of random numbers, clocks, threads or input and output
``float``       a float, or ``/``, which makes one
``identity``    ``hash()`` or ``id()``: they differ between processes
``set-order``   a loop over a set: its order differs between processes
``live-loop``   a loop over a collection of ``g`` with a wait inside: the wait may change it
``not-run``     a rule called without ``yield from``, which does nothing
``either``      ``yield from a if c else b`` without parentheses, which reads as if only ``a`` were run
``delivered``   a write into an answer, which is shared with the inputs of the match
``stale``       a local bound to a column, list or section of ``g`` and used after a wait

The first column is the code of a :class:`Finding`. :func:`lint` takes the sources by module name, to follow calls
across modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from engine.core.dataclass import dataclass

__all__ = ["Finding", "lint"]

OUTSIDE = frozenset(
    [
        "asyncio",
        "concurrent",
        "ctypes",
        "datetime",
        "multiprocessing",
        "os",
        "platform",
        "queue",
        "random",
        "secrets",
        "select",
        "selectors",
        "signal",
        "socket",
        "subprocess",
        "sys",
        "tempfile",
        "threading",
        "time",
        "trio",
        "uuid",
        "weakref",
    ]
)
KNOWN_USES = frozenset(
    (
        ("engine.core.sections", "import"),  # the byte order of this machine, to undo it
        ("engine.core.match", "send"),  # the only module that resumes rules
        ("engine.core.content", "float"),  # paths are joined by ``/``
    )
)

BLIND = frozenset(["sorted", "set", "frozenset", "any", "all", "sum", "len", "min", "max"])
WRITES = frozenset(
    [
        "append",
        "extend",
        "insert",
        "add",
        "update",
        "pop",
        "popitem",
        "clear",
        "remove",
        "discard",
        "setdefault",
        "sort",
        "reverse",
    ]
)
SCALARS = frozenset(("int", "str", "bool"))
Position = tuple[int, int]
Function = ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: module, line, code (see the module's docstring) and source text."""

    module: str
    line: int
    code: str
    text: str


def lint(sources: Mapping[str, str]) -> list[Finding]:
    """Return every fault in the sources, which are given by module name, in reading order."""
    trees = {module: ast.parse(source) for module, source in sources.items()}
    functions = {
        f"{module}.{node.name}": node
        for module, tree in trees.items()
        for node in tree.body
        if isinstance(node, Function)
    }
    rules = {name for name, node in functions.items() if _returns(node, "Rule")} | ASKING
    lazy = {name for name, node in functions.items() if _returns(node, "Iterator", "Iterable", "Generator")}
    fields = _fields(trees.values())
    found: list[Finding] = []
    for module, tree in trees.items():
        check = _Module(module, sources[module], tree, rules, lazy, fields)
        found += [finding for finding in check.findings() if (module, finding.code) not in KNOWN_USES]
    return sorted(found, key=lambda finding: (finding.module, finding.line, finding.code))


ASKING = frozenset(("engine.core.rule.ask", "engine.core.rule.sealed"))


class _Module:
    """One module: the meaning of its names, and the parent of each node."""

    def __init__(
        self, module: str, source: str, tree: ast.Module, rules: set[str], lazy: set[str], fields: dict[str, set[str]]
    ) -> None:
        self.module, self.source, self.tree = module, source, tree
        self.rules, self.lazy, self.fields = rules, lazy, fields
        self.names = _imports(tree, module)
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    def findings(self) -> Iterator[Finding]:
        for node in ast.walk(self.tree):
            for code in self._anywhere(node):
                yield self._finding(node, code)
            if isinstance(node, Function):
                for place, code in (*self._in_function(node), *(self._in_rule(node) if _waits(node) else ())):
                    yield self._finding(place, code)

    def _finding(self, node: ast.AST, code: str) -> Finding:
        text = ast.get_source_segment(self.source, node) or ""
        return Finding(self.module, getattr(node, "lineno", 0), code, text.split("\n")[0][:80])

    def _anywhere(self, node: ast.AST) -> Iterator[str]:
        """Yield the code of a node that no module of the engine may contain."""
        match node:
            case ast.Import(names) if any(name.name.split(".")[0] in OUTSIDE for name in names):
                yield "import"
            case ast.ImportFrom(str(module)) if module.split(".")[0] in OUTSIDE:
                yield "import"
            case ast.Constant(float()) | ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield "float"
            case ast.Name("float", ast.Load()):
                yield "float"
            case ast.Call(ast.Name("hash" | "id")):
                yield "identity"
            case ast.Call(ast.Attribute(attr="send")):
                yield "send"
            case ast.Call() if self._meaning(node.func) in self.rules and not self._is_run(node):
                yield "not-run"
            case ast.YieldFrom(ast.IfExp() as chosen) if "(" not in self._between(node, chosen):
                yield "either"
            case _:
                pass

    def _between(self, outer: ast.AST, inner: ast.expr) -> str:
        whole = ast.get_source_segment(self.source, outer) or ""
        return whole.split(ast.get_source_segment(self.source, inner) or "", 1)[0]

    def _meaning(self, node: ast.expr) -> str:
        """Return the full name of a called object, as far as imports tell."""
        match node:
            case ast.Name(name):
                return self.names.get(name, "")
            case ast.Attribute(ast.Name(name), attr):
                return f"{self.names.get(name, '')}.{attr}"
        return ""

    def _is_run(self, call: ast.Call) -> bool:
        """True if a call is under ``yield from``, in a branch of one, or returned by a function that does not wait
        itself."""
        node: ast.AST = call
        while isinstance(self.parents[node], ast.IfExp):
            node = self.parents[node]
        parent = self.parents[node]
        if isinstance(parent, ast.Return):
            around = self._function(call)
            return around is not None and _returns(around, "Rule") and not _waits(around)
        return isinstance(parent, ast.YieldFrom)

    def _function(self, node: ast.AST) -> Function | None:
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, Function):
                return node
        return None

    # Sets

    def _in_function(self, function: Function) -> Iterator[tuple[ast.AST, str]]:
        """Yield loops over sets."""
        names = {arg.arg for arg in function.args.args if arg.annotation and _is_set_type(arg.annotation)}
        for node in ast.walk(function):
            match node:
                case ast.Assign([ast.Name(name)], value) if _is_set(value, names):
                    names.add(name)
                case ast.AnnAssign(ast.Name(name), annotation) if _is_set_type(annotation):
                    names.add(name)
        for node in ast.walk(function):
            match node:
                case ast.For(_, source) if _is_set(source, names):
                    yield node, "set-order"
                case ast.ListComp(_, loops) | ast.GeneratorExp(_, loops) | ast.DictComp(_, _, loops):
                    if any(_is_set(loop.iter, names) for loop in loops) and not self._blind(node):
                        yield node, "set-order"
                case ast.Call(ast.Name("list" | "tuple" | "iter" | "enumerate" | "zip" | "map" | "next"), args):
                    if any(_is_set(arg, names) for arg in args):
                        yield node, "set-order"
                case ast.Starred(source) if _is_set(source, names):
                    yield node, "set-order"

    def _blind(self, node: ast.AST) -> bool:
        """True if the receiver of the values does not depend on their order."""
        parent = self.parents[node]
        return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in BLIND

    # Rules

    def _in_rule(self, rule: Function) -> Iterator[tuple[ast.AST, str]]:
        delivered: set[str] = set()
        for node in _own(rule):
            match node:
                case ast.Try() | ast.With() if _waits(node):
                    yield node, "try"
                case ast.For(_, source) if _waits(node) and self._is_live(source):
                    yield node, "live-loop"
                case ast.Assign([ast.Name(name)], ast.YieldFrom(ast.Call(asked))) if self._meaning(asked) in ASKING:
                    delivered.add(name)
        for node in _own(rule):
            if _written(node) & delivered:
                yield node, "delivered"
        yield from ((node, "stale") for node in self._stale(rule))

    def _is_live(self, source: ast.expr) -> bool:
        """True if a loop reads the collection while it runs: ``g.x``, ``g.x.items()``, ``enumerate(g.x)``, a
        generator."""
        match source:
            case ast.Attribute():
                return self._alias(source)
            case ast.Subscript(value):
                return self._alias(value)
            case ast.Call(ast.Attribute(value, "items" | "keys" | "values")):
                return self._is_live(value)
            case ast.Call(ast.Name("enumerate" | "zip" | "reversed" | "map" | "filter" | "iter"), args):
                return any(self._is_live(arg) for arg in args)
            case ast.Call(called):
                return self._meaning(called) in self.lazy
            case ast.GeneratorExp():
                return any(isinstance(node, ast.Name) and node.id == "g" for node in ast.walk(source))
        return False

    def _alias(self, value: ast.expr) -> bool:
        """True if an expression is a section, column, list or dict of the position itself, not a number in it."""
        chain: list[str] = []
        while isinstance(value, ast.Attribute):
            chain.insert(0, value.attr)
            value = value.value
        if not isinstance(value, ast.Name) or value.id != "g" or not chain or chain[0] == "const":
            return False
        return len(chain) == 1 or not self.fields.get(chain[-1], {"?"}) <= SCALARS

    def _stale(self, rule: Function) -> Iterator[ast.AST]:
        """Yield uses of a local that refers to a part of ``g``, with a wait between its binding and the use."""
        bound: dict[str, list[tuple[Position, bool]]] = {}
        for node in _own(rule):
            match node:
                case ast.Assign(targets, value):
                    for name, part in _bindings(targets, value):
                        bound.setdefault(name, []).append((_end(node), self._alias(part)))
        waits = [_end(node) for node in _own(rule) if isinstance(node, ast.Yield | ast.YieldFrom)]
        loops = [node for node in _own(rule) if isinstance(node, ast.For | ast.While)]
        for node in _own(rule):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or node.id not in bound:
                continue
            at = (node.lineno, node.col_offset)
            last = max((binding for binding in bound[node.id] if binding[0] <= at), default=None)
            if last is None or not last[1]:
                continue
            again = (
                (loop.lineno, loop.col_offset) > last[0]
                and (loop.lineno, loop.col_offset) < at < _end(loop)
                and any((loop.lineno, loop.col_offset) < wait <= _end(loop) for wait in waits)
                for loop in loops
            )
            if any(last[0] < wait <= at for wait in waits) or any(again):
                yield node


def _returns(function: ast.AST, *kinds: str) -> bool:
    annotation = getattr(function, "returns", None)
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return isinstance(annotation, ast.Name) and annotation.id in kinds


def _own(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions defined inside it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _waits(node: ast.AST) -> bool:
    """True if the node contains a wait; a function must be a rule with a wait in its own body."""
    if isinstance(node, Function):
        return _returns(node, "Rule") and any(isinstance(part, ast.Yield | ast.YieldFrom) for part in _own(node))
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))


def _imports(tree: ast.Module, module: str) -> dict[str, str]:
    """Return the full name of every imported name of the module."""
    names = {node.name: f"{module}.{node.name}" for node in tree.body if isinstance(node, Function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.update({name.asname or name.name: f"{node.module}.{name.name}" for name in node.names})
        elif isinstance(node, ast.Import):
            names.update({name.asname or name.name: name.name for name in node.names})
    return names


def _fields(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """Return the annotations of every field of every section, by field name."""
    fields: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(mark) == "section" for mark in node.decorator_list):
                for part in node.body:
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                        fields.setdefault(part.target.id, set()).add(ast.unparse(part.annotation))
    return fields


def _is_set_type(annotation: ast.expr) -> bool:
    return ast.unparse(annotation).split("[")[0] in ("set", "frozenset", "Set", "AbstractSet")


def _is_set(value: ast.expr, names: set[str]) -> bool:
    match value:
        case ast.Set() | ast.SetComp() | ast.Call(ast.Name("set" | "frozenset")):
            return True
        case ast.Name(name):
            return name in names
        case ast.BinOp(left, ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor(), right):
            return _is_set(left, names) or _is_set(right, names)
    return False


def _written(node: ast.AST) -> set[str]:
    """Return the names whose content a node changes."""
    match node:
        case ast.Assign(targets) | ast.Delete(targets):
            return {name for target in targets for name in _inside(target)}
        case ast.AugAssign(target):
            return _inside(target)
        case ast.Call(ast.Attribute(ast.Name(name), method)) if method in WRITES:
            return {name}
    return set()


def _inside(target: ast.expr) -> set[str]:
    match target:
        case ast.Subscript(ast.Name(name)) | ast.Attribute(ast.Name(name)):
            return {name}
    return set()


def _bindings(targets: list[ast.expr], value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for target in targets:
        match target, value:
            case ast.Name(name), _:
                yield name, value
            case ast.Tuple(parts), ast.Tuple(values) if len(parts) == len(values):
                yield from (
                    (part.id, one) for part, one in zip(parts, values, strict=True) if isinstance(part, ast.Name)
                )
            case ast.Tuple(parts), _:
                yield from ((part.id, value) for part in parts if isinstance(part, ast.Name))


def _end(node: ast.AST) -> Position:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)
