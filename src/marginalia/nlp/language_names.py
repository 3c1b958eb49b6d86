"""What languages are called in English."""

from __future__ import annotations

_NAMES = dict(
    pair.split(":")
    for pair in (
        "af:Afrikaans ar:Arabic be:Belarusian bg:Bulgarian bn:Bengali br:Breton bs:Bosnian ca:Catalan cs:Czech cy:Welsh "
        "da:Danish de:German el:Greek en:English eo:Esperanto es:Spanish et:Estonian eu:Basque fa:Persian fi:Finnish "
        "fr:French ga:Irish gl:Galician he:Hebrew hi:Hindi hr:Croatian hu:Hungarian hy:Armenian id:Indonesian "
        "is:Icelandic it:Italian ja:Japanese ka:Georgian kk:Kazakh ko:Korean la:Latin lb:Luxembourgish lt:Lithuanian "
        "lv:Latvian mk:Macedonian mr:Marathi ms:Malay mt:Maltese nb:Norwegian ne:Nepali nl:Dutch nn:Norwegian "
        "no:Norwegian oc:Occitan pl:Polish pt:Portuguese ro:Romanian ru:Russian sk:Slovak sl:Slovene sq:Albanian "
        "sr:Serbian sv:Swedish sw:Swahili ta:Tamil te:Telugu th:Thai tl:Tagalog tr:Turkish uk:Ukrainian ur:Urdu "
        "uz:Uzbek vi:Vietnamese zh:Chinese"
    ).split()
)


def language_name(code: str) -> str:
    """``French`` for ``fr``; a code that is not listed is its own name."""
    return _NAMES.get(code, f"the language '{code}'")
