"""Makes ``article.pdf``: two pages of an invented study, set as journals set theirs.

    pip install reportlab pyphen
    python examples/make_article.py

The study and its authors do not exist; the variables are those of ``survey.ddi.xml``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    FrameBreak,
    NextPageTemplate,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

PLACE = Path(__file__).with_name("article.pdf")
TITLE = "Long hours, short nights and the trust in other people: a panel study of work and health"
RUNNING = "Ostrander and Lindqvist-Amaro"
JOURNAL = "Journal of Invented Studies 12 (2023)"

WIDTH, HEIGHT = A4
MARGIN, GUTTER, TOP, BOTTOM = 54, 18, 62, 58
COLUMN = (WIDTH - 2 * MARGIN - GUTTER) / 2
HEAD = 168
"""Height of title and abstract, which stand across both columns."""
LAST = 428
"""Height of the columns on the last page, so that they are equally long."""

BODY = ParagraphStyle(
    "body",
    fontName="Times-Roman",
    fontSize=9.5,
    leading=11.4,
    alignment=TA_JUSTIFY,
    firstLineIndent=10,
    hyphenationLang="en_GB",
    embeddedHyphenation=1,
    uriWasteReduce=0,
)
FIRST = ParagraphStyle("first", BODY, firstLineIndent=0)
SECTION = ParagraphStyle(
    "section", fontName="Helvetica-Bold", fontSize=11, leading=13, spaceBefore=9, spaceAfter=3
)
SUBSECTION = ParagraphStyle("subsection", SECTION, fontSize=9.5, leading=12, spaceBefore=6)
HEADLINE = ParagraphStyle(
    "headline", fontName="Helvetica-Bold", fontSize=17, leading=20, alignment=TA_CENTER
)
AUTHORS = ParagraphStyle("authors", BODY, alignment=TA_CENTER, firstLineIndent=0, spaceBefore=8)
ABSTRACT = ParagraphStyle(
    "abstract", FIRST, fontSize=9, leading=10.8, leftIndent=30, rightIndent=30
)
CAPTION = ParagraphStyle(
    "caption", FIRST, fontName="Times-Italic", fontSize=8.5, leading=10, spaceBefore=6, spaceAfter=3
)
EQUATION = ParagraphStyle(
    "equation", FIRST, fontName="Times-Italic", alignment=TA_CENTER, spaceBefore=5, spaceAfter=5
)
REFERENCE = ParagraphStyle(
    "reference", FIRST, fontSize=8.5, leading=10, leftIndent=10, firstLineIndent=-10, spaceAfter=2
)

ABSTRACT_TEXT = """People who distrust others also report worse health, but which of the two comes first is seldom
known. We followed 2,418 adults of the River Valley Panel over three waves and asked them about their hours of
work, their sleep and whether most people can be trusted. In a subsample of 312 respondents we measured resting
blood pressure and the concentration of cortisol in saliva. Respondents who worked more than 48 hours a week
slept 41 min less per night and reported poorer health two years later. Trust did not shorten the working week,
yet it attenuated its consequences: among trusting respondents the association between long hours and poor
self-rated health was only half as strong."""

SECTIONS: list[tuple[str, list[str]]] = [
    (
        "1. Introduction",
        [
            """Long working hours are deleterious to health. They curtail sleep, crowd out exercise and leave
            little time for the small courtesies by which people come to know each other. That trust in other
            people accompanies good health is one of the most ubiquitous findings of social epidemiology, but its
            interpretation is contentious. Trust may be salutary in itself; it may be a mere epiphenomenon of
            affluence; or healthy people may simply be more gregarious.""",
            """Cross-sectional surveys cannot adjudicate between these readings. Panel data can, provided that
            trust and health are measured repeatedly and that working hours vary within persons. The present study
            takes advantage of a survey in which both conditions hold, and adds physiological measurements that do
            not depend on what respondents choose to disclose.""",
        ],
    ),
    ("2. Data and methods", []),
    (
        "2.1 Survey",
        [
            """The River Valley Panel is a survey of adults aged 18 to 79 who live in private households. The first
            wave was fielded between March and June 2018; of 4,030 persons drawn from the registers, 2,418 took part
            (60.0%), and 1,967 of them were interviewed again in 2020 and in 2022. Respondents were asked whether,
            generally speaking, most people can be trusted or one cannot be too careful in dealing with people,
            and how they would describe their health in general, from very good to very bad. They also stated how
            many hours they actually work in a normal week, including overtime, and how many hours they sleep on a
            normal working day.""",
            """As covariates we use sex, year of birth, the highest level of education, the net monthly income of
            the household and the number of persons who live in it. Respondents further reported how often they do
            sports in their leisure time, whether they smoke, how often they saw a doctor in the last three months
            and how worried they are about losing their job.""",
        ],
    ),
    (
        "2.2 Physiological measurements",
        [
            """In the second wave 312 respondents were visited by a nurse. Systolic blood pressure was taken three
            times at intervals of 2 min after 10 min of rest, with a cuff of 13 cm width, and the last two readings
            were averaged. Saliva was collected 30 min after awakening, kept at 4 °C and frozen at −20 °C within
            8 h. Cortisol was determined by immunoassay; the limit of detection was 0.8 nmol/L and the coefficient of
            variation between assays remained below 6%. Body mass was measured to the nearest 0.1 kg, in light
            clothing and without shoes.""",
        ],
    ),
    (
        "2.3 Model",
        [
            """Self-rated health of person <i>i</i> in wave <i>t</i> was regressed on hours and trust in the
            previous wave, with an intercept for each person that absorbs whatever does not change:""",
            "=y<sub>it</sub> = α<sub>i</sub> + βh<sub>i,t−1</sub> + γτ<sub>i,t−1</sub> + δh<sub>i,t−1</sub>τ<sub>i,t−1</sub> + ε<sub>it</sub>",
            """Standard errors are clustered by household. Missing answers on income (11.3%) were imputed 20 times
            from the other covariates; listwise deletion yields virtually the same coefficients.""",
        ],
    ),
    ("3. Results", []),
    (
        "3.1 Hours, sleep and health",
        [
            """On average, employed respondents worked 38.6 h per week and slept 7.1 h per night. Table 1 shows that
            sleep decreases monotonically with hours of work, by 41 min between the lowest and the highest
            category. Those in the highest category also had a systolic pressure that was 5.2 mmHg higher than that
            of respondents with regular hours (95% interval 2.1 to 8.3 mmHg), and their cortisol after awakening
            exceeded 14.9 nmol/L, whereas it was 11.7 nmol/L in the reference category.""",
            "#table",
            """Within persons, ten additional hours per week were followed by a decline in self-rated health of
            0.17 points on the five-point scale (standard error 0.04). The decline was most pronounced among
            respondents who felt down or depressed in the first wave, and imperceptible among those who work from
            home on most days.""",
        ],
    ),
    (
        "3.2 Trust in other people",
        [
            """That most people can be trusted was the answer of 46.2% of the respondents, and it was remarkably
            stable: 71% of the variance lay between persons. It was more frequent among respondents who had done
            voluntary work in the last twelve months, who were satisfied with their life as a whole, or who lived
            within 400 m of a park. Working hours did not predict later trust. The interaction of hours and trust,
            however, was positive and substantial: among those who trust most people, the decline in health that
            follows ten additional hours shrank from 0.21 to 0.10 points. This buffering is not explained by more
            frequent exercise.""",
        ],
    ),
    (
        "3.3 Robustness",
        [
            """The results withstand several alternatives. If sleep is entered into the model, the coefficient of
            hours falls by a third, which suggests that short nights are one pathway but not the only one. If
            respondents with a longstanding illness or disability are excluded, the buffering becomes somewhat
            stronger. Replacing hours of work by the time spent on commuting, which averaged 47 min per day and a
            distance of 18.4 km, gives a similar pattern, albeit with a wider interval.""",
            """Trust in institutions, which one might mistake for the same thing, does no such thing: neither trust
            in the national parliament nor trust in the courts or in scientists interacts with hours. The effect
            is peculiar to the trust in other people.""",
        ],
    ),
    (
        "4. Discussion",
        [
            """Trusting other people does not shorten the working day, but it seems to blunt its repercussions. We
            can only conjecture why. People who are trusted may be asked to look after children or to receive a
            parcel, which spares the overworked an errand; or trust may dampen the vigilance that keeps people
            awake. The higher concentration of cortisol among distrustful respondents is congruous with the latter
            conjecture, but 312 persons are too few to be confident.""",
            """Some limitations are inescapable. Respondents who worked the longest hours were also the most
            likely to drop out, so that our estimates are presumably conservative. Self-reports of sleep overstate
            its duration by about half an hour. And one valley, none of whose towns has more than 90,000
            inhabitants, does not epitomise a country. A replication with actigraphy in larger cities is under
            way.""",
            """Two findings deserve scrutiny. First, those who work from home appear to be impervious to long
            hours. They can usually decide when to work, and autonomy of this kind is known to mitigate strain; but
            they are few, and the most exhausted among them may have given up their job between two waves. Second,
            proximity to a park goes together with trust even when income is held constant. Parks of less than
            0.5 ha, where one is bound to meet the same people, mattered more than large ones.""",
            """For policy the implication is modest but tangible. Where the working week cannot be shortened,
            places in which people meet without an appointment may be worth their upkeep. They are not a panacea,
            and nothing in our data says that trust can be prescribed.""",
        ],
    ),
    (
        "5. Conclusion",
        [
            """Long hours precede poorer health, and trust in other people makes the descent less steep. Surveys
            that ask about trust in institutions only overlook the variety that seems to count.""",
        ],
    ),
    (
        "Data and acknowledgements",
        [
            """The variables of the River Valley Panel are described in the catalogue that accompanies this article.
            We thank the nurses, who drove 6,200 km in all weathers, and two anonymous readers for their
            perspicacious remarks.""",
        ],
    ),
    (
        "References",
        [
            "*Abernathy-Kowal, T. (2016). The kindness of strangers: a review of trust at short distance. "
            "<i>Invented Review of Sociology</i>, 4(2), 101–128.",
            "*Birkenfeld, A., and Osei-Marsh, D. (2018). Overtime and its discontents. <i>Imaginary Journal of "
            "Work</i>, 31, 55–79.",
            "*Lindqvist-Amaro, P. (2020). How long did you sleep? Diaries against questionnaires. <i>Notes on "
            "Survey Methods</i>, 9(1), 12–30.",
            "*Ostrander, M. (2021). Salivary cortisol in population surveys: a practical guide for 1,000 tubes. "
            "<i>Field Notes</i>, 2, 1–19.",
            "*Quillfeather, R., Tamm, J., and Ivarsdottir, E. (2015). Safe after dark? Fear, light and 250 m of "
            "pavement. <i>Urban Conjectures</i>, 17, 344–367.",
        ],
    ),
]

ROWS = [
    ["Hours per week", "n", "Sleep (h)", "SBP (mmHg)", "Trust (%)"],
    ["up to 20", "287", "7.4", "121.3", "47.1"],
    ["21 to 35", "506", "7.3", "122.0", "46.8"],
    ["36 to 40", "811", "7.1", "122.4", "46.0"],
    ["41 to 48", "389", "6.9", "124.8", "45.5"],
    ["more than 48", "163", "6.7", "127.6", "46.3"],
]


def flow() -> list[Flowable]:
    """Everything from the title to the last reference."""
    story: list[Flowable] = [
        NextPageTemplate("later"),
        Paragraph(TITLE, HEADLINE),
        Paragraph(
            "Maud Ostrander<super>1</super> and Per Lindqvist-Amaro<super>2</super>", AUTHORS
        ),
        Paragraph(
            "<i><super>1</super> Institute of Imaginary Sociology, Lowmoor "
            "<super>2</super> University of Ravensholm</i>",
            ParagraphStyle("places", AUTHORS, fontSize=8.5, spaceBefore=2),
        ),
        Spacer(0, 10),
        Paragraph(f"<b>Abstract.</b> {ABSTRACT_TEXT}", ABSTRACT),
        FrameBreak(),
    ]
    for title, texts in SECTIONS:
        numbers = title.split()[0].rstrip(".").count(".")
        story.append(Paragraph(title, SUBSECTION if numbers else SECTION))
        for number, text in enumerate(texts):
            story += piece(text, FIRST if not number else BODY)
    return story


def piece(text: str, style: ParagraphStyle) -> list[Flowable]:
    if text == "#table":
        caption = "Table 1. Sleep, systolic blood pressure (SBP) and trust in other people by hours of work."
        return [Paragraph(caption, CAPTION), table(), Spacer(0, 7)]
    if text.startswith("="):
        return [Paragraph(text[1:] + "&nbsp;" * 12 + "(1)", EQUATION)]
    if text.startswith("*"):
        return [Paragraph(text[1:], REFERENCE)]
    return [Paragraph(text, style)]


def table() -> Table:
    grid = Table(ROWS, colWidths=[70, 28, 44, 58, 42], rowHeights=11.5)
    rule = (0.6, (0, 0, 0))
    grid.setStyle(
        [
            ("FONT", (0, 0), (-1, -1), "Times-Roman", 8.5),
            ("FONT", (0, 0), (-1, 0), "Times-Bold", 8.5),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEABOVE", (0, 0), (-1, 0), *rule),
            ("LINEBELOW", (0, 0), (-1, 0), *rule),
            ("LINEBELOW", (0, -1), (-1, -1), *rule),
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
        ]
    )
    return grid


def furniture(canvas: Any, doc: Any) -> None:
    """Running head and page number."""
    number = 41 + doc.page - 1
    canvas.saveState()
    canvas.setFont("Times-Italic", 8.5)
    canvas.drawString(MARGIN, HEIGHT - 42, JOURNAL)
    canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 42, RUNNING)
    canvas.setFont("Times-Roman", 8.5)
    canvas.drawCentredString(WIDTH / 2, 34, str(number))
    canvas.setLineWidth(0.3)
    canvas.line(MARGIN, HEIGHT - 47, WIDTH - MARGIN, HEIGHT - 47)
    canvas.restoreState()


def frame(x: float, height: float, width: float = COLUMN, y: float = BOTTOM) -> Frame:
    return Frame(x, y, width, height, 0, 0, 0, 0)


def main() -> None:
    doc = BaseDocTemplate(
        str(PLACE), pagesize=A4, title=TITLE, author="An invented study", invariant=1
    )
    full, second = HEIGHT - TOP - BOTTOM, MARGIN + COLUMN + GUTTER
    below = full - HEAD
    half = (LAST, COLUMN, HEIGHT - TOP - LAST)
    across = frame(MARGIN, HEAD, WIDTH - 2 * MARGIN, HEIGHT - TOP - HEAD)
    doc.addPageTemplates(
        [
            PageTemplate("first", [across, frame(MARGIN, below), frame(second, below)], furniture),
            PageTemplate("later", [frame(MARGIN, *half), frame(second, *half)], furniture),
        ]
    )
    doc.build(flow())
    sys.stdout.write(f"written: {PLACE}\n")


if __name__ == "__main__":
    main()
