"""Plots as SVG pictures, drawn on the server: no script in them, light or dark as the reader's system is, printable.

They are served as files of their own and shown with ``<img>``, so that their style stays out of the page's policy. The
same figures stand in a table beside each.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

from reviewapp.domain.evaluations import Basis, Evaluation
from reviewapp.evals.gate import GateStudy, Suggestion
from reviewapp.languages import gettext
from reviewapp.web.filters import decimals

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Of these files: they hold their own style and nothing else."""
_COLOURS = ("#3b82d6", "#2f9e62", "#d07030", "#8f9aa6", "#9a62d0", "#c9a227", "#d0528a", "#2aa5b0", "#7a8f3c")
"""Of middle lightness, so that they stand out on light and on dark."""
_STROKES = "{{ id }} .series .line { stroke-width: 2.5; vector-effect: non-scaling-stroke }"
"""As wide on a phone, where the picture is half as large."""
_DARK = """@media (prefers-color-scheme: dark) {
  {{ id }} text { fill: #e8e8e4 !important } {{ id }} .axis path, {{ id }} .guides { stroke: #555c65 !important }
}"""
_SCRIPT = re.compile(rb"<script.*?</script>", re.DOTALL)


def gate_plot(study: GateStudy, suggestion: Suggestion) -> bytes:
    """Precision (with its interval) against the share that is written without a person."""
    chart = _chart(x_title=gettext("written without a person, %"), y_title=gettext("right among these, %"), range=None)
    drawn = [p for p in study.curve if p.precision is not None]
    chart.add(gettext("right"), [(100 * p.share, 100 * (p.precision or 0)) for p in drawn], show_dots=False)
    lows = [(100 * p.share, 100 * p.interval.low) for p in drawn if p.interval is not None]
    chart.add(gettext("at least, 97.5 % sure"), lows, show_dots=False, stroke_style={"dasharray": "5, 4"})
    if (likely := suggestion.likely) is not None and not suggestion.too_few:
        point = (100 * likely.share, 100 * (likely.precision or 0))
        chart.add(gettext("gate %(gate)s", gate=decimals(likely.gate, 2)), [point], dots_size=6, stroke=False)
    if drawn:
        wanted = [(x, 100 * suggestion.wanted) for x in (0, 100 * max(p.share for p in drawn))]
        chart.add(gettext("wanted"), wanted, show_dots=False)
    return _svg(chart)


def reliability_plot(study: GateStudy) -> bytes:
    """How often values of a support are right; on the diagonal support says the truth."""
    chart = _chart(x_title=gettext("support, %"), y_title=gettext("right, %"), range=(0, 100), xrange=(0, 100))
    chart.add(gettext("right"), [(100 * b.support, 100 * b.right) for b in study.bins], dots_size=5)
    chart.add(gettext("support would say"), [(0, 0), (100, 100)], show_dots=False, stroke_style={"dasharray": "5, 4"})
    return _svg(chart)


def matrix_plot(rows: Sequence[Evaluation], basis: Basis) -> bytes:
    """F1 of several evaluations of a dataset, oldest first, in all and per property."""
    ended = [e for e in reversed(rows) if e.report is not None]
    chart = _pygal().Line(**_config(y_title="F1, %", range=(0, 100)), x_title=gettext("evaluation"))
    chart.x_labels = [f"{e.number}" for e in ended]
    reports = [e.report for e in ended]
    names = list(dict.fromkeys(name for report in reports if report for name in report.properties))
    chart.add(gettext("all"), [_percent(r.total[basis].f1) for r in reports if r], stroke_style={"width": 3})
    for name in names[:8]:
        chart.add(
            name, [_percent(r.properties[name][basis].f1) if name in r.properties else None for r in reports if r]
        )
    return _svg(chart)


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)


@cache
def _pygal() -> Any:
    """The library, imported when the first plot is drawn. Its import hook, which is for maps and which Python warns of,
    is taken away again."""
    import pygal

    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "PluginImportFixer"]
    return pygal


@cache
def _style() -> Any:
    from pygal.style import Style

    return Style(
        background="transparent",
        plot_background="transparent",
        foreground="#1d2126",
        foreground_strong="#1d2126",
        foreground_subtle="#858b93",
        font_family="system-ui, sans-serif",
        label_font_size=13,
        major_label_font_size=13,
        legend_font_size=13,
        colors=_COLOURS,
        opacity=".95",
        guide_stroke_color="#9aa0a8",
        major_guide_stroke_color="#9aa0a8",
        guide_stroke_dasharray="1,5",
        major_guide_stroke_dasharray="1,5",
    )


def _config(**more: Any) -> dict[str, Any]:
    _pygal()
    return {
        "style": _style(),
        "css": ("file://style.css", "file://graph.css", f"inline:{_STROKES} {_DARK}"),
        "js": (),
        "width": 720,
        "height": 420,
        "explicit_size": False,
        "legend_at_bottom": True,
        "no_data_text": gettext("no answers yet"),
        "disable_xml_declaration": False,
        "show_x_guides": False,
        "stroke_style": {"width": 2},
        **more,
    }


def _chart(**more: Any) -> Any:
    return _pygal().XY(**_config(**more))


def _svg(chart: Any) -> bytes:
    drawn: bytes = chart.render()
    return _SCRIPT.sub(b"", drawn)
