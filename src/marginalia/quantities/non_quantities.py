"""What has digits and measures nothing: addresses, references, versions, labels, list numbers, idioms.

Pieces of the one regular expression of ``candidates``, which reads them first, so that no quantity is read out of them.
"""

from __future__ import annotations

from marginalia.quantities.lexicon import BLANK, DASH, Lexicon, any_of

YEAR = r"(?:1[5-9]\d\d|20[0-4]\d)(?!\d)"
_MAIL = r"(?<![\w.%+-])[\w.%+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+"
_ADDRESS = rf"https?://\S+|www\.\S+|{_MAIL}"
_BRACKETED = (
    r"\[\d{1,3}[a-z]?(?:\s?[,;–-]\s?\d{1,3}[a-z]?){0,40}\]|\(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,40}\)"
    rf"|\({YEAR}[a-z]?\)"
)
_CITED = (
    rf"(?:et{BLANK}al\.?,?|\b[A-Z][^\W\d_]+,){BLANK}\(?{YEAR}[a-z]?"
    rf"(?:,{BLANK}?(?:{YEAR}[a-z]?|[a-z]\b)){{0,9}}"
)
_TELEPHONE = r"\+\d{1,3}(?:[ /.()-]{1,2}\d{2,}){2,6}|\(\d{3}\)[ ]?\d{3}-\d{4}|\(0\d{1,2}(?:[ ]\d\d){0,2}\)[ ]\d\d(?:[ -]\d\d){1,5}"
_CALLED = r"\b(?:[Tt]el|[Tt]elephone|[Pp]hone|[Ff]ax|Telefon)\b[.:]?\s?[\d ()/+.–-]{5,30}"
_TIME_OF_DAY = r"\b(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])"
_MADE = any_of(
    "Python Java PHP Perl Ruby Node Rust Windows iOS macOS Android Firefox Chrome Safari Debian Ubuntu Fedora Linux HTML CSS HTTP TLS SSL USB "
    "Bluetooth CUDA PyTorch TensorFlow Django Unicode GPL LGPL AGPL GCC Clang LaTeX LATEX TeX Excel SPSS Stata SAS MATLAB Matlab ImageJ "
    "Prism Release release Qt KDE GNOME GTK GTK+ Emacs Bash Vim OpenGL OpenSSL MySQL PostgreSQL SQLite KStars Gnuplot gnuplot v v. Apache_License CC_BY CC_BY-SA CC-BY CC-BY-SA XHTML ECMAScript OS/ PS/ Vista Office Photoshop"
)
_SOFTWARE = rf"(?<![\w-])(?:{_MADE}){BLANK}?\d+(?:\.(?:\d+|x))*(?:[-–]\d+(?:\.\d+)*)?\+?(?![\w%])"
"""A version: ``Python 3.6+``, ``OS/2``."""
_COPYRIGHT = r"(?:Copyright|COPYRIGHT)[ ](?:\(?[cC]\)?[ ]|©[ ]?)?\d{4}(?:(?:[–-]|,[ ]?)\d{4}){0,20}"
_RELEASE = (
    r"\b\d+(?:\.\d+)*\.[xX](?!\w)"  # 3.x
    r"|\b\d+\.\d+(?=[ ](?:releases?|series|branch)\b)|\b\d+\([a-z]\)(?:\(\d+\))?"  # the 0.17 releases, 501(c)(3)
    r"|\b\d+(?:\.\d+)?%?\)?\.(?:txt|pdf|csv|tsv|docx?|xlsx?|png|jpe?g|html?|zip|py)\b"  # 3.pdf
    r"|(?<=(?:in|of|om|ng|ce)[ ]the[ ])\d+\.\d+[ ]days(?=[.,;:!?)]|[ ](?:and|but|when)\b|\Z)"  # "in the 0.12 days"
)
_VERSION = {
    ".": r"\b\d+(?:\.\d+){2,}",
    ",": r"\b(?!\d{1,3}(?:\.\d{3})+(?![\d.]*\d))\d+(?:\.\d+){2,}",  # 299.792.458 is a number
}
_PAGES = r"\b\d+\(\d+\)[,:]\s?\d+(?:[–-]\d+)?"  # 12(3), 45–67
_INDEX = r"[A-Z]?\d+(?:\.\d+)*[a-zA-Z]?"
_NEXT_INDEX = r"[A-Z]?\d{1,2}(?:\.\d+)*[a-zA-Z]?"
NAME = (
    r"(?<![^\W_])[^\W\d_]+[-‐–_]?\d\w*(?:[-–/.+][^\W_]*\d\w*){0,9}|[^\W\d_]\^[({]?[-−–+]?\d+"  # CO2, NBS-18, Ktzi202/2007
    r"|\b\d+/\d+[A-Za-z]\w*(?:-\d+)*|[^\W\d_]\([\d., ;–-]+\)|\b0\d[\d–-]*"  # 22/10a-4, F(1, 3.95), 001
)
_STREETS = any_of(
    "Street St. St Avenue Ave. Ave Road Rd. Rd Boulevard Blvd. Blvd Drive Dr. Lane Ln. Way Court Ct. Plaza Square Highway Hwy. Parkway Pkwy. "
    "Terrace Place Pl. Crescent"
)
_HOUSE = (
    rf"\b\d{{1,5}}[A-Za-z]?{BLANK}(?:(?:\d{{1,3}}(?:st|nd|rd|th)|[A-Z][\w'’.]*){BLANK}){{1,3}}(?:{_STREETS})(?!\w)"
    rf"(?:,?{BLANK}(?:Suite|Ste|Apt|Room|Rm|Unit|Floor)\.?{BLANK}\d+)?"
)
_POSTAL = (
    r"\b[A-Z]{2}[ ]\d{5}(?:-\d{4})?\b"  # WA 98198
    r"|\b(?:[A-ZÄÖÜ][\wäöüß-]{1,30})?(?:[Ss]traße|[Ss]trasse|[Ss]tr\.|(?<=[a-zäöüß])(?:weg|platz|allee|gasse|damm|ufer))[ ]\d{1,4}[a-z]?(?!\w)"
    r"(?:,[ ](?:D-)?\d{5}(?!\d))?"
)
_LAW = rf"\b\d+{BLANK}(?:CFR|C\.F\.R\.|U\.?S\.?C\.?|Fed\.{BLANK}Reg\.|FR|Stat\.)(?:{BLANK}(?:§{{1,2}}{BLANK}?|[Pp]arts?{BLANK})?\d[\w.–-]*)?"
_PARAGRAPH = rf"§{{1,2}}{BLANK}?\d[\w.]*(?:{BLANK}(?:Abs|Satz|Nr|Art)\.?{BLANK}\d+)*"
_VOLUME = r"(?<=[a-z]\.[ ])\d{1,4}(?:\(\d{1,3}\))?[,:][ ]?\d{1,5}[-–]\d{1,5}(?=[.;)\s]|\Z)"
"""``J. Org. Chem. 58, 335-337``."""
_LISTED = rf"(?m:^)\d{{1,3}}[.)](?=\s+[^\W\d_])|(?<=[.;:,][ ])\d{{1,2}}\)(?={BLANK}[^\W\d_])"
_CONTENTS = r"(?:[ ]?\.){4,60}[ ]?\d{1,4}(?m:$)"
_MARKUP = r"[_^]\{[^}\n]{1,20}\}|\{\d{1,4}\}"
_TERM = r"(?<!\w)[^\W\d_]\+\d+(?!\w)"  # k+1
_SLASHED = r"\b\d{4}/\d\d/\d\d(?!\w)"
_COMMA = rf"(?<![\d.,])\d+,\d{{1,2}}{BLANK}?%"
"""``41,75%`` in English may be a decimal comma or a list: it is not read."""


def non_quantities(words: Lexicon) -> str:
    """Everything with digits, or words for numbers, that is never a quantity, but for labels and names.

    Sorted by how it begins, so that most are ruled out by one look at the next character.
    """
    openers = words.any_of("numbers", "footnote_openers")
    footnote = rf"(?m:^)\d{{1,3}}(?=[ ](?:{openers})\b[.,: ]+[^\W\d_])"
    sections = rf"\[\d{{1,3}},{BLANK}(?:{words.pattern('numbers', 'sections')})[^\]\n]{{1,40}}\]"
    digits = [
        r"10\.\d{4,}/\S+", _MAIL, _HOUSE, _LAW, _PAGES, _VOLUME, words.pattern("numbers", "times_of_day"), _TIME_OF_DAY,
        _VERSION[words.decimal], _LISTED, footnote, words.pattern("numbers", "numbered", borrowed=False), _SLASHED, _RELEASE,
        r"\b24[ ]?/[ ]?7\b",
    ]  # fmt: skip
    if words.decimal == ".":
        digits.append(_COMMA)
    signs = (_TELEPHONE, sections, _BRACKETED, _PARAGRAPH, _CONTENTS, _MARKUP)
    idioms = words.pattern("numbers", "idioms")
    spelled = (_COPYRIGHT, _ADDRESS, _CALLED, _POSTAL, _CITED, _SOFTWARE, _TERM, idioms)
    return (
        rf"(?=\d)(?:{'|'.join(digits)})|(?=[^\w\s])(?:{'|'.join(signs)})"
        rf"|(?=[^\W\d_])(?<![^\W_])(?:{'|'.join(spelled)})"
    )


def label(words: Lexicon) -> str:
    """A word with the number that it gives a thing: ``Table 3``, ``Abschnitte 4 bis 6``."""
    labels = words.any_of("numbers", "labels")
    joint = f"{words.any_of('numbers', 'to')}|{words.any_of('numbers', 'and_or')}"
    return (
        rf"\b(?:{labels})s?\.?{BLANK}?(?:(?P<index>{_INDEX})|\({_INDEX}\))"
        rf"(?:{DASH}{_INDEX}(?!\w)|(?:,?{BLANK}?(?:{DASH}|{joint}|&){BLANK}?|,{BLANK}?)\(?{_NEXT_INDEX}\)?(?!\w)){{0,9}}"
        r"(?!\w|[./]\d)"
    )
