"""What an import is made from: files, folders and uploads become a list of source files in a fixed order.

A path never goes further than this module. A file is called by its base name; a file of a chosen folder by its
parts *below* that folder (``2024/may/report.txt`` → record ``2024/may/report``), so that equal base names in two
subfolders stay apart and nothing above the folder is told. Where two files of a folder differ only in their ending
(``a.txt``, ``a.pdf``), both records keep it in their names.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
import unicodedata
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from reviewapp.formats import limits
from reviewapp.formats.findings import Findings

KINDS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".xlsx": "xlsx",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".md": "text",
    ".markdown": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
    ".docx": "docx",
}
"""File name ending → the format it is read as."""
_SAVE_AS = {".doc": ".docx", ".odt": ".docx", ".rtf": ".docx", ".xls": ".xlsx", ".ods": ".xlsx", ".xlsm": ".xlsx"}
_SIZE_LIMITS = {
    "jsonl": limits.STREAMED_FILE_BYTES,
    "csv": limits.STREAMED_FILE_BYTES,
    "json": limits.JSON_FILE_BYTES,
}
NAME_CHARACTERS = 200


@dataclass(frozen=True)
class Upload:
    """A file that was sent: a name and its content. Of a folder that a browser was given, the name has the folders."""

    name: str
    content: bytes | Path | BinaryIO
    """Bytes, a file on this machine, or an open binary stream (which stays open)."""


@dataclass(frozen=True)
class SourceFile:
    """One file to read."""

    label: str
    """What messages call it: its base name, or its parts below the chosen folder."""
    kind: str
    size: int
    """In bytes."""
    opened: Callable[[], AbstractContextManager[BinaryIO]]
    """A seekable stream at its start."""
    record_name: str
    """The name of a record that is the whole file."""

    @property
    def base_name(self) -> str:
        return PurePosixPath(self.label).name

    def line(self, number: int) -> str:
        """A place for a fault: ``records.jsonl, line 3``."""
        return f"{self.label}, line {number}"

    def row_name(self, where: str) -> str:
        """The name of a record that brought none: ``tenders line 3``. The file is in it, so that the third lines of
        two files are not taken for one record."""
        return f"{self.record_name[-150:]} {where}"


Source = str | Path | Upload


def find_files(sources: Iterable[Source], findings: Findings) -> list[SourceFile]:
    """Every file that can be read, folders in sorted order; what cannot be is a fault, or a note in folders.

    An upload whose name has folders in it comes from a folder that a browser was given, and is treated as one of that.
    """
    files: list[SourceFile] = []
    uploaded: list[_Member] = []
    for source in sources:
        label = _label_in_folder(source.name) if isinstance(source, Upload) else None
        if isinstance(source, Upload) and label is not None:
            uploaded.append(_Member(label, _upload_opener(source.content)))
        elif isinstance(source, Upload):
            found = _accept(base_name(source.name), _upload_opener(source.content), None, findings)
            files += [found] if found else []
        elif Path(source).is_dir():
            files += _folder(Path(source), findings)
        else:
            path = Path(source)
            found = _accept(base_name(str(path)), _path_opener(path), path, findings)
            files += [found] if found else []
        if len(files) + len(uploaded) > limits.FILES:
            place = files[-1].label if files else uploaded[-1].label
            findings.fault(place, f"an import takes {limits.FILES:,} files at most; bring in fewer at a time")
            break
    if uploaded:
        files += _files_of_folder(sorted(uploaded, key=_in_walking_order), "folder", findings)
    return _told_apart(files)


def _told_apart(files: list[SourceFile]) -> list[SourceFile]:
    """Of files whose records would have one name, each keeps its ending in it: ``offer.html`` and ``offer.pdf``."""
    shared = Counter(name for _, name in {(file.label, file.record_name) for file in files})
    return [replace(f, record_name=_fitting(f.label)) if shared[f.record_name] > 1 else f for f in files]


def _label_in_folder(name: str) -> str | None:
    """The path below the chosen folder (``chosen/2024/a.txt`` → ``2024/a.txt``); None: the name is no such path.

    Paths that begin at a root or a drive say where somebody keeps files; of those only the base name counts.
    """
    parts = name.split("/")
    if len(parts) < 2 or "\\" in name or parts[0].endswith(":") or any(part in ("", ".", "..") for part in parts):
        return None
    return "/".join(_readable(part) for part in parts[1:])


def base_name(name: str) -> str:
    """``C:\\\\Users\\\\anna\\\\report.txt`` and ``/home/anna/report.txt`` → ``report.txt``."""
    last = re.split(r"[/\\]", name.rstrip("/\\"))[-1]
    return _readable(last) or "file"


def _readable(name: str) -> str:
    """A file name as text: bytes that are no text become U+FFFD, letters and their accents join."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join(unicodedata.normalize("NFC", "".join(c if c.isprintable() else " " for c in text)).split())


@dataclass(frozen=True)
class _Member:
    """A file of a folder."""

    label: str
    """Its parts below the folder."""
    opened: Callable[[], AbstractContextManager[BinaryIO]]
    path: Path | None = None
    is_outside: bool = False
    """A link to somewhere else."""


def _in_walking_order(member: _Member) -> list[tuple[bool, str]]:
    """A folder's own files before its subfolders, as `_walk` goes."""
    *folders, name = member.label.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _folder(folder: Path, findings: Findings) -> list[SourceFile]:
    root = folder.resolve()
    members = (
        _Member(
            "/".join(_readable(part) for part in path.relative_to(root).parts),
            _path_opener(path),
            path,
            not path.resolve().is_relative_to(root),
        )
        for path in _walk(root)
    )
    return _files_of_folder(members, base_name(str(root)), findings)


def _files_of_folder(members: Iterable[_Member], name: str, findings: Findings) -> list[SourceFile]:
    """Those that can be read; of the others a note tells. Files of one name in two folders are told apart."""
    files: list[SourceFile] = []
    passed_over: Counter[str] = Counter()
    for member in members:
        ending = PurePosixPath(member.label).suffix.lower()
        if _is_hidden(member.label):
            continue
        if ending not in KINDS or member.is_outside:
            passed_over[ending if ending not in KINDS else "a link out of the folder"] += 1
        elif (found := _accept(member.label, member.opened, member.path, findings)) is not None:
            files.append(found)
    for what, count in sorted(passed_over.items()):
        findings.note(f"{count} file{'s' * (count > 1)} passed over ({what or 'no ending'}).")
    if not files and not findings.faults:
        findings.fault(name, f"the folder holds no file that can be read; expected {_expected()}")
    return files


def _is_hidden(label: str) -> bool:
    """Hidden files and folders, and the lock files of office programs."""
    *folders, name = label.split("/")
    return name.startswith((".", "~$")) or any(f.startswith((".", "__MACOSX")) for f in folders)


def _walk(root: Path) -> Iterator[Path]:
    """Files below a folder in sorted order; hidden folders are not gone into."""
    for parent, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "__MACOSX")))
        for name in sorted(names):
            yield Path(parent, name)


def _accept(
    label: str, opened: Callable[[], AbstractContextManager[BinaryIO]], path: Path | None, findings: Findings
) -> SourceFile | None:
    ending = PurePosixPath(label).suffix.lower()
    kind = KINDS.get(ending)
    if kind is None:
        better = _SAVE_AS.get(ending)
        way_out = f"save it as {better}" if better else f"expected {_expected()}"
        findings.fault(label, f"files with the ending {ending or '(none)'} cannot be read; {way_out}")
        return None
    size = _size(label, opened, path, findings)
    if size is None:
        return None
    limit = _SIZE_LIMITS.get(kind, limits.DOCUMENT_BYTES)
    if size > limit:
        found = f"the file has {limits.megabytes(size)}; at most {limits.megabytes(limit)}"
        findings.fault(label, f"{found}. {'JSONL has a higher limit.' if kind == 'json' else 'Split it.'}")
        return None
    name = _fitting(str(PurePosixPath(label).with_suffix("")))
    return SourceFile(label=label, kind=kind, size=size, opened=opened, record_name=name)


def _size(
    label: str, opened: Callable[[], AbstractContextManager[BinaryIO]], path: Path | None, findings: Findings
) -> int | None:
    try:
        if path is not None and not path.is_file():
            findings.fault(label, "there is no such file" if not path.exists() else "is not an ordinary file")
            return None
        with opened() as stream:
            return stream.seek(0, io.SEEK_END)
    except OSError as error:
        findings.fault(label, f"the file cannot be opened: {error.strerror}")
        return None


def _fitting(name: str) -> str:
    return name if len(name) <= NAME_CHARACTERS else "…" + name[1 - NAME_CHARACTERS :]


def _expected() -> str:
    endings = sorted(KINDS)
    return f"{', '.join(endings[:-1])} or {endings[-1]}"


def _path_opener(path: Path) -> Callable[[], AbstractContextManager[BinaryIO]]:
    return lambda: path.open("rb")


def _upload_opener(content: bytes | Path | BinaryIO) -> Callable[[], AbstractContextManager[BinaryIO]]:
    if isinstance(content, Path):
        return _path_opener(content)
    if isinstance(content, bytes):
        return lambda: io.BytesIO(content)
    return _StreamOpener(content)


class _StreamOpener:
    """Opens a caller's stream again and again; one that cannot seek is copied once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream if stream.seekable() else self._copied(stream)

    def _copied(self, stream: BinaryIO) -> BinaryIO:
        copy = cast("BinaryIO", tempfile.SpooledTemporaryFile(max_size=limits.MEGABYTE))  # noqa: SIM115
        weakref.finalize(self, copy.close)  # the copy lives as long as its opener
        shutil.copyfileobj(stream, copy)
        return copy

    @contextmanager
    def __call__(self) -> Iterator[BinaryIO]:
        self._stream.seek(0)
        yield self._stream
