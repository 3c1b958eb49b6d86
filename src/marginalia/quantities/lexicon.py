"""Words and signs that quantities are made of, as pieces of regular expressions.

English and German words stand together, since no word of one means something else here in the other; only
numbers are written differently (``NUMERAL``). In the lists an underscore stands for a blank.
"""

from __future__ import annotations

import re
from functools import cache

from marginalia.quantities import currencies

BLANK = r"[ \u00a0\u2002-\u200a\u202f]"
"""A blank inside a quantity: thin and unbreakable ones too, but no tab, which parts the cells of a table."""
MINUS = r"[-\u2010-\u2013\u2212\u207b]"
DASH = r"[-\u2010-\u2015\u2212]"


def any_of(listed: str) -> str:
    """The words as alternatives, the longest first."""
    order = sorted(set(listed.split()), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("_", BLANK) for word in order)


# Numbers.
_THIN = r"[\u00a0\u2002-\u200a\u202f]"
# Blanks part thousands too; but "100 200" are two numbers of a table, "20 000" and "100 000" are one.
_GROUPED = (
    rf"\d{{1,3}}(?:{_THIN}\d{{3}})+(?!\d)|[1-9]\d?(?:[ ]\d{{3}})+(?!\d)|[1-9]\d\d(?:[ ]000)+(?!\d)"
)
_VULGAR = "[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]"
NUMERAL = {
    "en": rf"(?:(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|{_GROUPED}|\d+)(?:\.\d+(?:\(\d{{1,2}}\))?|{BLANK}?{_VULGAR})?|\.\d+|{_VULGAR})",
    "de": rf"(?:(?:\d{{1,3}}(?:\.\d{{3}})+(?!\d)|{_GROUPED}|\d+)(?:[,.]\d+(?:\(\d{{1,2}}\))?|{BLANK}?{_VULGAR})?|{_VULGAR})",
}
POWER = (
    rf"(?:{BLANK}?\(?[×x·⋅∙*]{BLANK}?10(?:\^?{MINUS}?{BLANK}?\d{{1,3}}|[⁻⁺]?[⁰¹²³⁴-⁹]+)?\)?"
    r"|[eE][-+−]?\d{1,3}(?!\w)|\^[-−]?\d{1,3}|[⁻⁺]?[⁰¹²³⁴-⁹]+)"
)
"""× 10 to a power; in a text that lost its superscripts the power is glued to the 10: ``3.7 × 106``."""
_ONES = any_of(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = any_of("twenty thirty forty fifty sixty seventy eighty ninety")
_GERMAN_PART = any_of(
    "null ein eins eine zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn zwanzig dreißig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend und"
)
_GERMAN_WORD = any_of(
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn "
    "neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert anderthalb"
)
GREAT = any_of(
    "dozen hundred thousand million billion trillion Dutzend hundert tausend Million Millionen "
    "Milliarde Milliarden Billionen Mio. Mrd. Mio Mrd Tsd. bn mn"
)
_SPOKEN = rf"(?:(?:{_TENS})(?:[-\u2010 ](?:{_ONES})(?!-))?|{_ONES}|hundred)"
_FRACTION = any_of("half third quarter fifth sixth eighth tenth")
_FRACTIONS = any_of("halves thirds quarters fifths sixths eighths tenths")
_HALF = rf"{BLANK}and{BLANK}(?:a{BLANK}half|one[- ]half|a{BLANK}quarter|three[- ]quarters)"
_HALVED = any_of(
    "second minute hour day week month year decade century mile metre meter kilometre kilometer inch foot yard pound ounce ton tonne "
    "gallon pint litre liter acre hectare cup teaspoon tablespoon"
)
_HALBIERT = any_of(
    "Sekunde Minute Stunde Tag Tage Tages Woche Monat Jahr Jahres Jahrhundert Meter Kilometer Zentimeter Meile Kilo Kilogramm Pfund Tonne "
    "Liter Tasse Teelöffel Esslöffel Hektar"
)
NUMBER_WORDS = (
    rf"(?:half{BLANK}(?:an?{BLANK})?(?:dozen|{GREAT})|half{BLANK}an?(?={BLANK}(?:{_HALVED})(?!\w))"
    rf"|(?:eine?[nmrs]?{BLANK})?(?:halbe[nmrs]?|(?<=ein{BLANK})(?:Viertel|Drittel|Achtel))(?={BLANK}(?:{_HALBIERT})(?!\w))|an?{BLANK}(?:baker['’]s{BLANK}|square{BLANK})?dozen"
    rf"|a{BLANK}gross(?={BLANK}(?:is|of{BLANK}[a-z]))"
    rf"|one{BLANK}in{BLANK}(?:every{BLANK})?(?:\d{{1,3}}(?:,000)*(?![\d.,]\d|\d)|{_ONES}|{_TENS})"
    rf"|(?:an?(?={BLANK}\w+{BLANK}(?:of|{GREAT})\b)|one)[-{BLANK[1:-1]}](?:{_FRACTION})(?!-)"
    rf"(?:{BLANK}(?:of{BLANK}an?{BLANK})?(?:{GREAT})|(?![^\W_]))|(?:two|three|four|five|six|seven|nine|eleven)[-{BLANK[1:-1]}](?:{_FRACTIONS})(?!-)"
    rf"(?:{BLANK}(?:of{BLANK}an?{BLANK})?(?:{GREAT})|(?![^\W_]))"
    rf"|{_SPOKEN}(?:{BLANK}(?:{GREAT})(?:,{BLANK}{_SPOKEN}(?={BLANK}(?:{GREAT}))|{BLANK}(?:(?:and|&){BLANK})?{_SPOKEN}(?![^\W_]))?)*"
    rf"(?:{_HALF}(?:{BLANK}(?:{GREAT}))?)?"
    rf"|(?:{_GERMAN_WORD}|ein)einhalb(?:{BLANK}(?:{GREAT}))?|(?:{_GERMAN_PART}){{2,9}}(?:{BLANK}(?:{GREAT}))?"
    rf"|(?:{_GERMAN_WORD})(?:{BLANK}(?:{GREAT}|Drittel|Viertel|Fünftel))?)"
)
"""Cardinals and fractions in words; ``number_words`` says what they are, or that they are none."""
VAGUE = (
    r"(?:(?:a_)?few|several|many|mehrere|einige)_"
    r"(?:tens|hundreds?|thousands?|millions?|[Hh]undert|[Tt]ausend|Millionen)(?:_of)?"
).replace("_", BLANK)

# Units.
_PREFIX = "[fpnuµμmcdhkMG]"
_PREFIXED = any_of(
    "m g s A K mol Hz N Pa J W V Ω Ohm T l L M eV bar Bar cal Da Gy Sv Bq Ci lm lx cd bp bps bit Bit Byte Wb U IU "
    "emu erg pc yr Oe rad deg t Torr Osm Jy kat VAr"
)
_PLAIN = any_of(
    "wt% wt.% wt_% wt._% vol% vol.% vol_% vol._% at% at.% at._% mol% mol.% mol_% mol._% mass% ppm ppb ppt "
    "ppmv ppbv ° °C °_C °F °_F °N °S °E °W º ºC oC oN oS ˚C ◦C ℃ degC arcsec arcmin mas Å Ǻ Å AU au ly "
    "Ma Ga ka Ka kyr Myr Gyr kyrs byr yr yrs y min mins h hr hrs d wk wks sec secs ha ft yd mi mph "
    "kph knots kn kt lb lbs oz gal psi atm torr mmHg mm_Hg rpm ×_g ×g xg x_g CFU cfu PFU dB dBm kcal hp "
    "Mt Gt Tg Pg TW TJ THz TeV TB kB KB MB GB DU RU kb kbp Mb Mbp nt aa px fps Mbps kbps Gbps mbsl masl mbgl "
    "Nm kNm dB(A) mbsf R⊕ M⊕ R☉ M☉ R⊙ M⊙ L⊙ kR H mH μH µH nH v/v w/w w/v UT UTC € $ £ ¥ USD EUR kWh MWh GWh "
    "TWh Wh Ah mAh VA Js sq_mi sq_ft sq_km sq_m sq._ft sq._mi cu_ft cu._ft Km Kg KG KM Gb Tb EB PB KiB MiB GiB TiB BTU Btu mcg cc fl_oz "
    "Vs pF nF μF µF mF pC nC μC µC mC mS μS µS nS mG kG Mhz Ghz Khz KHz khz J_s Pa_s mPa_s N_m kN_m V_s kW_h lb-ft ft-lb ft-lbs lb-in in-lb lbf_ft ft_lbf dpi cP cSt a.u. dex bpm Pixel Pixeln Std. Std Min. Sek. EL TL"
)
GERMAN_UNITS = frozenset(("Std.", "Std", "Min.", "Sek.", "EL", "TL"))
"""Short forms that are units in German only."""
_NAMED = any_of(
    "percent per_cent percentage_point percentage_points Prozent Prozentpunkte Prozentpunkten Promille "
    "degree degrees degrees_Celsius degrees_C degree_Celsius Grad Grad_Celsius kelvin Kelvin Celsius "
    "minute minutes hour hours day days week weeks fortnight fortnights month months year years "
    "decade decades century centuries millennia Sekunde Sekunden Minute Minuten Stunde Stunden Tag Tage "
    "Tagen Woche Wochen Monat Monate Monaten Jahr Jahre Jahren Jahrzehnte Jahrzehnten Jahrhunderte "
    "Jahrhunderten inch inches foot feet yard yards mile miles acre acres hectare hectares Hektar ounce "
    "ounces pound pounds ton tons tonne tonnes Tonne Tonnen gallon gallons bushel bushels Zoll Meile "
    "Meilen Pfund Zentner byte bytes bit bits pixel pixels amp amps ohm ohms tesla farad henry decibel "
    "decibels dalton daltons lux lumen calorie calories Ampere Ohm Joule Newton Pascal Hertz Mol Dezibel "
    "Kalorien Kilokalorien Kilowattstunden Megawattstunden Quadratmeter Quadratmetern Quadratkilometer "
    "Quadratkilometern Kubikmeter Kubikmetern Stundenkilometer Stundenkilometern times fold "
    "orders_of_magnitude order_of_magnitude Größenordnungen mal fach astronomical_units light_years "
    "light-years Lichtjahre Lichtjahren parsecs solar_masses solar_radii stellar_radii planetary_radii "
    "Earth_radii Earth_masses Jupiter_masses Jupiter_radii dollars euros Euro Cent cents Dollar US-Dollar "
    "base_pairs nucleotides amino_acids "
    "barrel barrels cup cups tablespoon tablespoons tbsp Tbsp tbs teaspoon teaspoons tsp pint pints quart quarts dram drams drachma drachmas "
    "stone furlong furlongs fathom fathoms carat carats micron microns turn turns revolutions metric_ton metric_tons "
    "metric_tonnes short_ton short_tons long_ton long_tons fluid_ounce fluid_ounces British_thermal_units Btus knot knots nautical_mile "
    "nautical_miles square_dozen miles_per_hour meters_per_second parts_per_million parts_per_billion arcminutes arcseconds "
    "minutes_of_arc seconds_of_arc radian radians barn barns horsepower "
    "Fass Fässer Karat Seemeilen Esslöffel Teelöffel Tasse Tassen Umdrehungen Turn PS Kilo Kilos kilo kilos Fuß Atmosphären Bogenminuten Bogensekunden"
)
_TEMPERATURE = (
    rf"(?:(?:deg(?:rees?)?\.?|Grad){BLANK})?(?:[Cc]elsius|[Cc]elcius|[Ff]ahrenheit|[Cc]entigrade|[Kk]elvin)"
    rf"|(?:deg(?:rees?)?\.?|Grad){BLANK}[CFKcf](?![^\W_])"
)
_BYTES = r"(?:[kK]ilo|[mM]ega|[gG]iga|[tT]era|[pP]eta|[eE]xa|[kK]ibi|[mM]ebi|[gG]ibi|[tT]ebi)(?:bytes?|Bytes?|bits?|Bits?)(?:[ ]per[ ]second)?"
_CUSTOMARY = any_of(
    "gallon pint quart pound ounce mile foot inch yard ton tonne barrel cup tablespoon teaspoon litre liter kilo hectare acre"
)
ARTICLE = rf"(?:(?:[Aa]n?{BLANK}(?=(?:{_CUSTOMARY})\b|(?:{_HALVED}){BLANK}and{BLANK}a{BLANK}(?:half|quarter)\b))|(?:[Ee]in(?:e[nmrs]?)?{BLANK}(?=(?:Pfund|Liter|Kilo|Kilogramm|Meter|Kilometer|Tonne|Zentner|Hektar)\b)))"
"""``a gallon`` and ``ein Pfund`` are one; ``a day`` and ``a year`` nearly never count anything."""
_METRIC = (
    r"(?:[kK]ilo|[cCzZ]enti|[mM]illi|[mM]i[ck]ro|[nN]ano|[pP]i[ck]o|[mM]ega|[gG]iga|[dD]e[cz]i|[hH]e[ck]to)?"
    r"(?:met(?:er|re)s?|grams?|grammes?|lit(?:er|re)s?|seconds?|volts?|watts?|amperes?|joules?|hertz|pascals?"
    r"|newtons?|bars?|moles?|molar|electron-?volts?|Meter[ns]?|metern?|Gramm|gramm|Liter[ns]?|litern?"
    r"|sekunden?|[Ww]att|[Vv]olt)"
)
SYMBOL = rf"(?:{_PLAIN}|{_PREFIX}?(?:{_PREFIXED}))"
_RADIUS = r"R(?:[A-Z][a-z]?|[a-z])"
"""Of a planet or star: ``8.7Rs``, ``3Rp``."""
_END = r"(?![^\W_])"
"""Neither letter nor digit follows, so the unit is whole."""
_LOWERED = rf"(?:\^?{MINUS}{BLANK}?[1-9](?!\d)|⁻[¹²³⁴-⁹]+)"
_RAISED = rf"(?:\^?{MINUS}{BLANK}?[1-9](?![\d.,]*\d)|\^\(?{MINUS}?\d\)?|[⁻⁺]?[¹²³⁴-⁹]+|[2346](?![\d.,]*\d))"
_INVERSE = rf"(?:⁻?[¹²³]|\^\(?{MINUS}?[1-3]\)?|[−-]1(?![\d.,]*\d|{BLANK}?(?:{_NAMED})))"
"""Behind a word, so that ``0.4 day⁻¹`` is per day."""
_POWERED = (
    rf"(?:(?:square|cubic|sq|cu)[-{BLANK[1:-1]}]|(?:Quadrat|Kubik|sq\.|cu\.)[-{BLANK[1:-1]}]?)(?:{_METRIC}|{_NAMED}|{SYMBOL}){_END}"
    rf"|(?:{_METRIC}|{_NAMED}|{SYMBOL}){BLANK}(?:squared|cubed){_END}"
)
_ONE = rf"(?:[%‰]|[fpn]b{_LOWERED}|inverse{BLANK}(?:[a-z]{{0,5}}barns?|(?:milli)?seconds?|(?:centi)?met(?:er|re)s?){_END}|×(?!\w|{BLANK}?(?:\d|g(?!\w)))|{_POWERED}|{currencies.AFTER}|(?:{_TEMPERATURE}|{_BYTES}|{_METRIC}|{_NAMED}){_INVERSE}?{_END}|(?:{SYMBOL}|{_RADIUS}){_RAISED}?{_END})"
# "mWm−2", "kgs-1": symbols in a row are one unit if a power ends them.
_GLUED = rf"(?:{_PREFIX}?(?:{_PREFIXED})){{2,3}}{_LOWERED}"
_SPACED = rf"(?:{BLANK}[−⁻-][1-4](?!\d|[.,]\d|{BLANK}?[°%]))"
"""An exponent that a PDF has moved away from its symbol; only inside a compound, where it cannot be a number."""
_SUBSTANCE = "CO2|N2O|CH4|NO3|NH4|P2O5|K2O|DW|DM|FW|Chl|N|P|C|K|S"
_FURTHER = (
    rf"/a(?![^\W_])|{BLANK}?[/∕⁄·⋅∙*]{BLANK}?(?:1[.·]73{BLANK}?m(?:2|²|\^2)|100{BLANK}?km|{_GLUED}|{_ONE}{_SPACED}?"
    rf"|\({_ONE}(?:{BLANK}?[·⋅∙*]?{BLANK}?{_ONE})*{BLANK}?\))"
    rf"|{BLANK}(?:(?:{_SUBSTANCE}){BLANK})?(?:{_NAMED}|{SYMBOL}){_LOWERED}"
    rf"|{BLANK}(?:{_SUBSTANCE})(?={BLANK}?[/∕])"
    rf"|(?<=[a-z](?:les|ers|res|eet|ons|ams|mes|tes)){BLANK}an?{BLANK}(?:second|minute|hour|day|week|month|year)(?![^\W_])"
    rf"|{BLANK}(?:per|pro|auf){BLANK}100{BLANK}?km(?![^\W_])|{BLANK}(?:per|pro){BLANK}(?:(?:square|cubic){BLANK})?[^\W\d_]+"
)
_RATE = (
    rf"per{BLANK}1(?:0{{1,2}})?[,{BLANK[1:-1]}]?000(?![\d,])(?:{BLANK}(?:people|persons?(?:-years)?|population|inhabitants|live{BLANK}births|women|men"
    rf"|children|patients|person-years|Einwohner))?|pro{BLANK}1(?:0{{1,2}})?[.{BLANK[1:-1]}]?000{BLANK}Einwohner"
)
"""What rates are per: 100,000 people."""
_PER_TIME = r"/(?:[mnµμ]?s|min|h|d|day|Min\.|[mµμ]?[lL]|kg)(?![^\W_])"
"""Directly behind a number: a pulse of ``110/min``."""
UNIT = (
    rf"(?:{_PER_TIME}|(?:{_GLUED}|{_ONE})(?:{_FURTHER})*(?:{BLANK}by{BLANK}(?:mass|volume|weight))?"
    rf"|(?:(?:new{BLANK})?(?:cases|deaths|births|events|infections|admissions|Fälle|Todesfälle){BLANK})?(?:{_RATE})|(?:[a-z]{{3,20}}{BLANK})?per{BLANK}[^\W\d_]+|[a-zA-Z]{{3,20}}/(?:{_ONE}))"
)
"""What can follow a number as its unit: ``km``, ``mg kg−1 day−1``, ``% per year``, ``cells/ml``."""


@cache
def unit_pattern() -> re.Pattern[str]:
    """``UNIT`` by itself, for all that look for units: it takes a quarter of a second to compile."""
    return re.compile(UNIT)


# What modifies a number.
APPROXIMATE = any_of(
    "approximately approx. approx about around roughly circa ca. ca nearly almost close_to "
    "in_the_order_of on_the_order_of etwa rund ungefähr zirka fast nahezu knapp beinahe annähernd schätzungsweise"
)
APPROXIMATE += r"|(?-i:(?<![°\w])c\.)"  # "c. 5 Ma", but not "21 °C. Two rooms"
BOUND = any_of(
    "less_than more_than greater_than higher_than lower_than fewer_than larger_than smaller_than "
    "longer_than shorter_than better_than up_to upto at_least at_most as_much_as as_many_as as_low_as "
    "as_high_as as_little_as above below under beyond exceeding before past last upper down_to "
    "no_more_than not_more_than no_less_than since until within over mindestens höchstens maximal minimal "
    "higher_than_or_equal_to greater_than_or_equal_to less_than_or_equal_to lower_than_or_equal_to "
    "größer_als kleiner_als höher_als niedriger_als länger_als kürzer_als bis_zu mehr_als weniger_als über unter innerhalb_von unterhalb_von oberhalb_von"
)
SPREAD = any_of(
    "between from range_from ranging_from ranges_from ranged_from range_of range_between range zwischen von"
)
"""What opens a range; alone it does not belong to the quantity."""
FURTHER = any_of("after every average pH nach durchschnittlich im_Mittel")
"""What else belongs to a quantity."""
OR_MORE = (
    rf"{BLANK}(?:or|and|oder|und){BLANK}(?:more|less|fewer|higher|lower|greater|above|below|older|younger"
    r"|longer|later|mehr|weniger|höher|älter|darüber|länger)\b"
)
_SIGN = rf"(?:[<>]{BLANK}?=|[~∼≈≃≅<>≤≥⩽⩾≲≳≪≫±+]|{MINUS})"
SIGNS = rf"(?:{_SIGN}{BLANK}?){{0,3}}"

# What stands before a number that counts or measures nothing.
LABELS = any_of(
    "Fig Figure figure Table table Tab Section section Sect Sec Chapter chapter Eq Equation equation Eqn "
    "Ref Reference Appendix Supplement Algorithm Theorem Lemma Definition Corollary Proposition Example "
    "Remark Step step Stage stage Phase phase Line line Column column Col Row row day Day month Month week "
    "Week year Year Type type Class class Category category Case case Sample sample Site site Group group "
    "Model model Version version Panel No no No. Nos. Number number Nr Vol Volume Issue p pp Page page Part "
    "part Scheme Plate Box Note Experiment experiment Trial trial Test test Cycle cycle Complex complex "
    "Compound compound Clone clone Strain strain fraction Fraction code codes Patient patient animal Animal "
    "Well well Core core Station station Run run Grade grade Method method Scenario scenario Zone zone Layer "
    "layer Unit unit Cluster cluster Listing Lane lane Participant participant Subject subject Question "
    "question Item item Wave wave Hypothesis hypothesis Study study Benchmark task Level Region Node node Film "
    "Movie Video Grant grant Award label "
    "Clause clause Clauses Article Art Paragraph paragraph paragraphs Rule rule Exhibit Exercise exercise Schedule Act Scene Episode episode "
    "Season Book Psalm Verse Chap Form Port port Bus bus Tram tram Route route Highway Interstate Flight flight Gate gate Platform Channel "
    "channel Suite Ste Apt Room room Additional_file Additional_files Supplementary_file Bug bug Ticket ticket PR Milestone RFC ISO DIN EN ASTM "
    "Error error Slide slide Tip Lesson Protocol Amendment Title Docket House Pier Track track Slot Highway Bank_Holiday Message-ID "
    "Abbildungen Tabellen Gleichungen Abschnitte Abschnitten Kapiteln Linie Buslinie Gleis Zimmer Raum Hausnummer Postleitzahl PLZ Artikel "
    "Absatz Abs Satz Ziffer Ziff Randnummer Rn Aufgabe Übung Beispiel Bild Fußnote Folie Formular Halle Tor Zeile Spalte "
    "Abb Abbildung Tabelle Kap Kapitel Abschnitt Gleichung Gl Seite Seiten S Bd Band Teil Schritt Stufe Fall "
    "Probe Gruppe Typ Klasse Anhang"
)
STOP = frozenset(
    "a an the of in on at by for from to with without and or but as is are was were be been being has have "
    "had do does did that which who whom whose this these those it its their our we they he she his her not "
    "no nor than then so such if when while whilst where whereas because since until during after before "
    "between among over under above below through into onto per via about against within across also only "
    "both each every all any some other another same more most less least very can could may might will would "
    "shall should must near either just recent ago beneath relative i.e e.g vs even still much well too up off "
    "down around along toward towards upon despite although though except including whether what how why once "
    "further later earlier yet already always often usually rather quite somewhat instead together overnight else "
    "there here however therefore thus hence respectively compared using used out "
    "der die das den dem des ein eine einen einem einer und oder aber ist sind war waren wurde wurden mit "
    "von zu zum zur im in am an auf für bei aus nach durch als wie dass".split()
)
"""Words that are neither the head of a noun phrase nor part of one."""
