"""What answers of the test page are answered with: the page again, or with htmx only what changed on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import flash, json, make_response, redirect
from markupsafe import Markup
from werkzeug.wrappers import Response

from reviewapp.domain.tests import ENDED
from reviewapp.errors import InvalidInput, StaleAnswer
from reviewapp.web import context
from reviewapp.web.answer_form import AnswerForm
from reviewapp.web.cards import Card
from reviewapp.web.chips import Chip, chips_to_answer
from reviewapp.web.context import Blocks, is_htmx, partial, tell
from reviewapp.web.review_view import ReviewPage, to_answer

TEMPLATE = "review.html"
WHOLE = "outerHTML settle:0"
"""A card and a page are replaced as a whole, so that nothing typed for one value is left over for the next."""


def refused(page: ReviewPage, form: AnswerForm, error: InvalidInput | StaleAnswer) -> Response:
    """The card again, with what was typed and why it was not saved."""
    card = next((card for card in page.cards if card.name == form.name), None)
    if card is None:
        raise error
    if isinstance(error, StaleAnswer):
        card, status = replace(card, clash=error.latest, typed=form.typed()), 409
    else:
        card, status = replace(card, typed=form.typed(error.message)), 422
    if is_htmx():
        return make_response(card_piece(blocks_of(page), card), status)
    page.cards = [card if other.name == card.name else other for other in page.cards]
    return context.page(TEMPLATE, status=status, **page.values())


def saved(page: ReviewPage, form: AnswerForm) -> Response:
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
        return stayed(page, replace(cards[at], saved=True))
    after = to_answer(page, beside=(form.position, form.name))
    said = f"Saved: {form.name} of {page.input.label or page.input.iri}." if page.input else "Saved."
    if after is not None and (after.position, after.value) not in ((page.position, None), (page.position, form.name)):
        return moved(after, said)
    page.value = form.name
    return stayed(page, replace(cards[at], saved=True), _nothing_left(page))


def _nothing_left(page: ReviewPage) -> str:
    if page.test.status not in ENDED:
        return "Every value read so far is answered; more appear in the list as they are read."
    if page.view.queue and not replace(page.view, queue=False).is_narrow:
        return "Every value that you were asked for is answered. Thank you."
    if page.view.is_narrow:
        return "Every value shown here is answered. Show all for the others."
    return "Every value is answered. Save them as a dataset (s)."


def stayed(page: ReviewPage, card: Card, message: str = "") -> Response:
    """The changed card, row and summary; the next card becomes the current one."""
    if not is_htmx():
        if message:
            flash(message, "ok")
        number = next((c.index for c in page.all_cards if c.name == page.value), card.index)
        return redirect(page.here(value=page.value) + f"#value-{number}", 303)
    blocks = blocks_of(page)
    body = card_piece(blocks, card)
    if any(step.spans for step in card.history):
        body += partial("#text", blocks.render("marked_text"), WHOLE)
    chips = chips_to_answer(page, several=page.is_blind or card.look is not None)
    first = page.whole.answered <= 1  # with it there is something to save, or again nothing
    body += _chips(blocks, chips) + partials(blocks, "progress", *(["save"] if first else [])) + _row(blocks, page)
    response = make_response(body + (tell(message) if message else _silence()))
    following = next((c for c in page.all_cards if c.name == page.value), card)
    response.headers["HX-Trigger"] = json.dumps({"next-value": {"value": f"value-{following.index}"}})
    return response


def moved(page: ReviewPage, message: str) -> Response:
    """Another input is shown, with what was saved said in the status line."""
    address = page.here(value=page.value)
    if not is_htmx():
        flash(message, "ok")
        return redirect(address, 303)
    response = respond(page, "review", "progress", "save")
    response.set_data(response.get_data() + tell(message).encode())
    response.headers["HX-Push-Url"] = page.here(value=page.value if page.in_order else None)
    return response


def told(message: str, tone: str) -> Response | None:
    """For htmx a line of status; else the message waits for the next page."""
    if is_htmx():
        return make_response(tell(message, tone))
    flash(message, tone)
    return None


def respond(page: ReviewPage, *blocks: str) -> Response:
    return make_response(partials(blocks_of(page), *blocks))


def blocks_of(page: ReviewPage) -> Blocks:
    return Blocks(TEMPLATE, **page.values())


def partials(blocks: Blocks, *names: str) -> Markup:
    """Blocks of the page, each for the element of the same id."""
    swaps = {"review": WHOLE}
    pieces = [partial(f"#{name}", blocks.render(name), swaps.get(name, "outerMorph")) for name in names]
    return Markup("").join(pieces)


def card_piece(blocks: Blocks, card: Card) -> Markup:
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
