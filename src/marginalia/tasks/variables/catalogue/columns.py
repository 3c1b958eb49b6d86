"""Which column of a table, or key of a JSON object, holds what: guessed by name, or said by the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.tasks.variables.official.vocabulary import FIELDS, Variable, plain_text

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
    found = {name: role for role, name in columns.items()}
    for name in sorted(names, key=lambda name: _RANK.get(_key(name), 0)):
        guess = _ROLE.get(_key(name))
        if guess is None or name in found or guess in columns:
            continue
        if guess not in _SINGLE or guess not in found.values():
            found[name] = guess
    if not {"label", "question", "text"} & set(found.values()):
        raise FormatError(
            f"no column is a label, a question or a text; found {', '.join(names) or 'none'}; "
            "name one with `columns=`, for example label=NAME",
            path=path,
            line=line,
        )
    return {name: found[name] for name in names if name in found}


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
