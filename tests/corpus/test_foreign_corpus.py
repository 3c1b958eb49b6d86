"""A corpus or a query of somebody else: nothing of it runs statements of its own, and no file is read or written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from marginalia import FormatError
from marginalia.cli.main import cli
from marginalia.corpus.across import compare
from marginalia.corpus.database import connect
from marginalia.corpus.report.page import make_report
from marginalia.corpus.store import Store
from marginalia.reader.passages import WIDTH
from tests.corpus.rows import put


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """In a folder whose name has signs that SQL and DuckDB's patterns read in their own way."""
    folder = tmp_path / "bob's [1] corpus"
    with Store.open_to_write(folder, {}) as store:
        put(store, {"annotations": [{"document": "a", "label": "hard"}]})
        put(store, {"annotations": [{"document": "b", "label": "hard"}]})
    return folder


def forge(corpus: Path, **changes: Any) -> None:
    path = corpus / "commits" / "000002.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, **changes}), encoding="utf-8")


@pytest.mark.parametrize(
    "changes",
    [
        {"files": {"x AS SELECT 1; COPY (SELECT 1) TO '{mark}'; --/000002.parquet": 1}},
        {"files": {"x\" AS SELECT 1; COPY (SELECT 1) TO '{mark}'; --/000002.parquet": 1}},
        {"files": {"annotations/'], x := (SELECT 1)); --.parquet": 1}},
        {"files": {"annotations/../../other.parquet": 1}},
        {"files": {"annotations//etc/passwd": 1}},
        {"files": {"across/000002.parquet": 1}},
        {"files": {"hidden_keys/000002.parquet": 1}},
        {"files": {"all_documents/000002.parquet": 1}},
        {"files": [7]},
        {"part": "../../../000002"},
        {"documents": [{"name": "a"}]},
        {"documents": [7]},
        {"gone": [["a"]]},
    ],
)
def test_a_forged_commit_record_is_refused(
    corpus: Path, tmp_path: Path, changes: dict[str, Any]
) -> None:
    mark = tmp_path / "mark"
    forge(corpus, **json.loads(json.dumps(changes).replace("{mark}", str(mark))))
    store = Store.open(corpus)
    for use in (connect, make_report, compare):
        with pytest.raises(FormatError):
            use(store)
    assert not mark.exists()


def test_names_of_other_files_run_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier report left is listed by its folder, whoever put it there."""
    monkeypatch.chdir(tmp_path)
    with Store.open_to_write(tmp_path / "corpus", {}) as store:
        put(store, {"annotations": [{"document": "a"}]})
    pairs = tmp_path / "corpus" / "across" / "pairs"
    pairs.mkdir(parents=True)
    columns = {"a": pa.array([1]), "b": pa.array([2]), "cosine": pa.array([0.5], "float32")}
    for name in ("1", "1']); COPY (SELECT 1) TO 'mark'; --.parquet"):
        parquet.write_table(pa.table(columns), pairs / name)
    compare(store)
    assert not (tmp_path / "mark").exists()


def test_an_encoder_does_not_lead_out_of_the_corpus(corpus: Path, tmp_path: Path) -> None:
    vector = np.eye(WIDTH, dtype=np.float16)[0]
    passage = {"document": "c", "text": "x", "encoder": "../../out", "vector": vector}
    with Store.open_to_write(corpus, {}) as store:
        put(store, {"passages": [passage]})
    with pytest.raises(FormatError, match="encoder"):
        compare(Store.open(corpus))
    assert [path.name for path in tmp_path.iterdir()] == [corpus.name]


FILE = "annotations/000001.parquet"
HOSTILE = [
    "COPY (SELECT 1) TO '{folder}/mark'",
    "COPY (SELECT 1) TO '{corpus}/annotations/000001.parquet' (USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO '{corpus}/annotations/000001.parquet' (USE_TMP_FILE false)",
    "SELECT 1; /**/copy/**/annotations TO '{corpus}/annotations/000001.parquet' (USE_TMP_FILE false)",
    "COPY (PIVOT annotations ON label) TO '{corpus}/annotations/000001.parquet' (USE_TMP_FILE false)",
    "PREPARE p AS COPY (SELECT 1) TO '{corpus}/annotations/000001.parquet' (USE_TMP_FILE false); EXECUTE p",
    "EXPORT DATABASE '{folder}/mark'",
    "ATTACH '{folder}/mark'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SELECT * FROM read_text('{folder}/secret.csv')",
    "FROM '{folder}/secret.csv'",
    "FROM glob('{folder}/*')",
    "FROM query('SELECT * FROM read_csv(''{folder}/secret.csv'')')",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET allowed_paths",
    "SET temp_directory = '{folder}/mark'",
    "PRAGMA profiling_output = '{folder}/mark'",
]


@pytest.mark.parametrize("format", ["json", "parquet"])
@pytest.mark.parametrize("sql", HOSTILE)
def test_a_hostile_query_is_one_sentence(
    corpus: Path, tmp_path: Path, sql: str, format: str
) -> None:
    (tmp_path / "secret.csv").write_text("secret\n1\n")
    before = (corpus / FILE).read_bytes()
    quoted = str(corpus).replace("'", "''")
    sql = sql.replace("{folder}", str(tmp_path)).replace("{corpus}", quoted)
    words = ["corpus", "query", str(corpus), sql, "--format", format]
    ran = CliRunner().invoke(
        cli, [*words, "-o", str(tmp_path / "out")] if format == "parquet" else words
    )
    assert isinstance(ran.exception, FormatError), ran.output
    assert "the query cannot be run" in str(ran.exception)
    assert (corpus / FILE).read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {corpus.name, "secret.csv"}


def test_the_corpus_itself_is_read_and_files_by_permission(corpus: Path, tmp_path: Path) -> None:
    with connect(Store.open(corpus)) as database:
        assert len(database.rows("FROM annotations WHERE quote IS NULL OR quote <> 'copy'")) == 2
        assert len(database.rows("PIVOT annotations ON label USING count(*)")) == 2
        assert database.rows("CREATE TABLE own AS FROM annotations; SELECT count(*) n FROM own")
    out = tmp_path / "out.csv"
    words = ["corpus", "query", str(corpus), f"COPY annotations TO '{out}'", "--allow-files"]
    assert CliRunner().invoke(cli, words, catch_exceptions=False).exit_code == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 3
