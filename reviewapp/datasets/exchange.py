"""Datasets in the forms of other programs: out of the workspace and into it, piece by piece."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.datasets.keeping import check_version, checked_name, get_dataset, import_entries, items
from reviewapp.domain.base import NAME_LIMIT
from reviewapp.domain.datasets import Dataset, DatasetFiles, Item
from reviewapp.domain.saving import install_of, item_of_input, quoted_from, unique_name
from reviewapp.domain.tests import InputResult, Test
from reviewapp.errors import Fault, ImportFaults, InvalidInput, NotFound
from reviewapp.formats.datasets.form import DatasetForm, Head, Imported, Losses
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, get_test, input_text

PIECE = 200
"""Items read at a time."""
ANSWER_KEY, ZIP = "answer-key", "dataset.zip"


def forms() -> list[DatasetForm]:
    """All forms, in the order in which they are offered."""
    from reviewapp.formats.datasets import FORMATS

    return list(FORMATS.values())


def find_form(name: str) -> DatasetForm:
    """Raises InvalidInput, naming what there is."""
    from reviewapp.formats.datasets import FORMATS

    if name not in FORMATS:
        raise InvalidInput(f"There is no form {name!r}; there are: {', '.join(FORMATS)}.", param="format")
    return FORMATS[name]


def export_dataset(
    workspace: Workspace, id: str, form: str, losses: Losses, *, version: int | None = None
) -> Iterator[bytes]:
    """A dataset in one of the forms, in pieces; memory does not grow with its items. What the form cannot hold is
    counted in `losses` as it goes. Raises NotFound, InvalidInput, before the first piece."""
    found = find_form(form)
    dataset = check_version(workspace, id, version)
    head = Head(name=dataset.name, about=dataset.about, install=dataset.install)
    return found.write(head, _items(workspace, id, version), losses)


def _items(workspace: Workspace, id: str, version: int | None) -> Iterator[Item]:
    after = -1
    while page := workspace.datasets.items(id, version=version, after=after, limit=PIECE):
        yield from (item for _, item in page)
        after = page[-1][0]


def import_items(
    workspace: Workspace, name: str, form: str, data: bytes, *, file: str = "", by: str
) -> tuple[Dataset, Imported]:
    """Make a dataset of a file in one of the forms; the same file under the same name makes no second one.

    `file` is what the person calls it, without its folder. Raises InvalidInput (no such form, one that is out only),
    ImportFaults with all faults of the file.
    """
    found = find_form(form)
    if found.read is None:
        raise InvalidInput(f"{form!r} can only be written, not read.", param="format")
    title = checked_name(name)
    try:
        imported = found.read(data)
    except ImportFaults as told:
        raise ImportFaults([_in_file(fault, found, file) for fault in told.faults]) from told
    return import_entries(workspace, title, imported.items, imported.install, imported.about, by=by), imported


def _in_file(fault: Fault, form: DatasetForm, file: str) -> Fault:
    """The fault with the person's name of the file in place of the form's: ``may.csv, line 3``."""
    name, comma, rest = fault.place.partition(",")
    own = bool(file) and form.suffix != ".zip" and name.endswith(form.suffix)
    return Fault(f"{file}{comma}{rest}", fault.message) if own else fault


def export_tasks(workspace: Workspace, test_id: str, losses: Losses) -> Iterator[bytes]:
    """A test as tasks of Label Studio: what was read as predictions, standing answers as annotations. Raises NotFound,
    before the first piece."""
    from reviewapp.formats.datasets.label_studio import write_tasks

    test = get_test(workspace, test_id)
    head = Head(name=f"{test.workflow}, test {test.number}", install=install_of(test.settings))
    return write_tasks(head, _tasks(workspace, test), losses)


def _tasks(workspace: Workspace, test: Test) -> Iterator[tuple[Item, InputResult | None]]:
    after, taken = -1, set[str]()
    while inputs := get_inputs(workspace, test.id, after=after, limit=PIECE):
        first, after = inputs[0].position, inputs[-1].position
        given = answers_of_inputs(workspace, test.id, first, after)
        for input in inputs:
            text = input_text(workspace, input)
            standing = standing_answers(test, input, given.get(input.position, {}))
            answers = {name: s.answer for name, s in standing.items() if s.answer is not None}
            item = item_of_input(input, answers, test.settings, test.id)
            name = unique_name((input.label.strip() or input.iri)[:NAME_LIMIT], taken)
            taken.add(name)
            if item is None:
                item = Item(name=name, text=text, iri=input.iri)
            yield quoted_from(item.model_copy(update={"name": name, "text": text}), text), input.result


def answer_key(workspace: Workspace, id: str) -> DatasetFiles:
    """The export files as data. Raises NotFound."""
    from reviewapp.formats.datasets.answer_key import dataset_files

    return dataset_files(get_dataset(workspace, id), [item for _, item in items(workspace, id)])


def export_file(workspace: Workspace, id: str, file: str, *, version: int | None = None) -> Iterator[bytes]:
    """``dataset.zip`` with both files of the answer key, or ``records.json`` or ``expected.json``, in pieces; the same
    items give the same bytes. Raises NotFound, also for another file, before the first piece."""
    from reviewapp.formats.answer_key import EXPECTED, RECORDS
    from reviewapp.formats.zips import taken_out

    if file not in (ZIP, RECORDS, EXPECTED):
        raise NotFound("file of a dataset", file, way_out=f"There are {ZIP}, {RECORDS} and {EXPECTED}.")
    pieces = export_dataset(workspace, id, ANSWER_KEY, Losses(), version=version)
    return pieces if file == ZIP else taken_out(pieces, file)
