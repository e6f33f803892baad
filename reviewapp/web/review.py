"""The test page: look at what a test read, answer value by value, save the answers as the test's dataset.

Without script every answer is a form that comes back with the page (303). With htmx an answer brings back only what
it changed: its card, its input's row, the summary; or the next input, when nothing is left to answer on this one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from flask import Blueprint, current_app, flash, json, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from reviewapp import answers, datasets, earlier, reviewers, second_looks, tests
from reviewapp.answer_rows import answer_rows
from reviewapp.corrections import corrected_value
from reviewapp.domain.answers import Answer
from reviewapp.domain.looks import Verdict
from reviewapp.domain.tests import ENDED
from reviewapp.domain.values import print_value
from reviewapp.errors import InvalidInput, StaleAnswer
from reviewapp.formats.answers_table import SHEETS
from reviewapp.languages import gettext, said
from reviewapp.web import context
from reviewapp.web.answer_form import AnswerForm
from reviewapp.web.cards import Card
from reviewapp.web.chips import Chip, unanswered_chip
from reviewapp.web.context import Blocks, is_htmx, open_tests, partial, person, tell, workspace
from reviewapp.web.filters import plural
from reviewapp.web.presence import Presence
from reviewapp.web.review_view import ReviewPage, first_value, to_answer
from reviewapp.web.view import View
from reviewapp.workspaces import Workspace

pages = Blueprint("review", __name__, url_prefix="/w/<workspace>/tests/<test>")

TEMPLATE = "review.html"
ANSWERED_CHIPS = ("unanswered", "disputed", "sent_back")
WHOLE = "outerHTML settle:0"
"""A card and a page are replaced as a whole, so that nothing typed for one value is left over for the next."""


@pages.get("/")
def show(test: str) -> Response:
    """One input of the test: the one that the address names, else the first with something to answer."""
    page = _page(test, request.args, position=request.args.get("input", type=int))
    page.value = request.args.get("value")
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
    if page.position is None or ("unread" in request.args and page.input and page.input.result):
        return _respond(_first(page), "review", "progress", "save")
    current, opened = request.args.get("at", type=int), request.args.get("open", type=int)
    names = page.test.settings.properties
    page.value = names[current].name if current is not None and current < len(names) else page.value
    seen = request.args.get("seen", 0, type=int)
    if any(card.index == opened and _is_news(card, seen, page.person) for card in page.cards):
        page.held = seen
    blocks = _blocks(page)
    body = _partials(blocks, "why", "chips", "poll", "inputs", "also", "progress", "save")
    changed = [card for card in page.cards if card.index != opened and _is_news(card, seen, page.person)]
    for card in changed:
        body += _card(blocks, card)
    if any(card.answered_by and card.answered_by[-1].spans for card in changed):
        body += partial("#text", blocks.render("marked_text"), WHOLE)
    return make_response(body)


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
        return _refused(page, form, error)
    return _saved(page.again(), form)


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
    return make_response(Markup('<span class="dim">= {}{}</span>').format(print_value(value, prop.value_type), unit))


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
        return _told(none, "none") or redirect(page.here(), 303)
    page.position, page.value = step.position, step.property
    several = f"all that you accepted at once, among them {step.property}"
    return _moved(page, done.format(what=several if step.batch is not None else f"your answer on {step.property}"))


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
        return _moved(after, done)
    fresh.value = name
    card = next(card for card in fresh.all_cards if card.name == name)
    return _stayed(fresh, card, done)


@pages.post("/dataset")
def save(test: str) -> Response:
    """Make the test's dataset out of the standing answers, or update it."""
    dataset = datasets.save_dataset(workspace(), test, by=person())
    link = Markup('<a href="{}">{}</a>').format(url_for("datasets.show", dataset=dataset.id), dataset.name)
    message = Markup(gettext("Saved: %(items)s in dataset %(link)s. Download has both files.")) % {  # noqa: S704
        "items": plural(dataset.item_count, "item"),
        "link": link,
    }
    if is_htmx():
        return make_response(_partials(_blocks(_page(test, request.form)), "save") + tell(message))
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
    elif page.in_order:
        page.value = None
    else:
        onward = [c for c in cards[at + 1 :] + cards[:at] if c.is_open and page.view.shows(c)]
        page.value = onward[0].name if onward else None
    if page.value is not None:
        return _stayed(page, replace(cards[at], saved=True))
    after = to_answer(page, beside=(form.position, form.name))
    said = f"Saved: {form.name} of {page.input.label or page.input.iri}." if page.input else "Saved."
    if after is not None and (after.position, after.value) not in ((page.position, None), (page.position, form.name)):
        return _moved(after, said)
    page.value = form.name
    return _stayed(page, replace(cards[at], saved=True), _nothing_left(page))


def _nothing_left(page: ReviewPage) -> str:
    if page.test.status not in ENDED:
        return "Every value read so far is answered; more appear in the list as they are read."
    if page.view.queue and not replace(page.view, queue=False).is_narrow:
        return "Every value that you were asked for is answered. Thank you."
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
    several = page.is_blind or card.look is not None
    chips = [c for c in page.chips if c.show in ANSWERED_CHIPS] if several else [unanswered_chip(page)]
    first = page.whole.answered <= 1  # with it there is something to save, or again nothing
    body += _chips(blocks, chips) + _partials(blocks, "progress", *(["save"] if first else [])) + _row(blocks, page)
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
    response.headers["HX-Push-Url"] = page.here(value=page.value if page.in_order else None)
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


def _chips(blocks: Blocks, chips: Sequence[Chip]) -> Markup:
    """The chips whose numbers an answer changes; the others stay, and so does what is typed beside them."""
    pieces = [partial(f"#chip-{chip.show}", blocks.render("chip", chip=chip)) for chip in chips]
    return Markup("").join(pieces)


def _row(blocks: Blocks, page: ReviewPage) -> Markup:
    row = None if page.in_order else page.row
    return partial(f"#input-{row.position}", blocks.render("input_row", row=row)) if row else Markup("")


def _silence() -> Markup:
    return partial("#status", "", "innerHTML")
