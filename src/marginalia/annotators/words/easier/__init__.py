"""Easier words for a hard word: synonyms from WordNet, and which of them fit the sentence."""
