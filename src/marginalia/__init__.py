"""Marginalia reads a document and writes in its margins.

The public names are resolved when first used, so that ``import marginalia`` costs next to nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# onnxruntime asks this when it is imported, by us or by anyone: unless told otherwise it writes a device id into the
# home folder and reports to its maker. Here it stands before every import of ours, and child processes inherit it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_NAMES = {
    "api": "read",
    "bench.analysis": "Analysis analyse_runs",
    "bench.board": "Board boards",
    "bench.combination": "combine_runs",
    "bench.compare": "RunComparison compare_runs",
    "bench.run": "learning_curve RunResult run",
    "bench.submission": "agreement merge_annotators score_files Submission check_submission import_run make_submission rescore_run",
    "bench.scaffold": "new_system new_task",
    "core.check": "check_annotator check_benchmark check_system",
    "core.annotator": "Annotator",
    "core.benchmark": "Benchmark Split System SystemCard",
    "core.building": "Builder BuildOption BuildStep Built",
    "core.document": "Annotation Document",
    "core.errors": "ContractError FormatError MarginaliaError MissingError UnknownNameError",
    "core.extraction": "Extraction Table",
    "core.fetch": "fetch_data",
    "core.importing": "import_data",
    "core.lazy": "lazy",
    "core.look": "Column Look",
    "core.registry": "all_annotators all_benchmarks get_annotator get_benchmark",
    "core.report": "Metric Outcome Report",
    "core.runs": "Run",
    "core.sources": "data_status",
    "core.stats": "Interval",
    "nlp.prompting.live": "language_model",
    "nlp.prompting.model": "LanguageModel",
    "nlp.training.train": "TrainedWeights train",
    "reader.annotate": "annotate",
    "reader.choose": "choose_notes",
    "reader.lint.check": "lint",
    "reader.view.findings": "Finding Replacement",
    "reader.write": "restore write",
    "tasks.clarification.gaps.revisions": "Mined Revision",
    "annotators.unclear.data_set": "mine_revisions aggregate_ratings",
    "annotators.unclear.gaps": "MarkedGap fill_gap",
    "annotators.unclear.places": "UnclearPlace find_unclear",
    "annotators.words.meaning": "Meaning explain_word",
    "annotators.measurements.extract": "extract_measurements",
    "annotators.measurements.parsing": "ParsedQuantity parse_quantity",
    "annotators.measurements.records": "Measurement",
    "annotators.consistency.comparison": "compare",
    "tasks.similarity.search.comparison": "Comparison Found look_up",
    "tasks.similarity.search.explain": "Explanation RecordComparison",
    "tasks.similarity.search.matches": "Repeated",
    "tasks.similarity.search.search": "find_repeated",
    "tasks.variables.index.build": "build_catalogue",
    "tasks.variables.index.hits": "Hit",
    "tasks.variables.index.search": "OpenCatalogue open_catalogue",
    "annotators.variables.review": "find_candidates keep_decisions Candidate",
    "annotators.variables.links": "Linked RankedVariable link rank_variables",
    "annotators.variables.memory": "Decision",
}
"""Module -> the public names that live there."""
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Analysis",
    "Annotation",
    "Annotator",
    "Benchmark",
    "Board",
    "BuildOption",
    "BuildStep",
    "Builder",
    "Built",
    "Candidate",
    "Column",
    "Comparison",
    "ContractError",
    "Decision",
    "Document",
    "Explanation",
    "Extraction",
    "Finding",
    "FormatError",
    "Found",
    "Hit",
    "Interval",
    "LanguageModel",
    "Linked",
    "Look",
    "MarginaliaError",
    "MarkedGap",
    "Meaning",
    "Measurement",
    "Metric",
    "Mined",
    "MissingError",
    "OpenCatalogue",
    "Outcome",
    "ParsedQuantity",
    "RankedVariable",
    "RecordComparison",
    "Repeated",
    "Replacement",
    "Report",
    "Revision",
    "Run",
    "RunComparison",
    "RunResult",
    "Split",
    "Submission",
    "System",
    "SystemCard",
    "Table",
    "TrainedWeights",
    "UnclearPlace",
    "UnknownNameError",
    "__version__",
    "aggregate_ratings",
    "agreement",
    "all_annotators",
    "all_benchmarks",
    "analyse_runs",
    "annotate",
    "boards",
    "build_catalogue",
    "check_annotator",
    "check_benchmark",
    "check_submission",
    "check_system",
    "choose_notes",
    "combine_runs",
    "compare",
    "compare_runs",
    "data_status",
    "explain_word",
    "extract_measurements",
    "fetch_data",
    "fill_gap",
    "find_candidates",
    "find_repeated",
    "find_unclear",
    "get_annotator",
    "get_benchmark",
    "import_data",
    "import_run",
    "keep_decisions",
    "language_model",
    "lazy",
    "learning_curve",
    "link",
    "lint",
    "look_up",
    "make_submission",
    "merge_annotators",
    "mine_revisions",
    "new_system",
    "new_task",
    "open_catalogue",
    "parse_quantity",
    "rank_variables",
    "read",
    "rescore_run",
    "restore",
    "run",
    "score_files",
    "train",
    "write",
]

if TYPE_CHECKING:
    from marginalia.annotators.consistency.comparison import compare
    from marginalia.annotators.measurements.extract import extract_measurements
    from marginalia.annotators.measurements.parsing import ParsedQuantity, parse_quantity
    from marginalia.annotators.measurements.records import Measurement
    from marginalia.annotators.unclear.data_set import aggregate_ratings, mine_revisions
    from marginalia.annotators.unclear.gaps import MarkedGap, fill_gap
    from marginalia.annotators.unclear.places import UnclearPlace, find_unclear
    from marginalia.annotators.variables.links import Linked, RankedVariable, link, rank_variables
    from marginalia.annotators.variables.memory import Decision
    from marginalia.annotators.variables.review import Candidate, find_candidates, keep_decisions
    from marginalia.annotators.words.meaning import Meaning, explain_word
    from marginalia.api import read
    from marginalia.bench.analysis import Analysis, analyse_runs
    from marginalia.bench.board import Board, boards
    from marginalia.bench.combination import combine_runs
    from marginalia.bench.compare import RunComparison, compare_runs
    from marginalia.bench.run import RunResult, learning_curve, run
    from marginalia.bench.scaffold import new_system, new_task
    from marginalia.bench.submission import (
        Submission,
        agreement,
        check_submission,
        import_run,
        make_submission,
        merge_annotators,
        rescore_run,
        score_files,
    )
    from marginalia.core.annotator import Annotator
    from marginalia.core.benchmark import Benchmark, Split, System, SystemCard
    from marginalia.core.building import Builder, BuildOption, BuildStep, Built
    from marginalia.core.check import check_annotator, check_benchmark, check_system
    from marginalia.core.document import Annotation, Document
    from marginalia.core.errors import (
        ContractError,
        FormatError,
        MarginaliaError,
        MissingError,
        UnknownNameError,
    )
    from marginalia.core.extraction import Extraction, Table
    from marginalia.core.fetch import fetch_data
    from marginalia.core.importing import import_data
    from marginalia.core.lazy import lazy
    from marginalia.core.look import Column, Look
    from marginalia.core.registry import (
        all_annotators,
        all_benchmarks,
        get_annotator,
        get_benchmark,
    )
    from marginalia.core.report import Metric, Outcome, Report
    from marginalia.core.runs import Run
    from marginalia.core.sources import data_status
    from marginalia.core.stats import Interval
    from marginalia.nlp.prompting.live import language_model
    from marginalia.nlp.prompting.model import LanguageModel
    from marginalia.nlp.training.train import TrainedWeights, train
    from marginalia.reader.annotate import annotate
    from marginalia.reader.choose import choose_notes
    from marginalia.reader.lint.check import lint
    from marginalia.reader.view.findings import Finding, Replacement
    from marginalia.reader.write import restore, write
    from marginalia.tasks.clarification.gaps.revisions import Mined, Revision
    from marginalia.tasks.similarity.search.comparison import Comparison, Found, look_up
    from marginalia.tasks.similarity.search.explain import Explanation, RecordComparison
    from marginalia.tasks.similarity.search.matches import Repeated
    from marginalia.tasks.similarity.search.search import find_repeated
    from marginalia.tasks.variables.index.build import build_catalogue
    from marginalia.tasks.variables.index.hits import Hit
    from marginalia.tasks.variables.index.search import OpenCatalogue, open_catalogue


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'marginalia' has no attribute {name!r}")
    return getattr(import_module(f"marginalia.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
