"""``--llm`` on the command line: batch files out and in, dry runs, what excludes what, and nothing without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("jsonschema")

from marginalia.cli.main import cli
from marginalia.core.errors import FormatError
from marginalia.nlp.prompting.settings import read_llm_settings
from tests.asked import agreeing

GUIDE = "The committee gave a palliative answer to the isotropic rumour.\n\nThe treasurer resigned at once.\n"


@pytest.fixture
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "guide.md"
    path.write_text(GUIDE)
    return path


def run(*words: str) -> Any:
    return CliRunner().invoke(cli, words, catch_exceptions=False)


def answer_all(prompts: Path, results: Path) -> None:
    """A batch service that agrees with everything, and answers from the last to the first."""
    lines = []
    for line in prompts.read_text().splitlines():
        request = json.loads(line)
        name = request["custom_id"].rpartition("-")[0]
        rows = map(json.loads, request["body"]["messages"][1]["content"].split("\n"))
        said = [{"n": row["n"], **agreeing(name, row)} for row in rows]
        message = {"role": "assistant", "content": json.dumps({"answers": said})}
        body = {"choices": [{"message": message}]}
        done = {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}}
        lines.insert(0, json.dumps(done))
    results.write_text("\n".join(lines))


def test_requests_of_a_document_go_out_and_their_answers_come_in(guide: Path) -> None:
    out = run("read", "guide.md", "--notes", "words", "--llm-prompts", "prompts.jsonl")
    assert out.stdout == f"2 requests, about {out.stdout.split()[3]} tokens to send\n"
    answer_all(Path("prompts.jsonl"), Path("results.jsonl"))
    out = run("read", "guide.md", "--notes", "words", "--llm-answers", "results.jsonl", "--llm", "m1", "--format", "json")  # fmt: skip
    doc = json.loads(out.stdout)
    models = {note["attrs"].get("model") for note in doc["annotations"]}
    assert models == {"m1"}
    assert out.stderr == ""


def test_what_a_batch_lacks_is_said_and_the_rest_stays(guide: Path) -> None:
    Path("results.jsonl").write_text('{"custom_id": "words-0", "answer": {}}\n{broken\n')
    out = run("read", "guide.md", "--notes", "words", "--llm-answers", "results.jsonl", "--format", "json")  # fmt: skip
    assert "palliative" in out.stdout
    assert "results gave no valid answer to 2 of 2 lines" in out.stderr
    assert "results.jsonl:2: not JSON" in out.stderr
    assert "1 results belong to no request here" in out.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--dry-run"], "name a model with --llm"),
        (["--llm-max-tokens", "5"], "name a model with --llm"),
        (["--llm-prompts", "a", "--llm-answers", "b"], "exclude each other"),
        (["--llm-answers", "none.jsonl"], "none.jsonl: there is no such file"),
        (["--llm", "project"], "no settings file names a model"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    guide: Path, words: list[str], said: str
) -> None:
    command = [sys.executable, "-m", "marginalia", "read", "guide.md", *words]
    out = subprocess.run(command, capture_output=True, text=True)
    assert out.returncode == 2 and said in out.stderr


def test_a_model_of_llm_is_asked_about_nothing_in_a_dry_run(guide: Path) -> None:
    pytest.importorskip("llm")
    out = run("read", "guide.md", "--notes", "words", "--llm", "gpt-4o-mini", "--dry-run")
    assert out.stdout.startswith("2 requests, about ")
    assert out.stderr == ""


def test_a_settings_file_alone_asks_nobody(guide: Path) -> None:
    Path(".marginalia.toml").write_text('[llm]\nmodel = "gpt-4o-mini"\nmax-tokens = 10\n')
    out = run("read", "guide.md", "--notes", "words", "--format", "json")
    assert '"model"' not in out.stdout and out.stderr == ""


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"modle": "x"}, "unknown setting 'modle'"),
        ({"model": 3}, "'model' of [llm] must be a text"),
        ({"max-tokens": 0}, "must be at least 1"),
        ({"at-once": True}, "must be a whole number"),
        ({"options": "hot"}, "must be a table"),
    ],
)
def test_settings_are_checked(table: dict[str, Any], said: str) -> None:
    with pytest.raises(FormatError) as raised:
        read_llm_settings(table)
    assert said in str(raised.value)


def test_the_core_is_imported_without_any_of_it() -> None:
    code = (
        "import sys, marginalia, marginalia.cli.main, marginalia.reader.annotate\n"
        "assert not {'llm', 'jsonschema', 'openai', 'pydantic'} & set(sys.modules), sys.modules.keys()"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_split_is_asked_by_batch_files(data: Path, guide: Path) -> None:
    out = run("bench", "prompts", "clarification", "--split", "dev", "--data", str(data), "-o", "p.jsonl")  # fmt: skip
    assert out.stdout.startswith("100 requests, about ")
    prompts = Path("p.jsonl").read_text().splitlines()
    Path("p.jsonl").write_text("\n".join(prompts[:99]))
    answer_all(Path("p.jsonl"), Path("r.jsonl"))
    out = run("bench", "prompts", "clarification", "--data", str(data), "--without", "r.jsonl", "-o", "rest.jsonl")  # fmt: skip
    assert Path("rest.jsonl").read_text().splitlines() == prompts[99:]
    out = run("bench", "answers", "clarification", "r.jsonl", "--data", str(data), "--llm", "m1", "--json")  # fmt: skip
    made = json.loads(out.stdout)
    assert made["asked"]["model"] == "m1" and made["asked"]["prompts"] == {"clarification": "1"}
    assert made["asked"]["fallback"] == 25
    assert made["command"].startswith(
        "marginalia bench answers clarification RESULTS --system prompted"
    )
    assert "m1 gave no valid answer to 5 of 500 lines" in out.stderr
    board = run("bench", "board", "clarification", "--json")
    assert board.exit_code == 0
