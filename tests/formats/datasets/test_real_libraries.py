"""Our files in the libraries they are for, each in an environment of its own, made once and kept in the cache.

Those of half a gigabyte and more (Label Studio's SDK, promptfoo) are made only when asked: ``REVIEWAPP_TEST_LARGE=1``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from reviewapp.domain.datasets import Expected, Item
from reviewapp.domain.places import Span
from tests.formats.datasets.test_round_trips import ODD
from tests.formats.datasets.worlds import HEAD, there

pytestmark = pytest.mark.slow

PLAIN = Item(
    name="Item 1",
    text="💩 Width 60 cm",
    values=(Expected(property="width", value=60.0, quote="60 cm", spans=(Span(start=8, end=13),)),),
)
BARE = Item(name="nothing", text="no values at all")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "reviewapp-tests"
INSTALL_SECONDS = 400
LARGE = bool(os.environ.get("REVIEWAPP_TEST_LARGE"))
"""Whether large libraries may be brought in; those that are there are used in any case."""


def python_with(*packages: str, large: bool = False) -> Path:
    """The Python of an environment that has these packages; skips where it cannot be made."""
    folder = CACHE / "-".join(p.partition("[")[0] for p in packages)
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        if large and not LARGE:
            pytest.skip(f"{packages[0]} is large and not here; REVIEWAPP_TEST_LARGE=1 brings it in")
        shutil.rmtree(folder, ignore_errors=True)
        made = subprocess.run([sys.executable, "-m", "venv", str(folder)], capture_output=True, check=False)
        install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
        try:
            done = subprocess.run(install, capture_output=True, timeout=INSTALL_SECONDS, check=False)
        except (subprocess.TimeoutExpired, OSError) as error:
            pytest.skip(f"{packages[0]} could not be installed: {error}")
        if made.returncode or done.returncode:
            pytest.skip(f"{packages[0]} could not be installed (is PyPI within reach?)")
        ready.touch()
    return python


def run(python: Path, code: str, *args: object, folder: Path) -> object:
    """What the code prints last, as JSON."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), "PYTHONPATH": ""}
    ended = subprocess.run(
        [str(python), "-c", code, *map(str, args)],
        capture_output=True, text=True, timeout=200, check=False, cwd=folder, env=environment,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3_000:]
    return json.loads(ended.stdout.splitlines()[-1])


def test_pydantic_evals_loads_it(tmp_path: Path) -> None:
    python = python_with("pydantic-evals")
    (tmp_path / "dataset.yaml").write_bytes(there("pydantic-evals", [PLAIN, ODD, BARE]))
    code = """
import json, sys
from pydantic_evals import Dataset
from typing import Any
found = Dataset[Any, Any, Any].from_file(sys.argv[1])
found.to_file("again.yaml")
print(json.dumps([found.name, [type(e).__name__ for e in found.evaluators],
    [[c.name, c.inputs, c.expected_output] for c in found.cases]]))
"""
    name, evaluators, cases = run(python, code, "dataset.yaml", folder=tmp_path)  # type: ignore[misc]
    assert (name, evaluators) == ("Doors, May", ["EqualsExpected"])
    assert cases[0] == ["Item 1", {"text": PLAIN.text}, {"width": 60.0}]
    assert cases[1][1]["text"] == ODD.text
    assert cases[1][2] == {
        "colour": ["02138", 'Bolt, M8, "A4" steel\nzinc', "重置昵称"],
        "width": [-5.0, 0.0],
        "quantity": 0,
        "in stock": False,
    }
    # What the library writes comes back to us with nothing lost.
    from reviewapp.formats.datasets import FORMATS

    read = FORMATS["pydantic-evals"].read
    assert read is not None
    assert list(read((tmp_path / "again.yaml").read_bytes()).items) == [PLAIN, ODD, BARE]


def test_langextract_loads_documents_and_examples(tmp_path: Path) -> None:
    python = python_with("langextract")
    (tmp_path / "documents.jsonl").write_bytes(there("langextract", [PLAIN, ODD, BARE]))
    (tmp_path / "examples.json").write_bytes(there("langextract-examples", [PLAIN, ODD]))
    code = """
import json, pathlib
import langextract as lx
from langextract import io
documents = list(io.load_annotated_documents_jsonl(pathlib.Path("documents.jsonl"), show_progress=False))
here = pathlib.Path(".")
io.save_annotated_documents(iter(documents), output_dir=here, output_name="again.jsonl", show_progress=False)
examples = [lx.data.ExampleData(text=e["text"], extractions=[lx.data.Extraction(**x) for x in e["extractions"]])
            for e in json.load(open("examples.json", encoding="utf-8"))]
first = documents[0].extractions[0]
place = slice(first.char_interval.start_pos, first.char_interval.end_pos)
print(json.dumps([[d.document_id for d in documents], documents[0].text[place],
    first.extraction_class, [[x.extraction_text for x in e.extractions] for e in examples]]))
"""
    assert run(python, code, folder=tmp_path) == [
        ["Item 1", ODD.name, "nothing"],
        "60 cm",
        "width",
        [["60 cm"], ["12 kg"]],
    ]
    from reviewapp.formats.datasets import FORMATS

    read = FORMATS["langextract"].read
    assert read is not None
    lost = {"iri": None, "leave_out": ()}
    again = read((tmp_path / "again.jsonl").read_bytes())
    assert list(again.items) == [PLAIN, ODD.model_copy(update=lost), BARE]


def test_datasets_loads_the_folder(tmp_path: Path) -> None:
    python = python_with("datasets")
    many = [
        BARE.model_copy(update={"name": f"bare {n}"}) for n in range(2_000)
    ]  # types are not those of the first rows
    with zipfile.ZipFile(BytesIO(there("huggingface", [*many, PLAIN, ODD]))) as archive:
        archive.extractall(tmp_path / "doors")
    code = """
import json
from datasets import load_dataset
rows = load_dataset("./doors")["train"]
last = rows[len(rows) - 1]
print(json.dumps([len(rows), rows[2000]["values"], last["text"], [json.loads(v["json"]) for v in last["values"]],
    last["leave_out"][0]["json"], str(rows.features["values"])[:40]]))
"""
    count, values, text, expected, left_out, _ = run(python, code, folder=tmp_path)  # type: ignore[misc]
    assert (count, text, left_out) == (2_002, ODD.text, "null")
    assert values[0]["value"] == "60.0"
    assert values[0]["spans"] == [{"start": 8, "end": 13}]
    assert expected == [e.value for e in ODD.values]


def test_label_studio_takes_the_tasks(tmp_path: Path) -> None:
    """By the checks of its SDK: the interface, every task, every region."""
    from reviewapp.formats.datasets.label_studio import interface_for

    python = python_with("label-studio-sdk", large=True)
    (tmp_path / "tasks.json").write_bytes(there("label-studio", [PLAIN, ODD, BARE]))
    (tmp_path / "interface.xml").write_text(interface_for(HEAD.install), encoding="utf-8")
    code = """
import json
from label_studio_sdk.label_interface import LabelInterface
interface = LabelInterface(open("interface.xml", encoding="utf-8").read())
interface.validate()
tasks = json.load(open("tasks.json", encoding="utf-8"))
regions = [region for task in tasks for made in task["annotations"] for region in made["result"]]
print(json.dumps([[interface.validate_task({"data": task["data"]}) for task in tasks],
    len(regions), [region for region in regions if not interface.validate_region(region)]]))
"""
    taken, regions, refused = run(python, code, folder=tmp_path)  # type: ignore[misc]
    assert (taken, refused) == ([True, True, True], [])
    assert regions > 6


NODE = """
const nunjucks = require("nunjucks"), yaml = require("js-yaml");
const tests = yaml.load(require("fs").readFileSync(0, "utf-8"));
const environment = new nunjucks.Environment(null, {autoescape: false});
const render = text => environment.renderString(text, {});
const outputs = JSON.parse(process.argv[2]);
console.log(JSON.stringify(tests.map((test, n) => [
  render(test.vars.text), render(test.description),
  outputs.map(output => (test.assert || []).map(a => new Function("output", "return " + render(a.value))(output))),
])));
"""
TRICKY = Item(
    name="{{ name }}",
    text="file://etc/passwd {{ 7*7 }} {{ vars.x }} {% endraw %}{% raw %} {# gone #}\n",
    values=(
        Expected(property="width", value=60.0),
        Expected(property="{{ shop }}", value="Acme {{ x }}", accept=("acme {{ x }}",)),
        Expected(property="ok", value=True),
    ),
    leave_out=(Expected(property="height", value=None), Expected(property="depth", value=5)),
)
LOOKS_LIKE_NUMBERS = [
    "02138",
    "1e5",
    "0o14",
    "0x1F",
    "0b11",
    ".5",
    "1_000",
    "1:30",
    "-1",
    "+1.",
    "y",
    "No",
    "~",
    "null",
]


def node_with(name: str, *packages: str, large: bool = False) -> tuple[str, Path]:
    """(node, a folder with these packages); skips where they cannot be had."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("there is no node here")
    modules = CACHE / name
    modules.mkdir(parents=True, exist_ok=True)
    if not all((modules / "node_modules" / p.partition("@")[0]).is_dir() for p in packages):
        if large and not LARGE:
            pytest.skip(f"{packages[0]} is large and not here; REVIEWAPP_TEST_LARGE=1 brings it in")
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(modules), *packages]
        if subprocess.run(command, capture_output=True, timeout=INSTALL_SECONDS, check=False).returncode:
            pytest.skip(f"{packages[0]} could not be installed (is the npm registry within reach?)")
    return node, modules


def test_promptfoo_assertions_run_in_javascript(tmp_path: Path) -> None:
    """With the template engine and the YAML that promptfoo has, from npm."""
    node, modules = node_with("promptfoo-parts", "nunjucks@3", "js-yaml@4")
    right = {"width": "60", "{{ shop }}": " ACME {{ x }} ", "ok": True}
    listed = {"width": [61, 60], "{{ shop }}": ["Acme {{ x }}"], "ok": [True], "height": [], "depth": [4, 5]}
    outputs = [right, json.dumps({"width": 61, "height": 1, "depth": 5.0}), {}, listed, {"width": ""}]
    numbers = [Item(name=f"no. {n}", text=text) for n, text in enumerate(LOOKS_LIKE_NUMBERS)]
    (modules / "run.js").write_text(NODE, encoding="utf-8")
    ended = subprocess.run(
        [node, "run.js", json.dumps(outputs)],
        input=there("promptfoo", [PLAIN, TRICKY, *numbers]).decode(),
        capture_output=True, text=True, timeout=60, check=False, cwd=modules,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    plain, odd, *others = json.loads(ended.stdout)
    assert plain == [PLAIN.text, "Item 1", [[True], [False], [False], [True], [False]]]
    assert odd[:2] == [TRICKY.text, TRICKY.name]
    assert odd[2] == [
        [True, True, True, True, True],
        [False, False, False, False, False],
        [False, False, False, True, True],
        [True, True, True, True, False],
        [False, False, False, True, True],
    ]
    assert [text for text, _, _ in others] == LOOKS_LIKE_NUMBERS


ECHO = """
module.exports = class {
  id() { return "echo"; }
  async callApi(prompt) { return {output: JSON.stringify({prompt, ...JSON.parse(process.env.EXPECTED)[prompt]})}; }
};
"""


def test_promptfoo_itself_runs_the_tests(tmp_path: Path) -> None:
    """It has 1.4 GB."""
    node, modules = node_with("promptfoo", "promptfoo", large=True)
    program = modules / "node_modules/promptfoo/dist/src/entrypoint.js"
    numbers = [Item(name=f"no. {n}", text=text) for n, text in enumerate(LOOKS_LIKE_NUMBERS)]
    items = [PLAIN, TRICKY, ODD, *numbers]
    (tmp_path / "tests.yaml").write_bytes(there("promptfoo", items))
    (tmp_path / "echo.js").write_text(ECHO, encoding="utf-8")
    config = {"prompts": ["{{text}}"], "providers": ["file://echo.js"], "tests": "file://tests.yaml"}
    (tmp_path / "promptfooconfig.yaml").write_text(json.dumps(config), encoding="utf-8")
    expected: dict[str, dict[str, list[object]]] = {}
    for item in items:
        for e in item.values:
            expected.setdefault(item.text, {}).setdefault(e.property, []).append(e.value)
    quiet = {f"PROMPTFOO_DISABLE_{what}": "1" for what in ("TELEMETRY", "UPDATE", "REMOTE_GENERATION", "SHARING")}
    environment = {
        **os.environ,
        **quiet,
        "PROMPTFOO_CONFIG_DIR": str(tmp_path / "home"),
        "EXPECTED": json.dumps(expected),
    }
    command = [node, str(program), "eval", "-c", "promptfooconfig.yaml", "-o", "out.json", "--no-cache", "--no-table"]
    subprocess.run(command, capture_output=True, timeout=200, check=False, cwd=tmp_path, env=environment)
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))["results"]["results"]
    told = {r["testIdx"]: (json.loads(r["response"]["output"])["prompt"], r["success"]) for r in found}
    assert told == {n: (item.text, True) for n, item in enumerate(items)}
