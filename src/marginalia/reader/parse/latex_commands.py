"""LaTeX sources as the nodes of pylatexenc, and what its commands and environments are: headings, lists, tables, mathematics,
and those without text.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.parse import siunitx

HEADINGS = {
    "part": 1,
    "chapter": 1,
    "section": 1,
    "subsection": 2,
    "subsubsection": 3,
    "paragraph": 4,
    "subparagraph": 5,
}
"""Levels below the title, if there is one."""

LISTS = frozenset({"itemize", "enumerate", "description", "compactitem", "compactenum"})
TABLES = frozenset({"tabular", "tabularx", "tabulary", "longtable", "array", "supertabular"})
QUOTES = frozenset({"quote", "quotation", "verse", "displayquote"})
CODE = frozenset({"verbatim", "algorithmic"})
PICTURES = frozenset(
    "axis CCSXML forest overpic pgfpicture picture pspicture tikzcd tikzpicture".split()
)
"""Environments that draw, or hold data."""
ENVIRONMENTS = {
    "adjustbox": "{",
    "algorithm": "[",
    "algorithmic": "[",
    "longtable": "[{",
    "minipage": "[[[{",
    "multicols": "{",
    "subfigure": "[{",
    "subtable": "[{",
    "supertabular": "{",
    "tabulary": "{{",
    "thebibliography": "{",
    "tikzpicture": "[",
    "wrapfigure": "[{[{",
    **dict.fromkeys(
        "assumption claim conjecture corollary definition example lemma proof proposition remark theorem".split(),
        "[",
    ),
}
"""Arguments of environments, none of which is text."""
MATHS = frozenset(
    "align alignat displaymath dmath eqnarray equation flalign gather math multline".split()
)
MATHS |= {f"{name}*" for name in MATHS}
"""Environments of mathematics, also with a star."""

ABSTRACT = "Abstract"

LOGOS = {"BibTeX": "BibTeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "TeX": "TeX", "XeTeX": "XeTeX"}
SPECIALS = {"``": "“", "''": "”", "--": "–", "---": "—", "!`": "¡", "?`": "¿", "#": "#", "&": "&"}

BREAKS = {
    "\\": "\n",
    "newline": "\n",
    "linebreak": "\n",
    "par": "\n\n",
    "bibitem": "\n\n",
    "newpage": "\n\n",
    "clearpage": "\n\n",
    "maketitle": "\n\n",
    "quad": " ",
    "qquad": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    " ": " ",
    "hfill": " ",
    "hspace": " ",
    "vspace": " ",
}

SHOWN = dict.fromkeys(
    "emph mbox multicolumn multirow textbf textit textmd textnormal textrm textsc textsf textsl textup "
    "text underline uppercase lowercase textcolor colorbox fbox makebox href hyperref enquote footnotesize".split(),
    -1,
) | {"url": -1}
"""Commands that show one of their arguments, and which."""

ARGUMENTS = {
    "addbibresource": "{",
    "addcontentsline": "{{{",
    "addtocounter": "{{",
    "addtolength": "{{",
    "autoref": "{",
    "bibitem": "[{",
    "bibliography": "{",
    "bibliographystyle": "{",
    "caption": "*[{",
    "captionsetup": "[{",
    "cline": "{",
    "cmidrule": "[{",
    "colorbox": "{{",
    "cref": "{",
    "Cref": "{",
    "color": "[{",
    "DeclareMathOperator": "*{{",
    "definecolor": "{{{",
    "emph": "{",
    "enquote": "{",
    "eqref": "{",
    "fbox": "{",
    "geometry": "{",
    "glsentrytext": "{",
    "graphicspath": "{",
    "hypersetup": "{",
    "href": "{{",
    "hyperref": "[{",
    "include": "{",
    "includegraphics": "*[[{",
    "includeonly": "{",
    "index": "{",
    "input": "{",
    "lstinputlisting": "[{",
    "lstset": "{",
    "makebox": "[[{",
    "multicolumn": "{{{",
    "multirow": "[{[{[{",
    "nocite": "{",
    "pagenumbering": "{",
    "pageref": "{",
    "pagestyle": "{",
    "printbibliography": "[",
    "rule": "[{{",
    "setcounter": "{{",
    "setlength": "{{",
    "subparagraph": "*[{",
    "textsuperscript": "{",
    "textsubscript": "{",
    "texttt": "{",
    "thanks": "{",
    "thispagestyle": "{",
    "tikzset": "{",
    "todo": "[{",
    "underline": "{",
    "url": "{",
    "uppercase": "{",
    "lowercase": "{",
    "usetikzlibrary": "{",
    "vskip": "",
}
"""Arguments of commands: ``{`` is one that must be there, ``[`` an optional one, ``*`` a star."""

REFERRING = frozenset(
    "autocite autoref cite citeauthor citep citet citeyear cref Cref eqref footcite pageref parencite ref textcite".split()
)
"""Commands that refer to a source or a place, which the source itself does not name."""

FRONT = {
    **dict.fromkeys(("affiliation", "address", "author", "email", "institute"), "authors"),
    **{"date": "front", "keywords": "front"},
}
"""Commands that the title page shows, and what it is."""

SILENT = frozenset(
    {*ARGUMENTS, *SHOWN, *REFERRING}
    | set(
        "author bottomrule date documentclass hline keywords "
        "label maketitle midrule newcommand newenvironment newtheorem providecommand "
        "renewcommand tableofcontents today toprule usepackage listoffigures listoftables "
        "affiliation address email institute".split()
    )
)
"""Commands whose arguments are no text of the document, or are handled elsewhere."""

_SIGNS = r"[\d\s.,:;%°±×·∼~≈<>≤≥=+\-−–/()|⁰¹²³⁴-⁹₀-₉⁺⁻⁼₊₋₌μµΩ′″'∘αβγδ]*"
PLAIN_MATHS = re.compile(rf"{_SIGNS}(?:[A-Za-z]{_SIGNS})?")
"""Mathematics that are a number, a sign, the letter of a unit, or one variable and its value."""

_VERBATIM = re.compile(
    r"\\begin\{(?:(?:lstlisting|Verbatim|tcblisting)\}(?:\[[^\]]*\])?|minted\}(?:\[[^\]]*\])?(?:\{\w+\})?|"
    r"(?:verbatim\*|alltt)\})|\\end\{(lstlisting|minted|Verbatim|verbatim\*|alltt|tcblisting)\}"
)
"""Environments of code, with their options; the parser knows but one."""
_COMMENTS = {
    r"\begin{comment}": r"\end{comment}",
    r"\begin{filecontents}": r"\end{filecontents}",
    r"\begin{filecontents*}": r"\end{filecontents*}",
    r"\iffalse": r"\fi",
}
"""Where what is no part of the document begins and ends."""
_COMMENT = re.compile("|".join(map(re.escape, _COMMENTS)))


def read_nodes(source: str, path: Path) -> list[Any]:
    """The nodes of the source, as far as the parser understands it, without comments."""
    from pylatexenc import latexwalker
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    logging.getLogger("pylatexenc").setLevel(logging.ERROR)  # it tells of every unclosed brace
    known = latexwalker.get_default_latex_context_db()
    known.add_context_category(
        "marginalia",
        macros=[
            MacroSpec(name, arguments)
            for name, arguments in (ARGUMENTS | siunitx.ARGUMENTS).items()
        ],
        environments=[
            *(EnvironmentSpec(name, arguments) for name, arguments in ENVIRONMENTS.items()),
            *(EnvironmentSpec(name, "", is_math_mode=True) for name in MATHS),
        ],
        prepend=True,
    )
    plain = _VERBATIM.sub(
        lambda found: rf"\{'end' if found.group(1) else 'begin'}{{verbatim}}",
        _without_comments(source),
    )
    walker = latexwalker.LatexWalker(plain, latex_context=known, tolerant_parsing=True)
    try:
        nodes: list[Any] = walker.get_latex_nodes()[0]
    except IndexError:  # pylatexenc looks for what follows \verb at the end of the file
        raise FormatError("the LaTeX ends within a command", path=path) from None
    return nodes


def _without_comments(source: str) -> str:
    parts, position = [], 0
    for found in _COMMENT.finditer(source):
        if found.start() < position:
            continue
        end = _COMMENTS[found.group()]
        until = source.find(end, found.end())
        if until < 0:
            break  # what has no end is text
        parts.append(source[position : found.start()])
        position = until + len(end)
    return "".join([*parts, source[position:]])


def name_of(node: Any) -> str:
    return str(getattr(node, "macroname", None) or "")


def arguments_of(node: Any) -> list[Any]:
    """The arguments of a macro or environment, None for an optional one that is not there."""
    given = getattr(node, "nodeargd", None)
    return list(given.argnlist or ()) if given is not None and given.argnlist else []


def inside(argument: Any) -> list[Any]:
    """The nodes of an argument."""
    if argument is None:
        return []
    nodes = getattr(argument, "nodelist", None)
    return [argument] if nodes is None else list(nodes)


def source_of(argument: Any) -> str:
    return "" if argument is None else "".join(one.latex_verbatim() for one in inside(argument))


def is_blank(node: Any) -> bool:
    name = name_of(node)
    chars = getattr(node, "chars", None)
    return name in SILENT and name not in SHOWN if name else chars is not None and not chars.strip()


def verbatim_of(node: Any) -> str:
    return str(getattr(getattr(node, "nodeargd", None), "verbatim_text", "") or "")
