"""Small projects of both dialects on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.eval_sets.targets import make_target

Make = Callable[..., Path]
AGENT = """
from pydantic import BaseModel

from reviewapp.mocks import mockable


class Weather(BaseModel):
    sky: str
    degrees: float = 20


@mockable()
def get_weather(city: str) -> Weather:
    open("called-for-real", "w").close()
    return Weather(sky="real")


@mockable(name="send mail")
async def send_mail(to: str, *, text: str) -> str:
    open("called-for-real", "w").close()
    return "sent"


async def run(city: str, to: str = "ann"):
    weather = get_weather(city)
    said = await send_mail(to, text=weather.sky)
    return {"sky": weather.sky, "mail": said}


def broken(inputs):
    raise ValueError("12x is no number")
"""


def item(id: str, inputs: dict[str, Any], criterias: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": id, "name": f"item {id}", "inputs": inputs, "evaluationCriterias": criterias, **more}


def evaluator(id: str, kind: str = "uipath-exact-match", **config: Any) -> dict[str, Any]:
    return {"version": "1.0", "id": id, "evaluatorTypeId": kind, "evaluatorConfig": {"name": id, **config}}


def scored(root: Path, target: str, **more: Any) -> ScoreReport:
    made = make_target(target, root, pattern=more.pop("pattern", None), seconds=more.pop("seconds", 30.0))
    try:
        return OpenProject(root).score(made, target_name=target, allowed=more.pop("allowed", True), **more)[0]
    finally:
        made.close()


def verdicts(report: ScoreReport) -> list[str]:
    return [row.verdict for row in report.rows]


def outputs(root: Path, given: dict[str, Any]) -> str:
    (root / "outputs.json").write_text(json.dumps(given))
    return "outputs:outputs.json"


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """``make(items, [evaluators], dialect)`` → the project's folder, with a Python agent."""

    def project(items: list[Any], evaluators: list[dict[str, Any]], dialect: str = "package", **more: Any) -> Path:
        root = tmp_path / "project"
        base = root / ("evals/default" if dialect == "strict" else "evaluations")
        for folder in ("eval-sets", "evaluators"):
            (base / folder).mkdir(parents=True)
        refs = [one["id"] for one in evaluators]
        content = {"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": refs, "evaluations": items, **more}
        (base / "eval-sets" / "s.json").write_text(json.dumps(content, indent=2), encoding="utf-8")
        for one in evaluators:
            (base / "evaluators" / f"{one['id']}.json").write_text(json.dumps(one), encoding="utf-8")
        (root / ("Workflow.json" if dialect == "strict" else "uipath.json")).write_text("{}")
        (root / "agent.py").write_text(AGENT)
        return root

    return project
