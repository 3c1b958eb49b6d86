"""The subject area of an article by its journal, for those who score without the data folder.

An article's id is its publisher's item identifier, and that begins with the journal's ISSN. Which journal counts to which of
the ten areas is taken from the list of Harper et al. (2021), fileCategories.txt, which comes first where it is at hand.
"""

from __future__ import annotations

from collections.abc import Iterable

JOURNALS = {
    "Agriculture": "00314056 00380717 01678809 01689452 02546299 02612194 03781127 03784290 11610301",
    "Astronomy": "00191035 00320633",
    "Biology": "01681656 18735061 22111247 22136711",
    "Chemistry": "00162361 00219797 00224596 01694332 03010104 03088146 09277757 13861425 13877003 13882481",
    "Computer Science": "00220000 01641212 0167739X 01678191 09507051 09574174 10848045 13891286 15708705",
    "Earth Science": "0012821X 00253227 02773791 09218181 09670645 13679120 17505836",
    "Engineering": "01676105 03783839 09601481",
    "Materials Science": "00323861 00406090 0167577X 02578972 09270248 13596454 1359835X",
    "Mathematics": "00018708 00218693 0022247X 0022314X 00243795 01672789 03044068",
    "Medicine": "00063223 00223999 01655876 09254439 09608966 15504131 22117539 22131582",
}
"""ISSNs of the journals by subject area."""
ELSEWHERE = {"S0927024813002420": "Chemistry"}
"""An article whose area is not that of its journal."""
AREA_OF = {issn: area for area, issns in JOURNALS.items() for issn in issns.split()}


def subjects_by_journal(articles: Iterable[str]) -> dict[str, str]:
    """The subject areas of those articles whose journal is known."""
    areas = {id: ELSEWHERE.get(id) or AREA_OF.get(id[1:9]) for id in articles}
    return {id: area for id, area in areas.items() if area is not None}
