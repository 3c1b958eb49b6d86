"""``marginalia library``: the web reader's documents and decisions, taken along, brought back, searched and shared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.options import as_json, library_option
from marginalia.cli.output import print_json, print_table

if TYPE_CHECKING:
    from marginalia.web.store.store import Store


@click.group("library")
def library_command() -> None:
    """List, search, export and check the reader's library.

    All but `import` and `recover` also work while `marginalia serve` runs.

    \b
    marginalia library list
    marginalia library search "trust sleep"
    marginalia library export library.zip
    marginalia library import library.zip
    marginalia library recover
    marginalia library token add anna --may read
    """


@contextmanager
def _opened(folder: str | None, *, alone: bool = False) -> Iterator[Store]:
    from marginalia.core.errors import missing_package

    try:
        from marginalia.web.store.store import Store, default_folder
    except ImportError as error:
        raise missing_package("The library", error.name, "web") from error
    store = Store(Path(folder) if folder else default_folder(), alone=alone)
    if store.notice:
        click.echo(store.notice, err=True)
    try:
        yield store
    finally:
        store.close()


@library_command.command("list")
@library_option
@as_json
def list_command(library: str | None, as_json: bool) -> None:
    """List the documents with what was found in them."""
    with _opened(library) as store:
        briefs = store.annotated.briefs()
        rows = [
            {
                "id": one.id,
                "title": briefs[one.id].title if one.id in briefs else one.name,
                "state": "removed" if one.removed else one.state,
                "words": briefs[one.id].words if one.id in briefs else None,
                "notes": sum(briefs[one.id].counts.values()) if one.id in briefs else None,
                "decisions": len(store.decisions.current(one.id)),
                "owner": one.owner,
                "tags": list(one.tags),
            }
            for one in store.documents.all()
        ]
    if as_json:
        print_json(rows)
        return
    heads = ("title", "state", "words", "notes", "decisions", "owner")
    print_table("Library", heads, ([row[name] for name in heads] for row in rows))


@library_command.command("search")
@click.argument("query")
@library_option
@as_json
def search_command(query: str, library: str | None, as_json: bool) -> None:
    """Find documents by words of their title, text or notes."""
    from dataclasses import asdict

    from marginalia.web.store.annotated_documents import MARK

    with _opened(library) as store:
        gone = {one.id for one in store.documents.all() if one.removed}
        hits = [one for one in store.annotated.search(query) if one.document not in gone]
    if as_json:
        print_json([asdict(one) for one in hits])
        return
    plain = str.maketrans("", "", "".join(MARK))
    rows = ((one.title, " ".join(one.text.translate(plain).split())) for one in hits)
    print_table(f"Documents with {query}", ("title", "text"), rows)


@library_command.command("export")
@click.argument("out", metavar="FILE")
@library_option
def export_command(out: str, library: str | None) -> None:
    """Write the whole library, without its tokens, to one file."""
    from marginalia.core.errors import FormatError
    from marginalia.core.files import write_half

    target = Path(out)
    if target.is_dir():
        raise FormatError("this is a folder, a file was expected", path=target)
    with _opened(library) as store:
        from marginalia.web.store.archive import export_library

        with write_half(target) as file:
            count = export_library(store, file)
    click.echo(f"{count} documents in {out}")


@library_command.command("import")
@click.argument("file", metavar="FILE")
@library_option
def import_command(file: str, library: str | None) -> None:
    """Add what an exported library has; what is here stays."""
    from marginalia.core.errors import FormatError
    from marginalia.core.files import require_file

    path = require_file(Path(file), max_bytes=2**40)
    with _opened(library, alone=True) as store:
        from marginalia.web.store.archive import import_library

        try:
            came, stayed = import_library(store, path)
        except FormatError as error:
            raise error.at(path) from None
    click.echo(f"{came} documents added, {stayed} were here already")


@library_command.command("recover")
@library_option
def recover_command(library: str | None) -> None:
    """Bring back files that a lost library.sqlite knew.

    When `marginalia serve` finds files that library.sqlite does not know, it moves them to the folder set-aside of the
    library. This adds them as new documents and catalogues. Decisions, tags and owners of documents were in
    library.sqlite: if there is an exported copy, import that first.
    """
    with _opened(library, alone=True) as store:
        from marginalia.web.library import this_person
        from marginalia.web.store.set_aside import FOLDER, recover

        came, stayed = recover(store, this_person().name)
        place = store.folder / FOLDER
    click.echo(f"{came} files brought back")
    if stayed:
        click.echo(f"{stayed} are here already or cannot be read: they stay in {place}")


@library_command.command("check")
@library_option
def check_command(library: str | None) -> None:
    """Look whether the library is sound."""
    from marginalia.core.errors import FormatError
    from marginalia.core.files import file_sha256

    with _opened(library) as store:
        faults = store.db.faults()
        records = store.documents.all()
        for one in records:
            if not one.path.is_file():
                faults.append(f"the file of {one.name!r} is missing")
            elif file_sha256(one.path) != one.sha256:
                faults.append(f"the file of {one.name!r} is not what was opened")
        place = store.folder
    if faults:
        raise FormatError("; ".join(faults[:5]), path=place)
    click.echo(f"{place}: {len(records)} documents, all well")


@library_command.group("token")
def token_command() -> None:
    """Named tokens for a small team: who may read, who may write."""


@token_command.command("add")
@click.argument("name")
@click.option(
    "--may",
    type=click.Choice(["read", "write"]),
    default="write",
    show_default=True,
    help="Only look, or also open documents and decide.",
)
@library_option
def add_token_command(name: str, may: str, library: str | None) -> None:
    """Make a token for NAME. It is shown once and kept as a hash only."""
    with _opened(library) as store:
        token = store.people.add_token(name, "read" if may == "read" else "write")
    click.echo(token)
    click.echo(
        f"the token of {name}, shown this once; they open the reader with ?token=…", err=True
    )


@token_command.command("list")
@library_option
@as_json
def list_tokens_command(library: str | None, as_json: bool) -> None:
    """List who has a token."""
    from dataclasses import asdict

    with _opened(library) as store:
        rows = [asdict(one) for one in store.people.tokens()]
    if as_json:
        print_json(rows)
        return
    heads = ("name", "may", "added", "revoked")
    print_table("Tokens", heads, ([row[name] or "" for name in heads] for row in rows))


@token_command.command("revoke")
@click.argument("name")
@library_option
def revoke_token_command(name: str, library: str | None) -> None:
    """Make the token of NAME worthless; what they decided stays."""
    with _opened(library) as store:
        store.people.revoke_token(name)
    click.echo(f"the token of {name} is revoked")
