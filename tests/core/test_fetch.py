"""Fetching from a server on this machine that refuses, cuts off and lies."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marginalia import Benchmark, ContractError, FormatError, MissingError
from marginalia.core.fetch import Fetched, Step, check_address, fetch
from marginalia.core.sources import RECORD
from tests.core.loopback import (
    DERIVED,
    FILES,
    LABELS,
    Server,
    contents,
    derive,
    fill,
    invented,
    serve,
    sources,
)

LAYOUT = {path: content for path, (_, content) in FILES.items()}
UPSTREAM = {path: upstream for path, (upstream, _) in FILES.items()}


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def get(server: Server, folder: Path, task: Benchmark | None = None, **options: Any) -> Fetched:
    return fetch(task or invented(), folder, base=server.address, pause=0, **options)


def fetched_into(folder: Path) -> dict[str, bytes]:
    return {path: data for path, data in contents(folder).items() if path in LAYOUT}


def test_every_file_comes_and_derived_ones_are_computed(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    calls = []
    task = invented(derive=lambda folder: calls.append(folder) or derive(folder))
    fetched = get(server, folder, task)
    assert fetched_into(folder) == LAYOUT
    assert (folder / "garden/names.tsv").read_text(encoding="utf-8") == DERIVED["garden/names.tsv"]
    assert set(contents(folder)) == {*LAYOUT, *DERIVED, RECORD}, "and no part is left"
    assert fetched.files == tuple(FILES)
    assert fetched.bytes == sum(map(len, LAYOUT.values()))
    assert fetched.derived.written == ("garden/names.tsv",)
    assert fetched.to_import == ("garden/words.tsv",)
    assert calls == [folder]
    assert sorted(server.asked) == sorted(UPSTREAM.values())


def test_a_second_fetch_does_nothing(server: Server, tmp_path: Path) -> None:
    get(server, tmp_path)
    server.asked.clear()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    fetched = get(server, tmp_path)
    assert (fetched.files, fetched.bytes, fetched.derived.written) == ((), 0, ())
    assert server.asked == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_only_missing_and_wrong_files_are_downloaded(server: Server, tmp_path: Path) -> None:
    wrong = LAYOUT["garden/train.tsv"].replace(b"oak", b"fir")
    fill(tmp_path, {**LAYOUT, "garden/train.tsv": wrong})
    (tmp_path / "garden/test.tsv").unlink()
    assert get(server, tmp_path).files == ("garden/train.tsv", "garden/test.tsv")
    assert fetched_into(tmp_path) == LAYOUT


def test_a_part_that_was_left_is_no_beginning(server: Server, tmp_path: Path) -> None:
    fill(tmp_path, {LABELS + ".part": b"of another version"})
    get(server, tmp_path)
    assert fetched_into(tmp_path) == LAYOUT
    assert set(contents(tmp_path)) == {*LAYOUT, *DERIVED, RECORD}


def test_a_cut_connection_is_tried_again(server: Server, tmp_path: Path) -> None:
    server.troubles[UPSTREAM[LABELS]] = [70_000, 50_000]
    get(server, tmp_path)
    assert fetched_into(tmp_path) == LAYOUT


def test_a_connection_that_is_always_cut(server: Server, tmp_path: Path) -> None:
    server.troubles[UPSTREAM[LABELS]] = [10, 20]
    with pytest.raises(MissingError, match=r"the connection ended after 20 of 260,000 bytes"):
        get(server, tmp_path, tries=2)
    assert not (tmp_path / LABELS).exists()
    get(server, tmp_path)
    assert fetched_into(tmp_path) == LAYOUT


@pytest.mark.parametrize("trouble", [None, "no length"])
def test_wrong_content_never_takes_its_place(
    server: Server, tmp_path: Path, trouble: str | None
) -> None:
    server.files[UPSTREAM["garden/test.tsv"]] = b"id\tname\n3\tfir\n"
    server.files[UPSTREAM[LABELS]] = LAYOUT[LABELS] + b"more"
    server.troubles = {upstream: [trouble] for upstream in UPSTREAM.values()}
    with pytest.raises(MissingError) as caught:
        get(server, tmp_path)
    message = str(caught.value)
    assert message.startswith(
        f"2 of 4 files of garden could not be fetched from {server.address}: garden/test.tsv ("
    )
    assert "the SHA-256 is" in message
    assert f"{LABELS} (the {'file' if trouble else 'server'} has" in message
    assert "`fetch_data('garden')`" in message and "`import_data('garden', folder)`" in message
    others = {"garden/train.tsv", "garden/empty.txt"}
    assert set(contents(tmp_path)) == {*others, *DERIVED, RECORD}, "the others came, and no part"


def test_no_more_than_the_stated_size_is_read(server: Server, tmp_path: Path) -> None:
    server.files[UPSTREAM["garden/empty.txt"]] = b"x" * 10**6
    server.troubles[UPSTREAM["garden/empty.txt"]] = ["no length"]
    steps: list[Step] = []
    with pytest.raises(MissingError, match=r"garden/empty.txt \(the file has 1 bytes where 0"):
        get(server, tmp_path, progress=steps.append)
    assert max(step.bytes for step in steps) <= steps[-1].all_bytes


def test_a_file_that_is_gone_does_not_stop_the_others(server: Server, tmp_path: Path) -> None:
    del server.files[UPSTREAM["garden/train.tsv"]]
    with pytest.raises(MissingError, match=r"1 of 4 .* garden/train.tsv \(HTTP 404\)"):
        get(server, tmp_path)
    assert set(contents(tmp_path)) == {*LAYOUT} - {"garden/train.tsv"}, "nothing to derive from"
    assert len(server.asked) == len(FILES), "a file that is gone is asked for once"


def test_passing_troubles_are_tried_again(server: Server, tmp_path: Path) -> None:
    server.troubles[UPSTREAM[LABELS]] = [(503, {}), (429, {"Retry-After": "0"}), (500, {})]
    get(server, tmp_path)
    assert fetched_into(tmp_path) == LAYOUT


def test_after_some_tries_a_trouble_is_reported(server: Server, tmp_path: Path) -> None:
    server.troubles[UPSTREAM[LABELS]] = [(503, {})] * 9
    with pytest.raises(MissingError, match="HTTP 503"):
        get(server, tmp_path, tries=3)
    assert len(server.troubles[UPSTREAM[LABELS]]) == 6


def test_many_failures_are_counted_and_some_are_named(server: Server, tmp_path: Path) -> None:
    server.files.clear()
    files = {f"garden/{n}.txt": (f"{n}.txt", b"text") for n in range(9)}
    with pytest.raises(
        MissingError, match=r"9 of 9 files .* garden/0.txt .*; and 4 more\. `fetch_data"
    ):
        get(server, tmp_path, invented(sources=lambda: sources(files)))


def test_a_server_that_never_answers_is_not_asked_for_every_file(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        files = {f"garden/{n}.txt": (f"{n}.txt", b"text") for n in range(9)}
        task = invented(sources=lambda: sources(files))
        with pytest.raises(MissingError, match=r"9 of 9 .*refused.*not tried"):
            fetch(task, tmp_path, base=address, pause=0, workers=1)
    assert contents(tmp_path) == {}


def test_an_interrupt_leaves_verified_files(server: Server, tmp_path: Path) -> None:
    def interrupt(step: Step) -> None:
        if step.files == 2 and step.bytes > 60_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(server, tmp_path, progress=interrupt, workers=1)
    assert set(contents(tmp_path)) == {"garden/train.tsv", "garden/test.tsv"}
    server.asked.clear()
    get(server, tmp_path)
    assert fetched_into(tmp_path) == LAYOUT
    assert len(server.asked) == len(FILES) - 2


def test_progress_only_counts_up_to_the_whole(server: Server, tmp_path: Path) -> None:
    steps: list[Step] = []
    get(server, tmp_path, progress=steps.append)
    assert [step.files for step in steps] == sorted(step.files for step in steps)
    whole = sum(map(len, LAYOUT.values()))
    assert (steps[-1].files, steps[-1].bytes) == (4, whole)
    assert {(step.all_files, step.all_bytes) for step in steps} == {(4, whole)}


def test_a_path_out_of_the_folder_is_refused_before_any_request(
    server: Server, tmp_path: Path
) -> None:
    files = {**FILES, "../outside.txt": ("outside.txt", b"x")}
    with pytest.raises(ContractError, match="could leave its folder"):
        get(server, tmp_path / "data", invented(sources=lambda: sources(files)))
    assert server.asked == [] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org",
        "ftp://127.0.0.1/x",
        "file:///etc",
        "raw.githubusercontent.com",
        "http://127.0.0.1.example.org/",
        "https://",
        "https://[bad",
        "https://a b/",
        "",
    ],
)
def test_only_https_or_this_machine(tmp_path: Path, address: str) -> None:
    with pytest.raises(FormatError, match=r"by https only|not an address"):
        fetch(invented(), tmp_path, base=address)


@pytest.mark.parametrize("address", ["https://example.org/x", "http://localhost:1", "http://[::1]"])
def test_good_addresses(address: str) -> None:
    assert check_address(address) == address


def test_a_redirect_must_be_safe_too(server: Server, tmp_path: Path) -> None:
    first, second = UPSTREAM["garden/test.tsv"], UPSTREAM[LABELS]
    server.troubles[first] = [(302, {"Location": "http://example.invalid/x"})]
    server.files["elsewhere"] = LAYOUT[LABELS]
    server.troubles[second] = [(302, {"Location": f"{server.address}/elsewhere"})]
    server.files["/elsewhere"] = LAYOUT[LABELS]
    with pytest.raises(MissingError, match=r"1 of 4 .*garden/test.tsv \(data are fetched by https"):
        get(server, tmp_path)
    assert (tmp_path / LABELS).read_bytes() == LAYOUT[LABELS]


def test_this_machine_is_never_asked_through_a_proxy(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    get(server, tmp_path)
    assert fetched_into(tmp_path) == LAYOUT


def test_the_data_folder_must_not_be_a_file(server: Server, tmp_path: Path) -> None:
    fill(tmp_path, {"data": b""})
    with pytest.raises(FormatError, match="a folder was expected"):
        get(server, tmp_path / "data")


def test_a_folder_in_the_place_of_a_file_is_reported(server: Server, tmp_path: Path) -> None:
    (tmp_path / LABELS).mkdir(parents=True)
    with pytest.raises(MissingError, match=f"1 of 4 files .* {LABELS}"):
        get(server, tmp_path)


def test_a_derived_file_of_somebody_else_is_left_alone(server: Server, tmp_path: Path) -> None:
    fill(tmp_path, {"garden/names.tsv": b"mine"})
    assert get(server, tmp_path).derived.kept == ("garden/names.tsv",)
    assert (tmp_path / "garden/names.tsv").read_bytes() == b"mine"
    assert get(server, tmp_path, force=True).derived.written == ("garden/names.tsv",)
    assert (tmp_path / "garden/names.tsv").read_text(encoding="utf-8") == DERIVED[
        "garden/names.tsv"
    ]


def test_a_derived_file_of_ours_is_renewed(server: Server, tmp_path: Path) -> None:
    get(server, tmp_path, invented(derive=lambda folder: {"garden/names.tsv": "an older rule"}))
    assert get(server, tmp_path).derived.written == ("garden/names.tsv",)
    fill(tmp_path, {"garden/names.tsv": b"edited since"})
    assert get(server, tmp_path).derived.kept == ("garden/names.tsv",)


def test_a_derived_path_out_of_the_folder_is_refused(server: Server, tmp_path: Path) -> None:
    task = invented(derive=lambda folder: {"../names.tsv": "x"})
    with pytest.raises(ContractError, match="could leave its folder"):
        get(server, tmp_path / "data", task)
    assert not (tmp_path / "names.tsv").exists()


def test_a_broken_record_is_named(server: Server, tmp_path: Path) -> None:
    fill(tmp_path, {RECORD: b"[]"})
    with pytest.raises(FormatError, match=RECORD):
        get(server, tmp_path)


def test_a_task_without_derived_files(server: Server, tmp_path: Path) -> None:
    get(server, tmp_path, invented(derive=None))
    assert set(contents(tmp_path)) == set(LAYOUT)
