"""The official sets of STS 2012 to 2016 and the splits they make up.

A set is written ``<year>/<name>``, its name being the one in the official file names.
"""

from __future__ import annotations

SETS = {
    "2012-train": ("MSRpar", "MSRvid", "SMTeuroparl"),
    "2012-test": ("MSRpar", "MSRvid", "SMTeuroparl", "surprise.OnWN", "surprise.SMTnews"),
    "2013-test": ("headlines", "OnWN", "FNWN", "SMT"),
    "2014-test": ("deft-forum", "deft-news", "headlines", "images", "tweet-news", "OnWN"),
    "2015-test": ("answers-forums", "answers-students", "belief", "headlines", "images"),
    "2016-test": (
        "answer-answer",
        "headlines",
        "plagiarism",
        "postediting",
        "question-question",
    ),
}
RESTRICTED = frozenset({"2013-test/SMT", "2014-test/OnWN"})
"""Sets that a year may lack: SMT is licensed by LDC, and 2014 OnWN shares 68 pairs with 2013 OnWN."""

YEARS = {year: tuple(f"{year}/{name}" for name in names) for year, names in SETS.items()}
SPLITS = {
    "train": (*YEARS["2012-train"], *YEARS["2012-test"]),
    "dev": tuple(name for name in YEARS["2014-test"] if name not in RESTRICTED),
    "test": tuple(name for name in YEARS["2013-test"] if name not in RESTRICTED),
    **YEARS,
    **{name.replace("/", "-"): (name,) for names in YEARS.values() for name in names},
}
"""Split name -> its sets. ``train``, ``dev`` and ``test`` hold the same sets on every machine."""

ABOUT = {
    "train": "all of STS 2012, train and test: the official training data of 2013",
    "dev": "STS 2014 without OnWN, which shares pairs with the test data",
    "test": "STS 2013 without SMT, which is licensed: headlines, OnWN, FNWN",
    **{year: f"STS {year[:4]} {year[5:]}: {', '.join(names)}" for year, names in SETS.items()},
    **{
        f"{year}-{name}": f"STS {year[:4]} {year[5:]}, {name} alone"
        for year, names in SETS.items()
        for name in names
    },
}


def short_names(sets: list[str]) -> dict[str, str]:
    """Set -> its official name alone, or with the year where two years have a set of that name."""
    names = [name.rpartition("/")[2] for name in sets]
    if len(set(names)) < len(names):
        return {name: name for name in sets}
    return dict(zip(sets, names, strict=True))
