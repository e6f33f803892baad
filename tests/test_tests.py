"""Starting tests, their results, summaries and lists."""

from __future__ import annotations

import threading

import pytest

from reviewapp import tests as use
from reviewapp.answers import save_answer
from reviewapp.domain.places import Region
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord, Page, Word
from reviewapp.domain.tests import InputFilter, InputResult, TestCounts
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.errors import InvalidInput, NotFound, OpenTest
from reviewapp.records import delete_record, import_records
from reviewapp.workflows import get_workflow, put_workflow
from tests.builders import COLOUR, WIDTH, done, records, started, value

TEN = {f"Item {n}": f"Width {n} cm" for n in range(10)}


@pytest.fixture
def shelves(workspace):
    import_records(workspace, "tenders", records(TEN), by="eva")
    put_workflow(
        workspace, WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH, COLOUR)), by="eva"
    )
    return workspace


@pytest.mark.parametrize(
    ("chosen", "labels"),
    [
        ({}, [f"Item {n}" for n in range(6)]),
        ({"sample": 2}, ["Item 0", "Item 1"]),
        ({"sample": 99}, list(TEN)),
        ({"everything": True}, list(TEN)),
        ({"iris": ["record:tenders/Item%207", "record:tenders/Item%202"]}, ["Item 7", "Item 2"]),
        ({"iris": ["record:tenders/Item%207", "record:tenders/Item%207"]}, ["Item 7"]),
    ],
)
def test_inputs_are_chosen_and_fixed(shelves, chosen, labels):
    test = use.start_test(shelves, workflow="shelves", by="eva", **chosen)
    assert (test.status, test.input_count, test.number, test.installed) == ("queued", len(labels), 1, True)
    assert test.revision == get_workflow(shelves, "shelves").active.id
    delete_record(shelves, "record:tenders/Item%207", "eva")
    inputs = use.get_inputs(shelves, test.id)
    assert [i.label for i in inputs] == labels
    assert use.input_text(shelves, inputs[0]) == TEN[labels[0]]
    assert all(i.result is None for i in inputs)


@pytest.mark.parametrize(
    ("arguments", "param"),
    [
        ({"workflow": None}, "name"),
        ({"definition": WorkflowDefinition(name="x", collection="tenders")}, "name"),
        (
            {"workflow": None, "definition": WorkflowDefinition(name="x", collection="tenders"), "revision": "r"},
            "revision",
        ),
        ({"sample": 0}, "sample"),
        ({"sample": 2, "everything": True}, "sample"),
        ({"iris": []}, "iris"),
        ({"iris": ["nowhere"]}, "iris"),
        ({"iris": ["bad \ud83d"]}, "iris"),
        ({"overlap": 0}, "overlap"),
    ],
)
def test_starts_that_are_refused(shelves, arguments, param):
    with pytest.raises(InvalidInput) as caught:
        use.start_test(shelves, **{"workflow": "shelves", "by": "eva", **arguments})
    assert caught.value.param == param
    assert use.list_tests(shelves) == []


def test_unknown_workflow_and_revision(shelves):
    with pytest.raises(NotFound):
        use.start_test(shelves, workflow="racks", by="eva")
    with pytest.raises(NotFound):
        use.start_test(shelves, workflow="shelves", revision="wrev_0", by="eva")


def test_an_empty_collection_has_nothing_to_test(shelves):
    for iri in list(use.get_inputs(shelves, use.start_test(shelves, workflow="shelves", everything=True, by="e").id)):
        delete_record(shelves, iri.iri, "eva")
    use.cancel_test(shelves, use.list_tests(shelves)[0].id, "eva")
    with pytest.raises(InvalidInput, match="has no records to test on"):
        use.start_test(shelves, workflow="shelves", by="eva")


def test_a_missing_record_and_one_without_text_are_inputs_in_error(shelves):
    import_records(shelves, "tenders", [IncomingRecord(name="blank", text=" \n")], by="eva")
    iris = ["record:tenders/Item%201", "record:tenders/blank", "gone"]
    test = use.start_test(shelves, workflow="shelves", iris=iris, by="eva")
    errors = [i.result.error if i.result else None for i in use.get_inputs(shelves, test.id)]
    assert errors[0] is None
    assert errors[1] == "The record has no text."
    assert errors[2] is not None
    assert "'gone' is not among the records" in errors[2]
    assert [i.position for i in shelves.results.unread(test.id)] == [0]
    assert use.counts(shelves, test.id) == TestCounts(inputs=3, inputs_done=2)
    with pytest.raises(InvalidInput, match="could not be read"):
        save_answer(shelves, test.id, "gone", "width", "accept", by="ann")


def test_one_open_test_per_workflow(shelves):
    first = use.start_test(shelves, workflow="shelves", by="eva")
    with pytest.raises(OpenTest, match=first.id):
        use.start_test(shelves, workflow="shelves", by="tom")
    definition = WorkflowDefinition(name="other", collection="tenders", properties=(WIDTH,))
    other = use.start_test(shelves, definition=definition, by="tom")
    assert (other.installed, other.revision, other.workflow) == (False, None, "other")
    assert use.cancel_test(shelves, first.id, "eva").status == "cancelled"
    assert use.start_test(shelves, workflow="shelves", by="tom").number == 3


def test_settings_are_frozen_and_the_fingerprint_does_not_know_the_inputs(shelves):
    first = use.start_test(shelves, workflow="shelves", sample=1, by="eva")
    use.cancel_test(shelves, first.id, "eva")
    put_workflow(shelves, WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,)), by="eva")
    second = use.start_test(shelves, workflow="shelves", by="eva")
    use.cancel_test(shelves, second.id, "eva")
    third = use.start_test(shelves, workflow="shelves", revision=first.revision, sample=5, by="eva")
    assert first.fingerprint == third.fingerprint != second.fingerprint
    assert len(use.get_test(shelves, first.id).settings.properties) == 2
    assert len(get_workflow(shelves, "shelves").active.settings.properties) == 1  # running it activated nothing


def test_listeners_hear_of_starts_and_cancels_after_the_commit(shelves):
    heard: list[int] = []
    shelves.listeners.append(lambda: heard.append(len(use.list_tests(shelves))))
    test = use.start_test(shelves, workflow="shelves", by="eva")
    assert heard == [1]
    use.cancel_test(shelves, test.id, "eva")
    use.cancel_test(shelves, test.id, "eva")
    assert heard == [1, 1]


def test_a_result_is_written_once_and_never_after_the_end(shelves):
    test = use.start_test(shelves, workflow="shelves", sample=3, by="eva")
    first = InputResult(values=(value("width", 1.0),), milliseconds=2.5, cost_micro_usd=7)
    assert use.save_result(shelves, test.id, 1, first)
    assert not use.save_result(shelves, test.id, 1, InputResult(values=(value("width", 2.0),)))
    assert use.get_input(shelves, test.id, 1).result == first
    assert [i.position for i in shelves.results.unread(test.id)] == [0, 2]
    assert [i.position for i in shelves.results.unread(test.id, after=0)] == [2]
    assert use.cancel_test(shelves, test.id, "eva").cost_micro_usd == 7
    assert not use.save_result(shelves, test.id, 0, first)
    assert use.counts(shelves, test.id).inputs_done == 1
    assert shelves.tests.open_ids() == []


def test_statuses_only_go_forward(shelves):
    test = use.start_test(shelves, workflow="shelves", by="eva")
    shelves.tests.mark_running(test.id)
    running = use.get_test(shelves, test.id)
    assert running.status == "running"
    assert running.started is not None
    assert shelves.tests.finish(test.id, "failed", "The model is gone.")
    assert not shelves.tests.finish(test.id, "done")
    shelves.tests.mark_running(test.id)
    ended = use.cancel_test(shelves, test.id, "eva")
    assert (ended.status, ended.error) == ("failed", "The model is gone.")


def test_the_version_grows_with_all_that_can_be_seen(shelves):
    test = use.start_test(shelves, workflow="shelves", sample=1, by="eva")
    versions = [use.test_version(shelves, test.id)]
    for step in (
        lambda: shelves.tests.mark_running(test.id),
        lambda: use.save_result(shelves, test.id, 0, InputResult(values=(value("width", 1.0),))),
        lambda: save_answer(shelves, test.id, 0, "width", "accept", by="ann"),
        lambda: shelves.tests.finish(test.id, "done"),
    ):
        step()
        versions.append(use.test_version(shelves, test.id))
    assert versions == sorted(set(versions))
    assert use.get_test(shelves, test.id).version == versions[-1]


READINGS = {
    "Item 0": [value("width", 1.0), value("colour", "red", outcome="review", support=0.6)],
    "Item 1": [value("width", 1.0, outcome="weak_support", support=0.2)],
    "Item 2": [value("width", None, outcome="invalid_value", support=None, printed="wide")],
    "Item 3": InputResult(failed="The reply was cut off.", raw="{"),
    "Item 4": [
        value("width", 1.0),
        value("width", 2.0, outcome="duplicate"),
        value("age", 3, outcome="unknown_property"),
    ],
    "Item 5": [value("colour", "blue", support=0.8)],
}
"""Item 6 to 9: nothing read."""


def test_counts(workspace):
    test = done(workspace, TEN, READINGS)
    found = use.counts(workspace, test.id)
    assert found == TestCounts(
        inputs=10,
        inputs_done=10,
        passed=3,  # widths of 0 and 4, colour of 5
        review=1,
        no_value=12,  # colour of 1, 2, 4; width of 5; both of 6 to 9
        failed=5,  # 1, 2, the two of 4 and input 3
        answerable=18,
        answered=0,
    )


def test_two_inputs_with_four_properties():
    """The counts of a published example: 2 inputs × 4 properties, 6 values."""
    from reviewapp.store import Workspace

    names = ("a", "b", "c", "d")
    with Workspace.in_memory() as workspace:
        readings = {
            "x": [value(n, "v") for n in names],
            "y": [value("a", "v"), value("b", "v", outcome="review", support=0.6)],
        }
        test = done(workspace, {"x": "x", "y": "y"}, readings, properties=tuple(Property(name=n) for n in names))
        found = use.counts(workspace, test.id)
    assert (found.passed, found.review, found.no_value, found.failed) == (5, 1, 2, 0)


def test_progress_never_passes_a_hundred_percent(workspace):
    test = done(workspace, TEN, READINGS)
    for row in use.list_inputs(workspace, test.id, InputFilter(state="read")):
        for name in ("width", "colour"):
            save_answer(workspace, test.id, row.position, name, "cant_tell", by="ann")
    for position in (0, 1, 2):
        save_answer(workspace, test.id, position, "width", "correct", value=5, by="ann")
        save_answer(workspace, test.id, position, "width", "correct", value=6, by="tom")
    found = use.counts(workspace, test.id)
    assert (found.answered, found.answerable) == (18, 18)
    assert use.counts(workspace, test.id, by="tom").answered == 3
    assert use.count_inputs(workspace, test.id, InputFilter(unanswered=True)) == 0


FILTERS = [
    ({}, range(10)),
    ({"outcome": "written"}, [0, 4, 5]),
    ({"outcome": "review"}, [0]),
    ({"outcome": "written", "property": "colour"}, [5]),
    ({"outcome": "no_value"}, [1, 2, 4, 5, 6, 7, 8, 9]),
    ({"outcome": "no_value", "property": "width"}, [5, 6, 7, 8, 9]),
    ({"outcome": "dropped"}, [1, 2, 4]),
    ({"outcome": "failed"}, [1, 2, 3, 4]),
    ({"outcome": "duplicate"}, [4]),
    ({"property": "width"}, [0, 1, 2, 4]),
    ({"property": "width", "support_below": 0.5}, [1]),
    ({"property": "colour", "support_below": 0.5}, []),
    ({"support_from": 0.6, "support_below": 0.8}, [0]),
    ({"support_from": 0.8, "support_below": 0.85}, [5]),
    ({"state": "failed"}, [3]),
    ({"search": "item 7"}, [7]),
    ({"search": "WIDTH 3 CM"}, [3]),
    ({"search": "none of it"}, []),
    ({"unanswered": True}, [1, 2, 4, 5, 6, 7, 8, 9]),
    ({"unanswered": True, "property": "width"}, [2, 4, 5, 6, 7, 8, 9]),
    ({"answered_by": "ann"}, [0, 1]),
    ({"answered_by": "ann", "property": "colour"}, [0]),
    ({"answered_by": "tom"}, []),
    ({"decision": "cant_tell"}, [1]),
    ({"decision": "accept", "outcome": "review"}, [0]),
]


@pytest.mark.parametrize(("filter", "positions"), FILTERS)
def test_filters(workspace, filter, positions):
    test = done(workspace, TEN, READINGS)
    save_answer(workspace, test.id, 0, "width", "accept", by="ann")
    save_answer(workspace, test.id, 0, "colour", "accept", by="ann")
    save_answer(workspace, test.id, 1, "width", "cant_tell", by="ann")
    wanted = InputFilter(**filter)
    rows = use.list_inputs(workspace, test.id, wanted)
    assert [r.position for r in rows] == list(positions)
    assert use.count_inputs(workspace, test.id, wanted) == len(rows)
    middle = use.list_inputs(workspace, test.id, wanted, after=1, limit=2)
    assert middle == [r for r in rows if r.position > 1][:2]
    last = use.list_inputs(workspace, test.id, wanted, before=8, limit=2)
    assert last == [r for r in rows if r.position < 8][-2:]


@pytest.mark.parametrize("filter", [f for f, _ in FILTERS])
def test_no_filter_goes_over_all_values_for_every_input(workspace, queries, filter):
    test = done(workspace, TEN, READINGS)
    queries.clear()
    use.list_inputs(workspace, test.id, InputFilter(**filter), by="ann")
    use.count_inputs(workspace, test.id, InputFilter(**filter))
    use.next_open(workspace, test.id, InputFilter(**filter), by="ann")
    selects = [q for q in queries if q.lower().startswith("select")]
    assert selects
    with workspace.connections.read() as c:
        for query in selects:
            plan = [row[3] for row in c.execute(f"explain query plan {query}").fetchall()]
            for step in plan:
                if step.startswith(("SEARCH v ", "SEARCH a ", "SEARCH test_values", "SEARCH answers_in_force")):
                    assert "position" in step, (query, plan)
                assert not step.startswith(("SCAN i", "SCAN v", "SCAN a ", "SCAN test_values")), (query, plan)


def test_support_of_another_property_does_not_count(workspace):
    """Record 1: a 0.2, b 0.9; record 2: a 0.8, b 0.1; wanted: a below 0.5."""
    readings = {
        "r1": [value("a", "x", support=0.2, outcome="weak_support"), value("b", "x", support=0.9)],
        "r2": [value("a", "x", support=0.8), value("b", "x", support=0.1, outcome="weak_support")],
    }
    test = done(workspace, {"r1": "1", "r2": "2"}, readings, properties=(Property(name="a"), Property(name="b")))
    wanted = InputFilter(property="a", support_below=0.5)
    assert [r.label for r in use.list_inputs(workspace, test.id, wanted)] == ["r1"]
    assert use.count_inputs(workspace, test.id, wanted) == 1


def test_rows_carry_progress_and_outcomes(workspace):
    test = done(workspace, TEN, READINGS)
    save_answer(workspace, test.id, 0, "width", "accept", by="ann")
    save_answer(workspace, test.id, 0, "width", "accept", by="tom")
    save_answer(workspace, test.id, 0, "colour", "accept", by="tom")
    rows = use.list_inputs(workspace, test.id, by="ann")
    assert (rows[0].answerable, rows[0].answered, rows[0].mine) == (2, 2, 1)
    assert rows[0].outcomes == {"written": 1, "review": 1}
    assert (rows[3].state, rows[3].answerable, rows[3].no_value) == ("failed", 0, 0)
    assert (rows[4].outcomes, rows[4].no_value) == ({"written": 1, "duplicate": 1, "unknown_property": 1}, 1)
    assert rows[6].no_value == 2


def test_a_page_costs_a_fixed_number_of_queries(workspace, queries):
    test = done(workspace, {f"r{n:03}": f"Width {n}" for n in range(200)}, {})
    costs = []
    for limit in (10, 200):
        queries.clear()
        assert len(use.list_inputs(workspace, test.id, by="ann", limit=limit)) == limit
        use.counts(workspace, test.id)
        use.get_test(workspace, test.id)
        use.get_input(workspace, test.id, limit - 1)
        costs.append(len(queries))
    assert costs[0] == costs[1] <= 14


def test_tests_newest_first(shelves):
    ids = []
    for _ in range(3):
        ids.append(use.start_test(shelves, workflow="shelves", by="eva").id)
        use.cancel_test(shelves, ids[-1], "eva")
    assert [t.id for t in use.list_tests(shelves, limit=2)] == ids[:0:-1]
    assert [t.id for t in use.list_tests(shelves, after=ids[1])] == ids[:1]
    assert use.list_tests(shelves, workflow="other") == []


def test_what_is_not_there(workspace):
    test = done(workspace, TEN, {})
    for call in (use.get_test, use.counts, use.test_version, lambda w, i: use.cancel_test(w, i, "eva")):
        with pytest.raises(NotFound, match="There is no test 'wtest_0'"):
            call(workspace, "wtest_0")
    for at in (10, "nowhere"):
        with pytest.raises(NotFound):
            use.get_input(workspace, test.id, at)
    assert use.list_inputs(workspace, "wtest_0") == []
    with pytest.raises(InvalidInput, match="Half of a surrogate pair"):
        use.get_input(workspace, test.id, "\ud83d")


def test_results_of_pages_get_their_region(workspace):
    text = "Width 3 cm\fColour red"
    boxes = {(0, 5): (0.1, 0.2), (6, 7): (0.2, 0.3), (8, 10): (0.3, 0.4)}
    words = tuple(
        Word(start=s, end=e, region=Region(page=0, x0=x0, y0=0.5, x1=x1, y1=0.6)) for (s, e), (x0, x1) in boxes.items()
    )
    pages = (Page(number=0, start=0, end=10, width=595, height=842, words=words),)
    import_records(workspace, "papers", [IncomingRecord(name="p", text=text, pages=pages, file=b"%PDF")], by="eva")
    definition = WorkflowDefinition(name="papers", collection="papers", properties=(WIDTH, COLOUR))
    put_workflow(workspace, definition, by="eva")
    test = use.start_test(workspace, workflow="papers", by="eva")
    read = (value("width", 3.0, text=text, quote="3 cm"), value("colour", "red", text=text, quote="red"))
    assert use.save_result(workspace, test.id, 0, InputResult(values=read))
    width, colour = use.get_input(workspace, test.id, 0).result.values
    assert width.region == Region(page=0, x0=0.2, y0=0.5, x1=0.4, y1=0.6)
    assert colour.region is None


def test_results_arrive_from_many_threads(workspace):
    test = started(workspace, {f"r{n}": str(n) for n in range(80)})
    saved: list[bool] = []

    def work() -> None:
        for position in range(80):
            saved.append(use.save_result(workspace, test.id, position, InputResult(values=(value("width", 1.0),))))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert saved.count(True) == 80
    assert use.counts(workspace, test.id).passed == 80
