"""What strains a page: long names, endless words, other directions and letters, many properties, runs cut off."""

from __future__ import annotations

from reviewapp import answers
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import world

WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsdokumentationsnummer"
ARABIC = "العرض رقم ١٢\nعرض المغسلة 600 mm من الفولاذ المقاوم للصدأ\n"
CHINESE = "产品说明书\n宽度：600 mm，材质：不锈钢 🚰🚿\n深さ 500 mm"
ENDLESS = f"Width of the item {WORD} is 600 mm\n{'x' * 400}\n\tcol\tumn\t12\n"
MATERIAL = "a property with a rather long name that says everything about it"
STRANGE = (
    Property(name="width", value_type="f64", unit="cm"),
    Property(name=MATERIAL, value_type="text", description="In the words that a person who knows no sinks uses. " * 3),
    Property(name=WORD[:60], value_type="keyword", options=tuple(f"option number {n} with a name" for n in range(12))),
    Property(name="is it", value_type="bool"),
    Property(name="valid from", value_type="date"),
)
WIDE = 200
"""Properties of the widest test."""

VISITS = (
    "tests/{strange}/", "tests/{strange}/?input=1", "tests/{strange}/?input=2", "tests/{strange}/?order=weakest",
    "tests/{strange}/many/?support=0.5", "tests/{strange}/reviewers/", "tests/{wide}/", "tests/{wide}/?order=property",
    "tests/{cut_off}/?input=1", "tests/{ended}/", "tests/{answered_all}/", "tests/{answered_all}/?show=unanswered",
    "tests/", "tests/new", "person", "records/strange/", "workflows/", "workflows/wide/", "workflows/wide/change",
    "evaluations/new", "replays/new", "block-tests/",
    *(f"/w/empty/{page}" for page in ("", "records/", "records/new", "workflows/", "workflows/new", "tests/",
        "tests/new", "datasets/", "evaluations/", "evaluations/new", "block-tests/", "eval-sets/", "models/", "people/",
        "trail")),
)  # fmt: skip
"""Addresses that answer with a page; without a slash: in the workspace."""
REFUSED = ("/w/nowhere/", "tests/wtest_none/", "records/none/", "/nothing")
"""Those that say that there is none."""


def fill(data: DataFolder) -> dict[str, str]:
    """The tests that addresses name, in the workspace ``default``; an empty workspace beside it."""
    here = data.workspace("default", create=True)
    data.workspace("empty", create=True)
    cut_off = world.fill(here, [(f"c{n}", "Width 600 mm") for n in range(3)], collection="cut", workflow="cut")
    world.run(here, cut_off, [InputResult()], finish=False)
    here.tests.finish(cut_off.id, "cancelled")
    ended = world.fill(here, [("e", "Width 600 mm")], collection="ended", workflow="ended")
    world.run(here, ended, [], finish=False)
    here.tests.finish(ended.id, "failed", error="The program ended with 3 after 2 s.")
    return {
        "strange": _strange(here),
        "wide": _wide(here),
        "cut_off": cut_off.id,
        "ended": ended.id,
        "answered_all": _answered(here),
    }


def _strange(here: Workspace) -> str:
    texts = [("عرض ١٢", ARABIC), ("产品 🚰", CHINESE), (WORD, ENDLESS)]
    test = world.fill(here, texts, STRANGE, collection="strange", workflow="strange-and-long-named-one-of-somebody")
    quotes = ("عرض المغسلة 600 mm", "宽度：600 mm", f"Width of the item {WORD} is 600 mm")
    materials = ("من الفولاذ المقاوم للصدأ", "不锈钢 🚰🚿", ENDLESS)
    results = [
        InputResult(
            values=(
                world.value(text, "width", 60.0, quote, stated="600 mm"),
                world.value(text, MATERIAL, material, material, "review", support=0.6, unconfirmed="Look. " * 30),
            )
        )
        for (_, text), quote, material in zip(texts, quotes, materials, strict=True)
    ]
    return world.run(here, test, results).id


def _wide(here: Workspace) -> str:
    """Under way: half of its inputs are read."""
    properties = [Property(name=f"width {n}", value_type="f64", unit="cm") for n in range(WIDE)]
    text = "".join(f"Width {n} is {n + 100} mm\n" for n in range(WIDE))
    named = [(f"position {n:03} with a name", f"{text}{n}") for n in range(60)]
    test = world.fill(here, named, properties, collection="wide", workflow="wide")
    values = tuple(
        world.value(text, p.name, n / 10 + 10, f"Width {n} is {n + 100} mm", support=0.9 - n / 1000)
        for n, p in enumerate(properties)
    )
    return world.run(here, test, [InputResult(values=values)] * 30, finish=False).id


def _answered(here: Workspace) -> str:
    test = world.fill(here, [("d", "Width 600 mm")], STRANGE[:1], collection="done", workflow="done")
    value = world.value("Width 600 mm", "width", 60.0, "Width 600 mm", stated="600 mm")
    world.run(here, test, [InputResult(values=(value,))])
    answers.save_answer(here, test.id, 0, "width", "accept", by="Ann")
    return test.id
