"""Words that would be a script if anybody forgot to escape them, in every field, on every page there is."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp.datasets import save_dataset
from tests.field_cases.product import Product, Said, prop

SCRIPT = "https://></a><img src=# onerror=alert(1) />\"'</script><script>alert(2)</script>{{7*7}}"
PAGES_AT_LEAST = 25


def crawl(client: FlaskClient, start: str) -> dict[str, str]:
    """Every page that links lead to from `start`, by address; files to download are left out."""
    pages: dict[str, str] = {}
    waiting = [start]
    while waiting:
        address = waiting.pop()
        if address in pages or len(pages) > 300:
            continue
        response = client.get(address, follow_redirects=True)
        assert response.status_code < 500, address
        if response.mimetype != "text/html":
            continue
        pages[address] = response.text
        for link in LexborHTMLParser(response.text).css("a[href]"):
            target = urlsplit(str(link.attributes["href"]))
            if not target.netloc and target.path.startswith("/w/"):
                waiting.append(target.path + (f"?{target.query}" if target.query else ""))
    return pages


def test_83_every_field_is_shown_as_text_on_every_page(product: Product) -> None:
    client = product.client
    client.post("/name", data={"name": SCRIPT[:60]})
    name = SCRIPT[:90]
    properties = [
        prop(name, "text", description=SCRIPT, aliases=(SCRIPT,)),
        prop("choice", "keyword", options=(SCRIPT, "b")),
        prop("n", unit="cm", description=SCRIPT),
    ]
    said: list[Said] = [
        (name, SCRIPT, SCRIPT),
        ("choice", SCRIPT, SCRIPT),
        ("n", SCRIPT, SCRIPT),
        ("un" + SCRIPT, 1, SCRIPT),
    ]
    product.read({SCRIPT: f"{SCRIPT} Width 5 cm\n{SCRIPT}"}, properties, {SCRIPT: said})
    for number, value in (("accept", ""), ("correct", SCRIPT), ("reject", "")):
        product.answer(SCRIPT, name, number, value, note=SCRIPT)
    assert product.answer(SCRIPT, "n", "correct", SCRIPT) == 422
    save_dataset(product.workspace, product.test, name=SCRIPT, by=SCRIPT[:60])
    pages = crawl(client, "/w/default/")
    pages |= {
        path: client.get(path).text
        for path in (
            f"/w/default/records/?q={SCRIPT}",
            f"/w/{SCRIPT}/",
            f"/w/default/tests/{SCRIPT}/",
            f"/w/default/tests/{product.test}/?q=<script>alert(2)</script>&show=<b>",
            f"/{SCRIPT}",
            f"/v1/{SCRIPT}",
        )
    }
    form = {"position": 0, "name": SCRIPT, "decision": "correct", "value": SCRIPT, "note": SCRIPT}
    pages["fault"] = client.post(f"/w/default/tests/{product.test}/answers", data=form).text
    pages["refused"] = client.post("/w/default/workflows/paste", data={"text": SCRIPT, "name": SCRIPT}).text
    pages["upload"] = client.post(
        "/w/default/records/pasted", data={"collection": SCRIPT, "text": SCRIPT, "name": SCRIPT}
    ).text
    assert len(pages) >= PAGES_AT_LEAST, sorted(pages)
    for address, text in pages.items():
        assert "<img src=#" not in text, address
        assert "<script>alert" not in text, address
        for script in re.findall(r"<script\b[^>]*>(.*?)</script>", text, re.DOTALL):
            assert not script.strip(), address  # none stands in a page, so none can be broken out of
        page = LexborHTMLParser(text)
        assert not [n for n in page.css("*") if any(key.startswith("on") for key in n.attributes)], address


def test_83_every_page_forbids_scripts_of_others(product: Product) -> None:
    product.read({"a": "Width 5 cm"}, [prop("width", unit="cm")])
    for address in ("/w/default/", f"/w/default/tests/{product.test}/", "/nothing", "/w/default/records/new"):
        policy = product.client.get(address).headers["Content-Security-Policy"]
        assert "unsafe-inline" not in policy, address
        assert "default-src 'none'" in policy or "default-src 'self'" in policy, address
