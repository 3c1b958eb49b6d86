"""Leave-documents-out validation.

``dev`` is a tenth of the sentences of the documents in ``train``, so a system looks about 0.1 better on
it than on new documents. Choose between systems by these folds. ``python -m marginalia.tasks.variables.folds
NAME ...`` prints the scores of systems by name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from marginalia.core.folder import data_folder
from marginalia.core.task import Report, Split, SystemCard
from marginalia.tasks.variables.data import load
from marginalia.tasks.variables.mention import Mention
from marginalia.tasks.variables.score import score


def leave_documents_out(split: Split, folds: int | None = None) -> Iterator[tuple[Split, Split]]:
    """Pairs of what to train on and what to predict: each document once, or in so many folds.

    A document goes as a whole, also when some of its sentences are in the other language.
    """
    docs = sorted({item.doc_id for item in split.items.values()})
    fold = {doc: place % (folds or len(docs)) for place, doc in enumerate(docs)}
    for number in sorted(set(fold.values())):
        out = [id for id, item in split.items.items() if fold[item.doc_id] == number]
        rest = [id for id, item in split.items.items() if fold[item.doc_id] != number]
        yield split.take(rest), split.take(out)


def cross_validate(card: SystemCard, split: Split, folds: int | None = None) -> Report:
    """The scores of predictions that were all made without the document in training."""
    pred: dict[str, Mention] = {}
    for train, out in leave_documents_out(split, folds):
        system = card.make()
        if card.trains:
            system = system.fit(train)  # type: ignore[attr-defined]
        pred |= system.predict(out.items)
    return score(split, pred)


def main(names: list[str]) -> None:
    from marginalia.tasks.variables.task import TASK

    split = load("train", data_folder())
    for card in [TASK.card(name) for name in names] or TASK.systems:
        report = cross_validate(card, split)
        shown = {m.path: m.of(report.scores) for m in TASK.metrics}
        if "disambiguation" in report.also:
            known = report.also["disambiguation"].get("only_gold_among_candidates")
            shown["only gold among candidates"] = known and known["macro_scores"]["map@10"]
        figures = ", ".join(f"{name} {value:.4f}" for name, value in shown.items() if value)
        sys.stdout.write(f"{card.name}: {figures}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
