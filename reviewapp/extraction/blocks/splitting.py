"""A document parted into named runs of pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from reviewapp.domain.blocks import SPLITS_OUT, SplitBlock
from reviewapp.extraction.blocks.asking import Asker, CannotAsk, splits_of
from reviewapp.extraction.blocks.model import BlockFailed, Given, Output, document_of

PAGE_BREAK: Final = "\f"
HEAD_LINES: Final = 12
"""A heading stands among so many lines of a page's top that hold something."""


class Splitter:
    """A page whose head has a section's heading begins that section; pages without one go on with the last.

    Pages before the first heading belong to no section. Sections with fixed pages take these, whatever they say.
    """

    def __init__(self, block: SplitBlock, asker: Asker) -> None:
        self._block = block
        self._asker = asker
        self._headings = [
            (section.name, re.compile(rf"\W*(?:{'|'.join(map(_words, section.headings))})(?!\w)"))
            for section in block.sections
            if section.headings and not section.pages
        ]

    def run(self, inputs: Mapping[str, Given]) -> Output:
        text, _ = document_of(inputs)
        pages = text.split(PAGE_BREAK)
        runs = self._by_model(pages) if self._block.by == "model" else self._by_rules(pages)
        splits: list[dict[str, Any]] = [{"name": name, "pages": numbers} for name, numbers in runs]
        left = len(pages) - len({page for split in splits for page in split["pages"]})
        warnings = (f"{left} of {len(pages)} pages belong to no section.",) if left else ()
        return Output({SPLITS_OUT: {"splits": splits}}, warnings=warnings)

    def _by_model(self, pages: list[str]) -> list[tuple[str, list[int]]]:
        try:
            return splits_of(self._asker, self._block, pages)
        except CannotAsk as fault:
            raise BlockFailed(str(fault), for_good=fault.for_good) from None

    def _by_rules(self, pages: list[str]) -> list[tuple[str, list[int]]]:
        fixed = [
            (section.name, pages_of(section.pages, len(pages))) for section in self._block.sections if section.pages
        ]
        taken = {page for _, numbers in fixed for page in numbers}
        runs = [(name, numbers) for name, numbers in fixed if numbers] + self._by_heading(pages, taken)
        return sorted(runs, key=lambda run: run[1][0])

    def _by_heading(self, pages: list[str], taken: set[int]) -> list[tuple[str, list[int]]]:
        runs: list[tuple[str, list[int]]] = []
        for number, page in enumerate(pages, start=1):
            if number in taken:
                continue
            name = self._section_of(page)
            if name is not None:
                runs.append((name, [number]))
            elif runs:
                runs[-1][1].append(number)
        return runs

    def _section_of(self, page: str) -> str | None:
        """The section whose heading stands first on the page."""
        lines = [line for line in page.casefold().splitlines() if line.strip()][:HEAD_LINES]
        return next((name for line in lines for name, heading in self._headings if heading.match(line)), None)


def _words(heading: str) -> str:
    return r"\s+".join(map(re.escape, heading.casefold().split()))


def pages_of(written: str, count: int) -> list[int]:
    """``1,3-`` of 4 pages → 1, 3, 4; pages that are not there are left out."""
    numbers: set[int] = set()
    for part in written.split(","):
        first, dash, last = part.partition("-")
        end = count if dash and not last else int(last or first)
        numbers.update(range(int(first), min(end, count) + 1))
    return sorted(numbers)
