import pytest

from reviewapp.formats.html import visible_text
from tests.formats.making import docx, with_part
from tests.formats.reading import faults, incoming, pairs, records

HTML = [
    ("<p>Net <b>12 kg</b></p><p>red</p>", "Net 12 kg\n\nred"),
    ("one<br>two<br/>three", "one\ntwo\nthree"),
    ("<div>a</div><div>b</div>c", "a\nb\nc"),
    ("<h1>Title</h1>text", "Title\n\ntext"),
    ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
    ("a  \n\t b", "a b"),
    ("<b>12</b> <i>kg</i>", "12 kg"),
    ("<b>12 </b><i> kg</i>", "12 kg"),
    ("<span>12</span><span>kg</span>", "12kg"),
    ("<pre>  a\n    b  </pre>", "  a\n    b"),
    ("5&nbsp;kg &lt;b&gt; &#128169; &amp;", "5\u00a0kg <b> 💩 &"),
    ("<script>alert(1)</script><style>p{}</style><title>T</title>x<noscript>n</noscript><template>t</template>", "x"),
    ("<p hidden>no</p><p style='color:red; display : none'>no</p><p>yes</p>", "yes"),
    ("<!-- comment -->x", "x"),
    (
        "<table><tr><th>Net weight</th><th>Gross weight</th></tr><tr><td>12 kg</td><td>15 kg</td></tr></table>",
        "Net weight\tGross weight\n12 kg\t15 kg",
    ),
    ("<table><tr><td>a</td><td></td><td>c</td></tr></table>", "a\t\tc"),
    ("<table><tr><td colspan=2>Total</td><td>9.00</td></tr></table>", "Total\t\t9.00"),
    ("<table><tr><td colspan=999999999>a</td><td>b</td></tr></table>", "a\tb"),
    ("<table><tr><td><p>a</p><p>b<br>c</p></td><td>d</td></tr></table>", "a b c\td"),
    ("before<table><tr><td>a</td></tr></table>after", "before\n\na\n\nafter"),
    (
        "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>side</td></tr></table>",
        "a\tb\n\nside",
    ),
    ("<dl><dt>Weight</dt><dd>5 kg</dd></dl>", "Weight\n5 kg"),
    ("<a href='/x'>link</a> <img alt='picture' src='/y'>", "link"),
    ("<p>unclosed <b>bold", "unclosed bold"),
    ("", ""),
    ("<div>" * 20_000 + "deep", "deep"),
    ("<b>" * 3_000 + "x", "x"),
    ("<table><tr><td>a<table><tr><td>x", "a\n\nx"),
    ("10<sup>3</sup> m<sup>2</sup>, 10<sup>−3</sup> s<sup>-1</sup>", "10³ m², 10⁻³ s⁻¹"),
    ("<b>10</b><sup><a href='#n'>12</a></sup>, 12 kg<sup>1)</sup>, 12<sup>[1]</sup>", "10¹², 12 kg¹⁾, 12[¹]"),
    ("H<sub>2</sub>O, log<sub>10</sub>5, x<sub>1</sub>", "H2O, log₁₀5, x1"),
    ("5<sup>1</sup>/<sub>2</sub> in", "5¹/₂ in"),
    ("25<sup>o</sup>C, 25 <sup>0</sup>C, 3<sup>o</sup>, 1<sup>er</sup>", "25°C, 25 °C, 3º, 1er"),
    ("<s>600</s>650 mm, <strike>a</strike>b, <del>99</del><ins>79</ins> €", "600 650 mm, ab, 79 €"),
    ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "漢"),
    (
        "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5<tr><td>6<td>7<td>8</table>",
        "a\tb\tc\n1\t2\t3\n\t4\t5\n6\t7\t8",
    ),
    (
        "<table><tr><td colspan=2 rowspan=2>1<td>2<tr><td>3<tr><td>x<td>y<td>10<sup>3</sup></table>",
        "1\t\t2\n\t\t3\nx\ty\t10³",
    ),
    ("<table><thead><tr><td rowspan=9>h<td>i</thead><tbody><tr><td>x<td>y</table>", "h\ti\nx\ty"),
    ("<table><tr><td rowspan=x>a<td>b<tr><td rowspan=0>c<td>d<tr><td>e</table>", "a\tb\nc\td\ne"),
]


@pytest.mark.parametrize(("markup", "expected"), HTML)
def test_html_is_the_text_a_reader_sees(markup, expected):
    assert visible_text(markup) == expected


def test_html_in_a_declared_encoding():
    content = '<meta charset="windows-1251"><p>Вес 12 кг</p>'.encode("cp1251")
    brought = incoming("r.html", content)
    assert [r.text for r in brought.records] == ["Вес 12 кг"]
    assert brought.notes == ("r.html was read as windows-1251, as it says itself.",)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("r.txt", "A\r\nB\nC\rTotal 5 kg", "A\nB\nC\nTotal 5 kg"),
        ("r.txt", "  indented\n\n", "  indented\n\n"),
        ("r.md", "# Title\n\n| a | b |\n|---|---|\n", "# Title\n\n| a | b |\n|---|---|\n"),
        ("r.txt", "page 1\fpage 2\t5 kg", "page 1\fpage 2\t5 kg"),
        ("r.TXT", "5 kg", "5 kg"),
    ],
)
def test_plain_text_is_kept_as_it_is(name, content, text):
    assert pairs(name, content) == [("r", text)]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("r.txt", b"one\ntwo\nbin\0ary", "r.txt, line 3: holds a NUL character (U+0000); is it a text file?"),
        ("r.txt", b"%PDF-1.7 ...", "r.txt: is a PDF file under another name; let its name end in .pdf"),
        ("r.txt", b" \n\n", "r.txt: the text is empty"),
        ("r.html", b"<script>x</script>", "r.html: the text is empty"),
        ("r.txt", b"x" * 4_000_001, "r.txt: the text has 4,000,001 characters; at most 4,000,000. Split it."),
        ("r.doc", b"x", "r.doc: files with the ending .doc cannot be read; save it as .docx"),
        ("r.png", b"x", "r.png: files with the ending .png cannot be read; expected .csv, "),
        ("r", b"x", "r: files with the ending (none) cannot be read"),
    ],
)
def test_what_is_no_text_is_a_fault(name, content, expected):
    [fault] = faults(name, content)
    assert fault.startswith(expected)


def test_docx_paragraphs_and_tables_in_order():
    def fill(document):
        document.add_heading("Tender", level=1)
        document.add_paragraph("Position\t4.1")
        table = document.add_table(rows=2, cols=2)
        for cell, text in zip(
            [c for row in table.rows for c in row.cells], ["Net weight", "Gross weight", "12 kg", "15 kg"], strict=True
        ):
            cell.text = text
        document.add_paragraph("After the table")
        document.sections[0].header.paragraphs[0].text = "ACME Ltd"
        document.sections[0].footer.paragraphs[0].text = "Page 1"

    assert pairs("r.docx", docx(fill)) == [
        ("r", "ACME Ltd\nTender\nPosition\t4.1\nNet weight\tGross weight\n12 kg\t15 kg\nAfter the table\nPage 1")
    ]


def test_docx_merged_cells_keep_their_columns():
    def fill(document):
        table = document.add_table(rows=1, cols=3)
        table.rows[0].cells[0].merge(table.rows[0].cells[1]).text = "Total"
        table.rows[0].cells[2].text = "9.00"

    assert pairs("r.docx", docx(fill)) == [("r", "Total\t\t9.00")]


W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def run(text: str, settings: str = "") -> str:
    return f'<w:r><w:rPr>{settings}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def math(inner: str) -> str:
    return f"<w:p><m:oMath>{inner}</m:oMath></w:p>"


def m(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


SUPER, SUB = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
HIGH, NOT_STRUCK = '<w:position w:val="8"/>', '<w:strike w:val="0"/>'
NOT_HIDDEN, SYMBOL = '<w:vanish w:val="false"/>', '<w:rFonts w:ascii="Symbol"/>'
SIGNS = "\uf0b0\uf0b1 m"
HALF = f"<m:f><m:num>{m('1')}</m:num><m:den>{m('2')}</m:den></m:f>"
BODIES = [
    (f"<w:p>{run('10')}{run('−', SUPER)}{run('3', SUPER)}{run(' m')}{run('2', SUPER)}</w:p>", "10⁻³ m²"),
    (f"<w:p>{run('10')}{run('6', HIGH)}{run(' H')}{run('2', SUB)}{run('O')}</w:p>", "10⁶ H2O"),
    (f"<w:p>{run('20 ')}{run('o', SUPER)}{run('C')}</w:p>", "20 °C"),
    (f"<w:p>{run('600', '<w:strike/>')}{run('650', NOT_STRUCK)}{run(' mm')}</w:p>", "600 650 mm"),
    (f"<w:p>{run('a')}{run('hidden', '<w:vanish/>')}{run('b', NOT_HIDDEN)}</w:p>", "ab"),
    ('<w:p><w:r><w:t>5 </w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>m</w:t></w:r></w:p>', "5 µm"),
    (
        '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Wingdings" w:char="F021"/></w:r></w:p>',
        "☑\ufffd",
    ),
    (
        '<w:p><w:r><w:t>a</w:t><w:sym w:font="Odd" w:char="E012"/><w:sym w:font="Arial" w:char="00B5"/></w:r></w:p>',
        "a\ufffdµ",
    ),
    (f"<w:p>{run('5 ')}{run(SIGNS, SYMBOL)}</w:p>", "5 °± µ"),
    (math(f"{m('x=2')}{HALF}{m('3')}"), "x=2 1/2 3"),
    (math(f"<m:f><m:num>{m('a+b')}</m:num><m:den>{m('2')}</m:den></m:f>"), "(a+b)/2"),
    (math(f"<m:sSup><m:e>{m('10')}</m:e><m:sup>{m('−3')}</m:sup></m:sSup>{m(' m')}"), "10⁻³ m"),
    (math(f"<m:sSup><m:e>{m('e')}</m:e><m:sup>{m('−kt')}</m:sup></m:sSup>"), "e^(−kt)"),
    (math(f"<m:sSubSup><m:e>{m('x')}</m:e><m:sub>{m('1')}</m:sub><m:sup>{m('2')}</m:sup></m:sSubSup>"), "x₁²"),
    (math(f"<m:rad><m:deg/><m:e>{m('2')}</m:e></m:rad>{m('3')}"), "√(2)3"),
    (
        math(
            f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>'
            f"<m:e>{m('1')}</m:e><m:e>{m('2')}</m:e></m:d>"
        ),
        "[1, 2]",
    ),
    ("<w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r></w:p>", "one\ntwo"),
    ('<w:p><w:r><w:t>one</w:t><w:br w:type="page"/><w:t>two</w:t></w:r></w:p>', "one\ftwo"),
    ("<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>", "new"),
    ("<w:sdt><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>control</w:t></w:r></w:p></w:sdtContent></w:sdt>", "control"),
    ("<w:p><w:sdt><w:sdtContent><w:r><w:t>inline</w:t></w:r></w:sdtContent></w:sdt></w:p>", "inline"),
    ("<w:p><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>", "link"),
    ("<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>1</w:t></w:r></w:p>", "1"),
    ("<w:p><w:r><w:t>5</w:t><w:noBreakHyphen/><w:t>6</w:t></w:r></w:p>", "5\u20116"),
    (
        "<w:p><w:r><w:t>text</w:t></w:r><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>",
        "text\nbox",
    ),
    ("<w:p><w:r><w:t>a</w:t></w:r></w:p><w:p/><w:p><w:r><w:t>b</w:t></w:r></w:p>", "a\n\nb"),
]


@pytest.mark.parametrize(("body", "expected"), BODIES)
def test_docx_reads_what_is_shown(body, expected):
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>".encode()
    content = with_part(docx(lambda _: None), "word/document.xml", lambda _: document)
    assert records("r.docx", content)[0].text == expected


def test_docx_notes_come_after_the_text_and_comments_are_left_out():
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    content = docx(lambda document: document.add_paragraph("5 kg"))
    relations = "".join(
        f'<Relationship Id="x{kind}" Type="{office}/{kind}" Target="{kind}.xml"/>'
        for kind in ("endnotes", "footnotes", "comments")
    )
    parts = {
        "footnotes": '<w:footnote w:type="separator"><w:p/></w:footnote><w:footnote><w:p>%s</w:p></w:footnote>',
        "endnotes": '<w:endnote w:id="1"><w:p>%s</w:p></w:endnote>',
        "comments": '<w:comment w:id="0"><w:p>%s</w:p></w:comment>',
    }
    for kind, inner in parts.items():
        part = f"<w:{kind} {W}>{inner % run(f'in {kind}')}</w:{kind}>".encode()
        content = with_part(content, f"word/{kind}.xml", lambda _, part=part: part)
    content = with_part(
        content,
        "word/_rels/document.xml.rels",
        lambda old: old.replace(b"</Relationships>", f"{relations}</Relationships>".encode()),
    )
    assert records("r.docx", content)[0].text == "5 kg\nin footnotes\nin endnotes"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (docx(lambda _: None), "r.docx: the text is empty"),
        (b"PK\x03\x04 broken", "r.docx: is damaged or no DOCX file"),
        (b"plain", "r.docx: is damaged or no DOCX file"),
        (b"\xd0\xcf\x11\xe0" + b"x" * 600, "r.docx: is locked with a password or in an old format; save it as DOCX"),
        (
            with_part(docx(lambda _: None), "word/document.xml", lambda part: part[:-40]),
            "r.docx: is damaged: word/document.xml is not the XML that was expected",
        ),
    ],
)
def test_docx_that_cannot_be_read_is_one_fault(content, expected):
    [fault] = faults("r.docx", content)
    assert fault.startswith(expected)
