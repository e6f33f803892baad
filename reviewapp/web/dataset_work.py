"""Datasets put together, split, added to, looked through for twins: what would come of it is shown, then it is done."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from reviewapp import datasets, tests
from reviewapp.domain.tests import Test
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.web.context import page, person, workspace

pages = Blueprint("dataset_work", __name__, url_prefix="/w/<workspace>/datasets/<dataset>")

OFFERED = 50
"""Most datasets or tests to choose from, the newest."""
SHOWN = 20
"""Items shown of what would come of it."""
USUAL_SHARE = "80"

Form = MultiDict[str, str]


@pages.get("/merge")
def merging(dataset: str) -> Response:
    """What merging with those chosen gives; without any, the choice."""
    return _merge_page(dataset, request.args)


@pages.post("/merge")
def merge(dataset: str) -> Response:
    form = request.form
    ids, prefer_last = [dataset, *form.getlist("other")], "prefer_last" in form
    try:
        made = datasets.merge_datasets(workspace(), ids, form.get("name", ""), prefer_last=prefer_last, by=person())
    except (Conflict, InvalidInput) as error:
        return _merge_page(dataset, form, error)
    flash(f"Made: {made.name}. Items: {made.item_count:,}.", "ok")
    return redirect(url_for("datasets.show", dataset=made.id), 303)


def _merge_page(dataset: str, form: Form, error: Conflict | InvalidInput | None = None) -> Response:
    here, chosen = workspace(), form.getlist("other")
    kept = datasets.get_dataset(here, dataset)
    others = [d for d in reversed(datasets.list_datasets(here, limit=OFFERED)) if d.id != dataset]
    merged = [d for d in others if d.id in chosen]
    plan = None
    if chosen or "look" in form:
        try:
            plan = datasets.plan_merge(here, [dataset, *chosen])
        except InvalidInput as fault:
            error = error or fault
    return page(
        "dataset_merge.html",
        status=422 if error else 200,
        dataset=kept,
        others=others,
        chosen=merged,
        name=form.get("name") or " + ".join(d.name for d in (kept, *merged))[:200],
        form=form,
        plan=plan,
        shown=SHOWN,
        fault=error.message if error else None,
    )


@pages.get("/split")
def splitting(dataset: str) -> Response:
    """How a split would come out; without having been asked, the form."""
    return _split_page(dataset, request.args)


@pages.post("/split")
def split(dataset: str) -> Response:
    form = request.form
    try:
        share, pattern = _how(form)
        first, second = datasets.split_dataset(
            workspace(),
            dataset,
            (form.get("first", ""), form.get("second", "")),
            share=share,
            pattern=pattern,
            seed=form.get("seed", ""),
            by=person(),
        )
    except InvalidInput as error:
        return _split_page(dataset, form, error)
    flash(f"Made: {first.name} ({first.item_count:,}) and {second.name} ({second.item_count:,}).", "ok")
    return redirect(url_for("datasets.index"), 303)


def _split_page(dataset: str, form: Form, error: InvalidInput | None = None) -> Response:
    here = workspace()
    kept = datasets.get_dataset(here, dataset)
    plan = None
    if error is None and "look" in form:
        try:
            share, pattern = _how(form)
            plan = datasets.plan_split(here, dataset, share=share, pattern=pattern, seed=form.get("seed", ""))
        except InvalidInput as fault:
            error = fault
    return page(
        "dataset_split.html",
        status=422 if error else 200,
        dataset=kept,
        form=form,
        share="" if form.get("pattern") else form.get("share", USUAL_SHARE),
        plan=plan,
        shown=SHOWN,
        faults={error.param or "share": error.message} if error else {},
    )


def _how(form: Form) -> tuple[float | None, str | None]:
    """(share, pattern), one of them: names count instead of the share that the form offers. Raises InvalidInput."""
    typed, pattern = form.get("share", "").strip(), form.get("pattern", "").strip()
    if pattern or not typed:
        return None, pattern or None
    try:
        number = float(typed.rstrip("% ").replace(",", "."))
    except ValueError:
        number = 0.0
    if not 0 < number < 100:
        raise InvalidInput(f"{typed[:20]!r} is no share; type a number from 1 to 99, such as 80.", param="share")
    return (number if number < 1 else number / 100), None


@pages.get("/add-answers")
def answering(dataset: str) -> Response:
    """What the answers of the chosen tests would change; without any, the choice."""
    return _answers_page(dataset, request.args)


@pages.post("/add-answers")
def add_answers(dataset: str) -> Response:
    form = request.form
    try:
        changed = datasets.add_answers(
            workspace(), dataset, form.getlist("test"), seen=form.get("seen", type=int), by=person()
        )
    except (Conflict, InvalidInput) as error:
        return _answers_page(dataset, form, error)
    flash(f"Added: {changed.name} has version {changed.version} now. Items: {changed.item_count:,}.", "ok")
    return redirect(url_for("datasets.show", dataset=dataset), 303)


def _answers_page(dataset: str, form: Form, error: Conflict | InvalidInput | None = None) -> Response:
    here, chosen = workspace(), form.getlist("test")
    kept = datasets.get_dataset(here, dataset)
    plan = None
    if chosen or "look" in form:
        try:
            plan = datasets.plan_answers(here, dataset, chosen)
        except InvalidInput as fault:
            error = error or fault
    return page(
        "dataset_answers.html",
        status=422 if error else 200,
        dataset=kept,
        tests=_answered_tests(),
        chosen=chosen,
        plan=plan,
        shown=SHOWN,
        fault=error.message if error else None,
    )


def _answered_tests() -> list[tuple[Test, int]]:
    """The newest tests with answers, and how many."""
    here = workspace()
    found = [(test, tests.counts(here, test.id).answered) for test in tests.list_tests(here, limit=OFFERED)]
    return [(test, answered) for test, answered in found if answered]


@pages.get("/duplicates")
def duplicates(dataset: str) -> Response:
    """Items with the same text, and where they contradict each other."""
    here = workspace()
    return page(
        "dataset_duplicates.html",
        dataset=datasets.get_dataset(here, dataset),
        groups=datasets.find_duplicates(here, dataset),
    )
