"""An annotator whose notes cost nothing, and which some words bring down: what a corpus must survive."""

import os
import signal

from marginalia import Annotation, Annotator


def annotate(doc):
    if "CRASH" in doc.text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "HANG" in doc.text:
        while True:
            signal.pause()
    if "GREEDY" in doc.text:
        bytearray(2**50)
    if "BUG" in doc.text:
        raise ZeroDivisionError("a bug in an annotator")
    place = 0
    for number, word in enumerate(doc.text.split(), 1):
        place = doc.text.index(word, place)
        if word[0].isupper():
            yield Annotation(
                id=f"fragile-{number}",
                task="fragile",
                label="hard word",
                start=place,
                end=place + len(word),
                quote=word,
                score=0.5,
                links={"variable": ("V1",)} if word == "Trust" else {},
                attrs={"variables": [{"id": "V1", "label": "Trust in people", "score": 0.9}]},
                system="capitals",
            )
        place += len(word)


ANNOTATOR = Annotator(
    name="fragile",
    question="Which words have capitals?",
    annotate=annotate,
    whole=True,
    kinds={"hard word": "off"},
)
