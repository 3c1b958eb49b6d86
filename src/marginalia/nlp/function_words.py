"""Words that hold a sentence together and say little themselves, English and German."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """
    a about after all also am among an and any are as at be been before being between both but by can
    could did do does doing during each either every for from had has have having he her here hers him
    his how i if in into is it its itself just may me might more most much must my of off on one's only
    or other our out over own per s same shall she should so some such than that the their them then
    there these they this those through to too under until up upon us very was we were what when where
    whether which while who whom whose why will with within would you your
    aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bitte da
    dabei damit dann das dass daß dein dem den denen denn der deren des dessen die dies diese diesem
    diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für
    gegen gibt haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja
    jede jedem jeden jeder jedes jene kann können man mehr mein mich mir mit muss müssen nach noch nun
    nur ob oder sehr sein seine seinem seinen seiner selbst sich sie sind so soll sollte solche sowie um
    und uns unser unter vom von vor war waren was weil welche welchem welchen welcher welches wenn wer
    werden wie wir wird wo wurde wurden zu zum zur zwar zwischen über
    """.split()
)
"""Negations are not among them: they turn what a sentence says into its opposite."""

NEGATIONS = frozenset("no nor not without yes kein keine nein nicht ohne".split())
