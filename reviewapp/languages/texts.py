"""Finds every text of the pages in the source, and brings the catalogues up to date with them.

    python -m reviewapp.languages.texts           update the catalogues
    python -m reviewapp.languages.texts --check   fail when one is not up to date or lacks a translation

Run in a checkout. Three kinds of texts are found:

1. In templates what stands in ``_()``, ``ngettext()`` and ``trans``; and the words of the filter ``plural``.
2. In modules of the web layer the same functions, called by their names.
3. Sentences (`reviewapp.languages.sentences`): in the modules of `SPEAKING` every string of several words, its values
   turned into placeholders, and the words of the tables in `WORDS`.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from reviewapp.languages.catalogue import ENGLISH, LANGUAGES, catalogue_path
from reviewapp.languages.finding import sentences_of
from reviewapp.languages.sentences import CONTEXT

ROOT = Path(__file__).resolve().parents[2]
PLAIN_ENGLISH = ("reference.html", "patterns.html")
"""Templates of pages for programmers."""

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
SPEAKING = (
    "*.py",
    "accounts/*.py",
    "backups/*.py",
    "block_tests/*.py",
    "calls/*.py",
    "datasets/*.py",
    "domain/*.py",
    "evals/comparison.py",
    "evals/conditions/*.py",
    "evaluations/*.py",
    "extraction/*.py",
    "extraction/blocks/*.py",
    "extraction/models/*.py",
    "extraction/programs/*.py",
    "learning/__init__.py",
    "programs/*.py",
    "formats/*.py",
    "formats/replays/*.py",
    "formats/datasets/*.py",
    "running/*.py",
    "eval_sets/*.py",
    "formats/eval_sets/*.py",
    "tests/*.py",
    "web/*.py",
)
"""Modules whose sentences pages show. Those that speak as another program does (eval sets) stay as that one speaks."""
SILENT = (
    "app.py",
    "capture.py",
    "client.py",
    "demo.py",
    "doctor.py",
    "idempotency.py",
    "logs.py",
    "resources.py",
    "domain/booleans.py",
    "domain/date_patterns.py",
    "domain/months.py",
    "domain/number_words.py",
    "eval_sets/custom*.py",
    "eval_sets/function_child.py",
    "eval_sets/scaffolds.py",
    "extraction/cues.py",
    "extraction/evidence.py",
    "extraction/models/decide.py",
    "extraction/models/prompt.py",
    "extraction/wording.py",
    "formats/junit.py",
    "running/lease.py",
    "running/serving.py",
    "web/assets.py",
    "web/context.py",
    "web/patterns.py",
)
"""Among them those that no page hears: for the command line, the log, a model, or without sentences at all."""
DERIVED = (
    "it states {words!r}, which cannot be told in {unit}",
    "it states no unit; the property is in {unit}",
    "it states no unit that is known (after the number stands {words!r}); the property is in {unit}",
    "it says {phrase!r}: {side} bound, not a single value",
    "it says {phrase!r}: not an exact value",
)
"""What `reviewapp.corrections` makes of sentences on a text, of what a person typed."""
OF_THE_TRAIL = (
    "start test",
    "create workflow",
    "change workflow",
    "activate workflow",
    "save dataset",
    "choose model for {use}",
    "start evaluation",
    "run block tests",
    "invite a {role}",
    "invite {uses} × {role}",
)
"""What the triggers of a workspace's file note, and invitations."""
OF_PARSERS = (
    "Expecting value",
    "Expecting property name enclosed in double quotes",
    "Expecting ',' delimiter",
    "Expecting ':' delimiter",
    "Unterminated string starting at",
    "Invalid control character at",
    "Extra data",
    "Illegal trailing comma before end of object",
    "mapping values are not allowed here",
    "could not find expected ':'",
    "found unexpected end of stream",
    "expected the node content, but found {found!r}",
    "expected ',' or ']', but got {found!r}",
    "expected ',' or '}}', but got {found!r}",
    "found character {found!r} that cannot start any token",
)
"""What Python's JSON and PyYAML refuse a text for, as they say it."""
WORDS: dict[str, tuple[str, ...]] = {
    "reviewapp/domain/block_tests.py": ("Lifecycle", "ResultStatus", "DriftWord", "State"),
    "reviewapp/domain/choices.py": ("Use",),
    "reviewapp/domain/datasets.py": ("kind",),
    "reviewapp/domain/evaluations.py": ("VERDICT_WORDS",),
    "reviewapp/domain/people.py": ("Role",),
    "reviewapp/domain/tests.py": ("OUTCOME_WORDS",),
    "reviewapp/domain/values.py": ("TYPE_WORDS", "EXAMPLES"),
    "reviewapp/errors.py": ("ImportFaults", "TooManyTries"),
    "reviewapp/evals/comparison.py": ("ChangeKind",),
    "reviewapp/evals/conditions/outcomes.py": ("kind_of",),
    "reviewapp/formats/sources.py": ("line", "_way_out"),
    "reviewapp/formats/workflow_file.py": ("_sentence",),
    "reviewapp/formats/strict_json.py": ("kind_of",),
    "reviewapp/web/block_test_form.py": ("CHOICES",),
    "reviewapp/web/calls.py": ("USES", "WORDS"),
    "reviewapp/web/cards.py": ("DECIDED", "answers_for", "options", "words"),
    "reviewapp/web/chips.py": ("CHIPS",),
    "reviewapp/web/errors.py": ("TITLES",),
    "reviewapp/web/filters.py": ("STATUS_WORDS", "TYPE_NAMES"),
    "reviewapp/web/roles.py": ("refusal",),
    "reviewapp/web/own_keys.py": ("ACTIONS", "FIXED"),
}
"""Tables and functions of a module whose single words are shown too."""

HEADER = r"""msgid ""
msgstr ""
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: {plural}\n"

"""

_PLURAL = re.compile(r"""\bplural\(\s*(?:[\w.\[\]]+,\s*)?['"]([^'"]+)['"](?:,\s*['"]([^'"]+)['"])?\s*\)""")


@dataclass(frozen=True)
class Text:
    """A text of the source."""

    id: str | tuple[str, ...]
    """The text; of one that has a plural both forms."""
    place: str
    """Its file, from the root of the checkout."""
    context: str | None = None


def all_texts() -> Iterator[Text]:
    """Every text, file by file."""
    for template in sorted((ROOT / "templates").glob("*.html")):
        if template.name not in PLAIN_ENGLISH:
            yield from _called(template, "jinja2.ext:babel_extract")
    for module in sorted((ROOT / "reviewapp" / "web").glob("*.py")):
        yield from _called(module, "python")
    for path in sorted(speaking_modules()):
        place = path.relative_to(ROOT).as_posix()
        for sentence in sentences_of(path.read_text(encoding="utf-8"), WORDS.get(place, ())):
            yield Text(sentence, place, CONTEXT)
    for sentence in DERIVED:
        yield Text(sentence, "reviewapp/corrections.py", CONTEXT)
    for sentence in OF_THE_TRAIL:
        yield Text(sentence, "reviewapp/store/schema.py", CONTEXT)
    for sentence in OF_PARSERS:
        yield Text(sentence, "reviewapp/formats/workflow_file.py", CONTEXT)


def _called(path: Path, method: str) -> Iterator[Text]:
    place = path.relative_to(ROOT).as_posix()
    options = {"newstyle_gettext": "true", "trimmed": "true", "silent": "false"}
    for _, text, _, context in extract_from_file(method, str(path), keywords=KEYWORDS, options=options):
        yield Text(text, place, context)
    for one, many in _PLURAL.findall(path.read_text(encoding="utf-8")):
        yield Text((f"%(num)s {one}", f"%(num)s {many or one + 's'}"), place)


def speaking_modules() -> Iterator[Path]:
    """The modules whose sentences pages may show."""
    package = ROOT / "reviewapp"
    for path in (path for pattern in SPEAKING for path in package.glob(pattern)):
        if not any(path.match(f"reviewapp/{silent}") for silent in SILENT):
            yield path


def update(catalogue: Catalog, texts: Iterable[Text]) -> Catalog:
    """The catalogue with exactly these texts; translations that are there stay, nothing is guessed."""
    template = Catalog(charset="utf-8")
    for text in texts:
        template.add(text.id, locations=[(text.place, 0)], context=text.context)
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def faults(language: str, texts: Iterable[Text]) -> list[str]:
    """What the catalogue of a language lacks, and what it has that no source has any more; a sentence each."""
    written = read(language)
    there = {_key(message) for message in written}
    fresh = update(read(language), texts)
    wanted = {_key(message) for message in fresh}
    found = [f"{key[0]!r} is in no source any more; run `make texts`." for key in sorted(there - wanted)]
    for message in fresh:
        if _key(message) not in there:
            found.append(f"{message.id!r} is not in the catalogue; run `make texts`, then translate it.")
        elif message.id and not complete(message):
            found.append(f"{message.id!r} has no translation.")
    return found


def _key(message: Message) -> tuple[str, str]:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return text, message.context or ""


def read(language: str) -> Catalog:
    """The catalogue as its file has it now."""
    with catalogue_path(language).open("rb") as file:
        return read_po(file, locale=language)


def main() -> None:
    texts = list(all_texts())
    found = []
    for language in (tag for tag in LANGUAGES if tag != ENGLISH):
        if "--check" not in sys.argv:
            catalogue_path(language).write_bytes(as_po(update(read(language), texts)))
        found += [f"{language}: {fault}" for fault in faults(language, texts)]
    sys.stdout.write("\n".join([*found, f"{len(texts)} places with texts, {len(found)} faults\n"]))
    if found and "--check" in sys.argv:
        sys.exit(1)


def complete(message: Message) -> bool:
    """Whether a text has its translation, in every form."""
    said = message.string if isinstance(message.string, tuple) else (message.string,)
    return all(said) and not message.fuzzy


def as_po(catalogue: Catalog) -> bytes:
    """The catalogue as a file, with nothing in it that changes from run to run."""
    file = io.BytesIO()
    write_po(file, catalogue, width=120, omit_header=True, sort_by_file=True, include_lineno=False)
    return HEADER.format(language=catalogue.locale, plural=catalogue.plural_forms).encode() + file.getvalue()


if __name__ == "__main__":
    main()
