"""Markdown: text without mark-up, blocks with true offsets."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError
from marginalia.reader.parse.content import Content
from marginalia.reader.parse.markdown import parse

SOURCE = """# Head *one*

Para with `code`, a [link](http://x.example "t"), ![picture](y.png)<b>bold</b> &amp; \\* star
on the next line\\
and a third.

- item one
- item two

  goes on

3. third

> quoted
> words

```py
x = 1

y = 2
```

| a | b |
|---|---|
| 1 | 2 |

<div>html <i>block</i><script>evil()</script></div>

Last<br>line.
"""


def parsed(text: str) -> Content:
    return parse(text.encode(), Path("x.md"))


def regions(content: Content) -> list[tuple[str, str]]:
    return [(r["kind"], content.text[r["start"] : r["end"]]) for r in content.regions]


def test_text_and_regions() -> None:
    content = parsed(SOURCE)
    assert content.text == (
        "Head one\n\n"
        "Para with code, a link, bold & * star on the next line\nand a third.\n\n"
        "item one\n\nitem two\n\ngoes on\n\nthird\n\nquoted words\n\nx = 1\n\ny = 2\n\n"
        "a\tb\n1\t2\n\nhtml block\n\nLast\nline."
    )
    assert regions(content) == [
        ("heading", "Head one"),
        ("code", "code"),
        ("item", "item one"),
        ("item", "item two\n\ngoes on"),
        ("item", "third"),
        ("quote", "quoted words"),
        ("code", "x = 1\n\ny = 2"),
        ("table", "a\tb\n1\t2"),
    ]
    assert content.regions[0]["level"] == 1
    assert content.regions[1]["inline"]
    assert content.regions[4]["number"] == 3
    assert content.title == "Head one"


@pytest.mark.parametrize(
    ("source", "title", "text"),
    [
        ('---\ntitle: "A: b"\nx: 1\n---\n# H\n\nt', "A: b", "H\n\nt"),
        ("---\nx: 1\n---\nt", "", "t"),
        ("---\n\nno front matter\n\n---\n", "", "no front matter"),
        ("## Second\n\n# First", "First", "Second\n\nFirst"),
        ("Setext\n======\ntext", "Setext", "Setext\n\ntext"),
        ("a\r\nb", "", "a b"),
    ],
)
def test_titles_and_front_matter(source: str, title: str, text: str) -> None:
    content = parsed(source)
    assert (content.title, content.text) == (title, text)


@given(st.text(alphabet="ab#*_`->[]()!|\\&;<>/\n \t1.é~=:\r", max_size=120))
def test_no_markdown_breaks_the_offsets(source: str) -> None:
    content = parsed(source)
    for region in content.regions:
        assert 0 <= region["start"] < region["end"] <= len(content.text)


def test_hostile_markdown_takes_no_time() -> None:
    assert parsed("[" * 300_000).text == "[" * 300_000


@pytest.mark.parametrize(("mark", "deepest"), [("> ", 99), ("- ", 49)])
def test_deep_nesting_is_read_or_refused(mark: str, deepest: int) -> None:
    assert parsed(mark * deepest + "deep").text == "deep"
    for depth in (deepest + 1, 20_000):
        with pytest.raises(FormatError, match="100 levels deep"):
            parsed(mark * depth + "deep")


def test_directives_that_hold_prose_are_no_code() -> None:
    source = """Before.

````{tip} Labels
:class: wide

Write the *date* on each jar.

```python
jar = 1
```
````

```{code-block} python
x = 2
```
"""
    content = parse(source.encode(), Path("x.md"))
    assert content.text == "Before.\n\nLabels\n\nWrite the date on each jar.\n\njar = 1\n\nx = 2"
    code = [content.text[one["start"] : one["end"]] for one in content.regions]
    assert code == ["jar = 1", "x = 2"]
    deep = "x"
    for ticks in range(3, 40):
        deep = f"{'`' * ticks}{{note}}\n{deep}\n{'`' * ticks}"
    assert "x" in parse(deep.encode(), Path("x.md")).text
