"""What LaTeX's commands and environments are: headings, lists, tables, mathematics, and those without text."""

from __future__ import annotations

import re

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
