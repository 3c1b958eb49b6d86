"""How far annotators agree on variables, and one annotation made of theirs.

Each annotator's file has the columns of the official ones: sentence, doc_id, uuid, lang, is_variable,
variable and, if they said so, mention_type. Sentences are the same where their uuid is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from marginalia.core.agreement import (
    cohen_kappa,
    jaccard,
    krippendorff_alpha,
    masi,
    union_labels,
)
from marginalia.core.errors import FormatError
from marginalia.core.report import Report
from marginalia.core.table import format_table
from marginalia.tasks.variables.official.data import UNKNOWN, read_label, read_rows

COLUMNS = ("sentence", "is_variable", "variable", "doc_id", "uuid", "lang", "mention_type")

Answers = dict[str, dict[str, dict[str, str]]]
"""uuid -> annotator -> row."""


def compare(paths: Sequence[Path]) -> Report:
    """Detection by Cohen's kappa and Krippendorff's alpha, linking by alpha over sets of variables.

    With more than two annotators kappa is the mean over their pairs. Linking is compared on the sentences
    that two or more of them call positive, each with those alone; ``unk`` is an answer like any other. The
    distance of two sets is MASI, or Jaccard's. Where the sentences are in several languages, each has its figures too.
    """
    answers = read_answers(paths)
    names = [name for each in answers.values() for name in each]
    positive = {
        id: {name: row["is_variable"] for name, row in each.items()} for id, each in answers.items()
    }
    named = {
        id: {name: variables(row) for name, row in each.items() if row["is_variable"] == "1"}
        for id, each in answers.items()
    }
    twice = sum(len(each) > 1 for each in answers.values())
    if not twice:
        raise FormatError("no sentence has two annotators: their files share no uuid")
    scores = _figures(positive, named)
    languages = {id: next(iter(each.values())).get("lang", "") for id, each in answers.items()}
    for lang in sorted(set(languages.values())) if len(set(languages.values())) > 1 else ():
        own = [id for id in answers if languages[id] == lang]
        found = _figures({id: positive[id] for id in own}, {id: named[id] for id in own})
        scores |= {f"{what} ({lang})": figures for what, figures in found.items()}
    also = {
        "annotators": len(set(names)),
        "sentences": len(answers),
        "sentences_of_two_or_more": twice,
        "positive_for_two_or_more": sum(len(each) > 1 for each in named.values()),
        "positive_for_one_only": sum(
            len(each) == 1 < len(answers[id]) for id, each in named.items()
        ),
    }
    return Report(scores=scores, also=also)


def _figures(
    positive: Mapping[str, Mapping[str, str]], named: Mapping[str, Mapping[str, frozenset[str]]]
) -> dict[str, dict[str, float]]:
    return {
        "detection": {"kappa": mean_kappa(positive), "alpha": krippendorff_alpha(positive)},
        "linking": {
            "alpha_masi": krippendorff_alpha(named, masi),
            "alpha_jaccard": krippendorff_alpha(named, jaccard),
        },
    }


def merge(paths: Sequence[Path]) -> str:
    """The union, as the organisers merged theirs: what any annotator found; an official file's text.

    A mention that is explicit to one and implicit to another is mixed. ``unk`` goes where a variable is named.
    """
    answers = read_answers(paths)
    known = union_labels(
        {id: {name: variables(row) for name, row in each.items()} for id, each in answers.items()}
    )
    return format_table(
        [COLUMNS, *(_merged(each, known[id]) for id, each in answers.items())], quoted=True
    )


def _merged(each: Mapping[str, Mapping[str, str]], known: frozenset[str]) -> list[str]:
    rows = list(each.values())
    kinds = {row["mention_type"] for row in rows if row.get("mention_type")}
    found = {
        **rows[0],
        "is_variable": max(row["is_variable"] for row in rows),
        "variable": ";".join(sorted(known - {UNKNOWN}) or sorted(known)),
        "mention_type": "mixed" if len(kinds) > 1 else "".join(kinds),
    }
    return [found.get(name, "") for name in COLUMNS]


def read_answers(paths: Sequence[Path]) -> Answers:
    """What each annotator says of each sentence, in the order in which the sentences come."""
    names = [str(path) for path in paths]
    if len(set(names)) < 2:
        raise FormatError("agreement needs the files of two annotators or more")
    answers: Answers = {}
    for path in paths:
        for line, row in read_rows(path, "is_variable", "variable"):
            read_label(row, path, line)
            other = next(iter(answers.get(row["uuid"], {}).values()), row)
            if other["sentence"] != row["sentence"]:
                raise FormatError(
                    f"the sentence {row['uuid']} reads otherwise in another file",
                    path=path,
                    line=line,
                )
            answers.setdefault(row["uuid"], {})[str(path)] = row
    return answers


def variables(row: Mapping[str, str]) -> frozenset[str]:
    return frozenset(filter(None, row["variable"].split(";")))


def mean_kappa(ratings: Mapping[str, Mapping[str, str]]) -> float:
    """Cohen's kappa of two annotators; of more, its mean over the pairs for whom it is defined."""
    values = [value for value in _kappas(ratings) if value == value]
    return math.fsum(values) / len(values) if values else math.nan


def _kappas(ratings: Mapping[str, Mapping[str, str]]) -> Iterator[float]:
    names = dict.fromkeys(name for each in ratings.values() for name in each)
    for one, other in combinations(names, 2):
        shared = [each for each in ratings.values() if one in each and other in each]
        yield cohen_kappa([each[one] for each in shared], [each[other] for each in shared])
