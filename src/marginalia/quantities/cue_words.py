"""Cue words and signs around a number, English and German: for bounds, ranges, lists and approximation."""

from __future__ import annotations

from functools import cache

SIGNS = {
    "<": "less", "≪": "less", "≤": "most", "⩽": "most", "≦": "most", "<=": "most", "=<": "most",
    ">": "more", "≫": "more", "≥": "least", "⩾": "least", "≧": "least", ">=": "least",
    "≲": "about most", "⪅": "about most", "≳": "about least", "⪆": "about least",
    "~": "about", "∼": "about", "≈": "about", "≃": "about", "≅": "about", "～": "about", "˜": "about",
    "±": "tolerance", "∓": "tolerance", "+/-": "tolerance",
    ",": "and", ";": "and", "&": "and", "×": "and", "✕": "and", "*": "and", "…": "to", "→": "to",
    ":": "ratio", "∶": "ratio", "/": "ratio",
}  # fmt: skip
"""Sign -> its roles. ``20 × 30 mm`` are two lengths, so that ``×`` makes a list."""

_WORDS = {
    "en": {
        "about": "about; around; approximately; approx; approx.; ca; ca.; c.; circa; roughly; nearly; almost; "
        "close to; near; of the order of; in the order of; on the order of; order of; some; virtually; "
        "just over; just under; an estimated; estimated; an average of",
        "less": "less than; fewer than; lower than; smaller than; shorter than; younger than; below; under; "
        "beneath; well below; better than",
        "most": "up to; upto; at most; less than or equal to; lower than or equal to; no more than; not more than; no greater than; not greater than; "
        "no higher than; not exceeding; not exceed; maximum; maximum of; max; max.; a maximum of; within; "
        "as much as; as high as; as many as; as long as; at the most",
        "more": "more than; greater than; higher than; larger than; longer than; older than; bigger than; "
        "above; over; exceeding; exceeds; exceed; exceeded; in excess of; beyond; upwards of; well above",
        "least": "at least; greater than or equal to; higher than or equal to; no less than; not less than; no fewer than; minimum; minimum of; min.; "
        "a minimum of; as low as; as little as; as few as; down to; starting at",
        "or less": "or less; or fewer; or below; or under; or lower; or smaller; or younger; or shorter; "
        "and below; and under; at most; maximum; max; max.",
        "or more": "or more; or above; or over; or greater; or higher; or larger; or older; or longer; "
        "and above; and over; and older; and more; at least; minimum; upwards",
        "between": "between; in between",
        "from": "from; ranging from; ranges from; range from; ranged from",
        "to": "to; up to; through; until; till; down to; and up to",
        "and": "and; or; and/or; as well as; versus; vs; vs.; by; respectively; plus; over; against",
        "since": "since; as of; from",
        "after": "after; later than",
        "until": "until; till; by; up to",
        "before": "before; prior to; earlier than",
    },
    "de": {
        "about": "etwa; rund; ungefähr; ca; ca.; circa; zirka; annähernd; knapp; gut; fast; nahezu; beinahe; "
        "um die; an die; um; schätzungsweise; in etwa; so um die; in der größenordnung von; durchschnittlich",
        "less": "weniger als; kleiner als; geringer als; niedriger als; kürzer als; jünger als; unter; "
        "unterhalb; unterhalb von",
        "most": "bis zu; bis; höchstens; maximal; nicht mehr als; innerhalb von; innerhalb; max; max.; "
        "allenfalls; binnen",
        "more": "mehr als; größer als; höher als; länger als; älter als; über; oberhalb; oberhalb von",
        "least": "mindestens; wenigstens; minimal; nicht weniger als; min.; zumindest; ab",
        "or less": "oder weniger; oder kleiner; oder jünger; und weniger; und darunter; oder darunter",
        "or more": "oder mehr; oder größer; oder älter; oder höher; und mehr; und darüber; oder darüber",
        "between": "zwischen",
        "from": "von; vom",
        "to": "bis; bis zu; auf",
        "and": "und; oder; sowie; bzw; bzw.; beziehungsweise; mal; gegenüber; respektive",
        "since": "seit; ab",
        "after": "nach",
        "until": "bis",
        "before": "vor",
    },
}
MAX_CUE_WORDS = 5
"""Words of the longest phrase."""


@cache
def cues(language: str) -> dict[str, frozenset[str]]:
    """Phrase -> its roles: which one it plays depends on where it stands."""
    found: dict[str, set[str]] = {}
    for role, listed in _WORDS[language].items():
        for phrase in listed.split("; "):
            found.setdefault(phrase, set()).add(role)
    return {phrase: frozenset(roles) for phrase, roles in found.items()}
