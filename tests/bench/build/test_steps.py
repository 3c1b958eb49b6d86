"""The steps by which the shared tasks made their data, each on a small case with a known answer."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Split
from marginalia.bench.building import census
from marginalia.cli.main import cli
from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.registry import BUILDERS, get_benchmark
from marginalia.tasks.clarification.official.data import read_items
from marginalia.tasks.complexity.building.splits import divide
from marginalia.tasks.complexity.official.data import Target, read_targets
from marginalia.tasks.measurement.official.tsv import read_spans
from marginalia.tasks.similarity.building.pairs import evenly, string_similarity
from marginalia.tasks.similarity.building.records import distances
from marginalia.tasks.similarity.official.data import Pair
from tests.tasks.clarification import invented as clarification
from tests.tasks.variables import invented as variables

TEXT = """The heart attack patients waited in the hall. A heart attack is an emergency. The committee read the report.
The committee wrote a letter. The committee slept. The committee met in March. The committee failed. The committee won.
A strong wind moved the old boat. The boat sank near the harbour."""


def build(task: str, step: str, *paths: Path, **options: object) -> Built:
    [found] = [each for each in BUILDERS.get(task).steps if each.name == step]
    return found.run(paths, **options)


def write(folder: Path, name: str, *rows: str) -> Path:
    path = folder / name
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def ratings(folder: Path, name: str, given: dict[str, list[object]]) -> Path:
    rows = [f"{id}\tr{n}\t{v}" for id, each in given.items() for n, v in enumerate(each)]
    return write(folder, name, "id\trater\trating", *rows)


def test_targets_are_nouns_and_pairs_with_at_most_five_contexts(tmp_path: Path) -> None:
    text = write(tmp_path, "news.txt", TEXT)
    made = build("complexity", "targets", text)
    for name, content in made.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    words = [item for _, item, _ in read_targets(tmp_path / "lcp_single_targets.tsv", "words")]
    multi = [item for _, item, _ in read_targets(tmp_path / "lcp_multi_targets.tsv", "multi")]
    counts = Counter(item.token.lower() for item in words)
    assert counts["committee"] == 5, "of six"
    assert {"heart attack", "attack patients", "strong wind", "old boat"} >= {
        item.token.lower() for item in multi
    }
    found = {(item.token.lower(), item.sentence.split()[1]) for item in multi}
    assert ("heart attack", "heart") in found and ("attack patients", "heart") in found
    assert sum(token == "heart attack" for token, _ in found) == 1, "not of 'heart attack patients'"
    assert all(item.token in item.sentence and item.corpus == "news" for item in words + multi)
    assert made.files == build("complexity", "targets", text).files, "the same seed, the same draw"
    assert build("complexity", "targets", text, words=2).figures["words"] == 2


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.integers(0, 70), st.floats(0, 1)),
        min_size=1,
        max_size=150,
    )
)
def test_a_token_is_in_one_part_and_twenty_groups_are_divided_1_2_17(
    rows: list[tuple[str, int, float]],
) -> None:
    items = {
        str(n): (Target(corpus, "", f"t{token}", "words"), value)
        for n, (corpus, token, value) in enumerate(rows)
    }
    parts = divide(items, {})
    own: dict[str, set[str]] = {}
    least: dict[tuple[str, str], float] = {}
    for id, (item, value) in items.items():
        own.setdefault(item.token, set()).add(parts[id])
        key = (item.corpus, item.token)
        least[key] = min(value, least.get(key, 2))
    assert all(len(each) == 1 for each in own.values())
    seen: set[str] = set()
    for corpus in dict.fromkeys(item.corpus for item, _ in items.values()):
        new = [token for genre, token in least if genre == corpus and token not in seen]
        new.sort(key=lambda token: (least[corpus, token], token))
        found = [next(iter(own[token])) for token in new]
        wanted = (["trial", "test", "test"] + ["train"] * 17) * 8
        assert found == wanted[: len(found)]
        seen |= set(new)


def test_a_token_of_two_genres_or_files_is_in_one_part(tmp_path: Path) -> None:
    """Sorted by complexity in each genre, ``wine`` comes first in one and fourth in the other."""
    header = "id\tcorpus\tsentence\ttoken\tcomplexity"

    def rows(genre: str, order: str) -> list[str]:
        words = enumerate(order.split())
        return [f"{genre}{n}\t{genre}\tThe {w} stood.\t{w}\t0.{n}" for n, w in words]

    bible, law = rows("bible", "wine ark lamb tithe"), rows("law", "act bill court Wine")
    both = write(tmp_path, "lcp_single.tsv", header, *bible, *law)
    apart = [
        write(tmp_path, f"lcp_single_{name}.tsv", header, *own)
        for name, own in (("bible", bible), ("law", law))
    ]
    for paths in ([both], apart):
        files = build("complexity", "split", *paths).files
        homes = {name.rpartition("_")[2] for name, text in files.items() if "wine" in text.lower()}
        assert homes == {"trial.tsv"}


def test_likert_ratings_become_complexities_and_files_that_load(tmp_path: Path) -> None:
    targets = write(
        tmp_path,
        "lcp_single_targets.tsv",
        "id\tcorpus\tsentence\ttoken",
        *(f"s{n}\tbible\tThe {w} stood.\t{w}" for n, w in enumerate(("ark", "lamb", "tithe"))),
    )
    table = ratings(
        tmp_path, "ratings.tsv", {"s0": [1, 2, 1, 2], "s1": [5, 5, 5, 5], "s2": [1, "N/A", 1, 1]}
    )
    made = build("complexity", "gold", targets, table)
    assert made.figures["left_out_for_too_few_ratings"] == 1
    gold = write(tmp_path, "lcp_single.tsv", made.files["lcp_single.tsv"].rstrip("\n"))
    assert [value for _, _, value in read_targets(gold, "words")] == [0.125, 1.0]
    split = build("complexity", "split", gold)
    assert split.figures["lcp_single_trial"] == {"bible": 1}
    assert split.figures["lcp_single_test"] == {"bible": 1}


def test_pairs_are_spread_evenly_over_string_similarity() -> None:
    word = "abcdefghij"
    pairs = [(word, word[:cut] + "-" * (10 - cut)) for cut in range(10)] * 3
    pairs += [(f"{word}{n}", f"----------{n}") for n in range(50)]
    chosen = evenly(pairs, 10, 0, 1, 5, 0)
    counts = Counter(min(int(value * 5), 4) for _, value in chosen)
    assert sum(counts.values()) == 10 and max(counts.values()) - min(counts.values()) <= 1
    assert string_similarity("Same", "same") == 1
    assert len(evenly(pairs, 500, 0.4, 0.9, 5, 0)) < 500, "as many as there are"


def test_headlines_come_from_the_same_and_from_other_clusters(tmp_path: Path) -> None:
    names = [f"c{c}\tstory {c} told by paper {p}" for c in range(4) for p in range(3)]
    table = write(tmp_path, "clusters.tsv", "cluster\theadline", *names)
    made = build("similarity", "headlines", table, count=10)
    same = made.files["STS.input.headlines-same.txt"].splitlines()
    other = made.files["STS.input.headlines-other.txt"].splitlines()
    assert len(same) == 10 and len(other) == 10
    for rows, equal in ((same, True), (other, False)):
        for row in rows:
            a, b = row.split("\t")
            assert (a.split()[1] == b.split()[1]) is equal and a != b
    few = build("similarity", "headlines", table, count=10, max_other=20)
    assert len(few.files["STS.input.headlines-other.txt"].splitlines()) == 10


def test_records_are_paired_at_distance_one_and_two(tmp_path: Path) -> None:
    one, two = distances({"a": ["b"], "b": ["c"], "c": [], "d": ["nowhere"]})
    assert one == {("a", "b"), ("b", "c")} and two == {("a", "c")}
    rows = [
        json.dumps({"id": id, "record": {"dcTitle": id}, "similar": similar})
        for id, similar in {"a": ["b"], "b": ["c"], "c": ["d"], "d": []}.items()
    ]
    made = build("similarity", "records", write(tmp_path, "r.jsonl", *rows))
    assert made.figures == {
        "train": {"distance_1": 2, "distance_2": 1},
        "test": {"distance_1": 1, "distance_2": 1},
    }
    pairs = write(tmp_path, "typed.jsonl", made.files["typed-train.jsonl"].rstrip("\n"))
    ids = [json.loads(line)["id"] for line in pairs.read_text().splitlines()]
    types = "general author people-involved time location event subject description".split()
    tables = [
        ratings(tmp_path, f"{name}.tsv", {id: [4, "N/A"] if name == "general" else ["N/A", "N/A"] for id in ids})
        for name in types
    ]  # fmt: skip
    gold = build("similarity", "typed-gold", pairs, *tables)
    first = json.loads(gold.files["typed.jsonl"].splitlines()[0])["ratings"]
    assert first["general"] == 4 and first["author"] == 0
    with pytest.raises(FormatError, match="no ratings for general"):
        build("similarity", "typed-gold", pairs, *tables[1:])


def test_sentence_pairs_get_official_gold(tmp_path: Path) -> None:
    pairs = write(tmp_path, "STS.input.mine.txt", "a\tb", "c\td", "e\tf")
    table = ratings(tmp_path, "r.tsv", {"1": [5, 4], "3": [0]})
    made = build("similarity", "gold", pairs, table)
    assert made.files == {"STS.gs.mine.txt": "4.5\n\n0.0\n"}
    with pytest.raises(FormatError, match="'9' is no line"):
        build("similarity", "gold", pairs, ratings(tmp_path, "r.tsv", {"9": [1]}))


REVISIONS = Path(__file__).parents[2] / "tasks" / "clarification" / "gaps" / "revisions.jsonl"


def mined_in(folder: Path) -> Path:
    revisions = (json.loads(line) for line in REVISIONS.read_text(encoding="utf-8").splitlines())
    pairs = [json.dumps({"old": each["old"], "new": each["new"]}) for each in revisions]
    out = folder / "mined.tsv"
    source = write(folder, "revisions.jsonl", *pairs)
    run = CliRunner().invoke(cli, ["clarify", "mine", str(source), "-o", str(out)])
    assert run.exit_code == 0, run.output
    return out


def test_mined_revisions_become_rows_of_five_fillers(tmp_path: Path) -> None:
    mined = mined_in(tmp_path)
    made = build("clarification", "fillers", mined)
    assert made.figures["rows"] > 20
    data = write(tmp_path, "data.tsv", made.files["data.tsv"].rstrip("\n"))
    items = read_items(data)
    for item in items.values():
        fillers = [item.filler, *item.others]
        assert len(set(fillers)) == 5 and all(fillers)
    assert items["1_1"].filler == "the pose", "the one that was inserted comes first"
    table = ratings(
        tmp_path, "ratings.tsv", {id: [5, 4] if id.endswith("_1") else [1, 2] for id in items}
    )
    gold = build("clarification", "gold", table)
    assert gold.figures["PLAUSIBLE"] == len(items) // 5
    assert gold.files["labels.tsv"].startswith("1_1\tPLAUSIBLE")


def test_a_language_model_adds_and_ranks_candidates(tmp_path: Path, monkeypatch) -> None:
    from marginalia.tasks.clarification.systems.language_model import (
        LanguageModel,
        Likelihood,
        Suggestions,
    )

    likely = {"the jam", "the egg", "the oil", "the tea"}
    monkeypatch.setattr(
        LanguageModel,
        "likelihoods",
        lambda self, item, fillers: [Likelihood(-float(f not in likely), 0.0, 1) for f in fillers],
    )
    monkeypatch.setattr(Suggestions, "likely", lambda self, item, n: ["tea", "quickly"])
    mined = mined_in(tmp_path)
    words = write(tmp_path, "words.txt", *sorted(likely - {"the tea"}), "77", "quickly")
    monkeypatch.setattr("marginalia.tasks.clarification.building.fillers.TOP", 4)
    made = build("clarification", "fillers", mined, words=str(words), model="any")
    row = made.files["data.tsv"].splitlines()[1].split("\t")
    assert set(row[-4:]) == likely


HEADER = "docId\tannotSet\tannotType\tstartOffset\tendOffset\tannotId\ttext\tother"
ONE = [
    HEADER,
    'd\t1\tQuantity\t10\t14\tT1-1\t5 kg\t{"unit": "kg"}',
    'd\t1\tMeasuredEntity\t4\t9\tT2-1\tstone\t{"HasQuantity": "T1-1"}',
]
OTHER = [
    HEADER,
    'd\t7\tQuantity\t10\t14\tT1-7\t5 kg\t{"unit": "kg"}',
    'd\t7\tMeasuredEntity\t0\t9\tT2-7\tThe stone\t{"HasQuantity": "T1-7"}',
]


def test_two_annotators_of_measurements_are_compared_and_adjudicated(tmp_path: Path) -> None:
    one, other = write(tmp_path, "one.tsv", *ONE), write(tmp_path, "other.tsv", *OTHER)
    compare = BUILDERS.get("measurement").compare_annotators
    assert compare is not None
    report = compare([one, other])
    assert report.scores["Quantity"]["f1_overlap"] == 1
    assert 0 < report.scores["MeasuredEntity"]["f1_overlap"] < 1
    made = build("measurement", "adjudicate", one, other)
    assert made.figures == {"paragraphs": 1, "agreed": 1, "disputed": 2}
    rows = made.files["disputed.tsv"].splitlines()
    assert [row.split("\t")[1] for row in rows[1:]] == ["1", "2"]
    decided = write(tmp_path, "disputed.tsv", rows[0], rows[1] + "0", rows[2] + "1")
    final = build("measurement", "adjudicate", one, other, decided)
    path = write(tmp_path, "d.tsv", final.files["d.tsv"].rstrip("\n"))
    spans = [span for _, span in read_spans(path)]
    assert [(s.type, s.start) for s in spans] == [("Quantity", 10), ("MeasuredEntity", 0)]
    assert spans[1].other == {"HasQuantity": "T1-1"} and spans[1].set == 1
    with pytest.raises(FormatError, match="1 or 0"):
        build("measurement", "adjudicate", one, other, write(tmp_path, "x.tsv", *rows))


def test_brat_annotators_have_a_kappa_over_tokens(tmp_path: Path) -> None:
    for name, entity in (
        ("ann", "T2\tMeasuredEntity 4 9\tstone"),
        ("bob", "T2\tMeasuredEntity 0 9\tThe stone"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "d.txt").write_text("The stone 5 kg weighs", encoding="utf-8")
        (folder / "d.ann").write_text(
            f"T1\tQuantity 10 14\t5 kg\n{entity}\nR1\tHasQuantity Arg1:T2 Arg2:T1\n",
            encoding="utf-8",
        )
    compare = BUILDERS.get("measurement").compare_annotators
    assert compare is not None
    report = compare([tmp_path / "ann", tmp_path / "bob"])
    assert report.scores["Quantity"]["kappa"] == 1
    assert 0 < report.scores["MeasuredEntity"]["kappa"] < 1


def test_survey_variables_are_adjudicated(tmp_path: Path) -> None:
    head = "sentence\tis_variable\tvariable\tdoc_id\tuuid\tlang"
    one = write(tmp_path, "a.tsv", head, "S one\t1\tv1\td\tu1\ten", "S two\t0\t\td\tu2\tde")
    two = write(tmp_path, "b.tsv", head, "S one\t1\tv2\td\tu1\ten", "S two\t0\t\td\tu2\tde")
    made = build("variables", "adjudicate", one, two)
    assert made.figures == {"sentences": 2, "agreed": 1, "disputed": 1}
    assert made.files["disputed.tsv"].splitlines()[1].split("\t")[:4] == ["u1", "S one", "v1", "v2"]
    decided = write(tmp_path, "d.tsv", "uuid\tis_variable\tvariable", "u1\t1\tv2")
    final = build("variables", "adjudicate", one, two, decisions=str(decided))
    rows = final.files["adjudicated.tsv"].splitlines()
    assert rows[1].split("\t")[1:3] == ["1", "v2"] and rows[2].split("\t")[1:3] == ["0", ""]


def test_the_command_writes_the_files_and_says_what_is_missing(tmp_path: Path) -> None:
    pairs = write(tmp_path, "STS.input.mine.txt", "a\tb", "c\td")
    table = ratings(tmp_path, "r.tsv", {"1": [5, 4], "2": [1, 1]})
    words = ["bench", "build", "similarity", "gold", str(pairs)]
    run = CliRunner().invoke(cli, [*words, "-o", str(tmp_path / "out")])
    assert run.exit_code == 2 and "2 files were expected: PAIRS RATINGS" in run.output
    run = CliRunner().invoke(cli, [*words, str(table), "-o", str(tmp_path / "out"), "--json"])
    assert json.loads(run.output)["figures"] == {"pairs": 2, "without_ratings": 0}
    assert (tmp_path / "out" / "STS.gs.mine.txt").read_text() == "4.5\n1.0\n"
    clean = [
        "bench",
        "build",
        "ratings",
        str(table),
        "--scale",
        "0",
        "5",
        "-o",
        str(tmp_path / "out"),
    ]
    run = CliRunner().invoke(cli, [*clean, "--json"])
    assert json.loads(run.output)["figures"]["raters"] == 2
    sheets = write(tmp_path, "items.tsv", "id", "1", "2")
    run = CliRunner().invoke(
        cli, ["bench", "build", "assign", str(sheets), "-o", str(tmp_path / "s")]
    )
    assert run.exit_code == 0 and len(list((tmp_path / "s").glob("sheet-*.tsv"))) == 5


def test_a_file_too_many_is_refused(tmp_path: Path) -> None:
    tables = [ratings(tmp_path, name, {"1_1": [3, 4]}) for name in ("a.tsv", "b.tsv")]
    with pytest.raises(FormatError, match=r"^1 file was expected: RATINGS; 2 were given"):
        build("clarification", "gold", *tables)
    with pytest.raises(
        FormatError, match=r"^2 to 3 files were expected: ONE OTHER \[DECISIONS\]; 4"
    ):
        build("measurement", "adjudicate", *tables, *tables)


def test_the_census_counts_gold_of_every_kind(tmp_path: Path) -> None:
    """Gold is not what a system predicts: it cannot be written as a prediction."""
    found = census(get_benchmark("variables"), variables.invented())[0]
    assert found == {
        "facet": "",
        "value": "all",
        "items": 9,
        "groups": 4,
        "is_variable 0": 4,
        "is_variable 1": 5,
    }
    pairs = {"a": Pair("x", "y", "2012-train/MSRvid"), "b": Pair("x", "z", "2012-train/MSRvid")}
    split = Split(name="train", items=pairs, gold={"a": 1.0, "b": 4.0}, group={"a": "a", "b": "b"})
    assert [row["mean_gold"] for row in census(get_benchmark("similarity"), split)] == [2.5] * 3
    labels = census(get_benchmark("clarification"), clarification.invented(tmp_path))[0]
    assert labels["PLAUSIBLE"] == 4
