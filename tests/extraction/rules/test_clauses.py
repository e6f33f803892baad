"""Which of the periods of an agreement is its term, and which of its days is its own."""

from __future__ import annotations

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules.clauses import clause_features, paper_features
from reviewapp.extraction.rules.reader import RulesReader
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import concepts

TERM = Property(name="term_months", value_type="f64", unit="month")
DAY = Property(name="effective_date", value_type="date")
SETTINGS = WorkflowSettings(collection="agreements", properties=(TERM, DAY))
AGREEMENT, DUTY, DENIED = "how long the agreement runs", "how long a duty runs", "how long something may not be done"


def view_of(text: str) -> View:
    return RulesReader(SETTINGS).view_of(PreparedText(text), SETTINGS.rules, Evidence())


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The term of this Agreement shall be four (4) years unless ended upon 60 days' notice.", AGREEMENT),
        ("This Contract will remain in full force and effect for 18 months from its date.", AGREEMENT),
        ("This Agreement shall become binding when signed and shall expire five years after its date.", AGREEMENT),
        ("Either party's obligations under this Agreement shall survive for a period of six years.", DUTY),
        ("The restrictions on use of any drawing handed over by the Owner to the Recipient shall outlive any end of "
         "this Agreement and shall continue in full force for a period of seven years thereafter.", DUTY),
        ("For a period of one year neither party will hire any engineer of the other.", DENIED),
        ("The Buyer agrees that, for a period of nine months from the date hereof, unless invited by the Seller, "
         "it will not acquire any share of the Seller.", DENIED),
        ("The dependents of the Manager continue to receive such benefits for three months.", None),
        ("This Agreement becomes effective when both have signed, eight days later at most.", None),
        ("Dieser Vertrag gilt ab Unterzeichnung und endet nach 24 Monaten, sofern nichts anderes folgt.", AGREEMENT),
        ("Die Laufzeit beträgt 36 Monate.", AGREEMENT),
        ("Die Pflichten aus dieser Vereinbarung bestehen nach ihrem Ende noch 5 Jahre fort.", DUTY),
        ("Der Verkäufer wird für die Dauer von 2 Jahren nicht im Wettbewerb mit dem Käufer stehen.", DENIED),
    ],
)  # fmt: skip
def test_what_runs_so_long(sentence: str, said: str | None) -> None:
    view = view_of(f"They have met and talked about their plans for some time now. {sentence}")
    period = next(c for c in view.numbers if c.unit is not None)
    features = clause_features(concepts()["term"], period, view)
    assert [name for name in (AGREEMENT, DUTY, DENIED) if name in features] == ([said] if said else [])


@pytest.mark.parametrize(
    ("sentence", "back", "end"),
    [
        ("Customers served within the last twelve (12) months are named in a list.", True, False),
        ("A customer served in the 6 months preceding the signature is named in a list.", True, False),
        ("It shall continue for two years following termination of this Agreement.", False, True),
        ("It shall continue for two years from the date of this Agreement.", False, False),
    ],
)
def test_from_where_a_period_counts(sentence: str, back: bool, end: bool) -> None:
    view = view_of(f"They have met and talked about their plans for some time now. {sentence}")
    period = next(c for c in view.numbers if c.unit is not None)
    features = clause_features(concepts()["term"], period, view)
    assert ("counts back from a day" in features, "counts from an end" in features) == (back, end)


THIS, ANOTHER, NAMED = "dates this paper", "dates another paper", "named behind it as another paper"


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ('This Supply Agreement (the "Agreement") is dated as of 3 March 2031 and made between the parties.', {THIS}),
        ("The parties hereto have signed a License Agreement dated as of 3 March 2031, as amended.", {ANOTHER}),
        ('They rely on the Share Purchase Agreement dated 3 March 2031 (the "Purchase Agreement").', {ANOTHER, NAMED}),
        ('This Contract is made on 3 March 2031 (the "Effective Date") between the two firms named above.', {THIS}),
        ("This Contract replaces the Distribution Agreement of 3 March 2031 between the same parties.", {ANOTHER}),
        ("The parties met in the town of Bergen on 3 March 2031 and talked about their plans there.", set()),
        ("Diese Vereinbarung vom 3. März 2031 wird zwischen den unten genannten Parteien geschlossen.", {THIS}),
        ("Die Parteien haben den Rahmenvertrag vom 3. März 2031 geschlossen und führen ihn hiermit aus.", {ANOTHER}),
    ],
)
def test_which_paper_a_day_dates(sentence: str, said: set[str]) -> None:
    view = view_of(f"They have met and talked about their plans for some time now. {sentence}")
    assert set(paper_features(view.days[0], view)) == said


PAPER = """\
CONFIDENTIALITY AGREEMENT

This Confidentiality Agreement (the "Agreement") is made as of 14 June 2029 by and between Halden Marine AS and Ostrava
Pumps s.r.o. The parties refer to the Framework Agreement dated as of 2 February 2027 (the "Framework Agreement").

1. Use. The Recipient shall use the information for the purpose only and return it within ten (10) days of a request.

2. Staff. For a period of one (1) year after the date hereof neither party shall solicit any employee of the other.

3. Term. {term}

4. Survival. The obligations under Section 1 shall survive the end of this Agreement for a period of five (5) years.
"""


@pytest.mark.parametrize(
    ("term", "months"),
    [
        ("This Agreement shall remain in force for a period of three (3) years unless ended upon 30 days' notice.", 36),
        ("The term of this Agreement shall be eighteen (18) months from the date first above written.", 18),
        ("This Agreement will terminate two years after its date, provided that either party may end it sooner.", 24),
    ],
)  # fmt: skip
def test_the_term_and_the_day_among_others(term: str, months: int) -> None:
    values = {v.property: v for v in extract(PAPER.format(term=term), SETTINGS, Evidence()).values}
    assert values["term_months"].value == months
    assert values["effective_date"].value == "2029-06-14"
