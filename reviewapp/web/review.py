"""The test page: look at what a test read, answer value by value, save the answers as the test's dataset.

Without script every answer is a form that comes back with the page (303). With htmx an answer brings back only what
it changed: its card, its input's row, the summary; or the next input, when nothing is left to answer on this one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flask import Blueprint, current_app, flash, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from reviewapp import answers, datasets, earlier, reviewers, second_looks, tests
from reviewapp.answer_rows import answer_rows
from reviewapp.corrections import corrected_value
from reviewapp.domain.answers import Answer
from reviewapp.domain.looks import Verdict
from reviewapp.errors import InvalidInput, StaleAnswer
from reviewapp.formats.answers_table import SHEETS
from reviewapp.languages import gettext, said
from reviewapp.web import context
from reviewapp.web.answer_form import AnswerForm
from reviewapp.web.cards import Card
from reviewapp.web.context import is_htmx, open_tests, partial, person, tell, workspace
from reviewapp.web.figures import in_words
from reviewapp.web.filters import plural
from reviewapp.web.presence import Presence
from reviewapp.web.review_replies import (
    TEMPLATE,
    WHOLE,
    blocks_of,
    card_piece,
    moved,
    partials,
    refused,
    respond,
    saved,
    stayed,
    told,
)
from reviewapp.web.review_view import ReviewPage, first_value, to_answer
from reviewapp.web.view import View
from reviewapp.workspaces import Workspace

pages = Blueprint("review", __name__, url_prefix="/w/<workspace>/tests/<test>")


@pages.get("/")
def show(test: str) -> Response:
    """One input of the test: the one that the address names, else the first with something to answer."""
    page = _page(test, request.args, position=request.args.get("input", type=int))
    page.value = request.args.get("value")
    page.counts_all = "count" in request.args
    if page.position is None or (page.in_order and page.value is None):
        page = _first(page)
    return context.page(TEMPLATE, block="review", **page.values())


@pages.get("/changes")
def changes(test: str) -> Response:
    """What changed since the version that the page shows: 204 while that is nothing.

    What others answered on this input is brought too; to the card in which somebody types (`open`) when they leave it.
    """
    page = _page(test, request.args, position=request.args.get("input", type=int))
    if page.poll_version == request.args.get("version"):
        return make_response("", 204)
    page.counts_all = True
    if page.position is None or ("unread" in request.args and page.input and page.input.result):
        return respond(_first(page), "review", "progress", "save")
    current, opened = request.args.get("at", type=int), request.args.get("open", type=int)
    names = page.test.settings.properties
    page.value = names[current].name if current is not None and current < len(names) else page.value
    seen = request.args.get("seen", 0, type=int)
    if any(card.index == opened and _is_news(card, seen, page.person) for card in page.cards):
        page.held = seen
    blocks = blocks_of(page)
    body = partials(blocks, "why", "chips", "poll", "inputs", "also", "progress", "save")
    changed = [card for card in page.cards if card.index != opened and _is_news(card, seen, page.person)]
    for card in changed:
        body += card_piece(blocks, card)
    if any(card.answered_by and card.answered_by[-1].spans for card in changed):
        body += partial("#text", blocks.render("marked_text"), WHOLE)
    return make_response(body)


@pages.get("/counts")
def counts(test: str) -> Response:
    """The chips with their numbers, where these would have kept the page waiting."""
    page = _page(test, request.args)
    page.counts_all = True
    return respond(page, "chips")


def _is_news(card: Card, seen: int, person: str) -> bool:
    """Whether somebody else did something on the value since."""
    if card.look is not None and card.look.by != person:
        return card.look.answer <= seen
    return any(step.id > seen and step.by != person for step in card.history)


@pages.post("/answers")
def answer(test: str) -> Response:
    """Save one answer. 422: it does not fit, 409: somebody else answered since; both bring back what was typed."""
    form = AnswerForm.of(request.form)
    page = _page(test, request.form, position=form.position)
    page.value = form.name
    try:
        _save(page, form)
    except (InvalidInput, StaleAnswer) as error:
        return refused(page, form, error)
    return saved(page.again(), form)


def _save(page: ReviewPage, form: AnswerForm) -> None:
    """Save what the form says. Raises InvalidInput, StaleAnswer."""
    test = page.test.id
    if form.is_as_before:
        earlier.take_over(workspace(), test, form.position, form.name, by=person(), seen=form.seen, among=open_tests())
        return
    decision = form.decide(lambda: _card_of(page, form))
    answers.save_answer(
        workspace(),
        test,
        form.position,
        form.name,
        decision,
        by=person(),
        value=form.value if decision == "correct" else None,
        note=form.note,
        seen=form.seen,
        spans=form.spans_in(page.text or "") if form.start else (),
    )


@pages.get("/reading")
def reading(test: str) -> Response:
    """What a typed value would be saved as: ``= 60 cm`` for 600 mm; or why it does not fit."""
    found = tests.get_test(workspace(), test)
    prop = found.settings.property(request.args.get("name", ""))
    if prop is None:
        raise InvalidInput("There is no such property in this test; reload the page.", param="name")
    try:
        value = corrected_value(found, prop, request.args.get("value", ""), marked=request.args.get("marked"))
    except InvalidInput as error:
        return make_response(Markup('<span class="fault">{}</span>').format(said(error.message)))
    unit = f" {prop.unit}" if prop.unit else ""
    return make_response(Markup('<span class="dim">= {}{}</span>').format(in_words(value), unit))


@pages.post("/undo")
def undo(test: str) -> Response:
    """Take back this person's last step, wherever it was, and show it."""
    return _walked(test, answers.undo, "You have no answer here to take back.", "Taken back: {what}.")


@pages.post("/redo")
def redo(test: str) -> Response:
    """Give back what this person took back last, and show it."""
    return _walked(test, answers.redo, "There is nothing that you took back last.", "Given again: {what}.")


def _walked(test: str, walk: Callable[[Workspace, str, str], Answer | None], none: str, done: str) -> Response:
    page = _page(test, request.form)
    step = walk(workspace(), test, person())
    if step is None:
        return told(none, "none") or redirect(page.here(), 303)
    page.position, page.value = step.position, step.property
    several = f"all that you accepted at once, among them {step.property}"
    return moved(page, done.format(what=several if step.batch is not None else f"your answer on {step.property}"))


@pages.post("/looks")
def look(test: str) -> Response:
    """A second look at an answer: confirm it, or send it back."""
    position, name = request.form.get("position", type=int), request.form.get("name", "")
    verdict: Verdict = "send_back" if request.form.get("verdict") == "send_back" else "confirm"
    if position is None:
        raise InvalidInput("The look does not say which value it is at; reload the page.")
    page = _page(test, request.form, position=position)
    page.value = name
    note = " ".join(request.form.get("note", "").split())
    second_looks.look_again(
        workspace(), test, position, name, verdict, by=person(), seen=request.form.get("answer", type=int), note=note
    )
    fresh = page.again()
    done = (
        f"Confirmed: {name}." if verdict == "confirm" else f"Sent back: {name}; it is open again for who answered it."
    )
    after = to_answer(fresh, beside=(position, name)) if fresh.view.show == "look" else None
    if after is not None and after.position != position:
        return moved(after, done)
    fresh.value = name
    card = next(card for card in fresh.all_cards if card.name == name)
    return stayed(fresh, card, done)


@pages.post("/dataset")
def save(test: str) -> Response:
    """Make the test's dataset out of the standing answers, or update it."""
    dataset = datasets.save_dataset(workspace(), test, by=person())
    link = Markup('<a href="{}">{}</a>').format(url_for("datasets.show", dataset=dataset.id), dataset.name)
    message = Markup(gettext("Saved: %(items)s in dataset %(link)s. Download has both files.")) % {  # noqa: S704  # nosec B704
        "items": plural(dataset.item_count, "item"),
        "link": link,
    }
    if is_htmx():
        return make_response(partials(blocks_of(_page(test, request.form)), "save") + tell(message))
    flash(message, "ok")
    return redirect(url_for(".show", test=test), 303)


@pages.get("/answers.csv")
def table(test: str) -> Response:
    """Every value and answer as a table, sent in pieces; ``?form=`` as CSV, CSV with semicolons, or XLSX."""
    found = tests.get_test(workspace(), test)
    sheet = SHEETS.get(request.args.get("form", "csv"), SHEETS["csv"])
    rows = answer_rows(workspace(), test, by=person())
    response = Response(sheet.write(rows), content_type=sheet.media_type)
    name = f"{found.workflow}-test-{found.number}{sheet.suffix}"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


@pages.get("/inputs/<int:position>/page/<int:number>.png")
def picture(test: str, position: int, number: int) -> Response:
    """A page of the file that an input's text was taken from; `number` counts from 1."""
    input = tests.get_input(workspace(), test, position)
    response = make_response(tests.input_page_image(workspace(), input, number - 1))
    response.content_type = "image/png"
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


def _page(test: str, given: MultiDict[str, str], *, position: int | None = None) -> ReviewPage:
    """What an address or a form asks for; whoever is asked for inputs of their own sees those unless they say else."""
    here, name = workspace(), person()
    found = tests.get_test(here, test)
    asked = reviewers.is_asked(here, test, name)
    view = View.of(given, queue=asked)
    if found.overlap > 1 and view.answered_by not in (None, name):
        view = replace(view, answered_by=None)
    presence: Presence = current_app.extensions["presence"]
    if position is not None:
        presence.note(here.name, test, name, position)
    others = tuple(presence.others(here.name, test, name))
    may_answer = context.can("review.answer")
    return ReviewPage(here, found, view, name, position, others_here=others, is_asked=asked, may_answer=may_answer)


def _card_of(page: ReviewPage, form: AnswerForm) -> Card:
    card = next((card for card in page.all_cards if card.name == form.name), None)
    if card is None:
        raise InvalidInput(f"Input {form.position + 1} of this test has nothing to answer for {form.name!r}.")
    return card


def _first(page: ReviewPage) -> ReviewPage:
    """The page at the first value to answer; where there is none, at the first input of the filter."""
    found = to_answer(page)
    if found is not None:
        found.value = found.value or page.value
        return found
    if page.in_order:
        return first_value(page)
    rows = tests.list_inputs(page.workspace, page.test.id, page.view.filter(page.person), limit=1)
    page.position = rows[0].position if rows else None
    return page
