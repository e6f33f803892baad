"""Four times as much may cost about four times the time, also where it is one piece over and over.

    python -m bench.growth [JOB ...]

Every job is done at one size and at four times that size, in turn; where cost grows with the square the ratio is 16.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench.harness import Goal, duration, finish, print_table
from reviewapp.domain.dates import find_dates
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, Rules, RulesExtractor, WorkflowSettings
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.grounding import locate, nearest
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.quantities import find_quantities
from reviewapp.extraction.rules.learn import AnsweredExample, learn
from reviewapp.formats.eval_sets.patching import updated

TIMES, RUNS, SHOWN = 4, 3, 12
GOAL_RATIO = 9.0
HEADS = itertools.count(1)

Case = tuple[str, Callable[[int], Callable[[], object]]]
"""Its name, and for a size what is to be timed at that size."""

PROPERTIES = (
    Property(name="total", value_type="f64", unit="EUR"),
    Property(name="width", value_type="f64", unit="mm"),
    Property(name="invoice_number", value_type="text"),
    Property(name="date", value_type="date"),
    Property(name="company", value_type="text"),
    Property(name="address", value_type="text"),
    Property(name="jurisdiction", value_type="text"),
    Property(name="material", value_type="text"),
    Property(name="term", value_type="text", description="duration of the agreement"),
    Property(name="colour", value_type="keyword", options=("red", "a", "dark red")),
    Property(name="certified", value_type="bool"),
)
SETTINGS = WorkflowSettings(collection="any", properties=PROPERTIES, extractor=RulesExtractor())

UNITS = (
    "[x] a ", "☐ a ", "a ☐ ", "[x] yes ", "yes/no ", "yes / ", "(5)", "(five) ", "½", "5½", "a", "A ", "1 ", "1.", "1/",
    "1,", "total: ", "Total: ", "Total 5,00 EUR\n", "width 5 mm; ", "5 x ", "width x ", "A and ", "Acme GmbH, ",
    "State of ", "State of New York ", "12 Main Street, ", "12345 Berlin\n", "tel ", "a@", "a@b.", "+49 ", "a#",
    "NO 1\n", "DE12 3456 ", "A1-", "X5CrNi18-", '(the "A") ', "1 January ", "January ", "at least ", "from 5 to ",
    "5 and ", "5 ft ", "thirty (30) days ", '5" ', "“a” ", "'", "a  5  ", "| a ", "\t5", "\t1", "     5\n",
    "Total\n5\n", "e\u0301", "a\u00ad", "a-\n", "red, dark red, ", "red\n", "(", "( ", "a: ", ".", "a..", "a = 5; ",
    "Herr A, ", "- nachstehend A genannt - ", "Y\n", "total: Y ", "Pump 2\n", "A (\"total\") ",
)  # fmt: skip

PIECES = (
    "9", " ", "1/", "1 ", "1/1/1/1 ", "1.1", "5 kg ", "5 and ", "a", "1'", '1"', "RM", "up to ", "~", "±1", "two ",
    "1-", "x1", "(1) ",
)  # fmt: skip

DATED = ("9", " ", "1/", "1 ", "1/1/", "may ", "1 may ", "may 1", "1-1-1-", "--/", "1.1.", "a")

QUOTES: tuple[tuple[str, Callable[[int], tuple[str, str]]], ...] = (
    ("a digit in many", lambda size: ("2" * size, "2")),
    ("half a word in many", lambda size: (repeated("ab", size), "ab")),
    ("quotation marks without end", lambda size: ("Weight 12 kg", '"' * size + "x")),
    ("spaces without end", lambda size: ("Weight 12 kg", f"a{' ' * size}…{' ' * size}b")),
    ("dots without end", lambda size: ("Weight 12 kg", "." * size + "x")),
    ("one long line", lambda size: ("Total " + repeated("5.00 ", size), "Total 6.00")),
    ("a long quote not there", lambda size: (repeated("Nothing to see. ", size), "Something else, word. " * 80)),
    ("places alike", lambda size: (alike(size // 30), alike(size // 30)[-40:-10].replace("ö", "o"))),
)  # fmt: skip


def reading(unit: str, size: int) -> Callable[[], object]:
    return partial(extract, repeated(unit, size), SETTINGS, Evidence(), make_extractor(SETTINGS))


def finding_quantities(piece: str, size: int) -> Callable[[], object]:
    return partial(find_quantities, repeated(piece, size), Rules(), Evidence())


def finding_dates(piece: str, size: int) -> Callable[[], object]:
    return partial(find_dates, repeated(piece, size), Rules(), Evidence())


def grounding(text_and_quote: Callable[[int], tuple[str, str]], size: int) -> Callable[[], object]:
    text, quote = text_and_quote(size)

    def search() -> None:
        prepared = PreparedText(text)
        locate(prepared, quote, value="5.00", cues=["total"])
        nearest(prepared, quote)

    return search


def learning(size: int) -> Callable[[], object]:
    answered = [
        AnsweredExample(f"Werk {n % 3}\nKENNUNG  K{n}\nMass  {n} mm\n", "company", "right", f"K{n}", f"KENNUNG  K{n}")
        for n in range(size)
    ]
    return partial(learn, SETTINGS, answered, Evidence())


def patching(size: int) -> Callable[[], object]:
    rows = [{"id": str(n), "text": "x" * 500} for n in range(size)]
    text = json.dumps({"rows": rows}, indent=1)
    return partial(updated, text, ("rows",), [row | {"text": "y"} for row in rows])


JOBS: dict[str, tuple[int, tuple[Case, ...]]] = {
    "reading": (6_000, tuple((repr(u), partial(reading, u)) for u in UNITS)),
    "quantities": (10_000, tuple((repr(p), partial(finding_quantities, p)) for p in PIECES)),
    "dates": (25_000, tuple((repr(p), partial(finding_dates, p)) for p in DATED)),
    "grounding": (50_000, tuple((name, partial(grounding, made)) for name, made in QUOTES)),
    "learning": (30, (("answers", learning),)),
    "patching": (5_000, (("rows of an eval set's file", patching),)),
}
"""The smaller size (characters, answers, rows) and what is done."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=f"of {', '.join(JOBS)} (default: all)")
    finish([steepest(job) for job in parser.parse_args().jobs or JOBS])


def steepest(job: str) -> Goal:
    """Print the cases of a job that grow most; the goal for the steepest of them."""
    size, cases = JOBS[job]
    seconds_of(cases[0][1](size))  # tables are loaded at first use
    rows = sorted(measured(size, cases), reverse=True)
    print_table(
        f"{job}: {size:,} and {size * TIMES:,}",
        ("case", "less", "more", "ratio"),
        [(name, duration(less), duration(more), f"{ratio:.1f}") for ratio, name, less, more in rows[:SHOWN]],
    )
    return Goal(f"{job}: steepest growth over four times as much", rows[0][0], GOAL_RATIO)


def measured(size: int, cases: tuple[Case, ...]) -> Iterator[tuple[float, str, float, float]]:
    """Ratio, name, and the median seconds at both sizes."""
    for name, make in cases:
        runs = [[seconds_of(make(s)) for s in (size, size * TIMES)] for _ in range(RUNS)]
        less, more = (statistics.median(column) for column in zip(*runs, strict=True))
        yield more / max(less, 1e-3), name, less, more


def seconds_of(call: Callable[[], object]) -> float:
    """Processor time of one call."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def repeated(piece: str, size: int) -> str:
    """The piece over and over, to this many characters; headed so that no text was met before and kept."""
    return f"{next(HEADS)}\n{(piece * (size // len(piece) + 1))[:size]}"


def alike(count: int) -> str:
    """Sentences that differ in their numbers alone."""
    return "".join(f"Größe des Bauteils {n} ist 45,{n} mm. " for n in range(1, count + 1))


if __name__ == "__main__":
    main()
