"""Variables in a table, a CSV file or the first sheet of an XLSX file, whose columns are known by their names or named by
the user.
"""

from __future__ import annotations

import codecs
import csv
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, UnknownNameError, missing_package
from marginalia.core.files import MAX_LINE, require_file
from marginalia.core.table import as_written
from marginalia.tasks.variables.official.vocabulary import (
    FIELDS,
    NO_ID,
    NO_TEXT,
    Notes,
    Variable,
    make_variable,
    plain_text,
)

ROLES = ("id", "name", "survey", "text", *FIELDS)

# In small letters without blanks and punctuation. Where two columns of a table could be the id, the
# one named first here is; all the columns of a text field are joined, as with question_text and
# question_text_en.
_NAMES = {
    "id": "variableid varid id uri doi variableuri",
    "name": "variablename varname name var variable variablefieldname fieldname column columnname",
    "survey": "researchdata researchdataid surveyid survey studyid studynumber studyno zano zanr "
    "datasetid dataset studie file filename",
    "study": "studytitle studyname study surveytitle surveyname datasettitle title studientitel",
    "label": "variablelabel varlabel label labl fieldlabel labels labelen labelde description "
    "variabledescription beschreibung beschriftung variablenlabel",
    "question": "questiontext questiontexten questiontextde question questionen questionde "
    "qstn qstnlit wording frage fragetext questionwording literalquestion",
    "subquestion": "subquestion subquestiontext subquestionen item itemtext itemlabel unterfrage",
    "items": "itemcategories items itemlist",
    "answers": "answercategories answers answer answercategory categories valuelabels values "
    "responseoptions responses choices choicescalculationsorsliderlabels antworten wertelabels",
    "topic": "topic topics topicen topicde concept concepts group groups section sectionheader module "
    "theme subject thema themen formname topicclassification",
    "instructions": "instructions instruction interviewerinstruction fieldnote",
    "notes": "notes note remarks comment comments bemerkung",
    "text": "text variabletext fulltext",
}
_ROLE = {name: role for role, names in _NAMES.items() for name in names.split()}
_SINGLE = ("id", "name", "survey", "text")
_RANK = {name: rank for names in _NAMES.values() for rank, name in enumerate(names.split())}
MAX_UNPACKED_BYTES = 2 * 2**30
MAX_COLUMNS = 500
MAX_BYTES = 8 * 2**30
NOT_UTF8 = "lines are not UTF-8 and were read as Windows-1252"
RAGGED = "rows have more or fewer cells than the header"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def roles(
    names: Iterable[str], columns: Mapping[str, str], path: Path, line: int | None = None
) -> dict[str, str]:
    """Column -> what it holds; ``columns`` says it the other way round and comes before any guess."""
    names = list(names)
    for role, name in columns.items():
        if role not in ROLES:
            raise UnknownNameError("field of a variable", role, ROLES)
        if name not in names:
            raise FormatError(
                f"there is no column {name!r}; found {', '.join(names) or 'none'}",
                path=path,
                line=line,
            )
    by_name = {name: role for role, name in columns.items()}
    for name in sorted(names, key=lambda name: _RANK.get(_key(name), 0)):
        guess = _ROLE.get(_key(name))
        if guess is None or name in by_name or guess in columns:
            continue
        if guess not in _SINGLE or guess not in by_name.values():
            by_name[name] = guess
    if not {"label", "question", "text"} & set(by_name.values()):
        raise FormatError(
            f"no column is a label, a question or a text; found {', '.join(names) or 'none'}; "
            "name one with `columns=`, for example label=NAME",
            path=path,
            line=line,
        )
    return {name: by_name[name] for name in names if name in by_name}


def gather(row: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """The cells of a row by what they hold; different texts of one field are joined."""
    cells: dict[str, list[str]] = {}
    for name, role in found.items():
        text = row.get(name, "").strip()
        if text and text not in cells.setdefault(role, []):
            cells[role].append(text)
    joints = {"topic": ";", "answers": ";", "items": ";"}
    return {role: joints.get(role, " / ").join(texts) for role, texts in cells.items() if texts}


def plain_variable(id: str, survey: str, cells: Mapping[str, str]) -> Variable | None:
    """A variable that has but one text, as in ``vocabulary_partial.tsv``; None if it has fields."""
    if "text" not in cells or any(cells.get(name) for name in FIELDS):
        return None
    fields = {"name": cells["name"]} if cells.get("name") else {}
    return Variable(
        id=id, survey=survey, text=plain_text(cells["text"]), raw=cells["text"], fields=fields
    )


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def read_spreadsheet(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """One variable per row, as in any table."""
    rows = sheet_rows(path)
    line, names = next(rows, (1, []))
    found = roles(names, columns or {}, path, line)
    for number, (_, cells) in enumerate(rows, 1):
        row = dict(zip(names, cells, strict=False))
        yield row_variable(row, found, path, number, notes)


def sheet_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row that is not empty; the first is the header."""
    require_file(path)
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise missing_package(f"{path}: a spreadsheet", "openpyxl", "xlsx") from None
    _refuse_bombs(path)
    try:
        book = load_workbook(path, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        names: list[str] = []
        for line, row in enumerate(sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS), 1):
            cells = [as_written(_text(value)) for value in row]
            if any(cells):
                if not names:
                    while cells and not cells[-1]:
                        cells.pop()
                    names = cells
                    if len(set(names)) < len(names):
                        raise FormatError("the header names a column twice", path=path, line=line)
                yield line, cells[: len(names)]
    except FormatError:
        raise
    except Exception as error:  # damaged parts fail in many ways inside the package
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise FormatError(f"not a readable spreadsheet: {said}", path=path) from error


def _refuse_bombs(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(one.file_size for one in archive.infolist())
    except (zipfile.BadZipFile, OSError) as error:
        raise FormatError("this is not an XLSX file", path=path) from error
    if size > MAX_UNPACKED_BYTES:
        raise FormatError(
            f"the spreadsheet unpacks to {size:,} bytes, which is too large", path=path
        )


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, date):
        return value.isoformat()
    return str(value).strip()


def read_variables(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """One variable per row. A table of one survey needs no column for it: the file's name stands for it."""
    lines = _lines(path, notes)
    header = next(lines, "")
    delimiter = _delimiter(path, header)
    csv.field_size_limit(MAX_LINE)
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error as error:
        raise FormatError(f"broken header: {error}", path=path, line=1) from error
    reader = csv.reader(lines, delimiter=delimiter)
    if len(set(names)) < len(names):
        raise FormatError("the header names a column twice", path=path, line=1)
    by_name = roles(names, columns or {}, path, 1)
    number = 0
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            number += 1
            if len(cells) != len(names):
                notes[RAGGED] += 1
                # What is too much stays with the last column: it is mostly text with a separator in it.
                last = delimiter.join(cells[len(names) - 1 :])
                cells = [*cells[: len(names) - 1], last]
            row = dict(zip(names, map(as_written, cells), strict=False))
            yield row_variable(row, by_name, path, number, notes)
    except csv.Error as error:
        raise FormatError(
            f"broken quoting: {error}", path=path, line=reader.line_num + 1
        ) from error


def row_variable(
    row: Mapping[str, str], found: Mapping[str, str], path: Path, number: int, notes: Notes
) -> Variable:
    """The variable of one row, whose columns hold what ``found`` says."""
    cells = gather(row, found)
    id = cells.get("id") or cells.get("name") or ""
    if not id:
        notes[NO_ID] += 1
        id = f"variable-{number}"
    if not any(cells.get(name) for name in ("label", "question", "text")):
        notes[NO_TEXT] += 1
    survey = cells.get("survey") or path.name.split(".")[0]
    return plain_variable(id, survey, cells) or make_variable(id, survey, cells)


def _delimiter(path: Path, header: str) -> str:
    if path.suffix.lower() in (".tsv", ".tab"):
        return "\t"
    return max(",;\t|", key=header.count)


def _lines(path: Path, notes: Notes) -> Iterator[str]:
    """The lines with their ends. Old tables are in Windows-1252, and some in both."""
    require_file(path, max_bytes=MAX_BYTES)
    with path.open("rb") as file:
        start = file.read(4)
        encoding = next((name for mark, name in _MARKS if start.startswith(mark)), "")
    if encoding == "utf-16":
        try:
            with path.open(encoding="utf-16", newline="") as wide:
                yield from wide
        except UnicodeError as error:
            raise FormatError(f"not UTF-16 text: {error}", path=path) from error
        return
    # As Latin-1, which gives every byte back, because text files know all three line ends and binary ones only LF.
    with path.open(encoding="latin-1", newline="") as text:
        text.seek(len(codecs.BOM_UTF8) if encoding else 0)
        number = 0
        while line := text.readline(MAX_LINE + 1):
            data = line.encode("latin-1")
            number += 1
            if len(data) > MAX_LINE:
                raise FormatError(
                    f"the line is longer than {MAX_LINE:,} bytes", path=path, line=number
                )
            if b"\0" in data:
                raise FormatError("this is not a text file", path=path, line=number)
            try:
                yield data.decode("utf-8")
            except UnicodeDecodeError:
                notes[NOT_UTF8] += 1
                # Five bytes mean nothing in Windows-1252; they become the sign for that.
                yield data.decode("cp1252", errors="replace")
