"""A pretrained encoder of one's own as systems read with it, for those that learn on top of a frozen one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marginalia.core.training_log import Course
from marginalia.nlp.encoder import PASS_CACHE_BYTES, Encoder
from marginalia.nlp.training.export import pack_encoder
from marginalia.nlp.training.pretrained import load_encoder, load_tokenizer, set_up
from marginalia.nlp.weights import MANIFEST, write_weights


def frozen_encoder(course: Course, shipped: Callable[[], Encoder]) -> Encoder:
    """The base of a course as an encoder in int8, made once; without a base the one that ships."""
    if course.base is None:
        return shipped()
    folder = course.checkpoint / "encoder"
    if not (folder / MANIFEST).is_file():
        set_up(course)
        files, facts = pack_encoder(load_encoder(course), *load_tokenizer(course))
        # With these facts, the systems of the task read with it while their heads are trained.
        told = {"task": course.task.name, "systems": [course.system], "trained_on": ["-"]}
        write_weights(folder, files, **facts, **told)
    return Encoder(folder, recent=PASS_CACHE_BYTES)


def encoder_files(course: Course, encoder: Encoder) -> tuple[dict[str, bytes], dict[str, Any]]:
    """What such an encoder adds to the weights of a system: files and facts; nothing for the one that ships."""
    if course.base is None:
        return {}, {}
    facts = {name: encoder.manifest[name] for name in ("layers", "cut", "width", "max_tokens")}
    return {name: (encoder.folder / name).read_bytes() for name in encoder.manifest["files"]}, facts
