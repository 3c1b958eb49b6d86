"""Documents of many producers whose text is known: articles made of our licensed paragraphs, set by TeX, offices, browsers and others.

    python benchmarks/typeset.py FOLDER [--only NAME ...] [--node FOLDER]

writes ``<name>.pdf`` (and ``.docx``, ``.odt``, ``.epub``, ``.html``, ``.nxml``, ``.tex``) and ``<name>.json``, its gold:
``lines``, the title, headings, paragraphs and items in the order in which one reads them, and what may stand anywhere:
``notes``, ``captions``, ``tables`` (rows of cells), ``labels`` of the figure and ``formulas``. Running heads, numbers of
pages and lines are none of it. A producer that is not installed is left out. Each document has paragraphs of its own, drawn by
its name from ``annotation/`` and ``typeset_texts.jsonl``.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any

from pages import ROOT

SOURCES = ("annotation/paragraphs.jsonl", "annotation/unclear/texts.jsonl", "benchmarks/typeset_texts.jsonl")  # fmt: skip
MATHS = {
    "−": "-", "±": r"\pm", "×": r"\times", "≤": r"\leq", "≥": r"\geq", "<": "<", ">": ">", "≈": r"\approx", "∼": r"\sim", "≠": r"\neq",
    "→": r"\to", "∈": r"\in", "∞": r"\infty", "°": r"^\circ", "′": "'", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma",
    "δ": r"\delta", "Δ": r"\Delta", "λ": r"\lambda", "μ": r"\mu", "µ": r"\mu", "π": r"\pi", "σ": r"\sigma", "θ": r"\theta", "ω": r"\omega",
    "ρ": r"\rho", "τ": r"\tau", "χ": r"\chi", "⊂": r"\subset", "∪": r"\cup", "≡": r"\equiv",
}  # fmt: skip
TEX = {
    "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "$": r"\$", "“": "``", "”": "''", "’": "'", "‘": "`", "–": "--", "—": "---",
    "…": r"\ldots{}", "„": r"\quotedblbase{}", "«": r"\guillemotleft{}", "»": r"\guillemotright{}", "\xa0": "~", "§": r"\S{}",
}  # fmt: skip
RAISED, LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "₀₁₂₃₄₅₆₇₈₉₊₋"
_SCRIPT = re.compile(f"([{RAISED}]+)|([{LOWERED}]+)")
_PLAIN = str.maketrans(RAISED + LOWERED, "0123456789+−" * 2)
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,;:!?()[]/'\"=+*-äöüÄÖÜßéèàâêîôûçëïñÀÉ")  # fmt: skip
LATIN = LETTERS | set("%&#$±×°·§“”’‘–—«»µ\xa0")
"""What fonts without mathematics have."""
WHOLE = LETTERS | set(MATHS) | set(TEX) | set(RAISED) | set(LOWERED)
HEADINGS = {
    "en": ["Background", "What was done", "Materials and methods", "What we found", "Discussion of the findings", "Limits and open questions"],
    "de": ["Ausgangslage", "Rechtliche Würdigung", "Vorgehen", "Ergebnisse der Prüfung", "Offene Fragen", "Zusammenfassung"],
    "fr": ["Introduction", "Description du modèle", "Observations", "Résultats", "Questions ouvertes", "Conclusion"],
}  # fmt: skip
TITLES = {
    "en": "Notes on what was seen and counted in {} places",
    "de": "Anmerkungen zu {} Beobachtungen und ihrer Prüfung",
    "fr": "Remarques sur {} observations et leur mesure",
}
CAPTIONS = {
    "en": ("Table", "Values of the first series before and after the change.", "Figure", "How the parts are joined to each other, seen from above."),
    "de": ("Tabelle", "Werte der ersten Reihe vor und nach der Änderung.", "Abbildung", "Wie die Teile miteinander verbunden sind, von oben gesehen."),
    "fr": ("Tableau", "Valeurs de la première série avant et après le changement.", "Figure", "Comment les pièces sont reliées, vues de dessus."),
}  # fmt: skip
LABELS = ["Pump", "Valve A", "Valve B", "Tank"]
FORMULA, FORMULA_TEX, FORMULA_TYPST = "x + y = 2z − 3", "x + y = 2z - 3", "x + y = 2 z - 3"


@dataclass
class Block:
    kind: str
    text: str = ""
    note: str = ""
    rows: list[list[str]] = field(default_factory=list)


def texts(lang: str, letters: frozenset[str]) -> list[str]:
    """Paragraphs of prose that a producer has the letters for; those with mathematical signs first."""
    return [text for text in _texts(lang) if set(text) <= letters]


@cache
def _texts(lang: str) -> list[str]:
    found: dict[str, None] = {}
    for name in SOURCES:
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            is_prose = (
                200 < len(row["text"]) < 900
                and row["text"][-1] in ".?!"
                and row["text"][0].isupper()
            )
            if row.get("lang", "en") == lang and is_prose and "  " not in row["text"]:
                found[row["text"]] = None
    return sorted(
        found, key=lambda text: -min(8, sum(sign in MATHS or sign in RAISED for sign in text))
    )


def compose(
    name: str, lang: str = "en", *, sections: int = 4, letters: frozenset[str] = WHOLE
) -> list[Block]:
    """The article of a name: always the same."""
    rng = random.Random(name)
    able = texts(lang, letters)
    signed, others = able[:60], able[60:] or able
    each = 3 if lang == "en" else 1
    sections = sections if lang == "en" else min(sections, len(able) - 1)
    need = each * sections + 1
    drawn = (
        rng.sample(signed, min(len(signed), need // 2)) + rng.sample(others, min(len(others), need))
        if each > 1
        else able[:]
    )
    rng.shuffle(drawn)
    short = [s for text in rng.sample(able, len(able)) for s in re.split(r"(?<=[a-z]{3}\.) (?=[A-Z])", text)[:3] if 40 < len(s) < 160]  # fmt: skip
    heads = HEADINGS[lang][:]
    found = [
        Block("title", TITLES[lang].format(rng.randint(20, 90))),
        Block("authors", "Ada Weaver, Tom Miller"),
    ]
    found.append(Block("paragraph", drawn.pop()))
    table, title, figure, words = CAPTIONS[lang]
    for number in range(sections):
        found.append(Block("heading", heads[number]))
        for place in range(each):
            note = short.pop() if place == each // 2 and number < 3 else ""
            found.append(Block("paragraph", drawn.pop(), note))
            if (number, place) == (1, 0):
                numbers = [[f"{rng.uniform(1, 99):.1f}" for _ in range(3)] for _ in range(3)]
                head = ["sample", "before", "after", "change"]
                found.append(Block("table", f"{table} 1: {title}", rows=[head, *([f"group {n}", *row] for n, row in enumerate(numbers, 1))]))  # fmt: skip
            if (number, place) == (2, 0):
                found.append(Block("figure", f"{figure} 1: {words}"))
            if (number, place) == (3, 0):
                found.append(Block("formula", FORMULA))
        if number == 1:
            found += [Block("item", short.pop()) for _ in range(3)]
    return found


def gold(blocks: list[Block], *, numbered: bool = False, **without: bool) -> dict[str, object]:
    counts = iter(range(1, 99))
    notes = [block.note for block in blocks if block.note and not without.get("note")]
    lines, seen = [], 0
    for block in blocks:
        if block.kind == "heading" and numbered:
            lines.append(f"{next(counts)} {block.text}")
        elif block.kind in ("title", "authors", "heading", "paragraph", "item"):
            seen += bool(block.note)
            lines.append(block.text + (str(seen) if block.note and notes else ""))
    shown = [block for block in blocks if not without.get(block.kind)]
    return {
        "lines": lines,
        "notes": [f"{number}{note}" for number, note in enumerate(notes, 1)],
        "captions": [block.text for block in shown if block.kind in ("table", "figure")],
        "tables": [block.rows for block in shown if block.kind == "table"],
        "labels": [LABELS for block in shown if block.kind == "figure"],
        "formulas": [FORMULA for block in shown if block.kind == "formula"],
    }


def _is_item(blocks: list[Block], place: int) -> bool:
    return place < len(blocks) and blocks[place].kind == "item"


def run(*command: object, cwd: Path | None = None, data: bytes | None = None) -> bytes:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        input=data,
        capture_output=True,
        check=False,
        timeout=180,
    )
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr).decode("utf-8", "replace")[-800:])
    return done.stdout


# TeX


def tex_text(text: str) -> str:
    text = "".join(TEX.get(sign, f"${MATHS[sign]}$" if sign in MATHS else sign) for sign in text)
    text = _SCRIPT.sub(
        lambda m: f"${'^' if m[1] else '_'}{{{m[0].translate(_PLAIN).replace('−', '-')}}}$", text
    )
    quotes = iter("``,''".split(",") * 99)
    return re.sub('"', lambda _: next(quotes), text)


def tex_body(blocks: list[Block], *, star: str = "*", wide: str = "", margins: bool = False) -> str:
    parts = []
    for number, block in enumerate(blocks):
        text = tex_text(block.text)
        if block.kind == "title":
            parts.append(rf"\title{{{text}}}")
        elif block.kind == "authors":
            parts.append(rf"\author{{{text}}}\date{{}}\maketitle")
        elif block.kind == "heading":
            parts.append(rf"\section{star}{{{text}}}")
        elif block.kind == "paragraph" and block.note:
            place = text.find(". ", len(text) // 3) + 1 if margins else 0
            command = r"\marginpar{\small " if margins else r"\footnote{"
            note = f"{command}{tex_text(block.note)}}}"
            parts.append(text[:place] + note + text[place:] if place else text + note)
        elif block.kind == "item":
            begin = "" if _is_item(blocks, number - 1) else r"\begin{itemize}"
            end = "" if _is_item(blocks, number + 1) else r"\end{itemize}"
            parts.append(f"{begin}\n\\item {text}\n{end}")
        elif block.kind == "table":
            rows = "\n".join(" & ".join(map(tex_text, row)) + r" \\" + (r"\hline" if not n else "") for n, row in enumerate(block.rows))  # fmt: skip
            caption = tex_text(block.text.split(": ", 1)[1])
            parts.append(
                rf"\begin{{table{wide}}}[tb]\centering\caption{{{caption}}}\begin{{tabular}}{{lrrr}}\hline {rows} \hline\end{{tabular}}\end{{table{wide}}}"
            )
        elif block.kind == "figure":
            boxes = "".join(rf"\put({x},{y}){{\framebox(45,20){{\scriptsize {label}}}}}" for label, (x, y) in zip(LABELS, ((0, 60), (120, 60), (120, 0), (0, 0)), strict=True))  # fmt: skip
            lines = r"\put(45,70){\vector(1,0){75}}\put(142,60){\vector(0,-1){40}}\put(120,10){\vector(-1,0){75}}"
            caption = tex_text(block.text.split(": ", 1)[1])
            parts.append(
                rf"\begin{{figure{wide}}}[tb]\centering\begin{{picture}}(170,80){boxes}{lines}\end{{picture}}\caption{{{caption}}}\end{{figure{wide}}}"
            )
        elif block.kind == "formula":
            parts.append(rf"\[ {FORMULA_TEX} \]")
        else:
            parts.append(text)
    return "\n\n".join(parts)


LANGUAGES = {"en": "english", "de": "ngerman", "fr": "french"}


def tex(folder: Path, name: str, *, engine: str = "pdflatex", kind: str = "article", options: str = "", preamble: str = "",
        lang: str = "en", star: str = "*", wide: str = "", margins: bool = False, sections: int = 4, fonts: str = r"\usepackage[T1]{fontenc}\usepackage{lmodern}") -> dict[str, object]:  # fmt: skip
    blocks = compose(name, lang, sections=sections)
    encoding = (
        fonts if engine == "pdflatex" or engine == "latex" else r"\usepackage{fontspec}" + fonts
    )
    names = {
        "fr": r"\AtBeginDocument{\renewcommand{\tablename}{Tableau}\renewcommand{\figurename}{Figure}}"
    }.get(lang, "")
    source = rf"""\documentclass[{options}]{{{kind}}}{encoding}\usepackage[{LANGUAGES[lang]}]{{babel}}{preamble}{names}
\begin{{document}}{tex_body(blocks, star=star, wide=wide, margins=margins)}\end{{document}}"""
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "a.tex").write_text(source, encoding="utf-8")
        for _ in range(2):
            run(engine, "-interaction=batchmode", "-halt-on-error", "a.tex", cwd=Path(work))
        if engine == "latex":
            run("dvips", "-q", "a.dvi", cwd=Path(work))
            run("ps2pdf", "a.ps", cwd=Path(work))
        shutil.copy(Path(work) / "a.pdf", folder / f"{name}.pdf")
        if name == "tex-article":
            shutil.copy(Path(work) / "a.tex", folder / f"{name}.tex")
    found = gold(blocks, numbered=not star)
    if margins:
        found["lines"] = [
            b.text for b in blocks if b.kind in ("title", "authors", "heading", "paragraph", "item")
        ]
        found["notes"] = [block.note for block in blocks if block.note]
    if kind in ("elsarticle", "IEEEtran", "revtex4-2"):
        found["captions"] = [text.replace(":", ".") for text in found["captions"]]  # type: ignore[attr-defined]
    return found


# HTML


def html_text(text: str) -> str:
    return _SCRIPT.sub(lambda m: f"<su{'p' if m[1] else 'b'}>{m[0].translate(_PLAIN)}</su{'p' if m[1] else 'b'}>", escape(text, quote=False))  # fmt: skip


def html(
    blocks: list[Block], css: str, lang: str, *, float_notes: bool = False, plain: bool = False
) -> str:
    parts, notes = [], list[str]()
    for number, block in enumerate(blocks):
        text = html_text(block.text)
        if block.kind == "table":
            rows = "".join(
                "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
                for row in block.rows
            )
            parts.append(f"<table><caption>{text}</caption>{rows}</table>")
        elif block.kind == "figure":
            if not plain:
                boxes = "".join(f'<rect x="{x}" y="{y}" width="90" height="40" fill="none" stroke="black"/><text x="{x + 8}" y="{y + 25}" font-size="13">{label}</text>' for label, (x, y) in zip(LABELS, ((5, 5), (180, 5), (180, 85), (5, 85)), strict=True))  # fmt: skip
                parts.append(f'<figure><svg width="290" height="135">{boxes}<path d="M95 25h85M225 45v40M180 105h-85" stroke="black"/></svg><figcaption>{text}</figcaption></figure>')  # fmt: skip
        elif block.kind == "item":
            begin = "" if _is_item(blocks, number - 1) else "<ul>"
            end = "" if _is_item(blocks, number + 1) else "</ul>"
            parts.append(f"{begin}<li>{text}</li>{end}")
        elif block.kind == "formula":
            parts.append(f'<p class="formula">{FORMULA}</p>')
        elif block.note and float_notes:
            parts.append(f'<p>{text}<span class="fn">{html_text(block.note)}</span></p>')
        elif block.note:
            notes.append(block.note)
            parts.append(f"<p>{text}<sup>{len(notes)}</sup></p>")
        else:
            name = {"title": "h1", "heading": "h2"}.get(block.kind, "p")
            parts.append(f"<{name}>{text}</{name}>")
    parts += [
        f'<p class="note"><sup>{number}</sup> {html_text(note)}</p>'
        for number, note in enumerate(notes, 1)
    ]
    style = f"body{{font-family:'Liberation Serif'}} figure,table{{break-inside:avoid}} td{{padding:2px 12px}} .note{{font-size:80%}} .formula{{text-align:center}} {css}"  # fmt: skip
    return f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="utf-8"><title>{blocks[0].text}</title><style>{style}</style></head><body><main>{"".join(parts)}</main></body></html>'


PAGED = "@page{margin:25mm 20mm; @top-center{content:'Journal of Things Seen'} @bottom-center{content:counter(page)}}"
FLOATING = ".fn{float:footnote;font-size:75%}"


def page(
    folder: Path, name: str, *, program: str, css: str = "", lang: str = "en", **options: bool
) -> dict[str, object]:
    blocks = compose(name, lang)
    source = html(blocks, css, lang, **options)
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "a.html"
        path.write_text(source, encoding="utf-8")
        pdf = folder / f"{name}.pdf"
        if program == "chromium":
            run(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                f"--print-to-pdf={pdf}",
                path.as_uri(),
            )
        elif program == "weasyprint":
            import weasyprint

            weasyprint.HTML(str(path)).write_pdf(str(pdf))
        elif program == "wkhtmltopdf":
            run("wkhtmltopdf", "-q", "--footer-center", "[page]", path, pdf)
        elif program == "mutool":
            run("mutool", "convert", "-o", pdf, path)
        else:
            shutil.copy(path, folder / f"{name}.html")
    return gold(blocks, figure=bool(options.get("plain")))


# Offices and other formats, by pandoc


def office(folder: Path, name: str, *, form: str = "docx", change: tuple[str, str] = ("", ""), export: str = "pdf", lang: str = "en", to_pdf: bool = True) -> dict[str, object]:  # fmt: skip
    """A document written by pandoc, changed where it says so, and printed by LibreOffice."""
    blocks = [block for block in compose(name, lang) if block.kind not in ("figure", "formula")]
    notes = iter(range(1, 9))
    source = "\n\n".join(
        f"# {markdown_text(block.text)} {{.unnumbered}}" if block.kind == "heading"
        else f"---\ntitle: '{block.text}'\nlang: {lang}\n---" if block.kind == "title"
        else f"- {markdown_text(block.text)}" if block.kind == "item"
        else _pandoc_table(block) if block.kind == "table"
        else f"{markdown_text(block.text)}" + (f"[^{(n := next(notes))}]\n\n[^{n}]: {markdown_text(block.note)}" if block.note else "")
        for block in blocks
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / f"{name}.{form}"
        run(
            "pandoc",
            "-s",
            "-f",
            "markdown-smart",
            "-t",
            "jats" if form == "nxml" else form,
            "-o",
            path,
            data=source.encode(),
        )
        if change[0]:
            _change(path, *change)
        if to_pdf:
            run(
                "soffice",
                f"-env:UserInstallation=file://{work}/profile",
                "--headless",
                "--convert-to",
                export,
                "--outdir",
                work,
                path,
            )
            shutil.copy(Path(work) / f"{name}.pdf", folder / f"{name}.pdf")
        else:
            shutil.copy(path, folder / path.name)
    found = gold(blocks)
    found["captions"] = [text.split(": ", 1)[1] for text in found["captions"]]  # type: ignore[attr-defined]
    return found


def markdown_text(text: str) -> str:
    text = re.sub(r"([\\`*_{}\[\]<>()#+\-.!~^$|\"'@])", r"\\\1", text)
    return _SCRIPT.sub(
        lambda m: f"^{m[0].translate(_PLAIN)}^" if m[1] else f"~{m[0].translate(_PLAIN)}~", text
    )


def _pandoc_table(block: Block) -> str:
    rows = ["| " + " | ".join(row) + " |" for row in block.rows]
    rows.insert(1, "|" + "---|" * len(block.rows[0]))
    return "\n".join(rows) + f"\n\n: {markdown_text(block.text.split(': ', 1)[1])}"


def _change(path: Path, old: str, new: str) -> None:
    """Put one text for another in the parts of a zipped document."""
    with zipfile.ZipFile(path) as archive:
        parts = [(one, archive.read(one)) for one in archive.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, data in parts:
            archive.writestr(
                one, data.replace(old.encode(), new.encode()) if one.endswith(".xml") else data
            )


# typst, groff, ReportLab, PDFKit, pango


def typst_text(text: str) -> str:
    text = re.sub(r"([\\#*_$<>@`\[\]~=/+\-'\"])", r"\\\1", text)
    return _SCRIPT.sub(lambda m: f"#su{'per' if m[1] else 'b'}[{m[0].translate(_PLAIN)}]", text)


def typst(folder: Path, name: str, *, setup: str = "", lang: str = "en") -> dict[str, object]:
    import typst as compiler

    blocks = compose(name, lang)
    parts = [f'#set text(lang: "{lang}", size: 10pt)\n#set par(justify: true)\n#set smartquote(enabled: false)\n#set page(numbering: "1", header: align(center)[Journal of Things Seen])\n{setup}']  # fmt: skip
    for block in blocks:
        text = typst_text(block.text)
        if block.kind == "table":
            cells = ", ".join(f"[{typst_text(cell)}]" for row in block.rows for cell in row)
            parts.append(
                f"#figure(table(columns: 4, {cells}), caption: [{typst_text(block.text.split(': ', 1)[1])}], placement: top)"
            )
        elif block.kind == "figure":
            boxes = ", ".join(f"rect(text(8pt)[{label}])" for label in LABELS)
            parts.append(
                f"#figure(grid(columns: 2, gutter: 2em, {boxes}), kind: image, caption: [{typst_text(block.text.split(': ', 1)[1])}], placement: bottom)"
            )
        elif block.kind == "formula":
            parts.append(f"$ {FORMULA_TYPST} $")
        else:
            mark = {"title": "= ", "heading": "== ", "item": "- "}.get(block.kind, "")
            parts.append(
                mark + text + (f"#footnote[{typst_text(block.note)}]" if block.note else "")
            )
    (folder / f"{name}.pdf").write_bytes(compiler.compile("\n\n".join(parts).encode()))
    return gold(blocks)


def groff(
    folder: Path, name: str, *, setup: str = "", device: str = "pdf", lang: str = "en"
) -> dict[str, object]:
    blocks = [
        b
        for b in compose(name, lang, letters=WHOLE - set("′∼"))
        if b.kind not in ("figure", "formula")
    ]
    parts = [setup]
    for block in blocks:
        text = (
            re.sub(r"^([.'])", r"\\&\1", block.text.replace("\\", r"\e"))
            .replace("-", r"\-")
            .replace("'", r"\(aq")
        )
        text = _SCRIPT.sub(
            lambda m: (
                rf"\*{{{m[0].translate(_PLAIN)}\*}}" if m[1] else rf"\*<{m[0].translate(_PLAIN)}\*>"
            ),
            text,
        )
        if block.kind == "table":
            rows = "\n".join("\t".join(row) for row in block.rows)
            parts.append(f".KF\n.LP\n{text}\n.TS\ncenter;\nl n n n.\n{rows}\n.TE\n.KE")
        else:
            mark = {"title": ".TL", "authors": ".AU", "heading": ".SH", "item": r".IP \(bu 2"}.get(
                block.kind, ".PP"
            )
            note = f"\\**\n.FS\n{block.note}\n.FE" if block.note else ""
            parts.append(f"{mark}\n{text}{note}")
    source = "\n".join(parts) + "\n"
    data = run("groff", "-k", "-t", "-ms", f"-T{device}", data=source.encode())
    pdf = folder / f"{name}.pdf"
    pdf.write_bytes(data)
    if device == "ps":
        pdf.write_bytes(run("ps2pdf", "-", "-", data=data))
    return gold(blocks)


def reportlab(
    folder: Path, name: str, *, count: int = 1, font: str = "DejaVuSerif", lang: str = "en"
) -> dict[str, object]:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table

    is_own = font.startswith("DejaVu")
    if is_own:
        pdfmetrics.registerFont(TTFont(font, f"/usr/share/fonts/truetype/dejavu/{font}.ttf"))
    blocks = [
        b
        for b in compose(name, lang, letters=WHOLE if is_own else LATIN)
        if b.kind not in ("figure", "formula")
    ]
    style = ParagraphStyle("p", fontName=font, fontSize=9.5, leading=12, alignment=4, spaceAfter=5)
    head = ParagraphStyle("h", fontName=font, fontSize=14, leading=18, spaceBefore=8, spaceAfter=4)
    flow: list[object] = []
    notes = list[str]()
    for block in blocks:
        if block.kind == "table":
            flow += [Paragraph(html_text(block.text), style), Table(block.rows)]
            continue
        mark = f"<super>{len(notes) + 1}</super>" if block.note else ""
        notes += [block.note] if block.note else []
        bullet = {"bulletText": "•"} if block.kind == "item" else {}
        text = html_text(block.text).replace("sup>", "super>")
        flow.append(
            Paragraph(text + mark, head if block.kind in ("title", "heading") else style, **bullet)
        )
    small = ParagraphStyle("n", parent=style, fontSize=7.5, leading=9)
    flow += [
        Paragraph(f"<super>{n}</super> {html_text(note)}", small) for n, note in enumerate(notes, 1)
    ]
    width, height = A4
    frames = [
        Frame(50 + n * (width - 90) / count, 60, (width - 90) / count - 10, height - 120)
        for n in range(count)
    ]

    def decorate(canvas: object, doc: object) -> None:
        canvas.setFont(font, 8)  # type: ignore[attr-defined]
        canvas.drawCentredString(width / 2, 30, f"Page {doc.page}")  # type: ignore[attr-defined]
        canvas.drawString(50, height - 35, "Journal of Things Seen")  # type: ignore[attr-defined]

    doc = BaseDocTemplate(str(folder / f"{name}.pdf"), pagesize=A4)
    doc.addPageTemplates(PageTemplate(frames=frames, onPage=decorate))
    doc.build(flow)
    return gold(blocks)


def fpdf(folder: Path, name: str, *, count: int = 1, lang: str = "en") -> dict[str, object]:
    from fpdf import FPDF

    blocks = [b for b in compose(name, lang) if b.kind not in ("figure", "formula", "table")]
    pdf = FPDF()
    pdf.add_font("serif", "", "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf")
    pdf.add_page()
    with pdf.text_columns(ncols=count, gutter=8, text_align="JUSTIFY") as columns:
        for block in blocks:
            pdf.set_font("serif", size={"title": 16, "heading": 13}.get(block.kind, 9))
            with columns.paragraph(bottom_margin=2) as paragraph:
                paragraph.write(("• " if block.kind == "item" else "") + block.text)
    pdf.output(str(folder / f"{name}.pdf"))
    return gold(blocks, note=True)


PDFKIT = """
const PDF = require('pdfkit'), fs = require('fs'); const [blocks, out, columns] = JSON.parse(fs.readFileSync(0));
const doc = new PDF({margin: 60}); doc.pipe(fs.createWriteStream(out));
doc.font('/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf');
const all = blocks.map(b => b.text).join('\\n\\n');
doc.fontSize(10).text(all, {columns: columns, columnGap: 18, align: 'justify', height: 660, width: 490});
doc.end();"""


def pdfkit(folder: Path, name: str, *, node: Path, count: int = 1) -> dict[str, object]:
    blocks = [
        b for b in compose(name, sections=2 if count > 1 else 1) if b.kind in ("paragraph", "item")
    ]
    data = json.dumps([[{"text": b.text} for b in blocks], str(folder / f"{name}.pdf"), count])
    run("node", "-e", PDFKIT, cwd=node, data=data.encode())
    return gold(blocks, note=True)


def pango(folder: Path, name: str, *, program: str) -> dict[str, object]:
    blocks = [b for b in compose(name, sections=2, letters=WHOLE if program == "pango" else LETTERS - set("äöüÄÖÜßéèàâêîôûçëïñÀÉ")) if b.kind in ("title", "heading", "paragraph")]  # fmt: skip
    text = "\n\n".join(block.text for block in blocks)
    with tempfile.TemporaryDirectory() as work:
        path, pdf = Path(work) / "a.txt", folder / f"{name}.pdf"
        path.write_text(text, encoding="utf-8")
        if program == "pango":
            run(
                "pango-view",
                "-q",
                f"--output={pdf}",
                "--width=420",
                "--justify",
                "--font=DejaVu Serif 10",
                path,
            )
        else:
            import textwrap

            path.write_text(
                "\n\n".join(textwrap.fill(block.text, 78) for block in blocks), encoding="ascii"
            )
            pdf.write_bytes(run("ps2pdf", "-", "-", data=run("enscript", "-q", "-p-", path)))
    return gold(blocks, note=True)


def rewritten(
    folder: Path, name: str, *, command: tuple[str, ...], maker: Callable[..., dict[str, object]]
) -> dict[str, object]:
    """A document of another producer, written once more by a program that changes its fonts or objects."""
    found = maker(folder, name)
    pdf, new = folder / f"{name}.pdf", folder / f"{name}.new.pdf"
    for step in (
        (command,)
        if "|" not in command
        else (command[: command.index("|")], command[command.index("|") + 1 :])
    ):
        run(*(str(pdf) if part == "IN" else str(new) if part == "OUT" else part for part in step))
        new.replace(pdf)
    return found


TWO: dict[str, Any] = {"options": "twocolumn"}
CM: dict[str, Any] = {"fonts": ""}
GS = ("gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-o", "OUT", "IN")


def producers(node: Path | None) -> dict[str, Callable[[Path, str], dict[str, object]]]:
    fancy = r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhead[L]{Journal of Things Seen}\fancyhead[R]{\thepage}\fancyfoot[C]{\scriptsize Printed without any warranty}"
    found: dict[str, Callable[[Path, str], dict[str, object]]] = {
        "tex-article": tex,
        "tex-cm": partial(tex, **CM, star=""),
        "tex-cm-two": partial(tex, **CM, **TWO),
        "tex-two": partial(tex, **TWO, star="", sections=6),
        "tex-two-wide": partial(tex, **TWO, wide="*", fonts=r"\usepackage[T1]{fontenc}\usepackage{mathptmx}"),
        "tex-palatino": partial(tex, fonts=r"\usepackage[T1]{fontenc}\usepackage{mathpazo}", preamble=fancy),
        "tex-lineno": partial(tex, preamble=r"\usepackage{lineno}\linenumbers"),
        "tex-lineno-five": partial(tex, preamble=r"\usepackage[modulo]{lineno}\linenumbers"),
        "tex-lineno-two": partial(tex, **TWO, preamble=r"\usepackage[switch]{lineno}\linenumbers"),
        "tex-lineno-spaced": partial(tex, options="12pt", preamble=r"\usepackage{lineno,setspace}\doublespacing\linenumbers"),
        "tex-margins": partial(tex, margins=True),
        "tex-margins-two": partial(tex, **TWO, margins=True, preamble=r"\usepackage[left=35mm,right=35mm,marginparwidth=25mm]{geometry}"),
        "tex-report": partial(tex, kind="scrartcl", preamble=fancy, star="", sections=6),
        "tex-de": partial(tex, lang="de", kind="scrartcl"),
        "tex-de-cm-two": partial(tex, lang="de", **TWO, fonts=r"\usepackage[T1]{fontenc}"),
        "tex-fr": partial(tex, lang="fr"),
        "tex-ieee": partial(tex, kind="IEEEtran", fonts=r"\usepackage[T1]{fontenc}"),
        "tex-elsevier": partial(tex, kind="elsarticle", options="5p,twocolumn", fonts=r"\usepackage[T1]{fontenc}\usepackage{txfonts}"),
        "tex-revtex": partial(tex, kind="revtex4-2", options="aps,prl,twocolumn,nofootinbib", **CM),
        "dvips-cm": partial(tex, engine="latex", **CM),
        "dvips-two": partial(tex, engine="latex", **TWO, fonts=r"\usepackage{mathptmx}"),
        "xetex": partial(tex, engine="xelatex", fonts=r"\setmainfont{Liberation Serif}"),
        "xetex-two": partial(tex, engine="xelatex", **TWO, fonts=r"\setmainfont{TeX Gyre Pagella}"),
        "xetex-de": partial(tex, engine="xelatex", lang="de", fonts=r"\setmainfont{DejaVu Serif}"),
        "luatex": partial(tex, engine="lualatex", fonts=""),
        "luatex-two": partial(tex, engine="lualatex", **TWO, preamble=fancy, fonts=r"\setmainfont{TeX Gyre Termes}"),
        "chromium": partial(page, program="chromium", css="p{text-align:justify;hyphens:auto}"),
        "chromium-two": partial(page, program="chromium", css="main{columns:2} p{text-align:justify}"),
        "weasyprint": partial(page, program="weasyprint", css=PAGED + FLOATING, float_notes=True),
        "weasyprint-two": partial(page, program="weasyprint", css=PAGED + "main{columns:2} p{text-align:justify;hyphens:auto}"),
        "weasyprint-fr": partial(page, program="weasyprint", lang="fr", css=PAGED + FLOATING, float_notes=True),
        "wkhtmltopdf": partial(page, program="wkhtmltopdf"),
        "mutool": partial(page, program="mutool", plain=True),
        "office-docx": office,
        "office-docx-two": partial(office, change=("<w:sectPr>", '<w:sectPr><w:cols w:num="2" w:space="400"/>')),
        "office-docx-lines": partial(office, change=("<w:sectPr>", '<w:sectPr><w:lnNumType w:countBy="1"/>')),
        "office-docx-fives": partial(office, change=("<w:sectPr>", '<w:sectPr><w:lnNumType w:countBy="5"/>')),
        "office-odt": partial(office, form="odt"),
        "office-odt-tagged": partial(office, form="odt", lang="de", export='pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}'),
        "typst": typst,
        "typst-two": partial(typst, setup="#set page(columns: 2)\n#set par(first-line-indent: 1em)"),
        "typst-lines": partial(typst, setup="#set par.line(numbering: \"1\")"),
        "typst-de": partial(typst, lang="de"),
        "groff": groff,
        "groff-two": partial(groff, setup=".2C", device="ps"),
        "reportlab": reportlab,
        "reportlab-two": partial(reportlab, count=2),
        "reportlab-times": partial(reportlab, font="Times-Roman"),
        "fpdf": fpdf,
        "fpdf-two": partial(fpdf, count=2),
        "pango": partial(pango, program="pango"),
        "enscript": partial(pango, program="enscript"),
        "distilled-tex": partial(rewritten, command=GS, maker=partial(tex, **CM, **TWO)),
        "distilled-office": partial(rewritten, command=GS, maker=office),
        "distilled-ps": partial(rewritten, command=("pdftops", "IN", "OUT", "|", *GS), maker=partial(tex, star="")),
        "cairo-tex": partial(rewritten, command=("pdftocairo", "-pdf", "IN", "OUT"), maker=partial(tex, **TWO)),
        "qpdf-xetex": partial(rewritten, command=("qpdf", "--linearize", "--object-streams=generate", "IN", "OUT"), maker=partial(tex, engine="xelatex", **TWO, fonts=r"\setmainfont{Liberation Serif}")),
        "mutool-chromium": partial(rewritten, command=("mutool", "clean", "-ggggs", "IN", "OUT"), maker=partial(page, program="chromium")),
        "docx": partial(office, to_pdf=False),
        "odt": partial(office, form="odt", to_pdf=False),
        "epub": partial(office, form="epub", to_pdf=False),
        "jats": partial(office, form="nxml", to_pdf=False),
        "rst": partial(office, form="rst", to_pdf=False),
        "html": partial(page, program=""),
    }  # fmt: skip
    if node:
        found |= {
            "pdfkit": partial(pdfkit, node=node),
            "pdfkit-two": partial(pdfkit, node=node, count=2),
        }
    return found


def make(folder: Path, node: Path | None, only: list[str]) -> Iterator[str]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, producer in producers(node).items():
        if only and name not in only:
            continue
        try:
            found = producer(folder, name)
        except (OSError, RuntimeError, ImportError) as error:
            yield f"{name}: left out, {str(error)[-500:]}"
            continue
        (folder / f"{name}.json").write_text(
            json.dumps(found, ensure_ascii=False), encoding="utf-8"
        )
        yield name


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--node", type=Path, help="the folder in which PDFKit is installed")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    for line in make(arguments.folder, arguments.node, arguments.only):
        print(line, flush=True)


if __name__ == "__main__":
    main()
