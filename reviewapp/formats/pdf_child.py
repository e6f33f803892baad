"""The child process of `formats.pdf`: one request a line on stdin, one answer a line on stdout.

PDFium runs here and nowhere else: a file of two kilobytes can unfold to more pages, letters or pixels than any machine
holds, PDFium ends its process when memory is short, and nothing but the end of a process stops it. Files and what is
made of them go by way of the file system. Run as ``python -P pdf_child.py``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

# This file's folder is not on the path (-P): reviewapp is found as installed, or beside it.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from reviewapp.child import line_of, private_pipes, write
from reviewapp.formats.pdf_pages import NoSuchPage, PdfFault, draw_page, read_pages


def main() -> None:
    """Answer until stdin ends."""
    requests, answers = private_pipes()
    for line in requests:
        asked = json.loads(line)
        answer: dict[str, Any] = {}
        try:
            _answer(asked)
        except PdfFault as fault:
            answer = {"fault": str(fault)}
        except NoSuchPage as missing:
            answer = {"pages": missing.pages}
        write(answers, line_of(answer))


def _answer(asked: dict[str, Any]) -> None:
    data, to = Path(asked["file"]).read_bytes(), Path(asked["to"])
    if asked["do"] == "read":
        to.write_text(json.dumps(read_pages(data, asked["most"])), encoding="utf-8")
    else:
        to.write_bytes(draw_page(data, asked["page"], asked["scale"]))


if __name__ == "__main__":
    main()
