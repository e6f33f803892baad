"""Faults are told in the order in which a person goes through the files."""

from __future__ import annotations

import pytest

from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.findings import Findings, in_order
from reviewapp.formats.limits import FAULTS
from tests.formats.reading import faults


def test_faults_of_a_file_come_by_line() -> None:
    content = '{"name":"a"}\n[1]\n{"name":"b","text":"x"}\nnot json\n{"name":"c","text":[2]}\n{"name":"d"}'
    places = [fault.split(": ")[0] for fault in faults("r.jsonl", content)]
    assert places == [f"r.jsonl, line {number}" for number in (1, 2, 4, 5, 6)]


def test_files_stay_apart_and_what_concerns_a_whole_file_comes_first() -> None:
    places = ["b.csv, line 10", "a.csv, line 2", "b.csv, line 9", "a.csv", "t.xlsx, sheet Data, row 3", "b.csv"]
    told = [fault.place for fault in in_order([Fault(place, "x") for place in places])]
    assert told == ["b.csv", "b.csv, line 9", "b.csv, line 10", "a.csv", "a.csv, line 2", "t.xlsx, sheet Data, row 3"]


def test_the_sentence_about_too_many_faults_is_the_last() -> None:
    findings = Findings()
    with pytest.raises(ImportFaults) as told:  # noqa: PT012 - which of them is one too many is theirs to say
        for number in range(FAULTS, 0, -1):
            findings.fault(f"r.jsonl, line {number}", "x")
    faults = told.value.faults
    assert [fault.place for fault in faults[:2]] == ["r.jsonl, line 1", "r.jsonl, line 2"]
    assert "looking for more stopped here" in faults[-1].message
