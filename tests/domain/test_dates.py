"""Dates as texts write them; what is missing, impossible or ambiguous is said."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.domain.dates import find_dates, read_date
from reviewapp.domain.workflows import Evidence, Rules

RULES, NOTHING = Rules(), Evidence()


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024/3/5", "2024-03-05"),
        ("2024.03.05", "2024-03-05"),
        ("2024-03-05T10:00:00Z", "2024-03-05"),
        ("25/12/2018", "2018-12-25"),
        ("12/25/2018", "2018-12-25"),
        ("25/12/18", "2018-12-25"),
        ("25.12.2018", "2018-12-25"),
        ("25/12/ 2018", "2018-12-25"),
        ("25 / 12 / 2018", "2018-12-25"),
        ("25/12/2018 8:13:39 PM", "2018-12-25"),
        ("07.01.2025", "2025-01-07"),
        ("05/05/2020", "2020-05-05"),
        ("99-12-31", "1999-12-31"),
        ("20181225", "2018-12-25"),
        ("5 March 2024", "2024-03-05"),
        ("5 MAR 24", "2024-03-05"),
        ("12-JAN-19", "2019-01-12"),
        ("12JAN2019", "2019-01-12"),
        ("12 Sept '18", "2018-09-12"),
        ("March 5, 2024", "2024-03-05"),
        ("Monday, March 5th, 2024", "2024-03-05"),
        ("January 31st, 2022", "2022-01-31"),
        ("2016 Jun 3", "2016-06-03"),
        ("18th day of April, 2001", "2001-04-18"),
        ("22ND day of May 2001", "2001-05-22"),
        ("the 10 day of\nJanuary, 2007", "2007-01-10"),
        ("3rd of June 2011", "2011-06-03"),
        ("5. März 2024", "2024-03-05"),
        ("1er janvier 2024", "2024-01-01"),
        ("14 août 2023", "2023-08-14"),
        ("5 de marzo de 2024", "2024-03-05"),
        ("2 maggio 2020", "2020-05-02"),
        ("7 mei 2021", "2021-05-07"),
        ("3 maja 2019", "2019-05-03"),
        ("1 de abril de 2022", "2022-04-01"),
        ("30 Mac 2018", "2018-03-30"),
        ("17 Agustus 2019", "2019-08-17"),
        ("9 мая 2020", "2020-05-09"),
        ("2024年3月5日", "2024-03-05"),
        ("١٥ مارس ٢٠٢٠", "2020-03-15"),
        ("Dec-25-2018", "2018-12-25"),
        ("25.Dez.2018", "2018-12-25"),
        ("25th of December, in the year 2018", "2018-12-25"),
        ("٢٥/١٢/٢٠١٨", "2018-12-25"),
        ("5.III.2024", "2024-03-05"),
        ("28 / XII / 1999", "1999-12-28"),
        ("2024-W10-2", "2024-03-05"),
        ("2020W537", "2021-01-03"),
        ("the fifth day of March, 2024", "2024-03-05"),
        ("Twenty-first of June 2011", "2011-06-21"),
        ("thirty first day of\nJanuary in the year 2007", "2007-01-31"),
        ("1st day of the month of March 2024", "2024-03-01"),
        ("5 fév. 2024", "2024-02-05"),
        ("3 de setiembre de 2024", "2024-09-03"),
        ("5. januára 2024", "2024-01-05"),
        ("Dienstag, den 5. März 2024", "2024-03-05"),
        ("5 марта 2024 г.", "2024-03-05"),
    ],
)
def test_one_way_of_writing(written: str, day: str) -> None:
    reading = read_date(written.removeprefix("the "), RULES, NOTHING)
    assert reading is not None
    assert (reading.value, reading.ambiguous) == (date.fromisoformat(day), None)


@pytest.mark.parametrize(
    ("written", "likelier", "other"),
    [
        ("3/10/2016", "2016-10-03", "2016-03-10"),
        ("03/04/2024", "2024-04-03", "2024-03-04"),
        ("12-01-19", "2019-01-12", "2019-12-01 or 2012-01-19"),
        ("24-03-05", "2005-03-24", "2024-03-05"),
        ("25-12-18", "2018-12-25", "2025-12-18"),
        ("5.II.2018", "2018-02-05", "2018-11-05"),
    ],
)
def test_two_readings_are_said(written: str, likelier: str, other: str) -> None:
    reading = read_date(written, RULES, NOTHING)
    assert reading is not None
    assert reading.value == date.fromisoformat(likelier)
    assert reading.ambiguous == f"{written!r} can be read as {likelier} or {other}"


@pytest.mark.parametrize(
    ("rules", "evidence", "day"),
    [
        (Rules(date_order="dmy"), NOTHING, "2016-10-03"),
        (Rules(date_order="mdy"), NOTHING, "2016-03-10"),
        (RULES, Evidence(day_first=1), "2016-10-03"),
        (RULES, Evidence(month_first=1), "2016-03-10"),
        (RULES, Evidence(month_first=8, day_first=1), "2016-03-10"),
        (Rules(date_order="dmy"), Evidence(month_first=8), "2016-10-03"),
    ],
)
def test_rules_then_evidence_settle_it(rules: Rules, evidence: Evidence, day: str) -> None:
    reading = read_date("3/10/2016", rules, evidence)
    assert reading is not None
    assert (reading.value, reading.ambiguous) == (date.fromisoformat(day), None)


@pytest.mark.parametrize(
    ("rules", "evidence", "day"),
    [
        (Rules(date_order="ymd"), NOTHING, "2024-03-05"),
        (Rules(date_order="dmy"), NOTHING, "2005-03-24"),
        (RULES, Evidence(day_first=1), "2005-03-24"),
    ],
)
def test_a_year_of_two_digits_may_come_first(rules: Rules, evidence: Evidence, day: str) -> None:
    reading = read_date("24-03-05", rules, evidence)
    assert reading is not None
    assert (reading.value, reading.ambiguous, reading.proves) == (date.fromisoformat(day), None, None)


def test_an_order_that_is_impossible_gives_way() -> None:
    reading = read_date("11/27/2017", Rules(date_order="dmy"), NOTHING)
    assert reading is not None
    assert reading.value == date(2017, 11, 27)
    assert reading.proves == "month_first"


@pytest.mark.parametrize(("last_20", "year"), [(69, 2069), (68, 1969), (0, 1969), (99, 2069)])
def test_two_digit_years(last_20: int, year: int) -> None:
    reading = read_date("25/12/69", Rules(two_digit_years=last_20), NOTHING)
    assert reading is not None
    assert reading.value == date(year, 12, 25)


@pytest.mark.parametrize(
    ("text", "incomplete"),
    [
        ("Valid from 2018-10", "day missing"),
        ("2004-11", "day missing"),
        ("--/--/1963", "day missing"),
        ("??/05/1963", "day missing"),
        ("12/--/1963", "month missing"),
        ("October 2018", "day missing"),
        ("06/2019", "day missing"),
        ("June 22", "year missing"),
        ("22 June", "year missing"),
        ("March 12th", "year missing"),
        ("05-2018", "day missing"),
    ],
)
def test_a_missing_part_is_never_filled_in(text: str, incomplete: str) -> None:
    (reading,) = find_dates(text, RULES, NOTHING)
    assert (reading.value, reading.incomplete) == (None, incomplete)


@pytest.mark.parametrize(
    "written",
    ["31/02/2020", "2019-02-29", "Feb 30, 2019", "45/45/2020", "2018-13-01", "30.II.2024", "2024-W60-1",
     "thirty-first day of June, 2011"],
)  # fmt: skip
def test_impossible_days(written: str) -> None:
    reading = read_date(written, RULES, NOTHING)
    assert reading is not None
    assert reading.value is None
    assert reading.impossible == f"{written!r} is no day of the calendar"


@pytest.mark.parametrize(
    "text",
    [
        "open 22-23 February",
        "part no. 1A2B",
        "version 1.2.3",
        "192.168.1.1",
        "you may 5",
        "304-0000   49,90",
        "1/2/3/4/2019",
        "12/5 16 4",
        "8:13:39",
        "TD01167104",
        "1/I/4",
        "12 V 2000 mA",
        "first of all, 2024",
        "2024-W10",
        "",
    ],
)
def test_no_date(text: str) -> None:
    assert find_dates(text, RULES, NOTHING) == []


@pytest.mark.parametrize("written", ["25/12/2O18", "25/l2/2018", "2018-l2-25"])
def test_letters_that_a_scan_put_for_digits_are_flagged(written: str) -> None:
    (reading,) = find_dates(f"DATE {written}", RULES, NOTHING)
    assert (reading.value, reading.ambiguous) == (
        date(2018, 12, 25),
        f"{written!r} has letters where digits should stand",
    )


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("13/5/2018-15/5/2018", ["2018-05-13", "2018-05-15"]),
        ("01.02.2018-05.03.2018", ["2018-02-01", "2018-03-05"]),
        ("Date: 20180428, ref 20180429", ["2018-04-28"]),
        ("20 Jan. 2018 – 3 Feb. 2018", ["2018-01-20", "2018-02-03"]),
        ("2024-03-05/2024-03-07", ["2024-03-05", "2024-03-07"]),
        ("du 5 mars 2024 au 7 mars 2024", ["2024-03-05", "2024-03-07"]),
    ],
)
def test_spans_of_time(text: str, days: list[str]) -> None:
    assert [str(d.value) for d in find_dates(text, RULES, NOTHING)] == days


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("13/5/2018-15/5/2018", "13/5/2018-15/5/2018"),
        ("valid 2024-03-05/2024-03-07", "2024-03-05/2024-03-07"),
        ("vom 1. Februar 2024 bis zum 3. Februar 2024", "1. Februar 2024 bis zum 3. Februar 2024"),
        ("from March 5, 2024 through March 7, 2024.", "March 5, 2024 through March 7, 2024"),
    ],
)
def test_the_ends_of_a_span_are_no_single_day(text: str, words: str) -> None:
    doubts = [d.ambiguous for d in find_dates(text, RULES, NOTHING)]
    assert doubts == [f"{words!r} is a span of days, not a single one"] * 2


@pytest.mark.parametrize(
    "text",
    ["2024-03-05, 2024-03-07", "13/5/2018\n15/5/2018", "due 2024-03-07 / 2024-03-05", "2024-03-05 and 2024-03-07"],
)
def test_dates_beside_each_other_are_no_span(text: str) -> None:
    assert [d.ambiguous for d in find_dates(text, RULES, NOTHING)] == [None, None]


@pytest.mark.parametrize(
    "words",
    ["ca. 5. März 2024", "about 5 March 2024", "~2024-03-05", "on or about March 5, 2024", "environ le 5 mars 2024"],
)
def test_an_estimate_is_no_exact_day(words: str) -> None:
    (reading,) = find_dates(f"Date: {words}", RULES, NOTHING)
    assert reading.value == date(2024, 3, 5)
    assert reading.ambiguous == f"{words.removeprefix('on or ')!r} is no exact day"


def test_dates_of_a_text() -> None:
    text = "From 19/04/2018 to 05/04/2018, invoice 8 Mar 17"
    found = find_dates(text, RULES, Evidence(day_first=1))
    assert [(text[d.start : d.end], str(d.value)) for d in found] == [
        ("19/04/2018", "2018-04-19"),
        ("05/04/2018", "2018-04-05"),
        ("8 Mar 17", "2017-03-08"),
    ]


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_iso_and_english_dates_read_back(day: date) -> None:
    for written in (day.isoformat(), day.strftime("%d %B %Y"), day.strftime("%B %d, %Y"), day.strftime("%d.%m.%Y")):
        reading = read_date(written, RULES, NOTHING)
        assert reading is not None, written
        assert reading.value == day, written


@given(st.text(alphabet="0123456789/.-, JanuryMachofpFbd'\n", max_size=60))
def test_spans_are_in_order(text: str) -> None:
    end = 0
    for reading in find_dates(text, RULES, NOTHING):
        assert end <= reading.start < reading.end <= len(text)
        assert [reading.value, reading.incomplete, reading.impossible].count(None) == 2
        end = reading.end


@pytest.mark.parametrize(
    "piece", ["9", " ", "1/", "1 ", "1/1/", "may ", "1 may ", "may 1", "1-1-1-", "--/", "1.1.", "a"]
)
@pytest.mark.timeout(120)
def test_a_piece_over_and_over_comes_to_an_end(piece: str) -> None:
    """How the time grows is measured by `bench.growth`."""
    find_dates(piece * (100_000 // len(piece)), RULES, NOTHING)
