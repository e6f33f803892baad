"""Several things at once, and work that goes on after a change: nothing is lost, nothing becomes something else."""

from __future__ import annotations

import gc
import io
import sqlite3
import threading

import pytest

from reviewapp.app import create_app
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.running.runner import Runner
from reviewapp.settings import Settings
from reviewapp.tests import counts, get_test, start_test
from reviewapp.workflows import put_workflow
from tests.field_cases.product import Product, prop

WIDTH = prop("width", unit="cm")
MEGABYTES = 30


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")  # werkzeug's test client leaves its own copy open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_67_two_people_answer_while_thirty_megabytes_come_in(product: Product) -> None:
    product.read({f"r{n:03}": f"Width {n + 1} cm" for n in range(100)}, [WIDTH])
    line = b'{"name":"big %d","text":"' + b"Lorem ipsum dolor sit amet. " * 100 + b'"}\n'
    content = b"".join(line % n for n in range(MEGABYTES * 1_000_000 // len(line)))
    statuses: list[int] = []

    def bring_in() -> None:
        form = {"collection": "other", "files": (io.BytesIO(content), "big.jsonl")}
        statuses.append(product.app.test_client().post("/w/default/records/files", data=form).status_code)

    def answer(first: int) -> None:
        client = product.app.test_client()
        for position in range(first, 100, 2):
            form = {"position": position, "name": "width", "decision": "accept"}
            statuses.append(client.post(f"/w/default/tests/{product.test}/answers", data=form).status_code)

    threads = [threading.Thread(target=bring_in), *(threading.Thread(target=answer, args=(n,)) for n in (0, 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(statuses) == {303}, "an answer that waits for more than some seconds is refused with 503"
    assert counts(product.workspace, product.test).answered == 100
    gc.collect()


@pytest.mark.slow
def test_68_a_file_that_another_program_holds_is_busy_and_the_answer_can_be_sent_again(product: Product) -> None:
    product.read({"a": "Width 5 cm"}, [WIDTH])
    other = sqlite3.connect(product.data.path / "workspaces" / "default.db", isolation_level=None)
    other.execute("begin immediate")
    form = {"position": 0, "name": "width", "decision": "accept"}
    busy = product.client.post(f"/w/default/tests/{product.test}/answers", data=form)
    assert busy.status_code == 503
    assert "Traceback" not in busy.text
    assert "not saved" in busy.text or "nothing was saved" in busy.text
    other.execute("rollback")
    other.close()
    assert product.answer("a", "width", "accept") == 303
    assert counts(product.workspace, product.test).answered == 1


def test_64_two_answers_of_two_people_are_both_kept(product: Product) -> None:
    product.read({"a": "Width 5 cm"}, [WIDTH])
    bob = create_app(Settings(data=product.data.path, person="Bob"), product.data).test_client()
    form = {"position": 0, "name": "width", "decision": "reject", "seen": 0}
    assert product.answer("a", "width", "accept", seen="0") == 303
    assert bob.post(f"/w/default/tests/{product.test}/answers", data=form).status_code == 409
    form["seen"] = 1
    assert bob.post(f"/w/default/tests/{product.test}/answers", data=form).status_code == 303
    told = [(row["reviewer"], row["decision"]) for row in product.table()]
    assert told == [("Ann", "accept"), ("Bob", "reject")]


def test_65_the_same_answer_sent_twice_is_one(product: Product) -> None:
    product.read({"a": "Width 5 cm", "b": "Width 6 cm"}, [WIDTH])
    form = {"position": 0, "name": "width", "decision": "accept", "seen": 0}
    path = f"/w/default/tests/{product.test}/answers"
    threads = [threading.Thread(target=lambda: product.app.test_client().post(path, data=form)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(product.workspace, product.test).answered == 1
    assert [(row["input"], row["decision"]) for row in product.table()] == [("a", "accept"), ("b", "")]


def test_112_a_changed_workflow_leaves_old_answers_as_they_were(product: Product) -> None:
    product.read({f"r{n}": f"Width {n + 10} cm, red" for n in range(10)}, [WIDTH])
    for n in range(5):
        assert product.answer(f"r{n}", "width", "accept") == 303
    old = product.test
    properties = (prop("width", unit="mm"), prop("colour", "keyword", options=("red", "blue")))
    put_workflow(
        product.workspace, WorkflowDefinition(name="field", collection="field", properties=properties), by="Ann"
    )
    product.test = start_test(product.workspace, workflow="field", everything=True, by="Ann").id
    Runner(product.data).run_until_idle()
    assert [p.unit for p in get_test(product.workspace, old).settings.properties] == ["cm"]
    assert [v.value for v in product.values().values()][:2] == [100.0, "red"]
    now = counts(product.workspace, product.test)
    assert (now.answered, now.answerable) == (0, 20)
    assert {row["unit"] for row in product.table() if row["property"] == "width"} == {"mm"}
    product.test = old
    assert [(row["unit"], row["expected"]) for row in product.table()][:2] == [("cm", "10.0"), ("cm", "11.0")]
