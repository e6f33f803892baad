"""Blocks at work."""

from __future__ import annotations

import json
import sys

import pytest
from pydantic import TypeAdapter

from reviewapp.domain.blocks import Block
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.blocks import BlockFailed, Given, code_of, make_runner
from reviewapp.extraction.blocks.splitting import pages_of

block = TypeAdapter(Block)
PROPERTIES = (Property(name="width", value_type="f64", unit="cm"), Property(name="material"))


def run(fields, **inputs):
    made = block.validate_python(fields)
    settings = WorkflowSettings(collection="c", properties=PROPERTIES)
    runner = make_runner(made, settings, Evidence())
    try:
        return runner.run({name.replace("_", "-"): _given(value) for name, value in inputs.items()})
    finally:
        if hasattr(runner, "close"):
            runner.close()


def _given(value):
    return value if isinstance(value, Given) else Given(value)


READ = {"id": "read", "type": "extract"}


def test_extract_gives_values_and_readings():
    made = run(READ, input_json_0="Sink\nWidth: 600 mm")
    assert made.values["output-json-0"] == {"width": 60.0, "material": None}
    reading = made.values["output-json-readings"]["width"]
    assert (reading["value"], reading["outcome"], reading["stated"]) == (60.0, "written", "600 mm")
    assert made.values["output-json-readings"]["material"] is None


def test_extract_reads_some_properties():
    made = run({**READ, "properties": ["width"]}, input_file_0=Given({"filename": "a.txt"}, "Width: 600 mm", "a.txt"))
    assert made.values["output-json-0"] == {"width": 60.0}


@pytest.mark.parametrize("value", [5, None, {"words": "x"}, []])
def test_a_reader_without_a_text_fails_in_one_sentence(value):
    with pytest.raises(BlockFailed, match="There is no text to read among input-json-0"):
        run(READ, input_json_0=value)


def test_a_file_without_content_fails():
    with pytest.raises(BlockFailed, match=r"content of 'a\.pdf' \(input-file-0\) is not here"):
        run(READ, input_file_0=Given({}, None, "a.pdf"))


KIND = {
    "id": "kind",
    "type": "classify",
    "categories": [{"name": "Invoice", "cues": ["Invoice", "total  due"]}, {"name": "Order", "cues": ["order"]}],
}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("INVOICE 12", "Invoice"),
        ("The total\ndue is 5; see order 3.", "Invoice"),
        ("Order 3", "Order"),
        ("Orders, reordered, invoiced", None),
        ("order, " + "x" * 500 + " invoice", "Order"),
    ],
)
def test_classify_by_cues(text, category):
    made = run(KIND, input_json_0=text)
    assert made.values["output-json-0"]["category"] == category
    taken = () if category is None else (f"output-file-{category.lower()}",)
    assert made.routing == taken
    assert [made.values[handle] for handle in taken] == [text] * len(taken)


def test_classify_has_a_category_for_the_rest():
    assert run({**KIND, "otherwise": "Order"}, input_json_0="nothing").routing == ("output-file-order",)


SPLIT = {
    "id": "split",
    "type": "split",
    "sections": [{"name": "invoice", "headings": ["Invoice"]}, {"name": "terms", "headings": ["Terms of sale"]}],
}


@pytest.mark.parametrize(
    ("pages", "splits"),
    [
        (["INVOICE 1", "line 2", "** Terms  of sale", "more"], [("invoice", [1, 2]), ("terms", [3, 4])]),
        (["Invoice 1", "Invoice 2"], [("invoice", [1]), ("invoice", [2])]),
        (["cover", "Invoice"], [("invoice", [2])]),
        (["Invoices", "an Invoice"], []),
        ([""], []),
    ],
)
def test_split_by_headings(pages, splits):
    made = run(SPLIT, input_json_0="\f".join(pages))
    assert made.values["output-json-splits"] == {"splits": [{"name": n, "pages": p} for n, p in splits]}


def test_split_by_fixed_pages():
    fields = {**SPLIT, "sections": [{"name": "cover", "pages": "1"}, {"name": "rest", "pages": "2-"}]}
    made = run(fields, input_json_0="a\fb\fc")
    assert made.values["output-json-splits"]["splits"] == [
        {"name": "cover", "pages": [1]},
        {"name": "rest", "pages": [2, 3]},
    ]


@pytest.mark.parametrize(
    ("written", "numbers"), [("1", [1]), ("2-3", [2, 3]), ("3-", [3, 4]), ("1,3-9", [1, 3, 4]), ("9", [])]
)
def test_pages(written, numbers):
    assert pages_of(written, 4) == numbers


ADD = {"id": "add", "type": "function", "seconds": 10}
CODE = "import json, sys\nlines = json.load(sys.stdin)\nprint(json.dumps({'total': sum(lines)}))"


def test_a_command_takes_json_and_gives_json():
    made = run({**ADD, "command": [sys.executable, "-c", CODE]}, input_json_0=[1, 2])
    assert made.values == {"output-json-0": {"total": 3}}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ([sys.executable, "-c", "print('no json')"], "not JSON"),
        ([sys.executable, "-c", "print('NaN')"], "NaN or too large"),
        ([sys.executable, "-c", "print('[1e999]')"], "NaN or too large"),
        ([sys.executable, "-c", "print(chr(34) + chr(92) + 'ud83d' + chr(34))"], "cut in half"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "exit code 3"),
        (["no-such-program-here"], "There is no program"),
    ],
)
def test_a_command_at_fault_fails_in_one_sentence(command, said):
    with pytest.raises(BlockFailed, match=said):
        run({**ADD, "command": command}, input_json_0=1)


def test_a_command_without_end_is_ended():
    with pytest.raises(BlockFailed, match="longer than"):
        run({**ADD, "seconds": 0.5, "command": ["sleep", "30"]}, input_json_0=1)


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums_here.py").write_text(
        "def add(lines):\n    return sum(lines)\n\n"
        "def parts(given):\n    return {'left': given['input-json-1'], 'odd': 1}\n"
    )
    return tmp_path / "sums_here.py"


@pytest.mark.usefixtures("module")
def test_a_function_is_called_with_the_value():
    assert run({**ADD, "function": "sums_here:add"}, input_json_0=[1, 2]).values == {"output-json-0": 3}


@pytest.mark.usefixtures("module")
def test_a_function_that_raises_fails_with_its_words():
    with pytest.raises(BlockFailed, match="sums_here:add raised TypeError") as failed:
        run({**ADD, "function": "sums_here:add"}, input_json_0=["a"])
    assert "Traceback" in failed.value.raw


@pytest.mark.usefixtures("module")
def test_several_inputs_and_outputs_go_by_handle():
    fields = {**ADD, "function": "sums_here:parts", "outputs": {"left": {}, "right": {}}}
    made = run(fields, input_json_0=1, input_json_1=2)
    assert made.values == {"left": 2}
    assert "'odd'" in made.warnings[0]


def test_the_code_has_a_fingerprint_that_changes_with_it(module):
    made = block.validate_python({**ADD, "function": "sums_here:add"})
    before = code_of(made)
    assert before is not None
    assert code_of(made) == before
    module.write_text("def add(lines):\n    return 0\n")
    assert code_of(made) not in (None, before)
    module.unlink()
    assert code_of(made) is None


def test_what_the_code_imports_from_its_folder_counts_too(module):
    far = module.with_name("far_here.py")
    near = module.with_name("near_here.py")
    package = module.with_name("tables_here")
    package.mkdir()
    (package / "__init__.py").write_text("")
    rates = package / "rates.py"
    rates.write_text("RATE = 1")
    far.write_text("import json\nfrom tables_here import rates\n")
    near.write_text("def helped():\n    import far_here\n    from sums_here import add\n")
    module.write_text("from near_here import helped\ndef add(lines):\n    return 0\n")
    for fields in ({"function": "sums_here:add"}, {"command": [sys.executable, str(module)]}):
        made = block.validate_python({**ADD, **fields})
        seen = [code_of(made)]
        for file in (near, far, rates):
            file.write_text(file.read_text() + "\n# changed")
            seen.append(code_of(made))
        assert None not in seen
        assert len(set(seen)) == 4
    near.write_text("def (")
    assert code_of(made) not in (None, *seen)


def test_the_code_of_a_command_is_its_files(module):
    made = block.validate_python({**ADD, "command": [sys.executable, str(module)]})
    before = code_of(made)
    module.write_text(json.dumps("other"))
    assert code_of(made) not in (None, before)
