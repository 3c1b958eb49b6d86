"""SV-Ident 2022: its files, documents, sentences and labels, and what a system says about a sentence.

Source: vadis-project/sv-ident. The files have real CSV quoting. Their column ``research_data`` is filled
on positive sentences only and so tells the label: it is not read here. Which surveys a document uses
stands in ``documents.tsv``, the same for each of its sentences.

Annotators saw whole documents, and the task allows systems to. What a paper is about shows in all its
sentences: a concept named in passing is defined elsewhere, and a survey question is quoted once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import require_data
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.resources import read_resource
from marginalia.core.table import read_table
from marginalia.tasks.variables.official.vocabulary import Catalogue, read_vocabulary

Ranking = tuple[tuple[str, float], ...]
FOLDER = "sv-ident"
OFFICIAL = {"train": "train.tsv", "dev": "val.tsv", "test": "heldout_inputs.tsv"}
TRIAL = {"trial-train": "train", "trial-test": "test"}
CANDIDATES = ("surveys", "all")
UNKNOWN = "unk"
"""The annotators' sign for a variable they could not identify."""
NO_CANDIDATES = (
    "There are no candidate variables: sv-ident/vocabulary_partial.tsv is not in the data folder; "
    "bring it with `import_data('variables', folder)`."
)
KINDS = ("explicit", "implicit", "mixed")


class Paper:
    """The different sentences of a document, in no certain order, and its language.

    A paper equals only itself, so that what was computed for it can be kept and found again.
    """

    def __init__(self, sentences: Iterable[str] = (), lang: str = "en") -> None:
        self.sentences = tuple(dict.fromkeys(sentences))
        self.lang = lang
        self._places = {sentence: place for place, sentence in enumerate(self.sentences)}
        self._longer: dict[str, Paper] = {}

    def __len__(self) -> int:
        return len(self.sentences)

    def __contains__(self, sentence: object) -> bool:
        return sentence in self._places

    def __repr__(self) -> str:
        return f"Paper({len(self)} sentences)"

    def place(self, sentence: str) -> int:
        return self._places[sentence]

    def having(self, sentence: str) -> Paper:
        """The paper itself, or a longer one where the sentence is not in it."""
        if sentence in self:
            return self
        if sentence not in self._longer:
            self._longer = {sentence: Paper((*self.sentences, sentence), self.lang)}
        return self._longer[sentence]


@dataclass(frozen=True, slots=True)
class Mention:
    """The answers to both sub-tasks; None where the system does not answer one.

    ``ranking`` holds variables with their scores, best first: its order counts, also among equal scores.
    """

    is_variable: int | None = None
    ranking: Ranking | None = None

    def __post_init__(self) -> None:
        ids = [variable for variable, _ in self.ranking or ()]
        if len(set(ids)) < len(ids):
            twice = next(id for place, id in enumerate(ids) if id in ids[:place])
            raise FormatError(
                f"the variable {twice} is ranked twice, each copy would count as a hit"
            )


def encode(pred: Mention) -> dict[str, Any]:
    """A prediction as JSON data."""
    ranking = None if pred.ranking is None else [list(pair) for pair in pred.ranking]
    return {"is_variable": pred.is_variable, "ranking": ranking}


def decode(data: Mapping[str, Any]) -> Mention:
    """... and back."""
    try:
        label, ranking = data["is_variable"], data["ranking"]
        pairs = None if ranking is None else tuple((str(id), float(s)) for id, s in ranking)
        return Mention(None if label is None else int(label), pairs)
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"not a prediction for variables: {error!r}") from error


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a publication, and the variables it may be about."""

    sentence: str
    lang: str
    doc_id: str
    surveys: tuple[str, ...] = ()
    """The surveys linked to the whole document."""
    catalogue: Catalogue = field(default_factory=Catalogue, repr=False, compare=False)
    """The candidates, one object shared by all sentences that have the same."""
    paper: Paper = field(default_factory=Paper, repr=False, compare=False)
    """The sentences of its document, one object shared by all of them. They come without labels."""


@dataclass(frozen=True, slots=True)
class Label:
    """The gold of a sentence. ``unk`` makes it positive, but is no variable to be found."""

    is_variable: int
    variables: tuple[str, ...] = ()
    kind: str = ""
    """``explicit``, ``implicit`` or ``mixed``, where the annotators said so."""


def load(name: str, folder: Path, *, candidates: str = "surveys") -> Split:
    """The split ``train``, ``dev`` or ``test``, or the earlier ``trial-train`` and ``trial-test``.

    The candidates are the known variables of the document's ``surveys``, or ``all``. A document none
    of whose surveys has a known variable gets them all: some ranking is better than none.
    """
    if candidates not in CANDIDATES:
        raise UnknownNameError("kind of candidates", candidates, CANDIDATES)
    if name in TRIAL:
        from marginalia.tasks.variables.official.trial import load_trial

        return load_trial(name, folder)
    base = folder / FOLDER
    path = require_data(base / OFFICIAL[name], "variables")
    documents = require_data(base / "documents.tsv", "variables")
    vocabulary = base / "vocabulary_partial.tsv"
    # Detection needs no vocabulary, and this one cannot be fetched: without it there are no candidates.
    whole = read_vocabulary(vocabulary) if vocabulary.exists() else Catalogue()
    surveys = read_documents(documents)
    papers = read_papers([base / file for file in OFFICIAL.values()])
    items: dict[str, Statement] = {}
    gold: dict[str, Label] = {}
    files = [path, documents, *([vocabulary] if vocabulary.exists() else [])]
    for line, row in read_rows(path):
        id, doc_id = row["uuid"], row["doc_id"]
        if doc_id not in surveys:
            raise FormatError(f"the document {doc_id} is not in {documents}", path=path, line=line)
        part = whole if candidates == "all" else whole.within(surveys[doc_id]) or whole
        items[id] = Statement(
            row["sentence"], row["lang"], doc_id, surveys[doc_id], part, papers[doc_id]
        )
        if "is_variable" in row:
            gold[id] = read_label(row, path, line)
    complete = [base / "upstream" / file for file in ("train.tsv", "val.tsv")]
    if name == "test" and all(path.exists() for path in complete):
        labels = read_labels(complete)
        gold = {id: labels[id] for id in items if id in labels}
        files += complete
    return Split(
        name=name,
        items=items,
        gold=gold if len(gold) == len(items) else None,
        group={id: group_name(item.lang, item.doc_id) for id, item in items.items()},
        files=tuple(files),
        together={id: item.doc_id for id, item in items.items()},
    )


def group_name(lang: str, doc_id: str) -> str:
    """What is averaged and resampled: the sentences of a document in one language."""
    return f"{lang}/{doc_id}"


def read_rows(path: Path, *columns: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of an official file with their line numbers; each id is there once."""
    seen: set[str] = set()
    for line, row in read_table(
        path, ("sentence", "doc_id", "uuid", "lang", *columns), quoted=True
    ):
        if row["uuid"] in seen:
            raise FormatError(f"the uuid {row['uuid']} is given twice", path=path, line=line)
        seen.add(row["uuid"])
        yield line, row


def read_label(row: Mapping[str, str], path: Path, line: int) -> Label:
    """The label in the columns is_variable, variable and, where there is one, mention_type."""
    positive, kind = row["is_variable"], row.get("mention_type", "")
    named = [id for id in row["variable"].split(";") if id]
    if positive not in ("0", "1"):
        raise FormatError(f"is_variable is {positive!r}, not 0 or 1", path=path, line=line)
    if positive == "0" and named:
        raise FormatError("is_variable is 0, but there are variables", path=path, line=line)
    if kind not in ("", *KINDS):
        raise FormatError(
            f"mention_type is {kind!r}, not one of {', '.join(KINDS)}", path=path, line=line
        )
    variables = tuple(dict.fromkeys(id for id in named if id != UNKNOWN))
    return Label(int(positive), variables, kind)


def read_labels(paths: list[Path]) -> dict[str, Label]:
    """The labels of several official files by uuid."""
    labels: dict[str, Label] = {}
    for path in paths:
        for line, row in read_rows(path, "is_variable", "variable"):
            labels[row["uuid"]] = read_label(row, path, line)
    return labels


def read_papers(paths: list[Path]) -> dict[str, Paper]:
    """The sentences of each document in all of these files that are there: train and dev share theirs."""
    sentences: dict[str, list[str]] = {}
    langs: dict[str, list[str]] = {}
    for path in filter(Path.exists, paths):
        for _, row in read_rows(path):
            sentences.setdefault(row["doc_id"], []).append(row["sentence"])
            langs.setdefault(row["doc_id"], []).append(row["lang"])
    # The language of a document is that of most of its sentences.
    return {
        doc: Paper(texts, max(sorted(set(langs[doc])), key=langs[doc].count))
        for doc, texts in sentences.items()
    }


def read_documents(path: Path) -> dict[str, tuple[str, ...]]:
    """The surveys of each document."""
    rows = read_table(path, ("doc_id", "research_data"), quoted=True)
    return {row["doc_id"]: tuple(filter(None, row["research_data"].split(";"))) for _, row in rows}


def sources() -> Any:
    return read_resource("marginalia.tasks.variables", "sources.json")


def published() -> Any:
    return read_resource("marginalia.tasks.variables", "published.json")
