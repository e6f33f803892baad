"""Finds the sentences of a module in its source, as the forms that `sentences` recognises them by."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Sequence

CALLED = ("_", "gettext", "ngettext", "pgettext")
"""Functions whose texts are in the catalogue by themselves."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS = re.compile(r"[^\W\d_]{2}\S*\s(?:\S*\s)*?\S*?[^\W\d_]{2}")
_PLACEHOLDER = re.compile(r"\{\w+(?:!r)?\}")
_OF_FORMAT = re.compile(r"\{[a-z_]+\}")
_NO_SENTENCE = re.compile(
    r"\\|\(\?|^[\s|]+$|<\w+|^%|%s|^\w+_\w+\b"  # patterns, markup, formats, names of fields
    r"|;\s*charset|ulimit|&& |default-src|=\(\)|max-age|sans-serif|settle:|@media|\{\{\{|\|\w+\|"  # headers, styles
    r"|\(typeof|Math\.|\.includes\(|\.some\("  # JavaScript
    r"|^(ok|warn|bad|none|found|bool|[acrt])$|^Value error"  # names of tones, types and keys
    r"|^(You|Say which|Part a document|Judge a value) |Reply with one|material, never|Answer with"  # for a model
    r"|^\{count\} texts with|`leave_out`; a|^`spans` say|^lower case\. Licence"  # for a file
)
_NO_NAMES = frozenset(
    (
        "len",
        "str",
        "repr",
        "join",
        "map",
        "sorted",
        "type",
        "min",
        "max",
        "self",
        "f",
        "if",
        "else",
        "for",
        "in",
        "not",
        "or",
    )
)


def sentences_of(source: str, tables: Collection[str] = ()) -> list[str]:
    """The sentences of a module, in order: ``f"{name!r} is no date."`` is ``{name!r} is no date.``

    A string counts that has two words of its own; of the module's `tables`, which name its assignments, functions and
    classes, and of the kinds that `NotFound` names, each single word too. Keys of dictionaries and documentation do
    not count, nor does what is for another reader than people.
    """
    finder = _Finder(tables)
    finder.visit(ast.parse(source))
    return list(dict.fromkeys(finder.found))


class _Finder(ast.NodeVisitor):
    def __init__(self, tables: Collection[str]) -> None:
        self.found: list[str] = []
        self._tables = tables
        self._single = False
        """Whether a single word counts."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # else documentation
            self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        self._visit_all(node.values)

    def visit_Assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        self._visit_all(ast.iter_child_nodes(node), single=any(name in self._tables for name in names))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        single = isinstance(node.target, ast.Name) and node.target.id in self._tables
        self._visit_all(ast.iter_child_nodes(node), single=single)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all(ast.iter_child_nodes(node), single=node.name in self._tables)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_all(ast.iter_child_nodes(node), single=node.name in self._tables)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called in CALLED:
            return
        first = node.args[:1] if called == "NotFound" else []
        self._visit_all(first, single=True)
        self._visit_all(child for child in ast.iter_child_nodes(node) if child not in first)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._take(node) if _pieces(node) is not None else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        self._take(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        self._take(node)

    def _visit_all(self, nodes: Iterable[ast.AST], *, single: bool = False) -> None:
        before, self._single = self._single, self._single or single
        for node in nodes:
            self.visit(node)
        self._single = before

    def _take(self, node: ast.expr) -> None:
        """The sentence of a string, a line each, and those inside its values."""
        pieces = _pieces(node) or ()
        wanted = _WORD if self._single else _WORDS
        for line in _form(pieces).split("\n"):
            if wanted.search(_PLACEHOLDER.sub("", line)) and not _NO_SENTENCE.search(line):
                self.found.append(line)
        self._visit_all(piece for piece in pieces if isinstance(piece, ast.AST))


def _pieces(node: ast.AST) -> list[str | ast.expr] | None:
    """What a string is put together from: its words, braces doubled, and its values; None: it is no string."""
    match node:
        case ast.Constant(value=str(text)):
            return [text if _OF_FORMAT.search(text) else _escaped(text)]
        case ast.JoinedStr(values=values):
            return [_escaped(str(v.value)) if isinstance(v, ast.Constant) else v for v in values]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            before, behind = _pieces(left), _pieces(right)
            return None if before is None or behind is None else before + behind
    return None


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _form(pieces: Sequence[str | ast.expr]) -> str:
    """The string with a placeholder for each value, the same for the same value."""
    names: dict[str, str] = {}
    return "".join(piece if isinstance(piece, str) else f"{{{_name(piece, names)}}}" for piece in pieces)


def _name(value: ast.expr, names: dict[str, str]) -> str:
    """A name for a value's place, of the words it is written with; `names` has those given so far."""
    quoted = isinstance(value, ast.FormattedValue) and value.conversion == ord("r")
    written = ast.unparse(value.value if isinstance(value, ast.FormattedValue) else value)
    found = re.findall(r"[A-Za-z_]\w*", re.sub(r"'[^']*'", "", written))
    own = [word for word in found if word not in _NO_NAMES and not word.isupper()] or ["value"]
    name: str = own[0] if " if " in written else own[-1]
    while names.setdefault(name, written) != written:
        name += "_"
    return f"{name}!r" if quoted else name
