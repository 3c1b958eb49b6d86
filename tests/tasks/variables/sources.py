"""One invented survey of four variables, written in every format that catalogues come in."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
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


def lifecycle(
    variables: dict[str, dict[str, str]] = VARIABLES,
    *,
    survey: str = "OS1",
    version: str = "3_2",
    fragments: bool = False,
) -> str:
    """The same as DDI Lifecycle: everything in a place of its own, found by id (3.2) or URN (fragments)."""

    def identity(id: str, *, urn: bool = fragments) -> str:
        if urn:
            return f"<r:URN>urn:ddi:org.orchard:{id}:1</r:URN>"
        return f"<r:Agency>org.orchard</r:Agency><r:ID>{id}</r:ID><r:Version>1</r:Version>"

    def label(text: str) -> str:
        return f'<r:Label><r:Content xml:lang="en">{escape(text)}</r:Content></r:Label>'

    parts = []
    for name, fields in variables.items():
        refs = ""
        if "question" in fields:
            refs += f"<r:QuestionReference>{identity(f'q-{name}')}</r:QuestionReference>"
            parts.append(
                f"<d:QuestionItem>{identity(f'q-{name}')}<d:QuestionText><d:LiteralText>"
                f"<d:Text>{escape(fields['question'])}</d:Text></d:LiteralText></d:QuestionText></d:QuestionItem>"
            )
        if "topic" in fields:
            refs += f"<r:ConceptReference>{identity(f'c-{name}')}</r:ConceptReference>"
            parts.append(f"<c:Concept>{identity(f'c-{name}')}{label(fields['topic'])}</c:Concept>")
        codes = ""
        for number, answer in enumerate(filter(None, fields.get("answers", "").split(";")), 1):
            id = f"a-{name}-{number}"
            parts.append(f"<l:Category>{identity(id)}{label(answer)}</l:Category>")
            codes += (
                f"<l:Code>{identity(f'code-{id}')}<r:CategoryReference>{identity(id)}</r:CategoryReference>"
                f"<r:Value>{number}</r:Value></l:Code>"
            )
        shown = ""
        if codes:
            parts.append(f"<l:CodeList>{identity(f'l-{name}')}{codes}</l:CodeList>")
            shown = (
                "<l:VariableRepresentation><r:CodeRepresentation><r:CodeListReference>"
                f"{identity(f'l-{name}')}</r:CodeListReference></r:CodeRepresentation></l:VariableRepresentation>"
            )
        said = label(fields["label"]) if "label" in fields else ""
        parts.append(
            f"<l:Variable>{identity(name)}<l:VariableName><r:String>{name}</r:String></l:VariableName>"
            f"{said}{refs}{shown}</l:Variable>"
        )
    study = (
        f"{identity('study')}<r:UserID>{survey}</r:UserID><r:Citation><r:Title><r:String>{STUDY}</r:String>"
        "</r:Title></r:Citation>"
    )
    names = " ".join(
        f'xmlns:{short}="ddi:{name}:{version}"'
        for short, name in {"i": "instance", "s": "studyunit", "r": "reusable", "l": "logicalproduct", "d": "datacollection", "c": "conceptualcomponent"}.items()
    )  # fmt: skip
    if fragments:
        each = [f"<s:StudyUnit>{study}</s:StudyUnit>", *parts]
        inside = "".join(f"<i:Fragment>{one}</i:Fragment>" for one in each)
        return f"<i:FragmentInstance {names}>{inside}</i:FragmentInstance>"
    inside = (
        f"<s:StudyUnit>{study}<l:LogicalProduct>{''.join(parts)}</l:LogicalProduct></s:StudyUnit>"
    )
    return f"<i:DDIInstance {names}>{inside}</i:DDIInstance>"


def make_catalogue(format: str, folder: Path) -> Path:
    """The invented survey as a file of a format: each key of MADE."""
    suffix, make = MADE[format]
    path = folder / f"OS1{suffix}"
    if isinstance(made := make(path), str):
        write(path, made)
    return path


def _spreadsheet(path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    for row in csv.reader(table().splitlines()):
        book.active.append(row)
    path.parent.mkdir(parents=True, exist_ok=True)
    book.save(path)


def _statistics(path: Path) -> None:
    import pandas
    import pyreadstat

    path.parent.mkdir(parents=True, exist_ok=True)
    answers = {n: f["answers"].split(";") for n, f in VARIABLES.items() if "answers" in f}
    options = {
        "file_label": STUDY,
        "column_labels": [fields["label"] for fields in VARIABLES.values()],
    }
    # The writer of portable files knows no labels of values.
    if path.suffix != ".por":
        coded = {n: dict(enumerate(each, 1)) for n, each in answers.items()}
        options["variable_value_labels"] = coded
    if path.suffix == ".zsav":
        options["compress"] = True
    name = {".zsav": "sav"}.get(path.suffix, path.suffix[1:])
    write_data = getattr(pyreadstat, f"write_{name}")
    write_data(pandas.DataFrame({name: [1.0] for name in VARIABLES}), str(path), **options)


def _lines() -> str:
    """The records of the JSON file, one a line."""
    rows = json.loads(metadata())["OS1"]
    each = ({"id": id, "survey": "OS1", **row} for id, row in rows.items())
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in each)


MADE: dict[str, tuple[str, Callable[[Path], str | None]]] = {
    "DDI Codebook 1.2": (".xml", lambda _: ddi(namespace="")),
    "DDI Codebook 2.1": (".xml", lambda _: ddi(namespace="http://www.icpsr.umich.edu/DDI")),
    "DDI Codebook 2.5": (".xml", lambda _: ddi()),
    "DDI Codebook 2.6": (".xml", lambda _: ddi(namespace="ddi:codebook:2_6")),
    "DDI Lifecycle 3.2": (".xml", lambda _: lifecycle()),
    "DDI Lifecycle 3.3": (".xml", lambda _: lifecycle(version="3_3")),
    "DDI Lifecycle 3.3, fragments": (".xml", lambda _: lifecycle(version="3_3", fragments=True)),
    "DDI Codebook, .ddi": (".ddi", lambda _: ddi()),
    "JSON": (".json", lambda _: metadata()),
    "JSON lines": (".jsonl", lambda _: _lines()),
    "CSV": (".csv", lambda _: table()),
    "TSV": (".tsv", lambda _: table("\t")),
    "TSV, .tab": (".tab", lambda _: table("\t")),
    "TSV, .txt": (".txt", lambda _: table("\t")),
    "XLSX": (".xlsx", _spreadsheet),
    "SPSS": (".sav", _statistics),
    "SPSS, compressed": (".zsav", _statistics),
    "SPSS, portable": (".por", _statistics),
    "Stata": (".dta", _statistics),
}


def write_all(folder: Path) -> dict[str, Path]:
    """The survey in each text format."""
    return {
        "ddi": write(folder / "survey.xml", ddi()),
        "json": write(folder / "variable_metadata.json", metadata()),
        "csv": write(folder / "survey.csv", table()),
        "tsv": write(folder / "survey.tsv", table("\t")),
    }
