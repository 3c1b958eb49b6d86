"""HTML: the main text and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from marginalia import FormatError
from marginalia.reader.parse.content import Content
from marginalia.reader.parse.html import parse
from marginalia.reader.parse.restore import LeftOut


def parsed(text: str | bytes) -> Content:
    return parse(text if isinstance(text, bytes) else text.encode(), Path("x.html"))


def regions(content: Content) -> list[tuple[str, str]]:
    return [(r["kind"], content.text[r["start"] : r["end"]]) for r in content.regions]


PAGE = """<!doctype html><html lang="de-AT"><head><title> The
 title </title><script>evil()</script><style>p { }</style></head><body>
<nav>menu</nav><header>logo</header>
<main><header><h1>Head &amp; more</h1></header>
<p onclick="evil()">First <b>bold</b>, <code>x = 1</code>
   and<script>evil()</script> tail<br>next &lt;script&gt;. 10<sup>3</sup> CO<sub>2</sub> it<sup>em</sup></p>
<pre>
a
  <i>b</i>

<b>c</b>

</pre>after
<ol><li>one<li>two <p>goes on</p></ol>
<table><caption>Cap</caption><tr><th>A<th>B<tr><td>1<td>2 <br>3</table>
<blockquote><p>q1</p><p>q2</p></blockquote>
<p hidden>hidden</p><!-- comment -->x <math><mi>E</mi><annotation>tex</annotation></math> y
<figure><img alt="alt" src="http://x.example/y.png"><figcaption>Figure</figcaption></figure>
</main><footer>imprint</footer></body></html>"""


def test_text_and_regions() -> None:
    content = parsed(PAGE)
    assert content.text == (
        "Head & more\n\n"
        "First bold, x = 1 and tail\nnext <script>. 10³ CO₂ item\n\n"
        "a\n  b\n\nc\n\nafter\n\none\n\ntwo\n\ngoes on\n\nCap\nA\tB\n1\t2\n3\n\nq1\n\nq2\n\n"
        "x E y\n\nFigure"
    )
    assert regions(content) == [
        ("heading", "Head & more"),
        ("code", "x = 1"),
        ("code", "a\n  b\n\nc"),
        ("item", "one"),
        ("item", "two\n\ngoes on"),
        ("table", "Cap\nA\tB\n1\t2\n3"),
        ("caption", "Cap"),
        ("quote", "q1\n\nq2"),
        ("formula", "E"),
        ("caption", "Figure"),
    ]
    assert (content.title, content.lang) == ("The title", "de")
    assert [region.get("number") for region in content.regions[3:5]] == [1, 2]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("just words", "just words"),
        ("<header>top</header><p>a</p><aside>b</aside><footer>c</footer>", "a"),
        ("<article><header>top</header>a</article><p>b</p>", "top\n\na"),
        ("<article>a</article><article>b</article>", "a\n\nb"),
        ("<main></main><p>a</p>", "a"),
        ("<table><tr><td><p>a</p><td><h2>b</h2></table>", "a\n\nb"),
        ("<p>a &nbsp; b &eacute; &#x1F600; &unknown; &#0;", "a \u00a0 b é 😀 &unknown; \ufffd"),
        ("<p>unclosed <b>bold <i>both</b> and on</i>", "unclosed bold both and on"),
        ("<pre>a&#13;&#10;b</pre>", "a\nb"),
        ("<p>a</p><svg><title>no</title><text>no</text></svg><iframe>no</iframe>b", "a\n\nb"),
        ('<?xml version="1.0" encoding="utf-8"?><html xmlns="x"><body>é</body></html>', "é"),
        ("<p><input value='no'><textarea>no</textarea><button>no</button>a", "a"),
    ],
)
def test_pages_as_people_write_them(page: str, text: str) -> None:
    assert parsed(page).text == text


WEIGHT = (
    "Each jar held 3.5 kg of honey, which is more than most people guess, says a survey of two hundred "
    "households, and the jars themselves weigh nearly as much again when they are made of glass. "
)
REASON = (
    "Heavy jars are dropped more often, and honey is hard to clean, so that many buyers now look for lighter "
    "ones; some makers have tried thinner walls, others bags that stand by themselves in the cupboard. "
)
SITE = f"""<title>Jars are heavy | The Kitchen Post</title><body class="has-sidebar">
<div id="cookie-banner"><p>We use cookies to improve your experience.</p><button>Accept</button></div>
<a class="skip-link" href="#c">Skip to content</a>
<ul class="mainMenu"><li><a>Home</a><li><a>About</a><li><a>Contact</a></ul>
<div class="content"><h1>Jars are heavy</h1>
<p>{WEIGHT * 3}</p>
<p style="display: none">Hidden words.</p>
<h2>Why it matters</h2><p>{REASON * 3}</p></div>
<div id="sidebar"><h3>Most read</h3><ul><li><a>Lids</a><li><a>Corks and caps</a></ul></div>
<div id="footer"><p>All rights reserved.</p></div>"""


def test_menus_banners_and_teasers_are_left_out() -> None:
    content = parsed(SITE)
    assert content.title == "Jars are heavy"
    assert WEIGHT.strip() in content.text and REASON.strip() in content.text
    assert "Why it matters" in content.text
    for word in ("cookies", "Skip", "About", "Hidden", "Lids", "rights reserved"):
        assert word not in content.text
    levels = [region["level"] for region in content.regions if region["kind"] == "heading"]
    assert levels[-1] == 2


def test_a_short_page_is_read_whole() -> None:
    assert (
        parsed("<div class='sidebar'><p>Stir.</p></div><div>Serve.</div>").text == "Stir.\n\nServe."
    )


TERMS = ("Latency", "Throughput", "Jitter", "Bandwidth", "Packet loss", "Queue")
ENTRIES = {
    "plain": "<dl>{}</dl>|<dt>{term}</dt><dd>{text}</dd>",
    "not closed": "<dl>{}</dl>|<dt>{term}<dd>{text}",
    "paragraphs": "<dl>{}</dl>|<dt>{term}</dt><dd><p>{text}</p><p>{text}</p></dd>",
    "groups": "<dl>{}</dl>|<div><dt>{term}</dt><dd><p>{text}</p><p>{text}</p></dd></div>",
    "headings": "<dl>{}</dl>|<dt><h3><a href='#a'>{term}</a></h3></dt><dd>{text}</dd>",
    "classes": "<dl>{}</dl>|<dt class='term-header'>{term}</dt><dd>{text}</dd>",
    "buttons": "<dl>{}</dl>|<dt><button>{term}</button></dt><dd>{text}</dd>",
    "many lists": "{}|<section><h2>X</h2><dl><dt>{term}</dt><dd><p>{text}</p></dd></dl></section>",
    "nested": "<dl><dt>All</dt><dd><dl>{}</dl></dd></dl>|<dt>{term}</dt><dd>{text}</dd>",
}


@pytest.mark.parametrize("around", ["{}", "<main>{}</main>", "<div><p>" + WEIGHT + "</p>{}</div>"])
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
@pytest.mark.parametrize("times", [1, 4], ids=["short, read whole", "long, the main text"])
def test_a_glossary_keeps_every_term(around: str, entry: str, times: int) -> None:
    outer, inner = entry.split("|")
    # Of different length: what is long stands out to whoever looks for the main text.
    made = [
        inner.format(term=term, text=f"Meaning {n}. " + REASON * ((times - 1) * n // 2))
        for n, term in enumerate(TERMS)
    ]
    lines = parsed(around.format(outer.format("".join(made))) + "<p>End.</p>").text.split("\n\n")
    assert [line for line in lines if line in TERMS] == list(TERMS)
    assert [line[:9] for line in lines if line.startswith("Meaning 5")][:1] == ["Meaning 5"]


def test_a_list_of_definitions_in_an_article_brings_no_menu_in() -> None:
    facts = "<dl><dt>Weight</dt><dd>3.5 kg</dd></dl>"
    page = SITE.replace("<h2>", f"{facts}<h2>").replace("<h3>", f"{facts.replace('3.5', '9')}<h3>")
    text = parsed(page).text
    assert "Weight\n\n3.5 kg" in text and text.index("3.5 kg\n\nWhy it") > text.index(WEIGHT[:40])
    assert not {"9 kg", "About", "Lids"} & set(text.split("\n\n"))


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>How to fold | Paper Weekly</title>", "", "How to fold | Paper Weekly"),
        ("<title>How to fold paper planes | Paper Weekly</title>", "", "How to fold paper planes"),
        ("<title>Paper Weekly: Fold it</title>", "<h1>Fold it</h1>", "Fold it"),
        ('<title>x</title><meta property="og:title" content="Fold &amp; cut">', "", "Fold & cut"),
        (
            '<title>Folding — PW</title><meta property="og:site_name" content="PW">', "", "Folding",
        ),
        ("", "<h2>Second</h2><h1>First</h1>", "First"),
    ],
)  # fmt: skip
def test_a_title_is_without_the_name_of_the_site(head: str, body: str, title: str) -> None:
    assert parsed(f"<html><head>{head}</head><body>{body}<p>Text.</p></body></html>").title == title


def test_of_several_articles_a_long_one_is_the_main_text() -> None:
    page = f"<article><p>{'Long text. ' * 20}</p></article><article>Teaser</article><p>Imprint</p>"
    assert parsed(page).text == ("Long text. " * 20).strip()


def test_a_declared_latin_encoding_is_used() -> None:
    page = '<meta charset="iso-8859-1"><p>Stra\u00dfe \u2013 5 \u20ac'
    assert parsed(page.encode("cp1252")).text == "Straße – 5 €"
    with pytest.raises(FormatError, match="not UTF-8"):
        parsed("<p>Straße".encode("cp1252"))
    with pytest.raises(FormatError, match="not windows-1253 text, as it declares"):
        parsed(b'<meta charset="windows-1253"><p>\xaa')
    assert parsed('<meta charset="rot13"><p>not a charset').text == "not a charset"


def test_deep_nesting_is_read_or_refused() -> None:
    assert parsed("<div>" * 500 + "deep" + "</div>" * 500).text == "deep"
    for tag in ("div", "b", "blockquote", "table"):
        with pytest.raises(FormatError, match="nested more than"):
            parsed(f"<{tag}>" * 100_000 + "deep")


def test_entities_are_never_expanded_from_a_page() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]>'
    text = parsed(f"{bomb}<p>x &b; &f;").text
    assert text.endswith("x &b; &f;")


tags = st.sampled_from(
    "p div b i h2 li ul ol table tr td th pre code blockquote nav script br sup math".split()
)
trees = st.recursive(
    st.text(alphabet="ab \n\t&<é", max_size=6),
    lambda inner: st.tuples(tags, st.lists(inner, max_size=3)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=12,
)


@given(st.lists(trees, max_size=4).map("".join))
def test_no_page_breaks_the_offsets(page: str) -> None:
    content = parsed(page)
    assert not content.text.endswith("\n")
    for region in content.regions:
        assert 0 <= region["start"] < region["end"] <= len(content.text)


ARTICLE_PAGE = (
    "<html><body><nav><ul><li><a href='/a'>Home</a></li><li><a href='/b'>Products</a></li></ul></nav>"
    "<div id='content'><h1>Keeping jars</h1>{before}"
    + "<p>{prose}</p>" * 4
    + "{between}"
    + "<p>{prose}</p>" * 4
    + "{after}</div><footer><p>Imprint of the society of jars, all rights reserved.</p></footer></body></html>"
)
PROSE = (
    "A jar that is kept in a cool cellar, away from the light, keeps what is in it for years, and whoever "
    "opens it in winter, when nothing grows, will be glad of it, as the people of the valley have long known. "
)


def article(before: str = "", between: str = "", after: str = "") -> Content:
    page = ARTICLE_PAGE.format(before=before, between=between, after=after, prose=PROSE)
    return parsed(page)


@pytest.mark.parametrize(
    "block",
    [
        "<div class='wrapper'><h2>What to keep</h2></div>",
        "<ul><li>Honey in tall jars</li><li>Plums in wide jars</li></ul>",
        "<figure><img src='x.png' alt=''><figcaption>A cellar with jars</figcaption></figure>",
        "<blockquote><p>A jar in the cellar is worth two on the table, as my aunt used to say.</p></blockquote>",
        "<dl><dt>Honey</dt><dd>What bees make of nectar and keep for the winter in their combs.</dd></dl>",
        "<details><summary>More on lids</summary><p>Lids must be boiled before they close a jar of fruit.</p></details>",
        "<table><tr><th>jar</th><th>years</th></tr><tr><td>honey</td><td>9</td></tr></table>",
    ],
)
def test_blocks_of_the_main_text_are_never_lost(block: str) -> None:
    words = [" ".join(text.split()) for text in lxml_html.fromstring(block).itertext()]
    content = article(between=block)
    places = [content.text.find(text) for text in words if text]
    assert -1 not in places and places == sorted(places)
    assert "Products" not in content.text and "Imprint" not in content.text


def test_a_page_keeps_what_its_own_article_has() -> None:
    """Headings, captions, the author's section and lists that readability leaves out, in the order of the page."""
    page = (
        "<body><nav><a href='/'>Home</a></nav><main><article><header><h1>Keeping jars</h1><p class='intro'>What"
        " the cellar is for</p><ul><li><time>Feb. 21, 2019</time></li></ul><figure><figcaption>A lead picture"
        "</figcaption></figure></header><div id='toc'><h2>Contents</h2><ul><li><a href='#a'>Cool cellars</a></li>"
        "<li><a href='#b'>Dry attics</a></li><li><a href='#c'>Shelves</a></li></ul></div><section>"
        + "".join(f"<h2 id='{name}'>Part {name}</h2><p>{PROSE}</p><p>{PROSE}</p>" for name in "abc")
        + "<h2>See also</h2><div role='navigation'>Portal</div><ul><li><a href='/1'>List of jars</a></li></ul>"
        "</section><aside class='writer'><h4>About the author</h4><div>Ann keeps jars and writes of cellars.</div>"
        "</aside><section class='more'><h4>Read next</h4><ul><li><a href='/2'>Ten lids that nobody needs</a></li>"
        "</ul></section></article></main></body>"
    )
    content = parsed(page)
    wanted = "Keeping jars,What the cellar,Feb. 21,A lead picture,Contents,Cool cellars,Part a,Part c,See also,List of jars,About the author"
    places = [content.text.find(text) for text in wanted.split(",")]
    assert -1 not in places and places == sorted(places)
    assert "Ten lids" not in content.text and content.text.endswith("writes of cellars.")
    assert ("contents", "Cool cellars\n\nDry attics\n\nShelves") in regions(content)


def test_a_table_with_heads_is_one_whatever_its_cells_hold() -> None:
    table = (
        "<table class='infobox'><tr><th><a href='/f'>Founded</a></th><td><div>1998</div></td></tr>"
        "<tr><th>Divisions</th><td><ul><li><a href='/c'>Corporation</a></li><li>Foundation</li></ul></td></tr></table>"
    )
    content = article(before=table)
    assert "Founded\t1998\nDivisions\tCorporation Foundation" in content.text
    (found,) = content.tables
    heads = [content.text[c["start"] : c["end"]] for row in found["rows"] for c in row if c["head"]]
    assert heads == ["Founded", "Divisions"]


@pytest.mark.parametrize(
    ("table", "is_table"),
    [
        ("<table><tr><td><p>honey</p></td><td><p>9</p></td></tr></table>", True),
        (f"<table><tr><td><p>{PROSE * 2}</p></td><td><p>menu</p></td></tr></table>", False),
        ("<table><tr><th><h2>News</h2></th><td>9</td></tr></table>", False),
        ("<table role='presentation'><tr><th>jar</th><td>9</td></tr></table>", False),
    ],
)
def test_tables_that_lay_out_a_page_are_none(table: str, is_table: bool) -> None:
    assert bool(parsed(table).tables) == is_table


def test_a_table_of_which_only_rows_were_found_is_whole() -> None:
    """Readability may choose the body of a table as the main text."""
    rows = "".join(f"<tr><th>Jar {n}</th><td>{PROSE}</td></tr>" for n in range(9))
    page = (
        "<body><main><div><p>A list of jars that are kept in cellars, with what is in them.</p><table>"
        f"<caption>Jars</caption><thead><tr><th>name</th><th>use</th></tr></thead><tbody>{rows}</tbody></table>"
        "<h2>See also</h2><ul><li><a href='/a'>Lids</a></li></ul></div></main></body>"
    )
    content = parsed(page)
    assert "Jars\nname\tuse\nJar 0\tA jar" in content.text.replace("\n\n", "\n")
    assert len(content.tables[0]["rows"]) == 10
    assert content.text.startswith("A list of jars") and content.text.endswith("See also\n\nLids")


def test_an_empty_box_within_a_line_does_not_break_it() -> None:
    text = "Sharon runs hotels<div style='display: inline-block; width: 16px'></div> in the US."
    assert parsed(f"<p><cite>{text}</cite></p>").text == "Sharon runs hotels in the US."


def test_what_was_left_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    content = article(after="<aside><p>Read more about the bees of the valley.</p></aside>")
    assert "bees" not in content.text and "problems" not in content.meta
    parts = content.meta["not_read"]["parts"]
    (bees,) = (part for part in parts if "bees" in part["text"])
    assert bees["kind"] == "menu" and bees["start"] == len(content.text)
    block = lxml_html.fromstring(f"<p>The lost paragraph. {PROSE}</p>")
    lost = LeftOut(block, "text", None)
    monkeypatch.setattr("marginalia.reader.parse.html.restore", lambda *_: [lost])
    (problem,) = article().meta["problems"]
    assert "of the text was left out" in problem and "The lost paragraph." in problem


@pytest.mark.parametrize(
    ("formula", "text", "source"),
    [
        ("<math><msup><mn>10</mn><mrow><mo>-</mo><mn>3</mn></mrow></msup></math>", "10⁻³", None),
        (
            "<span class='mwe-math-element'><span style='display: none'><math alttext='{\\displaystyle a\\leq b}'>"
            "<mi>a</mi><mo>≤</mo><mi>b</mi></math></span><img class='mwe-math-fallback-image' alt='x'></span>",
            "a ≤ b",
            "a\\leq b",
        ),
        ("<script type='math/tex'>x^2</script>", "x^2", "x^2"),
        ("<img class='tex' alt='E=mc^2' src='e.png'>", "E=mc^2", "E=mc^2"),
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "a/b", None),
        ("<math><msqrt><mi>a</mi></msqrt></math>", "√(a)", None),
    ],
)
def test_formulae_are_regions_with_their_source(
    formula: str, text: str, source: str | None
) -> None:
    content = parsed(f"<p>It is {formula} here.</p>")
    assert content.text == f"It is {text} here."
    (region,) = content.regions
    assert (region["kind"], region.get("source")) == ("formula", source)


def test_a_page_that_is_nested_deeply_is_read_like_others() -> None:
    deep = "<div>" * 900 + f"<p>{PROSE}</p>" + "</div>" * 900
    assert "Keeping jars" in article(between=deep).text
