"""The language model that a user chose, for what stands above the reader."""

from marginalia.nlp.prompting.live import find_model as find_model
from marginalia.nlp.prompting.live import language_model as language_model
from marginalia.nlp.prompting.live import say_where as say_where
from marginalia.nlp.prompting.model import LanguageModel as LanguageModel
