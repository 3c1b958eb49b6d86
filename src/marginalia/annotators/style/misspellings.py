"""Words that are wrong in every text: the usual slips, no dictionary."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from marginalia.annotators.style.consistency import Span
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Example, Issue, Rule
from marginalia.nlp.prose import paragraphs
from marginalia.nlp.tokens import like

_ENGLISH = """
accomodate:accommodate accomodation:accommodation accross:across acheive:achieve acknowlege:acknowledge adress:address
agressive:aggressive algoritm:algorithm allready:already alot:a&lot amout:amount apparant:apparent appropiate:appropriate
arbitary:arbitrary arguement:argument asynchonous:asynchronous avaiable:available availble:available availabe:available
basicly:basically becuase:because begining:beginning beleive:believe benefical:beneficial buisness:business calender:calendar
catagory:category charactor:character cheif:chief choosen:chosen collegue:colleague comming:coming commited:committed
commiting:committing compatability:compatibility compatable:compatible completly:completely concious:conscious
conditon:condition consistant:consistent contian:contain contributer:contributor convienient:convenient
correspondance:correspondence curently:currently decieve:deceive defualt:default definately:definitely definate:definite
dependancy:dependency dependancies:dependencies descripton:description desparate:desperate develope:develop
diffrent:different dissapear:disappear dissapoint:disappoint documention:documentation doesnt:doesn’t dont:don’t
embarass:embarrass enviroment:environment enviroments:environments equivelant:equivalent equiptment:equipment exagerate:exaggerate
excecute:execute excercise:exercise existance:existence existant:existent experiance:experience explaination:explanation
explicitely:explicitly familar:familiar finaly:finally foriegn:foreign fourty:forty freqently:frequently fucntion:function
funtion:function gaurantee:guarantee goverment:government grammer:grammar gaurd:guard happend:happened
heirarchy:hierarchy hieght:height identifer:identifier immediatly:immediately implementaion:implementation implemention:implementation
independant:independent indentical:identical infomation:information informations:information initalize:initialize intergrate:integrate
interupt:interrupt irrelevent:irrelevant knowlege:knowledge lenght:length lenghts:lengths liason:liaison
libary:library libraray:library liscense:license maintainance:maintenance maintenence:maintenance managment:management
manualy:manually millenium:millennium miniscule:minuscule mispell:misspell mispelled:misspelled neccessary:necessary necesary:necessary
neccesary:necessary nessecary:necessary noticable:noticeable occassion:occasion occassionally:occasionally occurance:occurrence
occured:occurred occuring:occurring occurence:occurrence occurences:occurrences ommit:omit oppurtunity:opportunity
orginal:original orignal:original overriden:overridden paramater:parameter paramaters:parameters parralel:parallel paralell:parallel
particulary:particularly peice:piece perfomance:performance performace:performance permanant:permanent persistant:persistent
posession:possession posible:possible possiblity:possibility prefered:preferred prefering:preferring preceeding:preceding
privelege:privilege priviledge:privilege probaly:probably proccess:process propogate:propagate publically:publicly
realy:really recieve:receive recieved:received recieves:receives recomend:recommend recomended:recommended reccomend:recommend
reccommend:recommend refered:referred refering:referring referrence:reference relevent:relevant religous:religious
repositiory:repository repetion:repetition responsability:responsibility responsable:responsible resposible:responsible retreive:retrieve
rythm:rhythm seperate:separate seperated:separated seperately:separately seperator:separator sevral:several similiar:similar
sieze:seize speach:speech specifed:specified specificaly:specifically strenght:strength succesful:successful succesfully:successfully
successfull:successful successfuly:successfully sucess:success sucessful:successful sufficent:sufficient suprise:surprise supress:suppress
syncronize:synchronize syncronous:synchronous teh:the tommorow:tomorrow tomorow:tomorrow threshhold:threshold throught:through
thier:their transfered:transferred transfering:transferring truely:truly tutorals:tutorials unecessary:unnecessary
unneccessary:unnecessary unfortunatly:unfortunately untill:until usefull:useful usally:usually vaccum:vacuum
verison:version visable:visible wether:whether wich:which whithin:within writen:written writting:writing
yeild:yield
"""
_ENGLISH_PHRASES = {
    r"\b(could|should|would|might|must) of\b(?! course)": r"\1 have",
    r"\b(it)’s own\b|\b(it)'s own\b": "its own",
    r"\bfor all intensive purposes\b": "for all intents and purposes",
    r"\bin regards to\b": "in regard to",
    r"\b(different|other|more|less|better|worse|larger|smaller|higher|lower|faster|slower) then (the|a|an|in|that|this|those|it|expected|before|one)\b": r"\1 than \2",
}
_GERMAN = """
Addresse:Adresse Addressen:Adressen agressiv:aggressiv Agression:Aggression Algorythmus:Algorithmus Aparat:Apparat
Authorisierung:Autorisierung authorisiert:autorisiert Billiard:Billard brilliant:brillant
daßselbe:dasselbe desweiteren:des&Weiteren Desweiteren:Des&Weiteren detailierte:detaillierte detailiert:detailliert detailierter:detaillierter
eigendlich:eigentlich entgültig:endgültig enstanden:entstanden ensteht:entsteht garnicht:gar&nicht garkein:gar&kein garkeine:gar&keine Gallerie:Galerie hälst:hältst Imbus:Inbus
infolgedesen:infolgedessen insbesonders:insbesondere Interresse:Interesse interressant:interessant Karusell:Karussell Kommision:Kommission
Kommittee:Komitee lizensiert:lizenziert Lizensierung:Lizenzierung Maschiene:Maschine
Mathematick:Mathematik morgends:morgens nähmlich:nämlich nocheinmal:noch&einmal orginal:original Orginal:Original parrallel:parallel
paralell:parallel Pakett:Paket projezieren:projizieren Reperatur:Reparatur Rethorik:Rhetorik
Rückrad:Rückgrat Rythmus:Rhythmus seperat:separat seperate:separate seperaten:separaten Standart:Standard
Standarts:Standards standartmäßig:standardmäßig Standartwert:Standardwert subsummieren:subsumieren symetrisch:symmetrisch
Sylvester:Silvester tolerriert:toleriert Terasse:Terrasse vorallem:vor&allem Vorraussetzung:Voraussetzung
Vorraussetzungen:Voraussetzungen vorraussichtlich:voraussichtlich vorraus:voraus wiederspiegeln:widerspiegeln wiederspiegelt:widerspiegelt
Wiederspruch:Widerspruch wiedersprechen:widersprechen Wiederstand:Widerstand zumindestens:zumindest zuguter:zu&guter Zuckunft:Zukunft
ziehmlich:ziemlich
"""
_GERMAN_PHRASES = {
    r"\bder einzigste\b": "der einzige",
    r"\bdie einzigste\b": "die einzige",
    r"\bdas einzigste\b": "das einzige",
    r"\bin keinster Weise\b": "in keiner Weise",
}


def _table(text: str) -> dict[str, str]:
    pairs = (pair.split(":") for pair in text.split())
    return {
        wrong: right.replace("&", " ") for wrong, right in pairs if wrong != right.replace("&", " ")
    }


_WORDS = {"en": _table(_ENGLISH), "de": _table(_GERMAN)}
_PHRASES = {
    "en": {re.compile(wrong, re.IGNORECASE): right for wrong, right in _ENGLISH_PHRASES.items()},
    "de": {re.compile(wrong): right for wrong, right in _GERMAN_PHRASES.items()},
}


def check(draft: Draft) -> Iterator[Issue]:
    table = _WORDS.get(draft.lang, {})
    found: dict[str, list[Span]] = defaultdict(list)
    for word in draft.words:
        key = word.text if draft.lang == "de" else word.text.lower()
        if (
            key in table
            and not word.text.isupper()
            and (draft.lang == "de" or word.opens or word.text.islower())
        ):
            found[key].append((word.start, word.end))
    for key, spans in found.items():
        right = table[key]
        edits = tuple(Edit(start, end, like(right, draft.text[start:end])) for start, end in spans)
        yield Issue(*spans[0], draft.say(f"write “{right}”", f"richtig „{right}“"), edits)
    if not any(_has_slip(draft.text[slice(*one)], draft.lang) for one in paragraphs(draft.text)):
        return
    for pattern, right in _PHRASES.get(draft.lang, {}).items():
        for match in pattern.finditer(draft.text):
            written = like(match.expand(right) if "\\" in right else right, match.group())
            said = draft.say(f"write “{written}”", f"richtig „{written}“")
            yield Issue(*match.span(), said, (Edit(*match.span(), written),))


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _has_slip(paragraph: str, lang: str) -> bool:
    return any(pattern.search(paragraph) for pattern in _PHRASES.get(lang, ()))


def rules() -> Iterable[Rule]:
    yield Rule(
        code="wording.misspelled",
        summary="A common slip of spelling",
        reason="A short list of slips that are wrong in every text: “seperate”, “occured”, “Standart”. It is no spelling checker and "
        "does not stumble over names or terms.",
        check=check,
        fixes=True,
        examples=(
            Example(
                "en",
                "Keep the dry and the wet sheets seperate.",
                "Keep the dry and the wet sheets separate.",
            ),
            Example(
                "de",
                "Das ist Standart und wird seperat gezählt.",
                "Das ist Standard und wird separat gezählt.",
            ),
        ),
    )
