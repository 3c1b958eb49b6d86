"""A small valid file of each format that is read, with a heading, code or a quote, and a table where it can have one."""

from __future__ import annotations

import io
import json
import zipfile

from tests.reader.documents import pdf


def packed(parts: dict[str, str | bytes]) -> bytes:
    """A zip package; its first part is not compressed, as EPUB and OpenDocument want it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for number, (name, data) in enumerate(parts.items()):
            how = zipfile.ZIP_DEFLATED if number else zipfile.ZIP_STORED
            package.writestr(name, data, compress_type=how)
    return out.getvalue()


LATEX = r"""\documentclass{article}
\newcommand{\ours}{\textsc{Margin}alia}
\title{Jars of \emph{honey}\thanks{No.}}
\author{J. Doe}
\begin{document}
\maketitle
\begin{abstract}We weighed with \ours.\end{abstract}
\input{other}
\section{Methods}\label{sec:m}
Each jar held $3.5$\,kg of CO$_2$ at $10^{-3}$ hPa and 20$^\circ$C~\cite{doe}. % a comment
Caf\'e --- ``so''.\footnote{Not all of it.} The energy $E=mc^2$ counts.

\begin{equation}\label{eq}y = \frac{a}{b}\end{equation}
\begin{enumerate}\item one \item two \textbf{bold}\end{enumerate}
\begin{table}\caption{Weights}
\begin{tabular}{lr}\hline jar & kg \\ \hline small & 0.5 \\ \multicolumn{2}{c}{all} \\ \end{tabular}\end{table}
\begin{lstlisting}[language=Python]
x = {1: "$a"}
\end{lstlisting}
Use \verb|a_b|. \vspace{1cm}\unknown[opt]{shown}
\begin{comment}no\end{comment}
\begin{thebibliography}{9}\bibitem{doe} Doe, J. (2001).\end{thebibliography}
\end{document}
"""

RST = """====
Jars
====

:Author: Jane Doe

Methods
=======

We *weighed* ``ten`` at 10\\ :sup:`3` hPa [1]_. See :ref:`the label <x>`, :class:`~a.Jar` and :math:`E=mc^2`.

.. [1] Not all of it.

.. note:: Mind the jars.

.. code-block:: python

   x = 1

.. toctree::

   one

.. versionadded:: 2.0
   Jars may be large.

1. first
2. second

.. table:: Weights

   ===== ====
   jar   kg
   ===== ====
   small 0.5
   ===== ====

.. include:: /etc/hostname
"""

ASCIIDOC = """= Jars of honey
Jane Doe <j@x.example>
:toc:
:name: Marginalia

We *weighed* _ten_ with {name} at 10^3^ hPa, H~2~O.footnote:[Not all.] Use `code` and
https://x.example[the site], see <<methods,Methods>>. A snake_case_word stays, 2 * 3 too.

// a comment
[[methods]]
== Methods

.Weights
[cols="1,1",options="header"]
|===
|jar |kg

|small |0.5
2+|all
|===

[source,python]
----
x = 1

y = *2*
----

NOTE: Mind the jars.

* one
goes on
** two

term:: its definition

____
He said so.
____

====
An example *block*.
====

[stem]
++++
E = mc^2
++++

image::x.png[A jar]
include::/etc/hostname[]

////
no
////
"""

MAIL = """From: =?utf-8?q?J=C3=B6rg?= <j@x.example>
To: a@x.example
Subject: =?utf-8?q?Gl=C3=A4ser?=
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=utf-8; format=flowed

We weighed\x20
ten jars.

On Monday, A wrote:
> How many?
> Tell me.

--\x20
J. Doe

--b
Content-Type: text/html

<p>no</p>
--b--
"""

NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "metadata": {},
        "cells": [
            {"cell_type": "markdown", "source": ["# Jars\n", "\n", "We *weighed*."]},
            {"cell_type": "code", "source": "x = 1\n", "outputs": [{"text": "no"}]},
            {"cell_type": "markdown", "source": "| a | b |\n|---|---|\n| 1 | 2 |"},
            {"cell_type": "raw", "source": "no"},
        ],
    }
)

_XHTML = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
_OPF = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>On jars</dc:title><dc:language>en-GB</dc:language></metadata><manifest>
<item id="t" href="toc.xhtml" media-type="application/xhtml+xml"/><item id="c" href="css.css" media-type="text/css"/>
<item id="one" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>
<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="t"/><itemref idref="one"/><itemref idref="two"/></spine>
<guide><reference type="toc" href="toc.xhtml"/><reference type="toc" href="text/two.xhtml#x"/></guide></package>"""
EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf": _OPF,
    "OPS/toc.xhtml": _XHTML.format('<a href="text/one.xhtml">One</a> <a href="text/two.xhtml">Two</a>'),
    "OPS/text/one a.xhtml": _XHTML.format("<h1>One</h1><p>We weighed.</p><pre>x = 1</pre>"),
    "OPS/text/two.xhtml": _XHTML.format(
        "<h1>Two</h1><table><tr><th>jar</th><th>kg</th></tr><tr><td>small</td><td>0.5</td></tr></table>"
    ),
}  # fmt: skip

_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text", "table", "style", "draw")
)
_BODY = """<text:tracked-changes><text:changed-region><text:deletion><text:p>no</text:p></text:deletion></text:changed-region>
</text:tracked-changes><text:p text:style-name="P1">On jars</text:p>
<text:h text:outline-level="1">Methods</text:h>
<text:p>We weighed 10<text:span text:style-name="T1">3</text:span><text:s/>g<text:note><text:note-citation>1</text:note-citation>
<text:note-body><text:p>Not all.</text:p></text:note-body></text:note><office:annotation><text:p>no</text:p></office:annotation> of
honey.<draw:frame><draw:text-box><text:p>In the box.</text:p></draw:text-box></draw:frame></text:p>
<text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>jar</text:p></table:table-cell>
<table:table-cell table:number-columns-repeated="2"><text:p>kg</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>small</text:p></table:table-cell><table:covered-table-cell/>
<table:table-cell><text:p>0.5</text:p></table:table-cell></table:table-row></table:table>
<text:p text:style-name="Preformatted_20_Text">x = 1</text:p>"""
ODT = {
    "mimetype": "application/vnd.oasis.opendocument.text",
    "content.xml": f"""<office:document-content {_ODF}><office:automatic-styles>
<style:style style:name="P1" style:parent-style-name="Title"/>
<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>
</office:automatic-styles><office:body><office:text>{_BODY}</office:text></office:body></office:document-content>""",
}

_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
DOCX = {
    "word/document.xml": f"""<w:document {_WORD}><w:body><w:p><w:r><w:t>Jars are heavy.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>jar</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>""",
}
JATS = """<article><front><article-meta><title-group><article-title>On jars</article-title></title-group></article-meta></front>
<body><sec><title>Methods</title><p>Ten.</p><table-wrap><table><tr><th>jar</th><td>3</td></tr></table></table-wrap></sec></body></article>"""
TEI = """<TEI><text><body><div><head>Methods</head><p>Ten<note>No.</note>.</p><table><row><cell>a</cell><cell>3</cell></row></table>
</div></body></text></TEI>"""

FILES: dict[str, bytes] = {
    "text": b"Jars\n\nJars are heavy.",
    "markdown": b"# Jars\n\nThey *are* `heavy`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> so\n",
    "html": b"<!doctype html><title>Jars</title><h1>Jars</h1><p>They <b>are</b>.<table><tr><th>a<td>3</table><pre>x</pre>",
    "pdf": pdf(["Jars are heavy."], ["They are."]),
    "docx": packed(dict(DOCX)),
    "odt": packed(dict(ODT)),
    "epub": packed(dict(EPUB)),
    "latex": LATEX.encode(),
    "rst": RST.encode(),
    "asciidoc": ASCIIDOC.encode(),
    "notebook": NOTEBOOK.encode(),
    "mail": MAIL.encode(),
    "jats": JATS.encode(),
    "tei": TEI.encode(),
    "jsonl": b'{"id": "a", "text": "Jars are heavy.", "lang": "en"}\n',
}
"""Format -> the bytes of a file."""
