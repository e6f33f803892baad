"""A fingerprint of the code that a function block runs, so that work of before is taken over only while it is the same.

Of a function: its module, the whole package that the module lies in, and what these import from the folder that the
server was started in, and so on. Of a command: the program, every argument that is a file, and what a Python script
among them imports from its own folder. What code finds otherwise (files it reads, names it makes up) is not seen.
"""

from __future__ import annotations

import ast
import hashlib
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from reviewapp.domain.blocks import Block, FunctionBlock

CODE_FILES: Final = 2_000
"""Most files that count; code of more has no fingerprint."""


def code_of(block: FunctionBlock) -> str | None:
    """32 hex digits; None where the code cannot be found, so that nobody trusts what it did before."""
    files = _of_function(block.function) if block.function else _of_command(block.command)
    if not files or len(files) > CODE_FILES:
        return None
    seen = hashlib.sha256()
    try:
        for file in sorted(files):
            content = file.read_bytes()
            seen.update(f"{file.name}\0{len(content)}\0".encode("utf-8", "replace"))
            seen.update(content)
    except OSError:
        return None
    return seen.hexdigest()[:32]


def codes_of(blocks: Iterable[Block]) -> list[str] | None:
    """`code_of` every function block, in their order; None where that of one is."""
    codes = [code_of(block) for block in blocks if isinstance(block, FunctionBlock)]
    known = [code for code in codes if code is not None]
    return known if len(known) == len(codes) else None


def _of_function(function: str) -> set[Path]:
    module = function.partition(":")[0]
    here = Path.cwd()  # where the child looks first, as we were started
    for folder in (here, *(Path(entry) for entry in sys.path if entry)):
        if found := _module_in(folder, module):
            return _with_imports(found, here)
    return set()


def _of_command(command: tuple[str, ...]) -> set[Path]:
    program = shutil.which(command[0])
    if program is None:
        return set()
    arguments = (Path(argument) for argument in command[1:] if len(argument) < 4096 and "\0" not in argument)
    found = {Path(program)}
    for file in (path for path in arguments if path.is_file()):
        found |= _with_imports([file], file.parent) if file.suffix == ".py" else {file}
    return found


def _module_in(folder: Path, module: str) -> list[Path]:
    """The files of a module that lies in a folder: its own, or all of the package at its top."""
    top, *rest = module.split(".")
    package = folder / top
    if (package / "__init__.py").is_file():
        return [file for _, file in zip(range(CODE_FILES + 1), package.rglob("*.py"), strict=False)]
    if rest and package.is_dir() and (found := package.joinpath(*rest).with_suffix(".py")).is_file():
        return [found]
    return [alone] if (alone := folder / f"{top}.py").is_file() else []


def _with_imports(files: Iterable[Path], folder: Path) -> set[Path]:
    """The files, what they import from the folder, what that imports from there …"""
    found: set[Path] = set()
    waiting = list(files)
    while waiting and len(found) <= CODE_FILES:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting.extend(near for module in _imported(file) for near in _module_in(folder, module))
    return found


def _imported(file: Path) -> Iterator[str]:
    """The modules that a file names in its imports."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of their code
            tree = ast.parse(file.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
