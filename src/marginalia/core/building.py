"""How data of a task are made: steps take files and give files and figures; raters are asked questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from marginalia.core.rating import Question
    from marginalia.core.report import Report

from marginalia.core.errors import FormatError

OptionValue = str | int | float


@dataclass(frozen=True, slots=True)
class BuildOption:
    """An option of a step: the command line offers it as ``--name`` with the type of its default."""

    name: str
    default: OptionValue
    help: str


@dataclass(frozen=True, slots=True)
class Built:
    """What a step made: files by name, and figures that tell what happened."""

    files: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStep:
    """One step, as a paper describes it. ``make(paths, **options)`` reads the files and returns what it made."""

    name: str
    summary: str
    """One line; the section of the paper it follows is in the docstring of what it calls."""
    make: Callable[..., Built]
    inputs: Sequence[str]
    """What each file is; the last may come several times if it ends in ``...``."""
    options: tuple[BuildOption, ...] = ()

    def check(self, paths: Sequence[str | Path]) -> None:
        """Raise ``FormatError`` for too few files or too many."""
        least = sum(not word.startswith("[") for word in self.inputs)
        most = None if any("..." in word for word in self.inputs) else len(self.inputs)
        if least <= len(paths) and (most is None or len(paths) <= most):
            return
        count = f"{least} to {most}" if most and most > least else str(least)
        wanted = "1 file was expected" if count == "1" else f"{count} files were expected"
        given = f"{len(paths)} {'was' if len(paths) == 1 else 'were'} given"
        raise FormatError(f"{wanted}: {' '.join(self.inputs)}; {given}")

    def run(self, paths: Sequence[str | Path], **options: OptionValue) -> Built:
        """Run the step; options that are not given have their defaults."""
        self.check(paths)
        defaults = {option.name: option.default for option in self.options}
        return self.make([Path(path) for path in paths], **{**defaults, **options})


SEED = BuildOption("seed", 0, "Seed of what is drawn at random.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """How data of one task are made, as its paper says: ``marginalia bench build`` and ``bench annotate``."""

    name: str
    steps: tuple[BuildStep, ...] = ()
    questions: Callable[[Path], Iterable[Question]] | None = None
    """``questions(items)`` -> what raters are asked about the items of a file or folder, for ``marginalia bench annotate``"""
    export_answers: Callable[[Path, Mapping[str, Mapping[str, Any]]], Built] | None = None
    """``export_answers(items, {rater: {question: answer}})`` -> official files; without it, answers are a table of ratings"""
    compare_annotators: Callable[[Sequence[Path]], Report] | None = None
    """``compare_annotators(files)`` -> how far the files of several annotators agree, in the official format"""
    merge_annotators: Callable[[Sequence[Path]], str] | None = None
    """``merge_annotators(files)`` -> the text of one such file, made of theirs"""
