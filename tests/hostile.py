"""Strings that people and files may bring and that must come back as text: scripts, markup of our own libraries,
templates, formulas, paths, headers, statements, entities, controls. Each sets ``window.owned`` or opens a dialog where
it is run."""

from __future__ import annotations

_RUN = ("window.owned=1", "alert(1)")
_TAGS = (
    "<script>{}</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT><!--{}-->",
    "</script><script>{}</script>",
    "</textarea><script>{}</script>",
    "</title><script>{}</script>",
    "</style><script>{}</script>",
    "</option></select><script>{}</script>",
    "<img src=x onerror={}>",
    "<img src=x onerror='{}'//",
    '"><img src=x onerror="{}">',
    "'><img src=x onerror='{}'>",
    "https://></a><img src=# onerror={} />",
    "<svg onload={}>",
    "<svg><script>{}</script></svg>",
    "<svg><animate onbegin={} attributeName=x dur=1s>",
    "<math><mtext></mtext><img src=x onerror={}></math>",
    "<body onload={}>",
    "<iframe srcdoc='<script>parent.{}</script>'></iframe>",
    "<iframe src='javascript:parent.{}'></iframe>",
    "<object data='javascript:{}'></object>",
    "<embed src='javascript:{}'>",
    "<a href='javascript:{}'>click</a>",
    "<a href=' &#x6A;avascript:{}'>click</a>",
    "<form action='javascript:{}'><button>go</button></form>",
    "<button formaction='javascript:{}'>go</button>",
    "<input autofocus onfocus={}>",
    "<details open ontoggle={}>",
    "<video><source onerror={}></video>",
    "<marquee onstart={}>",
    "<base href='https://evil.example/'><!--{}-->",
    "<meta http-equiv=refresh content='0;url=javascript:{}'>",
    "<link rel=stylesheet href='data:text/css,*{{color:red}}'><!--{}-->",
    "<style>*{{background:url('javascript:{}')}}</style>",
    "<template><script>{}</script></template>",
    "<noscript><p title='</noscript><img src=x onerror={}>'>",
    "<!--><script>{}</script>-->",
    "<![CDATA[<script>{}</script>]]>",
    "<div hx-get='/keys/' hx-trigger='load' hx-on:load='{}'></div>",
    "<div hx-on::after-request='{}' hx-post='/people/close' hx-trigger='load'></div>",
    "<hx-partial hx-target='body' hx-swap='innerHTML'><script>{}</script></hx-partial>",
    "<div data-hx-get='javascript:{}' data-hx-trigger='load'></div>",
    '" onmouseover="{}" x="',
    "' autofocus onfocus='{}' x='",
    "` onmouseover=`{}`",
    "javascript:{}",
    "JaVaScRiPt:{}",
    "java\tscript:{}",
    "data:text/html,<script>{}</script>",
    "vbscript:{}",
    "<scr<script>ipt>{}</scr</script>ipt>",
    "<img/src=x/onerror={}>",
    "%3Cscript%3E{}%3C/script%3E",
    "&lt;script&gt;{}&lt;/script&gt;",
    "&#60;script&#62;{}&#60;/script&#62;",
    "\\u003cscript\\u003e{}\\u003c/script\\u003e",
    "＜script＞{}＜/script＞",
    "<ſcript>{}</ſcript>",
    "[x](javascript:{})",
    "![x](x onerror={})",
)
_OTHER = (
    # templates
    "{{ 7 * 7 }}", "{% raw %}", "{{ config }}", "{{ ''.__class__.__mro__ }}", "{# comment #}", "${7*7}", "#{7*7}",
    "<%= 7 * 7 %>", "{0.__class__}", "%(password)s", "%s%s%n", "{}", "{{}}", "{% endblock %}",
    # formulas
    "=1+1", "+1+1", "-1+1", "@SUM(A1:A9)", "=cmd|' /C calc'!A0", "\t=1+1", "=HYPERLINK(\"https://evil.example\",\"x\")",
    "=IMPORTXML(\"https://evil.example\",\"//a\")", "＝1+1", "＋1", "－1", "＠SUM(A1)", "'=1+1", "\"=1+1", " =1+1",
    "=DDE(\"cmd\";\"/C calc\";\"x\")", "%0A=1+1", ";=1+1", ",=1+1",
    # paths
    "../../etc/passwd", "..\\..\\windows\\system32", "/etc/passwd", "C:\\Windows\\win.ini", "file:///etc/passwd",
    "~root",
    "CON", "NUL.txt", "aux", "..", ".", "/", "\\", "a/b/c", "x.db", ".hidden", "name.", "trailing ", "%2e%2e%2f",
    "..%c0%af", "\\\\evil.example\\share", "workspaces/other.db", "-rf", "--help",
    # headers and lines
    "x\r\nSet-Cookie: owned=1", "x\nLocation: https://evil.example/", "x\r\n\r\n<script>window.owned=1</script>",
    "\";filename=evil.exe", "a; filename*=UTF-8''evil", "x\u2028y", "x\u2029y", "x\x0by", "x\x85y",
    # statements and commands
    "'; drop table records; --", "\" or 1=1 --", "%' or '1'='1", "x' union select password from people --", "$(id)",
    "`id`", "| id", "; id", "&& id", "*)(uid=*))(|(uid=*", "' or count(/*)=1 or 'a'='b",
    # XML and JSON
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>&e;</x>", "<!DOCTYPE x [<!ENTITY a 'aaaa'>]>&a;",
    "<?xml version='1.0'?>", "]]>", "<![CDATA[", "\",\"owned\":\"1", "\\\",\\\"owned\\\":1", "__proto__", "constructor",
    "null", "NaN", "true", "undefined", "[object Object]", "-Infinity", "1e400",
    # characters
    "\u202eevil\u202c", "\u2066x\u2069", "a\u200bb", "\ufeffx", "e\u0301\u0301\u0301\u0301\u0301", "Z̷̢̛a̸l̷g̸o̵", "👩‍👩‍👧‍👦",
    "🇩🇪",
    "مرحبا", "שלום", "ﷺ", "ﬀﬁ", "ı İ ß ẞ", "山田", "\x1b[31mred\x1b[0m", "\x07bell", "\x7f", "\xad", "x\tb", "a\u00a0b",
    "' \" ` < > & = / \\", "&amp;", "&", "<", ">", "\"", "'", "`", "&nbsp;", "&#x0;", "&notanentity;",
    "(" * 60 + "a" * 60 + ")" * 60, "a" * 190, "(a+)+$", "^(a|a)*$", "[[:alpha:]]", "\\", "\\x00", "\\u0000",
)  # fmt: skip

SCRIPTS = tuple(tag.format(run) for tag in _TAGS for run in _RUN)
STRINGS = tuple(dict.fromkeys((*SCRIPTS, *_OTHER)))
assert len(STRINGS) >= 200
