"use strict";
/* Keys, the active value, marking words in the text, and saying what is saved.
   The pages work without it: each action here presses a button or follows a link that is on the page. */
(() => {
  const DOUBLE_PRESS_MS = 150; // whoever answers this soon after a value came up has not seen it
  const WORDS_END_MS = 800; // keys closer together than this are one word
  const KEEPS_TYPED = new Set([409, 422]); // answers that bring the card back with what was typed and why not

  let readyAt = 0; // answers count from this moment on
  let wordsUntil = 0; // until then keys go on with words for a field that could not be opened yet
  let isPressed = false; // the mouse, or a finger
  let underWay = 0; // answers sent and not yet answered
  let own = {}; // pressed key → the action's usual key
  let current = null; // the active card, to see when the server has brought another in its place
  let shown = null; // the #review element whose values are on the page
  const sent = new WeakMap(); // card → the button that was pressed last, to send it again

  const texts = JSON.parse(document.body.dataset.words); // what the script says, in the language of the page

  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const activeCard = () => find(".card[aria-current]");
  const isTyping = (element) => element.closest?.("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio])");

  /* -- the active value ------------------------------------------------------------------------------------ */

  function activate(card, { pause = false, focus = true } = {}) {
    if (!card) return;
    for (const other of all(".card[aria-current]")) {
      if (other !== card) other.removeAttribute("aria-current");
    }
    if (!card.hasAttribute("data-open")) stopCorrecting();
    card.setAttribute("aria-current", "true");
    current = card;
    card.removeAttribute("data-place");
    noteState();
    showQuote(card);
    if (focus) {
      card.scrollIntoView({ block: "nearest" });
      card.focus({ preventScroll: true });
    }
    if (pause) readyAt = performance.now() + DOUBLE_PRESS_MS;
  }

  /* What the poll tells the server: which value is active, and in which card somebody types. */
  function noteState() {
    const [at, open] = [document.getElementById("at"), document.getElementById("open")];
    if (!at) return;
    const typing = document.activeElement;
    at.value = activeCard()?.dataset.index ?? "";
    open.value = (find(".card[data-open], .card[data-saving]") ?? (typing && isTyping(typing) ? typing.closest(".card") : null))?.dataset?.index ?? "";
  }

  /* The same words in several places: each press shows the next, and comes round. */
  function showNextPlace(card) {
    if (!card) return;
    const marks = all("#text mark[data-values]").filter((mark) => mark.dataset.values.split(" ").includes(card.dataset.index));
    if (marks.length < 2) return;
    const at = (Number(card.dataset.place ?? Math.max(0, marks.findIndex((m) => m.hasAttribute("aria-current")))) + 1) % marks.length;
    card.dataset.place = at;
    for (const mark of all("#text mark[data-here]")) mark.removeAttribute("data-here");
    marks[at].dataset.here = "";
    bringIntoView(marks[at]);
  }

  function bringIntoView(place) {
    const pane = place.closest(".pane-both .panes > *") ?? find(".text");
    const [frame, box] = [pane.getBoundingClientRect(), place.getBoundingClientRect()];
    if (box.top < frame.top + 60 || box.bottom > frame.bottom - 40) pane.scrollTop += box.top - frame.top - pane.clientHeight * 0.38;
  }

  function showQuote(card) {
    const index = card.dataset.index;
    for (const mark of all("#text mark[data-values]")) {
      mark.toggleAttribute("aria-current", false);
      if (mark.dataset.values.split(" ").includes(index)) mark.setAttribute("aria-current", "true");
    }
    for (const box of all("#sheets [data-values]")) box.toggleAttribute("data-now", box.dataset.values === index);
    const box = document.getElementById(`box-${index}`);
    if (box) bringIntoView(box);
    const pane = find(".text");
    const quote = document.getElementById(`quote-${index}`) ?? find("#text mark[aria-current]");
    if (pane && quote) bringIntoView(quote);
  }

  /* Without scrolling the page itself, as scrollIntoView would on a narrow screen. */
  function showInput() {
    const [pane, current] = [document.getElementById("inputs"), find("#inputs a[aria-current]")];
    if (!current) return;
    const [frame, place] = [pane.getBoundingClientRect(), current.getBoundingClientRect()];
    if (place.top < frame.top || place.bottom > frame.bottom) pane.scrollTop += place.top - frame.top - pane.clientHeight / 2;
    if (place.left < frame.left || place.right > frame.right) pane.scrollLeft += place.left - frame.left - 16;
  }

  function step(by) {
    const cards = all(".card");
    const at = cards.indexOf(activeCard());
    activate(cards[Math.min(Math.max(at + by, 0), cards.length - 1)]);
  }

  /* -- correcting, by typing or by marking words in the text ------------------------------------------------- */

  function correct(card) {
    stopCorrecting();
    card.dataset.open = "";
    find("#review").classList.add("marking");
    activate(card, { focus: false });
    const field = find("input[name=value]", card);
    noteState();
    card.scrollIntoView({ block: "nearest" });
    field.focus();
    field.select();
  }

  /* While correcting, what is typed goes into the field, wherever the focus is; keys of the page wait for Esc. With
     nothing typed yet a digit chooses the option that carries it, and Enter is the button beside the field. */
  function typeInto(card, event) {
    const field = find("input[name=value]", card);
    const isThere = event.target === field;
    if (!isThere && (isTyping(event.target) || event.key.length > 1 || event.key === " ")) return;
    const option = field.value ? null : find(`.options [data-digit="${CSS.escape(event.key)}"]`, card);
    if (option || (isThere && event.key === "Enter" && !field.value.trim())) {
      event.preventDefault();
      if (!event.repeat && !underWay) press(option ?? find(".correct button[value=correct]", card));
    } else if (!isThere) {
      field.focus();
    }
  }

  function takeNote(card) {
    const summary = card && find("[data-note]", card);
    if (!summary) return;
    summary.parentElement.open = true;
    find("input[name=note]", card).focus();
  }

  function stopCorrecting() {
    for (const card of all(".card[data-open]")) delete card.dataset.open;
    noteState();
    find("#review")?.classList.remove("marking");
    globalThis.CSS?.highlights?.delete("marked");
  }

  const codePoints = (text) => text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g) ?? []).length;

  /* Words marked in the text are the right value of the active card, whether its correction was begun or not. */
  function takeSelection() {
    const card = find(".card[data-open]") ?? activeCard();
    const text = document.getElementById("text");
    const selection = getSelection();
    if (!card || !text || selection.isCollapsed || !selection.rangeCount || !find("input[name=value]", card)) return;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(text)) return;
    const taken = range.cloneRange();
    if (!text.contains(range.startContainer)) taken.setStart(text, 0);
    if (!text.contains(range.endContainer)) taken.setEnd(text, text.childNodes.length);
    const words = taken.toString();
    const quote = words.trim();
    if (!quote) return;
    const before = document.createRange();
    before.selectNodeContents(text);
    before.setEnd(taken.startContainer, taken.startOffset);
    const start = codePoints(before.toString()) + codePoints(words.slice(0, words.indexOf(quote)));
    if (!card.hasAttribute("data-open")) correct(card);
    fill(card, { quote, start, end: start + codePoints(quote) });
    globalThis.CSS?.highlights?.set("marked", new Highlight(taken));
  }

  let asking = 0;

  /* What the typed value will be saved as, before it is: "600 mm" is "= 60 cm". */
  function showReading(field) {
    clearTimeout(asking);
    const line = find("[data-reading]", field.form);
    if (!field.value.trim()) line.replaceChildren();
    if (!field.value.trim() || !field.matches("[data-reads]")) return;
    asking = setTimeout(() => {
      const { name, quote } = field.form.elements;
      const asked = new URLSearchParams({ name: name.value, value: field.value, ...(quote.value && { marked: quote.value }) });
      const url = `${find("#review").dataset.reading}?${asked}`;
      if (line.isConnected) htmx.ajax("GET", url, { target: line, swap: "innerHTML", source: line });
    }, 200);
  }

  function fill(card, { quote, start, end }) {
    const field = find("input[name=value]", card);
    find("input[name=quote]", card).value = quote;
    find("input[name=start]", card).value = start;
    find("input[name=end]", card).value = end;
    field.value = quote.replace(/\s+/g, " ");
    const line = find("[data-marked]", card);
    find("span", line).textContent = quote;
    line.hidden = false;
    card.scrollIntoView({ block: "nearest" });
    field.focus();
    showReading(field);
  }

  /* -- saved means saved --------------------------------------------------------------------------------------- */

  function say(card, state, words, again) {
    if (state) card.dataset.saving = state;
    else delete card.dataset.saving;
    const line = find("[data-said]", card);
    line.textContent = words;
    if (!again) return;
    for (const [said, act] of [[texts.again, () => press(sent.get(card))], [texts.drop, () => drop(card)]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = said;
      button.addEventListener("click", () => card.isConnected && act());
      line.append(" ", button);
    }
  }

  function drop(card) {
    say(card, "", "");
    tell("");
  }

  /* An answer that could not be saved is lost with its card; so nothing else is shown before it is sent or dropped. */
  function holdUnsaved(event) {
    const card = find(".card[data-saving=failed]");
    const leaves = event.type === "submit" ? event.target.closest("#review, .top") : event.target.closest?.("#review a[href]");
    if (!card || !leaves || card.contains(event.target)) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    activate(card, { focus: false });
    find("[data-said] button", card)?.focus();
    tell(texts.first);
    return true;
  }

  function tell(words) {
    const status = document.getElementById("status");
    const line = document.createElement("p");
    line.className = "bad";
    line.textContent = words;
    status.replaceChildren(...(words ? [line] : []));
  }

  const answering = (source) => (source.matches?.("form") ? source.closest(".card") : null);
  const press = (button) => button?.form.requestSubmit(button);

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const card = answering(ctx.sourceElement);
    if (!card) return;
    underWay += 1;
    sent.set(card, ctx.request.submitter);
    say(card, "pending", texts.saving);
    noteState();
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const source = ctx.sourceElement;
    const status = ctx.response?.status ?? 0;
    const failed = status === 0 || (status >= 400 && !KEEPS_TYPED.has(status));
    if (source.id === "poll") {
      if (failed) tell(texts.trying);
      else if (find("#status .bad")?.textContent === texts.trying) tell("");
      return;
    }
    const card = answering(source);
    if (card) underWay = Math.max(0, underWay - 1);
    if (card && failed) {
      say(card, "failed", status === 0 ? texts.lost : status === 503 ? texts.busy : texts.refused, true);
    } else if (failed && status === 0) {
      tell(texts.unchanged);
    }
  });

  addEventListener("beforeunload", (event) => {
    if (find(".card[data-saving]")) event.preventDefault();
  });

  /* -- what the server brings ---------------------------------------------------------------------------------- */

  document.addEventListener("next-value", ({ detail }) => {
    stopCorrecting();
    activate(document.getElementById(detail.value), { pause: true });
  });

  function arrive() {
    const review = document.getElementById("review");
    if (!review || review === shown) return;
    shown = review;
    underWay = 0;
    stopCorrecting();
    showInput();
    own = JSON.parse(review.dataset.keys);
    const card = activeCard();
    activate(card, { pause: true });
    if (card && find(".fault", card)) correct(card);
  }
  // Cards of all inputs have the same ids, so that htmx would put the focus back on a value that nobody looked at.
  document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
    const focused = document.activeElement;
    if (ctx.sourceElement.matches("form, a") && focused?.closest(".card")) focused.blur();
  });

  document.addEventListener("htmx:after:swap", () => {
    nameCells();
    arrive();
    const faulty = find(".card[aria-current] .fault")?.closest(".card");
    if (faulty && !faulty.contains(document.activeElement)) correct(faulty);
    else if (current && !current.isConnected) activate(activeCard(), { pause: true });
  });

  /* -- keys and clicks ------------------------------------------------------------------------------------------ */

  function answer(key) {
    const card = activeCard();
    const button = card && find(`[data-key=${key}]`, card);
    if (!button) return;
    if (underWay || performance.now() < readyAt) {
      if (key === "c") wordsUntil = performance.now() + WORDS_END_MS;
      return;
    }
    if (key === "c") correct(card);
    else press(button);
  }

  const follow = (selector) => find(selector)?.click();
  const KEYS = {
    a: () => answer("a"),
    c: () => answer("c"),
    r: () => answer("r"),
    t: () => answer("t"),
    b: () => answer("b"),
    v: () => answer("v"),
    z: () => answer("z"),
    j: () => step(1),
    k: () => step(-1),
    n: () => follow("a[rel=next]"),
    p: () => follow("a[rel=prev]"),
    u: () => underWay || follow("[data-key=u]"),
    U: () => underWay || follow("[data-key=U]"),
    m: () => takeNote(activeCard()),
    o: () => showNextPlace(activeCard()),
    s: () => underWay || follow("[data-key=s]"),
    f: () => {
      const chips = all("[data-chip]");
      const at = chips.indexOf(document.activeElement);
      const next = at < 0 ? chips.findIndex((chip) => chip.hasAttribute("aria-current")) : (at + 1) % chips.length;
      chips[Math.max(next, 0)]?.focus();
    },
    "/": () => document.getElementById("q")?.focus(),
    "?": () => document.getElementById("keys")?.toggleAttribute("open"),
  };
  const REPEATS = new Set(["j", "k"]);

  /* What a key does: Caps Lock aside, and on a keyboard of other letters (ф, α, ש) what the key of that place does. */
  function actionOf({ key, code, shiftKey, capsLock }) {
    const letter = capsLock && /^[a-z]$/i.test(key) ? (shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;
    if (own[letter] || key.length > 1 || key.charCodeAt(0) < 128) return own[letter];
    const place = /^Key([A-Z])$/.exec(code)?.[1];
    return place && own[shiftKey ? place : place.toLowerCase()];
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !find("#review")) return;
    if (event.key === "Escape") {
      if (find("#keys[open]") && !isTyping(event.target)) {
        find("#keys").open = false;
        return;
      }
      const card = event.target.closest?.(".card") ?? activeCard();
      stopCorrecting();
      activate(card);
      return;
    }
    const open = find(".card[data-open]");
    if (open) {
      typeInto(open, event);
      return;
    }
    if (isTyping(event.target)) return;
    const { key, code, shiftKey } = event;
    const action = actionOf({ key, code, shiftKey, capsLock: event.getModifierState("CapsLock") });
    const act = KEYS[action];
    const isOfWords = performance.now() < wordsUntil && action !== "c" && (key.length === 1 || key === "Enter");
    if (!act && !isOfWords) return;
    event.preventDefault(); // the space of such words would scroll the page
    if (isOfWords) wordsUntil = performance.now() + WORDS_END_MS;
    else if (!event.repeat || REPEATS.has(action)) act();
  });

  // Before htmx: the second click of a double click lands on a value that has just come up; a card's own links need
  // no request.
  document.addEventListener("submit", holdUnsaved, true);
  document.addEventListener("click", (event) => {
    if (holdUnsaved(event)) return;
    const link = event.target.closest?.(".card a:not([hx-boost])");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      event.stopImmediatePropagation();
      activate(link.closest(".card"));
      return;
    }
    const button = event.target.closest?.(".answers button");
    if (button && (event.detail > 1 || (event.detail > 0 && performance.now() < readyAt))) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);

  document.addEventListener("click", (event) => {
    const mark = event.target.closest("#text mark[data-values], #sheets [data-values]");
    if (mark && getSelection().isCollapsed && !find(".card[data-open]")) {
      activate(document.getElementById(`value-${mark.dataset.values.split(" ").at(-1)}`));
      return;
    }
    const card = event.target.closest(".card");
    if (!card || event.target.closest("a")) return;
    if (event.target.closest("[data-places]")) {
      showNextPlace(card);
      return;
    }
    if (event.target.closest(".answers [data-key=c]")) {
      event.preventDefault();
      correct(card);
    } else {
      activate(card, { focus: false });
    }
  });

  document.addEventListener("focusin", ({ target }) => {
    const card = target.closest(".card");
    if (!card) return;
    if (target.matches("input[name=value]") && !card.hasAttribute("data-open")) {
      stopCorrecting();
      card.dataset.open = "";
      find("#review").classList.add("marking");
      noteState();
    }
    if (card !== activeCard() && !isPressed) activate(card, { focus: false });
    noteState();
  });
  document.addEventListener("focusout", () => setTimeout(noteState));
  // The list of keys takes room from the values.
  document.addEventListener("toggle", ({ target }) => target.id === "keys" && activeCard()?.scrollIntoView({ block: "nearest" }), true);

  /* While the mouse is down nothing may move under it, or its click is lost; the click makes the card the active one. */
  document.addEventListener("pointerdown", () => { isPressed = true; });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { isPressed = false; });

  document.addEventListener("change", ({ target }) => target.matches("[data-submits]") && target.form.requestSubmit());
  document.addEventListener("input", ({ target }) => target.matches(".card input[name=value]") && showReading(target));
  document.addEventListener("mouseup", () => setTimeout(takeSelection));
  document.addEventListener("keyup", (event) => event.shiftKey && takeSelection());

  /* -- tables on a phone --------------------------------------------------------------------------------------- */

  /* Each cell is told its heading, to stand under it where there is no room for columns. Without script a wide table is
     scrolled. */
  function nameCells() {
    for (const table of all(".scroll > table:not(.stacks)")) {
      const headings = all("thead tr > *", table).map((cell) => cell.innerText.trim());
      if (headings.length < 3 || find("thead :is([colspan], [rowspan])", table)) continue;
      table.classList.add("stacks");
      const below = headings.map(() => 0); // rows that a cell from above still fills, by column
      for (const row of table.tBodies[0].rows) {
        let at = 0;
        const step = () => {
          for (; below[at] > 0; at += 1) below[at] -= 1;
        };
        row.classList.toggle("goes-on", below[0] > 0);
        for (const cell of row.cells) {
          step();
          if (headings[at] && cell.colSpan === 1) cell.setAttribute("data-heading", headings[at]);
          cell.toggleAttribute("data-nothing", !cell.innerText.trim() && !find("input, select, textarea, button, img, svg", cell));
          for (let over = cell.colSpan; over; over -= 1, at += 1) below[at] = cell.rowSpan - 1;
        }
        step();
      }
    }
  }

  /* -- once ---------------------------------------------------------------------------------------------------- */

  arrive();
  nameCells();
})();
