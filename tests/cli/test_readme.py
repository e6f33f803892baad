"""What README and guide tell a newcomer to type, typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run

REPOSITORY = Path(__file__).parents[2]


def section(page: str, heading: str) -> str:
    """The text below a heading, to the next one of its rank."""
    told = (REPOSITORY / page).read_text(encoding="utf-8")
    return re.split(rf"(?m)^## (?!{re.escape(heading)}$)", told.partition(f"\n## {heading}\n")[2])[0]


def commands(text: str) -> list[list[str]]:
    """Words of every ``reviewapp …`` line of the blocks, but for servers and what asks for a password."""
    blocks = [block for form, block in re.findall(r"(?ms)^```(\w*)\n(.*?)^```", text) if form in ("", "sh")]
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    typed = [words[1:] for words in lines if words[:1] == ["reviewapp"]]
    return [words for words in typed if words[0] not in ("serve", "user")]


def test_the_readme_leads_from_two_files_to_a_finished_test(run: Run, tmp_path: Path) -> None:
    told = section("README.md", "On your own texts")
    for name, content in re.findall(r"(?ms)^`([\w.]+)`\n\n```\w+\n(.*?)^```", told):
        (tmp_path / name).write_text(content, encoding="utf-8")
    typed = commands(told)
    assert [words[:2] for words in typed] == [["records", "import"], ["workflow", "put"], ["test", "start"]]
    for words in typed:
        ended = run(*words)
        assert ended.code == 0, (words, ended.err)
    assert "2 of 2 inputs read" in ended.out
    values = [v for i in run("test", "show", "latest", "--json").document["inputs"] for v in i["result"]["values"]]
    assert [(v["property"], v["printed"]) for v in values] == [
        ("width", "88.5"),
        ("fire_class", "T30"),
        ("width", "101"),
    ]


@pytest.mark.slow
def test_the_examples_of_the_guide_run_on_the_sample(run: Run, tmp_path: Path) -> None:
    assert run("demo").code == 0
    (tmp_path / "theirs.jsonl").write_text(
        '{"name": "02.05 Roof hatch", "values": {"height": 30.48}}\n', encoding="utf-8"
    )
    headings = ("Run a test", "Answer", "Save and export", "Did it get better? Grade, compare, set the gate")
    for heading in (*headings, "Keep what works: block tests"):
        typed = commands(section("docs/guide.md", heading))
        assert typed, heading
        for words in typed:
            ended = run(*words)
            assert ended.code == 0, (words, ended.err)


@pytest.mark.slow
def test_learning_says_what_it_did_and_how_to_go_back(run: Run) -> None:
    assert run("demo").code == 0
    inputs = [i["iri"] for i in run("test", "show", "latest", "--json").document["inputs"]]
    for iri in inputs[:6]:
        assert run("answer", "latest", iri, "width", "accept").code == 0
    told = run("workflow", "learn", "tender-positions")
    assert (told.code, told.err) == (0, "")
    assert re.search(r"revision 2 \(wrev_\w+\) is in use, learnt from the answers on 4 texts\.", told.out)
    assert "To go back: reviewapp workflow activate tender-positions 1\n" in told.out
    assert re.search(r"revision +right +written without a person +of these wrong +support off by", told.out)
    assert re.search(r"(?m)^1, before +\d of 2 .*\n2, learnt +\d of 2 ", told.out)

    run("dataset", "save", "latest", "--name", "Widths")
    for revision in ("1", "2"):
        assert run("evaluate", "Widths", "--workflow", "tender-positions", "--revision", revision).code == 0
    compared = run("compare", "1", "2", "--changes").out
    assert compared.startswith("tender-positions, revision 2"), "no empty line before it"
    assert "4 items left out, because revision 2 learnt from them.\n" in compared
    assert compared.endswith("No value changed.\n")
