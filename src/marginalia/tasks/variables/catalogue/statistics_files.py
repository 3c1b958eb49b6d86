"""SPSS and Stata files: the labels of their variables and values; the data are not read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, missing_package
from marginalia.core.files import require_file
from marginalia.tasks.variables.official.vocabulary import NO_TEXT, Notes, Variable, make_variable

MAX_BYTES = 64 * 2**30
OLD_STATA = (102, 103)
OLD_ENCODING = "files do not say their encoding rightly and were read as Windows-1252"


def read_data_file(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """One variable per column, named as in the file; the survey is the file's name."""
    require_file(path, max_bytes=MAX_BYTES)
    meta = _metadata(path, notes)
    study = (meta.file_label or "").strip()
    survey = path.name.split(".")[0]
    for name, label in zip(meta.column_names, meta.column_labels, strict=True):
        answers = meta.variable_value_labels.get(name, {})
        if not label:
            notes[NO_TEXT] += 1
        fields = {
            "name": name,
            "study": study,
            "label": label or "",
            "answers": ";".join(str(value) for value in answers.values()),
        }
        codes = [(_code(value), str(said)) for value, said in answers.items()]
        yield make_variable(name, survey, fields, codes)


def _code(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _refuse_old_stata(path: Path) -> None:
    """Files of Stata 1 to 3 have another layout, which no reader of today knows."""
    with path.open("rb") as file:
        first = file.read(1)
    if first and first[0] in OLD_STATA:
        raise FormatError(
            f"Stata files of format {first[0]} (Stata 1 to 3) cannot be read; open the file in Stata and "
            "save it again",
            path=path,
        )


def _metadata(path: Path, notes: Notes) -> Any:
    try:
        import pyreadstat
    except ImportError:
        what = f"{path}: a file of SPSS or Stata"
        raise missing_package(what, "pyreadstat", "catalogue") from None
    suffix = path.suffix.lower()
    if suffix == ".dta":
        _refuse_old_stata(path)
    name = {".dta": "read_dta", ".por": "read_por"}.get(suffix, "read_sav")
    read = getattr(pyreadstat, name)
    options: dict[str, Any] = {"metadataonly": True}
    try:
        return read(str(path), **options)[1]
    except UnicodeError:
        pass  # the file says one encoding and uses another
    except Exception as error:  # its own errors derive from Exception alone
        if "encoding" not in str(error).lower() and "convert" not in str(error).lower():
            raise FormatError(f"not a readable {suffix} file: {error}", path=path) from error
    try:
        found = read(str(path), encoding="WINDOWS-1252", **options)[1]
    except Exception as error:
        raise FormatError(f"not a readable {suffix} file: {error}", path=path) from error
    notes[OLD_ENCODING] += 1
    return found
