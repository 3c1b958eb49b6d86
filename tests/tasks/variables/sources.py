"""One invented survey of four variables, written in every format that catalogues come in."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tests.tasks.variables.invented import write

STUDY = "Orchard Survey"
VARIABLES = {
    "roses": {"label": "Rosen: im Garten", "question": "Do you grow roses & tulips?", "answers": "Yes;No"},
    "age": {"label": "Age", "question": "How old are you?", "topic": "Person"},
    "trust": {"label": "Trust in neighbours", "question": "How much do you trust them?", "answers": "A lot;Not <much>"},
    "weight": {"label": "Design weight"},
}  # fmt: skip


def ddi(
    variables: dict[str, dict[str, str]] = VARIABLES,
    *,
    survey: str = "OS1",
    namespace: str = "ddi:codebook:2_5",
    head: str = '<?xml version="1.0" encoding="UTF-8"?>',
) -> str:
    """The variables as a DDI codebook; topics are groups."""
    groups = {}
    for name, fields in variables.items():
        groups.setdefault(fields.get("topic", ""), []).append(name)
    lines = [head, f'<codeBook xmlns="{namespace}">' if namespace else "<codeBook>"]
    lines.append(
        f"<stdyDscr><citation><titlStmt><titl>{STUDY}</titl><IDNo>{survey}</IDNo></titlStmt>"
        "</citation></stdyDscr><dataDscr>"
    )
    for topic, names in groups.items():
        if topic:
            lines.append(f'<varGrp var="{" ".join(names)}"><labl>{escape(topic)}</labl></varGrp>')
    for name, fields in variables.items():
        lines.append(f"<var ID={quoteattr(name)} name={quoteattr(name)}>")
        lines.append(f"<labl>{escape(fields['label'])}</labl>" if "label" in fields else "")
        if "question" in fields:
            lines.append(f"<qstn><qstnLit>{escape(fields['question'])}</qstnLit></qstn>")
        for answer in filter(None, fields.get("answers", "").split(";")):
            lines.append(f"<catgry><catValu>1</catValu><labl>{escape(answer)}</labl></catgry>")
        lines.append("</var>")
    return "\n".join([*lines, "</dataDscr></codeBook>\n"])


def metadata(variables: dict[str, dict[str, str]] = VARIABLES, survey: str = "OS1") -> str:
    """The same as the organisers' JSON."""
    official = {
        "label": "variable_label",
        "question": "question_text",
        "answers": "answer_categories",
    }
    rows = {}
    for name, fields in variables.items():
        row: dict[str, object] = {official.get(key, key): value for key, value in fields.items()}
        row |= {"study_title": STUDY, "variable_name": name}
        if "topic" in row:
            row["topic"] = [row["topic"]]
        rows[name] = row
    return json.dumps({survey: rows}, ensure_ascii=False)


def table(delimiter: str = ",", variables: dict[str, dict[str, str]] = VARIABLES) -> str:
    """The same as a table, with names that must be guessed."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    columns = ("label", "question", "answers", "topic")
    writer.writerow(["Survey ID", "Variable name", "Study title", "Label", "Question text", "Answers", "Topic"])  # fmt: skip
    for name, fields in variables.items():
        writer.writerow(["OS1", name, STUDY, *(fields.get(column, "") for column in columns)])
    return out.getvalue()


def write_all(folder: Path) -> dict[str, Path]:
    """The survey in each text format."""
    return {
        "ddi": write(folder / "survey.xml", ddi()),
        "json": write(folder / "variable_metadata.json", metadata()),
        "csv": write(folder / "survey.csv", table()),
        "tsv": write(folder / "survey.tsv", table("\t")),
    }
