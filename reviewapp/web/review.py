"""The test page: look at what a test read, answer value by value, save the answers as the test's dataset.

Without script every answer is a form that comes back with the page (303). With htmx an answer brings back only what
it changed: its card, its input's row, the summary; or the next input, when nothing is left to answer on this one.
"""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, flash, json, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from reviewapp import answers, datasets, tests
from reviewapp.answer_rows import answer_rows
from reviewapp.corrections import corrected_value
from reviewapp.domain.tests import ENDED
from reviewapp.domain.values import print_value
from reviewapp.errors import InvalidInput, StaleAnswer
from reviewapp.formats.answers_table import answers_csv
from reviewapp.web import context
from reviewapp.web.answer_form import AnswerForm
from reviewapp.web.cards import Card
from reviewapp.web.context import Blocks, is_htmx, partial, person, tell, workspace
from reviewapp.web.review_view import ReviewPage, View, to_answer

pages = Blueprint("review", __name__, url_prefix="/w/<workspace>/tests/<test>")

TEMPLATE = "review.html"
WHOLE = "outerHTML settle:0"
"""A card and a page are replaced as a whole, so that nothing typed for one value is left over for the next."""


@pages.get("/")
def show(test: str) -> Response:
    """One input of the test: the one that the address names, else the first with something to answer."""
    page = _page(test, View.of(request.args), position=request.args.get("input", type=int))
    page.value = request.args.get("value")
    if page.position is None:
        page = _first(page)
    return context.page(TEMPLATE, block="review", **page.values())


@pages.get("/changes")
def changes(test: str) -> Response:
    """What changed since the version that the page shows: 204 while that is nothing."""
    if tests.test_version(workspace(), test) == request.args.get("version", type=int):
        return make_response("", 204)
    page = _page(test, View.of(request.args), position=request.args.get("input", type=int))
    if page.position is None or ("unread" in request.args and page.input and page.input.result):
        return _respond(_first(page), "review", "progress", "save")
    return _respond(page, "bar", "inputs", "progress", "save")


@pages.post("/answers")
def answer(test: str) -> Response:
    """Save one answer. 422: it does not fit, 409: somebody else answered since; both bring back what was typed."""
    form = AnswerForm.of(request.form)
    page = _page(test, View.of(request.form), position=form.position)
    page.value = form.name
    try:
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
    except (InvalidInput, StaleAnswer) as error:
        return _refused(page, form, error)
    return _saved(page.again(), form)


@pages.get("/reading")
def reading(test: str) -> Response:
    """What a typed value would be saved as: ``= 60 cm`` for 600 mm; or why it does not fit."""
    found = tests.get_test(workspace(), test)
    prop = found.settings.property(request.args.get("name", ""))
    if prop is None:
        raise InvalidInput("There is no such property in this test; reload the page.", param="name")
    try:
        value = corrected_value(found, prop, request.args.get("value", ""))
    except InvalidInput as error:
        return make_response(Markup('<span class="fault">{}</span>').format(error.message))
    unit = f" {prop.unit}" if prop.unit else ""
    return make_response(Markup('<span class="dim">= {}{}</span>').format(print_value(value, prop.value_type), unit))


@pages.post("/undo")
def undo(test: str) -> Response:
    """Take back this person's last step, wherever it was, and show it."""
    view = View.of(request.form)
    step = answers.undo(workspace(), test, person())
    if step is None:
        return _told("You have no answer here to take back.", "none") or redirect(
            url_for(".show", test=test, **view.query()), 303
        )
    page = _page(test, view, position=step.position)
    page.value = step.property
    message = f"Taken back: your answer on {step.property}."
    return _moved(page, message)


@pages.post("/dataset")
def save(test: str) -> Response:
    """Make the test's dataset out of the standing answers, or update it."""
    dataset = datasets.save_dataset(workspace(), test, by=person())
    items = "1 item" if dataset.item_count == 1 else f"{dataset.item_count} items"
    link = url_for("datasets.show", dataset=dataset.id)
    message = Markup('Saved: {} in dataset <a href="{}">{}</a>. Download has both files.').format(
        items, link, dataset.name
    )
    if is_htmx():
        return make_response(_partials(_blocks(_page(test, View())), "save") + tell(message))
    flash(message, "ok")
    return redirect(url_for(".show", test=test), 303)


@pages.get("/answers.csv")
def table(test: str) -> Response:
    """Every value and answer as a table, sent in pieces."""
    found = tests.get_test(workspace(), test)
    response = Response(answers_csv(answer_rows(workspace(), test), bom=True), content_type="text/csv; charset=utf-8")
    name = f"{found.workflow}-test-{found.number}.csv"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _page(test: str, view: View, *, position: int | None = None) -> ReviewPage:
    return ReviewPage(workspace(), tests.get_test(workspace(), test), view, person(), position)


def _card_of(page: ReviewPage, form: AnswerForm) -> Card:
    card = next((card for card in page.all_cards if card.name == form.name), None)
    if card is None:
        raise InvalidInput(f"Input {form.position + 1} of this test has nothing to answer for {form.name!r}.")
    return card


def _first(page: ReviewPage) -> ReviewPage:
    """The page at the first value to answer; where there is none, at the first input of the filter."""
    found = to_answer(page, from_position=0)
    if found is not None:
        found.value = page.value
        return found
    rows = tests.list_inputs(page.workspace, page.test.id, page.view.filter(page.person), limit=1)
    page.position = rows[0].position if rows else None
    return page


def _refused(page: ReviewPage, form: AnswerForm, error: InvalidInput | StaleAnswer) -> Response:
    """The card again, with what was typed and why it was not saved."""
    card = next((card for card in page.cards if card.name == form.name), None)
    if card is None:
        raise error
    if isinstance(error, StaleAnswer):
        card, status = replace(card, clash=error.latest, typed=form.typed()), 409
    else:
        card, status = replace(card, typed=form.typed(error.message)), 422
    if is_htmx():
        return make_response(_card(_blocks(page), card), status)
    page.cards = [card if other.name == card.name else other for other in page.cards]
    return context.page(TEMPLATE, status=status, **page.values())


def _saved(page: ReviewPage, form: AnswerForm) -> Response:
    """On to the next value to answer: in this input, else in the next input that has one."""
    cards = page.all_cards
    at = next(index for index, card in enumerate(cards) if card.name == form.name)
    if form.takes_back:
        page.value = form.name
    else:
        onward = [c for c in cards[at + 1 :] + cards[:at] if c.is_open and page.view.shows(c)]
        page.value = onward[0].name if onward else None
    if page.value is not None:
        return _stayed(page, replace(cards[at], saved=True))
    after = to_answer(page, from_position=(page.position or 0) + 1)
    said = f"Saved: {form.name} of {page.input.label or page.input.iri}." if page.input else "Saved."
    if after is not None and after.position != page.position:
        return _moved(after, said)
    page.value = form.name
    return _stayed(page, replace(cards[at], saved=True), _nothing_left(page))


def _nothing_left(page: ReviewPage) -> str:
    if page.test.status not in ENDED:
        return "Every value read so far is answered; more appear in the list as they are read."
    if page.view.is_narrow:
        return "Every value shown here is answered. Show all for the others."
    return "Every value is answered. Save them as a dataset (s)."


def _stayed(page: ReviewPage, card: Card, message: str = "") -> Response:
    """The changed card, row and summary; the next card becomes the current one."""
    if not is_htmx():
        if message:
            flash(message, "ok")
        number = next((c.index for c in page.all_cards if c.name == page.value), card.index)
        return redirect(page.here(value=page.value) + f"#value-{number}", 303)
    blocks = _blocks(page)
    body = _card(blocks, card)
    if any(step.spans for step in card.history):
        body += partial("#text", blocks.render("marked_text"), WHOLE)
    body += _partials(blocks, "bar", "progress", "save") + _row(blocks, page)
    response = make_response(body + (tell(message) if message else _silence()))
    following = next((c for c in page.all_cards if c.name == page.value), card)
    response.headers["HX-Trigger"] = json.dumps({"next-value": {"value": f"value-{following.index}"}})
    return response


def _moved(page: ReviewPage, message: str) -> Response:
    """Another input is shown, with what was saved said in the status line."""
    address = page.here(value=page.value)
    if not is_htmx():
        flash(message, "ok")
        return redirect(address, 303)
    response = _respond(page, "review", "progress", "save")
    response.set_data(response.get_data() + tell(message).encode())
    response.headers["HX-Push-Url"] = page.here()
    return response


def _told(message: str, tone: str) -> Response | None:
    """For htmx a line of status; else the message waits for the next page."""
    if is_htmx():
        return make_response(tell(message, tone))
    flash(message, tone)
    return None


def _respond(page: ReviewPage, *blocks: str) -> Response:
    return make_response(_partials(_blocks(page), *blocks))


def _blocks(page: ReviewPage) -> Blocks:
    return Blocks(TEMPLATE, **page.values())


def _partials(blocks: Blocks, *names: str) -> Markup:
    """Blocks of the page, each for the element of the same id."""
    swaps = {"review": WHOLE}
    pieces = [partial(f"#{name}", blocks.render(name), swaps.get(name, "outerMorph")) for name in names]
    return Markup("").join(pieces)


def _card(blocks: Blocks, card: Card) -> Markup:
    return partial(f"#value-{card.index}", blocks.render("card", card=card), WHOLE)


def _row(blocks: Blocks, page: ReviewPage) -> Markup:
    row = page.row
    return partial(f"#input-{row.position}", blocks.render("input_row", row=row)) if row else Markup("")


def _silence() -> Markup:
    return partial("#status", "", "innerHTML")
